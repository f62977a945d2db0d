//! Tables whose cells or other columns contradict what a heading proposes.

use super::{
    contest_lines, from_2024, lower_is_better, notes, proposals, refused, table, table_with,
};
use proptest::prelude::*;
use ranklore_formats::{ColumnMeaning, FileReading, ReadOptions, StatedCells, StatedLayout};

/// Asserts that a table without options reads as one contest with these places.
fn assert_places(text: &str, expected: &str) {
    let reading = table(text).unwrap_or_else(|refusal| panic!("{refusal}: {text}"));
    assert_eq!(contest_lines(&reading), [expected], "{text}\n{:?}", refused(&reading));
}

fn with_columns(columns: &[(&str, ColumnMeaning)]) -> ReadOptions {
    let columns = columns.iter().map(|&(heading, meaning)| (heading.to_owned(), meaning));
    ReadOptions {
        columns: columns.collect(),
        ..ReadOptions::default()
    }
}

#[test]
fn classes_beside_one_ranking_describe_competitors() {
    for heading in [
        "Category",
        "Class",
        "Age group",
        "Division",
        "Klasse",
        "Categorie",
    ] {
        let text = format!(
            "Date,Place,Name,{heading}\n2024-03-01,1,Ana,F40\n2024-03-01,2,Bo,M40\n2024-03-01,3,Cy,\n\
             2024-03-01,4,Di,F40\n2024-03-01,DNF,Ed,M50\n2024-03-01,5,Fi,F35"
        );
        assert_places(&text, "2024-03-01 2024-03-01: 1 Ana, 2 Bo, 3 Cy, 4 Di, 5 Fi, dnf Ed");
        let divided = table_with(&text, &with_columns(&[(heading, ColumnMeaning::Division)]));
        assert!(contest_lines(&divided.unwrap()).len() > 2);
    }
    // Rankings of their own divide, as they did.
    let text = "Date,Place,Name,Class\n2024-03-01,1,Ana,A\n2024-03-01,2,Bo,A\n2024-03-01,1,Cy,B\n2024-03-01,2,Di,B";
    assert_eq!(contest_lines(&table(text).unwrap()).len(), 2);
    let mixed = format!(
        "{text}\n2024-03-02,1,Ana,A\n2024-03-02,2,Bo,B\n2024-03-02,3,Cy,A\n2024-03-02,4,Di,B"
    );
    let refusal = table(&mixed).unwrap_err();
    for option in ["--column Class=division", "--column Class=ignore"] {
        assert!(refusal.contains(option), "{refusal}");
    }
}

#[test]
fn addresses_are_no_statuses() {
    for states in [["NC", "NC", "NC"], ["OK", "AB", "NC"], ["TX", "NC", "DF"]] {
        let [a, b, c] = states;
        assert_places(
            &format!(
                "Date,Place,Name,State\n2024-03-01,1,Ana,{a}\n2024-03-01,2,Bo,{b}\n2024-03-01,3,Cy,{c}"
            ),
            "2024-03-01 2024-03-01: 1 Ana, 2 Bo, 3 Cy",
        );
    }
    // Statuses that fit the places are read.
    assert_places(
        "Date,Place,Name,State\n2024-03-01,1,Ana,finished\n2024-03-01,,Bo,dnf\n2024-03-01,2,Cy,finished",
        "2024-03-01 2024-03-01: 1 Ana, 2 Cy, dnf Bo",
    );
}

#[test]
fn word_beside_first_place_is_proposed_as_finished() {
    let text = "Date,Place,Name,Status\n2024-03-01,1,Ana,rolling\n2024-03-01,2,Bo,crash";
    let refusals = refused(&table(text).unwrap()).join("; ");
    assert!(refusals.contains("--status rolling=finished --status crash=dnf"), "{refusals}");
    assert_places(
        &text.replace("rolling", "running").replace("crash", "DF"),
        "2024-03-01 2024-03-01: 1 Ana, 2 Bo",
    );
}

#[test]
fn missing_score_leaves_the_place() {
    for word in ["NA", "n/a", "NaN", "null", "None", "TBD", "-", ""] {
        assert_places(
            &format!(
                "Date,Place,Name,Points\n2024-03-01,1,Ana,10\n2024-03-01,2,Bo,{word}\n2024-03-01,3,Cy,{word}"
            ),
            "2024-03-01 2024-03-01: 1 Ana (10), 2 Bo, 3 Cy",
        );
    }
}

