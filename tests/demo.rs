//! `ranklore demo`: imports and rates a bundled site.

use crate::support::{Scratch, fixtures};

#[test]
fn demo_creates_only_its_own_folder() {
    let scratch = Scratch::new();
    let done = scratch.ok(&["demo"]);
    assert_eq!(scratch.list("."), ["ranklore-demo"]);
    assert_eq!(scratch.list("ranklore-demo"), ["ranklore.sqlite", "ranklore.sqlite.lock"]);
    for text in ["25 answers archived", "24 contests with 586 results"] {
        assert!(done.out.contains(text), "{text}: {}", done.out);
    }
    assert_eq!(done.err, "");
    let champion = done.out.lines().find(|line| line.trim_start().starts_with("1  ")).unwrap();
    assert!(champion.contains("Maren Holloway-Diaz"), "{champion}");
    for unexplained in ["{", "rank deviation", "run 2"] {
        assert!(!done.out.contains(unexplained), "{}", done.out);
    }
}

#[test]
fn closing_commands_run_as_pasted() {
    let scratch = Scratch::new();
    let done = scratch.ok(&["demo"]);
    let lines: Vec<&str> = done.out.lines().collect();
    let (before, commands) = lines.split_last_chunk::<3>().unwrap();
    assert!(before.last().unwrap().starts_with("Try next"), "{}", done.out);
    for line in commands {
        let output = std::process::Command::new("sh")
            .args(["-c", line])
            .current_dir(scratch.path("."))
            .env_remove("RANKLORE_DB")
            .output()
            .unwrap();
        assert!(output.status.success(), "{line}: {output:?}");
        assert!(output.stdout.len() > 200 && output.stderr.is_empty(), "{line}: {output:?}");
    }
}

#[test]
fn second_demo_requests_only_the_list() {
    let scratch = Scratch::new();
    let first = scratch.ok(&["demo", "--db", "ranklore.sqlite"]);
    // The times of the last request and evaluation may change.
    let content = |scratch: &Scratch| {
        let mut content = scratch.everything();
        content.retain(|row| {
            let table = row.split(':').next().unwrap();
            !["document", "evaluation", "evaluation_metric", "sync_run"].contains(&table)
        });
        content
    };
    let before = (scratch.content_hash(), content(&scratch));
    let documents = "SELECT count(*), count(body) FROM document";
    assert_eq!(scratch.rows(documents), ["25|25"]);
    let second = scratch.ok(&["demo", "--db", "ranklore.sqlite"]);
    assert_eq!((scratch.content_hash(), content(&scratch)), before);
    assert_eq!(scratch.rows(documents), ["26|25"]);
    let (sync_line, rest) = second.out.split_once('\n').unwrap();
    // The table of systems has durations.
    let before_durations = |out: &str| {
        let (text, table) = out.split_once("4. Compare").unwrap();
        assert!(table.contains("coin toss"), "{table}");
        text.to_owned()
    };
    assert!(sync_line.contains("1 answer archived"), "{sync_line}");
    assert!(sync_line.ends_with("nothing new"), "{sync_line}");
    let first = first.out.split_once('\n').unwrap().1;
    assert_eq!(before_durations(first), before_durations(rest));
    let states = "SELECT state, count(*), sum(entrants), count(url) FROM contest GROUP BY state";
    assert_eq!(scratch.rows(states), ["final|24|586|0"]);
}

