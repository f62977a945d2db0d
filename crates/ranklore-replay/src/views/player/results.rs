//! The results and ratings of a competitor in the contests of a run.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use ranklore_contest::{ContestTime, EntrantKind};
use ranklore_rating::Belief;
use ranklore_store::{CompetitorId, ContestId, ContestRow, RunRow, Store};

use crate::error::Error;
use crate::runs::fingerprint::is_current;
use crate::runs::identities::Identities;
use crate::runs::teams::TeamMode;
use crate::views::coverage::{Coverage, UnratedReason, contest_times, had_ended};
use crate::views::games::expected::{OwnRatings, set_expected_scores};
use crate::views::games::load::load_games;
use crate::views::games::record::PlayedGame;
use crate::views::history::{ContestSummary, PlayerContest, RatingStep, load_rating_steps};
use crate::views::player::accounts::PlayerAccounts;
use crate::views::player::appearances::{Appearance, load_contests, select_appearances};

/// A competitor in the run of a view.
pub(super) struct RatedPlayer<'a> {
    store: &'a Store,
    run: &'a RunRow,
    pub(super) is_current: bool,
    identities: Identities,
    competitor: CompetitorId,
    /// The time up to which contests count; by default all count.
    as_of: Option<ContestTime>,
}

/// The results and ratings of a competitor by contest.
pub(super) struct PlayerResults {
    pub(super) appearances: HashMap<ContestId, Appearance>,
    steps: HashMap<ContestId, RatingStep>,
    /// The ratings before all contests that the run rates.
    pub(super) ratings_before: OwnRatings,
    coverage: Coverage,
    /// The number of contests in teams that do not count, since the run rates whole teams.
    pub(super) team_contests: usize,
}

impl<'a> RatedPlayer<'a> {
    pub(super) fn load(
        store: &'a Store,
        run: &'a RunRow,
        competitor: CompetitorId,
        as_of: Option<ContestTime>,
    ) -> Result<Self, Error> {
        Ok(Self {
            identities: Identities::load_for_view(store, run)?,
            is_current: is_current(store, run)?,
            store,
            run,
            competitor,
            as_of,
        })
    }

    /// Loads the contests of the competitor in the order of replay, and its results and ratings in
    /// them.
    pub(super) fn load_results(
        &self,
        own_results: Vec<Appearance>,
        team_results: Vec<Appearance>,
    ) -> Result<(Vec<ContestRow>, PlayerResults), Error> {
        let Self { store, run, .. } = *self;
        let root = self.competitor;
        let (appearances, team_appearances) = match self.identities.teams {
            TeamMode::Whole => (own_results, team_results),
            TeamMode::Members => ([own_results, team_results].concat(), Vec::new()),
        };
        let team_contests = team_appearances.iter().map(|entry| entry.contest);
        let team_contests = load_contests(store, team_contests, self.as_of)?;
        let appearances = select_appearances(store, run, root, appearances, &self.identities)?;
        let contests = load_contests(store, appearances.keys().copied(), self.as_of)?;
        let rated_ids = self.find_rated_contests(&contests)?;
        let steps = load_rating_steps(store, run, rated_ids.into_iter(), root)?;
        let ratings_before = find_ratings_before(&steps);
        let steps: HashMap<ContestId, RatingStep> = steps.into_iter().collect();
        let mut ids: HashSet<ContestId> = appearances.keys().copied().collect();
        if self.is_current {
            ids.retain(|contest| !steps.contains_key(contest));
        }
        let mut coverage = Coverage::load(store, run, self.is_current, &ids)?;
        if self.is_current {
            coverage.add_rated(steps.keys().copied());
        }
        let results = PlayerResults {
            appearances,
            steps,
            ratings_before,
            coverage,
            team_contests: team_contests.len(),
        };
        Ok((contests, results))
    }

    /// Returns the contests in which the run can have rated the competitor, in the order of the run;
    /// `contests` are those of its accounts.
    fn find_rated_contests(&self, contests: &[ContestRow]) -> Result<Vec<ContestId>, Error> {
        if self.is_current {
            return Ok(contests.iter().map(|contest| contest.contest_id).collect());
        }
        // Accounts may have been split off since the run.
        let mut times = contest_times(self.store, self.run)?;
        times.retain(|&(_, ends_at)| had_ended(ends_at, self.as_of));
        Ok(times.into_iter().map(|(contest, _)| contest).collect())
    }

    /// Describes a contest of the history; `None` if the competitor has no result in it.
    pub(super) fn describe_contest(
        &self,
        contest: ContestRow,
        results: &PlayerResults,
        accounts: &PlayerAccounts,
    ) -> Option<PlayerContest> {
        let appearance = results.appearances.get(&contest.contest_id)?;
        let rating = results.steps.get(&contest.contest_id).copied();
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
            unrated: results.coverage.unrated_reason(&contest).or(entrant_reason),
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
    pub(super) fn load_games(
        &self,
        history: &[PlayerContest],
        ratings_before: &OwnRatings,
    ) -> Result<Vec<PlayedGame>, Error> {
        let Self { store, run, .. } = *self;
        let identities = &self.identities;
        let root = self.competitor;
        let contests = history.iter().filter(|entry| {
            entry.contest.entrants == 2
                && !entry.unrated.is_some_and(UnratedReason::is_for_all_runs)
        });
        let ids = contests.map(|entry| entry.contest.contest_id);
        let mut games = load_games(store, identities, ids, root, None)?;
        let ratings = Some(ratings_before);
        set_expected_scores(store, run, identities, &mut games, root, ratings)?;
        Ok(games)
    }
}

/// Returns the rating before each of these contests, which are in the order of the run.
fn find_ratings_before(steps: &[(ContestId, RatingStep)]) -> OwnRatings {
    let mut last = None;
    let before = steps.iter().map(|(contest, step)| {
        let after = Belief::new(step.mu, step.sigma);
        (*contest, last.replace(after))
    });
    before.collect()
}
