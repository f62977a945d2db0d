//! Win probabilities: how likely one entrant places above another, by the model of a system.

use std::f64::consts::{FRAC_1_SQRT_2, PI};

/// The skill of an entrant before a contest: of a team, the sum over its members.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Belief {
    /// The rating.
    pub mu: f64,
    /// The variance of the rating, sigma².
    pub variance: f64,
    /// The number of members, 1 for individuals.
    pub members: u32,
}

impl Belief {
    /// Creates the belief about one competitor.
    #[must_use]
    pub const fn new(mu: f64, sigma: f64) -> Self {
        Self {
            mu,
            variance: sigma * sigma,
            members: 1,
        }
    }

    /// Returns the belief about a team. The order of the members changes no bit.
    #[must_use]
    pub fn from_members(members: impl IntoIterator<Item = Self>) -> Self {
        let mut members: Vec<Self> = members.into_iter().collect();
        // Sorted, since the last bits of a sum depend on the order.
        members.sort_by(|a, b| {
            let variance = a.variance.total_cmp(&b.variance);
            a.mu.total_cmp(&b.mu).then(variance)
        });
        Self {
            mu: members.iter().map(|member| member.mu).sum(),
            variance: members.iter().map(|member| member.variance).sum(),
            members: members.iter().map(|member| member.members).sum(),
        }
    }
}

/// The model by which a system predicts: performances vary around skills, and the better one wins.
///
/// The difference of two performances has the mean `mu_a − mu_b` and the variance
/// `v = (n_a + n_b)·noise + sigma_weight·(σ_a² + σ_b²)`, for teams of n members with mu and σ²
/// summed over them. It is data rather than a function, so that stored ratings predict too.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WinModel {
    /// The distribution of the difference.
    pub shape: PerformanceShape,
    /// The variance of a competitor's performance around the rating, besides that of sigma, in
    /// points².
    pub noise: f64,
    /// The variance that sigma adds, in units of sigma²: 1 if sigma is a standard deviation, π²/12
    /// in Elo-R, whose sigma is twice a logistic scale, and 0 if the system does not use it.
    pub sigma_weight: f64,
    /// Two entrants tie if their performances differ by less than `draw_margin·√(n_a + n_b)`, in
    /// points; 0 if ties have no probability.
    pub draw_margin: f64,
}

/// The distribution of the difference of two performances, around its mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PerformanceShape {
    /// Normal.
    Normal,
    /// Logistic with this variance.
    Logistic,
    /// The difference of two logistic variables with half of the variance each.
    ///
    /// For two logistic variables with other shares of the variance the difference has no closed
    /// form. This one is off by at most 0.0065 in a probability if one variance is up to 10 times
    /// the other, and by at most 0.0103 for any two.
    LogisticEach,
}

/// The probabilities of the results of two entrants; they and that of the reverse order add up to 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WinProbability {
    /// The probability that the first places above the second.
    pub above: f64,
    /// The probability that the two tie.
    pub tied: f64,
}

impl WinProbability {
    /// Returns the expected score of the first: a tie counts one half.
    #[must_use]
    pub fn expected_score(self) -> f64 {
        self.above + 0.5 * self.tied
    }
}

impl WinModel {
    /// Creates a model without ties in which sigma is a standard deviation.
    #[must_use]
    pub const fn new(shape: PerformanceShape, noise: f64) -> Self {
        Self {
            shape,
            noise,
            sigma_weight: 1.0,
            draw_margin: 0.0,
        }
    }

    /// Creates a model without ties and without sigma in which the difference of two competitors
    /// is logistic with this scale: Elo's, with 400/ln 10.
    #[must_use]
    pub const fn logistic(scale: f64) -> Self {
        Self {
            sigma_weight: 0.0,
            // The variance of a logistic variable is π²/3 in units of its scale.
            ..Self::new(PerformanceShape::Logistic, PI * PI / 6.0 * scale * scale)
        }
    }

    /// Returns the variance of the performance of an entrant around its mu.
    pub(crate) fn performance_variance(&self, belief: Belief) -> f64 {
        f64::from(belief.members) * self.noise + self.sigma_weight * belief.variance
    }

    /// Returns how likely the first entrant places above the second. Equals have one half each
    /// without ties.
    #[must_use]
    pub fn win_probability(&self, first: Belief, second: Belief) -> WinProbability {
        let members = f64::from(first.members + second.members);
        let skills = self.sigma_weight * (first.variance + second.variance);
        let deviation = (members * self.noise + skills).sqrt();
        let margin = self.draw_margin * members.sqrt();
        let difference = first.mu - second.mu;
        let tail = |distance: f64| self.shape.upper_tail(distance, deviation);
        let above = tail(margin - difference);
        if self.draw_margin == 0.0 {
            return WinProbability { above, tied: 0.0 };
        }
        let below = tail(margin + difference);
        WinProbability {
            above,
            tied: (1.0 - (above + below)).max(0.0),
        }
    }
}

