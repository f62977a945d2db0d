//! Columns that are headed with a status and say yes or no.

use ranklore_formats::{ColumnMeaning, ReadOptions};

use super::{contest_lines, notes, standings, table, table_with};

#[test]
fn flags_are_statuses_of_their_rows() {
    for (flag, other) in [("x", ""), ("yes", "no"), ("True", "False"), ("X", "-")] {
        for (heading, status) in [
            ("DNF", "dnf"),
            ("Retired", "dnf"),
            ("DQ", "dq"),
            ("Disqualified", "dq"),
        ] {
            let text = format!(
                "date,place,name,points,{heading}\n2024-03-01,1,Ann,9,{other}\n2024-03-01,2,Bo,8,{other}\n2024-03-01,3,Cy,7,{flag}\n"
            );
            let reading = table(&text).unwrap();
            let expected = format!("2024-03-01 2024-03-01: 1 Ann (9), 2 Bo (8), {status} Cy (7)");
            assert_eq!(contest_lines(&reading), [expected], "{heading} {flag}");
            assert!(notes(&reading).contains("holds statuses"));
        }
    }
}

#[test]
fn several_flags_are_read() {
    let text = "date,place,name,DNF,DNS,DQ\n2024-03-01,1,Ann,0,0,0\n2024-03-01,2,Bo,0,0,0\n2024-03-01,,Cy,1,0,0\n2024-03-01,,Di,0,1,0\n2024-03-01,,Ed,0,0,1\n";
    let reading = table(text).unwrap();
    assert_eq!(contest_lines(&reading), ["2024-03-01 2024-03-01: 1 Ann, 2 Bo, dnf Cy, dq Ed"]);
    let text =
        "date,name,points,finished\n2024-03-01,Ann,9,yes\n2024-03-01,Bo,,no\n2024-03-01,Cy,7,yes\n";
    let reading = table(text).unwrap();
    assert_eq!(contest_lines(&reading), ["2024-03-01 2024-03-01: 1 Ann (9), 2 Cy (7), dnf Bo"]);
}

#[test]
fn flag_beside_a_place_is_refused() {
    let text = "date,place,name,DNF\n2024-03-01,1,Ann,\n2024-03-01,2,Bo,x\n2024-03-01,3,Cy,\n";
    let error = table(text).err().unwrap();
    assert!(error.contains("\"DNF\" (D) says \"x\" beside the place 2"), "{error}");
    let with = |meaning| ReadOptions {
        columns: [("DNF".to_owned(), meaning)].into(),
        ..ReadOptions::default()
    };
    let reading = table_with(text, &with(ColumnMeaning::Status)).unwrap();
    assert_eq!(contest_lines(&reading), ["2024-03-01 2024-03-01: 1 Ann, 2 Cy, dnf Bo"]);
    let reading = table_with(text, &with(ColumnMeaning::Ignore)).unwrap();
    assert_eq!(contest_lines(&reading), ["2024-03-01 2024-03-01: 1 Ann, 2 Bo, 3 Cy"]);
}

#[test]
fn flag_beside_a_score_is_refused() {
    let text = "date,name,points,retired\n2024-03-01,Ann,100,yes\n2024-03-01,Bo,90,no\n";
    let error = table(text).err().unwrap();
    assert!(error.contains("\"retired\" (D) says \"yes\" beside the score 100"), "{error}");
}

#[test]
fn counts_of_a_season_are_no_flags() {
    for text in [
        "date,name,wins,DNF,points\n2024-03-01,Ann,3,0,30\n2024-03-01,Bo,1,1,20\n2024-03-01,Cy,0,0,10\n",
        "date,pos,name,DNF,points\n2024-03-01,1,Ann,0,30\n2024-03-01,2,Bo,0,20\n2024-03-01,3,Cy,1,10\n",
    ] {
        let lines = contest_lines(&table(text).unwrap());
        assert_eq!(lines, ["2024-03-01 2024-03-01: 1 Ann (30), 2 Bo (20), 3 Cy (10)"]);
    }
}

#[test]
fn counts_are_no_flags() {
    let text = "date,place,name,DNF\n2024-03-01,1,Ann,2\n2024-03-01,2,Bo,0\n2024-03-01,3,Cy,1\n";
    assert_eq!(
        contest_lines(&table(text).unwrap()),
        ["2024-03-01 2024-03-01: 1 Ann, 2 Bo, 3 Cy"]
    );
}

#[test]
fn guests_are_left_out() {
    let text =
        "date,place,name\n2024-03-01,1,Ann\n2024-03-01,2,Bo\n2024-03-01,G,Cy\n2024-03-01,DD,Di\n";
    let reading = table(text).unwrap();
    let refused = &reading.refused[0];
    let options: Vec<String> = refused.options.iter().map(ToString::to_string).collect();
    assert_eq!(options, ["--status G=dns"]);
    assert!(refused.to_string().contains("\"G\" took part out of competition"), "{refused}");
}

#[test]
fn eliminated_without_a_place_are_disqualified() {
    let text = "Date,Rank,Name,Faults,Eliminated\n2024-03-01,1,Ann,0,False\n2024-03-01,2,Bo,5,False\n\
                2024-03-01,3,Cy,5,False\n2024-03-01,,Di,100,True\n";
    let reading = table(text).unwrap();
    let expected = ["2024-03-01 2024-03-01: 1 Ann, 2 Bo, 3 Cy, dq Di"];
    assert_eq!(contest_lines(&reading), expected);
    // In a knockout, all but the winner are.
    let knockout = text.replace("5,False", "5,True").replace(",,Di", ",4,Di");
    assert_eq!(standings(&table(&knockout).unwrap()), ["1 Ann, 2 Bo, 3 Cy, 4 Di"]);
    // Words rather than numbers tell why someone has no place.
    let remarks = text.replace("Eliminated", "Remark").replace("True", "out of course");
    let refused = super::refused(&table(&remarks.replace("False", "")).unwrap());
    assert!(refused[0].contains("pass --column Remark=status"), "{refused:?}");
}
