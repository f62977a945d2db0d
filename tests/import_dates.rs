//! Dates that an import notices: in the future, and other ones for the same file.

use crate::support::Scratch;

const ROWS: &str = "Contest,Date,Place,Name
R1,2024-03-01,1,Ivy
R1,2024-03-01,2,Max
R1,2024-03-01,3,Pia
R2,2042-03-15,1,Ole
R2,2042-03-15,2,Uma
R3,2024-03-22,1,Max
R3,2024-03-22,2,Ivy
";

fn contests(scratch: &Scratch) -> Vec<String> {
    scratch.rows("SELECT external_id FROM contest WHERE withdrawn_at IS NULL ORDER BY 1")
}

#[test]
fn contest_years_ahead_is_refused_unless_allowed() {
    let scratch = Scratch::new();
    scratch.write("results.csv", ROWS);
    let import = ["import", "results.csv", "--source", "club"];
    let dry_run = [&import[..], &["--dry-run"]].concat();
    scratch.run(&dry_run).exits(3).says("pass --future");
    let refused = scratch.run(&import).exits(3);
    assert!(
        refused
            .err
            .contains("1 contest such as \"R2\" on 2042-03-15 end more than a year after now")
            && refused.err.contains("correct the dates, or pass --future if they are right"),
        "{}",
        refused.err
    );
    assert_eq!(contests(&scratch).len(), 2);
    let before = scratch.everything();
    scratch.run(&import).exits(3);
    assert_eq!(scratch.everything(), before);
    scratch.ok(&["rebuild"]);
    assert_eq!(contests(&scratch).len(), 2);
    let allowed = scratch.ok(&[&import[..], &["--future"]].concat());
    assert!(allowed.err.contains("\"R2\" on 2042-03-15 end after now"), "{}", allowed.err);
    assert_eq!(contests(&scratch).len(), 3);
    scratch.ok(&["rebuild"]);
    assert_eq!(contests(&scratch).len(), 3);
    // Nobody is inactive because of it.
    scratch.ok(&["rate", "club", "--system", "elo-pairwise"]);
    let board = scratch.json(&["leaderboard", "club"]);
    assert_eq!(board["inactive"], 0, "{board}");
    assert_eq!(board["newest_contest_at"], 1_711_065_600, "{board}");
}

#[test]
fn same_bytes_with_another_start_are_refused_or_replace() {
    let rows = "Round,Place,Name\n1,1,Ivy\n1,2,Max\n2,1,Max\n2,2,Ivy\n";
    for copy in ["season.csv", "copy.csv"] {
        let scratch = Scratch::new();
        scratch.write("season.csv", rows);
        scratch.write("copy.csv", rows);
        let import = |file: &str, start: &str, option: &[&str]| {
            let fixed = [
                "import", file, "--source", "club", "--every", "7", "--start", start,
            ];
            scratch.run(&[&fixed[..], option].concat())
        };
        import("season.csv", "2024-01-10", &[]).exits(0);
        let first = contests(&scratch);
        import(copy, "2024-01-10", &[]).exits(0);
        assert_eq!(contests(&scratch), first);
        import(copy, "2024-01-11", &[])
            .exits(3)
            .says("these are the bytes of season.csv, imported before with other dates")
            .says("pass --replace to withdraw the earlier ones, or another --source");
        assert_eq!(contests(&scratch), first);
        import(copy, "2024-01-11", &["--replace"]).exits(0);
        let moved = contests(&scratch);
        assert_eq!(moved.len(), 2);
        assert!(moved.iter().all(|contest| !first.contains(contest)), "{moved:?}");
        scratch.ok(&["rebuild"]);
        assert_eq!(contests(&scratch), moved);
        import(copy, "2024-01-11", &[]).exits(0);
        assert_eq!(contests(&scratch), moved);
    }
}

const UNDATED: &str = "Pos,Runner,Club\n1,Ivy,Gulls\n2,Max,Reef\n3,Pia,Gulls\n";

/// Returns the day of a contest in words of the dry run and of the import.
fn days(scratch: &Scratch) -> Vec<String> {
    scratch.rows(
        "SELECT date(ends_at, 'unixepoch') FROM contest WHERE withdrawn_at IS NULL ORDER BY 1",
    )
}

