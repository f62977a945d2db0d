//! `ranklore versus`, and the games in `ranklore player`, against numbers computed here.

use crate::support::{Scratch, contest};
use serde_json::{Value, json};

const GAMES: &str = "date,white,black,result
2024-03-01,ada,bea,1-0
2024-03-02,bea,ada,1/2-1/2
2024-03-03,ada,cy,0-1
2024-03-04,ada,bea,0-1
2024-03-05,cy,bea,1-0
";

/// Returns a folder with these games as the source `chess`.
fn games(table: &str) -> Scratch {
    let scratch = Scratch::new();
    scratch.write("games.csv", table);
    scratch.ok(&["import", "games.csv", "--source", "chess"]);
    scratch
}

fn rated(table: &str, system: &str) -> Scratch {
    let scratch = games(table);
    scratch.ok(&["rate", "chess", "--system", system]);
    scratch
}

/// The expected score of Elo.
fn elo(mu: f64, other: f64) -> f64 {
    1.0 / (1.0 + 10_f64.powf((other - mu) / 400.0))
}

#[track_caller]
fn assert_near(value: &Value, expected: f64) {
    let value = value.as_f64().unwrap();
    assert!((value - expected).abs() < 1e-9, "{value} is not {expected}");
}

/// Compares numbers of games, score and expected score.
#[track_caller]
fn assert_record(record: &Value, [won, drawn, lost]: [u32; 3], expected: f64) {
    let games = won + drawn + lost;
    let score = f64::from(won) + 0.5 * f64::from(drawn);
    let keys = ["games", "won", "drawn", "lost", "rated_games"];
    for (key, number) in keys.into_iter().zip([games, won, drawn, lost, games]) {
        assert_eq!(record[key], number, "{key} of {record}");
    }
    assert_near(&record["score"], score);
    assert_near(&record["rated_score"], score);
    assert_near(&record["expected"], expected);
}

/// Ratings by hand: all begin at 1500, and a game moves both by 32 times what was not expected.
///
/// | game | ada | bea | cy | expected score of ada |
/// |---|---|---|---|---|
/// | ada beats bea | 1516 | 1484 | 1500 | 0.5 |
/// | bea draws with ada | 1514.53 | 1485.47 | 1500 | 0.545922 |
/// | cy beats ada | 1497.86 | 1485.47 | 1516.67 | 0.520899 |
/// | bea beats ada | 1481.29 | 1502.04 | 1516.67 | 0.517826 |
fn ratings_by_hand() -> [(f64, f64); 4] {
    let second = elo(1516.0, 1484.0);
    assert!((second - 0.545_922).abs() < 1e-6);
    let ada = 1516.0 + 32.0 * (0.5 - second);
    let bea = 1484.0 - 32.0 * (0.5 - second);
    let third = elo(ada, 1500.0);
    assert!((third - 0.520_899).abs() < 1e-6);
    let before_last = ada - 32.0 * third;
    let last = elo(before_last, bea);
    assert!((last - 0.517_826).abs() < 1e-6);
    let end = (before_last - 32.0 * last, bea + 32.0 * last);
    assert!((end.0 - 1_481.29).abs() < 0.01 && (end.1 - 1_502.04).abs() < 0.01);
    [
        (1_500.0, 1_500.0),
        (1_516.0, 1_484.0),
        (before_last, bea),
        end,
    ]
}

