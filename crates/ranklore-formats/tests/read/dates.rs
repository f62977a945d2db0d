//! Dates before 1970, periods, and dates in file names.

use ranklore_formats::{
    ArchivedBy, DateOrder, FileFormat, FileReading, ReadOptions, StatedLayout, read, read_archived,
};

use crate::{
    contest_lines, dates, from_2024, notes, proposals, refused, standings, table, table_with,
};
use ranklore_contest::ContestTime;

/// Reads a table without dates that is a file of this name.
fn file(name: &str, options: &ReadOptions) -> Result<FileReading, String> {
    let text = b"Place,Player\n1,Zoe\n2,Bram\n";
    read(FileFormat::Table, &text[..], name, options).map_err(|error| error.to_string())
}

#[test]
fn contests_before_1970_are_read() {
    let reading = table(
        "Contest,Date,Place,Player\nSpring Match,1850-05-01,1,Zoe\nSpring Match,1850-05-01,2,Bram\n\
         Autumn Match,1 October 1850,1,Bram\nAutumn Match,1 October 1850,2,Zoe\n",
    );
    let reading = reading.unwrap();
    let lines = [
        "Spring Match 1850-05-01: 1 Zoe, 2 Bram",
        "Autumn Match 1850-10-01: 1 Bram, 2 Zoe",
    ];
    assert_eq!(contest_lines(&reading), lines);
    assert_eq!(reading.contests.get(0).unwrap().external_id, "Spring Match@-3776457600");
}

#[test]
fn short_year_and_decimal_year_are_refused_unless_archived() {
    let text = "Contest,Date,Place,Player\nD,2024.10,1,Zoe\nA,1.3.61,1,Zoe\nB,5.4.72,1,Zoe\nC,5.4.24,1,Zoe\n";
    let reading = table(text).unwrap();
    assert_eq!(contest_lines(&reading), ["B 1972-04-05: 1 Zoe", "C 2024-04-05: 1 Zoe"]);
    let reasons = refused(&reading);
    assert_eq!(reasons.len(), 2);
    for message in [
        "date \"1.3.61\" has a year of two digits; write all four",
        "\"2024.10\" is not a date; write it like 2024-03-01",
    ] {
        assert!(reasons.iter().any(|reason| reason.ends_with(message)), "{reasons:?}");
    }
    let options = ReadOptions::default();
    let archived = |reader| {
        let read = read_archived(reader, FileFormat::Table, text.as_bytes(), "a.csv", &options);
        read.unwrap()
    };
    assert_eq!(archived(ArchivedBy::Current).contests, reading.contests);
    let before = contest_lines(&archived(ArchivedBy::WithoutIds));
    for line in ["A 2061-03-01: 1 Zoe", "D 2024-10-31: 1 Zoe"] {
        assert!(before.contains(&line.to_owned()), "{before:?}");
    }
}

