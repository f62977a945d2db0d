//! A changed layout must be noticed: fixtures changed by program, which are then refused, or read
//! as before, but for those changes that `docs/sources/reddit.md` lists.

use std::collections::BTreeSet;

use ranklore_contest::Entrant;
use ranklore_source::{ContestOutcome, Reading, Request, Source, Verdict};
use serde_json::{Map, Value, json};

use crate::fixtures::{below, bytes, more, newest, read, source, thread, top};

/// Data of things of one kind, wherever they lie: the fields that are read of it, and some that
/// are there and are not read.
struct Form {
    kind: &'static str,
    fields: &'static [&'static str],
    others: &'static [&'static str],
}

const LISTED: Form = Form {
    kind: "t3",
    fields: &["id", "subreddit", "created_utc"],
    others: &[
        "name",
        "author",
        "author_fullname",
        "title",
        "selftext",
        "permalink",
        "url",
        "domain",
        "subreddit_id",
        "subreddit_name_prefixed",
        "created",
        "score",
        "ups",
        "upvote_ratio",
        "num_comments",
        "gilded",
        "edited",
        "saved",
    ],
};

/// The thread above its comments.
const HEAD: Form = Form {
    fields: &["id", "subreddit"],
    ..LISTED
};

const COMMENT: Form = Form {
    kind: "t1",
    fields: &[
        "id",
        "author",
        "score",
        "score_hidden",
        "link_id",
        "parent_id",
        "replies",
        "subreddit",
    ],
    others: &[
        "name",
        "author_fullname",
        "author_flair_text",
        "body",
        "body_html",
        "permalink",
        "subreddit_id",
        "created",
        "created_utc",
        "controversiality",
        "downs",
        "ups",
        "gilded",
        "depth",
        "edited",
        "stickied",
    ],
};

const MORE: Form = Form {
    kind: "more",
    fields: &["id", "parent_id", "children"],
    others: &["name", "count", "depth"],
};

const LISTING: Form = Form {
    kind: "Listing",
    fields: &["children"],
    others: &["before", "dist", "modhash", "geo_filter"],
};

/// A page, which goes on after a thread.
const PAGE: Form = Form {
    fields: &["children", "after"],
    ..LISTING
};

/// One thing of a kind, with its data or around it.
type Change<'c> = &'c dyn Fn(&mut Map<String, Value>);

