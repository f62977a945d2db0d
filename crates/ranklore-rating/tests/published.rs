//! Ratings and performances published by other implementations.

use ranklore_rating::{
    EloMmr, EloMmrParameters, EloMmx, EloMmxParameters, RatedEntrant, RatingRound, RatingSystem,
};

/// Five contests of four players, from the README of a Python binding of the authors' code: 1 beats
/// 2 beats 3; 1 and 2 tie before 3; 1 beats 2 and 3, who tie; then twice 4, 1, 2, 3.
const CONTESTS: [(&[u32], &[u32]); 5] = [
    (&[1, 2, 3], &[1, 2, 3]),
    (&[1, 2, 3], &[2, 3]),
    (&[1, 2, 3], &[1, 3]),
    (&[4, 1, 2, 3], &[1, 2, 3, 4]),
    (&[4, 1, 2, 3], &[1, 2, 3, 4]),
];

/// For each competitor the ratings after each of their contests.
fn histories(system: &mut dyn RatingSystem) -> [Vec<RatedEntrant>; 5] {
    let mut histories: [Vec<RatedEntrant>; 5] = Default::default();
    let mut rated = Vec::new();
    for (entrants, groups) in CONTESTS {
        system.rate(&RatingRound::new(entrants, groups), &mut rated);
        for (&entrant, &rated) in entrants.iter().zip(&rated) {
            histories[entrant as usize].push(rated);
        }
    }
    histories
}

fn assert_history(history: &[RatedEntrant], expected: &[(f64, f64)]) {
    assert_eq!(history.len(), expected.len());
    for (actual, &(mu, performance)) in history.iter().zip(expected) {
        // One of the printed ratings has an error of 1.2e-6.
        assert!((actual.mu - mu).abs() < 2e-6, "mu {} for {mu}", actual.mu);
        assert!(
            actual.performance.is_some_and(|actual| (actual - performance).abs() < 1e-6),
            "{actual:?} for performance {performance}"
        );
    }
}

#[test]
fn elo_mmr_matches_published_numbers() {
    let mut system = EloMmr::new(EloMmrParameters::default()).unwrap();
    let [_, one, two, three, four] = histories(&mut system);
    assert_history(
        &one,
        &[
            (1_704.866_719_445, 1_743.923_619_231),
            (1_663.028_662_659, 1_618.311_360_607),
            (1_686.032_874_521, 1_727.769_562_107),
            (1_678.399_589_003, 1_659.891_775_305),
            (1_675.337_359_624, 1_666.414_401_357),
        ],
    );
    assert_history(
        &two,
        &[
            (1_500.0, 1_500.0),
            (1_555.428_259_5, 1_618.311_360_607),
            (1_499.610_021_906, 1_392.881_384_711),
            (1_486.936_966_85, 1_458.713_028_874),
            (1_482.643_876_15, 1_470.825_888_388),
        ],
    );
    assert_history(
        &three,
        &[
            (1_295.133_280_555, 1_256.076_380_769),
            (1_269.800_218_794, 1_241.556_518_992),
            (1_311.594_473_022, 1_392.881_384_711),
            (1_290.624_520_295, 1_240.431_298_799),
            (1_279.275_123_11, 1_246.853_151_216),
        ],
    );
    assert_history(
        &four,
        &[
            (1_767.450_786_992, 1_818.838_291_846),
            (1_808.851_376_269, 1_855.183_961_292),
        ],
    );
    let sigmas = [
        171.195_444_254,
        130.482_990_6,
        111.338_743_266,
        100.422_272_711,
        93.644_637_975,
    ];
    for (rated, sigma) in one.iter().zip(sigmas) {
        assert!((rated.sigma - sigma).abs() < 1e-6);
    }
}

#[test]
fn elo_mmr_with_split_ties_matches() {
    let mut system = EloMmr::new(EloMmrParameters {
        split_ties: true,
        ..EloMmrParameters::default()
    })
    .unwrap();
    let [_, one, _, _, four] = histories(&mut system);
    assert_history(
        &one,
        &[
            (1_799.512_532, 1_857.341_643),
            (1_732.097_86, 1_664.368_711),
            (1_762.487_182, 1_813.041_084),
            (1_736.505_708, 1_676.379_028),
            (1_729.026_222, 1_708.676_487),
        ],
    );
    assert_history(
        &four,
        &[
            (1_874.812_913, 1_948.198_311),
            (1_923.324_165, 1_976.480_05),
        ],
    );
}

#[test]
fn elo_mmx_matches_published_numbers() {
    let mut system = EloMmx::new(EloMmxParameters::default()).unwrap();
    let [_, one, two, three, four] = histories(&mut system);
    assert_history(
        &one,
        &[
            (1_735.217_829, 1_808.188_944),
            (1_692.234_641, 1_638.273_581),
            (1_719.463_07, 1_776.58),
            (1_709.476_02, 1_681.434_644),
            (1_704.566_551, 1_687.977_926),
        ],
    );
    assert_history(
        &four,
        &[
            (1_788.958_659, 1_878.601_675),
            (1_843.300_733, 1_911.521_73),
        ],
    );
    assert_history(&two[4..], &[(1_481.533_699, 1_462.368_822)]);
    assert_history(&three[4..], &[(1_241.645_35, 1_198.838_129)]);
}

#[test]
fn repeated_two_player_result_matches() {
    // Rating, uncertainty and performance as printed by two ports of the system, rounded.
    let mut system = EloMmr::new(EloMmrParameters::default()).unwrap();
    let mut rated = Vec::new();
    for expected in [
        [
            (1_629.391_427, 171.2, 1_653.898_669),
            (1371.0, 171.2, 1346.0),
        ],
        [
            (1_645.437_213, 130.5, 1_663.408_134),
            (1355.0, 130.5, 1337.0),
        ],
    ] {
        system.rate(&RatingRound::new(&[0, 1], &[1, 2]), &mut rated);
        for (actual, (mu, sigma, performance)) in rated.iter().zip(expected) {
            assert!((actual.mu - mu).abs() < 0.5);
            assert!((actual.sigma - sigma).abs() < 0.05);
            assert!((actual.performance.unwrap() - performance).abs() < 0.5);
        }
        assert!((rated[0].mu - expected[0].0).abs() < 1e-6);
        assert!((rated[0].performance.unwrap() - expected[0].2).abs() < 1e-6);
    }
}
