//! The results of swimming meets in Lenex 3.0: XML, or a ZIP archive with one such file. Events are
//! in sessions, and the results that refer to them in clubs.

use std::collections::HashMap;

use ranklore_contest::{ContestTime, Quoted};
use ranklore_grid::{FileReadError, Location, ReadLimits, normalise_spelling, unpack_only_file};

use super::heats::{SwimEvent, SwimResult, rank_events};
use super::rank::{RaceResult, ResultList, Runner, RunnerStatus};
use crate::layouts::long::file_stem;
use crate::options::ReadOptions;
use crate::pgn::decode_lines;
use crate::reading::Candidates;
use crate::xml::{Element, XmlReader};

/// The elements whose children are read one by one, since they can be many.
const CONTAINERS: [&str; 9] = [
    "MEETS", "MEET", "SESSIONS", "SESSION", "EVENTS", "CLUBS", "CLUB", "ATHLETES", "RELAYS",
];

/// Reads the results of a meet: each event is a contest.
pub(crate) fn read(
    bytes: &[u8],
    file_name: &str,
    options: &ReadOptions,
    limits: ReadLimits,
) -> Result<Candidates, FileReadError> {
    let unpacked = if bytes.starts_with(b"PK") {
        Some(unpack_only_file(bytes, ".lef")?)
    } else {
        None
    };
    let (text, encoding_note) = decode_lines(unpacked.as_deref().unwrap_or(bytes))?;
    let mut xml = XmlReader::new(&text);
    open_root(&mut xml)?;
    let mut meet = Meet::default();
    let mut open_elements = 1;
    while open_elements > 0 {
        let Some(element) = xml.next_tag()? else {
            open_elements -= 1;
            continue;
        };
        if CONTAINERS.contains(&element.name()) {
            meet.open(&element, options)?;
            open_elements += 1;
            continue;
        }
        match element.name() {
            "EVENT" => meet.add_event(&xml.read_content(element)?)?,
            "ATHLETE" => meet.add_athlete(&xml.read_content(element)?)?,
            "RELAY" => meet.add_relay(&xml.read_content(element)?)?,
            _ => xml.skip_content()?,
        }
        if meet.results.len().max(meet.athletes.len()).max(meet.events.len()) > limits.results {
            let limit = limits.results;
            let reason = format!("the document has more than {limit} results; split it");
            return Err(FileReadError::whole_document(reason));
        }
    }
    let mut candidates = meet.rank(file_name, options)?;
    candidates.warnings.extend(encoding_note);
    Ok(candidates)
}

/// Reads the tag that begins the document.
fn open_root(xml: &mut XmlReader<'_>) -> Result<(), FileReadError> {
    let root = xml.next_tag()?.unwrap_or_default();
    if root.name() != "LENEX" {
        return Err(root.error(format!(
            "the document is XML whose first element is {}, and not LENEX; export the results as \
             CSV",
            Quoted(root.name())
        )));
    }
    match root.attribute("version") {
        Some(version) if version.starts_with("3.") => Ok(()),
        _ => Err(root.error("the document is not of version 3 of Lenex; export it as Lenex 3.0")),
    }
}

/// The meet as far as it is read.
#[derive(Default)]
struct Meet {
    name: Option<String>,
    day: Option<ContestTime>,
    club: Option<String>,
    events: Vec<SwimEvent>,
    /// The index of each event by its eventid.
    events_by_id: HashMap<String, usize>,
    athletes: HashMap<String, Runner>,
    /// The results with the eventid of each.
    results: Vec<(String, SwimResult)>,
}

impl Meet {
    /// Reads the tag of a container.
    fn open(&mut self, element: &Element, options: &ReadOptions) -> Result<(), FileReadError> {
        let name = || element.attribute("name").filter(|name| !name.is_empty());
        match element.name() {
            "MEET" if self.name.is_some() => {
                return Err(element.error("the document has two meets; export each as a file"));
            }
            "MEET" => self.name = Some(element.required("name")?.to_owned()),
            "SESSION" => {
                let date = element.attribute("date").filter(|date| !date.is_empty());
                self.day = date.map(|date| element.parse_day(date, options)).transpose()?;
            }
            "CLUB" => self.club = name().map(str::to_owned),
            _ => {}
        }
        Ok(())
    }

    fn add_event(&mut self, element: &Element) -> Result<(), FileReadError> {
        let id = element.required("eventid")?;
        let event = SwimEvent::parse(element, self.day)?;
        if self.events_by_id.insert(id.to_owned(), self.events.len()).is_some() {
            let id = Quoted(id);
            return Err(element.error(format!("the eventid {id} is that of two events")));
        }
        self.events.push(event);
        Ok(())
    }

    fn add_athlete(&mut self, element: &Element) -> Result<(), FileReadError> {
        let parts = ["firstname", "nameprefix", "lastname"].map(|part| element.attribute(part));
        let parts = parts.into_iter().flatten().filter(|part| !part.is_empty());
        let athlete = Runner {
            name: normalise_spelling(&parts.collect::<Vec<_>>().join(" ")).into_owned(),
            id: element.attribute("license").filter(|id| !id.is_empty()).map(str::to_owned),
        };
        if athlete.name.is_empty() {
            return Err(element.error("the athlete has no name; add firstname and lastname"));
        }
        for result in element.find(&["RESULTS"]).into_iter().flat_map(|e| e.children("RESULT")) {
            self.add_result(result, athlete.clone(), None)?;
        }
        let id = element.required("athleteid")?;
        if self.athletes.insert(id.to_owned(), athlete).is_some() {
            let id = Quoted(id);
            return Err(element.error(format!("the athleteid {id} is that of two athletes")));
        }
        Ok(())
    }

