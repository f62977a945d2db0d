//! Checks that persons in an answer can be forgotten.

use std::collections::BTreeSet;

use ranklore_contest::{ForgottenNames, SearchedName, mentions_name, replace_names};
use serde_json::Value;

use ranklore_source::{SiteReading, Source};

use crate::Fixture;
use crate::checks::read_original;

/// Checks that the reading survives a round trip through the archive's JSON, and that each person
/// in it, and all of them at once, can be forgotten: placeholders replace the names, and forgetting
/// again changes nothing.
///
/// # Panics
/// If a check fails.
pub fn check_forget(source: &dyn Source, fixture: &Fixture<'_>) {
    let name = fixture.name;
    let original = read_original(source, fixture);
    assert_eq!(archive_round_trip(&original), original, "{name}: the archived reading differs");
    let persons: Vec<&str> = original.persons().into_iter().collect();
    let each = persons.chunks(1);
    let all = (persons.len() > 1).then_some(&persons[..]);
    for forgotten in each.chain(all) {
        let mut anonymised = original.clone();
        let blanks = TestForgottenNames(forgotten);
        assert!(anonymised.forget(source, &blanks), "{name}: {forgotten:?} cannot be forgotten");
        let persons = anonymised.persons();
        if let Some(person) = forgotten.iter().find(|name| persons.contains(*name)) {
            panic!("{name}: {person:?} is still a person after being forgotten");
        }
        let mut value = serde_json::to_value(&anonymised).unwrap_or_default();
        if let Some(reading) = value.as_object_mut() {
            // Others may have the same display name.
            reading.remove("named");
        }
        if let Some(person) = forgotten.iter().find(|name| contains_text(name, &value)) {
            panic!("{name}: {person:?} still occurs after being forgotten");
        }
        assert!(
            !anonymised.clone().forget(source, &blanks),
            "{name}: forgetting {forgotten:?} again changes the reading"
        );
    }
}

/// Writes the reading to JSON and reads it back.
fn archive_round_trip(reading: &SiteReading) -> SiteReading {
    let json = serde_json::to_string(reading);
    match json.and_then(|json| serde_json::from_str(&json)) {
        Ok(again) => again,
        Err(error) => panic!("a reading cannot be archived: {error}"),
    }
}

fn contains_text(name: &str, value: &Value) -> bool {
    match value {
        Value::String(text) => text == name,
        Value::Array(items) => items.iter().any(|item| contains_text(name, item)),
        Value::Object(members) => members.values().any(|member| contains_text(name, member)),
        _ => false,
    }
}

/// Numbered placeholders for these names.
struct TestForgottenNames<'n>(&'n [&'n str]);

impl TestForgottenNames<'_> {
    fn lengths(&self) -> BTreeSet<usize> {
        let searched = self.0.iter().filter_map(|name| SearchedName::new(name));
        searched.map(|name| name.words).collect()
    }

    fn position(&self, key: &str) -> Option<usize> {
        self.0
            .iter()
            .position(|name| SearchedName::new(name).is_some_and(|name| name.key == key))
    }
}

impl ForgottenNames for TestForgottenNames<'_> {
    fn placeholder(&self, name: &str) -> Option<String> {
        let index = self.0.iter().position(|known| *known == name)?;
        Some(format!("forgotten-{}", index + 1))
    }

    fn replace_in_text(&self, text: &str) -> Option<String> {
        replace_names(text, &self.lengths(), &|key, _| {
            Some(format!("forgotten-{}", self.position(key)? + 1))
        })
    }

    fn is_mentioned_in(&self, text: &str) -> bool {
        mentions_name(text, &self.lengths(), &|key| self.position(key).is_some())
    }
}
