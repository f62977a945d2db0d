//! Columns that separate a contest into rankings of their own, and stated meanings of columns.

use proptest::prelude::*;
use ranklore_formats::{ColumnMeaning, ReadOptions};

use super::{contest_lines, from_2024, notes, refused, standings, table, table_with};

fn with_columns(meanings: &[(&str, ColumnMeaning)]) -> ReadOptions {
    ReadOptions {
        columns: meanings
            .iter()
            .map(|&(heading, meaning)| (heading.to_owned(), meaning))
            .collect(),
        ..ReadOptions::default()
    }
}

const BOARDS: &str = "Contest,Date,Board,Place,Player
Cup,2024-03-01,Upper hall,1,Ana
Cup,2024-03-01,Upper hall,2,Ben
Cup,2024-03-01,Lower hall,1,Cleo
Cup,2024-03-01,Lower hall,2,Dag
Cup,2024-03-01,Lower hall,3,Elin
";

#[test]
fn unread_separating_column_is_refused_until_stated() {
    let reading = table(BOARDS).unwrap();
    assert_eq!(reading.contests.to_vec(), []);
    let reason = &refused(&reading)[0];
    for text in [
        "places repeat, and \"Board\" (C) separates them",
        "--column Board=division",
        "--column Board=ignore",
    ] {
        assert!(reason.contains(text), "{reason}");
    }
    let divided = table_with(BOARDS, &with_columns(&[("Board", ColumnMeaning::Division)])).unwrap();
    assert_eq!(
        contest_lines(&divided),
        [
            "Cup 2024-03-01: 1 Ana, 2 Ben",
            "Cup 2024-03-01: 1 Cleo, 2 Dag, 3 Elin"
        ]
    );
    let tied = table_with(BOARDS, &with_columns(&[("Board", ColumnMeaning::Ignore)])).unwrap();
    assert_eq!(contest_lines(&tied), ["Cup 2024-03-01: 1 Ana, 1 Cleo, 3 Ben, 3 Dag, 5 Elin"]);
}

#[test]
fn column_separates_ranges_of_places() {
    let text = "Contest,Date,Board,Place,Player
Cup,2024-03-01,Upper,1,Ana
Cup,2024-03-01,Upper,2-3,Ben
Cup,2024-03-01,Upper,2-3,Cleo
Cup,2024-03-01,Lower,1,Dag
Cup,2024-03-01,Lower,2,Elin
";
    let reading = table(text).unwrap();
    assert_eq!(reading.contests.to_vec(), []);
    assert!(refused(&reading)[0].contains("--column Board=division"));
}

#[test]
fn heats_are_divisions_by_themselves() {
    for heading in ["Heat", "gender", "Weight class", "Gruppe", "POOLS"] {
        let text = BOARDS.replace("Board", heading);
        let reading = table(&text).unwrap();
        assert_eq!(refused(&reading), [""; 0], "{heading}");
        let contests = reading.contests.to_vec();
        let divisions: Vec<_> =
            contests.iter().map(|contest| contest.division.as_deref()).collect();
        assert_eq!(divisions, [Some("Upper hall"), Some("Lower hall")], "{heading}");
        let note = format!("\"{heading}\" (C) separates them into rankings: it is read as");
        assert!(notes(&reading).contains(&note), "{heading}");
    }
}

#[test]
fn description_beside_overall_ranking_divides_nothing() {
    let text = "Contest,Date,Gender,Place,Player
Run,2024-03-01,f,1,Ana
Run,2024-03-01,m,2,Ben
Run,2024-03-01,f,3,Cleo
Walk,2024-03-02,f,1,Ana
Walk,2024-03-02,m,1,Ben
Walk,2024-03-02,f,2,Cleo
Walk,2024-03-02,m,2,Dag
";
    let reading = table(text).unwrap();
    // One overall ranking would break: the other contest is refused instead.
    assert_eq!(contest_lines(&reading), ["Run 2024-03-01: 1 Ana, 2 Ben, 3 Cleo"]);
    assert!(refused(&reading)[0].contains("--column Gender=division"));
}

