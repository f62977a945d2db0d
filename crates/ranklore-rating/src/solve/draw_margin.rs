//! Draw margins: the distance of performances up to which neighbours of a contest draw.
//!
//! A draw probability p is that of two neighbours among N equals. With performances of standard
//! deviation 1, the expected number of gaps wider than z between neighbours is
//! N·∫φ(x)·(1 − D)^(N−1) dx − 1 with D = Φ(x + z) − Φ(x): x is an entrant's performance, and no
//! other entrant is in the next z. So p(z) = N/(N − 1)·∫φ(x)·(1 − (1 − D)^(N−1)) dx, in a form in
//! which nothing cancels for small p. Around the middle of (x, x + z) the integrand is even.

use std::f64::consts::{FRAC_1_SQRT_2, PI};

use serde::{Deserialize, Serialize};

/// The meaning of a draw margin in contests of more than two.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum DrawMargin {
    /// The margin is such that two neighbours among N equals draw as often as two equals do in a
    /// contest of their own: it falls like 1/N. The winner of N newcomers gains about as much as
    /// the best of N performances exceeds the mean.
    #[default]
    Adjacent,
    /// The margin is that of two in a contest of any size, as in the literature: N places span at
    /// least N − 1 margins, whatever the skills.
    Fixed,
}

impl DrawMargin {
    /// Returns the margin for performances of variance 1/2, whose differences have variance 1:
    /// neighbours among `count` equals lie within it with this probability, 0 to 0.999999. Relative
    /// error below 1e-12 up to 0.9, and below 1e-9 up to 0.999999, for up to a million.
    pub(crate) fn quantile(self, probability: f64, count: usize) -> f64 {
        if count <= 2 || self == Self::Fixed {
            quantile_within(probability)
        } else {
            FRAC_1_SQRT_2 * neighbour_quantile(probability, count as f64)
        }
    }
}

/// Returns x such that a standard normal variable lies within x of 0 with this probability.
fn quantile_within(probability: f64) -> f64 {
    let density_at_0 = (2.0 / PI).sqrt();
    let mut x = 0.0;
    // The probability is concave in x: Newton's steps from 0 approach from below.
    for _ in 0..200 {
        let missing = probability - libm::erf(x * FRAC_1_SQRT_2);
        let step = missing / (density_at_0 * libm::exp(-0.5 * x * x));
        x += step;
        if step <= 1e-15 * x {
            break;
        }
    }
    x
}

/// Returns z such that two neighbours among `count` > 2 standard normal variables lie within z of
/// each other with this probability.
fn neighbour_quantile(probability: f64, count: f64) -> f64 {
    // At 1/4 the error is below 1e-13 up to 0.9; above, the integrand has edges.
    let width = if probability <= 0.9 { 0.25 } else { 0.0625 };
    // Newton's first step from 0. The probability is concave in z, as above.
    let mut z = probability * 2.0 * PI.sqrt() / count;
    for _ in 0..200 {
        let (value, slope) = neighbour_probability(z, count, width);
        let step = (probability - value) / slope;
        z += step;
        // Convergence is quadratic; smaller steps are rounding errors.
        if step <= 1e-8 * z {
            break;
        }
    }
    z
}

/// Returns the probability that two neighbours among `count` standard normal variables lie within
/// `z` of each other, and its derivative by `z`. By the trapezoidal rule, exact for smooth
/// integrands that vanish at both ends, in steps of `width`.
fn neighbour_probability(z: f64, count: f64, width: f64) -> (f64, f64) {
    let mut sum = 0.0;
    let mut slope = 0.0;
    // The end is at 9 + z/2 at most.
    for index in 0..1_000 {
        let u = width * f64::from(index);
        let once = if index == 0 { 0.5 } else { 1.0 };
        // exp(−u²/2), and exp(−x²/2) at both ends of the interval but for the factor exp(−z²/8).
        let middle = libm::exp(-0.5 * u * u);
        let tilt = libm::exp(0.5 * u * z);
        let ends = middle * (tilt + 1.0 / tilt);
        let inside = interval_probability(u, z, middle);
        let draws = -libm::expm1((count - 1.0) * libm::log1p(-inside));
        let term = draws * ends * once;
        sum += term;
        slope += (1.0 - draws) / (1.0 - inside) * middle * middle * once;
        if term <= 1e-17 * sum {
            break;
        }
    }
    let pairs = count / (count - 1.0);
    let fall = libm::exp(-0.125 * z * z);
    (
        pairs * width * fall * sum / (2.0 * PI).sqrt(),
        count * width * fall * fall * slope / PI,
    )
}

