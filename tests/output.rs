//! Results on standard output, messages on standard error, safe output on terminals, and closed
//! pipes.

use std::io::Read;
use std::process::Stdio;

use crate::support::{Scratch, contest, fixtures, large_contest};
use serde_json::{Value, json};
use unicode_width::UnicodeWidthStr;

/// Returns the fields of an object, sorted.
fn fields(value: &Value) -> String {
    let mut fields: Vec<&str> = value.as_object().unwrap().keys().map(String::as_str).collect();
    fields.sort_unstable();
    fields.join(" ")
}

#[test]
fn results_go_to_stdout_and_messages_to_stderr() {
    let scratch = Scratch::new();
    let long = fixtures().join("import/long.csv");
    let imported = scratch.ok(&["import", long.to_str().unwrap(), "--source", "club"]);
    assert_eq!(
        imported.out,
        "club: 2 contests with 7 results from 1 document: 2 new, 0 revised, 0 unchanged\n"
    );
    let imported = imported.says("\"Competitor\" is competitor");
    assert!(imported.err.ends_with("next: ranklore rate club\n"), "{}", imported.err);
    let rated = scratch.ok(&["rate", "club"]);
    assert_eq!(rated.out.lines().count(), 2);
    assert_eq!(rated.err, "next: ranklore leaderboard club\n");
    let board = scratch.ok(&["leaderboard", "club"]);
    assert_eq!((board.out.lines().count(), board.err.as_str()), (2 + 4 + 1, ""));
    let evaluated = scratch.ok(&["evaluate", "club"]);
    assert_eq!((evaluated.out.lines().count(), evaluated.err.as_str()), (1 + 1 + 4 + 4, ""));
    let failed = scratch.run(&["rate", "klub"]).exits(1);
    assert_eq!(failed.out, "");
    assert!(failed.err.starts_with("error: "), "{}", failed.err);
    assert_eq!(failed.err.lines().count(), 1);
}

#[test]
fn json_of_every_command_has_its_fields() {
    let scratch = Scratch::new();
    let long = fixtures().join("import/long.csv");
    let long = long.to_str().unwrap();
    let import_fields = "contests documents interrupted layouts passed_over refused removed restored results \
                         returned similar_source source starting_ratings total_refused total_warnings \
                         warnings withdrawn";
    let preview = scratch.json(&["import", long, "--source", "club", "--dry-run"]);
    assert_eq!(
        fields(&preview),
        "contests dry_run layouts passed_over refused results starting_ratings total_refused \
         total_warnings warnings"
    );
    assert_eq!(
        fields(&preview["contests"][0]),
        "division document ends_at entrants external_id name"
    );
    let imported = scratch.json(&["import", long, "--source", "club"]);
    assert_eq!(fields(&imported), import_fields);
    assert_eq!(imported["contests"], json!({"added": 2, "revised": 0, "unchanged": 0}));
    assert_eq!(fields(&imported["layouts"][0]), "columns document header_line notes shape");
    let rated = scratch.json(&["rate", "club", "--all"]);
    let systems = scratch.json(&["systems"]);
    // Elo rates contests of two only.
    assert_eq!(rated.as_array().unwrap().len(), systems.as_array().unwrap().len() - 1);
    assert_eq!(
        fields(&rated[0]),
        "contests continued_at incomplete parameters replayed results run_id seconds sources \
         system unchanged unsupported without_order"
    );
    assert_eq!(rated[0]["sources"], json!(["club"]));
    let board = scratch.json(&["leaderboard", "club"]);
    let board_fields = "active contests inactive k newest_contest_at offset parameters provisional ranked_by rows run_id run_name selection sigma_as_of since sort stale system total";
    assert_eq!(fields(&board), board_fields);
    assert_eq!(
        fields(&board["rows"][0]),
        "active change_since conservative contests external_id last_change last_contest_at mu name \
         peak_mu place provisional rating sigma stored_sigma title"
    );
    let evaluated = scratch.json(&["evaluate", "club"]);
    assert_eq!(
        fields(&evaluated),
        "highest_mu last_place_gains last_places lowest_mu official one_contest_in_top_100 parameters run_id run_name selection \
         slices system unfinished_percent"
    );
    let slices = evaluated["slices"].as_array().unwrap();
    let names: Vec<&str> = slices.iter().map(|slice| slice["slice"].as_str().unwrap()).collect();
    assert_eq!(names, ["everybody", "experienced", "top100", "all"]);
    assert_eq!(
        fields(&slices[0]),
        "brier calibration concordance contests discordant_pairs kendall_tau log2_rank_error log_loss \
         pair_inversion previous_place_concordance rank_deviation results slice spearman_rho \
         surprise top_1 top_10"
    );
    let demo = scratch.json(&["demo"]);
    assert_eq!(fields(&demo), "comparison db evaluation leaderboard mine");
    assert_eq!(
        fields(&demo["mine"]),
        "answers contests incomplete interrupted left left_out refused renamed results source \
         stale_runs stopped"
    );
    assert_eq!(fields(&demo["leaderboard"]), board_fields);
    assert_eq!(demo["leaderboard"]["rows"][0]["name"], "Maren Holloway-Diaz");
}

