//! Games that are listed for each of their teams, and the sides of teams in several columns or cells.

use super::{notes, proposals, standings, table, table_with};
use ranklore_formats::{ColumnMeaning, MemberSeparator, ReadOptions};

#[test]
fn game_in_the_lists_of_both_teams_counts_once() {
    for log in ["team_id", "team"] {
        let text = format!(
            "id,date,team_a,score_a,team_b,score_b,{log}\n29,2024-10-25,Foxes,32,Owls,24,Owls\n\
             30,2024-10-28,Hares,38,Owls,27,Owls\n29,2024-10-25,Foxes,32,Owls,24,Foxes\n\
             31,2024-10-28,Voles,27,Foxes,27,Foxes\n"
        );
        let expected = ["1 Foxes, 2 Owls", "1 Hares, 2 Owls", "1 Foxes, 1 Voles"];
        assert_eq!(standings(&table(&text).unwrap()), expected, "{log}");
        // Without ids, teams meet once on a day.
        let without_ids: String = text
            .lines()
            .map(|line| line.split_once(',').unwrap().1.to_owned() + "\n")
            .collect();
        let reading = table(&without_ids).unwrap();
        assert_eq!(standings(&reading), expected, "{log}");
        assert!(notes(&reading).contains("1 row that is equal"), "{}", notes(&reading));
    }
    // Numbers of teams, each of which plays in all rows with its number.
    let text = "date,team_a,score_a,team_b,score_b,team_id\n2024-10-25,Foxes,32,Owls,24,3\n\
                2024-10-28,Hares,38,Owls,27,3\n2024-10-25,Foxes,32,Owls,24,7\n";
    assert_eq!(standings(&table(text).unwrap()), ["1 Foxes, 2 Owls", "1 Hares, 2 Owls"]);
    // In one list, equal rows can be two games.
    let doubled = text.replace("24,7", "24,3");
    let reading = table(&doubled).unwrap();
    assert_eq!(reading.contests.len(), 3);
    assert!(notes(&reading).contains("may repeat a game"), "{}", notes(&reading));
}

#[test]
fn results_of_the_team_of_a_list_are_no_results_of_the_first() {
    let text = "id,result,date,team_a,team_b,score_a,score_b,team_id\n\
                28,W,2024-10-09,Owls,Foxes,35,30,Owls\n29,W,2024-10-14,Hares,Owls,31,44,Owls\n\
                30,L,2024-10-18,Owls,Voles,24,39,Owls\n";
    let reading = table(text).unwrap();
    let expected = ["1 Owls, 2 Foxes", "1 Owls, 2 Hares", "1 Voles, 2 Owls"];
    assert_eq!(standings(&reading), expected);
    assert!(notes(&reading).contains("is that of \"team_id\""), "{}", notes(&reading));
    // Without scores, nothing shows whose results they are.
    let without_scores = "result,date,team_a,team_b,team_id\nW,2024-10-09,Owls,Foxes,Owls\n\
                          W,2024-10-14,Hares,Owls,Owls\nL,2024-10-18,Owls,Voles,Owls\n";
    let error = table(without_scores).unwrap_err();
    assert!(error.contains("--column team_id=ignore"), "{error}");
    let stated = ReadOptions {
        columns: [("team_id".to_owned(), ColumnMeaning::Ignore)].into(),
        ..ReadOptions::default()
    };
    let reading = table_with(without_scores, &stated).unwrap();
    assert_eq!(standings(&reading)[1], "1 Hares, 2 Owls");
}

#[test]
fn members_of_both_sides_in_numbered_columns_are_teams() {
    for headings in [
        "A1,A2,B1,B2,score A,score B",
        "n_1,n_2,s_1,s_2,n_score,s_score",
    ] {
        let text = format!(
            "date,{headings}\n2024-01-05,Jan,Eva,Ida,Marv,10,8\n2024-01-06,Tom,Marv,Max,Claus,4,10\n\
             2024-01-07,Tom,Jan,Eva,Ida,10,4\n"
        );
        let expected = [
            "1 Eva / Jan, 2 Ida / Marv",
            "1 Claus / Max, 2 Marv / Tom",
            "1 Jan / Tom, 2 Eva / Ida",
        ];
        assert_eq!(standings(&table(&text).unwrap()), expected, "{headings}");
    }
}

#[test]
fn pairs_joined_by_commas_are_asked() {
    let text = "date,Team 1,Team 2,Winner\n2024-01-01,\"Ann, Bea\",\"Cy, Dov\",1\n\
                2024-01-02,\"Bea, Ann\",\"Cy, Dov\",2\n2024-01-03,\"Ann, Cy\",\"Bea, Dov\",1\n";
    assert_eq!(proposals(text, &ReadOptions::default()), ["--members ','", "--members none"]);
    let stated = ReadOptions {
        members: Some(MemberSeparator::OneName),
        ..ReadOptions::default()
    };
    assert_eq!(table_with(text, &stated).unwrap().contests.len(), 3);
    // Surnames stand first, and given names last.
    let people = "date,Player 1,Player 2,Winner\n2024-01-01,\"Lark, Ann\",\"Roe, Dov\",1\n\
                  2024-01-02,\"Lark, Ann\",\"Fox, Dov\",2\n2024-01-03,\"Roe, Dov\",\"Fox, Ann\",1\n";
    assert_eq!(table(people).unwrap().contests.len(), 3);
}

#[test]
fn rows_for_most_pairs_of_players_repeat_a_match() {
    let text = "Match ID,Match Date,Blue Team,Blue Player,Blue Score,Orange Team,Orange Player,Orange Score\n\
                m1,2024-09-08,Foxes,Ivy,5,Owls,Max,1\nm1,2024-09-08,Foxes,Ivy,5,Owls,Pia,1\n\
                m1,2024-09-08,Foxes,Tom,5,Owls,Max,1\nm2,2024-09-08,Hares,Lea,6,Voles,Ben,0\n";
    let error = table(text).unwrap_err();
    assert!(error.contains("repeat its result for each pair of players"), "{error}");
}

#[test]
fn meetings_seen_from_both_sides_are_games() {
    let text = "TEAM_NAME,GAME_DATE,MATCHUP,WL,PTS\nOwls,2024-10-22,OWL vs. FOX,W,110\n\
                Foxes,2024-10-22,FOX @ OWL,L,103\nHares,2024-10-22,HAR vs. VOL,W,132\n\
                Voles,2024-10-22,VOL @ HAR,L,109\n";
    let reading = table(text).unwrap();
    assert_eq!(standings(&reading), ["1 Owls, 2 Foxes", "1 Hares, 2 Voles"]);
}
