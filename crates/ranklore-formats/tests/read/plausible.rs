//! Tables with a reading that is possible, and wrong: results contradict it.

use super::{
    contest_lines, from_2024, lower_is_better, notes, proposals, refused, standings, table,
    table_with,
};
use ranklore_formats::{CellStatus, ColumnMeaning, ReadOptions, StatedLayout};

pub(super) fn with_column(heading: &str, meaning: ColumnMeaning) -> ReadOptions {
    ReadOptions {
        columns: [(heading.to_owned(), meaning)].into(),
        ..ReadOptions::default()
    }
}

/// Asserts that a table is refused, with all of these options.
pub(super) fn assert_refused(text: &str, options: &ReadOptions, proposed: &[&str]) {
    let refusal = table_with(text, options).err().unwrap_or_else(|| panic!("reads: {text}"));
    for option in proposed {
        assert!(refusal.contains(option), "{option}: {refusal}");
    }
}

#[test]
fn places_under_other_headings_are_proposed() {
    let rows = [
        "2024-05-04,1,Ida,b",
        "2024-05-04,2,Ben,a",
        "2024-05-04,3,Kit,a",
    ]
    .join("\n");
    for (headings, heading) in [
        ("Date,Nr,Name,Bike", "Nr"),
        ("Date,Rider,Name,Bike", "Rider"),
        ("Date,P,Team,Car", "P"),
    ] {
        let text = format!("{headings}\n{rows}");
        let option = format!("--column {heading}=place");
        assert_refused(&text, &ReadOptions::default(), &[&option]);
        let reading = table_with(&text, &with_column(heading, ColumnMeaning::Place)).unwrap();
        assert_eq!(contest_lines(&reading), ["2024-05-04 2024-05-04: 1 Ida, 2 Ben, 3 Kit"]);
    }
    // Bibs stand in any order.
    let bibs = rows.replace(",1,", ",2,").replace("2,Ben", "1,Ben");
    let error = table(&format!("Date,Nr,Name,Bike\n{bibs}")).unwrap_err();
    assert!(!error.contains("Nr=place"), "{error}");
}

#[test]
fn numbers_beside_names_are_no_competitors() {
    let text = "date,rider,rider_name,position\n2024-05-04,17,Ida,1\n2024-05-04,23,Ben,2\n";
    let reading = table(text).unwrap();
    assert_eq!(contest_lines(&reading), ["2024-05-04 2024-05-04: 1 Ida, 2 Ben"]);
    let notes = notes(&reading);
    assert!(
        notes.contains("--column 'rider=competitor id' if it identifies competitors"),
        "{notes}"
    );
}

#[test]
fn meets_are_contests_and_not_their_events() {
    let text = "Name,Event,Division,Place,Date,MeetName\nIda,SBD,Open,1,2024-05-04,Bridge Open\nBen,SBD,Open,2,2024-05-04,Bridge Open\nKit,SBD,Open,1,2024-05-04,Quay Open\nLou,SBD,Open,2,2024-05-04,Quay Open\n";
    assert_eq!(
        contest_lines(&table(text).unwrap()),
        [
            "Bridge Open 2024-05-04: 1 Ida, 2 Ben",
            "Quay Open 2024-05-04: 1 Kit, 2 Lou"
        ]
    );
}

#[test]
fn games_with_names_are_events_of_the_contests() {
    let text = "Games,Year,Event,Rank,Athlete
2016 Summer,2016,57 kg,1,Ida
2016 Summer,2016,57 kg,2,Ben
2016 Autumn,2016,57 kg,1,Ben
2016 Autumn,2016,57 kg,2,Ida
";
    let reading = table(text).unwrap();
    let contests = reading.contests.to_vec();
    let events: Vec<_> = contests.iter().map(|contest| contest.event.as_deref()).collect();
    assert_eq!(events, [Some("2016 Summer"), Some("2016 Autumn")]);
    assert_eq!(
        contest_lines(&reading),
        [
            "57 kg 2016-12-31: 1 Ida, 2 Ben",
            "57 kg 2016-12-31: 1 Ben, 2 Ida"
        ]
    );
    // Numbers count games.
    let counts = text.replace("2016 Summer,", "3,").replace("2016 Autumn,", "4,");
    assert!(
        table(&counts).is_ok_and(|reading| {
            reading.contests.iter().all(|contest| contest.event.is_none())
        })
    );
}