/// Returns the probability that a standard normal variable lies within `z`/2 of `u`, which is not
/// negative; `middle` is exp(−u²/2).
fn interval_probability(u: f64, z: f64, middle: f64) -> f64 {
    if z >= 0.01 {
        let [from, to] = [u - 0.5 * z, u + 0.5 * z].map(|x| libm::erfc(x * FRAC_1_SQRT_2));
        return 0.5 * (from - to);
    }
    // Taylor's series in z: the difference above would cancel.
    let u2 = u * u;
    let z2 = z * z;
    let second = u2 - 1.0;
    let fourth = u2 * u2 - 6.0 * u2 + 3.0;
    let series = 1.0 + z2 / 24.0 * (second + z2 / 80.0 * fourth);
    z * middle / (2.0 * PI).sqrt() * series
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::numerics::normal::quantile;

    const PROBABILITIES: [f64; 7] = [1e-9, 1e-3, 0.1, 0.5, 0.9, 0.999, 0.999_999];

    #[test]
    fn two_have_the_margin_of_a_pair() {
        for probability in PROBABILITIES {
            let pair = DrawMargin::Fixed.quantile(probability, 2);
            let within = libm::erf(pair * FRAC_1_SQRT_2);
            assert!((within - probability).abs() < 1e-15, "{probability}");
            for count in [2, 3, 10_000] {
                assert_eq!(DrawMargin::Fixed.quantile(probability, count), pair);
            }
            assert_eq!(DrawMargin::Adjacent.quantile(probability, 2), pair);
            // The general formula has the same limit.
            let (reached, _) = neighbour_probability(2.0_f64.sqrt() * pair, 2.0, 0.0625);
            assert!((reached - probability).abs() < 1e-14, "{probability}");
        }
    }

    /// The number of gaps by Simpson's rule, as the definition has it.
    #[test]
    fn gaps_match_definition() {
        let distribution = |x: f64| 0.5 * libm::erfc(-x * FRAC_1_SQRT_2);
        for count in [3.0, 4.0, 6.0, 10.0, 100.0, 1e4, 1e5] {
            for probability in PROBABILITIES {
                let z = neighbour_quantile(probability, count);
                let steps = 8_000;
                let width = 24.0 / f64::from(steps);
                let gaps: f64 = (0..=steps)
                    .map(|step| {
                        let x = -12.0 + width * f64::from(step);
                        let weight = f64::from(2 + 2 * (step % 2)) / 3.0;
                        let rest = 1.0 - distribution(x + z) + distribution(x);
                        let density = libm::exp(-0.5 * x * x) / (2.0 * PI).sqrt();
                        weight * width * density * count * libm::pow(rest, count - 1.0)
                    })
                    .sum();
                let draw_share = 1.0 - (gaps - 1.0) / (count - 1.0);
                let off = (draw_share - probability).abs();
                assert!(off < 1e-11, "{probability} of {count}: {draw_share}");
            }
        }
    }

    /// Among all triples of 150 equally likely performances, this many neighbours draw.
    #[test]
    fn margins_match_counted_draws() {
        let size = 150;
        let performance: Vec<f64> = (0..size)
            .map(|index| quantile((f64::from(index) + 0.5) / f64::from(size)))
            .collect();
        for probability in [0.1, 0.5, 0.9] {
            let z = neighbour_quantile(probability, 3.0);
            let mut draws = 0_u32;
            let mut all = 0_u32;
            for (low, &lowest) in performance.iter().enumerate() {
                for (middle, &next) in performance.iter().enumerate().skip(low + 1) {
                    for &highest in &performance[middle + 1..] {
                        draws += u32::from(next - lowest <= z) + u32::from(highest - next <= z);
                        all += 2;
                    }
                }
            }
            let share = f64::from(draws) / f64::from(all);
            // Triples of distinct performances miss the closest draws.
            assert!((share - probability).abs() < 0.02, "{share}");
        }
    }

    #[test]
    fn probability_zero_has_no_margin() {
        for count in [2, 3, 100_000] {
            assert_eq!(DrawMargin::Adjacent.quantile(0.0, count), 0.0);
        }
    }

    #[test]
    fn tiny_probabilities_are_proportional() {
        for count in [3.0, 1e5] {
            for probability in [1e-12, 1e-100] {
                let z = neighbour_quantile(probability, count);
                let limit = probability * 2.0 * PI.sqrt() / count;
                assert!((z / limit - 1.0).abs() < 1e-11, "{probability} of {count}");
            }
        }
    }

    /// Guards the bits: any change here requires a new engine version.
    #[test]
    fn margin_bits_are_fixed() {
        let bits = [(0.1, 3), (0.1, 1_000), (0.99, 50)].map(|(probability, count)| {
            DrawMargin::Adjacent.quantile(probability, count).to_bits()
        });
        let expected = [
            0x3FB5_D848_6EEC_DE3C,
            0x3F31_736F_6948_B3CA,
            0x3FDE_A547_7E1A_303F,
        ];
        assert_eq!(bits, expected, "{bits:#X?}");
    }
}