#[test]
fn options_work_before_and_after_the_command() {
    let scratch = Scratch::club();
    scratch.ok(&["rate", "club"]);
    std::fs::rename(scratch.db(), scratch.path("moved.sqlite")).unwrap();
    let after = scratch.ok(&["leaderboard", "club", "--json", "--db", "moved.sqlite"]);
    let before = scratch.ok(&["--json", "--db", "moved.sqlite", "leaderboard", "club"]);
    let around = scratch.ok(&["--db=moved.sqlite", "leaderboard", "--json", "club"]);
    assert_eq!(after.json(), before.json());
    assert_eq!(after.json(), around.json());
}

#[test]
fn closed_pipe_is_no_error() {
    let scratch = Scratch::new();
    scratch.write("1.json", large_contest(1, 3_000));
    scratch.ok(&["import", "1.json", "--source", "club"]);
    scratch.ok(&["rate", "club"]);
    for format in ["table", "json", "csv", "jsonl", "markdown"] {
        // More than a pipe holds, so that writing fails.
        let arguments = ["leaderboard", "club", "--limit", "3000", "--format", format];
        let mut child = scratch
            .command(&arguments)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut first = [0; 20];
        child.stdout.take().unwrap().read_exact(&mut first).unwrap();
        let output = child.wait_with_output().unwrap();
        assert_eq!(String::from_utf8_lossy(&output.stderr), "");
        assert_eq!(output.status.code(), Some(0));
    }
}

#[cfg(target_os = "linux")]
#[test]
fn full_disk_under_stdout_is_an_error() {
    let scratch = Scratch::club();
    scratch.ok(&["rate", "club"]);
    let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
    let output = scratch
        .command(&["leaderboard", "club"])
        .stdout(full)
        .stderr(Stdio::piped())
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("No space left"));
}

