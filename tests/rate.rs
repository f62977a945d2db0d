//! Identity of runs, and ratings equal to the last bit for equal results.

use crate::support::{CommandOutput, Scratch, contest, large_contest};

#[test]
fn rating_twice_writes_nothing() {
    let scratch = Scratch::club();
    let first = scratch.json(&["rate", "club"]);
    assert_eq!(first[0]["unchanged"], false);
    let before = scratch.everything();
    let second = scratch.json(&["rate", "club"]);
    assert_eq!(second[0]["unchanged"], true);
    for field in [
        "run_id",
        "contests",
        "results",
        "without_order",
        "parameters",
        "sources",
    ] {
        assert_eq!(first[0][field], second[0][field], "{field}");
    }
    assert!(scratch.ok(&["rate", "club"]).out.contains("up to date"));
    assert_eq!(scratch.everything(), before);
}

#[test]
fn system_parameters_and_selection_identify_the_run() {
    let scratch = Scratch::club();
    let run = |arguments: &[&str]| {
        let rated = scratch.json(&[&["rate", "club"], arguments].concat());
        rated
            .as_array()
            .unwrap()
            .iter()
            .map(|r| r["run_id"].as_i64().unwrap())
            .collect::<Vec<_>>()
    };
    assert_eq!(run(&[]), [1]);
    assert_eq!(run(&["--set", "rho=0.5"]), [2]);
    assert_eq!(run(&["--set", "sigma_limit=54", "--set", "rho=0.5"]), [3]);
    assert_eq!(run(&["--system", "elo-mmx"]), [4]);
    assert_eq!(run(&["--since", "2023-10-01"]), [5]);
    assert_eq!(run(&["--until", "2023-10-01"]), [6]);
    // Written differently, but equal.
    assert_eq!(run(&["--set", "rho=1", "--set", "sigma_limit=80"]), [1]);
    assert_eq!(run(&["--set", "rho=0.50", "--system", "elo-mmr"]), [2]);
    assert_eq!(run(&["--system", "elo-mmr:sigma_limit=54:rho=0.5"]), [3]);
    assert_eq!(run(&["--system", "elo-mmr:rho=0.5,elo-mmx"]), [2, 4]);
    assert_eq!(run(&["--together"]), [1]);
    // `--since` is inclusive, `--until` exclusive.
    let contests = "SELECT run_id, contests FROM rating_run WHERE run_id > 4";
    assert_eq!(scratch.rows(contests), ["5|2", "6|2"]);
    assert_eq!(scratch.json(&["leaderboard", "club"])["run_id"], 1);
    assert_eq!(scratch.json(&["leaderboard", "--run", "2"])["parameters"]["rho"], 0.5);
    // Two systems have runs already; the others get new ones after all existing.
    let all = run(&["--all"]);
    assert_eq!(all[..2], [1, 4]);
    assert!(all[2..].iter().all(|&run| run > 6));
}

#[test]
fn contests_too_large_for_elo_are_refused_or_skipped() {
    let scratch = Scratch::new();
    scratch.write("in/1.json", contest(1, 0, &[&["a"], &["b"], &["c"]]));
    scratch.write("in/2.json", contest(2, 5, &[&["c"], &["a"]]));
    scratch.ok(&["import", "in", "--source", "club"]);
    let elo = ["rate", "club", "--system", "elo"];
    scratch
        .run(&elo)
        .exits(1)
        .says("elo rates contests of at most 2 entrants; 1 of 2 selected have more")
        .says("the largest 3 (\"Round 1\")")
        .says("elo-pairwise")
        .says("--skip-unsupported");
    assert_eq!(scratch.count("SELECT count(*) FROM rating_run"), 0);

    let skipping = [&elo[..], &["--skip-unsupported"]].concat();
    let rated = scratch.json(&skipping);
    assert_eq!(
        (&rated[0]["contests"], &rated[0]["results"], &rated[0]["unsupported"]),
        (&1.into(), &2.into(), &1.into())
    );
    assert_eq!(rated[0]["without_order"], 0);
    assert_eq!(scratch.ratings(1).len(), 2);
    let again = scratch.ok(&skipping).out;
    assert!(again.contains("up to date; 1 contest too large left out"), "{again}");
    let view = scratch.json(&["contest", "club", "1", "--run", "1"]);
    assert_eq!(view["unrated"], "too many entrants");
    // Equal ratings before the contest predict nothing.
    let evaluated = scratch.json(&["evaluate", "--run", "1"]);
    assert_eq!(evaluated["slices"][0]["results"], 0);

    let all = scratch.ok(&["rate", "club", "--all"]);
    assert!(
        all.err.contains("note: no run of club: elo rates contests of at most 2"),
        "{}",
        all.err
    );
    assert_eq!(scratch.count("SELECT count(*) FROM rating_run WHERE system = 'elo'"), 1);
    let pair = ["rate", "club", "--all", "--since", "2023-11-17"];
    let all = scratch.ok(&pair);
    assert!(!all.err.contains("note"), "{}", all.err);

    scratch.ok(&["withdraw", "club", "2"]);
    scratch.run(&skipping).exits(1).says("1 of 1 selected have more");
    let all = scratch.ok(&["rate", "club", "--all", "--skip-unsupported"]).err;
    assert!(all.contains("note: no run of club: elo"), "{all}");
}

