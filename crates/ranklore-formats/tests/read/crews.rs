//! People with a row each who share the result of their boat, car or team.

use super::{contest_lines, from_2024, notes, proposals, refused, scores, standings, table_with};
use ranklore_formats::{ColumnMeaning, ReadOptions, StatedLayout};

fn stated(heading: &str, meaning: ColumnMeaning, layout: Option<StatedLayout>) -> ReadOptions {
    ReadOptions {
        layout,
        columns: [(heading.to_owned(), meaning)].into(),
        ..scores(from_2024(1))
    }
}

const REGATTA: &str = "rowid,Class,Position,Sail Number,Sailor,Club Name,Points,R1,R2,R3\n\
    1,420,1,USA 1247,Ann Lark,Gulls,8,2,1,5\n2,420,1,USA 1247,Bea Sand,Gulls,8,2,1,5\n\
    3,420,2,USA 8767,Cy Roe,Terns,9,3,4,2\n4,420,2,USA 8767,Di Fox,Terns,9,3,4,2\n\
    5,420,3,USA 8244,Eve Hill,Auks,11,1,6,4\n6,420,3,USA 8244,Flo Kay,Auks,11,1,6,4\n";

#[test]
fn people_of_one_boat_are_a_team() {
    let rows = ReadOptions {
        layout: Some(StatedLayout::Rows),
        ..from_2024(1)
    };
    assert_eq!(
        proposals(REGATTA, &rows),
        [
            "--column 'Sail Number=team'",
            "--column 'Sail Number=ignore'"
        ]
    );
    // So are those of each class.
    let classes = REGATTA
        .lines()
        .skip(1)
        .map(|row| row.replace("420", "29er").replace("USA", "GBR"));
    let classes = REGATTA.to_owned() + &classes.collect::<Vec<_>>().join("\n");
    assert_eq!(proposals(&classes, &rows)[0], "--column 'Sail Number=team'");
    let team = stated("Sail Number", ColumnMeaning::Team, Some(StatedLayout::Rows));
    let lines = contest_lines(&table_with(REGATTA, &team).unwrap());
    assert!(lines[0].contains("1 USA 1247 [Ann Lark Bea Sand] (8), 2 USA 8767"), "{lines:?}");
    // A further row without a name is that of an unknown member, unless it has another result.
    let unnamed = REGATTA.replace("Bea Sand", "NA");
    let lines = contest_lines(&table_with(&unnamed, &team).unwrap());
    assert!(
        lines[0].contains("1 USA 1247 [Ann Lark] (8), 2 USA 8767 [Cy Roe Di Fox]"),
        "{lines:?}"
    );
    let other = unnamed.replace("NA,Gulls,8", "NA,Gulls,9");
    let reading = table_with(&other, &team).unwrap();
    assert!(refused(&reading)[0].contains("stands twice"), "{:?}", refused(&reading));
}

#[test]
fn people_of_one_boat_do_not_race_alone() {
    let players = ReadOptions {
        layout: Some(StatedLayout::Players),
        ..scores(from_2024(1))
    };
    assert_eq!(
        proposals(REGATTA, &players),
        [
            "--layout rows --column 'Sail Number=team'",
            "--column 'Sail Number=ignore'"
        ]
    );
    let team = stated("Sail Number", ColumnMeaning::Team, Some(StatedLayout::Players));
    assert!(table_with(REGATTA, &team).unwrap_err().contains("share their results"));
    // Without a place or a total, no option joins the rows.
    let rounds = "Bib,Name,R1,R2\n7,Ann,2,5\n7,Bea,2,5\n8,Cy,4,3\n8,Di,4,3\n";
    assert_eq!(proposals(rounds, &players), ["--column Bib=ignore"]);
    let alone = stated("Bib", ColumnMeaning::Ignore, Some(StatedLayout::Players));
    assert_eq!(standings(&table_with(rounds, &alone).unwrap())[0], "1 Cy, 1 Di, 3 Ann, 3 Bea");
}

