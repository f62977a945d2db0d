//! Dates in several columns: year and month, or year, month and day.

use crate::{contest_lines, from_2024, notes, proposals, refused, table, table_with};
use ranklore_formats::{ColumnMeaning, ReadOptions};

#[test]
fn years_and_months_date_contests_together() {
    let expected = [
        "Autumn Cup 2023-11-30: 1 Ann, 2 Bo",
        "Spring Cup 2024-02-29: 1 Bo, 2 Ann",
    ];
    for (headings, months) in [
        ("Year,Month", ["11", "2"]),
        ("year,month", ["11", "02"]),
        ("Jahr,Monat", ["November", "Feb."]),
        ("Année,Mois", ["nov", "février"]),
        ("Año,Mes", ["noviembre", "Febrero"]),
    ] {
        let [november, february] = months;
        let text = format!(
            "{headings},Contest,Place,Player\n2023,{november},Autumn Cup,1,Ann\n2023,{november},Autumn Cup,2,Bo\n\
             2024,{february},Spring Cup,1,Bo\n2024,{february},Spring Cup,2,Ann\n"
        );
        let reading = table(&text).unwrap();
        assert_eq!(contest_lines(&reading), expected, "{headings}");
        let notes = notes(&reading);
        assert!(notes.contains("together date the contests"), "{notes}");
        assert!(!notes.contains("columns not used"), "{notes}");
    }
    // December is no season.
    let december = "Month,Year,Contest,Place,Player\n12,2011,Cup,1,Ann\n12,2011,Cup,2,Bo\n";
    assert_eq!(contest_lines(&table(december).unwrap()), ["Cup 2011-12-31: 1 Ann, 2 Bo"]);
}

#[test]
fn unreadable_place_keeps_dates() {
    let text = "Year,Month,Place,Player\n2023,11,1,Ann\n2023,11,2nd?,Bo\n2023,11,3,Cy\n2024,3,1,Bo\n2024,3,2,Ann\n";
    let reading = table(text).unwrap();
    assert_eq!(contest_lines(&reading), ["2024-03-31 2024-03-31: 1 Bo, 2 Ann"]);
    assert_eq!(refused(&reading).len(), 1);
    assert!(refused(&reading)[0].contains("2nd?"), "{:?}", refused(&reading));
    // So does an impossible month.
    let rows = |rows: std::ops::Range<u32>, month: u32| -> String {
        rows.map(|place| format!("2023,{month},{place},P{place}\n"))
            .collect::<Vec<_>>()
            .concat()
    };
    let months = format!(
        "Year,Month,Place,Player\n{}{}2024,13,1,P1\n2024,13,2,P2\n",
        rows(1..12, 3),
        rows(1..12, 4)
    );
    let months = table(&months).unwrap();
    assert_eq!(months.contests.len(), 2);
    assert!(refused(&months)[0].contains("13/2024"), "{:?}", refused(&months));
    // Two rankings of one date are no contest.
    let repeated = text.replace("2023,11,3,Cy", "2023,11,1,Cy\n2023,11,2,Di");
    assert!(table(&repeated).is_err());
}

#[test]
fn weekdays_are_no_dates() {
    for (heading, days) in [("Day", ["Sat", "Sun"]), ("Tag", ["Samstag", "So."])] {
        let [one, two] = days;
        let text = format!(
            "{heading},Meeting date,Place,Player\n{one},2024-03-02,1,Ann\n{one},2024-03-02,2,Bo\n\
             {two},2024-03-03,1,Bo\n{two},2024-03-03,2,Ann\n"
        );
        assert_eq!(
            contest_lines(&table(&text).unwrap()),
            [
                "2024-03-02 2024-03-02: 1 Ann, 2 Bo",
                "2024-03-03 2024-03-03: 1 Bo, 2 Ann"
            ],
            "{heading}"
        );
        let games = format!(
            "{heading},Match date,Home,Away,HG,AG\n{one},2024-03-02,Gulls,Kelp,2,1\n{two},2024-03-03,Kelp,Gulls,0,2\n"
        );
        let games = table(&games).unwrap();
        let dates = games.contests.iter().map(|contest| contest.ends_at.to_string());
        assert_eq!(dates.collect::<Vec<_>>(), ["2024-03-02", "2024-03-03"], "{heading}");
    }
}

