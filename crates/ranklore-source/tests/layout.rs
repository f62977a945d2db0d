//! Sources that notice layout changes pass; misread changes and wrong lists of unnoticed changes
//! are reported.
#![expect(
    clippy::unwrap_used,
    reason = "clippy does not treat test helpers as tests"
)]

use std::borrow::Cow;
use std::panic::{AssertUnwindSafe, catch_unwind};

use ranklore_contest::{Entrant, Outcome, Place};
use ranklore_source::conformance::layout::{self, Answer, Form as Fields, Lists};
use ranklore_source::{
    Document, Form, Profile, ReadError, Reading, Request, Results, Source, Terms, Verdict, json,
};
use serde::Deserialize;
use serde_json::json;

static PROFILE: Profile = Profile::new("league", Terms::new("https://contests.example"));

/// Reads standings. If lax, entrants without a rank did not finish.
struct League {
    lax: bool,
}

#[derive(Deserialize)]
struct Standings {
    round: u32,
    rows: Vec<Row>,
}

#[derive(Deserialize)]
struct Row {
    data: Cells,
}

#[derive(Deserialize)]
struct Cells {
    name: String,
    rank: Option<u32>,
}

impl Source for League {
    fn profile(&self) -> &'static Profile {
        &PROFILE
    }

    fn start(&self) -> Vec<Request> {
        vec![Request::get("api/standings", Form::Json, "standings")]
    }

    fn classify(&self, _: &Request, status: u16, body: &[u8]) -> Verdict {
        json::classify(status, body, &["rows"])
    }

    fn minimise<'b>(&self, _: &str, body: &'b [u8]) -> Cow<'b, [u8]> {
        Cow::Borrowed(body)
    }

    fn read(&self, document: &Document<'_>) -> Result<Reading, ReadError> {
        let key = document.request_key;
        let standings: Standings = json::parse(key, document.body)?;
        let refused = |what: &str| ReadError::new(key, "rows", what);
        if standings.round != 7 {
            return Err(refused("round 7"));
        }
        let mut entrants = Vec::new();
        for Row { data } in standings.rows {
            let outcome = match data.rank {
                Some(rank) => Outcome::Finished(Place::new(rank).ok_or(refused("a rank"))?),
                None if self.lax => Outcome::DidNotFinish,
                None => return Err(refused("a rank")),
            };
            entrants.push(Entrant::person(data.name, outcome));
        }
        entrants.sort_by_key(|entrant| entrant.outcome.place());
        let results = Results::standings("7", entrants).map_err(|_| refused("standings"))?;
        Ok(Reading {
            results: vec![results],
            ..Reading::default()
        })
    }
}

const STANDINGS: &str = r#"{"round":7,"rows":[
    {"kind":"row","data":{"name":"Ada","city":"Saltmere","rank":1}},
    {"kind":"row","data":{"name":"Bea","city":"Thornwick","rank":2}},
    {"kind":"row","data":{"name":"Cleo","city":"Saltmere","rank":3}}]}"#;

/// Swapped texts, swapped names of two rows, and changes that look like a tie.
const UNNOTICED: &[&str] = &[
    "row.name and city swapped",
    "rows: name of the first two",
    "row.rank from 0, once",
];

/// Runs the suite on a source with this list of unnoticed changes.
fn verdict(source: &League, unnoticed: &[&str]) -> Result<usize, String> {
    let request = source.start().remove(0);
    let changes = layout::json(
        source,
        &[Answer {
            request: &request,
            body: STANDINGS.as_bytes(),
            forms: &[
                Fields {
                    name: "standings",
                    path: &[],
                    fields: &["round", "rows"],
                    ignored: &[],
                    others: &[],
                },
                Fields {
                    name: "row",
                    path: &["**", "kind=row", "data"],
                    fields: &["name", "rank"],
                    ignored: &["city"],
                    others: &[
                        ("rank", "from 0", |rank| json!(rank.as_u64().unwrap() - 1)),
                        ("rank", "as 1st", |rank| json!(format!("{rank}."))),
                    ],
                },
                Fields {
                    name: "around",
                    path: &["rows", "*"],
                    fields: &["data"],
                    ignored: &[],
                    others: &[],
                },
            ],
            lists: &[Lists {
                name: "rows",
                path: &["rows"],
                within: Some("data"),
                fields: &["name"],
            }],
            others: &[(
                "another round",
                |whole| json!({"round": 8, "rows": whole["rows"]}),
            )],
        }],
    );
    catch_unwind(AssertUnwindSafe(|| changes.hold(unnoticed)))
        .map_err(|payload| *payload.downcast::<String>().unwrap())
}

#[test]
fn a_source_that_notices_what_is_changed_passes() {
    assert!(verdict(&League { lax: false }, UNNOTICED).unwrap() > 80);
}

#[test]
fn what_reads_as_something_else_is_found_and_named() {
    let said = verdict(&League { lax: true }, UNNOTICED).unwrap_err();
    for name in [
        "row.rank dropped, everywhere",
        "row.rank translated, everywhere",
        "row.rank null, everywhere",
    ] {
        assert!(said.contains(name), "{name}: {said}");
    }
    assert!(!said.contains("row.name dropped"), "{said}");
}

#[test]
fn what_is_noticed_is_not_said_to_go_unnoticed() {
    let too_many = [UNNOTICED, &["row.rank dropped"]].concat();
    let said = verdict(&League { lax: false }, &too_many).unwrap_err();
    assert_eq!(said, "row.rank dropped is no longer unnoticed");
}

#[test]
fn one_in_twenty_may_go_unnoticed_and_no_more() {
    let mut changes = layout::Changes::default();
    for change in 0..100 {
        let found: Result<u32, &str> = if change < 5 {
            Ok(change + 2)
        } else {
            Err("no")
        };
        changes.count("a", &1, &found, || "a".to_owned());
        // Unchanged readings do not count.
        changes.count("b", &1, &Ok::<_, &str>(1), || "b".to_owned());
    }
    assert_eq!(changes.hold(&["a"]), 95);
    changes.count("a", &1, &Ok::<_, &str>(2), || "a".to_owned());
    let held = catch_unwind(AssertUnwindSafe(|| changes.hold(&["a"])));
    let said = *held.unwrap_err().downcast::<String>().unwrap();
    assert_eq!(said, "94.1 % are refused");
}

#[test]
fn documentation_names_what_goes_unnoticed_and_nothing_else() {
    let text = "# L\n\n## Layout\n\nNot `c`:\n\n- one: `a`, `b`\n\n## More\n\n- `d`\n";
    layout::documented(text, "Layout", &["b", "a"]);
    for unnoticed in [&["a"][..], &["a", "b", "c"], &["a", "b", "d"]] {
        let held = catch_unwind(|| layout::documented(text, "Layout", unnoticed));
        held.unwrap_err();
    }
    catch_unwind(|| layout::documented(text, "Form", &[])).unwrap_err();
}
