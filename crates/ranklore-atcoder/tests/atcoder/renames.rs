//! Accounts that have another name in a later answer.

use ranklore_source::{AccountRename, Accounts, SiteReading};
use serde_json::{Value, json};

use crate::fixtures::{bytes, read, results_of, source, standings_of};

/// Reads a form of contest abc901 in which users have other names.
fn renamed(form: &str, names: &[(usize, &str)]) -> SiteReading {
    let mut answer: Value = serde_json::from_slice(&bytes(&format!("{form}-abc901.json"))).unwrap();
    let (request, rows) = match form {
        "results" => (results_of("abc901"), &mut answer),
        _ => (standings_of("abc901"), &mut answer["StandingsData"]),
    };
    for (row, name) in names {
        rows[*row]["UserScreenName"] = json!(name);
    }
    read(&request, answer.to_string().as_bytes()).unwrap()
}

fn rename(from: &str, to: &str) -> AccountRename {
    AccountRename {
        from: from.to_owned(),
        to: to.to_owned(),
    }
}

#[test]
fn new_name_of_the_same_result_is_a_rename() {
    for form in ["results", "standings"] {
        let before = renamed(form, &[]);
        let after = renamed(form, &[(1, "brass_lantern"), (4, "tide8")]);
        let renames = source().find_renamed(&before, &after);
        let expected = [
            rename("brass_lamp", "brass_lantern"),
            rename("tide7", "tide8"),
        ];
        assert_eq!(renames, expected, "{form}");
        assert_eq!(source().find_renamed(&before, &before), []);
    }
}

#[test]
fn ambiguous_results_are_no_rename() {
    let before = renamed("standings", &[]);
    // Two users with equal places, scores and times.
    let after = renamed("standings", &[(2, "robin")]);
    assert_eq!(source().find_renamed(&before, &after), []);
    // A user who exists already.
    let before = renamed("results", &[]);
    let swapped = renamed("results", &[(1, "tide7"), (4, "brass_lamp")]);
    assert_eq!(source().find_renamed(&before, &swapped), []);
    // More than half of the users have other names.
    let names = [(0, "a"), (1, "b"), (2, "c"), (3, "d")];
    assert_eq!(source().find_renamed(&before, &renamed("results", &names)), []);
}
