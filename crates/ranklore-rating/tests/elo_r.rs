//! Elo-R against a direct implementation of its algorithm 1, and the properties stated in the
//! draft.

use std::collections::BTreeMap;

use crate::fingerprint::fingerprint;
use crate::history::{MIXED, OwnedRound, history, replay_bits};
use crate::random::Random;
use ranklore_rating::{EloR, EloRParameters, InitialRating, RatedEntrant, RatingSystem};

fn system() -> Box<dyn RatingSystem> {
    limited_system(None)
}

fn limited_system(history_limit: Option<usize>) -> Box<dyn RatingSystem> {
    let parameters = EloRParameters {
        history_limit,
        ..EloRParameters::default()
    };
    Box::new(EloR::new(parameters).unwrap())
}

/// The zero of a decreasing function, by bisection.
fn bisect(q: impl Fn(f64) -> f64) -> f64 {
    let mut low = -2e4;
    let mut high = 2e4;
    for _ in 0..90 {
        let middle = 0.5 * (low + high);
        if q(middle) > 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
    0.5 * (low + high)
}

const DELTA: f64 = 250.0;

/// A player in algorithm 1: all densities as (μ, τ), the normal one first.
#[derive(Clone)]
struct ReferencePlayer {
    densities: Vec<(f64, f64)>,
    rating: f64,
    sigma: f64,
}

impl ReferencePlayer {
    fn newcomer() -> Self {
        Self {
            densities: vec![(1500.0, 350.0)],
            rating: 1500.0,
            sigma: 350.0,
        }
    }

    fn set_sigma(&mut self) {
        let information = self.densities.iter().map(|(_, tau)| 1.0 / tau.powi(2));
        self.sigma = 1.0 / information.sum::<f64>().sqrt();
    }

    fn add_noise(&mut self) {
        let eta_squared = 1.0 / (1.0 / 100.0_f64.powi(2) - 1.0 / DELTA.powi(2)) - 100.0_f64.powi(2);
        let factor = 1.0 + eta_squared / self.sigma.powi(2);
        for (_, tau) in &mut self.densities {
            *tau *= factor.sqrt();
        }
        self.set_sigma();
    }

    fn update(&mut self, performance: f64) {
        self.densities.push((performance, DELTA));
        self.rating = bisect(|s| {
            let (centre, tau) = self.densities[0];
            let pulls = self.densities[1..].iter().map(|(mu, tau)| ((mu - s) / tau).tanh() / tau);
            (centre - s) / tau.powi(2) + pulls.sum::<f64>()
        });
        self.set_sigma();
    }

    /// Merges all but the last `limit` performances into the normal density: it takes their
    /// information 1/τ², and their pull at the rating.
    fn merge_beyond(&mut self, limit: usize) {
        while self.densities.len() > limit + 1 {
            let (centre, tau) = self.densities[0];
            let (performance, width) = self.densities.remove(1);
            let information = tau.powi(-2) + width.powi(-2);
            let pull = (centre - self.rating) / tau.powi(2)
                + ((performance - self.rating) / width).tanh() / width;
            self.densities[0] = (self.rating + pull / information, information.powf(-0.5));
        }
    }
}

/// Algorithm 1 for all entrants of a contest; ties are half a win and half a loss.
fn reference_rate(
    players: &mut BTreeMap<u32, ReferencePlayer>,
    contest: &OwnedRound,
    history_limit: Option<usize>,
) -> Vec<(f64, f64, f64)> {
    let mut entrants: Vec<ReferencePlayer> = contest
        .entrants
        .iter()
        .map(|competitor| {
            players.get(competitor).cloned().unwrap_or_else(ReferencePlayer::newcomer)
        })
        .collect();
    for entrant in &mut entrants {
        entrant.add_noise();
    }
    let group_of = |place: usize| contest.groups.partition_point(|&end| end as usize <= place);
    let terms: Vec<(f64, f64, usize)> = entrants
        .iter()
        .enumerate()
        .map(|(place, entrant)| (entrant.rating, entrant.sigma.hypot(DELTA), group_of(place)))
        .collect();
    let performance = |place: usize| {
        bisect(|p| {
            let mut sum = 0.0;
            for (other, &(rating, tau, group)) in terms.iter().enumerate() {
                let tanh = ((p - rating) / tau).tanh();
                let (win, loss) = (tanh - 1.0, tanh + 1.0);
                sum += match group.cmp(&group_of(place)) {
                    _ if other == place => win + loss,
                    std::cmp::Ordering::Less => loss,
                    std::cmp::Ordering::Equal => 0.5 * (win + loss),
                    std::cmp::Ordering::Greater => win,
                } / tau;
            }
            -sum
        })
    };
    let performances: Vec<f64> = (0..entrants.len()).map(performance).collect();
    let mut rows = Vec::new();
    for ((&competitor, mut entrant), performance) in
        contest.entrants.iter().zip(entrants).zip(performances)
    {
        let performance = performance.min(contest.ceiling);
        entrant.update(performance);
        if let Some(limit) = history_limit {
            entrant.merge_beyond(limit);
        }
        rows.push((entrant.rating, entrant.sigma, performance));
        players.insert(competitor, entrant);
    }
    rows
}

fn worst_difference(
    history_limit: Option<usize>,
    sizes: impl Iterator<Item = usize>,
    pool: usize,
) -> f64 {
    let mut random = Random::new(1);
    let mut system = limited_system(history_limit);
    let mut players = BTreeMap::new();
    let mut worst: f64 = 0.0;
    for (size, index) in sizes.zip(0..) {
        let contest = OwnedRound::random(&mut random, index, size, pool);
        let rated = contest.rate(system.as_mut());
        for (actual, (mu, sigma, performance)) in
            rated.iter().zip(reference_rate(&mut players, &contest, history_limit))
        {
            worst = worst.max((actual.mu - mu).abs());
            worst = worst.max((actual.sigma - sigma).abs());
            worst = worst.max((actual.performance.unwrap() - performance).abs());
        }
    }
    worst
}

#[test]
fn small_contests_match_algorithm_1() {
    // Careers of 190 contests, long enough for densities to be merged.
    let worst = worst_difference(None, std::iter::repeat_n(6, 190), 6);
    assert!(worst < 1e-8, "{worst:e}");
}

#[test]
fn limited_histories_match_algorithm_1() {
    for limit in [0, 1, 5, 8, 13, 60] {
        let worst = worst_difference(Some(limit), std::iter::repeat_n(6, 120), 6);
        assert!(worst < 1e-8, "{limit} kept: {worst:e}");
    }
    // A limit that no career reaches changes no bit.
    let contests = history(13, &MIXED);
    let ample = || limited_system(Some(contests.len()));
    assert_eq!(replay_bits(&ample, &contests), replay_bits(&system, &contests));
}

#[test]
fn large_contests_match_algorithm_1() {
    let worst = worst_difference(None, [40, 300, 500, 60, 500].into_iter(), 700);
    assert!(worst < 1e-8, "{worst:e}");
}

/// A better place is a higher performance; within a tie of equally uncertain entrants the higher
/// rated performs higher.
#[test]
fn performances_follow_places() {
    let mut random = Random::new(4);
    let mut system = system();
    for index in 0..12 {
        let contest = OwnedRound::random(&mut random, index, 200, 300);
        let contest = OwnedRound {
            ceiling: f64::INFINITY,
            ..contest
        };
        let rows = contest.rate(system.as_mut());
        let mut worst_so_far = f64::INFINITY;
        let mut start = 0;
        for &end in &contest.groups {
            let group = rows[start..end as usize].iter().map(|row| row.performance.unwrap());
            let best = group.clone().fold(f64::NEG_INFINITY, f64::max);
            assert!(best < worst_so_far);
            worst_so_far = group.fold(f64::INFINITY, f64::min);
            start = end as usize;
        }
    }
    let mut system = self::system();
    for (competitor, mu) in [(0, 1400.0), (1, 1900.0), (2, 1600.0), (3, 1500.0)] {
        system.set_initial_rating(
            competitor,
            InitialRating {
                mu,
                sigma: Some(120.0),
            },
        );
    }
    let rows = OwnedRound::new(&[3, 0, 1, 2], &[1, 4]).rate(system.as_mut());
    let [low, high, middle] = [rows[1], rows[2], rows[3]].map(|row| row.performance.unwrap());
    assert!(low < middle && middle < high, "{low} {middle} {high}");
}

/// Ratings are monotone in a place, in this contest and in later ones.
#[test]
fn better_place_never_lowers_rating() {
    let later = |place: usize| -> Vec<RatedEntrant> {
        let mut system = system();
        let mut random = Random::new(6);
        for index in 0..10 {
            OwnedRound::random(&mut random, index, 15, 20).rate(system.as_mut());
        }
        let mut entrants: Vec<u32> = (0..20).filter(|&competitor| competitor != 5).collect();
        entrants.insert(place, 5);
        let groups: Vec<u32> = (1..=20).collect();
        let row = OwnedRound::new(&entrants, &groups).rate(system.as_mut())[place];
        let next = OwnedRound::new(&[30, 5, 31], &[1, 2, 3]).rate(system.as_mut())[1];
        vec![row, next]
    };
    let mut before = later(0);
    for place in 1..20 {
        let rows = later(place);
        assert!(rows[0].mu < before[0].mu && rows[1].mu < before[1].mu, "{place}");
        before = rows;
    }
}

#[test]
fn matches_numbers_of_the_draft() {
    // η is 43.64: an uncertainty of 100 grows by it and shrinks to 100 again.
    let mut system = system();
    for competitor in 0..3 {
        system.set_initial_rating(
            competitor,
            InitialRating {
                mu: 1500.0,
                sigma: Some(100.0),
            },
        );
    }
    let rows = OwnedRound::new(&[0, 1, 2], &[1, 2, 3]).rate(system.as_mut());
    assert!(rows.iter().all(|row| (row.sigma - 100.0).abs() < 1e-9));
    let with_noise = (100.0_f64.powi(2) + 43.64_f64.powi(2)).powi(-1) + DELTA.powi(-2);
    assert!((1.0 / with_noise.sqrt() - rows[0].sigma).abs() < 1e-2);
}

#[test]
fn delta_must_exceed_sigma_limit() {
    let error = EloR::new(EloRParameters {
        delta: 100.0,
        ..EloRParameters::default()
    });
    assert!(error.unwrap_err().to_string().contains("delta"));
}

#[test]
fn bits_match_engine_version() {
    assert_eq!(fingerprint(replay_bits(&system, &history(13, &MIXED))), 0xEE40_2BE9_FC6A_6DB2);
}