#[test]
fn day_beside_month_and_year_completes_the_date() {
    let text = "Day,Month,Year,Race,Place,Player\n4,Nov,2023,Autumn Cup,1,Ann\n4,Nov,2023,Autumn Cup,2,Bo\n\
                29,2,2024,Spring Cup,1,Bo\n29,2,2024,Spring Cup,2,Ann\n";
    assert_eq!(
        contest_lines(&table(text).unwrap()),
        [
            "Autumn Cup 2023-11-04: 1 Ann, 2 Bo",
            "Spring Cup 2024-02-29: 1 Bo, 2 Ann"
        ]
    );
    let invalid = table(&text.replace("29,2,2024", "30,2,2024")).unwrap();
    assert!(
        refused(&invalid)[0].contains("\"2024-2-30\" is not a date"),
        "{:?}",
        refused(&invalid)
    );
    let incomplete = table(&text.replace("29,2,2024", ",2,2024")).unwrap();
    assert!(refused(&incomplete)[0].contains("\"2024-2-\" is not a date"));
}

#[test]
fn each_month_is_a_contest_if_its_rows_are_a_ranking() {
    let text =
        "Year,Month,Place,Player\n2023,11,1,Ann\n2023,11,2,Bo\n2024,3,1,Bo\n2024,3,2,Ann\n,,,\n";
    assert_eq!(
        contest_lines(&table(text).unwrap()),
        [
            "2023-11-30 2023-11-30: 1 Ann, 2 Bo",
            "2024-03-31 2024-03-31: 1 Bo, 2 Ann"
        ]
    );
    // The months in which members joined a club.
    let described = "Place,Player,Year,Month\n1,Ann,2019,3\n2,Bo,2020,7\n3,Cy,2020,7\n";
    assert!(table(described).unwrap_err().contains("the date is missing"));
    let reading = table_with(described, &from_2024(1)).unwrap();
    assert_eq!(contest_lines(&reading), ["Club night 2024-01-01: 1 Ann, 2 Bo, 3 Cy"]);
    // Two contests in a month.
    let twice =
        "Year,Month,Place,Player\n2023,11,1,Ann\n2023,11,2,Bo\n2023,11,1,Cy\n2023,11,2,Di\n";
    assert!(table(twice).is_err());
}

#[test]
fn second_column_of_months_is_refused() {
    let text = "Year,Month,Monat,Contest,Place,Player\n2023,11,10,Cup,1,Ann\n2023,11,10,Cup,2,Bo\n";
    let error = table(text).unwrap_err();
    assert!(
        error.contains("\"Month\" (B) and \"Monat\" (C) both mean the month of a date; exclude one: --column Month=ignore or --column Monat=ignore"),
        "{error}"
    );
}

#[test]
fn date_column_wins_over_years_and_months() {
    let text = "Date,Year,Month,Contest,Place,Player\n2023-11-04,2023,10,Cup,1,Ann\n2023-11-04,2023,10,Cup,2,Bo\n";
    assert_eq!(contest_lines(&table(text).unwrap()), ["Cup 2023-11-04: 1 Ann, 2 Bo"]);
    let named = "Contest,Year,Month,Place,Player\nCup 2023-11-04,2023,10,1,Ann\nCup 2023-11-04,2023,10,2,Bo\n";
    assert_eq!(
        contest_lines(&table(named).unwrap()),
        ["Cup 2023-11-04 2023-11-04: 1 Ann, 2 Bo"]
    );
}

#[test]
fn games_are_dated_by_years_months_and_days() {
    let text = "Year,Month,Day,White,Black,Result\n2023,11,4,Ann,Bo,1-0\n2024,3,9,Bo,Ann,1-0\n";
    let dated = |text: &str| -> Vec<String> {
        let games = table(text).unwrap().contests;
        games.iter().map(|game| game.ends_at.to_string()).collect()
    };
    assert_eq!(dated(text), ["2023-11-04", "2024-03-09"]);
    let months = "Year,Month,White,Black,Result\n2023,11,Ann,Bo,1-0\n2024,Mar,Bo,Ann,1-0\n";
    assert_eq!(dated(months), ["2023-11-30", "2024-03-31"]);
}

