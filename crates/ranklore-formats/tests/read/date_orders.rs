//! Dates such as 03/04/2024, whose order the other dates of the column decide.

use ranklore_formats::{DateOrder, FileFormat, FileReading, ReadOptions, read};

use crate::{contest_lines, dates, notes, refused, table, table_with};

/// Returns the dates of the contests.
fn days(reading: &FileReading) -> Vec<String> {
    reading.contests.iter().map(|contest| contest.ends_at.to_string()).collect()
}

/// Returns a table of one contest for each of these dates.
fn rows(dates: &[&str]) -> String {
    let rows = dates
        .iter()
        .enumerate()
        .map(|(round, date)| format!("R{round},{date},1,Ivy\nR{round},{date},2,Max\n"));
    format!("contest,date,place,player\n{}", rows.collect::<String>())
}

#[test]
fn one_date_decides_the_order_of_its_column() {
    for (cells, expected, proof) in [
        (
            ["8/7/2021", "9/25/2021", "10/2/2021"],
            ["2021-08-07", "2021-09-25", "2021-10-02"],
            "\"8/7/2021\" read with the month first, as \"9/25/2021\" must be",
        ),
        (
            ["8-7-2021", "25-9-2021", "2-10-2021"],
            ["2021-07-08", "2021-09-25", "2021-10-02"],
            "\"8-7-2021\" read with the day first, as \"25-9-2021\" must be",
        ),
        (
            ["03/04/24 19:30", "03/17/24", "2024-05-06"],
            ["2024-03-04T19:30:00Z", "2024-03-17", "2024-05-06"],
            "the month first",
        ),
        (
            ["03.04.2021", "12.25.2021", "2021-12-31"],
            ["2021-03-04", "2021-12-25", "2021-12-31"],
            "the month first",
        ),
    ] {
        let reading = table(&rows(&cells)).unwrap();
        assert_eq!(days(&reading), expected);
        assert!(notes(&reading).contains(proof), "{}", notes(&reading));
    }
    // Dates with dots begin with the day without a note.
    let dotted = table(&rows(&["03.04.2021", "25.12.2021"])).unwrap();
    assert_eq!(days(&dotted), ["2021-04-03", "2021-12-25"]);
    assert!(!notes(&dotted).contains("the day first"), "{}", notes(&dotted));
}

#[test]
fn games_and_headings_are_decided_too() {
    let games = "date,red,blue,winner\n8/7/2021,Ivy,Max,Ivy\n9/25/2021,Ivy,Pia,Pia\n";
    let reading = table(games).unwrap();
    assert_eq!(days(&reading), ["2021-08-07", "2021-09-25"]);
    assert!(notes(&reading).contains("with the month first"), "{}", notes(&reading));
    let wide = "player,8/7/2021,9/25/2021\nIvy,12,30\nMax,15,7\nPia,4,9\n";
    assert_eq!(days(&super::scored_table(wide).unwrap()), ["2021-08-07", "2021-09-25"]);
    let names = "contest,place,player\nCup 8/7/2021,1,Ivy\nCup 8/7/2021,2,Max\n\
                 Cup 25/9/2021,1,Max\nCup 25/9/2021,2,Ivy\n";
    let reading = table(names).unwrap();
    assert_eq!(days(&reading), ["2021-07-08", "2021-09-25"]);
    assert!(notes(&reading).contains("as \"Cup 25/9/2021\" must be"), "{}", notes(&reading));
}

#[test]
fn undecided_dates_refuse_the_document_once() {
    let games = "date,red,blue,winner\n8/7/2021,Ivy,Max,Ivy\n8/7/2021,Ivy,Pia,Pia\n2021-09-25,Ivy,Pia,Pia\n";
    let wide = "rank,player,8/7/2021,9/7/2021\n1,Ivy,12,30\n2,Max,15,7\n3,Pia,4,2\n";
    let names = "contest,place,player\nCup 8/7/2021,1,Ivy\nCup 9/7/2021,1,Max\n";
    let long = rows(&["8/7/2021", "03/04/24"]);
    for (text, number) in [(games, 2), (wide, 2), (names, 2), (&*long, 4)] {
        let error = table(text).unwrap_err();
        assert!(error.starts_with(&format!("line 1: {number} dates such as ")), "{error}");
        assert!(error.contains("and no date of this form decides"), "{error}");
        assert!(error.contains("pass --dates dmy") && error.contains("--dates mdy"), "{error}");
        for order in [DateOrder::Dmy, DateOrder::Mdy] {
            let reading = table_with(text, &dates(order)).unwrap();
            assert_eq!(refused(&reading), [""; 0], "{text}");
        }
    }
}

#[test]
fn column_that_contradicts_itself_is_refused() {
    let text = rows(&["25/12/2024", "12/26/2024", "3/4/2024"]);
    let error = table(&text).unwrap_err();
    let reason = "2 dates such as \"3/4/2024\" can begin with the day or the month, and \
                  \"25/12/2024\" begins with the day and \"12/26/2024\" with the month";
    assert!(error.contains(reason), "{error}");
    let day_first = table_with(&text, &dates(DateOrder::Dmy)).unwrap();
    assert_eq!(days(&day_first), ["2024-12-25", "2024-04-03"]);
    assert_eq!(refused(&day_first).len(), 1);
    // Each of these has one reading.
    assert_eq!(table(&rows(&["25/12/2024", "12/26/2024"])).unwrap().contests.len(), 2);
}

