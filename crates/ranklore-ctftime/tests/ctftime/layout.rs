//! A changed layout must be noticed: fixtures changed by program, which are then refused, or read
//! as before, but for those changes that `docs/sources/ctftime.md` lists.

use std::collections::BTreeSet;

use ranklore_contest::Entrant;
use ranklore_source::{ContestOutcome, Reading, Request, Source, Verdict};
use serde_json::{Map, Value, json};

use crate::fixtures::{bytes, events_of_june, read, results_of, source, teams_from};

/// Objects of one form: where they lie, and the fields that are read of them. `*` is every
/// member or element.
struct Form {
    path: &'static [&'static str],
    fields: &'static [&'static str],
    /// Fields that are there and are not read.
    others: &'static [&'static str],
}

const YEAR: &[Form] = &[
    Form {
        path: &["*"],
        fields: &["title", "time", "scores"],
        others: &[],
    },
    Form {
        path: &["*", "scores", "*"],
        fields: &["team_id", "points", "place"],
        others: &[],
    },
];

const EVENTS: &[Form] = &[
    Form {
        path: &["*"],
        fields: &[
            "id",
            "title",
            "start",
            "finish",
            "weight",
            "format",
            "ctftime_url",
            "organizers",
        ],
        others: &["ctf_id", "format_id", "participants", "url", "restrictions"],
    },
    Form {
        path: &["*", "organizers", "*"],
        fields: &["id", "name"],
        others: &[],
    },
];

const PAGE: &[Form] = &[
    Form {
        path: &[],
        fields: &["limit", "offset", "result"],
        others: &[],
    },
    Form {
        path: &["result", "*"],
        fields: &["id", "name"],
        others: &["primary_alias", "country"],
    },
];

/// Every object at a path.
fn each(value: &mut Value, path: &[&str], change: &mut dyn FnMut(&mut Map<String, Value>)) {
    let Some((step, rest)) = path.split_first() else {
        if let Value::Object(object) = value {
            change(object);
        }
        return;
    };
    match value {
        Value::Object(members) => members
            .iter_mut()
            .filter(|(name, _)| *step == "*" || name == step)
            .for_each(|(_, inner)| each(inner, rest, change)),
        Value::Array(items) if *step == "*" => {
            for inner in items {
                each(inner, rest, change);
            }
        }
        _ => {}
    }
}

/// One change of a document, with a name.
struct Mutation {
    name: String,
    document: Value,
}

/// In every object of a form, and in the second one alone.
fn changed(
    document: &Value,
    path: &[&str],
    name: &str,
    change: &dyn Fn(&mut Map<String, Value>),
) -> [Mutation; 2] {
    let mut everywhere = document.clone();
    each(&mut everywhere, path, &mut |object| change(object));
    let (mut once, mut met) = (document.clone(), 0);
    each(&mut once, path, &mut |object| {
        met += 1;
        if met == 2 {
            change(object);
        }
    });
    [
        Mutation {
            name: format!("{name}, everywhere"),
            document: everywhere,
        },
        Mutation {
            name: format!("{name}, once"),
            document: once,
        },
    ]
}

/// The objects at a path become lists of their values.
fn as_lists(value: &mut Value, path: &[&str]) {
    let Some((step, rest)) = path.split_first() else {
        if let Value::Object(object) = value {
            *value = object.values().cloned().collect();
        }
        return;
    };
    match value {
        Value::Object(members) => {
            for (name, inner) in members {
                if *step == "*" || name == step {
                    as_lists(inner, rest);
                }
            }
        }
        Value::Array(items) => {
            for inner in items {
                as_lists(inner, rest);
            }
        }
        _ => {}
    }
}

fn swap(object: &mut Map<String, Value>, one: &str, other: &str) {
    let (a, b) = (object.get(one).cloned(), object.get(other).cloned());
    if let (Some(a), Some(b)) = (a, b) {
        object.insert(one.to_owned(), b);
        object.insert(other.to_owned(), a);
    }
}

/// What a field may be instead.
fn other_types(value: &Value) -> Vec<(&'static str, Value)> {
    let text = match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    let mut others = vec![
        ("null", Value::Null),
        ("a truth", json!(true)),
        ("in a list", json!([value])),
        ("in an object", json!({"value": value})),
    ];
    if value.is_string() {
        others.push(("a number", json!(text.len())));
    } else {
        others.push(("in quotes", json!(text)));
    }
    others
}

