//! Tests of the public API of the store.
#![expect(
    clippy::unwrap_used,
    reason = "clippy does not treat test helpers as tests"
)]

mod changes;
mod check;
mod completeness;
mod contests;
mod counted_columns;
mod documents;
mod maintenance;
#[cfg(unix)]
mod opening;
mod pseudonyms;
mod ratings;
mod removal;
mod schema;
mod transactions;
mod trials;

use ranklore_contest::{Contest, EntrantKind, EntrantOutcome, Place};
use ranklore_store::ContestFilter;
use ranklore_test_support::{contest, contest_time, source};

fn contests_of_sources(sources: &[&str]) -> ContestFilter {
    ContestFilter {
        sources: sources.iter().map(|name| source(name)).collect(),
        ..ContestFilter::default()
    }
}

/// Creates a contest with ties, teams, a couple, scores and an entrant without a place.
fn full_contest(external_id: &str, ends_at: i64) -> Contest {
    let mut rich = contest(external_id, ends_at, &["ada", "bo & cy", "the bees", "dot", "eve"]);
    rich.event = Some("Cup".into());
    rich.division = Some("A".into());
    rich.ordinal = Some(2);
    rich.url = Some("https://example.org/1".into());
    rich.starts_at = Some(contest_time(ends_at - 60));
    rich.weight = 0.5;
    rich.site_weight = Some(31.25);
    rich.performance_ceiling = Some(2400.0);
    rich.entrants[0].score = Some(-0.1);
    rich.entrants[0].penalty = Some(0.0);
    rich.entrants[2].kind = EntrantKind::Team;
    rich.entrants[2].members = ["zoe", "the bees", "ada", "zoe"].map(Into::into).into();
    rich.entrants[1].kind = EntrantKind::Couple;
    rich.entrants[1].members = ["bo", "cy"].map(Into::into).into();
    rich.entrants[2].outcome = EntrantOutcome::Finished(Place::from_entrants_above(1));
    rich.entrants[3].outcome = EntrantOutcome::DidNotFinish;
    rich.entrants[4].outcome = EntrantOutcome::Disqualified;
    rich.validate().unwrap();
    rich
}
