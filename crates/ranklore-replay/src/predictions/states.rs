//! Competitors between contests, as predictions see them.

use std::ops::Range;

use ranklore_rating::Belief;
use ranklore_rating::metrics::Prediction;
use serde::Serialize;

use crate::runs::lineup::ReplayContest;
use crate::runs::teams::sum_ratings;

/// Figures that expose ratings that cannot be right, however well they predict.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Plausibility {
    /// The lowest rating of a competitor after any contest; `None` without ratings.
    pub lowest_mu: Option<f64>,
    /// The highest.
    pub highest_mu: Option<f64>,
    /// Number of competitors with a single contest among the first 100 by conservative rating
    /// after the last contest.
    pub one_contest_in_top_100: u64,
}

/// A competitor between two contests.
#[derive(Clone, Copy, Default)]
pub(crate) struct CompetitorState {
    pub(crate) mu: f64,
    pub(crate) sigma: f64,
    /// Number of rated contests.
    pub(crate) contests: u32,
    /// Number of entrants above in the last contest; of teams, of teams above.
    last_place: u32,
}

/// All competitors of a replay.
pub(crate) struct States {
    list: Vec<CompetitorState>,
    /// The lowest and the highest rating after any contest; infinite without ratings.
    mu_range: (f64, f64),
}

impl States {
    pub(crate) fn new(competitors: usize) -> Self {
        Self {
            // Competitors are predicted from their second contest on, so initial ratings do not
            // matter.
            list: vec![CompetitorState::default(); competitors],
            mu_range: (f64::INFINITY, f64::NEG_INFINITY),
        }
    }

    /// Predicts a contest by mu − k·sigma.
    pub(crate) fn predict_by_rating(&self, contest: &ReplayContest<'_>, k: f64) -> Prediction {
        self.predict(contest, |members| {
            let beliefs = members.iter().map(|&member| {
                let CompetitorState { mu, sigma, .. } = self.list[member as usize];
                Belief::new(mu - k * sigma, sigma)
            });
            Belief::from_members(beliefs)
        })
    }

    /// Predicts a contest by the places in the previous contests.
    pub(crate) fn predict_by_previous_place(&self, contest: &ReplayContest<'_>) -> Prediction {
        self.predict(contest, |members| {
            let places = members
                .iter()
                .map(|&of| f64::from(self.list[of as usize].last_place));
            // The lower the place, the better.
            Belief::new(-sum_ratings(places) / members.len() as f64, 0.0)
        })
    }

    fn predict(
        &self,
        contest: &ReplayContest<'_>,
        belief: impl Fn(&[u32]) -> Belief,
    ) -> Prediction {
        let members = |crew: Range<usize>| &contest.entrants[crew];
        let earlier = |crew: Range<usize>| {
            let contests = members(crew)
                .iter()
                .map(|&of| self.list[of as usize].contests);
            contests.min().unwrap_or(0)
        };
        let round = contest.round();
        Prediction {
            beliefs: contest
                .team_ranges()
                .map(|crew| belief(members(crew)))
                .collect(),
            earlier: contest.team_ranges().map(earlier).collect(),
            groups: contest.groups.to_vec(),
            finishers: round.finishers,
            event: round.event,
            ..Prediction::default()
        }
    }

    /// Sets the rating of a competitor after a contest, and returns its state.
    pub(crate) fn set_rating(&mut self, competitor: u32, mu: f64, sigma: f64) -> &CompetitorState {
        let state = &mut self.list[competitor as usize];
        (state.mu, state.sigma) = (mu, sigma);
        state.contests += 1;
        let (lowest, highest) = self.mu_range;
        self.mu_range = (lowest.min(mu), highest.max(mu));
        state
    }

    /// Counts a contest for its entrants without rating them.
    pub(crate) fn count_contest(&mut self, contest: &ReplayContest<'_>) {
        for &entrant in contest.entrants {
            self.list[entrant as usize].contests += 1;
        }
    }

    /// Sets the places in a contest.
    pub(crate) fn set_places(&mut self, contest: &ReplayContest<'_>) {
        let mut crews = contest.team_ranges();
        let mut start = 0;
        for &end in contest.groups {
            for crew in crews.by_ref().take((end - start) as usize) {
                for &member in &contest.entrants[crew] {
                    self.list[member as usize].last_place = start;
                }
            }
            start = end;
        }
    }

    /// `k` is that of the conservative rating.
    pub(crate) fn plausibility(&self, k: f64) -> Plausibility {
        let conservative = |state: &CompetitorState| state.mu - k * state.sigma;
        let rated = self.list.iter().filter(|state| state.contests > 0);
        let mut ranked: Vec<&CompetitorState> = rated.collect();
        ranked.sort_by(|a, b| conservative(b).total_cmp(&conservative(a)));
        let top = ranked.iter().take(100);
        let (lowest, highest) = self.mu_range;
        Plausibility {
            lowest_mu: lowest.is_finite().then_some(lowest),
            highest_mu: highest.is_finite().then_some(highest),
            one_contest_in_top_100: top.filter(|state| state.contests == 1).count() as u64,
        }
    }
}
