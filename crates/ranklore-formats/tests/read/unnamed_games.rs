//! Tables of games of which no heading names the results, or any column.

use super::{from_2024, notes, proposals, refused, standings, table, table_with};
use ranklore_formats::{ColumnMeaning, ReadOptions, StatedLayout};

fn no_headings() -> ReadOptions {
    ReadOptions {
        no_headings: true,
        ..ReadOptions::default()
    }
}

/// Returns the options with the columns that a proposal names.
fn with_proposal(proposal: &str, options: ReadOptions) -> ReadOptions {
    let pairs = proposal.split("--column ").skip(1).map(|pair| pair.trim().trim_matches('\''));
    let columns = pairs.map(|pair| {
        let (heading, meaning) = pair.rsplit_once('=').unwrap();
        (heading.to_owned(), ColumnMeaning::from_word(meaning).unwrap())
    });
    ReadOptions {
        columns: columns.collect(),
        no_headings: proposal.starts_with("--no-headings") || options.no_headings,
        ..options
    }
}

#[test]
fn games_without_headings_are_proposed_by_letters() {
    for (text, columns) in [
        (
            "Lions|2|6|Tigers\nBears|2|3|Wolves\nWolves|3|3|Lions\n",
            "--column 'A=player 1' --column 'D=player 2' --column 'B=score 1' --column 'C=score 2'",
        ),
        (
            "Lions|Tigers|2|6\nBears|Wolves|2|3\nWolves|Lions|3|3\n",
            "--column 'A=player 1' --column 'B=player 2' --column 'C=score 1' --column 'D=score 2'",
        ),
        // Points and wins stand behind the scores of each side.
        (
            "Lions|2|0|0|Tigers|6|2|1\nBears|2|0|0|Wolves|3|2|1\nWolves|3|1|0|Lions|3|1|0\n",
            "--column 'A=player 1' --column 'E=player 2' --column 'B=score 1' --column 'F=score 2'",
        ),
        (
            "Lions|Tigers|2-6\nBears|Wolves|2-3\nWolves|Lions|3-3\n",
            "--column 'A=player 1' --column 'B=player 2' --column C=outcome",
        ),
    ] {
        let text = text.replace('|', ",");
        assert_eq!(proposals(&text, &ReadOptions::default()), [format!("--no-headings {columns}")]);
        assert_eq!(proposals(&text, &no_headings()), [columns], "{text}");
        let reading = table_with(
            &text,
            &with_proposal(
                columns,
                ReadOptions {
                    start: from_2024(1).start,
                    ..no_headings()
                },
            ),
        );
        assert_eq!(
            standings(&reading.unwrap()),
            [
                "1 Tigers, 2 Lions",
                "1 Wolves, 2 Bears",
                "1 Lions, 1 Wolves"
            ],
            "{text}"
        );
    }
}

#[test]
fn dates_and_winners_are_among_the_letters() {
    let dated = "2024-05-04,Ivy,3,Max,1\n2024-05-05,Max,2,Pia,0\n2024-05-06,Pia,1,Ivy,4\n";
    let proposal = &proposals(dated, &ReadOptions::default())[0];
    assert!(proposal.ends_with("--column A=date"), "{proposal}");
    let reading = table_with(dated, &with_proposal(proposal, ReadOptions::default())).unwrap();
    assert_eq!(standings(&reading), ["1 Ivy, 2 Max", "1 Max, 2 Pia", "1 Ivy, 2 Pia"]);
    let winners = "Ivy,Max,Ivy\nMax,Pia,Pia\nPia,Ivy,Ivy\n";
    let proposal = &proposals(winners, &ReadOptions::default())[0];
    assert!(proposal.ends_with("--column C=winner"), "{proposal}");
}