#[test]
fn year_and_month_date_numbered_games() {
    let text = "Year,Month,GameNo,Place,Player\n2015,1,1,1,Ann\n2015,1,1,2,Bob\n2015,1,2,1,Bob\n\
                2015,1,2,2,Ann\n2015,4,1,1,Cem\n2015,4,1,2,Ann";
    let reading = table(text).unwrap();
    assert!(
        refused(&reading)[0].contains("--column GameNo=division"),
        "{:?}",
        refused(&reading)
    );
    let divided = ReadOptions {
        columns: [("GameNo".to_owned(), ColumnMeaning::Division)].into(),
        ..ReadOptions::default()
    };
    let lines = contest_lines(&table_with(text, &divided).unwrap());
    assert_eq!(lines.len(), 3, "{lines:?}");
    assert!(lines[0].contains("2015-01-31") && lines[2].contains("2015-04-30"), "{lines:?}");
}

#[test]
fn weekdays_that_tell_contests_apart_are_kept() {
    for heading in ["Session", "Contest", "Event"] {
        let text = format!(
            "{heading},Date,Name,Score\nMon,2024-01-01,Ada,10\nMon,2024-01-01,Bea,20\n\
             Wed,2024-01-01,Cid,11\nWed,2024-01-01,Dan,5\n"
        );
        let reading = table(&text).unwrap();
        assert_eq!(contest_lines(&reading).len(), 2, "{heading}: {}", notes(&reading));
    }
    // A birthday is no date of contests.
    let text = "Event,Name,Score,Born\nSun,Ada,1,2004-01-13\nSun,Bea,2,2005-01-13\n\
                Mar,Cid,1,2001-01-13\nMar,Dan,2,2001-01-13\n";
    let reading = table_with(text, &from_2024(1)).unwrap();
    assert_eq!(contest_lines(&reading).len(), 2);
}

fn game_days(rows: &str) -> Result<Vec<String>, String> {
    let reading = table(rows)?;
    assert_eq!(refused(&reading), [""; 0], "{rows}");
    let days = reading.contests.iter().map(|contest| contest.ends_at.to_string());
    Ok(days.collect())
}

#[test]
fn days_without_a_year_have_that_of_their_row() {
    let games = |head: &str, year: &str, days: [&str; 3]| {
        let [one, two, three] = days;
        format!(
            "{head},home,away,home_score,away_score\n{one},{year},Otters,Herons,21,14\n\
             {two},{year},Herons,Quarry,3,9\n{three},{year},Otters,Quarry,13,10"
        )
    };
    for (head, days) in [
        ("date,year", ["March 3", "June 5", "Nov 10"]),
        ("Datum,Jahr", ["10 Nov", "5 June", "3 March"]),
        ("date,year", ["12 May", "3 March", "20 July"]),
        ("date,year", ["January 5", "January 9", "February 2"]),
    ] {
        let days_of_table = game_days(&games(head, "2022", days)).unwrap();
        assert!(days_of_table.iter().all(|day| day.starts_with("2022-")), "{days_of_table:?}");
    }
    let days = game_days(&games("date,year", "2022", ["March 3", "June 5", "Nov 10"])).unwrap();
    assert_eq!(days, ["2022-03-03", "2022-06-05", "2022-11-10"]);
    // A season may go on after the new year: no order of the rows says that the year does not.
    for days in [
        ["September 3", "Dec 10", "5 January"],
        ["January 5", "September 3", "January 2"],
    ] {
        let error = game_days(&games("date,year", "2022", days)).unwrap_err();
        assert!(error.contains("write the year into each date"), "{error}");
    }
    for season in ["2022", "2022-23"] {
        let days = ["September 3", "Dec 10", "5 January"];
        let text = games("date,season", season, days);
        assert_eq!(proposals(&text, &ReadOptions::default()), ["--start 2024-01-31"]);
    }
}

