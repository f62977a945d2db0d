//! Numbers of the events whose contests a run rates.

use std::collections::HashMap;

/// The events of the rated contests of a replay. Contests that are left out count for nothing: they
/// do not raise the initial rating of later newcomers.
#[derive(Clone, Debug, Default)]
pub struct RatedEvents {
    numbers: HashMap<u32, u32>,
}

impl RatedEvents {
    /// Adds the event of a rated contest, by its number among all contests.
    pub fn add(&mut self, event: u32) {
        self.numbers.insert(event, self.number(event));
    }

    /// Returns the number of rated events before an event.
    #[must_use]
    pub fn number(&self, event: u32) -> u32 {
        self.numbers.get(&event).copied().unwrap_or(self.count())
    }

    /// Returns the number of rated events.
    #[must_use]
    pub fn count(&self) -> u32 {
        // Fewer than contests, which are counted in 32 bits.
        self.numbers.len() as u32
    }
}
