//! Performances against an oracle: an independent implementation of the defining sums, term by
//! term, without any optimisation.
//!
//! `Q` is strictly decreasing, so a performance has an error below r exactly if `Q` is positive at
//! r below it and negative at r above it. Only the sign of `Q` matters, and the oracle is correct
//! where plain double sums are not: on the plateaus between distant players, where whole wins and
//! losses cancel and tiny remainders decide.

mod random;

use std::collections::BTreeMap;
use std::f64::consts::{PI, SQRT_2};

use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use random::Random;
use ranklore_rating::performance::{Opponents, Ties, gaussian_performances, logistic_performances};

/// Largest error of a performance, in rating points.
const TOLERANCE: f64 = 1e-8;

/// Groups compared with the oracle in one contest; each evaluation of the oracle takes N terms.
const COMPARED: usize = 40;

#[derive(Clone, Copy, Debug, PartialEq)]
enum Model {
    Logistic,
    Gaussian,
}

const CASES: [(Model, Ties); 4] = [
    (Model::Logistic, Ties::Whole),
    (Model::Logistic, Ties::Split),
    (Model::Gaussian, Ties::Whole),
    (Model::Gaussian, Ties::Split),
];

#[derive(Clone, Debug)]
struct Contest {
    mu: Vec<f64>,
    scale: Vec<f64>,
    groups: Vec<u32>,
}

impl Contest {
    fn new(players: &[(f64, f64)], groups: Vec<u32>) -> Self {
        let (mu, scale) = players.iter().copied().unzip();
        Self { mu, scale, groups }
    }

    /// Creates a contest without ties, in the order given.
    fn untied(players: &[(f64, f64)]) -> Self {
        Self::new(players, (1..=players.len() as u32).collect())
    }

    fn performances(&self, model: Model, ties: Ties) -> Vec<f64> {
        let opponents = Opponents {
            mu: &self.mu,
            scale: &self.scale,
            groups: &self.groups,
        };
        match model {
            Model::Logistic => logistic_performances(&opponents, ties),
            Model::Gaussian => gaussian_performances(&opponents, ties),
        }
    }
}

/// A compensated sum.
#[derive(Clone, Copy, Default)]
struct Sum {
    high: f64,
    low: f64,
}

impl Sum {
    fn add(&mut self, x: f64) {
        let sum = self.high + x;
        let part = sum - self.high;
        self.low += (self.high - (sum - part)) + (x - part);
        self.high = sum;
    }

    fn value(self) -> f64 {
        self.high + self.low
    }
}

/// The sign of `Q`, for one contest.
struct Oracle<'a> {
    contest: &'a Contest,
    model: Model,
    ties: Ties,
    /// The distinct scales, and the scale index of each entrant: equal weights cancel exactly.
    scales: Vec<f64>,
    scale_of: Vec<usize>,
}

impl<'a> Oracle<'a> {
    fn new(contest: &'a Contest, model: Model, ties: Ties) -> Self {
        let mut index = BTreeMap::new();
        for scale in &contest.scale {
            index.insert(scale.to_bits(), 0);
        }
        for (position, found) in index.values_mut().enumerate() {
            *found = position;
        }
        Self {
            contest,
            model,
            ties,
            scales: index.keys().map(|&bits| f64::from_bits(bits)).collect(),
            scale_of: contest.scale.iter().map(|s| index[&s.to_bits()]).collect(),
        }
    }

    /// Returns for each entrant the number of half wins and half losses of group `group` against
    /// it.
    fn halves(&self, group: usize) -> impl Fn(usize) -> (i64, i64) {
        let end = self.contest.groups[group] as usize;
        let start = group
            .checked_sub(1)
            .map_or(0, |g| self.contest.groups[g] as usize);
        let tied = match self.ties {
            Ties::Whole => (2, 2),
            Ties::Split => (1, 1),
        };
        move |entrant| {
            if entrant < start {
                (0, 2)
            } else if entrant < end {
                tied
            } else {
                (2, 0)
            }
        }
    }

    fn q(&self, group: usize, p: f64) -> f64 {
        match self.model {
            Model::Logistic => self.logistic_q(group, p),
            Model::Gaussian => self.gaussian_q(group, p),
        }
    }

