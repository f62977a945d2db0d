//! Numbers of events in the order of replay.

use std::collections::HashMap;

use crate::ids::SourceId;

/// Numbers the events of contests that are added in the order of replay.
#[derive(Debug, Default)]
pub struct EventNumbers {
    known: HashMap<(SourceId, String), u32>,
    next: u32,
}

impl EventNumbers {
    /// Adds a contest and returns the number of events before its own. A contest without an event
    /// is an event of its own.
    pub fn add(&mut self, source_id: SourceId, event: Option<&str>) -> u32 {
        let number = match event {
            Some(event) => {
                let key = (source_id, event.to_owned());
                *self.known.entry(key).or_insert(self.next)
            }
            None => self.next,
        };
        self.next += u32::from(number == self.next);
        number
    }

    /// Returns the number of events so far.
    #[must_use]
    pub const fn count(&self) -> u32 {
        self.next
    }
}
