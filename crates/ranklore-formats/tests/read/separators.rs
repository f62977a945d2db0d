//! Headings and rows that are separated by different marks.

use super::table;

#[test]
fn mixed_separators_are_refused() {
    for (text, line, marks) in [
        ("place,name,points\n1;Ann;9\n2;Bo;8\n", 2, ["semicolons", "commas"]),
        ("Cup; 2024\nplace;name;points\n1,Ann,9\n2,Bo,8\n", 3, ["commas", "semicolons"]),
        ("place,name,points\n1\tAnn\t9\n2\tBo\t8\n", 2, ["tabs", "commas"]),
        ("date,white,black,result\n2024-01-01;Ann;Bo;1-0\n", 2, ["semicolons", "commas"]),
        ("name,place\nAnn;1;\nBo;2;\n", 2, ["semicolons", "commas"]),
    ] {
        let error = table(text).err().unwrap();
        assert!(error.starts_with(&format!("line {line}: ")), "{error}");
        let [rows, headings] = marks;
        assert!(error.contains(&format!("this row are separated by {rows}")), "{error}");
        assert!(error.contains(&format!("by {headings}: write")), "{error}");
    }
    // Names with other marks below one column of a title.
    let text = "date,place,name\n2024-03-01,1,Ann; Bo\n2024-03-01,2,Cy\nsource; club; x\n";
    assert!(!table(text).is_err_and(|error| error.contains("separated")));
}

#[test]
fn blanks_before_quoted_names_are_ignored() {
    let text =
        "Date, Pos, Driver\n\"2024-03-01\", \"1\", \"Barman, Troy\"\n2024-03-01, 2, \"Tom\"\n";
    let reading = super::table(text).unwrap();
    assert_eq!(super::standings(&reading), ["1 Barman, Troy, 2 Tom"]);
    assert!(super::notes(&reading).contains("blanks before quoted cells are ignored"));
}