#[test]
fn evaluate_all_compares_runs() {
    let scratch = Scratch::club();
    scratch.ok(&["rate", "club"]);
    scratch.ok(&["rate", "club", "--system", "glicko"]);
    scratch.ok(&["rate", "club", "--set", "rho=0.5"]);
    let compared = scratch.json(&["evaluate", "club", "--all"]);
    let mut runs: Vec<&serde_json::Value> = Vec::new();
    for evaluated in compared.as_array().unwrap() {
        let run = evaluated["run_id"].to_string();
        assert_eq!(evaluated, &scratch.json(&["evaluate", "--run", &run]));
        runs.push(&evaluated["run_id"]);
    }
    runs.sort_by_key(|run| run.as_i64());
    assert_eq!(runs, [1, 2, 3]);
    let comparison = scratch.ok(&["evaluate", "club", "--all"]);
    assert!(comparison.out.contains("higher is better"), "{}", comparison.out);
    assert_eq!(comparison.out.lines().count(), 2 + 3, "{}", comparison.out);
    assert!(comparison.out.contains("rho=0.5"), "{}", comparison.out);
    assert_eq!(comparison.err, "");

    scratch.write("a.json", contest(99, 99, &[&["a"], &["b"]]));
    scratch.ok(&["import", "a.json", "--source", "club"]);
    scratch.ok(&["rate", "club"]);
    let comparison = scratch.ok(&["evaluate", "club", "--all"]);
    assert_eq!(comparison.out.lines().count(), 2 + 1, "{}", comparison.out);
    assert_eq!(comparison.err.lines().count(), 2, "{}", comparison.err);
    assert!(
        comparison
            .err
            .contains("run 2 by glicko is left out: 1 contest newer than this run; `ranklore rate"),
        "{}",
        comparison.err
    );

    let selected = ["rate", "club", "--since", "2024-01-01"];
    scratch.ok(&selected);
    scratch.ok(&["withdraw", "club", "99"]);
    let comparison = scratch.ok(&["evaluate", "club", "--all"]);
    assert!(comparison.err.contains("they are withdrawn"), "{}", comparison.err);
    scratch.write("b.json", contest(98, 98, &[&["a"], &["b"]]));
    scratch.ok(&["import", "b.json", "--source", "club"]);
    scratch
        .run(&["evaluate", "club", "--all"])
        .exits(1)
        .says("no run can be evaluated");
}

#[test]
fn correction_is_rated_as_if_always_right() {
    let wrong = [
        contest(1, 0, &[&["a"], &["b"], &["c"]]),
        contest(2, 5, &[&["c"], &["a"]]),
    ];
    let right = contest(1, 0, &[&["b"], &["a"], &["c"]]);
    let scratch = Scratch::new();
    scratch.write("in/1.json", &wrong[0]);
    scratch.write("in/2.json", &wrong[1]);
    scratch.ok(&["import", "in", "--source", "club"]);
    scratch.ok(&["rate", "club"]);
    scratch.ok(&["evaluate", "club"]);
    scratch.write("in/1.json", &right);
    scratch.ok(&["import", "in", "--source", "club"]);
    let again = scratch.json(&["rate", "club"]);
    assert_eq!((&again[0]["run_id"], &again[0]["unchanged"]), (&1.into(), &false.into()));
    assert_eq!(scratch.count("SELECT count(*) FROM evaluation"), 0, "of the ratings of before");
    let fresh = Scratch::new();
    fresh.write("in/1.json", &right);
    fresh.write("in/2.json", &wrong[1]);
    fresh.ok(&["import", "in", "--source", "club"]);
    fresh.ok(&["rate", "club"]);
    assert_eq!(scratch.content_hash(), fresh.content_hash());
}

