//! Columns of places after all contests, headed as a total or a final.

use ranklore_formats::{ColumnMeaning, ReadOptions, StatedLayout};

use super::{contest_lines, from_2024, proposals, standings, table, table_with};

const HEATS: &str = "name,Heat 1,Heat 2,Final\nAnn,1,2,1\nBo,2,1,2\nCy,3,3,3\nDi,4,4,4\n";

#[test]
fn final_places_of_all_are_no_contest() {
    let options = [
        "--column Final=ignore",
        "--layout single --column Final=place",
    ];
    for stated in [
        from_2024(7),
        ReadOptions {
            layout: Some(StatedLayout::Players),
            ..from_2024(7)
        },
    ] {
        assert_eq!(proposals(HEATS, &stated), options);
    }
    let without = ReadOptions {
        columns: [("Final".to_owned(), ColumnMeaning::Ignore)].into(),
        ..from_2024(7)
    };
    assert_eq!(table_with(HEATS, &without).unwrap().contests.len(), 2);
    let single = ReadOptions {
        columns: [("Final".to_owned(), ColumnMeaning::Place)].into(),
        layout: Some(StatedLayout::Single),
        ..from_2024(7)
    };
    let reading = table_with(HEATS, &single).unwrap();
    assert_eq!(contest_lines(&reading), ["Club night 2024-01-01: 1 Ann, 2 Bo, 3 Cy, 4 Di"]);
    // Only some are in the last contest.
    let finalists = HEATS.replace("Di,4,4,4", "Di,4,4,");
    assert_eq!(table_with(&finalists, &from_2024(7)).unwrap().contests.len(), 3);
}

#[test]
fn overall_ranking_is_proposed_as_place_only() {
    let start = ReadOptions {
        every_days: None,
        ..from_2024(1)
    };
    for (text, option) in [
        (
            "Name,Swim,Bike,Overall\nAnn,10,12,2\nBo,11,9,1\nCy,8,7,4\nDi,3,5,3\n",
            "--layout single --column Overall=place",
        ),
        ("Name,Overall\nAnn,2\nBo,1\nCy,4\nDi,3\n", "--column Overall=place"),
        // The highest stands first.
        ("Name,Sum\nAnn,3\nBo,2\nCy,1\n", "--column Sum=score"),
    ] {
        let options = proposals(text, &start);
        assert!(options.contains(&option.to_owned()), "{text} {options:?}");
        let column = option.rsplit_once('=').unwrap().0;
        let other = options.iter().find(|other| other.contains(column) && *other != option);
        assert_eq!(other, None, "{text}");
    }
}

#[test]
fn headless_column_has_the_places_by_solved_problems_then_time() {
    let text = "Date,,Team,Solved,Time\n2024-03-01,1,Ash,3,427\n2024-03-01,2,Birch,2,374\n\
                2024-03-01,3,Cedar,2,464\n2024-03-01,9,Elm,1,7\n";
    let reading = table(text).unwrap();
    assert_eq!(standings(&reading), ["1 Ash, 2 Birch, 3 Cedar, 4 Elm"]);
    // Numbers of rows in another order, from another number, and those without a result.
    for other in [
        text.replace("464", "364"),
        text.replace(",1,Ash", ",0,Ash"),
        text.replace(",3,427", ",,427"),
    ] {
        let error = table(&other).unwrap_err();
        assert!(error.contains("may decide before"), "{error}");
    }
}
