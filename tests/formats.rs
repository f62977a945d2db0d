//! The formats of results: the rows of CSV and JSON Lines against the JSON, Markdown, and refusals.

mod snapshots;

use crate::support::{Scratch, contest, large_contest};
use serde_json::{Map, Value, json};

/// Commands that print lists, on a rated club, and options that leave nothing of the list.
const LISTS: [(&[&str], &[&str]); 16] = [
    (&["leaderboard", "club"], &["--min-contests", "99"]),
    (&["leaderboard", "club", "--since", "2023-10-01"], &["--min-contests", "99"]),
    (&["leaderboard", "club", "--limit", "2", "--offset", "1"], &["--inactive"]),
    (&["player", "club", "brindle_otter"], &["--offset", "99"]),
    (&["versus", "harbour", "a", "b"], &["--offset", "99"]),
    (&["contest", "club", "1"], &["--offset", "99"]),
    (&["contests", "club"], &["--name", "nowhere"]),
    (&["players", "club"], &["nobody"]),
    (&["movers", "club", "--since", "2023-10-01"], &["--limit", "0"]),
    (&["runs"], &["harbour"]),
    (&["sources"], &["--offset", "99"]),
    (&["source", "list"], &["--offset", "99"]),
    (&["documents", "club"], &["--as-of", "2000-01-01"]),
    (&["competitor", "decisions", "club"], &["--offset", "99"]),
    (&["systems"], &[]),
    (&["source", "show", "club"], &[]),
];

/// Commands that print reports, on a rated club.
const REPORTS: [&[&str]; 3] = [&["rate", "club"], &["check"], &["check", "--hash"]];

/// Keys of rows in JSON that are no columns.
const NOT_IN_CSV: [&str; 10] = [
    // Null without --since.
    "change_since",
    "display.",
    "parameters.",
    "provisional.",
    "reading.",
    "search_space",
    "selection.",
    "sites",
    "titles",
    "all_runs",
];

fn rated_club() -> Scratch {
    let scratch = Scratch::club();
    scratch.ok(&["rate", "club"]);
    scratch.ok(&[
        "competitor",
        "rename",
        "club",
        "brindle_otter",
        "Otter, \"B\"",
    ]);
    scratch.write("new.json", contest(99, 99, &[&["a"], &["b"]]));
    scratch.ok(&["import", "new.json", "--source", "harbour"]);
    scratch
}

/// Returns the rows of a result in JSON.
fn rows_of(result: Value) -> Vec<Value> {
    match result {
        Value::Array(rows) => rows,
        Value::Object(mut object) => match object.remove("rows") {
            Some(rows) => rows_of(rows),
            // The lists of movers, one after the other.
            None if object.contains_key("gains") => ["gains", "losses", "new_entries", "new_peaks"]
                .into_iter()
                .flat_map(|list| {
                    let mut rows = rows_of(object[list].take());
                    for row in &mut rows {
                        row["list"] = list.into();
                    }
                    rows
                })
                .collect(),
            None => vec![Value::Object(object)],
        },
        other => panic!("{other}"),
    }
}

/// Adds the cells of a value by column.
fn flatten(column: &str, value: &Value, cells: &mut Map<String, Value>) {
    let text = match value {
        Value::Object(object) => {
            for (key, value) in object {
                let dot = if column.is_empty() { "" } else { "." };
                flatten(&format!("{column}{dot}{key}"), value, cells);
            }
            return;
        }
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        Value::Array(texts) if texts.iter().all(Value::is_string) => {
            let texts: Vec<&str> = texts.iter().filter_map(Value::as_str).collect();
            texts.join("; ")
        }
        time if column.ends_with("_at") || matches!(column, "since" | "until") => {
            let at = jiff::Timestamp::from_second(time.as_i64().unwrap()).unwrap();
            at.strftime("%Y-%m-%dT%H:%M:%SZ").to_string()
        }
        other => other.to_string(),
    };
    cells.insert(column.to_owned(), text.into());
}

/// Removes what differs between two runs of a command.
fn without_duration(rows: Vec<Value>) -> Vec<Value> {
    let strip = |mut row: Value| {
        row.as_object_mut().map(|row| row.remove("seconds"));
        row
    };
    rows.into_iter().map(strip).collect()
}

#[test]
fn json_lines_are_the_rows_of_the_json() {
    let scratch = rated_club();
    for list in LISTS.iter().map(|(list, _)| *list).chain(REPORTS) {
        let rows = without_duration(rows_of(scratch.json(list)));
        let lines = scratch.ok(&[list, &["--format", "jsonl"]].concat()).out;
        let lines = lines.lines().map(|line| serde_json::from_str(line).unwrap());
        assert_eq!(without_duration(lines.collect()), rows, "{list:?}");
    }
}

/// Returns the headings and the records of a command in CSV.
fn read_csv(scratch: &Scratch, arguments: &[&str]) -> (Vec<String>, Vec<csv::StringRecord>) {
    let table = scratch.ok(&[arguments, &["--format", "csv"]].concat()).out;
    let mut table = csv::Reader::from_reader(table.as_bytes());
    let columns = table.headers().unwrap().iter().map(str::to_owned).collect();
    (columns, table.records().map(Result::unwrap).collect())
}