fn mutations(document: &Value, forms: &[Form]) -> Vec<Mutation> {
    let mut all = Vec::new();
    for form in forms {
        let place = form.path.join(".");
        for field in form.fields {
            let name = |what: &str| format!("{place}.{field} {what}");
            all.extend(changed(document, form.path, &name("dropped"), &|object| {
                object.remove(*field);
            }));
            for (what, renamed) in [
                ("renamed", format!("{field}_new")),
                ("translated", format!("ünder_{field}")),
                ("in capitals", field.to_uppercase()),
            ] {
                all.extend(changed(document, form.path, &name(what), &|object| {
                    if let Some(value) = object.remove(*field) {
                        object.insert(renamed.clone(), value);
                    }
                }));
            }
            let count = other_types(&Value::Null).len();
            for index in 0..count {
                let what = other_types(&Value::Null)[index].0;
                all.extend(changed(document, form.path, &name(what), &|object| {
                    if let Some(value) = object.get_mut(*field) {
                        *value = other_types(value).swap_remove(index).1;
                    }
                }));
            }
        }
        let mut names = form.fields.to_vec();
        names.extend(form.others);
        for (index, one) in names.iter().enumerate() {
            for other in &names[index + 1..] {
                if form.others.contains(one) && form.others.contains(other) {
                    continue;
                }
                let name = format!("{place}.{one} and {other} swapped");
                all.extend(changed(document, form.path, &name, &|object| {
                    swap(object, one, other);
                }));
            }
        }
    }
    for form in forms.iter().filter(|form| !form.path.is_empty()) {
        let name = format!("{} as a list", form.path.join("."));
        let mut document = document.clone();
        as_lists(&mut document, form.path);
        all.push(Mutation { name, document });
    }
    let whole = |name: &str, document: Value| Mutation {
        name: name.to_owned(),
        document,
    };
    all.push(whole("the whole in a list", json!([document])));
    all.push(whole("the whole in an object", json!({"data": document})));
    let lists: Vec<&[&str]> = forms
        .iter()
        .filter(|form| form.path.len() > 1)
        .map(|form| &form.path[..form.path.len() - 1])
        .collect();
    for path in lists {
        let (holder, list) = (&path[..path.len() - 1], path[path.len() - 1]);
        let name = format!("{} reversed", path.join("."));
        all.extend(changed(document, holder, &name, &|object| {
            if let Some(Value::Array(items)) = object.get_mut(list) {
                items.reverse();
            }
        }));
    }
    all
}

/// Rows whose cells are exchanged, and numbers in other units.
fn of_years(document: &Value) -> Vec<Mutation> {
    let mut all = Vec::new();
    for field in ["team_id", "points", "place"] {
        let name = format!("*.scores: {field} of the first two rows swapped");
        all.extend(changed(document, &["*"], &name, &|event| {
            if let Some(Value::Array(rows)) = event.get_mut("scores")
                && rows.len() > 1
            {
                let first = rows[0][field].clone();
                rows[0][field] = rows[1][field].clone();
                rows[1][field] = first;
            }
        }));
    }
    let number = |value: &Value| value.as_f64().unwrap();
    for (name, change) in [
        (
            "*.time in milliseconds",
            &(|event: &mut Map<String, Value>| {
                event["time"] = json!(number(&event["time"]) * 1000.0);
            }) as &dyn Fn(&mut Map<String, Value>),
        ),
        ("*.time a year later", &|event| {
            event["time"] = json!(number(&event["time"]) + 366.0 * 86_400.0);
        }),
        ("*.time as text", &|event| {
            event["time"] = json!("2024-06-01T12:00:00+00:00");
        }),
    ] {
        all.extend(changed(document, &["*"], name, change));
    }
    for (name, field, change) in [
        (
            "places from 0",
            "place",
            &(|value: &Value| json!(value.as_u64().unwrap() - 1)) as &dyn Fn(&Value) -> Value,
        ),
        ("places negative", "place", &|value| {
            json!(-value.as_i64().unwrap())
        }),
        ("places as 1st", "place", &|value| {
            json!(format!("{value}."))
        }),
        ("points with commas", "points", &|value| {
            json!(value.as_str().unwrap().replace('.', ","))
        }),
        ("points in words", "points", &|_| json!("many")),
        ("points without a fraction", "points", &|value| {
            json!(value.as_str().unwrap().split('.').next().unwrap())
        }),
        ("team numbers 0", "team_id", &|_| json!(0)),
        ("team numbers of another kind", "team_id", &|value| {
            json!(format!("t-{value}"))
        }),
    ] {
        let name = format!("*.scores.*: {name}");
        all.extend(changed(document, &["*", "scores", "*"], &name, &|row| {
            row[field] = change(&row[field]);
        }));
    }
    all
}

