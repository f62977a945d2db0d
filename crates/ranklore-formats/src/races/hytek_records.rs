//! The lines of a HY-TEK file and the fields in their columns, which count from 1.
//!
//! No specification is published: these are the columns that independent readers and files of Meet
//! Manager agree on. Codes on which they do not agree are refused.

use ranklore_contest::{ContestTime, Quoted};
use ranklore_grid::{FileReadError, Location, ReadLimits};

use super::rank::RunnerStatus;
use crate::options::ReadOptions;
use crate::values::dates::{DateRules, find_date};

/// The last column that every result has: that of the place.
const LAST_NEEDED_COLUMN: usize = 33;

/// The swimmers of a relay if the entry does not have their number.
const RELAY_SWIMMERS: u32 = 4;

/// The most swimmers of a relay on a line, and the columns of each.
const RELAY_SLOTS: usize = 8;
const SLOT_COLUMNS: usize = 13;

/// A line of a file. Its code is in columns 1 and 2.
#[derive(Clone, Copy)]
pub(super) struct HyTekRecord<'t> {
    pub(super) line: u64,
    text: &'t str,
}

impl<'t> HyTekRecord<'t> {
    /// Returns the lines of a text.
    ///
    /// The checksums in columns 129 and 130 are not verified: programs that trim or edit files leave
    /// them out or wrong, and a wrong one does not tell which results are.
    pub(super) fn split(text: &'t str) -> impl Iterator<Item = Self> {
        (1..).zip(text.lines()).map(|(line, text)| Self { line, text })
    }

    pub(super) fn code(&self) -> &'t str {
        self.text.get(..2).unwrap_or_default()
    }

    /// Returns the text of columns, without the white space around it.
    pub(super) fn field(&self, first: usize, length: usize) -> &'t str {
        let rest = skip_columns(self.text, first - 1);
        let behind = skip_columns(rest, length);
        rest[..rest.len() - behind.len()].trim()
    }

    /// Parses a day like `03152025`; `None` if it is blank.
    pub(super) fn parse_day(
        &self,
        first: usize,
        options: &ReadOptions,
    ) -> Result<Option<ContestTime>, String> {
        let text = self.field(first, 8);
        if text.bytes().all(|byte| byte == b'0') {
            return Ok(None);
        }
        let day = text.len() == 8 && text.bytes().all(|byte| byte.is_ascii_digit());
        let date = day.then(|| format!("{}-{}-{}", &text[4..], &text[..2], &text[2..4]));
        let rules = DateRules::new(options, ReadLimits::NEW);
        match date.and_then(|date| find_date(&date, rules)) {
            Some(Ok(day)) => Ok(Some(day)),
            _ => Err(format!(
                "the date {} in column {first} is not like 03152025, month, day and year; correct \
                 it",
                Quoted(text)
            )),
        }
    }

    /// Returns an error at this line.
    pub(super) fn error(&self, reason: impl Into<String>) -> FileReadError {
        FileReadError::new(Location::Line(self.line), reason.into())
    }
}

/// Returns the text behind a number of columns: one for each character, also in a file that was
/// saved again as UTF-8.
fn skip_columns(text: &str, count: usize) -> &str {
    let mut chars = text.chars();
    if let Some(last) = count.checked_sub(1) {
        chars.nth(last);
    }
    chars.as_str()
}

/// The event of an entry: lines E1 and F1.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct EventKey<'t> {
    /// The number, such as `9` or `17A`.
    pub(super) number: &'t str,
    /// One of [`GENDERS`], empty for none, else the text of the file.
    gender: &'t str,
    /// The whole distance of a relay; the number of dives.
    distance: &'t str,
    stroke: &'t str,
    /// The lowest and the highest age.
    ages: [&'t str; 2],
    /// Blank, T for a time trial, S for a swim-off.
    kind: &'t str,
    /// The number of swimmers of a relay; `None` for an event of individuals.
    pub(super) relay_count: Option<u32>,
}

const GENDERS: [&str; 3] = ["women", "men", "mixed"];

impl<'t> EventKey<'t> {
    pub(super) fn parse(entry: HyTekRecord<'t>) -> Self {
        // Column 14 is M, F or X, and 15 W, M, G, B or X. Some programs have the sex of the swimmer
        // in 14, which for a mixed event is not that of the event.
        let gender = match (entry.field(14, 1), entry.field(15, 1)) {
            ("F" | "U" | "", "W" | "G") | ("F", "") => "women",
            ("M" | "U" | "", "M" | "B") | ("M", "") => "men",
            (_, "X") | ("X", "") => "mixed",
            ("U" | "", "") => "",
            _ => entry.field(14, 2),
        };
        let swimmers = entry.field(85, 1).parse().ok().filter(|count| *count > 1);
        let relay_count = swimmers.unwrap_or(RELAY_SWIMMERS);
        Self {
            number: entry.field(39, 4),
            gender,
            distance: entry.field(16, 6),
            stroke: entry.field(22, 1),
            ages: [entry.field(23, 3), entry.field(26, 3)],
            kind: entry.field(96, 1),
            relay_count: (entry.code() == "F1").then_some(relay_count),
        }
    }

