//! Competitors between contests, as predictions see them.

use std::collections::HashSet;

use ranklore_rating::metrics::Prediction;
use ranklore_rating::{Belief, RatingSystem};
use serde::Serialize;

use ranklore_replay::{Identities, RatedEvents, Replay, ReplayContest, sum_ratings};

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
    /// Percentage of the results in rated contests without a finish.
    pub unfinished_percent: Option<f64>,
    /// Number of ratings after the last place of a contest, in which not all tied.
    pub last_places: u64,
    /// Number of those that are higher than the rating before the contest, by mu − k·sigma.
    pub last_place_gains: u64,
}

/// A competitor between two contests.
#[derive(Clone, Copy, Default)]
pub(crate) struct CompetitorState {
    pub(crate) mu: f64,
    pub(crate) sigma: f64,
    /// Number of rated contests.
    pub(crate) contests: u32,
    /// Number of earlier contests, rated or not.
    experience: u32,
    /// True for a competitor without a starting rating of its own, until its first rating.
    starts_as_newcomer: bool,
    /// Number of entrants above in the last contest; of teams, of teams above.
    last_place: u32,
}

/// Returns the states of the competitors of a replay before their first contest.
pub(crate) fn initial_states(
    rating: &dyn RatingSystem,
    replay: &Replay<'_>,
    identities: &Identities,
) -> States {
    let indices = (0..).take(replay.competitors.len());
    let mut states = States {
        advantage: rating.advantage(),
        inflation: rating.newcomer_mu(1) - rating.newcomer_mu(0),
        ..States::new(indices.map(|index| rating.belief(index)))
    };
    for (state, &competitor) in states.list.iter_mut().zip(&replay.competitors) {
        state.starts_as_newcomer = identities.starting_rating(competitor).is_none();
    }
    states
}

/// All competitors of a replay.
pub(crate) struct States {
    list: Vec<CompetitorState>,
    /// Rating points that are added to a side with the first move or at home.
    advantage: f64,
    /// Rating points by which newcomers start higher after each rated event.
    inflation: f64,
    events: RatedEvents,
    /// True if competitors can be predicted before their first rating.
    has_initial_ratings: bool,
    /// The rating period of the last contest; `None` if each contest is one.
    period: Option<i64>,
    /// Ratings after contests of this period, which predict only from the next one on: competitor,
    /// mu, sigma.
    ratings_of_period: Vec<(u32, f64, f64)>,
    /// The lowest and the highest rating after any contest; infinite without ratings.
    mu_range: (f64, f64),
    results: u64,
    unfinished_results: u64,
    last_places: u64,
    last_place_gains: u64,
}

impl States {
    /// Creates the states of competitors with these initial ratings.
    pub(crate) fn new(initial: impl Iterator<Item = Belief>) -> Self {
        let states = initial.map(|belief| CompetitorState {
            mu: belief.mu,
            sigma: belief.variance.sqrt(),
            ..CompetitorState::default()
        });
        Self {
            list: states.collect(),
            advantage: 0.0,
            inflation: 0.0,
            events: RatedEvents::default(),
            has_initial_ratings: true,
            period: None,
            ratings_of_period: Vec::new(),
            mu_range: (f64::INFINITY, f64::NEG_INFINITY),
            results: 0,
            unfinished_results: 0,
            last_places: 0,
            last_place_gains: 0,
        }
    }

    /// Creates the states of competitors that are predicted from their first rating on.
    pub(crate) fn without_initial_ratings(competitors: usize) -> Self {
        Self {
            has_initial_ratings: false,
            ..Self::new((0..competitors).map(|_| Belief::default()))
        }
    }

    /// Begins a contest of a rating period, which is predicted by the ratings before the period;
    /// without a number the contest is a period of its own.
    pub(crate) fn begin_contest(&mut self, period: Option<i64>) {
        if period.is_none() || period != self.period {
            for (competitor, mu, sigma) in self.ratings_of_period.drain(..) {
                let state = &mut self.list[competitor as usize];
                state.mu = mu;
                state.sigma = sigma;
                state.starts_as_newcomer = false;
            }
            self.period = period;
        }
    }

    /// Returns the rating of a competitor before a contest; newcomers start higher with every event
    /// in some systems.
    pub(crate) fn mu_before(&self, competitor: u32, contest: &ReplayContest<'_>) -> f64 {
        let state = &self.list[competitor as usize];
        if state.starts_as_newcomer {
            state.mu + self.inflation * f64::from(self.event_number(contest))
        } else {
            state.mu
        }
    }

    /// Returns mu and sigma of a competitor before a contest, also after others of its rating period.
    fn last_rating(&self, competitor: u32, contest: &ReplayContest<'_>) -> (f64, f64) {
        let mut ratings = self.ratings_of_period.iter().rev();
        if let Some(&(_, mu, sigma)) = ratings.find(|rating| rating.0 == competitor) {
            return (mu, sigma);
        }
        let sigma = self.list[competitor as usize].sigma;
        (self.mu_before(competitor, contest), sigma)
    }

    /// Returns the number of rated events before that of a contest.
    pub(crate) fn event_number(&self, contest: &ReplayContest<'_>) -> u32 {
        self.events.number(contest.row.event)
    }

    /// Returns the number of rated events, if newcomers start higher with each.
    pub(crate) fn events(&self) -> u32 {
        self.events.count()
    }

