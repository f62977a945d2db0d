//! Columns that name a part of the competitor, or a second person.

use super::{contest_lines, from_2024, notes, refused, standings, table, table_with};
use ranklore_formats::{ColumnMeaning, ReadOptions, RecognisedColumn, TableLayout};
use std::collections::BTreeMap;

fn with_columns(columns: &[(&str, ColumnMeaning)]) -> ReadOptions {
    let columns = columns.iter().map(|&(heading, meaning)| (heading.to_owned(), meaning));
    ReadOptions {
        columns: columns.collect(),
        ..ReadOptions::default()
    }
}

/// Reads a table of one contest; returns its entrants.
fn entrants(text: &str, options: &ReadOptions) -> String {
    let reading = table_with(text, options).unwrap();
    assert_eq!(refused(&reading), [""; 0], "{text}");
    let lines = contest_lines(&reading);
    let [line] = &lines[..] else {
        panic!("{text}\nreads as {lines:?}");
    };
    let (_, entrants) = line.split_once(": ").unwrap();
    entrants.to_owned()
}

fn refusal(text: &str, options: &ReadOptions) -> String {
    match table_with(text, options) {
        Ok(reading) => panic!("{text}\nreads as {:?}", contest_lines(&reading)),
        Err(message) => message,
    }
}

const DATE: &str = "2024-03-02";

#[test]
fn given_name_and_surname_are_one_competitor() {
    for headings in [
        "date,place,First name,Last name",
        "date,place,Given name,Surname",
        "date,place,Vorname,Name",
        "date,place,Vorname,Nachname",
        "date,place,Prénom,Nom",
        "date,place,Nombre,Apellidos",
    ] {
        let text = format!("{headings}\n{DATE},1,Ada,Berg\n{DATE},2,,Lind\n{DATE},3,Cy,-");
        let read = entrants(&text, &ReadOptions::default());
        assert_eq!(read, "1 Ada Berg, 2 Lind, 3 Cy", "{headings}");
    }
    let reversed = "date;place;Name;Vorname\n2024-03-02;1;Berg;Ada\n2024-03-02;2;Lind;Bo";
    let reading = table(reversed).unwrap();
    let line = "Club night 2024-03-02: 1 Ada Berg, 2 Bo Lind";
    assert_eq!(contest_lines(&reading), [line.replace("Club night", "2024-03-02")]);
    assert!(notes(&reading).contains("the names are those of \"Vorname\" (D) and \"Name\" (C)"));
    let wide = "Nom,Prénom,2024-01-05,2024-01-12\nBerg,Ada,3,5\nBerg,Bo,4,2";
    assert_eq!(
        contest_lines(&super::scored_table(wide).unwrap()),
        [
            "2024-01-05 2024-01-05: 1 Bo Berg (4), 2 Ada Berg (3)",
            "2024-01-12 2024-01-12: 1 Ada Berg (5), 2 Bo Berg (2)"
        ]
    );
}

#[test]
fn full_names_take_precedence_over_parts() {
    for headings in ["Player,First name,Last name", "Name,First name,Last name"] {
        let text = format!("date,place,{headings}\n{DATE},1,ada99,Ada,Berg\n{DATE},2,bo7,Bo,Lind");
        let read = entrants(&text, &ReadOptions::default());
        assert_eq!(read, "1 ada99, 2 bo7", "{headings}");
        let columns = [("First name", ColumnMeaning::GivenName)];
        let read = entrants(&text, &with_columns(&columns));
        assert_eq!(read, "1 Ada Berg, 2 Bo Lind", "{headings}");
    }
    let repeated = format!("date,place,Name,Vorname\n{DATE},1,Ada Berg,Ada\n{DATE},2,Bo Lind,Bo");
    let read = entrants(&repeated, &ReadOptions::default());
    assert_eq!(read, "1 Ada Berg, 2 Bo Lind");
}

