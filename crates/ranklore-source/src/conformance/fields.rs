//! JSON in which one field is not what it should be.

use std::collections::HashSet;

use serde_json::{Map, Value, json};

use super::{Fixture, Outcome, guarded, names_its_document, original, read, sound};
use crate::{ReadError, Reading, Source};

/// Bytes of JSON parsed in all, about. Of documents that would need more, fields are sampled:
/// each at least once, wherever it stands first, and some of the others.
const BUDGET: usize = 8 << 20;

/// Stands where bytes go that are no JSON.
const MARK: &str = "a mark that stands in no document";

/// The numbers that a wrapped or saturated one ends up as.
const ENDS: [&str; 6] = [
    "65535",
    "2147483647",
    "4294967295",
    "9223372036854775807",
    "-9223372036854775808",
    "18446744073709551615",
];

/// Of an answer in JSON, each field in turn missing, null, of another type, negative, huge, a
/// fraction, text that looks like a number, `NaN`, not UTF-8.
///
/// Each is an error that names the document, the path of the field and what was expected, or is
/// among what was refused; or it reads as before, because the field does not matter. A field that
/// may be missing (`optional` of the fixture) may change what is read by that, or by becoming
/// empty text, or make something else wrong, which the error then names. A value of the same type
/// may change it too, but into nothing that is not [sound](super::reading), and a number that
/// matters never reads as it would after wrapping or at the end of a range. Unknown fields in every
/// object, and another order of the fields, change nothing.
///
/// # Panics
/// When something of it does not hold, or the answer is no JSON.
pub fn fields(source: &dyn Source, fixture: &Fixture<'_>) {
    let name = fixture.name;
    let document: Value = match serde_json::from_slice(fixture.body) {
        Ok(document) => document,
        Err(error) => panic!("{name}: no JSON: {error}"),
    };
    let whole = original(source, fixture);
    let check = Check {
        source,
        fixture,
        whole: &whole,
    };
    for (what, other) in [
        ("its fields in another order", document.clone()),
        ("unknown fields added", with_unknown_fields(&document)),
    ] {
        let found = check.read(what, other.to_string().as_bytes());
        assert_eq!(
            found.as_ref(),
            Ok(&whole),
            "{name}, {what}: it reads differently"
        );
    }
    let mut paths = Vec::new();
    collect(&document, &mut Vec::new(), &mut paths);
    // Each change is read through `minimise` too.
    let cost = paths.len() * 20 * fixture.body.len();
    let step = cost.div_ceil(BUDGET).max(1);
    let mut seen = HashSet::new();
    for (index, path) in paths.iter().enumerate() {
        // Scattered, or a step might meet the same fields in every row.
        let sampled = (index.wrapping_mul(0x9e37_79b1) >> 7).is_multiple_of(step);
        if seen.insert(written(path, false)) || sampled {
            check.field(&document, path);
        }
    }
}

/// One step from the root of a document to a field.
#[derive(Clone, Debug)]
enum Step {
    Name(String),
    Index(usize),
}

/// Of `result[3].rank` all of it, or `result[].rank`.
fn written(path: &[Step], indices: bool) -> String {
    let mut text = String::new();
    for step in path {
        match step {
            Step::Name(name) if text.is_empty() => text.push_str(name),
            Step::Name(name) => text.extend([".", name]),
            Step::Index(index) if indices => text.extend(["[", &index.to_string(), "]"]),
            Step::Index(_) => text.push_str("[]"),
        }
    }
    text
}

fn collect(value: &Value, path: &mut Vec<Step>, into: &mut Vec<Vec<Step>>) {
    let mut go = |step: Step, value: &Value| {
        path.push(step);
        into.push(path.clone());
        collect(value, path, into);
        path.pop();
    };
    match value {
        Value::Object(members) => members
            .iter()
            .for_each(|(name, value)| go(Step::Name(name.clone()), value)),
        Value::Array(items) => items
            .iter()
            .enumerate()
            .for_each(|(index, value)| go(Step::Index(index), value)),
        _ => {}
    }
}

fn with_unknown_fields(value: &Value) -> Value {
    match value {
        Value::Object(members) => {
            let mut all: Map<String, Value> = members
                .iter()
                .map(|(name, value)| (name.clone(), with_unknown_fields(value)))
                .collect();
            all.insert(
                "nobodyKnowsThis".to_owned(),
                json!({"rank": [null, -1.5, "x"]}),
            );
            Value::Object(all)
        }
        Value::Array(items) => items.iter().map(with_unknown_fields).collect(),
        other => other.clone(),
    }
}