    pub(super) fn is_swim_off(&self) -> bool {
        self.kind == "S"
    }

    /// True for diving, whose results are points and not times.
    pub(super) fn is_diving(&self) -> bool {
        matches!(self.stroke, "F" | "G" | "H")
    }

    /// Describes the event as that of Lenex is: `4x100 FREE, women`.
    pub(super) fn describe(&self) -> Result<String, String> {
        let unknown = |what: &str, text: &str, columns: &str| {
            format!(
                "the {what} {} in {columns} of the entry is unknown; export the results of the \
                 event as CSV",
                Quoted(text)
            )
        };
        if self.number.is_empty() {
            return Err("the entry has no event number in columns 39 to 42; add it".to_owned());
        }
        let distance: u32 = match self.distance.parse() {
            Ok(distance) if distance > 0 => distance,
            _ => return Err(unknown("distance", self.distance, "columns 16 to 21")),
        };
        let style = match self.stroke {
            "A" | "1" => "FREE",
            "B" | "2" => "BACK",
            "C" | "3" => "BREAST",
            "D" | "4" => "FLY",
            "E" | "5" => "MEDLEY",
            "F" => "1 m diving",
            "G" => "3 m diving",
            "H" => "platform diving",
            stroke => return Err(unknown("stroke", stroke, "column 22")),
        };
        let mut title = match self.relay_count {
            _ if self.is_diving() => format!("{style}, {distance} dives"),
            None => format!("{distance} {style}"),
            // Lenex has the distance of a leg.
            Some(count) if distance.is_multiple_of(count) => {
                format!("{count}x{} {style}", distance / count)
            }
            Some(_) => format!("{distance} {style} relay"),
        };
        if GENDERS.contains(&self.gender) {
            title = format!("{title}, {}", self.gender);
        } else if !self.gender.is_empty() {
            return Err(unknown("sex", self.gender, "columns 14 and 15"));
        }
        match self.kind {
            "" => Ok(title),
            "T" => Ok(format!("{title}, time trial")),
            kind => Err(unknown("kind of event", kind, "column 96")),
        }
    }

    /// Describes the ages, such as `13-14`.
    pub(super) fn describe_ages(&self) -> String {
        let [lowest, highest] = self.ages;
        match (lowest, highest) {
            ("" | "0", "" | "0" | "109") => "all ages".to_owned(),
            ("" | "0", _) => format!("{highest} and under"),
            (_, "" | "0" | "109") => format!("{lowest} and over"),
            _ => format!("{lowest}-{highest}"),
        }
    }
}

/// The outcome of a swim: lines E2 and F2.
pub(super) struct Outcome {
    pub(super) status: RunnerStatus,
    pub(super) place: Option<u32>,
    /// Seconds, or points of diving.
    pub(super) time: Option<f64>,
}

impl Outcome {
    /// Parses a result with its entry. Errors if its meaning is not certain.
    pub(super) fn parse(entry: HyTekRecord<'_>, result: HyTekRecord<'_>) -> Result<Self, String> {
        if skip_columns(result.text, LAST_NEEDED_COLUMN - 1).is_empty() {
            return Err(
                "the line ends before the place in columns 30 to 33; export the file again"
                    .to_owned(),
            );
        }
        // Readers take S for a semi-final or for a swim-off.
        let round = result.field(3, 1);
        if !matches!(round, "P" | "F") {
            return Err(format!(
                "the round {} in column 3 is neither P nor F; export the results of the event as CSV",
                Quoted(round)
            ));
        }
        let (time, word_status) = parse_time(result.field(4, 8))?;
        let is_exhibition = parse_mark(entry.field(84, 1), "column 84 of the entry")?
            || parse_mark(result.field(16, 1), "column 16")?;
        let status = match word_status.filter(|_| result.field(13, 1).is_empty()) {
            Some(status) => status,
            None => parse_code(result, time)?,
        };
        let status = if is_exhibition {
            RunnerStatus::NotCompeting
        } else {
            status
        };
        let place = parse_decided_place(result)?;
        match (status, place) {
            (RunnerStatus::Ok, None) if time.is_none() => Err(
                "the swim has neither a time nor a place nor a code such as R or Q; correct it in \
                 Meet Manager and export the file again"
                    .to_owned(),
            ),
            (RunnerStatus::Ok, _) | (_, None) => Ok(Self {
                status,
                place,
                time,
            }),
            (_, Some(place)) => Err(format!(
                "the swim has the place {place} although it does not count (code {} in column 13, \
                 exhibition X in column 16); correct it in Meet Manager and export the file again",
                Quoted(result.field(13, 1))
            )),
        }
    }
}

