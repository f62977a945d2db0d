//! Places with the size of the field: `27 / 13408`.

use super::{from_2024, notes, proposals, standings, table_with};
use ranklore_formats::{ColumnMeaning, ReadOptions};

#[test]
fn place_in_a_field_is_a_place() {
    let text = "division,name,official,overall,net\n2        / 32,Ann,143.88,2        / 134,143.80\n\
                1        / 54,Bo,129.72,1        / 134,129.70\n1        / 32,Cy,150.08,3 / 134,150.01\n";
    let options = ReadOptions {
        every_days: None,
        ..from_2024(1)
    };
    let reading = table_with(text, &options).unwrap();
    assert_eq!(standings(&reading), ["1 Bo, 2 Ann, 3 Cy"]);
    let note = "\"division\" (A) holds places within divisions, which it does not name";
    assert!(notes(&reading).contains(note), "{}", notes(&reading));
    // Fractions under other headings are none.
    let sets = "name,sets,score\nAnn,1/2,7\nBo,2/2,9\n";
    assert_eq!(standings(&table_with(sets, &from_2024(1)).unwrap()), ["1 Bo, 2 Ann"]);
}

#[test]
fn places_in_several_fields_are_refused_with_the_order_of_all() {
    let text = "name,official,bib,overall,net\nErnst,85.20,W3,1        / 35,85.20\n\
                Lee,129.72,4,1        / 13408,129.72\nMoses,135.08,3,12       / 13408,135.08\n";
    let expected = "--column overall=ignore --column official=score --lower-is-better";
    assert_eq!(proposals(text, &from_2024(1)), [expected]);
    let columns = [
        ("overall", ColumnMeaning::Ignore),
        ("official", ColumnMeaning::Score),
    ];
    let columns = columns.map(|(heading, meaning)| (heading.to_owned(), meaning));
    let options = ReadOptions {
        columns: columns.into(),
        lower_is_better: true,
        every_days: None,
        ..from_2024(1)
    };
    assert_eq!(standings(&table_with(text, &options).unwrap()), ["1 Ernst, 2 Lee, 3 Moses"]);
}
