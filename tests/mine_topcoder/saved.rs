//! Files saved from the site, in place of the site.

use serde_json::json;

use super::site::{LIST, NEWEST, ROBOTS, TopcoderSite, first_division, mine, results_request};
use super::{ALL, STATES};
use crate::support::Scratch;

pub(crate) const FOLDER: [&str; 4] = ["mine", "topcoder", "--from-files", "saved"];
const ROUNDS: &str = "saved/tc_module=BasicData&c=dd_round_list";

fn round_file(round: u32) -> String {
    format!("saved/tc_module=BasicData&c=dd_round_results&rd={round}")
}

/// Returns all responses of the site as files.
pub(crate) fn scratch_with_saved_files(site: &TopcoderSite) -> Scratch {
    let scratch = Scratch::new();
    scratch.write(ROUNDS, site.list_feed());
    for round in [101, 102, 103, NEWEST] {
        scratch.write(&round_file(round), site.results_feed(round));
    }
    scratch
}

#[test]
fn files_and_mining_give_the_same_contests() {
    let site = TopcoderSite::new();
    let mined = Scratch::new();
    mined.ok(&mine(&site, &[]));
    let scratch = scratch_with_saved_files(&site);
    let report = scratch.json(&FOLDER);
    assert_eq!(
        report["contests"],
        json!({
            "added": 7, "revised": 0, "unchanged": 0, "withdrawn": 0, "restored": 0,
            "without_results": 1,
        })
    );
    assert_eq!(report["answers"], 5);
    assert_eq!(scratch.rows(STATES), ALL);
    assert_eq!(scratch.content_hash(), mined.content_hash());
    let named = "SELECT name FROM competitor WHERE external_id = '40000012'";
    assert_eq!(scratch.rows(named), ["möwe"]);
    scratch.ok(&["rebuild"]);
    assert_eq!(scratch.content_hash(), mined.content_hash());
}

#[test]
fn same_files_change_nothing_and_corrections_revise() {
    let site = TopcoderSite::new();
    let scratch = scratch_with_saved_files(&site);
    scratch.ok(&FOLDER);
    let before = scratch.everything();
    let report = scratch.json(&FOLDER);
    assert_eq!((&report["answers"], &report["left"]), (&json!(0), &json!(0)));
    assert_eq!(scratch.everything(), before);
    // Nor if they name a forgotten person.
    scratch.ok(&["forget", "--yes", "topcoder", "möwe"]);
    assert_eq!(scratch.json(&FOLDER)["answers"], 0);
    let mut swapped = first_division();
    swapped[0].2 = 1.0;
    swapped.sort_by(|one, other| other.2.total_cmp(&one.2));
    site.set_round(101, "2005-03-03 21:00", [swapped, Vec::new()]);
    scratch.write(&round_file(101), site.results_feed(101));
    let report = scratch.json(&FOLDER);
    assert_eq!((&report["answers"], &report["contests"]["revised"]), (&json!(1), &json!(1)));
    let before = scratch.content_hash();
    scratch.ok(&["rebuild"]);
    assert_eq!(scratch.content_hash(), before);
}

#[test]
fn files_and_site_complement_each_other() {
    let site = TopcoderSite::new();
    let scratch = scratch_with_saved_files(&site);
    std::fs::remove_file(scratch.path(&round_file(102))).unwrap();
    scratch.ok(&FOLDER);
    assert_eq!(scratch.rows(STATES)[2], "102/1|provisional|0|1");
    // Final rounds read from files are not requested.
    scratch.ok(&mine(&site, &[]));
    assert_eq!(
        site.take_targets(),
        [
            ROBOTS,
            LIST,
            &results_request(102),
            &results_request(NEWEST)
        ]
    );
    assert_eq!(scratch.rows(STATES), ALL);
    // Results alone are enough if the list came from the site.
    let mined = Scratch::new();
    mined.ok(&mine(&site, &["--until", "2000-01-01"]));
    mined.write(&round_file(103), site.results_feed(103));
    let report = mined.json(&FOLDER);
    assert_eq!(report["contests"]["added"], 1);
    assert_eq!(mined.rows(STATES)[4], "103/1|final|3|1");
}

#[test]
fn invalid_files_are_reported_and_skipped() {
    let site = TopcoderSite::new();
    let scratch = scratch_with_saved_files(&site);
    let half = site.results_feed(101);
    scratch.write(&round_file(101), &half[..half.len() / 2]);
    scratch.write("saved/notes.txt", "later");
    scratch.write("saved/.DS_Store", "litter");
    scratch.write("saved/within/file", "");
    scratch.write(&format!("{}.xml", round_file(103)), site.results_feed(103));
    scratch.write(&round_file(999), site.results_feed(103));
    let mut problems = vec![
        ("rd=101", "is not a valid answer"),
        ("notes.txt", "does not have the name of an answer"),
        ("within", "is not a regular file"),
        (
            "rd=103.xml",
            "has the same request as tc_module=BasicData&c=dd_round_results&rd=103",
        ),
        ("rd=999", "answers no request of this sync"),
    ];
    #[cfg(unix)]
    {
        scratch.write("beyond", site.results_feed(102));
        std::fs::remove_file(scratch.path(&round_file(102))).unwrap();
        std::os::unix::fs::symlink(scratch.path("beyond"), scratch.path(&round_file(102))).unwrap();
        problems.push(("rd=102", "is not a regular file"));
    }
    let done = scratch.run(&FOLDER).exits(3);
    for (file, problem) in &problems {
        let line = done.err.lines().find(|line| line.contains(problem) && line.contains(file));
        assert!(line.is_some(), "{file}: {problem}: {}", done.err);
    }
    let items = format!("{} items could not be fetched or parsed", problems.len());
    assert!(done.err.contains(&items), "{}", done.err);
    assert!(!done.err.contains("DS_Store"), "{}", done.err);
    let read_contests = "SELECT external_id FROM contest WHERE entrants > 0 ORDER BY 1";
    let read_contests = scratch.rows(read_contests);
    assert!(
        read_contests.ends_with(&["103/1", "104/1", "104/2"].map(str::to_owned)),
        "{read_contests:?}"
    );
    assert!(!read_contests.contains(&"101/1".to_owned()));
}

#[test]
fn missing_list_or_unsupported_site_is_reported() {
    let site = TopcoderSite::new();
    let scratch = scratch_with_saved_files(&site);
    std::fs::remove_file(scratch.path(ROUNDS)).unwrap();
    let done = scratch.run(&FOLDER);
    assert_eq!(done.code, Some(1), "{}", done.err);
    done.says("no file has a list of contests, and no list was archived before; save the list as")
        .says(ROUNDS.strip_prefix("saved/").unwrap());
    let done = scratch.run(&["mine", "ctftime", "--from-files", "saved"]);
    assert_eq!(done.code, Some(1), "{}", done.err);
    done.says("saved files of ctftime are not supported");
    let done = scratch.run(&["mine", "topcoder", "--from-files", "nowhere"]);
    assert_eq!(done.code, Some(1), "{}", done.err);
    done.says("nowhere cannot be read");
}
