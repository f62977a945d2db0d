//! Checks JSON answers with one changed field.

use std::collections::HashSet;

use serde_json::{Value, json};

use ranklore_source::{SiteReadError, SiteReading, Source};

use crate::checks::{ReadOutcome, check_error_location, process_answer, read_original};
use crate::{Fixture, validity};

/// The approximate number of bytes of JSON to parse in all. Fields of larger documents are sampled:
/// each field is tried where it first occurs, and in some other places.
const PARSE_BUDGET_BYTES: usize = 8 << 20;

/// Marks the place for bytes that are not JSON.
const REPLACEMENT_MARK: &str = "a mark that stands in no document";

/// Numbers that result from wrapping or saturation.
const OVERFLOW_VALUES: [&str; 6] = [
    "65535",
    "2147483647",
    "4294967295",
    "9223372036854775807",
    "-9223372036854775808",
    "18446744073709551615",
];

/// Checks a JSON answer with each field in turn missing, null, of another type, negative, huge, a
/// fraction, a numeric string, `NaN`, or not UTF-8.
///
/// Each change must be an error that names the document, the path of the field and the expected
/// data; or be among the refused entries; or not change the reading, because the field does not
/// matter. If an optional field (`optional` of the fixture) is missing or empty, the reading may
/// change, or the error may name another field. Another value of the same type may change the
/// reading, but it must stay [valid](crate::check_reading), and a number must never wrap or
/// saturate. Unknown fields in every object, and another order of fields, must not change the
/// reading.
///
/// # Panics
/// If a check fails, or the answer is not JSON.
pub fn check_fields(source: &dyn Source, fixture: &Fixture<'_>) {
    let name = fixture.name;
    let document: Value = match serde_json::from_slice(fixture.body) {
        Ok(document) => document,
        Err(error) => panic!("{name}: not JSON: {error}"),
    };
    let original = read_original(source, fixture);
    let check = FieldCheck {
        source,
        fixture,
        original: &original,
    };
    let mut with_unknown = document.clone();
    add_unknown_fields(&mut with_unknown);
    for (change, changed) in [
        ("its fields in another order", &document),
        ("unknown fields added", &with_unknown),
    ] {
        let outcome = check.read(change, changed.to_string().as_bytes());
        assert_eq!(outcome.as_ref(), Ok(&original), "{name}, {change}: it reads differently");
    }
    let mut fields = Vec::new();
    collect_fields(&document, &JsonField::default(), &mut fields);
    // Each change is read after `minimise` too.
    let cost = fields.len() * 20 * fixture.body.len();
    let step = cost.div_ceil(PARSE_BUDGET_BYTES).max(1);
    let mut tried_patterns = HashSet::new();
    for (index, field) in fields.iter().enumerate() {
        // Scattered: a fixed step might hit the same fields in every row.
        let is_sampled = (index.wrapping_mul(0x9e37_79b1) >> 7).is_multiple_of(step);
        if tried_patterns.insert(&field.pattern) || is_sampled {
            check.check_field(&document, field);
        }
    }
}

/// A field of a document.
#[derive(Clone, Default)]
struct JsonField {
    /// A JSON pointer for [`Value::pointer`]: `/result/3/rank`.
    pointer: String,
    /// The path, such as `result[3].rank`.
    path: String,
    /// The path without indices, such as `result[].rank`.
    pattern: String,
    /// The path of the parent.
    parent: String,
    /// The name in an object; `None` for elements of arrays.
    name: Option<String>,
}

impl JsonField {
    fn member(&self, name: &str) -> Self {
        let dot = if self.path.is_empty() { "" } else { "." };
        let escaped = name.replace('~', "~0").replace('/', "~1");
        Self {
            pointer: format!("{}/{escaped}", self.pointer),
            path: format!("{}{dot}{name}", self.path),
            pattern: format!("{}{dot}{name}", self.pattern),
            parent: self.path.clone(),
            name: Some(name.to_owned()),
        }
    }

    fn element(&self, index: usize) -> Self {
        Self {
            pointer: format!("{}/{index}", self.pointer),
            path: format!("{}[{index}]", self.path),
            pattern: format!("{}[]", self.pattern),
            parent: self.path.clone(),
            name: None,
        }
    }
}