#[test]
fn real_ties_are_not_refused() {
    for (column, values) in [
        ("Club", ["Gulls", "Terns", "Gulls", "Larks"]),
        ("Bib", ["11", "12", "13", "14"]),
        ("Country", ["SE", "NO", "SE", "NO"]),
    ] {
        let places = [1, 1, 3, 4];
        let rows = places
            .iter()
            .zip(values)
            .zip(["Ana", "Ben", "Cleo", "Dag"])
            .map(|((place, value), name)| format!("2024-03-01,{value},{place},{name}"));
        let rows: Vec<String> = rows.collect();
        let text = format!("Date,{column},Place,Player\n{}\n", rows.join("\n"));
        let reading = table(&text).unwrap();
        let expected = ["2024-03-01 2024-03-01: 1 Ana, 1 Ben, 3 Cleo, 4 Dag"];
        assert_eq!(contest_lines(&reading), expected, "{column}");
    }
}

#[test]
fn values_of_one_row_separate_nothing() {
    for rows in [
        "2024-03-01,11,1,Ana\n2024-03-01,12,1,Ben\n",
        // Only one of the values has a second row.
        "2024-03-01,11,1,Ana\n2024-03-01,12,1,Ben\n2024-03-01,11,2,Cleo\n",
    ] {
        let reading = table(&format!("Date,Bib,Place,Player\n{rows}")).unwrap();
        assert_eq!(refused(&reading), [""; 0]);
        assert_eq!(reading.contests.len(), 1);
    }
}

#[test]
fn roles_of_team_members_separate_nothing() {
    let text = "Date,Team,Member,Role,Place
2024-03-01,Gulls,Ana,captain,1
2024-03-01,Gulls,Ben,mate,1
2024-03-01,Terns,Cleo,captain,2
2024-03-01,Terns,Dag,mate,2
";
    let reading = table(text).unwrap();
    assert_eq!(
        contest_lines(&reading),
        ["2024-03-01 2024-03-01: 1 Gulls [Ana Ben], 2 Terns [Cleo Dag]"]
    );
}

#[test]
fn weapon_beside_division_is_the_event() {
    let text = "Date,Contest,Weapon,Category,Place,Player
2024-03-01,Cup,Foil,Senior,1,Ana
2024-03-01,Cup,Foil,Senior,2,Ben
2024-03-01,Cup,Epee,Senior,1,Ben
2024-03-01,Cup,Epee,Senior,2,Cleo
2024-03-01,Cup,Epee,Junior,1,Dag
";
    let reading = table(text).unwrap();
    assert_eq!(refused(&reading), [""; 0]);
    let contests = reading.contests.to_vec();
    let ids: Vec<_> = contests
        .iter()
        .map(|contest| {
            (contest.external_id.as_str(), contest.event.as_deref(), contest.name.as_str())
        })
        .collect();
    assert_eq!(
        ids,
        [
            ("Cup/Foil/Senior@1709251200", Some("Foil"), "Cup"),
            ("Cup/Epee/Senior@1709251200", Some("Epee"), "Cup"),
            ("Cup/Epee/Junior@1709251200", Some("Epee"), "Cup"),
        ]
    );
    assert!(
        notes(&reading)
            .contains("\"Weapon\" (C) separates them into rankings: it is read as the event")
    );
    // An event in a column of that name is no part of the id.
    let known = table(&text.replace("Weapon", "Event")).unwrap();
    assert_eq!(known.contests.get(0).unwrap().external_id, "Cup/Senior@1709251200");
    assert!(refused(&known)[0].contains("is already the id of an earlier contest"));
    // Without a contest column it names the contests.
    let unnamed = table(&text.replace("Contest", "Comment")).unwrap();
    assert_eq!(unnamed.contests.get(1).unwrap().external_id, "Epee/Senior@1709251200");
    assert_eq!(unnamed.contests.len(), 3);
}

