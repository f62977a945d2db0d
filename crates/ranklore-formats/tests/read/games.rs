//! Tables of games: one row per game of two.

use std::collections::HashSet;

use super::{contest_lines, from_2024, notes, refused, standings, table, table_with};
use ranklore_contest::{Contest, EntrantKind, Side};
use ranklore_formats::{ColumnMeaning, FileReading, ReadOptions, StatedLayout, TableShape};

/// Returns the contests as `place competitor` in order of their times and ids.
pub(super) fn places(reading: &FileReading) -> Vec<String> {
    let line = |contest: Contest| {
        let mut entrants: Vec<String> = contest
            .entrants
            .iter()
            .map(|entrant| {
                format!("{} {}", entrant.outcome.place().unwrap().get(), entrant.competitor)
            })
            .collect();
        entrants.sort();
        format!("{}: {}", contest.external_id, entrants.join(", "))
    };
    reading.contests.iter().map(line).collect()
}

pub(super) fn ids(reading: &FileReading) -> Vec<&str> {
    reading.contests.external_ids().collect()
}

/// Returns the ids in the order of replay within the table.
fn replayed(reading: &FileReading) -> Vec<String> {
    let mut contests = reading.contests.to_vec();
    contests.sort_by(|a, b| {
        let key = |contest: &Contest| (contest.ends_at, contest.event.clone(), contest.ordinal);
        key(a)
            .cmp(&key(b))
            .then_with(|| ranklore_contest::compare_naturally(&a.external_id, &b.external_id))
    });
    contests.into_iter().map(|contest| contest.external_id).collect()
}

fn sides(contests: &[Contest]) -> Vec<(&str, Option<Side>)> {
    let entrants = contests.iter().flat_map(|contest| &contest.entrants);
    entrants.map(|entrant| (&*entrant.competitor, entrant.side)).collect()
}

#[test]
fn each_row_is_a_contest() {
    let reading = table(
        "Date,White,Black,Result\n2024-03-01,Ada,Bea,1-0\n2024-03-01,Bea,Cy,1/2-1/2\n2024-03-02,Ada,Cy,0-1\n",
    )
    .unwrap();
    assert_eq!(refused(&reading), Vec::<String>::new());
    assert_eq!(
        contest_lines(&reading),
        [
            "Ada – Bea 2024-03-01: 1 Ada, 2 Bea",
            "Bea – Cy 2024-03-01: 1 Bea, 1 Cy",
            "Ada – Cy 2024-03-02: 1 Cy, 2 Ada",
        ]
    );
    assert_eq!(
        ids(&reading),
        [
            "2024-03-01 Ada – Bea",
            "2024-03-01 Bea – Cy",
            "2024-03-02 Ada – Cy"
        ]
    );
    assert_eq!(
        sides(&reading.contests.to_vec())[..3],
        [
            ("Ada", Some(Side::White)),
            ("Bea", Some(Side::Black)),
            ("Bea", Some(Side::White))
        ]
    );
    let layout = reading.layout.as_ref().unwrap();
    assert_eq!(layout.shape, TableShape::Games);
    let meanings: Vec<_> = layout.columns.iter().filter_map(|column| column.meaning).collect();
    assert_eq!(meanings, ["date", "white", "black", "outcome"]);
    assert_eq!(
        notes(&reading),
        "cells are separated by commas; one row per game; \"Result\" (D) says who won; games of one time and event follow the rows; games have no ids: the date, event, round and competitors identify them"
    );
}