/// Parses a time such as `62.34`, in seconds. The time 0 stands for none. Also returns the status
/// that a word in place of a time states.
fn parse_time(text: &str) -> Result<(Option<f64>, Option<RunnerStatus>), String> {
    match text {
        "" | "NT" => return Ok((None, None)),
        "NS" | "SCR" => return Ok((None, Some(RunnerStatus::DidNotStart))),
        "DNF" => return Ok((None, Some(RunnerStatus::DidNotFinish))),
        "DQ" => return Ok((None, Some(RunnerStatus::Disqualified))),
        _ => {}
    }
    let is_number = text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    let seconds: Option<f64> = text.parse().ok().filter(|_| is_number);
    let seconds = seconds.ok_or_else(|| {
        let text = Quoted(text);
        format!("the time {text} in columns 4 to 11 is not seconds such as 62.34; correct it")
    })?;
    Ok((Some(seconds).filter(|seconds| *seconds > 0.0), None))
}

/// Parses the status in column 13.
fn parse_code(result: HyTekRecord<'_>, time: Option<f64>) -> Result<RunnerStatus, String> {
    let dq_code = result.field(14, 2);
    match result.field(13, 1) {
        "" => Ok(RunnerStatus::Ok),
        "Q" => Ok(RunnerStatus::Disqualified),
        "R" => Ok(RunnerStatus::DidNotStart),
        "D" => Ok(RunnerStatus::DidNotFinish),
        // A false start that the swimmer declares in advance counts as no show.
        "F" if dq_code == "7B" => Ok(RunnerStatus::DidNotStart),
        "S" if time.is_none() => Ok(RunnerStatus::DidNotStart),
        // Swam the prelim, and scratched the final.
        "S" if result.field(3, 1) == "P" => Ok(RunnerStatus::Ok),
        code => Err(format!(
            "the code {} in columns 13 to 15 is unknown for this swim; export the results of the \
             event as CSV",
            Quoted(&format!("{code}{dq_code}"))
        )),
    }
}

/// Parses the mark of exhibition swims.
fn parse_mark(text: &str, column: &str) -> Result<bool, String> {
    match text {
        "" => Ok(false),
        "X" => Ok(true),
        _ => Err(format!(
            "the mark {} in {column} is unknown: X stands for exhibition; export the results of \
             the event as CSV",
            Quoted(text)
        )),
    }
}

/// Parses the place. Errors if the judges decided on another one, since readers do not agree on
/// the meaning of columns 34 to 36.
fn parse_decided_place(result: HyTekRecord<'_>) -> Result<Option<u32>, String> {
    let place = parse_place(result.field(30, 4))?;
    match parse_place(result.field(34, 3))? {
        Some(decided) if place != Some(decided) => {
            let place = place.map_or_else(|| "none".to_owned(), |place| place.to_string());
            Err(format!(
                "the swim has two places, {place} in columns 30 to 33 and {decided} in columns 34 \
                 to 36; export the results of the event as CSV"
            ))
        }
        _ => Ok(place),
    }
}

/// Parses a place; 0 stands for none.
fn parse_place(text: &str) -> Result<Option<u32>, String> {
    if text.is_empty() {
        return Ok(None);
    }
    let is_number = text.bytes().all(|byte| byte.is_ascii_digit());
    let place: Option<u32> = text.parse().ok().filter(|_| is_number);
    let place = place
        .ok_or_else(|| format!("the place {} is not a whole number; correct it", Quoted(text)))?;
    Ok(Some(place).filter(|place| *place > 0))
}

/// Returns the legs and the numbers of the swimmers of a relay: line F3. The slots are not always in
/// the order of the legs.
pub(super) fn relay_slots(record: HyTekRecord<'_>) -> impl Iterator<Item = (&str, &str)> + use<'_> {
    let slots = (0..RELAY_SLOTS).map(move |slot| {
        let first = 3 + SLOT_COLUMNS * slot;
        let number = record.field(first + 1, 5);
        let leg = record.field(first + 12, 1);
        (leg, number)
    });
    slots.filter(|(_, number)| !matches!(*number, "" | "0"))
}