#[test]
fn exact_status_beside_unplaced_decides() {
    assert_places(
        "Date,Pos,Driver,Time or reason\n2024-03-01,1,Ana,1:30:00\n2024-03-01,2,Bo,+12.5\n2024-03-01,NC,Cy,DNF\n\
         2024-03-01,NC,Di,DNS\n2024-03-01,NC,Ed,DSQ",
        "2024-03-01 2024-03-01: 1 Ana, 2 Bo, dnf Cy, dq Ed",
    );
}

#[test]
fn unread_ranking_refuses_scores_that_contradict_it() {
    let text = "Race,Date,Driver,fin_pl,Pts\nA,2024-03-01,Ana,1,44\nA,2024-03-01,Bo,2,50\nA,2024-03-01,Cy,3,41";
    let refusal = table(text).unwrap_err();
    for option in ["--column fin_pl=place", "--column fin_pl=ignore"] {
        assert!(refusal.contains(option), "{refusal}");
    }
    assert_places(
        &text.replace("fin_pl", "finishPos"),
        "A 2024-03-01: 1 Ana (44), 2 Bo (50), 3 Cy (41)",
    );
    // Wins are no places.
    assert_places(
        "Date,Player,W,Pts\n2024-03-01,Ana,3,9\n2024-03-01,Bo,2,6\n2024-03-01,Cy,1,3",
        "2024-03-01 2024-03-01: 1 Ana (9), 2 Bo (6), 3 Cy (3)",
    );
    // Places that agree with the scores contradict nothing.
    assert_places(
        &text.replace("Bo,2,50", "Bo,2,43"),
        "A 2024-03-01: 1 Ana (44), 2 Bo (43), 3 Cy (41)",
    );
    // The lowest score wins where the ranking says so: the direction has to be stated.
    let rising = "Race,Date,Driver,fin_pl,Pts\nA,2024-03-01,Ana,1,40\nA,2024-03-01,Bo,2,50\nA,2024-03-01,Cy,3,61";
    assert!(table(rising).is_err());
    let lowest = table_with(rising, &lower_is_better()).unwrap();
    assert_eq!(contest_lines(&lowest), ["A 2024-03-01: 1 Ana (40), 2 Bo (50), 3 Cy (61)"]);
}

#[test]
fn words_of_places_are_places() {
    assert_places(
        "Date,Name,Result\n2024-03-01,Bo,2nd Place\n2024-03-01,Ana,1st Place\n2024-03-01,Cy,DNF",
        "2024-03-01 2024-03-01: 1 Ana, 2 Bo, dnf Cy",
    );
}

#[test]
fn headings_of_many_languages_are_known() {
    for headings in [
        "Dato,Plass,Navn,Poeng",
        "Datum,Placering,Namn,Poäng",
        "Päivämäärä,Sijoitus,Nimi,Pisteet",
        "Datum,Plaats,Naam,Punten",
        "Data,Posizione,Nome,Punti",
        "Date,Miejsce,Zawodnik,Punkty",
        "Date,Umístění,Závodník,Points",
        "日付,順位,氏名,得点",
        "Дата,Место,Участник,Очки",
        "race_date,Overall Position,rider_name,Points",
        "Tournament Date,positionOrder,driver_name,Points",
    ] {
        assert_places(
            &format!("{headings}\n2024-03-01,2,Ana,30\n2024-03-01,1,Bo,20"),
            "2024-03-01 2024-03-01: 1 Bo (20), 2 Ana (30)",
        );
    }
    assert_places(
        "Date,Place,First,Last\n2024-03-01,1,Ana,Lark\n2024-03-01,2,Bo,Sand",
        "2024-03-01 2024-03-01: 1 Ana Lark, 2 Bo Sand",
    );
    assert_places(
        "Datum,Pořadí,Jméno,Příjmení\n2024-03-01,1,Ana,Lark\n2024-03-01,2,Bo,Sand",
        "2024-03-01 2024-03-01: 1 Ana Lark, 2 Bo Sand",
    );
    // Headings that are alone are no parts of names.
    assert_places(
        "Date,Place,Name,Last,Best\n2024-03-01,1,Ana,9,7\n2024-03-01,2,Bo,8,6",
        "2024-03-01 2024-03-01: 1 Ana, 2 Bo",
    );
}

