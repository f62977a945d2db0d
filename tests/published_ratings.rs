//! Ratings that a table publishes with its results: the run `official`.

use crate::support::Scratch;

const LEAGUE: &str = "contest id,date,player,place,old rating,new rating
A,2024-03-01,ada,1,1500,1516
A,2024-03-01,bea,2,,1490
B,2024-03-08,cyd,1,1500,1520
B,2024-03-08,ada,2,1516,1499
";

const ALL: [&str; 4] = ["A|ada|1516", "A|bea|1490", "B|cyd|1520", "B|ada|1499"];

fn league() -> Scratch {
    let scratch = Scratch::new();
    scratch.write("league.csv", LEAGUE);
    scratch.ok(&["import", "league.csv", "--source", "league"]);
    scratch
}

#[test]
fn published_ratings_follow_merges_splits_and_withdrawals() {
    let scratch = league();
    assert_eq!(scratch.official_ratings(), ALL);
    scratch.ok(&["competitor", "merge", "league", "cyd", "bea"]);
    let merged = ["A|ada|1516", "A|bea|1490", "B|bea|1520", "B|ada|1499"];
    assert_eq!(scratch.official_ratings(), merged);
    scratch.ok(&["competitor", "split", "league", "cyd"]);
    assert_eq!(scratch.official_ratings(), ALL);
    scratch.ok(&["withdraw", "league", "A"]);
    assert_eq!(scratch.official_ratings(), ALL[2..]);
    scratch.ok(&["withdraw", "league", "A", "--undo"]);
    assert_eq!(scratch.official_ratings(), ALL);
}

#[test]
fn later_table_revises_published_ratings() {
    let scratch = league();
    let before = scratch.everything();
    scratch.ok(&["import", "league.csv", "--source", "league"]);
    assert_eq!(scratch.everything(), before);
    scratch.write("league.csv", LEAGUE.replace("1499", "1498").replace("1520", ""));
    scratch.ok(&["import", "league.csv", "--source", "league"]);
    assert_eq!(scratch.official_ratings(), ["A|ada|1516", "A|bea|1490", "B|ada|1498"]);
    // The ratings of a contest are those of the table that has it now.
    let places = "contest id,date,player,place\nB,2024-03-08,cyd,1\nB,2024-03-08,ada,1\n";
    scratch.write("places.csv", places);
    scratch.ok(&["import", "places.csv", "--source", "league"]);
    assert_eq!(scratch.official_ratings(), ALL[..2]);
}

#[test]
fn replaced_contests_lose_and_regain_their_ratings() {
    let scratch = league();
    let first = LEAGUE.lines().take(3).collect::<Vec<_>>().join("\n");
    scratch.write("league.csv", first);
    scratch.ok(&["import", "league.csv", "--source", "league", "--replace"]);
    assert_eq!(scratch.official_ratings(), ALL[..2]);
    scratch.write("league.csv", LEAGUE);
    scratch.ok(&["import", "league.csv", "--source", "league", "--replace"]);
    assert_eq!(scratch.official_ratings(), ALL);
}

#[test]
fn blank_ratings_replace_those_before() {
    let scratch = league();
    scratch.write("league.csv", LEAGUE.replace("1520", "").replace("1499", ""));
    scratch.ok(&["import", "league.csv", "--source", "league"]);
    assert_eq!(scratch.official_ratings(), ALL[..2]);
}

#[test]
fn published_ratings_are_drawn_and_compared() {
    let scratch = league();
    let curves = [
        "experiment",
        "curves",
        "league",
        "--official",
        "--svg",
        "charts",
    ];
    scratch.ok(&curves);
    assert!(scratch.list("charts").iter().any(|name| name == "official.svg"));
    let run = scratch.rows("SELECT run_id FROM rating_run WHERE system = 'official'");
    let printed = scratch.ok(&["leaderboard", "league", "--run", &run[0]]).out;
    assert!(printed.contains("1520"), "{printed}");
}
