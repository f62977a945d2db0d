//! Invalid input is refused by name, with the right exit code, and affects nothing else.

use crate::support::{CommandOutput, Scratch, archive, contest};
use ranklore_store::Store;

/// Imports the folder `in` into `club`.
fn import(scratch: &Scratch, options: &[&str]) -> CommandOutput {
    scratch.run(&[&["import", "in", "--source", "club"], options].concat())
}

fn rated_club() -> Scratch {
    let club = Scratch::club();
    club.ok(&["rate", "club"]);
    club
}

fn contests(scratch: &Scratch) -> Vec<String> {
    scratch.rows("SELECT external_id FROM contest ORDER BY 1")
}

#[test]
fn invalid_contest_is_named_and_others_imported() {
    let scratch = Scratch::new();
    scratch.write("in/1.json", contest(1, 0, &[&["a"], &["b"]]));
    scratch.write("in/2.json", contest(2, 0, &[&["a"], &["b"], &["a"]]));
    scratch.write(
        "in/3.json",
        r#"[{"name": "Gap", "time_seconds": 1700000000, "standings": [["a", 0, 0], ["b", 2, 2]]},
            {"name": "Good", "id": 30, "time_seconds": 1700000000, "standings": [["a", 0, 0], ["b", 1, 1]]},
            {"name": "Milliseconds", "time_seconds": 1700000000000, "standings": [["a", 0, 0]]},
            {"name": "Typo", "time_seconds": 1700000000, "standings": [["a", 0, "0"]]}]"#,
    );
    scratch.write("in/4.json", "{\"name\": \"cut off\",\n");
    let done = import(&scratch, &[]).exits(3);
    for words in [
        "2.json: contest \"Round 2\": \"a\" stands twice, in rows 1 and 3",
        "3.json: [0].standings[1]: contest \"Gap\"",
        "3.json: [2].time_seconds: contest \"Milliseconds\"",
        "3.json: [3].standings[0][2]: expected a whole number, found the text \"0\" (line 4 column",
        "4.json: line 2: this is not JSON",
        "refused 5 items, named above",
    ] {
        assert!(done.err.contains(words), "no {words:?} in\n{}", done.err);
    }
    assert_eq!(contests(&scratch), ["1", "30"]);
    // Importing again refuses the same and changes nothing.
    let before = scratch.everything();
    let again = import(&scratch, &["--json"]).exits(3);
    assert_eq!(again.json()["refused"].as_array().unwrap().len(), 5);
    assert_eq!(again.json()["refused"][0]["document"], "2.json");
    assert_eq!(scratch.everything(), before);
}

#[test]
fn many_errors_are_summarised() {
    let scratch = Scratch::new();
    let wrong: Vec<&str> = vec!["{\"name\": \"x\", \"standings\": []}"; 1_000];
    scratch.write("in/a.json", format!("[{}]", wrong.join(",\n")));
    let done = import(&scratch, &[])
        .exits(3)
        .says("a.json: [9]: the field \"time_seconds\" is missing");
    let done = done.says("a.json: and 990 more").says("refused 1,000 items");
    assert!(done.err.lines().count() < 15, "{}", done.err);
    let done = import(&scratch, &["--dry-run"]).exits(3).says("960 more refused");
    assert!(done.err.lines().count() < 45, "{}", done.err);
    // JSON has the first hundred, and counts all.
    let report = import(&scratch, &["--json"]).exits(3).json();
    assert_eq!(report["refused"].as_array().unwrap().len(), 100);
    assert_eq!(report["total_refused"], 1_000);
}

#[test]
fn invalid_row_is_named_by_line() {
    let scratch = Scratch::new();
    scratch.write(
        "in/a.csv",
        "contest,date,player,place\nA,2024-01-01,x,1\nA,2024-01-01,y,2\nA,2024-01-01,x,3\n\
         B,2024-02-01,x,1\nB,2024-02-01,y,2\nC,2024-03-01,x,first\nC,2024-03-01,y,2\n",
    );
    import(&scratch, &[])
        .exits(3)
        .says("a.csv: line 4: contest \"A\": \"x\" stands twice, on lines 2 and 4")
        .says("a.csv: line 7: contest \"C\": place \"first\"");
    assert_eq!(contests(&scratch).len(), 1);
}

