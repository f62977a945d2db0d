//! JSON in which one field is not what it should be.

use std::collections::HashSet;

use serde_json::{Value, json};

use super::{Fixture, Outcome, names_its_document, original, sound, taken};
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
    let mut with_unknown = document.clone();
    add_unknown_fields(&mut with_unknown);
    for (what, other) in [
        ("its fields in another order", &document),
        ("unknown fields added", &with_unknown),
    ] {
        let found = check.read(what, other.to_string().as_bytes());
        assert_eq!(
            found.as_ref(),
            Ok(&whole),
            "{name}, {what}: it reads differently"
        );
    }
    let mut fields = Vec::new();
    collect(&document, &Field::default(), &mut fields);
    // Each change is read through `minimise` too.
    let cost = fields.len() * 20 * fixture.body.len();
    let step = cost.div_ceil(BUDGET).max(1);
    let mut seen = HashSet::new();
    for (index, field) in fields.iter().enumerate() {
        // Scattered, or a step might meet the same fields in every row.
        let sampled = (index.wrapping_mul(0x9e37_79b1) >> 7).is_multiple_of(step);
        if seen.insert(&field.pattern) || sampled {
            check.field(&document, field);
        }
    }
}

/// A field of a document.
#[derive(Clone, Default)]
struct Field {
    /// A pointer as of [`Value::pointer`]: `/result/3/rank`.
    pointer: String,
    /// `result[3].rank`.
    path: String,
    /// `result[].rank`.
    pattern: String,
    /// The path of what it is in.
    around: String,
    /// Its name in an object; none of elements of arrays.
    name: Option<String>,
}

impl Field {
    fn member(&self, name: &str) -> Self {
        let dot = if self.path.is_empty() { "" } else { "." };
        let escaped = name.replace('~', "~0").replace('/', "~1");
        Self {
            pointer: format!("{}/{escaped}", self.pointer),
            path: format!("{}{dot}{name}", self.path),
            pattern: format!("{}{dot}{name}", self.pattern),
            around: self.path.clone(),
            name: Some(name.to_owned()),
        }
    }

    fn element(&self, index: usize) -> Self {
        Self {
            pointer: format!("{}/{index}", self.pointer),
            path: format!("{}[{index}]", self.path),
            pattern: format!("{}[]", self.pattern),
            around: self.path.clone(),
            name: None,
        }
    }
}

/// All fields within a value, which is at `around`.
fn collect(value: &Value, around: &Field, into: &mut Vec<Field>) {
    let mut add = |field: Field, value: &Value| {
        into.push(field.clone());
        collect(value, &field, into);
    };
    match value {
        Value::Object(members) => {
            for (name, value) in members {
                add(around.member(name), value);
            }
        }
        Value::Array(items) => {
            for (index, value) in items.iter().enumerate() {
                add(around.element(index), value);
            }
        }
        _ => {}
    }
}

