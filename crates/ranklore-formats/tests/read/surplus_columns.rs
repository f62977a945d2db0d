//! Columns whose headings propose what their cells, or other columns, contradict.

use super::{from_2024, scores, standings, table_with};
use ranklore_formats::{ColumnMeaning, ReadOptions, StatedLayout};

#[test]
fn counts_and_weights_are_no_contests() {
    for headings in ["Ties,Board", "Bwt (kg),WtCls (kg)", "Table,Wins"] {
        let text = format!("Name,{headings},x,y\nAnn,13,1,4,5\nBo,12,3,2,6\nCy,11,4,3,1\n");
        let stated = ReadOptions {
            layout: Some(StatedLayout::Players),
            ..scores(from_2024(1))
        };
        let reading = table_with(&text, &stated).unwrap();
        let names = reading.contests.iter().map(|contest| contest.name.clone());
        assert_eq!(names.collect::<Vec<_>>(), ["x", "y"], "{headings}");
    }
}

#[test]
fn number_of_teams_names_nobody() {
    let text = "year,winner,second,third,goals,teams\n1930,Gulls,Terns,Auks,70,13\n\
                1934,Terns,Skuas,Auks,70,16\n1938,Terns,Herons,Skuas,84,16\n";
    let stated = ReadOptions {
        columns: [("year".to_owned(), ColumnMeaning::Date)].into(),
        ..ReadOptions::default()
    };
    let reading = table_with(text, &stated).unwrap();
    assert_eq!(standings(&reading)[0], "1 Gulls, 2 Terns, 3 Auks");
}
