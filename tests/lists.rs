//! `ranklore contests`, `players` and `source list`: rows, filters and order.

use crate::support::{Scratch, contest};
use serde_json::{Value, json};

/// Returns a key of each row.
fn column(list: &Value, key: &str) -> Vec<Value> {
    let rows = list.as_array().unwrap_or_else(|| list["rows"].as_array().unwrap());
    rows.iter().map(|row| row[key].clone()).collect()
}

/// Returns a contest file with a name, and a division if it is not empty.
fn named(id: u32, day: u32, name: &str, division: &str, groups: &[&[&str]]) -> String {
    let mut file: Value = serde_json::from_str(&contest(id, day, groups)).unwrap();
    file["name"] = json!(name);
    if !division.is_empty() {
        file["division"] = json!(division);
    }
    file.to_string()
}

/// Returns four contests of a league, of which the third has no order.
fn league() -> Scratch {
    let scratch = Scratch::new();
    let pair: &[&[&str]] = &[&["bea"], &["cy"]];
    for (id, name, division, groups) in [
        (1, "Round 10", "B", pair),
        (2, "Señor Cup", "A", &[&["bea"], &["cy"], &["dov"]]),
        (3, "Round 2", "", &[&["bea"]]),
        (4, "round 1", "A", pair),
    ] {
        scratch.write(&format!("{id}.json"), named(id, id * 10, name, division, groups));
    }
    scratch.ok(&["import", ".", "--source", "league"]);
    scratch
}

#[test]
fn contests_are_sorted_and_paged() {
    let scratch = league();
    let ids = |options: &[&str]| {
        let list = scratch.json(&[&["contests", "league"], options].concat());
        let ids = column(&list, "contest");
        let ids: Vec<String> = ids.iter().map(|id| id.as_str().unwrap().to_owned()).collect();
        (ids.join(" "), list["total"].as_u64().unwrap())
    };
    assert_eq!(ids(&[]), ("4 3 2 1".into(), 4));
    assert_eq!(ids(&["--reverse"]), ("1 2 3 4".into(), 4));
    assert_eq!(ids(&["--limit", "2", "--offset", "1"]), ("3 2".into(), 4));
    assert_eq!(ids(&["--sort", "name"]), ("4 3 1 2".into(), 4));
    assert_eq!(ids(&["--sort", "name", "--limit", "2"]), ("4 3".into(), 4));
    assert_eq!(ids(&["--sort", "entrants"]), ("2 4 1 3".into(), 4));
    assert_eq!(ids(&["--sort", "division"]), ("4 2 1 3".into(), 4));
    assert_eq!(ids(&["--sort", "division", "--reverse"]), ("3 1 2 4".into(), 4));
}

#[test]
fn contests_are_filtered() {
    let scratch = league();
    scratch.alter("UPDATE contest SET state = 'provisional' WHERE external_id = '2'");
    let ids = |options: &[&str]| {
        let list = scratch.json(&[&["contests", "league"], options].concat());
        assert_eq!(list["total"], column(&list, "contest").len());
        column(&list, "contest")
    };
    assert_eq!(ids(&["--division", "A"]), ["4", "2"]);
    assert_eq!(ids(&["--state", "provisional"]), ["2"]);
    assert_eq!(ids(&["--name", "SENOR"]), ["2"]);
    assert_eq!(ids(&["--name", "round", "--division", "B"]), ["1"]);
    // The second contest ended on 2023-12-05.
    assert_eq!(ids(&["--since", "2023-12-05"]), ["4", "3", "2"]);
    assert_eq!(ids(&["--until", "2023-12-05"]), ["1"]);
    assert_eq!(ids(&["--name", "1", "--until", "2023-12-05"]), ["1"]);
    assert!(ids(&["--name", "xyz"]).is_empty());
    assert_eq!(scratch.ok(&["contests", "league", "--name", "xyz"]).out, "no such contest\n");
    scratch.run(&["contests", "league", "--state", "over"]).exits(2);
    scratch.run(&["contests", "club"]).exits(1).says("club");
}

