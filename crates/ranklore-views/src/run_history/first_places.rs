//! The competitors that came first on the leaderboards of a run, contest by contest.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use ranklore_store::{CompetitorId, CurrentRatingRow};

use crate::ranking::INACTIVE_AFTER_DAYS;
use crate::ranking::order::LeaderboardOrder;
use crate::ranking::rules::RatingRules;

/// The heap is cleared of old candidates if it has more than twice as many as there are competitors,
/// and this many more.
const SPARE_CANDIDATES: usize = 1024;

/// A time in first place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Reign {
    pub(crate) competitor_id: CompetitorId,
    /// The end of the contest that led to it, in Unix seconds.
    pub(crate) since: i64,
    /// The end of the contest after which another one was first, or none; `None` if it is not over.
    pub(crate) until: Option<i64>,
}

impl Reign {
    /// Returns the whole days of the reign, or those up to the newest contest if it is not over.
    pub(crate) fn days(&self, newest: Option<i64>) -> u32 {
        let until = self.until.or(newest).unwrap_or(self.since);
        (until.saturating_sub(self.since) / 86_400) as u32
    }
}

/// Finds the competitor in first place after each contest: of the active competitors with established ratings the one
/// with the highest rating by the order of leaderboards. Of equal ones, the one that was first
/// before, else the one with the lowest id.
pub(super) struct FirstPlaces {
    rules: RatingRules,
    order: LeaderboardOrder,
    /// All competitors that may be first. A candidate whose rating has changed since is old.
    candidates: BinaryHeap<Candidate>,
    /// The index of the first one, and since when.
    first: Option<(u32, i64)>,
    reigns: Vec<Reign>,
}

/// A competitor after one of its contests.
#[derive(Clone, Copy, Debug)]
struct Candidate {
    /// The rating that orders leaderboards, or a higher one: it falls while sigma grows.
    key: f64,
    competitor_id: CompetitorId,
    index: u32,
    contests: u32,
}

impl Candidate {
    /// True if the competitor has had no contest since.
    fn is_latest(&self, ratings: &[CurrentRatingRow]) -> bool {
        ratings[self.index as usize].contests == self.contests
    }
}

impl Ord for Candidate {
    fn cmp(&self, other: &Self) -> Ordering {
        let by_key = self.key.total_cmp(&other.key);
        by_key.then_with(|| other.competitor_id.cmp(&self.competitor_id))
    }
}

impl PartialOrd for Candidate {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Candidate {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Candidate {}

impl FirstPlaces {
    pub(super) fn new(rules: RatingRules) -> Self {
        Self {
            order: rules.default_order(),
            rules,
            candidates: BinaryHeap::new(),
            first: None,
            reigns: Vec::new(),
        }
    }

    /// Adds the competitor at this index of `ratings`, after a contest.
    pub(super) fn add(&mut self, ratings: &[CurrentRatingRow], index: u32) {
        let rating = &ratings[index as usize];
        // Up to its own end sigma has not grown. Afterwards a provisional rating stays provisional.
        self.rules.growth.set_time(Some(rating.last_contest_at));
        if self.rules.is_provisional(rating) {
            return;
        }
        if self.candidates.len() > 2 * ratings.len() + SPARE_CANDIDATES {
            self.candidates.retain(|entry| entry.is_latest(ratings));
        }
        self.candidates.push(Candidate {
            key: self.rules.key_value(self.order, rating),
            competitor_id: rating.competitor_id,
            index,
            contests: rating.contests,
        });
    }

    /// Notes the competitor in first place at a time, after all contests that ended by then.
    pub(super) fn note_first(&mut self, ratings: &[CurrentRatingRow], now: i64) {
        self.rules.growth.set_time(Some(now));
        let best = self.find_best(ratings, now);
        let keeps_first = match (self.first, best) {
            (Some((first, _)), Some((best, key))) => {
                first == best || {
                    let rating = &ratings[first as usize];
                    let first_key = self.rules.key_value(self.order, rating);
                    // Not a total order: −0 and 0 share a place.
                    self.may_be_first(rating, now)
                        && first_key.partial_cmp(&key) == Some(Ordering::Equal)
                }
            }
            (None, None) => true,
            _ => false,
        };
        if !keeps_first {
            self.end_reign(ratings, Some(now));
            self.first = best.map(|(index, _)| (index, now));
        }
    }

    /// Returns all times in first place, oldest first.
    pub(super) fn finish(&mut self, ratings: &[CurrentRatingRow]) -> Vec<Reign> {
        self.end_reign(ratings, None);
        std::mem::take(&mut self.reigns)
    }

    fn end_reign(&mut self, ratings: &[CurrentRatingRow], until: Option<i64>) {
        if let Some((index, since)) = self.first.take() {
            self.reigns.push(Reign {
                competitor_id: ratings[index as usize].competitor_id,
                since,
                until,
            });
        }
    }

    fn may_be_first(&self, rating: &CurrentRatingRow, now: i64) -> bool {
        let oldest_active = now - i64::from(INACTIVE_AFTER_DAYS) * 86_400;
        rating.last_contest_at >= oldest_active && !self.rules.is_provisional(rating)
    }

    /// Returns the index and the rating of the best one, and drops those that cannot be first again
    /// before another contest.
    fn find_best(&mut self, ratings: &[CurrentRatingRow], now: i64) -> Option<(u32, f64)> {
        loop {
            let top = *self.candidates.peek()?;
            let rating = &ratings[top.index as usize];
            if !(top.is_latest(ratings) && self.may_be_first(rating, now)) {
                self.candidates.pop();
                continue;
            }
            let key = self.rules.key_value(self.order, rating);
            if key.total_cmp(&top.key).is_ge() {
                return Some((top.index, key));
            }
            // Sigma has grown since: the candidate falls behind those with a higher rating.
            if let Some(mut candidate) = self.candidates.peek_mut() {
                candidate.key = key;
            }
        }
    }
}
