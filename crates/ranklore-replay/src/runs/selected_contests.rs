//! Loading of the contests that a run selects.

use std::collections::BTreeSet;

use ranklore_contest::SourceName;
use ranklore_store::{ContestRow, ContestState, RatableContest, SourceId, Store};

use crate::error::Error;
use crate::runs::selection::{EmptySelection, RunSelection};

impl RunSelection {
    /// Returns the contests to rate, in replay order.
    ///
    /// # Errors
    /// [`Error::NoSource`], [`Error::NoContests`].
    pub fn contests(&self, store: &Store) -> Result<Vec<RatableContest>, Error> {
        let contests = self.contests_if_any(store)?;
        if contests.is_empty() {
            return Err(self.no_contests(store)?);
        }
        Ok(contests)
    }

    /// Errors if there is no contest to rate, without loading any.
    ///
    /// # Errors
    /// [`Error::NoSource`], [`Error::NoContests`].
    pub fn ensure_contests(&self, store: &Store) -> Result<(), Error> {
        for name in &self.sources {
            find_source(store, name)?;
        }
        if store.has_ratable_contest(&self.contest_filter())? {
            Ok(())
        } else {
            Err(self.no_contests(store)?)
        }
    }

    fn no_contests(&self, store: &Store) -> Result<Error, Error> {
        Ok(Error::NoContests(Box::new(EmptySelection {
            selection: self.clone(),
            withdrawn: self.newest_withdrawn(store)?,
            incomplete: self.count_incomplete(store)?,
        })))
    }

    /// Returns the contests to rate, or none: all contests of an existing run may have been
    /// withdrawn since, and views still show it.
    ///
    /// # Errors
    /// [`Error::NoSource`].
    pub fn contests_if_any(&self, store: &Store) -> Result<Vec<RatableContest>, Error> {
        for name in &self.sources {
            find_source(store, name)?;
        }
        Ok(store.ratable_contests(&self.contest_filter())?)
    }

    /// Returns the divisions of the contests to rate.
    ///
    /// # Errors
    /// [`Error::NoSource`].
    pub fn divisions(&self, store: &Store) -> Result<BTreeSet<String>, Error> {
        let contests = self.contests_if_any(store)?;
        let rows = store.contests_by_id(contests.iter().map(|contest| contest.contest_id))?;
        Ok(rows.into_iter().filter_map(|row| row.division).collect())
    }

    /// Returns the newest contest that is not rated only because it is withdrawn: its source and
    /// its external id.
    fn newest_withdrawn(&self, store: &Store) -> Result<Option<(SourceName, String)>, Error> {
        for name in self.sources.iter().rev() {
            let Some(source_id) = store.source_id(name)? else {
                continue;
            };
            let mut newest: Option<ContestRow> = None;
            store.for_each_contest_of_source(source_id, |contest| {
                let is_newer =
                    newest.as_ref().is_none_or(|newest| contest.replay_order(newest).is_gt());
                if is_newer && self.is_only_withdrawn(&contest) {
                    newest = Some(contest);
                }
            })?;
            if let Some(contest) = newest {
                return Ok(Some((name.clone(), contest.external_id)));
            }
        }
        Ok(None)
    }

    /// Counts the contests not rated only because of their state `incomplete`.
    ///
    /// # Errors
    /// Errors if the database cannot be read.
    pub fn count_incomplete(&self, store: &Store) -> Result<u64, Error> {
        let mut number = 0;
        for name in self.sources.iter().collect::<BTreeSet<_>>() {
            let Some(source_id) = store.source_id(name)? else {
                continue;
            };
            let contests = store.incomplete_contests(source_id)?;
            let left_out = contests.iter().filter(|contest| {
                contest.state == ContestState::Incomplete
                    && contest.withdrawn_at.is_none()
                    && self.covers(contest)
            });
            number += left_out.count() as u64;
        }
        Ok(number)
    }

    /// True if a contest is not rated only because it is withdrawn.
    fn is_only_withdrawn(&self, contest: &ContestRow) -> bool {
        contest.withdrawn_at.is_some()
            && matches!(contest.state, ContestState::Provisional | ContestState::Final)
            && self.covers(contest)
    }
}

/// Returns the id of the source with this name.
///
/// # Errors
/// [`Error::NoSource`], with the names of all sources.
pub fn find_source(store: &Store, source: &SourceName) -> Result<SourceId, Error> {
    if let Some(source_id) = store.source_id(source)? {
        return Ok(source_id);
    }
    Err(Error::NoSource {
        name: source.clone(),
        path: store.path().to_owned(),
        known: store.sources()?.into_iter().map(|row| row.name).collect(),
    })
}
