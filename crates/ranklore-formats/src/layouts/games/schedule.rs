//! The time and the order of the games of a table.

use std::collections::HashMap;

use super::repeats::Repeats;
use super::rounds::RoundRanks;
use crate::layouts::long::{describe_missing_dates, find_file_date};
use crate::layouts::numbering::{describe_numbering, find_disorder, nth_contest_time};
use crate::options::ReadOptions;
use crate::schema::games::GameColumns;
use crate::schema::table::HeaderTable;
use crate::values::cells::is_blank;
use crate::values::dates::{self, DateRules, DateStyle, PeriodNotes, parse_clock_time};
use crate::vocabulary::seats::Seat;
use ranklore_contest::{ContestTime, Quoted, compare_naturally};
use ranklore_grid::{FileReadError, Reason};

/// The distance of two rounds in the order of the games of one time: more than a table has games.
const ROUND_STEP: i64 = 10_000_000;

/// The time and the order of one game.
#[derive(Clone, Copy)]
pub(super) struct Slot {
    /// `None` if the date is missing or invalid.
    pub(super) time: Option<ContestTime>,
    pub(super) ordinal: Option<i64>,
    /// The number of the game among those of the same competitors, time, event and round; the first
    /// is 1.
    pub(super) nth: u32,
}

/// The time and the order of the games of a table.
pub(super) struct Schedule {
    first_row: usize,
    slots: Vec<Slot>,
    style: DateStyle,
    pub(super) notes: Vec<String>,
    /// The number of days that are counted from the start.
    pub(super) numbered: usize,
    /// The date that a table without dates was given.
    pub(super) start: Option<ContestTime>,
}

/// The source of the dates.
enum Dating<'t> {
    Column,
    Fixed(ContestTime),
    /// The times of rounds, by event and round.
    Rounds(HashMap<(&'t str, &'t str), Result<ContestTime, String>>),
    /// Each row has a day of its own.
    Rows(ContestTime),
}

impl Schedule {
    pub(super) fn new(
        table: &HeaderTable,
        columns: &GameColumns,
        repeats: &mut Repeats<'_, '_>,
        file_name: &str,
        options: &ReadOptions,
    ) -> Result<Self, FileReadError> {
        let dates = || columns.date.into_iter().flat_map(|c| table.values(c));
        let heading = columns.date.map_or("", |column| table.heading(column));
        let rules = DateRules::new(options, table.grid.limits()).below(heading);
        let mut schedule = Self {
            first_row: table.data_rows().start,
            slots: Vec::with_capacity(table.data_rows().len()),
            style: DateStyle::from_cells(dates(), rules),
            notes: Vec::new(),
            numbered: 0,
            start: None,
        };
        let note = schedule.style.check(dates());
        let date_column = columns.date.unwrap_or_default();
        let note = note.map_err(|reason| table.refuse_column(date_column, reason))?;
        schedule.notes.extend(note);
        schedule.read_times(table, columns, file_name, options)?;
        schedule.order(table, columns, repeats);
        Ok(schedule)
    }

    /// Returns the time and the order of the game in a row.
    pub(super) fn slot(&self, row: usize) -> Slot {
        self.slots[row - self.first_row]
    }

    /// Returns the reason why a date cell has no time.
    pub(super) fn date_error(&self, cell: &str) -> Option<String> {
        let error = dates::parse_cell(cell, self.style).err()?;
        Some(error.message(cell))
    }

    fn read_times(
        &mut self,
        table: &HeaderTable,
        columns: &GameColumns,
        file_name: &str,
        options: &ReadOptions,
    ) -> Result<(), FileReadError> {
        let dating = self.find_dating(table, columns, file_name, options)?;
        let mut periods = PeriodNotes::default();
        let mut last: Option<(&str, Option<ContestTime>)> = None;
        for row in table.data_rows() {
            let time = match &dating {
                Dating::Column => {
                    let cell = table.cell(row, columns.date);
                    // Consecutive rows mostly share a date.
                    let day = match last {
                        Some((known, day)) if known == cell => day,
                        _ if is_blank(cell) => None,
                        _ => dates::parse_cell(cell, self.style).ok().map(|date| {
                            periods.add(cell, date);
                            date.time
                        }),
                    };
                    last = Some((cell, day));
                    day.and_then(|day| add_time_of_day(day, table, row, columns))
                }
                Dating::Fixed(time) => Some(*time),
                Dating::Rounds(times) => {
                    let key = (event(table, row, columns), table.cell(row, columns.round));
                    times.get(&key).and_then(|time| time.as_ref().ok()).copied()
                }
                Dating::Rows(start) => {
                    let nth = row - self.first_row;
                    nth_contest_time(options, *start, nth).ok()
                }
            };
            self.slots.push(Slot {
                time,
                ordinal: None,
                nth: 1,
            });
        }
        self.notes.extend(periods.into_notes());
        Ok(())
    }

