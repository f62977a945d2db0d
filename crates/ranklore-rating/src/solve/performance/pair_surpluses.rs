//! Surpluses: scores of entrants against all others beyond expectation, with the uncertainty of
//! both entrants of a pair. With `s` an entrant's own scale,
//! ```text
//! surplus_i = Σ_j (s_ij − F((μ_i − μ_j)/δ̄_ij))/δ̄_ij        δ̄_ij² = s_i² + s_j²
//! ```
//!
//! `s_ij` being 1 for a win and ½ for a tie. For a fixed `s_i` this is a function of `μ_i` like any
//! expected losses, and can be tabulated. In `s_i` it is analytic except for `s_i² ≤ −s_j²`, so it
//! is interpolated in `ln(s_i² + min s²)`, where the singularity is at a distance of π: tables at
//! some nodes of `s` serve all entrants. In contests too small for the tables the sums are direct,
//! each pair once, since one entrant's gain is the other's loss.

use std::f64::consts::PI;

use pulp::Arch;
use rayon::prelude::*;

use super::{ExpectedLosses, Opponents, field};
use crate::numerics::dispatch::dispatch;
use crate::numerics::lanes::{LANES, Lanes};
use crate::system::group_ranges;

/// Interpolation error in `s`, relative to the largest value: far below a rating's digits.
const PRECISION: f64 = 3e-11;

/// Cost of one entrant's value from one table, in nodes over one opponent.
const VALUE_COST: f64 = 50.0;

/// Cost of one pair in the direct sums, in nodes over one opponent.
const PAIR_COST: f64 = 1.5;

/// Chunks of eight entrants per task, each with all later entrants. Fixed, so that the number of
/// threads changes no bit.
const TASK_CHUNKS: usize = 16;

/// Beyond this many scales a probability is 1e-304, with a finite exponential.
const TAIL_CUT_OFF: f64 = 700.0;

/// Computes the surplus of every entrant, given ratings, own scales and ties.
pub(crate) fn surpluses(opponents: &Opponents<'_>) -> Vec<f64> {
    opponents.assert_valid();
    match SumMethod::choose(opponents) {
        SumMethod::Tables(nodes) => nodes.surpluses(opponents),
        SumMethod::Pairs => PairSums::new(opponents).surpluses(Arch::new()),
    }
}

/// Method of computing surpluses.
enum SumMethod {
    /// Tables at some nodes of `s²`: their number and size do not grow with the contest.
    Tables(ScaleNodes),
    /// Direct sums over all pairs.
    Pairs,
}

impl SumMethod {
    /// Chooses the cheaper method. Measured with sigmas of 20 to 350 points and of 60 to 120, with
    /// little and with much noise: both take equally long if tables cost 1.2 to 1.9 times as many
    /// nodes as there are entrants, which is at 700 to 3,000 of them.
    fn choose(opponents: &Opponents<'_>) -> Self {
        let tables = Self::Tables(ScaleNodes::new(opponents));
        if tables.cost(opponents) < Self::Pairs.cost(opponents) {
            tables
        } else {
            Self::Pairs
        }
    }

    /// Returns the cost per entrant, in nodes over one opponent.
    fn cost(&self, opponents: &Opponents<'_>) -> f64 {
        match self {
            Self::Tables(nodes) => nodes.cost(opponents),
            Self::Pairs => PAIR_COST * opponents.mu.len() as f64,
        }
    }
}

/// The nodes of `s²` that have tables.
struct ScaleNodes {
    /// The smallest s² of all entrants.
    min_square: f64,
    /// Middle and half-width of ln(s² + least).
    middle: f64,
    half_width: f64,
    /// Chebyshev nodes on −1 … 1.
    at: Vec<f64>,
}

