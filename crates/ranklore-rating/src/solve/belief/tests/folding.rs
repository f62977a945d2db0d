//! Folding of old performances, compared with a direct implementation that keeps all of them.

use super::*;

/// Algorithms 2 and 3 of the paper as printed: keeps every performance with its own weight.
struct LongForm {
    mu: f64,
    variance: f64,
    gaussian_weight: f64,
    gaussian_centre: f64,
    /// Weights of all performances, in runs of eight; the weight of unused lanes is 0.
    weight: Vec<Lanes>,
    performance: Vec<Lanes>,
    scale: Vec<Lanes>,
    count: usize,
    smallest_scale: f64,
}

impl LongForm {
    fn new(mu: f64, sigma: f64) -> Self {
        Self {
            mu,
            variance: sigma * sigma,
            gaussian_weight: 1.0 / (sigma * sigma),
            gaussian_centre: mu,
            weight: Vec::new(),
            performance: Vec::new(),
            scale: Vec::new(),
            count: 0,
            smallest_scale: f64::INFINITY,
        }
    }

    fn rate(&mut self, rho: f64, contest: &Contest) {
        let kappa = 1.0 / (1.0 + contest.growth / self.variance);
        let retained = libm::pow(kappa, rho);
        let gaussian = retained * self.gaussian_weight;
        let transferred = (1.0 - retained) / self.variance;
        if gaussian + transferred > 0.0 {
            let moved = transferred / (gaussian + transferred) * (self.mu - self.gaussian_centre);
            self.gaussian_centre += moved;
        }
        self.gaussian_weight = kappa * (gaussian + transferred);
        for weight in &mut self.weight {
            *weight = *weight * Lanes::splat(kappa * retained);
        }
        self.variance += contest.growth;

        let lane = self.count % LANES;
        let scale = contest.noise.scale();
        if lane == 0 {
            self.weight.push(Lanes::ZERO);
            self.performance.push(Lanes::splat(contest.performance));
            self.scale.push(Lanes::ONE);
        }
        let block = self.count / LANES;
        self.weight[block].0[lane] = 1.0 / contest.noise.variance;
        self.performance[block].0[lane] = contest.performance;
        self.scale[block].0[lane] = scale;
        self.count += 1;
        self.smallest_scale = self.smallest_scale.min(scale);
        self.variance = 1.0 / (1.0 / self.variance + 1.0 / contest.noise.variance);
        let search = Search {
            low: self.mu.min(contest.performance),
            high: self.mu.max(contest.performance),
            start: self.mu,
            last_step: 1e-7 * self.smallest_scale,
        };
        self.mu = search.zero_of_decreasing(|s| self.probe(s));
    }

    fn probe(&self, s: f64) -> Probe {
        let mut value = Lanes::ZERO;
        let mut slope = Lanes::ZERO;
        for ((&weight, &performance), &scale) in
            self.weight.iter().zip(&self.performance).zip(&self.scale)
        {
            // A logistic term of weight w pulls with w·β²/β̄·tanh((s − p)/2β̄); β² = π²/3·β̄².
            let pull = weight * scale * Lanes::splat(PI * PI / 3.0);
            let tanh = tanh_lanes((Lanes::splat(s) - performance) / (scale + scale));
            value += pull * tanh;
            slope += pull / (scale + scale) * (Lanes::ONE - tanh * tanh);
        }
        let value = self.gaussian_weight * (s - self.gaussian_centre) + value.sum();
        Probe {
            value: -value,
            step: -value / (self.gaussian_weight + slope.sum()),
        }
    }
}

/// Knuth's MMIX generator.
struct Random(u64);

impl Random {
    fn between(&mut self, low: f64, high: f64) -> f64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        low + (high - low) * ((self.0 >> 33) as f64 / f64::from(1_u32 << 31))
    }

    /// A performance around a skill of 1,800; every twentieth is off by up to 3,000.
    fn performance(&mut self) -> f64 {
        if self.between(0.0, 20.0) < 1.0 {
            self.between(-1200.0, 4800.0)
        } else {
            (0..4).fold(1800.0, |sum, _| sum + self.between(-200.0, 200.0))
        }
    }
}

/// A contest of weight `weight` as `elo-mmr` with `sigma_limit` 80 sees it, with `drift` points²
/// gained since the last one.
fn contest(weight: f64, drift: f64, performance: f64) -> Contest {
    let limit = 80.0 * 80.0;
    Contest {
        growth: weight * limit + drift,
        performance,
        noise: Noise {
            variance: (1.0 + 1.0 / weight) * limit,
        },
    }
}

/// Contests with the default parameters.
fn ordinary_career(length: usize) -> impl Iterator<Item = Contest> {
    even_career(0.2, length)
}

/// Contests with a given `weight_limit`.
fn even_career(weight: f64, length: usize) -> impl Iterator<Item = Contest> {
    let mut random = Random(11);
    (0..length).map(move |_| contest(weight, 0.0, random.performance()))
}

/// Contests of weights from 2e-7 to 2e5, most of them ordinary, and absences of up to 30 years at
/// 10 points² a day.
fn uneven_career(length: usize) -> impl Iterator<Item = Contest> {
    let mut random = Random(12);
    (0..length).map(move |_| {
        let weight = match random.between(0.0, 10.0) {
            ..1.0 => libm::pow(10.0, random.between(-6.0, 6.0)),
            ..5.0 => random.between(0.3, 3.0),
            _ => 1.0,
        };
        let absent = random.between(0.0, 200.0) < 1.0;
        let drift = random.between(0.0, if absent { 1e5 } else { 100.0 });
        contest(0.2 * weight, drift, random.performance())
    })
}

