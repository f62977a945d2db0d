//! Properties of every system that compares all pairs: it resumes from its rows bit for bit;
//! threads and the order within ties change nothing; extreme inputs stay finite.

use crate::fingerprint::fingerprint;
use crate::random::Random;
use ranklore_rating::{
    Bar, BarParameters, Codeforces, CodeforcesOfficial, CodeforcesOfficialParameters,
    CodeforcesParameters, Glicko, Glicko2, Glicko2Parameters, GlickoInformation, GlickoParameters,
    InitialRating, PastResult, RatedEntrant, RatingRound, RatingSystem,
};
use rayon::ThreadPoolBuilder;

const DAY: i64 = 86_400;

type Make = fn() -> Box<dyn RatingSystem>;

/// The systems, some with several sets of parameters.
const SYSTEMS: [(&str, Make); 7] = [
    ("codeforces", || {
        Box::new(Codeforces::new(CodeforcesParameters::default()).unwrap())
    }),
    ("codeforces-official", || {
        Box::new(CodeforcesOfficial::new(CodeforcesOfficialParameters::default()).unwrap())
    }),
    ("glicko", || Box::new(Glicko::new(GlickoParameters::default()).unwrap())),
    ("glicko, every pair", || {
        Box::new(
            Glicko::new(GlickoParameters {
                information: GlickoInformation::EveryPair,
                ..GlickoParameters::default()
            })
            .unwrap(),
        )
    }),
    ("bar", || Box::new(Bar::new(BarParameters::default()).unwrap())),
    ("glicko2", || {
        Box::new(
            Glicko2::new(Glicko2Parameters {
                period_days: 10.0,
                ..Glicko2Parameters::default()
            })
            .unwrap(),
        )
    }),
    ("glicko2, one match", || {
        Box::new(
            Glicko2::new(Glicko2Parameters {
                information: GlickoInformation::OneMatch,
                ..Glicko2Parameters::default()
            })
            .unwrap(),
        )
    }),
];

/// A round with owned entrants.
#[derive(Clone)]
struct Contest {
    ends_at: i64,
    weight: f64,
    ceiling: f64,
    entrants: Vec<u32>,
    groups: Vec<u32>,
}

impl Contest {
    /// Draws some of `pool` competitors in random order, one in four tied with the previous one.
    fn random(random: &mut Random, ends_at: i64, count: usize, pool: usize) -> Self {
        let mut entrants: Vec<u32> = (0..pool as u32).collect();
        for first in 0..count {
            let other = first + random.below(pool - first);
            entrants.swap(first, other);
        }
        entrants.truncate(count);
        let mut groups: Vec<u32> = (1..count as u32).filter(|_| random.below(4) != 0).collect();
        groups.push(count as u32);
        Self {
            ends_at,
            weight: random.between(0.3, 2.0),
            ceiling: [f64::INFINITY, 1600.0, f64::INFINITY, -0.0][random.below(4)],
            entrants,
            groups,
        }
    }

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
}

fn bits(rows: &[RatedEntrant]) -> Vec<[u64; 4]> {
    let row_bits = |row: &RatedEntrant| {
        [
            row.mu,
            row.sigma,
            row.performance.unwrap_or(row.mu),
            row.volatility.unwrap_or(0.0),
        ]
        .map(f64::to_bits)
    };
    rows.iter().map(row_bits).collect()
}

fn started(make: Make, starts: &[Option<InitialRating>]) -> Box<dyn RatingSystem> {
    let mut system = make();
    for (competitor, start) in (0..).zip(starts) {
        if let Some(start) = *start {
            system.set_initial_rating(competitor, start);
        }
    }
    system
}

fn starts(random: &mut Random, count: usize) -> Vec<Option<InitialRating>> {
    let mut start = || match random.below(4) {
        0 => None,
        1 => Some(InitialRating {
            mu: 1500.0,
            sigma: None,
        }),
        _ => Some(InitialRating {
            mu: random.between(800.0, 2200.0).round(),
            sigma: Some(random.between(40.0, 350.0)),
        }),
    };
    (0..count).map(|_| start()).collect()
}

