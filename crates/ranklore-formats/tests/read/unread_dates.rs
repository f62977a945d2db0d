//! Dates in columns whose headings are not known.

use super::{contest_lines, from_2024, notes, table, table_with};
use ranklore_contest::ContestTime;
use ranklore_formats::{ColumnMeaning, ReadOptions};

fn with_column(heading: &str, meaning: ColumnMeaning) -> ReadOptions {
    ReadOptions {
        columns: [(heading.to_owned(), meaning)].into(),
        ..ReadOptions::default()
    }
}

fn with_start() -> ReadOptions {
    ReadOptions {
        start: ContestTime::new(1_714_521_600),
        ..ReadOptions::default()
    }
}

/// Returns two races of two, with a column of other values.
fn races(heading: &str, [first, second]: [&str; 2]) -> String {
    format!("{heading},Place,Name\n{first},1,Ida\n{first},2,Ben\n{second},1,Ben\n{second},2,Ida\n")
}

#[test]
fn headings_that_speak_of_dates_date_the_contests() {
    for heading in [
        "meeting_date",
        "RACE DATE EST",
        "dt",
        "scheduled_at",
        "Start time (UTC)",
        "night",
        "game date",
        "Renndatum",
    ] {
        for dates in [
            ["2024-05-04", "2024-05-05"],
            ["2024-05-04T18:00:00Z", "2024-05-05T18:00:00Z"],
            ["20240504", "20240505"],
            ["\"Sat, May 4, 2024\"", "\"Sun, May 5, 2024\""],
            ["25.05.2024", "05.06.2024"],
        ] {
            let text = races(heading, dates);
            let reading = table(&text).unwrap_or_else(|error| panic!("{text}: {error}"));
            let dated = table(&races("Date", dates)).unwrap();
            assert_eq!(contest_lines(&reading), contest_lines(&dated), "{text}");
            assert_eq!(reading.contests.len(), 2);
        }
    }
    let reading = table(&races("meeting_date", ["2024-05-04", "2024-05-05"])).unwrap();
    assert!(notes(&reading).contains("which date the contests"), "{}", notes(&reading));
}

#[test]
fn stated_start_does_not_replace_dates() {
    let text = races("meeting_date", ["2024-05-04", "2024-05-05"]);
    let reading = table_with(&text, &with_start()).unwrap();
    assert_eq!(contest_lines(&reading), contest_lines(&table(&text).unwrap()));
}

#[test]
fn dates_of_results_under_another_heading_are_refused() {
    let text = races("draft", ["20240504", "20240505"]);
    for options in [ReadOptions::default(), with_start()] {
        let refusal = table_with(&text, &options).err().unwrap();
        assert!(refusal.contains("--column draft=date"), "{refusal}");
        assert!(refusal.contains("--column draft=ignore"), "{refusal}");
    }
    let stated = table_with(&text, &with_column("draft", ColumnMeaning::Date)).unwrap();
    assert_eq!(stated.contests.len(), 2);
    // Two columns of dates.
    let text = "Meeting dt,Draw dt,Place,Name\n\
                2024-05-04,2024-05-01,1,Ida\n2024-05-04,2024-05-01,2,Ben\n";
    let refusal = table(text).err().unwrap();
    assert!(refusal.contains("--column 'Draw dt=date'"), "{refusal}");
}

#[test]
fn other_dates_are_not_read() {
    for (heading, values) in [
        ("Birth date", ["1990-05-04", "1991-05-05"]),
        ("date_of_birth", ["1990-05-04", "1991-05-05"]),
        ("created_at", ["2024-05-04", "2024-05-05"]),
        // Ids, times in seconds and seasons.
        ("draft", ["20249904", "20249905"]),
        ("draft", ["1714500000", "1714600000"]),
        ("edition", ["2023-2024", "2024-2025"]),
    ] {
        let reading = table_with(&races(heading, values), &with_start());
        let is_read = |notes: String| notes.contains("which date the contests");
        assert!(!reading.is_ok_and(|reading| is_read(notes(&reading))), "{heading}");
    }
    // A date for each competitor is that of a person.
    for heading in ["Since", "LastDate"] {
        let text =
            format!("{heading},Place,Name\n2001-05-04,1,Ida\n2002-06-05,2,Ben\n2003-07-06,3,Kit\n");
        assert_eq!(table_with(&text, &with_start()).unwrap().contests.len(), 1);
    }
}

#[test]
fn games_are_dated_too() {
    let text = |heading: &str| {
        format!(
            "{heading},home,away,home score,away score\n\
             \"Tue, Oct 30, 2012\",Gulls,Larks,3,1\n\"Sat, Nov 3, 2012\",Larks,Gulls,2,0\n"
        )
    };
    let dated = contest_lines(&table(&text("date")).unwrap());
    for heading in ["date_game", "GAME_DATE_EST", "begin_at", "fight dt"] {
        let reading = table(&text(heading)).unwrap();
        assert_eq!(contest_lines(&reading), dated, "{heading}");
    }
    let reading = table(&text("date_game")).unwrap();
    assert!(notes(&reading).contains("which date the contests"), "{}", notes(&reading));
    let refusal = table(&text("evening")).err().unwrap();
    assert!(refusal.contains("--column evening=date"), "{refusal}");
}

#[test]
fn years_date_games_without_other_dates() {
    let text = "Match,Red,Blue,Red Score,Blue Score,Event Name,Year\n1,Ada,Bea,14,46,North Cup,2013\n\
                2,Ada,Cy,55,27,North Cup,2013\n1,Ada,Bea,80,20,North Cup,2014\n";
    let lines = contest_lines(&table(text).unwrap());
    assert_eq!(lines.len(), 3);
    assert!(
        lines[0].contains(" 2013-12-31: ") && lines[2].contains(" 2014-12-31: "),
        "{lines:?}"
    );
    // A start dates the games of one year.
    let started = ReadOptions {
        every_days: None,
        ..from_2024(1)
    };
    assert!(contest_lines(&table_with(text, &started).unwrap())[0].contains(" 2024-01-01: "));
    // Years beside months are no dates.
    let months = text.replace("Match", "Month");
    let dates = contest_lines(&table(&months).unwrap());
    assert!(dates[0].contains(" 2013-01-31: "), "{dates:?}");
}