fn of_events(document: &Value) -> Vec<Mutation> {
    let mut all = Vec::new();
    for (name, field, change) in [
        (
            "start as seconds",
            "start",
            &(|_: &Value| json!(1_717_243_200)) as &dyn Fn(&Value) -> Value,
        ),
        ("finish without a zone", "finish", &|_| {
            json!("2024-06-30T12:00:00")
        }),
        ("finish as a day", "finish", &|_| json!("30.06.2024")),
        ("weight in text", "weight", &|value| {
            json!(value.to_string())
        }),
        ("weight below 0", "weight", &|_| json!(-1.0)),
        ("format in capitals", "format", &|_| json!("JEOPARDY")),
        ("format translated", "format", &|_| json!("Angriff")),
    ] {
        let name = format!("*: {name}");
        all.extend(changed(document, &["*"], &name, &|event| {
            event.insert(field.to_owned(), change(&event[field]));
        }));
    }
    all
}

/// What the reader does not notice, by what it cannot know better.
const UNNOTICED: &[&str] = &[
    // Points and numbers of teams are any; that points rise is told.
    "*.scores: points of the first two rows swapped",
    "*.scores: place of the first two rows swapped",
    "*.scores: team_id of the first two rows swapped",
    // It is a tie, which is told.
    "*.scores.*: places from 0, once",
    // One number for another, one text for another.
    "*.weight and ctf_id swapped",
    "*.weight and format_id swapped",
    "*.weight and participants swapped",
    "*.title and url swapped",
    "*.title and restrictions swapped",
    "result.*.name and primary_alias swapped",
    "result.*.name and country swapped",
];

/// Those of one place come in the order of the rows, and names in that of the page.
fn in_order(mut reading: Reading) -> Reading {
    for results in &mut reading.results {
        if let ContestOutcome::Stood { entrants, .. } = &mut results.outcome {
            let key = |of: &Entrant| (of.outcome.place(), of.competitor.clone());
            entrants.sort_by_key(key);
        }
    }
    reading
        .named
        .sort_by(|a, b| a.competitor.cmp(&b.competitor));
    reading.warnings.clear();
    reading
}

/// How many mutations were refused, and those that read as something else.
fn run(request: &Request, file: &str, mutations: Vec<Mutation>) -> (usize, Vec<String>) {
    let body = bytes(file);
    let whole = in_order(read(request, &body).unwrap());
    let (mut refused, mut misread) = (0, Vec::new());
    for Mutation { name, document } in mutations {
        let body = serde_json::to_vec(&document).unwrap();
        let answer = source().judge(request, 200, &body) == Verdict::Answer;
        let kept = source().kept(&request.key(), &body);
        match read(request, &kept) {
            _ if !answer => refused += 1,
            Err(_) => refused += 1,
            Ok(reading) if !reading.refused.is_empty() => refused += 1,
            Ok(reading) => {
                if in_order(reading) != whole {
                    misread.push(name);
                }
            }
        }
    }
    (refused, misread)
}

#[test]
fn a_changed_layout_is_noticed() {
    let (mut refused, mut misread) = (0, BTreeSet::new());
    let mut count = 0;
    for (request, file, forms, more) in [
        (
            results_of(2024),
            "results-2024.json",
            YEAR,
            &of_years as &dyn Fn(&Value) -> Vec<Mutation>,
        ),
        (events_of_june(), "events-2024-06.json", EVENTS, &of_events),
        (teams_from(0), "teams-first.json", PAGE, &|_| Vec::new()),
    ] {
        let document: Value = serde_json::from_slice(&bytes(file)).unwrap();
        let mut all = mutations(&document, forms);
        all.extend(more(&document));
        let (noticed, unnoticed) = run(&request, file, all);
        refused += noticed;
        count += unnoticed.len();
        misread.extend(unnoticed);
    }
    let share = 100.0 * refused as f64 / (refused + count) as f64;
    println!("{refused} refused, {count} misread: {share:.1} %");
    let unknown: Vec<&String> = (misread.iter())
        .filter(|name| !UNNOTICED.iter().any(|known| name.starts_with(known)))
        .collect();
    assert!(unknown.is_empty(), "misread without a word: {unknown:#?}");
    for known in UNNOTICED {
        assert!(
            misread.iter().any(|name| name.starts_with(known)),
            "{known} is noticed by now"
        );
    }
    assert!(share >= 95.0, "{share:.1} % are refused");
}

#[test]
fn the_documentation_names_what_is_not_noticed_and_nothing_else() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/sources/ctftime.md");
    let text = std::fs::read_to_string(path).unwrap();
    let section = text.split("\n## A changed layout\n").nth(1).unwrap();
    let named = section.lines().filter(|line| line.starts_with("- "));
    // Every second part stands in `marks of code`.
    let named: BTreeSet<&str> = named
        .flat_map(|line| line.split('`').skip(1).step_by(2))
        .collect();
    assert_eq!(named, UNNOTICED.iter().copied().collect());
}