#[test]
fn contests_give_the_reason_why_they_are_not_rated() {
    let scratch = league();
    let reasons = |options: &[&str]| {
        let list = scratch.json(&[&["contests", "league", "--reverse"], options].concat());
        (column(&list, "unrated"), column(&list, "rated_results"))
    };
    let not_yet = "not rated yet";
    let without_run = reasons(&[]);
    assert_eq!(without_run.0, [not_yet; 4]);
    scratch.ok(&["contests", "league"]).says("ranklore rate league");

    scratch.ok(&["rate", "league"]);
    let (unrated, rated) = reasons(&[]);
    assert_eq!(unrated, [json!(null), json!(null), json!("no order"), json!(null)]);
    assert_eq!(rated, [2, 3, 0, 2]);
    let table = scratch.ok(&["contests", "league", "--division", "A"]).out;
    assert!(table.contains("division"), "{table}");

    scratch.ok(&["rate", "league", "--division", "A"]);
    let (unrated, rated) = reasons(&["--run", "2"]);
    let not_selected = json!("not in this run");
    assert_eq!(unrated, [not_selected.clone(), json!(null), not_selected, json!(null)]);
    assert_eq!(rated, [0, 3, 0, 2]);

    // A stale run: one contest is withdrawn, and one is new.
    scratch.ok(&["withdraw", "league", "1"]);
    scratch.write("5.json", contest(5, 50, &[&["bea"], &["cy"]]));
    scratch.ok(&["import", "5.json", "--source", "league"]);
    let (unrated, rated) = reasons(&["--run", "1"]);
    assert_eq!(
        unrated,
        [
            json!("withdrawn"),
            json!(null),
            json!("no order"),
            json!(null),
            json!(not_yet)
        ]
    );
    assert_eq!(rated, [2, 3, 0, 2, 0]);
    scratch.ok(&["contests", "league", "--run", "1"]).says("ranklore rate league");
}

/// Returns the names of the listed competitors.
fn players(scratch: &Scratch, options: &[&str]) -> Vec<String> {
    let list = scratch.json(&[&["players"], options].concat());
    let names = column(&list, "name");
    names.iter().map(|name| name.as_str().unwrap().to_owned()).collect()
}

#[test]
fn players_are_in_the_order_of_the_leaderboard() {
    let scratch = Scratch::season();
    scratch.write(
        "team.csv",
        "Round,Date,Rank,Team,Member\n\
         T,2024-03-01,1,Zoo,gil\nT,2024-03-01,1,Zoo,hal\nT,2024-03-01,2,Ark,ivo\n",
    );
    scratch.ok(&["import", "team.csv", "--source", "club"]);
    scratch.ok(&["rate", "club"]);
    let board = scratch.json(&["leaderboard", "club"]);
    let list = scratch.json(&["players", "club"]);
    assert_eq!(list["total"], 11);
    let board_names = column(&board, "name");
    let rated = board_names.len();
    assert_eq!(column(&list, "name")[..rated], board_names);
    // People of teams have no rating, and follow by name.
    assert_eq!(column(&list, "name")[rated..], ["gil", "hal", "ivo"]);
    for key in [
        "rating",
        "provisional",
        "conservative",
        "mu",
        "sigma",
        "contests",
        "last_contest_at",
    ] {
        assert_eq!(column(&list, key)[..rated], column(&board, key), "{key}");
    }
    assert_eq!(list["rows"][rated]["mu"], json!(null));
    // Pages that ratings answer alone, and others.
    let mut pages = Vec::new();
    for offset in ["0", "3", "6", "9"] {
        let page = scratch.json(&["players", "club", "--limit", "3", "--offset", offset]);
        assert_eq!(page["total"], 11);
        pages.extend(column(&page, "name"));
    }
    assert_eq!(pages, column(&list, "name"));
    let mut reversed = players(&scratch, &["club", "--reverse"]);
    reversed.reverse();
    assert_eq!(json!(reversed), json!(column(&list, "name")));
    assert_eq!(players(&scratch, &["club", "--kind", "team"]), ["Zoo", "Ark"]);
}

