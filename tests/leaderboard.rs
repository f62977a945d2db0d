//! `ranklore leaderboard`: rows, order and dates.

use crate::support::{Scratch, contest, large_contest};
use serde_json::Value;

fn names(board: &Value) -> Vec<&str> {
    board["rows"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| row["name"].as_str().unwrap())
        .collect()
}

#[test]
fn leaderboard_is_sorted_by_conservative_rating() {
    let scratch = Scratch::club();
    scratch.ok(&["rate", "club"]);
    let board = scratch.json(&["leaderboard", "club"]);
    assert_eq!(names(&board)[..2], ["Oona Pereskaya", "Halvard Stoyne"]);
    let rows = board["rows"].as_array().unwrap();
    assert_eq!(rows.len(), 8);
    let number = |row: &Value, field: &str| row[field].as_f64().unwrap();
    for (index, row) in rows.iter().enumerate() {
        assert_eq!(row["place"], index + 1);
        assert!(
            (number(row, "conservative") - (number(row, "mu") - 3.0 * number(row, "sigma"))).abs()
                < 1e-9
        );
    }
    assert!(rows.is_sorted_by(|a, b| number(a, "conservative") >= number(b, "conservative")));
    // The last change is that of the last rated contest.
    let mus = scratch.rows(
        "SELECT mu FROM rating JOIN contest USING (contest_id)
         JOIN competitor USING (competitor_id)
         WHERE competitor.name = 'Oona Pereskaya' ORDER BY ends_at",
    );
    let mus: Vec<f64> = mus.iter().map(|mu| mu.parse().unwrap()).collect();
    assert_eq!(rows[0]["contests"], mus.len());
    assert!((number(&rows[0], "last_change") - (mus[2] - mus[1])).abs() < 1e-9);
    // With k = 0 the rating is mu.
    let optimistic = scratch.json(&["leaderboard", "club", "--k", "0"]);
    assert_eq!(optimistic["rows"][0]["conservative"], optimistic["rows"][0]["mu"]);
}

#[test]
fn ties_share_the_lowest_place() {
    let scratch = Scratch::new();
    scratch.write("1.json", contest(1, 0, &[&["a", "b"], &["c"], &["d", "e", "f"], &["g"]]));
    scratch.ok(&["import", "1.json", "--source", "club"]);
    scratch.ok(&["rate", "club"]);
    let board = scratch.json(&["leaderboard", "club"]);
    let places: Vec<u64> = board["rows"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| row["place"].as_u64().unwrap())
        .collect();
    assert_eq!(places, [1, 1, 3, 4, 4, 4, 7]);
    assert!(board["rows"][0]["last_change"].is_null(), "new");
}

#[test]
fn pages_are_consecutive() {
    let scratch = Scratch::new();
    scratch.write("1.json", large_contest(1, 30));
    scratch.ok(&["import", "1.json", "--source", "club"]);
    scratch.ok(&["rate", "club"]);
    let all = scratch.json(&["leaderboard", "club", "--limit", "1000"]);
    assert_eq!(all["total"], 30);
    let mut pages = Vec::new();
    for offset in ["0", "12", "24", "36"] {
        let page = scratch.json(&["leaderboard", "club", "--limit", "12", "--offset", offset]);
        assert_eq!(page["offset"].to_string(), offset);
        pages.extend(page["rows"].as_array().unwrap().clone());
    }
    assert_eq!(&Value::Array(pages), &all["rows"]);
    let words =
        |offset| scratch.ok(&["leaderboard", "club", "--limit", "12", "--offset", offset]).out;
    assert!(words("12").ends_with("6 more: --offset 24\n"), "{}", words("12"));
    assert!(!words("24").contains("more"), "{}", words("24"));
    assert!(words("36").ends_with("30 in total\n"), "{}", words("36"));
    let default = scratch.ok(&["leaderboard", "club"]).out;
    assert_eq!(default.lines().count(), 2 + 25 + 1);
}

