//! The words of both sides of a game, in several languages and sports.

use super::games::places;
use super::{refused, standings, table, table_with};
use ranklore_contest::EntrantKind;
use ranklore_formats::{ColumnMeaning, ReadOptions};

#[test]
fn words_of_sides_are_read_at_once() {
    for headings in [
        "date,casa,ospite,gol casa,gol ospite",
        "date,squadra casa,squadra ospite,punti casa,punti ospite",
        "date,mandante,visitante,gol_mandante,gol_visitante",
        "date,gospodarz,gość,gole gospodarz,gole gość",
        "date,equipe1,equipe2,equipe1 buts,equipe2 buts",
        "date,Blue Team Name,Orange Team Name,Blue Score,Orange Score",
        "date,red,yellow,red_score,yellow_score",
        "date,red,blue,red points,blue points",
        "date,radiant_team,dire_team,radiant_score,dire_score",
        "date,challenger,defender,challenger_score,defender_score",
        "date,attacker,defender,attacker points,defender points",
        "date,government,opposition,government points,opposition points",
        "date,Home/Neutral,Visitor/Neutral,home pts,visitor pts",
        "date,p1,p2,p1_score,p2_score",
        "date,Team A,Team B,Team A Score,Team B Score",
        "date,equipo_local,equipo_visitante,puntos_local,puntos_visitante",
        "date,equipaVisitada,equipaVisitante,golosMarcadosVisitado,golosMarcadosVisitante",
        "date,TeamA,TeamB,saetzeA,saetzeB",
        "date,thuis,uit,doelpunten thuis,doelpunten uit",
        "date,hjemmelag,bortelag,mål hjemmelag,mål bortelag",
        "date,teamOne,teamTwo,teamOneScore,teamTwoScore",
    ] {
        let text = format!("{headings}\n2024-03-01,Ada,Bea,3,1\n2024-03-02,Cy,Ada,2,3\n");
        let reading = table(&text).unwrap_or_else(|error| panic!("{headings}: {error}"));
        assert_eq!(refused(&reading), Vec::<String>::new(), "{headings}");
        let places = places(&reading);
        assert_eq!(
            places,
            [
                "2024-03-01 Ada – Bea: 1 Ada, 2 Bea",
                "2024-03-02 Ada – Cy: 1 Ada, 2 Cy"
            ],
            "{headings}"
        );
    }
}

#[test]
fn pairs_of_colours_and_of_winners_are_teams_of_two() {
    for text in [
        "date,red_1,red_2,yellow_1,yellow_2,red_score,yellow_score\n2024-03-01,ada,bea,cy,dov,7,10\n",
        "date,w_player1,w_player2,l_player1,l_player2,score\n2024-03-01,cy,dov,ada,bea,21-9 21-14\n",
    ] {
        let reading = table(text).unwrap();
        assert_eq!(refused(&reading), Vec::<String>::new(), "{text}");
        let entrants = &reading.contests.to_vec()[0].entrants;
        assert_eq!(entrants[0].members, ["cy", "dov"], "{text}");
        assert_eq!(entrants[1].members, ["ada", "bea"], "{text}");
    }
}

#[test]
fn three_colours_are_no_game_of_two() {
    let text =
        "date,red,blue,yellow,red_score,blue_score,yellow_score\n2024-03-01,Ada,Bea,Cy,3,1,2\n";
    assert!(table(text).is_err());
}

#[test]
fn number_of_the_winner_is_that_of_a_side() {
    for (headings, numbers) in [
        ("Dato;Nr1;Navn1;Nr2;Navn2;Vinder", [3, 4, 7]),
        ("Date;No 1;Player 1;No 2;Player 2;Winner", [11, 1, 21]),
        ("Date;White no;White;Black no;Black;Winner", [300, 100, 2]),
    ] {
        let [ada, bea, cy] = numbers;
        let text = format!(
            "{headings}\n2024-05-01;{ada};Ada;{bea};Bea;{bea}\n2024-05-02;{cy};Cy;{ada};Ada;{cy}"
        );
        let reading = table(&text).unwrap();
        assert_eq!(refused(&reading), [""; 0], "{headings}");
        assert_eq!(
            places(&reading),
            [
                "2024-05-01 Ada – Bea: 1 Bea, 2 Ada",
                "2024-05-02 Ada – Cy: 1 Cy, 2 Ada"
            ],
            "{headings}"
        );
    }
    // Another source of the outcome must agree.
    let text = "Dato;Nr1;Navn1;Nr2;Navn2;Resultat;Vinder\n2024-05-01;3;Ada;4;Bea;2-0;4";
    let reading = table(text).unwrap();
    assert!(reading.contests.is_empty());
    // 1 and 2 are sides and numbers of players.
    let text = "Date;No 1;Player 1;No 2;Player 2;Winner\n2024-05-01;2;Ada;1;Bea;1";
    let error = table(text).unwrap_err();
    assert!(error.contains("pass --column 'No 1=ignore' --column 'No 2=ignore'"), "{error}");
}

