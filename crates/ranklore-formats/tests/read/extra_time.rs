//! Games that extra time or a shootout decided, beside the scores of the regular time.

use super::unknown_sides::{first_option, to_options};
use super::{contest_lines, notes, refused, table, table_with};
use ranklore_formats::{ColumnMeaning, ReadOptions};

/// A game won, one drawn before extra time, and one that ended in a draw.
const TABLES: [&str; 6] = [
    "date,home,visitor,hgoal,vgoal,aethgoal,aetvgoal\n2024-05-01,A,B,4,0,,\n2024-05-02,B,A,2,2,2,3\n2024-05-03,A,C,1,1,,\n",
    "Date,Home,Away,FT,ET\n2024-05-01,A,B,4-0,\n2024-05-02,B,A,2-2,2-3\n2024-05-03,A,C,1-1,\n",
    "date,home,away,Home goals,Away goals,Home goals ET,Away goals ET\n2024-05-01,A,B,4,0,NA,NA\n2024-05-02,B,A,2,2,2,3\n2024-05-03,A,C,1,1,NA,NA\n",
    "date,team1,team2,score1,score2,ot1,ot2\n2024-05-01,A,B,4,0,,\n2024-05-02,B,A,2,2,2,3\n2024-05-03,A,C,1,1,,\n",
    "date,home,visitor,hgoal,vgoal,tothgoal,totvgoal\n2024-05-01,A,B,4,0,4,0\n2024-05-02,B,A,2,2,2,3\n2024-05-03,A,C,1,1,1,1\n",
    "date,home,away,score,Score after extra time\n2024-05-01,A,B,4-0,\n2024-05-02,B,A,2-2,2:3\n2024-05-03,A,C,1-1,\n",
];

#[test]
fn unread_extra_time_is_no_silent_draw() {
    for text in TABLES {
        let error = table(text).unwrap_err();
        assert!(
            error.contains("would decide 1 game that is a draw without it, first on line 3"),
            "{error}"
        );
        let mut options = to_options(&first_option(text, &ReadOptions::default()));
        options.start = None;
        let reading = table_with(text, &options).unwrap();
        assert_eq!(refused(&reading), Vec::<String>::new(), "{text}");
        let lines = contest_lines(&reading).join("; ");
        assert!(lines.contains("1 A (4), 2 B (0)"), "{text}{lines}");
        assert!(lines.contains("1 A (3), 2 B (2)"), "{text}{lines}");
        assert!(lines.contains("1 A (1), 1 C (1)"), "{text}{lines}");
        assert!(
            notes(&reading).contains("games that are equal before it are decided by"),
            "{text}"
        );
    }
}

#[test]
fn excluded_extra_time_leaves_draws() {
    let text = TABLES[1];
    let options = ReadOptions {
        columns: [("ET".to_owned(), ColumnMeaning::Ignore)].into(),
        ..ReadOptions::default()
    };
    let lines = contest_lines(&table_with(text, &options).unwrap()).join("; ");
    assert!(
        lines.contains("1 B (2), 1 A (2)") || lines.contains("1 A (2), 1 B (2)"),
        "{lines}"
    );
}

#[test]
fn shootout_in_one_cell_decides_and_is_no_score() {
    let text = "Date,Home,Away,FT,Pens\n2024-05-01,A,B,4-0,\n2024-05-02,B,A,2-2,4-5\n";
    let mut options = to_options(&first_option(text, &ReadOptions::default()));
    options.start = None;
    let reading = table_with(text, &options).unwrap();
    let lines = contest_lines(&reading).join("; ");
    assert!(lines.contains("1 A (2), 2 B (2)"), "{lines}");
}

#[test]
fn extra_time_that_contradicts_a_win_is_refused() {
    let text = "Date,Home,Away,FT,ET\n2024-05-01,A,B,4-0,1-2\n2024-05-02,B,A,2-2,2-3\n";
    let mut options = to_options(&first_option(text, &ReadOptions::default()));
    options.start = None;
    let reading = table_with(text, &options).unwrap();
    assert_eq!(reading.contests.to_vec().len(), 1);
    assert!(refused(&reading)[0].contains("\"ET\" (E) \"B\" won"), "{:?}", refused(&reading));
}

#[test]
fn columns_that_decide_no_draw_are_not_asked_about() {
    for text in [
        // The winner of a tie of two legs did not win the game.
        "date,home,away,hgoal,vgoal,tiewinner\n2024-05-01,A,B,1,1,A\n",
        "date,home,away,hgoal,vgoal,aethgoal,aetvgoal\n2024-05-01,A,B,2,1,,\n2024-05-02,B,A,1,1,1,1\n",
        "date,home,away,hgoal,vgoal,home_shots,away_shots\n2024-05-01,A,B,1,1,5,3\n",
    ] {
        let reading = table(text).unwrap();
        assert_eq!(refused(&reading), Vec::<String>::new(), "{text}");
    }
}