#[test]
fn number_of_the_day_beside_a_year_is_no_date() {
    let text = "year,event,day,position,rider\n2023,Peaks,2,1,Ann\n2023,Peaks,2,2,Bo\n";
    assert_eq!(proposals(text, &ReadOptions::default()), ["--column day=ignore"]);
    let with_day = |meaning| ReadOptions {
        columns: [("day".to_owned(), meaning)].into(),
        ..ReadOptions::default()
    };
    let reading = table_with(text, &with_day(ColumnMeaning::Ignore)).unwrap();
    assert_eq!(contest_lines(&reading), ["Peaks 2023-12-31: 1 Ann, 2 Bo"]);
    // Two days can be two contests.
    let days = format!("{text}2023,Peaks,1,1,Ann\n2023,Peaks,1,2,Bo\n");
    assert_eq!(
        proposals(&days, &ReadOptions::default()),
        ["--column day=division", "--column day=ignore"]
    );
    let reading = table_with(&days, &with_day(ColumnMeaning::Division)).unwrap();
    assert_eq!(reading.contests.len(), 2);
}

#[test]
fn days_without_a_year_follow_the_start() {
    let start = |day| ReadOptions {
        start: ranklore_contest::ContestTime::parse(day),
        ..ReadOptions::default()
    };
    for (headings, rows) in [
        ("Date,Place,Player", ["1,Ann", "2,Bo"]),
        ("Date,Player 1,Player 2,Result", ["Ann,Bo,1-0", "Cy,Di,0-1"]),
    ] {
        for days in [
            ["30 June", "1 July"],
            ["Jun 30", "Jul 1"],
            ["30.6.", "1.7."],
        ] {
            let text = format!("{headings}\n{},{}\n{},{}\n", days[0], rows[0], days[1], rows[0]);
            assert_eq!(proposals(&text, &ReadOptions::default()), ["--start 2024-01-31"], "{text}");
            let reading = table_with(&text, &start("1990-06-01")).unwrap();
            let dates: Vec<_> =
                reading.contests.iter().map(|contest| contest.ends_at.to_string()).collect();
            assert_eq!(dates, ["1990-06-30", "1990-07-01"], "{text}");
            assert!(notes(&reading).contains("are the next from 1990-06-01"), "{text}");
            // A season goes on after the new year.
            let season = text.replace(days[1], "2 May");
            let reading = table_with(&season, &start("1990-06-30")).unwrap();
            assert!(reading.contests.iter().any(|c| c.ends_at.to_string() == "1991-05-02"));
            // Groups of an event follow each other.
            let groups = format!("{text}{},{}\n", days[0], rows[1]);
            let reading = table_with(&groups, &start("1990-06-30")).unwrap();
            assert!(reading.contests.iter().all(|c| c.ends_at.to_string().starts_with("1990")));
            // The start is later than most games.
            let late = format!("{text}{},{}\n", days[0], rows[1]);
            let refusal = table_with(&late, &start("1990-07-01")).err().unwrap();
            assert!(refusal.contains("is doubtful: write the years"), "{refusal}");
            // Two seasons, months of a year, and dates with their year.
            for others in [
                ["1 Mar", "1 Nov", "1 Mar"],
                ["May 24", "Jun 24", "Jul 24"],
                ["12 Aug 1991", "13 Aug", "14 Aug"],
            ] {
                let rows = others.map(|day| format!("{day},{}\n", rows[0]));
                let refusal =
                    table_with(&format!("{headings}\n{}", rows.concat()), &start("1990-02-01"));
                let refusal = refusal.err().unwrap();
                assert!(refusal.contains("is doubtful: write the years"), "{refusal}");
            }
        }
    }
}