impl PerformanceShape {
    /// Returns the probability that a variable of mean 0 exceeds `distance`.
    fn upper_tail(self, distance: f64, deviation: f64) -> f64 {
        if deviation == 0.0 {
            // Certain performances: equal ones are decided by chance.
            return match distance.total_cmp(&0.0) {
                std::cmp::Ordering::Less => 1.0,
                std::cmp::Ordering::Equal => 0.5,
                std::cmp::Ordering::Greater => 0.0,
            };
        }
        let z = distance / deviation;
        match self {
            Self::Normal => 0.5 * libm::erfc(z * FRAC_1_SQRT_2),
            Self::Logistic => 1.0 / (1.0 + libm::exp(z * PI / 3.0_f64.sqrt())),
            Self::LogisticEach => {
                // Each has half of the variance.
                let x = z * PI * (2.0_f64 / 3.0).sqrt();
                let tail = logistic_difference_tail(x.abs());
                if x < 0.0 { 1.0 - tail } else { tail }
            }
        }
    }
}

/// Returns the probability that the difference of two standard logistic variables exceeds `x`, which
/// is not negative: ∫ of the density times the tail, in closed form.
fn logistic_difference_tail(x: f64) -> f64 {
    let square = x * x;
    if x < 0.05 {
        // The series: the closed form cancels.
        let slope = 1.0 / 6.0
            - square * (1.0 / 180.0 - square * (1.0 / 5_040.0 - square * (1.0 / 151_200.0)));
        return 0.5 - x * slope;
    }
    // Beyond the bound the tail is 0, and infinity times 0 no number.
    let x = x.min(1e3);
    let e = libm::exp(-x);
    let rest = -libm::expm1(-x);
    e * (x - rest) / (rest * rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SHAPES: [PerformanceShape; 3] = [
        PerformanceShape::Normal,
        PerformanceShape::Logistic,
        PerformanceShape::LogisticEach,
    ];

    #[test]
    fn order_of_members_changes_no_bit() {
        // 0.1 + 0.2 + 0.3 and 0.3 + 0.2 + 0.1 differ.
        let members = [0.1, 0.2, 0.3].map(|mu| Belief {
            mu,
            variance: 2.0 - mu,
            members: 1,
        });
        let team = Belief::from_members(members);
        for [a, b, c] in [[0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
            let permuted = [members[a], members[b], members[c]];
            assert_eq!(Belief::from_members(permuted), team);
        }
        assert_eq!(team.members, 3);
    }

    #[test]
    fn tails_fall_from_1_to_0_at_any_distance() {
        let near = (-4_000..=4_000).map(|step| f64::from(step) * 0.01);
        let far = [60.0, 700.0, 1e3, 1e4, 1e9, 1e100, f64::MAX];
        let mut distances: Vec<f64> = near.chain(far).chain(far.map(|far| -far)).collect();
        distances.sort_by(f64::total_cmp);
        for shape in SHAPES {
            for deviation in [0.0, f64::MIN_POSITIVE, 1e-3, 1.0, 1e9] {
                let tail = |&distance: &f64| shape.upper_tail(distance, deviation);
                let tails: Vec<f64> = distances.iter().map(tail).collect();
                assert!(tails.iter().all(|tail| (0.0..=1.0).contains(tail)));
                assert!(tails.is_sorted_by(|a, b| a >= b), "{shape:?}, {deviation}");
                assert_eq!((tails[0], tails[tails.len() - 1]), (1.0, 0.0));
                assert_eq!(shape.upper_tail(0.0, deviation), 0.5);
            }
        }
    }

    /// The probability that the difference of two logistic variables of these scales exceeds
    /// `distance`, by the trapezoidal rule.
    fn integrated_tail(distance: f64, wide: f64, narrow: f64) -> f64 {
        let step = 0.125;
        let terms = (-320..=320).map(|index| {
            let x = step * f64::from(index);
            let density = 0.25 / (0.5 * x).cosh().powi(2);
            step * density / (1.0 + ((distance + narrow * x) / wide).exp())
        });
        terms.sum()
    }

    #[test]
    fn logistic_each_is_within_stated_error() {
        for (ratio, least, most) in [
            (1.0, 0.0, 1e-13),
            (2.0, 0.000_9, 0.001),
            (5.0, 0.004, 0.004_2),
            (10.0, 0.006_4, 0.006_5),
            (1e12, 0.010_2, 0.010_3),
        ] {
            let scale = |share: f64| (3.0 * share).sqrt() / PI;
            let [wide, narrow] = [ratio, 1.0].map(|part| scale(part / (1.0 + ratio)));
            let error = |step: u32| {
                let distance = f64::from(step) * 0.005;
                let tail = PerformanceShape::LogisticEach.upper_tail(distance, 1.0);
                (tail - integrated_tail(distance, wide, narrow)).abs()
            };
            let worst = (0..2_000).map(error).fold(0.0, f64::max);
            assert!((least..=most).contains(&worst), "{ratio}: {worst}");
        }
    }
}
