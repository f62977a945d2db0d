//! Layout changes: each changed fixture is refused or reads as before, except the changes that
//! `UNDETECTED` lists.

mod feeds;
mod html;

use ranklore_conformance::layout::{self, LayoutChanges};
use ranklore_source::{Request, SiteReading};

use crate::fixtures::{source, to_latin1};

/// Changes that the reader cannot detect.
const UNDETECTED: &[&str] = &[
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
fn change_recorder<'c>(
    changes: &'c mut LayoutChanges,
    name: &'c str,
    request: &'c Request,
    text: &'c str,
) -> impl FnMut(&str, String) + 'c {
    let original = read_or_refusal(request, text).unwrap();
    move |kind, changed| {
        if changed != text {
            let reading = read_or_refusal(request, &changed);
            let example = || describe_difference(text, &changed);
            changes.record(&format!("{name}: {kind}"), &original, &reading, example);
        }
    }
}

/// Returns the text around the first differing character.
fn describe_difference(text: &str, changed: &str) -> String {
    let same = text.chars().zip(changed.chars());
    let same = same.take_while(|(a, b)| a == b).count();
    changed.chars().skip(same.saturating_sub(60)).take(160).collect()
}

/// Reads a document; errors if any part is refused.
fn read_or_refusal(request: &Request, text: &str) -> Result<SiteReading, String> {
    // Characters beyond one byte become references.
    let text: String = text
        .chars()
        .map(|character| match u8::try_from(character) {
            Ok(_) => character.to_string(),
            Err(_) => format!("&#{};", u32::from(character)),
        })
        .collect();
    layout::read_changed_answer(&source(), request, 200, &to_latin1(&text))
}

#[test]
fn changed_layout_is_detected() {
    let mut changes = LayoutChanges::default();
    feeds::changes(&mut changes);
    html::changes(&mut changes);
    assert!(changes.check(UNDETECTED) > 1000);
}