#[test]
fn people_play_for_their_teams() {
    for text in [
        "date,White,Black,White Team,Black Team,Result\n2024-03-01,Ada,Bea,Gulls,Kelp,1-0\n2024-03-02,Cy,Dov,Gulls,Spray,0-1\n",
        "date,Home team,Away team,Home player,Away player,HG,AG\n2024-03-01,Gulls,Kelp,Ada,Bea,3,1\n2024-03-02,Gulls,Kelp,Cy,Dov,1,3\n",
        "date,Match ID,Team A,Player A,Team B,Player B,Frames A,Frames B\n2024-03-01,7,Gulls,Ada,Kelp,Bea,3,1\n2024-03-02,7,Gulls,Cy,Kelp,Dov,1,3\n",
    ] {
        let reading = table(text).unwrap();
        assert_eq!(refused(&reading), [""; 0], "{text}");
        let contests = reading.contests.to_vec();
        let names: Vec<&str> = contests.iter().map(|contest| contest.name.as_str()).collect();
        assert_eq!(names, ["Ada – Bea", "Cy – Dov"], "{text}");
        let entrants = contests.iter().flat_map(|contest| &contest.entrants);
        assert!(entrants.map(|entrant| entrant.kind).all(|kind| kind == EntrantKind::Person));
    }
}

/// Returns rows of matches of two teams that list each pair of players: the teams' scores recur.
fn rows_of_all_pairs() -> String {
    let mut rows = String::new();
    for (id, score) in [("m1", 5), ("m2", 3)] {
        for [one, two] in [["Ann", "Cy"], ["Ann", "Dov"], ["Bo", "Cy"], ["Bo", "Dov"]] {
            rows += &format!("2024-05-01,{id},Reds,{one},{one}-1,{score},Greens,{two},1\n");
        }
    }
    rows
}

#[test]
fn match_listed_for_each_pair_of_players_is_refused() {
    use ColumnMeaning::{Event, Ignore};
    for heads in [
        "Match Date,Match ID,Blue Team,Blue Player,Skill,Blue Score,Orange Team,Orange Player,Orange Score",
        "date,match_id,team1,player1,Skill,score1,team2,player2,score2",
        "date,match_id,player1_team,player1,Skill,player1_score,player2_team,player2,player2_score",
    ] {
        let text = format!("{heads}\n{}", rows_of_all_pairs());
        let error = table(&text).unwrap_err();
        let problem = "line 2: 4 rows of match \"m1\" repeat its result for each pair of players";
        assert!(error.starts_with(problem), "{error}");
        let headings: Vec<&str> = heads.split(',').collect();
        let read = |meanings: &[(usize, ColumnMeaning)]| {
            let columns = meanings.iter().map(|&(c, meaning)| (headings[c].to_owned(), meaning));
            let options = ReadOptions {
                columns: columns.collect(),
                ..ReadOptions::default()
            };
            let reading = table_with(&text, &options).unwrap();
            assert_eq!(refused(&reading), [""; 0], "{heads}");
            reading
        };
        let of_teams = read(&[(3, Ignore), (4, Ignore), (7, Ignore)]);
        let scores: Vec<_> =
            of_teams.contests.iter().map(|c| (c.external_id, c.entrants)).collect();
        assert_eq!(scores.len(), 2, "{heads}");
        assert_eq!(scores[0].0, "m1", "{heads}");
        assert_eq!(scores[0].1[0].competitor, "Reds", "{heads}");
        assert_eq!(scores[0].1[0].score, Some(5.0), "{heads}");
        assert_eq!(read(&[(1, Event), (2, Ignore), (6, Ignore)]).contests.len(), 8, "{heads}");
    }
}

