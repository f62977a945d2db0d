//! Competitors whose names are not known, and texts that are no CSV in UTF-8.

use super::{contest_lines, notes, table};
use ranklore_formats::{FileFormat, ReadOptions, read};

#[test]
fn unknown_competitors_of_several_rows_are_nobody() {
    for word in ["Unknown", "N/N", "Unbekannt", "Unknown Player", "NN"] {
        let text = format!(
            "Date,Place,Name\n2024-03-01,1,Ann\n2024-03-01,2,{word}\n2024-03-01,3,Bo\n2024-03-08,1,Bo\n2024-03-08,2,Ann\n2024-03-08,3,{word}\n"
        );
        let reading = table(&text).unwrap();
        assert_eq!(
            contest_lines(&reading),
            [
                "2024-03-01 2024-03-01: 1 Ann, 2 Bo",
                "2024-03-08 2024-03-08: 1 Bo, 2 Ann"
            ],
            "{word}"
        );
        let note = "a competitor of unknown name left out, on 2 lines, first on line 3";
        assert!(notes(&reading).contains(note), "{}", notes(&reading));
        // Two of one contest are two people.
        let together = text.replace("2024-03-08,3", "2024-03-01,4");
        assert!(notes(&table(&together).unwrap()).contains(note));
    }
    let games = "date,red,blue,winner\n2024-03-01,Ann,Unknown,Ann\n2024-03-01,Unknown,Bo,Bo\n2024-03-02,Ann,Bo,Bo\n";
    let reading = table(games).unwrap();
    assert_eq!(contest_lines(&reading).len(), 1);
    assert!(notes(&reading).contains("2 byes and games of unknown players left out"));
}

#[test]
fn one_competitor_can_have_such_a_name() {
    let once = "Date,Place,Name\n2024-03-01,1,Ann\n2024-03-01,2,Unknown\n";
    let reading = table(once).unwrap();
    assert_eq!(contest_lines(&reading), ["2024-03-01 2024-03-01: 1 Ann, 2 Unknown"]);
    // Ids tell them apart.
    let ids = "Date,Place,Name,Player ID\n2024-03-01,1,Unknown,7\n2024-03-01,2,Ann,8\n2024-03-08,1,Unknown,7\n2024-03-08,2,Unknown,9\n";
    assert_eq!(
        contest_lines(&table(ids).unwrap()),
        [
            "2024-03-01 2024-03-01: 1 7, 2 8",
            "2024-03-08 2024-03-08: 1 7, 2 9"
        ]
    );
    let game = "date,red,blue,winner\n2024-03-01,Ann,Unknown,Ann\n2024-03-02,Ann,Bo,Bo\n";
    assert_eq!(contest_lines(&table(game).unwrap()).len(), 2);
}

#[test]
fn aligned_columns_are_read() {
    let text = "\
Place  Date        Name        Time
-----  ----------  ----------  -----
1      2024-03-01  Ann Ash     12:34
2      2024-03-01  Lee, Cy     12:50
3      2024-03-01  Bo          13:01
";
    for text in [
        text.to_owned(),
        text.replace("-----", "     ").replace("     -", "      "),
    ] {
        let reading = table(&text).unwrap();
        assert_eq!(
            contest_lines(&reading),
            ["2024-03-01 2024-03-01: 1 Ann Ash (754), 2 Lee, Cy (770), 3 Bo (781)"]
        );
        assert!(notes(&reading).contains("cells are separated by blanks"), "{}", notes(&reading));
    }
    // A name with two blanks is no gap of all lines.
    let uneven = "Place  Date  Name\n1  2024-03-01   Ann\n2   2024-03-01  Bo\n10 2024-03-01  Cy\n";
    assert!(table(uneven).is_err());
}

#[test]
fn central_european_texts_are_recognised() {
    let polish =
        b"Date,Place,Name\n2024-03-01,1,Micha\xb3 W\xf3jcik\n2024-03-01,2,Gra\xbfyna \x8cliwa\n";
    let reading = read(FileFormat::Table, &polish[..], "a.csv", &ReadOptions::default()).unwrap();
    assert_eq!(
        contest_lines(&reading),
        ["2024-03-01 2024-03-01: 1 Michał Wójcik, 2 Grażyna Śliwa"]
    );
    assert!(notes(&reading).contains("read as windows-1250"), "{}", notes(&reading));
}

