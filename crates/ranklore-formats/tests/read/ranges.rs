//! Places that run on from class to class.

use super::{from_2024, refused, standings, table_with};
use ranklore_formats::ColumnMeaning::{Division, Ignore, Score};
use ranklore_formats::{ColumnMeaning, ReadOptions};

const QUIZ: &str = "Место,Команда,Зачёт,Итого,1 тур\n\
                    1.,Альфа,Общий,52,10\n2.,Бета,Общий,47,8\n3.,Гамма,Общий,30,9\n4.,Дельта,Общий,14,4\n\
                    5.,Эпсилон,Школьный,48,9\n6.,Дзета,Школьный,40,5\n7.,Эта,Школьный,33,6\n8.,Тета,Школьный,6,1\n";

/// Options that date the only contest.
fn started() -> ReadOptions {
    ReadOptions {
        every_days: None,
        ..from_2024(1)
    }
}

fn refusal(text: &str) -> String {
    refused(&table_with(text, &started()).unwrap()).join("\n")
}

#[test]
fn places_that_run_on_over_classes_ask_for_the_ranking() {
    let message = refusal(QUIZ);
    let cases = "pass --column Зачёт=division if each is a contest of its own, --column Место=ignore --column Зачёт=ignore if \"Итого\" (D) ranks all, or --column Зачёт=ignore if the places do";
    assert!(message.contains(cases), "{message}");
    let read = |columns: &[(&str, ColumnMeaning)]| {
        let columns = columns.iter().map(|&(heading, meaning)| (heading.to_owned(), meaning));
        let options = ReadOptions {
            columns: columns.collect(),
            ..started()
        };
        standings(&table_with(QUIZ, &options).unwrap())
    };
    assert_eq!(
        read(&[("Зачёт", Division)]),
        [
            "1 Альфа, 2 Бета, 3 Гамма, 4 Дельта",
            "1 Эпсилон, 2 Дзета, 3 Эта, 4 Тета"
        ]
    );
    let by_points = read(&[("Место", Ignore), ("Итого", Score)]);
    assert!(by_points[0].starts_with("1 Альфа, 2 Эпсилон, 3 Бета"), "{by_points:?}");
    let by_places = read(&[("Зачёт", Ignore)]);
    assert!(by_places[0].starts_with("1 Альфа, 2 Бета, 3 Гамма, 4 Дельта, 5 Эпсилон"));
}

#[test]
fn times_of_classes_with_places_that_run_on_ask_as_well() {
    let text = "Place,Name,Category,Time\n1,Ann,W,30:00\n2,Bea,W,31:00\n3,Cat,W,33:00\n4,Dee,W,34:00\n\
                5,Ed,M,28:00\n6,Flo,M,29:00\n7,Gus,M,32:30\n";
    let message = refusal(text);
    let by_time = "--column Place=ignore --column Category=ignore --lower-is-better if \"Time\" (D) ranks all";
    assert!(message.contains(by_time), "{message}");
}

#[test]
fn one_ranking_of_several_classes_stays_one() {
    for text in [
        // The points go on, one class beats few of the other, classes mix, or the column holds remarks or
        // numbers.
        QUIZ.replace(",48,9", ",13,9")
            .replace(",40,5", ",12,5")
            .replace(",33,6", ",11,6"),
        QUIZ.replace(",48,9", ",16,9")
            .replace(",40,5", ",12,5")
            .replace(",33,6", ",11,6"),
        QUIZ.replace("Дзета,Школьный", "Дзета,Общий"),
        QUIZ.replace("Общий", ""),
        QUIZ.replace("Общий", "2024").replace("Школьный", "2025"),
        // Points without an order tell nothing.
        QUIZ.replace(",47,8", ",20,8"),
    ] {
        let reading = table_with(&text, &started()).unwrap();
        let expected = "1 Альфа, 2 Бета, 3 Гамма, 4 Дельта, 5 Эпсилон, 6 Дзета, 7 Эта, 8 Тета";
        assert_eq!(standings(&reading), [expected], "{text}");
    }
}

#[test]
fn numbers_that_follow_all_places_speak_for_one_ranking() {
    let text = "Pos,Crew,Class,Laps,Points\n1,Gulls,A,390,25\n2,Terns,A,389,18\n3,Auks,A,385,15\n\
                4,Skuas,B,370,25\n5,Kites,B,369,18\n6,Larks,B,368,15\n7,Owls,B,361,12\n";
    let reading = table_with(text, &started()).unwrap();
    assert!(standings(&reading)[0].starts_with("1 Gulls, 2 Terns, 3 Auks, 4 Skuas"));
    // A number of the rows says nothing.
    let numbered = text.lines().enumerate().map(|(row, line)| match row {
        0 => format!("{line},Row\n"),
        row => format!("{line},{row}\n"),
    });
    let numbered = numbered.collect::<String>().replace("Laps", "Length").replace(",36", ",46");
    let message = refusal(&numbered);
    let by_points = "--column Pos=ignore --column Class=ignore if \"Points\" (E) ranks all";
    assert!(message.contains(by_points), "{message}");
}

/// Returns a table of two classes with the times of a slower one that is ranked below.
fn two_finals(heading: &str, [first, second]: [&str; 2]) -> String {
    format!(
        "Place,Name,{heading},Time\n1,Ann,{first},51.2\n2,Bea,{first},51.4\n3,Cat,{first},52.1\n4,Dee,{first},52.9\n\
         5,Ed,{second},51.9\n6,Flo,{second},52.3\n7,Gus,{second},52.5\n8,Hal,{second},52.8\n"
    )
}

#[test]
fn finals_laps_and_groups_are_one_ranking() {
    assert!(refusal(&two_finals("Category", ["W", "M"])).contains("run on"));
    for text in [
        two_finals("Category", ["A Final", "B Final"]),
        two_finals("Final", ["FA", "FB"]),
        two_finals("Class", ["Lead lap", "+1 lap"]),
        two_finals("Laps", ["full", "less"]),
        two_finals("League", ["Championship", "Relegation"]),
    ] {
        let reading = table_with(&text, &started()).unwrap();
        assert!(standings(&reading)[0].ends_with("7 Gus, 8 Hal"), "{text}");
    }
}

#[test]
fn places_of_classes_and_ages_are_no_points() {
    let rows = "\n1,Ann,W,1,40\n2,Bea,W,2,35\n3,Cat,W,3,31\n4,Dee,W,4,22\n\
                5,Ed,M,1,44\n6,Flo,M,2,38\n7,Gus,M,3,36\n";
    for headings in [
        "Place,Name,Category,Cat place,Age",
        "Place,Name,Sex,Cat place,Born",
    ] {
        let reading = table_with(&format!("{headings}{rows}"), &started()).unwrap();
        assert!(!refused(&reading).join("").contains("run on"), "{headings}");
    }
    // A score that never goes against the places is enough, whatever else the rows hold.
    let scored = "Place,Name,Sex,Points,Bonus\n1,Ann,F,90,40\n2,Bea,F,90,35\n3,Cat,F,85,31\n4,Dee,F,80,22\n\
                  5,Ed,M,80,44\n6,Flo,M,70,38\n7,Gus,M,60,36\n";
    let reading = table_with(scored, &started()).unwrap();
    assert!(standings(&reading)[0].ends_with("6 Flo, 7 Gus"), "{:?}", refused(&reading));
}