#[test]
fn counts_are_no_contests() {
    for heading in ["Events", "Races", "Games", "Rounds"] {
        assert_places(
            &format!("Date,Name,{heading},Points\n2024-03-01,Ana,3,90\n2024-03-01,Bo,2,80"),
            "2024-03-01 2024-03-01: 1 Ana (90), 2 Bo (80)",
        );
    }
}

#[test]
fn people_are_not_replaced_by_their_teams() {
    let text = "Date,Place,Rider of the day,Team\n2024-03-01,1,Ana Lark,Gulls\n2024-03-01,2,Bo Sand,Masts\n2024-03-01,3,Cy Roe,Ropes";
    let refusal = table(text).unwrap_err();
    for option in ["'Rider of the day=competitor'", "'Rider of the day=ignore'"] {
        assert!(refusal.contains(option), "{refusal}");
    }
    // Members of one team with different places have an affiliation.
    assert_places(
        "Date,Place,Rider,Team\n2024-03-01,1,Ana,Gulls\n2024-03-01,2,Bo,Masts\n2024-03-01,3,Cy,Gulls",
        "2024-03-01 2024-03-01: 1 Ana, 2 Bo, 3 Cy",
    );
    // Members of one team with one place are the team.
    assert_places(
        "Date,Place,Rider,Team\n2024-03-01,1,Ana,Gulls\n2024-03-01,2,Bo,Masts\n2024-03-01,1,Cy,Gulls\n2024-03-01,2,Di,Masts",
        "2024-03-01 2024-03-01: 1 Gulls [Ana Cy], 2 Masts [Bo Di]",
    );
    assert_places(
        "Date,Place,Helm,Crew\n2024-03-01,1,Ana,Bo\n2024-03-01,2,Cy,Di",
        "2024-03-01 2024-03-01: 1 Ana, 2 Cy",
    );
}

#[test]
fn kickoff_with_a_date_dates_the_game() {
    let reading =
        table("Kickoff,Home,Away,Home score,Away score\n2024-03-01 15:00,Gulls,Masts,2,1").unwrap();
    assert_eq!(
        contest_lines(&reading),
        ["Gulls – Masts 2024-03-01T15:00:00Z: 1 Gulls (2), 2 Masts (1)"]
    );
}

/// Rounds of four players in which the first gets the most points.
const POINTS: &str = "Name,R1,R2,Total\nAna,4,4,8\nBo,3,3,6\nCy,2,1,3\nDi,1,2,3";

#[test]
fn order_of_players_tells_places_from_scores() {
    let first = |text: &str| contest_lines(&table_with(text, &from_2024(7)).unwrap())[0].clone();
    assert_eq!(first(POINTS), "R1 2024-01-01: 1 Ana (4), 2 Bo (3), 3 Cy (2), 4 Di (1)");
    let places = "Name,R1,R2,Total\nDi,1,2,3\nCy,2,1,3\nBo,3,3,6\nAna,4,4,8";
    assert_eq!(first(places), "R1 2024-01-01: 1 Di, 2 Cy, 3 Bo, 4 Ana");
    // The column of places decides, whatever the order of the rows.
    let ranked = "Name,R1,R2,Rank\nDi,1,2,4\nAna,4,4,1\nCy,2,1,3\nBo,3,3,2";
    assert_eq!(first(ranked), "R1 2024-01-01: 1 Ana (4), 2 Bo (3), 3 Cy (2), 4 Di (1)");
}

#[test]
fn open_cells_are_refused_until_stated() {
    let text = "Name,R1,R2,Total\nBo,3,3,6\nAna,4,4,8\nDi,1,2,3\nCy,2,1,3";
    let refusal = table_with(text, &from_2024(7)).unwrap_err();
    assert!(
        refusal.contains("--cells places") && refusal.contains("--cells scores"),
        "{refusal}"
    );
    for (cells, expected) in [
        (StatedCells::Places, "R1 2024-01-01: 1 Di, 2 Cy, 3 Bo, 4 Ana"),
        (StatedCells::Scores, "R1 2024-01-01: 1 Ana (4), 2 Bo (3), 3 Cy (2), 4 Di (1)"),
    ] {
        let options = ReadOptions {
            cells: Some(cells),
            ..from_2024(7)
        };
        assert_eq!(contest_lines(&table_with(text, &options).unwrap())[0], expected);
    }
}

