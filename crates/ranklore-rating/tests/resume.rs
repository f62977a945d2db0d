//! Ratings resume from stored rows: whatever was restored, later rows have the same bits.

use std::collections::BTreeSet;

use crate::random::Random;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use proptest::test_runner::RngSeed;
use ranklore_rating::{
    EloMmr, EloMmrParameters, EloMmx, EloMmxParameters, InitialRating, PastResult, RatedEntrant,
    RatingRound, RatingSystem,
};

const DAY: i64 = 86_400;

/// Runs the same cases every time.
fn config() -> ProptestConfig {
    ProptestConfig {
        cases: 500,
        rng_seed: RngSeed::Fixed(23),
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

/// A round with owned entrants.
#[derive(Clone, Debug)]
struct Contest {
    ends_at: i64,
    weight: f64,
    ceiling: f64,
    entrants: Vec<u32>,
    groups: Vec<u32>,
}

impl Contest {
    fn rate(&self, system: &mut dyn RatingSystem) -> Vec<RatedEntrant> {
        let mut rated = Vec::new();
        system.rate(
            &RatingRound {
                ends_at: self.ends_at,
                weight: self.weight,
                performance_ceiling: self.ceiling,
                ..RatingRound::new(&self.entrants, &self.groups)
            },
            &mut rated,
        );
        rated
    }

    /// Returns the rows of this contest for restoring; none if it had no order.
    fn past<'a>(
        &'a self,
        rows: &'a [RatedEntrant],
    ) -> impl Iterator<Item = (u32, PastResult)> + 'a {
        let past_result = |(&competitor, &rated): (&u32, &RatedEntrant)| {
            let past = PastResult {
                period: None,
                ends_at: self.ends_at,
                weight: self.weight,
                rated,
            };
            (competitor, past)
        };
        self.entrants.iter().zip(rows).map(past_result)
    }
}

/// A rating system that can be recreated, and the history it rates.
struct History<'a> {
    system: &'a dyn Fn() -> Box<dyn RatingSystem>,
    /// Initial ratings of some competitors.
    starts: &'a [Option<InitialRating>],
    contests: &'a [Contest],
}

impl History<'_> {
    fn start_system(&self) -> Box<dyn RatingSystem> {
        let mut system = (self.system)();
        for (competitor, start) in (0..).zip(self.starts) {
            if let Some(start) = *start {
                system.set_initial_rating(competitor, start);
            }
        }
        system
    }

    /// Returns all rows of all contests.
    fn rows(&self) -> Vec<Vec<RatedEntrant>> {
        let mut system = self.start_system();
        let rate = |contest: &Contest| contest.rate(system.as_mut());
        self.contests.iter().map(rate).collect()
    }

    /// Restores the contests before a cut in two orders, and rates the rest.
    fn assert_resumes(&self, rows: &[Vec<RatedEntrant>], cut: usize) {
        let (before, after) = self.contests.split_at(cut);
        let past: Vec<(u32, PastResult)> =
            before.iter().zip(rows).flat_map(|(contest, rows)| contest.past(rows)).collect();

        // All competitors, one after the other.
        let mut everybody = self.start_system();
        let mut by_competitor = past.clone();
        by_competitor.sort_by_key(|&(competitor, _)| competitor);
        for (competitor, past) in &by_competitor {
            everybody.restore(*competitor, past);
            assert_eq!(
                everybody.mu(*competitor).to_bits(),
                past.rated.mu.to_bits(),
                "the row is the present rating"
            );
        }

        // Only competitors with later contests, contest by contest.
        let again: BTreeSet<u32> =
            after.iter().flat_map(|contest| contest.entrants.iter().copied()).collect();
        let mut some = self.start_system();
        for (competitor, past) in &past {
            if again.contains(competitor) {
                some.restore(*competitor, past);
            }
        }

        for (contest, expected) in after.iter().zip(&rows[cut..]) {
            for system in [&mut everybody, &mut some] {
                let actual = contest.rate(system.as_mut());
                assert!(bits(&actual) == bits(expected), "cut before contest {cut}");
            }
        }
    }
}

fn bits(rows: &[RatedEntrant]) -> Vec<[u64; 3]> {
    let row_bits = |rated: &RatedEntrant| {
        [rated.mu, rated.sigma, rated.performance.unwrap_or(rated.mu)].map(f64::to_bits)
    };
    rows.iter().map(row_bits).collect()
}

fn mmr(parameters: &EloMmrParameters) -> Box<dyn RatingSystem> {
    Box::new(EloMmr::new(parameters.clone()).unwrap_or_else(|invalid| panic!("{invalid}")))
}