#[test]
fn other_tables_without_headings_are_no_games() {
    for text in [
        // Names do not recur, or in one column only.
        "Ivy,3,5,Paris\nMax,2,4,Berlin\nPia,1,2,Rome\n",
        "Ivy,3,5,Paris\nIvy,2,4,Berlin\nPia,1,2,Berlin\n",
        // Nobody plays alone.
        "Ivy,3,5,Ivy\nMax,2,4,Max\nPia,1,2,Pia\n",
        // The numbers are those of the rows, or nothing says which are scores.
        "1,Ivy,Max,3\n2,Max,Pia,4\n3,Pia,Ivy,5\n",
        "Ivy,Max,3,4,5\nMax,Pia,1,4,2\nPia,Ivy,2,2,8\n",
        // Times of the day are no scores.
        "Ivy,Max,18:30\nMax,Pia,19:30\nPia,Ivy,17:45\n",
    ] {
        let proposed = proposals(text, &ReadOptions::default());
        let has_sides = proposed.iter().any(|option| option.contains("player 1"));
        assert!(!has_sides, "{text}{proposed:?}");
    }
}

#[test]
fn results_under_unknown_headings_are_proposed() {
    for (text, options) in [
        (
            "player a;player b;game\nIvy;Max;1-0\nPia;Kit;0-1\n",
            &["--column game=outcome"][..],
        ),
        ("white,black,x\nIvy,Max,½-½\nPia,Kit,0-1\n", &["--column x=outcome"]),
        (
            "date,home,away,hs,as\n2024-05-04,Ivy,Max,2,1\n2024-05-05,Max,Pia,0,3\n",
            &["--column 'hs=score 1' --column 'as=score 2'"],
        ),
        // Among other numbers, headings tell the sides.
        (
            "date,home,away,hk,ak,crowd\n2024-05-04,Ivy,Max,2,1,30\n2024-05-05,Max,Pia,0,3,20\n",
            &["--column 'hk=score 1' --column 'ak=score 2'"],
        ),
        // Of two columns of results, the user chooses.
        (
            "home,away,leg one,in all\nIvy,Max,1-0,3-0\nPia,Kit,0-1,2-2\n",
            &["--column 'leg one=outcome'", "--column 'in all=outcome'"],
        ),
    ] {
        assert_eq!(proposals(text, &ReadOptions::default()), options, "{text}");
        let stated = ReadOptions {
            start: from_2024(1).start,
            ..ReadOptions::default()
        };
        for option in options {
            let reading = table_with(text, &with_proposal(option, stated.clone())).unwrap();
            assert_eq!((reading.contests.len(), refused(&reading)), (2, Vec::new()), "{option}");
        }
    }
}

#[test]
fn numbers_that_decide_no_game_are_not_proposed() {
    for columns in [
        "home_rank,away_rank\n{1},2,1\n{2},3,5\n",
        "kick,end\n{1},18:30,20:15\n{2},19:30,21:15\n",
        "hk,ak,hc,ac\n{1},2,1,4,5\n{2},3,5,1,2\n",
        "court,crowd\n{1},7,300\n{2},2,200\n",
        "season,x\n{1},2023-24,\n{2},2023-24,\n",
    ] {
        let text = columns.replace("{1}", "Ivy,Max").replace("{2}", "Max,Pia");
        let proposed = proposals(&format!("home,away,{text}"), &ReadOptions::default());
        assert_eq!(proposed, [] as [&str; 0], "{text}");
    }
}

#[test]
fn schedules_without_results_say_so_first() {
    let unplayed = "team_a,team_b,result,winner,start\nIvy,Max,,,2024-04-29 17:45\nMax,Pia,,,2024-04-29 18:30\n";
    let error = table(unplayed).unwrap_err();
    assert!(error.contains("no game has a result"), "{error}");
    // The option that excludes a column of dates does so.
    let played = unplayed.replace(",,,", ",,Max,");
    let options = proposals(&played, &ReadOptions::default());
    assert_eq!(options, ["--column start=date", "--column start=ignore"]);
    for (option, date) in options.iter().zip(["2024-04-29", "2024-01-01"]) {
        let stated = ReadOptions {
            start: from_2024(1).start,
            layout: Some(StatedLayout::Games),
            ..ReadOptions::default()
        };
        let reading = table_with(&played, &with_proposal(option, stated)).unwrap();
        let dates = reading.contests.iter().map(|contest| contest.ends_at.to_string());
        let dates: Vec<String> = dates.collect();
        assert!(dates.len() == 2 && dates.iter().all(|day| day.starts_with(date)), "{dates:?}");
        assert!(notes(&reading).contains("who won"));
    }
}

