//! The results of swimming meets in the .hy3 files of HY-TEK Meet Manager: lines of fixed columns.
//!
//! Swimmers (D1) and relays (F1) follow their team (C1), and entries (E1, F1) precede their results
//! (E2, F2). Each event and round is a contest, as in Lenex. Time trials are events of their own;
//! swim-offs are left out, since they only settle who of two tied swimmers is in the final.

use std::collections::HashMap;

use ranklore_contest::{ContestTime, Quoted};
use ranklore_grid::{FileReadError, Location, ReadLimits, normalise_spelling};

use super::heats::rank_events;
use super::hytek_records::{EventKey, HyTekRecord, Outcome, relay_slots};
use super::hytek_rounds::{EventRound, Swim, check_rounds};
use super::rank::{RaceResult, ResultList, Runner};
use crate::layouts::long::file_stem;
use crate::options::ReadOptions;
use crate::pgn::decode_lines;
use crate::reading::Candidates;

/// The type of files with results of a meet, in columns 3 and 4 of the first line.
const RESULTS_TYPE: &str = "07";

/// Reads the results of a meet: each event and round is a contest.
pub(crate) fn read(
    bytes: &[u8],
    file_name: &str,
    options: &ReadOptions,
    limits: ReadLimits,
) -> Result<Candidates, FileReadError> {
    let (text, encoding_note) = decode_lines(bytes)?;
    check_file_type(&text)?;
    let mut meet = Meet::default();
    for record in HyTekRecord::split(&text) {
        meet.add(record, options)?;
        if meet.result_count.max(meet.swimmers.len()) > limits.results {
            let limit = limits.results;
            let reason = format!("the document has more than {limit} results; split it");
            return Err(FileReadError::whole_document(reason));
        }
    }
    if meet.result_count == 0 {
        let reason = "the document has no results of a meet (lines E2 or F2): export the results \
                      from Meet Manager";
        return Err(FileReadError::whole_document(reason));
    }
    let mut candidates = meet.rank(file_name, options);
    candidates.warnings.extend(encoding_note);
    Ok(candidates)
}

/// Errors if the first line is not that of a file of results.
fn check_file_type(text: &str) -> Result<(), FileReadError> {
    let Some(first) = HyTekRecord::split(text).next().filter(|first| first.code() == "A1") else {
        let at = Location::Line(1);
        let reason = "the document does not begin with A1 as files of HY-TEK do; export the \
                      results as CSV";
        return Err(FileReadError::new(at, reason));
    };
    let file_type = first.field(3, 2);
    if file_type == RESULTS_TYPE {
        return Ok(());
    }
    Err(first.error(format!(
        "the document has no results of a meet: its type in columns 3 and 4 is {} and not \
         {RESULTS_TYPE}; export the results from Meet Manager",
        Quoted(file_type)
    )))
}

/// The meet as far as it is read.
#[derive(Default)]
struct Meet<'t> {
    name: Option<String>,
    first_day: Option<ContestTime>,
    last_day: Option<ContestTime>,
    /// The team of the lines that follow.
    team: Option<String>,
    /// The swimmers by their number in the file.
    swimmers: HashMap<String, Runner>,
    /// The entry of the results that follow.
    entry: Option<HyTekRecord<'t>>,
    /// The relay whose swimmers follow: the index of its round and of its swim there.
    open_relay: Option<(usize, usize)>,
    rounds: Vec<EventRound<'t>>,
    round_indices: HashMap<(EventKey<'t>, &'t str), usize>,
    /// The number of results, swim-offs included.
    result_count: usize,
    swim_offs: usize,
}

impl<'t> Meet<'t> {
    fn add(&mut self, record: HyTekRecord<'t>, options: &ReadOptions) -> Result<(), FileReadError> {
        match record.code() {
            "B1" => self.open(record, options),
            "C1" => {
                let names = [
                    record.field(8, 30),
                    record.field(38, 16),
                    record.field(3, 5),
                ];
                let name = names.into_iter().find(|name| !name.is_empty());
                self.team = name.map(|name| normalise_spelling(name).into_owned());
                self.entry = None;
                Ok(())
            }
            "D1" => self.add_swimmer(record),
            "E1" | "F1" => {
                self.entry = Some(record);
                self.open_relay = None;
                Ok(())
            }
            "E2" | "F2" => self.add_result(record, options),
            "F3" => {
                self.add_members(record);
                Ok(())
            }
            // Addresses, splits, reasons of disqualifications and others.
            _ => Ok(()),
        }
    }

