//! Layout changes: each changed fixture is refused or reads as before, except the changes that
//! `UNDETECTED` lists.

use ranklore_conformance::layout::{self, JsonAnswer, JsonLists, JsonObjects};
use serde_json::json;

use crate::fixtures::{bytes, list_request, results_of, source, standings_of};

const CONTESTS: &[JsonObjects<'_>] = &[JsonObjects {
    name: "*",
    path: &["*"],
    fields: &[
        "id",
        "start_epoch_second",
        "duration_second",
        "title",
        "rate_change",
    ],
    ignored: &[],
    changes: &[
        ("start_epoch_second", "in milliseconds", |time| {
            json!((time.as_i64().unwrap() + 1) * 1_000_000)
        }),
        ("start_epoch_second", "as text", |_| json!("2025-01-01T21:00:00+09:00")),
        ("duration_second", "in words", |_| json!("01:40")),
        ("duration_second", "negative", |_| json!(-1)),
        ("rate_change", "in words", |_| json!("rated")),
        ("rate_change", "as a bound", |_| json!("1999")),
        ("id", "as a path", |id| json!(format!("/contests/{}", id.as_str().unwrap()))),
    ],
}];

const RESULTS: &[JsonObjects<'_>] = &[JsonObjects {
    name: "results.*",
    path: &["*"],
    fields: &[
        "IsRated",
        "Place",
        "OldRating",
        "NewRating",
        "UserScreenName",
        "ContestScreenName",
    ],
    ignored: &["Performance", "UserName", "EndTime", "Country"],
    changes: &[
        ("Place", "from 0", |place| json!(place.as_u64().unwrap() - 1)),
        ("Place", "negative", |place| json!(-place.as_i64().unwrap())),
        ("Place", "as 1st", |place| json!(format!("{place}."))),
        ("IsRated", "as a number", |rated| json!(u8::from(rated.as_bool().unwrap()))),
        ("NewRating", "with a sign", |rating| json!(format!("+{rating}"))),
        ("ContestScreenName", "as an id", |_| json!("abc901")),
    ],
}];

const STANDINGS: &[JsonObjects<'_>] = &[
    JsonObjects {
        name: "standings",
        path: &[],
        fields: &["Fixed", "StandingsData"],
        ignored: &["AdditionalColumns", "TaskInfo", "Translation"],
        changes: &[],
    },
    JsonObjects {
        name: "StandingsData.*",
        path: &["StandingsData", "*"],
        fields: &[
            "Rank",
            "UserScreenName",
            "IsTeam",
            "TaskResults",
            "TotalResult",
        ],
        ignored: &["UserName", "Affiliation", "UserIsDeleted", "Rating"],
        changes: &[
            ("Rank", "from 0", |rank| json!(rank.as_u64().unwrap() - 1)),
            ("Rank", "negative", |rank| json!(-rank.as_i64().unwrap())),
            ("Rank", "as text", |rank| json!(rank.to_string())),
            ("TaskResults", "as a list", |tasks| {
                json!(tasks.as_object().unwrap().values().collect::<Vec<_>>())
            }),
        ],
    },
    JsonObjects {
        name: "TotalResult",
        path: &["StandingsData", "*", "TotalResult"],
        fields: &["Count", "Score", "Elapsed"],
        ignored: &["Accepted", "Penalty", "Frozen"],
        changes: &[
            ("Score", "in points", |score| json!(score.as_f64().unwrap() / 100.0 + 0.5)),
            ("Score", "null", |_| json!(null)),
            ("Elapsed", "as text", |elapsed| json!(elapsed.to_string())),
        ],
    },
];

const RESULT_LISTS: &[JsonLists<'_>] = &[JsonLists {
    name: "results",
    path: &[],
    within: None,
    fields: &["Place"],
}];

const STANDINGS_LISTS: &[JsonLists<'_>] = &[JsonLists {
    name: "StandingsData",
    path: &["StandingsData"],
    within: None,
    fields: &["Rank"],
}];

/// Changes that the reader cannot detect.
const UNDETECTED: &[&str] = &[
    // Ratings and performances may be any number.
    "results.*.OldRating and NewRating swapped",
    "results.*.OldRating and Performance swapped",
    "results.*.NewRating and Performance swapped",
    // A place without a score may be any user's, and names any word.
    "results: Place of the first two rows swapped",
    "results.*.Place from 0, once",
    "results.*.UserScreenName and Country swapped, once",
    "StandingsData.*.UserScreenName and Affiliation swapped, once",
    // Equal scores are decided by times and penalties, differently in each contest.
    "StandingsData: Rank of the first two rows swapped",
    "StandingsData.*.Rank from 0, once",
    "TotalResult.Elapsed and Accepted swapped",
    "TotalResult.Elapsed and Penalty swapped",
    "TotalResult.Score and Accepted swapped, everywhere",
    // Users without a point may have made a submission or none.
    "TotalResult.Count and Accepted swapped, everywhere",
    "StandingsData.*.IsTeam and UserIsDeleted swapped, everywhere",
];

#[test]
fn changed_layout_is_detected() {
    let list = (list_request(), bytes("contests.json"));
    let results = (results_of("abc901"), bytes("results-abc901.json"));
    let standings = (standings_of("abc901"), bytes("standings-abc901.json"));
    let answers = [
        (&list, CONTESTS, &[][..]),
        (&results, RESULTS, RESULT_LISTS),
        (&standings, STANDINGS, STANDINGS_LISTS),
    ];
    let answers = answers.map(|((request, body), objects, lists)| JsonAnswer {
        request,
        body,
        objects,
        lists,
        changes: &[],
    });
    let changes = layout::change_json(&source(), &answers);
    assert!(changes.check(UNDETECTED) > 300);
}
