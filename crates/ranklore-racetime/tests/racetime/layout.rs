//! Layout changes: each changed fixture is refused or reads as before, except the changes that
//! `UNDETECTED` lists.

use ranklore_conformance::layout::{self, JsonAnswer, JsonLists, JsonObjects};
use serde_json::json;

use crate::fixtures::{bytes, first_page, source};

const RACES: &[JsonObjects<'_>] = &[
    JsonObjects {
        name: "a page",
        path: &[],
        fields: &["count", "num_pages", "races"],
        ignored: &[],
        changes: &[],
    },
    JsonObjects {
        name: "races.*",
        path: &["races", "*"],
        fields: &[
            "name",
            "status",
            "goal",
            "entrants_count",
            "started_at",
            "ended_at",
            "recorded",
            "entrants",
        ],
        ignored: &["url", "info", "opened_at", "time_limit"],
        changes: &[
            ("ended_at", "as seconds", |_| json!(1_717_243_200)),
            ("ended_at", "without a zone", |_| json!("2024-06-30T12:00:00")),
            ("started_at", "as a day", |_| json!("30.06.2024")),
            ("name", "without the category", |name| {
                json!(name.as_str().unwrap().trim_start_matches("smr/"))
            }),
            ("recorded", "as a number", |_| json!(1)),
            ("goal", "as its name", |goal| goal["name"].clone()),
            ("status", "as its value", |status| status["value"].clone()),
        ],
    },
    JsonObjects {
        name: "races.*.status",
        path: &["races", "*", "status"],
        fields: &["value"],
        ignored: &["verbose_value", "help_text"],
        changes: &[
            ("value", "in capitals", |_| json!("FINISHED")),
            ("value", "in progress", |_| json!("in_progress")),
        ],
    },
    JsonObjects {
        name: "races.*.goal",
        path: &["races", "*", "goal"],
        fields: &["name", "custom"],
        ignored: &[],
        changes: &[],
    },
    JsonObjects {
        name: "races.*.entrants.*",
        path: &["races", "*", "entrants", "*"],
        fields: &[
            "user",
            "team",
            "status",
            "finish_time",
            "place",
            "score",
            "score_change",
        ],
        ignored: &["finished_at", "place_ordinal", "comment", "has_comment"],
        changes: &[
            ("finish_time", "in seconds", |_| json!(5106.5)),
            ("finish_time", "as a clock", |_| json!("1:25:06")),
            ("place", "from 0", |place| json!(place.as_u64().unwrap_or(1) - 1)),
            ("place", "as 1st", |_| json!("1st")),
            ("score", "with a fraction", |_| json!(1200.5)),
            ("score_change", "as text", |_| json!("+40")),
            ("status", "as its value", |status| status["value"].clone()),
            ("user", "as its name", |user| user["name"].clone()),
        ],
    },
    JsonObjects {
        name: "races.*.entrants.*.user",
        path: &["races", "*", "entrants", "*", "user"],
        fields: &["id", "name"],
        ignored: &["full_name", "discriminator", "url", "pronouns"],
        changes: &[("id", "as a number", |_| json!(7))],
    },
    JsonObjects {
        name: "races.*.entrants.*.status",
        path: &["races", "*", "entrants", "*", "status"],
        fields: &["value"],
        ignored: &["verbose_value", "help_text"],
        changes: &[("value", "in words", |_| json!("forfeit"))],
    },
];

const ENTRANTS: &[JsonLists<'_>] = &[JsonLists {
    name: "races.*.entrants",
    path: &["races", "*", "entrants"],
    within: None,
    fields: &["place", "finish_time", "score"],
}];

/// Changes that the reader cannot detect.
const UNDETECTED: &[&str] = &[
    // Accounts are deleted, races have no teams, newcomers no score, some recorded races no change.
    "races.*.entrants.*.user null",
    "races.*.entrants.*.user and comment swapped, once",
    "races.*.entrants.*.team null, everywhere",
    "races.*.entrants.*.score null, everywhere",
    "races.*.entrants.*.score_change null, everywhere",
    // A number or text that could be the other.
    "races.*.entrants: score of the first two rows swapped",
    "races.*.entrants.*.user.name and discriminator swapped",
    "races.*.entrants.*.user.name and full_name swapped",
    "races.*.entrants.*.user.name and pronouns swapped",
    "races.*.entrants.*.user.name and url swapped",
    "races.*.started_at and opened_at swapped",
];

#[test]
fn changed_layout_is_detected() {
    let request = first_page();
    let body = bytes("races.json");
    let changes = layout::change_json(
        &source(),
        &[JsonAnswer {
            request: &request,
            body: &body,
            objects: RACES,
            lists: ENTRANTS,
            changes: &[],
        }],
    );
    let refused = changes.check(UNDETECTED);
    assert!(refused > 300, "{refused}");
}