/// Every thing of a kind.
fn each(value: &mut Value, kind: &str, change: &mut dyn FnMut(&mut Map<String, Value>)) {
    match value {
        Value::Object(members) => {
            for inner in members.values_mut() {
                each(inner, kind, change);
            }
            if members.get("kind").is_some_and(|found| found == kind) {
                change(members);
            }
        }
        Value::Array(items) => {
            for inner in items {
                each(inner, kind, change);
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

/// In every thing of a kind, and in the second one alone.
fn things(document: &Value, kind: &str, name: &str, change: Change<'_>) -> [Mutation; 2] {
    let mut everywhere = document.clone();
    each(&mut everywhere, kind, &mut |thing| change(thing));
    let (mut once, mut met) = (document.clone(), 0);
    each(&mut once, kind, &mut |thing| {
        met += 1;
        if met == 2 {
            change(thing);
        }
    });
    [("everywhere", everywhere), ("once", once)].map(|(wherever, document)| Mutation {
        name: format!("{kind}.{name}, {wherever}"),
        document,
    })
}

/// As [`things`], in their data.
fn data(document: &Value, kind: &str, name: &str, change: Change<'_>) -> [Mutation; 2] {
    things(document, kind, name, &|thing| {
        if let Some(Value::Object(data)) = thing.get_mut("data") {
            change(data);
        }
    })
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
        ("in a list", json!([value])),
        ("in an object", json!({"value": value})),
    ];
    others.push(if value.is_boolean() {
        ("0 or 1", json!(u8::from(value == true)))
    } else {
        ("a truth", json!(true))
    });
    others.push(if value.is_string() {
        ("a number", json!(text.len()))
    } else {
        ("in quotes", json!(text))
    });
    others
}

fn of_fields(document: &Value, form: &Form) -> Vec<Mutation> {
    let mut all = Vec::new();
    let kind = form.kind;
    for field in form.fields {
        let name = |what: &str| format!("{field} {what}");
        all.extend(data(document, kind, &name("dropped"), &|object| {
            object.remove(*field);
        }));
        for (what, renamed) in [
            ("renamed", format!("{field}_new")),
            ("translated", format!("ünder_{field}")),
            ("in capitals", field.to_uppercase()),
        ] {
            all.extend(data(document, kind, &name(what), &|object| {
                if let Some(value) = object.remove(*field) {
                    object.insert(renamed.clone(), value);
                }
            }));
        }
        for index in 0..other_types(&Value::Null).len() {
            let what = format!("of another type, {index}");
            all.extend(data(document, kind, &name(&what), &|object| {
                if let Some(value) = object.get_mut(*field) {
                    *value = other_types(value).swap_remove(index).1;
                }
            }));
        }
    }
    for (index, one) in form.fields.iter().enumerate() {
        for other in form.fields[index + 1..].iter().chain(form.others) {
            let name = format!("{one} and {other} swapped");
            all.extend(data(document, kind, &name, &|object| {
                swap(object, one, other);
            }));
        }
    }
    for member in ["kind", "data"] {
        for (what, renamed) in [("renamed", "type"), ("in capitals", "KIND")] {
            let name = format!("({member}) {what}");
            all.extend(things(document, kind, &name, &|thing| {
                if let Some(value) = thing.remove(member) {
                    thing.insert(renamed.to_owned(), value);
                }
            }));
        }
    }
    all.extend(things(
        document,
        kind,
        "(kind) of another thing",
        &|thing| {
            thing.insert("kind".to_owned(), json!("t5"));
        },
    ));
    all.extend(things(
        document,
        kind,
        "(data) left away around it",
        &|thing| {
            if let Some(Value::Object(data)) = thing.remove("data") {
                thing.extend(data);
            }
        },
    ));
    all
}

/// What stands in the place of a value.
type Exchange<'e> = &'e dyn Fn(&Value) -> Value;

/// Numbers in other units and other forms.
fn of_values(document: &Value) -> Vec<Mutation> {
    let mut all = Vec::new();
    let seconds = |value: &Value| value.as_f64().unwrap();
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let changes: [(&str, &str, &str, Exchange<'_>); 14] = [
        ("t3", "created_utc", "in milliseconds", &|at| {
            json!(seconds(at) * 1000.0)
        }),
        ("t3", "created_utc", "as text", &|_| {
            json!("2024-06-01T12:00:00Z")
        }),
        ("t3", "created_utc", "with a fraction", &|at| {
            json!(seconds(at) + 0.25)
        }),
        ("t3", "id", "with its kind", &|id| {
            json!(format!("t3_{}", text(id)))
        }),
        ("t3", "id", "as a number", &|_| json!(78_912_345)),
        ("t3", "subreddit", "with r/", &|name| {
            json!(format!("r/{}", text(name)))
        }),
        ("t1", "id", "with its kind", &|id| {
            json!(format!("t1_{}", text(id)))
        }),
        ("t1", "id", "in capitals", &|id| {
            json!(text(id).to_uppercase())
        }),
        ("t1", "author", "with u/", &|name| {
            json!(format!("u/{}", text(name)))
        }),
        (
            "t1",
            "author",
            "with its id",
            &|name| json!({"name": name, "id": "t2_1"}),
        ),
        ("t1", "score", "as text in words", &|_| json!("many")),
        ("t1", "score", "as a fraction", &|of| {
            json!(seconds(of) + 0.5)
        }),
        ("t1", "parent_id", "without its kind", &|id| {
            json!(text(id).split_at(3).1)
        }),
        ("t1", "link_id", "without its kind", &|id| {
            json!(text(id).split_at(3).1)
        }),
    ];
    for (kind, field, what, change) in changes {
        let name = format!("{field} {what}");
        all.extend(data(document, kind, &name, &|object| {
            if let Some(value) = object.get_mut(field) {
                *value = change(value);
            }
        }));
    }
    all
}

/// Trees in another order, flat, and cells of one thing in another.
fn of_trees(document: &Value) -> Vec<Mutation> {
    let mut all = Vec::new();
    all.extend(data(document, "Listing", "children reversed", &|listing| {
        if let Some(Value::Array(children)) = listing.get_mut("children") {
            children.reverse();
        }
    }));
    all.extend(data(document, "t1", "replies as a bare list", &|comment| {
        let children = comment["replies"].pointer("/data/children").cloned();
        if let Some(children) = children {
            comment["replies"] = children;
        }
    }));
    for field in ["id", "author", "score", "parent_id", "link_id", "replies"] {
        let name = format!("children: {field} of the first two swapped");
        all.extend(data(document, "Listing", &name, &|listing| {
            if let Some(Value::Array(children)) = listing.get_mut("children")
                && children.len() > 1
            {
                let first = children[0]["data"][field].clone();
                let second = children[1]["data"][field].clone();
                if !first.is_null() && !second.is_null() {
                    children[0]["data"][field] = second;
                    children[1]["data"][field] = first;
                }
            }
        }));
    }
    let whole = |name: &str, document: Value| Mutation {
        name: name.to_owned(),
        document,
    };
    all.push(whole("the whole in a list", json!([document])));
    all.push(whole("the whole in an object", json!({"data": document})));
    if let Value::Array(listings) = document {
        all.push(whole("the second listing alone", listings[1].clone()));
        all.push(whole(
            "the listings reversed",
            json!([listings[1], listings[0]]),
        ));
        all.push(whole("no head", json!([listings[1]])));
    }
    all
}

/// What the reader does not notice, by what it cannot know better.
const UNNOTICED: &[&str] = &[
    // A page without a next one is the last, which is told where more was wanted.
    "Listing.after and before swapped",
    "Listing.after of another type, 0",
    // Cells of one thing in another: one number, one name, one score for another.
    "Listing.children: id of the first two swapped",
    "Listing.children: author of the first two swapped",
    "Listing.children: score of the first two swapped",
    // One name, one number, one truth, one time for another.
    "t1.author and author_fullname swapped",
    "t1.author and subreddit_id swapped",
    "t1.score and controversiality swapped",
    "t1.score and depth swapped",
    "t1.score and downs swapped",
    "t1.score and gilded swapped",
    "t1.score_hidden and edited swapped",
    "t1.score_hidden and stickied swapped",
    "t3.created_utc and created swapped",
];

/// Those of one place come in the order of the document, and so do questions.
fn in_order(mut reading: Reading) -> Reading {
    for results in &mut reading.results {
        if let ContestOutcome::Stood { entrants, .. } = &mut results.outcome {
            let key = |of: &Entrant| (of.outcome.place(), of.competitor.clone());
            entrants.sort_by_key(key);
        }
    }
    reading
        .listed
        .sort_by(|a, b| a.external_id.cmp(&b.external_id));
    reading.warnings.clear();
    reading.left_out.clear();
    reading
}

/// How many mutations were refused, and those that read as something else.
fn run(request: &Request, file: &str, mutations: Vec<Mutation>) -> (usize, Vec<String>) {
    let body = bytes(file);
    let original: Value = serde_json::from_slice(&body).unwrap();
    let whole = in_order(read(request, &body).unwrap());
    let (mut refused, mut misread) = (0, Vec::new());
    for Mutation { name, document } in mutations {
        if document == original {
            continue;
        }
        let body = serde_json::to_vec(&document).unwrap();
        let answer = source().judge(request, 200, &body) == Verdict::Answer;
        let kept = source().kept(&request.key(), &body);
        match read(request, &kept) {
            _ if !answer => refused += 1,
            Err(_) => refused += 1,
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
    for (request, file, forms) in [
        (top(), "r-LanternTales-top.json", &[&PAGE, &LISTED][..]),
        (newest(), "r-LanternTales-new.json", &[&PAGE, &LISTED]),
        (
            thread(),
            "comments-1a2b3c.json",
            &[&LISTING, &HEAD, &COMMENT, &MORE],
        ),
        (
            below(),
            "comments-1a2b3c-below-k9f03.json",
            &[&LISTING, &HEAD, &COMMENT, &MORE],
        ),
        (more(), "morechildren-1a2b3c.json", &[&COMMENT, &MORE]),
    ] {
        let document: Value = serde_json::from_slice(&bytes(file)).unwrap();
        let of_forms = forms.iter().flat_map(|form| of_fields(&document, form));
        let mut all: Vec<Mutation> = of_forms.collect();
        all.extend(of_values(&document));
        all.extend(of_trees(&document));
        let (noticed, unnoticed) = run(&request, file, all);
        refused += noticed;
        count += unnoticed.len();
        misread.extend(unnoticed.into_iter().map(|name| format!("{name} ({file})")));
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
fn what_is_not_noticed_is_documented() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/sources/reddit.md");
    let text = std::fs::read_to_string(path).unwrap();
    for known in UNNOTICED {
        assert!(
            text.contains(known),
            "{known} is not in docs/sources/reddit.md"
        );
    }
}
