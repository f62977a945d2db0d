//! What Elo-MMR(ρ) believes of one competitor: a Gaussian term and one logistic term for each
//! past performance (paper, sections 3.2 and 4).

use crate::lanes::{LANES, Lanes};
use crate::root::{Probe, Search};

/// Eight logistic terms. A term of weight w = 1/β² around performance p pulls with
/// `pull·tanh((s − p)·steepness)`, where pull = w·β²/β̄, steepness = 1/(2β̄), β̄ = √3/π·β.
#[derive(Clone, Copy, Debug)]
struct Terms {
    performance: Lanes,
    /// At the scale of the belief when the term was added; 0 in unused lanes.
    pull: Lanes,
    steepness: Lanes,
}

/// Decay is common to all logistic terms and kept as one factor; below this it is folded
/// into them, long before it could underflow.
const SMALLEST_DECAY: f64 = 1e-100;

/// A step of this many of the smallest β̄ is the last; convergence is cubic, the error left about its cube.
const LAST_STEP: f64 = 1e-4;

/// Far out tanh is ±1 to the last bit; the bound keeps the exponential finite.
const FAR: f64 = 700.0;

/// The belief about one competitor.
#[derive(Clone, Debug)]
pub(crate) struct Belief {
    /// The rating: where the terms balance.
    pub(crate) mu: f64,
    /// Square of the uncertainty: 1 over the sum of all weights.
    pub(crate) variance: f64,
    /// The Gaussian term: its weight and centre.
    gaussian_weight: f64,
    gaussian_centre: f64,
    /// The sum of the logistic terms' weights now.
    logistic_weight: f64,
    decay: f64,
    /// The smallest β̄ of all performances so far: how fine the function to be solved is.
    smallest_scale: f64,
    terms: Vec<Terms>,
    /// How many logistic terms there are.
    count: usize,
}

/// How a new performance enters: its weight is 1/β².
#[derive(Clone, Copy, Debug)]
pub(crate) struct Noise {
    /// β²: the variance of a performance around the skill.
    pub(crate) variance: f64,
}

impl Noise {
    /// β̄ = √3/π·β, the scale of a logistic distribution of this variance.
    #[inline(always)]
    pub(crate) fn scale(self) -> f64 {
        SCALE_OF_DEVIATION * self.variance.sqrt()
    }
}

/// The share κ^ρ of each logistic weight that a decay by κ does not hand to the Gaussian.
///
/// Competitors of equally many contests often decay alike, so powers once taken are kept.
#[derive(Clone, Debug)]
pub(crate) struct Transfer {
    rho: f64,
    /// κ and κ^ρ, by some bits of κ.
    known: [(f64, f64); 64],
}

impl Transfer {
    pub(crate) fn new(rho: f64) -> Self {
        Self {
            rho,
            known: [(f64::NAN, f64::NAN); 64],
        }
    }

    #[inline(always)]
    fn kept(&mut self, kappa: f64) -> f64 {
        if self.rho == f64::INFINITY {
            return 0.0;
        }
        // The middle bits of the fraction differ even where the first do not.
        let known = &mut self.known[(kappa.to_bits() >> 20 & 63) as usize];
        if known.0 != kappa {
            *known = (kappa, libm::pow(kappa, self.rho));
        }
        known.1
    }
}

/// √3/π: the scale of a logistic distribution of standard deviation 1.
pub(crate) const SCALE_OF_DEVIATION: f64 = 0.551_328_895_421_792_1;

impl Belief {
    /// A newcomer: a Gaussian and nothing else.
    pub(crate) fn new(mu: f64, sigma: f64) -> Self {
        let variance = sigma * sigma;
        Self {
            mu,
            variance,
            gaussian_weight: 1.0 / variance,
            gaussian_centre: mu,
            logistic_weight: 0.0,
            decay: 1.0,
            smallest_scale: f64::INFINITY,
            terms: Vec::new(),
            count: 0,
        }
    }