#[test]
fn unread_column_beside_division_is_refused_until_it_is_the_event() {
    let text = BOARDS.replace("Player", "Player,Class").replace("\nCup", "\nOpen,Cup");
    let text = text.replace("Contest,Date", "Klasse,Contest,Date").replace(",Class", "");
    let reason = refused(&table(&text).unwrap()).remove(0);
    assert!(reason.contains("pass --column Board=event if each is a contest"), "{reason}");
    let reading = table_with(&text, &with_columns(&[("Board", ColumnMeaning::Event)])).unwrap();
    assert_eq!(
        contest_lines(&reading),
        [
            "Cup 2024-03-01: 1 Ana, 2 Ben",
            "Cup 2024-03-01: 1 Cleo, 2 Dag, 3 Elin"
        ]
    );
    assert_eq!(reading.contests.get(0).unwrap().external_id, "Cup/Upper hall/Open@1709251200");
}

const DISTANCES: &str = "Contest,Date,Distance,Gender,Place,Player
Run,2024-03-01,5 km,f,1,Ana
Run,2024-03-01,5 km,f,2,Bea
Run,2024-03-01,5 km,m,1,Cy
Run,2024-03-01,10 km,f,1,Dot
Run,2024-03-01,10 km,m,1,Eli
Run,2024-03-01,10 km,m,2,Fin
";

#[test]
fn column_beside_division_and_event_divides_with_them() {
    let text = "Meet,Date,Event,Division,Bracket,Place,Lifter
Spring Open,2024-03-01,Full,Open,Light,1,Ana
Spring Open,2024-03-01,Full,Open,Light,2,Bea
Spring Open,2024-03-01,Full,Open,Heavy,1,Cia
Spring Open,2024-03-01,Full,Open,Heavy,2,Dan
Spring Open,2024-03-01,Full,Junior,Heavy,1,Eli
Spring Open,2024-03-01,Full,Junior,Heavy,2,Fin
";
    let options = [
        ("Lifter", ColumnMeaning::Competitor),
        ("Meet", ColumnMeaning::Contest),
    ];
    let reading = table_with(text, &with_columns(&options)).unwrap();
    let reason = &refused(&reading)[0];
    let divided = "pass --column Division=division --column Bracket=division if each is";
    assert!(
        reason.contains(divided) && reason.contains("--column Bracket=ignore"),
        "{reason}"
    );
    let stated = [
        options[0],
        options[1],
        ("Division", ColumnMeaning::Division),
        ("Bracket", ColumnMeaning::Division),
    ];
    let reading = table_with(text, &with_columns(&stated)).unwrap();
    assert_eq!(refused(&reading), [""; 0]);
    let contests = reading.contests.to_vec();
    let divisions: Vec<_> = contests.iter().map(|contest| contest.division.as_deref()).collect();
    assert_eq!(divisions, [Some("Open Light"), Some("Open Heavy"), Some("Junior Heavy")]);
}

#[test]
fn columns_that_separate_together_are_refused_until_stated() {
    let reading = table(DISTANCES).unwrap();
    assert_eq!(reading.contests.to_vec(), []);
    let reason = &refused(&reading)[0];
    for text in [
        "\"Distance\" (C) and \"Gender\" (D) together separate them",
        "--column Distance=event --column Gender=division (or the other way round)",
    ] {
        assert!(reason.contains(text), "{reason}");
    }
    assert!(!reason.contains("ignore"), "{reason}");
    for meanings in [
        [ColumnMeaning::Event, ColumnMeaning::Division],
        [ColumnMeaning::Division, ColumnMeaning::Event],
    ] {
        let options = with_columns(&[("Distance", meanings[0]), ("Gender", meanings[1])]);
        let divided = table_with(DISTANCES, &options).unwrap();
        assert_eq!(
            contest_lines(&divided),
            [
                "Run 2024-03-01: 1 Ana, 2 Bea",
                "Run 2024-03-01: 1 Cy",
                "Run 2024-03-01: 1 Dot",
                "Run 2024-03-01: 1 Eli, 2 Fin",
            ]
        );
    }
    let ignored = [ColumnMeaning::Ignore; 2];
    let options = with_columns(&[("Distance", ignored[0]), ("Gender", ignored[1])]);
    let tied = table_with(DISTANCES, &options).unwrap();
    assert_eq!(tied.contests.len(), 1);
}