impl ScaleNodes {
    fn new(opponents: &Opponents<'_>) -> Self {
        let squares = opponents.scale.iter().map(|scale| scale * scale);
        let (least, most) = squares.fold((f64::INFINITY, 0.0_f64), |(least, most), square| {
            (least.min(square), most.max(square))
        });
        let low = libm::log(least + least);
        let high = libm::log(most + least);
        let half_width = 0.5 * (high - low);
        // The error falls by this factor with every node (Bernstein's ellipse).
        let count = if half_width > 0.0 {
            let distance = PI / half_width;
            let factor = distance + (1.0 + distance * distance).sqrt();
            libm::ceil(-libm::log(PRECISION) / libm::log(factor)) as usize
        } else {
            1
        };
        Self {
            min_square: least,
            middle: 0.5 * (low + high),
            half_width,
            at: (0..count)
                .map(|node| libm::cos(PI * (2 * node + 1) as f64 / (2 * count) as f64))
                .collect(),
        }
    }

    /// Returns s² at each node.
    fn squares(&self) -> impl Iterator<Item = f64> + '_ {
        self.at
            .iter()
            .map(|node| libm::exp(self.middle + self.half_width * node) - self.min_square)
    }

    /// Returns the cost of the tables per entrant, in nodes over one opponent.
    fn cost(&self, opponents: &Opponents<'_>) -> f64 {
        let ratings = opponents.mu.iter().copied();
        let low = ratings.clone().reduce(f64::min).unwrap_or(0.0);
        let high = ratings.reduce(f64::max).unwrap_or(0.0);
        self.squares()
            .map(|square| {
                let pieces = field::count_pieces(low, high, (square + self.min_square).sqrt());
                pieces * field::NODES as f64 + VALUE_COST
            })
            .sum()
    }

    fn surpluses(&self, opponents: &Opponents<'_>) -> Vec<f64> {
        let count = opponents.mu.len();
        let at_nodes: Vec<Vec<f64>> = self
            .squares()
            .map(|square| {
                let scale: Vec<f64> =
                    opponents.scale.iter().map(|scale| (square + scale * scale).sqrt()).collect();
                surpluses_at_scale(&Opponents {
                    scale: &scale,
                    ..*opponents
                })
            })
            .collect();
        let entrants = (0..count).into_par_iter().map(|entrant| {
            let scale = opponents.scale[entrant];
            let at = (libm::log(scale * scale + self.min_square) - self.middle) / self.half_width;
            self.interpolate(at, |node| at_nodes[node][entrant])
        });
        entrants.collect()
    }

    /// Interpolates at a point of −1 … 1, by the barycentric formula.
    fn interpolate(&self, at: f64, value: impl Fn(usize) -> f64) -> f64 {
        if self.at.len() == 1 {
            return value(0);
        }
        let mut sum = 0.0;
        let mut weights = 0.0;
        let mut sign = 1.0;
        for (index, &node) in self.at.iter().enumerate() {
            if at == node {
                return value(index);
            }
            let weight = sign * (1.0 - node * node).sqrt() / (at - node);
            sum += weight * value(index);
            weights += weight;
            sign = -sign;
        }
        sum / weights
    }
}

/// The surpluses of all entrants for a common own scale, with the scales of pairs given.
fn surpluses_at_scale(opponents: &Opponents<'_>) -> Vec<f64> {
    let losses = ExpectedLosses::new(opponents);
    let bounds = losses.bounds();
    let losses = losses.tabulated(bounds, opponents.mu.len(), 1.0);
    let mut surpluses: Vec<f64> =
        losses.at_each(opponents.mu).iter().map(|expected| expected.value).collect();
    for (group, members) in group_ranges(opponents.groups).enumerate() {
        let (before, tied) = losses.weights(group);
        for surplus in &mut surpluses[members] {
            *surplus -= before + 0.5 * tied;
        }
    }
    surpluses
}

/// An entrant in the direct sums.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Entrant {
    mu: f64,
    square: f64,
    /// The tie group.
    place: f64,
    /// 1, or 0 for the padding of the last chunk.
    weight: f64,
}

/// Entrants by place, within a tie by rating and scale, eight to a chunk.
struct PairSums {
    entrants: Vec<Entrant>,
    /// Index of each of `entrants` in the contest.
    order: Vec<usize>,
    mu: Vec<Lanes>,
    square: Vec<Lanes>,
    place: Vec<Lanes>,
    weight: Vec<Lanes>,
}

