//! Persons who are forgotten in an answer.

use ranklore_contest::UnixSeconds;
use serde_json::Value;

use super::{Fixture, original};
use crate::{Document, Form, Source, redact};

/// Each person whom the answer names, and all of them at once, can be forgotten: in what is
/// archived of it and in its key a blank takes the place of the name, it then says the same of
/// everybody else, and no string of JSON is the name. Forgetting again, or nobody, changes
/// nothing.
///
/// # Panics
/// When something of it does not hold.
pub fn forget(source: &dyn Source, fixture: &Fixture<'_>) {
    let key = fixture.request.key();
    let kept = source.minimise(&key, fixture.body);
    let check = Check {
        source,
        fixture,
        document: Document {
            request_key: &key,
            fetched_at: UnixSeconds::MAX,
            status: fixture.status,
            body: &kept,
        },
    };
    let name = fixture.name;
    assert_eq!(
        source.profile().redact(&check.document, &|_| None),
        None,
        "{name}: nobody is to be forgotten, and it is redacted"
    );
    let whole = original(source, fixture);
    let persons: Vec<&str> = whole.persons().into_iter().collect();
    for person in &persons {
        check.without(&[person]);
    }
    if persons.len() > 1 {
        check.without(&persons);
    }
}

struct Check<'a> {
    source: &'a dyn Source,
    fixture: &'a Fixture<'a>,
    document: Document<'a>,
}

impl Check<'_> {
    fn without(&self, persons: &[&str]) {
        let name = self.fixture.name;
        let blank = |name: &str| {
            let index = persons.iter().position(|person| *person == name)?;
            Some(format!("forgotten-{}", index + 1))
        };
        let searched = match redact(self.source, &self.document, &blank) {
            Ok(searched) => searched,
            Err(error) => panic!(
                "{name}: forgetting {persons:?}: {error}; `Profile::redaction` says where \
                 persons are named"
            ),
        };
        let Some(redacted) = searched.redacted else {
            panic!("{name}: names {persons:?}, and is not redacted");
        };
        let again = Document {
            request_key: &redacted.request_key,
            body: &redacted.body,
            ..self.document
        };
        assert_eq!(
            self.source.profile().redact(&again, &blank),
            None,
            "{name}: forgetting {persons:?} twice changes it once more"
        );
        if self.fixture.request.expects == Form::Json {
            // What is no JSON was not read.
            let value: Value = serde_json::from_slice(&redacted.body).unwrap_or_default();
            if let Some(person) = persons.iter().find(|person| is_in(person, &value)) {
                panic!("{name}: {person:?} still stands in it, forgotten");
            }
        }
    }
}

fn is_in(name: &str, value: &Value) -> bool {
    match value {
        Value::String(text) => text == name,
        Value::Array(items) => items.iter().any(|item| is_in(name, item)),
        Value::Object(members) => members.values().any(|member| is_in(name, member)),
        _ => false,
    }
}