/// Collects all fields within the value of `around`.
fn collect_fields(value: &Value, around: &JsonField, into: &mut Vec<JsonField>) {
    let mut add = |field: JsonField, value: &Value| {
        into.push(field.clone());
        collect_fields(value, &field, into);
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

/// A change of a field.
enum FieldChange {
    Missing,
    Value(Value),
    /// Bytes that no JSON value has, with a description.
    Raw(&'static str, Vec<u8>),
}

impl FieldChange {
    fn description(&self) -> String {
        match self {
            Self::Missing => "missing".to_owned(),
            Self::Value(value) => value.to_string(),
            Self::Raw(text, _) => (*text).to_owned(),
        }
    }
}

/// Returns the document with the field changed, or `None` if the change does not apply.
fn apply_change(document: &Value, field: &JsonField, change: &FieldChange) -> Option<Vec<u8>> {
    let mut document = document.clone();
    match change {
        FieldChange::Missing => {
            let (object, _) = field.pointer.rsplit_once('/')?;
            let object = document.pointer_mut(object)?.as_object_mut()?;
            object.remove(field.name.as_ref()?);
        }
        FieldChange::Value(value) => *document.pointer_mut(&field.pointer)? = value.clone(),
        FieldChange::Raw(_, bytes) => {
            *document.pointer_mut(&field.pointer)? = json!(REPLACEMENT_MARK);
            let text = document.to_string();
            let (before, after) = text.split_once(&format!("\"{REPLACEMENT_MARK}\""))?;
            return Some([before.as_bytes(), bytes, after.as_bytes()].concat());
        }
    }
    Some(document.to_string().into_bytes())
}

fn is_same_type(one: &Value, other: &Value) -> bool {
    std::mem::discriminant(one) == std::mem::discriminant(other)
}

struct FieldCheck<'a> {
    source: &'a dyn Source,
    fixture: &'a Fixture<'a>,
    original: &'a SiteReading,
}

impl FieldCheck<'_> {
    fn read(&self, change: &str, body: &[u8]) -> ReadOutcome {
        process_answer(self.source, self.fixture, body, change).1
    }

    fn outcome(
        &self,
        document: &Value,
        field: &JsonField,
        change: &FieldChange,
    ) -> Option<ReadOutcome> {
        let description = Self::describe_change(field, change);
        Some(self.read(&description, &apply_change(document, field, change)?))
    }

    fn describe_change(field: &JsonField, change: &FieldChange) -> String {
        format!("{} {}", field.path, change.description())
    }

    fn fail(&self, field: &JsonField, change: &FieldChange, reason: &str) -> ! {
        let name = self.fixture.name;
        let change = Self::describe_change(field, change);
        panic!("{name}, {change}: {reason}");
    }

    fn check_location(&self, field: &JsonField, change: &FieldChange, error: &SiteReadError) {
        check_error_location(self.fixture, &Self::describe_change(field, change), error);
    }

    fn check_field(&self, document: &Value, field: &JsonField) {
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
            self.check_value(document, field, before, value);
        }
        if let Some(outcome) = self.outcome(document, field, &FieldChange::Missing) {
            self.check_other_type(field, &FieldChange::Missing, &outcome);
        }
        self.check_raw_bytes(document, field);
        if let Some(number) = before.as_i64() {
            self.check_wrapping(document, field, number);
        }
    }

    fn check_value(&self, document: &Value, field: &JsonField, before: &Value, value: Value) {
        let is_same_kind = is_same_type(before, &value);
        let change = FieldChange::Value(value);
        let Some(outcome) = self.outcome(document, field, &change) else {
            return;
        };
        if is_same_kind {
            self.check_same_type(field, &change, &outcome);
        } else {
            self.check_other_type(field, &change, &outcome);
        }
    }

    /// Checks a value of the same type: the reading may change, but must stay valid.
    fn check_same_type(&self, field: &JsonField, change: &FieldChange, outcome: &ReadOutcome) {
        match outcome {
            Err(error) => {
                self.check_location(field, change, error);
            }
            Ok(reading) => self.check_valid(field, change, reading),
        }
    }

    fn check_valid(&self, field: &JsonField, change: &FieldChange, reading: &SiteReading) {
        if let Err(fault) = validity::validate_reading(reading) {
            self.fail(field, change, &fault);
        }
        let value = change.description();
        let before = format!("{:?}", self.original);
        let after = format!("{reading:?}");
        for end in OVERFLOW_VALUES {
            if after.contains(end) && !before.contains(end) && !value.contains(end) {
                self.fail(field, change, &format!("it became {end}"));
            }
        }
    }

    /// Checks a missing value or one of another type: it must be an error or a refused entry at
    /// that field, or have no effect. If an optional field is missing, other errors are allowed.
    fn check_other_type(&self, field: &JsonField, change: &FieldChange, outcome: &ReadOutcome) {
        let is_absent = match change {
            FieldChange::Missing | FieldChange::Value(Value::Null) => true,
            FieldChange::Value(value) => value == "",
            FieldChange::Raw(..) => false,
        };
        let is_optional = is_absent && self.fixture.optional.contains(&&*field.pattern);
        match outcome {
            Err(error) => {
                self.check_location(field, change, error);
                if !is_optional && !is_error_about(error, field) {
                    let reason = format!("the error names another place or field: {error}");
                    self.fail(field, change, &reason);
                }
            }
            Ok(reading) if reading == self.original => {}
            Ok(reading) => {
                self.check_valid(field, change, reading);
                let mut errors = reading.refused.iter();
                if !is_optional && !errors.any(|error| is_error_about(error, field)) {
                    let reason = format!("the reading changed without an error: {reading:?}");
                    self.fail(field, change, &reason);
                }
            }
        }
    }

    /// Checks bytes that are not JSON or not text.
    fn check_raw_bytes(&self, document: &Value, field: &JsonField) {
        let no_text = FieldChange::Raw("not UTF-8", b"\"\xff\xfe\"".to_vec());
        match self.outcome(document, field, &no_text) {
            Some(Err(error)) => {
                self.check_location(field, &no_text, &error);
                if error.at != SiteReadError::WHOLE_DOCUMENT && !is_error_about(&error, field) {
                    let reason = format!("the error names another place or field: {error}");
                    self.fail(field, &no_text, &reason);
                }
            }
            Some(Ok(reading)) if reading != *self.original => {
                self.fail(field, &no_text, "the reading changed without an error");
            }
            _ => {}
        }
        for (text, bytes) in [("NaN", "NaN"), ("Infinity", "-Infinity"), ("0x1", "0x1")] {
            let no_json = FieldChange::Raw(text, bytes.as_bytes().to_vec());
            match self.outcome(document, field, &no_json) {
                Some(Err(error)) => {
                    self.check_location(field, &no_json, &error);
                }
                Some(Ok(_)) => self.fail(field, &no_json, "it was read, although it is not JSON"),
                None => {}
            }
        }
    }

    /// Checks numbers that a narrower integer would wrap to the original.
    fn check_wrapping(&self, document: &Value, field: &JsonField, number: i64) {
        // Skip numbers whose exact value does not matter.
        let Some(one_more) = number.checked_add(1).map(|more| FieldChange::Value(json!(more)))
        else {
            return;
        };
        let outcome = self.outcome(document, field, &one_more);
        if outcome.is_none_or(|outcome| outcome.as_ref() == Ok(self.original)) {
            return;
        }
        for bits in [16, 32, 64] {
            let text = (i128::from(number) + (1_i128 << bits)).to_string();
            let change = FieldChange::Raw("2 to the power of 16, 32 or 64 more", text.into_bytes());
            match self.outcome(document, field, &change) {
                Some(outcome) if outcome.as_ref() == Ok(self.original) => {
                    self.fail(field, &change, "it wrapped");
                }
                Some(outcome) => self.check_same_type(field, &change, &outcome),
                None => {}
            }
        }
    }
}

/// True if an error is about a field: at or below its path, or at its parent with its name.
fn is_error_about(error: &SiteReadError, field: &JsonField) -> bool {
    let within = error.at.strip_prefix(&field.path);
    if within.is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '['])) {
        return true;
    }
    let at = match error.at.as_str() {
        SiteReadError::WHOLE_DOCUMENT => "",
        at => at,
    };
    let name = field.name.as_ref();
    at == field.parent && name.is_some_and(|name| error.expected.contains(name))
}
