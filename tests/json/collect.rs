//! The commands that collect results.

use ranklore_test_support::Reply;
use ranklore_test_support::subreddit::{Comment, Thread};
use serde_json::{Value, json};

use super::PrintedValues;
use super::site::{BEST_THREE, RedditSite, TOP_THREE_LIST};
use crate::support::{CommandOutput, Scratch, fixtures};

/// Prints `demo`, `import`, `sources` and `documents`.
pub(crate) fn files() -> PrintedValues {
    let mut printed = PrintedValues::default();
    let scratch = Scratch::new();
    printed.run("demo", &scratch, &["demo"]);
    let demo = ["--db", "ranklore-demo/ranklore.sqlite"];
    let official = [&demo[..], &["evaluate", "lantern", "--against", "official"]].concat();
    printed.run("evaluate", &scratch, &official);
    let systems = [&official[..], &["--systems", "codeforces-official"]].concat();
    printed.run("evaluate --systems", &scratch, &systems);

    // A table with an invalid place, and a feed whose teams share a name.
    let races = fixtures().join("import/races.xlsx");
    let races = races.to_str().unwrap();
    scratch.write("feed.json", FEED);
    // Its categories describe the competitors, as the places tell.
    let riders = fixtures().join("tables/bmx-categories.csv");
    let riders = riders.to_str().unwrap();
    for (import, code) in [
        (&[races, "--source", "races", "--sheet", "Results"][..], 3),
        (&[riders, "--source", "riders"], 0),
        (&["feed.json", "--source", "flags", "--format", "ctftime-feed"], 0),
    ] {
        let import = [&["import", "--json", "--start", "2024-01-01"], import].concat();
        let dry = scratch.run(&[&import[..], &["--dry-run"]].concat());
        printed.add("import --dry-run", dry.exits(code).json());
        printed.add("import", scratch.run(&import).exits(code).json());
    }
    printed.run("sources", &scratch, &["sources"]);
    printed.run("documents", &scratch, &["documents", "races"]);

    let damage = "UPDATE document SET body = x'28b52ffd00'";
    scratch.raw().execute_batch(damage).unwrap();
    let verify = ["documents", "races", "--verify", "--json"];
    let verified = scratch.run(&verify).exits(1).json();
    printed.add("documents --verify", verified);

    let club = Scratch::club();
    club.ok(&["export", "club", "--to", "out"]);
    let import = ["import", "out", "--db", "other.sqlite"];
    let dry = [&import[..], &["--dry-run"]].concat();
    printed.run("import --dry-run", &club, &dry);
    printed.run("import", &club, &import);
    printed
}

/// A scoreboard feed of three teams, two of which share a name.
const FEED: &str = r#"{"standings": [
    {"pos": 1, "team": "Gulls", "score": 9.0},
    {"pos": 2, "team": "Gulls", "score": 7.0},
    {"pos": 3, "team": "Terns", "score": 5.0}
]}"#;

/// Prints `mine` with and without `--dry-run`: done, stopped by the site, incomplete.
pub(crate) fn mined() -> PrintedValues {
    let mut printed = PrintedValues::default();
    let site = RedditSite::new();
    let scratch = Scratch::new();
    let mine = |options: &[&str]| mine_reddit(&site, &scratch, options);
    printed.add("mine", mine(&[]).exits(0).json());
    printed.add("mine --dry-run", mine(&["--dry-run"]).exits(0).json());
    printed.run("documents", &scratch, &["documents", "reddit"]);
    printed.run("contest", &scratch, &["contest", "reddit", "t0001"]);
    printed.run("sources", &scratch, &["sources"]);
    printed.run("source show", &scratch, &["source", "show", "reddit"]);
    let empty = Reply::new(200, "application/json", "");
    site.server.set_replies(&site.threads[1].target(), [empty]);
    site.server.set_replies(&site.threads[2].target(), [rate_limit()]);
    printed.add("mine", mine(&["--full"]).exits(4).json());
    printed.add("mine", mine_incomplete(&Scratch::new()));
    printed
}

/// Prints `mine --probe`: understood, not understood, stopped by the site.
pub(crate) fn probed() -> PrintedValues {
    let mut printed = PrintedValues::default();
    let site = RedditSite::new();
    let probe = || mine_reddit(&site, &Scratch::new(), &["--probe"]);
    printed.add("mine --probe", probe().exits(0).json());
    let unknown = json!({"kind": "Listing", "data": {"threads": []}});
    site.server.set_replies(TOP_THREE_LIST, [Reply::json(&unknown)]);
    printed.add("mine --probe", probe().exits(1).json());
    site.server.set_replies(TOP_THREE_LIST, [rate_limit()]);
    printed.add("mine --probe", probe().exits(4).json());
    printed
}

/// Prints `mine --from-dump` with and without `--dry-run`.
pub(crate) fn dumped() -> PrintedValues {
    let mut printed = PrintedValues::default();
    let scratch = Scratch::new();
    let files = ["RS_2024-06.ndjson", "RC_2024-06.ndjson"];
    for file in files {
        let dump = std::fs::read(fixtures().join("reddit").join(file)).unwrap();
        scratch.write(file, dump);
    }
    // One line cannot be read.
    let import = [&["mine", "reddit", "--json", "--from-dump"], &files[..]].concat();
    let dry = scratch.run(&[&import[..], &["--dry-run"]].concat());
    printed.add("mine --from-dump --dry-run", dry.exits(3).json());
    printed.add("mine --from-dump", scratch.run(&import).exits(3).json());
    printed
}

fn mine_reddit(site: &RedditSite, scratch: &Scratch, options: &[&str]) -> CommandOutput {
    site.run(scratch, &[&BEST_THREE[..], &["--json"], options].concat())
}

/// Returns a response that asks for a pause of an hour.
pub(crate) fn rate_limit() -> Reply {
    Reply::new(429, "text/html", "slowly").header("Retry-After", "3600")
}

/// Mines a thread of 12 comments, 9 of which the site withholds.
pub(crate) fn mine_incomplete(scratch: &Scratch) -> Value {
    let mut site = RedditSite::new();
    let authors = ["Ada_L", "Bea-1", "Cem", "Dov", "Eve", "Fay"];
    let comments = (41..53).zip(authors.into_iter().cycle());
    let comments = comments.map(|(id, author)| Comment::new(id, None, author, i64::from(id)));
    site.threads = vec![Thread::new(4, comments.collect())];
    site.publish();
    for (target, _) in site.threads[0].replies_by_target().into_iter().skip(1) {
        let nothing = json!({"json": {"errors": [], "data": {"things": []}}});
        site.server.set_replies(&target, [Reply::json(&nothing)]);
    }
    mine_reddit(&site, scratch, &[]).exits(3).json()
}