#[test]
fn columns_without_headings_are_no_contests() {
    let rows = "20240328,0,Thu,Gulls,AL,1,Kelpies,NL,1,11,3
20240328,0,Thu,Spray,AL,1,Larks,AL,1,0,1
20240329,0,Fri,Kelpies,NL,2,Gulls,AL,2,2,5
20240329,0,Fri,Larks,AL,2,Spray,AL,2,4,1
";
    let options = ReadOptions {
        no_headings: true,
        ..ReadOptions::default()
    };
    let error = table_with(rows, &options).unwrap_err();
    // The sides of a game are no competitors of a contest.
    assert!(error.contains("--column HEADING=competitor"), "{error}");
    let results = "2024-03-28,Thu,1,Gulls\n2024-03-28,Thu,2,Kelpies\n2024-03-28,Thu,3,Spray\n";
    let error = table_with(results, &options).unwrap_err();
    assert!(error.contains("--column D=competitor"), "{error}");
    let options = ReadOptions {
        columns: [("D".to_owned(), ColumnMeaning::Competitor)].into(),
        ..options
    };
    assert_refused(results, &options, &["--column C=place"]);
}

#[test]
fn statuses_in_remarks_decide() {
    let expected = "2024-05-04 2024-05-04: 1 Ida (3600), 2 Ben (3700), dnf Kit";
    for rows in [
        "Position,Name,Time,Remarks\n1,Ida,1:00:00,\n2,Ben,1:01:40,\n3,Kit,,DNF\n4,Lou,,DNS",
        "Rank,Name,Time,Result\n1,Ida,1:00:00,OK\n2,Ben,1:01:40,OK\n999,Kit,,DNF\n999,Lou,,DNS",
        "Rank,Name,Time,Finish\n1,Ida,1:00:00,FIN\n2,Ben,1:01:40,FIN\n9999,Kit,,DNF\n9999,Lou,,DNS",
    ] {
        let text = rows.replace('\n', "\n2024-05-04,");
        let reading = table(&format!("Date,{text}")).unwrap();
        assert_eq!(contest_lines(&reading), [expected], "{text}");
        assert!(notes(&reading).contains("=ignore if they do not"), "{}", notes(&reading));
    }
}

#[test]
fn statuses_that_contradict_places_are_refused() {
    for remarks in [["DNF", "", ""], ["DNF", "PB", "DNS"]] {
        let [a, b, c] = remarks;
        let text = format!(
            "Date,Place,Name,Remarks\n2024-05-04,1,Ida,{a}\n2024-05-04,2,Ben,{b}\n2024-05-04,3,Kit,{c}"
        );
        let options = ["--column Remarks=status", "--column Remarks=ignore"];
        assert_refused(&text, &ReadOptions::default(), &options);
        let reading = table_with(&text, &with_column("Remarks", ColumnMeaning::Ignore)).unwrap();
        assert_eq!(contest_lines(&reading), ["2024-05-04 2024-05-04: 1 Ida, 2 Ben, 3 Kit"]);
    }
    // Codes of clubs and states are no statuses.
    let text = "Date,Place,Name,Club\n2024-05-04,1,Ida,NC\n2024-05-04,2,Ben,EX\n2024-05-04,3,Kit,";
    assert_eq!(
        contest_lines(&table(text).unwrap()),
        ["2024-05-04 2024-05-04: 1 Ida, 2 Ben, 3 Kit"]
    );
}