/// What is put in the place of a field.
enum Change {
    Missing,
    Value(Value),
    /// Bytes that no JSON value gives.
    Raw(&'static str, Vec<u8>),
}

impl Change {
    fn text(&self) -> String {
        match self {
            Self::Missing => "missing".to_owned(),
            Self::Value(value) => value.to_string(),
            Self::Raw(text, _) => (*text).to_owned(),
        }
    }
}

/// The document with the field changed; `None` where the change does not apply to it.
fn changed(document: &Value, path: &[Step], change: &Change) -> Option<Vec<u8>> {
    let mut document = document.clone();
    let (last, parents) = path.split_last()?;
    let mut at = &mut document;
    for step in parents {
        at = match step {
            Step::Name(name) => at.get_mut(name)?,
            Step::Index(index) => at.get_mut(index)?,
        };
    }
    let value = match change {
        Change::Missing => {
            let Step::Name(name) = last else { return None };
            at.as_object_mut()?.remove(name);
            return Some(document.to_string().into_bytes());
        }
        Change::Value(value) => value.clone(),
        Change::Raw(..) => json!(MARK),
    };
    match last {
        Step::Name(name) => *at.get_mut(name)? = value,
        Step::Index(index) => *at.get_mut(index)? = value,
    }
    let text = document.to_string();
    if let Change::Raw(_, bytes) = change {
        let (before, after) = text.split_once(&format!("\"{MARK}\""))?;
        return Some([before.as_bytes(), bytes, after.as_bytes()].concat());
    }
    Some(text.into_bytes())
}

fn same_type(one: &Value, other: &Value) -> bool {
    std::mem::discriminant(one) == std::mem::discriminant(other)
}

struct Check<'a> {
    source: &'a dyn Source,
    fixture: &'a Fixture<'a>,
    whole: &'a Reading,
}

