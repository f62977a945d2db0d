//! Completeness: the numbers of items that a site announced and that arrived.

use serde::ser::SerializeStruct;
use serde::{Serialize, Serializer};

use crate::file::columns::row;

/// Missing items up to which a contest counts as complete, however few were announced: sites count
/// items that they no longer show.
const TOLERATED_ITEMS: u32 = 5;

/// Divisor of the announced items for the share that may be missing: 1/50, 2 %.
const MISSING_SHARE_DIVISOR: u64 = 50;

/// Syncs in a row without a new item after which an incomplete contest is rated.
const MAX_FRUITLESS_SYNCS: u32 = 3;

row! {
    /// Numbers of items of a contest, such as comments, that its site announced and that arrived.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct Completeness {
        /// The plural of the items, such as `comments`.
        pub items: String,
        /// The number of items announced last.
        pub announced: u32,
        /// The number of items that arrived with the last sync.
        pub arrived: u32,
        /// The highest number of items that ever arrived with one sync; never below `arrived`.
        pub most_arrived: u32,
        /// The number of syncs since then without a new item; 0 while the contest is complete.
        pub fruitless_syncs: u32,
    }
}

/// The counts, and whether the contest is incomplete by them.
impl Serialize for Completeness {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = serializer.serialize_struct("Completeness", 5)?;
        object.serialize_field("items", &self.items)?;
        object.serialize_field("announced", &self.announced)?;
        object.serialize_field("arrived", &self.arrived)?;
        object.serialize_field("fruitless_syncs", &self.fruitless_syncs)?;
        object.serialize_field("incomplete", &self.is_incomplete())?;
        object.end()
    }
}

impl Completeness {
    /// Returns the numbers after a sync in which `arrived` of the `announced` items arrived.
    /// `before` are the numbers after the previous sync, if there was one.
    ///
    /// Not for reading the same responses again, which must not count as a sync.
    #[must_use]
    pub fn after_sync(before: Option<&Self>, items: &str, announced: u32, arrived: u32) -> Self {
        let most_before = before.map_or(0, |before| before.most_arrived);
        let mut after = Self {
            items: items.to_owned(),
            announced,
            arrived,
            most_arrived: arrived.max(most_before),
            fruitless_syncs: 0,
        };
        if let Some(before) = before
            && before.is_incomplete()
            && after.is_incomplete()
            && arrived <= most_before
        {
            after.fruitless_syncs = before.fruitless_syncs.saturating_add(1);
        }
        after
    }

    /// Returns the number of announced items that did not arrive.
    #[must_use]
    pub const fn missing(&self) -> u32 {
        self.announced.saturating_sub(self.arrived)
    }

    /// True if more than 5 items and more than 2 % of the announced items are missing.
    #[must_use]
    pub const fn is_incomplete(&self) -> bool {
        let missing = self.missing();
        missing > TOLERATED_ITEMS && missing as u64 * MISSING_SHARE_DIVISOR > self.announced as u64
    }

    /// True if the contest must not be rated yet and must be requested again by the next sync: it
    /// is incomplete, and fewer than three syncs since then brought no new item.
    #[must_use]
    pub const fn is_held_back(&self) -> bool {
        self.is_incomplete() && self.fruitless_syncs < MAX_FRUITLESS_SYNCS
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(before: Option<&Completeness>, announced: u32, arrived: u32) -> Completeness {
        Completeness::after_sync(before, "comments", announced, arrived)
    }

    #[test]
    fn missing_more_than_five_and_two_percent_is_incomplete() {
        for (announced, arrived, incomplete) in [
            (0, 0, false),
            (5, 0, false),
            (6, 0, true),
            (6, 1, false),
            (250, 245, false),
            (250, 244, true),
            (1000, 980, false),
            (1000, 979, true),
            (543, 533, false),
            (543, 532, true),
            (543, 476, true),
            // A site may show more than it has counted.
            (543, 600, false),
            (u32::MAX, 0, true),
            (0, u32::MAX, false),
        ] {
            let counts = after(None, announced, arrived);
            assert_eq!(counts.is_incomplete(), incomplete, "{arrived} of {announced}");
            assert_eq!(counts.is_held_back(), incomplete, "{arrived} of {announced}");
        }
    }

    #[test]
    fn three_fruitless_syncs_release_contest() {
        let mut counts = after(None, 543, 476);
        for fruitless in 0..3 {
            assert_eq!(counts.fruitless_syncs, fruitless);
            assert!(counts.is_held_back());
            counts = after(Some(&counts), 543, 476);
        }
        assert_eq!(counts.fruitless_syncs, 3);
        assert!(counts.is_incomplete() && !counts.is_held_back());
        // Further syncs change nothing.
        counts = after(Some(&counts), 543, 476);
        assert!(counts.is_incomplete() && !counts.is_held_back());
    }

    #[test]
    fn sync_with_new_items_resets_fruitless_count() {
        let mut counts = after(None, 543, 476);
        counts = after(Some(&counts), 543, 476);
        counts = after(Some(&counts), 543, 476);
        assert_eq!(counts.fruitless_syncs, 2);
        counts = after(Some(&counts), 543, 477);
        assert_eq!(counts.fruitless_syncs, 0);
        counts = after(Some(&counts), 543, 540);
        assert!(!counts.is_incomplete());
    }

    #[test]
    fn fluctuating_counts_release_contest() {
        let mut counts = after(None, 543, 476);
        for arrived in [470, 476, 470] {
            counts = after(Some(&counts), 543, arrived);
        }
        assert_eq!((counts.arrived, counts.most_arrived), (470, 476));
        assert!(!counts.is_held_back());
    }

    #[test]
    fn grown_announcement_alone_counts_as_fruitless() {
        let mut counts = after(None, 543, 476);
        counts = after(Some(&counts), 600, 476);
        assert_eq!(counts.fruitless_syncs, 1);
    }

    #[test]
    fn newly_incomplete_contest_starts_fruitless_at_zero() {
        let mut counts = after(None, 10, 10);
        counts = after(Some(&counts), 10, 10);
        assert_eq!(counts.fruitless_syncs, 0);
        counts = after(Some(&counts), 100, 10);
        assert_eq!(counts.fruitless_syncs, 0);
        assert!(counts.is_held_back());
    }
}
