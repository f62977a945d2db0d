//! The variance that contests share because the same competitors enter them.
//!
//! A pair of entrants belongs to two competitors, so two pairs of different contests are correlated
//! if they share one: the estimator of dyadic clusters (Aronow, Samii and Assenova, Cluster-Robust
//! Variance Estimation for Dyadic Data, 2015). Resampled contests do not contain that covariance.

use super::metric::{Metric, MetricSums};

/// The sum and the weight of a metric over the pairs of an entrant in a contest. A pair counts for
/// both of its entrants.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct EntrantPairs {
    /// The part in the concordance.
    pub(super) order: (f64, f64),
    /// The part in the Brier score.
    pub(super) score: (f64, f64),
}

/// The metrics that are means over pairs, whose variance shows that of the others.
const PAIR_METRICS: [Metric; 2] = [Metric::Concordance, Metric::Brier];

/// Sums over the pairs of each competitor.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct CompetitorSums {
    /// The position in `sums` of each competitor, [`NO_SUM`] for those without pairs: a slice has
    /// few of all competitors.
    positions: Vec<u32>,
    sums: Vec<CompetitorSum>,
    within_events: [Products; PAIR_METRICS.len()],
}

/// The position of a competitor without pairs.
const NO_SUM: u32 = u32::MAX;

/// The pairs of a competitor: of all events, and of its last one.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct CompetitorSum {
    total: [(f64, f64); PAIR_METRICS.len()],
    event_total: [(f64, f64); PAIR_METRICS.len()],
    event: u32,
}

impl CompetitorSums {
    /// Adds the pairs of an entrant.
    pub(super) fn add(&mut self, competitor: u32, event: u32, pairs: &EntrantPairs) {
        let index = competitor as usize;
        if self.positions.len() <= index {
            self.positions.resize(index + 1, NO_SUM);
        }
        let position = &mut self.positions[index];
        if *position == NO_SUM {
            *position = self.sums.len() as u32;
            self.sums.push(CompetitorSum::default());
        }
        let competitor = &mut self.sums[*position as usize];
        if competitor.event != event {
            competitor.end_event(&mut self.within_events);
            competitor.event = event;
        }
        for (total, part) in competitor.event_total.iter_mut().zip([pairs.order, pairs.score]) {
            total.0 += part.0;
            total.1 += part.1;
        }
    }

    /// Compares the variance that events share with that between the events.
    pub(super) fn finish(mut self, events: &[MetricSums]) -> Widening {
        // In the order of the competitors, on which the last bits depend.
        self.positions.retain(|&position| position != NO_SUM);
        for &position in &self.positions {
            self.sums[position as usize].end_event(&mut self.within_events);
        }
        Widening(std::array::from_fn(|index| {
            let event_sums = || events.iter().map(|sums| sums.sum_and_weight(PAIR_METRICS[index]));
            let total_sum: f64 = event_sums().map(|(sum, _)| sum).sum();
            let total_weight: f64 = event_sums().map(|(_, weight)| weight).sum();
            let mean = total_sum / total_weight;
            let variance: f64 =
                event_sums().map(|(sum, weight)| (sum - mean * weight).powi(2)).sum();
            // Equal values, or none: the rest of rounding is no variance.
            if total_weight <= 0.0 || variance.sqrt() <= 1e-9 * total_weight {
                return 1.0;
            }
            let mut products = Products::default();
            for &position in &self.positions {
                products.add(self.sums[position as usize].total[index]);
            }
            // Pairs of one event are in the variance between events.
            let shared = products.squared_residuals(mean)
                - self.within_events[index].squared_residuals(mean);
            (1.0 + shared.max(0.0) / variance).sqrt()
        }))
    }
}

/// The deviation of a value over that of resampled events, for each of [`PAIR_METRICS`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Widening([f64; PAIR_METRICS.len()]);

impl Default for Widening {
    fn default() -> Self {
        Self([1.0; PAIR_METRICS.len()])
    }
}

impl Widening {
    /// Returns the factor for the interval of a metric.
    pub(super) fn factor(self, metric: Metric) -> f64 {
        self.0[usize::from(matches!(metric, Metric::LogLoss | Metric::Brier | Metric::Surprise))]
    }
}

impl CompetitorSum {
    fn end_event(&mut self, within_events: &mut [Products; PAIR_METRICS.len()]) {
        let event_total = std::mem::take(&mut self.event_total);
        let totals = self.total.iter_mut().zip(within_events);
        for ((total, products), event) in totals.zip(event_total) {
            total.0 += event.0;
            total.1 += event.1;
            products.add(event);
        }
    }
}

/// Sums of products of a sum s and its weight w.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Products {
    sum_sum: f64,
    sum_weight: f64,
    weight_weight: f64,
}

impl Products {
    fn add(&mut self, (sum, weight): (f64, f64)) {
        self.sum_sum += sum * sum;
        self.sum_weight += sum * weight;
        self.weight_weight += weight * weight;
    }

    /// Returns the sum of (s − mean·w)².
    fn squared_residuals(&self, mean: f64) -> f64 {
        self.sum_sum - mean * (2.0 * self.sum_weight - mean * self.weight_weight)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_competitors_with_pairs_have_sums() {
        let mut sums = CompetitorSums::default();
        for competitor in [900_000, 3, 900_000] {
            sums.add(competitor, 0, &EntrantPairs::default());
        }
        assert_eq!(sums.sums.len(), 2);
    }
}
