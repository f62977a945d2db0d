//! Expected ranks under Gaussian performances: for each entrant ½ + Σ P(an opponent does better),
//! all opponents counted, in near-linear time.
//!
//! An entrant of rating μ and deviation v performs at N(μ, v²), and the probability is Φ of the
//! difference over `√(v_i² + v_j²)`. Its Fourier series over a period that contains all
//! differences is
//!
//! ```text
//! Φ((μ_j − μ_i)/√(v_i² + v_j²)) = ½ + Σ_m 2/(π·n)·exp(−ω²(v_i² + v_j²)/2)·sin ω(μ_j − μ_i)
//! n = 2m + 1, ω = 2π·n/period
//! ```
//!
//! whose terms are products of one factor for j and one for i: the opponents are summed once for
//! each wave, and each entrant then takes one sum over the waves. Waves are needed until those of
//! the narrowest pair have decayed. A few entrants of small deviation would need very many; those
//! are compared among themselves separately, by the same method or pairwise, whichever costs less.

use std::f64::consts::{FRAC_2_PI, FRAC_PI_2, PI};

use pulp::Arch;
use rayon::prelude::*;

use crate::numerics::dispatch::dispatch;
use crate::numerics::lanes::{LANES, Lanes};
use crate::solve::performance::distribution;

/// Expectations from a contest's ratings and deviations.
pub(crate) struct ExpectedRanks {
    /// Expected rank of each entrant, in the order given; a lone favourite's is ½.
    pub(crate) ranks: Vec<f64>,
    /// √(mean v² + variance of μ): one unit of the normal scale, in rating points.
    pub(crate) spread: f64,
}

/// Computes the expected ranks among entrants of these ratings and deviations (above 0). Deviations
/// are divided by `narrowing` for the ranks, not for the spread.
///
/// Ranks agree with the direct sum to about 1e-15 of the number of entrants; the bits do not depend
/// on the order of the entrants.
pub(crate) fn expected_ranks(entrants: &[(f64, f64)], narrowing: f64) -> ExpectedRanks {
    expected_ranks_on(entrants, narrowing, Arch::new())
}

/// Computes with the vector instructions of `arch`.
fn expected_ranks_on(entrants: &[(f64, f64)], narrowing: f64, arch: Arch) -> ExpectedRanks {
    let mut order: Vec<u32> = (0..entrants.len() as u32).collect();
    let key = |entrant: u32| entrants[entrant as usize];
    order.sort_unstable_by(|&a, &b| {
        let ((mu_a, v_a), (mu_b, v_b)) = (key(a), key(b));
        v_a.total_cmp(&v_b).then(mu_a.total_cmp(&mu_b))
    });
    // Equal entrants, such as newcomers, are merged.
    let mut distinct_entrants: Vec<((f64, f64), f64)> = Vec::with_capacity(order.len());
    let mut place = vec![0_u32; order.len()];
    for entrant in order {
        match distinct_entrants.last_mut() {
            Some((last, weight)) if *last == key(entrant) => *weight += 1.0,
            _ => distinct_entrants.push((key(entrant), 1.0)),
        }
        place[entrant as usize] = distinct_entrants.len() as u32 - 1;
    }
    let chunks: Vec<Chunk> = distinct_entrants
        .chunks(LANES)
        .map(|chunk| Chunk::new(chunk, narrowing))
        .collect();
    let ranks = ranks(&chunks, arch);
    let places = place.iter().map(|&place| place as usize);
    ExpectedRanks {
        ranks: places.map(|place| ranks[place / LANES].0[place % LANES]).collect(),
        spread: spread(&distinct_entrants, entrants.len() as f64),
    }
}

fn spread(distinct_entrants: &[((f64, f64), f64)], count: f64) -> f64 {
    let sum = |number: &dyn Fn(f64, f64) -> f64| -> f64 {
        distinct_entrants.iter().map(|&((mu, v), weight)| weight * number(mu, v)).sum()
    };
    let mean = sum(&|mu, _| mu) / count;
    let square = sum(&|_, v| v * v) / count;
    let variance = sum(&|mu, _| (mu - mean) * (mu - mean)) / (count - 1.0);
    (square + variance).sqrt()
}

