//! The contests of a competitor: its own results, and those of its teams and of merged accounts.

use std::collections::{BTreeSet, HashMap};

use ranklore_contest::{ContestTime, EntrantOutcome};
use ranklore_store::{CompetitorId, ContestId, ContestRow, ResultRow, RunRow, Store};

use crate::coverage::had_ended;
use ranklore_replay::{Error, Identities, TeamMode, load_rated_teams, rank};

/// Loads the results of accounts: their own, and those of their teams.
pub(super) fn load_appearances(
    store: &Store,
    accounts: &[CompetitorId],
) -> Result<(Vec<Appearance>, Vec<Appearance>), Error> {
    let own_rows = store.results_of_competitors(accounts.iter().copied())?;
    let team_rows = store.results_of_members(accounts.iter().copied())?;
    Ok((
        own_rows
            .iter()
            .map(|row| Appearance::new(row, row.competitor_id, None))
            .collect(),
        team_rows
            .iter()
            .map(|(person, row)| Appearance::new(row, *person, Some(row.competitor_id)))
            .collect(),
    ))
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
    fn new(row: &ResultRow, account: CompetitorId, team: Option<CompetitorId>) -> Self {
        Self {
            contest: row.contest_id,
            account,
            team,
            outcome: row.outcome,
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
    // Each with true if the account counted for itself in the run: it was merged later.
    let mut by_contest: HashMap<ContestId, Vec<(bool, Appearance)>> = HashMap::new();
    for appearance in appearances {
        let key = (appearance.contest, appearance.account);
        let is_separate =
            appearance.account != root && store.ratings_at(run.run_id, [key])? != [None];
        let entries = by_contest.entry(appearance.contest).or_default();
        entries.push((is_separate, appearance));
    }
    let mut best_appearances = HashMap::new();
    for (contest, mut entries) in by_contest {
        if entries.iter().any(|(is_separate, _)| !is_separate) {
            entries.retain(|(is_separate, _)| !is_separate);
        }
        let mut rated_team = None;
        if entries.len() > 1 && identities.teams == TeamMode::Members {
            let rows = store.results_of_contest(contest)?.into_iter();
            let ranks = rows.map(|row| (row.competitor_id, rank(row.outcome)));
            let teams = load_rated_teams(store, contest, ranks, |id| identities.resolve(id))?;
            let team = teams.into_iter().find(|team| team.people.contains(&root));
            rated_team = team.map(|team| team.account);
        }
        let best_appearance = entries
            .into_iter()
            .map(|(_, appearance)| appearance)
            .min_by_key(|entry| (Some(entry.row()) != rated_team, entry.rank()));
        best_appearances.extend(best_appearance.map(|best_appearance| (contest, best_appearance)));
    }
    Ok(best_appearances)
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