/// A history, in the order of columns of each layout: a win of the first, a loss, a draw, and a
/// second game of a pairing on one day.
const LAYOUTS: [&str; 13] = [
    "date,white,black,result\n2024-03-01,Ada,Bea,1-0\n2024-03-01,Ada,Bea,0-1\n2024-03-02,Bea,Cy,½\n",
    "date;Weiß;Schwarz;Ergebnis\n1.3.2024;Ada;Bea;1:0\n1.3.2024;Ada;Bea;0:1\n2.3.2024;Bea;Cy;½:½\n",
    "date,player_1,player_2,outcome\n2024-03-01,Ada,Bea,1\n2024-03-01,Ada,Bea,0\n2024-03-02,Bea,Cy,0.5\n",
    "date,player1,player2,outcome\n2024-03-01,Ada,Bea,1\n2024-03-01,Ada,Bea,-1\n2024-03-02,Bea,Cy,0\n",
    "date,winner,loser,draw\n2024-03-01,Ada,Bea,\n2024-03-01,Bea,Ada,no\n2024-03-02,Bea,Cy,x\n",
    "date,winner,loser,draw\n2024-03-01,Ada,Bea,false\n2024-03-01,Bea,Ada,false\n2024-03-02,Cy,Bea,true\n",
    "date,winner_name,loser_name,result\n2024-03-01,Ada,Bea,win\n2024-03-01,Bea,Ada,win\n2024-03-02,Bea,Cy,draw\n",
    "date,model_a,model_b,winner\n2024-03-01,Ada,Bea,model_a\n2024-03-01,Ada,Bea,model_b\n2024-03-02,Bea,Cy,tie (bothbad)\n",
    "date,Player A,Player B,Winner\n2024-03-01,Ada,Bea,Ada\n2024-03-01,Ada,Bea,Bea\n2024-03-02,Bea,Cy,draw\n",
    "date,home,away,home_goals,away_goals\n2024-03-01,Ada,Bea,2,1\n2024-03-01,Ada,Bea,0,3\n2024-03-02,Bea,Cy,1,1\n",
    "Date,HomeTeam,AwayTeam,FTHG,FTAG,FTR,HTHG,HTAG\n2024-03-01,Ada,Bea,2,1,H,0,1\n2024-03-01,Ada,Bea,0,3,A,0,0\n2024-03-02,Bea,Cy,1,1,D,0,1\n",
    "Date,Team 1,FT,Team 2\n2024-03-01,Ada,2-1,Bea\n2024-03-01,Ada,0-3,Bea\n2024-03-02,Bea,0-0,Cy\n",
    "date,red,blue,winner\n2024-03-01,Ada,Bea,Red\n2024-03-01,Ada,Bea,Blue\n2024-03-02,Bea,Cy,Draw\n",
];

#[test]
fn one_history_gives_the_same_places_in_all_layouts() {
    let expected = [
        "2024-03-01 Ada – Bea: 1 Ada, 2 Bea",
        "2024-03-01 Ada – Bea #2: 1 Bea, 2 Ada",
        "2024-03-02 Bea – Cy: 1 Bea, 1 Cy",
    ];
    for text in LAYOUTS {
        let reading = table(text).unwrap();
        assert_eq!(refused(&reading), Vec::<String>::new(), "{text}");
        assert_eq!(places(&reading), expected, "{text}");
    }
    let long = table(
        "contest,date,place,player\na,2024-03-01,1,Ada\na,2024-03-01,2,Bea\nb,2024-03-01,2,Ada\nb,2024-03-01,1,Bea\nc,2024-03-02,1,Bea\nc,2024-03-02,1,Cy\n",
    )
    .unwrap();
    let after_id = |line: &str| line.split_once(": ").unwrap().1.to_owned();
    let long: Vec<String> = places(&long).iter().map(|line| after_id(line)).collect();
    assert_eq!(long, expected.map(after_id));
}

#[test]
fn layouts_without_sides_give_equal_contests() {
    let contests = |text: &str| table(text).unwrap().contests;
    let expected = contests(LAYOUTS[2]);
    for text in [3, 4, 5, 6, 7, 8, 12].map(|index| LAYOUTS[index]) {
        assert_eq!(contests(text), expected, "{text}");
    }
    let (white, german) = (contests(LAYOUTS[0]), contests(LAYOUTS[1]));
    assert_eq!(white, german);
    let (goals, league) = (contests(LAYOUTS[9]), contests(LAYOUTS[10]));
    assert_eq!(goals, league);
}