#[test]
fn thread_count_does_not_change_ratings() {
    let scratch = Scratch::new();
    for id in 1..4 {
        scratch.write(&format!("in/{id}.json"), large_contest(id, 3_000));
    }
    scratch.ok(&["import", "in", "--source", "club"]);
    let rate = |threads: &str, db: &str| {
        std::fs::copy(scratch.db(), scratch.path(db)).unwrap();
        let mut command = scratch.command(&["rate", "club", "--all", "--db", db]);
        command.env("RAYON_NUM_THREADS", threads);
        CommandOutput::run(command).exits(0);
        std::fs::copy(scratch.path(db), scratch.db()).unwrap();
        [scratch.ratings(1), scratch.ratings(2)]
    };
    let original = std::fs::read(scratch.db()).unwrap();
    let one = rate("1", "one.sqlite");
    std::fs::write(scratch.db(), original).unwrap();
    let four = rate("4", "four.sqlite");
    assert_eq!(one[0].len(), 9_000);
    assert!(one == four);
    assert_ne!(one[0], one[1]);
}

#[test]
fn import_order_does_not_change_ratings() {
    let files: Vec<String> = (1..9).map(|id| large_contest(id, 30)).collect();
    let rated = |order: &[&[usize]]| {
        let scratch = Scratch::new();
        for (part, ids) in order.iter().enumerate() {
            for &id in *ids {
                scratch.write(&format!("{part}/{id}.json"), &files[id - 1]);
            }
            scratch.ok(&["import", &part.to_string(), "--source", "club"]);
        }
        scratch.ok(&["rate", "club"]);
        (scratch.ratings(1), scratch.content_hash())
    };
    let at_once = rated(&[&[1, 2, 3, 4, 5, 6, 7, 8]]);
    assert_eq!(at_once.0.len(), 240);
    assert_eq!(rated(&[&[5, 6, 7, 8], &[1, 2, 3, 4]]), at_once);
    assert_eq!(rated(&[&[8], &[2, 4], &[1, 7], &[6], &[3, 5]]), at_once);
}

