//! Sources that notice layout changes pass; misread changes and wrong lists of unnoticed changes
//! are reported.
#![expect(
    clippy::unwrap_used,
    reason = "clippy does not treat test helpers as tests"
)]

use std::borrow::Cow;
use std::panic::{AssertUnwindSafe, catch_unwind};

use ranklore_conformance::layout::{self, JsonAnswer, JsonLists, JsonObjects as Fields};
use ranklore_contest::{Entrant, EntrantOutcome, Place};
use ranklore_source::{
    Classification, Document, MediaKind, Profile, Request, Results, SiteReadError, SiteReading,
    Source, Terms, json,
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

    fn initial_requests(&self) -> Vec<Request> {
        vec![Request::get("api/standings", MediaKind::Json, "standings")]
    }

    fn classify(&self, _: &Request, status: u16, body: &[u8]) -> Classification {
        json::classify(status, body, &["rows"])
    }

    fn minimise<'b>(&self, _: &str, body: &'b [u8]) -> Cow<'b, [u8]> {
        Cow::Borrowed(body)
    }

    fn read(&self, document: &Document<'_>) -> Result<SiteReading, SiteReadError> {
        let key = document.request_key;
        let standings: Standings = json::parse(key, document.body)?;
        let refused = |problem: &str| SiteReadError::new(key, "rows", problem);
        if standings.round != 7 {
            return Err(refused("round 7"));
        }
        let mut entrants = Vec::new();
        for Row { data } in standings.rows {
            let outcome = match data.rank {
                Some(rank) => EntrantOutcome::Finished(Place::new(rank).ok_or(refused("a rank"))?),
                None if self.lax => EntrantOutcome::DidNotFinish,
                None => return Err(refused("a rank")),
            };
            entrants.push(Entrant::person(data.name, outcome));
        }
        entrants.sort_by_key(|entrant| entrant.outcome.place());
        let results = Results::from_standings("7", entrants).map_err(|_| refused("standings"))?;
        Ok(SiteReading {
            results: vec![results],
            ..SiteReading::default()
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
fn check_layout(source: &League, unnoticed: &[&str]) -> Result<usize, String> {
    let request = source.initial_requests().remove(0);
    let changes = layout::change_json(
        source,
        &[JsonAnswer {
            request: &request,
            body: STANDINGS.as_bytes(),
            objects: &[
                Fields {
                    name: "standings",
                    path: &[],
                    fields: &["round", "rows"],
                    ignored: &[],
                    changes: &[],
                },
                Fields {
                    name: "row",
                    path: &["**", "kind=row", "data"],
                    fields: &["name", "rank"],
                    ignored: &["city"],
                    changes: &[
                        ("rank", "from 0", |rank| json!(rank.as_u64().unwrap() - 1)),
                        ("rank", "as 1st", |rank| json!(format!("{rank}."))),
                    ],
                },
                Fields {
                    name: "around",
                    path: &["rows", "*"],
                    fields: &["data"],
                    ignored: &[],
                    changes: &[],
                },
            ],
            lists: &[JsonLists {
                name: "rows",
                path: &["rows"],
                within: Some("data"),
                fields: &["name"],
            }],
            changes: &[("another round", |page| json!({"round": 8, "rows": page["rows"]}))],
        }],
    );
    catch_unwind(AssertUnwindSafe(|| changes.check(unnoticed)))
        .map_err(|payload| *payload.downcast::<String>().unwrap())
}

#[test]
fn strict_source_passes() {
    assert!(check_layout(&League { lax: false }, UNNOTICED).unwrap() > 80);
}

#[test]
fn misread_changes_are_reported() {
    let report = check_layout(&League { lax: true }, UNNOTICED).unwrap_err();
    for name in [
        "row.rank dropped, everywhere",
        "row.rank translated, everywhere",
        "row.rank null, everywhere",
    ] {
        assert!(report.contains(name), "{name}: {report}");
    }
    assert!(!report.contains("row.name dropped"), "{report}");
}

#[test]
fn noticed_change_must_not_be_listed() {
    let too_many = [UNNOTICED, &["row.rank dropped"]].concat();
    let report = check_layout(&League { lax: false }, &too_many).unwrap_err();
    assert_eq!(report, "row.rank dropped is no longer unnoticed");
}

#[test]
fn at_least_95_percent_must_be_refused() {
    let mut changes = layout::LayoutChanges::default();
    for change in 0..100 {
        let answer: Result<u32, &str> = if change < 5 {
            Ok(change + 2)
        } else {
            Err("no")
        };
        changes.record("a", &1, &answer, || "a".to_owned());
        // Unchanged readings do not count.
        changes.record("b", &1, &Ok::<_, &str>(1), || "b".to_owned());
    }
    assert_eq!(changes.check(&["a"]), 95);
    changes.record("a", &1, &Ok::<_, &str>(2), || "a".to_owned());
    let checked = catch_unwind(AssertUnwindSafe(|| changes.check(&["a"])));
    let report = *checked.unwrap_err().downcast::<String>().unwrap();
    assert_eq!(report, "94.1 % are refused");
}
