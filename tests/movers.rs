//! `ranklore movers`: gains, losses, new entries and new peaks.

use crate::support::{Scratch, contest};
use serde_json::{Value, json};

const LISTS: [&str; 4] = ["gains", "losses", "new_entries", "new_peaks"];

/// Returns a key of each row of a list.
fn column(list: &Value, key: &str) -> Vec<Value> {
    let rows = list.as_array().unwrap().iter();
    rows.map(|row| row[key].clone()).collect()
}

/// Returns a rated source `club` of twenty contests, one a day, whose players take breaks of several
/// lengths and begin at different times.
fn long_league() -> Scratch {
    let scratch = Scratch::new();
    let names = ["ann", "bea", "cy", "dov", "eve", "fay", "gil", "hal", "ivo"];
    for id in 1..=20 {
        let takes_part = |player: u32| {
            id > player * player / 4 && !(id * 7 + player * 5).is_multiple_of(player % 4 + 2)
        };
        let mut entrants: Vec<u32> = (0..9).filter(|&player| takes_part(player)).collect();
        entrants.sort_by_key(|player| (id * 31 + player * 17) % 23);
        let groups: Vec<&[&str]> = entrants
            .iter()
            .map(|&player| &names[player as usize..=player as usize])
            .collect();
        scratch.write(&format!("{id}.json"), contest(id, id, &groups));
    }
    scratch.ok(&["import", ".", "--source", "club"]);
    scratch.ok(&["rate", "club"]);
    scratch
}

/// Returns (list, name, mu before, mu, highest mu so far, contests) of all movers from one day until
/// another, computed from all rating rows.
fn expected_movers(scratch: &Scratch, since: u32, until: u32) -> Vec<String> {
    let mut expected = Vec::new();
    let names = "SELECT name FROM competitor ORDER BY name";
    for name in scratch.rows(names) {
        let rows = scratch.rows(&format!(
            "SELECT contest.external_id, mu FROM rating JOIN contest USING (contest_id)
                 JOIN competitor USING (competitor_id)
             WHERE competitor.name = '{name}' AND run_id = 1 ORDER BY ends_at"
        ));
        let (mut before, mut inside) = (Vec::new(), Vec::new());
        for row in rows {
            let (day, mu) = row.split_once('|').unwrap();
            let (day, mu): (u32, f64) = (day.parse().unwrap(), mu.parse().unwrap());
            match day {
                _ if day < since => before.push(mu),
                _ if day < until => inside.push(mu),
                _ => {}
            }
        }
        let Some(&mu) = inside.last() else {
            continue;
        };
        let highest = |mus: &[f64]| mus.iter().copied().fold(f64::MIN, f64::max);
        let peak = highest(&before).max(highest(&inside));
        let mut add = |list: &str| {
            let before = before.last().map_or("-".to_owned(), |mu| format!("{mu:.6}"));
            let contests = inside.len();
            expected.push(format!("{list} {name} {before} {mu:.6} {peak:.6} {contests}"));
        };
        match before.last() {
            None => add("new_entries"),
            Some(&before) if mu > before => add("gains"),
            Some(_) => add("losses"),
        }
        if !before.is_empty() && highest(&inside) > highest(&before) {
            add("new_peaks");
        }
    }
    expected.sort_unstable();
    expected
}

fn listed_movers(movers: &Value) -> Vec<String> {
    let mut listed = Vec::new();
    for list in LISTS {
        for row in movers[list].as_array().unwrap() {
            let name = row["name"].as_str().unwrap();
            let before = row["mu_before"].as_f64().map_or("-".to_owned(), |mu| format!("{mu:.6}"));
            let [mu, peak] = ["mu", "peak_mu"].map(|key| row[key].as_f64().unwrap());
            let contests = &row["contests"];
            listed.push(format!("{list} {name} {before} {mu:.6} {peak:.6} {contests}"));
            let change = row["mu_before"].as_f64().map(|before| mu - before);
            let close = |change: f64| (row["change"].as_f64().unwrap() - change).abs() < 1e-9;
            assert!(change.map_or(row["change"].is_null(), close), "{row}");
        }
    }
    listed.sort_unstable();
    listed
}

/// Returns the day of a contest of [`long_league`].
fn date(day: u32) -> String {
    let date = format!("2023-11-{:02}", 15 + day);
    date.replace("2023-11-3", "2023-12-0").replace("12-00", "11-30")
}

