//! Games decided by a word for each side, or by a column that names one of both sides.

use super::{proposals, standings, table, table_with};
use ranklore_formats::{ColumnMeaning, ReadOptions};

#[test]
fn words_of_both_sides_decide() {
    let head = "date,player_a_name,player_a_winner,player_a_sets_won,player_b_name,player_b_winner,player_b_sets_won\n";
    let rows = "2024-05-04,Ivy,True,3,Max,False,3\n2024-05-05,Ivy,False,5,Pia,True,5\n2024-05-06,Max,False,3,Pia,True,3\n";
    let reading = table(&format!("{head}{rows}")).unwrap();
    assert_eq!(standings(&reading), ["1 Ivy, 2 Max", "1 Pia, 2 Ivy", "1 Pia, 2 Max"]);
    // A text of sets beside them decides nothing.
    let sets = "date,white,white_result,black,black_result,score\n2024-05-04,Ivy,win,Max,loss,\"6-1, 6-3\"\n2024-05-05,Max,draw,Pia,draw,\"6-1, 1-6\"\n";
    assert_eq!(standings(&table(sets).unwrap()), ["1 Ivy, 2 Max", "1 Max, 1 Pia"]);
}

#[test]
fn words_that_do_not_contradict_each_other_decide_nothing() {
    let both_won = "date,white,white_won,black,black_won\n2024-05-04,Ivy,True,Max,True\n2024-05-05,Max,True,Pia,False\n";
    assert!(table(both_won).is_err());
    let odds = "date,home,home_win,away,away_win,home_score,away_score\n2024-05-04,Ivy,1.5,Max,2.5,1,0\n2024-05-05,Max,1.2,Pia,3,0,2\n";
    assert_eq!(standings(&table(odds).unwrap()), ["1 Ivy, 2 Max", "1 Pia, 2 Max"]);
}

#[test]
fn numbers_of_names_are_no_scores() {
    let head = "day,f1name,f2name,f1result,f2result,f1fid,f2fid\n";
    let rows = "2024-05-04,Ivy,Max,win,loss,19,15\n2024-05-05,Pia,Ivy,loss,win,21,19\n2024-05-06,Max,Pia,draw,draw,15,21\n";
    assert_eq!(
        proposals(&format!("{head}{rows}"), &ReadOptions::default()),
        [
            "--layout games --column 'f1name=player 1' --column 'f2name=player 2' --column f1result=outcome"
        ]
    );
    // Without results, nothing says who won.
    let numbers = "day,f1name,f2name,f1fid,f2fid\n2024-05-04,Ivy,Max,19,15\n2024-05-05,Pia,Ivy,21,19\n2024-05-06,Max,Pia,15,21\n";
    assert!(
        !proposals(numbers, &ReadOptions::default())
            .iter()
            .any(|option| option.contains("score"))
    );
    let scores = numbers.replace("fid", "pts").replace("21,19", "19,21");
    assert_eq!(
        standings(&table(&scores).unwrap()),
        ["1 Ivy, 2 Max", "1 Ivy, 2 Pia", "1 Pia, 2 Max"]
    );
}

#[test]
fn column_that_names_one_of_both_sides_is_proposed_as_winner() {
    let text = "giờ,Đội A,Đội B,Thắng\n1,가람,나래,가람\n2,다솜,가람,가람\n3,나래,다솜,다솜\n";
    let options = proposals(text, &ReadOptions::default());
    assert_eq!(
        options,
        [
            "--layout games --column 'Đội A=player 1' --column 'Đội B=player 2' --column Thắng=winner"
        ]
    );
    let stated = ReadOptions {
        columns: [
            ("Đội A".to_owned(), ColumnMeaning::Player1),
            ("Đội B".to_owned(), ColumnMeaning::Player2),
            ("Thắng".to_owned(), ColumnMeaning::Winner),
        ]
        .into(),
        start: ranklore_contest::ContestTime::parse("2024-05-04"),
        ..ReadOptions::default()
    };
    let reading = table_with(text, &stated).unwrap();
    assert_eq!(standings(&reading), ["1 가람, 2 나래", "1 가람, 2 다솜", "1 다솜, 2 나래"]);
    // The winner of the toss is another matter.
    let toss = text.replace("Thắng", "toss");
    assert!(
        !proposals(&toss, &ReadOptions::default())
            .iter()
            .any(|option| option.contains("toss"))
    );
}

#[test]
fn fixtures_have_no_result() {
    let error = table("home_team,away_team,venue\nGulls,Reef,Pier\nReef,Tide,Bay\n").unwrap_err();
    assert!(error.contains("no game has a result"), "{error}");
    let blank = "player1,player2,winner,score1,score2\nIvy,Max,,0,0\nMax,Pia,,0,0\n";
    let error = table(blank).unwrap_err();
    assert!(error.contains("no game has a result"), "{error}");
    assert!(proposals(blank, &ReadOptions::default()).is_empty());
    // A cell that could be a heading is none below those of games.
    let kinds = blank.replace("winner", "kind,winner").replace(",,0,0", ",Team,,0,0");
    let error = table(&kinds).unwrap_err();
    assert!(error.contains("no game has a result"), "{error}");
    let draws = "player1,player2,score1,score2\nIvy,Max,0,0\nMax,Pia,0,0\n";
    assert!(table(draws).unwrap_err().contains("may not have been played"));
}

#[test]
fn parts_of_a_total_and_keys_are_no_competitors() {
    for text in [
        "gameid,date_time,aces,twos,total_score\n1,2024-05-04,1,6,7\n2,2024-05-05,2,2,4\n",
        "ID,Date,Season\n1,2024-05-04,1\n2,2024-05-05,1\n",
    ] {
        assert!(
            !proposals(text, &ReadOptions::default())
                .iter()
                .any(|option| option.contains("contests")),
            "{text}"
        );
    }
    let scores = "Date,Ivy,Max\n2024-05-04,5,7\n2024-05-05,4,2\n";
    assert!(
        proposals(scores, &ReadOptions::default())
            .iter()
            .any(|option| option == "--layout contests")
    );
}
