//! Decisions of the user: merges, splits, names, and which contests are rated.

use ranklore_contest::{MAX_NAME_CHARS, SourceName, UnixSeconds};
use ranklore_replay::find_source;
use ranklore_store::{
    Decision, DecisionAction, Error as StoreError, SourceId, Store, WriteBatch, Writer,
};
use ranklore_views::{find_competitor_exact, find_contest_exact};
use serde::Serialize;

use crate::derive::official::refresh_official_ratings;
use crate::error::Error;

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

/// Makes a decision and stores it. A rebuild applies it again. `request` is the decision as the user
/// enters it: its names are those shown on a leaderboard, or external ids, and its kind is needed
/// only if competitors of several kinds share a name.
///
/// # Errors
/// [`Error::Replay`] for an unknown source, or if no competitor or contest has exactly this name;
/// [`Error::InvalidRequest`] if it contradicts an earlier decision.
pub fn decide(
    store: &mut Writer,
    source: &SourceName,
    request: Decision,
    note: Option<&str>,
    now: UnixSeconds,
) -> Result<DecisionReport, Error> {
    let mut batch = store.batch()?;
    let source_id = find_source(&batch, source)?;
    let decision = resolve_names(&batch, source, request)?;
    let is_rename = decision.action == DecisionAction::Rename;
    let namesakes = if is_rename {
        find_namesakes(&batch, source_id, &decision)?
    } else {
        Vec::new()
    };
    let changed = batch
        .record_decision(source_id, &decision, note, now)
        .map_err(map_decision_error)?;
    if changed {
        if !is_rename {
            update_official_ratings(&mut batch, source, source_id, &decision)?;
        }
        batch.commit()?;
    }
    Ok(DecisionReport {
        decision,
        changed,
        namesakes,
        changes_ratings: changed && !is_rename,
    })
}

/// Updates the ratings that the site published after a merge, a split or a withdrawal.
fn update_official_ratings(
    batch: &mut WriteBatch<'_>,
    source: &SourceName,
    source_id: SourceId,
    decision: &Decision,
) -> Result<(), Error> {
    let split = match (decision.action, decision.kind) {
        (DecisionAction::Split, Some(kind)) => {
            let subject = std::iter::once(&*decision.subject);
            batch.competitor_ids(source_id, kind, subject)?.into_iter().flatten().next()
        }
        _ => None,
    };
    refresh_official_ratings(batch, source, source_id, split)
}

/// Replaces the names in a request by the external ids of the competitors or contests that have
/// them.
fn resolve_names(store: &Store, source: &SourceName, request: Decision) -> Result<Decision, Error> {
    if request.is_about_contest() {
        let contest = find_contest_exact(store, source, &request.subject)?;
        return Ok(Decision::new(request.action, contest.external_id));
    }
    let (kind, object) = match (request.action, request.object) {
        (DecisionAction::Merge, Some(name)) => {
            let into = find_competitor_exact(store, source, &name, request.kind)?;
            // Only competitors of one kind can be merged.
            (Some(into.kind), Some(into.external_id))
        }
        (_, object) => (request.kind, object),
    };
    let competitor = find_competitor_exact(store, source, &request.subject, kind)?;
    Ok(Decision {
        action: request.action,
        kind: Some(competitor.kind),
        subject: competitor.external_id,
        object: match (request.action, object) {
            (DecisionAction::Rename, Some(name)) => Some(validate_name(&name)?),
            (_, object) => object,
        },
    })
}

/// Returns other competitors with the display name of a rename, except accounts merged with the
/// renamed one.
fn find_namesakes(
    store: &Store,
    source_id: SourceId,
    rename: &Decision,
) -> Result<Vec<String>, Error> {
    let subject = &rename.subject;
    let mut candidates = store.competitors_named(source_id, subject)?.into_iter();
    let root = candidates
        .find(|row| Some(row.kind) == rename.kind && row.external_id == *subject)
        .map(|row| store.merge_root(row.competitor_id))
        .transpose()?;
    let mut namesakes = Vec::new();
    let name = rename.object.as_deref().unwrap_or_default();
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