#[test]
fn columns_say_who_has_the_advantage() {
    for (headings, expected) in [
        ("white,black", Some(Side::White)),
        ("noirs,blancs", Some(Side::Black)),
        ("home,away", Some(Side::Home)),
        ("Gast,Heim", Some(Side::Away)),
        ("first_player,second_player", Some(Side::First)),
        ("player_1,player_2", None),
        ("model_a,model_b", None),
        ("team_1,team_2", None),
    ] {
        let reading = table(&format!("date,{headings},winner\n2024-03-01,Ada,Bea,Ada\n")).unwrap();
        assert_eq!(sides(&reading.contests.to_vec())[0], ("Ada", expected), "{headings}");
    }
    let neutral = table(
        "date,home_team,away_team,home_score,away_score,neutral\n2024-03-01,A,B,1,0,FALSE\n2024-03-02,A,B,1,0,TRUE\n2024-03-03,A,B,1,0,perhaps\n",
    )
    .unwrap();
    let sides: Vec<_> =
        sides(&neutral.contests.to_vec()).into_iter().map(|contest| contest.1).collect();
    assert_eq!(sides, [Some(Side::Home), Some(Side::Away), None, None]);
    assert_eq!(
        refused(&neutral),
        ["line 4: contest \"A – B\": \"perhaps\" in \"neutral\" (F) is neither yes nor no"]
    );
}

#[test]
fn games_of_one_time_follow_round_id_and_row() {
    let rounds = table(
        "date,event,round,player_1,player_2,winner\n2024-03-01,Open,F,Ada,Bea,Ada\n2024-03-01,Open,SF,Bea,Cy,Bea\n2024-03-01,Open,SF,Ada,Dov,Ada\n2024-03-01,Open,R16,Ada,Cy,Ada\n",
    )
    .unwrap();
    assert_eq!(
        replayed(&rounds),
        [
            "2024-03-01 Open R16 Ada – Cy",
            "2024-03-01 Open SF Bea – Cy",
            "2024-03-01 Open SF Ada – Dov",
            "2024-03-01 Open F Ada – Bea"
        ]
    );
    assert!(notes(&rounds).contains("games of one time and event follow the round, then the rows"));
    let numbered = table(
        "tourney_id,tourney_name,tourney_date,match_num,round,winner_name,loser_name\n2024-1,Open,20240301,10,R32,A,B\n2024-1,Open,20240301,9,R32,C,D\n2024-1,Open,20240301,300,F,A,C\n2024-1,Open,20240301,1,SF,A,E\n",
    )
    .unwrap();
    assert_eq!(replayed(&numbered), ["2024-1-9", "2024-1-10", "2024-1-1", "2024-1-300"]);
    assert!(notes(&numbered).contains("follow the round, then their ids"));
    let falling = table(
        "date,white,black,result\n2024-03-02,A,B,1-0\n2024-03-02,A,B,0-1\n2024-03-01,A,B,1-0\n",
    )
    .unwrap();
    assert_eq!(
        replayed(&falling),
        [
            "2024-03-01 A – B",
            "2024-03-02 A – B",
            "2024-03-02 A – B #2"
        ]
    );
    assert_eq!(places(&falling)[0], "2024-03-02 A – B #2: 1 A, 2 B");
    assert!(notes(&falling).contains("follow the rows, the last one first, since the dates fall"));
}

#[test]
fn longer_file_keeps_ids_and_orders() {
    let head = "date,white,black,result\n";
    let first = "2024-03-01,A,B,1-0\n2024-03-01,A,B,\n2024-03-01,C,A,1-0\n";
    let second = first.replace("A,B,\n", "A,B,0-1\n") + "2024-03-01,B,A,1-0\n2024-03-02,A,C,1-0\n";
    let before = table(&(head.to_owned() + first)).unwrap().contests.to_vec();
    let after = table(&(head.to_owned() + &second)).unwrap().contests.to_vec();
    assert_eq!((before.len(), after.len()), (2, 5));
    assert!(before.iter().all(|contest| after.contains(contest)));
    assert_eq!(after[3].external_id, "2024-03-01 A – B #3");
    // A corrected winner is the same contest.
    let winner =
        |rows: &str| table(&format!("date,winner,loser\n{rows}")).unwrap().contests.to_vec();
    let (before, after) = (winner("2024-03-01,A,B\n"), winner("2024-03-01,B,A\n"));
    assert_eq!(before[0].external_id, after[0].external_id);
    assert_eq!(before[0].name, after[0].name);
}