#[test]
fn players_are_sorted() {
    let scratch = Scratch::season();
    let first = |order: &str| players(&scratch, &["club", "--sort", order]);
    assert_eq!(first("name"), ["ann", "bea", "cy", "dov", "eve", "fay"]);
    assert_eq!(first("contests"), ["ann", "bea", "cy", "dov", "eve", "fay"]);
    assert_eq!(first("last"), ["ann", "dov", "fay", "bea", "cy", "eve"]);
    scratch.run(&["players", "club", "--sort", "age"]).exits(2);
}

#[test]
fn players_before_rating_have_contests() {
    let scratch = Scratch::new();
    scratch.write("1.json", contest(1, 0, &[&["ann", "ann2"], &["bea"]]));
    scratch.write("2.json", contest(2, 1, &[&["ann"], &["bea"], &["cy"]]));
    scratch.ok(&["import", ".", "--source", "club"]);
    scratch.ok(&["competitor", "merge", "club", "ann2", "ann"]);
    let list = scratch.json(&["players", "club"]);
    assert_eq!(list["run_id"], json!(null));
    assert_eq!(column(&list, "name"), ["ann", "bea", "cy"]);
    assert_eq!(column(&list, "contests"), [2, 2, 1]);
    assert_eq!(column(&list, "last_contest_at"), [1_700_092_800; 3]);
    let table = scratch.ok(&["players", "club"]).says("ranklore rate club").out;
    assert!(!table.contains("conservative"), "{table}");
}

#[test]
fn players_are_found_by_any_name() {
    let scratch = Scratch::new();
    scratch.write("1.json", contest(1, 0, &[&["Zoë Quill"], &["zq99"], &["Bea Hollis"]]));
    scratch.ok(&["import", "1.json", "--source", "club"]);
    scratch.ok(&["rate", "club"]);
    scratch.ok(&["competitor", "merge", "club", "zq99", "Zoë Quill"]);
    scratch.ok(&["competitor", "rename", "club", "Bea Hollis", "Bea Marsh"]);
    let find = |text: &str| players(&scratch, &["club", text]);
    assert_eq!(find("ZOE"), ["Zoë Quill"]);
    assert_eq!(find("oë q"), ["Zoë Quill"]);
    // The id of the merged account, and the id of the renamed one.
    assert_eq!(find("q99"), ["Zoë Quill"]);
    assert_eq!(find("hollis"), ["Bea Marsh"]);
    assert_eq!(find("marsh"), ["Bea Marsh"]);
    assert!(find("nobody").is_empty());
    let message = scratch.ok(&["players", "club", "nobody"]).out;
    assert_eq!(message, "no such competitor\n");
}

#[test]
fn pseudonymous_players_are_found_by_pseudonym_only() {
    let scratch = Scratch::new();
    scratch.write("1.json", contest(1, 0, &[&["Zoë Quill"], &["Abe Norr"], &["Cy Dale"]]));
    scratch.write("2.json", contest(2, 9, &[&["Cy Dale"], &["Abe Norr"]]));
    scratch.ok(&["import", ".", "--source", "o2cm"]);
    scratch.ok(&["rate", "o2cm"]);
    scratch.ok(&["competitor", "rename", "o2cm", "Abe Norr", "Abe Vale"]);
    let all = ["--sort", "name"];
    let pseudonyms = players(&scratch, &[&["o2cm"], &all[..]].concat());
    assert!(pseudonyms.iter().all(|name| name.starts_with("person-")), "{pseudonyms:?}");
    assert!(pseudonyms.is_sorted(), "{pseudonyms:?}");
    for name in ["Zoë", "Abe", "Norr", "Vale", "Dale"] {
        assert!(players(&scratch, &["o2cm", name]).is_empty(), "{name}");
        let named = players(&scratch, &["o2cm", name, "--real-names"]);
        assert_eq!(named.len(), 1, "{name}");
    }
    assert_eq!(players(&scratch, &["o2cm", &pseudonyms[0]]), pseudonyms[..1]);
    let movers = ["movers", "o2cm", "--since", "2023-11-20"];
    for arguments in [&["players", "o2cm"][..], &movers] {
        let list = scratch.ok(arguments).says("names are pseudonyms");
        let json = scratch.json(arguments).to_string();
        for name in ["Zoë", "Abe", "Norr", "Vale", "Dale"] {
            assert!(!list.out.contains(name) && !json.contains(name), "{json}");
        }
    }
}

