//! Columns of times and rankings beside each other, and the handicaps of boats.

use super::{
    contest_lines, from_2024, lower_is_better, notes, proposals, standings, table, table_with,
};
use ranklore_formats::{ArchivedBy, FileFormat, ReadOptions, read_archived};

const BOATS: &str = "Boat Name,Skipper,Rating,Elapsed,Corrected,Place,Date
Heron,Ann,210,2:01:45,1:32:58,1,2024-03-01
Otter,Bo,252,2:10:19,1:35:47,2,2024-03-01
Kite,Cy,285,1:51:06,1:42:02,3,2024-03-01
";

fn expect_lines(text: &str, expected: &str) -> String {
    let reading = table(text).unwrap_or_else(|error| panic!("{error}: {text}"));
    assert_eq!(contest_lines(&reading), [expected], "{text}");
    notes(&reading)
}

#[test]
fn rating_of_a_boat_is_a_handicap() {
    let reading = table(BOATS).unwrap();
    assert!(reading.starting_ratings.is_empty());
    let note = "\"Rating\" (C) holds the handicaps of boats";
    assert!(notes(&reading).contains(note), "{}", notes(&reading));
    let players = "Name,Rating,Place,Date\nAnn,2100,1,2024-03-01\nBo,2520,2,2024-03-01\n";
    assert_eq!(table(players).unwrap().starting_ratings.len(), 2);
}

#[test]
fn corrected_time_ranks_beside_an_elapsed_one() {
    let expected = "2024-03-01 2024-03-01: 1 Ann (5578), 2 Bo (5747), 3 Cy (6122)";
    let notes = expect_lines(BOATS, expected);
    assert!(notes.contains("\"Corrected\" (E) is the time that is read"), "{notes}");
    let unplaced = BOATS.replace(",Place,", ",Berth,").replace(",1,2024", ",7,2024");
    let reading = table_with(&unplaced, &lower_is_better()).unwrap();
    assert_eq!(contest_lines(&reading), [expected]);
    // The places follow the elapsed time.
    let elapsed = BOATS.replace(",3,2024", ",0,2024").replace(",2,2024", ",3,2024");
    let elapsed = elapsed.replace(",1,2024", ",2,2024").replace(",0,2024", ",1,2024");
    let expected = "2024-03-01 2024-03-01: 1 Cy (6666), 2 Ann (7305), 3 Bo (7819)";
    expect_lines(&elapsed, expected);
    let archived = read_archived(
        ArchivedBy::WithoutDoubts,
        FileFormat::Table,
        BOATS.as_bytes(),
        "boats.csv",
        &ReadOptions::default(),
    );
    let expected = "2024-03-01 2024-03-01: 1 Ann (7305), 2 Bo (7819), 3 Cy (6666)";
    assert_eq!(contest_lines(&archived.unwrap()), [expected]);
}

#[test]
fn time_that_agrees_with_the_places_is_the_score() {
    let rows = "2024-03-01,Ann,2:37:36,1,2:37:35\n2024-03-01,Bo,2:37:37,2,2:37:27\n\
                2024-03-01,Cy,2:37:38,3,2:37:28\n2024-03-01,Di,DNF,,DNF\n";
    let official = "2024-03-01 2024-03-01: 1 Ann (9456), 2 Bo (9457), 3 Cy (9458), dnf Di";
    let notes =
        expect_lines(&format!("Date,Name,Official Time,Rank All,Net Time\n{rows}"), official);
    assert!(notes.contains("the order of the places agrees with it alone"), "{notes}");
    expect_lines(&format!("Date,Name,Net Time,Rank All,Gun Time\n{rows}"), official);
    // Both agree.
    let equal = rows.replace("2:37:35", "2:37:26");
    let error = table(&format!("Date,Name,Net Time,Rank All,Gun Time\n{equal}")).unwrap_err();
    assert!(error.contains("both mean the score"), "{error}");
}

#[test]
fn rival_scores_without_places_or_times_are_refused() {
    for text in [
        "Date,Name,Official Time,Net Time\n2024-03-01,Ann,2:37:36,2:37:35\n2024-03-01,Bo,2:37:37,2:37:27\n",
        "Date,Name,Place,Points,Pts\n2024-03-01,Ann,1,5,7\n2024-03-01,Bo,2,4,6\n",
    ] {
        let error = table(text).unwrap_err();
        assert!(error.contains("both mean the score"), "{error}");
    }
}

#[test]
fn ranking_that_times_rise_with_is_the_place() {
    for heading in ["Postion", "Possition", "Ordre"] {
        let text = format!(
            "Date,{heading},Time,Name\n2024-03-01,1,0:33:52,Ann\n2024-03-01,2,0:35:13,Bo\n2024-03-01,3,0:35:38,Cy\n"
        );
        expect_lines(&text, "2024-03-01 2024-03-01: 1 Ann (2032), 2 Bo (2113), 3 Cy (2138)");
    }
    let ordered = "Date,Ordre,Time,Name\n2024-03-01,1,0:33:52,Ann\n2024-03-01,2,0:35:13,Bo\n2024-03-01,3,0:35:38,Cy\n";
    let ranked = notes(&table(ordered).unwrap());
    assert!(ranked.contains("the times in \"Time\" (C) rise with it"), "{ranked}");
    for (from, to) in [
        ("0:35:38", "0:31:38"),
        ("0:35:38", "0:35:13"),
        ("Time", "Points"),
    ] {
        let text = ordered.replace(from, to);
        let text = if to == "Points" {
            text.replace("0:", "")
        } else {
            text
        };
        let text = text.replace(':', if to == "Points" { "" } else { ":" });
        let error = table(&text).unwrap_err();
        for option in ["--column Ordre=place", "--column Ordre=ignore"] {
            assert!(error.contains(option), "{error}");
        }
    }
}