/// Returns the largest difference between the folded ratings and those of the long form.
fn largest_error(rho: f64, career: impl Iterator<Item = Contest>) -> f64 {
    let mut folded = MmrBelief::new(1500.0, 350.0);
    let mut long = LongForm::new(1500.0, 350.0);
    let mut worst = 0.0_f64;
    for contest in career {
        diffuse(&mut folded, contest.growth, rho);
        folded.observe(contest.performance, contest.noise);
        long.rate(rho, &contest);
        assert!(folded.mu.is_finite() && long.mu.is_finite());
        worst = worst.max((folded.mu - long.mu).abs());
        assert!(relative_error(folded.variance, long.variance) < 1e-9);
    }
    assert!(folded.count < long.count, "nothing was folded");
    worst
}

const RHO: [f64; 5] = [0.0, 0.04, 0.3, 1.0, 3.0];

#[test]
fn folding_preserves_ratings() {
    // Without folding, the Gaussian's weight underflows at ρ = 0, to 0 after 680 contests of weight 2.
    for (weight, length) in [(0.2, 5_000), (2.0, 1_500)] {
        for rho in RHO {
            let worst = largest_error(rho, even_career(weight, length));
            println!("weight {weight}, rho {rho}: off by {worst:.1e} at most");
            assert!(worst < 1e-8, "weight {weight}, rho {rho}: off by {worst:e}");
        }
    }
}

#[test]
fn folding_preserves_ratings_of_uneven_careers() {
    for rho in RHO {
        let worst = largest_error(rho, uneven_career(4_000));
        println!("uneven, rho {rho}: off by {worst:.1e} at most");
        assert!(worst < 1e-8, "rho {rho}: off by {worst:e}");
    }
}

#[test]
#[ignore = "the long form takes 15 minutes in a release build"]
fn folding_preserves_ratings_of_100_000_contests() {
    std::thread::scope(|scope| {
        for rho in RHO {
            scope.spawn(move || {
                let worst = largest_error(rho, ordinary_career(100_000));
                println!("rho {rho}: off by {worst:.1e} at most");
                assert!(worst < 1e-8, "rho {rho}: off by {worst:e}");
            });
        }
    });
}

/// Returns the number of terms summed in all contests, and the largest memory of the belief.
fn work_and_memory(rho: f64, career: impl Iterator<Item = Contest>) -> (usize, usize) {
    let mut belief = MmrBelief::new(1500.0, 350.0);
    let mut work = 0;
    let mut memory = 0;
    for contest in career {
        diffuse(&mut belief, contest.growth, rho);
        belief.observe(contest.performance, contest.noise);
        work += belief.terms.len() * LANES;
        memory = memory.max(belief.heap_bytes());
    }
    (work, memory)
}

#[test]
fn work_is_linear_in_contests() {
    for (rho, most) in [(0.0, 300), (0.04, 250), (0.3, 190), (1.0, 130), (3.0, 70)] {
        let (half, memory) = work_and_memory(rho, ordinary_career(10_000));
        let (total, memory_of_total) = work_and_memory(rho, ordinary_career(20_000));
        let terms = total / 20_000;
        println!("rho {rho}: {terms} terms, {memory} bytes");
        // The first few hundred contests have fewer terms.
        assert!(total < 2 * half + 2 * most * most);
        assert!(terms < most, "rho {rho}: {terms} terms");
        assert_eq!(memory_of_total, memory);
        assert!(memory <= most * 3 / 2 * size_of::<Terms>() / LANES);
    }
}

#[test]
fn memory_of_uneven_careers_is_bounded() {
    for rho in RHO {
        let (_, half) = work_and_memory(rho, uneven_career(10_000));
        let (_, total) = work_and_memory(rho, uneven_career(20_000));
        println!("uneven, rho {rho}: {half} bytes, {total} bytes");
        assert!(total < 20_000, "rho {rho}: {half} {total}");
    }
}

#[test]
fn performances_without_decay_are_kept() {
    // With a weight of 1e-5 per contest more than a million terms are within the bound.
    let mut random = Random(13);
    let mut belief = MmrBelief::new(1500.0, 80.0);
    for _ in 0..2_000 {
        let contest = contest(1e-5, 0.0, random.performance());
        diffuse(&mut belief, contest.growth, 1.0);
        belief.observe(contest.performance, contest.noise);
    }
    assert_eq!(belief.count, 2_000);
}

#[test]
fn folding_at_extremes_keeps_ratings_finite() {
    let weights = [1e-12, 1.0, 1e12];
    for rho in [0.0, 1e-300, 1e-6, 1.0, 1e300, f64::INFINITY] {
        for sigma in [1e-3, 1e6] {
            let mut belief = MmrBelief::new(1500.0, sigma);
            let mut random = Random(14);
            for round in 0..600 {
                // Runs of equal weights, so that whole blocks have them.
                let weight = weights[round / 20 % weights.len()];
                let drift = [0.0, 1e13][round / 60 % 2];
                let contest = contest(weight, drift, random.performance());
                diffuse(&mut belief, contest.growth, rho);
                belief.observe(contest.performance, contest.noise);
                assert!((-1e4..1e4).contains(&belief.mu), "{}", belief.mu);
                assert!(belief.variance > 0.0);
            }
        }
    }
}
