//! Checks lists with one changed entry: it costs at most that entry.

use std::collections::BTreeSet;
use std::ops::Range;

use ranklore_source::{SiteReading, Source};
use serde_json::{Value, json};

use crate::Fixture;
use crate::checks::{check_error_location, process_answer, read_original};
use crate::markup::{MarkupPart, split_markup};

/// Checks a JSON answer with each entry of the array or object at a pointer in turn `null`, of
/// another type or empty, and with each field of each entry `null`, missing, of another type,
/// negative or empty.
///
/// The others must be read as from the answer without the entry. If the entry is lost, the reading
/// must name it among its refused entries. Returns the number of changed answers that lost it.
///
/// # Panics
/// If a check fails, or the list has fewer than two entries.
#[must_use]
pub fn check_entries(source: &dyn Source, fixture: &Fixture<'_>, list: &str) -> usize {
    let name = fixture.name;
    let document: Value = match serde_json::from_slice(fixture.body) {
        Ok(document) => document,
        Err(error) => panic!("{name}: not JSON: {error}"),
    };
    let entries: Vec<String> = match document.pointer(list) {
        Some(Value::Array(entries)) => (0..entries.len()).map(|i| i.to_string()).collect(),
        Some(Value::Object(entries)) => entries.keys().cloned().collect(),
        other => panic!("{name}: no list at {list:?}: {other:?}"),
    };
    assert!(entries.len() > 1, "{name}: the list has fewer than two entries");
    let mut lost = 0;
    for entry in entries {
        let pointer = format!("{list}/{entry}");
        let mut shorter = document.clone();
        remove_at(&mut shorter, &pointer);
        let check = EntryCheck::new(source, fixture, shorter.to_string().as_bytes());
        let path = entry_path(&document, &pointer);
        let mut pointers = Vec::new();
        collect_pointers(document.pointer(&pointer), &pointer, &mut pointers);
        for field in pointers {
            for value in [
                Some(Value::Null),
                None,
                Some(json!(true)),
                Some(json!("x")),
                Some(json!(-1)),
                Some(json!([])),
                Some(json!({})),
            ] {
                let change = format!("{value:?} at {field}");
                let mut changed = document.clone();
                match (value, changed.pointer_mut(&field)) {
                    // An empty list is valid.
                    (Some(value), Some(place)) if value == json!([]) && place.is_array() => {
                        continue;
                    }
                    (Some(value), Some(place)) => *place = value,
                    // A list without an element is valid; without the entry it is the baseline.
                    (None, _) if field == pointer || is_element(&document, &field) => continue,
                    _ => remove_at(&mut changed, &field),
                }
                lost += usize::from(check.loses(&change, changed.to_string().as_bytes(), &path));
            }
        }
    }
    lost
}

/// Checks a page or a feed with each text and each value of an attribute in its rows in turn empty,
/// negative and a word. A row begins with `start` and ends before the next, or with `end`; only rows
/// that contain `mark` are changed. Otherwise as [`check_entries`]; the name of a row is not checked.
///
/// # Panics
/// If a check fails, or there are fewer than two rows.
#[must_use]
pub fn check_rows(
    source: &dyn Source,
    fixture: &Fixture<'_>,
    [start, end, mark]: [&str; 3],
) -> usize {
    let body = fixture.body;
    let mut rows = Vec::new();
    let mut from = 0;
    while let Some(begin) = find(body, start, from) {
        let length = find(body, end, begin).map_or(body.len(), |at| at + end.len()) - begin;
        let row = begin..begin + length;
        if find(&body[..row.end], mark, begin).is_some() {
            rows.push(row);
        }
        from = begin + length;
    }
    assert!(rows.len() > 1, "{}: fewer than two rows", fixture.name);
    let mut lost = 0;
    for row in rows {
        let check = EntryCheck::new(source, fixture, &replace(body, &row, b""));
        for part in split_markup(&body[row.clone()]) {
            let MarkupPart::Text(text) = part else {
                continue;
            };
            let text = trim_attribute(body, row.start + text.start..row.start + text.end);
            for value in ["", "-1", "word"] {
                let change = format!("{value:?} at byte {}", text.start);
                let changed = replace(body, &text, value.as_bytes());
                lost += usize::from(check.loses(&change, &changed, ""));
            }
        }
    }
    lost
}

/// An entry of a list, and the readings of the answer with and without it.
struct EntryCheck<'c> {
    source: &'c dyn Source,
    fixture: &'c Fixture<'c>,
    original: BTreeSet<String>,
    others: BTreeSet<String>,
}

