//! Tables with one row per contest and one column per competitor.

use super::{contest_lines, notes, table, table_with};
use ranklore_formats::{
    ArchivedBy, ColumnMeaning, FileFormat, ReadOptions, StatedLayout, read_archived,
};

fn contests() -> ReadOptions {
    ReadOptions {
        layout: Some(StatedLayout::Contests),
        ..super::scores(ReadOptions::default())
    }
}

fn with_column(heading: &str, meaning: ColumnMeaning) -> ReadOptions {
    ReadOptions {
        columns: [(heading.to_owned(), meaning)].into(),
        ..contests()
    }
}

#[test]
fn years_and_seasons_date_the_contests() {
    let text = "year,race,Ada,Bea,Cy\n2021,Shore,22.22,19.42,25.01\n2022,Dune,20.17,19.27,\n";
    let fastest = ReadOptions {
        lower_is_better: true,
        ..contests()
    };
    let reading = table_with(text, &fastest).unwrap();
    assert_eq!(
        contest_lines(&reading),
        [
            "Shore 2021-12-31: 1 Bea (19.42), 2 Ada (22.22), 3 Cy (25.01)",
            "Dune 2022-12-31: 1 Bea (19.27), 2 Ada (20.17)"
        ]
    );
    assert!(notes(&reading).contains("are years: each contest is dated to their last day"));
    let seasons = "Ada,Bea,Season\n30,20,2021/22\n10,40,2022/23\n";
    assert_eq!(
        contest_lines(&table_with(seasons, &contests()).unwrap()),
        [
            "2021/22 2022-06-30: 1 Ada (30), 2 Bea (20)",
            "2022/23 2023-06-30: 1 Bea (40), 2 Ada (10)"
        ]
    );
    // Without the layout it is proposed.
    let error = table("year,Ada,Bea\n2021,30,20\n2022,10,40").unwrap_err();
    assert!(error.contains("pass --layout contests"), "{error}");
}

#[test]
fn start_numbers_contests_of_years() {
    let text = "year,race,Ada,Bea\n2021,Shore,30,20\n2021,Dune,10,40\n";
    let options = ReadOptions {
        start: super::from_2024(7).start,
        every_days: Some(7),
        ..contests()
    };
    let reading = table_with(text, &options).unwrap();
    assert_eq!(
        contest_lines(&reading),
        [
            "Shore 2024-01-01: 1 Ada (30), 2 Bea (20)",
            "Dune 2024-01-08: 1 Bea (40), 2 Ada (10)"
        ]
    );
    assert!(notes(&reading).contains("columns that describe contests are not read: \"year\" (A)"));
}

#[test]
fn written_dates_and_texts_are_no_competitors() {
    let text = "race,held,venue,Ada,Bea,No\nShore,2024-03-01,Ascona,30,20,1\nDune,2024-03-08,Berlin,10,40,2\nMoor,2024-03-09,Caen,1,4,3";
    let reading = table_with(text, &contests()).unwrap();
    assert_eq!(
        contest_lines(&reading)[..2],
        [
            "Shore 2024-03-01: 1 Ada (30), 2 Bea (20)",
            "Dune 2024-03-08: 1 Bea (40), 2 Ada (10)"
        ]
    );
    assert!(notes(&reading).contains("not read: \"venue\" (C), \"No\" (F)"));
    let two = text.replace("venue", "booked").replace("Ascona", "2024-01-01");
    let two = two.replace("Berlin", "2024-01-02").replace("Caen", "2024-01-03");
    let error = table_with(&two, &contests()).unwrap_err();
    assert!(error.contains("--column held=date if"), "{error}");
    assert!(error.contains("or --column booked=date if"), "{error}");
    let held = table_with(&two, &with_column("held", ColumnMeaning::Date)).unwrap();
    assert_eq!(contest_lines(&held), contest_lines(&reading));
}