#[test]
fn games_of_two_match_ratings_by_hand() {
    let scratch = rated(GAMES, "elo");
    let [first, second, last, end] = ratings_by_hand();
    let expected = [first, second, last].map(|(ada, bea)| elo(ada, bea));
    let view = scratch.json(&["versus", "chess", "ada", "bea", "--as-of", "2024-03-04"]);
    assert_record(&view["record"], [1, 1, 1], expected.iter().sum());
    let sides = view["sides"].as_array().unwrap();
    assert_eq!((&sides[0]["side"], &sides[1]["side"]), (&json!("white"), &json!("black")));
    assert_record(&sides[0], [1, 0, 1], expected[0] + expected[2]);
    assert_record(&sides[1], [0, 1, 0], expected[1]);
    assert_near(&view["next"]["win"], elo(end.0, end.1));
    assert_near(&view["next"]["loss"], elo(end.1, end.0));
    assert_near(&view["next"]["expected"], elo(end.0, end.1));
    assert_eq!(view["next"]["draw"], 0.0);
    // The newest game first.
    let rows = view["rows"].as_array().unwrap();
    let results: Vec<&Value> = rows.iter().map(|row| &row["result"]).collect();
    assert_eq!(results, ["lost", "drawn", "won"]);
    for (row, before) in rows.iter().rev().zip([first, second, last]) {
        assert_near(&row["first"]["mu"], before.0);
        assert_near(&row["second"]["mu"], before.1);
        assert_near(&row["expected"], elo(before.0, before.1));
    }
    assert_eq!(rows[1]["first"]["side"], "black");
    assert_eq!(rows[1]["second"]["side"], "white");
    let newcomers = |row: &Value| row["first"]["rated_before"] == false;
    assert!(newcomers(&rows[2]) && !newcomers(&rows[1]));
    // From the other side.
    let other = scratch.json(&["versus", "chess", "bea", "ada", "--as-of", "2024-03-04"]);
    assert_record(&other["record"], [1, 1, 1], 3.0 - expected.iter().sum::<f64>());
    assert_eq!(other["next"]["win"], view["next"]["loss"]);
}

#[test]
fn player_shows_record_sides_best_win_and_opponents() {
    let scratch = rated(GAMES, "elo");
    let [first, second, last, _] = ratings_by_hand();
    let against_bea: f64 = [first, second, last].map(|(ada, bea)| elo(ada, bea)).iter().sum();
    let against_cy = elo(1516.0 + 32.0 * (0.5 - elo(1516.0, 1484.0)), 1500.0);
    let record = &scratch.json(&["player", "chess", "ada"])["record"];
    assert_record(record, [1, 1, 2], against_bea + against_cy);
    let opponents = record["opponents"].as_array().unwrap();
    let names: Vec<&Value> = opponents.iter().map(|opponent| &opponent["name"]).collect();
    assert_eq!(names, ["bea", "cy"]);
    assert_record(&opponents[0], [1, 1, 1], against_bea);
    assert_record(&opponents[1], [0, 0, 1], against_cy);
    assert_eq!(opponents[1]["last_game_at"], 1_709_424_000);
    // The only win was against a newcomer.
    assert_eq!(record["best_win"], Value::Null);
    let bea = &scratch.json(&["player", "chess", "bea"])["record"]["best_win"];
    assert_eq!(bea["opponent"]["name"], "ada");
    assert_near(&bea["opponent_mu"], last.0);
    let text = scratch.ok(&["player", "chess", "ada"]).out;
    for expected in [
        " games         4: 1 won, 1 drawn, 2 lost\n",
        " score         1.5 of 4 (37.5 %), expected 2.1\n",
        " as white      1 of 3 (33.3 %), expected 1.5\n",
        " as black      0.5 of 1 (50.0 %), expected 0.5\n",
        "\nopponents:\n",
    ] {
        assert!(text.contains(expected), "no {expected:?} in {text}");
    }
    let one = scratch.ok(&["player", "chess", "ada", "--opponents", "1"]).out;
    assert!(one.contains("\n1 more opponent: --opponents all\n"), "{one}");
    let all = scratch.ok(&["player", "chess", "ada", "--opponents", "all"]).out;
    assert!(!all.contains("more opponent"), "{all}");
    let none = scratch.ok(&["player", "chess", "ada", "--opponents", "0"]).out;
    assert!(!none.contains("opponents:\n") && none.contains("2 more opponents"), "{none}");
    let wrong = scratch.run(&["player", "chess", "ada", "--opponents", "few"]);
    wrong.exits(2).says("expected a number or all");
}

#[test]
fn advantage_of_white_counts_in_expected_scores() {
    let scratch = rated(GAMES, "elo:advantage=60");
    let view = scratch.json(&["versus", "chess", "ada", "bea"]);
    let rows = view["rows"].as_array().unwrap();
    assert_near(&rows[2]["expected"], elo(1560.0, 1500.0));
    let mu = |row: &Value| row["mu"].as_f64().unwrap();
    let (black, white) = (mu(&rows[1]["first"]), mu(&rows[1]["second"]));
    assert_near(&rows[1]["expected"], elo(black, white + 60.0));
}

