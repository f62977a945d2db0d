//! The words of both sides of a game, in several languages and sports.

use super::games::places;
use super::{refused, table};

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
fn number_of_the_winner_is_no_name() {
    let text = "Dato;Nr1;Navn1;Nr2;Navn2;Resultat;Vinder\n2024-05-01;3;Ada;4;Bea;2-0;4";
    let reading = table(text).unwrap();
    assert!(reading.contests.is_empty());
    assert!(
        refused(&reading)[0].contains("is neither \"Ada\" nor \"Bea\""),
        "{:?}",
        refused(&reading)
    );
}
