//! Changes the layout of JSON.

use serde_json::{Map, Value, json};

use super::{LayoutChanges, read_changed_answer};
use ranklore_source::{Request, Source};

/// A JSON answer and a description of its layout.
#[derive(Debug)]
pub struct JsonAnswer<'a> {
    /// The request that it answers.
    pub request: &'a Request,
    /// The body, with status 200; it must be readable.
    pub body: &'a [u8],
    /// The objects in it.
    pub objects: &'a [JsonObjects<'a>],
    /// The lists in it.
    pub lists: &'a [JsonLists<'a>],
    /// Further changes of the whole document, by name.
    pub changes: &'a [(&'a str, ValueChange)],
}

/// Replaces a value by another.
pub type ValueChange = fn(&Value) -> Value;

/// Objects with the same fields.
///
/// `path` is a list of steps: the name of a member, `*` for every member or element, `**` for a
/// value and everything in it, `kind=t1` for an object whose member `kind` is `t1`.
#[derive(Clone, Copy, Debug)]
pub struct JsonObjects<'a> {
    /// The name used in names of changes.
    pub name: &'a str,
    /// The path of the objects.
    pub path: &'a [&'a str],
    /// Fields that the source reads.
    pub fields: &'a [&'a str],
    /// Fields that the source ignores.
    pub ignored: &'a [&'a str],
    /// Further values of a field, such as another unit: the field, the name of the change, and the
    /// change.
    pub changes: &'a [(&'a str, &'a str, ValueChange)],
}

/// Lists of rows.
#[derive(Clone, Copy, Debug)]
pub struct JsonLists<'a> {
    /// The name used in names of changes.
    pub name: &'a str,
    /// The path of the lists, as in [`JsonObjects`].
    pub path: &'a [&'a str],
    /// The member of a row that contains its fields; `None` if the row itself does.
    pub within: Option<&'a str>,
    /// Fields that are swapped between two rows.
    pub fields: &'a [&'a str],
}