#[test]
fn headings_of_boats_are_recognised() {
    for (heading, boats) in [
        ("Car No.", ["7", "8", "9"]),
        ("Bib", ["7", "8", "9"]),
        ("Yacht", ["Auk", "Tern", "Skua"]),
    ] {
        for (result, values) in [("Place", ["1", "2", "3"]), ("Points", ["9", "8", "5"])] {
            let mut text = format!("{result},{heading},Name\n");
            for (index, name) in ["Ann", "Bea", "Cy", "Di", "Eve", "Flo"].iter().enumerate() {
                let crew = index / 2;
                text += &format!("{},{},{name}\n", values[crew], boats[crew]);
            }
            assert_eq!(
                proposals(&text, &from_2024(1)),
                [
                    format!("--column {}", quoted(&format!("{heading}=team"))),
                    format!("--column {}", quoted(&format!("{heading}=ignore")))
                ],
                "{result}"
            );
            let team = stated(heading, ColumnMeaning::Team, None);
            let names = standings(&table_with(&text, &team).unwrap());
            assert_eq!(names, [format!("1 {}, 2 {}, 3 {}", boats[0], boats[1], boats[2])]);
        }
    }
}

fn quoted(text: &str) -> String {
    if text.contains(' ') {
        format!("'{text}'")
    } else {
        text.to_owned()
    }
}

#[test]
fn ties_within_clubs_are_ties() {
    for text in [
        // The places count all.
        "Place,Club,Name\n1,Auks,Ann\n1,Auks,Bea\n3,Terns,Cy\n3,Terns,Di\n",
        // Others of a club have another result.
        "Place,Club,Name\n1,Auks,Ann\n1,Auks,Bea\n2,Terns,Cy\n2,Terns,Di\n3,Auks,Eve\n",
        "Points,Club,Name\n9,Auks,Ann\n9,Auks,Bea\n8,Terns,Cy\n7,Terns,Di\n6,Skuas,Eve\n",
        // Numbers under another heading.
        "Place,Prize,Name\n1,9,Ann\n1,9,Bea\n2,5,Cy\n2,5,Di\n",
    ] {
        let reading = table_with(text, &from_2024(1));
        assert!(reading.is_ok(), "{text}: {:?}", reading.err());
    }
}

#[test]
fn places_of_divisions_are_no_crews() {
    let text = "Event,Date,Level,Place,Name,House\nSack race,2024-06-28,Year 3,1,Ann,Red\nSack race,2024-06-28,Year 3,2,Bo,Blue\n\
                Sack race,2024-06-28,Year 4,1,Cy,Red\nSack race,2024-06-28,Year 4,2,Di,Blue\n";
    let refusal = super::refused(&table_with(text, &ReadOptions::default()).unwrap()).join("; ");
    assert!(refusal.contains("--column Level=division"), "{refusal}");
    let sorted = "Date,Level,Place,Name,House\n2024-06-28,Year 3,1,Ann,Red\n2024-06-28,Year 4,1,Cy,Red\n\
                  2024-06-28,Year 3,2,Bo,Blue\n2024-06-28,Year 4,2,Di,Blue\n";
    let divided = stated("Level", ColumnMeaning::Division, None);
    let reading = table_with(
        sorted,
        &ReadOptions {
            start: None,
            ..divided
        },
    )
    .unwrap();
    assert_eq!(standings(&reading), ["1 Ann, 2 Bo", "1 Cy, 2 Di"]);
}

#[test]
fn names_without_results_below_others_are_no_absent_competitors() {
    let text = "Position,Sail,Sailor,Points,R1,R2,R3\n1,,Ada Lark,5,1,2,2\n,GBR 7,Bea Sand,,,,\n\
                2,,Cy Roe,6,2,1,3\n,GBR 9,Dov Fox,,,,\n3,,Eve Lund,7,3,3,1\n,GBR 4,,,,,\n";
    let players = ReadOptions {
        layout: Some(StatedLayout::Players),
        ..from_2024(1)
    };
    assert_eq!(proposals(text, &players), ["--where 'Position!='"]);
    // Some who did not take part, in the order of names or below all others.
    for absent in [
        "Position,Sailor,R1,R2\n2,Ada,2,1\n1,Bea,1,2\n,Cy,,\n3,Dov,3,3\n4,Eve,4,4\n",
        "Position,Sailor,R1,R2\n1,Ada,1,2\n2,Bea,2,1\n,Cy,,\n,Dov,,\n",
    ] {
        let reading = table_with(absent, &players).unwrap();
        assert_eq!(reading.contests.len(), 2, "{absent}");
        assert!(notes(&reading).contains("rows without a result: "), "{}", notes(&reading));
    }
}
