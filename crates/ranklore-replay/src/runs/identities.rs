//! Identities of competitors in a rating: merges, and starting ratings.

use std::collections::{BTreeSet, HashMap};

use ranklore_contest::StartingRating;
use ranklore_store::{CompetitorId, ContestId, RatableContest, RunRow, SourceId, Store};

use crate::error::Error;
use crate::runs::selected_contests::find_source;
use crate::runs::selection::RunSelection;
use crate::runs::teams::TeamMode;

/// Identities of the competitors in the sources of a run.
#[derive(Debug, Default, PartialEq)]
pub struct Identities {
    /// The competitors that are rated in teams.
    pub teams: TeamMode,
    /// The merge target of each merged competitor.
    counts_as: HashMap<CompetitorId, CompetitorId>,
    /// The merged competitors of each merge target.
    accounts: HashMap<CompetitorId, Vec<CompetitorId>>,
    /// Starting ratings by merge target.
    starts: HashMap<CompetitorId, StartingRating>,
}

impl Identities {
    /// Loads the identities in these sources.
    ///
    /// # Errors
    /// Errors of the store.
    pub fn load(
        store: &Store,
        sources: impl IntoIterator<Item = SourceId>,
        teams: TeamMode,
    ) -> Result<Self, Error> {
        let sources: BTreeSet<SourceId> = sources.into_iter().collect();
        let mut identities = Self {
            teams,
            ..Self::default()
        };
        let mut starts = Vec::new();
        for source in sources {
            starts.extend(store.starting_ratings(source)?);
            for (account, counts_as) in store.merges(source)? {
                identities.counts_as.insert(account, counts_as);
                let accounts = identities.accounts.entry(counts_as).or_default();
                accounts.push(account);
            }
        }
        identities.set_starting_ratings(starts);
        Ok(identities)
    }

    /// Loads the identities in the sources of a run, without its contests.
    ///
    /// # Errors
    /// Errors if the database cannot be read.
    pub fn load_for_view(store: &Store, run: &RunRow) -> Result<Self, Error> {
        let sources = RunSelection::from_canonical_json(&run.selection).sources;
        let sources = sources.iter().map(|name| find_source(store, name));
        let sources: BTreeSet<SourceId> = sources.collect::<Result<_, Error>>()?;
        Self::load(store, sources, TeamMode::from_run_parameters(&run.parameters))
    }

    /// Loads the identities in the contests that a run selects.
    ///
    /// # Errors
    /// Errors if the database cannot be read.
    pub fn load_for_run(
        store: &Store,
        contests: &[RatableContest],
        run: &RunRow,
    ) -> Result<Self, Error> {
        Self::load(
            store,
            contests.iter().map(|contest| contest.source_id),
            TeamMode::from_run_parameters(&run.parameters),
        )
    }

    /// Sets the starting ratings: a competitor's own, else the lowest of the accounts merged into
    /// it. This depends neither on insertion order nor on names, which may be forgotten.
    fn set_starting_ratings(&mut self, starts: Vec<(CompetitorId, StartingRating)>) {
        let mut borrowed = Vec::new();
        for (account, start) in starts {
            match self.counts_as.get(&account) {
                None => drop(self.starts.insert(account, start)),
                Some(_) => borrowed.push((account, start)),
            }
        }
        // Without a sigma the system's own is used; sort it first, so that the order is total.
        borrowed.sort_by(|(_, a), (_, b)| {
            let [a_sigma, b_sigma] = [a, b].map(|start| start.sigma.unwrap_or(f64::NEG_INFINITY));
            a.mu.total_cmp(&b.mu).then_with(|| a_sigma.total_cmp(&b_sigma))
        });
        for (account, start) in borrowed {
            self.starts.entry(self.resolve(account)).or_insert(start);
        }
    }

    /// Returns the competitor that the results of this one count for.
    #[must_use]
    pub fn resolve(&self, competitor: CompetitorId) -> CompetitorId {
        *self.counts_as.get(&competitor).unwrap_or(&competitor)
    }

