//! Sums the scores of comments by author.

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

    /// Returns the authors as entrants with their places.
    pub(crate) fn into_entrants(self) -> Vec<Entrant> {
        let entrants = self.sums.into_iter().map(|(author, score)| Entrant {
            score: Some(score as f64),
            // Replaced by the place below.
            ..Entrant::person(author, EntrantOutcome::DidNotFinish)
        });
        assign_places(entrants.collect())
    }

    /// Returns the result of the thread by these comments.
    pub(crate) fn into_outcome(self) -> ContestOutcome {
        ContestOutcome::from_entrants(self.into_entrants())
    }

    /// Returns the numbers of comments that do not count, by reason.
    pub(crate) fn left_out(&self) -> BTreeMap<String, u64> {
        [
            ("comments by deleted accounts", self.deleted),
            (
                "comments whose scores the site does not show yet",
                self.hidden,
            ),
        ]
        .into_iter()
        .filter(|(_, number)| *number > 0)
        .map(|(what, number)| (what.to_owned(), number as u64))
        .collect()
    }
}

/// Orders entrants by score, highest first; equal scores share a place and keep their order.
fn assign_places(mut entrants: Vec<Entrant>) -> Vec<Entrant> {
    let score_of = |entrant: &Entrant| entrant.score.unwrap_or_default();
    entrants.sort_by(|a, b| score_of(b).total_cmp(&score_of(a)));
    let mut above: Option<(f64, Place)> = None;
    for (index, entrant) in entrants.iter_mut().enumerate() {
        let score = score_of(entrant);
        let place = match above {
            Some((same, place)) if same.total_cmp(&score).is_eq() => place,
            _ => Place::from_entrants_above(index as u32),
        };
        entrant.outcome = EntrantOutcome::Finished(place);
        above = Some((score, place));
    }
    entrants
}

/// Sums the scores of each author and the numbers of comments over the documents of a thread. Each
/// comment must be in one document only.
#[must_use]
pub fn sum_parts(first: Results, parts: Vec<Results>) -> Results {
    use ContestOutcome::{NothingYet, Standings};
    if !matches!(first.outcome, NothingYet | Standings { .. }) {
        return first;
    }
    let entrants = |of: ContestOutcome| match of {
        Standings { entrants, .. } => entrants,
        _ => Vec::new(),
    };
    let mut sums = entrants(first.outcome);
    let mut index_of: HashMap<String, usize> = (sums.iter().enumerate())
        .map(|(index, entrant)| (entrant.competitor.clone(), index))
        .collect();
    let mut counts = first.counts;
    for part in parts.iter().filter_map(|of| of.counts.as_ref()) {
        counts = Some(counts.map_or_else(|| part.clone(), |whole| whole.add_part(part)));
    }
    for entrant in parts.into_iter().flat_map(|of| entrants(of.outcome)) {
        if let Some(&index) = index_of.get(&entrant.competitor) {
            let score = &mut sums[index].score;
            *score = Some(score.unwrap_or_default() + entrant.score.unwrap_or_default());
        } else {
            index_of.insert(entrant.competitor.clone(), sums.len());
            sums.push(entrant);
        }
    }
    Results {
        outcome: ContestOutcome::from_entrants(assign_places(sums)),
        counts,
        ..first
    }
}
