//! A run is made again if, and only if, something its rows depend on has changed.

use ranklore_ingest::import_document;
use ranklore_replay::{Error, Silent, evaluate, find_run};
use serde_json::{Value, json};

use super::{DAY, Scratch, at, club, contest};

fn groups(names: &[&str]) -> Vec<Vec<String>> {
    names.iter().map(|name| vec![(*name).to_owned()]).collect()
}

fn rounds() -> Value {
    json!([
        contest(1, DAY, &groups(&["a", "b", "c"])),
        contest(2, 2 * DAY, &groups(&["c", "a", "b"])),
    ])
}

/// Whether rating anew after a change of the documents finds something to do.
fn made_again(change: impl FnOnce(&Scratch, &mut Value)) -> bool {
    let scratch = Scratch::new();
    let mut rounds = rounds();
    scratch.write("rounds.json", rounds.to_string());
    scratch.import(&Silent);
    let first = scratch.rate(&Value::Null);
    assert!(scratch.rate(&Value::Null).unchanged);
    change(&scratch, &mut rounds);
    scratch.write("rounds.json", rounds.to_string());
    scratch.import(&Silent);
    let mut store = scratch.writer();
    let run = find_run(&store, &[club()], None).unwrap();
    let evaluated = evaluate(&mut store, run, at(0));
    drop(store);
    let again = scratch.rate(&Value::Null);
    assert_eq!(again.run_id, first.run_id);
    let stale = matches!(evaluated, Err(Error::StaleRun { .. }));
    assert_eq!(stale, !again.unchanged, "{evaluated:?}");
    stale
}

#[test]
fn any_input_of_the_ratings_makes_it_anew() {
    let swap = |rounds: &mut Value| rounds[0]["standings"] = rounds[1]["standings"].clone();
    assert!(made_again(|_, rounds| swap(rounds)), "places");
    let changes = [
        ("weight", json!(0.5)),
        ("perf_ceiling", json!(1500.0)),
        ("time_seconds", json!(DAY + 1)),
        ("time_seconds", json!(3 * DAY)),
    ];
    for (field, value) in changes {
        assert!(
            made_again(|_, rounds| rounds[0][field] = value.clone()),
            "{field}"
        );
    }
    assert!(
        made_again(|_, rounds| rounds[0]["standings"][0][0] = "d".into()),
        "who"
    );
    let tie = json!([["a", 0, 1], ["b", 0, 1], ["c", 2, 2]]);
    assert!(
        made_again(|_, rounds| rounds[0]["standings"] = tie),
        "a tie"
    );
    let third = contest(3, DAY, &groups(&["b", "a"]));
    assert!(
        made_again(|_, rounds| rounds.as_array_mut().unwrap().push(third)),
        "one more"
    );
}

#[test]
fn starting_ratings_make_it_anew() {
    let start = |scratch: &Scratch, mu: &str| {
        let table = format!("contest,date,player,place,start rating\nX,1970-01-01,a,1,{mu}\n");
        let format = ranklore_contest::Format::Table;
        let mut store = scratch.writer();
        let bytes = table.as_bytes();
        import_document(&mut store, &club(), "x.csv", format, bytes, || at(0)).unwrap();
    };
    assert!(made_again(|scratch, _| start(scratch, "1600")));
    let scratch = Scratch::new();
    scratch.write("rounds.json", rounds().to_string());
    scratch.import(&Silent);
    start(&scratch, "1600");
    assert!(!scratch.rate(&Value::Null).unchanged);
    start(&scratch, "1600");
    assert!(scratch.rate(&Value::Null).unchanged);
    start(&scratch, "1601");
    assert!(!scratch.rate(&Value::Null).unchanged);
}

#[test]
fn what_no_rating_depends_on_does_not() {
    assert!(!made_again(|_, _| ()));
    let url = json!("https://club.example/1");
    assert!(!made_again(|_, rounds| rounds[0]["url"] = url));
    assert!(!made_again(
        |_, rounds| rounds[0]["organiser"] = "somebody".into()
    ));
    assert!(!made_again(|_, rounds| rounds
        .as_array_mut()
        .unwrap()
        .reverse()));
    // Another source is nobody's business here.
    assert!(!made_again(|scratch, _| {
        let other = ranklore_contest::SourceName::new("other").unwrap();
        let bytes = rounds().to_string();
        let (format, bytes) = (ranklore_contest::Format::Json, bytes.as_bytes());
        import_document(
            &mut scratch.writer(),
            &other,
            "o.json",
            format,
            bytes,
            || at(0),
        )
        .unwrap();
    }));
}

#[test]
fn other_parameters_are_another_run() {
    let scratch = Scratch::new();
    scratch.write("rounds.json", rounds().to_string());
    scratch.import(&Silent);
    let first = scratch.rate(&Value::Null);
    let second = scratch.rate(&json!({"rho": 2}));
    assert_ne!(first.run_id, second.run_id);
    assert!(scratch.rate(&json!({"rho": 1})).unchanged);
    assert!(scratch.rate(&json!({"rho": 2.0})).unchanged);
}