impl Check<'_> {
    fn read(&self, what: &str, body: &[u8]) -> Outcome {
        let key = self.fixture.request.key();
        guarded(self.fixture.name, what, || {
            self.source
                .classify(self.fixture.request, self.fixture.status, body)
        });
        let kept = guarded(self.fixture.name, what, || self.source.minimise(&key, body));
        read(self.source, self.fixture, &kept, what)
    }

    fn outcome(&self, document: &Value, path: &[Step], change: &Change) -> Option<Outcome> {
        let what = Self::what(path, change);
        Some(self.read(&what, &changed(document, path, change)?))
    }

    fn what(path: &[Step], change: &Change) -> String {
        format!("{} {}", written(path, true), change.text())
    }

    fn is_as_before(&self, outcome: &Outcome) -> bool {
        outcome.as_ref().is_ok_and(|found| found == self.whole)
    }

    fn fail(&self, path: &[Step], change: &Change, why: &str) -> ! {
        panic!("{}, {}: {why}", self.fixture.name, Self::what(path, change));
    }

    fn field(&self, document: &Value, path: &[Step]) {
        let pointer: String = path
            .iter()
            .map(|step| match step {
                Step::Name(name) => format!("/{}", name.replace('~', "~0").replace('/', "~1")),
                Step::Index(index) => format!("/{index}"),
            })
            .collect();
        let Some(before) = document.pointer(&pointer) else {
            return;
        };
        for value in [
            Value::Null,
            json!(true),
            json!(-1),
            json!(0.5),
            json!(1e300),
            json!(i64::MIN),
            json!(u64::MAX),
            json!("NaN"),
            json!(""),
            json!([]),
            json!({}),
        ] {
            self.value(document, path, before, value);
        }
        if let Some(outcome) = self.outcome(document, path, &Change::Missing) {
            self.other_type(path, &Change::Missing, &outcome);
        }
        self.raw(document, path);
        if let Some(number) = before.as_i64() {
            self.wrapping(document, path, number);
        }
    }

    fn value(&self, document: &Value, path: &[Step], before: &Value, value: Value) {
        let alike = same_type(before, &value);
        let change = Change::Value(value);
        let Some(outcome) = self.outcome(document, path, &change) else {
            return;
        };
        if alike {
            self.same_type(path, &change, &outcome);
        } else {
            self.other_type(path, &change, &outcome);
        }
    }

    /// A value of the right type may read as another; it must be sound.
    fn same_type(&self, path: &[Step], change: &Change, outcome: &Outcome) {
        match outcome {
            Err(error) => names_its_document(self.fixture, &Self::what(path, change), error),
            Ok(found) => self.is_sound(path, change, found),
        }
    }

    fn is_sound(&self, path: &[Step], change: &Change, found: &Reading) {
        if let Err(fault) = sound::sound(found) {
            self.fail(path, change, &fault);
        }
        let (put, before, after) = (
            change.text(),
            format!("{:?}", self.whole),
            format!("{found:?}"),
        );
        for end in ENDS {
            if after.contains(end) && !before.contains(end) && !put.contains(end) {
                self.fail(path, change, &format!("it became {end}"));
            }
        }
    }

    /// What is missing or of another type is an error there, refused there, or without effect.
    /// That a field is missing that may be so can make something else wrong.
    fn other_type(&self, path: &[Step], change: &Change, outcome: &Outcome) {
        let absent = match change {
            Change::Missing | Change::Value(Value::Null) => true,
            Change::Value(value) => value == "",
            Change::Raw(..) => false,
        };
        let pattern = written(path, false);
        let optional = absent && self.fixture.optional.contains(&pattern.as_str());
        match outcome {
            Err(error) => {
                names_its_document(self.fixture, &Self::what(path, change), error);
                if !optional && !is_there(error, path) {
                    let why = format!("the error names another place or field: {error}");
                    self.fail(path, change, &why);
                }
            }
            Ok(found) if found == self.whole => {}
            Ok(found) => {
                self.is_sound(path, change, found);
                let refused = found.refused.iter().any(|error| is_there(error, path));
                if !refused && !optional {
                    let why = format!("it reads as something else without a word: {found:?}");
                    self.fail(path, change, &why);
                }
            }
        }
    }

    /// Bytes that are no JSON, or no text.
    fn raw(&self, document: &Value, path: &[Step]) {
        let no_text = Change::Raw("not UTF-8", b"\"\xff\xfe\"".to_vec());
        match self.outcome(document, path, &no_text) {
            Some(Err(error)) => {
                names_its_document(self.fixture, &Self::what(path, &no_text), &error);
                if error.at != ReadError::WHOLE && !is_there(&error, path) {
                    let why = format!("the error names another place or field: {error}");
                    self.fail(path, &no_text, &why);
                }
            }
            Some(Ok(found)) if found != *self.whole => {
                self.fail(path, &no_text, "it reads as something else without a word");
            }
            _ => {}
        }
        for (text, bytes) in [("NaN", "NaN"), ("Infinity", "-Infinity"), ("0x1", "0x1")] {
            let no_json = Change::Raw(text, bytes.as_bytes().to_vec());
            match self.outcome(document, path, &no_json) {
                Some(Err(error)) => {
                    names_its_document(self.fixture, &Self::what(path, &no_json), &error);
                }
                Some(Ok(_)) => self.fail(path, &no_json, "read, although it is no JSON"),
                None => {}
            }
        }
    }

    /// Numbers that become the original where a narrower integer wraps.
    fn wrapping(&self, document: &Value, path: &[Step], number: i64) {
        // One more would read the same where the number, or more of it, does not matter.
        let Some(one_more) = number.checked_add(1).map(|more| Change::Value(json!(more))) else {
            return;
        };
        let outcome = self.outcome(document, path, &one_more);
        if outcome.is_none_or(|outcome| self.is_as_before(&outcome)) {
            return;
        }
        let around = |bits: u32| i128::from(number) + (1_i128 << bits);
        for bits in [16, 32, 64] {
            let text = around(bits).to_string();
            let change = Change::Raw("2 to the power of 16, 32 or 64 more", text.into_bytes());
            match self.outcome(document, path, &change) {
                Some(outcome) if self.is_as_before(&outcome) => {
                    self.fail(path, &change, "it wrapped");
                }
                Some(outcome) => self.same_type(path, &change, &outcome),
                None => {}
            }
        }
    }
}

/// Whether an error is about a field: at its path or within it, or around it with its name.
fn is_there(error: &ReadError, path: &[Step]) -> bool {
    let at = error.at.as_str();
    let here = written(path, true);
    let inside = |outer: &str, inner: &str| {
        inner
            .strip_prefix(outer)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
    };
    if inside(&here, at) {
        return true;
    }
    let Some((Step::Name(name), around)) = path.split_last() else {
        return false;
    };
    let around = written(around, true);
    let at = if at == ReadError::WHOLE { "" } else { at };
    at == around && error.expected.contains(name.as_str())
}