#[test]
fn one_ranking_is_not_divided_by_courses() {
    for heading in ["Course", "Round", "Event", "Race"] {
        let text = format!(
            "Date,Pos,Player,{heading}\n2024-05-04,1,Ida,Hill\n2024-05-04,T2,Ben,Lake\n\
             2024-05-04,T2,Kit,Hill\n2024-05-04,4,Lou,Lake"
        );
        let ignore = format!("--column {heading}=ignore");
        let contest = format!("--column {heading}=");
        assert_refused(&text, &ReadOptions::default(), &[&ignore, &contest]);
        let reading = table_with(&text, &with_column(heading, ColumnMeaning::Ignore)).unwrap();
        assert_eq!(contest_lines(&reading), ["2024-05-04 2024-05-04: 1 Ida, 2 Ben, 2 Kit, 4 Lou"]);
        let reading = table_with(&text, &with_column(heading, ColumnMeaning::Contest)).unwrap();
        assert_eq!(contest_lines(&reading).len(), 2);
    }
    // Rankings of their own divide.
    let text = "Date,Pos,Player,Course\n2024-05-04,1,Ida,Hill\n2024-05-04,2,Ben,Hill\n\
                2024-05-04,1,Kit,Lake\n2024-05-04,2,Lou,Lake";
    assert_eq!(contest_lines(&table(text).unwrap()).len(), 2);
}

#[test]
fn numbers_of_competitors_are_no_contests() {
    for (heading, numbers) in [
        ("Match", ["7", "7", "6"]),
        ("Series", ["569", "487", "624"]),
        ("Game", ["A1", "A2", "A3"]),
    ] {
        let [a, b, c] = numbers;
        let text = format!(
            "Date,Name,{heading},Points\n2024-05-04,Ida,{a},6\n2024-05-04,Ben,{b},5\n2024-05-04,Kit,{c},3"
        );
        let ignore = format!("--column {heading}=ignore");
        assert_refused(&text, &ReadOptions::default(), &[&ignore]);
        let reading = table_with(&text, &with_column(heading, ColumnMeaning::Ignore)).unwrap();
        assert_eq!(
            contest_lines(&reading),
            ["2024-05-04 2024-05-04: 1 Ida (6), 2 Ben (5), 3 Kit (3)"]
        );
        assert!(table_with(&text, &with_column(heading, ColumnMeaning::Contest)).is_ok());
    }
    // Numbers of contests stay contests.
    let text = "Date,Name,Race,Points\n2024-05-04,Ida,12,6\n2024-05-04,Ben,12,5\n\
                2024-05-04,Ida,13,6\n2024-05-04,Ben,13,5";
    assert_eq!(contest_lines(&table(text).unwrap()).len(), 2);
}

#[test]
fn status_numbers_apply_in_one_column() {
    let status = |word: &str, status| (word.to_owned(), status);
    let options = ReadOptions {
        statuses: [
            status("1", CellStatus::Finished),
            status("2", CellStatus::DidNotFinish),
            status("3", CellStatus::DidNotStart),
        ]
        .into(),
        ..from_2024(1)
    };
    let text = "Place,Name,Points,Status\n1,Ida,3,1\n2,Ben,2,1\n3,Kit,1,1\n0,Lou,0,2\n0,Mia,0,3";
    let reading = table_with(text, &options).unwrap();
    let expected = "Club night 2024-01-01: 1 Ida (3), 2 Ben (2), 3 Kit (1), dnf Lou (0)";
    assert_eq!(contest_lines(&reading), [expected], "{:?}", refused(&reading));
    // Without statuses, a number stands for no place.
    let text = "Place,Name,Points\n1,Ida,3\n2,Ben,0\n0,Lou,0";
    let refusal = refused(&table_with(text, &from_2024(1)).unwrap()).join("; ");
    assert!(refusal.contains("--status 0=dnf"), "{refusal}");
    let options = ReadOptions {
        statuses: [status("0", CellStatus::DidNotFinish)].into(),
        ..from_2024(1)
    };
    let reading = table_with(text, &options).unwrap();
    assert_eq!(
        contest_lines(&reading),
        ["Club night 2024-01-01: 1 Ida (3), 2 Ben (0), dnf Lou (0)"]
    );
}