#[test]
fn ratings_resume_from_rows() {
    for (name, make) in SYSTEMS {
        let mut random = Random::new(5);
        for history in 0..12 {
            let (pool, most) = if history == 0 { (300, 250) } else { (7, 7) };
            let starts = starts(&mut random, pool);
            let mut now = 1_600_000_000;
            let contests: Vec<Contest> = (0..14)
                .map(|_| {
                    now += [0, DAY / 3, 40 * DAY][random.below(3)];
                    let count = 1 + random.below(most);
                    Contest::random(&mut random, now, count, pool)
                })
                .collect();
            let mut system = started(make, &starts);
            let rows: Vec<Vec<RatedEntrant>> =
                contests.iter().map(|contest| contest.rate(system.as_mut())).collect();
            for cut in 0..contests.len() {
                let mut resumed = started(make, &starts);
                for (contest, rows) in contests[..cut].iter().zip(&rows) {
                    for (&competitor, &rated) in contest.entrants.iter().zip(rows) {
                        let past = PastResult {
                            period: None,
                            ends_at: contest.ends_at,
                            weight: contest.weight,
                            rated,
                        };
                        resumed.restore(competitor, &past);
                        assert_eq!(
                            resumed.mu(competitor).to_bits(),
                            rated.mu.to_bits(),
                            "{name}: the row is the present rating"
                        );
                    }
                }
                for (contest, rows) in contests.iter().zip(&rows).skip(cut) {
                    let actual = contest.rate(resumed.as_mut());
                    assert!(bits(&actual) == bits(rows), "{name}, cut at {cut}");
                }
            }
        }
    }
}

#[test]
fn bits_do_not_depend_on_threads() {
    for (name, make) in SYSTEMS {
        let rate = |threads: usize| {
            let pool = ThreadPoolBuilder::new().num_threads(threads).build();
            pool.unwrap().install(|| {
                let mut random = Random::new(6);
                let mut system = started(make, &starts(&mut random, 2500));
                let rows = [40, 2000, 2400].map(|count| {
                    let contest = Contest::random(&mut random, 0, count, 2500);
                    bits(&contest.rate(system.as_mut()))
                });
                rows.concat()
            })
        };
        let one = rate(1);
        assert!(one == rate(2) && one == rate(7), "{name}");
    }
}

#[test]
fn tie_order_changes_nothing() {
    for (name, make) in SYSTEMS {
        let mut random = Random::new(7);
        for count in [6, 40, 700] {
            let starts = starts(&mut random, count);
            let contest = Contest {
                groups: vec![1, count as u32 / 3, count as u32],
                ceiling: f64::INFINITY,
                ..Contest::random(&mut random, 0, count, count)
            };
            let mut turned = contest.clone();
            let mut start = 0;
            for &end in &contest.groups {
                turned.entrants[start..end as usize].reverse();
                start = end as usize;
            }
            let sorted_bits = |contest: &Contest| {
                let rows = contest.rate(started(make, &starts).as_mut());
                let mut rows: Vec<(u32, [u64; 4])> =
                    contest.entrants.iter().copied().zip(bits(&rows)).collect();
                rows.sort_unstable();
                rows
            };
            assert!(sorted_bits(&contest) == sorted_bits(&turned), "{name}, {count} entrants");
        }
    }
}

#[test]
fn extreme_ratings_stay_finite() {
    for (name, make) in SYSTEMS {
        for (mus, sigmas) in [
            ([1e5, -1e5, 0.0], [1e-3, 1e4, 350.0]),
            ([-1e5, 1e5, 1e5], [1e-3, 1e-3, 1e4]),
            ([1e5, -1e5, -0.0], [1e4, 1e4, 1e-3]),
            ([-1e5, 1e5, -1e5], [1e4, 1e-3, 1e-3]),
        ] {
            let starts: Vec<Option<InitialRating>> = mus
                .into_iter()
                .zip(sigmas)
                .map(|(mu, sigma)| {
                    Some(InitialRating {
                        mu,
                        sigma: Some(sigma),
                    })
                })
                .collect();
            let mut system = started(make, &starts);
            let mut random = Random::new(9);
            for day in 0..12 {
                let contest = Contest {
                    ceiling: f64::INFINITY,
                    ..Contest::random(&mut random, day * 50 * DAY, 3, 3)
                };
                for row in contest.rate(system.as_mut()) {
                    assert_finite(name, &row);
                }
            }
        }
    }
}