/// Eight groups of equal entrants and their sizes.
#[derive(Clone, Copy)]
struct Chunk {
    mu: Lanes,
    deviation: Lanes,
    weight: Lanes,
}

impl Chunk {
    fn new(distinct_entrants: &[((f64, f64), f64)], narrowing: f64) -> Self {
        let filling = (distinct_entrants[distinct_entrants.len() - 1].0, 0.0);
        let at = |lane: usize| distinct_entrants.get(lane).copied().unwrap_or(filling);
        Self {
            mu: Lanes(std::array::from_fn(|lane| at(lane).0.0)),
            deviation: Lanes(std::array::from_fn(|lane| at(lane).0.1 / narrowing)),
            weight: Lanes(std::array::from_fn(|lane| at(lane).1)),
        }
    }

    /// Returns the smallest deviation.
    fn narrowest(&self) -> f64 {
        self.deviation.0[0]
    }

    /// Returns the largest deviation.
    fn widest(&self) -> f64 {
        self.deviation.0[LANES - 1]
    }
}

fn weight(chunks: &[Chunk]) -> f64 {
    chunks.iter().map(|chunk| chunk.weight.sum()).sum()
}

/// Lowest and highest rating.
fn range(chunks: &[Chunk]) -> (f64, f64) {
    let ratings = chunks.iter().flat_map(|chunk| chunk.mu.0);
    (
        ratings.clone().fold(f64::INFINITY, f64::min),
        ratings.fold(f64::NEG_INFINITY, f64::max),
    )
}

/// The expected rank of each entrant among those of `chunks`, which are sorted by deviation.
fn ranks(chunks: &[Chunk], arch: Arch) -> Vec<Lanes> {
    let (narrow, waves) = choose_split(chunks);
    let Some(waves) = waves else {
        return compare_pairwise(chunks, arch);
    };
    let (narrow, wide) = chunks.split_at(narrow);
    // Narrow entrants meet only wide ones here; wide ones meet all.
    let wide_sums = waves.sum(wide, arch);
    let narrow_sums = waves.sum(narrow, arch);
    let all_sums: Vec<[f64; 2]> = wide_sums
        .iter()
        .zip(&narrow_sums)
        .map(|(a, b)| [a[0] + b[0], a[1] + b[1]])
        .collect();
    let mut ranks = ranks_of_narrow(narrow, arch);
    let half_of_wide = Lanes::splat(0.5 * weight(wide));
    for (rank, rank_sum) in ranks.iter_mut().zip(waves.at(narrow, &wide_sums, arch)) {
        *rank += half_of_wide + rank_sum;
    }
    let half_of_all = Lanes::splat(0.5 * weight(chunks));
    let wide = waves.at(wide, &all_sums, arch).into_iter();
    ranks.extend(wide.map(|rank_sum| half_of_all + rank_sum));
    ranks
}

fn ranks_of_narrow(narrow: &[Chunk], arch: Arch) -> Vec<Lanes> {
    if narrow.is_empty() {
        Vec::new()
    } else {
        ranks(narrow, arch)
    }
}

/// Upper bound of waves in a sum; more would not fit the cache.
const MAX_WAVES: usize = 1 << 15;

/// Cost of one entrant against eight, in steps from wave to wave.
const COMPARISON_COST: f64 = 9.0;

/// Cost in steps of starting the waves of a chunk, and of using waves at all.
const CHUNK_COST: usize = 20;
const SETUP_COST: usize = 80;

