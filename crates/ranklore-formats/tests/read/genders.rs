//! Women and men in tables of scores without places.

use super::{contest_lines, from_2024, notes, proposals, standings, table_with};
use ranklore_formats::{ArchivedBy, FileFormat, read_archived};

fn lifters(heading: &str, rows: &str) -> String {
    let rows = rows.split(' ').map(|row| format!("Champs,{}\n", row.replace(':', ",")));
    let rows: Vec<String> = rows.collect();
    format!("event,{heading},lifter,total\n{}", rows.concat())
}

#[test]
fn scores_of_genders_that_restart_divide_the_contest() {
    for (one, other) in [
        ("female", "male"),
        ("Frauen", "Männer"),
        ("F", "M"),
        ("W", "M"),
    ] {
        let rows = format!(
            "{one}:Ann:129 {one}:Bea:110 {one}:Cleo:84 {other}:Di:210 {other}:Ed:186 {other}:Fo:165"
        );
        let reading = table_with(&lifters("gender", &rows), &from_2024(1)).unwrap();
        assert_eq!(standings(&reading), ["1 Ann, 2 Bea, 3 Cleo", "1 Di, 2 Ed, 3 Fo"]);
        assert!(notes(&reading).contains("--column gender=ignore"), "{}", notes(&reading));
    }
}

#[test]
fn genders_without_order_are_refused_until_stated() {
    let text = lifters("gender", "female:Ann:110 female:Bea:129 male:Cy:186 male:Di:165");
    assert_eq!(
        proposals(&text, &from_2024(1)),
        ["--column gender=division", "--column gender=ignore"]
    );
    let words = lifters("list", "Women:Ann:110 Women:Bea:129 Men:Cy:186 Men:Di:165");
    assert_eq!(
        proposals(&words, &from_2024(1)),
        ["--column list=division", "--column list=ignore"]
    );
    let archived = |reader| {
        read_archived(reader, FileFormat::Table, text.as_bytes(), "c.csv", &from_2024(1)).is_ok()
    };
    assert!(archived(ArchivedBy::WithoutDoubts) && !archived(ArchivedBy::Current));
}

#[test]
fn genders_within_one_order_are_one_contest() {
    for (heading, rows) in [
        ("gender", "male:Di:210 male:Ed:186 female:Ann:129 male:Cy:120 female:Bea:110"),
        ("gender", "male:Di:210 male:Ed:186 female:Ann:129"),
        // Letters alone are no genders, and neither are other words.
        ("hand", "M:Ann:110 M:Bea:129 F:Cy:186 F:Di:165"),
        ("gender", "club:Ann:110 club:Bea:129 pro:Cy:186 pro:Di:165"),
    ] {
        let reading = table_with(&lifters(heading, rows), &from_2024(1)).unwrap();
        assert_eq!(reading.contests.len(), 1, "{heading} {:?}", contest_lines(&reading));
    }
}
