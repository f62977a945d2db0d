//! Decisions of the user: merges, splits, names, and which contests are rated.

use ranklore_contest::{EntrantKind, MAX_NAME_CHARS, SourceName, UnixSeconds};
use ranklore_replay::{find_competitor_exact, find_contest_exact, find_source};
use ranklore_store::{Decision, Error as StoreError, SourceId, Store, Writer};
use serde::Serialize;

use crate::error::Error;

/// A decision as the user enters it. Names are those shown on a leaderboard, or external ids.
#[derive(Clone, Debug)]
pub enum DecisionRequest {
    /// The results of `from` count as those of `into`.
    Merge {
        /// The competitor whose results are moved.
        from: String,
        /// The competitor they are counted for.
        into: String,
    },
    /// A merged competitor counts for itself again.
    Split {
        /// The competitor.
        competitor: String,
    },
    /// A competitor is shown under another name.
    Rename {
        /// The competitor.
        competitor: String,
        /// The new name.
        name: String,
    },
    /// A contest is not rated any more.
    Withdraw {
        /// The external id or the name of the contest.
        contest: String,
    },
    /// A withdrawn contest is rated again.
    Restore {
        /// The external id or the name of the contest.
        contest: String,
    },
}

/// The outcome of a decision.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct DecisionReport {
    /// The decision with external ids.
    #[serde(flatten)]
    pub decision: Decision,
    /// True if the decision changed anything.
    pub changed: bool,
    /// Other competitors with the same display name, by external id.
    #[serde(skip)]
    pub namesakes: Vec<String>,
    /// True if existing ratings are out of date.
    #[serde(skip)]
    pub changes_ratings: bool,
}

/// Makes a decision and stores it. A rebuild applies it again.
///
/// # Errors
/// [`Error::Replay`] for an unknown source, or if no competitor or contest has exactly this name;
/// [`Error::InvalidRequest`] if it contradicts an earlier decision.
pub fn decide(
    store: &mut Writer,
    source: &SourceName,
    request: &DecisionRequest,
    kind: Option<EntrantKind>,
    note: Option<&str>,
    now: UnixSeconds,
) -> Result<DecisionReport, Error> {
    let mut batch = store.batch()?;
    let source_id = find_source(&batch, source)?;
    let decision = resolve_decision(&batch, source, request, kind)?;
    let namesakes = match &decision {
        Decision::Rename {
            kind,
            subject,
            name,
        } => namesakes(&batch, source_id, (*kind, subject), name)?,
        _ => Vec::new(),
    };
    let changed = batch
        .record_decision(source_id, &decision, note, now)
        .map_err(map_decision_error)?;
    if changed {
        batch.commit()?;
    }
    let changes_ratings = changed && !matches!(decision, Decision::Rename { .. });
    Ok(DecisionReport {
        decision,
        changed,
        namesakes,
        changes_ratings,
    })
}

/// Finds the competitors and contests that a request names, and returns the decision about them.
fn resolve_decision(
    store: &Store,
    source: &SourceName,
    request: &DecisionRequest,
    kind: Option<EntrantKind>,
) -> Result<Decision, Error> {
    Ok(match request {
        DecisionRequest::Merge { from, into } => {
            let into = find_competitor_exact(store, source, into, kind)?;
            // Only competitors of one kind can be merged.
            let from = find_competitor_exact(store, source, from, Some(into.kind))?;
            Decision::Merge {
                kind: into.kind,
                subject: from.external_id,
                into: into.external_id,
            }
        }
        DecisionRequest::Split { competitor } => {
            let row = find_competitor_exact(store, source, competitor, kind)?;
            Decision::Split {
                kind: row.kind,
                subject: row.external_id,
            }
        }
        DecisionRequest::Rename { competitor, name } => {
            let row = find_competitor_exact(store, source, competitor, kind)?;
            Decision::Rename {
                kind: row.kind,
                subject: row.external_id,
                name: validate_name(name)?,
            }
        }
        DecisionRequest::Withdraw { contest } => Decision::Withdraw {
            contest: find_contest_exact(store, source, contest)?.external_id,
        },
        DecisionRequest::Restore { contest } => Decision::Restore {
            contest: find_contest_exact(store, source, contest)?.external_id,
        },
    })
}

/// Returns other competitors with this display name, except accounts merged with `subject`.
fn namesakes(
    store: &Store,
    source_id: SourceId,
    (kind, subject): (EntrantKind, &str),
    name: &str,
) -> Result<Vec<String>, Error> {
    let mut candidates = store.competitors_named(source_id, subject)?.into_iter();
    let root = match candidates.find(|row| row.kind == kind && row.external_id == subject) {
        Some(row) => Some(store.merge_root(row.competitor_id)?),
        None => None,
    };
    let mut namesakes = Vec::new();
    // Accounts merged into one competitor are no namesakes of each other.
    for row in store.competitors_named(source_id, name)? {
        if row.name == name && Some(store.merge_root(row.competitor_id)?) != root {
            namesakes.push(row.external_id);
        }
    }
    Ok(namesakes)
}

fn validate_name(name: &str) -> Result<String, Error> {
    let name = name.trim();
    if name.is_empty() || name.chars().count() > MAX_NAME_CHARS {
        let reason = format!("a name has 1 to {MAX_NAME_CHARS} characters");
        return Err(Error::InvalidRequest { reason });
    }
    Ok(name.to_owned())
}

fn map_decision_error(error: StoreError) -> Error {
    match error {
        StoreError::InvalidDecision { reason } => Error::InvalidRequest { reason },
        error => error.into(),
    }
}
