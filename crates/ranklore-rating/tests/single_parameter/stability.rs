//! Equal bits in any order of ties, after resuming and on any number of threads; extreme inputs.

use std::collections::BTreeSet;

use ranklore_rating::{LearningRate, PastResult, RatedEntrant, RatingRound};
use rayon::ThreadPoolBuilder;

use super::systems::{
    Adaptations, Contest, Make, all_systems, gains, multiplayer_systems, ratings, started,
};
use crate::fingerprint::fingerprint;
use crate::random::Random;

#[test]
fn tie_order_changes_nothing() {
    let mut random = Random::new(34);
    for (name, make) in multiplayer_systems() {
        for unfinished in [0, 40] {
            let mu = ratings(&mut random, 120, 600.0);
            let mut contest = Contest::random(&mut random, 120, 120, unfinished);
            let mut before: Vec<(u32, u64)> = Vec::new();
            for turn in 0..2 {
                let rows = contest.rate(started(&make, &Adaptations::default(), &mu).as_mut());
                let bits = rows.iter().map(|row| row.mu.to_bits());
                let mut actual: Vec<(u32, u64)> =
                    contest.entrants.iter().copied().zip(bits).collect();
                actual.sort_unstable();
                assert!(turn == 0 || actual == before, "{name}");
                before = actual;
                let mut start = 0;
                for &end in &contest.groups {
                    contest.entrants[start..end as usize].reverse();
                    start = end as usize;
                }
            }
        }
    }
}

fn bits(rows: &[RatedEntrant]) -> Vec<[u64; 3]> {
    let row_bits = |row: &RatedEntrant| {
        [row.mu, row.sigma, row.performance.unwrap_or(row.mu)].map(f64::to_bits)
    };
    rows.iter().map(row_bits).collect()
}

fn adaptations() -> [Adaptations; 2] {
    [
        Adaptations::default(),
        Adaptations {
            learning_rate: Some(LearningRate::Knots(vec![(1400.0, 90.0), (1600.0, 20.0)])),
            dummy_mu: Some(1350.0),
            floor: Some(1420.0),
        },
    ]
}

#[test]
fn ratings_resume_at_every_cut() {
    let mut random = Random::new(35);
    for (name, make) in all_systems() {
        for adapted in adaptations() {
            let contests: Vec<Contest> = (0..14)
                .map(|round| {
                    let count = if name.starts_with("elo,") || round % 3 == 0 {
                        2
                    } else {
                        6
                    };
                    let unfinished = random.below(count - 1);
                    Contest::random(&mut random, count, 7, unfinished)
                })
                .collect();
            let starts = [1200.0, 1900.0];
            let mut system = started(&make, &adapted, &starts);
            let rows: Vec<Vec<RatedEntrant>> =
                contests.iter().map(|contest| contest.rate(system.as_mut())).collect();
            for cut in 0..=contests.len() {
                let again: BTreeSet<u32> = contests[cut..]
                    .iter()
                    .flat_map(|contest| contest.entrants.iter().copied())
                    .collect();
                let mut system = started(&make, &adapted, &starts);
                for (contest, rows) in contests[..cut].iter().zip(&rows) {
                    for (&entrant, &rated) in contest.entrants.iter().zip(rows) {
                        if again.contains(&entrant) {
                            let ends_at = 0;
                            let weight = contest.weight;
                            system.restore(
                                entrant,
                                &PastResult {
                                    period: None,
                                    ends_at,
                                    weight,
                                    rated,
                                },
                            );
                            assert_eq!(system.mu(entrant).to_bits(), rated.mu.to_bits());
                        }
                    }
                }
                for (contest, expected) in contests[cut..].iter().zip(&rows[cut..]) {
                    let actual = contest.rate(system.as_mut());
                    assert!(bits(&actual) == bits(expected), "{name}, cut at {cut}");
                }
            }
        }
    }
}

#[test]
fn bits_do_not_depend_on_threads() {
    let mut random = Random::new(36);
    let contest = Contest::random(&mut random, 2_000, 2_000, 600);
    let mu = ratings(&mut random, 2_000, 700.0);
    for (name, make) in multiplayer_systems() {
        let on = |threads| {
            let pool = ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let mut system = started(&make, &Adaptations::default(), &mu);
            bits(&pool.install(|| contest.rate(system.as_mut())))
        };
        assert!(on(1) == on(3), "{name}");
    }
}

