//! Numbers of contests that recur on other days or in other seasons.

use super::{contest_lines, from_2024, notes, refused, table, table_with};

const ROWS: &str = "2024-01-01,1,1,Ann\n2024-01-01,1,2,Bo\n2024-01-01,2,1,Cy\n2024-01-01,2,2,Dov\n\
                    2024-01-08,1,1,Eve\n2024-01-08,1,2,Fay\n2024-01-08,2,1,Gus\n2024-01-08,2,2,Hal";

#[test]
fn numbers_of_each_date_are_contests_of_it() {
    for heading in ["match_id", "race", "race_no", "Race number"] {
        let reading = table(&format!("date,{heading},place,player\n{ROWS}")).unwrap();
        assert_eq!(refused(&reading), [""; 0], "{heading}");
        assert_eq!(
            contest_lines(&reading),
            [
                "1 2024-01-01: 1 Ann, 2 Bo",
                "1 2024-01-08: 1 Eve, 2 Fay",
                "2 2024-01-01: 1 Cy, 2 Dov",
                "2 2024-01-08: 1 Gus, 2 Hal"
            ],
            "{heading}"
        );
        let ordinals = reading.contests.iter().map(|contest| contest.ordinal);
        assert_eq!(ordinals.collect::<Vec<_>>(), [1, 1, 2, 2].map(Some), "{heading}");
    }
    // Names of the days are events.
    let text = ROWS.replace("-01,", "-01,Spring,").replace("-08,", "-08,Thaw,");
    let reading = table(&format!("date,meet,match_id,place,player\n{text}")).unwrap();
    let events: Vec<_> = reading.contests.iter().map(|contest| contest.event).collect();
    assert_eq!(
        events.iter().flatten().collect::<Vec<_>>(),
        ["Spring", "Spring", "Thaw", "Thaw"]
    );
}

#[test]
fn id_with_one_ranking_on_two_dates_is_refused() {
    // The places of match 1 go on.
    let text = ROWS.replace("08,1,1", "08,1,3").replace("08,1,2", "08,1,4");
    let reading = table(&format!("date,match_id,place,player\n{text}")).unwrap();
    let refused = refused(&reading).join("\n");
    assert!(refused.contains("--column match_id=contest"), "{refused}");
    // A name is no number: the date may be wrong.
    let named = ROWS.replace(",1,1,", ",A,1,").replace(",1,2,", ",A,2,");
    let reading = table(&format!("date,race,place,player\n{named}")).unwrap();
    assert!(super::refused(&reading)[0].contains("--column race=division"), "{named}");
}

#[test]
fn races_of_each_season_are_contests_of_it() {
    let rows = "2023,1,1,Ann\n2023,1,2,Bo\n2023,2,1,Bo\n2023,2,2,Ann\n\
                2024,1,1,Bo\n2024,1,2,Ann\n2024,2,1,Ann\n2024,2,2,Bo";
    let reading = table_with(&format!("season,race,place,player\n{rows}"), &from_2024(1)).unwrap();
    assert_eq!(
        contest_lines(&reading),
        [
            "1 2024-01-01: 1 Ann, 2 Bo",
            "2 2024-01-02: 1 Bo, 2 Ann",
            "1 2024-01-03: 1 Bo, 2 Ann",
            "2 2024-01-04: 1 Ann, 2 Bo"
        ]
    );
    assert!(notes(&reading).contains("it is read as the event"));
}

#[test]
fn ids_of_games_that_recur_are_numbers() {
    let rows = "2024-01-01,1,Ann,Bo,1,0\n2024-01-01,2,Cy,Dov,1,0\n\
                2024-01-08,1,Bo,Cy,1,0\n2024-01-08,2,Dov,Ann,1,2";
    let head = "date,match_id,player1,player2,score1,score2";
    let reading = table(&format!("{head}\n{rows}")).unwrap();
    assert_eq!(refused(&reading), [""; 0]);
    assert_eq!(reading.contests.len(), 4);
    assert!(notes(&reading).contains("games have no ids"));
    // A game that was held later is the same.
    for other in [
        rows.replace("Bo,Cy", "Bo,Ann"),
        rows.replace("08,2", "08,3"),
    ] {
        let reading = table(&format!("{head}\n{other}")).unwrap();
        assert!(super::refused(&reading)[0].contains("have the same id"), "{other}");
    }
}

#[test]
fn start_numbers_are_no_order_of_contests() {
    for heading in ["RaceNumber", "race_no"] {
        let text = format!(
            "Date,Position,{heading},Rider\n2024-03-01,1,10,Ann\n2024-03-01,2,750,Bo\n2024-03-08,1,750,Bo\n2024-03-08,2,10,Ann\n"
        );
        let reading = table(&text).unwrap();
        assert_eq!(
            contest_lines(&reading),
            [
                "2024-03-01 2024-03-01: 1 Ann, 2 Bo",
                "2024-03-08 2024-03-08: 1 Bo, 2 Ann"
            ],
            "{heading}"
        );
        let note = format!("pass --column {heading}=ordinal if it orders the contests");
        assert!(notes(&reading).contains(&note), "{}", notes(&reading));
        // The wide table of a season.
        let season =
            format!("Position,{heading},Rider,Race_a,Race_b\n1,10,Ann,25,22\n2,750,Bo,22,25\n");
        let reading = table_with(&season, &super::scores(from_2024(1)));
        assert!(reading.is_err_and(|error| !error.contains("ordinal")), "{heading}");
    }
}

#[test]
fn running_order_is_no_order_of_contests() {
    let text = "Date,Order,Artist,Place,Points\n1957-03-03,1,Ann,2,5\n1957-03-03,2,Bo,1,31\n\
                1958-03-12,1,Cy,2,13\n1958-03-12,2,Dov,1,27\n";
    let options = super::from_2024(1);
    let text = text.replace("Artist", "Player");
    let reading = table(&text).unwrap();
    let lines = [
        "1957-03-03 1957-03-03: 1 Bo (31), 2 Ann (5)",
        "1958-03-12 1958-03-12: 1 Dov (27), 2 Cy (13)",
    ];
    assert_eq!(contest_lines(&reading), lines);
    assert!(
        notes(&reading).contains("pass --column Order=ordinal if it"),
        "{}",
        notes(&reading)
    );
    // The order of races.
    let races = "Race,Order,Player,Place\nA,2,Ann,1\nA,2,Bo,2\nB,1,Ann,1\nB,1,Bo,2\n";
    let reading = table_with(races, &options).unwrap();
    let ordinals = reading.contests.iter().map(|contest| contest.ordinal);
    assert_eq!(ordinals.collect::<Vec<_>>(), [2, 1].map(Some));
}