#[test]
fn columns_that_decide_before_times_are_named() {
    for (heading, cells) in [
        ("Laps", ["20", "7"]),
        ("Faults", ["0", "4"]),
        ("Problems Solved", ["5", "3"]),
    ] {
        let [a, b] = cells;
        let text =
            format!("Date,Name,{heading},Time\n2024-05-04,Ida,{a},20:10\n2024-05-04,Ben,{b},8:00");
        let ignore = format!("{heading}=ignore");
        for options in [ReadOptions::default(), lower_is_better()] {
            assert_refused(&text, &options, &[&ignore, &format!("{heading}=score"), "if both do"]);
        }
        let options = ReadOptions {
            lower_is_better: true,
            ..with_column(heading, ColumnMeaning::Ignore)
        };
        let reading = table_with(&text, &options).unwrap();
        assert_eq!(contest_lines(&reading), ["2024-05-04 2024-05-04: 1 Ben (480), 2 Ida (1210)"]);
    }
}

#[test]
fn winners_contradict_scores() {
    let text = "Date,Player,Score,Win\n2024-05-04,Ida,12,1\n2024-05-04,Ben,20,0\n2024-05-05,Ida,9,yes\n2024-05-05,Ben,31,no";
    let options = ["--lower-is-better", "--column Win=ignore"];
    assert_refused(text, &ReadOptions::default(), &options);
    let reading = table_with(text, &lower_is_better()).unwrap();
    assert_eq!(contest_lines(&reading)[0], "2024-05-04 2024-05-04: 1 Ida (12), 2 Ben (20)");
    let mixed = text.replace("Ben,31", "Ben,3");
    let options = ["--column Win=ignore", "headed \"place\""];
    assert_refused(&mixed, &ReadOptions::default(), &options);
    assert_refused(&mixed, &lower_is_better(), &options);
}

#[test]
fn gaps_and_missing_times_do_not_win() {
    let rows =
        |cell: &str| format!("Date,Name,Time\n2024-05-04,Ida,1:12:33\n2024-05-04,Ben,{cell}");
    assert_refused(&rows("+12.3"), &lower_is_better(), &["write the whole time"]);
    for cell in ["00:00:00", "0:00", "0"] {
        let finished = format!("--status {cell}=finished");
        let dnf = format!("--status {cell}=dnf");
        assert_refused(&rows(cell), &lower_is_better(), &[&dnf, &finished]);
        let options = ReadOptions {
            statuses: [(cell.to_owned(), CellStatus::DidNotFinish)].into(),
            ..lower_is_better()
        };
        let reading = table_with(&rows(cell), &options).unwrap();
        assert_eq!(contest_lines(&reading), ["2024-05-04 2024-05-04: 1 Ida (4353), dnf Ben"]);
    }
    let golf = "Date,Name,Score\n2024-05-04,Ida,-1\n2024-05-04,Ben,2\n2024-05-04,Kit,0";
    assert!(table_with(golf, &lower_is_better()).is_ok());
    let solves = "Date,Name,Score\n2024-05-04,Ida,-1\n2024-05-04,Ben,1563";
    assert_refused(solves, &lower_is_better(), &["--status -1=dnf"]);
}

#[test]
fn only_ranking_among_vague_headings_is_the_place() {
    let text =
        "Date,Fin,St,#,Driver\n2024-05-04,1,3,48,Ida\n2024-05-04,2,1,24,Ben\n2024-05-04,3,2,9,Kit";
    assert_eq!(
        contest_lines(&table(text).unwrap()),
        ["2024-05-04 2024-05-04: 1 Ida, 2 Ben, 3 Kit"]
    );
    let dates = "Date,Fin,Name,Score\n2024-05-04,2024-05-05,Ida,3\n2024-05-04,2024-05-05,Ben,2";
    assert_eq!(
        contest_lines(&table(dates).unwrap()),
        ["2024-05-04 2024-05-04: 1 Ida (3), 2 Ben (2)"]
    );
}