#[test]
fn csv_has_the_keys_and_values_of_the_json() {
    let scratch = rated_club();
    for list in LISTS.iter().map(|(list, _)| *list).chain(REPORTS) {
        let rows = without_duration(rows_of(scratch.json(list)));
        let (columns, records) = read_csv(&scratch, list);
        assert_eq!(records.len(), rows.len(), "{list:?}");
        let mut known: Vec<String> = vec!["seconds".to_owned()];
        for (row, record) in rows.iter().zip(&records) {
            let mut expected = Map::new();
            flatten("", row, &mut expected);
            known.extend(expected.keys().cloned());
            for (column, cell) in columns.iter().zip(record) {
                if column != "seconds" {
                    // Another row has this column.
                    let value = expected.remove(column).unwrap_or_else(|| "".into());
                    assert_eq!(cell, value, "{list:?} {column}");
                }
            }
            // An object that is null has no column of its own if it has keys in other rows.
            expected.retain(|key, value| {
                value != "" && !NOT_IN_CSV.iter().any(|prefix| key.starts_with(prefix))
            });
            assert_eq!(expected, Map::new(), "{list:?}: no columns for these");
        }
        for column in &columns {
            // The fixture has no contest with a number of items, and its runs no filters.
            let parent = column.split_once('.').map_or("", |(parent, _)| parent);
            let is_known = known.iter().any(|key| key == column || key == parent);
            assert!(is_known || parent == "selection", "{list:?}: {column}");
        }
    }
}

#[test]
fn empty_lists_have_the_columns_of_full_ones() {
    let scratch = rated_club();
    for (list, nothing) in LISTS.iter().filter(|(_, nothing)| !nothing.is_empty()) {
        let (columns, rows) = read_csv(&scratch, list);
        assert!(!rows.is_empty(), "{list:?}");
        let empty = [*list, nothing].concat();
        assert_eq!(read_csv(&scratch, &empty), (columns, Vec::new()), "{empty:?}");
        let lines = scratch.ok(&[&empty, &["--format", "jsonl"][..]].concat());
        assert_eq!(lines.out, "", "{empty:?}");
    }
}

#[test]
fn csv_of_runs_has_a_column_of_settings() {
    let scratch = rated_club();
    scratch.ok(&["rate", "club", "--set", "rho=2"]);
    scratch.ok(&["rate", "club", "--since", "2023-10-01"]);
    scratch.ok(&["runs", "name", "3", "late"]);
    let (columns, rows) = read_csv(&scratch, &["runs"]);
    let expected = "run_id,run_name,system,settings,selection.sources,selection.division,\
                    selection.since,selection.until,contests,results,created_at,rated_at,default,\
                    state";
    assert_eq!(columns.join(","), expected);
    let cells = |row: usize| -> Vec<&str> { rows[row].iter().take(8).collect() };
    let settings = "elo-mmr:rho=2";
    assert_eq!(cells(1), ["2", "", "elo-mmr", settings, "club", "", "", ""]);
    let since = "2023-10-01T00:00:00Z";
    assert_eq!(cells(2), ["3", "late", "elo-mmr", "elo-mmr", "club", "", since, ""]);
    let board = scratch.json(&["leaderboard", "club", "--system", settings]);
    assert_eq!(board["run_id"], 2);
}

#[test]
fn csv_of_a_system_has_a_row_per_parameter() {
    let scratch = Scratch::new();
    let table = scratch.ok(&["systems", "elo", "--format", "csv"]).out;
    let parameters = &scratch.json(&["systems", "elo"])[0]["parameters"];
    let parameters = parameters.as_object().unwrap();
    let mut lines = table.lines();
    assert_eq!(lines.next(), Some("system,parameter,value,search"));
    assert_eq!(lines.clone().count(), parameters.len());
    assert!(lines.clone().any(|line| line == "elo,learning_rate,32.0,2..200 log"), "{table}");
}

