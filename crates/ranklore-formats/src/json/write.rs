//! Writes contests as files in the format of Elo-MMR, with additional fields for everything else.

use std::borrow::Cow;

use crate::json::schema::{
    CompetitorEntry, ContestJson, EntrantDetails, JsonContestId, JsonObject, Row, UnplacedStatus,
};
use ranklore_contest::{
    Annotations, CompetitorFacts, Contest, ContestTime, Entrant, EntrantKind, EntrantOutcome,
    ResultState,
};

/// Returns the contest as a file in the format of Elo-MMR, on one line without a line feed.
/// Elo-MMR can read it; [`read`](crate::read()) with
/// [`FileFormat::Json`](crate::FileFormat::Json) returns the same contest. Non-finishers share
/// the last range of the standings. The contest must pass [`Contest::validate`].
#[must_use]
pub fn contest_json(contest: &Contest) -> String {
    contest_json_with(contest, &Annotations::default())
}

/// Does the same as [`contest_json`], with annotations. The competitors must satisfy the
/// rules of [`CompetitorFacts`]; default values are left out.
#[must_use]
pub fn contest_json_with(contest: &Contest, annotations: &Annotations) -> String {
    let competitors = annotations.competitors.iter();
    let file = ContestJson {
        name: borrowed(&contest.name),
        id: Some(JsonContestId(borrowed(&contest.external_id))),
        url: contest.url.as_deref().map(borrowed),
        time_seconds: contest.ends_at.get(),
        weight: Some(contest.weight).filter(|weight| weight.total_cmp(&1.0).is_ne()),
        perf_ceiling: contest.performance_ceiling,
        event: contest.event.as_deref().map(borrowed),
        division: contest.division.as_deref().map(borrowed),
        ordinal: contest.ordinal,
        starts_at: contest.starts_at.map(ContestTime::get),
        site_weight: contest.site_weight,
        standings: standings_rows(&contest.entrants),
        entrants: entrant_details(&contest.entrants),
        state: Some(annotations.state).filter(|state| *state != ResultState::Final),
        rated: (!annotations.rated).then_some(false),
        competitors: (!annotations.competitors.is_empty())
            .then(|| competitors.map(|facts| JsonObject(competitor_entry(facts))).collect()),
    };
    // Texts and finite numbers always have a JSON form.
    serde_json::to_string(&file).unwrap_or_default()
}

/// Returns handles with the first and last index of those who share their place or have none.
fn standings_rows(entrants: &[Entrant]) -> Vec<Row<'_>> {
    let mut rows = Vec::with_capacity(entrants.len());
    for tie in entrants.chunk_by(|a, b| a.outcome.place() == b.outcome.place()) {
        let lo = rows.len() as u32;
        let hi = lo + tie.len() as u32 - 1;
        rows.extend(tie.iter().map(|entrant| Row(borrowed(&entrant.competitor), lo, hi)));
    }
    rows
}

/// Returns `None` if all entrants are persons who finished and have no other data, so that the file
/// is plain Elo-MMR.
fn entrant_details(entrants: &[Entrant]) -> Option<Vec<Option<EntrantDetails<'_>>>> {
    let details = entrants.iter().map(|entrant| EntrantDetails {
        kind: kind_unless_person(entrant.kind),
        status: match entrant.outcome {
            EntrantOutcome::Finished(_) => None,
            EntrantOutcome::DidNotFinish => Some(UnplacedStatus::Dnf),
            EntrantOutcome::Disqualified => Some(UnplacedStatus::Dq),
        },
        score: entrant.score,
        penalty: entrant.penalty,
        side: entrant.side,
        members: (!entrant.members.is_empty()).then(|| Cow::Borrowed(&*entrant.members)),
    });
    let details: Vec<_> = details.map(Some).collect();
    let has_details = details.iter().flatten().any(|d| *d != EntrantDetails::default());
    has_details.then_some(details)
}

fn competitor_entry(facts: &CompetitorFacts) -> CompetitorEntry<'_> {
    CompetitorEntry {
        competitor: borrowed(&facts.competitor),
        kind: kind_unless_person(facts.kind),
        name: facts.name.as_deref().map(borrowed),
        start_mu: facts.start.map(|start| start.mu),
        start_sigma: facts.start.and_then(|start| start.sigma),
        merged_into: facts.merged_into.as_deref().map(borrowed),
    }
}

fn borrowed(text: &str) -> Cow<'_, str> {
    Cow::Borrowed(text)
}

fn kind_unless_person(kind: EntrantKind) -> Option<EntrantKind> {
    Some(kind).filter(|kind| *kind != EntrantKind::Person)
}