    fn find_dating<'t>(
        &mut self,
        table: &'t HeaderTable,
        columns: &GameColumns,
        file_name: &str,
        options: &ReadOptions,
    ) -> Result<Dating<'t>, FileReadError> {
        if columns.date.is_some() {
            return Ok(Dating::Column);
        }
        let Some(start) = options.start else {
            return match find_file_date(table, file_name, options) {
                Some((_, Ok(date))) => {
                    let note = format!("the games are dated {date} by the file name");
                    self.notes.push(note);
                    self.start = Some(date);
                    Ok(Dating::Fixed(date))
                }
                Some((name, Err(error))) => Err(table.refuse_headings(error.message(name))),
                None if !columns.have_results(table) => Err(table.refuse_headings(
                    "no game has a result: all winners and scores are blank or 0, and there are no dates",
                )),
                None => Err(table.refuse_headings(missing_dates(table, columns, file_name))),
            };
        };
        self.start = Some(start);
        if columns.round.is_some() {
            let mut times = HashMap::new();
            let mut rounds = Vec::new();
            for row in table.data_rows() {
                // The first round of another event has a day of its own.
                let key = (event(table, row, columns), table.cell(row, columns.round));
                let next = times.len();
                times.entry(key).or_insert_with(|| {
                    rounds.push(key);
                    nth_contest_time(options, start, next)
                });
            }
            let reversed = find_reversed_rounds(&rounds)
                .filter(|_| table.grid.limits().reader.refuses_doubts());
            reversed
                .map_or_else(|| check_round_order(&rounds), Err)
                .map_err(|names| refuse_order(table, columns, names))?;
            self.numbered = times.len();
            let order = "one round each, in order of appearance";
            let note = describe_numbering(options, start, times.len(), order);
            self.notes.push(note);
            return Ok(Dating::Rounds(times));
        }
        if options.every_days.is_some() {
            self.numbered = table.data_rows().len();
            let note = describe_numbering(options, start, self.numbered, "in order of appearance");
            self.notes.push(note);
            return Ok(Dating::Rows(start));
        }
        self.numbered = 1;
        self.notes.push(format!("all games are dated {start}"));
        Ok(Dating::Fixed(start))
    }

    /// Sets the order of the games of one time, and counts those of the same competitors.
    fn order(&mut self, table: &HeaderTable, columns: &GameColumns, repeats: &mut Repeats<'_, '_>) {
        let has_ids = columns.id.or(columns.number).is_some();
        let random_ids = columns.id.filter(|_| columns.number.is_none());
        let has_random_ids = random_ids.is_some_and(|id| holds_random_ids(table, id));
        let is_ordered_by_ids = has_ids && !has_random_ids;
        let is_newest_first = !is_ordered_by_ids && self.is_newest_first();
        let rounds = columns
            .round
            .map(|round| rank_rounds(table, columns, round, self.is_newest_first()));
        let mut order = Order {
            counts: HashMap::new(),
            numbers: HashMap::new(),
            pairs: HashMap::with_capacity(if has_ids { 0 } else { self.slots.len() }),
            last: None,
        };
        let count = self.slots.len();
        for position in 0..count {
            let at = if is_newest_first {
                count - 1 - position
            } else {
                position
            };
            let row = self.first_row + at;
            let Some(time) = self.slots[at].time else {
                continue;
            };
            let round = table.cell(row, columns.round);
            let rank = rounds.as_ref().map(|rounds| rounds.rank(round));
            let event = event(table, row, columns);
            let round_start = rank.map_or(0, |rank| rank * ROUND_STEP);
            if has_random_ids {
                let nth_of_round = order.count((time, event, rank.unwrap_or(0)));
                self.slots[at].ordinal = Some(round_start + nth_of_round);
                continue;
            }
            if has_ids {
                // Their ids order the games of one round.
                self.slots[at].ordinal = rank;
                continue;
            }
            let mut pair = Seat::BOTH.map(|seat| order.number(repeats.competitors.key(row, seat)));
            // The order of the columns has no meaning.
            pair.sort_unstable();
            let meeting = (time, order.number((event, round)), pair);
            let (nth, first_row) = order.pairs.entry(meeting).or_insert((0, row as u32));
            let first_row = *first_row as usize;
            if first_row != row && repeats.repeats_meeting(first_row, row, time) {
                continue;
            }
            *nth += 1;
            self.slots[at].nth = *nth;
            let nth_of_round = order.count((time, event, rank.unwrap_or(0)));
            self.slots[at].ordinal = Some(round_start + nth_of_round);
        }
        self.describe_order(rounds.as_ref(), is_ordered_by_ids, is_newest_first);
    }

    /// True if the dates of the rows never rise, and fall.
    fn is_newest_first(&self) -> bool {
        let times = || self.slots.iter().filter_map(|slot| slot.time);
        times().is_sorted_by(|a, b| a >= b) && times().next() > times().next_back()
    }

    fn describe_order(
        &mut self,
        rounds: Option<&RoundRanks<'_>>,
        is_ordered_by_ids: bool,
        is_newest_first: bool,
    ) {
        let rows = if is_newest_first {
            "the rows, the last one first, since the dates fall"
        } else {
            "the rows"
        };
        let order = if is_ordered_by_ids { "their ids" } else { rows };
        self.notes.push(if rounds.is_some() {
            format!("games of one time and event follow the round, then {order}")
        } else {
            format!("games of one time and event follow {order}")
        });
        if let Some(unknown) = rounds.and_then(|rounds| rounds.unknown) {
            self.notes.push(format!(
                "rounds without a number or a known name keep the order of the rows, such as {}",
                Quoted(unknown)
            ));
        }
    }
}