#[test]
fn year_dates_contest_to_its_last_day() {
    let text = "Year,Place,Player\n1903,1,Zoe\n1903,2,Bram\n1904,1,Bram\n1904,2,Zoe\n";
    let refused = table(text).unwrap_err();
    let advice = "if \"Year\" (A) dates the contests, pass --column Year=date";
    assert!(refused.ends_with(advice), "{refused}");
    let options = ReadOptions {
        columns: serde_json::from_str(r#"{"Year":"date"}"#).unwrap(),
        ..ReadOptions::default()
    };
    let reading = table_with(text, &options).unwrap();
    let lines = [
        "1903-12-31 1903-12-31: 1 Zoe, 2 Bram",
        "1904-12-31 1904-12-31: 1 Bram, 2 Zoe",
    ];
    assert_eq!(contest_lines(&reading), lines);
    let note =
        "dates such as \"1903\" are years: each contest is dated to their last day, 1903-12-31";
    assert!(notes(&reading).contains(note), "{}", notes(&reading));
}

#[test]
fn months_and_days_mix_in_one_column() {
    let reading = table(
        "Contest,Date,Place,Player\nA,2024-02,1,x\nA,2024-02,2,y\nB,2024-03-09,1,x\nB,2024-03-09,2,y\n\
         C,2024-W11,1,x\nC,2024-W11,2,y\n",
    );
    let reading = reading.unwrap();
    let lines = [
        "A 2024-02-29: 1 x, 2 y",
        "B 2024-03-09: 1 x, 2 y",
        "C 2024-03-17: 1 x, 2 y",
    ];
    assert_eq!(contest_lines(&reading), lines);
    assert!(notes(&reading).contains("\"2024-02\" are months"));
    assert!(notes(&reading).contains("\"2024-W11\" are weeks"));
    assert!(!notes(&reading).contains("2024-03-09"));
}

#[test]
fn season_or_month_is_refused_until_stated() {
    let season = |date: &str| {
        format!(
            "Contest,Date,Place,Player\nA,2011-12,1,x\nA,2011-12,2,y\nB,{date},1,x\nB,{date},2,y\n"
        )
    };
    let ambiguous = season("2010-11");
    assert_eq!(
        table(&ambiguous).unwrap_err(),
        "line 1: 4 dates such as \"2011-12\" can be months or seasons, and no other date decides: pass --dates ym if they are months, or --dates season if they are seasons"
    );
    let first = |reading: FileReading| contest_lines(&reading)[0].clone();
    let read_dates = |order| first(table_with(&ambiguous, &dates(order)).unwrap());
    assert_eq!(read_dates(DateOrder::Ym), "A 2011-12-31: 1 x, 2 y");
    assert_eq!(read_dates(DateOrder::Season), "A 2012-06-30: 1 x, 2 y");
    // Another cell decides.
    let decided = |date| first(table(&season(date)).unwrap());
    assert_eq!(decided("2012-13"), "A 2012-06-30: 1 x, 2 y");
    assert_eq!(decided("2011-11"), "A 2011-12-31: 1 x, 2 y");
}

#[test]
fn periods_in_names_date_contests_without_dates() {
    let text = "Contest,Place,Player\nLeague 2022/23,1,x\nLeague 2022/23,2,y\n\
                League 2023/24,1,x\nLeague 2023/24,2,y\n";
    let reading = table(text).unwrap();
    let lines = [
        "League 2022/23 2023-06-30: 1 x, 2 y",
        "League 2023/24 2024-06-30: 1 x, 2 y",
    ];
    assert_eq!(contest_lines(&reading), lines);
    assert!(notes(&reading).contains("are seasons, which end on 30 June"));
    // A stated start takes precedence.
    let reading = table_with(text, &from_2024(7)).unwrap();
    assert!(contest_lines(&reading)[1].contains(" 2024-01-08: "));
    // A number at the end may be that of a round.
    let numbers = text.replace("2022/23", "1842").replace("2023/24", "1843");
    assert!(table(&numbers).unwrap_err().contains("the date is missing"));
    let years = numbers.replace("1842", "(1842)").replace("1843", "(1843)");
    assert!(contest_lines(&table(&years).unwrap())[0].contains(" 1842-12-31: "));
}

#[test]
fn headings_with_months_are_contests() {
    let text = "Player,March 2024,April 2024\nx,3,5\ny,7,1\nz,4,4\n";
    let reading = super::scored_table(text).unwrap();
    assert!(contest_lines(&reading)[0].starts_with("March 2024 2024-03-31: 1 y"));
    assert!(contest_lines(&reading)[1].starts_with("April 2024 2024-04-30: 1 x"));
    assert!(notes(&reading).contains("are months"));
    // Beside a place they are parts of one contest, as before.
    let placed = "Place,Player,March 2024,April 2024\n1,x,3,5\n2,y,7,1\n3,z,4,4\n";
    let start = ReadOptions {
        every_days: None,
        ..from_2024(1)
    };
    let dated = table_with(placed, &start).unwrap();
    assert_eq!(contest_lines(&dated), ["Club night 2024-01-01: 1 x, 2 y, 3 z"]);
    let players = ReadOptions {
        layout: Some(StatedLayout::Players),
        ..super::scores(ReadOptions::default())
    };
    assert_eq!(table_with(placed, &players).unwrap().contests.len(), 2);
}

#[test]
fn date_touching_letters_in_file_name_is_read() {
    for name in [
        "2024-05-04_results.csv",
        "results-20240504.csv",
        "in/R3_04.05.2024.csv",
        "results_2024_05_04.csv",
    ] {
        let reading = file(name, &ReadOptions::default()).unwrap();
        let date = reading.contests.get(0).unwrap().ends_at.to_string();
        assert_eq!(date, "2024-05-04", "{name}");
    }
    let start = from_2024(1);
    let reading = file("results-20240504.csv", &start).unwrap();
    assert_eq!(reading.contests.get(0).unwrap().ends_at, start.start.unwrap());
    for name in ["season 2024.csv", "results-2024-05.csv"] {
        let error = file(name, &ReadOptions::default()).unwrap_err();
        assert!(error.contains("pass --start"), "{name}: {error}");
    }
}

#[test]
fn file_name_with_two_dates_needs_start() {
    for name in ["2024-05-04_2024-05-05.csv", "2024-05-04 to 2024-05-05.csv"] {
        let none = file(name, &ReadOptions::default()).unwrap();
        let reason = &refused(&none)[0];
        assert!(reason.contains("has several dates"), "{reason}");
        let reading = file(name, &from_2024(1)).unwrap();
        assert_eq!(reading.contests.get(0).unwrap().ends_at.to_string(), "2024-01-01");
    }
}

#[test]
fn file_name_dates_one_contest_only() {
    let text =
        |second: &str| format!("Contest,Place,Player\nA,1,x\nA,2,y\n{second},1,x\n{second},2,z\n");
    let read = |text: String| {
        let options = ReadOptions {
            columns: serde_json::from_str(r#"{"Contest":"division"}"#).unwrap(),
            ..ReadOptions::default()
        };
        let read_with =
            |options| read(FileFormat::Table, text.as_bytes(), "R3_04.05.2024.csv", options);
        (read_with(&options), read_with(&ReadOptions::default()))
    };
    let (divisions, contests) = read(text("B"));
    let divisions = divisions.unwrap().contests;
    assert_eq!(divisions.len(), 2);
    assert!(divisions.iter().all(|contest| contest.ends_at.to_string() == "2024-05-04"));
    let error = contests.unwrap_err().to_string();
    assert!(error.contains("the date is missing"), "{error}");
}

#[test]
fn only_date_above_headings_is_proposed() {
    let text = "League night,2 Dec 2024\nRank,Name,Points\n1,Ann,30\n2,Bo,20\n";
    assert_eq!(proposals(text, &ReadOptions::default()), ["--start 2024-12-02"]);
    let dated = ReadOptions {
        start: ContestTime::parse("2024-12-02"),
        ..ReadOptions::default()
    };
    assert_eq!(standings(&table_with(text, &dated).unwrap()), ["1 Ann, 2 Bo"]);
    let several = text.replace("League night", "since 4 Nov 2024");
    assert_eq!(proposals(&several, &ReadOptions::default()), ["--start 2024-01-31"]);
}

#[test]
fn days_of_the_week_contradict_dates() {
    let ranking = |date: &str| format!("Date,Place,Name\n{date},1,Ann\n{date},2,Bo\n");
    for date in [
        "Mon 2024-03-02",
        "2024-03-02 (Montag)",
        "2024年3月2日(日)",
        "Mon. 2 March 2024",
        "Sun 02.03.2024",
    ] {
        let reading = table(&ranking(date)).unwrap();
        assert!(contest_lines(&reading).is_empty(), "{date}");
        let refused = refused(&reading).join(" ");
        assert!(
            refused.contains("line 2") && refused.contains("is that of another date"),
            "{refused}"
        );
    }
    for date in [
        "Sat 2024-03-02",
        "2024-03-02 (samedi)",
        // Words for several days.
        "So 2024-03-02",
        "2024-03-02 (Do)",
        "Sa 2024-03-05",
        "tor 2024-03-05",
        "2024-03-02 (Mo)",
        "2024 年 3 月 2 日",
        "Mar 5 2024",
        "Mar 5.3.2024",
        "2 mar 2024",
    ] {
        assert_eq!(contest_lines(&table(&ranking(date)).unwrap()).len(), 1, "{date}");
    }
    let game = "Date,Winner,Loser\nMon 2024-03-02,Ann,Bo\nSat 2024-03-09,Ann,Bo\n";
    let reading = table(game).unwrap();
    assert_eq!(contest_lines(&reading).len(), 1);
    assert!(refused(&reading)[0].contains("is that of another date"));
}

#[test]
fn days_of_the_week_decide_the_order_of_dates() {
    let ranking = |date: &str| format!("Date,Place,Name\n{date},1,Ann\n{date},2,Bo\n");
    for (date, expected) in [
        ("Wed 05/06/2024", "2024-06-05"),
        ("Wed 06/05/2024", "2024-06-05"),
        ("05-06-2024 (Mittwoch)", "2024-06-05"),
    ] {
        let lines = contest_lines(&table(&ranking(date)).unwrap());
        assert!(lines[0].contains(expected), "{lines:?}");
    }
    // A weekday of neither, of both, and dates that contradict each other.
    for date in [
        "Tue 02/03/2024",
        "Sat 02/03/2024",
        "02/03/2024",
        "Mi 05/06/2024",
        "tor 05/06/2024",
    ] {
        assert!(table(&ranking(date)).unwrap_err().contains("--dates dmy"), "{date}");
    }
    let both = "Date,Place,Name\nWed 05/06/2024,1,Ann\nWed 06/05/2024,1,Ann\n04/05/2024,1,Ann\n";
    assert!(table(both).unwrap_err().contains("begins with the day and"));
    let error = table_with(&ranking("Wed 05/06/2024"), &dates(DateOrder::Mdy)).unwrap_err();
    assert!(error.contains("--dates mdy contradicts"), "{error}");
}

#[test]
fn stamps_of_files_are_times() {
    for separator in ["_", " "] {
        let text = format!(
            "Timestamp,P1_Name,P1_Score,P2_Name,P2_Score\n2024-10-06{separator}22-24-26,Ivy,3,Max,11\n"
        );
        let lines = contest_lines(&table(&text).unwrap());
        assert!(lines[0].contains("2024-10-06T22:24:26Z"), "{lines:?}");
    }
}
