//! Ratings that a table publishes with its results.

use super::{contest_lines, notes, table, table_with};
use ranklore_contest::OfficialRating;
use ranklore_formats::{ArchivedBy, FileFormat, FileReading, ReadOptions, read_archived};

/// Returns the ratings as `contest: competitor before after`.
fn ratings(reading: &FileReading) -> Vec<String> {
    let lines = reading.official.iter().flat_map(|(contest, ratings)| {
        ratings.iter().map(move |rating| {
            let OfficialRating {
                competitor,
                before,
                after,
                ..
            } = rating;
            let before = before.map_or_else(|| "none".to_owned(), |before| before.to_string());
            format!("{contest}: {competitor} {before} {after}")
        })
    });
    lines.collect()
}

const LEAGUE: &str = "contest id,date,place,player,old rating,new rating
A,2024-03-01,1,ann,1500,1520
A,2024-03-01,2,bo,,1480.5
B,2024-03-08,1,bo,1480.5,1501
B,2024-03-08,2,cy,,unrated
B,2024-03-08,3,dee,1400,
";

#[test]
fn ratings_before_and_after_are_read() {
    let reading = table(LEAGUE).unwrap();
    assert_eq!(
        ratings(&reading),
        ["A: ann 1500 1520", "A: bo none 1480.5", "B: bo 1480.5 1501"]
    );
    assert!(reading.starting_ratings.is_empty());
    let notes = notes(&reading);
    assert!(notes.contains("published ratings are kept as the run official"), "{notes}");
    let unreadable = "published ratings that are not numbers left out: 1, first on line 5";
    assert!(notes.contains(unreadable), "{notes}");
}

#[test]
fn changes_lead_to_the_ratings_after() {
    let text = "contest id,date,place,player,rating before,rating change
        A,2024-03-01,1,ann,1500,+20
        A,2024-03-01,2,bo,,-20\n";
    let reading = table(&text.replace("        ", "")).unwrap();
    // What the change of a newcomer is added to is not known.
    assert_eq!(ratings(&reading), ["A: ann 1500 1520"]);
    let alone = table(&text.replace("        ", "").replace("rating before", "bib")).unwrap();
    assert_eq!(ratings(&alone), [""; 0]);
}

#[test]
fn ratings_stand_in_the_order_of_places() {
    let text = "contest id,date,place,player,rating after
A,2024-03-01,2,ann,1500
A,2024-03-01,1,bo,1600
";
    assert_eq!(ratings(&table(text).unwrap()), ["A: bo none 1600", "A: ann none 1500"]);
}

#[test]
fn rating_after_does_not_need_the_one_before() {
    let text = LEAGUE.replace("ann,1500,1520", "ann,1500P,1520");
    assert_eq!(ratings(&table(&text).unwrap())[0], "A: ann none 1520");
}

#[test]
fn ratings_that_may_be_thousands_are_refused() {
    let text = "contest id,date,place,player,rating after
A,2024-03-01,1,ann,\"1,520\"
A,2024-03-01,2,bo,\"1,480\"
";
    let reading = table(text).unwrap();
    assert_eq!(ratings(&reading), [""; 0]);
    let refused = super::refused(&reading);
    assert_eq!(refused.len(), 2);
    assert!(
        refused[0].contains("rating after \"1,520\" may be a thousand"),
        "{}",
        refused[0]
    );
    let columns = &reading.layout.as_ref().unwrap().columns;
    assert_eq!(columns[4].meaning, None);
}

#[test]
fn ratings_are_those_of_people() {
    let teams = "contest id,date,place,team,rating after
A,2024-03-01,1,Owls,1520
A,2024-03-01,2,Elks,1480
";
    assert_eq!(ratings(&table(teams).unwrap()), [""; 0]);
    let members = "contest id,date,place,team,player,rating after
A,2024-03-01,1,Owls,ann,1520
A,2024-03-01,1,Owls,bo,1510
A,2024-03-01,2,Elks,cy,1480
A,2024-03-01,2,Elks,dee,1470
";
    let expected = [
        "A: ann none 1520",
        "A: bo none 1510",
        "A: cy none 1480",
        "A: dee none 1470",
    ];
    assert_eq!(ratings(&table(members).unwrap()), expected);
}

#[test]
fn earlier_readings_have_no_published_ratings() {
    let read = read_archived(
        ArchivedBy::WithoutDoubts,
        FileFormat::Table,
        LEAGUE.as_bytes(),
        "league.csv",
        &ReadOptions::default(),
    )
    .unwrap();
    assert_eq!(ratings(&read), [""; 0]);
    assert_eq!(read.contests.len(), 2);
}

#[test]
fn wide_table_does_not_take_ratings_for_contests() {
    let text = "player,rating before,2024-03-01,2024-03-08,rating after\n\
        ann,1500,3,2,1520\nbo,1480,1,4,1490\n";
    let reading = table_with(text, &super::scores(ReadOptions::default())).unwrap();
    assert_eq!(contest_lines(&reading).len(), 2);
    assert_eq!(ratings(&reading), [""; 0]);
}