#[test]
fn columns_of_places_have_one_contest_a_row() {
    for headings in [
        "1st,2nd,3rd",
        "Winner,Second,Third",
        "Gold,Silver,Bronze",
        "Champion,Runner-up,Third place",
    ] {
        let text =
            format!("Date,{headings},Host\n2024-05-04,Ida,Ben,Kit,Hill\n2024-05-05,Ben,Ida,,Lake");
        assert_eq!(
            contest_lines(&table(&text).unwrap()),
            [
                "2024-05-04 2024-05-04: 1 Ida, 2 Ben, 3 Kit",
                "2024-05-05 2024-05-05: 1 Ben, 2 Ida"
            ],
            "{headings}"
        );
        // Two rows of one date need names.
        let text = format!(
            "Run,{}",
            text.replace("\n2024-05-0", "\nA,2024-05-0")
                .replace("A,2024-05-05", "B,2024-05-04")
        );
        assert_refused(&text, &ReadOptions::default(), &["--column Run=contest if it names them"]);
        let reading = table_with(&text, &with_column("Run", ColumnMeaning::Contest)).unwrap();
        assert_eq!(contest_lines(&reading)[1], "B 2024-05-04: 1 Ben, 2 Ida");
        // A cell with two names has two readings.
        let text = text.replace("Ben,Ida,", "Ben,Ida / Kit,");
        let options = with_column("Run", ColumnMeaning::Contest);
        assert_refused(&text, &options, &["may be a tie"]);
    }
    // Counts of medals belong to competitors.
    let text = "Date,Nation,Name,Gold,Silver,Bronze,Score\n2024-05-04,X,Ida,3,2,1,9\n2024-05-04,Y,Ben,1,2,3,6";
    assert_eq!(contest_lines(&table_with(text, &options_for_rows()).unwrap()).len(), 1);
}

fn options_for_rows() -> ReadOptions {
    ReadOptions {
        layout: Some(StatedLayout::Rows),
        ..ReadOptions::default()
    }
}

#[test]
fn tied_places_and_units_of_time_are_read() {
    let text = "Date,Place,Name\n2024-05-04,1,Ida\n2024-05-04,*2,Ben\n2024-05-04,2nd=,Kit\n2024-05-04,(4),Lou";
    assert_eq!(
        contest_lines(&table(text).unwrap()),
        ["2024-05-04 2024-05-04: 1 Ida, 2 Ben, 2 Kit, 4 Lou"]
    );
    let text = "played_at,Name,Time\n2024-05-04,Ida,1h 36m 02s\n2024-05-04,Ben,1h 35m 59s";
    let reading = table_with(text, &lower_is_better()).unwrap();
    assert_eq!(contest_lines(&reading), ["2024-05-04 2024-05-04: 1 Ben (5759), 2 Ida (5762)"]);
}

#[test]
fn venues_name_contests() {
    let text = "Track,Place,Name\nHill,1,Ida\nHill,2,Ben\nLake,1,Kit\nLake,2,Lou";
    let refusal = refused(&table_with(text, &from_2024(7)).unwrap()).join("; ");
    assert!(refusal.contains("--column Track=contest"), "{refusal}");
}

#[test]
fn doubtful_times_of_rounds_are_refused() {
    let rounds = |cell: &str| {
        format!(
            "Name,2024-05-04,2024-05-05\nIda,1:12:33,1:10:00\nBen,{cell},1:11:00\nKit,1:14:00,1:13:00"
        )
    };
    assert_refused(&rounds("+12.3"), &lower_is_better(), &["write the whole time"]);
    assert_refused(&rounds("0:00"), &lower_is_better(), &["--status 0:00=dns"]);
    assert!(table_with(&rounds("1:12:40"), &lower_is_better()).is_ok());
}