    /// Pseudodiffusion (paper, algorithm 2): the variance grows by `growth`, all weights decay,
    /// and the logistic terms hand a share of theirs to the Gaussian, ρ times as fast.
    /// The rating stays what it is. With infinite ρ nothing but a Gaussian is left.
    #[inline(always)]
    pub(crate) fn diffuse(&mut self, growth: f64, transfer: &mut Transfer) {
        let kappa = 1.0 / (1.0 + growth / self.variance);
        let kept = transfer.kept(kappa);
        let own = kept * self.gaussian_weight;
        let handed = (1.0 - kept) * (self.gaussian_weight + self.logistic_weight);
        self.gaussian_centre = (own * self.gaussian_centre + handed * self.mu) / (own + handed);
        self.gaussian_weight = kappa * (own + handed);
        self.variance += growth;
        if kept == 0.0 {
            self.terms.clear();
            self.count = 0;
            self.smallest_scale = f64::INFINITY;
            self.logistic_weight = 0.0;
            self.decay = 1.0;
            return;
        }
        self.logistic_weight *= kappa * kept;
        self.decay *= kappa * kept;
        if self.decay < SMALLEST_DECAY {
            for terms in &mut self.terms {
                terms.pull = terms.pull * Lanes::splat(self.decay);
            }
            self.decay = 1.0;
        }
    }

    /// Adds a performance and moves the rating to the new balance (paper, algorithm 3).
    #[inline(always)]
    pub(crate) fn observe(&mut self, performance: f64, noise: Noise) {
        let scale = noise.scale();
        self.push(performance, scale);
        self.logistic_weight += 1.0 / noise.variance;
        self.variance = 1.0 / (1.0 / self.variance + 1.0 / noise.variance);
        self.mu = self.balance(performance, scale);
    }

    /// Merges the oldest performances into the Gaussian until at most `limit` are left.
    ///
    /// The Gaussian takes the term's weight, centred so that its pull at the present rating is
    /// the term's: the rating stays what it is, as in the transfer of a pseudodiffusion.
    pub(crate) fn forget_beyond(&mut self, limit: usize) {
        while self.count > limit {
            let oldest = self.terms[0];
            let (performance, steepness) = (oldest.performance.0[0], oldest.steepness.0[0]);
            let pull = oldest.pull.0[0] * self.decay;
            // pull = w·β²/β̄ and β²/β̄ = (π²/3)·β̄ = π²/(6·steepness).
            let ratio = std::f64::consts::PI * std::f64::consts::PI / (6.0 * steepness);
            let weight = pull / ratio;
            let centre = self.mu - ratio * tanh((self.mu - performance) * steepness);
            let total = self.gaussian_weight + weight;
            self.gaussian_centre =
                (self.gaussian_weight * self.gaussian_centre + weight * centre) / total;
            self.gaussian_weight = total;
            self.logistic_weight -= weight;
            self.remove_oldest();
        }
    }

    #[inline(always)]
    fn push(&mut self, performance: f64, scale: f64) {
        let lane = self.count % LANES;
        if lane == 0 {
            // Most histories fit into the first eight: room for no more than that at first.
            if self.terms.len() == self.terms.capacity() {
                self.terms.reserve_exact(1 + self.terms.len() / 2);
            }
            self.terms.push(Terms {
                performance: Lanes::splat(performance),
                pull: Lanes::ZERO,
                steepness: Lanes::ONE,
            });
        }
        if let Some(terms) = self.terms.last_mut() {
            terms.performance.0[lane] = performance;
            // w·β²/β̄ with w = 1/β².
            terms.pull.0[lane] = 1.0 / (scale * self.decay);
            terms.steepness.0[lane] = 0.5 / scale;
        }
        self.count += 1;
        self.smallest_scale = self.smallest_scale.min(scale);
    }

    fn remove_oldest(&mut self) {
        for index in 0..self.terms.len() {
            let next = self.terms.get(index + 1).copied();
            let terms = &mut self.terms[index];
            let shift = |lanes: &mut Lanes, next: Option<Lanes>, empty: f64| {
                lanes.0.rotate_left(1);
                lanes.0[LANES - 1] = next.map_or(empty, |lanes| lanes.0[0]);
            };
            shift(&mut terms.performance, next.map(|n| n.performance), self.mu);
            shift(&mut terms.pull, next.map(|n| n.pull), 0.0);
            shift(&mut terms.steepness, next.map(|n| n.steepness), 1.0);
        }
        self.count -= 1;
        self.terms.truncate(self.count.div_ceil(LANES));
    }