#[test]
fn parts_with_scores_are_refused_until_stated() {
    let text = |heading: &str| {
        format!(
            "Date,{heading},Points,Player
2024-03-01,A,9,Ana
2024-03-01,B,8,Ben
2024-03-01,A,7,Cleo
2024-03-01,B,6,Dag
"
        )
    };
    for heading in [
        "Heat",
        "Pool",
        "Distance",
        "Weight class",
        "Gruppe",
        "Bowstyle",
    ] {
        let reading = table(&text(heading)).unwrap();
        let reason = &refused(&reading)[0];
        assert!(reason.contains("(B) may separate the results"), "{reason}");
        assert!(reason.contains("=division") && reason.contains("=ignore"), "{reason}");
        for (meaning, contests) in [(ColumnMeaning::Division, 2), (ColumnMeaning::Ignore, 1)] {
            let reading = table_with(&text(heading), &with_columns(&[(heading, meaning)])).unwrap();
            assert_eq!(reading.contests.len(), contests, "{heading}");
        }
    }
    for heading in ["Gender", "Sex", "Wave", "Club", "Board"] {
        assert_eq!(table(&text(heading)).unwrap().contests.len(), 1, "{heading}");
    }
    // Measured distances, some of them equal.
    let jumps = [
        "5.1", "5.1", "5.2", "5.2", "5.3", "5.4", "5.5", "5.6", "5.7",
    ];
    let rows = (1..=9).rev().zip(jumps);
    let rows = rows.map(|(points, jump)| format!("2024-03-01,{jump},{points},p{points}\n"));
    let text_of_jumps = format!("Date,Distance,Points,Player\n{}", rows.collect::<String>());
    assert_eq!(table(&text_of_jumps).unwrap().contests.len(), 1);
    // One row each: the column numbers the competitors.
    let numbered = table(&text("Group").replace(",B,8", ",C,8")).unwrap();
    assert_eq!(numbered.contests.len(), 1);
}

#[test]
fn crew_that_wins_two_classes_is_in_both() {
    let text = "Date,Boat class,Place,Crew
2024-03-01,1x,1,Otters
2024-03-01,1x,2,Fen
2024-03-01,2-,1,Otters
2024-03-01,2-,2,Mill
";
    assert_eq!(
        contest_lines(&table(text).unwrap()),
        [
            "2024-03-01 2024-03-01: 1 Otters, 2 Fen",
            "2024-03-01 2024-03-01: 1 Otters, 2 Mill"
        ]
    );
}

#[test]
fn roles_of_members_of_tied_teams_separate_nothing() {
    let text = "Date,Team,Member,Role,Place
2024-03-01,Gulls,Ana,captain,1
2024-03-01,Gulls,Ben,mate,1
2024-03-01,Terns,Cleo,mate,1
2024-03-01,Terns,Dag,captain,1
2024-03-01,Larks,Elin,captain,2
2024-03-01,Larks,Finn,mate,2
2024-03-01,Rooks,Gil,mate,2
2024-03-01,Rooks,Hal,captain,2
";
    assert_eq!(
        contest_lines(&table(text).unwrap()),
        [
            "2024-03-01 2024-03-01: 1 Gulls [Ana Ben], 1 Terns [Cleo Dag], 3 Larks [Elin Finn], 3 Rooks [Gil Hal]"
        ]
    );
}

