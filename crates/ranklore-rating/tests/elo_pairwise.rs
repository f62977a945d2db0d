//! Pairwise Elo against published numbers and the literal sum over pairs.

use crate::random::Random;
use ranklore_rating::{
    EloModel, EloPairwise, EloPairwiseParameters, EloUpdate, InitialRating, LearningRate,
    PairAggregation, RatedEntrant, RatingRound, RatingSystem,
};

fn rate(
    parameters: &EloPairwiseParameters,
    mu: &[f64],
    groups: &[u32],
    finishers: u32,
) -> Vec<f64> {
    let mut system =
        EloPairwise::new(parameters.clone()).unwrap_or_else(|invalid| panic!("{invalid}"));
    let entrants: Vec<u32> = (0..mu.len() as u32).collect();
    for (&competitor, &mu) in entrants.iter().zip(mu) {
        system.set_initial_rating(competitor, InitialRating { mu, sigma: None });
    }
    let mut rated: Vec<RatedEntrant> = Vec::new();
    let round = RatingRound {
        finishers,
        ..RatingRound::new(&entrants, groups)
    };
    system.rate(&round, &mut rated);
    rated.iter().map(|rated| rated.mu).collect()
}

/// Parameters of a published library, which moves by 2K/N for each pair of a contest of N.
fn published_parameters(count: usize) -> EloPairwiseParameters {
    EloPairwiseParameters {
        pairs: PairAggregation::Sum,
        learning_rate: LearningRate::Fixed(32.0 * 2.0 / count as f64),
        initial_mu: 1000.0,
        ..EloPairwiseParameters::default()
    }
}

#[test]
fn matches_published_ratings() {
    let cases: [(&[f64], &[u32], &[f64]); 6] = [
        (&[1200.0, 1000.0], &[1, 2], &[1_207.688_098_35, 992.311_901_65]),
        (
            &[1200.0, 1000.0, 900.0],
            &[1, 2, 3],
            &[1_208.346_296_12, 1_002.553_214_44, 889.100_489_44],
        ),
        (
            &[1200.0, 1000.0, 800.0],
            &[1, 3],
            &[1_207.064_792_84, 989.333_333_33, 803.601_873_83],
        ),
        (
            &[1200.0, 1000.0, 800.0],
            &[2, 3],
            &[1_196.398_126_17, 1_010.666_666_67, 792.935_207_16],
        ),
        (&[1200.0, 1000.0], &[2], &[1_191.688_098_35, 1_008.311_901_65]),
        (&[1200.0, 1000.0, 800.0], &[3], &[1_185.731_459_5, 1_000.0, 814.268_540_5]),
    ];
    for (mu, groups, expected) in cases {
        let actual = rate(&published_parameters(mu.len()), mu, groups, mu.len() as u32);
        assert_eq!(actual.len(), expected.len());
        for (actual, expected) in actual.iter().zip(expected) {
            assert!((actual - expected).abs() < 1e-7, "{actual} for {expected}");
        }
    }
}

#[test]
fn matches_published_sequence() {
    // Three contests of three among four.
    let mut system = EloPairwise::new(published_parameters(3)).unwrap();
    let mut rated = Vec::new();
    for entrants in [[0, 1, 2], [3, 2, 0], [3, 1, 0]] {
        system.rate(&RatingRound::new(&entrants, &[1, 2, 3]), &mut rated);
    }
    let expected = [
        977.483_244_337_507_6,
        1_000.594_038_664_002,
        980.624_171_961_889_7,
        1_041.298_545_036_601_4,
    ];
    for (competitor, expected) in (0..).zip(expected) {
        assert!((system.mu(competitor) - expected).abs() < 1e-10);
    }
}

/// The gain of a winner, by the formulas of the note, sections 3.1.1 and 3.1.2.
fn gain(parameters: &EloPairwiseParameters, lead: f64) -> f64 {
    let density = libm::exp(-0.25 * lead * lead) / (2.0 * std::f64::consts::PI).sqrt();
    let probability = 0.5 * libm::erfc(-0.5 * lead);
    match (parameters.model, parameters.update) {
        (EloModel::Exponential, _) => 1.0 / (1.0 + libm::exp(lead)),
        (EloModel::Gaussian, EloUpdate::Likelihood) => density / probability / 2.0_f64.sqrt(),
        (EloModel::Gaussian, EloUpdate::Bounded) => 0.5 * libm::erfc(0.5 * lead),
    }
}

/// The literal sum over pairs.
fn sum_over_pairs(
    parameters: &EloPairwiseParameters,
    mu: &[f64],
    groups: &[u32],
    finishers: u32,
) -> Vec<f64> {
    let group_of: Vec<usize> = (0..mu.len() as u32)
        .map(|entrant| groups.partition_point(|&end| end <= entrant))
        .collect();
    (0..mu.len())
        .map(|i| {
            let mut sum = 0.0;
            let mut pairs = 0;
            for j in (0..mu.len()).filter(|&j| j != i) {
                if i.min(j) >= finishers as usize {
                    continue;
                }
                let lead = (mu[i] - mu[j]) / parameters.scale;
                let won = gain(parameters, lead);
                let lost = -gain(parameters, -lead);
                sum += match group_of[i].cmp(&group_of[j]) {
                    std::cmp::Ordering::Less => won,
                    std::cmp::Ordering::Equal => 0.5 * (won + lost),
                    std::cmp::Ordering::Greater => lost,
                };
                pairs += 1;
            }
            let share = match parameters.pairs {
                PairAggregation::Mean => sum / f64::from(pairs),
                PairAggregation::Sum => sum,
            };
            mu[i] + parameters.learning_rate.at(mu[i]) * share
        })
        .collect()
}