#[test]
fn tables_without_headings_have_letters() {
    let text = "Ana,1,30\nBo,2,20";
    let refusal = table(text).unwrap_err();
    assert!(refusal.contains("--no-headings"), "{refusal}");
    let columns = [
        ("A", ColumnMeaning::Competitor),
        ("C", ColumnMeaning::Score),
    ];
    let options = ReadOptions {
        no_headings: true,
        start: from_2024(1).start,
        ..with_columns(&columns)
    };
    let reading = table_with(text, &options).unwrap();
    assert_eq!(contest_lines(&reading), ["Club night 2024-01-01: 1 Ana (30), 2 Bo (20)"]);
    assert_eq!(reading.layout.unwrap().header_line, None);
}

#[test]
fn rows_of_contests_are_read_sideways() {
    let text = "Race,Date,Ana,Bo,Cy\nShore,2024-03-01,30,20,\nDune,2024-03-08,5,7,9";
    let options = ReadOptions {
        layout: Some(StatedLayout::Contests),
        ..super::scores(ReadOptions::default())
    };
    assert_eq!(
        contest_lines(&table_with(text, &options).unwrap()),
        [
            "Shore 2024-03-01: 1 Ana (30), 2 Bo (20)",
            "Dune 2024-03-08: 1 Cy (9), 2 Bo (7), 3 Ana (5)"
        ]
    );
    let unnamed = "Ana,Bo\n1,2\n2,1";
    assert!(table_with(unnamed, &options).unwrap_err().contains("--column HEADING=contest"));
}

/// Columns that look like something else, with cells for the row of each place.
fn trap() -> impl Strategy<Value = (&'static str, Vec<&'static str>)> {
    prop::sample::select(vec![
        ("State", vec!["NC", "OK", "TX", "AB", "NC"]),
        ("Weight", vec!["57", "86", "61", "125", "70"]),
        ("Rating", vec!["3", "1", "12", "7", "4"]),
        ("Start", vec!["3", "1", "2", "5", "4"]),
        ("Category", vec!["M40", "F40", "M40", "M50", "F40"]),
        ("Age group", vec!["A", "B", "B", "A", "C"]),
        ("Events", vec!["3", "3", "2", "2", "1"]),
        ("Points", vec!["9", "NA", "NA", "n/a", "null"]),
        ("Team", vec!["x", "y", "x", "y", "x"]),
        ("City", vec!["New Quay", "Old Quay", "Mast Bay", "Sea Town", "Low Hill"]),
        ("Last", vec!["1", "4", "2", "3", "5"]),
    ])
}

proptest! {
    #[test]
    fn traps_change_no_places(
        traps in prop::collection::vec((trap(), any::<prop::sample::Index>()), 1..4),
        rows in Just(vec![0, 1, 2, 3, 4]).prop_shuffle(),
    ) {
        let mut columns: Vec<(&str, Vec<&str>)> = vec![
            ("Date", vec!["2024-03-01"; 5]),
            ("Place", vec!["1", "2", "3", "4", "5"]),
            ("Name", vec!["Ana", "Bo", "Cy", "Di", "Ed"]),
        ];
        for (trap, at) in traps {
            if !columns.iter().any(|column| column.0 == trap.0) {
                columns.insert(at.index(columns.len() + 1), trap);
            }
        }
        let line = |cells: Vec<&str>| cells.join(",") + "\n";
        let mut text = line(columns.iter().map(|column| column.0).collect());
        for row in rows {
            text += &line(columns.iter().map(|column| column.1[row]).collect());
        }
        // A refusal is no wrong reading.
        if let Ok(reading) = table(&text) {
            let places: Vec<_> = reading.contests.iter().map(|contest| {
                let entrants = contest.entrants.iter();
                entrants.map(|e| (e.outcome.place().unwrap().get(), e.competitor.clone())).collect::<Vec<_>>()
            }).collect();
            let expected = (1..).zip(["Ana", "Bo", "Cy", "Di", "Ed"].map(str::to_owned));
            prop_assert_eq!(places, vec![expected.collect::<Vec<_>>()], "{}", text);
            prop_assert!(reading.starting_ratings.is_empty(), "{}", text);
        }
    }
}