    /// Predicts a contest by mu − k·sigma, and the advantage of a side.
    pub(crate) fn predict_by_rating(&self, contest: &ReplayContest<'_>, k: f64) -> Prediction {
        let mut prediction = self.predict(contest, |members| {
            let beliefs = members.iter().map(|&member| {
                let sigma = self.list[member as usize].sigma;
                Belief::new(self.mu_before(member, contest) - k * sigma, sigma)
            });
            Belief::from_members(beliefs)
        });
        // The advantage of a side counts only in games of two.
        if let (Some(index), [_, _]) = (contest.advantaged, &*prediction.beliefs) {
            prediction.beliefs[index as usize].mu += self.advantage;
        }
        prediction
    }

    /// Predicts a contest by the places in the previous contests.
    pub(crate) fn predict_by_previous_place(&self, contest: &ReplayContest<'_>) -> Prediction {
        self.predict(contest, |members| {
            let places =
                members.iter().map(|&member| f64::from(self.list[member as usize].last_place));
            // The lower the place, the better.
            Belief::new(-sum_ratings(places) / members.len() as f64, 0.0)
        })
    }

    fn predict(
        &self,
        contest: &ReplayContest<'_>,
        belief: impl Fn(&[u32]) -> Belief,
    ) -> Prediction {
        let teams = contest.team_ranges().map(|team| {
            let members = &contest.entrants[team];
            let contests = members.iter().map(|&member| {
                let state = &self.list[member as usize];
                if self.has_initial_ratings {
                    state.experience
                } else {
                    state.contests
                }
            });
            // A team is as experienced as its newest member.
            (belief(members), contests.min().unwrap_or(0))
        });
        let (beliefs, earlier) = teams.unzip();
        let first_members = contest.team_ranges().map(|team| contest.entrants[team.start]);
        let round = contest.round();
        Prediction {
            beliefs,
            competitors: first_members.collect(),
            earlier,
            groups: contest.groups.to_vec(),
            finishers: round.finishers,
            event: round.event,
            ..Prediction::default()
        }
    }

    /// Counts the ratings after the last place of the contest that began, and those that are higher by
    /// mu − k·sigma than before. `rated` are competitors with mu and sigma after it.
    pub(crate) fn count_last_places(
        &mut self,
        contest: &ReplayContest<'_>,
        rated: &[(u32, f64, f64)],
        k: f64,
    ) {
        let &[.., start, _] = contest.groups else {
            return;
        };
        let teams = contest.team_ranges().skip(start as usize);
        let last: HashSet<u32> = teams.flat_map(|team| &contest.entrants[team]).copied().collect();
        for &(competitor, mu, sigma) in rated {
            let state = &self.list[competitor as usize];
            let has_rating = self.has_initial_ratings || state.contests > 0;
            if has_rating && last.contains(&competitor) {
                let (mu_before, sigma_before) = self.last_rating(competitor, contest);
                let earlier = mu_before - k * sigma_before;
                self.last_places += 1;
                self.last_place_gains += u64::from(mu - k * sigma > earlier);
            }
        }
    }

    /// Adds the rating of a competitor after a contest, and returns its state with it.
    pub(crate) fn add_rating(&mut self, competitor: u32, mu: f64, sigma: f64) -> CompetitorState {
        self.ratings_of_period.push((competitor, mu, sigma));
        let (lowest, highest) = self.mu_range;
        self.mu_range = (lowest.min(mu), highest.max(mu));
        let state = &mut self.list[competitor as usize];
        state.contests += 1;
        CompetitorState {
            mu,
            sigma,
            ..*state
        }
    }

    /// Ends a contest, which the system rated or left out: sets the places of its entrants, and
    /// counts it as experience.
    pub(crate) fn end_contest(&mut self, contest: &ReplayContest<'_>, is_rated: bool) {
        if is_rated && self.inflation != 0.0 {
            self.events.add(contest.row.event);
        }
        let mut teams = contest.team_ranges();
        let results = contest.groups.last().copied().unwrap_or(0);
        self.results += u64::from(results);
        self.unfinished_results += u64::from(results - contest.round().finishers);
        let mut start = 0;
        for &end in contest.groups {
            for team in teams.by_ref().take((end - start) as usize) {
                for &member in &contest.entrants[team] {
                    let state = &mut self.list[member as usize];
                    state.last_place = start;
                    state.experience += 1;
                }
            }
            start = end;
        }
    }

    /// Returns the plausibility of the ratings after the last contest. `k` is that of the
    /// conservative rating.
    pub(crate) fn plausibility(mut self, k: f64) -> Plausibility {
        self.begin_contest(None);
        let rated = self.list.iter().filter(|state| state.contests > 0);
        let mut ranked: Vec<&CompetitorState> = rated.collect();
        ranked.sort_by(|a, b| {
            let [a, b] = [a, b].map(|state| state.mu - k * state.sigma);
            b.total_cmp(&a)
        });
        let top = ranked.iter().take(100);
        let (lowest, highest) = self.mu_range;
        Plausibility {
            lowest_mu: lowest.is_finite().then_some(lowest),
            highest_mu: highest.is_finite().then_some(highest),
            one_contest_in_top_100: top.filter(|state| state.contests == 1).count() as u64,
            unfinished_percent: (self.results > 0)
                .then(|| 100.0 * self.unfinished_results as f64 / self.results as f64),
            last_places: self.last_places,
            last_place_gains: self.last_place_gains,
        }
    }
}