#[test]
fn field_matches_sum_over_pairs() {
    let mut random = Random::new(21);
    for (count, spread, distinct) in [
        (2, 400.0, 10),
        (3, 1e5, 10),
        (40, 900.0, 8),
        (300, 700.0, 9),
        (700, 900.0, 5),
        (700, 30_000.0, 10),
    ] {
        for unfinished in [0, count / 3] {
            let mu: Vec<f64> = (0..count)
                .map(|_| 1500.0 + spread * (random.between(0.0, 1.0) - random.between(0.0, 1.0)))
                .collect();
            let finishers = (count - unfinished) as u32;
            let mut groups: Vec<u32> =
                (1..finishers).filter(|_| random.below(10) < distinct).collect();
            groups.push(finishers);
            if unfinished > 0 {
                groups.push(count as u32);
            }
            if groups.len() < 2 {
                continue;
            }
            for pairs in [PairAggregation::Mean, PairAggregation::Sum] {
                let parameters = EloPairwiseParameters {
                    pairs,
                    learning_rate: LearningRate::Fixed(1.0),
                    ..EloPairwiseParameters::default()
                };
                let actual = rate(&parameters, &mu, &groups, finishers);
                let expected = sum_over_pairs(&parameters, &mu, &groups, finishers);
                for (actual, expected) in actual.iter().zip(expected) {
                    assert!((actual - expected).abs() < 1e-8, "{actual} for {expected}");
                }
            }
        }
    }
}

#[test]
fn gaussian_pairs_match_sum_over_pairs() {
    let mut random = Random::new(22);
    for (count, unfinished) in [(2, 0), (5, 2), (9, 0), (40, 13), (200, 30)] {
        let spread = || 1500.0 + 400.0 * (random.between(0.0, 1.0) - random.between(0.0, 1.0));
        let mu: Vec<f64> = std::iter::repeat_with(spread).take(count).collect();
        let finishers = (count - unfinished) as u32;
        let mut groups: Vec<u32> = (1..finishers).filter(|place| place % 5 != 0).collect();
        groups.push(finishers);
        groups.extend((unfinished > 0).then_some(count as u32));
        for pairs in [PairAggregation::Mean, PairAggregation::Sum] {
            for update in [EloUpdate::Likelihood, EloUpdate::Bounded] {
                let parameters = EloPairwiseParameters {
                    pairs,
                    update,
                    model: EloModel::Gaussian,
                    scale: 200.0,
                    learning_rate: LearningRate::Fixed(1.0),
                    ..EloPairwiseParameters::default()
                };
                let actual = rate(&parameters, &mu, &groups, finishers);
                let expected = sum_over_pairs(&parameters, &mu, &groups, finishers);
                for (actual, expected) in actual.iter().zip(expected) {
                    assert!((actual - expected).abs() < 1e-9, "{actual} for {expected}");
                }
            }
        }
    }
}

/// Ratings of another program, in double precision.
#[test]
fn gaussian_pairs_match_independent_ratings() {
    for (update, expected) in [
        (
            EloUpdate::Likelihood,
            [
                1_545.805_289_737,
                1_618.062_727_503,
                1_411.671_031_107,
                1_274.460_951_653,
            ],
        ),
        (
            EloUpdate::Bounded,
            [
                1_539.109_359_622,
                1_622.828_507_21,
                1_409.348_613_233,
                1_278.713_519_936,
            ],
        ),
    ] {
        let parameters = EloPairwiseParameters {
            model: EloModel::Gaussian,
            update,
            scale: 200.0,
            learning_rate: LearningRate::Fixed(90.0),
            ..EloPairwiseParameters::default()
        };
        let actual = rate(&parameters, &[1500.0, 1650.0, 1400.0, 1300.0], &[1, 3, 4], 4);
        for (actual, expected) in actual.iter().zip(expected) {
            assert!((actual - expected).abs() < 1e-9, "{actual} for {expected}");
        }
    }
}

#[test]
fn dummy_loses_to_all_but_last() {
    let parameters = EloPairwiseParameters {
        dummy_mu: Some(1500.0),
        pairs: PairAggregation::Sum,
        learning_rate: LearningRate::Fixed(2.0),
        ..EloPairwiseParameters::default()
    };
    // Two wins, a win and a loss, two losses; the first two have also beaten the dummy.
    let actual = rate(&parameters, &[1500.0; 3], &[1, 2, 3], 3);
    assert_eq!(actual, [1503.0, 1501.0, 1498.0]);
}