#[test]
fn expected_scores_match_the_probabilities_of_contests() {
    for system in [
        "glicko",
        "glicko2:advantage=30",
        "elo-mmr",
        "codeforces",
        "topcoder",
    ] {
        let scratch = rated(GAMES, system);
        let view = scratch.json(&["versus", "chess", "ada", "bea", "--system", system]);
        let mut compared = 0;
        for row in view["rows"].as_array().unwrap() {
            let id = row["contest"].as_str().unwrap();
            let contest = scratch.json(&["contest", "chess", id, "--system", system]);
            let expected = row["expected"].as_f64().unwrap();
            let chance = match row["result"].as_str().unwrap() {
                "won" => expected,
                "lost" => 1.0 - expected,
                _ => continue,
            };
            assert_near(&contest["result_probability"], chance);
            compared += 1;
        }
        assert_eq!(compared, 2, "{system}");
    }
}

#[test]
fn chances_are_those_of_predict() {
    for system in ["elo", "glicko2", "trueskill", "elo-mmr:drift_per_day=20"] {
        let scratch = rated(GAMES, system);
        for (first, second) in [("ada", "bea"), ("bea", "ada"), ("ada", "cy")] {
            for options in [&[][..], &["--as-of", "2024-03-02"]] {
                let run = |command| {
                    let names = [command, "chess", first, second, "--system", system];
                    scratch.json(&[&names[..], options].concat())
                };
                let (view, prediction) = (run("versus"), run("predict"));
                let pair = &prediction["pairs"][0];
                let [win, loss] = if pair["first"] == first {
                    ["above", "below"]
                } else {
                    ["below", "above"]
                };
                assert_eq!(view["next"]["win"], pair[win], "{system}");
                assert_eq!(view["next"]["draw"], pair["tied"], "{system}");
                assert_eq!(view["next"]["loss"], pair[loss], "{system}");
                assert_eq!(view["sigma_as_of"], prediction["sigma_as_of"], "{system}");
            }
        }
    }
}

#[test]
fn stored_sigma_is_used_on_request() {
    let growing = "elo-mmr:drift_per_day=20";
    let scratch = rated(GAMES, growing);
    // A day before the newest game.
    let versus = ["versus", "chess", "ada", "cy"];
    let grown = scratch.json(&versus);
    let stored = scratch.json(&[&versus[..], &["--as-stored"]].concat());
    let ada = scratch.json(&["player", "chess", "ada"]);
    assert_eq!(grown["first"]["sigma"], ada["sigma"]);
    assert_eq!(stored["first"]["sigma"], ada["stored_sigma"]);
    assert!(grown["first"]["sigma"].as_f64() > stored["first"]["sigma"].as_f64());
    assert_ne!(grown["next"], stored["next"]);
    assert_eq!(grown["record"], stored["record"]);
    assert_eq!(stored["sigma_as_of"], Value::Null);
}

#[test]
fn games_are_shown_before_they_are_rated() {
    let scratch = games(GAMES);
    let view = scratch.json(&["versus", "chess", "ada", "bea"]);
    assert_eq!(view["run_id"], Value::Null);
    assert_eq!(view["next"], Value::Null);
    let record = &view["record"];
    assert_eq!((&record["games"], &record["score"]), (&json!(3), &json!(1.5)));
    assert_eq!((&record["rated_games"], &record["expected"]), (&json!(0), &Value::Null));
    assert_eq!(view["rows"][0]["first"]["mu"], Value::Null);
    let text = scratch.ok(&["versus", "chess", "ada", "bea"]).out;
    assert!(text.contains(" score     1.5 of 3 (50.0 %)\n"), "{text}");
    assert!(!text.contains("next game") && !text.contains("expected"), "{text}");
}

#[test]
fn games_that_the_run_does_not_rate_have_no_expected_score() {
    let scratch = rated(GAMES, "elo");
    scratch.write("games.csv", format!("{GAMES}2024-03-06,bea,ada,0-1\n"));
    scratch.ok(&["import", "games.csv", "--source", "chess"]);
    let view = scratch.ok(&["versus", "chess", "ada", "bea"]);
    assert!(view.err.contains("1 contest newer than this run"), "{}", view.err);
    assert!(
        view.out
            .contains("score      2.5 of 4 (62.5 %); in 3 rated games 1.5, expected 1.6\n"),
        "{}",
        view.out
    );
    let player = scratch.ok(&["player", "chess", "ada"]).out;
    assert!(player.contains("  1.6 of 3  2024-03-06\n"), "{player}");
    // A withdrawn game does not count.
    scratch.ok(&["withdraw", "chess", "2024-03-01 ada – bea"]);
    let view = scratch.json(&["versus", "chess", "ada", "bea"]);
    assert_eq!(view["record"]["games"], 3);
}

