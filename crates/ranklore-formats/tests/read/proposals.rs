//! Options that refusals name, one after the other, until the table is read.

use super::unknown_sides::to_options;
use super::{
    contest_lines, from_2024, notes, proposals, refused, scores, standings, table, table_with,
};
use ranklore_formats::{FileFormat, FileReading, ReadOptions, StatedLayout, read};

/// Places restart in each weight class of a division.
const LIFTERS: &str = "Name,Team,Division,WeightClassKg,TotalKg,Place,Event
Ann,ABS,F-O,47,207.5,1,SBD
Bea,APC,F-O,57,320,1,SBD
Cleo,ABS,F-O,57,312.5,2,SBD
Di,APC,F-O,63,280,1,SBD
Eve,FFR,F-O,63,275,2,SBD
Gus,,M-O,74,552.5,1,SBD
Hal,CGL,M-O,74,545,2,SBD
";

/// Returns the options as words of a command line.
fn words(options: &str) -> ReadOptions {
    to_options(&options.split_whitespace().map(str::to_owned).collect::<Vec<_>>())
}

/// Returns the options that the refused contests name.
fn contest_proposals(reading: &FileReading) -> Vec<String> {
    let mut options: Vec<String> = Vec::new();
    for option in reading.refused.iter().flat_map(|refused| refused.options.clone()) {
        let option = option.to_string();
        if !options.contains(&option) {
            options.push(option);
        }
    }
    options
}

#[test]
fn places_that_restart_are_no_ties() {
    let reading = table_with(LIFTERS, &words("--column Team=ignore")).unwrap();
    let options = "--column Division=event --column WeightClassKg=division";
    assert_eq!(contest_proposals(&reading), [options]);
    let reading = table_with(LIFTERS, &words(&format!("--column Team=ignore {options}"))).unwrap();
    assert_eq!(standings(&reading), ["1 Ann", "1 Bea, 2 Cleo", "1 Di, 2 Eve", "1 Gus, 2 Hal"]);
    // Each place has two partners, and a real tie stands beside two others.
    for classes in ["1,A;1,B;2,A;2,B;3,A;3,B", "1,A;2,A;2,A;1,B;2,B;1,C"] {
        let rows = (0..)
            .zip(classes.split(';'))
            .map(|(n, row)| format!("R,2024-03-01,{row},p{n}\n"));
        let text = format!("Contest,Date,Place,Flight,Name\n{}", rows.collect::<String>());
        let reading = table(&text).unwrap();
        assert!(
            contest_proposals(&reading).contains(&"--column Flight=ignore".to_owned()),
            "{text}"
        );
    }
}

#[test]
fn words_among_places_are_proposed_as_absent_or_unplaced() {
    let text = format!("{LIFTERS}Fay,SMI,F-G,72,447.5,G,SBD\n");
    let divided = "--column Team=ignore --column Division=event --column WeightClassKg=division";
    let options = words(divided);
    let reading = table_with(&text, &options).unwrap();
    assert_eq!(contest_proposals(&reading), ["--status G=dns"]);
    for (status, contests) in [("dnf", 5), ("dns", 4)] {
        let statuses = serde_json::json!({"statuses": {"G": status}});
        let stated: ReadOptions = serde_json::from_value(statuses).unwrap();
        let options = ReadOptions {
            statuses: stated.statuses,
            ..options.clone()
        };
        let reading = table_with(&text, &options).unwrap();
        assert_eq!((reading.contests.len(), refused(&reading).len()), (contests, 0), "{status}");
        let note = "contests in which nobody took part left out: 1";
        assert_eq!(notes(&reading).contains(note), status == "dns");
    }
}

#[test]
fn columns_without_headings_are_proposed_by_their_letters() {
    let text = "1\tAnn Ash\t54\t3\n1\tBo Elm\t54\t5\n3\tCy Oak\t49\t3\n4\tDi Fir\t46\t3\n";
    // A row that is there twice counts once, and places are missing.
    let repeated = "1\tAnn Ash\t54\t3\n2\tBo Elm\t54\t5\n2\tBo Elm\t54\n28\tCy Oak\t49\t3\n29\tDi Fir\t46\t3\n";
    for text in [text, repeated] {
        let first = "--no-headings --column B=competitor --column A=place";
        assert_eq!(proposals(text, &ReadOptions::default()), [first]);
        let options = ReadOptions {
            no_headings: true,
            ..words("--column B=competitor --column A=place")
        };
        let reading = table_with(text, &options).unwrap();
        assert_eq!(reading.contests.get(0).unwrap().entrants.len(), 4);
    }
}

#[test]
fn only_numbers_of_a_table_without_headings_are_proposed_as_scores() {
    let without_headings = |columns: &str| ReadOptions {
        no_headings: true,
        ..words(columns)
    };
    let text = "Ann Ash,30\nBo Elm,25\nCy Oak,25\n";
    assert_eq!(
        proposals(text, &ReadOptions::default()),
        ["--no-headings --column A=competitor"]
    );
    let options = without_headings("--column A=competitor");
    // The numbers can be times.
    let scores = ["--column B=score", "--column B=score --lower-is-better"];
    assert_eq!(proposals(text, &options), scores);
    let years = "Ann Ash,1985\nBo Elm,1990\nCy Oak,1990\n";
    assert_eq!(proposals(years, &options), [""; 0]);
}

