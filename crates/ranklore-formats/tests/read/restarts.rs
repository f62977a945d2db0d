//! Places that restart in a contest without a column that tells the rankings apart.

use proptest::prelude::*;
use ranklore_formats::{ReadOptions, StatedLayout};

use super::{refused, standings, table, table_with};

/// Returns a table with these places, and names.
fn placed(places: &[u32]) -> String {
    let rows = places.iter().enumerate();
    let rows = rows.map(|(index, place)| format!("{place},Player {index}\n"));
    format!("place,name\n{}", rows.collect::<String>())
}

fn date(text: &str) -> String {
    format!("date,{}", text.replace('\n', "\n2024-03-01,").trim_end_matches("2024-03-01,"))
}

#[test]
fn restarted_places_are_refused() {
    for places in [
        &[1, 2, 3, 1, 2, 3][..],
        &[1, 2, 3, 4, 1, 2, 3],
        &[1, 2, 3, 1, 2, 3, 1, 2, 3],
        &[1, 2, 1, 2],
        &[1, 2, 2, 4, 5, 1, 2, 3, 4],
        &[1, 1, 2, 2, 3, 3],
    ] {
        let text = date(&placed(places));
        let reading = table(&text).unwrap();
        assert_eq!(reading.contests.len(), 0, "{places:?}");
        let reason = &refused(&reading)[0];
        assert!(
            reason.contains("most values of \"place\" (B) stand in several rows"),
            "{reason}"
        );
        assert!(reason.contains("--column HEADING=division"), "{reason}");
        let options = ReadOptions {
            layout: Some(StatedLayout::Rows),
            ..ReadOptions::default()
        };
        assert_eq!(table_with(&text, &options).unwrap().contests.len(), 1, "{places:?}");
    }
}

#[test]
fn plausible_ties_are_read() {
    for places in [
        &[1, 1, 3, 3, 5, 5][..],
        &[1, 2, 2, 3, 3, 4],
        &[1, 1, 2, 3, 4, 5],
        &[1, 1, 2, 2, 3, 4, 5, 6, 7],
        &[1, 1, 1],
        &[1, 2, 3],
    ] {
        let reading = table(&date(&placed(places))).unwrap();
        assert_eq!(refused(&reading), [""; 0], "{places:?}");
    }
    // Equal scores show the ties.
    let reading = table(
        "date,place,name,points\n2024-03-01,1,Ann,9\n2024-03-01,1,Bo,9\n2024-03-01,2,Cy,7\n2024-03-01,2,Di,7\n",
    )
    .unwrap();
    assert_eq!(standings(&reading), ["1 Ann, 1 Bo, 3 Cy, 3 Di"]);
}

#[test]
fn members_of_teams_share_places() {
    let text = "date,place,name,club\n2024-03-01,1,Ann,Reds\n2024-03-01,1,Bo,Reds\n2024-03-01,2,Cy,Blues\n2024-03-01,2,Di,Blues\n";
    let reading = table(text).unwrap();
    let reason = &refused(&reading)[0];
    assert!(reason.contains("--column club=team if the rows of each"), "{reason}");
    let stated = [("club".to_owned(), ranklore_formats::ColumnMeaning::Team)];
    let options = ReadOptions {
        columns: stated.into(),
        ..ReadOptions::default()
    };
    let reading = table_with(text, &options).unwrap();
    assert_eq!(standings(&reading), ["1 Reds, 2 Blues"]);
}

#[test]
fn members_of_teams_share_scores() {
    let text = "date,Alliance,Team,Score\n2024-03-01,Red,254,80\n2024-03-01,Red,118,80\n2024-03-01,Blue,971,75\n2024-03-01,Blue,33,75\n";
    let reading = table(text).unwrap();
    let options: Vec<String> = reading.refused[0].options.iter().map(ToString::to_string).collect();
    assert_eq!(
        options,
        [
            "--column Team=competitor --column Alliance=team",
            "--layout rows"
        ]
    );
    let stated = [
        ("Team".to_owned(), ranklore_formats::ColumnMeaning::Competitor),
        ("Alliance".to_owned(), ranklore_formats::ColumnMeaning::Team),
    ];
    let options = ReadOptions {
        columns: stated.into(),
        ..ReadOptions::default()
    };
    assert_eq!(standings(&table_with(text, &options).unwrap()), ["1 Red, 2 Blue"]);
}

proptest! {
    #[test]
    fn order_of_restarted_rows_does_not_matter(
        places in Just(vec![1, 2, 3, 4, 1, 2, 3]).prop_shuffle(),
    ) {
        let reading = table(&date(&placed(&places))).unwrap();
        prop_assert_eq!(reading.contests.len(), 0);
        prop_assert_eq!(refused(&reading).len(), 1);
    }
}