#[test]
fn duplicate_contest_in_one_import_is_an_error() {
    let scratch = Scratch::new();
    scratch.write("in/1.json", contest(7, 0, &[&["a"], &["b"]]));
    scratch.write("in/2.json", contest(7, 1, &[&["b"], &["a"]]));
    import(&scratch, &[])
        .exits(3)
        .says("2.json: contest \"Round 7\": \"7\" is also the id of a contest in 1.json");
    assert_eq!(scratch.rows("SELECT revision, document_id FROM contest"), ["1|1"]);
    scratch.write("in/2.json", format!("[{0},{0}]", contest(8, 1, &[&["b"], &["a"]])));
    import(&scratch, &[]).exits(3).says("2.json: [1]: contest \"Round 8\"");
    // A dry run reports it too.
    import(&scratch, &["--dry-run"])
        .exits(3)
        .says("2.json: [1]: contest \"Round 8\"");
}

#[test]
fn ambiguous_dates_need_the_dates_option() {
    let scratch = Scratch::new();
    let table = "contest,date,player,place\nA,03/04/2024,x,1\nA,03/04/2024,y,2\n";
    scratch.write("in/a.csv", table);
    import(&scratch, &[])
        .exits(3)
        .says("03/04/2024")
        .says("--dates dmy")
        .says("--dates mdy");
    assert_eq!(scratch.list("."), ["in"]);
    import(&scratch, &["--dates", "mdy"]).exits(0);
    let date = "SELECT date(ends_at, 'unixepoch') FROM contest";
    assert_eq!(scratch.rows(date), ["2024-03-04"]);
    let other = Scratch::new();
    other.write("in/a.csv", table);
    import(&other, &["--dates", "dmy"]).exits(0);
    assert_eq!(other.rows(date), ["2024-04-03"]);
    import(&other, &["--dates", "ymd"]).exits(2).says("dmy");
}

#[test]
fn paths_without_contests_create_no_file() {
    let scratch = Scratch::new();
    std::fs::create_dir(scratch.path("in")).unwrap();
    import(&scratch, &[]).exits(1).says("no contest files in in");
    scratch.write("in/notes.md", "");
    import(&scratch, &[]).exits(1).says("no contest files in in");
    scratch.write("in/notes.in", "");
    let source = ["--source", "club"];
    for (path, words) in [
        ("in/notes.in", "save or export it as .csv"),
        ("nowhere", "nowhere cannot be read"),
    ] {
        let done = scratch.run(&[&["import", path], &source[..]].concat()).exits(1);
        done.says(words).says("nothing was imported");
    }
    // A valid path beside an invalid one is not imported alone.
    scratch.write("good.json", contest(1, 0, &[&["a"], &["b"]]));
    scratch.run(&["import", "good.json", "nowhere", "--source", "club"]).exits(1);
    assert_eq!(scratch.list("."), ["good.json", "in"]);
}

#[test]
fn truncated_archive_is_refused_whole() {
    let scratch = Scratch::new();
    let files: Vec<(String, String)> = (1..60)
        .map(|id| (format!("{id}.json"), crate::support::large_contest(id, 50)))
        .collect();
    let intact = archive(files.iter().map(|(name, file)| (name.as_str(), file.as_bytes())));
    for cut in [0, 3, intact.len() / 2, intact.len() - 300] {
        scratch.write("in.tar.zst", &intact[..cut]);
        let done = scratch.run(&["import", "in.tar.zst", "--source", "club"]).exits(1);
        done.says("nothing was imported").says("in.tar.zst is truncated or damaged");
        assert_eq!(scratch.list("."), ["in.tar.zst"], "{cut}");
    }
    scratch.write("in.tar.zst", archive([("readme.md", &b""[..])]));
    scratch
        .run(&["import", "in.tar.zst", "--source", "club"])
        .exits(1)
        .says("no contest files");
    scratch.write("in.tar.zst", &intact);
    scratch.ok(&["import", "in.tar.zst", "--source", "club"]);
    assert_eq!(scratch.count("SELECT count(*) FROM contest"), 59);
}

