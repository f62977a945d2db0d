//! Layout changes: each changed fixture is refused or reads as before, except the changes that
//! `UNDETECTED` lists.

use ranklore_conformance::layout::{self, JsonAnswer, JsonLists, JsonObjects};
use serde_json::{Value, json};

use crate::fixtures::{bytes, events_of_june, results_of, source, team, teams_from};

const YEAR: &[JsonObjects<'_>] = &[
    JsonObjects {
        name: "*",
        path: &["*"],
        fields: &["title", "time", "scores"],
        ignored: &[],
        changes: &[
            ("time", "in milliseconds", |time| json!(number(time) * 1000.0)),
            ("time", "a year later", |time| json!(number(time) + 366.0 * 86_400.0)),
            ("time", "as text", |_| json!("2024-06-01T12:00:00+00:00")),
        ],
    },
    JsonObjects {
        name: "*.scores.*",
        path: &["*", "scores", "*"],
        fields: &["team_id", "points", "place"],
        ignored: &[],
        changes: &[
            ("place", "from 0", |place| json!(place.as_u64().unwrap() - 1)),
            ("place", "negative", |place| json!(-place.as_i64().unwrap())),
            ("place", "as 1st", |place| json!(format!("{place}."))),
            ("points", "with commas", |points| {
                json!(points.as_str().unwrap().replace('.', ","))
            }),
            ("points", "in words", |_| json!("many")),
            ("points", "without a fraction", |points| {
                json!(points.as_str().unwrap().split('.').next().unwrap())
            }),
            ("team_id", "0", |_| json!(0)),
            ("team_id", "of another kind", |id| json!(format!("t-{id}"))),
        ],
    },
];

const SCOREBOARDS: &[JsonLists<'_>] = &[JsonLists {
    name: "*.scores",
    path: &["*", "scores"],
    within: None,
    fields: &["team_id", "points", "place"],
}];

const EVENTS: &[JsonObjects<'_>] = &[
    JsonObjects {
        name: "*",
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
        ignored: &["ctf_id", "format_id", "participants", "url", "restrictions"],
        changes: &[
            ("start", "as seconds", |_| json!(1_717_243_200)),
            ("finish", "without a zone", |_| json!("2024-06-30T12:00:00")),
            ("finish", "as a day", |_| json!("30.06.2024")),
            ("weight", "below 0", |_| json!(-1.0)),
            ("format", "in capitals", |_| json!("JEOPARDY")),
            ("format", "in German", |_| json!("Angriff")),
        ],
    },
    JsonObjects {
        name: "*.organizers.*",
        path: &["*", "organizers", "*"],
        fields: &["id", "name"],
        ignored: &[],
        changes: &[],
    },
];

const ORGANIZERS: &[JsonLists<'_>] = &[JsonLists {
    name: "*.organizers",
    path: &["*", "organizers"],
    within: None,
    fields: &[],
}];

const PAGE: &[JsonObjects<'_>] = &[
    JsonObjects {
        name: "a page",
        path: &[],
        fields: &["limit", "offset", "result"],
        ignored: &[],
        changes: &[],
    },
    JsonObjects {
        name: "result.*",
        path: &["result", "*"],
        fields: &["id", "name"],
        ignored: &["primary_alias", "country"],
        changes: &[],
    },
];

const TEAMS: &[JsonLists<'_>] = &[JsonLists {
    name: "result",
    path: &["result"],
    within: None,
    fields: &[],
}];

const TEAM: &[JsonObjects<'_>] = &[JsonObjects {
    name: "a team",
    path: &[],
    fields: &["id", "name"],
    ignored: &["primary_alias", "country"],
    changes: &[("id", "of another team", |id| json!(id.as_u64().unwrap() + 1))],
}];

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap()
}

/// Changes that the reader cannot detect.
const UNDETECTED: &[&str] = &[
    // Points and team ids may be any number; rising points give a warning.
    "*.scores: points of the first two rows swapped",
    "*.scores: place of the first two rows swapped",
    "*.scores: team_id of the first two rows swapped",
    // Reads as a tie, which gives a warning.
    "*.scores.*.place from 0, once",
    // A number or text that could be the other.
    "*.weight and ctf_id swapped",
    "*.weight and format_id swapped",
    "*.weight and participants swapped",
    "*.title and url swapped",
    "*.title and restrictions swapped",
    "result.*.name and primary_alias swapped",
    "result.*.name and country swapped",
    "a team.name and primary_alias swapped",
    "a team.name and country swapped",
];

#[test]
fn changed_layout_is_detected() {
    let year = (results_of(2024), bytes("results-2024.json"));
    let june = (events_of_june(), bytes("events-2024-06.json"));
    let page = (teams_from(0), bytes("teams-first.json"));
    let one = (team(704), bytes("team-704.json"));
    let answers = [
        (&year, YEAR, SCOREBOARDS),
        (&june, EVENTS, ORGANIZERS),
        (&page, PAGE, TEAMS),
        (&one, TEAM, &[]),
    ];
    let answers = answers.map(|((request, body), forms, lists)| JsonAnswer {
        request,
        body,
        objects: forms,
        lists,
        changes: &[],
    });
    let changes = layout::change_json(&source(), &answers);
    assert!(changes.check(UNDETECTED) > 500);
}