#[test]
fn column_that_tells_unplaced_rows_apart_is_proposed_as_the_status() {
    let text = "Date,Pos,Name,Time,Code\n2024-05-04,1,Ann,10:01,A\n2024-05-04,2,Bo,10:20,A\n\
                2024-05-04,3,Cy,10:41,A\n2024-05-04,,Di,,R\n2024-05-04,,Eve,,N\n";
    let advice = "if \"Code\" (E) says why, pass --column Code=status";
    let refusal = refused(&table(text).unwrap()).join("\n");
    assert!(refusal.contains(advice), "{refusal}");
    // Values that placed competitors have too say nothing.
    let shared = text.replace(",,R", ",,A");
    let refusal = refused(&table(&shared).unwrap()).join("\n");
    assert!(!refusal.contains("says why"), "{refusal}");
    // Numbers of competitors differ in each row.
    let bibs = text
        .replace("Code", "Nation")
        .replacen(",A\n", ",B\n", 1)
        .replacen(",A\n", ",C\n", 1);
    let refusal = refused(&table(&bibs).unwrap()).join("\n");
    assert!(!refusal.contains("says why"), "{refusal}");
}

#[test]
fn placeholder_far_above_gapless_places_is_refused() {
    let text = |last: &str| {
        format!(
            "Date,Place,Name\n2024-05-04,1,Ida\n2024-05-04,2,Ben\n2024-05-04,2,Kit\n2024-05-04,{last},Lou"
        )
    };
    for last in ["99", "999", "9999"] {
        let dnf = format!("--status {last}=dnf");
        let options = [&*dnf, "--column Place=place"];
        assert_refused(&text(last), &ReadOptions::default(), &options);
        let stated = ReadOptions {
            statuses: [(last.to_owned(), CellStatus::DidNotFinish)].into(),
            ..ReadOptions::default()
        };
        assert_eq!(
            contest_lines(&table_with(&text(last), &stated).unwrap()),
            ["2024-05-04 2024-05-04: 1 Ida, 2 Ben, 2 Kit, dnf Lou"]
        );
        let place = with_column("Place", ColumnMeaning::Place);
        assert_eq!(
            contest_lines(&table_with(&text(last), &place).unwrap()),
            ["2024-05-04 2024-05-04: 1 Ida, 2 Ben, 2 Kit, 4 Lou"]
        );
    }
    // A number between others is a place, as is one of an excerpt.
    for text in [text("4"), text("98"), text("99").replace(",2,", ",40,")] {
        assert!(table(&text).is_ok(), "{text}");
    }
}

#[test]
fn scores_that_rise_with_the_rows_are_refused() {
    let text = |scores: [u32; 5]| {
        let names = ["Ida", "Ben", "Kit", "Lou", "Max"];
        let rows = names
            .iter()
            .zip(scores)
            .map(|(name, score)| format!("\n2024-05-04,{name},{score}"));
        format!("Date,Name,Points{}", rows.collect::<String>())
    };
    let rising = text([4, 6, 9, 9, 12]) + "\n2024-05-04,Noa,15";
    assert_refused(
        &rising,
        &ReadOptions::default(),
        &["--lower-is-better", "--column Points=score"],
    );
    let winner = |reading| contest_lines(&reading)[0].split(", ").next().map(str::to_owned);
    let reading = table_with(&rising, &lower_is_better()).unwrap();
    assert_eq!(winner(reading).unwrap(), "2024-05-04 2024-05-04: 1 Ida (4)");
    let stated = with_column("Points", ColumnMeaning::Score);
    let reading = table_with(&rising, &stated).unwrap();
    assert_eq!(winner(reading).unwrap(), "2024-05-04 2024-05-04: 1 Noa (15)");
    // Four values can be in order by chance, and another contest can fall.
    let falling = "\n2024-05-05,Ida,5\n2024-05-05,Ben,4";
    for text in [text([4, 6, 9, 9, 12]), text([4, 5, 6, 7, 8]) + falling] {
        assert!(table(&text).is_ok(), "{text}");
    }
}

