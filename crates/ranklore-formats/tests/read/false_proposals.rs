//! Columns that are proposed for no meaning which their headings and cells exclude.

use super::unknown_sides::to_options;
use super::{from_2024, proposals, refused, standings, table, table_with};
use ranklore_formats::ReadOptions;

#[test]
fn columns_that_describe_contests_are_proposed_last() {
    for heading in ["Circuit Name", "link_title", "Venue", "Judge", "gym_code"] {
        let text = format!(
            "place,{heading},artiste\n1,Dune Ring,Ada Arc\n2,Moor Ring,Bo Bell\n3,Fen Ring,Cy Cole\n"
        );
        assert_eq!(proposals(&text, &ReadOptions::default()), ["--column artiste=competitor"]);
        // They can be ranked themselves.
        let alone = text.replace(",artiste", ",City").replace("Ada Arc", "Ayr");
        let alone = alone.replace("Bo Bell", "Bonn").replace("Cy Cole", "Caen");
        let option = format!(
            "--column {}",
            ranklore_contest::quote_for_shell(&format!("{heading}=competitor"))
        );
        assert_eq!(proposals(&alone, &ReadOptions::default()), [option], "{heading}");
    }
    let events =
        "place,Event,artiste\n1,Dune Ring,Ada Arc\n2,Moor Ring,Bo Bell\n3,Fen Ring,Cy Cole\n";
    assert_eq!(proposals(events, &ReadOptions::default()), ["--column artiste=competitor"]);
    let alone = events.replace(",artiste", ",City");
    assert_eq!(proposals(&alone, &ReadOptions::default()), ["--column City=competitor"]);
}

#[test]
fn rankings_of_games_and_trainers_are_proposed() {
    for heading in ["Game", "Tag", "Title", "Class", "Series", "Coach"] {
        let text = format!(
            "place,{heading},Studio,n\n1,Dune Ring,Ada Arc,1\n2,Moor Ring,Bo Bell,2\n3,Fen Ring,Cy Cole,3\n"
        );
        let option = format!("--column {heading}=competitor");
        assert_eq!(proposals(&text, &ReadOptions::default())[0], option);
    }
}

#[test]
fn opponents_alone_are_proposed_as_no_competitors() {
    for heading in ["Opponent", "rywal"] {
        let text =
            format!("Date,{heading},Result\n2024-03-01,Ada Arc,Win\n2024-03-02,Bo Bell,Loss\n");
        assert_eq!(proposals(&text, &ReadOptions::default()), [""; 0]);
        let error = table(&text).unwrap_err();
        assert!(error.contains("add a column \"player\" with those who met"), "{error}");
        // With that column, they are games.
        let text = text.replace(heading, &format!("Player,{heading}")).replace("-01,", "-01,Me,");
        let games = proposals(&text.replace("-02,", "-02,Me,"), &ReadOptions::default());
        assert!(games[0].starts_with("--layout games"), "{games:?}");
    }
}

#[test]
fn one_of_several_competitors_in_a_row_is_not_proposed() {
    for text in [
        "date,Inner Rower,Outer Rower\n2024-03-01,Ada Arc,Bo Bell\n2024-03-02,Cy Cole,Ada Arc\n2024-03-03,Bo Bell,Cy Cole\n",
        "date,Lane 1 Rower Name,Lane 2 Rower Name\n2024-03-01,Ada Arc,Bo Bell\n2024-03-02,Cy Cole,Ada Arc\n2024-03-03,Bo Bell,Cy Cole\n",
    ] {
        assert_eq!(proposals(text, &ReadOptions::default()), [""; 0]);
        let error = table(text).unwrap_err();
        assert!(
            error.contains("write one row for each competitor in place of columns"),
            "{error}"
        );
        assert!(!error.contains("--layout contests"), "{error}");
    }
    // Two kinds of names are no two competitors.
    let kinds =
        "place,artiste name,kennel name\n1,Ada Arc,North\n2,Bo Bell,South\n3,Cy Cole,West\n";
    let option = "--column 'artiste name=competitor'";
    assert_eq!(proposals(kinds, &ReadOptions::default()), [option]);
    let parts = "Date,Wine name,Wine maker,Wine hue\n2024-03-01,Dune,North,red\n2024-03-01,Moor,South,white\n2024-03-01,Fen,West,rosy\n";
    let error = table(parts).unwrap_err();
    assert!(error.contains("--column 'Wine name=competitor'"), "{error}");
}

#[test]
fn columns_of_texts_are_no_competitors_of_contests_in_rows() {
    let texts =
        "date,evening,guest,outcome,bench\n2024-03-01,Moles,p1,good,2\n2024-03-01,Moles,p2,bad,2\n";
    let error = table(texts).unwrap_err();
    assert!(!error.contains("--layout contests"), "{error}");
    for results in [
        "date,Ada,Bo,remark,sky\n2024-03-01,5,7,dry,blue\n2024-03-02,4,DNF,wet,grey\n",
        "date,Ada Score,Bo Score,Cy\n2024-03-01,5,7,3\n2024-03-02,4,6,2\n",
    ] {
        assert!(table(results).unwrap_err().contains("--layout contests"));
    }
}

