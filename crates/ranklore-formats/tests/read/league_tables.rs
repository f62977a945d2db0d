//! League tables: wins, draws, losses and games played beside places and points.

use super::plausible::{assert_refused, with_column};
use super::{contest_lines, from_2024, notes, proposals, standings, table, table_with};
use ranklore_formats::{ColumnMeaning, ReadOptions, StatedLayout};

#[test]
fn points_decide_league_tables() {
    let text = "Date,P,Team,Pl,W,D,L,F,A,Pts\n2024-05-04,1,Gulls,2,2,0,0,9,1,6\n2024-05-04,2,Kelp,2,1,0,1,4,4,3\n2024-05-04,3,Spray,2,0,0,2,1,9,0";
    let reading = table(text).unwrap();
    assert_eq!(
        contest_lines(&reading),
        ["2024-05-04 2024-05-04: 1 Gulls (6), 2 Kelp (3), 3 Spray (0)"]
    );
    let played = text.replace("P,Team,Pl", "Rank,Team,P");
    assert_eq!(contest_lines(&table(&played).unwrap()), contest_lines(&reading));
}

#[test]
fn statistics_of_a_league_table_are_no_contests() {
    let text = "Team,GP,W,D,L,F,A,PD,P\nReds,5,4,0,1,21,13,8,12\nBlues,5,3,0,2,14,10,4,9\n\
                Greens,5,1,0,4,9,21,-12,3";
    let refusal = table_with(text, &from_2024(7)).err().unwrap();
    assert!(!refusal.contains("--layout players"), "{refusal}");
    let players = ReadOptions {
        layout: Some(StatedLayout::Players),
        ..from_2024(7)
    };
    assert_refused(text, &players, &["a column for each contest"]);
    let score = with_column("P", ColumnMeaning::Score);
    let reading = table_with(
        text,
        &ReadOptions {
            start: from_2024(7).start,
            ..score
        },
    )
    .unwrap();
    assert_eq!(contest_lines(&reading).len(), 1);
}

#[test]
fn rounds_beside_wins_and_losses_are_contests() {
    let text = "Player,R1,R2,R3,W,L\nIda,3,5,4,3,0\nBen,2,4,1,1,2\nKit,1,1,2,0,3";
    let reading = table_with(text, &super::scores(from_2024(7))).unwrap();
    assert_eq!(contest_lines(&reading).len(), 3);
}

#[test]
fn places_beside_wins_and_losses_are_no_counts_of_games() {
    // Each column of places is no sum of wins and losses, or no number.
    for (rows, first) in [
        ("1,Ada,2,0,10\n2,Bea,1,1,12\ndq,Cid,1,1,15\n", "1 Ada"),
        ("1,Ada,2,0,10\n2,Bea,0,2,12\n", "1 Ada"),
    ] {
        let text = format!("Pl,Name,Wins,Losses,Points\n{rows}");
        let reading = table_with(&text, &from_2024(1)).unwrap();
        assert!(contest_lines(&reading)[0].contains(first), "{:?}", contest_lines(&reading));
    }
    let counted = "Team,Pl,W,D,L,Pts\nLions,3,2,1,0,7\nTigers,3,1,1,1,4\nBears,2,0,0,2,0\n";
    let reading = table_with(counted, &from_2024(1)).unwrap();
    let line = &contest_lines(&reading)[0];
    assert!(line.contains("1 Lions"), "{line}");
    assert!(notes(&reading).contains("the scores in \"Pts\" (F) decide"));
    // The last of a table read as places would win.
    let contradicting = "Team,Pl,W,L,Pts\nLions,3,3,0,9\nTigers,2,2,0,6\nBears,1,0,1,0\n";
    let doubt = table_with(contradicting, &from_2024(1)).map(|reading| contest_lines(&reading));
    assert!(doubt.is_err() || doubt.unwrap()[0].contains("1 Lions"));
}

