//! Competitors whose names are not known, and texts that are no CSV in UTF-8.

use super::{contest_lines, notes, table};
use ranklore_formats::{FileFormat, ReadOptions, read};

#[test]
fn unknown_competitors_of_several_rows_are_nobody() {
    for word in ["Unknown", "N/N", "Unbekannt", "Unknown Player", "NN"] {
        let text = format!(
            "Date,Place,Name\n2024-03-01,1,Ann\n2024-03-01,2,{word}\n2024-03-01,3,Bo\n2024-03-08,1,Bo\n2024-03-08,2,Ann\n2024-03-08,3,{word}\n"
        );
        let reading = table(&text).unwrap();
        assert_eq!(
            contest_lines(&reading),
            [
                "2024-03-01 2024-03-01: 1 Ann, 2 Bo",
                "2024-03-08 2024-03-08: 1 Bo, 2 Ann"
            ],
            "{word}"
        );
        let note = "a competitor of unknown name left out, on 2 lines, first on line 3";
        assert!(notes(&reading).contains(note), "{}", notes(&reading));
        // Two of one contest are two people.
        let together = text.replace("2024-03-08,3", "2024-03-01,4");
        assert!(notes(&table(&together).unwrap()).contains(note));
    }
    let games = "date,red,blue,winner\n2024-03-01,Ann,Unknown,Ann\n2024-03-01,Unknown,Bo,Bo\n2024-03-02,Ann,Bo,Bo\n";
    let reading = table(games).unwrap();
    assert_eq!(contest_lines(&reading).len(), 1);
    assert!(notes(&reading).contains("2 byes and games of unknown players left out"));
}

#[test]
fn one_competitor_can_have_such_a_name() {
    let once = "Date,Place,Name\n2024-03-01,1,Ann\n2024-03-01,2,Unknown\n";
    let reading = table(once).unwrap();
    assert_eq!(contest_lines(&reading), ["2024-03-01 2024-03-01: 1 Ann, 2 Unknown"]);
    // Ids tell them apart.
    let ids = "Date,Place,Name,Player ID\n2024-03-01,1,Unknown,7\n2024-03-01,2,Ann,8\n2024-03-08,1,Unknown,7\n2024-03-08,2,Unknown,9\n";
    assert_eq!(
        contest_lines(&table(ids).unwrap()),
        [
            "2024-03-01 2024-03-01: 1 7, 2 8",
            "2024-03-08 2024-03-08: 1 7, 2 9"
        ]
    );
    let game = "date,red,blue,winner\n2024-03-01,Ann,Unknown,Ann\n2024-03-02,Ann,Bo,Bo\n";
    assert_eq!(contest_lines(&table(game).unwrap()).len(), 2);
}

#[test]
fn aligned_columns_are_read() {
    let text = "\
Place  Date        Name        Time
-----  ----------  ----------  -----
1      2024-03-01  Ann Ash     12:34
2      2024-03-01  Lee, Cy     12:50
3      2024-03-01  Bo          13:01
";
    for text in [
        text.to_owned(),
        text.replace("-----", "     ").replace("     -", "      "),
    ] {
        let reading = table(&text).unwrap();
        assert_eq!(
            contest_lines(&reading),
            ["2024-03-01 2024-03-01: 1 Ann Ash (754), 2 Lee, Cy (770), 3 Bo (781)"]
        );
        assert!(notes(&reading).contains("cells are separated by blanks"), "{}", notes(&reading));
    }
    // A name with two blanks is no gap of all lines.
    let uneven = "Place  Date  Name\n1  2024-03-01   Ann\n2   2024-03-01  Bo\n10 2024-03-01  Cy\n";
    assert!(table(uneven).is_err());
}

#[test]
fn central_european_texts_are_recognised() {
    let polish =
        b"Date,Place,Name\n2024-03-01,1,Micha\xb3 W\xf3jcik\n2024-03-01,2,Gra\xbfyna \x8cliwa\n";
    let reading = read(FileFormat::Table, &polish[..], "a.csv", &ReadOptions::default()).unwrap();
    assert_eq!(
        contest_lines(&reading),
        ["2024-03-01 2024-03-01: 1 Michał Wójcik, 2 Grażyna Śliwa"]
    );
    assert!(notes(&reading).contains("read as windows-1250"), "{}", notes(&reading));
}