    fn add_relay(&mut self, element: &Element) -> Result<(), FileReadError> {
        let attribute = |name| element.attribute(name).filter(|value| !value.is_empty());
        let club = attribute("name").or(self.club.as_deref());
        let club = club.ok_or_else(|| element.error("the relay and its club have no name"))?;
        let name = match attribute("number") {
            Some(number) if number != "1" && attribute("name").is_none() => {
                format!("{club} {number}")
            }
            _ => club.to_owned(),
        };
        let name = normalise_spelling(&name).into_owned();
        for result in element.find(&["RESULTS"]).into_iter().flat_map(|e| e.children("RESULT")) {
            let positions = result.find(&["RELAYPOSITIONS"]);
            let positions = positions.or_else(|| element.find(&["RELAYPOSITIONS"]));
            let mut members = Vec::new();
            for position in positions.into_iter().flat_map(|e| e.children("RELAYPOSITION")) {
                // The number of a reserve swimmer is -1.
                if position.attribute("number").is_none_or(|number| !number.starts_with('-')) {
                    members.push(position.required("athleteid")?.to_owned());
                }
            }
            let team = Runner {
                name: name.clone(),
                id: None,
            };
            self.add_result(result, team, Some(members))?;
        }
        Ok(())
    }

    fn add_result(
        &mut self,
        element: &Element,
        entrant: Runner,
        member_ids: Option<Vec<String>>,
    ) -> Result<(), FileReadError> {
        let time = element.attribute("swimtime").filter(|time| !matches!(*time, "" | "NT"));
        let time = time.map(|time| {
            parse_time(time).ok_or_else(|| {
                let time = Quoted(time);
                element.error(format!("the swimtime {time} is not like 00:01:02.34 or NT"))
            })
        });
        let result = RaceResult {
            line: element.line,
            entrant,
            status: parse_status(element)?,
            position: None,
            // A time of 0 stands for none.
            time: time.transpose()?.filter(|time| *time > 0.0),
            members: Vec::new(),
        };
        let id = element.attribute("resultid").filter(|id| !id.is_empty()).map(str::to_owned);
        let event = element.required("eventid")?.to_owned();
        self.results.push((
            event,
            SwimResult {
                id,
                result,
                member_ids,
            },
        ));
        Ok(())
    }

    /// Returns a contest for each event that has results.
    fn rank(mut self, file_name: &str, options: &ReadOptions) -> Result<Candidates, FileReadError> {
        if self.results.is_empty() {
            let reason = "the document has no results of a meet: export them as Lenex results";
            return Err(FileReadError::whole_document(reason));
        }
        for (event_id, result) in self.results {
            let Some(&index) = self.events_by_id.get(&event_id) else {
                let at = Location::Line(result.result.line);
                let event_id = Quoted(&event_id);
                let reason = format!("the eventid {event_id} is that of no EVENT; add it");
                return Err(FileReadError::new(at, reason));
            };
            self.events[index].results.push(result);
        }
        let list = ResultList {
            event: self.name.unwrap_or_else(|| file_stem(file_name).to_owned()),
            id_heading: "License",
            ..ResultList::default()
        };
        Ok(rank_events(list, self.events, &self.athletes, options))
    }
}

fn parse_status(element: &Element) -> Result<RunnerStatus, FileReadError> {
    match element.attribute("status").unwrap_or_default() {
        "" => Ok(RunnerStatus::Ok),
        "EXH" => Ok(RunnerStatus::NotCompeting),
        "DSQ" => Ok(RunnerStatus::Disqualified),
        "DNS" | "SICK" | "WDR" => Ok(RunnerStatus::DidNotStart),
        "DNF" => Ok(RunnerStatus::DidNotFinish),
        status => {
            let status = Quoted(status);
            let reason =
                format!("the status {status} is not one of Lenex: DSQ, DNS, DNF, SICK, WDR or EXH");
            Err(element.error(reason))
        }
    }
}

/// Parses a time such as `00:01:02.34` in seconds.
fn parse_time(text: &str) -> Option<f64> {
    let mut parts = text.split(':');
    let mut parse_next = |length: usize| {
        let part = parts.next().filter(|part| part.len() <= length)?;
        part.bytes().all(|b| b.is_ascii_digit()).then(|| part.parse::<u32>().ok())?
    };
    let hours = parse_next(2)?;
    let minutes = parse_next(2).filter(|minutes| *minutes < 60)?;
    let seconds = parts.next().filter(|_| parts.next().is_none())?;
    let (seconds, fraction) = seconds.split_once('.').unwrap_or((seconds, "0"));
    let are_digits = [seconds, fraction]
        .iter()
        .all(|part| (1..=3).contains(&part.len()) && part.bytes().all(|b| b.is_ascii_digit()));
    let seconds: u32 = seconds.parse().ok().filter(|seconds| are_digits && *seconds < 60)?;
    let seconds = hours * 3_600 + minutes * 60 + seconds;
    // Parsed as a whole, so that the last bit is that of the number in a table.
    format!("{seconds}.{fraction}").parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_seconds() {
        for (text, expected) in [
            ("00:01:02.34", Some(62.34)),
            ("01:00:00.00", Some(3_600.0)),
            ("00:00:59.9", Some(59.9)),
            ("00:00:25", Some(25.0)),
            ("00:00:00.00", Some(0.0)),
            ("NT", None),
            ("", None),
            ("1:02.34", None),
            ("00:61:02.34", None),
            ("00:01:62.34", None),
            ("00:01:02,34", None),
            ("00:01:02.", None),
            ("00:01:+2.34", None),
            ("00:01:02.34:00", None),
        ] {
            assert_eq!(parse_time(text), expected, "{text}");
        }
    }
}