/// A league table with these headings: the name, games, wins, draws, losses, goals for and against,
/// and points.
fn league(headings: &str) -> String {
    format!(
        "{headings}\nNorr,3,2,1,0,9,1,7\nSoder,3,1,1,1,5,5,4\nVast,3,1,0,2,6,3,3\nOster,3,0,2,1,2,10,2\n"
    )
}

#[test]
fn abbreviations_of_points_decide_league_tables() {
    for headings in [
        "Team,Sp,S,U,N,T+,T-,Pkt",
        "Drużyna,M,Z,R,P,BZ,BS,Pkt.",
        "Team,Sp,g,u,v,T,GT,Pkte",
    ] {
        let reading = table_with(&league(headings), &from_2024(1)).unwrap();
        let contest = "1 Norr (7), 2 Soder (4), 3 Vast (3), 4 Oster (2)";
        assert!(contest_lines(&reading)[0].ends_with(contest), "{headings}");
        assert_eq!(reading.contests.len(), 1, "{headings}");
    }
}

#[test]
fn letter_is_proposed_as_points_beside_counts_that_add_up() {
    for headings in [
        "Lag,S,V,O,F,GM,IM,P",
        "Lag,K,V,U,T,M+,M-,P",
        "Joukkue,O,V,T,H,TM,PM,P",
        "Team,SP,S,U,N,T+,T-,P",
    ] {
        assert_eq!(proposals(&league(headings), &from_2024(1)), ["--column P=score"], "{headings}");
    }
    // With games of overtime among them.
    let overtime = "Team,SP,S,N,OTW,OTL,TD,P\nNord,9,6,1,2,0,46,22\nSued,8,5,2,0,1,10,16\nWest,9,1,8,0,0,-56,3\n";
    assert_eq!(proposals(overtime, &from_2024(1)), ["--column P=score"]);
}

#[test]
fn losses_of_a_league_table_are_no_places() {
    // They are 1, 2 and 3 from the first row to the last.
    let text = "Team,Sp,S,N,P\nNord,4,3,1,9\nSued,4,2,2,6\nWest,4,1,3,3\n";
    assert_eq!(proposals(text, &from_2024(1)), ["--column P=score"]);
}

#[test]
fn letters_that_do_not_add_up_are_contests() {
    let text = "Player,S,U,N\nIda,3,5,4\nBen,2,4,1\nKit,1,1,2\n";
    let start = ReadOptions {
        start: from_2024(1).start,
        ..ReadOptions::default()
    };
    let total = "Player,S,U,N,Sum\nIda,3,5,4,12\nBen,2,4,1,7\nKit,1,1,2,4\n";
    for text in [text, total] {
        let proposed = proposals(text, &start);
        assert!(proposed.iter().any(|option| option == "--layout players"), "{proposed:?}");
    }
}

#[test]
fn wins_are_not_proposed_where_games_were_drawn() {
    let drawn = "Player,Wins,Losses,Draws\nAnn,3,0,0\nBob,1,1,1\nCay,0,3,0\nDan,0,0,3\n";
    for text in [drawn, &drawn.replace("Wins,Losses,Draws", "W,L,T")] {
        assert_eq!(proposals(text, &from_2024(1)), [] as [&str; 0]);
        assert_refused(text, &from_2024(1), &["a column of points is missing"]);
    }
    for draws in ["0", "", "-", "0.0"] {
        let text = format!("Player,Wins,Losses,Draws\nAnn,3,0,{draws}\nBob,1,2,{draws}\n");
        assert_eq!(proposals(&text, &from_2024(1)), ["--column Wins=score"]);
    }
}