#[test]
fn teams_listed_for_each_pair_of_players_are_read_once() {
    let text = format!(
        "date,match id,team 1,player tag 1,x,score 1,team 2,player tag 2,score 2\n{}",
        rows_of_all_pairs().replace("Ann-1", "").replace("Bo-1", "")
    );
    // The rows can be games of boards, too.
    let error = refused(&table(&text).unwrap()).join(" ");
    let advice = "if a match has several games, pass --column 'match id=event'; if the rows are the players of one game, \
                  pass --column 'player tag 1=ignore' --column 'player tag 2=ignore'";
    assert!(error.contains(advice), "{error}");
    let players = ["player tag 1", "player tag 2"];
    let options = ReadOptions {
        columns: players.map(|heading| (heading.to_owned(), ColumnMeaning::Ignore)).into(),
        ..ReadOptions::default()
    };
    let reading = table_with(&text, &options).unwrap();
    assert_eq!(standings(&reading), ["1 Reds, 2 Greens", "1 Reds, 2 Greens"]);
}

#[test]
fn pairs_of_players_without_id_or_teams_are_refused() {
    // Teams that meet once on a day.
    let heads =
        "date,hall,Blue Team,Blue Player,x,Blue Score,Orange Team,Orange Player,Orange Score";
    let rows = rows_of_all_pairs()
        .replace(",m1,", ",,")
        .replace("2024-05-01,m2", "2024-05-08,");
    let error = table(&format!("{heads}\n{rows}")).unwrap_err();
    assert!(error.contains("4 rows of \"Greens\" – \"Reds\" repeat its result"), "{error}");
    assert!(error.contains("keep one row of each match"), "{error}");
    // An id alone.
    let heads = "date,match id,,player 1,,score 1,,player 2,score 2";
    let error = table(&format!("{heads}\n{}", rows_of_all_pairs())).unwrap_err();
    assert!(
        error.contains("or pass --column 'match id=event' if each row is a game"),
        "{error}"
    );
    // Games of a match have scores of their own.
    let rows = rows_of_all_pairs().replace("Bo-1,5", "Bo-1,4").replace("Bo-1,3", "Bo-1,0");
    assert_eq!(table(&format!("{heads}\n{rows}")).unwrap().contests.len(), 8);
}

#[test]
fn two_pairs_of_competitors_are_both_named() {
    for (text, pairs) in [
        (
            "date,team_1,player_1,team_2,player_2,winner\n2024-03-01,Gulls,Ada,Kelp,Bea,1\n2024-03-02,Gulls,Cy,Spray,Dov,2\n",
            [["team_1", "team_2"], ["player_1", "player_2"]],
        ),
        (
            "date,team_1,team_2,_team_1,_team_2,winner\n2024-03-01,Gulls,Kelp,ct,t,1\n2024-03-02,Gulls,Spray,t,ct,2\n",
            [["team_1", "team_2"], ["_team_1", "_team_2"]],
        ),
    ] {
        let error = table(text).unwrap_err();
        for [one, two] in pairs {
            let options = format!("--column {one}=ignore --column {two}=ignore");
            assert!(error.contains(&options), "{options}: {error}");
        }
        let options = ReadOptions {
            columns: pairs[1].map(|heading| (heading.to_owned(), ColumnMeaning::Ignore)).into(),
            ..ReadOptions::default()
        };
        assert_eq!(
            places(&table_with(text, &options).unwrap()),
            [
                "2024-03-01 Gulls – Kelp: 1 Gulls, 2 Kelp",
                "2024-03-02 Gulls – Spray: 1 Spray, 2 Gulls"
            ]
        );
    }
}

#[test]
fn numbered_members_are_no_sides() {
    let text =
        "date,team1,team2,player 1,player 2,player 3,winner\n2024-03-01,Gulls,Kelp,Ada,Bea,Cy,1\n";
    assert_eq!(places(&table(text).unwrap()), ["2024-03-01 Gulls – Kelp: 1 Gulls, 2 Kelp"]);
}