#[test]
fn extreme_inputs_stay_finite() {
    let mut random = Random::new(37);
    for (name, make) in multiplayer_systems() {
        let finite = |contest: &Contest, mu: &[f64]| {
            for adapted in adaptations() {
                for row in contest.rate(started(&make, &adapted, mu).as_mut()) {
                    let numbers = [row.mu, row.sigma, row.performance.unwrap_or(row.mu)];
                    let sound = |number: f64| {
                        number.is_finite() && (number != 0.0 || number.is_sign_positive())
                    };
                    assert!(numbers.into_iter().all(sound), "{name}: {row:?}");
                }
            }
        };
        let contest = |groups: &[u32], finishers: u32| Contest {
            entrants: (0..groups[groups.len() - 1]).collect(),
            groups: groups.to_vec(),
            finishers,
            weight: 1.0,
        };
        // Ratings 200,000 points apart: upsets, clear wins, unfinished entrants on either side.
        for extremes in [[-1e5, 1e5, 1e5, -1e5, 0.0], [1e5, 1e5, -1e5, -0.0, -1e5]] {
            for (groups, finishers) in [
                (&[1, 2, 3, 4, 5][..], 5),
                (&[2, 5], 5),
                (&[1, 5], 1),
                (&[1, 2, 5], 2),
                (&[3, 5], 3),
            ] {
                finite(&contest(groups, finishers), &extremes);
            }
        }
        // A lone winner over many tied or unfinished entrants; many winners.
        for (groups, finishers) in [
            (&[1, 100_000][..], 100_000),
            (&[1, 100_000], 1),
            (&[99_999, 100_000], 100_000),
        ] {
            finite(&contest(groups, finishers), &[]);
        }
        let wild = ratings(&mut random, 200, 1e5);
        finite(&Contest::random(&mut random, 200, 200, 50), &wild);
    }
}

#[test]
fn dummy_and_floor_hold_ratings_up() {
    let mut random = Random::new(38);
    for (name, make) in multiplayer_systems() {
        let mu = ratings(&mut random, 12, 100.0);
        let contest = Contest::random(&mut random, 12, 12, 0);
        let with_dummy = Adaptations {
            dummy_mu: Some(1500.0),
            ..Adaptations::default()
        };
        let sum: f64 = gains(&make, &with_dummy, &mu, &contest).iter().sum();
        assert!(sum > 1.0, "{name}: {sum}");
        let floor = Adaptations {
            floor: Some(1490.0),
            ..Adaptations::default()
        };
        let rows = contest.rate(started(&make, &floor, &mu).as_mut());
        assert!(rows.iter().all(|row| row.mu >= 1490.0), "{name}");
        assert!(rows.iter().any(|row| row.mu == 1490.0), "{name}");
    }
}

/// Two competitors win in turn: a step beyond the gradient's zero overshoots further each time.
#[test]
fn heavy_contests_keep_ratings_bounded() {
    for (_, make) in multiplayer_systems() {
        for weight in [20.0, 1e6] {
            let mut system = make(&Adaptations::default());
            let mut rated = Vec::new();
            for contest in 0..80 {
                let entrants = if contest % 2 == 0 { [0, 1] } else { [1, 0] };
                let round = RatingRound {
                    weight,
                    ..RatingRound::new(&entrants, &[1, 2])
                };
                system.rate(&round, &mut rated);
                for row in &rated {
                    assert!(row.mu.abs() <= 1e6, "{row:?}");
                }
            }
        }
    }
}

/// Hashes of a history, with and without adaptations, under each of [`all_systems`] except
/// Thurstone. If one of these changes, ratings have changed: increase the engine version in the
/// same commit, then copy the output of the failing test.
const FINGERPRINTS: [(&str, u64); 12] = [
    ("mean", 0x52CF_0B95_AD62_E191),
    ("sum", 0x625C_9418_E14F_3989),
    ("mean, Gaussian", 0x43B3_FBF0_B74E_9B65),
    ("sum, Gaussian, bounded", 0xDC4A_6671_3CC6_37B9),
    ("elimination", 0x5155_BCE0_97DB_D4C1),
    ("elimination, independent", 0x0A08_E1F0_CE04_2605),
    ("race", 0x7238_29C2_D944_4121),
    ("elimination, clipped", 0x6B17_A763_7C56_152D),
    ("independent, clipped", 0x93D0_4448_2DA0_0535),
    ("race, clipped", 0x7238_29C2_D944_4121),
    ("elo", 0x3142_D7BE_7CF2_43A5),
    ("elo, Gaussian", 0x400D_19A8_8106_B7F5),
];

#[test]
fn bits_match_engine_version() {
    let mut forms = all_systems();
    forms.retain(|(name, _)| !name.starts_with("thurstone"));
    let hash = |(name, make): &(&'static str, Make)| {
        let mut random = Random::new(39);
        let mut all = Vec::new();
        for adapted in adaptations() {
            let mut system = make(&adapted);
            for size in [2, 2, 3, 9, 2, 60, 300, 2, 1500, 40] {
                // Two-player Elo ignores contests of more than two.
                let size = if name.starts_with("elo") { 2 } else { size };
                for unfinished in [0, size / 3] {
                    let contest = Contest::random(&mut random, size, size + 7, unfinished);
                    all.extend(bits(&contest.rate(system.as_mut())).concat());
                }
            }
        }
        (*name, fingerprint(all))
    };
    let actual: Vec<(&str, u64)> = forms.iter().map(hash).collect();
    assert!(actual == FINGERPRINTS, "bits have changed; now they are {actual:#X?}");
}