/// Chooses the number of chunks to compare separately among themselves, and the waves for the rest;
/// no waves if comparing all pairwise costs least.
fn choose_split(chunks: &[Chunk]) -> (usize, Option<Waves>) {
    let (lowest, highest) = range(chunks);
    let widest = chunks[chunks.len() - 1].widest();
    let centre = 0.5 * lowest + 0.5 * highest;
    let period = 2.0 * (highest - lowest + PERIOD_MARGIN * widest);
    let compare = |count: usize| {
        let last = chunks[..count].last();
        let reach = last.map_or(0.0, |last| PAIR_REACH * last.widest());
        // Assumes that ratings are spread evenly over half their range.
        let near = (4.0 * reach / (highest - lowest)).min(1.0);
        let entrants = (count * LANES) as f64;
        COMPARISON_COST * entrants * (count as f64 * near + 1.0)
    };
    let mut best = (chunks.len(), None);
    let mut least = compare(chunks.len());
    let mut narrow = 0;
    while narrow < chunks.len() {
        let first = chunks[0].narrowest();
        let other = chunks[narrow].narrowest();
        let waves = Waves {
            centre,
            period,
            count_limit: count_waves(period, PAIR_DECAY, (first * first + other * other).sqrt()),
        };
        let walks = chunks.iter().map(|chunk| 2 * waves.waves_of(chunk));
        let steps = walks.map(|steps| steps + CHUNK_COST).sum::<usize>() + SETUP_COST;
        let cost = compare(narrow) + steps as f64;
        if cost < least && waves.count_limit <= MAX_WAVES {
            least = cost;
            best = (narrow, Some(waves));
        }
        narrow = (2 * narrow).max(1);
    }
    best
}

/// Differences of ratings beyond this many deviations of a pair are certain: Φ is 0 or 1 to 1e-19.
/// Includes √2 for the sum of two variances.
const PAIR_REACH: f64 = 9.0 * std::f64::consts::SQRT_2;

/// The period contains all differences and this many of the largest deviations: 7.5 deviations of a
/// pair, beyond which Φ is 0 or 1 to 3e-14.
const PERIOD_MARGIN: f64 = 7.5 * std::f64::consts::SQRT_2;

/// Waves decayed to e^−32 are negligible for pairs: with all beyond them, 3e-16.
const PAIR_DECAY: f64 = 32.0;

/// Waves decayed to e^−36 are negligible for a single entrant, whoever the opponent.
const ENTRANT_DECAY: f64 = 36.0;

/// Number of waves until exp(−ω²v²/2) has decayed to e^−`faded`.
fn count_waves(period: f64, faded: f64, v: f64) -> usize {
    let omega = (2.0 * faded).sqrt() / v;
    // The conversion saturates for huge counts.
    (omega * period / (4.0 * PI)).ceil() as usize + 1
}

/// Waves between recomputations from scratch, which bound the error of the recurrence.
const STRIDE: usize = 64;

/// Chunks of entrants per block; threads share blocks, summed in their order.
const BLOCK_CHUNKS: usize = 64;

/// The waves of one sum.
#[derive(Clone, Copy)]
struct Waves {
    centre: f64,
    period: f64,
    count_limit: usize,
}

impl Waves {
    /// Returns the number of waves of a chunk.
    fn waves_of(&self, chunk: &Chunk) -> usize {
        count_waves(self.period, ENTRANT_DECAY, chunk.narrowest()).min(self.count_limit)
    }

    /// Returns Σ weight·exp(−ω²v²/2 + iωμ) times 2/(π·n) of each wave: real and imaginary part.
    fn sum(&self, chunks: &[Chunk], arch: Arch) -> Vec<[f64; 2]> {
        let blocks: Vec<Vec<[f64; 2]>> =
            in_parallel(chunks, |block| dispatch!(arch, sum_of_block(self, block)));
        let mut sum = vec![[0.0; 2]; self.count_limit];
        for block in blocks {
            for (sum, more) in sum.iter_mut().zip(block) {
                sum[0] += more[0];
                sum[1] += more[1];
            }
        }
        for (wave, sum) in sum.iter_mut().enumerate() {
            let share = FRAC_2_PI / (2 * wave + 1) as f64;
            *sum = sum.map(|part| part * share);
        }
        sum
    }

