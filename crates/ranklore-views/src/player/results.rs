//! The results and ratings of a competitor in the contests of a run.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use ranklore_contest::{ContestTime, EntrantKind};
use ranklore_store::{CompetitorId, ContestId, ContestRow, RunRow, Store};

use crate::coverage::{Coverage, UnratedReason, contest_times, had_ended};
use crate::games::expected::{OwnRatings, set_expected_scores};
use crate::games::load::load_games;
use crate::games::record::PlayedGame;
use crate::history::{ContestSummary, PlayerContest, RatingStep, load_rating_steps};
use crate::player::accounts::PlayerAccounts;
use crate::player::appearances::{Appearance, load_contests, select_appearances};
use crate::rating_periods::RatingPeriods;
use ranklore_replay::{Error, Identities, TeamMode, is_current};

/// The results and ratings of a competitor by contest, in the run of a view.
pub(super) struct PlayerResults<'a> {
    store: &'a Store,
    run: &'a RunRow,
    pub(super) is_current: bool,
    identities: Identities,
    competitor: CompetitorId,
    pub(super) appearances: HashMap<ContestId, Appearance>,
    steps: HashMap<ContestId, RatingStep>,
    coverage: Coverage,
    /// The number of contests in teams that do not count, since the run rates whole teams.
    pub(super) team_contests: usize,
}

impl<'a> PlayerResults<'a> {
    /// Loads the contests that had ended by a time, in the order of replay, and the results in them;
    /// `appearances` are the own ones of all accounts, and those of their teams.
    pub(super) fn load(
        store: &'a Store,
        run: &'a RunRow,
        competitor: CompetitorId,
        as_of: Option<ContestTime>,
        (own_results, team_results): (Vec<Appearance>, Vec<Appearance>),
    ) -> Result<(Vec<ContestRow>, Self), Error> {
        let identities = Identities::load_for_view(store, run)?;
        let is_current = is_current(store, run)?;
        let (appearances, excluded) = match identities.teams {
            TeamMode::Whole => (own_results, team_results),
            TeamMode::Members => ([own_results, team_results].concat(), Vec::new()),
        };
        let excluded = load_contests(store, excluded.iter().map(|entry| entry.contest), as_of)?;
        let appearances = select_appearances(store, run, competitor, appearances, &identities)?;
        let mut ids: HashSet<ContestId> = appearances.keys().copied().collect();
        let contests = load_contests(store, ids.iter().copied(), as_of)?;
        let rated_ids: Vec<ContestId> = if is_current {
            contests.iter().map(|contest| contest.contest_id).collect()
        } else {
            // Accounts may have been split off since the run.
            let mut times = contest_times(store, run)?;
            times.retain(|&(_, ends_at)| had_ended(ends_at, as_of));
            times.into_iter().map(|(contest, _)| contest).collect()
        };
        let periods = RatingPeriods::load(store, run)?;
        let rated_ids = rated_ids.into_iter();
        let steps = load_rating_steps(store, run, rated_ids, competitor, &periods)?;
        let steps: HashMap<ContestId, RatingStep> = steps.into_iter().collect();
        if is_current {
            ids.retain(|contest| !steps.contains_key(contest));
        }
        let mut coverage = Coverage::load(store, run, is_current, &ids)?;
        if is_current {
            coverage.add_rated(steps.keys().copied());
        }
        let results = Self {
            store,
            run,
            is_current,
            identities,
            competitor,
            appearances,
            steps,
            coverage,
            team_contests: excluded.len(),
        };
        Ok((contests, results))
    }

    /// Describes a contest of the history; `None` if the competitor has no result in it.
    pub(super) fn describe_contest(
        &self,
        contest: ContestRow,
        accounts: &PlayerAccounts,
    ) -> Option<PlayerContest> {
        let appearance = self.appearances.get(&contest.contest_id)?;
        let rating = self.steps.get(&contest.contest_id).copied();
        let labels = &accounts.labels;
        let account = labels.get(&appearance.account);
        // The run rates the contest, but not this entrant.
        let entrant_reason = match self.identities.teams {
            _ if rating.is_some() => None,
            _ if !self.is_current => Some(UnratedReason::NotYet),
            TeamMode::Members if accounts.competitor.kind != EntrantKind::Person => {
                Some(UnratedReason::MembersRated)
            }
            _ => Some(UnratedReason::Excluded),
        };
        Some(PlayerContest {
            unrated: self.coverage.unrated_reason(&contest).or(entrant_reason),
            contest: ContestSummary::from(contest),
            account: Arc::clone(
                account.or_else(|| labels.get(&accounts.competitor.competitor_id))?,
            ),
            team: appearance.team.and_then(|team| labels.get(&team).cloned()),
            outcome: appearance.outcome,
            rating,
        })
    }

    /// Loads the games in the history, with their expected scores.
    pub(super) fn load_games(&self, history: &[PlayerContest]) -> Result<Vec<PlayedGame>, Error> {
        let Self { store, run, .. } = *self;
        let identities = &self.identities;
        let root = self.competitor;
        let contests = history.iter().filter(|entry| {
            entry.contest.entrants == 2
                && !entry.unrated.is_some_and(UnratedReason::is_for_all_runs)
        });
        let ids = contests.map(|entry| entry.contest.contest_id);
        let mut games = load_games(store, identities, ids, root, None)?;
        let steps = self.steps.iter();
        let ratings: OwnRatings = steps.map(|(&contest, step)| (contest, step.before)).collect();
        set_expected_scores(store, run, identities, &mut games, root, Some(&ratings))?;
        Ok(games)
    }
}