#[test]
fn columns_that_repeat_another_are_dropped() {
    assert_places(
        "Date,Position,Overall place,Name\n2024-03-01,1,1,Ana\n2024-03-01,2,2,Bo\n2024-03-01,DNF,3,Cy",
        "2024-03-01 2024-03-01: 1 Ana, 2 Bo, dnf Cy",
    );
    let differ = "Date,Position,Overall place,Name\n2024-03-01,1,2,Ana\n2024-03-01,2,1,Bo";
    assert!(table(differ).unwrap_err().contains("both mean the place"));
    let ids = "Date,Place,Name,FIDE ID,USCF ID\n2024-03-01,1,Ana,100,7\n2024-03-01,2,Bo,101,8";
    assert_places(ids, "2024-03-01 2024-03-01: 1 100, 2 101");
    assert!(
        table(&ids.replace("101,8", "101,7"))
            .unwrap_err()
            .contains("both mean the competitor id")
    );
}

#[test]
fn years_date_yearly_races() {
    let text = "Year,Race,Place,Name\n2023,Mast Bay,1,Ana\n2023,Mast Bay,2,Bo\n2024,Mast Bay,1,Bo\n2024,Mast Bay,2,Ana";
    let reading = table(text).unwrap();
    assert_eq!(
        contest_lines(&reading),
        [
            "Mast Bay 2023-12-31: 1 Ana, 2 Bo",
            "Mast Bay 2024-12-31: 1 Bo, 2 Ana"
        ]
    );
    // A day alone beside it is more exact.
    let days = text.replace("Year,", "Day,Year,").replace("\n20", "\n3,20");
    assert!(table(&days).is_err_and(|error| error.contains("--column Day=ignore")));
}

#[test]
fn numbers_of_rounds_beside_names_order_contests() {
    let text = "Round,Race,Place,Name\n1,Mast Bay,1,Ana\n1,Mast Bay,2,Bo\n2,Alder Bay,1,Bo\n2,Alder Bay,2,Ana";
    let reading = table_with(text, &from_2024(7)).unwrap();
    assert_eq!(
        contest_lines(&reading),
        [
            "Mast Bay 2024-01-01: 1 Ana, 2 Bo",
            "Alder Bay 2024-01-08: 1 Bo, 2 Ana"
        ]
    );
    // The numbers decide, and not the order of rows.
    let swapped = table_with(&text.replace("\n1,", "\n3,"), &from_2024(7)).unwrap();
    assert_eq!(
        contest_lines(&swapped),
        [
            "Mast Bay 2024-01-08: 1 Ana, 2 Bo",
            "Alder Bay 2024-01-01: 1 Bo, 2 Ana"
        ]
    );
    // Two columns of names stay a choice.
    let names = text.replace("\n2,", "\nB,").replace("\n1,", "\nA,");
    assert!(table(&names).unwrap_err().contains("both mean the contest"));
}

#[test]
fn column_headed_like_a_result_is_proposed_as_the_score() {
    let text = "name,id,local_score,stars\nAna,17,57,4\nBo,23,44,3\nCy,31,12,1\n";
    let refusal = table_with(text, &from_2024(1)).unwrap_err();
    let advice = "or pass --column local_score=score if \"local_score\" (C) decides";
    assert!(refusal.contains(advice), "{refusal}");
    let stated = ReadOptions {
        start: from_2024(1).start,
        ..with_columns(&[("local_score", ColumnMeaning::Score)])
    };
    let lines = contest_lines(&table_with(text, &stated).unwrap());
    assert_eq!(lines, ["Club night 2024-01-01: 1 Ana (57), 2 Bo (44), 3 Cy (12)"]);
}

#[test]
fn overall_ranks_of_gun_and_chip_are_places() {
    let text = "Date,Name,AgeGroup,Status,OverallGunRank,OverallChipRank\n\
                2024-03-01,Ann,F20,OK,1,1\n2024-03-01,Bea,F25,OK,2,2\n2024-03-01,Cy,F20,OK,3,4\n\
                2024-03-01,Di,F25,OK,4,3\n2024-03-01,Eve,F20,DNF,,";
    let refusal = table(text).unwrap_err();
    for (other, expected) in [
        ("OverallChipRank", "1 Ann, 2 Bea, 3 Cy, 4 Di, dnf Eve"),
        ("OverallGunRank", "1 Ann, 2 Bea, 3 Di, 4 Cy, dnf Eve"),
    ] {
        assert!(refusal.contains(&format!("--column {other}=ignore")), "{refusal}");
        let reading = table_with(text, &with_columns(&[(other, ColumnMeaning::Ignore)]));
        let expected = format!("2024-03-01 2024-03-01: {expected}");
        assert_eq!(contest_lines(&reading.unwrap()), [expected]);
    }
}

