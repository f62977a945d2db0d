//! Scores of comments, summed for each author.

use std::collections::{BTreeMap, HashMap};

use ranklore_contest::{Entrant, Outcome, Place};
use ranklore_source::{ContestOutcome, Results};

/// No comment has a score farther from 0.
const MAX_SCORE: i64 = 1_000_000_000;

/// A score as it can be; else what was expected.
pub(crate) fn score(score: i64) -> Result<i64, String> {
    if (-MAX_SCORE..=MAX_SCORE).contains(&score) {
        Ok(score)
    } else {
        Err(format!("a score within {MAX_SCORE} of 0, not {score}"))
    }
}

/// What the comments of a thread, or some of them, came to.
#[derive(Default)]
pub(crate) struct Tally {
    /// Authors with the sums of their scores, in the order they were met in.
    sums: Vec<(String, i64)>,
    index_of: HashMap<String, usize>,
    /// Comments in all, those of the two kinds below included.
    pub(crate) arrived: u32,
    /// Comments whose authors deleted their accounts.
    pub(crate) deleted: usize,
    /// Comments whose scores the site does not show yet.
    pub(crate) hidden: usize,
}

impl Tally {
    /// Adds a [`score`]. There are fewer comments than would overflow.
    pub(crate) fn add(&mut self, author: &str, score: i64) {
        if let Some(&index) = self.index_of.get(author) {
            self.sums[index].1 += score;
        } else {
            self.index_of.insert(author.to_owned(), self.sums.len());
            self.sums.push((author.to_owned(), score));
        }
    }

    /// How many authors there are.
    pub(crate) fn authors(&self) -> usize {
        self.sums.len()
    }

    /// Who stands where.
    pub(crate) fn entrants(self) -> Vec<Entrant> {
        let entrants = self.sums.into_iter().map(|(author, score)| Entrant {
            score: Some(score as f64),
            // Not the place yet.
            ..Entrant::person(author, Outcome::DidNotFinish)
        });
        placed(entrants.collect())
    }

    /// How the thread came out by these comments.
    pub(crate) fn outcome(self) -> ContestOutcome {
        ContestOutcome::by(self.entrants())
    }

    /// What was left out, and how many of it.
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

/// The highest score first; equal ones share a place, and stay in their order.
fn placed(mut entrants: Vec<Entrant>) -> Vec<Entrant> {
    let score_of = |entrant: &Entrant| entrant.score.unwrap_or_default();
    entrants.sort_by(|a, b| score_of(b).total_cmp(&score_of(a)));
    let mut above: Option<(f64, Place)> = None;
    for (index, entrant) in entrants.iter_mut().enumerate() {
        let score = score_of(entrant);
        let place = match above {
            Some((same, place)) if same.total_cmp(&score).is_eq() => place,
            _ => Place::below(index as u32),
        };
        entrant.outcome = Outcome::Finished(place);
        above = Some((score, place));
    }
    entrants
}

/// Adds up the scores of each author, and the numbers of comments, over the documents of a thread,
/// each comment being in one of them.
#[must_use]
pub fn add_up(first: Results, parts: Vec<Results>) -> Results {
    use ContestOutcome::{NothingYet, Stood};
    if !matches!(first.outcome, NothingYet | Stood { .. }) {
        return first;
    }
    let entrants = |of: ContestOutcome| match of {
        Stood { entrants, .. } => entrants,
        _ => Vec::new(),
    };
    let mut sums = entrants(first.outcome);
    let mut index_of: HashMap<String, usize> = (sums.iter().enumerate())
        .map(|(index, entrant)| (entrant.competitor.clone(), index))
        .collect();
    let mut counts = first.counts;
    for part in parts.iter().filter_map(|of| of.counts.as_ref()) {
        counts = Some(counts.map_or_else(|| part.clone(), |whole| whole.with_part(part)));
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
        outcome: ContestOutcome::by(placed(sums)),
        counts,
        ..first
    }
}
