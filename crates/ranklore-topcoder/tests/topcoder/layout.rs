//! Layout changes: each changed fixture is refused or reads as before, except the changes that
//! `docs/sources/topcoder.md` lists.

mod feeds;
mod html;

use ranklore_source::conformance::layout::{self, Changes};
use ranklore_source::{Reading, Request};

use crate::fixtures::{latin, source};

/// Changes that the reader cannot detect.
const UNNOTICED: &[&str] = &[
    // A text that could be the other.
    "dd_round_list: full_name and round_type_desc swapped",
    "dd_round_list: full_name and short_name swapped",
    "dd_round_list: round_type_desc and short_name swapped",
    "dd_round_results: advanced and handle swapped",
    "dd_round_results: handle and level_one_language swapped",
    "dd_round_results: handle and room_id swapped",
    "dd_round_results: handle and room_name swapped",
    "dd_round_results: handle and room_placed swapped",
    "dd_round_results: handle and submission_points swapped",
    // A number that could be the other.
    "dd_round_results: coder_id and room_id swapped, once",
    "dd_round_results: coder_id and room_placed swapped, once",
    "dd_round_results: new_rating and old_rating swapped",
    "dd_round_results: new_vol and num_ratings swapped",
    "dd_round_results: new_vol and room_id swapped",
    "dd_round_results: new_vol and room_placed swapped",
    // A row without a place gives a warning.
    "dd_round_results: division_placed empty, once",
    // A shorter round or list is valid.
    "dd_round_list: a row missing",
    "dd_round_results: a row missing",
    // An old rating and its change that could be swapped.
    "round_stats: two cells swapped",
];

/// Returns a function that records one change of a fixture.
fn of<'c>(
    changes: &'c mut Changes,
    name: &'c str,
    request: &'c Request,
    text: &'c str,
) -> impl FnMut(&str, String) + 'c {
    let whole = said(request, text).unwrap();
    move |kind, changed| {
        if changed != text {
            let found = said(request, &changed);
            let example = || difference(text, &changed);
            changes.count(&format!("{name}: {kind}"), &whole, &found, example);
        }
    }
}

/// Returns the text around the first differing character.
fn difference(text: &str, changed: &str) -> String {
    let same = text.chars().zip(changed.chars());
    let same = same.take_while(|(a, b)| a == b).count();
    changed
        .chars()
        .skip(same.saturating_sub(60))
        .take(160)
        .collect()
}

/// Reads a document; errors if any part is refused.
fn said(request: &Request, text: &str) -> Result<Reading, String> {
    // Characters beyond one byte become references.
    let text: String = text
        .chars()
        .map(|of| match u8::try_from(of) {
            Ok(_) => of.to_string(),
            Err(_) => format!("&#{};", u32::from(of)),
        })
        .collect();
    layout::said(&source(), request, 200, &latin(&text))
}

#[test]
fn a_changed_layout_is_refused_rather_than_misread() {
    let mut changes = Changes::default();
    feeds::changes(&mut changes);
    html::changes(&mut changes);
    assert!(changes.hold(UNNOTICED) > 1000);
}

#[test]
fn the_documentation_names_what_is_not_noticed_and_nothing_else() {
    let text = include_str!("../../../../docs/sources/topcoder.md");
    layout::documented(text, "Which changes of the layout go unnoticed", UNNOTICED);
}
