//! Scores of entrants against all others beyond expectation: the sums over pairs in Glicko and its
//! relatives.

use super::{ExpectedLosses, Opponents};

/// The score of one entrant.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PairScore {
    /// `Σ (s − F_j)/δ̄_j`: 1 for a win, ½ for a tie, minus the probability of a win. The entrant
    /// itself adds 0, as a tie with an equal.
    pub(crate) surplus: f64,
    /// `Σ F_j·(1 − F_j)/δ̄_j²` over the others: the information of the pairs about the rating.
    pub(crate) information: f64,
}

/// Computes the scores of all entrants; `F_j` is the logistic distribution of scale `δ̄_j`, that of
/// the opponent, around `μ_j`, evaluated at the entrant's rating.
pub(crate) fn scores(opponents: &Opponents<'_>) -> Vec<PairScore> {
    let losses = ExpectedLosses::new(opponents);
    let bounds = losses.bounds();
    let losses = losses.tabulated(bounds, opponents.mu.len(), 1.5);
    let expected = losses.at_each(opponents.mu);
    let mut scores = Vec::with_capacity(expected.len());
    for (group, &end) in opponents.groups.iter().enumerate() {
        let (before, tied) = losses.weights(group);
        let members = scores.len()..end as usize;
        for (expected, scale) in expected[members.clone()]
            .iter()
            .zip(&opponents.scale[members])
        {
            let own = 0.25 / (scale * scale);
            scores.push(PairScore {
                surplus: expected.value - (before + 0.5 * tied),
                information: (expected.fall - own).max(0.0),
            });
        }
    }
    scores
}
