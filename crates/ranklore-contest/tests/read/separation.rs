//! Columns that separate a contest into rankings of their own, and stated meanings of columns.

use proptest::prelude::*;
use ranklore_contest::{ColumnMeaning, ReadOptions};

use super::{contest_lines, notes, refused, table, table_with};

fn stated(meanings: &[(&str, ColumnMeaning)]) -> ReadOptions {
    ReadOptions {
        columns: (meanings.iter())
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
    assert_eq!(reading.contests, []);
    let why = &refused(&reading)[0];
    for said in [
        "places repeat, and \"Board\" (C) separates them",
        "--column Board=division",
        "--column Board=ignore",
    ] {
        assert!(why.contains(said), "{why}");
    }
    let divided = table_with(BOARDS, &stated(&[("Board", ColumnMeaning::Division)])).unwrap();
    assert_eq!(
        contest_lines(&divided),
        [
            "Cup 2024-03-01: 1 Ana, 2 Ben",
            "Cup 2024-03-01: 1 Cleo, 2 Dag, 3 Elin"
        ]
    );
    let tied = table_with(BOARDS, &stated(&[("Board", ColumnMeaning::Ignore)])).unwrap();
    assert_eq!(
        contest_lines(&tied),
        ["Cup 2024-03-01: 1 Ana, 1 Cleo, 3 Ben, 3 Dag, 5 Elin"]
    );
}

#[test]
fn heats_are_divisions_by_themselves() {
    for heading in ["Heat", "gender", "Weight class", "Gruppe", "POOLS"] {
        let text = BOARDS.replace("Board", heading);
        let reading = table(&text).unwrap();
        assert_eq!(refused(&reading), [""; 0], "{heading}");
        let divisions: Vec<_> = reading
            .contests
            .iter()
            .map(|of| of.division.as_deref())
            .collect();
        assert_eq!(
            divisions,
            [Some("Upper hall"), Some("Lower hall")],
            "{heading}"
        );
        let said = format!("\"{heading}\" (C) separates them into rankings: it is read as");
        assert!(notes(&reading).contains(&said), "{heading}");
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
    assert_eq!(
        contest_lines(&reading),
        ["Run 2024-03-01: 1 Ana, 2 Ben, 3 Cleo"]
    );
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
        let rows = (places.iter().zip(values).zip(["Ana", "Ben", "Cleo", "Dag"]))
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
fn stated_heading_must_exist() {
    let error = table_with(BOARDS, &stated(&[("Hall", ColumnMeaning::Division)])).unwrap_err();
    assert!(error.contains("no column is headed \"Hall\""), "{error}");
    assert!(error.contains("Contest | Date | Board"), "{error}");
}

#[test]
fn stated_meaning_takes_precedence() {
    let text = "Tag,Nummer,Wer,Rank,Wert\nA,2024-03-01,Ana,7,2\nA,2024-03-01,Ben,7,1\n";
    let options = stated(&[
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

    /// One contest hidden in two or more rankings is refused or divided, wherever the column is.
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
            let mut found: Vec<usize> = reading.contests.iter().map(|of| of.entrants.len()).collect();
            let mut expected = sizes.clone();
            found.sort_unstable();
            expected.sort_unstable();
            prop_assert_eq!(found, expected);
        }
    }
}

/// Mixes the bytes of a text with a seed (FNV-1a).
fn blend(seed: u64, text: &str) -> u64 {
    text.bytes()
        .fold(seed ^ 0xCBF2_9CE4_8422_2325, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3)
        })
}
