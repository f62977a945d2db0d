//! Random histories with all features of contests and competitors, at extreme values too.

use ranklore_rating::{InitialRating, RatingSystem, Support};

use crate::configs::SystemConfig;
use crate::history::OwnedRound;
use crate::random::Random;

/// Some competitors, and the contests between them.
#[derive(Clone, Debug)]
pub(crate) struct RandomHistory {
    /// Initial ratings of some competitors.
    pub(crate) starts: Vec<Option<InitialRating>>,
    pub(crate) contests: Vec<OwnedRound>,
}

/// Creates a system with the initial ratings of a history.
pub(crate) fn started(form: &SystemConfig, story: &RandomHistory) -> Box<dyn RatingSystem> {
    let mut system = form.build();
    for (competitor, start) in (0..).zip(&story.starts) {
        if let Some(start) = *start {
            system.set_initial_rating(competitor, start);
        }
    }
    system
}

/// Range of initial ratings.
#[derive(Clone, Copy, Debug)]
pub(crate) enum RatingRange {
    /// Ratings of real competitors.
    Ordinary,
    /// Ratings of ±1e5 and between, uncertainties of 1e-3 to 1e4.
    Extreme,
}

impl RandomHistory {
    /// Draws `contests` of up to `pool` competitors each.
    pub(crate) fn random(
        form: &SystemConfig,
        random: &mut Random,
        starts: RatingRange,
        contests: usize,
        pool: usize,
    ) -> Self {
        let starts = (0..pool).map(|_| random_start(random, starts)).collect();
        let mut now = 1_600_000_000;
        let mut draw = |index: usize| {
            now += [0, 1, 86_400, 2_000_000, 3_000_000_000][random.below(5)];
            random_contest(form, random, now, index as u32 / 2, pool)
        };
        Self {
            starts,
            contests: (0..contests).map(&mut draw).collect(),
        }
    }

    /// Returns the number of a competitor in [`mirrored`](Self::mirrored).
    pub(crate) fn other_name(&self, competitor: u32) -> u32 {
        self.starts.len() as u32 - 1 - competitor
    }

    /// Returns the same history with other names, and with equals listed in reverse order.
    pub(crate) fn mirrored(&self) -> Self {
        let mut other = self.clone();
        other.starts.reverse();
        for contest in &mut other.contests {
            reverse_ties(contest);
            for competitor in &mut contest.entrants {
                *competitor = self.other_name(*competitor);
            }
        }
        other
    }
}

/// Reverses the teams of a tie, and the members of a team.
fn reverse_ties(contest: &mut OwnedRound) {
    let ends = contest.teams.clone();
    let ends = ends.unwrap_or_else(|| (1..=contest.entrants.len() as u32).collect());
    let mut begin = 0;
    let mut teams: Vec<Vec<u32>> = Vec::new();
    for &end in &ends {
        let members = &contest.entrants[begin..end as usize];
        teams.push(members.iter().rev().copied().collect());
        begin = end as usize;
    }
    let mut begin = 0;
    for &end in &contest.groups {
        teams[begin..end as usize].reverse();
        begin = end as usize;
    }
    if let Some(ends) = &mut contest.teams {
        let mut sum = 0;
        for (end, team) in ends.iter_mut().zip(&teams) {
            sum += team.len() as u32;
            *end = sum;
        }
    }
    contest.entrants = teams.concat();
}

pub(crate) fn random_start(random: &mut Random, starts: RatingRange) -> Option<InitialRating> {
    if random.below(5) == 0 {
        return None;
    }
    let (mu, sigma) = match starts {
        RatingRange::Ordinary => (random.between(800.0, 2600.0), random.between(40.0, 350.0)),
        RatingRange::Extreme => (
            [
                -1e5,
                1e5,
                0.0,
                -0.0,
                1500.0,
                1_499.999,
                random.between(-1e5, 1e5),
            ][random.below(7)],
            [1e-3, 1e4, 350.0, 1.0][random.below(4)],
        ),
    };
    Some(InitialRating {
        mu,
        sigma: (random.below(5) != 0).then_some(sigma),
    })
}

/// Some of `pool` competitors: in teams if supported, some tied, some unfinished, of any weight,
/// under a ceiling.
fn random_contest(
    form: &SystemConfig,
    random: &mut Random,
    ends_at: i64,
    event: u32,
    pool: usize,
) -> OwnedRound {
    let mut entrants: Vec<u32> = (0..pool as u32).collect();
    let size = if random.below(3) == 0 {
        2
    } else {
        1 + random.below(pool)
    };
    let most = form.about.max_entrants.map_or(pool, |max| max as usize);
    let count = size.min(pool).min(most);
    for first in 0..count {
        entrants.swap(first, first + random.below(pool - first));
    }
    entrants.truncate(count);
    let teams: Option<Vec<u32>> = (form.about.supports(Support::Teams) && random.below(2) == 0)
        .then(|| {
            let ends = (1..count as u32).filter(|_| random.below(2) == 0);
            ends.chain([count as u32]).collect()
        });
    let all = teams.as_ref().map_or(count, Vec::len) as u32;
    let finishers = if random.below(2) == 0 {
        random.below(all as usize + 1) as u32
    } else {
        all
    };
    // All tied, most, some or none.
    let apart = [0, 1, 4, 5][random.below(4)];
    let mut groups: Vec<u32> = (1..finishers).filter(|_| random.below(5) < apart).collect();
    if finishers > 0 {
        groups.push(finishers);
    }
    if finishers < all {
        groups.push(all);
    }
    OwnedRound {
        ends_at,
        weight: random_weight(random),
        ceiling: [f64::INFINITY, f64::INFINITY, 1700.0, -0.0, -1e5, 1e5][random.below(6)],
        event,
        entrants,
        groups,
        finishers: Some(finishers),
        teams,
    }
}

/// A thousandth to a thousand times the ordinary weight.
pub(crate) fn random_weight(random: &mut Random) -> f64 {
    let (below, above) = (random.between(1e-3, 1.0), random.between(1.0, 1e3));
    [1e-3, 1e-2, below, 1.0, above, 1e2, 1e3][random.below(7)]
}
