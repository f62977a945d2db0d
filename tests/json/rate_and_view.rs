//! The commands that rate, view and publish.

use std::process::Stdio;

use ranklore_contest::SourceName;
use ranklore_store::{Completeness, ContestSync, Store, SyncOutcome};
use serde_json::{Value, json};

use super::PrintedValues;
use crate::support::{Scratch, contest, fixtures};

const ADA: &str = "ada";

/// Returns four rounds, the last one incomplete, with a merged and renamed competitor, and two
/// rounds of couples.
fn league() -> Scratch {
    let scratch = Scratch::new();
    for (id, groups) in [
        (1, [&["bea"][..], &[ADA], &["cy"], &["dov"]]),
        (2, [&["bea"], &["cy"], &[ADA], &["dov"]]),
        (3, [&["ada2"], &["dov"], &["cy"], &["bea"]]),
        (4, [&["dov"], &["cy"], &["bea"], &[ADA]]),
    ] {
        let mut file: Value = serde_json::from_str(&contest(id, id * 7, &groups)).unwrap();
        file["event"] = json!("Spring series");
        file["starts_at"] = json!(1_700_000_000);
        file["site_weight"] = json!(25.0);
        file["entrants"] = json!([null, null, null, {"status": "dnf"}]);
        scratch.write(&format!("{id}.json"), file.to_string());
    }
    scratch.ok(&["import", ".", "--source", "club"]);
    scratch.ok(&["competitor", "merge", "club", "ada2", ADA]);
    scratch.ok(&["competitor", "rename", "club", ADA, "Ada L."]);
    announce_more(&scratch);
    scratch.write(
        "couples.csv",
        "Round,Date,Rank,Team,Member\n\
         One,2024-01-01,1,ada & bo,ada\nOne,2024-01-01,1,ada & bo,bo\n\
         One,2024-01-01,2,cy & di,cy\nOne,2024-01-01,2,cy & di,di\n\
         Two,2024-02-01,1,ada & cy,ada\nTwo,2024-02-01,1,ada & cy,cy\n\
         Two,2024-02-01,2,bo & eve,bo\nTwo,2024-02-01,2,bo & eve,eve\n",
    );
    scratch.ok(&["import", "couples.csv", "--source", "couples"]);
    scratch
}

/// Stores that 476 of 543 comments of the last round arrived.
fn announce_more(scratch: &Scratch) {
    let mut store = Store::open_writer(scratch.db(), "a test").unwrap();
    let club = SourceName::new("club").unwrap();
    let source_id = store.source_id(&club).unwrap().unwrap();
    let mut batch = store.batch().unwrap();
    let sync = ContestSync {
        external_id: "4".to_owned(),
        outcome: SyncOutcome::Read,
        tried_at: 1_700_000_000,
        read_at: Some(1_700_000_000),
        due_at: None,
        reason: None,
        completeness: Some(Completeness::after_sync(None, "comments", 543, 476)),
    };
    batch.upsert_contest_sync(source_id, &sync).unwrap();
    batch.commit().unwrap();
}

/// Prints `tune` and its trials.
fn print_searches(printed: &mut PrintedValues) {
    let scratch = Scratch::new();
    let table = fixtures().join("demo/lantern-league.csv");
    scratch.ok(&["import", table.to_str().unwrap(), "--source", "lantern"]);
    for options in [
        "elo-mmr,codeforces-official --trials 20",
        // Both values are at an end of their range.
        "elo-mmr --fix rho=1 --fix drift_per_day=0 --fix split_ties=false --fix weight_limit=0.2 \
         --space sigma_limit=80..90 --sampler grid --trials 3",
        // The default is much worse than the best.
        "trueskill:beta=20 --trials 20 --objective log_loss --slice all",
        "glicko --sampler random --shard 1/2",
    ] {
        let command = format!("tune lantern --train 40 --system {options}");
        let words: Vec<&str> = command.split_whitespace().collect();
        printed.run("tune", &scratch, &words);
    }
    printed.run("tune --list", &scratch, &["tune", "lantern", "--list"]);
    printed.run("tune --export", &scratch, &["tune", "lantern", "--export", "trials.jsonl"]);
    let merge = [
        "tune",
        "lantern",
        "--train",
        "40",
        "--merge",
        "trials.jsonl",
    ];
    printed.run("tune --merge", &scratch, &merge);
}