#[test]
fn ranking_of_each_division_is_proposed_as_places() {
    let text = "Cat,Rider,Name,watts\nA,1,Ann,375w\nA,2,Bea,360w\nA,3,Cy,350w\nB,1,Di,300w\n\
                B,2,Eve,290w\nB,3,Fay,280w";
    let refusal = table_with(text, &from_2024(1)).unwrap_err();
    assert!(refusal.contains("--column Rider=place"), "{refusal}");
    let columns = [
        ("Rider", ColumnMeaning::Place),
        ("Cat", ColumnMeaning::Division),
    ];
    let options = ReadOptions {
        columns: with_columns(&columns).columns,
        ..from_2024(1)
    };
    let reading = table_with(text, &options).unwrap();
    assert_eq!(contest_lines(&reading)[1], "Club night 2024-01-01: 1 Di, 2 Eve, 3 Fay");
}

#[test]
fn column_of_letters_is_proposed_as_places() {
    let options = ReadOptions {
        no_headings: true,
        columns: with_columns(&[("B", ColumnMeaning::Competitor)]).columns,
        ..from_2024(1)
    };
    let refusal = table_with("1,Ann,375\n2,Bea,360\n3,Cy,350\n4,Di,350", &options).unwrap_err();
    assert!(refusal.contains("--column A=place"), "{refusal}");
}

#[test]
fn letters_of_medals_are_places() {
    for (medals, rest) in [
        (["G", "S", "B"], ["4.", "5."]),
        (["g", "s", "b"], ["4", "DNF"]),
    ] {
        let places = medals.iter().chain(&rest).zip(["Ann", "Bea", "Cy", "Di", "Ed"]);
        let rows = places.map(|(place, name)| format!("\n2024-03-01,{place},{name}"));
        let reading = table(&format!("Date,Place,Name{}", rows.collect::<String>())).unwrap();
        let last = if rest[1] == "DNF" { "dnf Ed" } else { "5 Ed" };
        let expected = format!("2024-03-01 2024-03-01: 1 Ann, 2 Bea, 3 Cy, 4 Di, {last}");
        assert_eq!(contest_lines(&reading), [expected]);
    }
    // Beside a place 2, "S" is something else.
    let reading = table("Date,Place,Name\n2024-03-01,G,Ann\n2024-03-01,2,Bea").unwrap();
    assert!(refused(&reading)[0].contains("place \"G\""), "{:?}", refused(&reading));
}

#[test]
fn means_of_places_are_shared_places() {
    let rows = |places: &[&str]| {
        let names = ["Ann", "Bea", "Cy", "Di", "Ed", "Fi"];
        let rows = places
            .iter()
            .zip(names)
            .map(|(place, name)| format!("\n2024-03-01;{place};{name}"));
        format!("Date;Place;Name{}", rows.collect::<String>())
    };
    for (places, expected) in [
        (&["1", "2.5", "2.5", "4"][..], "1 Ann, 2 Bea, 2 Cy, 4 Di"),
        (&["1,5", "1,5", "4", "4", "4", "6"], "1 Ann, 1 Bea, 3 Cy, 3 Di, 3 Ed, 6 Fi"),
    ] {
        assert_places(&rows(places), &format!("2024-03-01 2024-03-01: {expected}"));
    }
    for places in [&["1", "2.5", "3", "4"][..], &["1", "2.5", "2.5", "3"]] {
        let reading = table(&rows(places)).unwrap();
        assert!(refused(&reading)[0].contains("is not a place"), "{places:?}");
    }
}