#[test]
fn movers_match_all_rating_rows() {
    let scratch = long_league();
    let check = |state: &str| {
        for (since, until) in [
            (1, 21),
            (2, 21),
            (5, 21),
            (11, 21),
            (14, 21),
            (18, 21),
            (20, 21),
        ]
        .into_iter()
        .chain([(1, 8), (3, 12), (10, 14), (15, 16)])
        {
            let mut arguments = vec!["movers".to_owned(), "club".to_owned(), "--since".to_owned()];
            arguments.push(date(since));
            if until < 21 {
                arguments.extend(["--until".to_owned(), date(until)]);
            }
            let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
            let movers = scratch.json(&arguments);
            let expected = expected_movers(&scratch, since, until);
            assert_eq!(listed_movers(&movers), expected, "{state}, {since} to {until}");
            let rated = scratch.count(&format!(
                "SELECT count(*) FROM run_contest JOIN contest USING (contest_id)
                 WHERE run_id = 1 AND results > 0 AND CAST(external_id AS INTEGER) >= {since}
                     AND CAST(external_id AS INTEGER) < {until}"
            ));
            assert_eq!(movers["contests"], rated, "{state}, {since} to {until}");
        }
    };
    check("current");
    // A new contest: the run is stale.
    scratch.write("21.json", contest(21, 90, &[&["ann"], &["bea"]]));
    scratch.ok(&["import", "21.json", "--source", "club"]);
    check("stale");
    let delete = "DELETE FROM current_rating; UPDATE rating_run SET competitors = NULL";
    scratch.raw().execute_batch(delete).unwrap();
    check("without current ratings");
}

#[test]
fn movers_keep_to_the_named_source() {
    let scratch = Scratch::new();
    for (source, [a, b]) in [("club", ["ann", "bea"]), ("harbour", ["cy", "dov"])] {
        for day in 1..=4 {
            let file = format!("{source}/{day}.json");
            scratch.write(&file, contest(day, day, &[&[a], &[b]]));
        }
        scratch.ok(&["import", source, "--source", source]);
    }
    scratch.ok(&["rate", "club", "harbour"]);
    for period in [
        &["2023-11-16"][..],
        &["2023-11-18"],
        &["2023-11-17", "--until", "2023-11-19"],
    ] {
        let list = [
            "movers",
            "club",
            "--run",
            "1",
            "--provisional",
            "mix",
            "--since",
        ];
        let movers = scratch.json(&[&list[..], period].concat());
        assert_eq!(movers["competitors"], 2, "{movers}");
        let listed = LISTS.map(|list| column(&movers[list], "name")).concat();
        assert!(!listed.is_empty(), "{movers}");
        assert!(listed.iter().all(|name| name == "ann" || name == "bea"), "{movers}");
        let days = if period == ["2023-11-16"] { 4 } else { 2 };
        assert_eq!(movers["contests"], days, "{movers}");
    }
}

#[test]
fn movers_are_found_behind_a_large_contest() {
    let scratch = Scratch::new();
    let pair: &[&[&str]] = &[&["ann"], &["bea"]];
    scratch.write("1.json", contest(1, 1, pair));
    scratch.write("2.json", crate::support::large_contest(2, 2100));
    scratch.write("3.json", contest(3, 3, pair));
    scratch.write("4.json", contest(4, 4, pair));
    scratch.ok(&["import", ".", "--source", "club"]);
    scratch.ok(&["rate", "club"]);
    let movers = scratch.json(&["movers", "club", "--since", "2023-11-18"]);
    assert_eq!(movers["competitors"], 2);
    assert_eq!(column(&movers["gains"], "name"), ["ann"]);
    assert_eq!(column(&movers["losses"], "name"), ["bea"]);
    assert!(column(&movers["new_entries"], "name").is_empty());
}

#[test]
fn movers_are_sorted_by_size_of_change() {
    let scratch = Scratch::season();
    let movers = scratch.json(&["movers", "club", "--since", "2023-12-20"]);
    for list in ["gains", "losses"] {
        let changes = column(&movers[list], "change");
        let sizes = changes.iter().map(|change| change.as_f64().unwrap().abs());
        let sizes: Vec<f64> = sizes.collect();
        assert_eq!(sizes.len(), 2, "{list}");
        assert!(sizes[0] > sizes[1], "{list}: {sizes:?}");
    }
}

#[test]
fn provisional_movers_are_marked_and_listed_last() {
    let scratch = Scratch::season();
    // dov has three contests, eve two, fay one.
    scratch.ok(&["source", "set", "club", "provisional=4"]);
    let since = ["movers", "club", "--since", "2023-12-30"];
    let gains = |how: &str| {
        let movers = scratch.json(&[&since[..], &["--provisional", how]].concat());
        assert_eq!(movers["provisional"], 3, "dov, eve and fay");
        let lists = LISTS.map(|list| movers[list].as_array().unwrap().clone());
        for row in lists.concat() {
            let provisional = ["dov", "eve", "fay"].contains(&row["name"].as_str().unwrap());
            assert_eq!(row["provisional"], provisional, "{row}");
        }
        let names = column(&movers["gains"], "name");
        let names: Vec<&str> = names.iter().map(|name| name.as_str().unwrap()).collect();
        (names.join(" "), lists[2].len())
    };
    assert_eq!(gains("mix"), ("dov cy".to_owned(), 1));
    assert_eq!(gains("last"), ("cy dov".to_owned(), 1));
    assert_eq!(gains("exclude"), ("cy".to_owned(), 0));
    assert_eq!(gains("only"), ("dov".to_owned(), 1));
    let out = scratch.ok(&since).out;
    let line = |name: &str| out.lines().find(|line| line.contains(name)).unwrap();
    assert!(line("dov").contains("? ") && !line(" cy").contains('?'), "{out}");
    let last = "3 provisional (?: fewer than 4 contests), listed last";
    assert_eq!(out.lines().last(), Some(last));
}