/// Counts the results of changed answers. Fields are removed, renamed, translated, given another
/// type, swapped, flattened into their parent, or changed as the tests specify; objects become
/// lists of values; lists are reversed or have fields of two rows swapped; the document is wrapped.
/// Each change is tried in all places, and in the second place alone.
///
/// # Panics
/// If an answer is not JSON, or is not readable as it is.
#[must_use]
pub fn change_json(source: &dyn Source, answers: &[JsonAnswer<'_>]) -> LayoutChanges {
    let mut changes = LayoutChanges::default();
    for answer in answers {
        let request = answer.request;
        let key = request.key();
        let document: Value = match serde_json::from_slice(answer.body) {
            Ok(document) => document,
            Err(error) => panic!("{key}: not JSON: {error}"),
        };
        let original = match read_changed_answer(source, request, 200, answer.body) {
            Ok(reading) => reading,
            Err(error) => panic!("{key}: cannot be read: {error}"),
        };
        let mut count = |name: &str, changed: &Value| {
            if *changed != document {
                let body = changed.to_string();
                let outcome = read_changed_answer(source, request, 200, body.as_bytes());
                changes.record(name, &original, &outcome, || format!("{key}: {outcome:?}"));
            }
        };
        for form in answer.objects {
            change_fields(form, &mut |name, change| {
                change_everywhere_and_once(&document, form.path, name, change, &mut count);
            });
        }
        for lists in answer.lists {
            change_lists(lists, &mut |name, change| {
                change_everywhere_and_once(&document, lists.path, name, change, &mut count);
            });
        }
        count("the whole in a list", &json!([document]));
        count("the whole in an object", &json!({ "data": document }));
        for (name, change) in answer.changes {
            count(name, &change(&document));
        }
    }
    changes
}

/// Receives the name of a change and the change.
type ApplyChange<'p> = dyn FnMut(&str, &dyn Fn(&mut Value)) + 'p;

/// Calls `change` for every value at a path, the innermost first.
fn for_each_at_path(value: &mut Value, path: &[&str], change: &mut dyn FnMut(&mut Value)) {
    let Some((step, rest)) = path.split_first() else {
        change(value);
        return;
    };
    let is_any = matches!(*step, "*" | "**");
    let inner_path = if *step == "**" { path } else { rest };
    match value {
        Value::Object(members) => {
            for (name, value) in members {
                if is_any || name == *step {
                    for_each_at_path(value, inner_path, change);
                }
            }
        }
        Value::Array(items) if is_any => {
            for value in items {
                for_each_at_path(value, inner_path, change);
            }
        }
        _ => {}
    }
    let is_kind = step
        .split_once('=')
        .is_some_and(|(member, text)| value.get(member).is_some_and(|kind| kind == text));
    if *step == "**" || is_kind {
        for_each_at_path(value, rest, change);
    }
}

/// Applies a change to all values at a path, and to the second alone.
fn change_everywhere_and_once(
    document: &Value,
    path: &[&str],
    name: &str,
    change: &dyn Fn(&mut Value),
    count: &mut dyn FnMut(&str, &Value),
) {
    let mut everywhere = document.clone();
    for_each_at_path(&mut everywhere, path, &mut |value| change(value));
    count(&format!("{name}, everywhere"), &everywhere);
    let mut once = document.clone();
    let mut visited = 0;
    for_each_at_path(&mut once, path, &mut |value| {
        visited += 1;
        if visited == 2 {
            change(value);
        }
    });
    count(&format!("{name}, once"), &once);
}

/// Changes the fields of objects.
fn change_fields(form: &JsonObjects<'_>, apply: &mut ApplyChange<'_>) {
    let place = form.name;
    for field in form.fields {
        let mut apply_to_objects = |name: &str, change: &dyn Fn(&mut Map<String, Value>)| {
            apply(&format!("{place}.{field} {name}"), &|value| {
                if let Value::Object(object) = value {
                    change(object);
                }
            });
        };
        apply_to_objects("dropped", &|object| {
            object.remove(*field);
        });
        for (name, new_field) in [
            ("renamed", format!("{field}_new")),
            ("translated", format!("ünder_{field}")),
            ("in capitals", field.to_uppercase()),
        ] {
            apply_to_objects(name, &|object| {
                if let Some(value) = object.remove(*field) {
                    object.insert(new_field.clone(), value);
                }
            });
        }
        apply_to_objects("spread", &|object| {
            if let Some(Value::Object(inner)) = object.get(*field).cloned() {
                object.remove(*field);
                object.extend(inner);
            }
        });
        let further = form
            .changes
            .iter()
            .filter(|(changed_field, ..)| changed_field == field)
            .map(|(_, name, change)| (*name, *change));
        for (name, change) in TYPE_CHANGES.into_iter().chain(further) {
            apply_to_objects(name, &|object| {
                if let Some(value) = object.get_mut(*field) {
                    *value = change(value);
                }
            });
        }
    }
    for (index, one) in form.fields.iter().enumerate() {
        for other in form.fields[index + 1..].iter().chain(form.ignored) {
            apply(&format!("{place}.{one} and {other} swapped"), &|value| {
                if let Some([one, other]) =
                    value.as_object_mut().and_then(|object| two_members(object, one, other))
                {
                    std::mem::swap(one, other);
                }
            });
        }
    }
    apply(&format!("{place} as a list"), &|value| {
        if let Value::Object(object) = value {
            *value = object.values().cloned().collect();
        }
    });
}

/// Returns two members of an object that has both.
fn two_members<'o>(
    object: &'o mut Map<String, Value>,
    one: &str,
    other: &str,
) -> Option<[&'o mut Value; 2]> {
    let members = object.iter_mut().filter(|(name, _)| *name == one || *name == other);
    let values: Vec<&mut Value> = members.map(|(_, value)| value).collect();
    values.try_into().ok()
}

/// Changes that apply to values of any type.
const TYPE_CHANGES: [(&str, ValueChange); 5] = [
    ("null", |_| Value::Null),
    ("in a list", |value| json!([value])),
    ("in an object", |value| json!({ "value": value })),
    ("as a truth or a number", |value| match value {
        Value::Bool(truth) => json!(u8::from(*truth)),
        _ => json!(true),
    }),
    ("as text or a number", |value| match value {
        Value::String(text) => json!(text.len()),
        other => json!(other.to_string()),
    }),
];

/// Changes the order and fields of lists.
fn change_lists(lists: &JsonLists<'_>, apply: &mut ApplyChange<'_>) {
    let place = lists.name;
    apply(&format!("{place} reversed"), &|value| {
        if let Value::Array(rows) = value {
            rows.reverse();
        }
    });
    for field in lists.fields {
        let name = format!("{place}: {field} of the first two rows swapped");
        apply(&name, &|value| {
            let Value::Array(rows) = value else { return };
            let cells = rows.iter_mut().map(|row| match lists.within {
                Some(within) => row.get_mut(within)?.get_mut(field),
                None => row.get_mut(field),
            });
            let cells: Vec<Option<&mut Value>> = cells.take(2).collect();
            if let Ok([Some(one), Some(other)]) = <[_; 2]>::try_from(cells) {
                std::mem::swap(one, other);
            }
        });
    }
}