    /// The zero of L' (paper, equation 10), by Halley's method. It lies between the old
    /// balance, where all terms but the newest sum to nothing, and the new performance.
    #[inline(always)]
    fn balance(&self, performance: f64, scale: f64) -> f64 {
        // A first step from the old balance, with a guess at the slope there: exact for
        // Gaussian terms.
        let newest = tanh((performance - self.mu) * (0.5 / scale)) / scale;
        let step = newest / (self.gaussian_weight + self.logistic_weight);
        let search = Search {
            low: self.mu.min(performance),
            high: self.mu.max(performance),
            start: self.mu + step,
            last_step: LAST_STEP * self.smallest_scale,
        };
        search.zero_of_decreasing(
            #[inline(always)]
            |s| {
                let pull = self.pull(s);
                let newton = pull.value / pull.slope;
                // Far from the zero the curvature misleads, and could feign a small step.
                let bend = (0.5 * newton * pull.curvature / pull.slope).clamp(-0.5, 0.5);
                Probe {
                    value: -pull.value,
                    step: -newton / (1.0 - bend),
                }
            },
        )
    }

    /// L' at `s` with its first two derivatives.
    #[inline(always)]
    fn pull(&self, s: f64) -> Pull {
        let at = Lanes::splat(s);
        let (mut value, mut slope, mut curvature) = (Lanes::ZERO, Lanes::ZERO, Lanes::ZERO);
        for terms in &self.terms {
            let x = (at - terms.performance) * terms.steepness;
            // tanh |x| = (1 − e)/(1 + e) and 1 − tanh² = 4e/(1 + e)² with e = exp(−2|x|).
            let twice = (x + x).abs().at_most(FAR);
            let e = (-twice).exp();
            let inverse = Lanes::ONE / (Lanes::ONE + e);
            let tanh = ((Lanes::ONE - e) * inverse).with_sign_of(x);
            let bend = (terms.pull * terms.steepness) * ((e * inverse) * inverse);
            value += terms.pull * tanh;
            slope += bend;
            curvature += (bend * terms.steepness) * tanh;
        }
        Pull {
            value: self.gaussian_weight * (s - self.gaussian_centre) + self.decay * value.sum(),
            slope: self.gaussian_weight + 4.0 * self.decay * slope.sum(),
            curvature: -8.0 * self.decay * curvature.sum(),
        }
    }

    /// Has the terms fetched from memory, for an update that comes soon.
    #[inline(always)]
    pub(crate) fn fetch(&self) {
        for terms in &self.terms {
            std::hint::black_box(terms.performance.0[0]);
            std::hint::black_box(terms.pull.0[0]);
            std::hint::black_box(terms.steepness.0[0]);
        }
    }
}

/// L' at a point with its first two derivatives.
struct Pull {
    value: f64,
    slope: f64,
    curvature: f64,
}