#[test]
fn competitors_who_never_met_have_chances() {
    let table = format!("{GAMES}2024-03-06,dov,eve,1-0\n");
    let scratch = rated(&table, "elo");
    let text = scratch.ok(&["versus", "chess", "ada", "dov"]).out;
    assert!(text.contains("\nno games between them\n"), "{text}");
    assert!(text.contains(" next game  ada 45.0 %, dov 55.0 %;"), "{text}");
    let view = scratch.json(&["versus", "chess", "ada", "dov"]);
    assert_eq!((&view["total"], &view["record"]["games"]), (&json!(0), &json!(0)));
    assert_near(&view["next"]["win"], elo(ratings_by_hand()[3].0, 1516.0));
}

#[test]
fn names_are_checked() {
    let scratch = rated(GAMES, "elo");
    let same = scratch.run(&["versus", "chess", "ada", "Ada"]).exits(1);
    same.says("\"ada\" and \"Ada\" are the same competitor: name two different ones");
    scratch.ok(&["competitor", "merge", "chess", "cy", "ada"]);
    let same = scratch.run(&["versus", "chess", "cy", "ada"]).exits(1);
    same.says("\"cy\" and \"ada\" are the same competitor");
    let unknown = scratch.run(&["versus", "chess", "ada", "nobody"]).exits(1);
    unknown.says("there is no competitor like \"nobody\" in chess");
    let games = scratch.ok(&["versus", "chess", "ada", "BEA"]);
    assert!(games.err.contains("no exact match for \"BEA\"; showing \"bea\""));
    for words in [&["ada"][..], &["chess", "ada", "bea", "cy"]] {
        let wrong = scratch.run(&[&["versus"], words].concat()).exits(2);
        wrong.says("name two competitors");
    }
    let missing = scratch.run(&["versus", "chess", "ada"]).exits(2);
    missing.says("\"chess\" is a source, and the name to find is missing");
    scratch.ok(&["versus", "ada", "bea"]);
}

#[test]
fn merged_accounts_count_for_one_competitor() {
    let scratch = rated(GAMES, "elo");
    // Games between both accounts are none.
    scratch.ok(&["competitor", "merge", "chess", "cy", "ada"]);
    scratch.ok(&["rate", "chess"]);
    let record = &scratch.json(&["player", "chess", "ada"])["record"];
    assert_eq!((&record["games"], &record["won"]), (&json!(4), &json!(2)));
    assert_eq!(record["opponents_total"], 1);
    assert_eq!(
        record["expected"],
        scratch.json(&["versus", "ada", "bea"])["record"]["expected"]
    );
}

#[test]
fn contests_of_more_than_two_show_nothing_new() {
    let scratch = Scratch::season();
    let view = scratch.json(&["player", "club", "ann"]);
    assert_eq!(view["record"], Value::Null);
    let text = scratch.ok(&["player", "club", "ann"]).out;
    assert!(!text.contains("games") && !text.contains("opponents"), "{text}");
    let versus = scratch.json(&["versus", "club", "ann", "bea"]);
    assert_eq!(versus["total"], 0);
}

#[test]
fn entrant_without_a_place_loses() {
    let scratch = Scratch::new();
    let lost = (&[&["ada"][..], &["bea"]][..], json!([null, {"status": "dnf"}]));
    let neither = (&[&["ada", "bea"][..]][..], json!([{"status": "dq"}, {"status": "dnf"}]));
    for (id, (groups, statuses)) in (1..).zip([lost, neither]) {
        let mut file: Value = serde_json::from_str(&contest(id, id, groups)).unwrap();
        file["entrants"] = statuses;
        scratch.write(&format!("{id}.json"), file.to_string());
    }
    scratch.ok(&["import", ".", "--source", "club"]);
    scratch.ok(&["rate", "club"]);
    let record = &scratch.json(&["versus", "club", "ada", "bea"])["record"];
    assert_eq!((&record["games"], &record["won"]), (&json!(1), &json!(1)));
}

