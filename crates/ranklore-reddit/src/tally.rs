//! Sums the scores of comments by author.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};

use ranklore_contest::{Entrant, EntrantOutcome, Place};
use ranklore_source::{ContestOutcome, Results};

/// The largest absolute score.
const MAX_SCORE: i64 = 1_000_000_000;

/// Returns the score if it is in range, otherwise what was expected.
pub(crate) fn check_score(score: i64) -> Result<i64, String> {
    if (-MAX_SCORE..=MAX_SCORE).contains(&score) {
        Ok(score)
    } else {
        Err(format!("a score within {MAX_SCORE} of 0, not {score}"))
    }
}

/// The scores of all or some comments of a thread.
#[derive(Default)]
pub(crate) struct AuthorScores {
    /// Authors with the sums of their scores, in the order of their first comments.
    sums: Vec<(String, i64)>,
    index_of: HashMap<String, usize>,
    /// All comments, including deleted and hidden ones.
    pub(crate) arrived: u32,
    /// Comments by deleted accounts.
    pub(crate) deleted: usize,
    /// Comments whose scores are hidden.
    pub(crate) hidden: usize,
}

impl AuthorScores {
    /// Adds a score from [`check_score`]. The number of comments is too small to overflow.
    pub(crate) fn add(&mut self, author: &str, score: i64) {
        if let Some(&index) = self.index_of.get(author) {
            self.sums[index].1 += score;
        } else {
            self.index_of.insert(author.to_owned(), self.sums.len());
            self.sums.push((author.to_owned(), score));
        }
    }

    /// Returns the number of authors.
    pub(crate) fn author_count(&self) -> usize {
        self.sums.len()
    }

    /// Returns the authors as entrants, by score, highest first; equal scores share a place and keep
    /// their order.
    pub(crate) fn into_entrants(mut self) -> Vec<Entrant> {
        self.sums.sort_by_key(|(_, score)| Reverse(*score));
        let mut above: Option<(i64, Place)> = None;
        let mut entrants = Vec::with_capacity(self.sums.len());
        for (index, (author, score)) in self.sums.into_iter().enumerate() {
            let place = match above {
                Some((same, place)) if same == score => place,
                _ => Place::from_entrants_above(index as u32),
            };
            above = Some((score, place));
            entrants.push(Entrant {
                score: Some(score as f64),
                ..Entrant::person(author, EntrantOutcome::Finished(place))
            });
        }
        entrants
    }

    /// Returns the result of the thread by these comments.
    pub(crate) fn into_outcome(self) -> ContestOutcome {
        ContestOutcome::from_entrants(self.into_entrants())
    }

    /// Returns the numbers of comments that do not count, by reason.
    pub(crate) fn left_out(&self) -> BTreeMap<String, u64> {
        [
            ("comments by deleted accounts", self.deleted),
            ("comments whose scores the site does not show yet", self.hidden),
        ]
        .into_iter()
        .filter(|(_, number)| *number > 0)
        .map(|(reason, number)| (reason.to_owned(), number as u64))
        .collect()
    }
}

/// Sums the scores of each author and the numbers of comments over the documents of a thread. Each
/// comment must be in one document only.
#[must_use]
pub fn sum_parts(first: Results, parts: Vec<Results>) -> Results {
    use ContestOutcome::{NothingYet, Standings};
    if !matches!(first.outcome, NothingYet | Standings { .. }) {
        return first;
    }
    let mut counts = first.counts;
    for part in parts.iter().filter_map(|part| part.counts.as_ref()) {
        counts = Some(counts.map_or_else(|| part.clone(), |sum| sum.add_part(part)));
    }
    let mut scores = AuthorScores::default();
    let part_outcomes = parts.into_iter().map(|part| part.outcome);
    for outcome in std::iter::once(first.outcome).chain(part_outcomes) {
        if let Standings { entrants, .. } = outcome {
            for entrant in entrants {
                // Scores are whole numbers.
                let score = entrant.score.unwrap_or_default() as i64;
                scores.add(&entrant.competitor, score);
            }
        }
    }
    Results {
        outcome: scores.into_outcome(),
        counts,
        ..first
    }
}
