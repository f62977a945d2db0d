//! Teams of one name in several divisions.

use super::{contest_lines, proposals, refused, table, table_with};
use ranklore_formats::{ColumnMeaning, ReadOptions};

const HEAD: &str =
    "game_id,event,division_name,level_name,date,home_team,away_team,home_score,away_score\n";

fn hockey(heading: &str) -> String {
    let head = HEAD.replace("division_name", heading);
    format!(
        "{head}1,Cup,Under 13,A,2026-02-06,Otters,Foxes,5,2\n2,Cup,Under 18,A,2026-02-07,Otters,Foxes,0,4\n\
         3,Cup,Under 13,A,2026-02-08,Otters,Ravens,1,3\n"
    )
}

#[test]
fn name_in_several_divisions_is_refused() {
    for heading in [
        "division_name",
        "Age Group",
        "ageCategory",
        "category",
        "Level",
    ] {
        let options = proposals(&hockey(heading), &ReadOptions::default());
        let named = |option: &str| options.iter().any(|proposal| proposal.contains(option));
        assert!(named(heading) && named("--same-name-by"), "{heading}: {options:?}");
        assert!(named("=division"), "{heading}: {options:?}");
        let apart = ReadOptions {
            same_name_by: Some(heading.to_owned()),
            ..ReadOptions::default()
        };
        let lines = contest_lines(&table_with(&hockey(heading), &apart).unwrap());
        assert!(
            lines[0].ends_with("1 Otters (Under 13) (5), 2 Foxes (Under 13) (2)"),
            "{lines:?}"
        );
        assert!(lines[1].contains("Otters (Under 18)"), "{lines:?}");
        let one = ReadOptions {
            columns: [(heading.to_owned(), ColumnMeaning::Division)].into(),
            ..ReadOptions::default()
        };
        let reading = table_with(&hockey(heading), &one).unwrap();
        assert!(contest_lines(&reading)[1].contains("1 Foxes (4), 2 Otters (0)"));
        assert_eq!(reading.contests.get(1).unwrap().division.as_deref(), Some("Under 18"));
    }
}

#[test]
fn columns_that_divide_no_team_are_not_read() {
    for heading in [
        "round_name",
        "season",
        "stage",
        "cup",
        "venue",
        "status note",
    ] {
        let text = hockey(heading).replace("Under 13", "One").replace("Under 18", "Two");
        assert_eq!(table(&text).unwrap().contests.len(), 3, "{heading}");
    }
    // No name plays in two divisions.
    let text = format!(
        "{HEAD}1,Cup,Under 13,A,2026-02-06,Otters,Foxes,5,2\n2,Cup,Under 18,A,2026-02-07,Larks,Gulls,0,4\n"
    );
    assert_eq!(table(&text).unwrap().contests.len(), 2);
    // The level is that of the event.
    let text = format!(
        "{}1,Cup,1,A,2026-02-06,Otters,Foxes,5,2\n2,Bowl,2,A,2026-02-07,Otters,Gulls,0,4\n",
        HEAD.replace("division_name", "tier")
    );
    assert_eq!(table(&text).unwrap().contests.len(), 2);
    // Kinds of contests.
    let text = hockey("category").replace("Under 13", "Cup").replace("Under 18", "Friendly");
    assert_eq!(table(&text).unwrap().contests.len(), 3);
    // People of one name are one person.
    let text = hockey("division").replace("home_team,away_team", "player1,player2");
    assert_eq!(
        table(&text.replace("home_score,away_score", "score1,score2"))
            .unwrap()
            .contests
            .len(),
        3
    );
}

#[test]
fn division_of_some_games_tells_teams_apart() {
    let text = hockey("division_name").replace("Cup,Under 18", "Cup,");
    let options = ReadOptions {
        same_name_by: Some("division_name".to_owned()),
        ..ReadOptions::default()
    };
    let refused = refused(&table_with(&text, &options).unwrap());
    assert!(refused[0].contains("has no value of \"division_name\""), "{refused:?}");
}