#[cfg(unix)]
#[test]
fn broken_link_costs_only_itself() {
    let scratch = Scratch::new();
    scratch.write("in/1.json", contest(1, 0, &[&["a"], &["b"]]));
    std::os::unix::fs::symlink("/nonexistent", scratch.path("in/notes")).unwrap();
    std::os::unix::fs::symlink(scratch.path("in"), scratch.path("in/loop")).unwrap();
    import(&scratch, &[]).exits(0);
    std::os::unix::fs::symlink("/nonexistent", scratch.path("in/2.json")).unwrap();
    import(&scratch, &[]).exits(3).says("2.json: cannot be read");
    assert_eq!(contests(&scratch), ["1"]);
}

#[test]
fn wrong_usage_exits_2() {
    let scratch = Scratch::club();
    for (arguments, words) in [
        (&["import", "x.json"][..], "--source"),
        (&["import", "x.json", "--source", "a b"], "a source name"),
        (&["import", "--source", "a"], "<PATH>"),
        (&["rate", "club", "--system", "elo-9"], "elo-mmr, elo-mmx"),
        (&["rate", "club", "--set", "rho"], "key=value"),
        (&["rate", "club", "--set", "rhoo=1"], "`rhoo`"),
        (&["rate", "club", "--set", "rho=-1"], "0 or more"),
        (&["rate", "club", "--set", "weight_limit=null"], "weight_limit"),
        (&["rate", "club", "--all", "--system", "elo-mmx"], "cannot be used with"),
        (&["rate", "club", "--since", "yesterday"], "2024-01-31"),
        (&["leaderboard", "club", "--k", "nan"], "0 or more"),
        (&["leaderboard", "club", "--as-of", "31.1.2024"], "2024-01-31"),
        (&["withdraw"], "<SOURCE>"),
        (&["evaluate", "club", "--run", ""], "id or the name of a run"),
        (&["evaluate", "club", "--system", "elo-mmr:rho"], "key=value"),
        (&["frobnicate"], "frobnicate"),
        (&["--bogus"], "--bogus"),
    ] {
        let done = scratch.run(arguments).exits(2).says(words);
        assert_eq!(done.out, "", "{arguments:?}");
    }
    assert_eq!(scratch.count("SELECT count(*) FROM rating_run"), 0);
}

#[test]
fn missing_source_is_reported_with_known_ones() {
    let scratch = Scratch::new();
    for command in ["rate", "evaluate", "leaderboard"] {
        scratch
            .run(&[command, "club"])
            .exits(1)
            .says("there is no database")
            .says("import");
    }
    assert_eq!(scratch.list("."), [""; 0], "asking makes no file");
    let scratch = Scratch::club();
    for command in ["rate", "evaluate", "leaderboard"] {
        let done = scratch.run(&[command, "klub"]).exits(1);
        done.says("no source \"klub\"").says("it has club");
    }
    for command in ["evaluate", "leaderboard"] {
        scratch.run(&[command, "club"]).exits(1).says("run `ranklore rate club` first");
        scratch.run(&[command, "--run", "1"]).exits(1).says("no run 1");
    }
    scratch.ok(&["rate", "club"]);
    scratch
        .run(&["leaderboard", "--run", "9"])
        .exits(1)
        .says("no run 9")
        .says("\n  1 by elo-mmr");
    scratch
        .run(&["rate", "club", "--since", "2030-01-01"])
        .exits(1)
        .says("since 2030-01-01");
}

#[test]
fn one_missing_source_prevents_all_ratings() {
    let scratch = Scratch::club();
    scratch.run(&["rate", "club", "klub"]).exits(1).says("no source \"klub\"");
    assert_eq!(scratch.count("SELECT count(*) FROM rating_run"), 0);
}

#[test]
fn sources_rated_apart_need_together_option() {
    let scratch = Scratch::club();
    scratch.write("a.json", contest(1, 0, &[&["a"], &["b"]]));
    scratch.ok(&["import", "a.json", "--source", "other"]);
    let rated = scratch.json(&["rate", "club", "other"]);
    assert_eq!(rated.as_array().unwrap().len(), 2);
    let done = scratch.run(&["leaderboard", "club", "other"]).exits(1);
    done.says("`ranklore rate club other --together`");
    let together = scratch.json(&["rate", "club", "other", "--together"]);
    assert_eq!(together[0]["run_id"], 3);
    assert_eq!(scratch.json(&["leaderboard", "other", "club"])["run_id"], 3);
}

