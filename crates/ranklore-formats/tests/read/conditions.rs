//! Rows selected by `--where`, and entrants without a name.

use super::{contest_lines, notes, refused};
use ranklore_formats::{ColumnMeaning, FileFormat, FileReading, ReadOptions, read};

/// Races as a racing site gives them: places of 9999 did not finish, deleted accounts have no id.
const RACES: &str = r#"[
    {"slug": "odd-otter-1", "ended_at": "2024-01-01T10:00:00Z", "recorded": true, "entrants": [
        {"user_id": "ada", "place": 1}, {"user_id": null, "place": 2}, {"user_id": "bea", "place": 3},
        {"user_id": null, "place": 9999}, {"user_id": null, "place": 9999}, {"user_id": "cy", "place": 9999}]},
    {"slug": "mild-heron-2", "ended_at": "2024-01-02T10:00:00Z", "recorded": false, "entrants": [
        {"user_id": "bea", "place": 1}, {"user_id": "ada", "place": 9999}]},
    {"slug": "calm-crane-3", "ended_at": "2024-01-03T10:00:00Z", "recorded": true, "entrants": [
        {"user_id": "cy", "place": 1}, {"user_id": null, "place": 2}]}]"#;

fn options(conditions: &[&str]) -> ReadOptions {
    let conditions = conditions.iter().map(|&word| word.to_owned().try_into().unwrap());
    ReadOptions {
        conditions: conditions.collect(),
        columns: [("slug".to_owned(), ColumnMeaning::Contest)].into(),
        statuses: [("9999".to_owned(), ranklore_formats::CellStatus::DidNotFinish)].into(),
        ..ReadOptions::default()
    }
}

fn races(options: &ReadOptions) -> Result<FileReading, String> {
    read(FileFormat::JsonTable, RACES.as_bytes(), "races.json", options)
        .map_err(|error| error.to_string())
}

#[test]
fn rows_are_selected_by_their_cells() {
    let reading = races(&options(&["recorded=true", "user_id!="])).unwrap();
    assert_eq!(refused(&reading), [""; 0]);
    assert_eq!(
        contest_lines(&reading),
        [
            "odd-otter-1 2024-01-01T10:00:00Z: 1 ada, 2 bea, dnf cy",
            "calm-crane-3 2024-01-03T10:00:00Z: 1 cy"
        ]
    );
    let note = "6 of 10 rows left out: only those with recorded=true and user_id!= are read";
    assert!(notes(&reading).contains(note), "{}", notes(&reading));
    let unrecorded = races(&options(&["recorded!=true"])).unwrap();
    assert_eq!(
        contest_lines(&unrecorded),
        ["mild-heron-2 2024-01-02T10:00:00Z: 1 bea, dnf ada"]
    );
}

#[test]
fn selection_of_csv_keeps_line_numbers() {
    let text = "Results of the club\nHeat,Date,Place,Name\nA,2024-01-01,1,Ada\nB,2024-01-01,x,Bea\n\
                A,2024-01-01,two,Cy\n";
    let mut options = options(&["Heat=A"]);
    options.columns.clear();
    options.statuses.clear();
    let reading = read(FileFormat::Table, text.as_bytes(), "club.csv", &options).unwrap();
    let [reason] = &refused(&reading)[..] else {
        panic!("{:?}", refused(&reading));
    };
    assert!(reason.starts_with("line 5: ") && reason.contains("\"two\""), "{reason}");
}

#[test]
fn unsatisfiable_conditions_are_refused() {
    for (condition, expected) in [
        (
            "recorded=yes",
            "no row has recorded=yes, as --where says; the values of \"recorded\" are \"false\", \"true\"",
        ),
        ("Recorded=true", "no column is headed \"Recorded\", as --where says"),
    ] {
        let error = races(&options(&[condition])).unwrap_err();
        assert!(error.contains(expected), "{error}");
    }
    let twice = "Date,Place,Name,Class,Class\n2024-01-01,1,Ada,A,B\n";
    let conditions = ReadOptions {
        columns: [].into(),
        statuses: [].into(),
        ..options(&["Class=A"])
    };
    let error = read(FileFormat::Table, twice.as_bytes(), "x.csv", &conditions).unwrap_err();
    assert!(error.to_string().contains("two columns are headed \"Class\""), "{error}");
    let contest = br#"{"name": "Cup", "time_seconds": 0, "standings": [["ada", 0, 0]]}"#;
    let error = read(FileFormat::Json, &contest[..], "x.json", &conditions).unwrap_err();
    assert!(error.to_string().contains("--where selects rows of tables"), "{error}");
}

#[test]
fn unnamed_entrants_are_refused_or_of_one_contest() {
    let reading = races(&options(&["recorded=true"])).unwrap();
    let [first, ..] = &refused(&reading)[..] else {
        panic!("the races have entrants without a name");
    };
    let advice = "pass --where 'user_id!=' if such rows are left out, or --anonymous if each is an \
                  entrant of its contest alone";
    assert!(first.contains(advice), "{first}");
    let anonymous = ReadOptions {
        anonymous: true,
        ..options(&["recorded=true"])
    };
    let reading = races(&anonymous).unwrap();
    assert_eq!(refused(&reading), [""; 0]);
    let [otter, crane] = ["odd-otter-1@1704103200", "calm-crane-3@1704276000"];
    assert_eq!(
        contest_lines(&reading),
        [
            format!(
                "odd-otter-1 2024-01-01T10:00:00Z: 1 ada, 2 anonymous 1 of {otter}, 3 bea, \
                 dnf anonymous 2 of {otter}, dnf anonymous 3 of {otter}, dnf cy"
            ),
            format!("calm-crane-3 2024-01-03T10:00:00Z: 1 cy, 2 anonymous 1 of {crane}")
        ]
    );
}

#[test]
fn titles_and_dates_are_no_rows() {
    let select = |text: &str, condition: &str| {
        let mut options = options(&[condition]);
        options.columns.clear();
        options.statuses.clear();
        read(FileFormat::Table, text.as_bytes(), "t 2024-05-04.csv", &options)
            .map_err(|error| error.to_string())
    };
    let sections =
        "Men,,\nplace,name,k\n1,Ann,a\n2,Bob,b\nWomen,,\nplace,name,k\n1,Cy,a\n2,Dee,b\n";
    let lines = contest_lines(&select(sections, "k=a").unwrap());
    assert_eq!(lines.len(), 2, "{lines:?}");
    let dates = "name,div,R1,R2\nDate,,2024-03-01,2024-03-08\nAnn,A,1,2\nBob,A,2,1\nCy,B,3,3\n";
    let lines = contest_lines(&select(dates, "div=A").unwrap());
    assert_eq!(lines, ["R1 2024-03-01: 1 Ann, 2 Bob", "R2 2024-03-08: 1 Bob, 2 Ann"]);
}

#[test]
fn members_of_unselected_teams_are_refused() {
    let text = "place,team,member,k\n1,Reds,,a\n,,Ann,\n2,Blues,,b\n,,Cy,\n";
    for condition in ["k=a", "k!=b"] {
        let mut options = options(&[condition]);
        options.columns.clear();
        options.statuses.clear();
        let reading = read(FileFormat::Table, text.as_bytes(), "t 2024-05-04.csv", &options);
        let error = reading.err().unwrap().to_string();
        assert!(error.contains("to which it can belong"), "{condition}: {error}");
    }
}
