//! Assembles events: one answer covers several contests, such as the heats of a competition.

use std::collections::HashSet;
use std::sync::Arc;

use ranklore_contest::Contest;

use super::{
    AnswerArchive, AssembledContest, Assembly, NewestVerdict, RefusedInput, build_contest,
};
use crate::{ContestOutcome, Results, SiteListing, SiteReading};

/// Assembles the contests of an event. Their ids are the id of the event, a slash and their own
/// part. An answer without contests has an outcome under the id of the event.
///
/// The newest readable answer decides. A contest that only an older answer has is withdrawn and
/// keeps its results; but if the newest answer has refused parts, these may be that contest, and it
/// is not withdrawn. `rates` returns true for contests that count for ratings.
pub fn event(
    event: &SiteListing,
    archive: &dyn AnswerArchive,
    rates: fn(&Contest) -> bool,
) -> Assembly {
    let Some(request) = event.results.first() else {
        return Assembly::default();
    };
    let mut assembly = Assembly::new(vec![request.clone()]);
    assembly.is_event = true;
    let mut assembled_ids = HashSet::new();
    // The time of the first readable answer, and true if contests missing from it are withdrawn.
    let mut decided: Option<(i64, bool)> = None;
    for answer in archive.answers(request).iter().filter(|a| !a.is_repeat) {
        let reading = match archive.read(answer) {
            Ok(reading) => reading,
            Err(error) => {
                assembly.refuse_newest(answer, error.into());
                continue;
            }
        };
        // The archive shares readings that it caches, and reported their warnings before.
        let is_cached = Arc::strong_count(&reading) > 1;
        let reading = Arc::unwrap_or_clone(reading);
        if assembly.note_newest(answer, event_verdict(&reading)) {
            assembly.newest_answers = vec![answer.id];
            if !is_cached {
                assembly.warnings = reading.warnings;
            }
        }
        let refused = reading.refused.into_iter();
        let mut refused: Vec<RefusedInput> = refused.map(RefusedInput::from).collect();
        let (last_seen_at, withdrawn) = decided.unwrap_or((answer.fetched_at, false));
        for (results, ordinal) in reading.results.into_iter().zip(1..) {
            let id = results.external_id.clone();
            if id == event.external_id || assembled_ids.contains(&id) {
                continue;
            }
            match build_contest(listing_of_heat(event, &results, ordinal), results) {
                Ok((contest, official)) => {
                    assembled_ids.insert(id);
                    assembly.contests.push(AssembledContest {
                        rated: rates(&contest),
                        contest,
                        official,
                        read_from: answer.id,
                        last_seen_at,
                        withdrawn,
                    });
                }
                Err(reason) => refused.push(RefusedInput::for_contest(&id, reason)),
            }
        }
        if decided.is_none() {
            decided = Some((answer.fetched_at, refused.is_empty()));
            assembly.further_refused = refused;
        }
    }
    assembly
}

/// Returns the verdict on the event: it has results if any contest has.
fn event_verdict(reading: &SiteReading) -> NewestVerdict {
    let mut outcomes = reading.results.iter().map(|results| &results.outcome);
    let mut standings = outcomes.clone();
    standings
        .find(|outcome| matches!(outcome, ContestOutcome::Standings { .. }))
        .or_else(|| outcomes.next())
        .map_or(NewestVerdict::Refused, NewestVerdict::from)
}

/// Returns a contest of an event as a listing.
fn listing_of_heat(event: &SiteListing, results: &Results, ordinal: i64) -> SiteListing {
    let id = &results.external_id;
    SiteListing {
        external_id: id.clone(),
        name: results.name.clone().unwrap_or_else(|| id.clone()),
        event: Some(event.name.clone()),
        ordinal: Some(ordinal),
        ..event.clone()
    }
}