#[test]
fn simultaneous_contests_are_ordered_by_id() {
    let late = |id, first: &str, second: &str| contest(id, 1, &[&[first], &[second]]);
    let ratings = |files: &[String]| {
        let scratch = Scratch::new();
        for (index, file) in files.iter().enumerate() {
            scratch.write(&format!("in/{index}.json"), file);
        }
        scratch.ok(&["import", "in", "--source", "club"]);
        scratch.ok(&["rate", "club"]);
        scratch.ratings(1)
    };
    let files = [late(9, "a", "b"), late(10, "b", "a"), late(100, "a", "b")];
    let mut reversed = files.clone();
    reversed.reverse();
    assert_eq!(ratings(&files), ratings(&reversed));
    // 9 before 10: a, who won 9, was first at the default rating.
    let first: Vec<String> =
        ratings(&files).into_iter().filter(|row| row.starts_with("9 a")).collect();
    let alone = ratings(&files[..1]);
    assert!(alone.contains(&first[0]));
    let unsorted = files[0].replace(r#"[["a",0,0],["b",1,1]]"#, r#"[["b",1,1],["a",0,0]]"#);
    assert_ne!(unsorted, files[0]);
    assert_eq!(ratings(&[unsorted]), alone);
}

#[test]
fn starting_rating_is_the_first_rating() {
    let rated = |start: &str| {
        let scratch = Scratch::new();
        let table = format!(
            "contest,date,player,place,start rating\nA,2024-01-01,x,1,{start}\nA,2024-01-01,y,2,\n"
        );
        scratch.write("a.csv", table);
        let report = scratch.json(&["import", "a.csv", "--source", "club"]);
        assert_eq!(report["starting_ratings"], i32::from(!start.is_empty()));
        scratch.ok(&["rate", "club"]);
        let board = scratch.json(&["leaderboard", "club"]);
        let rows = board["rows"].as_array().unwrap();
        let mu = |name: &str| {
            let row = rows.iter().find(|row| row["name"] == name).unwrap();
            row["mu"].as_f64().unwrap()
        };
        (mu("x"), mu("y"))
    };
    let (plain, strong) = (rated(""), rated("2100"));
    assert!(strong.0 > plain.0 + 300.0, "{strong:?} {plain:?}");
    assert!(strong.1 > plain.1, "losing to the strong costs less: {strong:?} {plain:?}");
    assert_eq!(rated("1500"), plain, "what everybody has is no news");
}

#[test]
fn new_starting_rating_makes_the_run_stale() {
    let scratch = Scratch::new();
    let table = |start: &str| {
        format!(
            "contest,date,player,place,start rating\nA,2024-01-01,x,1,{start}\nA,2024-01-01,y,2,\n"
        )
    };
    scratch.write("a.csv", table("1700"));
    scratch.ok(&["import", "a.csv", "--source", "club"]);
    scratch.ok(&["rate", "club"]);
    scratch.write("a.csv", table("1800"));
    scratch.ok(&["import", "a.csv", "--source", "club"]);
    scratch.run(&["evaluate", "club"]).exits(1).says("is stale");
    assert_eq!(scratch.json(&["rate", "club"])[0]["unchanged"], false);
}

#[test]
fn unfinished_entrants_rank_last_and_unordered() {
    let scratch = Scratch::new();
    scratch.write(
        "a.csv",
        "contest,date,player,place,status\nA,2024-01-01,first,1,\nA,2024-01-01,last,2,\n\
         A,2024-01-01,lost,,DNF\nA,2024-01-01,cheat,,DQ\n",
    );
    scratch.ok(&["import", "a.csv", "--source", "club"]);
    scratch.ok(&["rate", "club"]);
    let order = "SELECT name, dense_rank() OVER (ORDER BY mu DESC) FROM rating
         JOIN competitor USING (competitor_id) ORDER BY 2, 1";
    assert_eq!(scratch.rows(order), ["first|1", "last|2", "cheat|3", "lost|3"]);
    // A tie of all unfinished entrants is no order.
    scratch.write(
        "b.csv",
        "contest,date,player,place,status\nB,2024-01-02,x,,DNF\nB,2024-01-02,y,,DNF\n",
    );
    scratch.ok(&["import", "b.csv", "--source", "lost"]);
    let rated = scratch.json(&["rate", "lost"]);
    assert_eq!((&rated[0]["contests"], &rated[0]["without_order"]), (&0.into(), &1.into()));
    let board = scratch.json(&["leaderboard", "lost"]);
    assert_eq!(
        (&board["total"], &board["newest_contest_at"]),
        (&0.into(), &serde_json::Value::Null)
    );
    scratch.ok(&["leaderboard", "lost"]);
    scratch.ok(&["evaluate", "lost"]);
}

#[test]
fn unfinished_entrants_can_be_excluded() {
    let scratch = Scratch::new();
    let rows = "round,date,player,place,status\n\
        1,2024-01-01,ada,1,\n1,2024-01-01,bea,2,\n1,2024-01-01,cy,,dnf\n1,2024-01-01,dot,,dnf\n\
        2,2024-02-01,bea,1,\n2,2024-02-01,cy,,dnf\n\
        3,2024-03-01,cy,1,\n3,2024-03-01,ada,2,\n";
    scratch.write("runs.csv", rows);
    scratch.ok(&["import", "runs.csv", "--source", "runs"]);
    let ever = scratch.json(&["rate", "runs"]);
    assert_eq!((&ever[0]["contests"], &ever[0]["results"]), (&3.into(), &8.into()));
    let dropped = scratch.json(&["rate", "runs", "--dnf", "drop"]);
    assert_eq!(dropped[0]["parameters"]["dnf"], "drop");
    // The second contest has one finisher, and no order without the others.
    assert_eq!((&dropped[0]["contests"], &dropped[0]["results"]), (&2.into(), &4.into()));
    assert_eq!(dropped[0]["without_order"], 1);
    let same = scratch.json(&["rate", "runs", "--set", "dnf=drop"]);
    assert_eq!(same[0]["run_id"], dropped[0]["run_id"]);
    assert_eq!(same[0]["unchanged"], true);
    let view = scratch.json(&["contest", "runs", "1", "--run", "2"]);
    assert_eq!(view["rows"][2]["mu"], serde_json::Value::Null);
    scratch.ok(&["evaluate", "runs", "--run", "2"]);
    assert_eq!(scratch.store().check().unwrap(), []);
    let ratings = scratch.ratings(2);
    scratch.ok(&["rebuild"]);
    assert_eq!(scratch.ratings(2), ratings);
    let help = "ranklore rate runs --system elo-mmr:dnf=drop";
    scratch.ok(&["withdraw", "runs", "3"]);
    let status = scratch.ok(&["status"]).out;
    assert!(status.contains(help), "{status}");
    let censored = scratch.json(&["rate", "runs", "--dnf", "censored"]);
    assert_eq!(censored[0]["run_id"], ever[0]["run_id"], "as ever");
    scratch.run(&["rate", "runs", "--dnf", "later"]).exits(2);
}

#[test]
fn weights_by_duration_need_a_start() {
    let scratch = Scratch::club();
    for command in [
        &["rate", "club", "--set", "weight=duration"][..],
        &["evaluate", "club", "--systems", "elo-mmr:weight=duration"],
    ] {
        scratch.run(command).exits(1).says("no selected contest has both");
    }
    assert_eq!(scratch.count("SELECT count(*) FROM rating_run"), 0);
    scratch.alter("UPDATE contest SET starts_at = ends_at - 3600 WHERE contest_id = 1");
    scratch.ok(&["rate", "club", "--set", "weight=duration"]);
}

#[test]
fn systems_lists_parameters_and_guarantees() {
    let scratch = Scratch::new();
    let out = scratch.ok(&["systems"]).out;
    assert!(out.contains("\n elo-mmx "), "{out}");
    let one = scratch.ok(&["systems", "elo-mmr"]).out;
    assert!(one.contains("\n rho ") && one.contains("robust"), "{one}");
    for (system, guarantees) in [
        ("elo-pairwise", "robust"),
        ("elo-pairwise:model=exponential", "robust"),
        ("elo-pairwise:model=gaussian", "none"),
        ("elo-r", "incentive compatible, robust"),
        ("elo-r:history_limit=3", "robust"),
    ] {
        let described = scratch.ok(&["systems", system]).out;
        assert!(described.contains(&format!("\nguarantees: {guarantees}\n")), "{described}");
    }
    let systems = scratch.json(&["systems"]);
    assert_eq!(systems[0]["system"], "elo-mmr");
    assert_eq!(systems[0]["parameters"]["sigma_limit"], 80.0);
    scratch.run(&["systems", "elo-9"]).exits(2).says("elo-mmr");
    assert!(scratch.list(".").is_empty());
}

#[test]
fn every_system_rates_and_is_shown() {
    let scratch = Scratch::club();
    let systems = scratch.json(&["systems"]);
    let systems = systems.as_array().unwrap();
    assert!(systems.len() >= 18);
    for system in systems {
        let name = system["system"].as_str().unwrap();
        let rate = ["rate", "club", "--skip-unsupported", "--system", name];
        let run = scratch.json(&rate)[0]["run_id"].to_string();
        let board = scratch.json(&["leaderboard", "--run", &run]);
        let k = board["k"].as_f64().unwrap();
        assert!((k * (k - 2.0) * (k - 3.0)).abs() < 1e-9, "{name}: {k}");
        let rows = board["rows"].as_array().unwrap();
        // The club has no contest of two with an order, which is all that `elo` rates.
        assert_eq!(rows.is_empty(), name == "elo", "{name}");
        for row in rows {
            let number = |field: &str| row[field].as_f64().unwrap();
            let conservative = number("mu") - k * number("sigma");
            assert!((number("conservative") - conservative).abs() < 1e-6, "{name}");
        }
        let title = scratch.ok(&["leaderboard", "--run", &run]).out;
        let how = if k > 0.0 {
            &format!("; by conservative = mu − {k}·sigma")
        } else {
            "; by rating = mu"
        };
        // The formula of the displayed rating, unless it is mu.
        let display = match name {
            "elo-r" => "; rating = mu − 2·sigma + 200",
            "codeforces-official" => {
                ", less 900, 550, 300, 150, 50 after 1 to 5 contests (if the last ended since \
                 2020-05-24)"
            }
            _ => "",
        };
        let title = title.lines().next().unwrap();
        assert!(title.ends_with(&format!("{how}{display}")), "{title}");
        scratch.ok(&["evaluate", "club", "--run", &run]);
        let one = scratch.ok(&["systems", name]).out;
        assert!(one.contains("reference: "), "{one}");
    }
    assert_eq!(scratch.store().check().unwrap(), []);
}

/// Returns three rounds of changing couples.
fn club_of_couples() -> Scratch {
    let scratch = Scratch::new();
    scratch.write(
        "couples.csv",
        "Round,Date,Rank,Team,Member\n\
         One,2024-01-01,1,ada & bo,ada\nOne,2024-01-01,1,ada & bo,bo\n\
         One,2024-01-01,2,cy & di,cy\nOne,2024-01-01,2,cy & di,di\n\
         Two,2024-02-01,1,ada & cy,ada\nTwo,2024-02-01,1,ada & cy,cy\n\
         Two,2024-02-01,2,bo & eve,bo\nTwo,2024-02-01,2,bo & eve,eve\n",
    );
    scratch.ok(&["import", ".", "--source", "club"]);
    scratch
}

#[test]
fn team_members_are_rated_on_request() {
    let scratch = club_of_couples();
    let teams_run = scratch.json(&["rate", "club", "--teams", "whole"]);
    assert_eq!((&teams_run[0]["run_id"], &teams_run[0]["results"]), (&1.into(), &4.into()));
    assert_eq!(scratch.json(&["rate", "club"])[0]["unchanged"], true);
    let people = scratch.json(&["rate", "club", "--teams", "members"]);
    assert_eq!((&people[0]["run_id"], &people[0]["results"]), (&2.into(), &8.into()));
    assert_eq!(people[0]["parameters"]["teams"], "members");
    let again = scratch.json(&["rate", "club", "--set", "teams=members"]);
    assert_eq!(again[0]["unchanged"], true);

    let board = scratch.json(&["leaderboard", "--run", "2"]);
    let names = board["rows"].as_array().unwrap().iter();
    let names: Vec<&str> = names.map(|row| row["name"].as_str().unwrap()).collect();
    assert_eq!(names[0], "ada");
    assert_eq!(names.len(), 5);

    let text = scratch.ok(&["contest", "club", "Two", "--run", "2"]).out;
    let lines: Vec<&str> = text.lines().collect();
    let team = lines.iter().position(|line| line.contains("ada & cy")).unwrap();
    assert!(lines[team + 1].trim_start().starts_with("ada "), "{text}");
    assert!(lines[team + 5].contains("eve") && lines[team + 5].contains("new"), "{text}");
    let members = ["player", "club", "ada", "--system", "elo-mmr:teams=members"];
    let text = scratch.ok(&members).out;
    assert!(text.contains("in ada & bo") && text.contains("in ada & cy"), "{text}");

    // A correction replays from there, as the message says.
    scratch.write(
        "late.csv",
        "Round,Date,Rank,Team,Member\nOne,2024-01-01,1,cy & di,cy\nOne,2024-01-01,1,cy & di,di\n\
         One,2024-01-01,2,ada & bo,ada\nOne,2024-01-01,2,ada & bo,bo\n",
    );
    scratch.ok(&["import", "late.csv", "--source", "club"]);
    let stale = scratch.ok(&["leaderboard", "--run", "2"]).err;
    assert!(stale.contains("ranklore rate club --system elo-mmr:teams=members"), "{stale}");
    let hash = {
        scratch.ok(&["rate", "club", "--teams", "members"]);
        scratch.ok(&["rate", "club"]);
        scratch.content_hash()
    };
    scratch.ok(&["rebuild"]);
    assert_eq!(scratch.content_hash(), hash);
    scratch.ok(&["check"]);
}

#[test]
fn systems_without_team_ratings_refuse_members() {
    let scratch = club_of_couples();
    let before = scratch.everything();
    let refused = scratch.run(&["rate", "club", "--system", "glicko", "--teams", "members"]);
    let refused = refused.exits(2).err;
    assert!(refused.contains("supported by elo-mmr, elo-mmx, trueskill"), "{refused}");
    assert_eq!(scratch.everything(), before);
}
