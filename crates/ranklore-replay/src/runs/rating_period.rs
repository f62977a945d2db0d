//! Rating periods of runs: all contests of a period are rated against the ratings from before it.

use std::borrow::Cow;

use ranklore_contest::ContestTime;
use ranklore_store::{RatableContest, Store};

use crate::error::Error;

const SECONDS_PER_DAY: i64 = 86_400;

/// Longest period in days, ten years.
const MAX_DAYS: u32 = 3_660;

/// The length of rating periods.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RatingPeriod {
    /// A number of days in UTC; periods of 7 days begin on Mondays.
    Days(u32),
    /// A calendar month in UTC.
    Month,
    /// An event; a contest without one is a period of its own.
    Event,
}

impl RatingPeriod {
    /// Name of the parameter of runs.
    pub(crate) const PARAMETER: &str = "period";

    /// Returns the word for the period: `7d`, `month`, `event`.
    #[must_use]
    pub fn to_word(self) -> Cow<'static, str> {
        match self {
            Self::Days(days) => Cow::Owned(format!("{days}d")),
            Self::Month => Cow::Borrowed("month"),
            Self::Event => Cow::Borrowed("event"),
        }
    }

    /// Parses the word for a period.
    #[must_use]
    pub fn from_word(word: &str) -> Option<Self> {
        match word {
            "month" => Some(Self::Month),
            "event" => Some(Self::Event),
            _ => {
                let days = word.strip_suffix('d')?;
                let is_number = days.starts_with(|c: char| matches!(c, '1'..='9'));
                let days = days.parse().ok().filter(|_| is_number)?;
                (1..=MAX_DAYS).contains(&days).then_some(Self::Days(days))
            }
        }
    }

    /// Returns the number of the period of a contest; it increases with time.
    #[must_use]
    pub fn number(self, contest: &RatableContest) -> i64 {
        self.number_of(contest.ends_at, contest.event)
    }

    /// Returns the number like [`Self::number`] of a contest with this end and number of its event.
    #[must_use]
    pub fn number_of(self, ends_at: i64, event: u32) -> i64 {
        self.number_at(ends_at).unwrap_or_else(|| i64::from(event))
    }

    /// Returns the number of the period of a time, in Unix seconds; `None` for events.
    fn number_at(self, time: i64) -> Option<i64> {
        match self {
            Self::Days(days) => {
                // 1 January 1970 was a Thursday.
                let since_monday = time.div_euclid(SECONDS_PER_DAY) + 3;
                Some(since_monday.div_euclid(i64::from(days)))
            }
            Self::Month => {
                let time = ContestTime::new(time).unwrap_or(ContestTime::MIN);
                Some(time.months_since_year_zero())
            }
            Self::Event => None,
        }
    }

    /// Returns the periods between two times, without those of the times themselves; 0 for events,
    /// whose number no time tells.
    #[must_use]
    pub fn missed_between(self, last: i64, next: i64) -> i64 {
        match (self.number_at(last), self.number_at(next)) {
            (Some(last), Some(next)) => (next - last - 1).max(0),
            _ => 0,
        }
    }

    /// Errors if the events of contests, in replay order, overlap: their contests would belong to
    /// several periods at once.
    ///
    /// # Errors
    /// [`Error::OverlappingEvents`], [`Error::Store`].
    pub fn check_order(self, store: &Store, contests: &[RatableContest]) -> Result<(), Error> {
        let overlap = contests.windows(2).find(|pair| pair[1].event < pair[0].event);
        let Some([before, after]) = overlap.filter(|_| self == Self::Event) else {
            return Ok(());
        };
        let rows = store.contests_by_id([before.contest_id, after.contest_id])?;
        let [first, second] = [before, after].map(|contest| {
            let row = rows.iter().find(|row| row.contest_id == contest.contest_id);
            row.map_or_else(String::new, |row| match &row.event {
                Some(event) => event.clone(),
                None => row.external_id.clone(),
            })
        });
        Err(Error::OverlappingEvents { first, second })
    }

    /// Returns the largest number of contests, at most `limit`, with which a replay can begin: all
    /// contests of a period are replayed together.
    #[must_use]
    pub fn floor_position(self, contests: &[RatableContest], limit: usize) -> usize {
        let Some(next) = contests.get(limit) else {
            return limit;
        };
        let number = self.number(next);
        let earlier = contests[..limit].iter().rev();
        limit - earlier.take_while(|c| self.number(c) == number).count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ranklore_store::{ContestId, SourceId};

    fn contest(ends_at: i64) -> RatableContest {
        RatableContest {
            contest_id: ContestId::new(1),
            source_id: SourceId::new(1),
            ends_at,
            weight: 1.0,
            site_weight: None,
            relative_duration: 1.0,
            performance_ceiling: f64::INFINITY,
            entrants: 2,
            event: 0,
            content_hash: [0; 32],
        }
    }

    #[test]
    fn words_are_read_back() {
        for word in ["1d", "7d", "3660d", "month", "event"] {
            assert_eq!(RatingPeriod::from_word(word).unwrap().to_word(), word);
        }
        for word in ["0d", "d", "+7d", "07d", "3661d", "7", "week", "7 d", ""] {
            assert_eq!(RatingPeriod::from_word(word), None, "{word}");
        }
    }

    #[test]
    fn weeks_begin_on_mondays_and_months_on_the_first() {
        // Thursday, 1 January 1970.
        let day = |day: i64| contest(day * SECONDS_PER_DAY);
        let week = |number: i64| RatingPeriod::Days(7).number(&day(number));
        assert_eq!(week(-3), week(3));
        assert_eq!(week(4), week(3) + 1);
        assert_eq!(week(-4), week(3) - 1);
        let month = |seconds: i64| RatingPeriod::Month.number(&contest(seconds));
        assert_eq!(month(0), 1970 * 12);
        assert_eq!(month(-1), 1970 * 12 - 1);
        assert_eq!(month(31 * SECONDS_PER_DAY), 1970 * 12 + 1);
        let missed = |period: RatingPeriod, days: i64| {
            period.missed_between(3 * SECONDS_PER_DAY, (3 + days) * SECONDS_PER_DAY)
        };
        let week = RatingPeriod::Days(7);
        assert_eq!([-9, 0, 1, 7, 8, 15].map(|days| missed(week, days)), [0, 0, 0, 0, 1, 2]);
        assert_eq!(missed(RatingPeriod::Month, 90), 2);
        assert_eq!(missed(RatingPeriod::Event, 90), 0);
    }

    #[test]
    fn replay_begins_with_whole_period() {
        let contests: Vec<_> = [0, 1, 1, 1, 2, 4].map(|day| contest(day * SECONDS_PER_DAY)).into();
        let days = RatingPeriod::Days(1);
        let floors = [0, 1, 2, 3, 4, 5, 6].map(|limit| days.floor_position(&contests, limit));
        assert_eq!(floors, [0, 1, 1, 1, 4, 5, 6]);
    }
}