#[test]
fn forgotten_names_are_in_no_list() {
    let scratch = Scratch::season();
    scratch.ok(&["forget", "--yes", "club", "cy"]);
    let movers = ["movers", "club", "--since", "2023-12-20"];
    for arguments in [
        &["players", "club"][..],
        &["players", "club", "cy"],
        &movers,
    ] {
        let json = scratch.json(arguments).to_string();
        assert!(!json.contains("\"cy\""), "{json}");
    }
}

#[test]
fn lists_need_no_source_where_there_is_one() {
    let scratch = Scratch::season();
    for (full, short) in [
        (&["contests", "club"][..], &["contests"][..]),
        (&["players", "club"], &["players"]),
        (&["players", "club", "AN"], &["players", "AN"]),
        (
            &["movers", "club", "--since", "2023-12-20"],
            &["movers", "--since", "2023-12-20"],
        ),
        (&["source", "show", "club"], &["source", "show"]),
    ] {
        assert_eq!(scratch.ok(full).out, scratch.ok(short).out, "{short:?}");
    }
    scratch.ok(&["import", "1.json", "--source", "other"]);
    scratch.run(&["contests"]).exits(2).says("club, other");
    scratch.run(&["players", "ann"]).exits(1).says("other");
}

#[test]
fn sources_have_counts_settings_and_runs() {
    let scratch = Scratch::season();
    scratch.ok(&["import", "1.json", "--source", "other"]);
    scratch.ok(&["rate", "club", "other", "--together"]);
    let list = scratch.json(&["source", "list"]);
    assert_eq!(list, scratch.json(&["sources"]));
    assert_eq!(column(&list, "source"), ["club", "other"]);
    assert_eq!(column(&list, "runs"), [2, 1]);
    assert_eq!(column(&list, "default_system"), ["elo-mmr"; 2]);
    let source = scratch.json(&["source", "show", "club"]);
    for key in [
        "contests",
        "results",
        "competitors",
        "documents",
        "runs",
        "last_sync",
    ] {
        assert_eq!(source[key], list["rows"][0][key], "{key}");
    }
    assert_eq!(column(&source["all_runs"], "run_id"), [1, 2]);
    assert_eq!(source["pseudonyms"], false);
    scratch
        .raw()
        .execute_batch("UPDATE source SET default_system = 'glicko'")
        .unwrap();
    let text = scratch.ok(&["source", "show", "club"]).out;
    assert!(text.contains("default system  glicko"), "{text}");
    scratch.run(&["source", "show", "none"]).exits(1).says("none");
}

#[test]
fn source_of_a_site_shows_its_terms() {
    let scratch = Scratch::new();
    scratch.write("1.json", contest(1, 0, &[&["ann"], &["bea"]]));
    scratch.ok(&["import", "1.json", "--source", "o2cm"]);
    let source = scratch.json(&["source", "show"]);
    assert_eq!(source["pseudonyms"], true);
    assert_eq!(column(&source["sites"], "site"), ["o2cm"]);
    assert_eq!(column(&source["sites"], "may_publish"), [false]);
    let out = scratch.ok(&["source", "show"]).out;
    assert!(out.contains("not to be published") && !out.contains("ann"), "{out}");
}

#[test]
fn simultaneous_contests_are_in_the_order_of_their_event() {
    let scratch = Scratch::new();
    for (id, ordinal) in [(1, 2), (2, 10), (3, 1)] {
        let mut file: Value = serde_json::from_str(&contest(id, 5, &[&["ann"], &["bea"]])).unwrap();
        (file["event"], file["ordinal"]) = (json!("Open"), json!(ordinal));
        scratch.write(&format!("{id}.json"), file.to_string());
    }
    scratch.ok(&["import", ".", "--source", "club"]);
    let ids =
        |options: &[&str]| column(&scratch.json(&[&["contests"], options].concat()), "contest");
    assert_eq!(ids(&["--reverse"]), ["3", "1", "2"]);
    assert_eq!(ids(&["--limit", "2"]), ["2", "1"]);
}