#[test]
fn foreign_file_is_left_alone() {
    let scratch = Scratch::new();
    scratch.write("a.json", contest(1, 0, &[&["a"], &["b"]]));
    let notes = "my notes, not a database; ".repeat(100);
    scratch.write("ranklore.sqlite", &notes);
    for arguments in [
        &["leaderboard", "club"][..],
        &["import", "a.json", "--source", "club"],
    ] {
        scratch.run(arguments).exits(1).says("is not a SQLite file").says("--db");
    }
    assert_eq!(std::fs::read_to_string(scratch.db()).unwrap(), notes);
    scratch
        .run(&["leaderboard", "club", "--db", "."])
        .exits(1)
        .says("is a folder, not a file");
    scratch
        .run(&["leaderboard", "club", "--db", "no/such/file"])
        .exits(1)
        .says("no/such/file");
    let other = rusqlite::Connection::open(scratch.path("other.sqlite")).unwrap();
    other.execute_batch("CREATE TABLE mine (x)").unwrap();
    let done = scratch.run(&[
        "import",
        "a.json",
        "--source",
        "club",
        "--db",
        "other.sqlite",
    ]);
    done.exits(1).says("of another program");
}

#[test]
fn second_writer_is_refused_and_readers_work() {
    let scratch = Scratch::club();
    scratch.ok(&["rate", "club"]);
    scratch.write("a.json", contest(99, 99, &[&["a"], &["b"]]));
    let writer = Store::open_writer(scratch.db(), "a test that holds on").unwrap();
    for arguments in [
        &["import", "a.json", "--source", "club"][..],
        &["rate", "club"],
        &["evaluate", "club"],
        &["demo", "--db", "ranklore.sqlite"],
    ] {
        let done = scratch.run(arguments).exits(5);
        let holder = format!("process {} (a test that holds on)", std::process::id());
        done.says("in use by").says(&holder);
    }
    scratch.ok(&["leaderboard", "club"]);
    scratch.ok(&["import", "a.json", "--source", "club", "--dry-run"]);
    drop(writer);
    scratch.ok(&["import", "a.json", "--source", "club"]);
}

#[test]
fn stale_run_is_shown_with_warning_and_not_evaluated() {
    let scratch = Scratch::club();
    scratch.ok(&["rate", "club", "--set", "rho=inf"]);
    scratch.ok(&["evaluate", "club"]);
    assert_eq!(scratch.ok(&["leaderboard", "club"]).err, "");
    scratch.write("a.json", contest(99, 99, &[&["a"], &["b"]]));
    scratch.ok(&["import", "a.json", "--source", "club"]);
    // The suggested command repeats the same run, not one with other parameters.
    let command = "ranklore rate club --system elo-mmr:rho=inf";
    scratch.run(&["evaluate", "club"]).exits(1).says("run 1 is stale").says(command);
    scratch.ok(&["leaderboard", "club"]).says(command);
    let words: Vec<&str> = command.split(' ').skip(1).collect();
    assert_eq!(scratch.json(&words)[0]["run_id"], 1);
    scratch.ok(&["evaluate", "club"]);
    assert_eq!(scratch.ok(&["leaderboard", "club"]).err, "");
}

#[test]
fn commands_that_settle_doubts_are_tried_before_they_are_printed() {
    let scratch = Scratch::new();
    scratch.write("league.csv", "Name,Round 1,Round 2,Total\nAna,10,7,17\nBo,7,9,16\nCy,5,5,10\n");
    let import = ["import", "league.csv", "--source", "club"];
    // One doubt hides behind the other.
    let refused = scratch.run(&import).exits(3).err;
    assert!(!refused.contains("the date is missing"), "{refused}");
    assert_eq!(refused.matches("ranklore import").count(), 2, "{refused}");
    for (options, contests) in [
        ("--layout single --start 2024-01-31", "1 contest with 3 results"),
        ("--layout players --start 2024-01-31", "2 contests with 6 results"),
    ] {
        assert!(refused.contains(options) && refused.contains(contests), "{refused}");
        let options: Vec<&str> = options.split(' ').collect();
        let read = scratch.ok(&[&import[..], &["--dry-run"], &options].concat());
        assert!(read.out.contains(contests), "{}", read.out);
    }
    // Options that do not help are not printed.
    scratch.write("names.csv", "Name,Note\nAna,x\nBo,y\n");
    let refused = scratch.run(&["import", "names.csv", "--source", "club"]).exits(3);
    assert!(!refused.err.contains("ranklore import"), "{}", refused.err);
}