#[test]
fn classes_of_one_competitor_separate_places_that_repeat() {
    let rows = "1,Ann,F,Open,52,Raw,205\n1,Bea,F,Open,57,Raw,305\n1,Cat,F,Open,76,Raw,397.5\n\
                2,Dot,F,Open,76,Raw,330\n1,Eve,F,Junior,76,Raw,325\n";
    let head = |class: &str, total: &str| {
        format!("Place,Name,Sex,Division,{class},Equipment,{total}\n{rows}")
    };
    for [class, total] in [
        ["WeightClassKg", "TotalKg"],
        ["Weight Class", "Total"],
        ["Weight Class", "Lifted"],
    ] {
        let text = head(class, total);
        let reading = table_with(&text, &from_2024(1)).unwrap();
        let reasons = refused(&reading).join("; ");
        assert!(reasons.contains("places repeat, and are divided into rankings by"), "{reasons}");
        for heading in ["Division", class] {
            assert!(reasons.contains(&format!("{heading}=division")), "{reasons}");
        }
        assert!(!reasons.contains("Total=ignore"), "{reasons}");
        let options = ReadOptions {
            columns: with_columns(&[
                ("Division", ColumnMeaning::Division),
                (class, ColumnMeaning::Division),
            ])
            .columns,
            ..from_2024(1)
        };
        let divided = table_with(&text, &options).unwrap();
        let mut contests = standings(&divided);
        contests.sort();
        assert_eq!(contests, ["1 Ann", "1 Bea", "1 Cat, 2 Dot", "1 Eve"]);
    }
    // Only sex, equipment and class together separate them.
    let text = "Place,Name,Sex,Weight Class,Equipment,Total\n1,Ann,F,76,Raw,205\n1,Bea,F,76,Wraps,305\n\
                1,Cy,M,76,Raw,397\n1,Dov,M,93,Raw,400\n2,Eli,M,93,Raw,330\n";
    let reading = table_with(text, &from_2024(1)).unwrap();
    let reasons = refused(&reading).join("; ");
    assert!(
        reasons.contains("\"Sex\" (C), \"Weight Class\" (D), \"Equipment\" (E)"),
        "{reasons}"
    );
    // Equal scores are ties, as are places behind which others are counted.
    let tied = "Place,Name,Sex,Total\n1,Ann,F,400\n1,Bob,M,400\n2,Cat,F,330\n";
    let tied = table_with(tied, &from_2024(1)).unwrap();
    assert_eq!(standings(&tied), ["1 Ann, 1 Bob, 3 Cat"]);
    let counted = "Place,Name,Sex\n1,Ann,F\n1,Bob,M\n3,Cat,F\n4,Dan,M\n";
    let counted = table_with(counted, &from_2024(1)).unwrap();
    assert_eq!(standings(&counted), ["1 Ann, 1 Bob, 3 Cat, 4 Dan"]);
}

#[test]
fn stated_heading_must_exist() {
    let error =
        table_with(BOARDS, &with_columns(&[("Hall", ColumnMeaning::Division)])).unwrap_err();
    assert!(error.contains("no column is headed \"Hall\""), "{error}");
    assert!(error.contains("Contest | Date | Board"), "{error}");
}

