//! Columns that are contests, parts of one contest, or neither; and layouts that the user states.

use super::{contest_lines, from_2024, notes, table_with};
use proptest::prelude::*;
use ranklore_formats::{ColumnMeaning, FileReading, ReadOptions, StatedLayout};

/// Options with a start and this layout.
fn with_layout(layout: Option<StatedLayout>) -> ReadOptions {
    ReadOptions {
        layout,
        every_days: None,
        ..super::scores(from_2024(1))
    }
}

/// The message of a table that is refused.
fn refusal(text: &str, options: &ReadOptions) -> String {
    match table_with(text, options) {
        Ok(reading) => panic!("{text}\nreads as {:?}", contest_lines(&reading)),
        Err(message) => message,
    }
}

fn assert_refused(text: &str, layout: Option<StatedLayout>, texts: &[&str]) {
    let message = refusal(text, &with_layout(layout));
    for texts in texts {
        assert!(message.contains(texts), "no {texts:?} in {message:?}");
    }
}

const PLAYERS: Option<StatedLayout> = Some(StatedLayout::Players);
const SINGLE: Option<StatedLayout> = Some(StatedLayout::Single);
const ROWS: Option<StatedLayout> = Some(StatedLayout::Rows);

const SUM_OF_TWO: &str = "player,Ascona,Berlin,total\na,5,9,14\nb,4,8,12";

#[test]
fn total_of_numbers_is_refused_until_layout_is_stated() {
    let both = ["\"Ascona\" (B)", "--layout single", "--layout players"];
    assert_refused(SUM_OF_TWO, None, &both);
    let one = table_with(SUM_OF_TWO, &with_layout(SINGLE)).unwrap();
    assert_eq!(contest_lines(&one), ["Club night 2024-01-01: 1 a (14), 2 b (12)"]);
    assert!(notes(&one).contains("no contests of their own: \"Ascona\" (B), \"Berlin\" (C)"));
    let two = table_with(SUM_OF_TWO, &with_layout(PLAYERS)).unwrap();
    assert_eq!(
        contest_lines(&two),
        [
            "Ascona 2024-01-01: 1 a (5), 2 b (4)",
            "Berlin 2024-01-02: 1 a (9), 2 b (8)"
        ]
    );
    // "#" may number the rows.
    assert_refused("#,player,Ascona\n1,a,9\n2,b,8", None, &both[1..]);
    for score in ["points", "total"] {
        let numbered = format!("#,player,Ascona,{score}\n1,a,9,5\n2,b,8,4");
        assert_eq!(
            contest_lines(&table_with(&numbered, &with_layout(None)).unwrap()),
            ["Club night 2024-01-01: 1 a (5), 2 b (4)"]
        );
    }
    // A single column of numbers is no contest that hides the total either.
    assert_refused("player,bonus,total\na,5,14\nb,4,12", None, &both[1..]);
}

#[test]
fn total_under_unknown_heading_is_found() {
    let rounds = "player,R1,R2,nett\na,5,9,14\nb,4,8,12\nc,7,,7";
    let options = ["--layout single --column nett=score", "--layout players"];
    assert_refused(rounds, None, &options);
    let headed = "player,R1,R2,\"Season total\"\na,5,9,9\nb,4,8,8";
    assert_refused(headed, None, &["--column 'Season total=score'"]);
    let german = "Name;Schwimmen;Rad;Gesamt\na;0:20;0:30;0:50\nb;0:21;0:31;0:52";
    assert_refused(german, None, &["--layout single --column Gesamt=score"]);
    let places = "Ord,player,R1,R2\n1,a,5,9\n2,b,4,8\n3,c,4,7";
    assert_refused(places, None, &["--layout single --column Ord=place"]);
    let two_handicaps = "Handicap,player,R1,R2\n1,a,5,9\n2,b,4,8";
    assert_eq!(table_with(two_handicaps, &with_layout(None)).unwrap().contests.len(), 2);
    // In a series of any headings, the sum of the others is not a contest.
    let legs = "player,Swim,Bike,Run,Line\na,1,5,9,15\nb,2,4,8,14";
    let series = table_with(legs, &with_layout(PLAYERS)).unwrap();
    assert_eq!(series.contests.len(), 3);
    assert!(notes(&series).contains("only other columns are headed like contests: \"Line\" (E)"));
}