#[test]
fn option_that_contradicts_the_dates_is_refused() {
    let text = rows(&["9/25/2021", "8/7/2021"]);
    let error = table_with(&text, &dates(DateOrder::Dmy)).unwrap_err();
    assert_eq!(
        error,
        "line 1: --dates dmy contradicts 2 dates such as \"9/25/2021\", and no date has that order only: pass --dates mdy, or correct the dates"
    );
    assert_eq!(table_with(&text, &dates(DateOrder::Mdy)).unwrap().contests.len(), 2);
}

#[test]
fn stated_order_reads_years_of_two_digits() {
    let text = rows(&["03/03/24", "03/17/24", "4-5-98"]);
    let reading = table_with(&text, &dates(DateOrder::Mdy)).unwrap();
    assert_eq!(days(&reading), ["2024-03-03", "2024-03-17", "1998-04-05"]);
    let unclear = table_with(&rows(&["03/17/45"]), &dates(DateOrder::Mdy)).unwrap();
    assert!(refused(&unclear)[0].contains("has a year of two digits"));
}

#[test]
fn timestamps_are_dates() {
    for (cell, expected) in [
        ("2024-02-16 17:00:00", "2024-02-16T17:00:00Z"),
        ("2024-02-16T17:00:00.123456Z", "2024-02-16T17:00:00Z"),
        ("1708102800", "2024-02-16T17:00:00Z"),
        ("1708102800.25", "2024-02-16T17:00:00Z"),
        ("1708102800000", "2024-02-16T17:00:00Z"),
    ] {
        assert_eq!(days(&table(&rows(&[cell])).unwrap()), [expected], "{cell}");
    }
}

#[test]
fn yearly_race_of_one_name_is_a_contest_by_date() {
    let extract = "Name,Rank,Date,Race\nIvy,12,2015-10-17,Reef Run\nMax,14,2015-10-17,Reef Run\n\
                   Pia,20,2015-10-17,Reef Run\nIvy,9,2016-10-01,Reef Run\nMax,30,2016-10-01,Reef Run\n";
    let reading = table(extract).unwrap();
    let lines = [
        "Reef Run 2015-10-17: 1 Ivy, 2 Max, 3 Pia",
        "Reef Run 2016-10-01: 1 Ivy, 2 Max",
    ];
    assert_eq!(contest_lines(&reading), lines);
    // Nobody stands on both dates: perhaps one of them is wrong.
    let other = extract.replace("Ivy,9", "Ole,9").replace("Max,30", "Uma,30");
    let refusal = &refused(&table(&other).unwrap())[0];
    assert!(
        refusal.ends_with("or pass --column Race=ignore if each date is a contest"),
        "{refusal}"
    );
    let options = ReadOptions {
        columns: serde_json::from_str(r#"{"Race":"ignore"}"#).unwrap(),
        ..ReadOptions::default()
    };
    let reading = table_with(&other, &options).unwrap();
    assert_eq!(days(&reading), ["2015-10-17", "2016-10-01"]);
    // Two namesakes do not make two contests of one ranking.
    let namesakes = "Name,Rank,Date,Race\nIvy,1,2015-10-17,Reef Run\nMax,2,2015-10-17,Reef Run\n\
                     Ivy,3,2016-10-17,Reef Run\nPia,4,2016-10-17,Reef Run\n";
    assert_eq!(table(namesakes).unwrap().contests.len(), 0);
}

#[test]
fn dates_of_tabs_and_semicolons_are_decided_too() {
    let text = rows(&["8/7/2021", "9/25/2021"]);
    for (separator, format) in [("\t", FileFormat::Tsv), (";", FileFormat::Table)] {
        let text = text.replace(',', separator);
        let reading = read(format, text.as_bytes(), "a.csv", &ReadOptions::default()).unwrap();
        assert_eq!(days(&reading), ["2021-08-07", "2021-09-25"]);
    }
}

#[test]
fn language_of_the_heading_decides_if_no_date_does() {
    let table_below = |heading: &str, cells: [&str; 2]| rows(&cells).replace("date", heading);
    for heading in ["fecha", "Datum", "dato"] {
        let reading = table(&table_below(heading, ["02/06/2024", "03/07/2024"])).unwrap();
        assert_eq!(days(&reading), ["2024-06-02", "2024-07-03"], "{heading}");
        assert!(notes(&reading).contains("the language of the heading: pass --dates mdy"));
        // A date that proves another order is better evidence.
        let reading = table(&table_below(heading, ["02/06/2024", "03/17/2024"])).unwrap();
        assert_eq!(days(&reading), ["2024-02-06", "2024-03-17"], "{heading}");
    }
    let stated =
        table_with(&table_below("fecha", ["02/06/2024", "03/07/2024"]), &dates(DateOrder::Mdy));
    assert_eq!(days(&stated.unwrap()), ["2024-02-06", "2024-03-07"]);
    let error = table(&table_below("date", ["02/06/2024", "03/07/2024"])).unwrap_err();
    assert!(error.contains("pass --dates dmy"), "{error}");
    // Without a year, the start gives it.
    let start = ReadOptions {
        start: crate::from_2024(1).start,
        ..ReadOptions::default()
    };
    let reading = table_with(&table_below("fecha", ["09/10", "16/10"]), &start).unwrap();
    assert_eq!(days(&reading), ["2024-10-09", "2024-10-16"]);
    let error = table(&table_below("fecha", ["09/10", "16/10"])).unwrap_err();
    assert!(error.contains("has no year: pass --start 2024-01-31"), "{error}");
}