impl<'c> EntryCheck<'c> {
    fn new(source: &'c dyn Source, fixture: &'c Fixture<'c>, shorter: &[u8]) -> Self {
        let others = match process_answer(source, fixture, shorter, "without an entry").1 {
            Ok(reading) => list_items(&reading),
            Err(error) => panic!("{}, without an entry: {error}", fixture.name),
        };
        Self {
            source,
            fixture,
            original: list_items(&read_original(source, fixture)),
            others,
        }
    }

    /// Returns true if the changed answer loses the entry, and names it at this path.
    fn loses(&self, change: &str, body: &[u8], path: &str) -> bool {
        let name = self.fixture.name;
        let reading = match process_answer(self.source, self.fixture, body, change).1 {
            Ok(reading) => reading,
            Err(error) => panic!("{name}, {change}: the whole list is refused: {error}"),
        };
        let items = list_items(&reading);
        for item in self.others.difference(&items) {
            // Beside a readable entry, others are as in the original.
            assert!(
                self.original.contains(item) == items.contains(item),
                "{name}, {change}: another entry is lost: {item}"
            );
        }
        let is_lost = items.len() < self.original.len();
        assert!(
            !is_lost || !reading.refused.is_empty(),
            "{name}, {change}: the entry is lost without an error"
        );
        for error in &reading.refused {
            check_error_location(self.fixture, change, error);
            assert!(error.at.starts_with(path), "{name}, {change}: the location of {error}");
        }
        is_lost
    }
}

/// Returns everything that was read from the entries of a list.
fn list_items(reading: &SiteReading) -> BTreeSet<String> {
    let SiteReading {
        listed,
        described,
        results,
        accounts,
        named,
        ..
    } = reading;
    let listed = listed.iter().map(|item| format!("{item:?}"));
    let described = described.iter().map(|item| format!("{item:?}"));
    let results = results.iter().map(|item| format!("{item:?}"));
    let accounts = accounts.iter().map(|item| format!("{item:?}"));
    // Another entry can name the same competitor.
    let named = named.iter().map(|item| format!("name of {}", item.competitor));
    listed.chain(described).chain(results).chain(accounts).chain(named).collect()
}

/// Returns a pointer as the path of an error: `result[3]`.
fn entry_path(document: &Value, pointer: &str) -> String {
    let mut steps = Vec::new();
    let mut value = document;
    for step in pointer.split('/').skip(1) {
        steps.push(match value {
            Value::Array(_) => format!("[{step}]"),
            _ if steps.is_empty() => step.to_owned(),
            _ => format!(".{step}"),
        });
        value = value.pointer(&format!("/{step}")).unwrap_or(&Value::Null);
    }
    steps.concat()
}

/// Collects the pointers of a value and of everything in it.
fn collect_pointers(value: Option<&Value>, pointer: &str, pointers: &mut Vec<String>) {
    pointers.push(pointer.to_owned());
    match value {
        Some(Value::Object(members)) => {
            for (name, value) in members {
                collect_pointers(Some(value), &format!("{pointer}/{name}"), pointers);
            }
        }
        Some(Value::Array(items)) => {
            for (index, value) in items.iter().enumerate() {
                collect_pointers(Some(value), &format!("{pointer}/{index}"), pointers);
            }
        }
        _ => {}
    }
}

fn is_element(document: &Value, pointer: &str) -> bool {
    let parent = pointer.rsplit_once('/').and_then(|(parent, _)| document.pointer(parent));
    parent.is_some_and(Value::is_array)
}

/// Removes a member or an element.
fn remove_at(document: &mut Value, pointer: &str) {
    let Some((parent, name)) = pointer.rsplit_once('/') else {
        return;
    };
    match document.pointer_mut(parent) {
        Some(Value::Object(members)) => drop(members.remove(name)),
        Some(Value::Array(items)) => {
            if let Ok(index) = name.parse::<usize>() {
                drop(items.remove(index));
            }
        }
        _ => {}
    }
}

/// Shortens the value of an attribute to the text between its quotes, without the end of the tag.
fn trim_attribute(body: &[u8], mut text: Range<usize>) -> Range<usize> {
    if body[text.clone()].ends_with(b">") {
        text.end -= 1;
    }
    let is_quote = |byte: Option<&u8>| matches!(byte, Some(b'"' | b'\''));
    if is_quote(body[text.clone()].first()) {
        text.start += 1;
    }
    if is_quote(body[text.clone()].last()) {
        text.end -= 1;
    }
    text
}

fn find(body: &[u8], text: &str, from: usize) -> Option<usize> {
    let mut windows = body.get(from..)?.windows(text.len());
    windows.position(|window| window == text.as_bytes()).map(|at| from + at)
}

fn replace(body: &[u8], range: &Range<usize>, text: &[u8]) -> Vec<u8> {
    [&body[..range.start], text, &body[range.end..]].concat()
}
