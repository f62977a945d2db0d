//! Two columns that may name the competitors.

use super::{contest_lines, proposals, table};
use ranklore_formats::ReadOptions;

#[test]
fn rival_names_are_refused() {
    for (first, second) in [("Name", "Player"), ("Rider", "Owner"), ("Name", "Rider")] {
        let text = format!(
            "date,place,{first},{second}\n2024-03-01,1,Red Star,Ann Lee\n2024-03-01,2,Blue Jay,Bo Kim\n2024-03-01,3,Cub,Cy Dean\n"
        );
        let error = table(&text).err().unwrap();
        assert!(error.contains("both may name the competitors"), "{error}");
        let options = proposals(&text, &ReadOptions::default());
        let second_ignored = format!("--column {second}=ignore");
        let first_ignored = format!("--column {first}=ignore");
        assert!(
            options.contains(&second_ignored) || options.contains(&first_ignored),
            "{options:?}"
        );
        assert_eq!(options.len(), 2);
    }
}

#[test]
fn names_of_the_same_people_are_read() {
    for (headings, rows) in [
        ("Name,Handle", ["Ann Lee,al", "Bo Kim,bk"]),
        ("Name,Player", ["Ann Lee,Lee A.", "Bo Kim,Kim B."]),
        // The name of the team recurs.
        ("Name,Player", ["Reds,Ann Lee", "Reds,Bo Kim"]),
    ] {
        let [one, two] = rows;
        let text = format!("date,place,{headings}\n2024-03-01,1,{one}\n2024-03-01,2,{two}\n");
        assert_eq!(contest_lines(&table(&text).unwrap()).len(), 1, "{headings}");
    }
}