impl PairSums {
    fn new(opponents: &Opponents<'_>) -> Self {
        let mut order: Vec<usize> = (0..opponents.mu.len()).collect();
        let mut entrants = Vec::with_capacity(order.len());
        for (group, members) in group_ranges(opponents.groups).enumerate() {
            let members = &mut order[members];
            members.sort_unstable_by(|&a, &b| {
                let by_rating = opponents.mu[a].total_cmp(&opponents.mu[b]);
                by_rating.then_with(|| opponents.scale[a].total_cmp(&opponents.scale[b]))
            });
            entrants.extend(members.iter().map(|&member| Entrant {
                mu: opponents.mu[member],
                square: opponents.scale[member] * opponents.scale[member],
                place: group as f64,
                weight: 1.0,
            }));
        }
        let lanes = |number: fn(&Entrant) -> f64| {
            let chunks = entrants.chunks(LANES).map(|chunk| {
                let last = Entrant {
                    weight: 0.0,
                    ..chunk[chunk.len() - 1]
                };
                let mut lanes = [number(&last); LANES];
                for (lane, entrant) in lanes.iter_mut().zip(chunk) {
                    *lane = number(entrant);
                }
                Lanes(lanes)
            });
            chunks.collect()
        };
        Self {
            mu: lanes(|entrant| entrant.mu),
            square: lanes(|entrant| entrant.square),
            place: lanes(|entrant| entrant.place),
            weight: lanes(|entrant| entrant.weight),
            entrants,
            order,
        }
    }

    fn surpluses(&self, arch: Arch) -> Vec<f64> {
        let tasks: Vec<Vec<Lanes>> = (0..self.mu.len())
            .into_par_iter()
            .step_by(TASK_CHUNKS)
            .map(|first| dispatch!(arch, pairs_from(self, first)))
            .collect();
        let mut sums = vec![Lanes::ZERO; self.mu.len()];
        for (task, task_sums) in tasks.iter().enumerate() {
            for (sum, &task_sums) in sums[task * TASK_CHUNKS..].iter_mut().zip(task_sums) {
                *sum += task_sums;
            }
        }
        let mut surpluses = vec![0.0; self.entrants.len()];
        let mut shared = 0.0;
        for (index, entrant) in self.entrants.iter().enumerate() {
            // Equal rating and scale in one tie give the same bits.
            if index == 0 || *entrant != self.entrants[index - 1] {
                shared = sums[index / LANES].0[index % LANES];
            }
            surpluses[self.order[index]] = shared;
        }
        surpluses
    }
}

/// The pairs of a task's entrants, whose first chunk is `first`, with each other and with all later
/// entrants. Returns the surpluses of all entrants from that chunk on, from these pairs.
#[inline(always)]
fn pairs_from(pairs: &PairSums, first: usize) -> Vec<Lanes> {
    let chunks = pairs.mu.len();
    let mut sums = vec![Lanes::ZERO; chunks - first];
    for chunk in first..(first + TASK_CHUNKS).min(chunks) {
        let entrants = &pairs.entrants[chunk * LANES..];
        for (lane, entrant) in entrants[..entrants.len().min(LANES)].iter().enumerate() {
            // Within its chunk an entrant meets all, itself included, which adds 0.
            let mut total = pairs.surplus(entrant, chunk) * pairs.weight[chunk];
            for other in chunk + 1..chunks {
                let surplus = pairs.surplus(entrant, other);
                total += surplus * pairs.weight[other];
                // The gain of one is the loss of the other.
                sums[other - first] -= surplus;
            }
            sums[chunk - first].0[lane] += total.sum();
        }
    }
    sums
}