/// tanh by the crate's own exponential, so that its bits are the same everywhere.
#[inline(always)]
fn tanh(x: f64) -> f64 {
    let e = crate::lanes::exp(-(2.0 * x.abs()).min(FAR));
    ((1.0 - e) / (1.0 + e)).copysign(x)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use proptest::test_runner::RngSeed;

    use super::*;

    fn config() -> ProptestConfig {
        ProptestConfig {
            cases: 2_000,
            rng_seed: RngSeed::Fixed(41),
            failure_persistence: None,
            ..ProptestConfig::default()
        }
    }

    /// One contest as a belief sees it.
    #[derive(Clone, Debug)]
    struct Contest {
        growth: f64,
        performance: f64,
        noise: Noise,
    }

    fn contests() -> impl Strategy<Value = Vec<Contest>> {
        let contest = (10.0..5000.0_f64, -1000.0..4000.0_f64, 50.0..400.0_f64);
        let of = |(growth, performance, beta): (f64, f64, f64)| Contest {
            growth,
            performance,
            noise: Noise {
                variance: beta * beta,
            },
        };
        prop::collection::vec(contest.prop_map(of), 0..20)
    }

    fn rho() -> impl Strategy<Value = f64> {
        prop_oneof![Just(0.0), Just(1.0), 0.01..5.0_f64]
    }

    fn diffuse(belief: &mut Belief, growth: f64, rho: f64) {
        belief.diffuse(growth, &mut Transfer::new(rho));
    }

    fn believe(rho: f64, contests: &[Contest]) -> Belief {
        let mut belief = Belief::new(1500.0, 350.0);
        for contest in contests {
            diffuse(&mut belief, contest.growth, rho);
            belief.observe(contest.performance, contest.noise);
        }
        belief
    }

    fn off(found: f64, expected: f64) -> f64 {
        ((found - expected) / expected).abs()
    }

    /// How far the rating is from where the terms balance.
    fn imbalance(belief: &Belief) -> f64 {
        let Pull {
            value: pull, slope, ..
        } = belief.pull(belief.mu);
        (pull / slope).abs()
    }

    /// L' at a few points about the rating: all that a belief says.
    fn pulls(belief: &Belief) -> impl Iterator<Item = f64> {
        [-900.0, -200.0, -30.0, 30.0, 200.0, 900.0]
            .map(|at| belief.pull(belief.mu + at).value)
            .into_iter()
    }

    proptest! {
        #![proptest_config(config())]

        // The six properties of section 4.1, and that each is lost where the paper says so.

        #[test]
        fn diffusion_ignores_performances_and_keeps_their_order(
            contests in contests(), rho in rho(), gain in 0.0..500.0_f64, growth in 1.0..1e5_f64,
        ) {
            let better: Vec<Contest> = contests
                .iter()
                .map(|contest| Contest { performance: contest.performance + gain, ..contest.clone() })
                .collect();
            let (mut worse, mut better) = (believe(rho, &contests), believe(rho, &better));
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
            let mut belief = believe(rho, &contests);
            let before = belief.mu;
            prop_assert!(imbalance(&belief) < 1e-9, "{}", imbalance(&belief));
            diffuse(&mut belief, growth, rho);
            prop_assert_eq!(belief.mu.to_bits(), before.to_bits());
            prop_assert!(imbalance(&belief) < 1e-9, "{}", imbalance(&belief));
        }

        #[test]
        fn diffusion_adds_its_size_to_the_variance(
            contests in contests(), rho in rho(), growth in 1.0..1e5_f64,
        ) {
            let mut belief = believe(rho, &contests);
            let before = belief.variance;
            diffuse(&mut belief, growth, rho);
            prop_assert!(off(belief.variance, before + growth) < 1e-14);
            let weight = belief.gaussian_weight + belief.logistic_weight;
            prop_assert!(off(weight, 1.0 / belief.variance) < 1e-12);
            // Near their performances the terms pull with π²/6 of their weight (equation 7).
            let terms: f64 = belief
                .terms
                .iter()
                .map(|terms| belief.decay * (terms.pull * terms.steepness).sum())
                .sum();
            let logistic = terms * 6.0 / (std::f64::consts::PI * std::f64::consts::PI);
            prop_assert!((logistic - belief.logistic_weight).abs() < 1e-12 * weight);
        }

        #[test]
        fn two_diffusions_are_one_of_their_sum(
            contests in contests(), rho in rho(), first in 1.0..1e5_f64, second in 1.0..1e5_f64,
        ) {
            let (mut twice, mut once) = (believe(rho, &contests), believe(rho, &contests));
            diffuse(&mut twice, first, rho);
            diffuse(&mut twice, second, rho);
            diffuse(&mut once, first + second, rho);
            for (twice, once) in pulls(&twice).zip(pulls(&once)) {
                prop_assert!(off(twice, once) < 1e-10, "{twice} {once}");
            }
        }

        #[test]
        fn no_diffusion_changes_nothing(contests in contests(), rho in rho()) {
            let before = believe(rho, &contests);
            for (growth, tolerance) in [(0.0, 1e-12), (1e-6, 1e-7)] {
                let mut after = before.clone();
                diffuse(&mut after, growth, rho);
                for (before, after) in pulls(&before).zip(pulls(&after)) {
                    prop_assert!(off(after, before) < tolerance, "{after} {before}");
                }
            }
            // Infinite rho forgets at once, whatever the size.
            let mut memoryless = before.clone();
            diffuse(&mut memoryless, 1e-6, f64::INFINITY);
            let changed = pulls(&before).zip(pulls(&memoryless)).any(|(a, b)| off(a, b) > 1e-4);
            prop_assert_eq!(changed, !contests.is_empty());
        }

        #[test]
        fn diffusion_from_certainty_leaves_a_gaussian(
            contests in contests(), rho in 0.5..5.0_f64, growth in 1.0..1e5_f64,
        ) {
            // Observations a thousand million times as sure as usual.
            let sure: Vec<Contest> = contests
                .into_iter()
                .map(|contest| Contest {
                    growth: contest.growth * 1e-18,
                    performance: 1500.0 + contest.performance * 1e-9,
                    noise: Noise { variance: contest.noise.variance * 1e-18 },
                })
                .collect();
            let mut belief = believe(rho, &sure);
            let known = sure.is_empty();
            diffuse(&mut belief, growth, rho);
            prop_assert!(belief.logistic_weight * belief.variance < 1e-6);
            prop_assert!(known || off(belief.variance, growth) < 1e-12);
            prop_assert!((belief.gaussian_centre - belief.mu).abs() < 1e-6);
            prop_assert!(off(belief.gaussian_weight, 1.0 / belief.variance) < 1e-6);
            // Without transfer the history would stay: the property needs rho above 0.
            let mut kept = believe(0.0, &sure);
            diffuse(&mut kept, growth, 0.0);
            prop_assert!(known || kept.logistic_weight * kept.variance > 0.5);
        }

        #[test]
        fn response_is_bounded_by_the_weights(
            contests in contests(), rho in 0.01..5.0_f64, growth in 1.0..5000.0_f64,
            beta in 50.0..400.0_f64, up in prop::bool::ANY,
        ) {
            // Theorem 5.7.
            let mut belief = believe(rho, &contests);
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
        fn the_rating_balances_all_terms(
            contests in contests(), rho in rho(),
        ) {
            // A bisection of L' between the extremes of what was ever seen.
            let belief = believe(rho, &contests);
            let (mut low, mut high) = (-2000.0, 5000.0);
            for _ in 0..60 {
                let middle = 0.5 * (low + high);
                if belief.pull(middle).value < 0.0 { low = middle } else { high = middle }
            }
            prop_assert!((belief.mu - low).abs() < 1e-9, "{} {low}", belief.mu);
        }

        #[test]
        fn forgetting_preserves_rating_and_weight(
            contests in contests(), rho in rho(), limit in 0..12_usize,
        ) {
            let before = believe(rho, &contests);
            let mut after = before.clone();
            after.forget_beyond(limit);
            prop_assert_eq!(after.count, contests.len().min(limit));
            prop_assert_eq!(after.terms.len(), after.count.div_ceil(LANES));
            prop_assert_eq!(after.mu.to_bits(), before.mu.to_bits());
            prop_assert_eq!(after.variance.to_bits(), before.variance.to_bits());
            prop_assert!(imbalance(&after) < 1e-8, "{}", imbalance(&after));
            let weight = after.gaussian_weight + after.logistic_weight;
            prop_assert!(off(weight, 1.0 / before.variance) < 1e-12);
            // What is kept are the latest performances, in their order.
            for index in 0..after.count {
                let kept = after.terms[index / LANES].performance.0[index % LANES];
                let seen = contests[contests.len() - after.count + index].performance;
                prop_assert_eq!(kept.to_bits(), seen.to_bits());
            }
        }
    }

    /// Believes all contests, and gives the bits of everything that has been settled on.
    struct Believe<'a>(&'a [Contest]);

    impl pulp::NullaryFnOnce for Believe<'_> {
        type Output = [u64; 4];

        #[inline(always)]
        fn call(self) -> [u64; 4] {
            let mut belief = Belief::new(1500.0, 350.0);
            for contest in self.0 {
                diffuse(&mut belief, contest.growth, 0.7);
                belief.observe(contest.performance, contest.noise);
                belief.forget_beyond(12);
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
        let widest = pulp::Arch::new().dispatch(Believe(&contests));
        assert_eq!(widest, pulp::Arch::Scalar.dispatch(Believe(&contests)));
        #[cfg(target_arch = "x86_64")]
        if let Some(v3) = pulp::x86::V3::try_new() {
            assert_eq!(widest, pulp::Arch::V3(v3).dispatch(Believe(&contests)));
        }
    }

    #[test]
    fn newton_never_runs_in_circles() {
        let mut belief = Belief::new(1500.0, 350.0);
        for (growth, performance, variance) in [
            (10.0, 3_845.561_807_979_464, 8_181.443_823_706_555),
            (
                889.906_200_917_380_8,
                697.129_662_537_516,
                31_082.095_028_349_737,
            ),
            (
                4_448.250_638_288_52,
                -497.266_053_965_894,
                34_826.519_157_509_945,
            ),
        ] {
            diffuse(&mut belief, growth, 0.0);
            belief.observe(performance, Noise { variance });
        }
        assert!(imbalance(&belief) < 1e-9, "{}", imbalance(&belief));
        assert!((belief.mu - 844.942).abs() < 1e-3, "{}", belief.mu);
    }
}