    /// True if any competitor is merged.
    #[must_use]
    pub fn has_merges(&self) -> bool {
        !self.counts_as.is_empty()
    }

    /// Returns the competitor and those merged into it.
    pub fn accounts(&self, competitor: CompetitorId) -> impl Iterator<Item = CompetitorId> + '_ {
        let merged = self.accounts.get(&competitor).into_iter().flatten();
        std::iter::once(competitor).chain(merged.copied())
    }

    /// Returns the starting rating of a competitor.
    #[must_use]
    pub fn starting_rating(&self, competitor: CompetitorId) -> Option<StartingRating> {
        self.starts.get(&competitor).copied()
    }

    /// Calls `each` with the contests in which each account may be rated: those with a standing of
    /// its own, and those as a member if members are rated. May repeat a contest.
    ///
    /// # Errors
    /// Errors if the database cannot be read.
    pub fn for_each_contest_of(
        &self,
        store: &Store,
        accounts: impl IntoIterator<Item = CompetitorId> + Clone,
        mut each: impl FnMut(CompetitorId, ContestId),
    ) -> Result<(), Error> {
        store.for_each_contest_of(accounts.clone(), &mut each)?;
        match self.teams {
            TeamMode::Whole => Ok(()),
            TeamMode::Members => Ok(store.for_each_contest_of_member(accounts, each)?),
        }
    }

    /// Returns, for each contest, the inputs of its rating that are not part of the contest:
    /// entrants that are merged or have a starting rating.
    ///
    /// # Errors
    /// Errors if the database cannot be read.
    pub fn entrant_overrides(
        &self,
        store: &Store,
    ) -> Result<HashMap<ContestId, Vec<EntrantOverride>>, Error> {
        let starting = self.starts.keys().flat_map(|&root| self.accounts(root));
        let accounts: BTreeSet<_> = self.counts_as.keys().copied().chain(starting).collect();
        let mut overrides: HashMap<ContestId, Vec<EntrantOverride>> = HashMap::new();
        self.for_each_contest_of(store, accounts, |account, contest| {
            let entrants = overrides.entry(contest).or_default();
            entrants.push(self.entrant_override(account));
        })?;
        if self.teams == TeamMode::Members {
            for entrants in overrides.values_mut() {
                entrants.sort_by_key(|entrant| entrant.account);
                entrants.dedup_by_key(|entrant| entrant.account);
            }
        }
        Ok(overrides)
    }

    fn entrant_override(&self, account: CompetitorId) -> EntrantOverride {
        let counts_as = self.resolve(account);
        EntrantOverride {
            account,
            counts_as,
            start: self.starting_rating(counts_as),
        }
    }

    /// Returns the overrides as [`Identities::entrant_overrides`], of these contests only. Members of
    /// teams are not looked up.
    ///
    /// # Errors
    /// Errors if the database cannot be read.
    pub fn entrant_overrides_of(
        &self,
        store: &Store,
        contests: impl IntoIterator<Item = ContestId>,
    ) -> Result<HashMap<ContestId, Vec<EntrantOverride>>, Error> {
        let mut overrides = HashMap::new();
        store.for_each_standing(contests, |contest, standings| {
            let accounts = standings.iter().map(|standing| standing.competitor_id);
            let entrants: Vec<EntrantOverride> = accounts
                .map(|account| self.entrant_override(account))
                .filter(|entrant| entrant.account != entrant.counts_as || entrant.start.is_some())
                .collect();
            if !entrants.is_empty() {
                overrides.insert(contest, entrants);
            }
        })?;
        Ok(overrides)
    }
}

/// An entrant that is merged or has a starting rating; those of a contest are ordered by id.
#[derive(Clone, Copy, Debug)]
pub struct EntrantOverride {
    pub account: CompetitorId,
    pub counts_as: CompetitorId,
    pub start: Option<StartingRating>,
}