#[test]
fn names_of_winners_choose_between_two_pairs() {
    let text = "date,home_team,away_team,winner,home_team_name,away_team_name
2024-03-01,Quay Gulls,Bay Kelpies,Bay Kelpies,Gulls,Kelpies
2024-03-02,Bay Kelpies,Quay Gulls,Bay Kelpies,Kelpies,Gulls
";
    let reading = table(text).unwrap();
    assert_eq!(refused(&reading), [""; 0]);
    let names: Vec<String> = reading.contests.iter().map(|contest| contest.name.clone()).collect();
    assert_eq!(names, ["Quay Gulls – Bay Kelpies", "Bay Kelpies – Quay Gulls"]);
}

#[test]
fn repeated_ids_of_matches_are_events() {
    let rows = "2024-03-01,7,Ada,Bea,1\n2024-03-01,7,Cy,Dov,2\n2024-03-02,8,Ada,Cy,1\n";
    let reading = table(&format!("date,match id,player 1,player 2,winner\n{rows}")).unwrap();
    assert_eq!(refused(&reading), [""; 0]);
    let ids: Vec<String> =
        reading.contests.iter().map(|contest| contest.external_id.clone()).collect();
    assert_eq!(
        ids,
        [
            "2024-03-01 7 Ada – Bea",
            "2024-03-01 7 Cy – Dov",
            "2024-03-02 8 Ada – Cy"
        ]
    );
    // An id that returns later, or for the same players, is a mistake.
    for mistake in ["2024-03-03,7,Eve,Fay,1\n", "2024-03-02,8,Cy,Ada,1\n"] {
        let text = format!("date,match id,player 1,player 2,winner\n{rows}{mistake}");
        let reading = table(&text).unwrap();
        assert!(refused(&reading)[0].contains("have the same id"), "{mistake}");
    }
}

#[test]
fn games_of_a_match_with_one_id_have_an_option() {
    let text = "date,match_id,team_1,team_2,map,result_1,result_2\n2024-03-01,7,Gulls,Kelp,Dust,16,9\n2024-03-01,7,Gulls,Kelp,Mill,9,16\n";
    let refused = refused(&table(text).unwrap());
    assert!(refused[0].contains("pass --column match_id=event;"), "{refused:?}");
    let options = ReadOptions {
        columns: [("match_id".to_owned(), ColumnMeaning::Event)].into(),
        ..ReadOptions::default()
    };
    assert_eq!(
        places(&table_with(text, &options).unwrap()),
        [
            "2024-03-01 7 Gulls – Kelp: 1 Gulls, 2 Kelp",
            "2024-03-01 7 Gulls – Kelp #2: 1 Kelp, 2 Gulls"
        ]
    );
}

#[test]
fn doubles_and_singles_stand_in_one_table() {
    for (headings, winners) in [
        ("date,player 1,player 1b,player 2,player 2b,winner", ["Cy / Dov", "Cy Dov"]),
        ("date,player 1,partner 1,player 2,partner 2,winner", ["Dov & Cy", "Cy and Dov"]),
    ] {
        let [one, two] = winners;
        let text = format!(
            "{headings}\n2024-03-01,Ada,,Bea,,Bea\n2024-03-02,Cy,Dov,Eve,Fay,{one}\n2024-03-03,Ada,Bea,Cy,Dov,{two}\n2024-03-04,Cy,Dov,Eve,,Eve\n"
        );
        let reading = table(&text).unwrap();
        assert_eq!(
            places(&reading),
            [
                "2024-03-01 Ada – Bea: 1 Bea, 2 Ada",
                "2024-03-02 Cy / Dov – Eve / Fay: 1 Cy / Dov, 2 Eve / Fay",
                "2024-03-03 Ada / Bea – Cy / Dov: 1 Cy / Dov, 2 Ada / Bea"
            ],
            "{headings}"
        );
        assert!(refused(&reading)[0].contains("each team has two members"), "{headings}");
        let kinds: Vec<EntrantKind> = reading.contests.iter().map(|c| c.entrants[0].kind).collect();
        assert_eq!(kinds, [EntrantKind::Person, EntrantKind::Team, EntrantKind::Team]);
    }
}

