//! Scores of entrants against all others beyond expectation: the sums over pairs in Glicko and its
//! relatives.

use super::direct::TAIL_CUT_OFF;
use super::{ExpectedLosses, Opponents};
use crate::numerics::lanes::exp;

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
    if opponents.mu.len() == 2 {
        return scores_in_game(opponents).to_vec();
    }
    scores_in_contest(opponents)
}

/// Computes the scores of the two entrants of a game, each against the other only: a tenth of the
/// cost of the sums.
fn scores_in_game(opponents: &Opponents<'_>) -> [PairScore; 2] {
    opponents.assert_valid();
    let is_tied = opponents.groups.len() == 1;
    [0, 1].map(|entrant| {
        let other = 1 - entrant;
        let lead = opponents.mu[entrant] - opponents.mu[other];
        let inverse = 1.0 / opponents.scale[other];
        let e = exp((lead * inverse).abs().min(TAIL_CUT_OFF));
        // The probability of the less likely result, which keeps all its digits.
        let tail = 1.0 / (1.0 + e);
        let (win, loss) = if lead < 0.0 {
            (tail, 1.0 - tail)
        } else {
            (1.0 - tail, tail)
        };
        let surplus = if is_tied {
            0.5 * (loss - win)
        } else if entrant == 0 {
            loss
        } else {
            -win
        };
        PairScore {
            surplus: inverse * surplus,
            information: inverse * inverse * (e * tail) * tail,
        }
    })
}

fn scores_in_contest(opponents: &Opponents<'_>) -> Vec<PairScore> {
    let losses = ExpectedLosses::new(opponents);
    let bounds = losses.bounds();
    let losses = losses.tabulated(bounds, opponents.mu.len(), 1.5);
    let expected = losses.at_each(opponents.mu);
    let mut scores = Vec::with_capacity(expected.len());
    for (group, &end) in opponents.groups.iter().enumerate() {
        let (before, tied) = losses.weights(group);
        let members = scores.len()..end as usize;
        for (expected, scale) in expected[members.clone()].iter().zip(&opponents.scale[members]) {
            // The field includes the entrant itself, as an equal.
            let of_itself = 0.25 / (scale * scale);
            scores.push(PairScore {
                surplus: expected.value - (before + 0.5 * tied),
                information: (expected.fall - of_itself).max(0.0),
            });
        }
    }
    scores
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn game_has_scores_of_contest() {
        let mut compared = 0;
        for lead in [-9000.0, -411.5, -1e-7, 0.0, 3e-5, 12.25, 700.0, 20_000.0] {
            for scale in [[130.0, 130.0], [95.0, 310.0], [2000.0, 0.5]] {
                for groups in [&[1, 2][..], &[2]] {
                    let opponents = Opponents {
                        mu: &[1500.0 + lead, 1500.0],
                        scale: &scale,
                        groups,
                    };
                    let game = scores_in_game(&opponents);
                    let contest = scores_in_contest(&opponents);
                    for (game, contest) in game.iter().zip(&contest) {
                        // The entrant itself adds to the sums of a contest: their last digits.
                        let surplus = (game.surplus - contest.surplus).abs();
                        assert!(surplus < 2e-15 / scale[0].min(scale[1]), "{opponents:?}");
                        let information = (game.information - contest.information).abs();
                        let largest = 1.0 / (scale[0] * scale[0]).min(scale[1] * scale[1]);
                        assert!(information < 1e-15 * largest, "{opponents:?}");
                        compared += 1;
                    }
                }
            }
        }
        assert_eq!(compared, 96);
    }
}