#[test]
fn ratings_and_averages_are_proposed_as_no_score() {
    for headings in [
        "Games,Avg Rating,Avg Points",
        "Games,Elo,Win %",
        "Played,Average,Schnitt",
    ] {
        let text = format!("Player,{headings}\nAnn,51,1073,7.8\nBob,14,1082,7.9\nCay,97,925,6.6\n");
        let proposed = proposals(&text, &from_2024(1));
        assert!(!proposed.iter().any(|option| option.ends_with("=score")), "{proposed:?}");
    }
    // A total beside an average is proposed.
    let total = "Player,R1,R2,Average,Sum\nAnn,5,3,4,8\nBob,4,2,3,6\nCay,1,1,1,2\n";
    let start = ReadOptions {
        start: from_2024(1).start,
        ..ReadOptions::default()
    };
    let proposed = proposals(total, &start);
    assert!(proposed[0].contains("Sum=score"), "{proposed:?}");
    let average = total.replace(",Sum", ",Avg");
    assert_eq!(proposals(&average, &start), ["--layout players"]);
}

#[test]
fn words_beside_places_of_all_remove_nobody() {
    let text = "Race,Date,Pos,Driver,Status\n1,2024-03-01,1,Ann,running\n1,2024-03-01,2,Bo,crash\n\
                1,2024-03-01,3,Cy,running\n1,2024-03-01,4,Di,engine\n2,2024-03-08,1,Bo,running\n\
                2,2024-03-08,2,Ann,disqualified\n2,2024-03-08,3,Ed,crash\n";
    let numbers = ["1", "2", "3", "4"].iter().fold(text.to_owned(), |text, place| {
        text.replace(&format!(",{place},"), &format!(",{place}.0,"))
    });
    // Known words contradict the places as well.
    for text in [
        text.to_owned(),
        numbers,
        text.replace("crash", "DNF").replace("engine", ""),
    ] {
        let reading = table(&text).unwrap();
        let races = contest_lines(&reading);
        assert_eq!(races[0], "1 2024-03-01: 1 Ann, 2 Bo, 3 Cy, 4 Di", "{text}");
        assert_eq!(races[1], "2 2024-03-08: 1 Bo, 2 Ann, 3 Ed", "{text}");
        assert!(notes(&reading).contains("the places decide"), "{}", notes(&reading));
    }
    // Competitors without a place, and statuses below all finishers, are what their words say.
    let unplaced = text.replace(",4,Di", ",,Di");
    let refusals = refused(&table(&unplaced).unwrap()).join("; ");
    assert!(refusals.contains("--status crash="), "{refusals}");
    assert_places(
        "Date,Pos,Driver,Status\n2024-03-01,1,Ann,running\n2024-03-01,2,Bo,running\n2024-03-01,3,Cy,DNF",
        "2024-03-01 2024-03-01: 1 Ann, 2 Bo, dnf Cy",
    );
    // Of two places, the words come second.
    let two = "Date,Place,Name,Status\n2024-03-01,1,Ana,rolling\n2024-03-01,2,Bo,crash";
    let refusals = refused(&table(two).unwrap()).join("; ");
    let ignore = refusals.find("--column Status=ignore").unwrap();
    assert!(ignore < refusals.find("--status rolling").unwrap(), "{refusals}");
}

#[test]
fn word_beside_a_blank_place_is_a_status() {
    let relay = "Date,Place,Name,Result,Points\n2024-03-01,1,Ann,1:52.31,40\n2024-03-01,2,Bo,1:52.52,34\n\
                 2024-03-01,,Cy,DQ,\n2024-03-01,,Di,SCR,\n";
    assert_places(relay, "2024-03-01 2024-03-01: 1 Ann (40), 2 Bo (34), dq Cy");
    let forest = "Date,Pos,Name,Time\n2024-03-01,1,Ann,12:14\n2024-03-01,2,Bo,15:03\n2024-03-01,,Cy,DNF 21:44\n";
    assert_places(forest, "2024-03-01 2024-03-01: 1 Ann (734), 2 Bo (903), dnf Cy");
    let unknown = table(&forest.replace("DNF", "XSP")).unwrap();
    let refusals = refused(&unknown).join("; ");
    assert!(refusals.contains("--status XSP=dnf"), "{refusals}");
    // A word beside a time of a placed competitor is none.
    let placed = table(&forest.replace(",,Cy,DNF", ",3,Cy,PB")).unwrap();
    assert_eq!(standings_of(&placed), "1 Ann, 2 Bo, 3 Cy");
}

/// Returns the places and names of the first contest.
fn standings_of(reading: &FileReading) -> String {
    super::standings(reading).swap_remove(0)
}