#[test]
fn forfeits_are_no_opponents() {
    for word in [
        "ff",
        "Forfeit",
        "forfeited",
        "w/o",
        "Walkover",
        "No show",
        "DNS",
    ] {
        let won = format!(
            "Date,Winner,Loser\n2024-03-01,Ann,Bo\n2024-03-02,Ann,{word}\n2024-03-03,Bo,{word}\n"
        );
        let reading = table(&won).unwrap();
        assert_eq!(contest_lines(&reading).len(), 1, "{word}");
        let note = "2 games with a forfeit in place of a competitor left out, first on line 3";
        assert!(notes(&reading).contains(note), "{}", notes(&reading));
        let scored = format!(
            "Date,Player 1,Player 2,Score 1,Score 2\n2024-03-01,Ann,Bo,3,1\n2024-03-02,{word},Bo,0,3\n"
        );
        assert_eq!(contest_lines(&table(&scored).unwrap()).len(), 1, "{word}");
    }
    let results = "Match,Date,Player,Result\n1,2024-03-01,Ann,W\n1,2024-03-01,Bo,L\n2,2024-03-02,Bo,W\n2,2024-03-02,Forfeit,L\n3,2024-03-03,Ann,W\n3,2024-03-03,BYE,L\n";
    let reading = table(results).unwrap();
    assert!(
        contest_lines(&reading)
            .iter()
            .all(|line| !line.contains("Forfeit") && !line.contains("BYE"))
    );
    assert!(notes(&reading).contains("a competitor of unknown name left out, on 2 lines"));
}

#[test]
fn handles_that_are_like_forfeits_are_competitors() {
    for text in [
        "Date,Winner,Loser\n2024-03-01,Ann,ff\n2024-03-02,ff,Ann\n",
        "Date,Winner,Loser\n2024-03-01,Ann,Wo\n2024-03-02,Bo,Wo\n",
        "Date,Winner,Loser,Winner ID,Loser ID\n2024-03-01,Ann,FF,7,8\n2024-03-02,Bo,FF,9,8\n",
    ] {
        assert_eq!(contest_lines(&table(text).unwrap()).len(), 2, "{text}");
    }
    let header = "Date,Player 1,Player 2,Score 1,Score 2\n";
    for (games, count) in [
        ("1,Ann,NoShow,1,3\n2,NoShow,Bo,3,2\n3,Ann,Bo,3,1\n", 3),
        ("1,AB,FF,3,2\n2,FF,CD,2,2\n3,AB,CD,3,1\n4,ff,CD,0,3\n", 4),
        ("1,Rooks,DQ,12,10\n2,Jays,DQ,6,4\n3,Rooks,Jays,1,0\n", 3),
        ("1,Ann,FF,1,1\n2,FF,Bo,0,0\n", 2),
        ("1,Ann,Bo,3,0\n2,Ann,default,3,0\n3,Cy,default,3,0\n", 3),
        ("1,Ann,Bo,3,0\n2,Ann,FF,3,0\n3,FF,Cy,0,1\n", 1),
    ] {
        let rows: String = games.lines().map(|game| ["2024-03-0", game, "\n"].concat()).collect();
        assert_eq!(
            contest_lines(&table(&(header.to_owned() + &rows)).unwrap()).len(),
            count,
            "{games}"
        );
    }
    let models = "Date,Winner,Loser\n2024-03-01,tuned,default\n2024-03-02,large,default\n2024-03-03,large,tuned\n";
    assert_eq!(contest_lines(&table(models).unwrap()).len(), 3);
}

#[test]
fn rows_of_words_for_nobody_with_results_are_competitors() {
    for word in ["Bye", "Forfeit"] {
        for rows in [
            "Date,Place,Name,Club\n2024-03-01,1,WORD,Owls\n2024-03-01,2,Smith,Owls\n2024-03-01,3,Ash,Terns\n",
            "Date,Place,Name,Club\n2024-03-01,1,Smith,Owls\n2024-03-01,2,WORD,Owls\n2024-03-01,3,Ash,Terns\n",
            "Date,Place,Name\n2024-03-01,1,Smith\n2024-03-01,2,WORD\n",
            "Date,Place,Name\n2024-03-01,1,Smith\n2024-03-01,2,Ash\n2024-03-01,DNF,WORD\n",
            "Date,Place,Name,Points\n2024-03-01,1,WORD,20\n2024-03-01,2,Ann,10\n",
            "Date,Name,Points\n2024-03-01,Ann,20\n2024-03-01,WORD,10\n2024-03-02,Ann,20\n2024-03-02,WORD,0\n",
            "Match,Date,Player,Result\n1,2024-03-01,WORD,W\n1,2024-03-01,Bo,L\n2,2024-03-02,Bo,W\n2,2024-03-02,WORD,L\n",
        ] {
            let reading = table(&rows.replace("WORD", word)).unwrap();
            let lines = contest_lines(&reading);
            assert!(lines.iter().all(|line| line.contains(word)), "{lines:?}");
        }
        let points =
            format!("Date,Name,Points\n2024-03-01,Ann,3\n2024-03-01,Bo,1\n2024-03-01,{word},0\n");
        let lines = contest_lines(&table(&points).unwrap());
        assert!(lines.iter().all(|line| !line.contains(word)), "{lines:?}");
    }
}