#[test]
fn times_beside_total_time_need_only_a_direction() {
    for total in ["total", "Total time", "time", "result", "Temps total"] {
        let text = format!(
            "player,swim,run,{total}\na,0:20:00,0:30:00,0:50:00\nb,0:21:00,0:27:00,0:48:00"
        );
        assert_refused(&text, None, &["--lower-is-better"]);
        let options = ReadOptions {
            lower_is_better: true,
            ..with_layout(None)
        };
        assert_eq!(
            contest_lines(&table_with(&text, &options).unwrap()),
            ["Club night 2024-01-01: 1 b (2880), 2 a (3000)"]
        );
    }
}

#[test]
fn overall_is_place_only_beside_times() {
    let places = "name,5k,overall\na,20:00,2\nb,19:00,1\nc,21:00,3";
    let reading = table_with(places, &with_layout(None)).unwrap();
    assert_eq!(contest_lines(&reading), ["Club night 2024-01-01: 1 b, 2 a, 3 c"]);
    // These may be sums, of which the highest wins.
    let sums = "name,5k,overall\na,20:00,2\nb,19:00,1\nc,21:00,4";
    assert_refused(sums, None, &["overall=score"]);
    assert_refused(sums, SINGLE, &["--column overall=score"]);
    // A ranking is hardly a sum.
    let ranking = "name,bonus,overall\na,1,2\nb,1,1\nc,2,3";
    assert_refused(ranking, None, &["overall=place"]);
    assert_refused(ranking, SINGLE, &["--column overall=place"]);
    let sum = ReadOptions {
        columns: [("overall".to_owned(), ColumnMeaning::Summary)].into(),
        ..with_layout(None)
    };
    assert!(refusal(places, &sum).contains("overall=score"));
}

#[test]
fn every_states_rounds_only() {
    let every = super::scores(from_2024(7));
    let rounds = "player,bonus,R1,R2,Final,total\na,1,5,9,3,18\nb,2,4,8,2,16";
    let series = table_with(rounds, &every).unwrap();
    let names: Vec<_> = series.contests.iter().map(|c| c.name).collect();
    assert_eq!(names, ["R1", "R2", "Final"]);
    assert!(notes(&series).contains("only other columns are headed like rounds: \"bonus\" (B)"));
    let message = refusal("place,player,Ascona,Berlin\n1,a,5,9\n2,b,4,8", &every);
    assert!(message.contains("\"Ascona\" (C)") && message.contains("--layout players"));
}

#[test]
fn column_beside_one_round_is_not_guessed() {
    let text = "player,Handicap,Week 1\na,12,501\nb,0,470";
    for options in [with_layout(None), from_2024(7)] {
        let message = refusal(text, &options);
        assert!(message.contains("\"Handicap\" (B)"), "{message}");
        assert!(message.contains("--column Handicap=ignore"), "{message}");
    }
    let rounds = table_with("player,Week 1\na,501\nb,470", &with_layout(None)).unwrap();
    assert_eq!(rounds.contests.len(), 1);
    let text = "player,Ascona,Berlin\na,1,2\nb,2,1\nc,3,3";
    assert_refused(text, None, &["\"Ascona\" (B) hold", "Ascona=ignore"]);
    let text = "player,Day,R1,R2\na,Monday,5,9\nb,Monday,4,8";
    assert_refused(text, None, &["\"Day\" (B)", "--column Day=ignore"]);
}

#[test]
fn counts_and_descriptions_rank_nobody() {
    let text = "player,Played,Rounds,Sail No,Club,R1,R2\na,2,2,7,x,5,9\nb,2,2,9,y,4,8";
    let reading = table_with(text, &with_layout(None)).unwrap();
    assert_eq!(reading.contests.len(), 2);
    assert_refused("player,Best,R1,R2\na,9,5,9\nb,8,4,8", None, &["R1"]);
}