#[test]
fn results_that_rise_with_the_times_of_each_class_are_places() {
    let text = "Cat,Result,Name,Club,Time\nU13,1,Ann,XC,0:34:32\nU13,2,Bea,YC,0:34:32\nU13,3,Cat,XC,0:36:51\nU13,4,Cy,YC,0:37:02\n\
                Elite,1,Di,YC,3:09:41\nElite,2,Ed,XC,3:09:42\nElite,3,Flo,YC,3:12:00\nElite,DNF,Gus,XC,DNF\n";
    let reading = table_with(text, &from_2024(1)).unwrap();
    assert_eq!(standings(&reading), ["1 Ann, 2 Bea, 3 Cat, 4 Cy", "1 Di, 2 Ed, 3 Flo, - Gus"]);
    assert!(notes(&reading).contains("rise with it in each value of \"Cat\" (A)"));
    // One class, and classes under a heading that says so.
    let elite = text
        .replace("U13,1", "Elite,1")
        .replace("U13,2", "Elite,2")
        .replace("U13,3", "Elite,3")
        .replace("U13,4", "Elite,4");
    let one = elite.replace("Elite,1,Di", "Elite,5,Di").replace("Elite,2,Ed", "Elite,6,Ed");
    let one = one.replace("Elite,3,Flo", "Elite,7,Flo");
    let reading = table_with(&one, &from_2024(1)).unwrap();
    assert!(standings(&reading)[0].starts_with("1 Ann, 2 Bea, 3 Cat, 4 Cy, 5 Di"));
    let headed = text.replace("Cat,Result", "Category,Result");
    assert_eq!(standings(&table_with(&headed, &from_2024(1)).unwrap()).len(), 2);
    // Rows that do not rise, times that fall, gaps, results of 0, and too few steps tell nothing.
    for other in [
        text.replace("Elite,1,Di", "Elite,3,Di").replace("Elite,3,Flo", "Elite,1,Flo"),
        text.replace("3:09:41", "3:59:41"),
        text.replace("Elite,", "U13,"),
        text.lines().take(6).collect::<Vec<_>>().join("\n"),
        text.replace("U13,4", "U13,5"),
        text.replace("U13,1", "U13,0"),
    ] {
        let options = proposals(&other, &from_2024(1));
        assert_eq!(options, ["--column Result=ignore", "--column Time=ignore"], "{other}");
    }
    // Goals, or wins, of games beside the times at which they begin.
    for results in [
        ["1", "2", "1", "4", "1", "1"],
        ["1", "2", "1", "2", "1", "2"],
        ["1", "0", "1", "0", "1", "0"],
    ] {
        let rows = [
            "05,15:00,Ann",
            "05,15:00,Bob",
            "12,16:00,Cy",
            "12,16:00,Ann",
            "19,15:00,Bob",
            "19,15:00,Cy",
        ];
        let rows = rows
            .iter()
            .zip(results)
            .map(|(row, result)| format!("2024-01-{row},{result}\n"));
        let games = format!("Date,Time,Team,Result\n{}", rows.collect::<String>());
        if let Ok(reading) = table_with(&games, &from_2024(1)) {
            assert!(!notes(&reading).contains("rise with it"), "{games}");
        }
    }
}

#[test]
fn gaps_to_the_first_are_no_scores() {
    let text = "Date,Rank,Name,Time\n2024-03-01,1,Ann,4:53:55\n2024-03-01,2,Bo,0:22\n\
                2024-03-01,3,Cy,1:24\n2024-03-01,DNF,Di,\n2024-03-08,1,Bo,0:40\n2024-03-08,2,Cy,0:05\n";
    let reading = table(text).unwrap();
    assert_eq!(
        contest_lines(&reading),
        [
            "2024-03-01 2024-03-01: 1 Ann, 2 Bo, 3 Cy, dnf Di",
            "2024-03-08 2024-03-08: 1 Bo, 2 Cy"
        ]
    );
    assert!(notes(&reading).contains("\"Time\" (D) has the gaps"), "{}", notes(&reading));
    // A column of statuses, times of other contests, times that fall, and one that the user states.
    let stated = r#"{"columns": {"Time": "score"}}"#;
    for (text, options) in [
        (text.replace("DNF,Di,", ",Di,DNF"), "{}"),
        (text.replace("0:05", "0:25"), "{}"),
        (text.replace("1:24", "0:12"), "{}"),
        (text.to_owned(), stated),
    ] {
        let options: ReadOptions = serde_json::from_str(options).unwrap();
        let lines = contest_lines(&table_with(&text, &options).unwrap());
        assert!(lines[0].contains("1 Ann (17635)"), "{lines:?}");
    }
}
