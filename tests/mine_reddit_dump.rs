//! Import of Reddit dumps from the command line.

use std::io::Write as _;

use crate::support::{Scratch, fixtures};
use serde_json::json;

const THREADS: &str = "RS_2024-06.zst";
const COMMENTS: &str = "RC_2024-06.ndjson";
const MINE: [&str; 5] = ["mine", "reddit", "--from-dump", COMMENTS, THREADS];

fn fixture(name: &str) -> Vec<u8> {
    std::fs::read(fixtures().join("reddit").join(name)).unwrap()
}

/// Compresses as dumps are, with a window larger than the default limit of zstd.
fn pack(file: &[u8]) -> Vec<u8> {
    let mut packed = zstd::Encoder::new(Vec::new(), 1).unwrap();
    packed.window_log(28).unwrap();
    packed.write_all(file).unwrap();
    packed.finish().unwrap()
}

/// Returns a month of data with one unreadable line.
fn scratch_with_dumps() -> Scratch {
    let scratch = Scratch::new();
    scratch.write(THREADS, pack(&fixture("RS_2024-06.ndjson")));
    scratch.write(COMMENTS, fixture(COMMENTS));
    scratch
}

#[test]
fn dump_becomes_contests_and_reports_omissions() {
    let scratch = scratch_with_dumps();
    let done = scratch.run(&MINE).exits(3);
    let expected = "reddit: 3 contests with 8 results: 3 new, 0 revised, 0 unchanged\n";
    assert_eq!(done.out, expected);
    let done = done
        .says("RC_2024-06.ndjson, line 7: ")
        .says("left out: 1 line that cannot be read, named above")
        .says("left out: 4 comments by deleted accounts")
        .says("left out: 1 comment whose score was not shown")
        .says("left out: 2 threads without entrants")
        .says("left out: 1 thread without a submission")
        .says("next: ranklore rate reddit");
    assert!(!done.err.contains("spoke"), "{}", done.err);
    let hash = scratch.ok(&["check", "--hash"]).out;
    let before = scratch.everything();
    let again = scratch.run(&MINE).exits(3);
    let expected = "reddit: 3 contests with 8 results: 0 new, 0 revised, 3 unchanged\n";
    assert_eq!(again.out, expected);
    assert!(!again.err.contains("next:"), "{}", again.err);
    assert!(scratch.everything() == before);
    scratch.ok(&["rebuild"]);
    assert_eq!(scratch.ok(&["check", "--hash"]).out, hash);
    scratch.ok(&["rate", "reddit", "--division", "LanternTales"]);
}

#[test]
fn subreddit_time_and_limit_select_threads() {
    for (options, ids) in [
        (&["--subreddit", "lanternTALES"][..], &["1a2b3c", "1a2b7k"][..]),
        (
            &["--subreddit", "HarbourNews", "--subreddit", "LanternTales"],
            &["1a2b3c", "1a2b7k", "1a2d00"],
        ),
        (&["--since", "2024-06-02"], &["1a2b7k", "1a2d00"]),
        (&["--top", "1"], &["1a2d00"]),
    ] {
        let scratch = scratch_with_dumps();
        scratch.run(&[&MINE[..], options].concat());
        let contests = scratch.rows("SELECT external_id FROM contest ORDER BY 1");
        assert_eq!(contests, ids, "{options:?}");
    }
    let scratch = scratch_with_dumps();
    let done = scratch.run(&[&MINE[..], &["--subreddit", "Elsewhere"]].concat());
    done.exits(3).says("no lines of this subreddit, 26 lines of others");
}