#[test]
fn dates_come_from_columns_file_name_or_start() {
    let text = "round,white,black,result\n1,A,B,1-0\n1,C,D,1-0\n2,A,C,0-1\n";
    let error = table(text).unwrap_err();
    assert!(error.contains("--start 2024-01-31"), "{error}");
    let reading = table_with(text, &from_2024(7)).unwrap();
    let dated: Vec<String> = reading
        .contests
        .iter()
        .map(|contest| format!("{} {}", contest.ends_at, contest.external_id))
        .collect();
    assert_eq!(
        dated,
        [
            "2024-01-01 2024-01-01 1 A – B",
            "2024-01-01 2024-01-01 1 C – D",
            "2024-01-08 2024-01-01 2 A – C"
        ]
    );
    let without_rounds = "white,black,result\nA,B,1-0\nC,D,1-0\n";
    let mut start = from_2024(7);
    let reading = table_with(without_rounds, &start).unwrap();
    assert_eq!(reading.contests.get(1).unwrap().ends_at.to_string(), "2024-01-08");
    start.every_days = None;
    let reading = table_with(without_rounds, &start).unwrap();
    assert_eq!(reading.contests.get(1).unwrap().ends_at.to_string(), "2024-01-01");
    assert_eq!(replayed(&reading), ["2024-01-01 A – B", "2024-01-01 C – D"]);
    let named = ranklore_formats::read(
        ranklore_formats::FileFormat::Table,
        without_rounds.as_bytes(),
        "club 2024-05-04.csv",
        &ReadOptions::default(),
    );
    assert_eq!(named.unwrap().contests.get(0).unwrap().ends_at.to_string(), "2024-05-04");
    let kickoff = table(
        "Date,Time,Home,Away,Result\n2024-03-01,19:30,A,B,1-0\n2024-03-01,,C,D,1-0\n2024-03-02,1:00PM,A,C,1-0\n",
    )
    .unwrap();
    let times: Vec<String> =
        kickoff.contests.iter().map(|contest| contest.ends_at.to_string()).collect();
    assert_eq!(times, ["2024-03-01T19:30:00Z", "2024-03-01", "2024-03-02T13:00:00Z"]);
    let controls = table("Date,Time,White,Black,Result\n2024-03-01,90+30,A,B,1-0\n").unwrap();
    assert_eq!(controls.contests.get(0).unwrap().ends_at.to_string(), "2024-03-01");
    assert!(notes(&controls).contains("columns not used: \"Time\""));
    let seconds = table("tstamp,model_a,model_b,winner\n1682351591.1322,A,B,model_b\n").unwrap();
    assert_eq!(seconds.contests.get(0).unwrap().ends_at.to_string(), "2023-04-24T15:53:11Z");
}

#[test]
fn ids_identify_competitors() {
    let reading = table(
        "date,winner_id,winner_name,loser_id,loser_name\n2024-03-01,17,Ada Berg,23,Ada Berg\n2024-03-02,17.0,Ada Lind,0,Bea\n",
    )
    .unwrap();
    assert_eq!(
        contest_lines(&reading),
        [
            "Ada Berg – Ada Berg 2024-03-01: 1 17, 2 23",
            "Ada Lind – Bea 2024-03-02: 1 17, 2 Bea"
        ]
    );
    let named: Vec<String> = reading
        .dated_names
        .iter()
        .map(|dated_name| format!("{} {}", dated_name.competitor, dated_name.name))
        .collect();
    assert_eq!(named, ["17 Ada Berg", "17 Ada Lind", "23 Ada Berg"]);
    assert!(notes(&reading).contains("1 competitor of a game has no id"));
    let only_ids = table("date,white_id,black_id,winner\n2024-03-01,a,b,black\n").unwrap();
    assert_eq!(contest_lines(&only_ids), ["a – b 2024-03-01: 1 b, 2 a"]);
    let missing = table(
        "date,white_id,white,black_id,black,result\n2024-03-01,17,Ada,23,Bea,1-0\n2024-03-02,,Ada,23,Bea,1-0\n",
    )
    .unwrap();
    assert_eq!(
        refused(&missing),
        [
            "line 3: contest \"Ada – Bea\": \"Ada\" has no value of \"white_id\" (B) here, and one on line 2: fill it in"
        ]
    );
    let seats = table(
        "date,white_id,white,black_id,black,result\n2024-03-01,1,Ada,2,Bea,1-0\n2024-03-02,1,Cy,2,Dov,1-0\n2024-03-03,1,Ida,2,Eva,1-0\n",
    );
    assert!(seats.unwrap_err().contains("most of the ids have such different names"));
    let by = ReadOptions {
        same_name_by: Some("club".to_owned()),
        ..ReadOptions::default()
    };
    let text = "date,white_id,white,black_id,black,result,club\n2024-03-01,1,A,2,B,1-0,C\n";
    let error = table_with(text, &by).unwrap_err();
    assert!(error.contains("--same-name-by has no use"), "{error}");
}