#[test]
fn unsuitable_layout_is_refused() {
    let long = "contest,date,place,player,laps run\nA,2024-03-01,1,a,9\nB,2024-03-08,1,a,8";
    assert_refused(long, SINGLE, &["\"contest\" (A)", "--layout rows"]);
    assert_refused(long, PLAYERS, &["\"contest\" (A)", "contest=ignore"]);
    let dates = "date,place,player\n2024-03-01,1,a\n2024-03-08,1,a";
    assert_refused(dates, SINGLE, &["\"date\" (A)", "--column date=ignore"]);
    assert_refused(dates, PLAYERS, &["a column for each contest"]);
    let divided = "place,player,class\n1,a,X\n1,b,Y";
    assert_refused(divided, SINGLE, &["\"class\" (C)", "--column class=ignore"]);
    let heats = "place,player,heat\n1,a,1\n2,b,1\n1,c,2\n2,d,2";
    assert_refused(heats, SINGLE, &["\"heat\" (C)", "--column heat=ignore"]);
    let wide = "player,R1,R2\na,5,9\nb,4,8";
    assert_refused(wide, ROWS, &["places or scores", "HEADING=score"]);
    assert_refused(wide, SINGLE, &["places or scores", "HEADING=score"]);
    let dated = "player,R1,R2,total\ndate,2024-03-01,2024-03-08,\na,5,9,14\nb,4,8,12";
    for layout in [ROWS, SINGLE] {
        assert_refused(dated, layout, &["line 2", "--layout players"]);
    }
    assert_refused("player,score\na,5\nb,4", PLAYERS, &["scores and sums"]);
}

#[test]
fn contest_column_beside_dated_columns_is_refused() {
    let text = "tour,player,2024-03-01,2024-03-08,total\nA,a,5,9,14\nA,b,4,8,12";
    assert_refused(text, None, &["\"tour\" (A)", "--layout rows", "--layout players"]);
    let series = table_with(text, &with_layout(PLAYERS)).unwrap();
    assert_eq!(series.contests.len(), 2);
    assert_eq!(table_with(text, &with_layout(ROWS)).unwrap().contests.len(), 1);
}

#[test]
fn suitable_layout_changes_nothing() {
    for (text, layout) in [
        ("contest,date,place,player\nA,2024-03-01,1,a\nB,2024-03-08,1,a", ROWS),
        ("contest,date,place,player\nA,2024-03-01,1,a\nA,2024-03-01,2,b", SINGLE),
        ("place,player,R\n1,a,5\n2,b,6", SINGLE),
        ("place,player,R\n1,a,5\n2,b,6", ROWS),
        ("player,R1,bonus,R2\na,5,1,9\nb,4,1,8", PLAYERS),
        ("place,player,2024-03-01\n1,a,5\n2,b,4", PLAYERS),
        ("player,R1\ndate,2024-03-01\na,5\nb,4", PLAYERS),
    ] {
        let (unstated, read) =
            (table_with(text, &with_layout(None)), table_with(text, &with_layout(layout)));
        let contests = |reading: Result<FileReading, String>| contest_lines(&reading.unwrap());
        assert_eq!(contests(read), contests(unstated), "{text}");
    }
}

/// The contests of a reading, without the order of contests and of tied entrants, and without the
/// dates that follow from the order of columns; an error without its text, which names the first
/// column.
fn contest_set(text: &str, options: &ReadOptions) -> Option<Vec<String>> {
    let reading = table_with(text, options).ok()?;
    let numbered = notes(&reading).contains("contests are dated from");
    let mut contests: Vec<String> = reading
        .contests
        .iter()
        .map(|contest| {
            let places = contest
                .entrants
                .iter()
                .map(|entrant| (entrant.outcome.place(), &entrant.competitor));
            let mut places: Vec<_> = places.collect();
            places.sort_unstable();
            let date = (!numbered).then_some(contest.ends_at);
            format!("{} {date:?} {places:?}", contest.name)
        })
        .collect();
    contests.sort_unstable();
    // A table can be refused at once, or each of its contests.
    (!contests.is_empty()).then_some(contests)
}

/// A column: its heading and its cells.
type Column = (String, Vec<String>);

fn to_text(columns: &[Column]) -> String {
    let row = |cells: Vec<&str>| cells.join(",") + "\n";
    let rows = (0..columns[0].1.len())
        .map(|at| row(columns.iter().map(|column| column.1[at].as_str()).collect()));
    let headings = row(columns.iter().map(|column| column.0.as_str()).collect());
    headings + &rows.collect::<String>()
}