#[test]
fn year_of_another_column_precedes_the_start() {
    for text in [
        "Year,Date,Place,Player\n1990,30 June,1,Ann\n1994,1 July,1,Bo\n",
        "Year,Date,Player 1,Player 2,Result\n1990,30 June,Ann,Bo,1-0\n1994,1 July,Ann,Bo,1-0\n",
    ] {
        let reading = table_with(text, &from_2024(1)).unwrap();
        let dates: Vec<_> =
            reading.contests.iter().map(|contest| contest.ends_at.to_string()).collect();
        assert_eq!(dates, ["1990-06-30", "1994-07-01"], "{text}");
    }
}

#[test]
fn times_under_other_headings_are_proposed_before_the_start() {
    let text = |headings: &str, [one, two]: [&str; 2]| {
        format!("white,black,winner,{headings}\nIvy,Max,Max,{one}\nMax,Pia,Pia,{two}\n")
    };
    for (headings, cells, expected) in [
        ("completed", ["1544994683", "1548531156"], &["completed"][..]),
        (
            "started,ended",
            ["1714548386105,1714548603661", "1714649119449,1714649285820"],
            &["started", "ended"],
        ),
        // Rows can be created later, and ids are as long.
        (
            "created,finished",
            ["1544994683,1544994083", "1548531156,1548531056"],
            &["finished"],
        ),
        ("created", ["1544994683", "1548531156"], &["created"]),
        ("board id", ["1544994683", "1548531156"], &[]),
        ("telefon", ["1544994683", "1548531156"], &[]),
        ("matchid", ["1544994683", "1548531156"], &[]),
        ("fide", ["1544994683", "1548531156"], &[]),
        ("moves", ["1544994", "1548531"], &[]),
    ] {
        let text = text(headings, cells);
        let options = proposals(&text, &ReadOptions::default());
        let (start, columns) = options.split_last().unwrap();
        let dated: Vec<String> =
            expected.iter().map(|heading| format!("--column {heading}=date")).collect();
        assert_eq!((start.as_str(), columns), ("--start 2024-01-31", &dated[..]), "{headings}");
    }
}

#[test]
fn random_ids_do_not_order_games() {
    let order = |ids: [&str; 3]| {
        let [a, b, c] = ids;
        let text =
            format!("id,white,black,winner\n{a},Ivy,Max,Max\n{b},Max,Pia,Pia\n{c},Pia,Ivy,Ivy\n");
        let reading = table_with(&text, &from_2024(1)).unwrap();
        notes(&reading).contains("follow the rows")
    };
    for (ids, follows_rows) in [
        (
            [
                "2bc78a6c-045c-40d3-a4fd-4fe02685b4e7",
                "0d1de7f4-7032-404b-9e72-712c9f01dd66",
                "ce015800-0e68-41ca-a434-613baf877f5c",
            ],
            true,
        ),
        (["9f86d081884c7d65", "fd61a03af4f77d87", "60303ae22b998861"], true),
        // These rise or fall.
        (["6f86d081884c7d65", "9f86d081884c7d65", "fd61a03af4f77d87"], false),
        (["fd61a03af4f77d87", "9f86d081884c7d65", "6f86d081884c7d65"], false),
        // These can begin with times, or are structured.
        (
            [
                "018e1c3a-9b4a-7c3d-9b2a-1a1b1c1d1e1f",
                "018e1c3a-7b4a-7c3d-9b2a-2a2b2c2d2e2f",
                "018e1c3a-8b4a-7c3d-9b2a-3a3b3c3d3e3f",
            ],
            false,
        ),
        (
            [
                "65f1a3b2c4d5e6f7a8b9c0d1",
                "65e1a3b2c4d5e6f7a8b9c0d2",
                "65e9a3b2c4d5e6f7a8b9c0d3",
            ],
            false,
        ),
        (["9f86d081", "fd61a03a", "60303ae2"], false),
        (["2024-A1-B3", "2024-A1-B1", "2024-A1-B2"], false),
        (["30000003", "20000002", "10000001"], false),
        (["20000002", "10000001", "30000003"], false),
        (["A-000001", "B-000001", "A-000002"], false),
        (["m1", "m3", "m2"], false),
    ] {
        assert_eq!(order(ids), follows_rows, "{ids:?}");
    }
}