#[test]
fn min_contests_and_inactive_filter_rows() {
    let scratch = Scratch::new();
    scratch.write("1.json", contest(1, 0, &[&["old"], &["both"], &["once"]]));
    scratch.write("2.json", contest(2, 100, &[&["both"], &["once"], &["new"]]));
    scratch.write("3.json", contest(3, 400, &[&["both"], &["new"]]));
    scratch.ok(&["import", ".", "--source", "club"]);
    scratch.ok(&["rate", "club"]);
    let board = |options: &[&str]| {
        let board = scratch.json(&[&["leaderboard", "club"], options].concat());
        let mut names: Vec<String> = names(&board).into_iter().map(str::to_owned).collect();
        names.sort();
        names
    };
    assert_eq!(board(&[]), ["both", "new", "once"]);
    assert_eq!(board(&["--inactive"]), ["old"]);
    assert_eq!(board(&["--inactive-after", "400"]), ["both", "new", "old", "once"]);
    assert_eq!(board(&["--inactive-after", "399"]), ["both", "new", "once"]);
    assert_eq!(board(&["--inactive-after", "0", "--inactive"]), ["old", "once"]);
    assert_eq!(board(&["--min-contests", "2"]), ["both", "new", "once"]);
    assert_eq!(board(&["--min-contests", "3"]), ["both"]);
    assert_eq!(board(&["--min-contests", "2", "--inactive"]), [""; 0]);
    let out = scratch.ok(&["leaderboard", "club"]).out;
    assert!(out.ends_with("1 inactive (list them with --inactive)\n"), "{out}");
}

#[test]
fn as_of_equals_a_database_ending_that_day() {
    let files: Vec<String> = (1..7).map(|id| large_contest(id, 20)).collect();
    let board = |until: usize, options: &[&str]| {
        let scratch = Scratch::new();
        for (id, file) in files.iter().enumerate().take(until) {
            scratch.write(&format!("{id}.json"), file);
        }
        scratch.ok(&["import", ".", "--source", "club"]);
        scratch.ok(&["rate", "club"]);
        let options = [&["leaderboard", "club", "--limit", "100"], options].concat();
        let board = scratch.json(&options);
        let fields = ["rows", "newest_contest_at", "active", "inactive", "total"];
        fields.map(|field| board[field].clone())
    };
    // Round n ends at midnight, n days after 2023-11-15.
    for (until, day) in [(1, "2023-11-16"), (4, "2023-11-19"), (6, "2024-01-01")] {
        assert_eq!(board(6, &["--as-of", day]), board(until, &[]), "{day}");
    }
    assert_eq!(board(6, &["--as-of", "2023-11-19T00:00:00Z"]), board(4, &[]));
    assert_eq!(board(6, &["--as-of", "2023-11-18T23:59:59Z"]), board(3, &[]));
    let before = board(6, &["--as-of", "2023-11-15"]);
    assert_eq!(before[0], Value::Array(Vec::new()));
    assert_eq!(before[1], Value::Null);
}

#[test]
fn partial_run_is_labelled() {
    let scratch = Scratch::club();
    scratch.ok(&["rate", "club"]).says("next: ranklore leaderboard club\n");
    let title = |arguments: &[&str]| {
        let out = scratch.ok(arguments).out;
        out.lines().next().unwrap().to_owned()
    };
    assert!(title(&["leaderboard", "club"]).starts_with("run 1 by elo-mmr: "));
    scratch
        .ok(&["rate", "club", "--since", "2023-10-01"])
        .says("next: ranklore leaderboard --run 2\n");
    scratch.ok(&["rate", "club"]).says("next: ranklore leaderboard club\n");
    assert_eq!(
        title(&["leaderboard", "--run", "2", "--limit", "1"]),
        "run 2 by elo-mmr (since 2023-10-01): 2 contests, the newest on 2023-11-16; \
         by conservative = mu − 3·sigma"
    );
    assert_eq!(
        title(&["evaluate", "--run", "2"]),
        "run 2 by elo-mmr (since 2023-10-01), default parameters"
    );
    for command in ["leaderboard", "evaluate"] {
        assert_eq!(
            scratch.json(&[command, "--run", "2"])["selection"],
            serde_json::json!({"sources": ["club"], "since": 1_696_118_400})
        );
    }
}

#[test]
fn run_over_other_sources_is_not_shown() {
    let scratch = Scratch::club();
    scratch.write("1.json", contest(1, 0, &[&["a"], &["b"]]));
    scratch.ok(&["import", "1.json", "--source", "other"]);
    scratch.ok(&["rate", "club", "other"]);
    for command in ["leaderboard", "evaluate"] {
        scratch
            .run(&[command, "other", "--run", "1"])
            .exits(1)
            .says("run 1 covers club, not other");
        scratch
            .run(&[command, "club", "other", "--run", "1"])
            .exits(1)
            .says("run 1 covers club, not club other");
        scratch.ok(&[command, "club", "--run", "1"]);
    }
}

