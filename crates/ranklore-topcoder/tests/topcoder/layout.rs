//! A changed layout must be noticed: fixtures changed by program are refused, or read as before,
//! but for those changes that `docs/sources/topcoder.md` lists.

mod feeds;
mod html;

use std::collections::BTreeMap;

use ranklore_source::{ContestOutcome, Reading, Request, Source, Verdict};

use crate::fixtures::{latin, read, source};

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

#[derive(Default)]
struct Tally {
    refused: usize,
    same: usize,
    misread: usize,
    example: String,
}

/// Changes by their kinds, and what came of them.
#[derive(Default)]
struct Check {
    kinds: BTreeMap<String, Tally>,
}

impl Check {
    /// Makes one change after another to a fixture.
    fn of<'c>(
        &'c mut self,
        name: &'c str,
        request: &'c Request,
        text: &'c str,
    ) -> impl FnMut(&str, String) + 'c {
        let due = said(request, text).unwrap();
        move |kind, changed| {
            if changed == text {
                return;
            }
            let tally = self.kinds.entry(format!("{name}: {kind}")).or_default();
            match said(request, &changed) {
                Err(_) => tally.refused += 1,
                Ok(found) if found == due => tally.same += 1,
                Ok(_) => {
                    tally.misread += 1;
                    tally.example = difference(text, &changed);
                }
            }
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

/// What a document says, in one order; an error where anything of it is refused.
fn said(request: &Request, text: &str) -> Result<String, String> {
    // What no byte has is written as a reference.
    let text: String = text
        .chars()
        .map(|of| match u8::try_from(of) {
            Ok(_) => of.to_string(),
            Err(_) => format!("&#{};", u32::from(of)),
        })
        .collect();
    let body = latin(&text);
    if source().judge(request, 200, &body) != Verdict::Answer {
        return Err("no answer".to_owned());
    }
    let kept = source().kept(&request.key(), &body);
    let Reading {
        mut listed,
        mut results,
        mut named,
        follow,
        ..
    } = read(request, &kept).map_err(|error| error.to_string())?;
    listed.sort_by(|a, b| a.external_id.cmp(&b.external_id));
    named.sort_by(|a, b| a.competitor.cmp(&b.competitor));
    for result in &mut results {
        if let ContestOutcome::Stood { entrants, official } = &mut result.outcome {
            entrants.sort_by(|a, b| a.competitor.cmp(&b.competitor));
            official.sort_by(|a, b| a.competitor.cmp(&b.competitor));
        }
    }
    Ok(format!("{listed:?} {results:?} {named:?} {follow:?}"))
}

#[test]
fn a_changed_layout_is_refused_rather_than_misread() {
    let mut check = Check::default();
    feeds::changes(&mut check);
    html::changes(&mut check);
    let mut all = Tally::default();
    for (kind, tally) in &check.kinds {
        let Tally {
            refused,
            same,
            misread,
            ..
        } = tally;
        println!("{kind:70} {refused:5} refused {same:5} the same {misread:4} misread");
        all.refused += refused;
        all.misread += misread;
    }
    let share = all.refused as f64 / (all.refused + all.misread) as f64;
    println!(
        "of {} that matter {share:.4} are refused",
        all.refused + all.misread
    );
    let misread = check.kinds.iter().filter(|(_, tally)| tally.misread > 0);
    let misread: BTreeMap<&str, &str> = misread
        .map(|(kind, tally)| (kind.as_str(), tally.example.as_str()))
        .collect();
    let known = |kind: &&&str| UNNOTICED.iter().any(|known| kind.starts_with(known));
    let unknown: Vec<_> = misread.keys().filter(|kind| !known(kind)).collect();
    assert!(unknown.is_empty(), "{unknown:#?} of {misread:#?}");
    for known in UNNOTICED {
        let still = misread.keys().any(|kind| kind.starts_with(known));
        assert!(still, "{known} is noticed by now");
    }
    assert!(share >= 0.95 && all.refused > 1000, "{share}");
}

#[test]
fn what_is_not_noticed_is_documented() {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../docs/sources/topcoder.md"
    );
    let documented = std::fs::read_to_string(path).unwrap();
    for known in UNNOTICED {
        assert!(
            documented.contains(&format!("`{known}`")),
            "{known} is not in it"
        );
    }
}