#[test]
fn one_against_tied_field_stays_finite() {
    for (name, make) in SYSTEMS {
        for groups in [[1, 100_001], [100_000, 100_001]] {
            let contest = Contest {
                ends_at: 0,
                weight: 1.0,
                ceiling: f64::INFINITY,
                entrants: (0..100_001).collect(),
                groups: groups.to_vec(),
            };
            let rows = contest.rate(make().as_mut());
            for row in &rows {
                assert_finite(name, row);
            }
            // Not strictly higher: integer systems may round both to the same rating.
            assert!(rows[0].mu >= rows[100_000].mu, "{name}");
            assert_eq!(bits(&rows[1..2]), bits(&rows[99_999..100_000]), "{name}");
        }
    }
}

/// Hashes of a history under each of [`SYSTEMS`]. If one of these changes, ratings have changed:
/// increase the engine version in the same commit, then copy the output of the failing test.
const FINGERPRINTS: [u64; SYSTEMS.len()] = [
    0xBDBF_83A4_CA03_57C1,
    0x9BFE_313F_B2C2_27EF,
    0x4AEF_5592_996E_E259,
    0x2F2F_E471_0E9C_6FBD,
    0xE373_73F7_0A45_FFDB,
    0x049E_5232_A229_694B,
    0x695F_7051_DAEF_95BD,
];

#[test]
fn bits_match_engine_version() {
    let actual = SYSTEMS.map(|(_, make)| {
        let mut random = Random::new(10);
        let mut system = started(make, &starts(&mut random, 2000));
        let sizes = [2, 3, 9, 30, 60, 200, 700, 1900, 40, 500];
        let rows = (0..).zip(sizes).flat_map(|(week, count)| {
            let contest = Contest::random(&mut random, week * 7 * DAY, count, 2000);
            bits(&contest.rate(system.as_mut())).concat()
        });
        fingerprint(rows)
    });
    assert!(actual == FINGERPRINTS, "bits have changed; now they are {actual:#X?}");
}

/// Hashes of a history of games of two under each of [`SYSTEMS`], like [`FINGERPRINTS`]: some systems
/// rate two entrants by a formula of their own.
const GAME_FINGERPRINTS: [u64; SYSTEMS.len()] = [
    0x258C_7BD5_E611_FF9F,
    0x841B_4BA1_BDE1_0965,
    0x5206_53DD_2878_4AAA,
    0x19A3_BDAA_E889_A581,
    0x8DAD_4277_2635_7C39,
    0xDB92_679E_E3ED_FBC3,
    0xB147_AB2A_A6C0_2D00,
];

#[test]
fn bits_of_games_match_engine_version() {
    let actual = SYSTEMS.map(|(_, make)| {
        let mut random = Random::new(11);
        let mut system = started(make, &starts(&mut random, 40));
        let rows = (0..400).flat_map(|day| {
            let mut game = Contest::random(&mut random, day * DAY, 2, 40);
            if day % 4 == 0 {
                game.groups = vec![2];
            }
            bits(&game.rate(system.as_mut())).concat()
        });
        fingerprint(rows)
    });
    assert!(actual == GAME_FINGERPRINTS, "bits have changed; now they are {actual:#X?}");
}

fn assert_finite(name: &str, row: &RatedEntrant) {
    for number in [
        row.mu,
        row.sigma,
        row.performance.unwrap_or(row.mu),
        row.volatility.unwrap_or(0.0),
    ] {
        assert!(number.is_finite(), "{name}: {row:?}");
        assert!(number != 0.0 || number.is_sign_positive(), "{name}: {row:?}");
    }
    assert!(row.sigma > 0.0, "{name}: {row:?}");
}