const TEAMS: &str = "Round,Date,Rank,Team,Member
One,2024-01-01,1,ada & bo,ada
One,2024-01-01,1,ada & bo,bo
One,2024-01-01,2,cy & di,cy
One,2024-01-01,2,cy & di,di
Two,2024-02-01,1,ada & cy,ada
Two,2024-02-01,1,ada & cy,cy
Two,2024-02-01,2,bo & eve,bo
Two,2024-02-01,2,bo & eve,eve
Three,2024-03-01,1,cy & di,cy
Three,2024-03-01,1,cy & di,di
Three,2024-03-01,1,ada & bo,ada
Three,2024-03-01,1,ada & bo,bo
";

#[test]
fn games_of_teams_count_for_teams_or_members() {
    let scratch = Scratch::new();
    scratch.write("teams.csv", TEAMS);
    scratch.ok(&["import", "teams.csv", "--source", "pairs"]);
    scratch.ok(&["rate", "pairs"]);
    let team_games = scratch.json(&["versus", "pairs", "ada & bo", "cy & di"]);
    assert_eq!(
        (&team_games["record"]["won"], &team_games["record"]["drawn"]),
        (&json!(1), &json!(1))
    );
    assert_eq!(team_games["rows"][0]["first"]["team"], Value::Null);
    // People take no part in a run of teams.
    let people = ["versus", "pairs", "ada", "cy"];
    assert_eq!(scratch.json(&people)["total"], 0);

    let members = ["rate", "pairs", "--teams", "members"];
    let run = scratch.json(&members)[0]["run_id"].to_string();
    let with_run =
        |names: [&'static str; 2]| [&["versus", "pairs"], &names[..], &["--run", &run]].concat();
    let view = scratch.json(&with_run(["ada", "cy"]));
    // They won the second game together.
    assert_eq!((&view["record"]["won"], &view["record"]["drawn"]), (&json!(1), &json!(1)));
    let [last, first] = [&view["rows"][0], &view["rows"][1]];
    assert_eq!(
        (&last["first"]["team"], &last["second"]["team"]),
        (&json!("ada & bo"), &json!("cy & di"))
    );
    assert_near(&first["expected"], 0.5);
    assert_near(&first["first"]["mu"], 3_000.0);
    // The sums of the ratings after the second game.
    let mu = |name: &str| {
        let player = [
            "player",
            "pairs",
            name,
            "--kind",
            "person",
            "--as-of",
            "2024-02-01",
        ];
        let player = scratch.json(&[&player[..], &["--run", &run]].concat());
        player["mu"].as_f64().unwrap()
    };
    assert_near(&last["first"]["mu"], mu("ada") + mu("bo"));
    assert_near(&last["second"]["mu"], mu("cy") + mu("di"));
    let text = scratch.ok(&with_run(["ada", "cy"])).out;
    assert!(text.contains("in ada & bo against cy & di"), "{text}");
    let player = ["player", "pairs", "ada", "--kind", "person", "--run", &run];
    let record = &scratch.json(&player)["record"];
    assert_eq!((&record["games"], &record["won"]), (&json!(3), &json!(2)));
    assert_eq!(record["opponents"][0]["name"], "cy & di");
    let refused = scratch.run(&with_run(["ada & bo", "cy & di"])).exits(1);
    refused.says("is a team, and this run rates members");
}

#[test]
fn names_of_opponents_are_escaped_and_forgotten() {
    let evil = "b\u{1b}[2Jea";
    let scratch = Scratch::new();
    for id in 1..=2 {
        scratch.write(&format!("{id}.json"), contest(id, id, &[&[evil], &["ada"]]));
    }
    scratch.ok(&["import", ".", "--source", "club"]);
    scratch.ok(&["rate", "club"]);
    let views: [&[&str]; 2] = [&["player", "club", "ada"], &["versus", "club", "ada", evil]];
    for view in views {
        for format in ["table", "markdown"] {
            let text = scratch.ok(&[view, &["--format", format]].concat()).out;
            assert!(!text.contains('\u{1b}') && text.contains("[2Jea"), "{text:?}");
        }
    }
    scratch.ok(&["forget", "--yes", "club", evil]);
    let record = &scratch.json(&["player", "club", "ada"])["record"];
    assert_eq!(record["opponents"][0]["name"], "forgotten-1");
    let versus = scratch.ok(&["versus", "club", "ada", "forgotten-1"]).out;
    assert!(versus.starts_with("ada against forgotten-1 of club\n"), "{versus}");
}