#[test]
fn places_count_beside_a_column_that_says_why_others_have_none() {
    let text = "Date,Position,Driver,Time/Retired\n2024-05-04,1,Ida,1:30:00\n2024-05-04,2,Ben,+1.2\n\
                2024-05-04,3,Kit,DNF\n2024-05-04,NC,Lou,DNF\n2024-05-04,NC,Max,DNS";
    assert_eq!(
        contest_lines(&table(text).unwrap()),
        ["2024-05-04 2024-05-04: 1 Ida, 2 Ben, 3 Kit, dnf Lou"]
    );
}

#[test]
fn standings_side_by_side_are_refused() {
    let text = "Date,Pos,Name,Points,Pos,Class B,Points\n2024-05-04,1,Ida,9,1,Kit,8\n\
                2024-05-04,2,Ben,7,2,Lou,6";
    let refusal = table(text).err().unwrap();
    assert!(refusal.contains("side by side"), "{refusal}");
    // Without a known heading of names, too.
    let unnamed = "Pos,Cat A,TP,Pos,Cat B,TP\n1,Ida,9,1,Kit,8\n2,Ben,7,2,Lou,6\n";
    let refusal = table(unnamed).err().unwrap();
    assert!(refusal.contains("side by side"), "{refusal}");
    // The same places again, without other people.
    let text = "Date,Pos,Name,Club,Pos\n2024-05-04,1,Ida,A,1\n2024-05-04,2,Ben,A,2";
    assert!(table(text).is_ok());
}

#[test]
fn medals_are_places() {
    let rows = |medals: [&str; 3]| {
        let names = ["Ida", "Ben", "Kit"];
        let rows = names
            .iter()
            .zip(medals)
            .map(|(name, medal)| format!("\n2024-05-04,{name},{medal}"));
        format!("Date,Name,Medal{}", rows.collect::<String>())
    };
    let expected = ["2024-05-04 2024-05-04: 1 Kit, 2 Ida, 3 Ben"];
    let reading = table(&rows(["Silver", "Bronze", "Gold"])).unwrap();
    assert_eq!(contest_lines(&reading), expected);
    let partial = rows(["Silver", "NA", "Gold"]);
    let options = ["--column Medal=place", "--column Medal=ignore"];
    assert_refused(&partial, &ReadOptions::default(), &options);
    let reading = table_with(&partial, &with_column("Medal", ColumnMeaning::Place)).unwrap();
    assert_eq!(contest_lines(&reading), ["2024-05-04 2024-05-04: 1 Kit, 2 Ida"]);
}

#[test]
fn ids_name_competitors_if_nothing_else_does() {
    let text = "Date,Athlete ID,Place\n2024-05-04,70,2\n2024-05-04,81,1";
    let reading = table(text).unwrap();
    assert_eq!(contest_lines(&reading), ["2024-05-04 2024-05-04: 1 81, 2 70"]);
    assert!(notes(&reading).contains("names the competitors"), "{}", notes(&reading));
    let teams = table(&text.replace("Athlete ID", "team_id")).unwrap();
    assert_eq!(contest_lines(&teams), ["2024-05-04 2024-05-04: 1 81, 2 70"]);
    let named = text
        .replace("Place", "Place,Name")
        .replace("70,2", "70,2,Ida")
        .replace("81,1", "81,1,Ben");
    assert!(!notes(&table(&named).unwrap()).contains("names the competitors"));
}

