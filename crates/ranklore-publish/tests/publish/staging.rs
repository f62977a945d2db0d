//! A dataset is replaced completely or not at all.

use std::fs;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, Ordering};

use ranklore_publish::{DatasetFormat, Error, ExportProgress};
use ranklore_test_support::{World, withdraw};

use super::exports::{ExportSpec, Exports as _, SOURCES, files, problems, sample_world};

fn export() -> ExportSpec {
    ExportSpec::new("out", &SOURCES).with_formats(&[
        DatasetFormat::Csv,
        DatasetFormat::Sqlite,
        DatasetFormat::Parquet,
    ])
}

/// Lists the siblings of the database in a world's folder.
fn list_siblings(world: &World) -> Vec<String> {
    let entries = fs::read_dir(world.folder()).unwrap();
    let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<String> =
        names.filter(|name| !name.starts_with("ranklore.sqlite")).collect();
    names.sort();
    names
}

#[test]
fn export_leaves_no_other_files() {
    let world = sample_world();
    for _ in 0..2 {
        world.export(&export()).unwrap();
        assert_eq!(list_siblings(&world), ["out"]);
        let inside = files(&world.path("out"));
        assert!(inside.keys().all(|path| !path.starts_with('.')), "{:?}", inside.keys());
    }
}

#[test]
fn foreign_folder_is_refused_and_untouched() {
    let world = sample_world();
    let folder = world.path("out");
    let occupied = |context: &str| {
        let before = fs::metadata(&folder).unwrap().is_dir().then(|| files(&folder));
        let error = world.export(&export()).unwrap_err();
        assert!(matches!(error, Error::Occupied { .. }), "{context}: {error}");
        assert_eq!(list_siblings(&world), ["out"], "{context}");
        assert_eq!(before, folder.is_dir().then(|| files(&folder)), "{context}");
    };
    fs::write(&folder, "mine").unwrap();
    occupied("a file");
    assert_eq!(fs::read(&folder).unwrap(), b"mine");
    fs::remove_file(&folder).unwrap();
    fs::create_dir(&folder).unwrap();
    fs::write(folder.join("thesis.txt"), "mine").unwrap();
    occupied("a folder");
    fs::write(folder.join("datapackage.json"), r#"{"name": "another", "resources": []}"#).unwrap();
    occupied("a dataset of somebody else");
    fs::write(folder.join("datapackage.json"), "{").unwrap();
    occupied("a broken dataset");
}

#[test]
fn empty_folder_is_accepted() {
    let world = sample_world();
    fs::create_dir(world.path("out")).unwrap();
    world.export(&export()).unwrap();
    assert_eq!(problems(&world.path("out")), Vec::<String>::new());
}

#[test]
fn missing_parent_folders_are_created() {
    let world = sample_world();
    let to = world.path("deep/down/out");
    world.export_to(&to, &export()).unwrap();
    assert_eq!(problems(&to), Vec::<String>::new());
}

#[test]
fn leftovers_of_killed_export_are_removed() {
    let world = sample_world();
    world.export(&export()).unwrap();
    let exported = files(&world.path("out"));
    let stale = world.path(".out.ranklore-part");
    fs::create_dir_all(stale.join("csv")).unwrap();
    fs::write(stale.join("csv/contest.csv"), "half a ro").unwrap();
    fs::write(stale.join("junk"), "junk").unwrap();
    fs::write(stale.join(".lock"), "").unwrap();
    world.export(&export()).unwrap();
    assert_eq!(list_siblings(&world), ["out"]);
    assert_eq!(files(&world.path("out")), exported);
}

/// Interrupts an export at the given check.
struct InterruptAfter {
    left: AtomicU32,
}

impl ExportProgress for InterruptAfter {
    fn is_interrupted(&self) -> bool {
        let count = |left: u32| left.checked_sub(1);
        let left = self.left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, count);
        left.is_err()
    }
}

#[test]
fn interrupted_export_keeps_the_older_dataset() {
    let mut world = sample_world();
    let short = export().with_formats(&[DatasetFormat::Csv]);
    world.export(&short).unwrap();
    let before = files(&world.path("out"));
    assert!(world.record_decision("lantern", &withdraw("10")).unwrap());
    for fresh in [false, true] {
        let to = world.path(if fresh { "fresh" } else { "out" });
        let mut patience = 0;
        loop {
            let watch = InterruptAfter {
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
            assert_eq!(list_siblings(&world), left, "{patience}");
        }
        assert!(patience > 10, "it may be ended at many points: {patience}");
        assert_eq!(problems(&to), Vec::<String>::new());
    }
}

#[test]
fn selection_without_contests_writes_nothing() {
    let world = sample_world();
    let nothing = ExportSpec::new("out", &["nobody"]);
    let error = world.export(&nothing).unwrap_err();
    assert!(matches!(error, Error::NothingToExport { .. }), "{error}");
    assert_eq!(list_siblings(&world), Vec::<String>::new());
}

/// Starts a second export during an export.
struct SecondExport<'w> {
    to: &'w Path,
    file: &'w Path,
    refusal: Mutex<Option<Error>>,
}

impl ExportProgress for SecondExport<'_> {
    fn advance(&self, _: u64) {
        let mut refusal = self.refusal.lock().unwrap();
        if refusal.is_none() {
            let store = ranklore_store::Store::open_reader(self.file).unwrap();
            let request = ranklore_publish::ExportRequest {
                to: self.to,
                selection: export().selection,
                formats: vec![DatasetFormat::Csv],
                escape_formulas: false,
                metadata: ranklore_publish::DatasetMetadata {
                    title: String::new(),
                    version: String::new(),
                    commit: None,
                    sources: Vec::new(),
                    runs: Vec::new(),
                },
                baseline: None,
            };
            let again =
                ranklore_publish::export(&store, &request, &ranklore_publish::NoExportProgress);
            *refusal = Some(again.unwrap_err());
        }
    }
}

#[test]
fn concurrent_export_is_refused() {
    let world = sample_world();
    let to = world.path("out");
    let file = world.store.path();
    let second = SecondExport {
        to: &to,
        file,
        refusal: Mutex::new(None),
    };
    world.export_watched(&to, &export(), &second).unwrap();
    let refusal = second.refusal.into_inner().unwrap().unwrap();
    assert!(matches!(refusal, Error::Busy { .. }), "{refusal}");
    assert_eq!(problems(&to), Vec::<String>::new());
    assert_eq!(list_siblings(&world), ["out"]);
    world.export(&export()).unwrap();
}

#[test]
fn failing_format_leaves_nothing() {
    let world = sample_world();
    // Creating the same file twice fails.
    let twice = export().with_formats(&[
        DatasetFormat::Parquet,
        DatasetFormat::Csv,
        DatasetFormat::Csv,
    ]);
    let error = world.export(&twice).unwrap_err();
    assert!(matches!(error, Error::Io { .. }), "{error}");
    assert_eq!(list_siblings(&world), Vec::<String>::new());
}

#[test]
fn dataset_behind_a_symlink_is_replaced_in_place() {
    let world = sample_world();
    world.export(&export()).unwrap();
    let link = world.path("latest");
    std::os::unix::fs::symlink(world.path("out"), &link).unwrap();
    world
        .export_to(&link, &export().with_formats(&[DatasetFormat::JsonLines]))
        .unwrap();
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert!(world.path("out/jsonl/contest.jsonl").exists());
    assert!(!world.path("out/csv").exists());
}