impl PairSums {
    /// Returns an entrant's surplus from the pairs with the eight of a chunk.
    #[inline(always)]
    fn surplus(&self, entrant: &Entrant, chunk: usize) -> Lanes {
        let inverse = (Lanes::splat(entrant.square) + self.square[chunk]).inverse_sqrt();
        let ahead = (Lanes::splat(entrant.mu) - self.mu[chunk]) * inverse;
        let odds = ahead.at_most(TAIL_CUT_OFF).at_least(-TAIL_CUT_OFF).exp();
        // The probability of a loss, over δ̄: the value of a win.
        let loss = inverse / (Lanes::ONE + odds);
        let other = &self.place[chunk];
        // By place: all behind, or, in a tie or among these eight, some ahead.
        if other.0[0] > entrant.place {
            return loss;
        }
        let place = Lanes::splat(entrant.place);
        let half = Lanes::splat(0.5);
        let tied_or_ahead = place.select_above(*other, Lanes::ONE, half);
        loss - other.select_above(place, Lanes::ZERO, tied_or_ahead) * inverse
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solve::performance::tests::{assert_same_bits, contests};

    /// The surpluses, term by term.
    fn direct_surpluses(opponents: &Opponents<'_>) -> Vec<f64> {
        let place = |row: usize| opponents.groups.partition_point(|&end| end as usize <= row);
        let term = |row: usize, other: usize| {
            let scale = opponents.scale[row].hypot(opponents.scale[other]);
            let ahead = (opponents.mu[row] - opponents.mu[other]) / scale;
            let score = match place(row).cmp(&place(other)) {
                std::cmp::Ordering::Less => 1.0,
                std::cmp::Ordering::Equal => 0.5,
                std::cmp::Ordering::Greater => 0.0,
            };
            (score - 1.0 / (1.0 + (-ahead).exp())) / scale
        };
        let rows = 0..opponents.mu.len();
        rows.clone()
            .map(|row| rows.clone().map(|other| term(row, other)).sum())
            .collect()
    }

    #[test]
    fn tables_and_pairs_match_direct_sums() {
        for contest in contests() {
            let opponents = contest.opponents();
            let expected = direct_surpluses(&opponents);
            let tables = ScaleNodes::new(&opponents).surpluses(&opponents);
            let pairs = PairSums::new(&opponents).surpluses(Arch::new());
            let count = opponents.mu.len() as f64;
            for (index, expected) in expected.iter().enumerate() {
                assert!((pairs[index] - expected).abs() < 1e-15 * count, "{index}");
                let off = (tables[index] - expected).abs() / count;
                assert!(off < 1e-14, "{index}: {off:e}");
            }
        }
    }

    #[test]
    fn surpluses_sum_to_zero() {
        for contest in contests() {
            let surpluses_of_all = surpluses(&contest.opponents());
            assert!(
                surpluses_of_all.iter().sum::<f64>().abs() < 1e-11 * surpluses_of_all.len() as f64
            );
        }
    }

    #[test]
    fn bits_do_not_depend_on_vector_instructions() {
        for contest in contests() {
            let pairs = PairSums::new(&contest.opponents());
            assert_same_bits(|arch| pairs.surpluses(arch));
        }
    }

    #[test]
    fn table_cost_per_entrant_is_constant() {
        for beta in [1.0_f64, 25.0, 200.0] {
            let mut costs = Vec::new();
            for count in (6..=17).map(|power| 1_u32 << power) {
                // Spread over the same 1,600 points and the same scales, whatever the number.
                let part = |k: u32, parts: u32| {
                    f64::from(k.wrapping_mul(40_503) % parts) / f64::from(parts)
                };
                let mu: Vec<f64> = (0..count).map(|k| 700.0 + 1600.0 * part(k, count)).collect();
                let sigma = |k: u32| 20.0 + 330.0 * part(k, 8191);
                let scale: Vec<f64> = (0..count).map(|k| sigma(k).hypot(beta)).collect();
                let groups: Vec<u32> = (1..=count).collect();
                let opponents = Opponents {
                    mu: &mu,
                    scale: &scale,
                    groups: &groups,
                };
                let way = SumMethod::choose(&opponents);
                let by_tables = matches!(way, SumMethod::Tables(_));
                costs.push((count, by_tables, way.cost(&opponents)));
            }
            let uses_tables = |count: u32| costs.iter().find(|cost| cost.0 == count).unwrap().1;
            assert!(!uses_tables(256), "beta {beta}: {costs:?}");
            assert!(uses_tables(8192), "beta {beta}: {costs:?}");
            for pair in costs.windows(2) {
                let [(_, by_tables, before), (_, still, after)] = [pair[0], pair[1]];
                assert!(!by_tables || still && after < 1.1 * before, "beta {beta}: {costs:?}");
                assert!(by_tables || after < 2.1 * before, "beta {beta}: {costs:?}");
            }
        }
    }
}