    /// Wins 1 − F and losses F, each a tail or one minus a tail. The ones are counted in integers;
    /// the tails are summed in units of the largest, which may be below 1e-308.
    fn logistic_q(&self, group: usize, p: f64) -> f64 {
        let Contest { mu, scale, .. } = self.contest;
        let distance = |entrant: usize| (p - mu[entrant]).abs() / scale[entrant];
        let nearest = (0..mu.len()).map(distance).fold(f64::INFINITY, f64::min);
        let halves = self.halves(group);
        let mut ones = vec![0_i64; self.scales.len()];
        let mut tails = Sum::default();
        for entrant in 0..mu.len() {
            let (won, lost) = halves(entrant);
            let z = distance(entrant);
            let tail = (nearest - z).exp() / (1.0 + (-z).exp()) / scale[entrant];
            let terms = (won + lost) as f64 * tail;
            if mu[entrant] > p {
                ones[self.scale_of[entrant]] += won;
                tails.add(-terms);
            } else {
                ones[self.scale_of[entrant]] -= lost;
                tails.add(terms);
            }
        }
        let mut whole = Sum::default();
        for (&count, scale) in ones.iter().zip(&self.scales) {
            whole.add(count as f64 / scale);
        }
        if ones.iter().all(|&count| count == 0) {
            tails.value()
        } else {
            whole.value() + (-nearest).exp() * tails.value()
        }
    }

    fn gaussian_q(&self, group: usize, p: f64) -> f64 {
        let Contest { mu, scale, .. } = self.contest;
        let halves = self.halves(group);
        let mut sum = Sum::default();
        for entrant in 0..mu.len() {
            let z = (p - mu[entrant]) / scale[entrant];
            let (won, lost) = halves(entrant);
            if won > 0 && lost > 0 && self.ties == Ties::Whole {
                sum.add(-2.0 * z / scale[entrant]);
                continue;
            }
            if won > 0 {
                sum.add(won as f64 * inverse_mills(z) / scale[entrant]);
            }
            if lost > 0 {
                sum.add(-(lost as f64) * inverse_mills(-z) / scale[entrant]);
            }
        }
        sum.value()
    }

    /// Returns the smallest of the radii 2^-37, 2^-36, … around `p` that contains the performance
    /// of `group`.
    fn error(&self, group: usize, p: f64) -> f64 {
        let mut radius = 2.0_f64.powi(-37);
        while radius < 1e6
            && !(self.q(group, p - radius) >= 0.0 && self.q(group, p + radius) <= 0.0)
        {
            radius *= 2.0;
        }
        radius
    }
}

/// The normal density over its distribution function, by erfc or by Laplace's continued fraction.
fn inverse_mills(z: f64) -> f64 {
    if z > -2.0 {
        let density = (-0.5 * z * z).exp() / (2.0 * PI).sqrt();
        return density / (0.5 * libm::erfc(-z / SQRT_2));
    }
    let terms = if z > -4.0 { 60 } else { 30 };
    (1..=terms)
        .rev()
        .fold(-z, |fraction, k| -z + f64::from(k) / fraction)
}

/// True if a double can distinguish group `group`, performing at `p`, from the next. Only its own
/// wins and the next one's losses do so (theorem 5.2), and whole ties make those of players who are
/// rated thousands of points on the wrong side as small as e^-40.
fn is_distinguishable(contest: &Contest, group: usize, p: f64) -> bool {
    let start = group.checked_sub(1).map_or(0, |g| contest.groups[g]) as usize;
    let (end, next_end) = (
        contest.groups[group] as usize,
        contest.groups[group + 1] as usize,
    );
    let above = |entrant: usize| (contest.mu[entrant] - p) / contest.scale[entrant];
    (start..end).any(|entrant| above(entrant) > -5.0)
        || (end..next_end).any(|entrant| above(entrant) < 5.0)
}