#[test]
fn json_reports_stale_results() {
    let scratch = Scratch::club();
    scratch.ok(&["rate", "club"]);
    assert_eq!(scratch.json(&["leaderboard", "club"])["stale"], false);
    scratch.write("1.json", contest(99, 0, &[&["a"], &["b"]]));
    scratch.ok(&["import", "1.json", "--source", "club"]);
    assert_eq!(scratch.json(&["leaderboard", "club"])["stale"], true);
}

#[test]
fn time_of_day_is_exact_or_refused() {
    let scratch = Scratch::new();
    // It ended at the start of 2023-11-15, UTC.
    scratch.write("1.json", contest(1, 0, &[&["a"], &["b"]]));
    scratch.ok(&["import", "1.json", "--source", "club"]);
    scratch.ok(&["rate", "club"]);
    for (as_of, total) in [
        ("2023-11-15T00:00:00Z", 2),
        ("2023-11-14T23:59:59+00:00", 0),
        ("2023-11-15T00:59:59+01:00", 0),
        ("2023-11-15T01:00:00+01:00", 2),
    ] {
        let board = scratch.json(&["leaderboard", "club", "--as-of", as_of]);
        assert_eq!(board["total"], total, "{as_of}");
    }
    for wrong in ["2023-11-15T00:00:00", "2023-11-15T00:00+99:00", "20231115"] {
        scratch
            .run(&["leaderboard", "club", "--as-of", wrong])
            .exits(2)
            .says("a day such as 2024-01-31, or a moment such as 2024-01-31T18:00:00Z");
    }
    // The exact time counts, not only its day.
    scratch.ok(&["rate", "club", "--until", "2023-11-15T01:30:00+01:00"]);
}

#[test]
fn empty_page_suggests_no_next_page() {
    let scratch = Scratch::club();
    scratch.ok(&["rate", "club"]);
    let out = scratch.ok(&["leaderboard", "club", "--limit", "0"]).out;
    assert!(out.ends_with("8 more\n"), "{out}");
}

/// Creates a league of seven contests: `ada` and `bea` took part in all, `cy` won one against both.
fn league_with_lucky_winner() -> Scratch {
    let scratch = Scratch::new();
    for id in 1..7 {
        let file = contest(id, id * 7, &[&["ada"], &["bea"], &["dov"]]);
        scratch.write(&format!("{id}.json"), file);
    }
    scratch.write("7.json", contest(7, 49, &[&["cy"], &["ada"], &["bea"]]));
    scratch.ok(&["import", ".", "--source", "club"]);
    scratch
}

#[test]
fn provisional_ratings_are_marked_and_listed_last() {
    let scratch = league_with_lucky_winner();
    // Mu alone would put the winner of one contest first.
    scratch.ok(&["rate", "club", "--system", "elo-pairwise"]);
    let listed = |how: &str| {
        let board = scratch.json(&["leaderboard", "club", "--provisional", how]);
        let names: Vec<String> = names(&board).into_iter().map(str::to_owned).collect();
        (names.join(" "), board["provisional"].as_u64().unwrap())
    };
    assert_eq!(listed("last"), ("ada bea dov cy".to_owned(), 1));
    assert_eq!(listed("exclude"), ("ada bea dov".to_owned(), 1));
    assert_eq!(listed("only"), ("cy".to_owned(), 1));
    let (mixed, _) = listed("mix");
    assert_eq!(mixed, "ada cy bea dov");
    let out = scratch.ok(&["leaderboard", "club"]).out;
    let rows: Vec<&str> = out.lines().collect();
    assert!(rows[5].starts_with("     4  cy "), "{out}");
    assert!(rows[5].contains("? ") && !rows[2].contains('?'), "{out}");
    assert_eq!(rows[6], "1 provisional (?: fewer than 5 contests), listed last");
    let csv = scratch.ok(&["leaderboard", "club", "--format", "csv"]).out;
    assert_eq!(csv.lines().count(), 1 + 4, "{csv}");
    // The user sets another rule.
    scratch.ok(&["source", "set", "club", "provisional=7"]);
    assert_eq!(listed("exclude"), ("ada bea".to_owned(), 2));
    scratch.ok(&["source", "set", "club", "provisional=1"]);
    assert_eq!(listed("exclude").0, "ada bea dov", "one contest is always provisional");
}

