//! What entrants scored against all others, beyond what was expected of them: the sums over
//! pairs in Glicko and its relatives.

use super::{Losses, Opponents};

/// The score of one entrant.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Score {
    /// `Σ (s − F_j)/δ̄_j`: 1 for a win, ½ for a tie, less the chance of a win. The entrant itself
    /// adds nothing, being a tie with an equal.
    pub(crate) surplus: f64,
    /// `Σ F_j·(1 − F_j)/δ̄_j²` over the others: what the pairs tell of the rating.
    pub(crate) information: f64,
}

/// The scores of all entrants; `F_j` is the logistic distribution of scale `δ̄_j`, that of the
/// opponent, around `μ_j`, taken at the entrant's rating.
pub(crate) fn scores(opponents: &Opponents<'_>) -> Vec<Score> {
    let losses = Losses::to(opponents);
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
            scores.push(Score {
                surplus: expected.value - (before + 0.5 * tied),
                information: (expected.fall - own).max(0.0),
            });
        }
    }
    scores
}