#[test]
fn teams_have_members() {
    let lines = |text: &str, options: &ReadOptions| {
        let reading = table_with(text, options).unwrap();
        assert_eq!(refused(&reading), Vec::<String>::new());
        assert!(
            reading
                .contests
                .get(0)
                .unwrap()
                .entrants
                .iter()
                .all(|entrant| entrant.kind == EntrantKind::Team)
        );
        contest_lines(&reading)
    };
    let joined = "date,team_1,team_2,winner\n2024-03-01,Ada & Bea,Cy & Dov,Cy & Dov\n";
    let error = table(joined).unwrap_err();
    assert!(error.contains("pass --members '&' if they are members of a team"), "{error}");
    let members = ReadOptions {
        members: Some("&".to_owned().into()),
        ..ReadOptions::default()
    };
    assert_eq!(
        lines(joined, &members),
        ["Ada & Bea – Cy & Dov 2024-03-01: 1 Cy & Dov [Cy Dov], 2 Ada & Bea [Ada Bea]"]
    );
    let apart =
        "date,player_1a,player_1b,player_2a,player_2b,winner\n2024-03-01,Bea,Ada,Cy,Dov,2\n";
    assert_eq!(
        lines(apart, &ReadOptions::default()),
        ["Ada / Bea – Cy / Dov 2024-03-01: 1 Cy / Dov [Cy Dov], 2 Ada / Bea [Ada Bea]"]
    );
    let doubles =
        "date,winner1_name,winner2_name,loser1_name,loser2_name\n2024-03-01,Ada,Bea,Cy,Dov\n";
    assert_eq!(
        lines(doubles, &ReadOptions::default()),
        ["Ada / Bea – Cy / Dov 2024-03-01: 1 Ada / Bea [Ada Bea], 2 Cy / Dov [Cy Dov]"]
    );
    let twice = table(&apart.replace("Cy", "Ada")).unwrap();
    assert_eq!(
        refused(&twice),
        ["line 2: contest \"Bea – Ada\": \"Ada\" stands twice in the game"]
    );
}

#[test]
fn stated_columns_are_read() {
    let text = "when,Osoba 1,Osoba 2,Wynik,Uwagi\n2024-03-01,Ada,Bea,1-0,x\n";
    assert!(table(text).is_err());
    let options = ReadOptions {
        columns: [
            ("Osoba 1", ColumnMeaning::White),
            ("Osoba 2", ColumnMeaning::Black),
            ("Wynik", ColumnMeaning::Outcome),
        ]
        .map(|(heading, meaning)| (heading.to_owned(), meaning))
        .into(),
        ..ReadOptions::default()
    };
    let reading = table_with(text, &options).unwrap();
    assert_eq!(contest_lines(&reading), ["Ada – Bea 2024-03-01: 1 Ada, 2 Bea"]);
    assert_eq!(sides(&reading.contests.to_vec())[0], ("Ada", Some(Side::White)));
}

