//! Publication follows the terms of sites, and names stay private.

use ranklore_test_support::{Reply, Server};
use serde_json::{Value, json};

use super::ball::{self, heat};
use super::ctftime;
use super::folder::FolderSnapshot;
use super::topcoder;
use super::{ALL_FORMATS, EXPORT_EVERYTHING};
use crate::support::{CommandOutput, Scratch, contest, fixtures};

/// The names in the results of the imitated site.
const NAMES: [&str; 8] = [
    "Vale", "Moor", "Cyd Oar", "Dot Fen", "Lock", "Weir", "Ada V", "Bea M",
];

const EXPORT_WITH_PERMISSION: [&str; 7] = [
    "export",
    "o2cm",
    "--to",
    "out",
    "--format",
    ALL_FORMATS,
    "--i-have-permission",
];

fn mined_ball() -> Scratch {
    let site = ball::site();
    let scratch = Scratch::new();
    scratch.ok(&ball::mine(&site, &[]));
    scratch.ok(&["rate", "o2cm"]);
    scratch
}

#[track_caller]
fn assert_refused(scratch: &Scratch, arguments: &[&str]) -> CommandOutput {
    let before = scratch.everything();
    let done = scratch.run(arguments).exits(1);
    assert_eq!(done.out, "");
    assert!(!scratch.path("out").exists() && !scratch.path(".out.ranklore-part").exists());
    assert!(scratch.everything() == before, "a key was made");
    done
}

/// Asserts that no file, path or output contains a name.
#[track_caller]
fn assert_no_names(scratch: &Scratch, outputs: &[&CommandOutput], names: &[&str]) {
    let out = FolderSnapshot::read(&scratch.path("out"));
    for name in names {
        assert_eq!(out.find_text(name), None, "{name}");
        for done in outputs {
            assert!(!done.out.contains(name), "{name}: {}", done.out);
            assert!(!done.err.contains(name), "{name}: {}", done.err);
        }
    }
    // Compressed files are decoded.
    let read = Scratch::new();
    read.ok(&["import", scratch.path("out").to_str().unwrap()]);
    let rows = read.everything().join("\n");
    for name in names {
        assert!(!rows.contains(name), "{name}");
    }
}

#[test]
fn export_without_permission_is_refused() {
    let scratch = mined_ball();
    let done = assert_refused(&scratch, &["export", "o2cm", "--to", "out"]);
    done.says("the terms of o2cm do not allow everyone to publish the results")
        .says("--i-have-permission");
    for how in ["real", "none", "pseudonym"] {
        assert_refused(&scratch, &["export", "o2cm", "--to", "out", "--names", how]);
    }
    // Nor together with a source that may be published.
    let club = fixtures().join("club");
    scratch.ok(&["import", club.to_str().unwrap(), "--source", "club"]);
    assert_refused(&scratch, &["export", "club", "o2cm", "--to", "out"]);
}

#[test]
fn pseudonyms_are_stable() {
    let scratch = mined_ball();
    let with = [&EXPORT_WITH_PERMISSION[..], &["--with", "ratings"]].concat();
    let exported = scratch.ok(&with);
    let checked = scratch.ok(&["verify", "out"]);
    assert_no_names(&scratch, &[&exported, &checked], &NAMES);
    let first = FolderSnapshot::read(&scratch.path("out"));
    assert!(first.text("csv/competitor.csv").contains("couple-"));
    assert!(first.text("csv/member.csv").contains("person-"));
    let again = scratch.ok(&with);
    assert!(again.out.contains("no changes since"), "{}", again.out);
    scratch.ok(&["rebuild"]);
    scratch.ok(&with);
    assert_eq!(FolderSnapshot::read(&scratch.path("out")).tables(), first.tables());
    // A source renamed on import stays restricted.
    let read = Scratch::new();
    let out = scratch.path("out");
    read.ok(&["import", out.to_str().unwrap(), "--source", "dances"]);
    assert_refused(&read, &["export", "dances", "--to", "out"])
        .says("the terms of o2cm do not allow");
    read.ok(&["export", "dances", "--to", "out", "--i-have-permission"]);
    let package = FolderSnapshot::read(&read.path("out"));
    let package: Value = serde_json::from_str(package.text("datapackage.json")).unwrap();
    let source = &package["ranklore"]["sources"][0];
    assert_eq!(source["names"], "pseudonym", "{source}");
    assert_eq!(source["sites"], json!(["o2cm"]), "{source}");
    // Pseudonyms differ between databases.
    let other = mined_ball();
    other.ok(&with);
    let column = |folder: &FolderSnapshot| folder.text("csv/competitor.csv").to_owned();
    assert_ne!(column(&FolderSnapshot::read(&other.path("out"))), column(&first));
}

#[test]
fn names_need_permission_and_numbers_do_not() {
    let scratch = mined_ball();
    assert_refused(&scratch, &["export", "o2cm", "--to", "out", "--names", "real"]);
    scratch.ok(&[&EXPORT_WITH_PERMISSION[..], &["--names", "real"]].concat());
    let real = FolderSnapshot::read(&scratch.path("out"));
    assert!(real.find_text("Ada Vale & Bea Moor").is_some());
    // Replacing the dataset removes all names.
    let numbers = scratch.ok(&[&EXPORT_WITH_PERMISSION[..], &["--names", "none"]].concat());
    let checked = scratch.ok(&["verify", "out"]);
    assert_no_names(&scratch, &[&numbers, &checked], &NAMES);
    let out = FolderSnapshot::read(&scratch.path("out"));
    assert_eq!(out.find_text("couple-"), None);
    assert_eq!(out.find_text("event3.asp"), None, "nor links to pages with them");
    assert_eq!(scratch.beside(), ["out"]);
}

