//! Ratings of a run at an earlier time, read from the contests of single competitors.

use std::cmp::Reverse;
use std::collections::hash_map::Entry;
use std::collections::{BTreeSet, HashMap};

use ranklore_contest::ContestTime;
use ranklore_store::{CompetitorId, ContestId, RatingRow, RunRow, Store};

use ranklore_replay::{Error, Identities};

/// The ratings of a run after the contests that ended before a time. The cost of each is
/// proportional to the number of contests of the competitor.
pub(crate) struct EarlierRatings<'a> {
    store: &'a Store,
    run: &'a RunRow,
    before: ContestTime,
    identities: Identities,
    /// The ends of the contests met so far: many competitors share them.
    ends: HashMap<ContestId, Option<i64>>,
}

impl<'a> EarlierRatings<'a> {
    pub(crate) fn load(
        store: &'a Store,
        run: &'a RunRow,
        before: ContestTime,
    ) -> Result<Self, Error> {
        Ok(Self {
            store,
            run,
            before,
            identities: Identities::load_for_view(store, run)?,
            ends: HashMap::new(),
        })
    }

    /// Returns the rating of a competitor after its last contest before the time, and the end of
    /// that contest in Unix seconds; `None` if it has none.
    pub(crate) fn last(
        &mut self,
        competitor: CompetitorId,
    ) -> Result<Option<(RatingRow, i64)>, Error> {
        let contests = self.contests_of(competitor)?;
        for simultaneous in contests.chunk_by(|a, b| a.0 == b.0) {
            let keys = simultaneous.iter().map(|&(_, contest)| (contest, competitor));
            let rows = self.store.ratings_at(self.run.run_id, keys)?;
            let rows = simultaneous.iter().zip(rows);
            let rated: HashMap<ContestId, RatingRow> =
                rows.filter_map(|(&(_, contest), row)| Some((contest, row?))).collect();
            let last = if rated.len() > 1 {
                let contests = self.store.contests_by_id(rated.keys().copied())?;
                let last = contests.iter().max_by(|a, b| a.replay_order(b));
                last.map(|contest| contest.contest_id)
            } else {
                rated.keys().copied().next()
            };
            if let Some(row) = last.and_then(|last| rated.get(&last)) {
                let (Reverse(ends_at), _) = simultaneous[0];
                return Ok(Some((*row, ends_at)));
            }
        }
        Ok(None)
    }

    /// Returns mu after the last contest of each competitor that has one before the time.
    pub(crate) fn last_of_all(
        &mut self,
        competitors: impl Iterator<Item = CompetitorId>,
    ) -> Result<HashMap<CompetitorId, f64>, Error> {
        let mut ratings = HashMap::new();
        for competitor in competitors {
            let row = self.last(competitor)?;
            ratings.extend(row.map(|(row, _)| (competitor, row.mu)));
        }
        Ok(ratings)
    }

    /// Returns the highest mu of a competitor before the time; `None` if it has none.
    pub(crate) fn peak_mu(&mut self, competitor: CompetitorId) -> Result<Option<f64>, Error> {
        let contests = self.contests_of(competitor)?;
        let keys = contests.into_iter().map(|(_, contest)| (contest, competitor));
        let rows = self.store.ratings_at(self.run.run_id, keys)?;
        Ok(rows.into_iter().flatten().map(|row| row.mu).reduce(f64::max))
    }

    /// Returns the contests of a competitor before the time, by any account or team, newest first.
    fn contests_of(
        &mut self,
        competitor: CompetitorId,
    ) -> Result<Vec<(Reverse<i64>, ContestId)>, Error> {
        let accounts: Vec<CompetitorId> = self.identities.accounts(competitor).collect();
        let mut contests = BTreeSet::new();
        let identities = &self.identities;
        identities.for_each_contest_of(self.store, accounts, |_, contest| {
            contests.insert(contest);
        })?;
        let mut earlier = Vec::new();
        for contest in contests {
            let ends_at = match self.ends.entry(contest) {
                Entry::Occupied(entry) => *entry.get(),
                Entry::Vacant(entry) => *entry.insert(self.store.contest_end(contest)?),
            };
            let ends_at = ends_at.filter(|at| *at < self.before.get());
            earlier.extend(ends_at.map(|at| (Reverse(at), contest)));
        }
        earlier.sort_unstable();
        Ok(earlier)
    }
}
