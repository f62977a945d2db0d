//! A small generator of pseudorandom numbers, the same on every machine.

/// `SplitMix64` (Steele, Lea and Flood, Fast Splittable Pseudorandom Number Generators, 2014).
#[derive(Clone, Debug)]
pub struct SplitMix64(u64);

impl SplitMix64 {
    /// Creates the generator of these numbers: other numbers give an independent sequence.
    #[must_use]
    pub fn new(seed: &[u64]) -> Self {
        let parts = seed.iter();
        Self(parts.fold(0, |state: u64, &part| Self(state ^ part).next()))
    }

    /// Returns 64 random bits.
    pub const fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Returns two numbers below these bounds. For bounds up to a million the probabilities are
    /// equal to within 1 in 4,000.
    pub(super) fn pair_below(&mut self, first: u64, second: u64) -> (u64, u64) {
        let bits = self.next();
        let scale = |bits: u64, bound: u64| (bits * bound) >> 32;
        (scale(bits >> 32, first), scale(bits & 0xffff_ffff, second))
    }

    /// Returns a number from 0 to below 1, a multiple of 2⁻⁵³.
    pub fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// Returns a number below `bound`.
    pub fn below(&mut self, bound: usize) -> usize {
        ((u128::from(self.next()) * bound as u128) >> 64) as usize
    }
}
