//! The total of all parts among several totals.

use super::LayoutFacts;
use crate::schema::series::ResultColumns;
use crate::vocabulary::kinds::is_rate_heading;
use crate::vocabulary::words::{has_word, split_words};

/// Last words of headings of totals: `aa-score`, `aa_total`.
const TOTAL_WORDS: &str = "score total overall points pts sum around";

impl LayoutFacts<'_> {
    /// Returns the column that is at least as large as each other total in each row, and larger in some: the
    /// total of all parts, as `aa-score` beside `fx-total`.
    pub(super) fn find_largest_total(
        &self,
        best: usize,
        totals: &[usize],
        columns: &ResultColumns,
    ) -> Option<usize> {
        let ends_like_total = |&column: &usize| {
            let words = split_words(self.table.heading(column));
            words.len() > 1 && words.last().is_some_and(|word| has_word(TOTAL_WORDS, word))
        };
        let scores = columns.parts.iter().copied().filter(ends_like_total);
        let candidates: Vec<usize> = totals
            .iter()
            .copied()
            .chain(scores)
            .filter(|&column| !is_rate_heading(self.table.heading(column)))
            .collect();
        let numbers = |column: usize| {
            let style = self.table.number_style(Some(column));
            self.table.values(column).map(move |cell| style.parse(cell).ok())
        };
        let exceeds = |column: usize, other: usize| {
            let mut is_larger = false;
            let mut pairs = numbers(column).zip(numbers(other));
            pairs.all(|pair| match pair {
                (Some(one), Some(two)) => {
                    is_larger |= one > two;
                    one >= two
                }
                (None, Some(_)) => false,
                (_, None) => true,
            }) && is_larger
        };
        let is_largest = |&column: &usize| {
            let mut others = candidates.iter().filter(|&&other| other != column);
            column != best && others.all(|&other| exceeds(column, other))
        };
        candidates.iter().copied().find(is_largest)
    }
}