/// The fewest characters of hashes. Shorter ids and those with a common start can be numbers or times.
const MIN_HASH_CHARS: usize = 16;

/// True if the ids of a column are random, so that they have no order: random UUIDs or hashes that neither rise
/// nor fall from row to row.
fn holds_random_ids(table: &HeaderTable, column: usize) -> bool {
    let ids = || table.values(column).filter(|id| !is_blank(id));
    let Some(first) = ids().next() else {
        return false;
    };
    let is_hash = |id: &str| {
        id.len() == first.len()
            && id.len() >= MIN_HASH_CHARS
            && id.bytes().all(|byte| byte.is_ascii_hexdigit())
    };
    let have_common_start = || ids().all(|id| id.get(..1) == first.get(..1));
    let has_letter = |id: &str| id.contains(|c: char| c.is_ascii_alphabetic());
    let are_hashes = || ids().all(is_hash) && ids().any(has_letter) && !have_common_start();
    let rise = |one: &str, two: &str| compare_naturally(one, two).is_lt();
    table.grid.limits().reader.refuses_doubts()
        && (ids().all(is_random_uuid) || are_hashes())
        && !ids().is_sorted_by(|one, two| rise(one, two))
        && !ids().is_sorted_by(|one, two| rise(two, one))
}

/// True for a UUID of version 4. Those of other versions can begin with the time.
fn is_random_uuid(id: &str) -> bool {
    let groups: Vec<&str> = id.split('-').collect();
    groups.iter().map(|group| group.len()).eq([8, 4, 4, 4, 12])
        && groups[2].starts_with('4')
        && id.bytes().all(|byte| byte.is_ascii_hexdigit() || byte == b'-')
}

/// Returns the reason to refuse games without dates, with the columns that may hold them.
fn missing_dates(table: &HeaderTable, columns: &GameColumns, file_name: &str) -> Reason {
    let missing = describe_missing_dates(table, file_name);
    let Some(mut times) = columns.name_unix_times(table) else {
        return missing;
    };
    times.append(missing);
    times
}

/// Ranks the rounds of a column.
fn rank_rounds<'t>(
    table: &'t HeaderTable,
    columns: &GameColumns,
    round: usize,
    is_newest_first: bool,
) -> RoundRanks<'t> {
    let pair = |row| (event(table, row, columns), table.grid.cell(row, round));
    if is_newest_first {
        RoundRanks::from_rounds(table.data_rows().rev().map(pair))
    } else {
        RoundRanks::from_rounds(table.data_rows().map(pair))
    }
}

