//! Comparison of displayed ratings with those that a site published.

use std::collections::HashMap;

use ranklore_rating::Display;
use ranklore_store::{CompetitorId, ContestId, OFFICIAL, RatableContest, Store};
use serde::Serialize;

use crate::predictions::states::CompetitorState;
use ranklore_replay::{Error, RunSelection};

/// The number of displayed ratings that equal those of the site, rounded to whole points.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Agreement {
    /// Ratings after a contest that both have.
    pub ratings: u64,
    /// Ratings that are equal.
    pub equal: u64,
}

impl Agreement {
    /// Returns the percentage of equal ratings; `None` without ratings.
    #[must_use]
    pub fn percent(&self) -> Option<f64> {
        (self.ratings > 0).then(|| 100.0 * self.equal as f64 / self.ratings as f64)
    }
}

/// The ratings that the site of a source published.
pub(crate) struct OfficialRatings {
    /// The ratings after each contest, ordered by competitor.
    contests: HashMap<ContestId, Vec<(CompetitorId, f64)>>,
}

impl OfficialRatings {
    /// # Errors
    /// [`Error::NoOfficialRatings`] if no site published ratings of the source; [`Error::Store`].
    pub(crate) fn load(
        store: &Store,
        selection: &RunSelection,
        contests: &[RatableContest],
    ) -> Result<Self, Error> {
        let all = RunSelection::from_sources(&selection.sources);
        let division = RunSelection {
            division: selection.division.clone(),
            ..all.clone()
        };
        // The official run covers all contests of the sources, or of one division.
        let mut run = None;
        for selection in [division, all] {
            if run.is_none() {
                run = store.find_matching_run(OFFICIAL, "{}", &selection.canonical_json())?;
            }
        }
        let run = run.filter(|run| run.results > 0);
        let run = run.ok_or_else(|| Error::NoOfficialRatings {
            sources: selection.format_sources(),
        })?;
        let mut published: HashMap<ContestId, Vec<_>> = HashMap::new();
        let ids = contests.iter().map(|contest| contest.contest_id);
        store.for_each_rating(run.run_id, ids, |id, rows| {
            let ratings = rows.iter().map(|row| (row.competitor_id, row.mu));
            let mut ratings: Vec<_> = ratings.collect();
            ratings.sort_unstable_by_key(|&(competitor, _)| competitor);
            published.insert(id, ratings);
        })?;
        Ok(Self {
            contests: published,
        })
    }

    /// Returns the rating of a competitor after a contest, if the site published one.
    pub(crate) fn rating_after(&self, contest: ContestId, competitor: CompetitorId) -> Option<f64> {
        let published = self.contests.get(&contest)?;
        let index = published.binary_search_by_key(&competitor, |&(id, _)| id).ok()?;
        Some(published[index].1)
    }

    /// Compares the ratings after a contest.
    pub(crate) fn compare(
        &self,
        contest: &RatableContest,
        display: Display,
        rated: &[(CompetitorId, CompetitorState)],
        agreement: &mut Agreement,
    ) {
        for (competitor, state) in rated {
            if let Some(official) = self.rating_after(contest.contest_id, *competitor) {
                let rating = display.rating(state.mu, state.sigma, state.contests, contest.ends_at);
                agreement.ratings += 1;
                agreement.equal += u64::from(rating.round().total_cmp(&official.round()).is_eq());
            }
        }
    }
}