    /// Returns each entrant's sum over the waves of `sums`.
    fn at(&self, chunks: &[Chunk], sums: &[[f64; 2]], arch: Arch) -> Vec<Lanes> {
        let blocks: Vec<Vec<Lanes>> =
            in_parallel(chunks, |block| dispatch!(arch, block_at(self, block, sums)));
        blocks.concat()
    }

    /// Calls `each` with the index of each wave of a chunk, and its exp(−ω²v²/2 + iωμ).
    #[inline(always)]
    fn for_each_wave(&self, chunk: &Chunk, mut each: impl FnMut(usize, Lanes, Lanes)) {
        let waves = self.waves_of(chunk);
        let turns = (chunk.mu - Lanes::splat(self.centre)) * Lanes::splat(1.0 / self.period);
        let reach = chunk.deviation * Lanes::splat(2.0 * PI / self.period);
        // Half of (ω·v)² of the first wave; that of the n-th odd one is n² times as large.
        let fading = Lanes::splat(0.5) * reach * reach;
        let faded = |by: f64| (-(fading * Lanes::splat(by))).at_least(-700.0).exp();
        let (turn_cos, turn_sin) = cos_sin(turns + turns);
        let quicken = faded(8.0);
        let mut first = 0;
        while first < waves {
            let n = (2 * first + 1) as f64;
            let (cos, sin) = cos_sin(turns * Lanes::splat(n));
            let size = faded(n * n);
            let mut re = size * cos;
            let mut im = size * sin;
            let step = faded(4.0 * n + 4.0);
            let mut step_re = step * turn_cos;
            let mut step_im = step * turn_sin;
            let end = (first + STRIDE).min(waves);
            for wave in first..end {
                each(wave, re, im);
                (re, im) = (re * step_re - im * step_im, re * step_im + im * step_re);
                step_re = step_re * quicken;
                step_im = step_im * quicken;
            }
            first = end;
        }
    }
}

/// Applies `work` to blocks of chunks and returns the results in their order.
fn in_parallel<T: Send>(chunks: &[Chunk], work: impl Fn(&[Chunk]) -> T + Send + Sync) -> Vec<T> {
    if chunks.len() > BLOCK_CHUNKS {
        chunks.par_chunks(BLOCK_CHUNKS).map(work).collect()
    } else {
        chunks.chunks(BLOCK_CHUNKS).map(work).collect()
    }
}

#[inline(always)]
fn sum_of_block(waves: &Waves, block: &[Chunk]) -> Vec<[f64; 2]> {
    // By deviation: the first chunk has the most waves.
    let most = block.first().map_or(0, |chunk| waves.waves_of(chunk));
    let mut sums = vec![[Lanes::ZERO; 2]; most];
    for chunk in block {
        let weight = chunk.weight;
        waves.for_each_wave(
            chunk,
            #[inline(always)]
            |wave, re, im| {
                sums[wave][0] += weight * re;
                sums[wave][1] += weight * im;
            },
        );
    }
    sums.iter().map(|sum| sum.map(Lanes::sum)).collect()
}

#[inline(always)]
fn block_at(waves: &Waves, block: &[Chunk], sums: &[[f64; 2]]) -> Vec<Lanes> {
    let mut totals = Vec::with_capacity(block.len());
    for chunk in block {
        let mut total = Lanes::ZERO;
        waves.for_each_wave(
            chunk,
            #[inline(always)]
            |wave, re, im| {
                let [sum_re, sum_im] = sums[wave];
                total += Lanes::splat(sum_im) * re - Lanes::splat(sum_re) * im;
            },
        );
        totals.push(total);
    }
    totals
}