#[test]
fn phases_with_several_teams_are_contests() {
    let text = "phase,year,team,wins,losses,points\nNorth Conference,1986,Sharks,6,0,12\n\
                North Conference,1986,Demons,1,5,2\nScottish Conference,1986,Scholars,4,2,8\n\
                Scottish Conference,1986,Hawks,3,3,6\nNorth Conference,1987,Sharks,5,1,10\n\
                North Conference,1987,Demons,0,6,0\n";
    let dated = ReadOptions {
        columns: [("year".to_owned(), ColumnMeaning::Date)].into(),
        ..ReadOptions::default()
    };
    assert_eq!(proposals(text, &dated), ["--column phase=division", "--column phase=event"]);
    // People beside teams are asked for.
    let people = text.replace("phase", "skip").replace("Conference", "Lee");
    assert!(proposals(&people, &dated).contains(&"--column skip=competitor".to_owned()));
}

#[test]
fn league_tables_have_japanese_headings() {
    let once = ReadOptions {
        every_days: None,
        ..from_2024(1)
    };
    let text = "順,チーム,試,勝,分,敗,点\n1,青組,2,2,0,0,6\n2,赤組,2,1,0,1,3\n3,黄組,2,0,0,2,0\n";
    let reading = table_with(text, &once).unwrap();
    assert_eq!(standings(&reading), ["1 青組, 2 赤組, 3 黄組"]);
    let points = text.replace("順,", "").replace("\n1,", "\n").replace("\n2,", "\n");
    let reading = table_with(&points.replace("\n3,", "\n"), &once).unwrap();
    assert_eq!(standings(&reading), ["1 青組, 2 赤組, 3 黄組"]);
}

#[test]
fn ratings_in_the_order_of_the_results_are_asked_for() {
    let choice = ["--column Elo=ignore", "--column 'Elo=starting rating'"];
    let text = "Rank,Player,Match_Wins,Match_Losses,Elo\n1,Ann,9,0,1712.5\n2,Bo,7,2,1650.1\n3,Cy,5,4,1533\n4,Di,0,9,1290.4\n";
    assert_eq!(proposals(text, &from_2024(1)), choice);
    // Points rank as places do.
    let points = text.replace("Rank,Player", "Points,Player").replace("\n1,", "\n5,");
    let points = points.replace("\n4,", "\n0,").replace("\n3,", "\n1,");
    assert_eq!(proposals(&points, &from_2024(1)), choice);
    // Nothing else ranks these.
    let alone = "Rank,Player,Elo\n1,Ann,1712\n2,Bo,1650\n3,Cy,1533\n4,Di,1290\n5,Ed,1200\n6,Flo,1190\n7,Gus,1170\n8,Hal,1101\n";
    assert_eq!(proposals(alone, &from_2024(1)), choice);
    assert!(table_with(&alone.replace("1290", "1590"), &from_2024(1)).is_ok());
    let stated = with_column("Elo", ColumnMeaning::StartingRating);
    let once = ReadOptions {
        every_days: None,
        ..from_2024(1)
    };
    let stated = ReadOptions {
        columns: stated.columns,
        ..once.clone()
    };
    assert_eq!(table_with(text, &stated).unwrap().starting_ratings.len(), 4);
    // Upsets, tie-breaks, rounds and three players are those of a tournament, as is a table without wins or losses.
    let beside =
        |heading: &str| text.replace('\n', ",1\n").replacen("Elo,1", &format!("Elo,{heading}"), 1);
    for tournament in [
        text.replace("1712.5", "1312.5"),
        text.replace("Match_Wins", "Votes"),
        text.replace("Match_Losses", "Votes"),
        beside("SNo"),
        beside("Rp"),
        beside("Buchholz"),
        beside("Sonneborn-Berger"),
        text.replace("4,Di,0,9,1290.4\n", ""),
    ] {
        let reading =
            table_with(&tournament, &once).unwrap_or_else(|e| panic!("{tournament}: {e}"));
        assert!(reading.starting_ratings.len() > 2, "{tournament}");
    }
    let single = ReadOptions {
        layout: Some(StatedLayout::Single),
        ..once
    };
    assert_eq!(table_with(&beside("R1"), &single).unwrap().starting_ratings.len(), 4);
    assert!(table_with(text, &single).is_err());
}
