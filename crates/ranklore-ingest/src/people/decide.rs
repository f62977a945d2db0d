//! Decisions of people about the results: who is who, what they are called, what is rated.

use ranklore_contest::{EntrantKind, MAX_NAME_CHARS, SourceName, UnixSeconds};
use ranklore_replay::{competitor_named, contest_named, find_source};
use ranklore_store::{CompetitorRow, Decision, Error as StoreError, SourceId, Store, Writer};
use serde::Serialize;

use crate::error::Error;

/// A decision as a person puts it: names are those a leaderboard shows, or the source's own.
#[derive(Clone, Debug)]
pub enum Wish {
    /// The results of `from` count as those of `into`.
    Merge {
        /// Whose results.
        from: String,
        /// As whose they count.
        into: String,
    },
    /// A merged competitor counts for itself again.
    Split {
        /// Who.
        of: String,
    },
    /// A competitor is shown under another name.
    Rename {
        /// Who.
        of: String,
        /// The new name.
        name: String,
    },
    /// A contest is not rated any more.
    Withdraw {
        /// Its external id, or its name.
        contest: String,
    },
    /// A withdrawn contest is rated again.
    Restore {
        /// Its external id, or its name.
        contest: String,
    },
}

/// What came of a wish.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Decided {
    /// The decision, by external ids.
    #[serde(flatten)]
    pub decision: Decision,
    /// Anything is other than before.
    pub changed: bool,
    /// Others who are shown under the new name, by external id.
    #[serde(skip)]
    pub namesakes: Vec<String>,
    /// True if ratings of before no longer fit: rate again.
    #[serde(skip)]
    pub changes_ratings: bool,
}

/// Decides, and keeps the decision on record. A rebuild does it again.
///
/// # Errors
/// [`Error::Replay`] for an unknown source, and unless somebody, or a contest, is called exactly so;
/// [`Error::Undecided`] when it contradicts what was decided before.
pub fn decide(
    store: &mut Writer,
    source: &SourceName,
    wish: &Wish,
    kind: Option<EntrantKind>,
    note: Option<&str>,
    now: UnixSeconds,
) -> Result<Decided, Error> {
    let mut batch = store.batch()?;
    let source_id = find_source(&batch, source)?;
    let named = |name: &str, kind| competitor_named(&batch, source, name, kind);
    let decision = match wish {
        Wish::Merge { from, into } => {
            let into = named(into, kind)?;
            // Only what is of one kind can be one.
            let from = named(from, Some(into.kind))?;
            Decision::Merge {
                kind: into.kind,
                subject: from.external_id,
                into: into.external_id,
            }
        }
        Wish::Split { of } => {
            let of = named(of, kind)?;
            Decision::Split {
                kind: of.kind,
                subject: of.external_id,
            }
        }
        Wish::Rename { of, name } => {
            let of = named(of, kind)?;
            let name = valid_name(name)?;
            Decision::Rename {
                kind: of.kind,
                subject: of.external_id,
                name,
            }
        }
        Wish::Withdraw { contest } => Decision::Withdraw {
            contest: contest_named(&batch, source, contest)?.external_id,
        },
        Wish::Restore { contest } => Decision::Restore {
            contest: contest_named(&batch, source, contest)?.external_id,
        },
    };
    let namesakes = match &decision {
        Decision::Rename {
            kind,
            subject,
            name,
        } => namesakes(&batch, source_id, (*kind, subject), name)?,
        _ => Vec::new(),
    };
    let changed = (batch.decide(source_id, &decision, note, now)).map_err(undecided)?;
    if changed {
        batch.commit()?;
    }
    let changes_ratings = changed && !matches!(decision, Decision::Rename { .. });
    Ok(Decided {
        decision,
        changed,
        namesakes,
        changes_ratings,
    })
}

/// Who else is shown under this name, those who count as the same aside.
fn namesakes(
    store: &Store,
    source_id: SourceId,
    (kind, subject): (EntrantKind, &str),
    name: &str,
) -> Result<Vec<String>, Error> {
    let same = |of: &CompetitorRow| of.kind == kind && of.external_id == subject;
    let renamed = store.competitors_called(source_id, subject)?;
    let root = match renamed.iter().find(|of| same(of)) {
        Some(renamed) => Some(store.root_of(renamed.competitor_id)?),
        None => None,
    };
    let mut namesakes = Vec::new();
    for other in store.competitors_called(source_id, name)? {
        if other.name == name && Some(store.root_of(other.competitor_id)?) != root {
            namesakes.push(other.external_id);
        }
    }
    Ok(namesakes)
}

fn valid_name(name: &str) -> Result<String, Error> {
    let name = name.trim();
    if name.is_empty() || name.chars().count() > MAX_NAME_CHARS {
        return Err(Error::Undecided {
            reason: format!("a name has 1 to {MAX_NAME_CHARS} characters"),
        });
    }
    Ok(name.to_owned())
}

fn undecided(error: StoreError) -> Error {
    match error {
        StoreError::InvalidDecision { reason } => Error::Undecided { reason },
        error => error.into(),
    }
}
