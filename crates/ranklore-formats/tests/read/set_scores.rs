//! Games decided by sets, in one cell or in a column each.

use super::{contest_lines, notes, refused, table, table_with};
use ranklore_formats::{ColumnMeaning, ReadOptions};

fn with_column(heading: &str, meaning: ColumnMeaning) -> ReadOptions {
    ReadOptions {
        columns: [(heading.to_owned(), meaning)].into(),
        ..ReadOptions::default()
    }
}

#[test]
fn most_sets_decide() {
    for scores in [
        ["6-4 3-6 7-6(4)", "2-6 3-6"],
        ["11:9; 9:11; 11:4", "11:2 3:11 7:11"],
        ["25/20,20/25,15/13", "12/25,22/25"],
    ] {
        let text = format!(
            "date,player 1,player 2,score\n2024-03-01,Ann,Bo,\"{}\"\n2024-03-02,Ann,Cy,\"{}\"\n",
            scores[0], scores[1]
        );
        let reading = table(&text).unwrap();
        let lines = contest_lines(&reading);
        assert!(lines[0].contains("1 Ann (2), 2 Bo (1)"), "{lines:?}");
        assert!(lines[1].contains("1 Cy (2), 2 Ann ("), "{lines:?}");
        assert!(notes(&reading).contains("most sets in \"score\" (D) say who won"));
    }
}

#[test]
fn columns_of_sets_are_one_result() {
    let text = "datum,spieler1,spieler2,satz1,satz2,tiebreak
2026-05-07,Arno,Bodo,4:3,4:3,
2026-05-07,Curt,Dirk,4:0,3:4,7:5
2026-05-12,Bodo,Curt,1:4,1:4,
";
    let reading = table(text).unwrap();
    let winners = [
        "1 Arno (2), 2 Bodo (0)",
        "1 Curt (2), 2 Dirk (1)",
        "1 Curt (2), 2 Bodo (0)",
    ];
    for (line, winner) in contest_lines(&reading).iter().zip(winners) {
        assert!(line.ends_with(winner), "{line}");
    }
    let note = "the sets in satz1, satz2, tiebreak are read as one result";
    assert!(notes(&reading).contains(note), "{}", notes(&reading));
}

#[test]
fn periods_and_legs_are_no_sets() {
    // Quarters are added up, and so are the goals of two legs.
    for scores in [
        ["20-18 15-22 30-10 11-9", "20-18 15-22 10-30 9-11"],
        ["20-18 15-22 30-10 9-11", "21-18 16-22 10-30 11-9"],
        ["5-1 1-4", "3-2 4-1"],
        ["6-4 6-4", "6-4 4-6 6-4 6-1"],
        ["4-3 1-4 3-2", "5-4 3-4 2-1"],
        ["6-4 4-6 6-2", "6-3 3-6 2-1"],
        ["20-19 2-18 22-21 21-20", "20-18 18-20 22-20 23-21"],
    ] {
        let text = format!(
            "date,player 1,player 2,score\n2024-03-01,Ann,Bo,{}\n2024-03-02,Ann,Cy,{}\n",
            scores[0], scores[1]
        );
        let reading = table(&text).unwrap();
        assert_eq!(reading.contests.len(), 0, "{scores:?}");
    }
}

#[test]
fn sets_of_winners_who_may_be_named_second_are_asked_for() {
    let mut text = "date,home player,away player,score\n".to_owned();
    for day in 1..6 {
        text.push_str(&format!("2024-03-0{day},Ann,Bo,6-{day} 6-1\n"));
    }
    let refusal = table(&text).unwrap_err();
    assert!(refusal.contains("pass --column score=outcome if"), "{refusal}");
    let stated = table_with(&text, &with_column("score", ColumnMeaning::Outcome)).unwrap();
    assert_eq!(stated.contests.len(), 5);
}

#[test]
fn stated_columns_of_sets_are_not_joined() {
    let text = "date,player1,player2,set1,set2\n2026-05-07,Arno,Bodo,6:3,6:3\n";
    let ignoring = with_column("set2", ColumnMeaning::Ignore);
    let refusal = table_with(text, &ignoring).unwrap_err();
    assert!(refusal.contains("no heading says who won"), "{refusal}");
}

#[test]
fn winner_beside_sets_decides() {
    // Here the score is that of the winner, who is named second.
    let text = "date,player 1,player 2,winner,score
2024-03-01,Ann,Bo,Bo,6-4 6-2
2024-03-02,Ann,Cy,Ann,6-1 6-2
";
    let lines = contest_lines(&table(text).unwrap());
    assert!(lines[0].contains("1 Bo, 2 Ann"), "{lines:?}");
}

#[test]
fn short_sets_decide() {
    let games = |scores: [&str; 3]| {
        let rows = scores.iter().zip(["Ann,Bo", "Cy,Di", "Bo,Cy"]);
        let rows = rows.map(|(score, names)| format!("2024-03-01,{names},{score}\n"));
        let text = format!("date,player 1,player 2,score\n{}", rows.collect::<String>());
        let reading = table(&text).unwrap();
        (contest_lines(&reading), refused(&reading))
    };
    let (lines, errors) = games(["4:0 4:1", "4:3 3:4 7:5", "0:4 0:4"]);
    assert_eq!(errors, [""; 0]);
    assert!(lines[0].ends_with("1 Ann (2), 2 Bo (0)"), "{lines:?}");
    assert!(lines.iter().any(|line| line.ends_with("1 Cy (2), 2 Bo (0)")), "{lines:?}");
    // Among longer sets, a game that ended early is refused alone.
    let (lines, errors) = games(["6-4 6-3", "4-0 4-1", "2-6 1-6"]);
    assert_eq!((lines.len(), errors.len()), (2, 1), "{lines:?} {errors:?}");
    let (lines, _) = games(["4:0 (4:0)", "2:1 (0:1)", "0:3 (0:0)"]);
    assert!(lines[0].ends_with("1 Ann (4), 2 Bo (0)"), "{lines:?}");
    // Won games and sets are no sets.
    assert_eq!(games(["2-0 2-1", "3-1 3-0", "1-2 2-3"]).1.len(), 3);
}