#[test]
fn numbers_of_both_sides_are_proposed_each() {
    let pair = |one: &str, two: &str| format!("--column '{one}=score 1' --column '{two}=score 2'");
    for (text, options) in [
        (
            "date,home,away,home_x,away_x,home_shots,away_shots\n2024-05-04,Ivy,Max,2,1,9,4\n2024-05-05,Max,Pia,0,3,5,6\n",
            vec![pair("home_x", "away_x"), pair("home_shots", "away_shots")],
        ),
        (
            "date,home,away,x home,x away,crowd\n2024-05-04,Ivy,Max,2,1,30\n2024-05-05,Max,Pia,0,3,20\n",
            vec![format!(
                "--layout games --column 'home=player 1' --column 'away=player 2' {}",
                pair("x home", "x away")
            )],
        ),
    ] {
        assert_eq!(proposals(text, &ReadOptions::default()), options, "{text}");
        for option in options {
            let reading = table_with(text, &with_proposal(&option, ReadOptions::default()));
            assert_eq!(reading.unwrap().contests.len(), 2, "{option}");
        }
    }
    // Other sides and ranks are no scores.
    for columns in [
        "first_x,second_x\n{1},2,1\n{2},0,3\n",
        "home_rank,away_rank\n{1},2,1\n{2},1,3\n",
    ] {
        let text = columns.replace("{1}", "Ivy,Max").replace("{2}", "Max,Pia");
        let proposed = proposals(&format!("home,away,{text}"), &ReadOptions::default());
        assert!(!proposed.iter().any(|option| option.contains("score 1")), "{proposed:?}");
    }
    let text = "date,ev_sahibi,deplasman,ev_sahibi_skor,deplasman_skor\n2024-05-04,Ivy,Max,2,1\n";
    assert_eq!(standings(&table(text).unwrap()), ["1 Ivy, 2 Max"]);
}

#[test]
fn letters_of_sides_tell_their_scores() {
    let pair = |one: &str, two: &str| format!("--column '{one}=score 1' --column '{two}=score 2'");
    for (headings, options) in [
        ("home,visitor,ptsV,ptsH", vec![pair("ptsH", "ptsV")]),
        ("visitor,home,ptsV,ptsH", vec![pair("ptsH", "ptsV")]),
        ("home,away,aK,hK", vec![pair("hK", "aK")]),
        // One letter can mean another word: goals for and against.
        ("home,away,ptsV,ptsH", vec![pair("ptsV", "ptsH"), pair("ptsH", "ptsV")]),
        ("home,away,kf,ka", vec![pair("kf", "ka"), pair("ka", "kf")]),
        ("casa,fora,gf,gc", vec![pair("gf", "gc"), pair("gc", "gf")]),
        // The order of columns says less.
        ("home,away,ptsX,ptsY", vec![pair("ptsX", "ptsY"), pair("ptsY", "ptsX")]),
        ("away,home,k1,k2", vec![pair("k1", "k2"), pair("k2", "k1")]),
        ("home,away,k1,k2", vec![pair("k1", "k2")]),
    ] {
        let text = format!("{headings},date\nIvy,Max,3,1,2024-05-04\nMax,Pia,0,2,2024-05-05\n");
        assert_eq!(proposals(&text, &ReadOptions::default()), options, "{headings}");
    }
    let text = "home,visitor,ptsV,ptsH,date\nIvy,Max,3,1,2024-05-04\nMax,Pia,0,2,2024-05-05\n";
    let proposal = pair("ptsH", "ptsV");
    let reading = table_with(text, &with_proposal(&proposal, ReadOptions::default())).unwrap();
    assert_eq!(standings(&reading), ["1 Max, 2 Ivy", "1 Max, 2 Pia"]);
}