/// Prints `experiment` and `reproduce`.
fn print_experiments(printed: &mut PrintedValues) {
    let scratch = Scratch::new();
    let table = fixtures().join("demo/lantern-league.csv");
    scratch.ok(&["import", table.to_str().unwrap(), "--source", "lantern"]);
    let farm = "experiment farm oddsock_tern --honest 5 --farmed 5 --after 3 --systems elo,glicko2";
    let words: Vec<&str> = farm.split(' ').collect();
    printed.run("experiment farm", &scratch, &words);
    // One of the systems rates games of two only, and is left out.
    let systems = ["--systems", "elo,elo-mmr,glicko"];
    for (title, options) in [
        ("experiment group-size", &["--sizes", "3,all"][..]),
        ("experiment inflation", &[]),
        ("experiment performance", &[]),
        ("experiment curves", &["--most-active", "2"]),
    ] {
        let words: Vec<&str> = title.split(' ').collect();
        printed.run(title, &scratch, &[&words[..], options, &systems].concat());
    }
    let large = scratch.ok(&["synth", "--players", "120", "--rounds", "2"]).out;
    scratch.write("large.csv", large);
    scratch.ok(&["import", "large.csv", "--source", "large"]);
    let inflation = ["experiment", "inflation", "large", "--systems", "elo-mmr"];
    printed.run("experiment inflation", &scratch, &inflation);
    let sweep = "experiment performance large --systems elo-srm --sweep k=300,600";
    let words: Vec<&str> = sweep.split(' ').collect();
    printed.run("experiment performance", &scratch, &words);
    printed.run("reproduce", &scratch, &["reproduce"]);
    printed.run("reproduce NAME", &scratch, &["reproduce", "glicko-examples"]);
}

/// Prints `rate`, `systems`, `evaluate` and the views.
pub(crate) fn rated() -> PrintedValues {
    let mut printed = PrintedValues::default();
    print_experiments(&mut printed);
    let scratch = league();
    printed.run("contest", &scratch, &["contest", "club", "4"]);
    printed.run("contests", &scratch, &["contests", "club"]);
    printed.run("rate", &scratch, &["rate", "club"]);
    printed.run("rate", &scratch, &["rate", "club", "--system", "glicko"]);
    printed.run("runs name", &scratch, &["runs", "name", "1", "spring"]);
    printed.run("runs", &scratch, &["runs"]);
    printed.run("runs name", &scratch, &["runs", "name", "1", ""]);
    printed.run("runs", &scratch, &["runs"]);
    let part = ["rate", "club", "--system", "bar", "--since", "2023-11-25"];
    let part = scratch.json(&part)[0]["run_id"].to_string();
    printed.run("runs", &scratch, &["runs"]);
    printed.run("runs remove", &scratch, &["runs", "remove", &part]);
    scratch.ok(&["runs", "name", "1", "spring"]);
    for settings in [
        ["system=bar", "provisional=5"],
        ["system=default", "provisional=sigma:150"],
    ] {
        let set = [&["source", "set", "club"], &settings[..]].concat();
        printed.run("source set", &scratch, &set);
    }
    printed.run("systems", &scratch, &["systems"]);
    printed.run("evaluate", &scratch, &["evaluate", "club"]);
    let systems = ["evaluate", "club", "--systems", "elo-mmr,glicko,elo"];
    printed.run("evaluate --systems", &scratch, &systems);
    print_searches(&mut printed);
    printed.run("predict", &scratch, &["predict", "club", ADA, "bea"]);
    printed.run("predict", &scratch, &["predict", "club", "--contest", "4"]);
    printed.run("leaderboard", &scratch, &["leaderboard", "club"]);
    printed.run("player", &scratch, &["player", "club", ADA]);
    let site = ["rate", "club", "--system", "codeforces-official"];
    scratch.ok(&site);
    let site = ["--system", "codeforces-official"];
    let board = ["leaderboard", "club", "--since", "2023-11-25"];
    printed.run("leaderboard", &scratch, &[&board[..], &site].concat());
    printed.run("player", &scratch, &[&["player", "club", ADA][..], &site].concat());
    printed.run("contest", &scratch, &["contest", "club", "4"]);

    printed.run("contests", &scratch, &["contests", "club"]);
    printed.run("players", &scratch, &["players", "club"]);
    printed.run("players", &scratch, &["players", "couples"]);
    let movers = ["movers", "club", "--since", "2023-12-06"];
    printed.run("movers", &scratch, &movers);
    printed.run("movers", &scratch, &[&movers[..], &site].concat());
    let all = ["movers", "club", "--since", "2023-11-01"];
    printed.run("movers", &scratch, &all);
    let until = ["--until", "2023-12-13"];
    printed.run("movers", &scratch, &[&movers[..], &until].concat());
    // Sigma grows with time.
    let growing = ["--system", "elo-mmr:drift_per_day=20"];
    scratch.ok(&[&["rate", "club"], &growing[..]].concat());
    let views: [(&str, &[&str]); 5] = [
        ("leaderboard", &["leaderboard", "club"]),
        ("player", &["player", "club", ADA]),
        ("players", &["players", "club"]),
        ("movers", &movers),
        ("predict", &["predict", "club", ADA, "bea"]),
    ];
    for (heading, view) in views {
        printed.run(heading, &scratch, &[view, &growing[..]].concat());
    }

    scratch.ok(&["withdraw", "club", "3"]);
    printed.run("rate", &scratch, &["rate", "club"]);
    printed.run("player", &scratch, &["player", "club", ADA]);
    printed.run("contest", &scratch, &["contest", "club", "3"]);

    scratch.ok(&["import", "1.json", "--source", "o2cm"]);
    scratch.ok(&["rate", "o2cm"]);
    let settings = "UPDATE source SET provisional_contests = 3, provisional_sigma = 90;
         UPDATE rating_run SET name = 'spring'";
    scratch.raw().execute_batch(settings).unwrap();
    for source in ["club", "o2cm"] {
        printed.run("source show", &scratch, &["source", "show", source]);
    }
    printed.run("sources", &scratch, &["source", "list"]);

    let members = ["rate", "couples", "--teams", "members"];
    printed.run("rate", &scratch, &members);
    printed.run("player", &scratch, &["player", "couples", "ada", "--kind", "person"]);
    printed.run("contest", &scratch, &["contest", "couples", "Two"]);
    printed.run("versus", &scratch, &["versus", "couples", "ada", "di"]);
    print_games(&mut printed, &scratch);
    printed
}