#[test]
fn stated_columns_keep_names_apart() {
    let text = format!("date,place,Vorname,Name\n{DATE},1,Ada,Berg\n{DATE},2,Bo,Lind");
    for (columns, read) in [
        ([("Vorname", ColumnMeaning::Ignore)], "1 Berg, 2 Lind"),
        ([("Name", ColumnMeaning::Competitor)], "1 Berg, 2 Lind"),
        ([("Vorname", ColumnMeaning::Competitor)], "1 Ada, 2 Bo"),
    ] {
        let options = with_columns(&columns);
        assert_eq!(entrants(&text, &options), read, "{columns:?}");
    }
    let half = with_columns(&[("Vorname", ColumnMeaning::GivenName)]);
    let player = text.replace("Name", "Player");
    assert!(refusal(&player, &half).contains("\"Vorname\" (C) is a part of the names"));
    let alone = format!("date,place,Last name\n{DATE},1,Berg\n{DATE},2,Lind");
    assert!(refusal(&alone, &ReadOptions::default()).contains("--column 'Last name=competitor'"));
}

#[test]
fn two_surnames_are_refused() {
    let head = "date,place,Nombre,Primer apellido,Segundo apellido";
    let text = format!("{head}\n{DATE},1,Ada,Berg,Sol\n{DATE},2,Bo,Lind,Paz");
    let message = refusal(&text, &ReadOptions::default());
    assert!(message.contains("--column 'Segundo apellido=ignore'"), "{message}");
    let options = with_columns(&[("Segundo apellido", ColumnMeaning::Ignore)]);
    assert_eq!(entrants(&text, &options), "1 Ada Berg, 2 Bo Lind");
}

#[test]
fn stated_layout_of_joined_names_reads_alike() {
    for text in [
        format!("date,place,Name,Vorname,Club\n{DATE},1,Berg,Ada,X\n{DATE},2,Lind,Bo,Y"),
        format!("date,place,Player,Vorname,Nachname\n{DATE},1,a,Ada,Berg\n{DATE},2,b,Bo,Lind"),
    ] {
        let reading = table(&text).unwrap();
        let layout: &TableLayout = reading.layout.as_ref().unwrap();
        let columns: BTreeMap<String, ColumnMeaning> = layout
            .columns
            .iter()
            .map(|column| {
                let meaning = column.meaning.and_then(ColumnMeaning::from_word);
                let meaning = meaning.unwrap_or(ColumnMeaning::Ignore);
                (column.heading.clone(), meaning)
            })
            .collect();
        let options = ReadOptions {
            columns,
            ..ReadOptions::default()
        };
        let again = table_with(&text, &options).unwrap();
        assert_eq!(contest_lines(&again), contest_lines(&reading));
        let again = again.layout.as_ref().unwrap();
        let meanings = |columns: &[RecognisedColumn]| -> Vec<_> {
            columns.iter().map(|column| (column.heading.clone(), column.meaning)).collect()
        };
        assert_eq!(meanings(&again.columns), meanings(&layout.columns));
    }
}

#[test]
fn second_persons_are_refused() {
    for heading in [
        "Partner",
        "Co-Driver",
        "Beifahrer",
        "Opponent name",
        "Partner 2",
        "Athlete 2",
    ] {
        for text in [
            format!("date,place,Athlete,{heading}\n{DATE},1,Ada,Bo\n{DATE},2,Cy,Di"),
            format!("Athlete,{heading},2024-01-05,2024-01-12\nAda,Bo,3,5\nCy,Di,4,2"),
        ] {
            let message = refusal(&text, &ReadOptions::default());
            let option = format!("{heading}=ignore");
            assert!(message.contains(&option), "{message}");
            let other = match heading {
                "Opponent name" => "--layout games --column 'Athlete=player 1'",
                _ => "--members",
            };
            assert!(message.contains(other), "{message}");
            let options = super::scores(with_columns(&[(heading, ColumnMeaning::Ignore)]));
            assert!(!table_with(&text, &options).unwrap().contests.is_empty());
        }
    }
    let sides = format!("date,place,Player 1,Player 2\n{DATE},1,Ada,Bo\n{DATE},2,Cy,Di");
    let first = with_columns(&[("Player 1", ColumnMeaning::Competitor)]);
    assert!(refusal(&sides, &first).contains("--column 'Player 2=ignore'"));
}