#[test]
fn names_cannot_control_the_terminal_or_forge_rows() {
    let scratch = Scratch::new();
    let evil = "\u{1b}[2J\u{9b}1mevil\r\n    1  boss\t9999\u{7}\u{202e}txt\u{2028}\u{200b}";
    let mut file: Value = serde_json::from_str(&contest(1, 0, &[&[evil], &["b"]])).unwrap();
    file["name"] = evil.into();
    scratch.write("in/1.json", file.to_string());
    file["standings"][0][1] = 5.into();
    file["id"] = 2.into();
    scratch.write("in/2.json", file.to_string());
    #[cfg(unix)]
    scratch.write("in/\u{1b}[31m\nforged: all is well.json", "{");
    let imports = ["import", "in", "--source", "club"];
    let dry = scratch.run(&[&imports[..], &["--dry-run"]].concat()).exits(3);
    let imported = scratch.run(&imports).exits(3);
    scratch.ok(&["rate", "club"]);
    let board = scratch.ok(&["leaderboard", "club"]);
    for text in [&dry.out, &dry.err, &imported.out, &imported.err, &board.out] {
        let steers =
            |c: char| (c.is_control() && c != '\n') || "\u{202e}\u{2028}\u{200b}".contains(c);
        assert!(!text.contains(steers), "{text:?}");
        for line in text.lines() {
            assert!(!line.starts_with("    1  boss"), "{text}");
            assert!(!line.starts_with("forged"), "{text}");
        }
    }
    assert_eq!(board.out.lines().count(), 2 + 2 + 1, "{}", board.out);
    assert!(board.out.contains(r"\u{1b}[2J"), "{}", board.out);
    // JSON has the unescaped name.
    let board = scratch.json(&["leaderboard", "club"]);
    assert_eq!(board["rows"][0]["name"], evil);
}

#[test]
fn wide_characters_keep_columns_aligned() {
    let scratch = Scratch::new();
    scratch.write("1.json", contest(1, 0, &[&["Šárka"], &["王小明"], &["plain"]]));
    scratch.ok(&["import", "1.json", "--source", "club"]);
    scratch.ok(&["rate", "club"]);
    let out = scratch.ok(&["leaderboard", "club"]).out;
    let chars = |name: &str| {
        let line = out.lines().find(|line| line.contains(name)).unwrap();
        line.chars().count()
    };
    assert_eq!(chars("Šárka"), chars("plain"));
    assert_eq!(chars("王小明") + 3, chars("plain"), "each is two columns wide");
}