#[test]
fn only_contest_without_date_takes_year_of_file_name_or_today() {
    for (file, year) in [("hill_run_2019.csv", true), ("hill_run.csv", false)] {
        let scratch = Scratch::new();
        scratch.write(file, UNDATED);
        let import = ["import", file, "--source", "club"];
        let dry_run = scratch.ok(&[&import[..], &["--dry-run"]].concat());
        assert!(dry_run.err.contains("the table has no date"), "{}", dry_run.err);
        assert!(!dry_run.err.contains("--replace"), "{}", dry_run.err);
        let imported = scratch.ok(&import);
        let day = days(&scratch).remove(0);
        assert_eq!(day == "2019-12-31", year, "{day}");
        let command = format!(" --replace --start {day}\n");
        assert!(imported.err.contains(&command), "{}", imported.err);
        // The same file again, also on another day, and a rebuild change nothing.
        let before = scratch.everything();
        scratch.ok(&import);
        assert_eq!(scratch.everything(), before);
        let hash = scratch.content_hash();
        scratch.ok(&["rebuild"]);
        assert_eq!(scratch.content_hash(), hash);
        // The command that it prints moves the contest.
        let corrected = [&import[..], &["--replace", "--start", "2018-05-06"]].concat();
        scratch.ok(&corrected);
        assert_eq!(days(&scratch), ["2018-05-06"]);
        scratch.ok(&import);
        assert_eq!(days(&scratch), ["2018-05-06"]);
        scratch.ok(&["rebuild"]);
        assert_eq!(days(&scratch), ["2018-05-06"]);
    }
}

#[test]
fn points_in_their_order_take_today_as_places_do() {
    let table = |points: [u32; 3]| {
        let [one, two, three] = points;
        format!("Team,Played,Points\nGulls,9,{one}\nReef,9,{two}\nKelp,9,{three}\n")
    };
    for (points, is_dated) in [
        ([46, 31, 31], true),
        ([31, 46, 21], false),
        ([21, 31, 46], false),
    ] {
        let scratch = Scratch::new();
        scratch.write("table.csv", table(points));
        let import = ["import", "table.csv", "--source", "club"];
        if is_dated {
            scratch.ok(&import).says("the day of the import");
            assert_eq!(days(&scratch).len(), 1);
        } else {
            scratch.run(&import).exits(3).says("the date is missing");
        }
    }
}

#[test]
fn divisions_of_one_contest_take_today() {
    let scratch = Scratch::new();
    let rows = "Women\nPos,Runner\n1,Ivy\n2,Pia\nMen\nPos,Runner\n1,Max\n2,Ole\n";
    scratch.write("run.csv", rows);
    scratch
        .ok(&["import", "run.csv", "--source", "club"])
        .says("the day of the import");
    let divisions = scratch.rows("SELECT division FROM contest ORDER BY 1");
    assert_eq!(divisions, ["Men", "Women"]);
    assert_eq!(days(&scratch)[0], days(&scratch)[1]);
    // People who return have results of several days.
    let scratch = Scratch::new();
    scratch.write("weeks.csv", "Name,Rank,Class\nIvy,1,A\nPia,2,A\nPia,1,B\nIvy,2,B\n");
    scratch
        .run(&["import", "weeks.csv", "--source", "club"])
        .exits(3)
        .says("the date is missing");
    // Of negative scores either end can be the best.
    scratch.write("under.csv", "Name,Score\nIvy,-1\nPia,-3\nMax,-9\n");
    scratch.run(&["import", "under.csv", "--source", "club"]).exits(3);
}

/// Each start moves all contests alike, as the one that the refusal proposed did.
#[test]
fn games_without_dates_end_today() {
    let games = "Player 1,Player 2,Winner\nIvy,Max,Max\nPia,Max,Pia\n";
    let rounds = "Round,Home,Away,Home Goals,Away Goals\n1,Ivy,Max,1,2\n2,Max,Ivy,2,1\n";
    for rows in [games, rounds] {
        let scratch = Scratch::new();
        let import = ["import", "club_2019.csv", "--source", "club"];
        scratch.write("club_2019.csv", rows);
        scratch
            .ok(&[&import[..], &["--dry-run"]].concat())
            .says("the table has no dates: its 2 contests are dated ");
        scratch
            .ok(&import)
            .says("2019-12-31, the last day of the year in the file name, in their order");
        assert_eq!(days(&scratch).last().unwrap(), "2019-12-31");
        let before = scratch.everything();
        scratch.ok(&import);
        assert_eq!(scratch.everything(), before);
        let hash = scratch.content_hash();
        scratch.ok(&["rebuild"]);
        assert_eq!(scratch.content_hash(), hash);
        // Other days between contests, further games, also from another start, and names with more than a year.
        scratch.run(&[&import[..], &["--every", "7"]].concat()).exits(3);
        let last = rows.lines().last().unwrap();
        scratch.write("club_2019.csv", format!("{rows}{}\n", last.replace("Max", "Ole")));
        scratch.run(&import).exits(3).says("the date is missing");
        let moved = [&import[..], &["--start", "2024-01-31"]].concat();
        scratch.run(&moved).exits(3).says("would count twice");
        for name in ["results 3 May.csv", "club_2019_12.csv"] {
            scratch.write(name, rows);
            scratch.run(&["import", name, "--source", "other"]).exits(3);
        }
        assert_eq!(scratch.content_hash(), hash);
    }
}

