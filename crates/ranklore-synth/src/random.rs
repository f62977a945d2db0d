//! Random numbers, the same on every machine.

use chacha20::ChaCha8Rng;
use chacha20::rand_core::{Rng as _, SeedableRng as _};

/// A generator of random numbers.
pub(crate) struct Random(ChaCha8Rng);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        let mut bytes = [0; 32];
        bytes[..8].copy_from_slice(&seed.to_le_bytes());
        Self(ChaCha8Rng::from_seed(bytes))
    }

    /// Returns a number above 0 and below 1.
    pub(crate) fn unit(&mut self) -> f64 {
        ((self.0.next_u64() >> 12) as f64 + 0.5) / (1_u64 << 52) as f64
    }

    /// Returns a number below `bound`.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        ((u128::from(self.0.next_u64()) * bound as u128) >> 64) as usize
    }

    /// Returns a number of the normal distribution with mean 0 and deviation 1 (Box and Muller 1958).
    pub(crate) fn normal(&mut self) -> f64 {
        let radius = (-2.0 * libm::log(self.unit())).sqrt();
        radius * libm::cos(std::f64::consts::TAU * self.unit())
    }

    /// Returns a number of the logistic distribution with mean 0 and deviation 1.
    pub(crate) fn logistic(&mut self) -> f64 {
        let unit = self.unit();
        let scale = 3.0_f64.sqrt() / std::f64::consts::PI;
        scale * (libm::log(unit) - libm::log(1.0 - unit))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the share of numbers within 1 of the mean, for a distribution of deviation 1.
    fn measure(draw: fn(&mut Random) -> f64) -> (f64, f64, f64) {
        const COUNT: usize = 100_000;
        let mut random = Random::new(1);
        let numbers: Vec<f64> = (0..COUNT).map(|_| draw(&mut random)).collect();
        let average = |value: fn(f64) -> f64| {
            numbers.iter().map(|&number| value(number)).sum::<f64>() / COUNT as f64
        };
        (
            average(|number| number),
            average(|number| number * number),
            average(|number| f64::from(u8::from(number.abs() < 1.0))),
        )
    }

    #[test]
    fn distributions_have_their_moments() {
        for (draw, within) in [
            (Random::normal as fn(&mut Random) -> f64, 0.6827),
            // tanh(π / (2√3))
            (Random::logistic, 0.7194),
        ] {
            let (mean, variance, share) = measure(draw);
            assert!(mean.abs() < 0.015, "{mean}");
            assert!((variance - 1.0).abs() < 0.03, "{variance}");
            assert!((share - within).abs() < 0.006, "{share}");
        }
    }

    #[test]
    fn numbers_below_a_bound_are_equally_likely() {
        let mut random = Random::new(2);
        let mut counts = [0_u32; 6];
        for _ in 0..60_000 {
            counts[random.below(6)] += 1;
        }
        assert!(counts.iter().all(|count| count.abs_diff(10_000) < 400), "{counts:?}");
    }
}