#[test]
fn stated_meaning_takes_precedence() {
    let text = "Tag,Nummer,Wer,Rank,Wert\nA,2024-03-01,Ana,7,2\nA,2024-03-01,Ben,7,1\n";
    let options = with_columns(&[
        ("Tag", ColumnMeaning::Contest),
        ("Nummer", ColumnMeaning::Date),
        ("Wer", ColumnMeaning::Competitor),
        ("Wert", ColumnMeaning::Place),
    ]);
    let reading = table_with(text, &options).unwrap();
    assert_eq!(contest_lines(&reading), ["A 2024-03-01: 1 Ben, 2 Ana"]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    /// A contest hidden in two or more rankings is refused or divided, wherever the column is.
    #[test]
    fn hidden_rankings_never_merge(
        sizes in prop::collection::vec(2..6_usize, 2..5),
        heading in prop::sample::select(vec!["Heat", "Board", "Flight", "Wave", "Ladder"]),
        column in 0..4_usize,
        seed in any::<u64>(),
    ) {
        let mut rows: Vec<Vec<String>> = Vec::new();
        for (ranking, &size) in sizes.iter().enumerate() {
            for place in 1..=size {
                let mut row = vec!["2024-03-01".to_owned(), place.to_string(), format!("p{}", rows.len())];
                row.insert(column, format!("value {ranking}"));
                rows.push(row);
            }
        }
        // A fixed permutation for each seed.
        rows.sort_by_key(|row| blend(seed, &row.concat()));
        let mut headings = vec!["Date", "Place", "Player"];
        headings.insert(column, heading);
        let lines: Vec<String> = rows.iter().map(|row| row.join(",")).collect();
        let reading = table(&format!("{}\n{}\n", headings.join(","), lines.join("\n"))).unwrap();
        if reading.contests.is_empty() {
            let option = format!("{heading}=division");
            prop_assert!(refused(&reading)[0].contains(&option));
        } else {
            let mut sizes_read: Vec<usize> = reading.contests.iter().map(|contest| contest.entrants.len()).collect();
            let mut expected = sizes.clone();
            sizes_read.sort_unstable();
            expected.sort_unstable();
            prop_assert_eq!(sizes_read, expected);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    /// A contest hidden in rankings that only two columns tell apart is refused or divided.
    #[test]
    fn rankings_hidden_by_two_columns_never_merge(
        sizes in prop::collection::vec(prop::collection::vec(1..4_usize, 2..4), 2..4),
        headings in prop::sample::select(vec![["Heat", "Sex"], ["Board", "Sex"], ["Flight", "Ladder"]]),
        noise in 0..3_usize,
        seed in any::<u64>(),
    ) {
        // Two rankings of two, or ties are as likely.
        prop_assume!(sizes.iter().flatten().filter(|&&size| size > 1).count() > 1);
        let mut rows: Vec<String> = Vec::new();
        for (first, sizes) in sizes.iter().enumerate() {
            for (second, &size) in sizes.iter().enumerate() {
                for place in 1..=size {
                    let club = rows.len() % (noise + 1);
                    rows.push(format!("2024-03-01,p{},v{first},{club},w{second},{place}", rows.len()));
                }
            }
        }
        rows.sort_by_key(|row| blend(seed, row));
        let [first, second] = headings;
        let text = format!("Date,Player,{first},Club,{second},Place\n{}\n", rows.join("\n"));
        let reading = table(&text).unwrap();
        if reading.contests.is_empty() {
            prop_assert!(refused(&reading)[0].contains("into rankings"));
            let options = with_columns(&[
                (first, ColumnMeaning::Division),
                (second, ColumnMeaning::Event),
                ("Club", ColumnMeaning::Ignore),
            ]);
            let divided = table_with(&text, &options).unwrap();
            let contests: usize = sizes.iter().map(Vec::len).sum();
            prop_assert_eq!(divided.contests.len(), contests);
        } else {
            let contests: usize = sizes.iter().map(Vec::len).sum();
            prop_assert_eq!(reading.contests.len(), contests, "{}", text);
        }
    }
}

/// Mixes the bytes of a text with a seed (FNV-1a).
fn blend(seed: u64, text: &str) -> u64 {
    text.bytes().fold(seed ^ 0xCBF2_9CE4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3)
    })
}

#[test]
fn numbers_of_races_of_a_day_can_be_contests() {
    let text = "Date,Race No,Tyaku,Player\n2024-03-01,1,1,Ann\n2024-03-01,1,2,Bo\n2024-03-01,2,1,Cy\n\
                2024-03-01,2,2,Di\n";
    let refused = refused(&table(text).unwrap());
    assert!(refused[0].contains("--column 'Race No=contest'"), "{refused:?}");
    let races = table_with(text, &with_columns(&[("Race No", ColumnMeaning::Contest)])).unwrap();
    assert_eq!(standings(&races), ["1 Ann, 2 Bo", "1 Cy, 2 Di"]);
}

#[test]
fn people_who_return_are_proposed_contests() {
    let rows = "run,Place,Name\na_1,1,Ivy\na_1,2,Max\na_1,3,Pia\nb_7,1,Max\nb_7,2,Ivy\nb_7,3,Ole\n";
    let reading = table_with(rows, &from_2024(1)).unwrap();
    let reasons = refused(&reading).join("\n");
    let cases = "--column run=contest if each is a contest of its own, or --column run=division if they are parts of one contest";
    assert!(reasons.contains(cases), "{reasons}");
    let others = rows.replace("b_7,1,Max\nb_7,2,Ivy", "b_7,1,Kit\nb_7,2,Uma");
    let reasons = refused(&table_with(&others, &from_2024(1)).unwrap()).join("\n");
    assert!(reasons.contains("--column run=division") && !reasons.contains("run=contest"));
}
