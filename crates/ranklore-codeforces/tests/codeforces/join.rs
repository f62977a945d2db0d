//! Join of rating changes and standings.

use ranklore_contest::{EntrantKind, EntrantOutcome, Place};
use ranklore_source::{ContestOutcome, Results};

use crate::fixtures::{changes_of, entrants, places, read_file, single_result, standings_of};

fn results(contest: u32) -> (Results, Results) {
    let changes = format!("contest.ratingChanges-{contest}.json");
    let standings = format!("contest.standings-{contest}.json");
    let one = read_file(&changes_of(contest), &changes);
    let other = read_file(&standings_of(contest), &standings);
    (single_result(&one).clone(), single_result(&other).clone())
}

#[test]
fn join_takes_places_and_points() {
    let (changes, standings) = results(1001);
    let (joined, warnings) = ranklore_codeforces::join(changes.clone(), standings);
    assert!(warnings.is_empty(), "{warnings:?}");
    assert_eq!(places(&joined), places(&changes));
    assert_eq!(joined.stood_at, changes.stood_at);
    let scores: Vec<f64> = entrants(&joined).iter().map(|one| one.score.unwrap()).collect();
    assert_eq!(scores, [1432.5, 1390.0, 1390.0, 470.0, 0.0, 0.0, -50.0]);
}

#[test]
fn tied_team_members_become_team() {
    let (changes, standings) = results(1005);
    let (joined, warnings) = ranklore_codeforces::join(changes.clone(), standings);
    let expected = [
        ("brass.lamp + gull7", 1),
        ("Tide_Table + old-pier", 2),
        ("team mudflat", 3),
        ("jetty", 4),
        ("oarlock", 5),
    ];
    assert_eq!(places(&joined), expected);
    let first = &entrants(&joined)[0];
    assert_eq!(first.kind, EntrantKind::Team);
    assert_eq!(first.members, ["brass.lamp", "gull7"]);
    assert_eq!(first.penalty, Some(61.0));
    assert_eq!(entrants(&joined)[3].score, Some(0.0));
    let warning = "contest 1005: the members of team \"jetty + oarlock\" have different places \
                   and are listed alone";
    assert_eq!(warnings, [warning]);
    let (
        ContestOutcome::Standings { official, .. },
        ContestOutcome::Standings {
            official: before, ..
        },
    ) = (&joined.outcome, &changes.outcome)
    else {
        panic!("{joined:?}")
    };
    assert_eq!(official, before);
}

#[test]
fn missing_standings_keep_rating_changes() {
    let (changes, standings) = results(1001);
    for outcome in [
        ContestOutcome::NothingYet,
        ContestOutcome::NotRated,
        ContestOutcome::Gone,
        ContestOutcome::Closed,
    ] {
        let without = |results: &Results| Results {
            outcome: outcome.clone(),
            ..results.clone()
        };
        let (joined, _) = ranklore_codeforces::join(without(&changes), standings.clone());
        assert_eq!(joined.outcome, outcome);
        let (joined, _) = ranklore_codeforces::join(changes.clone(), without(&standings));
        assert_eq!(joined, changes);
    }
}

#[test]
fn mismatches_are_warned_about() {
    let (changes, mut standings) = results(1001);
    let ContestOutcome::Standings { entrants: rows, .. } = &mut standings.outcome else {
        panic!("{standings:?}")
    };
    rows.remove(0);
    rows.remove(0);
    let (joined, warnings) = ranklore_codeforces::join(changes.clone(), standings);
    assert_eq!(places(&joined), places(&changes));
    let warning =
        "contest 1001: \"brass.lamp\" and 1 more were rated but are missing from the standings";
    assert_eq!(warnings, [warning]);
    assert_eq!(
        entrants(&joined)[0].outcome,
        EntrantOutcome::Finished(Place::from_entrants_above(0))
    );

    let (_, other) = results(1005);
    let (joined, warnings) = ranklore_codeforces::join(changes.clone(), other);
    assert_eq!(joined, changes);
    assert_eq!(warnings, ["contest 1001: standings of contest 1005 were ignored"]);
}