#[test]
fn scores_by_letter_of_the_side_must_agree() {
    for part in ["Sets", "Legs", "Games", "Frames"] {
        let text = format!(
            "Date,Player A,Player B,{part} A,{part} B,Points A,Points B\n\
             2024-01-01,Ada,Bea,3,2,48,52\n2024-01-02,Ada,Dan,3,0,33,20\n"
        );
        let reading = table(&text).unwrap();
        assert!(refused(&reading)[0].contains("and by"), "{part}: {:?}", refused(&reading));
    }
}

#[test]
fn winner_of_one_or_two_is_a_side_beside_other_numbers() {
    for numbers in ["Sets 1,Sets 2", "Seed 1,Seed 2", "Home Yellow,Away Yellow"] {
        let text = format!(
            "Date,Player 1,Player 2,{numbers},Winner\n2024-01-01,Ada,Bea,2,1,1\n\
             2024-01-02,Cid,Dan,1,2,2\n"
        );
        let reading = table(&text).unwrap();
        assert_eq!(refused(&reading), [""; 0], "{numbers}");
        assert_eq!(reading.contests.len(), 2, "{numbers}");
    }
}

#[test]
fn winner_that_names_the_teams_decides_between_two_pairs() {
    let text = "date,team1,team2,player1,player2,score1,score2,winner
2024-01-01,Lions,Tigers,Ada,Bea,3,1,Lions
2024-01-01,Lions,Tigers,Cid,Dan,2,4,Tigers
";
    let reading = table(text).unwrap();
    assert_eq!(refused(&reading), [""; 0]);
    let contest = reading.contests.get(0).unwrap();
    assert!(contest.name.contains("Lions"), "{}", contest.name);
}

#[test]
fn one_person_stands_in_either_column_of_a_side() {
    let heads =
        "date,Team 1 Player 1,Team 1 Player 2,Team 2 Player 1,Team 2 Player 2,score1,score2";
    let text = format!(
        "{heads}\n2024-03-01,Ada,Bea,Cy,Dov,21,15\n2024-03-02,,Ada,,Cy,21,10\n\
         2024-03-03,Bea,,,Dov,21,9\n2024-03-04,,Ada,Cy,Dov,21,8\n"
    );
    let reading = table(&text).unwrap();
    assert_eq!(
        places(&reading),
        [
            "2024-03-01 Ada / Bea – Cy / Dov: 1 Ada / Bea, 2 Cy / Dov",
            "2024-03-02 Ada – Cy: 1 Ada, 2 Cy",
            "2024-03-03 Bea – Dov: 1 Bea, 2 Dov"
        ]
    );
    assert!(refused(&reading)[0].contains("\"Team 1 Player 1\" (B) is blank: each team has two"));
    let kinds: Vec<EntrantKind> = reading.contests.iter().map(|c| c.entrants[1].kind).collect();
    assert_eq!(kinds, [EntrantKind::Team, EntrantKind::Person, EntrantKind::Person]);
}

#[test]
fn opponents_of_winners_lost() {
    let text = "Winner,Winners Score,Opponent,Opponents Score,Date\nAda,474,Bea,380,2024-03-01\nCy,466,Di,351,2024-03-02\n";
    let reading = table(text).unwrap();
    assert_eq!(
        places(&reading),
        [
            "2024-03-01 Ada – Bea: 1 Ada, 2 Bea",
            "2024-03-02 Cy – Di: 1 Cy, 2 Di"
        ]
    );
    // The winner is one of two other columns.
    let text = "Player,Opponent,Winner,Date\nAda,Bea,Bea,2024-03-01\nCy,Di,Cy,2024-03-02\n";
    let lines = table(text).map(|reading| places(&reading)).unwrap_or_default();
    assert!(!lines.concat().contains("1 Bea, 2 Bea"), "{lines:?}");
    assert!(lines.is_empty() || lines[0].ends_with("1 Bea, 2 Ada"), "{lines:?}");
}

#[test]
fn short_names_beside_ids_are_names() {
    let text = "id,date,teama_id,teama_short_name,teama_score,teamb_id,teamb_short_name,teamb_score\n501,2024-03-01,3,OAK,32,7,ELM,24\n502,2024-03-02,7,ELM,30,9,ASH,31\n";
    let reading = table(text).unwrap();
    assert_eq!(places(&reading), ["501: 1 3, 2 7", "502: 1 9, 2 7"]);
}
