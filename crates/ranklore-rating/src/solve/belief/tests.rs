//! Section 4.1 and theorem 5.7 of the paper, and the numerical accuracy of a belief.

use proptest::prelude::*;
use proptest::test_runner::RngSeed;

use super::*;

mod folding;

fn config() -> ProptestConfig {
    ProptestConfig {
        cases: 2_000,
        rng_seed: RngSeed::Fixed(41),
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

/// A contest, as far as a belief depends on it.
#[derive(Clone, Debug)]
struct Contest {
    growth: f64,
    performance: f64,
    noise: Noise,
}

fn contests() -> impl Strategy<Value = Vec<Contest>> {
    let numbers = (10.0..5000.0_f64, -1000.0..4000.0_f64, 50.0..400.0_f64);
    let contest = numbers.prop_map(|(growth, performance, beta)| Contest {
        growth,
        performance,
        noise: Noise {
            variance: beta * beta,
        },
    });
    prop::collection::vec(contest, 0..20)
}

fn rho() -> impl Strategy<Value = f64> {
    prop_oneof![Just(0.0), Just(1.0), 0.01..5.0_f64]
}

fn diffuse(belief: &mut MmrBelief, growth: f64, rho: f64) {
    belief.diffuse(growth, &mut TransferCache::new(rho));
}

fn belief_after(rho: f64, contests: &[Contest]) -> MmrBelief {
    let mut belief = MmrBelief::new(1500.0, 350.0);
    for contest in contests {
        diffuse(&mut belief, contest.growth, rho);
        belief.observe(contest.performance, contest.noise);
    }
    belief
}

fn relative_error(actual: f64, expected: f64) -> f64 {
    ((actual - expected) / expected).abs()
}

/// Distance of the rating from the zero of the terms.
fn imbalance(belief: &MmrBelief) -> f64 {
    let Pull {
        value: pull, slope, ..
    } = belief.pull(belief.mu);
    (pull / slope).abs()
}

/// L' at a few points around the rating, which determine a belief.
fn pulls(belief: &MmrBelief) -> impl Iterator<Item = f64> {
    [-900.0, -200.0, -30.0, 30.0, 200.0, 900.0]
        .map(|at| belief.pull(belief.mu + at).value)
        .into_iter()
}

proptest! {
    #![proptest_config(config())]

    // The six properties of section 4.1, and that each is lost where the paper says so.

    #[test]
    fn diffusion_keeps_order_of_performances(
        contests in contests(), rho in rho(), gain in 0.0..500.0_f64, growth in 1.0..1e5_f64,
    ) {
        let better: Vec<Contest> = contests
            .iter()
            .map(|contest| Contest { performance: contest.performance + gain, ..contest.clone() })
            .collect();
        let mut worse = belief_after(rho, &contests);
        let mut better = belief_after(rho, &better);
        diffuse(&mut worse, growth, rho);
        diffuse(&mut better, growth, rho);
        for (a, b) in [
            (worse.gaussian_weight, better.gaussian_weight),
            (worse.logistic_weight, better.logistic_weight),
            (worse.variance, better.variance),
            (worse.decay, better.decay),
        ] {
            prop_assert_eq!(a.to_bits(), b.to_bits());
        }
        prop_assert!(better.mu >= worse.mu - 1e-9);
        prop_assert!(better.gaussian_centre >= worse.gaussian_centre - 1e-9);
    }

    #[test]
    fn diffusion_preserves_the_rating(
        contests in contests(), rho in rho(), growth in 1.0..1e5_f64,
    ) {
        let mut belief = belief_after(rho, &contests);
        let before = belief.mu;
        prop_assert!(imbalance(&belief) < 1e-9, "{}", imbalance(&belief));
        diffuse(&mut belief, growth, rho);
        prop_assert_eq!(belief.mu.to_bits(), before.to_bits());
        prop_assert!(imbalance(&belief) < 1e-9, "{}", imbalance(&belief));
    }

    #[test]
    fn diffusion_adds_growth_to_variance(
        contests in contests(), rho in rho(), growth in 1.0..1e5_f64,
    ) {
        let mut belief = belief_after(rho, &contests);
        let before = belief.variance;
        diffuse(&mut belief, growth, rho);
        prop_assert!(relative_error(belief.variance, before + growth) < 1e-14);
        let weight = belief.gaussian_weight + belief.logistic_weight;
        prop_assert!(relative_error(weight, 1.0 / belief.variance) < 1e-12);
        // Close to their performances the terms pull with π²/6 of their weight (equation 7).
        let terms: f64 = belief
            .terms
            .iter()
            .map(|terms| belief.decay * (Lanes(terms.pull) * Lanes(terms.steepness)).sum())
            .sum();
        let logistic = terms * 6.0 / (std::f64::consts::PI * std::f64::consts::PI);
        prop_assert!((logistic - belief.logistic_weight).abs() < 1e-12 * weight);
    }

    #[test]
    fn diffusions_add_up(
        contests in contests(), rho in rho(), first in 1.0..1e5_f64, second in 1.0..1e5_f64,
    ) {
        let mut twice = belief_after(rho, &contests);
        let mut once = belief_after(rho, &contests);
        diffuse(&mut twice, first, rho);
        diffuse(&mut twice, second, rho);
        diffuse(&mut once, first + second, rho);
        for (twice, once) in pulls(&twice).zip(pulls(&once)) {
            prop_assert!(relative_error(twice, once) < 1e-10, "{twice} {once}");
        }
    }

    #[test]
    fn zero_diffusion_changes_nothing(contests in contests(), rho in rho()) {
        let before = belief_after(rho, &contests);
        for (growth, tolerance) in [(0.0, 1e-12), (1e-6, 1e-7)] {
            let mut after = before.clone();
            diffuse(&mut after, growth, rho);
            for (before, after) in pulls(&before).zip(pulls(&after)) {
                prop_assert!(relative_error(after, before) < tolerance, "{after} {before}");
            }
        }
        // Infinite rho merges everything at once, whatever the growth.
        let mut memoryless = before.clone();
        diffuse(&mut memoryless, 1e-6, f64::INFINITY);
        let changed = pulls(&before).zip(pulls(&memoryless)).any(|(a, b)| relative_error(a, b) > 1e-4);
        prop_assert_eq!(changed, !contests.is_empty());
    }

    #[test]
    fn diffusion_from_certainty_leaves_gaussian(
        contests in contests(), rho in 0.5..5.0_f64, growth in 1.0..1e5_f64,
    ) {
        // Observations 1e9 times as certain as usual.
        let sure: Vec<Contest> = contests
            .into_iter()
            .map(|contest| Contest {
                growth: contest.growth * 1e-18,
                performance: 1500.0 + contest.performance * 1e-9,
                noise: Noise { variance: contest.noise.variance * 1e-18 },
            })
            .collect();
        let mut belief = belief_after(rho, &sure);
        let known = sure.is_empty();
        diffuse(&mut belief, growth, rho);
        prop_assert!(belief.logistic_weight * belief.variance < 1e-6);
        prop_assert!(known || relative_error(belief.variance, growth) < 1e-12);
        prop_assert!((belief.gaussian_centre - belief.mu).abs() < 1e-6);
        prop_assert!(relative_error(belief.gaussian_weight, 1.0 / belief.variance) < 1e-6);
        // Without transfer the history would remain: the property needs rho above 0.
        let mut diffused = belief_after(0.0, &sure);
        diffuse(&mut diffused, growth, 0.0);
        prop_assert!(known || diffused.logistic_weight * diffused.variance > 0.5);
    }

    #[test]
    fn response_is_bounded_by_the_weights(
        contests in contests(), rho in 0.01..5.0_f64, growth in 1.0..5000.0_f64,
        beta in 50.0..400.0_f64, up in prop::bool::ANY,
    ) {
        // Theorem 5.7.
        let mut belief = belief_after(rho, &contests);
        diffuse(&mut belief, growth, rho);
        let before = belief.clone();
        let distance = if up { 1e9 } else { -1e9 };
        let noise = Noise { variance: beta * beta };
        belief.observe(before.mu + distance, noise);
        let change = (belief.mu - before.mu).copysign(1.0);
        let push = std::f64::consts::PI / (beta * 3.0_f64.sqrt());
        let steepest = std::f64::consts::PI * std::f64::consts::PI / 6.0;
        let most = push / before.gaussian_weight;
        let least = push / (before.gaussian_weight + steepest * before.logistic_weight);
        prop_assert_eq!(belief.mu > before.mu, up);
        prop_assert!(change <= most * (1.0 + 1e-9), "{change} above {most}");
        prop_assert!(change >= least * (1.0 - 1e-9), "{change} below {least}");
    }

    #[test]
    fn rating_balances_all_terms(
        contests in contests(), rho in rho(),
    ) {
        // Bisection of L' between the extreme performances.
        let belief = belief_after(rho, &contests);
        let mut low = -2000.0;
        let mut high = 5000.0;
        for _ in 0..60 {
            let middle = 0.5 * (low + high);
            if belief.pull(middle).value < 0.0 { low = middle } else { high = middle }
        }
        prop_assert!((belief.mu - low).abs() < 1e-9, "{} {low}", belief.mu);
    }

    #[test]
    fn merging_preserves_rating_and_weight(
        contests in contests(), rho in rho(), limit in 0..12_usize,
    ) {
        let before = belief_after(rho, &contests);
        let mut after = before.clone();
        after.merge_beyond(limit);
        prop_assert_eq!(after.count, before.count.min(limit));
        prop_assert_eq!(after.terms.len(), (after.merged_lanes + after.count).div_ceil(LANES));
        prop_assert_eq!(after.mu.to_bits(), before.mu.to_bits());
        prop_assert_eq!(after.variance.to_bits(), before.variance.to_bits());
        prop_assert!(imbalance(&after) < 1e-8, "{}", imbalance(&after));
        let weight = after.gaussian_weight + after.logistic_weight;
        prop_assert!(relative_error(weight, 1.0 / before.variance) < 1e-12);
        // The latest performances remain, in their order.
        for index in 0..after.count {
            let lane = after.merged_lanes + index;
            let stored = after.terms[lane / LANES].performance[lane % LANES];
            let observed = contests[contests.len() - after.count + index].performance;
            prop_assert_eq!(stored.to_bits(), observed.to_bits());
        }
    }
}

/// Kernel that applies all contests and returns the bits of all resulting numbers.
struct FoldKernel<'a>(&'a [Contest]);

impl pulp::NullaryFnOnce for FoldKernel<'_> {
    type Output = [u64; 4];

    #[inline(always)]
    fn call(self) -> [u64; 4] {
        let mut belief = MmrBelief::new(1500.0, 350.0);
        for contest in self.0 {
            diffuse(&mut belief, contest.growth, 0.7);
            belief.observe(contest.performance, contest.noise);
            belief.merge_beyond(12);
        }
        let Pull {
            value: pull, slope, ..
        } = belief.pull(belief.mu + 17.0);
        [belief.mu, belief.variance, pull, slope].map(f64::to_bits)
    }
}

