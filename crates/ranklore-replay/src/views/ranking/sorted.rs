//! All competitors of a ranking in order.

use ranklore_store::{CompetitorId, CurrentRatingRow};

/// All listed competitors with their places: the active ones, then the inactive ones, each in order.
#[derive(Clone, Debug)]
pub(super) struct SortedRows {
    rows: Vec<(u32, CurrentRatingRow)>,
    active: usize,
    /// The positions of the rows, in the order of the competitors.
    by_competitor: Vec<u32>,
}

impl SortedRows {
    pub(super) fn new(rows: Vec<(u32, CurrentRatingRow)>, active: usize) -> Self {
        // A run has at most 2³² competitors: their ids have 32 bits.
        let mut by_competitor: Vec<u32> = (0..rows.len() as u32).collect();
        by_competitor.sort_unstable_by_key(|&index| rows[index as usize].1.competitor_id);
        Self {
            rows,
            active,
            by_competitor,
        }
    }

    pub(super) const fn len(&self) -> usize {
        self.rows.len()
    }

    /// Returns the active, or the inactive, ones.
    pub(super) fn half(&self, active: bool) -> &[(u32, CurrentRatingRow)] {
        let (active_ones, inactive) = self.rows.split_at(self.active);
        if active { active_ones } else { inactive }
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &CurrentRatingRow> {
        self.rows.iter().map(|(_, of)| of)
    }

    /// Returns the place and the rating of a competitor.
    pub(super) fn find(&self, competitor: CompetitorId) -> Option<(u32, CurrentRatingRow)> {
        let row = |index: u32| &self.rows[index as usize];
        let found = (self.by_competitor)
            .binary_search_by_key(&competitor, |&index| row(index).1.competitor_id);
        found.ok().map(|at| *row(self.by_competitor[at]))
    }
}
