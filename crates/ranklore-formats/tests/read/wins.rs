//! Columns of words for wins and losses in tables with one row per result.

use super::{contest_lines, notes, standings, table, table_with};
use ranklore_formats::{ColumnMeaning, ReadOptions};

fn game(column: &str, scores: [u8; 2], words: [&str; 2]) -> String {
    format!(
        "date,game_id,team,score,{column}\n2024-07-10,32,Foxes,{},{}\n2024-07-10,32,Owls,{},{}\n",
        scores[0], words[0], scores[1], words[1]
    )
}

#[test]
fn winner_of_equal_scores_takes_first_place() {
    for column in ["win_status", "result", "outcome", "W/L"] {
        for [won, lost] in [["Won", "Lost"], ["W", "L"], ["win", "loss"]] {
            let reading = table(&game(column, [0, 0], [lost, won])).unwrap();
            assert_eq!(contest_lines(&reading), ["32 2024-07-10: 1 Owls (0), 2 Foxes (0)"]);
            assert!(notes(&reading).contains("says who won"), "{}", notes(&reading));
        }
        let drawn = format!(
            "{}2024-07-11,33,Foxes,2,D\n2024-07-11,33,Owls,2,D\n",
            game(column, [3, 1], ["W", "L"])
        );
        assert_eq!(
            standings(&table(&drawn).unwrap()),
            ["1 Foxes, 2 Owls", "1 Foxes, 1 Owls"],
            "{column}"
        );
    }
}

#[test]
fn words_alone_rank_the_sides_of_games() {
    let text = "date,game_id,player,result\n2024-07-10,1,Ivy,Loss\n2024-07-10,1,Max,Win\n\
                2024-07-11,2,Ivy,Draw\n2024-07-11,2,Max,Draw\n";
    assert_eq!(standings(&table(text).unwrap()), ["1 Max, 2 Ivy", "1 Ivy, 1 Max"]);
    // One wins a night of games, the others lose.
    let night = "date,game,player,result\n2024-07-10,Go,Ivy,lost\n2024-07-10,Go,Max,won\n2024-07-10,Go,Pia,lost\n";
    assert_eq!(standings(&table(night).unwrap()), ["1 Max, 2 Ivy, 2 Pia"]);
}

#[test]
fn scores_that_contradict_words_are_refused() {
    let error = table(&game("win_status", [1, 3], ["Won", "Lost"])).unwrap_err();
    assert!(error.contains("--lower-is-better"), "{error}");
    assert!(error.contains("--column win_status=ignore"), "{error}");
    // Of two games, each end is better in one.
    let both = format!(
        "{}2024-07-11,33,Foxes,3,Won\n2024-07-11,33,Owls,1,Lost\n",
        game("win_status", [1, 3], ["Won", "Lost"])
    );
    let error = table(&both).unwrap_err();
    assert!(error.contains("marks winners who have not the best score"), "{error}");
    let ignored = ReadOptions {
        columns: [("win_status".to_owned(), ColumnMeaning::Ignore)].into(),
        ..ReadOptions::default()
    };
    let reading = table_with(&both, &ignored).unwrap();
    assert_eq!(standings(&reading), ["1 Owls, 2 Foxes", "1 Foxes, 2 Owls"]);
}

#[test]
fn games_of_one_round_are_told_apart_by_an_unread_column() {
    let text = "year,team,score,round,yearly_game_id,team_num,win_status\n\
                1991,Foxes,0,Quarter Final,19,1,Lost\n1991,Owls,1,Quarter Final,19,2,Won\n\
                1991,Hares,7,Quarter Final,20,1,Won\n1991,Voles,0,Quarter Final,20,2,Lost\n\
                1995,Voles,2,Quarter Final,19,1,Won\n1995,Stoats,1,Quarter Final,19,2,Lost\n";
    let reading = table(text).unwrap();
    assert_eq!(
        standings(&reading),
        ["1 Owls, 2 Foxes", "1 Voles, 2 Stoats", "1 Hares, 2 Voles"]
    );
    let note = "\"yearly_game_id\" (E) tells games of two apart";
    assert!(notes(&reading).contains(note), "{}", notes(&reading));
    // Without that column, the round is no contest of all.
    let merged = text.replace(",19,", ",,").replace(",20,", ",,");
    let error = table(&merged).unwrap_err();
    assert!(error.contains("several winners and losers in one contest"), "{error}");
}

#[test]
fn members_of_two_teams_share_wins() {
    let text = "date,match,player,team,result\n2024-07-10,M1,Ivy,Foxes,Win\n2024-07-10,M1,Max,Foxes,Win\n\
                2024-07-10,M1,Pia,Owls,Loss\n2024-07-10,M1,Tom,Owls,Loss\n";
    let reading = table(text).unwrap();
    assert_eq!(contest_lines(&reading), ["M1 2024-07-10: 1 Foxes [Ivy Max], 2 Owls [Pia Tom]"]);
}

#[test]
fn winners_of_games_contradict_scores() {
    let text = "Date,Player,GameWinner,FinalScore\n2024-03-01,Ada,false,1\n2024-03-01,Bea,true,0\n2024-03-01,Cy,false,5\n";
    let error = super::table(text).unwrap_err();
    assert!(error.contains("marks winners who have not the best score"), "{error}");
    assert!(error.contains("--column GameWinner=ignore"), "{error}");
    let agreeing = text.replace("true,0", "true,7");
    assert!(super::table(&agreeing).is_ok());
}