#[test]
fn blank_headings_are_named_by_their_letters() {
    let text = ",,TOTALS,Round 1,Round 2\n0,Lori H,47,26,21\n1,Cindy R,23,20,3\n2,Cal F,14,14,0\n";
    assert_eq!(proposals(text, &ReadOptions::default()), ["--column B=competitor"]);
    let options = words("--column B=competitor");
    assert_eq!(
        proposals(text, &options),
        ["--layout single --column TOTALS=score", "--layout players"]
    );
    let options = words("--column B=competitor --layout single --column TOTALS=score");
    assert_eq!(
        contest_lines(&table_with(text, &options).unwrap()),
        ["Club night 2024-01-01: 1 Lori H (47), 2 Cindy R (23), 3 Cal F (14)"]
    );
    let options = scores(words("--column B=competitor --layout players"));
    assert_eq!(
        standings(&table_with(text, &options).unwrap()),
        [
            "1 Lori H, 2 Cindy R, 3 Cal F",
            "1 Lori H, 2 Cindy R, 3 Cal F"
        ]
    );
}

#[test]
fn cells_that_do_not_stand_below_their_headings_are_named_first() {
    for text in [
        "1 Gulls 25.18\n2 Terns A 24.73\n3 Auks 24.7\n",
        "Spirit\n- \n4. What for - 24\n3. Goals - 27 (4 points, 17)\n2. Fit - 28\n",
    ] {
        let error = table(text).unwrap_err();
        assert!(error.contains("the text has no columns"), "{error}");
    }
    let wider = "Month,Cups\nMay,Gulls,3,1\nJune,Terns,2,2\n";
    let error = table(wider).unwrap_err();
    assert!(error.contains("2 cells and most others have more, such as 4"), "{error}");
    let wider = "DAISY DIVISION\nTEAM\nW\nGulls\t8\t1\t900\nTerns\t6\t3\t800\nAuks\t4\t5\t700\nSkuas\t3\t6\t600\n";
    let error = table(wider).unwrap_err();
    assert!(error.contains("4 cells, 1 headings"), "{error}");
}

#[test]
fn surplus_cell_before_each_name_is_left_out() {
    let text = "RANK\tCLUB\tW\tL\tPTS\n1\t\tGulls\t6\t4\t14\n2\t\tTerns\t5\t4\t13\n";
    assert_eq!(proposals(text, &ReadOptions::default()), ["--column CLUB=competitor"]);
    let reading = table_with(text, &words("--column CLUB=competitor")).unwrap();
    assert_eq!(standings(&reading), ["1 Gulls, 2 Terns"]);
    let note = "each row has one cell more than headings: that in B is left out";
    assert!(notes(&reading).contains(note), "{}", notes(&reading));
    let known = text.replace("CLUB", "Team");
    assert_eq!(standings(&table_with(&known, &from_2024(1)).unwrap()), ["1 Gulls, 2 Terns"]);
    // Some programs number the rows without a heading.
    for text in [
        "score,name\n1,30,Ann\n2,25,Bo\n",
        "name,score\n0,Ann,30\n1,Bo,25\n",
    ] {
        let reading = table_with(text, &from_2024(1)).unwrap();
        assert_eq!(contest_lines(&reading), ["Club night 2024-01-01: 1 Ann (30), 2 Bo (25)"]);
    }
    // The first cells can be the places, and those behind them bibs.
    for text in [
        "place,name\n1,Ann,x\n2,Bo,y\n",
        "place,name\n1,9,Ann\n2,5,Bo\n",
        "place,name\n1,2,Ann\n2,1,Bo\n",
    ] {
        let error = table_with(text, &from_2024(1)).unwrap_err();
        assert!(error.contains("3 cells, 2 headings"), "{error}");
    }
    let same = table_with("place,name\n1,1,Ann\n2,2,Bo\n", &from_2024(1)).unwrap();
    assert_eq!(standings(&same), ["1 Ann, 2 Bo"]);
    // The cell behind a blank one can have its own heading.
    let note = "Rank\tTeam\tNote\tPts\n1\tGulls\t\t14\tx\n2\tTerns\t\t13\ty\n";
    assert!(table_with(note, &from_2024(1)).unwrap_err().contains("5 cells, 4 headings"));
}