#[test]
fn numbered_and_named_rows_are_contests() {
    let options = ReadOptions {
        start: super::from_2024(1).start,
        ..contests()
    };
    let weeks = "week,Ada,Bea\n1,5,4\n2,3,9\n3,7,6\n";
    assert_eq!(contest_lines(&table_with(weeks, &options).unwrap()).len(), 3);
    for heading in ["name", "Name", "race"] {
        let text = format!("{heading},date,Ada,Bea\nShore,2024-03-01,30,20\nDune,2024-03-08,5,7\n");
        assert_eq!(
            contest_lines(&table_with(&text, &contests()).unwrap()),
            [
                "Shore 2024-03-01: 1 Ada (30), 2 Bea (20)",
                "Dune 2024-03-08: 1 Bea (7), 2 Ada (5)"
            ],
            "{heading}"
        );
    }
}

#[test]
fn competitors_that_look_like_keys_are_asked_for() {
    for (text, heading, meaning) in [
        (
            "race,edition,Ada,Bea\nS,2021,3,2\nT,2022,2,3\nU,2023,1,5",
            "edition",
            ColumnMeaning::Date,
        ),
        (
            "date,leg,Ada,Bea\n2024-01-01,1,3,4\n2024-01-02,2,2,5\n2024-01-03,3,1,4",
            "leg",
            ColumnMeaning::Ignore,
        ),
        (
            "date,Heat,Bulls,Suns\n2024-01-01,98,90,91\n2024-01-02,88,99,70",
            "Heat",
            ColumnMeaning::Ignore,
        ),
        (
            "date,Ada,Lane,Bea\n2024-01-01,98,90,80\n2024-01-02,88,99,90",
            "Lane",
            ColumnMeaning::Ignore,
        ),
    ] {
        let error = table_with(text, &contests()).unwrap_err();
        let case = format!("pass --column {heading}={} if they", meaning.as_str());
        assert!(error.contains(&case), "{error}");
        assert!(error.contains(&format!("or --column {heading}=competitor if")), "{error}");
        let lines = |options: &ReadOptions| contest_lines(&table_with(text, options).unwrap());
        let competitor = with_column(heading, ColumnMeaning::Competitor);
        let other = with_column(heading, meaning);
        if meaning == ColumnMeaning::Ignore {
            assert!(lines(&competitor).iter().all(|line| line.contains(heading)));
        }
        assert!(!lines(&other).iter().any(|line| line.contains(heading)));
        // What was imported before stays readable.
        let options = ReadOptions {
            start: super::from_2024(1).start,
            ..contests()
        };
        let archived =
            |reader| read_archived(reader, FileFormat::Table, text.as_bytes(), "a.csv", &options);
        assert!(archived(ArchivedBy::WithoutDoubts).is_ok());
        assert!(archived(ArchivedBy::Current).is_err());
    }
    // A rating of a competitor is no year of the contest.
    let ratings = "name,date,Ada,Bea\nShore,2024-03-01,1800,1900\nDune,2024-03-02,1790,1910\nMoor,2024-03-03,1820,1905";
    assert!(contest_lines(&table_with(ratings, &contests()).unwrap())[0].contains("1 Bea (1900)"));
}

#[test]
fn contests_of_one_day_are_numbered() {
    let text =
        "Date,Dragon,Phantom,Score\n2025-04-13,5,7,5-7\n2025-04-13,5,7,5-7\n2025-04-14,7,5,7-5\n";
    let names = |text: &str| -> Vec<String> {
        let reading = table_with(text, &contests()).unwrap();
        reading.contests.iter().map(|contest| contest.name.clone()).collect()
    };
    assert_eq!(names(text), ["2025-04-13", "2025-04-13 (2)", "2025-04-14"]);
}

#[test]
fn tables_without_competitors_get_no_layout() {
    for text in [
        "ID,Date,Season\n1,2024-02-06,0\n2,2024-02-13,0\n3,2024-02-20,0",
        "gameid,date,aces,twos,total_score\n1,2024-02-06,3,4,7\n2,2024-02-13,2,8,10",
    ] {
        let error = table(text).unwrap_err();
        assert!(error.contains("no column is headed competitor"), "{error}");
        let proposes = error.contains("--layout contests");
        assert!(!proposes || table_with(text, &contests()).is_err(), "{error}");
    }
}
