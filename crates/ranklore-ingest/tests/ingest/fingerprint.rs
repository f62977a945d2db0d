//! A run is rated again if and only if one of its inputs changed.

use ranklore_replay::{Error, NoProgress, RateReport, RunChoice, find_run};
use ranklore_test_support::{DAY, RunSpec, TempDatabase, at, contest_file, source};
use ranklore_views::{EvaluationSettings, evaluate};
use serde_json::{Value, json};

use super::{import_file, import_folder};

fn single_groups(names: &[&str]) -> Vec<Vec<String>> {
    names.iter().map(|name| vec![(*name).to_owned()]).collect()
}

fn rate(scratch: &TempDatabase, parameters: &Value) -> RateReport {
    let run = RunSpec::elo_mmr(parameters);
    run.rate(&mut scratch.open_writer(), &NoProgress).unwrap()
}

fn rounds() -> Value {
    json!([
        contest_file(1, DAY, &single_groups(&["a", "b", "c"])),
        contest_file(2, 2 * DAY, &single_groups(&["c", "a", "b"])),
    ])
}

/// Returns true if a run is stale after a change of the documents.
fn is_stale_after(change: impl FnOnce(&TempDatabase, &mut Value)) -> bool {
    let scratch = TempDatabase::new();
    let mut rounds = rounds();
    scratch.write("in/rounds.json", rounds.to_string());
    import_folder(&scratch, &NoProgress);
    let first = rate(&scratch, &Value::Null);
    assert!(rate(&scratch, &Value::Null).unchanged);
    change(&scratch, &mut rounds);
    scratch.write("in/rounds.json", rounds.to_string());
    import_folder(&scratch, &NoProgress);
    let mut store = scratch.open_writer();
    let run = find_run(&store, &[source("club")], &RunChoice::default()).unwrap();
    let settings = EvaluationSettings::default();
    let evaluated = evaluate(&mut store, run, &settings, false, at(0));
    drop(store);
    let again = rate(&scratch, &Value::Null);
    assert_eq!(again.run_id, first.run_id);
    let stale = matches!(evaluated, Err(Error::StaleRun { .. }));
    assert_eq!(stale, !again.unchanged, "{evaluated:?}");
    stale
}

#[test]
fn any_rating_input_makes_run_stale() {
    let swap = |rounds: &mut Value| rounds[0]["standings"] = rounds[1]["standings"].clone();
    assert!(is_stale_after(|_, rounds| swap(rounds)), "places");
    let changes = [
        ("weight", json!(0.5)),
        ("perf_ceiling", json!(1500.0)),
        ("time_seconds", json!(DAY + 1)),
        ("time_seconds", json!(3 * DAY)),
    ];
    for (field, value) in changes {
        assert!(is_stale_after(|_, rounds| rounds[0][field] = value.clone()), "{field}");
    }
    assert!(is_stale_after(|_, rounds| rounds[0]["standings"][0][0] = "d".into()), "who");
    let tie = json!([["a", 0, 1], ["b", 0, 1], ["c", 2, 2]]);
    assert!(is_stale_after(|_, rounds| rounds[0]["standings"] = tie), "a tie");
    let third = contest_file(3, DAY, &single_groups(&["b", "a"]));
    assert!(
        is_stale_after(|_, rounds| rounds.as_array_mut().unwrap().push(third)),
        "one more"
    );
}

#[test]
fn starting_ratings_make_run_stale() {
    let start = |scratch: &TempDatabase, mu: &str| {
        let table = format!("contest,date,player,place,start rating\nX,1970-01-01,a,1,{mu}\n");
        import_file(scratch, source("club"), "x.csv", table.as_bytes(), || at(0));
    };
    assert!(is_stale_after(|scratch, _| start(scratch, "1600")));
    let scratch = TempDatabase::new();
    scratch.write("in/rounds.json", rounds().to_string());
    import_folder(&scratch, &NoProgress);
    start(&scratch, "1600");
    assert!(!rate(&scratch, &Value::Null).unchanged);
    start(&scratch, "1600");
    assert!(rate(&scratch, &Value::Null).unchanged);
    start(&scratch, "1601");
    assert!(!rate(&scratch, &Value::Null).unchanged);
}

#[test]
fn unrelated_changes_leave_run_current() {
    assert!(!is_stale_after(|_, _| ()));
    let url = json!("https://club.example/1");
    assert!(!is_stale_after(|_, rounds| rounds[0]["url"] = url));
    assert!(!is_stale_after(|_, rounds| rounds[0]["organiser"] = "somebody".into()));
    assert!(!is_stale_after(|_, rounds| rounds.as_array_mut().unwrap().reverse()));
    // The run does not include the other source.
    assert!(!is_stale_after(|scratch, _| {
        let bytes = rounds().to_string();
        import_file(scratch, source("other"), "o.json", bytes.as_bytes(), || at(0));
    }));
}

#[test]
fn other_parameters_make_another_run() {
    let scratch = TempDatabase::new();
    scratch.write("in/rounds.json", rounds().to_string());
    import_folder(&scratch, &NoProgress);
    let first = rate(&scratch, &Value::Null);
    let second = rate(&scratch, &json!({"rho": 2}));
    assert_ne!(first.run_id, second.run_id);
    assert!(rate(&scratch, &json!({"rho": 1})).unchanged);
    assert!(rate(&scratch, &json!({"rho": 2.0})).unchanged);
}
