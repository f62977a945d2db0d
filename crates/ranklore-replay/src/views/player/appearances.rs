//! The contests of a competitor: its own results, and those of its teams and of merged accounts.

use std::collections::{BTreeSet, HashMap};

use ranklore_contest::{ContestTime, EntrantOutcome};
use ranklore_store::{
    CompetitorId, CompetitorRow, ContestId, ContestRow, ResultRow, RunRow, Store,
};

use crate::error::Error;
use crate::runs::identities::Identities;
use crate::runs::teams::{TeamMode, load_rated_teams, rank};
use crate::views::coverage::had_ended;

/// Loads the results of accounts: their own, and those of their teams.
pub(super) fn load_appearances(
    store: &Store,
    accounts: &[CompetitorId],
) -> Result<(Vec<Appearance>, Vec<Appearance>), Error> {
    let alone = store.results_of_competitors(accounts.iter().copied())?;
    let alone = (alone.iter()).map(|of| Appearance::new(of, of.competitor_id, None));
    let in_teams = store.results_of_members(accounts.iter().copied())?;
    let in_teams =
        (in_teams.iter()).map(|(person, of)| Appearance::new(of, *person, Some(of.competitor_id)));
    Ok((alone.collect(), in_teams.collect()))
}

/// Returns the accounts that count as `root`, in the source of `found`.
pub(super) fn load_merged_accounts(
    store: &Store,
    found: &CompetitorRow,
    root: CompetitorId,
) -> Result<Vec<CompetitorRow>, Error> {
    let mut merged = store.merges(found.source_id)?;
    merged.retain(|&(_, counts_as)| counts_as == root);
    let mut accounts = store.competitors_by_id(merged.into_iter().map(|of| of.0))?;
    accounts.sort_by(|a, b| a.external_id.cmp(&b.external_id));
    Ok(accounts)
}

/// An account of the competitor in the standings of a contest.
#[derive(Clone, Copy)]
pub(super) struct Appearance {
    pub(super) contest: ContestId,
    pub(super) account: CompetitorId,
    /// The team, if the account is a member of one.
    pub(super) team: Option<CompetitorId>,
    pub(super) outcome: EntrantOutcome,
}

impl Appearance {
    fn new(of: &ResultRow, account: CompetitorId, team: Option<CompetitorId>) -> Self {
        Self {
            contest: of.contest_id,
            account,
            team,
            outcome: of.outcome,
        }
    }

    /// Returns the competitor of the row of the standings.
    fn row(&self) -> CompetitorId {
        self.team.unwrap_or(self.account)
    }

    fn rank(&self) -> (u32, CompetitorId) {
        (rank(self.outcome), self.account)
    }
}

/// Selects what counts for `root` in each contest. Of several accounts or teams the best counts, as
/// in a replay. An account that counted for itself in the run, because it was merged later, counts
/// only if there is no other.
pub(super) fn select_appearances(
    store: &Store,
    run: &RunRow,
    root: CompetitorId,
    appearances: Vec<Appearance>,
    identities: &Identities,
) -> Result<HashMap<ContestId, Appearance>, Error> {
    let mut all: HashMap<ContestId, Vec<(bool, Appearance)>> = HashMap::new();
    for appearance in appearances {
        let key = (appearance.contest, appearance.account);
        let for_itself = appearance.account != root
            && (store.ratings_at(run.run_id, [key])?.iter()).any(Option::is_some);
        (all.entry(appearance.contest).or_default()).push((for_itself, appearance));
    }
    let mut counting = HashMap::new();
    for (contest, mut of) in all {
        let least = of.iter().any(|(for_itself, _)| !for_itself);
        of.retain(|(for_itself, _)| !(least && *for_itself));
        let mut row = None;
        if of.len() > 1 && identities.teams == TeamMode::Members {
            let results = store.results_of_contest(contest)?;
            let ranks = (results.iter()).map(|of| (of.competitor_id, rank(of.outcome)));
            let crews = load_rated_teams(store, contest, ranks, |of| identities.resolve(of))?;
            let crew = crews.into_iter().find(|crew| crew.people.contains(&root));
            row = crew.map(|crew| crew.account);
        }
        let best = of
            .into_iter()
            .map(|(_, appearance)| appearance)
            .min_by_key(|of| (Some(of.row()) != row, of.rank()));
        counting.extend(best.map(|best| (contest, best)));
    }
    Ok(counting)
}

/// Loads the contests with these ids that had ended by `as_of`, in the order of replay.
pub(super) fn load_contests(
    store: &Store,
    ids: impl Iterator<Item = ContestId>,
    as_of: Option<ContestTime>,
) -> Result<Vec<ContestRow>, Error> {
    // In the order of the table, which reads each page once.
    let mut contests = store.contests_by_id(ids.collect::<BTreeSet<_>>())?;
    contests.retain(|contest| had_ended(contest.ends_at, as_of));
    contests.sort_unstable_by(ContestRow::replay_order);
    Ok(contests)
}
