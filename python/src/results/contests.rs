//! Contests of a table: the facts on which all rows agree, and the order of replay.

use std::cmp::Ordering;

use ranklore_contest::{Quoted, check_performance_ceiling, check_weight, compare_naturally};
use ranklore_store::{
    ContestId, EventNumbers, RatableContest, SourceId, compare_events,
    compare_simultaneous_contests,
};

use super::{SEPARATOR, local_name};
use crate::error::Failure;
use crate::table::Column;
use crate::table::names::{NO_NAME, Names};

/// The contest of each row, and the first row of each contest.
pub(crate) struct ContestRows {
    /// The number of the contest of each row.
    pub(crate) of_row: Vec<u32>,
    /// The first row of each contest.
    pub(crate) first: Vec<usize>,
}

impl ContestRows {
    /// Errors if a row has no contest.
    pub(crate) fn new(of_row: Vec<u32>, contests: usize, column: &Column) -> Result<Self, Failure> {
        let mut first = Vec::with_capacity(contests);
        for (row, &contest) in of_row.iter().enumerate() {
            if contest == NO_NAME {
                return Err(
                    column.refuse(row, "the contest is missing; name it, or remove the row")
                );
            }
            // Numbers count up from the first row.
            if contest as usize == first.len() {
                first.push(row);
            }
        }
        Ok(Self { of_row, first })
    }

    /// Returns the value of each contest. Errors if the rows of a contest differ.
    pub(crate) fn agreed<T: Copy + PartialEq>(
        &self,
        column: &Column,
        values: &[T],
        names: &Names,
    ) -> Result<Vec<T>, Failure> {
        let agreed: Vec<T> = self.first.iter().map(|&row| values[row]).collect();
        for (row, &contest) in self.of_row.iter().enumerate() {
            if values[row] != agreed[contest as usize] {
                let name = local_name(names.get(contest));
                let first = self.first[contest as usize];
                let reason = format!(
                    "the value differs from that of row {first}, of the same contest {}; give one \
                     value, or name different contests differently",
                    Quoted(name)
                );
                return Err(column.refuse(row, reason).in_contest(name));
            }
        }
        Ok(agreed)
    }
}

/// Contests before they are in the order of replay; each list has a value for each contest.
pub(crate) struct ContestFacts {
    pub(crate) ends_at: Vec<i64>,
    pub(crate) weights: Option<Vec<f64>>,
    pub(crate) site_weights: Option<Vec<Option<f64>>>,
    pub(crate) ceilings: Option<Vec<Option<f64>>>,
    pub(crate) events: Option<Vec<u32>>,
    pub(crate) ordinals: Option<Vec<Option<i64>>>,
    /// True for the contests to rate.
    pub(crate) are_rated: Vec<bool>,
    /// True if names are the ids of a dataset, which begin with the source.
    pub(crate) is_dataset: bool,
}

impl ContestFacts {
    /// Errors if a weight or a ceiling is out of range; `name` is that of a contest.
    pub(crate) fn check<'n>(&self, name: impl Fn(usize) -> &'n str) -> Result<(), Failure> {
        let refuse = |index: usize, error: ranklore_contest::ValidationError| {
            let name = local_name(name(index));
            Failure::new(format!("contest {}: {error}", Quoted(name))).in_contest(name)
        };
        for (index, &weight) in self.weights.iter().flatten().enumerate() {
            check_weight(weight).map_err(|error| refuse(index, error))?;
        }
        for (index, ceiling) in self.ceilings.iter().flatten().enumerate() {
            let checked = ceiling.map_or(Ok(()), check_performance_ceiling);
            checked.map_err(|error| refuse(index, error))?;
        }
        Ok(())
    }

    /// Returns the numbers of the contests to rate in the order of replay, which is that of
    /// [`ranklore_store::ContestRow::replay_order`].
    pub(crate) fn replay_order(&self, names: &Names, events: &Names) -> Vec<u32> {
        let count = self.ends_at.len() as u32;
        let mut order: Vec<u32> = (0..count).filter(|&n| self.are_rated[n as usize]).collect();
        order.sort_by(|&a, &b| self.compare(a, b, names, events));
        order
    }

    fn compare(&self, a: u32, b: u32, names: &Names, events: &Names) -> Ordering {
        let event = |contest: u32| {
            let event = self.events.as_ref()?[contest as usize];
            (event != NO_NAME).then(|| events.get(event))
        };
        let ordinal = |contest: u32| self.ordinals.as_ref()?[contest as usize];
        let ends_at = self.ends_at[a as usize];
        let by_end = ends_at.cmp(&self.ends_at[b as usize]);
        if by_end.is_ne() {
            return by_end;
        }
        let (a_name, b_name) = (names.get(a), names.get(b));
        source_of(a_name)
            .cmp(source_of(b_name))
            .then_with(|| compare_events(event(a), event(b)))
            .then_with(|| ordinal(a).cmp(&ordinal(b)))
            .then_with(|| {
                if self.is_dataset {
                    let ids = [a_name, b_name].map(local_name);
                    compare_simultaneous_contests(ids[0], ids[1], Some(ends_at))
                } else {
                    compare_naturally(a_name, b_name).then_with(|| a_name.cmp(b_name))
                }
            })
    }

    /// Returns the rows of contests in the order of replay, without their number of entrants.
    pub(crate) fn to_rows(
        &self,
        order: &[u32],
        names: &Names,
        events: &Names,
    ) -> Vec<RatableContest> {
        let mut numbers = EventNumbers::default();
        let mut sources = Names::default();
        let rows = order.iter().zip(0..).map(|(&contest, position)| {
            let index = contest as usize;
            let source = if self.is_dataset {
                sources.add(source_of(names.get(contest))).0
            } else {
                0
            };
            let source_id = SourceId::new(i64::from(source) + 1);
            let event = self.events.as_ref().map(|events| events[index]);
            RatableContest {
                contest_id: ContestId::new(i64::from(contest) + 1),
                source_id,
                ends_at: self.ends_at[index],
                weight: self.weights.as_ref().map_or(1.0, |weights| weights[index]),
                site_weight: self.site_weights.as_ref().and_then(|weights| weights[index]),
                relative_duration: 1.0,
                performance_ceiling: self
                    .ceilings
                    .as_ref()
                    .and_then(|ceilings| ceilings[index])
                    .unwrap_or(f64::INFINITY),
                entrants: 0,
                event: match event {
                    // Each contest is an event of its own.
                    None => position,
                    Some(event) => {
                        numbers.add(source_id, (event != NO_NAME).then(|| events.get(event)))
                    }
                },
                content_hash: [0; 32],
            }
        });
        rows.collect()
    }
}

/// Returns the source in the name of a contest of a dataset.
pub(crate) fn source_of(name: &str) -> &str {
    name.split_once(SEPARATOR).map_or("", |(source, _)| source)
}
