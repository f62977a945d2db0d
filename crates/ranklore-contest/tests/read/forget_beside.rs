//! What contest files say beside contests is blanked as well, and all else reads as before.

use ranklore_contest::{EntrantKind, ReadOptions, read};

use super::forget::{JSON, blanks, forget};

/// A contest of `u1` and `u2` that tells of these competitors.
fn known(competitors: &str) -> String {
    format!(
        r#"{{"name":"Cup","time_seconds":1,"standings":[["u1",0,0],["u2",1,1]],"competitors":[{competitors}]}}"#
    )
}

#[test]
fn what_a_file_calls_a_person_goes_with_the_person() {
    for (before, after) in [
        (
            r#"{"name":"Ada Lark","competitor":"u1","start_mu":1.50e3,"merged_into":"u2"}"#,
            r#"{"name":"forgotten-1","competitor":"forgotten-1","start_mu":1.50e3,"merged_into":"u2"}"#,
        ),
        (
            r#"{"competitor":"u2","name":"Bea","merged_into":"u1"}"#,
            r#"{"competitor":"u2","name":"Bea","merged_into":"forgotten-1"}"#,
        ),
        (
            r#"{"competitor":"u2","name":"u1"}"#,
            r#"{"competitor":"u2","name":"forgotten-1"}"#,
        ),
        // Others may be called the same, and are not forgotten.
        (
            r#"{"competitor":"u1","name":"Ada"},{"competitor":"u2","name":"Ada"}"#,
            r#"{"competitor":"forgotten-1","name":"forgotten-1"},{"competitor":"u2","name":"Ada"}"#,
        ),
        // Nobody reads this; it says what the person is called all the same.
        (
            r#"{"competitor":"u1","name":"Ada \u004cark","x":["Ada Lark",{"Ada Lark":"Ada"}]}"#,
            r#"{"competitor":"forgotten-1","name":"forgotten-1","x":["forgotten-1",{"forgotten-1":"Ada"}]}"#,
        ),
        // A team of the same id is somebody else, and stays.
        (
            r#"{"competitor":"u1","kind":"team","name":"u1"},{"competitor":"t","kind":"team","name":"u1","merged_into":"u1"}"#,
            r#"{"competitor":"u1","kind":"team","name":"u1"},{"competitor":"t","kind":"team","name":"forgotten-1","merged_into":"u1"}"#,
        ),
        // A word of the form may be a name.
        (
            r#"{"competitor":"u1","kind":"person","name":"person"}"#,
            r#"{"competitor":"forgotten-1","kind":"person","name":"forgotten-1"}"#,
        ),
    ] {
        let expected = known(after).replace(r#"[["u1""#, r#"[["forgotten-1""#);
        assert_eq!(forget(JSON, &known(before), &["u1"]), expected);
        let several = |one: &str| format!("[{one} ]");
        assert_eq!(
            forget(JSON, &several(&known(before)), &["u1"]),
            several(&expected)
        );
    }
}

#[test]
fn words_of_the_form_beside_a_contest_may_be_names() {
    for word in [
        "final",
        "unrated",
        "person",
        "competitors",
        "competitor",
        "state",
    ] {
        let text = known(&format!(
            r#"{{"competitor":"{word}","kind":"person","name":"Ada"}}"#
        ));
        let text = text.replace(r#""time_seconds""#, r#""state":"unrated","time_seconds""#);
        let found = forget(JSON, &text, &[word]);
        let entry = r#"{"competitor":"forgotten-1","kind":"person","name":"forgotten-1"}"#;
        assert!(found.contains(entry), "{found}");
        assert!(found.contains(r#""state":"unrated""#), "{found}");
    }
}

#[test]
fn in_a_refused_contest_names_are_found_as_well() {
    for (before, after) in [
        // Somebody stands twice; names that are no strings; several ids; no object at all.
        (
            r#"{"competitor":"u1","name":"Ada"},{"competitor":"u1","name":"Lark"}"#,
            r#"{"competitor":"forgotten-1","name":"forgotten-1"},{"competitor":"forgotten-1","name":"forgotten-1"}"#,
        ),
        (
            r#"{"competitor":"u1","name":["Ada",{"last":"Lark"}]}"#,
            r#"{"competitor":"forgotten-1","name":["forgotten-1",{"forgotten-1":"forgotten-1"}]}"#,
        ),
        (
            r#"{"competitor":"u9","name":"Ada","competitor":"u1"}"#,
            r#"{"competitor":"u9","name":"forgotten-1","competitor":"forgotten-1"}"#,
        ),
        (r#"["person","u1"]"#, r#"["person","forgotten-1"]"#),
    ] {
        let expected = known(after).replace(r#"[["u1""#, r#"[["forgotten-1""#);
        assert_eq!(forget(JSON, &known(before), &["u1"]), expected);
    }
}

#[test]
fn of_several_persons_each_name_has_its_own_blank() {
    let text = known(
        r#"{"competitor":"u1","name":"Ada","merged_into":"u2"},{"competitor":"u2","name":"Bea"}"#,
    );
    let mut reading = read(JSON, text.as_bytes(), "in/Cup.csv", &ReadOptions::default()).unwrap();
    assert!(reading.persons().eq(["u1", "u2", "u1", "u2", "u1", "u2"]));
    assert!(reading.forget(&blanks(&["u1", "u2"])));
    let person = EntrantKind::Person;
    let blank = |number: u32| format!("forgotten-{number}");
    assert_eq!(
        reading.names,
        [(person, blank(1), blank(1)), (person, blank(2), blank(2))]
    );
    assert_eq!(reading.merges, [(person, blank(1), blank(2))]);
    let found = forget(JSON, &text, &["u1", "u2"]);
    assert!(!found.contains("Ada") && !found.contains("Bea"), "{found}");
}