/// Counts games.
struct Order<'t> {
    /// The number of games by time, event and rank of the round.
    counts: HashMap<(ContestTime, &'t str, i64), i64>,
    /// Numbers of competitors, and of rounds within events: shorter than their texts.
    numbers: HashMap<(&'t str, &'t str), u32>,
    /// The number of games and the first row by time, event with round, and competitors.
    pairs: HashMap<(ContestTime, u32, [u32; 2]), (u32, u32)>,
    /// The last group, and the number of its games: consecutive rows mostly share it.
    last: Option<((ContestTime, &'t str, i64), i64)>,
}

impl<'t> Order<'t> {
    fn number(&mut self, texts: (&'t str, &'t str)) -> u32 {
        let next = self.numbers.len() as u32;
        *self.numbers.entry(texts).or_insert(next)
    }

    fn count(&mut self, key: (ContestTime, &'t str, i64)) -> i64 {
        let count = match self.last {
            Some((last, count)) if last == key => count + 1,
            last => {
                if let Some((last, count)) = last {
                    self.counts.insert(last, count);
                }
                self.counts.get(&key).copied().unwrap_or(0) + 1
            }
        };
        self.last = Some((key, count));
        count
    }
}

/// Returns the first and the last round of an event whose rounds stand from its final back to the first.
fn find_reversed_rounds<'t>(rounds: &[(&'t str, &'t str)]) -> Option<[&'t str; 2]> {
    rounds.chunk_by(|one, two| one.0 == two.0).find_map(|rounds| {
        let ranks = RoundRanks::from_rounds(rounds.iter().copied());
        let ranks: Vec<i64> = rounds.iter().map(|(_, round)| ranks.rank(round)).collect();
        let falls = ranks.is_sorted_by(|one, two| one >= two) && ranks.first() > ranks.last();
        falls.then(|| [rounds[0].1, rounds[rounds.len() - 1].1])
    })
}

/// Errors with two rounds in the order of appearance if their numbers have the other order. The first
/// round of a later event, such as a season, follows the last one of the event before it. `rounds` are
/// the events and rounds, each once.
fn check_round_order<'t>(rounds: &[(&'t str, &'t str)]) -> Result<(), [&'t str; 2]> {
    let Some(disorder) = find_disorder(rounds.iter().map(|(_, round)| *round)) else {
        return Ok(());
    };
    let mut events: Vec<&str> = Vec::new();
    for rounds in rounds.chunk_by(|one, two| one.0 == two.0) {
        if let Some(names) = find_disorder(rounds.iter().map(|(_, round)| *round)) {
            return Err(names);
        }
        events.push(rounds[0].0);
    }
    // The events must be numbered, each of them in one piece.
    let are_numbered = events.is_sorted_by(|one, two| {
        let are_alike = one.replace(|c: char| c.is_ascii_digit(), "")
            == two.replace(|c: char| c.is_ascii_digit(), "");
        are_alike && compare_naturally(one, two).is_lt()
    });
    if are_numbered { Ok(()) } else { Err(disorder) }
}

/// Returns the error for rounds in another order than their numbers.
fn refuse_order(
    table: &HeaderTable,
    columns: &GameColumns,
    [before, round]: [&str; 2],
) -> FileReadError {
    let column = columns.round.unwrap_or_default();
    let ignore = table.ignore_option(column);
    let reason = format!(
        "{} stands before {} in {}, and rounds without dates are numbered in order of appearance: add dates, put the rounds in order, or pass {ignore} if the column does not order the games",
        Quoted(before),
        Quoted(round),
        table.describe_column(column),
    );
    table.refuse_column(column, Reason::from(reason).naming([ignore]))
}

/// Returns the event of a row: its name, or else its id.
pub(super) fn event<'t>(table: &'t HeaderTable, row: usize, columns: &GameColumns) -> &'t str {
    table.cell(row, columns.event.or(columns.event_id))
}

fn add_time_of_day(
    day: ContestTime,
    table: &HeaderTable,
    row: usize,
    columns: &GameColumns,
) -> Option<ContestTime> {
    let cell = table.cell(row, columns.time_of_day);
    // A date that has a time keeps it.
    let is_midnight = day.get().rem_euclid(86_400) == 0;
    match parse_clock_time(cell).filter(|_| is_midnight) {
        Some((seconds, offset)) => ContestTime::new(day.get() + seconds - offset),
        None => Some(day),
    }
}
