//! A changed layout must be noticed: fixtures changed by program are refused, or read as before,
//! but for those changes that `docs/sources/topcoder.md` lists.

mod feeds;
mod html;

use ranklore_source::conformance::layout::{self, Changes};
use ranklore_source::{Reading, Request};

use crate::fixtures::{latin, source};

/// What of the layout can change without being noticed.
const UNNOTICED: &[&str] = &[
    // One text for another.
    "dd_round_list: full_name and round_type_desc swapped",
    "dd_round_list: full_name and short_name swapped",
    "dd_round_list: round_type_desc and short_name swapped",
    "dd_round_results: advanced and handle swapped",
    "dd_round_results: handle and level_one_language swapped",
    "dd_round_results: handle and room_id swapped",
    "dd_round_results: handle and room_name swapped",
    "dd_round_results: handle and room_placed swapped",
    "dd_round_results: handle and submission_points swapped",
    // One number for another.
    "dd_round_results: coder_id and room_id swapped, once",
    "dd_round_results: coder_id and room_placed swapped, once",
    "dd_round_results: new_rating and old_rating swapped",
    "dd_round_results: new_vol and num_ratings swapped",
    "dd_round_results: new_vol and room_id swapped",
    "dd_round_results: new_vol and room_placed swapped",
    // It is surplus, which is told.
    "dd_round_results: division_placed empty, once",
    // The round is shorter by one, or nobody came last.
    "dd_round_list: a row missing",
    "dd_round_results: a row missing",
    // An old rating for its change, where each may be the other.
    "round_stats: two cells swapped",
];

/// Makes one change after another to a fixture.
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

/// Around the first character that differs.
fn difference(text: &str, changed: &str) -> String {
    let same = text.chars().zip(changed.chars());
    let same = same.take_while(|(a, b)| a == b).count();
    changed
        .chars()
        .skip(same.saturating_sub(60))
        .take(160)
        .collect()
}

/// What a document says; an error where anything of it is refused.
fn said(request: &Request, text: &str) -> Result<Reading, String> {
    // What no byte has is written as a reference.
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
