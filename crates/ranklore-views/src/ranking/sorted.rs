//! All competitors of a ranking in order.

use ranklore_store::{CompetitorId, CurrentRatingRow};

use ranklore_replay::CompetitorIndices;

/// All listed competitors with their places: the active ones, then the inactive ones, each in order.
#[derive(Debug)]
pub(super) struct SortedRows {
    rows: Vec<(u32, CurrentRatingRow)>,
    active: usize,
    /// The position in the rows of each competitor.
    positions: CompetitorIndices,
}

impl SortedRows {
    pub(super) fn new(rows: Vec<(u32, CurrentRatingRow)>, active: usize) -> Self {
        let mut positions = CompetitorIndices::default();
        let mut competitors = Vec::with_capacity(rows.len());
        for (_, rating) in &rows {
            positions.find_or_add(rating.competitor_id, &mut competitors);
        }
        Self {
            rows,
            active,
            positions,
        }
    }

    pub(super) const fn len(&self) -> usize {
        self.rows.len()
    }

    /// Returns the active, or the inactive, ones.
    pub(super) fn half(&self, active: bool) -> &[(u32, CurrentRatingRow)] {
        let (active_rows, inactive_rows) = self.rows.split_at(self.active);
        if active { active_rows } else { inactive_rows }
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &CurrentRatingRow> {
        self.rows.iter().map(|(_, rating)| rating)
    }

    /// Returns the place and the rating of a competitor.
    pub(super) fn find(&self, competitor: CompetitorId) -> Option<(u32, CurrentRatingRow)> {
        let position = self.positions.get(competitor)?;
        Some(self.rows[position as usize])
    }

    /// Returns the ratings of all but these competitors, in order.
    pub(super) fn without(&self, competitors: &[CompetitorId]) -> Vec<CurrentRatingRow> {
        let mut left_out = vec![false; self.rows.len()];
        for &competitor in competitors {
            if let Some(position) = self.positions.get(competitor) {
                left_out[position as usize] = true;
            }
        }
        let rows = self.iter().zip(left_out);
        rows.filter_map(|(row, is_left_out)| (!is_left_out).then_some(*row)).collect()
    }
}