/// The largest error of all compared groups; also asserts that performances strictly decrease.
fn worst_error(contest: &Contest, model: Model, ties: Ties) -> f64 {
    let performances = contest.performances(model, ties);
    assert_eq!(performances.len(), contest.groups.len());
    for (group, pair) in performances.windows(2).enumerate() {
        let gap = pair[0] - pair[1];
        let strictly = model == Model::Gaussian
            || ties == Ties::Split
            || is_distinguishable(contest, group, pair[0]);
        assert!(
            if strictly { gap > 0.0 } else { gap > -1e-10 },
            "{pair:?} do not fall: {model:?} {ties:?}"
        );
    }
    let oracle = Oracle::new(contest, model, ties);
    let step = performances.len().div_ceil(COMPARED);
    let last = performances.len() - 1;
    let compared = (0..performances.len()).step_by(step).chain([last]);
    compared
        .map(|group| oracle.error(group, performances[group]))
        .fold(0.0, f64::max)
}

fn assert_close(what: &str, contests: impl IntoIterator<Item = Contest>) {
    let mut worst = [0.0_f64; CASES.len()];
    let mut count = 0;
    for contest in contests {
        for ((model, ties), worst) in CASES.into_iter().zip(&mut worst) {
            let error = worst_error(&contest, model, ties);
            assert!(
                error <= TOLERANCE,
                "{what}: off by {error:e} under {model:?} {ties:?}, contest {count} of {} entrants, {} groups",
                contest.mu.len(),
                contest.groups.len(),
            );
            *worst = worst.max(error);
        }
        count += 1;
    }
    println!("{what}: {count} contests, worst errors {worst:?}");
}

