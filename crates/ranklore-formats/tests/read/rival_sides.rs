//! Columns that are headed as the same side.

use super::games::places;
use super::{proposals, table, table_with};
use ranklore_formats::{ColumnMeaning, ReadOptions};

#[test]
fn two_columns_of_one_side_are_asked_for() {
    // Local may be the ground, or the side that plays at home.
    let text = "Data,Local,Casa,Fora,Resultado
2024-03-01,Lisboa,Olmo,Cais,2-1
2024-03-02,Porto,Cais,Olmo,0-0
";
    let options = proposals(text, &ReadOptions::default());
    assert_eq!(options, ["--column Local=ignore", "--column Casa=ignore"]);
    let ground = ReadOptions {
        columns: [("Local".to_owned(), ColumnMeaning::Ignore)].into(),
        ..ReadOptions::default()
    };
    let reading = table_with(text, &ground).unwrap();
    assert_eq!(places(&reading)[0], "2024-03-01 Cais – Olmo: 1 Olmo, 2 Cais");
    // Equal columns name one side.
    let equal = text.replace("Lisboa", "Olmo").replace("Porto", "Cais");
    assert_eq!(table(&equal).unwrap().contests.len(), 2);
}