#[test]
fn second_persons_without_names_are_read() {
    for text in [
        format!("date,place,Athlete,Partner\n{DATE},1,Ada,\n{DATE},2,Cy,-"),
        format!("date,place,Athlete,Club 2\n{DATE},1,Ada,X\n{DATE},2,Cy,Y"),
    ] {
        let read = entrants(&text, &ReadOptions::default());
        assert_eq!(read, "1 Ada, 2 Cy");
    }
    // The members of a team are no second team.
    let team = format!("date,place,Team,Member 1,Member 2\n{DATE},1,A,x,y\n{DATE},2,B,v,w");
    assert_eq!(entrants(&team, &ReadOptions::default()), "1 A [x y], 2 B [v w]");
}

#[test]
fn surnames_separate_no_rankings() {
    let rows = ["1,Ada,Berg", "3,Bo,Berg", "1,Cy,Lind", "3,Di,Lind"];
    let rows = rows.map(|row| format!("{DATE},{row}")).join("\n");
    let read = entrants(&format!("date,place,Vorname,Name\n{rows}"), &ReadOptions::default());
    assert_eq!(read, "1 Ada Berg, 1 Cy Lind, 3 Bo Berg, 3 Di Lind");
}

#[test]
fn name_that_groups_people_is_no_name_of_them() {
    let text = "name;place;lastname;firstname;club\nWomen;1;ASH;Ann;Reds\nWomen;2;BIRCH;Bea;Greens\n\
                Men;1;COLE;Cy;Reds\nMen;2;DORN;Dov;Blues";
    let refusal = refused(&table_with(text, &from_2024(1)).unwrap()).join("\n");
    assert!(refusal.contains("--column name=division"), "{refusal}");
    assert!(!refusal.contains("--same-name-by"), "{refusal}");
    let divided = ReadOptions {
        columns: [("name".to_owned(), ColumnMeaning::Division)].into(),
        ..from_2024(1)
    };
    let reading = table_with(text, &divided).unwrap();
    assert_eq!(contest_lines(&reading)[0], "Club night 2024-01-01: 1 Ann ASH, 2 Bea BIRCH");
    // Full names that two people share stay names.
    let full = "name;place;lastname;firstname\nLee;1;LEE;Ann\nLee;2;LEE;Bea\nCole;3;COLE;Cy";
    assert!(refused(&table_with(full, &from_2024(1)).unwrap())[0].contains("twice"));
}

#[test]
fn parts_of_names_are_known_in_further_languages() {
    for headings in [
        "Vārds;Uzvārds;Punkti",
        "Vardas;Pavardė;Taškai",
        "Eesnimi;Perekonnanimi;Punktid",
        "Keresztnév;Vezetéknév;Pont",
        "Prenume;Nume;Puncte",
        "Meno;Priezvisko;Points",
        "Ime;Prezime;Bodovi",
        "Ime;Priimek;Točke",
        "Име;Презиме;Бодови",
        "Ім'я;Прізвище;Бали",
        "Όνομα;Επώνυμο;Βαθμοί",
    ] {
        let text = format!("{headings}\nJan;Ozols;44\nAnna;Liepa;38\nJan;Kalns;31\n");
        let reading = table_with(&text, &from_2024(1)).unwrap();
        let expected = ["1 Jan Ozols, 2 Anna Liepa, 3 Jan Kalns"];
        assert_eq!(standings(&reading), expected, "{headings}");
    }
}
