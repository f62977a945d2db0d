//! Quantiles of the standard normal distribution.
#![expect(
    clippy::unreadable_literal,
    clippy::excessive_precision,
    reason = "digits as published, to be compared"
)]

/// Returns the value x with Φ(x) = `p`, 0 < `p` < 1; relative error about 1e-15.
///
/// Wichura's rational approximations (algorithm AS 241, 1988).
pub(crate) fn quantile(p: f64) -> f64 {
    let q = p - 0.5;
    if q.abs() <= 0.425 {
        let r = 0.180625 - q * q;
        return q * ratio(r, &CENTRE);
    }
    let tail = if q < 0.0 { p } else { 1.0 - p };
    let r = libm::sqrt(-libm::log(tail));
    let z = if r <= 5.0 {
        ratio(r - 1.6, &TAIL)
    } else {
        ratio(r - 5.0, &FAR_TAIL)
    };
    if q < 0.0 { -z } else { z }
}

/// Coefficients of numerator and denominator, constant term first.
type Ratio = [[f64; 8]; 2];

fn ratio(x: f64, [above, below]: &Ratio) -> f64 {
    polynomial(above, x) / polynomial(below, x)
}

fn polynomial(coefficients: &[f64; 8], x: f64) -> f64 {
    coefficients.iter().rev().fold(0.0, |sum, &c| sum * x + c)
}

const CENTRE: Ratio = [
    [
        3.3871328727963666080e0,
        1.3314166789178437745e2,
        1.9715909503065514427e3,
        1.3731693765509461125e4,
        4.5921953931549871457e4,
        6.7265770927008700853e4,
        3.3430575583588128105e4,
        2.5090809287301226727e3,
    ],
    [
        1.0,
        4.2313330701600911252e1,
        6.8718700749205790830e2,
        5.3941960214247511077e3,
        2.1213794301586595867e4,
        3.9307895800092710610e4,
        2.8729085735721942674e4,
        5.2264952788528545610e3,
    ],
];

const TAIL: Ratio = [
    [
        1.42343711074968357734e0,
        4.63033784615654529590e0,
        5.76949722146069140550e0,
        3.64784832476320460504e0,
        1.27045825245236838258e0,
        2.41780725177450611770e-1,
        2.27238449892691845833e-2,
        7.74545014278341407640e-4,
    ],
    [
        1.0,
        2.05319162663775882187e0,
        1.67638483018380384940e0,
        6.89767334985100004550e-1,
        1.48103976427480074590e-1,
        1.51986665636164571966e-2,
        5.47593808499534494600e-4,
        1.05075007164441684324e-9,
    ],
];

const FAR_TAIL: Ratio = [
    [
        6.65790464350110377720e0,
        5.46378491116411436990e0,
        1.78482653991729133580e0,
        2.96560571828504891230e-1,
        2.65321895265761230930e-2,
        1.24266094738807843860e-3,
        2.71155556874348757815e-5,
        2.01033439929228813265e-7,
    ],
    [
        1.0,
        5.99832206555887937690e-1,
        1.36929880922735805310e-1,
        1.48753612908506148525e-2,
        7.86869131145613259100e-4,
        1.84631831751005468180e-5,
        1.42151175831644588870e-7,
        2.04426310338993978564e-15,
    ],
];

#[cfg(test)]
mod tests {
    use super::*;

    fn distribution(z: f64) -> f64 {
        0.5 * libm::erfc(-z * std::f64::consts::FRAC_1_SQRT_2)
    }

    #[test]
    fn quantile_inverts_distribution() {
        for step in 1..3000 {
            // From 1e-300 to the nearest double below 1.
            let p = libm::exp10(-0.1 * f64::from(step));
            let back = distribution(quantile(p));
            // An error in z is amplified by z in the logarithm of the probability.
            let allowed = 2e-15 * (1.0 + quantile(p) * quantile(p));
            assert!((back / p - 1.0).abs() < allowed, "{p:e} became {back:e}");
            let p = f64::from(step) / 3000.0;
            assert!((distribution(quantile(p)) - p).abs() < 1e-15, "{p}");
            assert!((quantile(1.0 - p) + quantile(p)).abs() < 1e-12, "{p}");
        }
        assert_eq!(quantile(0.5), 0.0);
        // The 97.5 % quantile.
        assert!((quantile(0.975) - 1.959963984540054).abs() < 1e-15);
    }
}
