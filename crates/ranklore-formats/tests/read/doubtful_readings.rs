//! Tables that look like a kind which is read at once, and are of another: none may be read as such.

use super::{contest_lines, games::places, notes, table, table_with};
use ranklore_formats::{ReadOptions, StatedLayout};

/// Returns the lines of the contests of a table, none if it is refused.
fn lines(text: &str) -> Vec<String> {
    table(text).map(|reading| contest_lines(&reading)).unwrap_or_default()
}

#[test]
fn scores_of_opponents_are_read_with_those_of_winners() {
    let text = "Date,Winner,Opponent,Winner Score,Opponent Score\n2024-03-01,Ada,Bea,3,1\n2024-03-02,Cy,Di,3,0\n";
    let reading = table(text).unwrap();
    assert_eq!(places(&reading)[0], "2024-03-01 Ada – Bea: 1 Ada, 2 Bea");
    assert!(notes(&reading).contains("\"Opponent Score\" (E) decide"), "{}", notes(&reading));
    for contradiction in ["2024-03-02,Cy,Di,2,2", "2024-03-02,Cy,Di,0,3"] {
        let text = text.replace("2024-03-02,Cy,Di,3,0", contradiction);
        let lines = lines(&text);
        assert!(!lines.concat().contains("1 Cy, 2 Di"), "{contradiction}: {lines:?}");
    }
}

#[test]
fn opponents_are_no_losers_if_the_winner_can_be_either() {
    for text in [
        "Date,Venue,Opponent,Winner\n2024-03-01,Dock,Bears,Draw\n2024-03-02,Dock,Gulls,Owls\n",
        "Date,Home,Opponent,Winner\n2024-03-01,Owls,Bears,Bears\n2024-03-02,Owls,Gulls,Owls\n",
        "Date,Host,Opponent,Winner\n2024-03-01,Owls,Bears,Bears\n2024-03-02,Owls,Gulls,Owls\n",
    ] {
        let lines = lines(text).concat();
        assert!(!lines.contains("Draw") && !lines.contains("1 Bears, 2 Bears"), "{lines}");
    }
}

#[test]
fn texts_that_only_begin_like_a_win_name_no_winner() {
    for result in [
        "Owls won the toss and lost by 3",
        "Foxes won the toss and elected to bat",
        "Owls win overturned on appeal",
        "Owls won toss; no result",
        "Foxes won but disqualified",
        "Owls beat by Foxes",
    ] {
        let text = format!(
            "date,team1,team2,result\n2024-03-01,Owls,Foxes,{result}\n2024-03-02,Owls,Foxes,Owls won by 3\n"
        );
        let lines = lines(&text);
        assert!(!lines.iter().any(|line| line.contains("2024-03-01: 1")), "{result}: {lines:?}");
    }
}

#[test]
fn lists_with_more_than_a_winner_are_not_unfolded() {
    for rows in [
        "Date,Players,Winner,Runner-up\n2024-03-01,\"Ada, Bea, Cy\",Bea,Cy\n2024-03-02,\"Ada, Bea, Di\",Di,Ada\n",
        "Date,Players,Winner,Last one\n2024-03-01,\"Ada, Bea, Cy\",Bea,Cy\n2024-03-02,\"Ada, Bea, Di\",Di,Ada\n",
        "Date,Players,Winner,Scores\n2024-03-01,Ada; Bea; Cy,Bea,7; 9; 3\n2024-03-02,Ada; Bea; Di,Di,2; 5; 8\n",
        "Date,Players,Winner\n2024-03-01,\"Ada, Bo & Cy, Di\",Ada\n2024-03-02,\"Ada, Bea, Di\",Di\n",
    ] {
        assert_eq!(lines(rows), Vec::<String>::new(), "{rows}");
    }
}

#[test]
fn places_in_parts_are_not_those_of_the_race() {
    for headings in [
        "Swim Rank,Bike Rank",
        "Halfway Position,Age",
        "Best Lap Pos,Age",
    ] {
        let text = format!(
            "Date,Name,{headings}\n2024-03-01,Ada,1,4\n2024-03-01,Bea,2,9\n2024-03-01,Cy,3,2\n"
        );
        assert!(!lines(&text).concat().contains("1 Ada, 2 Bea, 3 Cy"), "{headings}");
    }
}