#[test]
fn ratings_and_numbers_of_rounds_are_no_contests() {
    let start = ReadOptions {
        start: from_2024(1).start,
        ..ReadOptions::default()
    };
    let totals = "Player,TotalPts,PreRating,AvgOppRating\nAda,6.0,1794,1605\nBo,6.0,1553,1469\nCy,5.5,1384,1564\n";
    assert_eq!(proposals(totals, &start), ["--column TotalPts=score"]);
    let ratings =
        "Player,Club Rating,Peak Rating,kolejka\nAda,1794,1805,1\nBo,1553,1569,2\nCy,1384,1464,3\n";
    assert_eq!(proposals(ratings, &start), [""; 0]);
    let rounds = "Player,Ascona,Club Rating\nAda,5,1800\nBo,3,1750\nCy,2,1790\n";
    let options = ReadOptions {
        layout: Some(ranklore_formats::StatedLayout::Players),
        ..super::scores(start)
    };
    assert_eq!(standings(&table_with(rounds, &options).unwrap()), ["1 Ada, 2 Bo, 3 Cy"]);
    // These are contests.
    let contests = "Player,TotalEnergies Cup,SumUp Open,Advent of Code,Week\nAda,5,9,8,7\nBo,3,7,6,5\nCy,2,5,4,3\n";
    assert_eq!(standings(&table_with(contests, &options).unwrap()), ["1 Ada, 2 Bo, 3 Cy"; 4]);
}

#[test]
fn codes_are_proposed_as_no_scores() {
    let text = "race_date,place_code,Rider,lap\n2024-03-01,42,Ada,12.6\n2024-03-01,42,Bo,12.5\n2024-03-02,44,Cy,11.9\n2024-03-02,44,Ada,12.0\n";
    assert_eq!(proposals(text, &ReadOptions::default()), [""; 0]);
    // A date says that the rows are results.
    let error = table(text).unwrap_err();
    assert!(!error.contains("--layout players"), "{error}");
}

#[test]
fn names_that_meet_themselves_are_no_sides() {
    let text = "Date,FactionA,FactionB,ChefA,ChefB,PointsA,PointsB\n2024-03-01,Orks,Elves,Ada,Bo,10,5\n2024-03-02,Elves,Elves,Cy,Ada,3,7\n2024-03-03,Men,Dwarfs,Bo,Cy,8,6\n";
    // Sets of cards are hardly names.
    let sets = text.replace("Faction", "Set").replace("Elves,Elves", "Elves,Orks");
    for text in [text, &sets] {
        let options = proposals(text, &ReadOptions::default());
        assert!(options[0].contains("'ChefA=player 1'"), "{options:?}");
        assert!(!options[0].contains("Faction") && !options[0].contains("Set"), "{options:?}");
    }
}

#[test]
fn numbers_are_proposed_as_no_statuses() {
    let text = "Date,Place,Name,faults,verdict\n2024-03-01,1,Ada,0,fine\n2024-03-01,2,Bo,0,fine\n2024-03-01,3,Cy,0,fine\n2024-03-01,,Di,100,gone home\n";
    let reading = table(text).unwrap();
    let options = reading.refused.iter().flat_map(|refused| refused.options.clone());
    let options: Vec<String> = options.map(|option| option.to_string()).collect();
    assert!(options.contains(&"--column verdict=status".to_owned()), "{options:?}");
    assert!(!options.concat().contains("faults"), "{options:?}");
}

#[test]
fn many_reasons_among_places_are_proposed_as_statuses() {
    let text = "Date,Place,Name\n2024-03-01,1,Ada\n2024-03-01,2,Bo\n2024-03-01,Gearbox,Cy\n2024-03-01,Engine,Di\n2024-03-01,Accident,Ed\n2024-03-01,Spun off,Fay\n2024-03-01,Clutch,Gus\n2024-03-01,Ignition,Hal\n2024-03-01,Fuel pump,Ivy\n";
    let reasons = refused(&table(text).unwrap()).concat();
    assert!(reasons.contains("--status Gearbox=dnf"), "{reasons}");
    // Of names alone, none is a status.
    let names = text.replace(",1,", ",Abbot,").replace(",2,", ",Baker,");
    let reasons = table(&names).map_or_else(|error| error, |reading| refused(&reading).concat());
    assert!(!reasons.contains("--status"), "{reasons}");
}

#[test]
fn numbers_that_rise_with_dates_are_no_places() {
    let text = "1,2024-03-01,Ada Arc,21.5\n2,2024-03-01,Bo Bell,22.1\n3,2024-03-08,Ada Arc,21\n4,2024-03-08,Cy Cole,23\n";
    let options = ReadOptions {
        no_headings: true,
        ..to_options(&["--column".to_owned(), "C=competitor".to_owned()])
    };
    assert_eq!(proposals(text, &options), [""; 0]);
    let one_day = text.replace("3,2024-03-08,Ada", "3,2024-03-08,Di");
    assert_eq!(proposals(&one_day, &options), ["--column A=place"]);
}

#[test]
fn numbers_of_races_are_proposed_as_contests() {
    let text = "race_date,race_no,place,Name\n2024-03-01,1,1,Ada\n2024-03-01,1,2,Bo\n2024-03-01,2,1,Cy\n2024-03-01,2,2,Di\n";
    let reading = table(text).unwrap();
    let options = reading.refused.iter().flat_map(|refused| refused.options.clone());
    let options: Vec<String> = options.map(|option| option.to_string()).collect();
    assert!(options.contains(&"--column race_no=contest".to_owned()), "{options:?}");
    assert!(!options.contains(&"--column race_no=ignore".to_owned()), "{options:?}");
}
