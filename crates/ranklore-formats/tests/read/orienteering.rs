//! Tables of orienteering, as OE, `MeOS` and others export them.

use super::{contest_lines, from_2024, notes, refused, table_with};
use ranklore_formats::{CellStatus, ReadOptions};

const ENGLISH: &str = "Stno;Surname;First name;nc;Start;Finish;Time;Classifier;Club no.;Cl.name;City;Cl. no.;Short;Long;Course no.;Course;Place";
const GERMAN: &str = "Stnr;Nachname;Vorname;AK;Start;Ziel;Zeit;Wertung;Club-Nr.;Abk;Ort;Katnr;Kurz;Lang;Bahnnummer;Bahn;Pl";
const SWEDISH: &str = "Startnr;Efternamn;Förnamn;ut;Start;Mål;Tid;Status;Klubb nr.;Namn;Ort;Klass nr.;Kort;Lång;Bana nr.;Bana;Pl";
const FRENCH: &str = "N° dép.;Nom;Prénom;nc;Départ;Arrivée;Temps;Evaluation;N° club;Nom;Ville;N° cat.;Court;Long;Circuit N°;Circuit;Pl";

const ROWS: &str = "1;Alder;Zoe;0;10:00;10:45;45:10;0;5;OK;Harbour;1;W21;Women;1;Long;1
2;Berg;Ida;0;10:02;10:50;48:10;0;5;OK;Harbour;1;W21;Women;1;Long;2
3;Cole;Uma;0;10:04;;;1;5;OK;Harbour;1;W21;Women;1;Long;
4;Dunn;Eva;0;10:06;;;2;5;OK;Harbour;1;W21;Women;1;Long;
5;Egan;Mia;0;10:08;10:59;51:00;3;5;OK;Harbour;1;W21;Women;1;Long;
6;Finn;Lea;X;10:10;10:59;49:00;0;5;OK;Harbour;1;W21;Women;1;Long;
7;Gray;Cy;0;10:00;10:41;41:00;0;6;SK;Quay;2;M21;Men;1;Long;1
8;Hill;Dov;0;10:00;10:41;41:00;4;6;SK;Quay;2;M21;Men;1;Long;
9;Ivey;Lou;0;10:00;13:41;3:41:00;5;6;SK;Quay;2;M21;Men;1;Long;
";

/// Returns the options that date a single contest.
fn start() -> ReadOptions {
    ReadOptions {
        every_days: None,
        ..from_2024(1)
    }
}

fn read(headings: &str, rows: &str, options: &ReadOptions) -> (Vec<String>, Vec<String>) {
    let reading = table_with(&format!("{headings}\n{rows}"), options).unwrap();
    let divisions = reading.contests.iter().map(|contest| contest.division.unwrap_or_default());
    let lines = divisions.zip(contest_lines(&reading));
    let lines = lines.map(|(division, line)| format!("{division}: {line}"));
    (lines.collect(), refused(&reading))
}

#[test]
fn codes_are_statuses_and_classes_are_contests() {
    for headings in [ENGLISH, GERMAN, SWEDISH, FRENCH] {
        let (lines, refused) = read(headings, ROWS, &start());
        assert_eq!(refused, [""; 0], "{headings}");
        assert_eq!(
            lines,
            [
                "Women: Club night 2024-01-01: 1 Zoe Alder (2710), 2 Ida Berg (2890), dnf Eva Dunn, dq Mia Egan (3060)",
                "Men: Club night 2024-01-01: 1 Cy Gray (2460), dq Dov Hill (2460), dnf Lou Ivey (13260)"
            ],
            "{headings}"
        );
    }
}

#[test]
fn stated_code_takes_precedence() {
    let options = ReadOptions {
        statuses: [("3".to_owned(), CellStatus::DidNotFinish)].into(),
        ..start()
    };
    let (lines, _) = read(ENGLISH, ROWS, &options);
    assert!(lines[0].contains("dnf Mia Egan"), "{lines:?}");
}

#[test]
fn numbers_beside_places_are_no_codes() {
    let rows = ROWS.replace("45:10;0;", "45:10;4;");
    let reading = table_with(&format!("{ENGLISH}\n{rows}"), &start()).unwrap();
    assert!(!notes(&reading).contains("codes"), "{}", notes(&reading));
    assert_eq!(contest_lines(&reading), [""; 0]);
}

#[test]
fn split_times_have_no_headings() {
    let headings = format!("{ENGLISH};Control1;Punch1;(may be more) ...");
    let rows = ROWS.replace('\n', ";31;1:20;32;2:40;33;5:10\n");
    let (lines, refused) = read(&headings, &rows, &start());
    assert_eq!((lines.len(), refused.len()), (2, 0), "{refused:?}");
}

#[test]
fn numbers_under_status_are_no_codes_elsewhere() {
    for text in [
        "Name,Place,Time,Status\nAda,1,30:00,1\nBea,2,31:00,1\nDan,,,2\n",
        "Name,Points,Status\nAda,30,1\nBea,20,1\nCid,10,0\n",
        "Name,Place,Status\nAda,1,5\nBea,2,4\nCid,3,3\n",
    ] {
        let reading = table_with(text, &start()).unwrap();
        assert_eq!(contest_lines(&reading), [""; 0], "{text}");
        assert!(refused(&reading)[0].contains("if these are statuses, pass --status"), "{text}");
    }
}
