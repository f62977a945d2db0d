//! The commands that maintain a database.

use ranklore_store::Store;
use ranklore_test_support::Reply;

use super::PrintedValues;
use super::collect::{mine_incomplete, rate_limit};
use super::site::{BEST_THREE, RedditSite, TOP_THREE_LIST};
use crate::support::{Scratch, contest, fixtures};

/// Prints `status`.
pub(crate) fn status() -> PrintedValues {
    let mut printed = PrintedValues::default();
    let scratch = Scratch::club();
    scratch.ok(&["rate", "club"]);
    scratch.write("7.json", contest(7, 300, &[&["a"], &["b"]]));
    scratch.ok(&["import", "7.json", "--source", "club"]);
    mine_incomplete(&scratch);
    // An invalid thread, then a rate limit on the list.
    let site = RedditSite::new();
    let empty = Reply::new(200, "application/json", "");
    site.server.set_replies(&site.threads[1].target(), [empty]);
    site.run(&scratch, &BEST_THREE).exits(3);
    site.server.set_replies(TOP_THREE_LIST, [rate_limit()]);
    site.run(&scratch, &BEST_THREE).exits(4);
    let writer = Store::open_writer(scratch.db(), "a test").unwrap();
    printed.run("status", &scratch, &["status"]);
    drop(writer);
    scratch.ok(&["rate", "club"]);
    printed.run("status", &scratch, &["status"]);
    printed
}

/// Prints the decisions about competitors and contests, `forget` and `rebuild`.
pub(crate) fn decided() -> PrintedValues {
    let mut printed = PrintedValues::default();
    let scratch = Scratch::new();
    for id in 1..=3 {
        let places: [&[&str]; 4] = [&["ada"], &["bea", "cy"], &["Ada"], &["ada2"]];
        scratch.write(&format!("{id}.json"), contest(id, id, &places));
    }
    scratch.ok(&["import", ".", "--source", "club"]);
    scratch.ok(&["rate", "club"]);
    scratch.ok(&["rate", "club", "--since", "2023-11-18"]);
    for decision in [
        &["merge", "club", "ada2", "ada"][..],
        &["split", "club", "ada2"],
        &["rename", "club", "bea", "Bea", "--note", "as she writes it"],
    ] {
        let decision = [&["competitor"], decision].concat();
        printed.run("competitor", &scratch, &decision);
    }
    printed.run("withdraw", &scratch, &["withdraw", "club", "3"]);
    printed.run("withdraw", &scratch, &["withdraw", "club", "3", "--undo"]);
    scratch.ok(&["withdraw", "club", "3"]);
    let decisions = ["competitor", "decisions", "club"];
    printed.run("competitor decisions", &scratch, &decisions);

    // A contest that cannot be read any more.
    let note = r#"UPDATE document SET reading = '{"format":"stone"}' WHERE document_id = 3"#;
    scratch.raw().execute_batch(note).unwrap();
    let rebuilt = scratch.run(&["rebuild", "--json"]).exits(3).json();
    printed.add("rebuild", rebuilt);
    printed.run("status", &scratch, &["status"]);

    let forget = ["forget", "--yes", "club", "ada"];
    let dry = [&forget[..], &["--dry-run"]].concat();
    printed.run("forget", &scratch, &dry);
    printed.run("forget", &scratch, &forget);
    printed.run("forget without NAME", &scratch, &["forget", "--yes", "club"]);
    printed
}

/// Prints `import` of replaced documents, `import --undo` and `source`.
pub(crate) fn taken_back() -> PrintedValues {
    let mut printed = PrintedValues::default();
    let scratch = Scratch::new();
    let write = |name: &str, ids: &[u32]| {
        let rounds = ids.iter().map(|&id| contest(id, id, &[&["ada"], &["bea"]]));
        let rounds: Vec<String> = rounds.collect();
        scratch.write(name, format!("[{}]", rounds.join(",")));
    };
    let import = ["import", "a.json", "--source", "club"];
    for (ids, replace) in [
        (&[1, 2][..], false),
        (&[1], false),
        (&[1], true),
        (&[1, 2], false),
        (&[1, 2], true),
    ] {
        write("a.json", ids);
        let replace: &[&str] = if replace { &["--replace"] } else { &[] };
        printed.run("import", &scratch, &[&import[..], replace].concat());
    }
    let similar = ["import", "a.json", "--source", "clbu"];
    printed.run("import", &scratch, &similar);
    write("b.json", &[5]);
    scratch.ok(&["import", "b.json", "--source", "club"]);
    scratch.ok(&["rate", "club"]);
    scratch.ok(&["rate", "club", "--since", "2023-11-19"]);
    let together = ["rate", "club", "clbu", "--together"];
    scratch.ok(&together);
    scratch.ok(&[&together[..], &["--since", "2023-11-19"]].concat());
    let copy = scratch.copy();
    printed.run("source", &copy, &["source", "remove", "club", "--yes"]);
    // A decision that never applied.
    let merge = "INSERT INTO decision (source_id, decided_at, act, kind, subject, object)
         SELECT source_id, 1, 'merge', 'person', 'ada', 'ada' FROM source WHERE name = 'club'";
    scratch.raw().execute_batch(merge).unwrap();
    let undo = ["import", "--undo", "--source", "club", "--json"];
    printed.add("import --undo", scratch.run(&undo).exits(3).json());
    let undo = ["import", "--undo", "--source", "clbu"];
    printed.run("import --undo", &scratch, &undo);
    printed
}

/// Prints `check`, `prune`, `backup`, `new-source` and `man`.
pub(crate) fn upkeep() -> PrintedValues {
    let mut printed = PrintedValues::default();
    let scratch = Scratch::club();
    printed.run("check", &scratch, &["check"]);
    printed.run("check --hash", &scratch, &["check", "--hash"]);
    printed.run("backup", &scratch, &["backup", "copy.sqlite"]);
    let prune = ["prune", "--documents", "superseded", "--older-than", "0d"];
    let dry = [&prune[..], &["--dry-run"]].concat();
    printed.run("prune --dry-run", &scratch, &dry);
    printed.run("prune", &scratch, &prune);
    let manifest = std::fs::read_to_string(fixtures().join("../Cargo.toml")).unwrap();
    scratch.write("checkout/Cargo.toml", manifest);
    scratch.write("checkout/crates/folder/file", "");
    let new = ["new-source", "harbour", "--folder", "checkout"];
    printed.run("new-source", &scratch, &new);
    printed.run("man", &scratch, &["man", "--to", "man1"]);
    let damage = "UPDATE document SET body = x'28b52ffd00'";
    scratch.raw().execute_batch(damage).unwrap();
    let check = ["check", "--json"];
    printed.add("check", scratch.run(&check).exits(1).json());
    printed
}
