//! Random numbers that depend on the seed and the round only.

/// A generator of random numbers (`SplitMix64`).
pub(crate) struct Random {
    /// The round, from 0.
    pub(crate) round: u64,
    state: u64,
}

impl Random {
    /// Creates the generator of a round.
    pub(crate) fn new(seed: u64, round: u64) -> Self {
        let mut random = Self { round, state: seed };
        // Neighbouring seeds and rounds share no numbers.
        random.state = random.next() ^ round.wrapping_mul(0xd134_2543_de82_ef95);
        random
    }

    /// Returns the next number.
    pub(crate) fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// Returns a number below `bound`, which is not 0.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }

    /// True once in `times` on average.
    pub(crate) fn once_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    /// Returns a number from 0 to 1, without 1.
    pub(crate) fn fraction(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// Returns one of these.
    pub(crate) fn pick<'a, T>(&mut self, choices: &'a [T]) -> &'a T {
        &choices[self.below(choices.len())]
    }
}