#[test]
fn columns_stay_aligned_with_any_name() {
    let scratch = Scratch::new();
    let long = "a very long name ".repeat(18)[..300].to_owned();
    let cut = format!("{}…", &long[..199]);
    let names = [
        ("plain", "plain"),
        (long.as_str(), cut.as_str()),
        ("شيماء المصري", "شيماء المصري"),
        ("שרה לוי 7", "שרה לוי 7"),
        ("👩\u{200d}👩\u{200d}👧\u{200d}👦 team", "👩\u{200d}👩\u{200d}👧\u{200d}👦 team"),
        ("🇨🇿🇸🇰", "🇨🇿🇸🇰"),
        ("Z\u{301}a\u{302}\u{303}l\u{323}", "Z\u{301}a\u{302}\u{303}l\u{323}"),
        ("नमस्ते", "नमस्ते"),
        ("tab\tline\n\u{1b}[31m\"red\" 'x'", r#"tab\u{9}line\u{a}\u{1b}[31m"red" 'x'"#),
        ("\u{2067}turned\u{2069}\u{202e}", r"\u{2067}turned\u{2069}\u{202e}"),
    ];
    let groups: Vec<[&str; 1]> = names.iter().map(|(name, _)| [*name]).collect();
    let groups: Vec<&[&str]> = groups.iter().map(<[&str; 1]>::as_slice).collect();
    scratch.write("1.json", contest(1, 0, &groups));
    scratch.ok(&["import", "1.json", "--source", "club"]);
    scratch.ok(&["rate", "club"]);
    let out = scratch.ok(&["leaderboard", "club"]).out;
    let steers = |c: char| (c.is_control() && c != '\n') || ('\u{2066}'..='\u{2069}').contains(&c);
    assert!(!out.contains(steers), "{out:?}");
    let mut lines: Vec<&str> = out.lines().skip(1).collect();
    assert!(lines.pop().unwrap().contains("provisional"), "{out}");
    assert_eq!(lines.len(), 1 + names.len(), "{out}");
    let at = lines[0].find("name").unwrap();
    for (line, (_, name)) in lines[1..].iter().zip(names) {
        assert!(line[at..].starts_with(name), "{name}:\n{out}");
        assert_eq!(line.width(), lines[1].width(), "{out}");
    }
    // JSON has the whole name.
    let board = scratch.json(&["leaderboard", "club"]);
    for (row, (name, _)) in board["rows"].as_array().unwrap().iter().zip(names) {
        assert_eq!(row["name"], name);
    }
}

#[test]
fn hints_repeat_the_db_option() {
    let scratch = Scratch::new();
    let on = |arguments: &[&str]| scratch.run(&[&["--db", "my league.sqlite"], arguments].concat());
    let db = "--db 'my league.sqlite'";
    let club = fixtures().join("club");
    on(&["import", club.to_str().unwrap(), "--source", "club"])
        .exits(0)
        .says(&format!("next: ranklore rate club {db}\n"));
    on(&["leaderboard", "club"])
        .exits(1)
        .says(&format!("run `ranklore rate club {db}` first"));
    on(&["rate", "club"])
        .exits(0)
        .says(&format!("next: ranklore leaderboard club {db}\n"));
    scratch.write("new.json", crate::support::contest(99, 1, &[&["a"], &["b"]]));
    on(&["import", "new.json", "--source", "club"]).exits(0);
    on(&["leaderboard", "club"])
        .exits(0)
        .says(&format!("1 contest newer than this run: ranklore rate club {db}\n"));
    on(&["evaluate", "club"])
        .exits(1)
        .says(&format!("run `ranklore rate club {db}` first"));
}

#[test]
fn hints_quote_file_names_starting_with_dash() {
    let scratch = Scratch::new();
    let db = "--db=-x.sqlite";
    let club = fixtures().join("club");
    scratch
        .ok(&["import", club.to_str().unwrap(), "--source", "club", db])
        .says("next: ranklore rate club --db=-x.sqlite\n");
    scratch
        .ok(&["backup", db, "--", "-y.sqlite"])
        .says("ranklore status --db=-y.sqlite\n");
    scratch.ok(&["status", "--db=-y.sqlite"]);
}

#[test]
fn documents_paging_conflicts_with_verify_and_show() {
    let scratch = Scratch::club();
    scratch.write("1.json", contest(1, 0, &[&["a"], &["b"]]));
    scratch.ok(&["import", "1.json", "--source", "other"]);
    scratch
        .run(&[
            "documents",
            "other",
            "--show",
            "1",
            "--db",
            "ranklore.sqlite",
        ])
        .exits(1)
        .says("`ranklore documents other --db ranklore.sqlite` lists its documents");
    for page in ["--limit", "--offset"] {
        for option in [&["--verify"][..], &["--show", "1"]] {
            let arguments = [&["documents", "club", page, "3"], option].concat();
            scratch.run(&arguments).exits(2).says("cannot be used with");
        }
    }
}

#[test]
fn color_is_only_where_it_is_asked_for() {
    let scratch = Scratch::club();
    scratch.ok(&["rate", "club"]);
    let plain = scratch.ok(&["leaderboard", "club"]);
    let never = scratch.ok(&["leaderboard", "club", "--color", "never"]);
    assert_eq!((&plain.out, &plain.err), (&never.out, &never.err));
    assert!(!plain.out.contains('\u{1b}'), "{}", plain.out);
    let color = scratch.ok(&["leaderboard", "club", "--color", "always"]);
    let heading = color.out.lines().nth(1).unwrap();
    assert!(heading.starts_with("\u{1b}[1m place"), "{heading:?}");
    let without: String = color.out.replace("\u{1b}[1m", "").replace("\u{1b}[0m", "");
    assert_eq!(without, plain.out);
    let failed = scratch.run(&["rate", "klub", "--color", "always"]).exits(1);
    assert!(failed.err.contains("error:\u{1b}[0m "), "{:?}", failed.err);
}
