//! Detection of merged teams.

use ranklore_source::{AccountRename, Accounts, SiteReading};

use crate::fixtures::{read, read_file, results_2024, results_of, source};

fn year(events: &[&[(u32, u32)]]) -> SiteReading {
    let events: Vec<String> = events
        .iter()
        .zip(1..)
        .map(|(teams, id)| {
            let rows: Vec<String> = teams
                .iter()
                .zip(1..)
                .map(|((team, points), place)| {
                    format!(r#"{{"team_id":{team},"points":"{points}.0000","place":{place}}}"#)
                })
                .collect();
            format!(r#""{id}":{{"title":"x","time":1717243200.0,"scores":[{}]}}"#, rows.join(","))
        })
        .collect();
    read(&results_of(2024), format!("{{{}}}", events.join(",")).as_bytes()).unwrap()
}

fn merges(before: &[&[(u32, u32)]], after: &[&[(u32, u32)]]) -> Vec<(String, String)> {
    let merges = source().find_merged(&year(before), &year(after));
    merges.into_iter().map(|merge| (merge.from, merge.to)).collect()
}

#[test]
fn merged_team_is_detected_by_moved_results() {
    let after = read_file(&results_of(2024), "results-2024-later.json");
    let renamed = |from: &str, to: &str| AccountRename {
        from: from.to_owned(),
        to: to.to_owned(),
    };
    // The correction of 1403 and the removal of 1406 are no merges.
    assert_eq!(
        source().find_merged(&results_2024(), &after),
        [renamed("708", "703"), renamed("710", "705")]
    );
    assert_eq!(source().find_merged(&after, &after), []);
}

#[test]
fn merge_needs_all_results_moved_to_one_team() {
    let (a, b) = (&[(1, 90), (2, 80), (3, 70)][..], &[(3, 9), (4, 8)][..]);
    let to = |team| vec![("3".to_owned(), format!("{team}"))];
    let (moved_a, moved_b) = (&[(1, 90), (2, 80), (5, 70)][..], &[(5, 9), (4, 8)][..]);
    assert_eq!(merges(&[a, b], &[moved_a, moved_b]), to(5));
    // No merge: results moved to two teams, were removed in part, or remain in part.
    assert_eq!(merges(&[a, b], &[moved_a, &[(6, 9), (4, 8)]]), []);
    assert_eq!(merges(&[a, b], &[moved_a, &[(4, 8)]]), []);
    assert_eq!(merges(&[a, b], &[moved_a, b]), []);
}

#[test]
fn replaced_scoreboard_merges_no_team() {
    let before = &[(1, 90), (2, 80), (3, 70)][..];
    assert_eq!(merges(&[before], &[&[(4, 90), (5, 80), (3, 70)]]), []);
    // Other points are another result.
    assert_eq!(merges(&[before], &[&[(1, 90), (2, 80), (4, 75)]]), []);
}

#[test]
fn coexisting_team_is_not_a_merge() {
    let before = &[(1, 90), (2, 80), (3, 70)][..];
    assert_eq!(merges(&[before], &[&[(1, 90), (2, 80)]]), []);
}
