//! Whom people gave names: these stay, whatever sites and files call them.

use std::collections::HashSet;

use ranklore_contest::EntrantKind;
use ranklore_store::{Decision, SourceId, Store};

use crate::error::Error;

/// A competitor by kind and by what identifies it.
pub(crate) type Who = (EntrantKind, String);

/// Whom people gave names.
pub(crate) fn named_by_hand(store: &Store, source_id: SourceId) -> Result<HashSet<Who>, Error> {
    let decisions = store.decisions(source_id)?.into_iter();
    let named = decisions.filter_map(|row| match row.decision {
        Decision::Rename { kind, subject, .. } => Some((kind, subject)),
        _ => None,
    });
    Ok(named.collect())
}
