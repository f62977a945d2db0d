//! Truncated Gaussians by plain numerical integration: slow, and exact at any distance.

/// Mean and variance of N(`mean`, `variance`) between two bounds, either of which may be infinite.
/// The mean is exact relative to its distance from the nearer bound.
pub(crate) fn moments(mean: f64, variance: f64, low: f64, high: f64) -> (f64, f64) {
    // The density falls from here to both sides, like a Gaussian or an exponential.
    let top = mean.clamp(low, high);
    let slope = (top - mean).abs() / variance;
    let width = (9.0 * variance.sqrt()).min(45.0 / slope);
    let from = (low - top).max(-width);
    let to = (high - top).min(width);
    let density = |x: f64| libm::exp(-(x * x + 2.0 * x * (top - mean)) / (2.0 * variance));
    let steps = 1600;
    let step = (to - from) / f64::from(steps);
    let integrate = |f: &dyn Fn(f64) -> f64| -> f64 {
        // Simpson's rule.
        let at = |i: i32| {
            let x = from + f64::from(i) * step;
            let weight = match i {
                0 => 1.0,
                _ if i == steps => 1.0,
                _ if i % 2 == 1 => 4.0,
                _ => 2.0,
            };
            weight * density(x) * f(x)
        };
        (0..=steps).map(at).sum::<f64>()
    };
    let mass = integrate(&|_| 1.0);
    let excess = integrate(&|x| x) / mass;
    let spread = integrate(&|x| (x - excess) * (x - excess)) / mass;
    (top + excess, spread)
}