    fn open(
        &mut self,
        record: HyTekRecord<'t>,
        options: &ReadOptions,
    ) -> Result<(), FileReadError> {
        let name = normalise_spelling(record.field(3, 45));
        if self.name.is_some() {
            return Err(record.error("the document has two meets; export each as a file"));
        }
        self.name = Some(name.into_owned());
        self.first_day = record.parse_day(93, options).map_err(|reason| record.error(reason))?;
        self.last_day = record.parse_day(101, options).map_err(|reason| record.error(reason))?;
        Ok(())
    }

    fn add_swimmer(&mut self, record: HyTekRecord<'t>) -> Result<(), FileReadError> {
        self.entry = None;
        let number = record.field(4, 5);
        if matches!(number, "" | "0") {
            return Err(record.error("the swimmer has no number in columns 4 to 8; add it"));
        }
        // The first name of column 29, not the nickname of column 49.
        let parts = [record.field(29, 20), record.field(9, 20)];
        let parts = parts.into_iter().filter(|part| !part.is_empty());
        let name = parts.collect::<Vec<_>>().join(" ");
        if name.is_empty() {
            return Err(record.error("the swimmer has no name in columns 9 to 48; add it"));
        }
        let id = record.field(70, 14);
        let swimmer = Runner {
            name: normalise_spelling(&name).into_owned(),
            id: (!id.is_empty()).then(|| id.to_owned()),
        };
        if self.swimmers.insert(number.to_owned(), swimmer).is_some() {
            let number = Quoted(number);
            return Err(record.error(format!(
                "the number {number} in columns 4 to 8 is that of two swimmers; export the file \
                 again"
            )));
        }
        Ok(())
    }

    fn add_result(
        &mut self,
        record: HyTekRecord<'t>,
        options: &ReadOptions,
    ) -> Result<(), FileReadError> {
        let entry_code = if record.code() == "F2" { "F1" } else { "E1" };
        let entry = self.entry.filter(|entry| entry.code() == entry_code).ok_or_else(|| {
            let reason =
                format!("no entry ({entry_code}) precedes the result; export the file again");
            record.error(reason)
        })?;
        self.result_count += 1;
        self.open_relay = None;
        let event = EventKey::parse(entry);
        if event.is_swim_off() {
            self.swim_offs += 1;
            return Ok(());
        }
        let letter = record.field(3, 1);
        let rounds = &mut self.rounds;
        let index = *self.round_indices.entry((event, letter)).or_insert_with(|| {
            rounds.push(EventRound::new(event, letter, entry.line));
            rounds.len() - 1
        });
        let swim = self.read_swim(entry, record);
        let day_column = if entry_code == "F1" { 103 } else { 88 };
        let day = record.parse_day(day_column, options);
        let round = &mut self.rounds[index];
        match swim.and_then(|swim| Ok((swim, day?))) {
            Ok((swim, day)) => {
                if entry_code == "F1" {
                    self.open_relay = Some((index, round.swims.len()));
                }
                round.day = round.day.max(day);
                round.swims.push(swim);
            }
            Err(reason) => round.refuse(record.line, reason),
        }
        Ok(())
    }