#[test]
fn numbered_scores_of_reversed_sides_are_refused() {
    let text = "away,home,score1,score2,date\nIvy,Max,3,1,2024-05-04\nMax,Pia,0,2,2024-05-05\n";
    let options = proposals(text, &ReadOptions::default());
    let expected = [
        ["1 Max, 2 Ivy", "1 Max, 2 Pia"],
        ["1 Ivy, 2 Max", "1 Pia, 2 Max"],
    ];
    assert_eq!(options.len(), expected.len());
    for (option, expected) in options.iter().zip(expected) {
        let reading = table_with(text, &with_proposal(option, ReadOptions::default())).unwrap();
        assert_eq!(standings(&reading), expected, "{option}");
    }
    for headings in [
        "blue,red",
        "black,white",
        "dire,radiant",
        "defender,challenger",
    ] {
        let error = table(&text.replace("away,home", headings)).unwrap_err();
        assert!(error.contains("which stands before it"), "{error}");
    }
    // The order is known.
    for headings in [
        "home,away,score1,score2,date",
        "teamB,teamA,score2,score1,date",
        "away,home,away_score,home_score,date",
        "player2,player1,score2,score1,date",
    ] {
        table(&text.replace("away,home,score1,score2,date", headings)).unwrap();
    }
}

#[test]
fn scores_behind_names_are_theirs() {
    let rows = "Ivy,3,Max,1,2024-05-04\nMax,0,Pia,2,2024-05-05\n";
    for headings in [
        "away,score1,home,score2",
        "black,score1,white,score2",
        "home,score1,away,score2",
    ] {
        let reading = table(&format!("{headings},date\n{rows}")).unwrap();
        assert_eq!(standings(&reading), ["1 Ivy, 2 Max", "1 Pia, 2 Max"], "{headings}");
    }
    for (headings, [one, two]) in [
        ("visitor,k1,home,k2", ["k2", "k1"]),
        ("home,kA,away,kB", ["kA", "kB"]),
    ] {
        let text = format!("{headings},date\n{rows}");
        let options = format!("--column '{one}=score 1' --column '{two}=score 2'");
        assert_eq!(proposals(&text, &ReadOptions::default()), [options.as_str()], "{headings}");
        let reading = table_with(&text, &with_proposal(&options, ReadOptions::default())).unwrap();
        assert_eq!(standings(&reading), ["1 Ivy, 2 Max", "1 Pia, 2 Max"], "{headings}");
    }
}

#[test]
fn side_beside_the_scores_of_both_is_proposed() {
    let text = "Fecha,Local,goles_local,Otros,goles_visitante,resultado_local\n2007-08-08,Faro,5,Muelle,8,P\n2007-08-15,Faro,10,Muelle,5,G\n2007-08-22,FALLIDO,,,,E\n2007-08-29,Faro,6,Olmo,6,E";
    let options = proposals(text, &ReadOptions::default());
    assert_eq!(options, ["--column Local=home --column Otros=away"]);
    let reading = table_with(text, &with_proposal(&options[0], ReadOptions::default())).unwrap();
    assert_eq!(refused(&reading), [""; 0]);
    assert_eq!(reading.contests.len(), 3);
    // A stadium plays no games.
    for (heading, count) in [("Stadium", 1), ("Sede", 2)] {
        let text = format!(
            "Local;goles_local;Otros;goles_visitante;{heading}\nFaro;5;Muelle;8;Norte\nFaro;1;Olmo;8;Sur"
        );
        assert_eq!(proposals(&text, &ReadOptions::default()).len(), count, "{heading}");
    }
    // One side has no scores.
    let text = "Local;goles_local;Otros\nFaro;5;Muelle\nFaro;1;Olmo";
    let error = table(text).unwrap_err();
    assert!(!error.contains("Otros=away"), "{error}");
}

#[test]
fn words_without_headings_are_proposed() {
    let words = "Ann,win,Bo\nBo,win,Cy\nBo,draw,Cy\nCy,win,Ann\n";
    let options = "--no-headings --column 'A=player 1' --column 'C=player 2' --column B=outcome";
    assert_eq!(proposals(words, &ReadOptions::default()), [options]);
    let start = ReadOptions {
        start: from_2024(1).start,
        ..ReadOptions::default()
    };
    let reading = table_with(words, &with_proposal(options, start)).unwrap();
    assert_eq!(standings(&reading), ["1 Ann, 2 Bo", "1 Bo, 2 Cy", "1 Bo, 1 Cy", "1 Cy, 2 Ann"]);
    // A first row of which no name recurs may be headings.
    let headed = format!("A,win,B\n{words}");
    assert!(
        !proposals(&headed, &ReadOptions::default())
            .iter()
            .any(|o| o.contains("outcome"))
    );
}
