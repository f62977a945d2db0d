//! Published ranks to places.

use std::collections::HashMap;

use ranklore_contest::{Entrant, EntrantKind, EntrantOutcome};
use ranklore_source::json::quote_excerpt;
use ranklore_source::{SiteReadError, renumber_places};

/// Returns the highest plausible rank for a number of rows: answers have most of the entrants. A
/// higher number is not a rank.
const fn max_rank(rows: usize) -> u32 {
    10 * rows as u32 + 100
}

/// Maximum number of rows; no contest had 1 % of it.
const MAX_ROWS: usize = 10_000_000;

/// The rows of one answer, with the paths of their fields for errors.
pub(crate) struct RankedRows<'a> {
    /// The request key of the answer.
    pub(crate) key: &'a str,
    /// The path of the list of rows.
    pub(crate) list: &'static str,
    /// The name of the field with the rank.
    pub(crate) rank_field: &'static str,
    /// The rows in the order of the answer.
    pub(crate) rows: Vec<RankedRow>,
    /// Ranks of rows that are left out.
    pub(crate) ranks_left_out: Vec<u32>,
}

/// A row of an answer.
pub(crate) struct RankedRow {
    /// The index in the list.
    pub(crate) index: usize,
    pub(crate) rank: u32,
    /// The entrant; its outcome is set later.
    pub(crate) entrant: Entrant,
}

impl RankedRows<'_> {
    /// Returns the entrants of a contest in order of place. Gaps in the ranks that rows left out do
    /// not explain are closed, with a warning.
    ///
    /// # Errors
    /// If a user occurs twice, or a rank is too low for the number of entrants above.
    pub(crate) fn into_entrants(
        mut self,
        contest: &str,
    ) -> Result<(Vec<Entrant>, Option<String>), SiteReadError> {
        if !self.rows.is_sorted_by_key(|row| row.rank) {
            self.rows.sort_by_key(|row| row.rank);
        }
        self.check_names()?;
        self.check_ranks()?;
        let (places, _) = renumber_places(self.rows.iter().map(|row| row.rank));
        let warning = self.find_gap().map(|row| {
            format!(
                "contest {contest}: ranks have gaps, first above {:?} (rank {}); places were \
                 renumbered",
                row.entrant.competitor, row.rank
            )
        });
        let entrants = self.rows.into_iter().zip(places).map(|(row, place)| Entrant {
            outcome: EntrantOutcome::Finished(place),
            ..row.entrant
        });
        Ok((entrants.collect(), warning))
    }

    /// Returns an error at a field of a row.
    pub(crate) fn error(&self, index: usize, field: &str, expected: String) -> SiteReadError {
        SiteReadError::new(self.key, format!("{}[{index}].{field}", self.list), expected)
    }

    fn check_names(&self) -> Result<(), SiteReadError> {
        let mut indexes = HashMap::with_capacity(self.rows.len());
        for row in &self.rows {
            let name = row.entrant.competitor.as_str();
            let is_valid = match row.entrant.kind {
                EntrantKind::Person => is_user_name(name),
                _ => !name.is_empty(),
            };
            if !is_valid {
                let expected =
                    format!("letters, digits and '_' of a name, not {}", quote_excerpt(name));
                return Err(self.error(row.index, "UserScreenName", expected));
            }
            if let Some(first) = indexes.insert(name, row.index) {
                let expected = format!("each user once, not {name:?} again, as at index {first}");
                return Err(self.error(row.index, "UserScreenName", expected));
            }
        }
        Ok(())
    }

    /// Errors if a rank does not count all entrants above, as after a duplicate rank, or if nobody is
    /// first.
    fn check_ranks(&self) -> Result<(), SiteReadError> {
        let rows = self.rows.len() + self.ranks_left_out.len();
        if rows > MAX_ROWS {
            let expected = format!("at most {MAX_ROWS} rows, not {rows}");
            return Err(SiteReadError::whole_document(self.key, expected));
        }
        let max_rank = max_rank(rows);
        let mut rank_above = 0;
        for (row, above) in self.rows.iter().zip(0_u32..) {
            let rank = row.rank;
            if !(1..=max_rank).contains(&rank) {
                let expected = format!("a rank from 1 to {max_rank}, not {rank}");
                return Err(self.error(row.index, self.rank_field, expected));
            }
            if above == 0 && rank > 1 && self.ranks_left_out.iter().all(|other| *other >= rank) {
                let expected = format!("1 as the best rank, not {rank}");
                return Err(self.error(row.index, self.rank_field, expected));
            }
            if rank != rank_above && rank <= above {
                let expected = format!(
                    "at least {}, since {above} entrants are above, not {rank}; {rank_above} may \
                     be a duplicate",
                    above + 1
                );
                return Err(self.error(row.index, self.rank_field, expected));
            }
            rank_above = rank;
        }
        Ok(())
    }

    /// Returns the first row below a gap that rows left out do not explain.
    fn find_gap(&self) -> Option<&RankedRow> {
        let mut left_out = self.ranks_left_out.clone();
        left_out.sort_unstable();
        let mut rank_above = 0;
        let mut rows = self.rows.iter().zip(1_usize..);
        let gap = rows.find(|(row, number)| {
            let is_tied = row.rank == rank_above;
            rank_above = row.rank;
            let explained = left_out.partition_point(|rank| *rank < row.rank);
            !is_tied && row.rank as usize > number + explained
        });
        gap.map(|(row, _)| row)
    }
}

/// True if a text is the name of a user. Teams have any name.
fn is_user_name(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}