fn mmx(parameters: &EloMmrParameters) -> Box<dyn RatingSystem> {
    let defaults = parameters.clone();
    let system = EloMmx::new(EloMmxParameters {
        weight_limit: defaults.weight_limit,
        sigma_limit: defaults.sigma_limit,
        drift_per_day: defaults.drift_per_day,
        split_ties: defaults.split_ties,
        newcomer_weights: defaults.newcomer_weights,
        initial_mu: defaults.initial_mu,
        initial_sigma: defaults.initial_sigma,
    });
    Box::new(system.unwrap_or_else(|invalid| panic!("{invalid}")))
}

const RHO: [f64; 5] = [0.0, 0.04, 1.0, 3.0, f64::INFINITY];
const HISTORY_LIMIT: [Option<usize>; 4] = [None, Some(0), Some(1), Some(5)];

fn parameters() -> impl Strategy<Value = EloMmrParameters> {
    (
        (0.05..0.6_f64, 30.0..150.0_f64, prop_oneof![Just(0.0), 0.1..40.0_f64]),
        (select(&RHO[..]), select(&HISTORY_LIMIT[..]), prop::bool::ANY),
        prop::collection::vec(0.3..2.0_f64, 0..4),
        prop_oneof![Just(0.0), Just(1500.0)],
    )
        .prop_map(
            |((weight, sigma, drift), (rho, history_limit, split_ties), newcomers, initial_mu)| {
                EloMmrParameters {
                    weight_limit: weight,
                    sigma_limit: sigma,
                    drift_per_day: drift,
                    rho,
                    split_ties,
                    newcomer_weights: newcomers,
                    history_limit,
                    initial_mu,
                    ..EloMmrParameters::default()
                }
            },
        )
}

fn starts(count: usize) -> impl Strategy<Value = Vec<Option<InitialRating>>> {
    let sigma = prop::option::of(60.0..350.0_f64);
    let start = (800.0..2200.0_f64, sigma).prop_map(|(mu, sigma)| InitialRating { mu, sigma });
    prop::collection::vec(prop::option::of(start), count)
}

/// Contests among `count` competitors, some of them absent, many tied, at times that may be equal.
/// Some have no order: no entrants, one, or all tied.
fn contests(count: usize, most: usize) -> impl Strategy<Value = Vec<Contest>> {
    let places = |best| {
        let place = prop_oneof![3 => (0..best).prop_map(Some), 1 => Just(None)];
        prop::collection::vec(place, count)
    };
    let places = prop_oneof![8 => places(6_u8), 1 => places(1_u8)];
    let seconds = prop_oneof![Just(0), 0..30 * DAY];
    let ceiling = prop_oneof![3 => Just(f64::INFINITY), 1 => Just(1600.0), 1 => Just(-0.0)];
    let contest = (places, seconds, 0.3..2.0_f64, ceiling);
    prop::collection::vec(contest, 1..=most).prop_map(|contests| {
        let mut now = 1_600_000_000;
        let build = |(places, seconds, weight, ceiling): (Vec<Option<u8>>, i64, f64, f64)| {
            now += seconds;
            let mut order: Vec<(u8, u32)> = (0..)
                .zip(places)
                .filter_map(|(competitor, place)| Some((place?, competitor)))
                .collect();
            order.sort_unstable();
            let mut end = 0;
            let groups = order.chunk_by(|a, b| a.0 == b.0).map(|group| {
                end += group.len() as u32;
                end
            });
            Contest {
                ends_at: now,
                weight,
                ceiling,
                groups: groups.collect(),
                entrants: order.iter().map(|&(_, competitor)| competitor).collect(),
            }
        };
        contests.into_iter().map(build).collect()
    })
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn ratings_resume_at_every_cut(
        parameters in parameters(),
        starts in starts(7),
        contests in contests(7, 16),
    ) {
        for make in [mmr, mmx] {
            let system = || make(&parameters);
            let history = History { system: &system, starts: &starts, contests: &contests };
            let rows = history.rows();
            for cut in 0..=contests.len() {
                history.assert_resumes(&rows, cut);
            }
        }
    }

    #[test]
    fn ratings_resume_repeatedly(
        parameters in parameters(),
        contests in contests(7, 16),
        cuts in (any::<Index>(), any::<Index>()),
    ) {
        // Restoring works the same from restored rows and from rated ones.
        let cuts = [cuts.0, cuts.1].map(|cut| cut.index(contests.len()));
        let (first, second) = (cuts[0].min(cuts[1]), cuts[0].max(cuts[1]));
        for make in [mmr, mmx] {
            let system = || make(&parameters);
            let history = History { system: &system, starts: &[], contests: &contests };
            let expected = history.rows();
            let mut rows = expected[..first].to_vec();
            for end in [second, contests.len()] {
                let mut system = system();
                for (contest, rows) in contests.iter().zip(&rows) {
                    for (competitor, past) in contest.past(rows) {
                        system.restore(competitor, &past);
                    }
                }
                for contest in &contests[rows.len()..end] {
                    rows.push(contest.rate(system.as_mut()));
                }
            }
            for (actual, expected) in rows.iter().zip(&expected) {
                prop_assert!(bits(actual) == bits(expected));
            }
        }
    }

    #[test]
    fn rows_have_no_negative_zero(
        parameters in parameters(),
        contests in contests(7, 8),
        negative in prop::bool::ANY,
    ) {
        let initial_mu = if negative { -0.0 } else { 0.0 };
        let parameters = EloMmrParameters { initial_mu, ..parameters };
        for make in [mmr, mmx] {
            let system = || make(&parameters);
            let history = History { system: &system, starts: &[], contests: &contests };
            for rated in history.rows().iter().flatten() {
                for number in [rated.mu, rated.sigma, rated.performance.unwrap_or(rated.mu)] {
                    prop_assert!(number != 0.0 || number.is_sign_positive());
                }
            }
        }
    }
}

