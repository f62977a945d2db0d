//! Determinism: the same rounds give the same bits, on one thread or many, in every version.

use crate::fingerprint::fingerprint;
use crate::random::Random;
use ranklore_rating::{
    EloMmr, EloMmrParameters, EloMmx, EloMmxParameters, RatedEntrant, RatingRound, RatingSystem,
};
use rayon::ThreadPoolBuilder;

/// Hashes of a small history under each system, with whole and with split ties.
///
/// If one of these changes, ratings have changed: increase the engine version in the same commit,
/// then copy the numbers that the failing test prints. They are the same on every machine, whatever
/// its vector instructions and its number of threads.
const FINGERPRINTS: [(Kind, bool, u64); 4] = [
    (Kind::Mmr, false, 0x10D0_57BA_C506_1496),
    (Kind::Mmr, true, 0xE082_372D_977C_B926),
    (Kind::Mmx, false, 0xD86D_096E_9CA1_62F2),
    (Kind::Mmx, true, 0xEFA8_D48D_C1FD_F36F),
];

#[derive(Clone, Copy, Debug)]
enum Kind {
    Mmr,
    Mmx,
}

fn system(kind: Kind, split_ties: bool) -> Box<dyn RatingSystem> {
    let drift_per_day = 7.5;
    let newcomer_weights = vec![0.5, 0.75];
    match kind {
        Kind::Mmr => Box::new(
            EloMmr::new(EloMmrParameters {
                rho: 0.4,
                history_limit: Some(11),
                split_ties,
                drift_per_day,
                newcomer_weights,
                ..EloMmrParameters::default()
            })
            .unwrap_or_else(|invalid| panic!("{invalid}")),
        ),
        Kind::Mmx => Box::new(
            EloMmx::new(EloMmxParameters {
                split_ties,
                drift_per_day,
                newcomer_weights,
                ..EloMmxParameters::default()
            })
            .unwrap_or_else(|invalid| panic!("{invalid}")),
        ),
    }
}

struct Contest {
    ends_at: i64,
    weight: f64,
    ceiling: f64,
    entrants: Vec<u32>,
    groups: Vec<u32>,
}

/// A contest among some of `pool` competitors; lower numbers tend to do better.
fn contest(random: &mut Random, ends_at: i64, entrants: usize, pool: usize) -> Contest {
    let mut order: Vec<(usize, u32)> =
        (0..pool as u32).map(|competitor| (random.below(pool), competitor)).collect();
    order.sort_unstable();
    order.truncate(entrants);
    for (key, competitor) in &mut order {
        *key = random.below(pool) + *competitor as usize;
    }
    order.sort_unstable();
    let mut groups: Vec<u32> =
        (1..entrants as u32).filter(|&end| end == 1 || random.below(4) != 0).collect();
    groups.push(entrants as u32);
    Contest {
        ends_at,
        weight: random.between(0.5, 1.5),
        ceiling: if random.below(5) == 0 {
            1900.0
        } else {
            f64::INFINITY
        },
        entrants: order.into_iter().map(|(_, competitor)| competitor).collect(),
        groups,
    }
}

/// The bits of all rows of a history.
fn bits(system: &mut dyn RatingSystem, contests: &[Contest]) -> Vec<u64> {
    let mut bits = Vec::new();
    let mut rated: Vec<RatedEntrant> = Vec::new();
    for contest in contests {
        system.rate(
            &RatingRound {
                ends_at: contest.ends_at,
                weight: contest.weight,
                performance_ceiling: contest.ceiling,
                ..RatingRound::new(&contest.entrants, &contest.groups)
            },
            &mut rated,
        );
        assert_eq!(rated.len(), contest.entrants.len());
        for rated in &rated {
            bits.extend(
                [rated.mu, rated.sigma, rated.performance.unwrap_or(rated.mu)].map(f64::to_bits),
            );
        }
    }
    bits
}

#[test]
fn bits_do_not_depend_on_threads() {
    let mut random = Random::new(5000);
    let contests: Vec<Contest> = (0..4)
        .map(|round| contest(&mut random, round * 1_000_000, 5000, 6000))
        .collect();
    for (kind, split_ties, _) in FINGERPRINTS {
        let mut expected = Vec::new();
        for threads in [1, 2, 3, 8] {
            let pool = ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let actual = pool.install(|| bits(system(kind, split_ties).as_mut(), &contests));
            if expected.is_empty() {
                expected = actual;
            } else {
                assert!(actual == expected, "{kind:?} on {threads} threads");
            }
        }
    }
}

#[test]
fn bits_match_engine_version() {
    // Contests of all sizes: direct sums, the tabulated field, runs on several threads.
    let mut random = Random::new(1);
    let contests: Vec<Contest> = [2, 3, 7, 20, 45, 60, 100, 300, 1500]
        .into_iter()
        .cycle()
        .take(36)
        .enumerate()
        .map(|(round, entrants)| {
            let pool = (entrants + entrants / 2).max(12);
            contest(&mut random, round as i64 * 500_000, entrants, pool)
        })
        .collect();
    let actual = FINGERPRINTS.map(|(kind, split_ties, _)| {
        (
            kind,
            split_ties,
            fingerprint(bits(system(kind, split_ties).as_mut(), &contests)),
        )
    });
    let written = actual.map(|(kind, split_ties, hash)| {
        let [a, b, c, d] = [48, 32, 16, 0].map(|shift| (hash >> shift) & 0xFFFF);
        format!("    (Kind::{kind:?}, {split_ties}, 0x{a:04X}_{b:04X}_{c:04X}_{d:04X}),\n")
    });
    assert!(
        actual
            .iter()
            .zip(&FINGERPRINTS)
            .all(|(actual, expected)| actual.2 == expected.2),
        "bits have changed; with a new engine version, the fingerprints are\n{}",
        written.concat()
    );
}