/// Loads the leaderboard of the league with these options, provisional ratings among the others.
fn mixed_board(scratch: &Scratch, options: &[&str]) -> Value {
    let board = ["leaderboard", "club", "--provisional", "mix"];
    scratch.json(&[&board, options].concat())
}

/// Returns a number of each row; −∞ if it is null.
fn numbers(board: &Value, key: &str) -> Vec<f64> {
    let rows = board["rows"].as_array().unwrap().iter();
    rows.map(|row| row[key].as_f64().unwrap_or(f64::NEG_INFINITY)).collect()
}

#[test]
fn list_is_sorted_by_any_column() {
    let scratch = league_with_lucky_winner();
    scratch.ok(&["rate", "club"]);
    let since = contest_day(&scratch, "7");
    let ranking = mixed_board(&scratch, &[]);
    for (column, key) in [
        ("rating", "rating"),
        ("conservative", "conservative"),
        ("mu", "mu"),
        ("peak", "peak_mu"),
        ("sigma", "sigma"),
        ("contests", "contests"),
        ("change", "last_change"),
        ("since", "change_since"),
        ("last", "last_contest_at"),
    ] {
        let mut options = vec!["--sort", column];
        if column == "since" {
            options.extend(["--since", &since]);
        }
        let board = mixed_board(&scratch, &options);
        assert_eq!(board["sort"], column);
        let sorted = numbers(&board, key);
        assert!(sorted.is_sorted_by(|a, b| a >= b), "{column}: {sorted:?}");
        let places = numbers(&board, "place");
        let is_rating = ["rating", "conservative", "mu", "peak"].contains(&column);
        for (index, name) in names(&board).iter().enumerate() {
            let place = if is_rating {
                sorted.iter().filter(|value| **value > sorted[index]).count() + 1
            } else {
                // That of the ranking: one of the largest sigma would mean nothing.
                names(&ranking).iter().position(|listed_name| listed_name == name).unwrap() + 1
            };
            assert_eq!(places[index].to_bits(), (place as f64).to_bits(), "{column}");
        }
        let out = scratch.ok(&[&["leaderboard", "club"], &*options].concat()).out;
        let title = out.lines().next().unwrap();
        assert_eq!(title.contains("; places by conservative"), !is_rating, "{title}");
        options.push("--reverse");
        let reversed = mixed_board(&scratch, &options);
        let mut rising = numbers(&reversed, key);
        // Those without the number stay last.
        rising.retain(|value| value.is_finite());
        assert!(rising.is_sorted(), "{column}: {rising:?}");
        assert_eq!(rising, numbers(&reversed, key)[..rising.len()]);
        let out = scratch.ok(&[&["leaderboard", "club"], &*options].concat()).out;
        assert!(out.lines().next().unwrap().contains(" first"), "{out}");
    }
}

#[test]
fn options_that_contradict_each_other_are_refused() {
    let scratch = league_with_lucky_winner();
    scratch.ok(&["rate", "club"]);
    let refuse = |options: &[&str], text: &str| {
        let command = [&["leaderboard", "club"], options].concat();
        scratch.run(&command).exits(2).says(text);
    };
    refuse(
        &["--since", "2025-01-02", "--as-of", "2025-01-01"],
        "--since is later than --as-of; give an earlier --since",
    );
    scratch.ok(&[
        "leaderboard",
        "club",
        "--since",
        "2025-01-01",
        "--as-of",
        "2025-01-01",
    ]);
    refuse(
        &["--since", "2025-01-01", "--sort", "change"],
        "with --since use --sort since, or leave out --since",
    );
    refuse(&["--sort", "since"], "name it with --since DATE");
}