fn add_unknown_fields(value: &mut Value) {
    match value {
        Value::Object(members) => {
            members.values_mut().for_each(add_unknown_fields);
            let unknown = json!({"rank": [null, -1.5, "x"]});
            members.insert("nobodyKnowsThis".to_owned(), unknown);
        }
        Value::Array(items) => items.iter_mut().for_each(add_unknown_fields),
        _ => {}
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
fn changed(document: &Value, field: &Field, change: &Change) -> Option<Vec<u8>> {
    let mut document = document.clone();
    match change {
        Change::Missing => {
            let (object, _) = field.pointer.rsplit_once('/')?;
            let object = document.pointer_mut(object)?.as_object_mut()?;
            object.remove(field.name.as_ref()?);
        }
        Change::Value(value) => *document.pointer_mut(&field.pointer)? = value.clone(),
        Change::Raw(_, bytes) => {
            *document.pointer_mut(&field.pointer)? = json!(MARK);
            let text = document.to_string();
            let (before, after) = text.split_once(&format!("\"{MARK}\""))?;
            return Some([before.as_bytes(), bytes, after.as_bytes()].concat());
        }
    }
    Some(document.to_string().into_bytes())
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
        taken(self.source, self.fixture, body, what).1
    }

    fn outcome(&self, document: &Value, field: &Field, change: &Change) -> Option<Outcome> {
        let what = Self::what(field, change);
        Some(self.read(&what, &changed(document, field, change)?))
    }

    fn what(field: &Field, change: &Change) -> String {
        format!("{} {}", field.path, change.text())
    }

    fn fail(&self, field: &Field, change: &Change, why: &str) -> ! {
        let (name, what) = (self.fixture.name, Self::what(field, change));
        panic!("{name}, {what}: {why}");
    }

    fn field(&self, document: &Value, field: &Field) {
        let Some(before) = document.pointer(&field.pointer) else {
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
            self.value(document, field, before, value);
        }
        if let Some(outcome) = self.outcome(document, field, &Change::Missing) {
            self.other_type(field, &Change::Missing, &outcome);
        }
        self.raw(document, field);
        if let Some(number) = before.as_i64() {
            self.wrapping(document, field, number);
        }
    }

    fn value(&self, document: &Value, field: &Field, before: &Value, value: Value) {
        let alike = same_type(before, &value);
        let change = Change::Value(value);
        let Some(outcome) = self.outcome(document, field, &change) else {
            return;
        };
        if alike {
            self.same_type(field, &change, &outcome);
        } else {
            self.other_type(field, &change, &outcome);
        }
    }

    /// A value of the right type may read as another; it must be sound.
    fn same_type(&self, field: &Field, change: &Change, outcome: &Outcome) {
        match outcome {
            Err(error) => names_its_document(self.fixture, &Self::what(field, change), error),
            Ok(found) => self.is_sound(field, change, found),
        }
    }

    fn is_sound(&self, field: &Field, change: &Change, found: &Reading) {
        if let Err(fault) = sound::sound(found) {
            self.fail(field, change, &fault);
        }
        let (put, before) = (change.text(), format!("{:?}", self.whole));
        let after = format!("{found:?}");
        for end in ENDS {
            if after.contains(end) && !before.contains(end) && !put.contains(end) {
                self.fail(field, change, &format!("it became {end}"));
            }
        }
    }

    /// What is missing or of another type is an error there, refused there, or without effect.
    /// That a field is missing that may be so can make something else wrong.
    fn other_type(&self, field: &Field, change: &Change, outcome: &Outcome) {
        let absent = match change {
            Change::Missing | Change::Value(Value::Null) => true,
            Change::Value(value) => value == "",
            Change::Raw(..) => false,
        };
        let optional = absent && self.fixture.optional.contains(&&*field.pattern);
        match outcome {
            Err(error) => {
                names_its_document(self.fixture, &Self::what(field, change), error);
                if !optional && !is_there(error, field) {
                    let why = format!("the error names another place or field: {error}");
                    self.fail(field, change, &why);
                }
            }
            Ok(found) if found == self.whole => {}
            Ok(found) => {
                self.is_sound(field, change, found);
                let refused = found.refused.iter().any(|error| is_there(error, field));
                if !refused && !optional {
                    let why = format!("it reads as something else without a word: {found:?}");
                    self.fail(field, change, &why);
                }
            }
        }
    }

    /// Bytes that are no JSON, or no text.
    fn raw(&self, document: &Value, field: &Field) {
        let no_text = Change::Raw("not UTF-8", b"\"\xff\xfe\"".to_vec());
        match self.outcome(document, field, &no_text) {
            Some(Err(error)) => {
                names_its_document(self.fixture, &Self::what(field, &no_text), &error);
                if error.at != ReadError::WHOLE && !is_there(&error, field) {
                    let why = format!("the error names another place or field: {error}");
                    self.fail(field, &no_text, &why);
                }
            }
            Some(Ok(found)) if found != *self.whole => {
                self.fail(field, &no_text, "it reads as something else without a word");
            }
            _ => {}
        }
        for (text, bytes) in [("NaN", "NaN"), ("Infinity", "-Infinity"), ("0x1", "0x1")] {
            let no_json = Change::Raw(text, bytes.as_bytes().to_vec());
            match self.outcome(document, field, &no_json) {
                Some(Err(error)) => {
                    names_its_document(self.fixture, &Self::what(field, &no_json), &error);
                }
                Some(Ok(_)) => self.fail(field, &no_json, "read, although it is no JSON"),
                None => {}
            }
        }
    }

    /// Numbers that become the original where a narrower integer wraps.
    fn wrapping(&self, document: &Value, field: &Field, number: i64) {
        // One more would read the same where the number, or more of it, does not matter.
        let Some(one_more) = number.checked_add(1).map(|more| Change::Value(json!(more))) else {
            return;
        };
        let outcome = self.outcome(document, field, &one_more);
        if outcome.is_none_or(|outcome| outcome.as_ref() == Ok(self.whole)) {
            return;
        }
        let around = |bits: u32| i128::from(number) + (1_i128 << bits);
        for bits in [16, 32, 64] {
            let text = around(bits).to_string();
            let change = Change::Raw("2 to the power of 16, 32 or 64 more", text.into_bytes());
            match self.outcome(document, field, &change) {
                Some(outcome) if outcome.as_ref() == Ok(self.whole) => {
                    self.fail(field, &change, "it wrapped");
                }
                Some(outcome) => self.same_type(field, &change, &outcome),
                None => {}
            }
        }
    }
}

/// Whether an error is about a field: at its path or within it, or around it with its name.
fn is_there(error: &ReadError, field: &Field) -> bool {
    let within = error.at.strip_prefix(&field.path);
    if within.is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '['])) {
        return true;
    }
    let at = match error.at.as_str() {
        ReadError::WHOLE => "",
        at => at,
    };
    let name = field.name.as_ref();
    at == field.around && name.is_some_and(|name| error.expected.contains(name))
}
