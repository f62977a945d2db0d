//! Classes that some competitors of one ranking have.

use super::{contest_lines, notes, table};

#[test]
fn class_of_some_competitors_describes_them() {
    let ranked = |classes: [&str; 4]| {
        let rows = ["1,Ann", "2,Bo", "3,Cy", "4,Di"].iter().zip(classes);
        let rows = rows.map(|(row, class)| format!("2024-03-01,{row},{class}\n"));
        format!("Date,Position,Sailor,Division\n{}", rows.collect::<String>())
    };
    for classes in [
        ["Qualifier", "", "Qualifier", ""],
        ["", "Qualifier", "Qualifier", ""],
        ["Qualifier", "Qualifier", "", "Junior"],
        ["Qualifier", "", "", ""],
        ["", "", "", "Qualifier"],
    ] {
        let reading = table(&ranked(classes)).unwrap();
        assert_eq!(
            contest_lines(&reading),
            ["2024-03-01 2024-03-01: 1 Ann, 2 Bo, 3 Cy, 4 Di"],
            "{classes:?}"
        );
        let note = "pass --column Division=division if each is a contest of its own";
        assert!(notes(&reading).contains(note), "{}", notes(&reading));
    }
}