/// Cosine and sine of `turns` full turns, within 1e-15.
#[inline(always)]
fn cos_sin(turns: Lanes) -> (Lanes, Lanes) {
    // Adding and subtracting 1.5·2^52 rounds to an integer.
    const ROUND: Lanes = Lanes([6_755_399_441_055_744.0; LANES]);
    const SIN: [f64; 7] = [
        -1.0 / 6.0,
        1.0 / 120.0,
        -1.0 / 5_040.0,
        1.0 / 362_880.0,
        -1.0 / 39_916_800.0,
        1.0 / 6_227_020_800.0,
        -1.0 / 1_307_674_368_000.0,
    ];
    const COS: [f64; 8] = [
        -1.0 / 2.0,
        1.0 / 24.0,
        -1.0 / 720.0,
        1.0 / 40_320.0,
        -1.0 / 3_628_800.0,
        1.0 / 479_001_600.0,
        -1.0 / 87_178_291_200.0,
        1.0 / 20_922_789_888_000.0,
    ];
    // A quarter of the angle, at most π/4, by Taylor's series; then doubled twice.
    let y = (turns - ((turns + ROUND) - ROUND)) * Lanes::splat(FRAC_PI_2);
    let square = y * y;
    let mut sin = Lanes::ZERO;
    let mut cos = Lanes::ZERO;
    for &c in SIN.iter().rev() {
        sin = sin * square + Lanes::splat(c);
    }
    for &c in COS.iter().rev() {
        cos = cos * square + Lanes::splat(c);
    }
    let mut sin = y + y * square * sin;
    let mut cos = Lanes::ONE + square * cos;
    for _ in 0..2 {
        let product = sin * cos;
        cos = Lanes::ONE - (sin + sin) * sin;
        sin = product + product;
    }
    (cos, sin)
}

/// The direct sum; opponents far off count without evaluation.
fn compare_pairwise(chunks: &[Chunk], arch: Arch) -> Vec<Lanes> {
    let mut order: Vec<(f64, u32)> = chunks.iter().flat_map(|chunk| chunk.mu.0).zip(0..).collect();
    order.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    let pick = |part: fn(&Chunk) -> &Lanes, index: u32| {
        part(&chunks[index as usize / LANES]).0[index as usize % LANES]
    };
    let by_rating: Vec<Chunk> = order
        .chunks_exact(LANES)
        .map(|eight| {
            let lanes = |part: fn(&Chunk) -> &Lanes| {
                Lanes(std::array::from_fn(|lane| pick(part, eight[lane].1)))
            };
            Chunk {
                mu: lanes(|chunk| &chunk.mu),
                deviation: lanes(|chunk| &chunk.deviation),
                weight: lanes(|chunk| &chunk.weight),
            }
        })
        .collect();
    let reach = chunks.last().map_or(0.0, |last| PAIR_REACH * last.widest());
    let compared =
        in_parallel(&by_rating, |block| dispatch!(arch, compare_block(block, &by_rating, reach)));
    let mut ranks = vec![Lanes::ZERO; chunks.len()];
    for (&(_, index), rank) in order.iter().zip(compared.into_iter().flatten()) {
        ranks[index as usize / LANES].0[index as usize % LANES] = rank;
    }
    ranks
}

#[inline(always)]
fn compare_block(block: &[Chunk], all: &[Chunk], reach: f64) -> Vec<f64> {
    let mut ranks = Vec::with_capacity(block.len() * LANES);
    let first = block.first().map_or(0.0, |chunk| chunk.mu.0[0]);
    let mut low = all.partition_point(|chunk| chunk.mu.0[LANES - 1] < first - reach);
    let mut high = low;
    let mut above = weight(&all[high..]);
    for entrants in block {
        for lane in 0..LANES {
            let mu = entrants.mu.0[lane];
            let deviation = entrants.deviation.0[lane];
            while all[low].mu.0[LANES - 1] < mu - reach {
                low += 1;
            }
            while high < all.len() && all[high].mu.0[0] <= mu + reach {
                above -= all[high].weight.sum();
                high += 1;
            }
            let square = Lanes::splat(deviation * deviation);
            let mut sum = Lanes::ZERO;
            for chunk in &all[low..high] {
                let pair = (chunk.deviation * chunk.deviation + square).sqrt();
                sum += chunk.weight * distribution((chunk.mu - Lanes::splat(mu)) / pair);
            }
            ranks.push(above + sum.sum());
        }
    }
    ranks
}

#[cfg(test)]
mod tests;