#[test]
fn gapped_places_that_repeat_by_class_are_refused() {
    let text = |last: u32| {
        format!(
            "Date,Cat,Pos,Name\n2024-05-04,A,1,Ida\n2024-05-04,A,2,Ben\n2024-05-04,A,4,Kit\n\
             2024-05-04,B,1,Lou\n2024-05-04,B,2,Max\n2024-05-04,B,{last},Noa"
        )
    };
    for last in [3, 5] {
        let reading = table(&text(last)).unwrap();
        assert!(reading.contests.is_empty(), "{last}");
        let reason = &refused(&reading)[0];
        assert!(reason.contains("--column Cat=division"), "{reason}");
    }
    let reading = table_with(&text(5), &with_column("Cat", ColumnMeaning::Division)).unwrap();
    assert_eq!(reading.contests.len(), 2);
}

#[test]
fn missing_name_is_no_competitor() {
    for name in ["NA", "N/A", "#N/A", "NaN", "nan"] {
        let text =
            format!("Date,Player,Points\n2024-05-04,Ida,6\n2024-05-04,{name},5\n2024-05-11,Ida,6");
        let reading = table(&text).unwrap();
        assert_eq!(contest_lines(&reading), ["2024-05-11 2024-05-11: 1 Ida (6)"], "{name}");
        assert!(refused(&reading)[0].contains("names no competitor"), "{name}");
    }
    let named = "Date,Player,Points\n2024-05-04,Nan,6\n2024-05-04,null,5";
    assert_eq!(table(named).unwrap().contests.len(), 1);
}

#[test]
fn columns_with_one_value_are_no_contests() {
    let text = "Player,Division Id,Bonus\nIda,7,50\nBen,7,50\nKit,7,50";
    let options = ReadOptions {
        layout: Some(StatedLayout::Players),
        ..from_2024(7)
    };
    assert_refused(text, &options, &["a column for each contest"]);
}

#[test]
fn contests_of_times_and_of_other_numbers_have_no_common_direction() {
    let text = "Player,Sprint,Jump,Mile\nIda,12.61,5.00,5:25.7\nBen,13.04,4.53,6:50.8\nKit,13.75,4.84,6:22.7";
    let options = ReadOptions {
        layout: Some(StatedLayout::Players),
        every_days: Some(1),
        ..from_2024(7)
    };
    assert_refused(text, &options, &["if the lowest wins in each", "HEADING=ignore"]);
}

#[test]
fn final_ranking_decides_beside_an_order_of_starts() {
    let text = "Datum;Pořadí;Závodník;Kategorie;Výsledné pořadí\n2024-05-04;1;Ida;M;2\n\
                2024-05-04;2;Ben;M;1\n2024-05-04;3;Kit;M;3";
    let expected = ["2024-05-04 2024-05-04: 1 Ben, 2 Ida, 3 Kit"];
    assert_eq!(contest_lines(&table(text).unwrap()), expected);
    let japanese =
        "日付,着順,馬番,馬名\n2024-05-04,1,3,Ida\n2024-05-04,2,1,Ben\n2024-05-04,除,2,Kit";
    let expected = ["2024-05-04 2024-05-04: 1 Ida, 2 Ben"];
    assert_eq!(contest_lines(&table(japanese).unwrap()), expected);
}

#[test]
fn ratings_with_footnotes_are_no_places() {
    let text = "Name,Rank\nIda,1516\nBen,1505\nKit,1495*\nLou,1491†\n";
    assert_eq!(proposals(text, &from_2024(1))[0], "--column Rank=score");
    let scored = ReadOptions {
        columns: [("Rank".to_owned(), ColumnMeaning::Score)].into(),
        ..from_2024(1)
    };
    let reading = table_with(text, &scored).unwrap();
    assert_eq!(standings(&reading), ["1 Ida, 2 Ben, 3 Kit, 4 Lou"]);
    // Behind a place, a star may mean more.
    let places = "Name,Rank\nIda,1\nBen,2\nKit,3*\n";
    let reading = table_with(places, &from_2024(1)).unwrap();
    assert!(refused(&reading)[0].contains("3*"), "{:?}", refused(&reading));
}