#[test]
fn demo_results_are_rebuilt_from_the_archive() {
    let scratch = Scratch::new();
    scratch.ok(&["demo", "--db", "ranklore.sqlite"]);
    assert_eq!(
        scratch.rows("SELECT DISTINCT reading FROM document"),
        [r#"{"site":"codeforces"}"#]
    );
    assert_eq!(scratch.rows("SELECT name FROM source"), ["lantern"]);
    let before = scratch.content_hash();
    scratch.ok(&["rebuild"]);
    assert_eq!(scratch.content_hash(), before);
    scratch.ok(&["rebuild", "lantern"]);
    assert_eq!(scratch.content_hash(), before);
    // A user's file beside the responses is still read as a contest file.
    scratch.write(
        "more.csv",
        "round,date,player,place\n25,2025-07-01,Maren Holloway-Diaz,1\n25,2025-07-01,new here,2\n",
    );
    scratch.ok(&["import", "more.csv", "--source", "lantern"]);
    scratch.ok(&["rate", "lantern"]);
    let before = scratch.content_hash();
    scratch.ok(&["rebuild"]);
    assert_eq!(scratch.content_hash(), before);
}

#[test]
fn demo_site_matches_the_league_table() {
    let scratch = Scratch::new();
    scratch.ok(&["demo", "--db", "ranklore.sqlite"]);
    let table = fixtures().join("demo/lantern-league.csv");
    let table = table.to_str().unwrap();
    scratch.ok(&["import", table, "--source", "table"]);
    scratch.ok(&["rate", "table", "--dnf", "tied"]);
    // Sorted by day, competitor and place of finishers.
    let standings = |source: &str| {
        scratch.rows(&format!(
            "SELECT ends_at / 86400, competitor.external_id, place FROM standing
             JOIN contest USING (contest_id) JOIN competitor USING (competitor_id)
             JOIN source ON source.source_id = contest.source_id
             WHERE source.name = '{source}' AND standing.status IS NULL ORDER BY 1, 2"
        ))
    };
    let (table, served) = (standings("table"), standings("lantern"));
    assert_eq!((table.len(), served.len()), (564, 586));
    assert!(table.iter().all(|row| served.contains(row)));
    // The site gives unfinished entrants the shared last place.
    let ratings = |source: &str| {
        let sql = format!(
            "SELECT run_id FROM rating_run WHERE system = 'elo-mmr'
             AND selection LIKE '%\"{source}\"%'"
        );
        let run = scratch.rows(&sql)[0].parse().unwrap();
        let mut ratings = scratch.ratings(run);
        for row in &mut ratings {
            // Except for the contest names.
            *row = row.split_once(' ').unwrap().1.to_owned();
        }
        ratings.sort();
        ratings
    };
    assert_eq!(ratings("table"), ratings("lantern"));
}

#[test]
fn demo_uses_the_named_database() {
    let scratch = Scratch::new();
    scratch.ok(&["--db", "elsewhere.sqlite", "demo"]);
    assert_eq!(scratch.list("."), ["elsewhere.sqlite", "elsewhere.sqlite.lock"]);
}

#[test]
fn demo_leaves_user_files_alone() {
    let scratch = Scratch::club();
    let before = scratch.everything();
    scratch.ok(&["demo"]);
    assert_eq!(scratch.everything(), before);
}

#[test]
fn demo_league_shows_intended_features() {
    let scratch = Scratch::new();
    scratch.ok(&["demo", "--db", "ranklore.sqlite"]);
    let board = scratch.json(&[
        "leaderboard",
        "lantern",
        "--inactive-after",
        "180",
        "--min-contests",
        "3",
    ]);
    let place = |name: &str| {
        let rows = board["rows"].as_array().unwrap();
        rows.iter()
            .find(|row| row["name"] == name)
            .map(|row| row["place"].as_u64().unwrap())
    };
    assert_eq!(place("Maren Holloway-Diaz"), Some(1));
    assert!(place("Šárka Dvořilová").unwrap() <= 5);
    assert_eq!(place("Aurelio Pantoni"), None, "inactive for long");
}

#[test]
fn official_run_is_not_stale() {
    let scratch = Scratch::new();
    scratch.ok(&["demo", "--db", "ranklore.sqlite"]);
    let official = scratch.ok(&["contest", "lantern", "20", "--run", "2"]);
    assert!(official.out.contains("2 by official"), "{}", official.out);
    assert_eq!(official.err, "");
}
