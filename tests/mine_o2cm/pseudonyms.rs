//! Names are shown only on request.

use std::time::Duration;

use ranklore_contest::{SourceName, UnixSeconds};
use ranklore_ingest::{MineRequest, OptionValues};
use ranklore_replay::NoProgress;
use ranklore_store::Store;

use super::*;

fn rated_site() -> Scratch {
    let site = site();
    let scratch = Scratch::new();
    scratch.ok(&mine(&site, &[]));
    scratch.ok(&["rate", "o2cm"]);
    scratch
}

/// Returns the output of all views, as tables and as JSON.
fn show_everywhere(scratch: &Scratch, player: &str, options: &[&str]) -> String {
    let views: [&[&str]; 3] = [
        &["leaderboard", "o2cm"],
        &["contest", "o2cm", "old1/1A"],
        &["player", "o2cm", player],
    ];
    let mut output = String::new();
    for view in views {
        for json in [&[][..], &["--json"]] {
            let done = scratch.ok(&[view, options, json].concat());
            output += &done.out;
            output += &done.err;
        }
    }
    output
}

fn first_on_leaderboard(scratch: &Scratch, options: &[&str]) -> String {
    let board = scratch.json(&[&["leaderboard", "o2cm"], options].concat());
    let row = &board["rows"][0];
    row["name"].as_str().unwrap().to_owned()
}

/// Mines under another source name, as a program may.
fn rated_under_name(name: &str) -> Scratch {
    let site = site();
    let scratch = Scratch::new();
    let request = MineRequest {
        name: Some(SourceName::new(name).unwrap()),
        base_url: Some(site.site.url().to_owned()),
        interval: Some(Duration::ZERO),
        ..MineRequest::default()
    };
    let open = ranklore_ingest::find_site("o2cm").unwrap().open;
    let o2cm = open(&OptionValues::default()).unwrap();
    let mut store = Store::open_writer(scratch.db(), "a test").unwrap();
    let clock = || UnixSeconds::new(moment::started_at()).unwrap();
    ranklore_ingest::mine(&mut store, &*o2cm, &request, clock, &NoProgress).unwrap();
    drop(store);
    scratch.ok(&["rate", name]);
    scratch
}

const NAMES: [&str; 6] = ["Vale", "Moor", "Oar", "Fen", "Lock", "Weir"];

#[test]
fn every_view_shows_pseudonyms() {
    let scratch = rated_site();
    let pseudonym = first_on_leaderboard(&scratch, &[]);
    assert!(pseudonym.starts_with("couple-"), "{pseudonym}");
    let output = show_everywhere(&scratch, &pseudonym, &[]);
    for name in NAMES {
        assert!(!output.contains(name), "{name}: {output}");
    }
    // Equal everywhere, and labelled as a pseudonym.
    assert!(output.matches(&pseudonym).count() >= 6, "{output}");
    assert!(output.contains("--real-names shows real names"), "{output}");
    // A misspelled name reveals nobody.
    let done = scratch.run(&["player", "o2cm", "nobody at all"]).exits(1);
    let near = scratch.run(&["player", "o2cm", "e"]);
    for name in NAMES {
        assert!(!done.err.contains(name) && !near.err.contains(name), "{}", near.err);
    }
    assert!(near.err.contains("couple-"), "{}", near.err);
}

#[test]
fn names_option_shows_names() {
    let scratch = rated_site();
    let name = first_on_leaderboard(&scratch, &["--real-names"]);
    assert!(name.contains(" & "), "{name}");
    let output = show_everywhere(&scratch, &name, &["--real-names"]);
    assert!(!output.contains("couple-"), "{output}");
    // A known name finds the pseudonym.
    let player = scratch.json(&["player", "o2cm", &name]);
    assert_eq!(player["name"], first_on_leaderboard(&scratch, &[]).as_str());
}

#[test]
fn pseudonyms_are_stable_and_differ_between_files() {
    let scratch = rated_site();
    let before = first_on_leaderboard(&scratch, &[]);
    scratch.ok(&["rebuild"]);
    assert_eq!(first_on_leaderboard(&scratch, &[]), before);
    assert_ne!(first_on_leaderboard(&rated_site(), &[]), before);
}

#[test]
fn imported_results_get_pseudonyms_by_file_key() {
    let files = [(); 2].map(|()| {
        let scratch = Scratch::new();
        scratch.write(
            "a.csv",
            "Round,Date,Rank,Name\nOne,2024-01-01,1,Ada Vale\nOne,2024-01-01,2,Bea Moor\n",
        );
        scratch.ok(&["import", ".", "--source", "o2cm"]);
        scratch.ok(&["rate", "o2cm"]);
        scratch
    });
    let [one, other] = files.each_ref().map(|scratch| first_on_leaderboard(scratch, &[]));
    assert!(one.starts_with("person-") && other.starts_with("person-"));
    assert_ne!(one, other, "made with a key of the file");
    assert_eq!(first_on_leaderboard(&files[0], &["--real-names"]), "Ada Vale");
}

#[test]
fn site_terms_apply_under_any_source_name() {
    let scratch = rated_under_name("ballroom");
    let first_name = |scratch: &Scratch, options: &[&str]| {
        let board = scratch.json(&[&["leaderboard", "ballroom"], options].concat());
        board["rows"][0]["name"].as_str().unwrap().to_owned()
    };
    let pseudonym = first_name(&scratch, &[]);
    assert!(pseudonym.starts_with("couple-"), "{pseudonym}");
    assert!(first_name(&scratch, &["--real-names"]).contains(" & "));
    for view in [
        ["leaderboard", "ballroom", "--json"],
        ["contest", "ballroom", "old1/1A"],
        ["player", "ballroom", &pseudonym],
    ] {
        let done = scratch.ok(&view);
        for name in NAMES {
            assert!(!done.out.contains(name) && !done.err.contains(name), "{}", done.out);
        }
    }
    assert_ne!(
        first_name(&rated_under_name("ballroom"), &[]),
        pseudonym,
        "with a key of the file"
    );
    scratch.ok(&["rebuild"]);
    assert_eq!(first_name(&scratch, &[]), pseudonym);
}