    fn read_swim(
        &self,
        entry: HyTekRecord<'t>,
        record: HyTekRecord<'t>,
    ) -> Result<Swim<'t>, String> {
        let entrant = if entry.code() == "F1" {
            self.name_relay(entry.field(8, 1))?
        } else {
            self.find_swimmer(entry.field(4, 5))?.clone()
        };
        let outcome = Outcome::parse(entry, record)?;
        Ok(Swim {
            result: RaceResult {
                line: record.line,
                entrant,
                status: outcome.status,
                position: outcome.place,
                time: outcome.time,
                members: Vec::new(),
            },
            heat: record.field(21, 3),
            course: record.field(12, 1),
            members: Vec::new(),
        })
    }

    fn find_swimmer(&self, number: &str) -> Result<&Runner, String> {
        self.swimmers.get(number).ok_or_else(|| {
            let number = Quoted(number);
            format!("the number {number} is that of no swimmer (D1); export the file again")
        })
    }

    /// Names the relay of a letter as Lenex does, which has numbers: B is the second of the team.
    fn name_relay(&self, letter: &str) -> Result<Runner, String> {
        let team = self.team.as_deref().ok_or("no team (C1) precedes the relay; add it")?;
        let name = match letter.as_bytes() {
            [] | [b'A' | b'1'] => team.to_owned(),
            [letter @ b'B'..=b'Z'] => format!("{team} {}", letter - b'A' + 1),
            _ => format!("{team} {letter}"),
        };
        Ok(Runner { name, id: None })
    }

    fn add_members(&mut self, record: HyTekRecord<'t>) {
        let Some((round, swim)) = self.open_relay else {
            return;
        };
        let round = &mut self.rounds[round];
        let members = &mut round.swims[swim].members;
        if members.is_empty() {
            members.extend(relay_slots(record));
        } else {
            let reason = "a second line F3 of the relay has swimmers; export the file again";
            round.refuse(record.line, reason.to_owned());
        }
    }

    /// Returns a contest for each event and round.
    fn rank(mut self, file_name: &str, options: &ReadOptions) -> Candidates {
        let mut rounds = std::mem::take(&mut self.rounds);
        for round in &mut rounds {
            self.add_relay_members(round);
        }
        let list = ResultList {
            event: self
                .name
                .take()
                .filter(|name| !name.is_empty())
                .unwrap_or_else(|| file_stem(file_name).to_owned()),
            day: self.first_day,
            id_heading: "USS id",
            ..ResultList::default()
        };
        // As in Lenex, the sessions of a day begin with the heats.
        rounds.sort_by_cached_key(|round| {
            let number = round.event.number;
            let digits = number.trim_end_matches(|c: char| !c.is_ascii_digit());
            let position: u32 = digits.parse().unwrap_or(u32::MAX);
            (round.day.or(self.first_day), round.letter != "P", position, number)
        });
        check_rounds(&mut rounds);
        let notes = self.describe_omissions(&rounds);
        let events = rounds.into_iter().map(EventRound::into_event).collect();
        let mut candidates = rank_events(list, events, &self.swimmers, options);
        candidates.warnings.extend(notes);
        candidates
    }

    /// Gives the relays of a round their members.
    fn add_relay_members(&self, round: &mut EventRound<'t>) {
        let Some(count) = round.event.relay_count else {
            return;
        };
        for index in 0..round.swims.len() {
            let swim = &round.swims[index];
            if swim.result.status.is_absent() {
                continue;
            }
            match self.find_members(swim, count) {
                Ok(members) => round.swims[index].result.members = members,
                Err(reason) => {
                    let line = swim.result.line;
                    let team = Quoted(&swim.result.entrant.name);
                    let reason = format!("the relay {team} {reason}");
                    round.refuse(line, reason);
                }
            }
        }
    }

    /// Returns the swimmers of a relay in the order of their legs, without alternates.
    fn find_members(&self, swim: &Swim<'t>, count: u32) -> Result<Vec<Runner>, String> {
        let mut members: Vec<(u32, &Runner)> = Vec::new();
        for (leg, number) in &swim.members {
            let leg: u32 = leg.parse().map_err(|_| {
                let number = Quoted(number);
                format!("has no leg of the swimmer {number} in its line F3; add it")
            })?;
            // The legs behind the last one are those of alternates.
            if (1..=count).contains(&leg) {
                let swimmer = self.find_swimmer(number);
                let swimmer = swimmer.map_err(|reason| format!("has an unknown member: {reason}"));
                members.push((leg, swimmer?));
            }
        }
        members.sort_by_key(|(leg, _)| *leg);
        if members.is_empty() {
            return Err("has no members; add its line F3".to_owned());
        }
        if members.windows(2).any(|pair| pair[0].0 == pair[1].0) {
            return Err("has two swimmers on a leg in its line F3; correct it".to_owned());
        }
        Ok(members.into_iter().map(|(_, swimmer)| swimmer.clone()).collect())
    }

    /// Describes what the contests do not show: swim-offs, days that are not stated, missing places.
    fn describe_omissions(&self, rounds: &[EventRound<'_>]) -> Vec<String> {
        let mut notes = Vec::new();
        if self.swim_offs > 0 {
            notes.push(format!(
                "results of swim-offs are left out, since they only settle ties: {}",
                self.swim_offs
            ));
        }
        let read_rounds = || rounds.iter().filter(|round| !round.is_refused());
        let undated = read_rounds().filter(|round| round.day.is_none()).count();
        let has_several_days = self.first_day.is_some() && self.first_day < self.last_day;
        if undated > 0 && has_several_days {
            notes.push(format!(
                "events without a date are dated to the first day of the meet: {undated}"
            ));
        }
        let incomplete = read_rounds().filter(|round| round.lacks_places()).count();
        if incomplete > 0 {
            notes.push(format!(
                "events in which places are missing, since the file has only some teams, or swimmers \
                 of a final were disqualified: {incomplete}; their places are renumbered"
            ));
        }
        notes
    }
}
