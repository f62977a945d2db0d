//! Random contests of many kinds.

use super::reference::Contest;
use crate::random::Random;

#[derive(Clone, Copy, Debug)]
pub(crate) enum Ratings {
    Typical,
    /// −6000 … 6000.
    Extreme,
    /// Typical, with one in fifty thousands of points away.
    Outliers,
    /// Two camps 4000 points apart.
    Bimodal,
    /// A third at 1500 with one scale, the others typical.
    Newcomers,
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum Scales {
    Equal,
    Typical,
    /// 5 … 500 in one contest.
    Mixed,
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum Order {
    /// By rating with some noise.
    Expected,
    Random,
    /// Lower ratings first.
    Reversed,
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum Grouping {
    AllDifferent,
    /// Nine in ten tie with the previous entrant.
    Heavy,
    /// Two to five groups.
    Few,
}

fn players(random: &mut Random, count: usize, ratings: Ratings, scales: Scales) -> Vec<(f64, f64)> {
    let bell = |random: &mut Random| (0..4).map(|_| random.between(-400.0, 400.0)).sum::<f64>();
    (0..count)
        .map(|_| {
            let scale = match scales {
                Scales::Equal => 110.0,
                Scales::Typical => random.between(90.0, 220.0),
                Scales::Mixed => 5.0 * 100.0_f64.powf(random.between(0.0, 1.0)),
            };
            let mu = match ratings {
                Ratings::Extreme => random.between(-6000.0, 6000.0),
                Ratings::Bimodal => 4000.0 * random.below(2) as f64 + 0.2 * bell(random),
                Ratings::Outliers if random.below(50) == 0 => random.between(-6000.0, 9000.0),
                Ratings::Newcomers if random.below(3) == 0 => return (1500.0, 204.9),
                _ => 1500.0 + bell(random),
            };
            (mu, scale)
        })
        .collect()
}

pub(crate) fn ends(random: &mut Random, count: usize, grouping: Grouping) -> Vec<u32> {
    let last = count as u32;
    let mut ends: Vec<u32> = match grouping {
        Grouping::AllDifferent => (1..last).collect(),
        Grouping::Heavy => (1..last).filter(|_| random.below(10) == 0).collect(),
        Grouping::Few => (0..4)
            .map(|_| 1 + random.below(count) as u32)
            .filter(|&end| end < last)
            .collect(),
    };
    ends.push(last);
    ends.sort_unstable();
    ends.dedup();
    ends
}

pub(crate) fn contest(
    random: &mut Random,
    count: usize,
    (ratings, scales): (Ratings, Scales),
    order: Order,
    grouping: Grouping,
) -> Contest {
    let mut players = players(random, count, ratings, scales);
    match order {
        Order::Random => {}
        Order::Reversed => players.sort_by(|a, b| a.0.total_cmp(&b.0)),
        Order::Expected => {
            players.sort_by_cached_key(|player| (random.between(-200.0, 200.0) - player.0) as i64);
        }
    }
    Contest::new(&players, ends(random, count, grouping))
}

/// Contests of `count` entrants in every combination of kinds.
pub(crate) fn contests_of_all_kinds(count: usize, seed: u64, ratings: Ratings) -> Vec<Contest> {
    let mut random = Random::new(seed);
    let mut contests = Vec::new();
    for scales in [Scales::Equal, Scales::Typical, Scales::Mixed] {
        for order in [Order::Expected, Order::Random, Order::Reversed] {
            for grouping in [Grouping::AllDifferent, Grouping::Heavy, Grouping::Few] {
                let kind = (ratings, scales);
                contests.push(contest(&mut random, count, kind, order, grouping));
            }
        }
    }
    contests
}