/// A contest of entrants drawn from a pool, some of them tied.
fn random_contest(random: &mut Random, ends_at: i64, entrants: usize, pool: usize) -> Contest {
    let mut order: Vec<(usize, u32)> =
        (0..pool as u32).map(|competitor| (random.below(1 << 20), competitor)).collect();
    order.sort_unstable();
    order.truncate(entrants);
    let mut groups: Vec<u32> =
        (1..entrants as u32).filter(|&end| end == 1 || random.below(4) != 0).collect();
    groups.push(entrants as u32);
    Contest {
        ends_at,
        weight: random.between(0.5, 1.5),
        ceiling: if random.below(5) == 0 {
            1700.0
        } else {
            f64::INFINITY
        },
        entrants: order.into_iter().map(|(_, competitor)| competitor).collect(),
        groups,
    }
}

#[test]
fn long_careers_resume() {
    // With this weight about two thirds of the information decays with each contest: the common
    // decay falls below 1e-100 at least once in about 200 contests, and is folded.
    let mut random = Random::new(3);
    let contests: Vec<Contest> =
        (0..450).map(|day| random_contest(&mut random, day * DAY, 3, 3)).collect();
    for rho in RHO {
        for history_limit in [None, Some(13)] {
            let parameters = EloMmrParameters {
                weight_limit: 2.0,
                rho,
                history_limit,
                ..EloMmrParameters::default()
            };
            let system = || mmr(&parameters);
            let history = History {
                system: &system,
                starts: &[],
                contests: &contests,
            };
            let rows = history.rows();
            for cut in (0..contests.len()).step_by(29) {
                history.assert_resumes(&rows, cut);
            }
        }
    }
}

#[test]
fn folded_performances_resume() {
    // With the default weight, performances are folded from contest 64 (at rho 3) to 290 (at rho
    // 0) on, and after absences of ten years earlier.
    let mut random = Random::new(5);
    let contests: Vec<Contest> = (0..600)
        .map(|day| random_contest(&mut random, (day + day / 150 * 3650) * DAY, 3, 3))
        .collect();
    for rho in RHO {
        for (history_limit, drift_per_day) in [(None, 0.0), (None, 7.5), (Some(50), 7.5)] {
            let parameters = EloMmrParameters {
                rho,
                history_limit,
                drift_per_day,
                ..EloMmrParameters::default()
            };
            let system = || mmr(&parameters);
            let history = History {
                system: &system,
                starts: &[],
                contests: &contests,
            };
            let rows = history.rows();
            for cut in (0..contests.len()).step_by(37) {
                history.assert_resumes(&rows, cut);
            }
        }
    }
}

#[test]
fn large_contests_resume() {
    // Several runs of entrants in a round, processed in parallel.
    let mut random = Random::new(4);
    let contests: Vec<Contest> = [700, 255, 256, 257, 600, 513, 700]
        .into_iter()
        .zip(0..)
        .map(|(entrants, week)| random_contest(&mut random, week * 7 * DAY, entrants, 900))
        .collect();
    for rho in RHO {
        let parameters = EloMmrParameters {
            rho,
            drift_per_day: 7.5,
            newcomer_weights: vec![0.5, 0.75],
            ..EloMmrParameters::default()
        };
        for make in [mmr, mmx] {
            let system = || make(&parameters);
            let history = History {
                system: &system,
                starts: &[],
                contests: &contests,
            };
            let rows = history.rows();
            for cut in 0..contests.len() {
                history.assert_resumes(&rows, cut);
            }
        }
    }
}
