//! Competitors renamed by the user: their names take precedence over those of sites and files.

use std::collections::HashSet;

use ranklore_contest::EntrantKind;
use ranklore_store::{DecisionAction, SourceId, Store};

use crate::error::Error;

/// A competitor by kind and external id.
pub(crate) type CompetitorKey = (EntrantKind, String);

/// Returns the competitors renamed by the user.
pub(crate) fn user_named_competitors(
    store: &Store,
    source_id: SourceId,
) -> Result<HashSet<CompetitorKey>, Error> {
    let decisions = store.decisions(source_id)?.into_iter();
    let renamed = decisions
        .map(|row| row.decision)
        .filter(|decision| decision.action == DecisionAction::Rename)
        .filter_map(|decision| Some((decision.kind?, decision.subject)));
    Ok(renamed.collect())
}