#[test]
fn tables_with_competitors_keep_their_layout() {
    let text =
        "date,player,place,home,away,result\n2024-03-01,Ada,1,A,B,1-0\n2024-03-01,Bea,2,A,B,1-0\n";
    let reading = table(text).unwrap();
    assert_eq!(contest_lines(&reading), ["2024-03-01 2024-03-01: 1 Ada, 2 Bea"]);
    let games = ReadOptions {
        layout: Some(StatedLayout::Games),
        ..ReadOptions::default()
    };
    let reading = table_with(text, &games).unwrap();
    assert_eq!(reading.contests.len(), 2);
    let error = table_with("date,place,player\n2024-03-01,1,Ada\n", &games).unwrap_err();
    assert_eq!(
        error,
        "no two columns name the competitors of a game beside a result: name them with --column, such as --column 'HEADING=player 1' --column 'HEADING=player 2' --column HEADING=outcome; the first row reads date | place | player"
    );
    let rows = ReadOptions {
        layout: Some(StatedLayout::Rows),
        ..ReadOptions::default()
    };
    assert!(table_with(LAYOUTS[0], &rows).is_err());
    let both = table("date,white,black,player_1,player_2,result\n2024-03-01,A,B,C,D,1-0\n");
    let both = both.unwrap_err();
    assert!(both.contains("both name the competitors of a game: exclude those"), "{both}");
}

#[test]
fn seasons_and_divisions_are_events() {
    let reading = table(
        "Div,Date,HomeTeam,AwayTeam,FTHG,FTAG,FTR,HTHG,HTAG,HTR,B365H\nE0,2024-03-01,A,B,2,1,H,0,0,D,1.5\n",
    )
    .unwrap();
    let contest = &reading.contests.get(0).unwrap();
    assert_eq!(contest.event.as_deref(), Some("E0"));
    assert_eq!(contest.external_id, "2024-03-01 E0 A – B");
    assert_eq!(contest.entrants[0].kind, EntrantKind::Team);
    assert!(notes(&reading).contains("columns not used: \"HTHG\", \"HTAG\", \"HTR\", \"B365H\""));
    let both = table(
        "date,league,division,white,black,result,white_elo,weight\n2024-03-01,Club,Open,A,B,1-0,2000,2\n2024-03-01,Club,Open,C,D,1-0,2000,-1\n",
    )
    .unwrap();
    let contest = &both.contests.get(0).unwrap();
    assert_eq!(
        (contest.event.as_deref(), contest.division.as_deref(), contest.weight),
        (Some("Club"), Some("Open"), 2.0)
    );
    assert!(both.starting_ratings.is_empty());
    assert!(refused(&both)[0].contains("weight -1.0 lies outside"), "{:?}", refused(&both));
}

#[test]
fn ids_that_restart_in_each_event_number_its_games() {
    let text = "event_id,match_id,date,team1,team2,score1,score2\n1,1,2024-01-01,Foxes,Owls,3,2\n\
                1,2,2024-01-01,Hares,Owls,3,1\n1,3,2024-01-01,Hares,Foxes,3,0\n2,1,2024-02-01,Foxes,Owls,3,2\n";
    let reading = table(text).unwrap();
    let expected = [
        "1 Foxes, 2 Owls",
        "1 Hares, 2 Owls",
        "1 Hares, 2 Foxes",
        "1 Foxes, 2 Owls",
    ];
    assert_eq!(standings(&reading), expected);
    let ids: HashSet<&str> = ids(&reading).into_iter().collect();
    assert_eq!(ids.len(), 4);
    // An id that recurs within its event is refused as before.
    let repeated = text.replace("1,3,2024-01-01", "1,2,2024-01-01");
    assert!(refused(&table(&repeated).unwrap())[0].contains("have the same id"));
}

#[test]
fn letters_of_seats_behind_a_noun_name_both_competitors() {
    let text = "fecha,jugador_a,jugador_b,ganador,cuota_a,cuota_b\n2024-01-01,Ivy,Max,Ivy,1.60,2.40\n\
                2024-01-02,Pia,Ivy,Pia,1.80,2.10\n2024-01-03,Tom,Max,Max,1.70,2.20\n";
    let expected = ["1 Ivy, 2 Max", "1 Pia, 2 Ivy", "1 Max, 2 Tom"];
    assert_eq!(standings(&table(text).unwrap()), expected);
}
