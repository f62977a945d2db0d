//! Dates the rounds of a tournament.

use ranklore_contest::{ContestTime, Quoted};
use ranklore_grid::{FileReadError, Location, ReadLimits};

use crate::layouts::numbering::{describe_numbering, nth_contest_time};
use crate::options::ReadOptions;
use crate::values::dates::{DateError, DateRules, find_date};

/// The days of a tournament, as far as its file has them.
#[derive(Default)]
pub(super) struct RoundDates {
    /// The day of each round.
    pub(super) rounds: Vec<Option<ContestTime>>,
    pub(super) first_day: Option<ContestTime>,
    pub(super) last_day: Option<ContestTime>,
}

impl RoundDates {
    /// Returns the day of a round, counted from 0. Of a tournament whose rounds have none, the start
    /// from the options dates them, else they are dated to its last day.
    pub(super) fn find(&self, round: usize, options: &ReadOptions) -> Result<ContestTime, String> {
        if let Some(Some(day)) = self.rounds.get(round) {
            return Ok(*day);
        }
        match (options.start, self.last_day) {
            (Some(start), _) if !self.are_stated() => nth_contest_time(options, start, round),
            (_, Some(last_day)) => Ok(last_day),
            _ => Err(format!(
                "the day of round {} is missing; pass --start 2024-01-31, the day of the first \
                 round, and --every DAYS",
                round + 1
            )),
        }
    }

    fn are_stated(&self) -> bool {
        self.rounds.iter().any(Option::is_some)
    }

    /// Describes the days of this number of rounds, if the file does not have all of them.
    pub(super) fn describe(&self, rounds: usize, options: &ReadOptions) -> Option<String> {
        let has_day = |round: usize| self.rounds.get(round).is_some_and(Option::is_some);
        let undated = (0..rounds).filter(|&round| !has_day(round)).count();
        if undated == 0 {
            return None;
        }
        if let Some(start) = options.start.filter(|_| !self.are_stated()) {
            return Some(describe_numbering(options, start, rounds, "by round"));
        }
        let last_day = self.last_day.filter(|_| self.first_day != self.last_day)?;
        Some(format!(
            "rounds without a day are dated to the last day of the tournament, {last_day}: \
             {undated}; if none has a day, --start 2024-01-31 and --every DAYS date them"
        ))
    }
}

/// Parses the day in a line. `None` if it has none.
pub(super) fn parse_day(
    text: &str,
    line: u64,
    options: &ReadOptions,
) -> Result<Option<ContestTime>, FileReadError> {
    match find_date(text, DateRules::new(options, ReadLimits::NEW)) {
        Some(Ok(day)) => Ok(Some(day)),
        // Each line has dates of one form, year first.
        Some(Err(DateError::Ambiguous | DateError::ShortYear)) => Err(FileReadError::new(
            Location::Line(line),
            format!("the century of {} is not known; write it like 2024-03-01", Quoted(text)),
        )),
        Some(Err(error)) => Err(FileReadError::new(Location::Line(line), error.message(text))),
        None if text.chars().any(|c| c.is_ascii_digit()) => {
            let reason = format!("{} is not a date; write it like 2024-03-01", Quoted(text));
            Err(FileReadError::new(Location::Line(line), reason))
        }
        None => Ok(None),
    }
}