#[derive(Clone, Copy, Debug)]
enum Ratings {
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
enum Scales {
    Equal,
    Typical,
    /// 5 … 500 in one contest.
    Mixed,
}

#[derive(Clone, Copy, Debug)]
enum Order {
    /// By rating with some noise.
    Expected,
    Random,
    /// Lower ratings first.
    Reversed,
}

#[derive(Clone, Copy, Debug)]
enum Grouping {
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

fn ends(random: &mut Random, count: usize, grouping: Grouping) -> Vec<u32> {
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

fn contest(
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
fn contests_of_all_kinds(count: usize, seed: u64, ratings: Ratings) -> Vec<Contest> {
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

fn assert_close_in_all_sizes(ratings: Ratings) {
    for (seed, count) in [2, 3, 5, 9, 20, 45, 70, 100, 300, 2000]
        .into_iter()
        .enumerate()
    {
        let what = format!("{ratings:?}, {count} entrants");
        assert_close(&what, contests_of_all_kinds(count, seed as u64, ratings));
    }
}

#[test]
fn typical_ratings_match_oracle() {
    assert_close_in_all_sizes(Ratings::Typical);
}

#[test]
fn extreme_ratings_match_oracle() {
    assert_close_in_all_sizes(Ratings::Extreme);
}

#[test]
fn outliers_match_oracle() {
    assert_close_in_all_sizes(Ratings::Outliers);
}

#[test]
fn two_distant_camps_match_oracle() {
    assert_close_in_all_sizes(Ratings::Bimodal);
}

#[test]
fn many_newcomers_match_oracle() {
    assert_close_in_all_sizes(Ratings::Newcomers);
}

#[test]
fn upset_of_two_matches_oracle() {
    // The balance of two remainders as small as e^-100: plain sums err by whole points here.
    let mut contests = Vec::new();
    for scale in [5.0, 60.0, 111.0, 204.9, 500.0] {
        for gap in [0.0, 100.0, 1000.0, 3000.0, 4500.0, 6000.0] {
            contests.push(Contest::untied(&[(0.0, scale), (gap, scale)]));
            contests.push(Contest::untied(&[(gap, scale), (0.0, scale)]));
            contests.push(Contest::untied(&[(1.7, scale), (gap, 1.3 * scale)]));
        }
    }
    assert_close("the weaker of two", contests);
}

#[test]
fn both_methods_match_oracle_at_switch() {
    // The faster method depends on groups, range and scales; both must agree with the oracle on
    // either side of the switch.
    let mut random = Random::new(7);
    let mut contests = Vec::new();
    for (range, scale) in [
        (1000.0, 150.0),
        (4000.0, 100.0),
        (12000.0, 90.0),
        (4000.0, 12.0),
    ] {
        for groups in (6..=120).step_by(6) {
            let players: Vec<(f64, f64)> = (0..2 * groups)
                .map(|_| {
                    let scale = scale * random.between(1.0, 2.0);
                    (random.between(-0.5 * range, 0.5 * range), scale)
                })
                .collect();
            let ends = (1..=groups as u32).map(|group| 2 * group).collect();
            contests.push(Contest::new(&players, ends));
        }
    }
    assert_close("around the switch", contests);
}

#[test]
fn twenty_thousand_entrants_match_oracle() {
    let mut random = Random::new(20_000);
    let kind = (Ratings::Newcomers, Scales::Typical);
    let contests = [
        contest(
            &mut random,
            20_000,
            kind,
            Order::Expected,
            Grouping::AllDifferent,
        ),
        contest(&mut random, 20_000, kind, Order::Random, Grouping::Heavy),
    ];
    assert_close("twenty thousand", contests);
}

#[test]
fn plateaus_of_identical_players_match_oracle() {
    // Some of one camp tie for the first place, all of the other come last: whole wins and losses
    // cancel, however many players the solver merges.
    let mut contests = Vec::new();
    for count in [2_usize, 3, 5, 6, 7, 10, 11, 100, 333] {
        for scale in [60.0, 100.0, 204.9] {
            for gap in [1000.0, 2000.0, 3000.0, 4000.0, 6000.0] {
                let mut players = vec![(0.0, scale); count];
                players.resize(2 * count, (gap, scale));
                contests.push(Contest::new(&players, vec![count as u32, 2 * count as u32]));
                contests.push(Contest::untied(&players));
            }
        }
    }
    assert_close("plateaus of identical players", contests);
}

#[test]
fn newton_never_cycles() {
    // Newton's steps once alternated between two points inside the bracket here.
    let contests = [
        vec![(2370.0, 104.5123), (1630.0, 419.0823), (2160.0, 22.0423)],
        vec![
            (2230.0, 100.9423),
            (1180.0, 266.5623),
            (1980.0, 34.3223),
            (900.0, 221.0123),
        ],
        vec![
            (1420.0, 107.1223),
            (1780.0, 104.5023),
            (1160.0, 41.2323),
            (940.0, 73.1823),
            (2040.0, 203.2523),
        ],
    ];
    assert_close("cycles", contests.map(|players| Contest::untied(&players)));
}

#[test]
fn range_ends_match_oracle() {
    // The performance is the very end of the bracket, to the last bits.
    let contests = [
        vec![
            (1_704.156_528_040_766_7, 241.132_866_828_719_98),
            (1500.0, 204.9),
        ],
        vec![(1500.0, 204.9); 5],
        vec![
            (2_331.904_831_901_192_7, 257.039_600_070_038),
            (1_872.814_694_792_032_2, 195.161_236_274_596_55),
            (1_598.083_626_106_381_4, 369.499_958_250_195_6),
        ],
    ];
    assert_close("ends", contests.map(|players| Contest::untied(&players)));
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 300,
        rng_seed: RngSeed::Fixed(5),
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn plateaus_of_few_players_match_oracle(
        players in prop::collection::vec((0..4_usize, 0.0..0.4_f64, prop::bool::ANY), 2..9),
        scale in 40.0..250.0_f64,
        gap in 500.0..4500.0_f64,
    ) {
        // Equal scales, so that whole wins and losses can cancel; no two players equal.
        let rated: Vec<(f64, f64)> = players
            .iter()
            .map(|&(camp, off, _)| (gap * camp as f64 + off * scale, scale))
            .collect();
        let mut groups: Vec<u32> = (1..rated.len() as u32)
            .filter(|&end| players[end as usize].2)
            .collect();
        groups.push(rated.len() as u32);
        let contest = Contest::new(&rated, groups);
        for (model, ties) in CASES {
            let error = worst_error(&contest, model, ties);
            prop_assert!(error <= TOLERANCE, "off by {error:e} under {model:?} {ties:?}");
        }
    }

    #[test]
    fn absurd_inputs_stay_finite(
        players in prop::collection::vec((-1e5..1e5_f64, -3.0..4.0_f64), 2..60),
    ) {
        let players: Vec<(f64, f64)> = players
            .into_iter()
            .map(|(mu, exponent)| (mu, 10.0_f64.powf(exponent)))
            .collect();
        let contest = Contest::untied(&players);
        for (model, ties) in CASES {
            let performances = contest.performances(model, ties);
            prop_assert!(performances.iter().all(|p| p.abs() < 1e6), "{performances:?}");
            // Flat to the last bit of a double in places, so only nearly in order.
            prop_assert!(performances.windows(2).all(|pair| pair[0] >= pair[1] - 1e-3));
        }
    }
}

#[test]
fn lone_winner_matches_closed_form() {
    for count in [10_u32, 100, 1_000, 10_000, 100_000, 1_000_000] {
        let contest = Contest {
            mu: vec![1500.0; count as usize],
            scale: vec![204.9; count as usize],
            groups: vec![1, count],
        };
        for (ties, odds) in [
            (Ties::Whole, f64::from(count)),
            (Ties::Split, 2.0 * f64::from(count) - 1.0),
        ] {
            let found = contest.performances(Model::Logistic, ties)[0];
            let error = (found - (1500.0 + 204.9 * odds.ln())).abs();
            assert!(error <= TOLERANCE, "off by {error:e} of {count}, {ties:?}");
        }
    }
}

#[test]
fn untied_newcomers_match_closed_form() {
    // With g entrants above, the odds are (N − g)/(g + 1), or (N − g − ½)/(g + ½) with split ties.
    for count in [2_u32, 3, 10, 50, 1_000, 100_000, 1_000_000] {
        let contest = Contest {
            mu: vec![1500.0; count as usize],
            scale: vec![204.9; count as usize],
            groups: (1..=count).collect(),
        };
        for (ties, self_tie) in [(Ties::Whole, 1.0), (Ties::Split, 0.5)] {
            let found = contest.performances(Model::Logistic, ties);
            let mut worst = 0.0_f64;
            for (above, found) in (0..count).zip(found) {
                let wins = f64::from(count - 1 - above) + self_tie;
                let losses = f64::from(above) + self_tie;
                worst = worst.max((found - (1500.0 + 204.9 * (wins / losses).ln())).abs());
            }
            println!("{count} newcomers, {ties:?}: worst error {worst:.1e}");
            assert!(worst <= TOLERANCE, "off by {worst:e} of {count}, {ties:?}");
        }
    }
}

#[test]
fn identical_tied_entrants_perform_at_rating() {
    for count in [2_u32, 3, 17, 1_000, 100_000] {
        let contest = Contest {
            mu: vec![1234.5; count as usize],
            scale: vec![150.0; count as usize],
            groups: vec![count],
        };
        for (model, ties) in CASES {
            let found = contest.performances(model, ties);
            assert_eq!(found.len(), 1);
            assert!((found[0] - 1234.5).abs() <= TOLERANCE, "{found:?}");
        }
    }
}

#[test]
fn lone_entrant_performs_at_rating() {
    for (model, ties) in CASES {
        assert!(Contest::untied(&[]).performances(model, ties).is_empty());
        let alone = Contest::untied(&[(1234.5, 3.0)]).performances(model, ties);
        assert_eq!(alone, [1234.5]);
    }
}

#[test]
fn oracle_detects_wrong_performance() {
    // Errors just above the tolerance must be detected, also on a plateau e^-30 high.
    let contest = Contest::untied(&[(0.0, 100.0), (6000.0, 100.0)]);
    for (model, ties) in CASES {
        let oracle = Oracle::new(&contest, model, ties);
        let performances = contest.performances(model, ties);
        for (group, &p) in performances.iter().enumerate() {
            for off in [-3e-8, 3e-8] {
                assert!(oracle.error(group, p + off) > TOLERANCE);
            }
        }
    }
    // Known to sixty digits.
    for (z, expected) in [
        (-60.0, 60.016_657_420_241_124),
        (-2.5, 2.822_744_797_663_907),
        (-1.0, 1.525_135_276_160_981),
        (2.0, 0.055_247_862_678_989_956),
    ] {
        assert!((inverse_mills(z) / expected - 1.0).abs() < 1e-14, "{z}");
    }
}