#[test]
fn nations_beside_people_in_several_contests_do_not_compete() {
    let captains = [
        ("Ada Lee", "Norland"),
        ("Bea Roe", "Sudland"),
        ("Cy Fox", "Estia"),
    ];
    let mut text = "Date,Sled captain,Country,Place\n".to_owned();
    for day in 1..4 {
        for (place, (captain, country)) in (1..).zip(captains) {
            text += &format!("2024-03-0{day},{captain},{country},{place}\n");
        }
    }
    assert!(!lines(&text).concat().contains("1 Norland"), "{:?}", lines(&text));
}

#[test]
fn unplaced_namesakes_are_not_left_out() {
    for rows in [
        "2024-03-01,1,Ada,7,\n2024-03-01,2,Bea,8,\n2024-03-01,3,Cy,9,\n2024-03-01,,Ada,12,DNF\n",
        "2024-03-01,1,Ada,7,\n2024-03-01,2,Bea,8,\n2024-03-01,3,Cy,9,\n2024-03-01,,Ada,7,DQ\n",
    ] {
        let text = format!("Date,Place,Name,Bib,Status\n{rows}");
        assert_eq!(lines(&text), Vec::<String>::new(), "{rows}");
    }
}

#[test]
fn headings_that_begin_another_ranking_are_refused() {
    let text = "Date,Name,Score\n2024-03-01,Ada,9\n2024-03-01,Bea,7\nDate,Name,Score\n2024-03-01,Cy,8\n2024-03-01,Di,6\n";
    let error = table(text).unwrap_err();
    assert!(
        error.contains("the headings stand again: if another contest begins here"),
        "{error}"
    );
}

#[test]
fn ages_and_genders_divide_teams_under_any_heading() {
    for (heading, values) in [
        ("League", ["Men", "Women"]),
        ("Competition", ["Boys U13", "Girls U15"]),
    ] {
        let text = format!(
            "Date,{heading},Home,Away,Home goals,Away goals\n2024-03-01,{},Owls,Gulls,2,1\n2024-03-02,{},Owls,Gulls,0,3\n",
            values[0], values[1]
        );
        let error = table(&text).unwrap_err();
        assert!(error.contains("--same-name-by"), "{error}");
    }
}

#[test]
fn monthly_ratings_are_no_contests() {
    let text =
        "Name,01/2024,02/2024,03/2024\nAda,1500,1512,1530\nBea,1480,1470,1475\nCy,1460,1465,1450\n";
    assert_eq!(lines(text), Vec::<String>::new());
    // The total is no sum of the months.
    let text = "Rank,Name,Total,02/2025,12/2024\n1,Ada,8.5,6,5\n2,Bea,7,4,6\n3,Cy,6,2,6\n";
    let error = table(text).unwrap_err();
    for option in ["--layout single", "--layout players"] {
        assert!(error.contains(option), "{error}");
    }
    let players = ReadOptions {
        layout: Some(StatedLayout::Players),
        ..super::scores(ReadOptions::default())
    };
    let lines = contest_lines(&table_with(text, &players).unwrap());
    assert!(lines[1].contains("2024-12-31: 1 Bea (6)"), "{lines:?}");
}

#[test]
fn english_headings_do_not_order_days_and_months() {
    for heading in ["Data Date", "Tag"] {
        let text = format!(
            "{heading},Home,Away,Home goals,Away goals\n03/04/2024,Owls,Gulls,2,1\n05/04/2024,Gulls,Foxes,0,3\n"
        );
        assert_eq!(lines(&text), Vec::<String>::new(), "{heading}");
    }
}

#[test]
fn statuses_of_times_that_are_not_read_stay() {
    let text = "Date,Place,Name,Gun Time,Chip Time\n2024-03-01,1,Ada,30:00,29:50\n2024-03-01,2,Bea,31:00,29:40\n2024-03-01,,Cy,,DNF\n";
    assert!(!lines(text).concat().ends_with("2 Bea (1860)"), "{:?}", lines(text));
}

#[test]
fn falling_ratings_are_no_places() {
    let text = "Name,Rank,Date\nAda,1516,2024-03-01\nBea,1515,2024-03-01\nCy,1484,2024-03-01\n";
    let error = table(text).unwrap_err();
    for option in [
        "--column Rank=score",
        "--column Rank=place",
        "--column Rank=ignore",
    ] {
        assert!(error.contains(option), "{error}");
    }
    // An extract of a long list, and a list that begins with the last.
    for text in [
        "Name,Rank,Date\nAda,1484,2024-03-01\nBea,1515,2024-03-01\nCy,1516,2024-03-01\n",
        "Name,Rank,Date\nAda,3,2024-03-01\nBea,2,2024-03-01\nCy,1,2024-03-01\n",
    ] {
        assert!(table(text).is_ok(), "{text}");
    }
}