#[test]
fn displayed_rating_follows_the_system() {
    let scratch = league_with_lucky_winner();
    let first = |system: &str| {
        scratch.ok(&["rate", "club", "--system", system]);
        let board = scratch.json(&["leaderboard", "club", "--system", system]);
        board["rows"][0].clone()
    };
    let number = |row: &Value, key: &str| row[key].as_f64().unwrap();
    let elo_r = first("elo-r");
    let expected = number(&elo_r, "mu") - 2.0 * (number(&elo_r, "sigma") - 100.0);
    assert!((number(&elo_r, "rating") - expected).abs() < 1e-9);
    assert!((number(&elo_r, "conservative") + 200.0 - expected).abs() < 1e-9);
    let mmr = first("elo-mmr");
    assert_eq!(mmr["rating"], mmr["mu"]);
    let site = first("codeforces-official");
    assert!(site["title"].is_string());
    let package = "trueskill:mu=25:sigma=8.333:beta=4.167:tau=0.0833";
    let racetime = first(package);
    let expected = (100.0 * (number(&racetime, "mu") - 2.0 * number(&racetime, "sigma"))).round();
    assert_eq!(number(&racetime, "rating").to_bits(), expected.to_bits());
    let out = scratch.ok(&["leaderboard", "club", "--system", "codeforces-official"]).out;
    assert!(out.contains("  title "), "{out}");
    assert!(
        out.lines().next().unwrap().ends_with(
            "; by rating = mu, less 900, 550, 300, 150, 50 after 1 to 5 contests (if the \
                 last ended since 2020-05-24)"
        ),
        "{out}"
    );
    let title = |system: &str| {
        let out = scratch.ok(&["leaderboard", "club", "--system", system]).out;
        out.lines().next().unwrap().to_owned()
    };
    let elo_r = title("elo-r");
    assert!(
        elo_r.ends_with("; by conservative = mu − 2·sigma; rating = mu − 2·sigma + 200"),
        "{elo_r}"
    );
    let racetime = title(package);
    assert!(
        racetime.ends_with("; rating = 100·(mu − 2·sigma), rounded, at least 0"),
        "{racetime}"
    );
}

#[test]
fn decimals_follow_the_scale_of_the_system() {
    let scratch = league_with_lucky_winner();
    let package = "trueskill:mu=25:sigma=8.333:beta=4.167:tau=0.0833";
    scratch.ok(&["rate", "club", "--system", package]);
    let board = scratch.json(&["leaderboard", "club", "--system", package]);
    let mu = numbers(&board, "mu")[0];
    let sigma = numbers(&board, "sigma")[0];
    let rating = numbers(&board, "rating")[0];
    let texts = [
        format!(" {mu:.2} "),
        format!(" {sigma:.2} "),
        format!(" {rating}? "),
    ];
    let out = scratch.ok(&["leaderboard", "club", "--system", package]).out;
    assert!(texts.iter().all(|texts| out.contains(texts)), "{out}");
    for command in [
        &["player", "club", "ada"][..],
        &["contest", "club", "7"],
        &["players", "club"],
        &["movers", "club", "--since", "2023-11-15"],
    ] {
        let out = scratch.ok(&[command, &["--system", package]].concat()).out;
        assert!(out.contains(&format!("{mu:.2}")), "{out}");
    }
    let out = scratch.ok(&["evaluate", "club", "--system", package]).out;
    assert!(out.contains("ratings: from 12.50 to 37.50;"), "{out}");
}

#[test]
fn change_since_is_a_column() {
    let scratch = league_with_lucky_winner();
    scratch.ok(&["rate", "club"]);
    let since = contest_day(&scratch, "7");
    let out = scratch.ok(&["leaderboard", "club", "--since", &since]).out;
    assert!(
        out.lines().next().unwrap().ends_with(&format!("; change since {since}")),
        "{out}"
    );
    assert!(out.contains("  change since  "), "{out}");
    let board = scratch.json(&["leaderboard", "club", "--since", &since]);
    for row in board["rows"].as_array().unwrap() {
        match row["name"].as_str().unwrap() {
            "cy" => assert!(row["change_since"].is_null()),
            "dov" => assert_eq!(row["change_since"], 0.0),
            _ => assert_eq!(row["change_since"], row["last_change"]),
        }
    }
}

/// Returns the day on which a contest ended.
fn contest_day(scratch: &Scratch, contest: &str) -> String {
    scratch.rows(&format!(
        "SELECT date(ends_at, 'unixepoch') FROM contest WHERE external_id = '{contest}'"
    ))[0]
        .clone()
}