#[test]
fn json_reports_every_count() {
    let scratch = scratch_with_dumps();
    let done = scratch.run(&[&MINE[..], &["--json"]].concat()).exits(3);
    let mut report = done.json();
    let first = report["lines"]["refused_first"].take();
    let first = first[0].as_str().unwrap();
    assert!(first.starts_with("RC_2024-06.ndjson, line 7: "), "{first}");
    let expected = json!({
        "source": "reddit",
        "documents": 3,
        "contests": {"added": 3, "revised": 0, "unchanged": 0},
        "results": 8,
        "starting_ratings": 0,
        "refused": [],
        "total_refused": 0,
        "layouts": [],
        "warnings": [],
        "total_warnings": 0,
        "removed": [],
        "withdrawn": [],
        "returned": [],
        "restored": [],
        "similar_source": null,
        "passed_over": 0,
        "interrupted": false,
        "lines": {
            "read": 27, "elsewhere": 0, "repeated": 1, "refused": 1, "refused_first": null,
        },
        "comments": {"counted": 14, "deleted": 4, "hidden": 1},
        "threads": {"read": 3, "empty": 2, "without_thread": 1, "too_large": 0, "known": 0},
    });
    assert_eq!(report, expected);
}

#[test]
fn dry_run_previews_and_writes_nothing() {
    let scratch = scratch_with_dumps();
    let dry_run = [&MINE[..], &["--dry-run"]].concat();
    let done = scratch.run(&dry_run).exits(3);
    assert!(done.out.contains("r/LanternTales 1a2b3c"), "{}", done.out);
    let end = "dry run, nothing written: 3 contests with 8 results\n";
    assert!(done.out.ends_with(end), "{}", done.out);
    assert_eq!(scratch.list("."), [COMMENTS, THREADS]);
    scratch.run(&MINE).exits(3);
    let before = std::fs::read(scratch.db()).unwrap();
    let report = scratch.run(&[&dry_run[..], &["--json"]].concat()).json();
    assert_eq!((&report["dry_run"], &report["contests"]), (&json!(true), &json!(3)));
    let first = json!({
        "document": "thread/1a2b3c.json",
        "external_id": "1a2b3c",
        "name": "r/LanternTales 1a2b3c",
        "division": "LanternTales",
        "ends_at": 1_717_243_200,
        "entrants": 5,
    });
    assert_eq!(report["first"][0], first);
    assert!(std::fs::read(scratch.db()).unwrap() == before);
}

#[test]
fn unsupported_options_are_refused_before_reading() {
    let scratch = scratch_with_dumps();
    for other in ["--full", "--standings", "--pages", "--refresh-names"] {
        scratch.run(&[&MINE[..], &[other]].concat()).exits(2);
    }
    for other in ["--limit", "--interval", "--from-files", "--base-url"] {
        scratch.run(&[&MINE[..], &[other, "1"]].concat()).exits(2);
    }
    scratch.run(&[&MINE[..], &["--top", "0"]].concat()).exits(2);
    let refuse = |options: &[&str], code: i32, message: &str| {
        scratch.run(options).exits(code).says(message);
    };
    let elsewhere = ["mine", "o2cm", "--from-dump", COMMENTS];
    refuse(&elsewhere, 2, "--from-dump reads archives of reddit only, not of o2cm");
    let named = [&MINE[..], &["--subreddit", "Lantern Tales"]].concat();
    refuse(&named, 2, "is not a subreddit name");
    refuse(
        &["mine", "reddit", "--from-dump", "."],
        1,
        ". is a folder: name the files in it",
    );
    refuse(&["mine", "reddit", "--from-dump", "RC"], 1, "RC cannot be read");
    assert_eq!(scratch.list("."), [COMMENTS, THREADS]);
}

#[test]
fn truncated_archive_imports_nothing() {
    let scratch = scratch_with_dumps();
    let archive = pack(&fixture("RS_2024-06.ndjson"));
    scratch.write(THREADS, &archive[..archive.len() - 4]);
    scratch
        .run(&MINE)
        .exits(1)
        .says("RS_2024-06.zst: after line ")
        .says("download the file again");
    assert_eq!(scratch.count("SELECT count(*) FROM document"), 0);
    scratch.write(THREADS, "<html>not here</html>");
    scratch.run(&MINE).exits(1).says("not an archive");
}