#[test]
fn options_that_belong_together_are_one_command() {
    let scratch = Scratch::new();
    let lifters = "Name,Team,Division,WeightClassKg,Place,Event\nAnn,ABS,F-O,47,1,SBD\nIda,FFR,F-O,47,2,SBD\nBea,APC,F-O,57,1,SBD\n\
                   Cleo,ABS,F-O,57,2,SBD\nDi,APC,F-O,63,1,SBD\nEve,FFR,F-O,63,2,SBD\nFay,SMI,F-G,72,G,SBD\n";
    scratch.write("lifters.csv", lifters);
    let import = ["import", "lifters.csv", "--source", "club"];
    let refused = scratch.run(&import).exits(3).err;
    let options = "--start 2024-01-31 --column Division=division --column WeightClassKg=division --column Team=ignore --status G=dns";
    assert!(
        refused.contains(&format!("{options}\n    3 contests with 6 results")),
        "{refused}"
    );
    assert!(!refused.contains("WeightClassKg=ignore"), "{refused}");
    let options: Vec<&str> = options.split(' ').collect();
    scratch.ok(&[&import[..], &options].concat());
    assert_eq!(scratch.rows("SELECT count(*) FROM contest"), ["3"]);
}

#[test]
fn wrong_settings_name_the_parameter_and_what_it_takes() {
    let scratch = rated_club();
    for (options, message) in [
        (
            &["--set", "rho=abc"][..],
            "parameter rho is \"abc\"; expected a number or \"inf\"",
        ),
        (&["--set", "rho={}"], "parameter rho is {}; expected a number or \"inf\""),
        (
            &["--set", "sigma_limit=abc"],
            "parameter sigma_limit is \"abc\"; expected a number",
        ),
        (&["--set", "split_ties=3"], "parameter split_ties is 3; expected true or false"),
        (
            &["--set", "rhö=1"],
            "there is no parameter `rhö`; it has weight_limit, sigma_limit,",
        ),
        (
            &["--system", "elo-pairwise:learning_rate=x"],
            "learning_rate is \"x\"; expected a number, or a list of [rating, rate]",
        ),
        (
            &["--system", "elo-mmr:rho=1,weight_limit=0.1"],
            "\"weight_limit=0.1\" is a setting: write a colon before it, \
             elo-mmr:rho=1:weight_limit=0.1",
        ),
        (&["--system", "official"], "the ratings of the site, which no system computes"),
    ] {
        let failed = scratch.run(&[&["rate", "club"][..], options].concat());
        assert!(failed.err.contains(message), "{message}: {}", failed.err);
        assert!(!failed.err.contains("untagged"), "{}", failed.err);
    }
    let unknown = scratch.run(&["leaderboard", "club", "--topp", "10"]).exits(2);
    assert!(!unknown.err.contains("as a value"), "{}", unknown.err);
    let top = scratch.json(&["leaderboard", "club", "--top", "1"]);
    assert_eq!(top["rows"].as_array().unwrap().len(), 1);
    let official = scratch.run(&["leaderboard", "club", "--system", "official"]).exits(1);
    assert!(official.err.contains("official"), "{}", official.err);
}

#[test]
fn forgetting_without_answer_wants_a_confirmation() {
    let scratch = rated_club();
    let before = scratch.ok(&["leaderboard", "club"]).out;
    let refused = scratch.run(&["forget", "club", "ada"]).exits(2);
    assert!(refused.err.contains("confirm it with --yes"), "{}", refused.err);
    assert_eq!(scratch.ok(&["leaderboard", "club"]).out, before);
}

#[test]
fn systems_that_drift_in_games_say_so() {
    let scratch = Scratch::new();
    scratch.write("1.json", contest(1, 1, &[&["ada"], &["bea"]]));
    scratch.ok(&["import", "1.json", "--source", "club"]);
    let drifting = [
        "rate",
        "club",
        "--system",
        "elo-srm2,codeforces-official,glicko",
    ];
    let rated = scratch.ok(&drifting);
    for system in ["elo-srm2", "codeforces-official"] {
        let warning = format!("warning: {system} is not made for games of two");
        assert!(rated.err.contains(&warning), "{}", rated.err);
    }
    assert!(!rated.err.contains("warning: glicko"), "{}", rated.err);
}