/// The number of rows of generated tables.
const ROWS_OF_TABLE: usize = 4;

/// A table of four players with one to six further columns under different headings.
fn columns() -> impl Strategy<Value = Vec<Column>> {
    let headings = vec![
        "place",
        "total",
        "Gesamt",
        "time",
        "points",
        "overall",
        "R1",
        "Round 2",
        "3",
        "Final",
        "5k",
        "Half",
        "bonus",
        "Leg 1",
        "A 2024-03-01",
        "B 2024-03-08",
        "date",
        "Club",
        "Total pts",
    ];
    let cell = prop_oneof![
        (1_u32..5).prop_map(|n| n.to_string()),
        (10_u32..99, 10_u32..59).prop_map(|(m, s)| format!("{m}:{s}")),
        (1_u32..999).prop_map(|n| format!("{}.{}", n / 10, n % 10)),
        Just("2024-03-01".to_owned()),
        Just("DNF".to_owned()),
        Just(String::new()),
    ];
    let places = Just(["1", "2", "3", "4"].map(str::to_owned).to_vec()).prop_shuffle();
    let times = prop::collection::vec(10_u32..59, ROWS_OF_TABLE)
        .prop_map(|minutes| minutes.iter().map(|m| format!("{m}:00")).collect());
    let cells = prop_oneof![
        2 => places,
        2 => times,
        1 => prop::collection::vec(cell, ROWS_OF_TABLE),
    ];
    let names = ["a", "b", "c", "d"].map(str::to_owned).to_vec();
    (prop::sample::subsequence(headings, 1..=6), prop::collection::vec(cells, 6)).prop_map(
        move |(headings, cells)| {
            let headings = headings.into_iter().map(str::to_owned);
            let mut columns: Vec<Column> = headings.zip(cells).collect();
            // A row without a date would refuse the contest of the row above.
            let dates = ["2024-03-01", "2024-03-08", "2024-03-01", "2024-03-08"];
            for (_, cells) in columns.iter_mut().filter(|column| column.0 == "date") {
                *cells = dates.map(str::to_owned).to_vec();
            }
            columns.push(("player".to_owned(), names.clone()));
            columns
        },
    )
}

fn options() -> impl Strategy<Value = ReadOptions> {
    let layout = prop::sample::select(vec![None, None, ROWS, PLAYERS, SINGLE]);
    (layout, any::<bool>(), any::<bool>()).prop_map(|(layout, lower_is_better, every)| {
        ReadOptions {
            layout,
            lower_is_better,
            every_days: every.then_some(7),
            ..from_2024(1)
        }
    })
}

