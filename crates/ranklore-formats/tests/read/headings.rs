//! Headings with a meaning that the cells below them do not have.

use super::{contest_lines, from_2024, standings, table, table_with};
use ranklore_formats::{ReadOptions, StatedLayout};

#[test]
fn rising_numbers_of_classes_do_not_replace_places() {
    for heading in ["Class", "Class.", "Division", "Age Group"] {
        let text = format!(
            "Date,{heading},Pos,Name\n2024-05-04,1,2,Ida\n2024-05-04,3,1,Ben\n2024-05-04,5,3,Kit"
        );
        let lines = table(&text).map_or_else(|_| Vec::new(), |reading| contest_lines(&reading));
        assert!(!lines.iter().any(|line| line.contains("1 Ida, 2 Ben")), "{heading}: {lines:?}");
    }
}

#[test]
fn words_headed_finish_are_not_dropped() {
    let text = "Date,Name,Finish,Points\n2024-05-04,Ida,Semifinal,10\n\
                2024-05-04,Ben,Champion,4\n2024-05-04,Kit,Final,7\n";
    let reading = table(text);
    assert!(reading.is_err() || reading.unwrap().contests.is_empty());
}

#[test]
fn times_headed_finish_are_scores() {
    for heading in ["Finish", "Finished", "Fin"] {
        let text = format!(
            "Date,Place,Name,{heading}\n2024-05-04,1,Ida,29:35\n2024-05-04,2,Ben,30:19\n\
             2024-05-04,--,Kit,DNF\n2024-05-04,--,Lou,DNS"
        );
        let expected = ["2024-05-04 2024-05-04: 1 Ida (1775), 2 Ben (1819), dnf Kit"];
        assert_eq!(contest_lines(&table(&text).unwrap()), expected, "{heading}");
    }
}

#[test]
fn words_headed_as_scores_are_none() {
    let text = "Date,Swimmer,Event,Stroke,Time,Place,Meet\n\
                2025-08-09,Ida,100 Free,Freestyle,1:12.34,1,City Meet\n\
                2025-08-09,Ben,100 Free,Freestyle,1:13.00,2,City Meet\n\
                2025-08-09,Ida,50 Fly,Butterfly,36.90,1,City Meet\n";
    let reading = table(text).unwrap();
    let expected = ["City Meet 2025-08-09: 1 Ida (72.34), 2 Ben (73)"];
    assert_eq!(contest_lines(&reading)[..1], expected);
    // The scores of golf are numbers.
    let golf = "Date,Player,Stroke\n2024-05-04,Ida,71\n2024-05-04,Ben,74\n";
    let lowest = ReadOptions {
        lower_is_better: true,
        ..ReadOptions::default()
    };
    let expected = ["2024-05-04 2024-05-04: 1 Ida (71), 2 Ben (74)"];
    assert_eq!(contest_lines(&table_with(golf, &lowest).unwrap()), expected);
}

#[test]
fn words_below_unknown_headings_are_no_headings() {
    for word in ["Nome", "Team", "Player"] {
        let text = format!("musher,rank,town\nIda,1,{word}\nBen,2,{word}\nKit,3,Nord\n");
        let lines = contest_lines(&table_with(&text, &from_2024(1)).unwrap());
        assert!(lines[0].ends_with("1 Ida, 2 Ben, 3 Kit"), "{lines:?}");
    }
    // Headings with a year stand below a title.
    let titled = "Summer,Cup,Results\nPlace,Name,2024\n1,Ida,10\n2,Ben,9\n";
    assert_eq!(table_with(titled, &from_2024(1)).unwrap().contests.len(), 1);
}

#[test]
fn ranking_headed_as_a_division_is_a_place() {
    for heading in ["Class.", "Class", "League"] {
        let text = format!(
            "Date,{heading},Name,Cat,Place\n2024-05-04,1,Ida,F,1\n2024-05-04,2,Ben,M,1\n\
             2024-05-04,3,Kit,M,2\n2024-05-04,4,Lou,F,2"
        );
        let expected = ["2024-05-04 2024-05-04: 1 Ida, 2 Ben, 3 Kit, 4 Lou"];
        assert_eq!(contest_lines(&table(&text).unwrap()), expected, "{heading}");
        // A row is missing.
        let gap = text.replace(",3,Kit", ",4,Kit").replace(",4,Lou", ",7,Lou");
        let lines = table(&gap).map_or_else(|_| Vec::new(), |reading| contest_lines(&reading));
        assert_eq!(lines == expected, heading == "Class.", "{heading}: {lines:?}");
        let classes = text.replace(",3,Kit", ",1,Kit").replace(",4,Lou", ",2,Lou");
        let divided = table(&classes).map_or(0, |reading| contest_lines(&reading).len());
        assert_ne!(divided, 1, "{heading}");
    }
}

#[test]
fn places_and_rounds_of_east_asian_tables_are_known() {
    let players = ReadOptions {
        layout: Some(StatedLayout::Players),
        ..from_2024(7)
    };
    for (first, rounds) in [
        ("順位", ["第1戦", "第2戦"]),
        ("순위", ["제1전", "제2전"]),
        ("名次", ["第1節", "第2節"]),
    ] {
        for place in ["N位", "第N位", "N위", "第N名", "N:a", "Nº", "Nª", "Nst"] {
            let cell = |number: u32| place.replace('N', &number.to_string());
            let [one, two, three] = [1, 2, 3].map(cell);
            let [a, b] = rounds;
            let text = format!(
                "{first},Rider,Points,{a},{b}\n{one},Ann,160,{one},{three}\n{two},Bo,144,-,{two}\n{three},Cy,126,{two},{one}\n"
            );
            let undecided = ReadOptions {
                layout: None,
                every_days: None,
                ..players.clone()
            };
            let error = table_with(&text, &undecided).unwrap_err();
            assert!(error.contains("--layout players"), "{error}");
            let reading = table_with(&text, &players).unwrap();
            assert_eq!(standings(&reading), ["1 Ann, 2 Cy", "1 Cy, 2 Bo, 3 Ann"], "{text}");
        }
    }
}

#[test]
fn french_scratch_and_chrono_are_place_and_time() {
    let text = "Date,Nom,Prénom,Chrono,Statut,Scratch\n2024-03-01,SAYAG,Alban,04:50:38,finisher,1\n\
                2024-03-01,CALMELS,Simon,05:23:34,finisher,2\n2024-03-01,ZAFAD,Mo,05:45:42,finisher,3\n2024-03-01,TUAL,Aurore,,DNF,DNF\n";
    for heading in ["Scratch", "Clt", "Clt.", "Class."] {
        let reading = table(&text.replace("Scratch", heading)).unwrap();
        assert_eq!(
            contest_lines(&reading),
            [
                "2024-03-01 2024-03-01: 1 Alban SAYAG (17438), 2 Simon CALMELS (19414), 3 Mo ZAFAD (20742), dnf Aurore TUAL"
            ],
            "{heading}"
        );
    }
}