#[test]
fn movers_show_the_displayed_rating() {
    let scratch = Scratch::season();
    scratch.ok(&["rate", "club", "--system", "elo-r"]);
    let system = ["--system", "elo-r"];
    let since = ["movers", "club", "--since", "2023-12-20"];
    let movers = scratch.json(&[&since[..], &system].concat());
    let board = scratch.json(&[&["leaderboard", "club"], &system[..]].concat());
    for list in LISTS {
        for row in movers[list].as_array().unwrap() {
            let ranked = board["rows"].as_array().unwrap().iter();
            let ranked = ranked.clone().find(|listed| listed["name"] == row["name"]).unwrap();
            for key in [
                "rating",
                "provisional",
                "conservative",
                "mu",
                "sigma",
                "peak_mu",
            ] {
                assert_eq!(row[key], ranked[key], "{key} of {row}");
            }
            assert_ne!(row["rating"], row["mu"], "{row}");
        }
    }
}

#[test]
fn equal_rating_is_no_new_peak() {
    let scratch = Scratch::season();
    // As in systems that round: the same mu again.
    let update = "UPDATE rating SET mu = 1600 WHERE competitor_id = cy;
         UPDATE rating SET mu = 1500 WHERE competitor_id = cy
             AND contest_id = (SELECT contest_id FROM contest WHERE external_id = '3');
         UPDATE current_rating SET mu = 1600, peak_mu = 1600, change = 0 WHERE competitor_id = cy";
    let cy = "(SELECT competitor_id FROM competitor WHERE name = 'cy')";
    scratch
        .raw()
        .execute_batch(&update.replace("= cy", &format!("= {cy}")))
        .unwrap();
    let movers = scratch.json(&["movers", "club", "--since", "2023-12-20"]);
    assert!(column(&movers["gains"], "name").contains(&json!("cy")), "{movers}");
    assert!(!column(&movers["new_peaks"], "name").contains(&json!("cy")));
}

#[test]
fn movers_count_merged_accounts_as_one() {
    let scratch = Scratch::season();
    // Without eve, fay has no contest before the last one.
    scratch.ok(&["competitor", "merge", "club", "eve", "fay"]);
    scratch.ok(&["rate", "club"]);
    let movers = scratch.json(&["movers", "club", "--since", "2024-01-08"]);
    assert!(column(&movers["new_entries"], "name").is_empty(), "{movers}");
    let all = [
        column(&movers["gains"], "name"),
        column(&movers["losses"], "name"),
    ]
    .concat();
    assert!(all.contains(&json!("fay")), "{movers}");
}

#[test]
fn movers_do_not_need_stored_current_ratings() {
    let scratch = Scratch::season();
    let since = ["movers", "club", "--since", "2023-12-20"];
    let stored = scratch.json(&since);
    let delete = "DELETE FROM current_rating; UPDATE rating_run SET competitors = NULL";
    scratch.raw().execute_batch(delete).unwrap();
    let folded = scratch.json(&since);
    for list in LISTS {
        assert_eq!(column(&stored[list], "name"), column(&folded[list], "name"), "{list}");
    }
}

#[test]
fn movers_tables_have_ten_rows_and_json_all() {
    let scratch = Scratch::new();
    scratch.write("1.json", crate::support::large_contest(1, 30));
    scratch.ok(&["import", "1.json", "--source", "club"]);
    scratch.ok(&["rate", "club"]);
    let entries = |options: &[&str]| {
        let movers =
            scratch.json(&[&["movers", "club", "--since", "2020-01-01"], options].concat());
        movers["new_entries"].as_array().unwrap().len()
    };
    assert_eq!(entries(&[]), 30);
    assert_eq!(entries(&["--limit", "3"]), 3);
    let table = scratch.ok(&["movers", "club", "--since", "2020-01-01"]).out;
    // Title, blank line, title of the list, headings, rows.
    // Then the number of provisional ratings, after a blank line.
    assert_eq!(table.lines().count(), 4 + 10 + 2, "{table}");
    let none = scratch.ok(&["movers", "club", "--since", "2030-01-01"]).out;
    assert_eq!(none.lines().count(), 1, "{none}");
}

#[test]
fn movers_in_rows_name_their_list() {
    let scratch = Scratch::season();
    let movers = ["movers", "club", "--since", "2023-12-20"];
    let json = scratch.json(&movers);
    let jsonl = scratch.ok(&[&movers[..], &["--format", "jsonl"]].concat()).out;
    let rows: Vec<Value> = jsonl.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    for list in LISTS {
        let of_list: Vec<&Value> = rows.iter().filter(|row| row["list"] == list).collect();
        let names: Vec<Value> = of_list.iter().map(|row| row["name"].clone()).collect();
        assert_eq!(names, column(&json[list], "name"), "{list}");
    }
}