/// Prints the views of games, before and after they are rated.
fn print_games(printed: &mut PrintedValues, scratch: &Scratch) {
    let games = "date,white,black,result\n2024-03-01,ada,bea,1-0\n2024-03-02,bea,ada,1/2-1/2\n\
                 2024-03-03,ada,cy,1-0\n2024-03-04,bea,cy,0-1\n2024-03-05,cy,ada,0-1\n";
    scratch.write("games.csv", games);
    scratch.ok(&["import", "games.csv", "--source", "chess"]);
    let versus = ["versus", "chess", "ada", "bea"];
    printed.run("versus", scratch, &versus);
    let growing = ["--system", "elo-mmr:drift_per_day=20"];
    scratch.ok(&[&["rate", "chess"], &growing[..]].concat());
    scratch.raw().execute_batch("UPDATE rating_run SET name = 'games'").unwrap();
    printed.run("versus", scratch, &versus);
    printed.run("player", scratch, &["player", "chess", "ada"]);
    printed.run("player", scratch, &["player", "chess", "bea"]);
}

/// Prints the address of `serve`.
pub(crate) fn served() -> PrintedValues {
    let mut printed = PrintedValues::default();
    let scratch = Scratch::season();
    let any_port = "127.0.0.1:0";
    let serve = [
        "serve",
        "--listen",
        any_port,
        "--metrics",
        any_port,
        "--json",
    ];
    let mut serve = scratch.command(&serve);
    let mut server = serve.stdout(Stdio::piped()).spawn().unwrap();
    let out = server.stdout.as_mut().unwrap();
    let mut values = serde_json::Deserializer::from_reader(out).into_iter();
    let value = values.next().unwrap().unwrap();
    server.kill().unwrap();
    server.wait().unwrap();
    printed.add("serve", value);
    printed
}

/// Prints `export`, `site` and `verify`.
pub(crate) fn published() -> PrintedValues {
    let mut printed = PrintedValues::default();
    let club = Scratch::club();
    club.ok(&["rate", "club"]);
    let export = ["export", "club", "--to", "out", "--with", "ratings"];
    printed.run("export", &club, &export);
    printed.run("export", &club, &export);
    let table = ["export", "club", "--table", "rating", "--to", "rating.csv"];
    printed.run("export --table", &club, &table);
    #[cfg(feature = "web")]
    for dry_run in [&["--dry-run"][..], &[]] {
        let site = [&["site", "club", "--to", "site"], dry_run].concat();
        printed.run("site", &club, &site);
    }
    printed.run("verify", &club, &["verify", "out"]);
    // A damaged dataset.
    std::fs::write(club.path("out/csv/contest.csv"), "source,contest\n").unwrap();
    let verify = ["verify", "out", "--no-import", "--json"];
    printed.add("verify", club.run(&verify).exits(1).json());
    printed
}
