//! Months as headings of columns.

use super::{contest_lines, proposals, table};
use ranklore_formats::ReadOptions;

#[test]
fn months_are_dates_of_columns() {
    for (headings, dates) in [
        ("02/2025,12/2024,11/2024", ["2025-02-28", "2024-12-31", "2024-11-30"]),
        ("2025-02,2024-12,2024-11", ["2025-02-28", "2024-12-31", "2024-11-30"]),
        ("Feb 2025,Dec 2024,Nov 2024", ["2025-02-28", "2024-12-31", "2024-11-30"]),
    ] {
        for names in ["Team", "Team / Competition"] {
            let text = format!(
                "Ranking,{names},Level,Total,{headings}\n1,Red Foxes,3,11,6,1,4\n2,Blue Owls,2,10,4,2,4\n\
                 3,Green Cats,2,9.5,2,6,1.5\n4,Old Dogs,1,6,5,0.5,0.5\n"
            );
            let reading = table(&text).unwrap();
            let lines = contest_lines(&reading);
            assert_eq!(lines.len(), 3, "{lines:?}");
            for (line, date) in lines.iter().zip(dates) {
                assert!(line.contains(&format!(" {date}: ")), "{line}");
            }
            assert!(
                lines[0].ends_with(
                    "1 Red Foxes (6), 2 Old Dogs (5), 3 Blue Owls (4), 4 Green Cats (2)"
                )
            );
        }
    }
}

#[test]
fn numbers_of_rounds_are_no_months() {
    for headings in ["1/2024,2/2024,3/2024", "11/2024,12/2024,13/2024"] {
        let text = format!("Name,{headings}\nAnn,6,1,4\nBo,4,2,5\nCy,2,6,3\n");
        assert!(!proposals(&text, &ReadOptions::default()).is_empty(), "{headings}");
    }
}