/// Tables without dates may have the same pairs, each on its day.
#[test]
fn games_of_another_day_do_not_replace_these() {
    let scratch = Scratch::new();
    scratch.write("week1.csv", "winner,loser\nIvy,Max\nPia,Max\n");
    scratch.write("week2.csv", "winner,loser\nMax,Ivy\nPia,Max\n");
    let import = |file: &str, start: &str| {
        scratch.ok(&["import", file, "--source", "club", "--start", start]);
    };
    import("week1.csv", "2026-01-01");
    import("week2.csv", "2026-01-08");
    assert_eq!(contests(&scratch).len(), 4);
    // A file that has grown keeps its games, and is not imported twice.
    scratch.write("week2.csv", "winner,loser\nMax,Ivy\nPia,Max\nIvy,Pia\n");
    import("week2.csv", "2026-01-08");
    assert_eq!(contests(&scratch).len(), 5);
    scratch
        .run(&[
            "import",
            "week2.csv",
            "--source",
            "club",
            "--start",
            "2026-01-09",
        ])
        .exits(3)
        .says("imported before with other dates");
    scratch.write("week2.csv", "winner,loser\nMax,Ivy\nPia,Max\nIvy,Pia\nIvy,Max\n");
    let grown = [
        "import",
        "week2.csv",
        "--source",
        "club",
        "--start",
        "2026-01-09",
    ];
    scratch
        .run(&grown)
        .exits(3)
        .says("all games of week2.csv")
        .says("rename the file");
    assert_eq!(contests(&scratch).len(), 5);
    scratch.ok(&[&grown[..], &["--replace"]].concat());
    assert_eq!(contests(&scratch).len(), 6);
    scratch.ok(&["rebuild"]);
    assert_eq!(contests(&scratch).len(), 6);
    // The names of files can have the dates.
    for (file, result) in [("2025-05-01.csv", "Ivy,Max"), ("2025-05-02.csv", "Max,Ivy")] {
        scratch.write(file, format!("winner,loser\n{result}\n"));
        scratch.ok(&["import", file, "--source", "named"]);
    }
    assert_eq!(contests(&scratch).len(), 8);
    // A file that has other games each week keeps its name.
    scratch.write("2025-05-02.csv", "winner,loser\nPia,Max\n");
    scratch.ok(&[
        "import",
        "2025-05-02.csv",
        "--source",
        "named",
        "--start",
        "2025-05-09",
    ]);
    assert_eq!(contests(&scratch).len(), 9);
}

#[test]
fn date_is_not_assumed_where_it_matters() {
    let several = "Race,Place,Name\nA,1,Ivy\nA,2,Max\nB,1,Max\nB,2,Ivy\n";
    let years = "Winner,Loser,Note\nIvy,Max,1987\nPia,Max,\n";
    let yearless = "Winner,Loser,Note\nIvy,Max,2 Nov\nPia,Max,9 Nov\n";
    let rounds = "Name,Round 1,Round 2\nIvy,3,2\nMax,1,5\n";
    let seasons = "Pos,Runner,Season\n1,Ivy,2018\n2,Max,2018\n3,Pia,2019\n";
    for rows in [
        several,
        years,
        yearless,
        rounds,
        seasons,
        "Pos,Runner\n1,Ivy\n",
    ] {
        let scratch = Scratch::new();
        scratch.write("run_2019.csv", rows);
        let refused = scratch.run(&["import", "run_2019.csv", "--source", "club"]).exits(3);
        assert!(refused.err.contains("--start 2019-01-31"), "{}", refused.err);
        assert!(!refused.err.contains("2024-01-31"), "{}", refused.err);
    }
    // The source has a contest, or there are two files.
    let scratch = Scratch::new();
    scratch.write("run_2019.csv", UNDATED);
    scratch.write("other.csv", UNDATED.replace("Ivy", "Ole"));
    let both = ["import", "run_2019.csv", "other.csv", "--source", "club"];
    scratch.run(&both).exits(3).says("the date is missing");
    scratch.ok(&["import", "run_2019.csv", "--source", "club"]);
    scratch
        .run(&["import", "other.csv", "--source", "club"])
        .exits(3)
        .says("the date is missing");
    // A corrected file may be of another day.
    scratch.write("run_2019.csv", UNDATED.replace("Pia", "Uma"));
    scratch.run(&both[..2]).exits(2);
    scratch
        .run(&["import", "run_2019.csv", "--source", "club"])
        .exits(3)
        .says("the date is missing");
    assert_eq!(days(&scratch), ["2019-12-31"]);
}
