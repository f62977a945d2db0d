//! A dataset is replaced completely or not at all.

use std::fs;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, Ordering};

use ranklore_publish::{Error, Format, Watch};
use ranklore_test_support::{World, withdraw};

use super::exports::{Export, Exports as _, SOURCES, files, lanterns, problems};

fn export() -> Export {
    Export::of("out", &SOURCES).in_forms(&[Format::Csv, Format::Sqlite, Format::Parquet])
}

/// Lists the siblings of the database in a world's folder.
fn beside(world: &World) -> Vec<String> {
    let entries = fs::read_dir(world.folder()).unwrap();
    let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<String> = names
        .filter(|name| !name.starts_with("ranklore.sqlite"))
        .collect();
    names.sort();
    names
}

#[test]
fn nothing_else_is_left_beside_a_dataset() {
    let world = lanterns();
    for _ in 0..2 {
        world.export(&export()).unwrap();
        assert_eq!(beside(&world), ["out"]);
        let inside = files(&world.path("out"));
        assert!(
            inside.keys().all(|path| !path.starts_with('.')),
            "{:?}",
            inside.keys()
        );
    }
}

#[test]
fn what_is_something_else_is_refused_and_untouched() {
    let world = lanterns();
    let there = world.path("out");
    let occupied = |what: &str| {
        let before = fs::metadata(&there)
            .unwrap()
            .is_dir()
            .then(|| files(&there));
        let error = world.export(&export()).unwrap_err();
        assert!(matches!(error, Error::Occupied { .. }), "{what}: {error}");
        assert_eq!(beside(&world), ["out"], "{what}");
        assert_eq!(before, there.is_dir().then(|| files(&there)), "{what}");
    };
    fs::write(&there, "mine").unwrap();
    occupied("a file");
    assert_eq!(fs::read(&there).unwrap(), b"mine");
    fs::remove_file(&there).unwrap();
    fs::create_dir(&there).unwrap();
    fs::write(there.join("thesis.txt"), "mine").unwrap();
    occupied("a folder");
    fs::write(
        there.join("datapackage.json"),
        r#"{"name": "another", "resources": []}"#,
    )
    .unwrap();
    occupied("a dataset of somebody else");
    fs::write(there.join("datapackage.json"), "{").unwrap();
    occupied("a broken dataset");
}

#[test]
fn an_empty_folder_is_taken() {
    let world = lanterns();
    fs::create_dir(world.path("out")).unwrap();
    world.export(&export()).unwrap();
    assert_eq!(problems(&world.path("out")), Vec::<String>::new());
}

#[test]
fn a_folder_in_folders_that_are_not_there_is_made() {
    let world = lanterns();
    let to = world.path("deep/down/out");
    world.export_to(&to, &export()).unwrap();
    assert_eq!(problems(&to), Vec::<String>::new());
}

#[test]
fn what_a_killed_program_left_is_taken_away() {
    let world = lanterns();
    world.export(&export()).unwrap();
    let whole = files(&world.path("out"));
    let stale = world.path(".out.ranklore-part");
    fs::create_dir_all(stale.join("csv")).unwrap();
    fs::write(stale.join("csv/contest.csv"), "half a ro").unwrap();
    fs::write(stale.join("junk"), "junk").unwrap();
    fs::write(stale.join(".lock"), "").unwrap();
    world.export(&export()).unwrap();
    assert_eq!(beside(&world), ["out"]);
    assert_eq!(files(&world.path("out")), whole);
}

/// Interrupts an export at the given check.
struct Impatient {
    left: AtomicU32,
}

impl Watch for Impatient {
    fn interrupted(&self) -> bool {
        let count = |left: u32| left.checked_sub(1);
        let left = self
            .left
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, count);
        left.is_err()
    }
}

#[test]
fn an_export_that_is_ended_leaves_what_was_there() {
    let mut world = lanterns();
    let short = export().in_forms(&[Format::Csv]);
    world.export(&short).unwrap();
    let before = files(&world.path("out"));
    assert!(world.decide("lantern", &withdraw("10")).unwrap());
    for fresh in [false, true] {
        let to = world.path(if fresh { "fresh" } else { "out" });
        let mut patience = 0;
        loop {
            let watch = Impatient {
                left: AtomicU32::new(patience),
            };
            match world.export_watched(&to, &short, &watch) {
                Err(Error::Interrupted) => patience += 1,
                done => {
                    done.unwrap();
                    break;
                }
            }
            assert_eq!(files(&world.path("out")) == before, !fresh, "{patience}");
            let left: &[&str] = &["out"];
            assert_eq!(beside(&world), left, "{patience}");
        }
        assert!(patience > 10, "it may be ended at many points: {patience}");
        assert_eq!(problems(&to), Vec::<String>::new());
    }
}

#[test]
fn a_selection_without_contests_writes_nothing() {
    let world = lanterns();
    let nothing = Export::of("out", &["nobody"]);
    let error = world.export(&nothing).unwrap_err();
    assert!(matches!(error, Error::Nothing { .. }), "{error}");
    assert_eq!(beside(&world), Vec::<String>::new());
}

/// Starts a second export during an export.
struct Second<'w> {
    to: &'w Path,
    file: &'w Path,
    told: Mutex<Option<Error>>,
}

impl Watch for Second<'_> {
    fn advanced(&self, _: u64) {
        let mut told = self.told.lock().unwrap();
        if told.is_none() {
            let store = ranklore_store::Store::open_reader(self.file).unwrap();
            let request = ranklore_publish::ExportRequest {
                to: self.to,
                selection: export().selection,
                formats: vec![Format::Csv],
                defuse: false,
                described: ranklore_publish::Described {
                    title: String::new(),
                    version: String::new(),
                    commit: None,
                    sources: Vec::new(),
                    runs: Vec::new(),
                },
                against: None,
            };
            let again = ranklore_publish::export(&store, &request, &ranklore_publish::Silent);
            *told = Some(again.unwrap_err());
        }
    }
}

#[test]
fn of_two_at_a_time_the_second_is_refused() {
    let world = lanterns();
    let (to, file) = (world.path("out"), world.store.path());
    let second = Second {
        to: &to,
        file,
        told: Mutex::new(None),
    };
    world.export_watched(&to, &export(), &second).unwrap();
    let told = second.told.into_inner().unwrap().unwrap();
    assert!(matches!(told, Error::Busy { .. }), "{told}");
    assert_eq!(problems(&to), Vec::<String>::new());
    assert_eq!(beside(&world), ["out"]);
    world.export(&export()).unwrap();
}

#[test]
fn a_form_that_cannot_be_written_leaves_nothing() {
    let world = lanterns();
    // Creating the same file twice fails.
    let twice = export().in_forms(&[Format::Parquet, Format::Csv, Format::Csv]);
    let error = world.export(&twice).unwrap_err();
    assert!(matches!(error, Error::Io { .. }), "{error}");
    assert_eq!(beside(&world), Vec::<String>::new());
}

#[test]
fn a_dataset_that_a_link_leads_to_is_replaced_where_it_is() {
    let world = lanterns();
    world.export(&export()).unwrap();
    let link = world.path("latest");
    std::os::unix::fs::symlink(world.path("out"), &link).unwrap();
    world
        .export_to(&link, &export().in_forms(&[Format::JsonLines]))
        .unwrap();
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert!(world.path("out/jsonl/contest.jsonl").exists());
    assert!(!world.path("out/csv").exists());
}