#[test]
fn bits_do_not_depend_on_vector_instructions() {
    let contests: Vec<Contest> = (0..40)
        .map(|k| Contest {
            growth: 1000.0 + f64::from(k),
            performance: 1500.0 + f64::from(k * k * 37 % 1001),
            noise: Noise {
                variance: 30_000.0 + 100.0 * f64::from(k),
            },
        })
        .collect();
    let widest = pulp::Arch::new().dispatch(FoldKernel(&contests));
    assert_eq!(widest, pulp::Arch::Scalar.dispatch(FoldKernel(&contests)));
    #[cfg(target_arch = "x86_64")]
    if let Some(v3) = pulp::x86::V3::try_new() {
        assert_eq!(widest, pulp::Arch::V3(v3).dispatch(FoldKernel(&contests)));
    }
}

#[test]
fn newton_never_cycles() {
    let mut belief = MmrBelief::new(1500.0, 350.0);
    for (growth, performance, variance) in [
        (10.0, 3_845.561_807_979_464, 8_181.443_823_706_555),
        (889.906_200_917_380_8, 697.129_662_537_516, 31_082.095_028_349_737),
        (4_448.250_638_288_52, -497.266_053_965_894, 34_826.519_157_509_945),
    ] {
        diffuse(&mut belief, growth, 0.0);
        belief.observe(performance, Noise { variance });
    }
    assert!(imbalance(&belief) < 1e-9, "{}", imbalance(&belief));
    assert!((belief.mu - 844.942).abs() < 1e-3, "{}", belief.mu);
}