#[test]
fn csv_of_evaluations_has_a_row_per_slice() {
    let scratch = rated_club();
    scratch.ok(&["rate", "club", "--system", "elo-mmx"]);
    let one = scratch.ok(&["evaluate", "club", "--run", "1", "--format", "csv"]);
    assert_eq!(one.out.lines().count(), 1 + 4);
    let columns = "run_id,system,slice,contests,results,concordance,pair_inversion,rank_deviation,\
                   discordant_pairs,kendall_tau,spearman_rho,log2_rank_error,log_loss,brier,top_1,\
                   top_10,surprise,previous_place_concordance";
    assert_eq!(one.out.lines().next(), Some(columns));
    let all = scratch.ok(&["evaluate", "club", "--all", "--format", "jsonl"]);
    assert_eq!(all.out.lines().count(), 2 * 4);
    assert!(all.out.contains(r#"{"run_id":2,"system":"elo-mmx","slice":"top100","#));
}

#[test]
fn only_formats_for_people_have_a_default_limit() {
    let scratch = Scratch::new();
    scratch.write("1.json", large_contest(1, 30));
    scratch.ok(&["import", "1.json", "--source", "club"]);
    scratch.ok(&["rate", "club"]);
    for view in [&["leaderboard", "club"][..], &["contest", "club", "1"]] {
        let run = |options: &[&str]| scratch.ok(&[view, options].concat()).out;
        for options in [&[][..], &["--format", "markdown"]] {
            let text = run(options);
            assert!(text.contains("5 more: --offset 25\n"), "{text}");
        }
        let all = run(&["--limit", "30"]);
        assert!(!all.contains(" more: "), "{all}");
        for (format, lines) in [("csv", 31), ("jsonl", 30)] {
            assert_eq!(run(&["--format", format]).lines().count(), lines);
            let three = run(&["--format", format, "--limit", "3"]);
            assert_eq!(three.lines().count(), lines - 27);
        }
        let rows = |options: &[&str]| {
            let result = scratch.json(&[view, options].concat());
            assert_eq!(result["total"], 30);
            rows_of(result).len()
        };
        assert_eq!(rows(&[]), 30);
        assert_eq!(rows(&["--offset", "10"]), 20);
        assert_eq!(rows(&["--limit", "3"]), 3);
    }
}

#[test]
fn names_are_escaped_in_markdown_and_verbatim_in_data() {
    let scratch = Scratch::new();
    let evil = "a|b *c* <i>\u{1b}[2J\n| 1 | boss |";
    let mut file: Value = serde_json::from_str(&contest(1, 0, &[&[evil], &["b"]])).unwrap();
    file["name"] = format!("# {evil}").into();
    scratch.write("1.json", file.to_string());
    scratch.ok(&["import", "1.json", "--source", "club"]);
    scratch.ok(&["rate", "club"]);
    for view in [
        &["leaderboard", "club"][..],
        &["contest", "club", "1"],
        &["player", "club", evil],
    ] {
        let text = scratch.ok(&[view, &["--format", "markdown"]].concat()).out;
        assert!(text.contains(r"a\|b \*c\* &lt;i&gt;"), "{text}");
        assert!(!text.contains('\u{1b}'), "{text:?}");
        assert!(!text.lines().any(|line| line.starts_with("| 1 | boss") || line.starts_with('#')));
    }
    let table = scratch.ok(&["leaderboard", "club", "--format", "csv"]).out;
    let mut table = csv::Reader::from_reader(table.as_bytes());
    assert_eq!(&table.records().next().unwrap().unwrap()[1], evil);
    let lines = scratch.ok(&["leaderboard", "club", "--format", "jsonl"]).out;
    let row: Value = serde_json::from_str(lines.lines().next().unwrap()).unwrap();
    assert_eq!(row["name"], evil);
}

#[test]
fn contradicting_formats_are_refused() {
    let scratch = rated_club();
    for arguments in [
        &["leaderboard", "club", "--json", "--format", "csv"][..],
        &["--format", "table", "leaderboard", "club", "--json"],
    ] {
        scratch.run(arguments).exits(2).says("exclude each other");
    }
    let same = scratch.ok(&["--format", "json", "leaderboard", "club", "--json"]);
    assert_eq!(same.json(), scratch.json(&["leaderboard", "club"]));
    scratch
        .run(&["leaderboard", "club", "--format", "xml"])
        .exits(2)
        .says("[possible values: table, csv, json, jsonl, markdown]");
}

#[test]
fn commands_without_rows_name_their_formats() {
    let scratch = rated_club();
    for format in ["csv", "jsonl"] {
        scratch
            .run(&["demo", "--format", format])
            .exits(2)
            .says("use table, markdown or json");
        let sources = ["source", "list", "--format", format];
        let status = scratch.ok(&["status", "--format", format]).out;
        assert_eq!(status, scratch.ok(&sources).out);
    }
    assert_eq!(scratch.beside(), ["new.json"], "the demo was refused before it began");
    scratch.ok(&["status", "--format", "markdown"]);
    scratch.run(&["completions", "bash", "--format", "json"]).exits(2);
    let show = ["documents", "club", "--show", "1", "--format", "csv"];
    scratch.run(&show).exits(2).says("cannot be used with");
}

#[test]
fn format_of_import_and_export_is_that_of_files() {
    let scratch = rated_club();
    let imported = ["import", "new.json", "--source", "club", "--format", "json"];
    assert!(scratch.ok(&imported).out.starts_with("club: 1 contest"));
    let report = scratch.json(&imported);
    assert_eq!(report["source"], json!("club"));
    let exported = ["export", "club", "--to", "out", "--format", "csv"];
    assert!(scratch.ok(&exported).out.starts_with("out: "));
    assert_eq!(scratch.json(&exported)["folder"], json!("out"));
    assert!(scratch.list("out").contains(&"csv".to_owned()));
    for command in [
        &["import", "new.json", "--source", "club"][..],
        &["export", "club", "--to", "other"],
    ] {
        scratch
            .run(&[&["--format", "markdown"], command].concat())
            .exits(2)
            .says("is a format of files: ");
    }
    assert!(!scratch.path("other").exists());
}
