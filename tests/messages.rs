//! Messages have a bounded length and number, whatever the arguments and documents are.

#![cfg(unix)]

use crate::support::{Scratch, contest};
use serde_json::Value;

/// Longest line on standard error, in bytes.
const MAX_LINE: usize = 4_096;

#[test]
fn error_about_a_long_argument_is_cut_in_the_middle() {
    let scratch = Scratch::club();
    scratch.ok(&["rate", "club"]);
    // A kernel takes arguments of up to 128 KiB.
    for letter in ["x", "\u{1b}[2J", "王"] {
        let long = letter.repeat(100_000 / letter.len());
        for (arguments, code, end) in [
            (&["contest", "club", &long][..], 1, "a part of it"),
            (&["player", "club", &long], 1, "competitors"),
            (&["competitor", "merge", "club", &long, &long], 1, "competitors"),
            (&["status", "--db", &long], 1, "(os error 36)"),
            (&["import", &long, "--source", "a"], 1, "(os error 36)"),
            (&["leaderboard", &long], 2, "'--help'."),
            (&["import", "a", "--source", &long], 2, "'--help'."),
            (&[&long], 2, "'--help'."),
        ] {
            let done = scratch.run(arguments).exits(code);
            assert!(done.err.len() <= MAX_LINE + 1, "{}", done.err.len());
            assert!(done.err.starts_with("error: "), "{}", done.err);
            // clap leaves control sequences out.
            let cut =
                done.err.contains("bytes left out") || (code == 2 && letter.contains('\u{1b}'));
            assert!(cut, "{}", done.err);
            assert!(done.err.contains(end) || cfg!(not(target_os = "linux")), "{}", done.err);
        }
        let json = ["contest", "club", &long, "--log-format", "json"];
        let done = scratch.run(&json).exits(1);
        let line: Value = serde_json::from_str(done.err.trim_end()).unwrap();
        assert_eq!(line["level"], "ERROR");
        assert!(done.err.len() <= MAX_LINE + 1, "{}", done.err.len());
        let message = line["message"].as_str().unwrap();
        assert!(message.ends_with("a part of it"), "{message}");
    }
}

#[test]
fn hundred_refusals_are_listed_and_the_others_counted() {
    let scratch = Scratch::new();
    for id in 0..150 {
        scratch.write(&format!("in/{id}.json"), "{}");
    }
    scratch.write("in/good.json", contest(1, 1, &[&["a"], &["b"]]));
    for log in ["text", "json"] {
        let import = ["import", "in", "--source", "club", "--log-format", log];
        let done = scratch.run(&import).exits(3);
        let listed = done.err.lines().filter(|line| line.contains(".json: "));
        assert_eq!(listed.count(), 100, "{}", done.err);
        done.says("refused 150 items, the first 100 of them named above");
    }
}