#[test]
fn files_imported_under_site_name_follow_its_terms() {
    let scratch = Scratch::new();
    scratch.write("1.json", contest(1, 1, &[&["Ada Vale"], &["Bea Moor"]]));
    scratch.ok(&["import", "1.json", "--source", "o2cm"]);
    assert_refused(&scratch, &["export", "o2cm", "--to", "out"]);
    let done = scratch.ok(&EXPORT_WITH_PERMISSION);
    assert_no_names(&scratch, &[&done], &NAMES[..2]);
}

#[test]
fn each_site_has_its_terms() {
    let scratch = Scratch::new();
    let site = codeforces();
    let at = ["--interval", "0", "--base-url", site.url()];
    scratch.ok(&[&["mine", "codeforces"][..], &at].concat());
    scratch.ok(&topcoder::mine(&topcoder::TopcoderSite::new(), &[]));
    scratch.ok(&ctftime::mine(&ctftime::CtftimeSite::new(), &[]));
    let dump = ["RS", "RC"].map(|kind| fixtures().join(format!("reddit/{kind}_2024-06.ndjson")));
    let dump = dump.each_ref().map(|path| path.to_str().unwrap());
    scratch.run(&[&["mine", "reddit", "--from-dump"][..], &dump].concat()).exits(3);
    for name in ["reddit", "ctftime", "topcoder"] {
        assert_refused(&scratch, &["export", name, "--to", "out"])
            .says(&format!("the terms of {name} do not allow"));
        scratch.ok(&["export", name, "--to", name, "--i-have-permission"]);
        let card = FolderSnapshot::read(&scratch.path(name));
        assert!(card.text("README.md").contains("permission"), "{name}");
        scratch.ok(&["verify", name]);
    }
    scratch.ok(&["export", "codeforces", "--to", "out"]);
    assert!(
        FolderSnapshot::read(&scratch.path("out"))
            .text("README.md")
            .contains("Codeforces")
    );
}

/// Returns an imitated Codeforces with one round of three contestants.
fn codeforces() -> Server {
    let site = Server::new();
    let ok = |result: Value| [Reply::json(&json!({"status": "OK", "result": result}))];
    let round = json!({"id": 1, "name": "Lantern Round 1", "type": "CF", "phase": "FINISHED",
        "frozen": false, "durationSeconds": 7200, "startTimeSeconds": 1_700_000_000});
    site.set_replies("GET /api/contest.list?gym=false&lang=en", ok(json!([round])));
    let row = |rank: i64, handle| {
        json!({"contestId": 1, "contestName": "Lantern Round 1", "handle": handle, "rank": rank,
            "ratingUpdateTimeSeconds": 1_700_010_000, "oldRating": 1500, "newRating": 1500})
    };
    let rows = json!([row(1, "ada"), row(2, "bea"), row(3, "cyd")]);
    site.set_replies("GET /api/contest.ratingChanges?contestId=1&lang=en", ok(rows));
    let users = ["ada", "bea", "cyd"].map(|handle| json!({"handle": handle, "rating": 1500}));
    let rated = "GET /api/user.ratedList?activeOnly=false&includeRetired=true";
    site.set_replies(rated, ok(json!(users)));
    site
}

#[test]
fn forgotten_name_is_removed_from_replaced_dataset() {
    const NAME: &str = "Oona Pereskaya";
    let club = Scratch::club();
    club.ok(&["rate", "club"]);
    club.ok(&EXPORT_EVERYTHING);
    assert!(FolderSnapshot::read(&club.path("out")).find_text(NAME).is_some());
    club.ok(&["forget", "--yes", "club", NAME]);
    club.ok(&["rate", "club"]);
    let done = club.ok(&EXPORT_EVERYTHING);
    assert_no_names(&club, &[&done], &[NAME, "Pereskaya"]);
    assert_eq!(club.beside(), ["out"]);
    club.ok(&["verify", "out"]);
    club.ok(&["export", "club", "--to", "fresh", "--format", ALL_FORMATS]);
    assert_eq!(FolderSnapshot::read(&club.path("fresh")).find_text("Pereskaya"), None);
}

#[test]
fn forgotten_person_loses_the_old_pseudonym() {
    let scratch = mined_ball();
    scratch.ok(&EXPORT_WITH_PERMISSION);
    let before = FolderSnapshot::read(&scratch.path("out"));
    let all = before.text("csv/competitor.csv");
    scratch.ok(&["forget", "--yes", "o2cm", "Ada Vale"]);
    let done = scratch.ok(&EXPORT_WITH_PERMISSION);
    assert_no_names(&scratch, &[&done], &NAMES);
    let after = FolderSnapshot::read(&scratch.path("out"));
    let removed_keys: Vec<&str> = all
        .lines()
        .filter_map(|line| line.split(',').nth(2))
        .filter(|key| after.find_text(key).is_none())
        .collect();
    assert_eq!(removed_keys.len(), 2, "the person and the couple: {removed_keys:?}");
}

#[test]
fn refused_contest_reveals_no_names() {
    let site = ball::site();
    let scratch = Scratch::new();
    let twice = ["Ada Vale & Bea Moor", "Ada Vale & Bea Moor"];
    site.publish_heats("mid1", &[heat("2A", "Amateur Bronze Waltz (W)", &twice)]);
    scratch.run(&ball::mine(&site, &[]));
    let done = scratch.ok(&EXPORT_WITH_PERMISSION);
    assert_no_names(&scratch, &[&done], &NAMES);
}