#[test]
fn last_cells_without_a_heading_are_excluded_by_their_letter() {
    let games =
        "Date,Home,Away,Score\n2024-06-24,Gulls,Terns,4-0,First\n2024-06-25,Auks,Skuas,3-0,First\n";
    let results = "Date,Place,Name\n2024-06-24,1,Ann,x\n2024-06-24,2,Bo,x\n";
    for (text, option, contests) in [
        (games, "--column E=ignore", 2),
        (results, "--column D=ignore", 1),
    ] {
        let named = match table(text) {
            Ok(reading) => contest_proposals(&reading),
            Err(_) => proposals(text, &ReadOptions::default()),
        };
        assert_eq!(named, [option]);
        assert_eq!(table_with(text, &words(option)).unwrap().contests.len(), contests);
    }
    // The last cell is the only name, or behind a decimal comma.
    for text in [
        "Date,Place,Name\n2024-06-24,1,12,Ann\n2024-06-24,2,11,Bo\n",
        "Name,Score\nAnn,10,5\nBo,9,25\n",
    ] {
        let proposed = proposals(text, &from_2024(1)).concat();
        assert!(!proposed.contains("=ignore"), "{text}: {proposed}");
    }
    // The first cell of each row, as some programs write them, has no heading.
    let numbered = "Date,Place,Name\n1,2024-06-24,1,Ann\n2,2024-06-24,2,Bo\n";
    assert_eq!(standings(&table(numbered).unwrap()), ["1 Ann, 2 Bo"]);
}

#[test]
fn games_within_tournaments_are_rows() {
    let text = r#"[{"name":"Cup","start_date":"2024-11-24","players":[{"code":"A1","points":1},{"code":"B2","points":0}],
        "rounds":[{"name":"Round 1","matches":[{"player1_id":"A1","player2_id":"B2","score1":1,"score2":0}]}]}]"#;
    let read =
        |options: &ReadOptions| read(FileFormat::JsonTable, text.as_bytes(), "a.json", options);
    assert_eq!(standings(&read(&ReadOptions::default()).unwrap()), ["1 A1, 2 B2"]);
    let options = ReadOptions {
        rows: Some("rounds.matches".to_owned()),
        ..from_2024(1)
    };
    assert_eq!(standings(&read(&options).unwrap()), ["1 A1, 2 B2"]);
}

#[test]
fn weights_and_numbers_of_rows_are_no_contests() {
    let text = "2,Name,Club,Bwt (kg),WtCls (kg),Wilks Pts,Team Points\n3,Ann,ABS,54.2,57,386.27,12\n\
                4,Bea,ABS,55.6,57,369.75,9\n5,Cy,INT,61.6,63,305.9,12\n6,Di,APC,62.6,63,302.18,8\n";
    let players = ReadOptions {
        layout: Some(StatedLayout::Players),
        ..from_2024(1)
    };
    let error = table_with(text, &players).unwrap_err();
    assert!(error.contains("needs a column for each contest"), "{error}");
    assert!(!proposals(text, &from_2024(1)).concat().contains("players"));
    // Headings beside each other count rounds.
    let rounds = "Name,5,6\nAnn,6,1\nBo,7,2\nCy,8,3\nDi,9,4\n";
    let reading = table_with(rounds, &scores(from_2024(1))).unwrap();
    assert_eq!(reading.contests.len(), 2);
}

#[test]
fn wins_in_order_are_proposed_as_scores() {
    let text = "Wins,Name,Num Rounds,Weighting\n4,Ann,4,0.6\n4,Bo,4,0.5\n3,Cy,4,0.1\n";
    assert!(proposals(text, &from_2024(1)).contains(&"--column Wins=score".to_owned()));
    let unordered = text.replace("4,Bo", "1,Bo");
    assert!(!proposals(&unordered, &from_2024(1)).contains(&"--column Wins=score".to_owned()));
}

#[test]
fn outcome_under_an_unknown_heading_is_proposed_with_the_opponent() {
    let text = "Date,Name,round.vs,round.result\n2024-03-01,Ada,Bea,W\n2024-03-01,Bea,Ada,L\n";
    let named = proposals(text, &ReadOptions::default());
    let options = "--layout games --column 'Name=player 1' --column 'round.vs=player 2' --column round.result=outcome";
    assert!(named.contains(&options.to_owned()), "{named:?}");
}

#[test]
fn tables_without_headings_that_may_be_games_or_rounds_name_no_column() {
    for text in [
        "2024-05-04,Ivy,Max,1\n2024-05-04,Lea,Tom,2\n2024-05-05,Ivy,Tom,1\n",
        "GER,Ann,10\nFRA,Bob,9\nITA,Cat,8\n",
        "Ann,1,2,3\nBob,2,1,2\nCat,3,3,1\n",
        "1,Gullia,1930\n2,Tern,1934\n3,Ropea,1938\n",
        "5,Ann,10:00\n7,Bob,9:50\n2,Cat,9:40\n",
    ] {
        assert_eq!(proposals(text, &ReadOptions::default()), [""; 0], "{text}");
    }
}

#[test]
fn places_of_standings_without_headings_are_proposed() {
    let places = "--no-headings --column B=competitor --column A=place";
    let text = "1,Ada R,Dragon,12,4\n2,Bea S,Gull,10,3\n3,Cy D,Gull,9,3\n4,Di E,Heron,7,2\n";
    assert_eq!(super::proposals(text, &ReadOptions::default()), [places]);
    // Numbers of games are no places.
    let games =
        "1,Ada R,Bea S,2024-03-01,4\n2,Bea S,Cy D,2024-03-02,3\n3,Cy D,Ada R,2024-03-03,3\n";
    let refusal = super::table(games).unwrap_err();
    assert!(!refusal.contains("A=place"), "{refusal}");
}