proptest! {
    #[test]
    fn order_of_columns_and_rows_does_not_matter(
        (table, moved) in columns().prop_flat_map(|table| (Just(table.clone()), Just(table).prop_shuffle())),
        rows in Just(vec![0, 1, 2, 3]).prop_shuffle(),
        options in options(),
    ) {
        let moved: Vec<Column> = moved.into_iter()
            .map(|(heading, cells)| (heading, rows.iter().map(|&row: &usize| cells[row].clone()).collect()))
            .collect();
        let (before, after) = (to_text(&table), to_text(&moved));
        let contests = contest_set(&before, &options);
        // The order of the rows is evidence where a total leaves the cells open.
        let follows_rows = [&before, &after].into_iter().any(|text| match table_with(text, &options) {
            Ok(reading) => notes(&reading).contains("the rows follow"),
            Err(refusal) => refusal.contains("--cells"),
        });
        prop_assume!(!follows_rows);
        prop_assert_eq!(contest_set(&after, &options), contests, "{}\n{}", before, after);
    }

    #[test]
    fn unread_text_column_changes_nothing(
        table in columns(),
        heading in prop::sample::select(vec!["Sponsor", "Home town", "Remarks", "Shirt"]),
        words in prop::collection::vec("[b-f]{3,5}", ROWS_OF_TABLE),
        at in any::<prop::sample::Index>(),
        options in options(),
    ) {
        let mut longer = table.clone();
        longer.insert(at.index(table.len() + 1), (heading.to_owned(), words));
        prop_assert_eq!(
            contest_set(&to_text(&longer), &options),
            contest_set(&to_text(&table), &options)
        );
    }

    #[test]
    fn cumulative_splits_are_never_contests(
        splits in prop::sample::subsequence(
            vec!["5k", "10 km", "Half", "Leg 1", "Lap 2", "Swim", "R1", "R2", "3", "Race 4", "Ascona"],
            1..=6,
        ),
        steps in prop::collection::vec(prop::collection::vec(1_u32..600, 7), 2..5),
        total in prop::sample::select(vec![
            "Total", "Total time", "Finish time", "Gesamt", "Result", "place", "Season total",
        ]),
        clock in any::<bool>(),
        lower in any::<bool>(),
    ) {
        let show = |seconds: u32| if clock {
            format!("{}:{:02}", seconds / 60, seconds % 60)
        } else {
            seconds.to_string()
        };
        let sums = |row: &Vec<u32>| -> Vec<u32> {
            let elapsed = row.iter().scan(0, |sum, step| { *sum += step; Some(*sum) });
            elapsed.take(splits.len() + 1).collect()
        };
        let results: Vec<u32> = steps.iter().map(|row| sums(row)[splits.len()]).collect();
        let is_place = total == "place";
        let mut text = format!("player,{},{total}\n", splits.join(","));
        for (row, &result) in steps.iter().zip(&results) {
            let name = format!("p{result}");
            let sums_shown: Vec<String> = sums(row)[..splits.len()].iter().map(|&sum| show(sum)).collect();
            let better = results.iter().filter(|&&other| other < result).count() + 1;
            let last = if is_place { better.to_string() } else { show(result) };
            text += &format!("{name},{},{last}\n", sums_shown.join(","));
        }
        let mut names = results.clone();
        names.sort_unstable();
        names.dedup();
        prop_assume!(names.len() == results.len());
        let options = ReadOptions { lower_is_better: lower, ..with_layout(None) };
        if let Ok(reading) = table_with(&text, &options) {
            prop_assert_eq!(reading.contests.len(), 1, "{}", text);
            let order = reading.contests.get(0).unwrap().entrants.into_iter();
            let mut expected: Vec<String> = names.iter().map(|name| format!("p{name}")).collect();
            if !is_place && !lower {
                expected.reverse();
            }
            let order: Vec<String> = order.map(|entrant| entrant.competitor).collect();
            prop_assert_eq!(order, expected, "{}", text);
        }
    }
}

#[test]
fn largest_total_is_proposed_as_the_score() {
    let text = "name,fx-total,fx-d,vt-total,vt-d,aa-score,aa-rank\nAbel,11.3,2.3,11.75,2,65.45,\n\
                Liam,10.8,2.0,11.5,2,68.6,\nTom,10.85,2.3,11.3,2,66.65,\n";
    for heading in ["aa-score", "aa_total", "all-around"] {
        let error = table_with(&text.replace("aa-score", heading), &from_2024(1)).unwrap_err();
        let option = format!("--column {heading}=score");
        assert!(error.contains(&option) && !error.contains("fx-total=score"), "{error}");
    }
    // No total is the largest in each row.
    let text = text.replace("68.6", "1.6");
    let error = table_with(&text, &from_2024(1)).unwrap_err();
    assert!(error.contains("--column fx-total=score"), "{error}");
}

#[test]
fn finishers_without_rank_name_the_column() {
    let text = "Race,Name,State,Order\nk2,Ann,finisher,1\nk2,Bo,finisher,2\nk2,Cy,finisher,3\nk2,Di,DNF,\n";
    let error = table_with(&text.replace("Order", "Rk scr"), &from_2024(1)).unwrap_err();
    assert!(error.contains("status \"finisher\""), "{error}");
    assert!(error.contains("--column 'Rk scr=place'"), "{error}");
    let other = text.replace("Order", "Club");
    let other = ["1", "2", "3"]
        .iter()
        .fold(other, |text, n| text.replace(&format!("r,{n}\n"), "r,ABC\n"));
    let error = table_with(&other, &from_2024(1)).unwrap_err();
    assert!(error.contains("--column HEADING=place"), "{error}");
}
