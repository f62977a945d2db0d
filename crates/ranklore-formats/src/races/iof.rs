//! The results of races in the XML of the International Orienteering Federation, version 3.0.
//! Source: <https://github.com/international-orienteering-federation/datastandard-v3>.

use std::collections::BTreeMap;

use ranklore_contest::{ContestTime, Quoted};
use ranklore_grid::{FileReadError, ReadLimits, normalise_spelling};

use super::rank::{ClassResults, RaceResult, ResultList, Runner, RunnerStatus};
use crate::layouts::long::file_stem;
use crate::options::ReadOptions;
use crate::pgn::decode_lines;
use crate::reading::Candidates;
use crate::xml::{Element, XmlReader};

/// Reads the results of a document: each class of each race is a contest.
pub(crate) fn read(
    bytes: &[u8],
    file_name: &str,
    options: &ReadOptions,
    limits: ReadLimits,
) -> Result<Candidates, FileReadError> {
    let (text, encoding_note) = decode_lines(bytes)?;
    let mut xml = XmlReader::new(&text);
    let root = open_root(&mut xml)?;
    let mut list = ResultList {
        event: file_stem(file_name).to_owned(),
        is_provisional: root.attribute("status") == Some("Snapshot"),
        id_heading: "Person Id",
        ..ResultList::default()
    };
    let mut class: Option<ClassResults> = None;
    loop {
        let Some(element) = xml.next_tag()? else {
            match class.take() {
                Some(class) => list.classes.push(class),
                // The end of the list.
                None => break,
            }
            continue;
        };
        match (element.name(), &mut class) {
            ("Event", None) => {
                let event = xml.read_content(element)?;
                list.read_event(&event, options)?;
            }
            ("ClassResult", None) => class = Some(ClassResults::new(element.line)),
            ("Class", Some(class)) => {
                let element = xml.read_content(element)?;
                class.name = ["Name", "ShortName"]
                    .iter()
                    .find_map(|name| element.text(&[name]))
                    .map(str::to_owned);
                let mode = element.attribute("resultListMode").unwrap_or_default();
                class.is_unordered = mode.starts_with("Unordered");
            }
            ("PersonResult", Some(class)) => {
                let element = xml.read_content(element)?;
                list.count += class.add_person(&element).map_err(|reason| element.error(reason))?;
            }
            ("TeamResult", Some(class)) => {
                let element = xml.read_content(element)?;
                list.count += class.add_team(&element).map_err(|reason| element.error(reason))?;
            }
            _ => xml.skip_content()?,
        }
        if list.count > limits.results {
            let limit = limits.results;
            let reason = format!("the document has more than {limit} results; split it");
            return Err(FileReadError::whole_document(reason));
        }
    }
    let mut candidates = list.rank(options);
    candidates.warnings.extend(encoding_note);
    Ok(candidates)
}

/// Returns the tag that begins the list.
fn open_root(xml: &mut XmlReader<'_>) -> Result<Element, FileReadError> {
    let root = xml.next_tag()?.unwrap_or_default();
    let reason = match (root.name(), root.attribute("iofVersion")) {
        ("ResultList", Some(version)) if version.starts_with("3.") => {
            if root.attribute("status") != Some("Delta") {
                return Ok(root);
            }
            "the document has only the results that changed (status=\"Delta\"); export all of them"
                .to_owned()
        }
        ("ResultList", _) => {
            "the document is a ResultList of another version than IOF XML 3.0; export it as IOF \
             XML 3.0"
                .to_owned()
        }
        (name, _) => format!(
            "the document is XML whose first element is {}, and not a ResultList of IOF XML 3.0; \
             export the results as CSV",
            Quoted(name)
        ),
    };
    Err(root.error(reason))
}

impl ResultList {
    /// Reads the name and the days of the event and of its races.
    fn read_event(&mut self, event: &Element, options: &ReadOptions) -> Result<(), FileReadError> {
        if let Some(name) = event.text(&["Name"]) {
            name.clone_into(&mut self.event);
        }
        self.day = find_day(event, "EndTime", options)?.or(find_day(event, "StartTime", options)?);
        for race in event.children("Race") {
            let number = race_number(race.text(&["RaceNumber"])).map_err(|r| race.error(r))?;
            let day = find_day(race, "StartTime", options)?;
            let name = race.text(&["Name"]).map(str::to_owned);
            self.races.insert(number, (name, day));
        }
        Ok(())
    }
}

/// Returns the day of a time of an event.
fn find_day(
    event: &Element,
    name: &str,
    options: &ReadOptions,
) -> Result<Option<ContestTime>, FileReadError> {
    event
        .text(&[name, "Date"])
        .map(|text| event.parse_day(text, options))
        .transpose()
}

/// Parses the number of a race; an event of one race has none.
fn race_number(text: Option<&str>) -> Result<u32, String> {
    let text = text.unwrap_or("1");
    text.parse()
        .map_err(|_| format!("race number {} is not a whole number", Quoted(text)))
}

/// Returns the person of a result: given name and family name, and the id with the system that gave
/// it.
fn read_person(result: &Element) -> Result<Runner, String> {
    let person = result.find(&["Person"]).ok_or("the result has no Person; add it")?;
    let parts = ["Given", "Family"].map(|part| person.text(&["Name", part]));
    let name = parts.into_iter().flatten().collect::<Vec<_>>().join(" ");
    if name.is_empty() {
        return Err("the person has no name; add Family and Given".to_owned());
    }
    let system = person.find(&["Id"]).and_then(|id| id.attribute("type"));
    let id = person.text(&["Id"]).map(|id| match system {
        Some(system) => format!("{system}:{id}"),
        None => id.to_owned(),
    });
    let name = normalise_spelling(&name).into_owned();
    Ok(Runner { name, id })
}

impl ClassResults {
    /// Adds the results of a person, one for each race. Returns their number.
    fn add_person(&mut self, element: &Element) -> Result<usize, String> {
        let person = read_person(element)?;
        let mut count = 0;
        for result in element.children("Result") {
            let race = race_number(result.attribute("raceNumber"))?;
            let result = read_result(result, person.clone())?;
            self.races.entry(race).or_default().push(result);
            count += 1;
        }
        Ok(count)
    }

    /// Adds the results of a team, one for each race: that of the team on its last leg. Returns
    /// their number.
    fn add_team(&mut self, element: &Element) -> Result<usize, String> {
        let name = element.text(&["Name"]).ok_or("the team has no name; add Name")?;
        let mut members = Vec::new();
        let mut last_legs: BTreeMap<u32, (u32, &Element)> = BTreeMap::new();
        for member in element.children("TeamMemberResult") {
            if member.find(&["Person"]).is_some() {
                members.push(read_person(member)?);
            }
            for result in member.children("Result") {
                let race = race_number(result.attribute("raceNumber"))?;
                let leg = result.text(&["Leg"]).and_then(|leg| leg.parse().ok()).unwrap_or(0);
                let Some(overall) = result.find(&["OverallResult"]) else {
                    continue;
                };
                let last = last_legs.entry(race).or_insert((leg, overall));
                if leg >= last.0 {
                    *last = (leg, overall);
                }
            }
        }
        if last_legs.is_empty() {
            let name = Quoted(name);
            return Err(format!("the team {name} has no OverallResult on its last leg; add it"));
        }
        if members.is_empty() {
            return Err(format!("the team {} has no members; add a Person", Quoted(name)));
        }
        let count = last_legs.len();
        for (race, (_, overall)) in last_legs {
            let team = Runner {
                name: normalise_spelling(name).into_owned(),
                id: None,
            };
            let mut result = read_result(overall, team)?;
            result.members.clone_from(&members);
            self.races.entry(race).or_default().push(result);
        }
        Ok(count)
    }
}

fn read_result(element: &Element, entrant: Runner) -> Result<RaceResult, String> {
    let status = element.text(&["Status"]).unwrap_or("OK");
    let status = RunnerStatus::from_word(status).ok_or_else(|| {
        let status = Quoted(status);
        format!("status {status} is not one of IOF XML 3.0, such as OK or MissingPunch")
    })?;
    let parse = |field: &str| element.text(&[field]).map(str::parse::<f64>).transpose();
    let time = parse("Time").map_err(|_| "the Time is not a number of seconds".to_owned())?;
    let position = element.text(&["Position"]).map(str::parse::<u32>).transpose();
    let position = position.map_err(|_| "the Position is not a whole number".to_owned())?;
    if position == Some(0) {
        return Err("the Position must be at least 1".to_owned());
    }
    Ok(RaceResult {
        line: element.line,
        entrant,
        status,
        position,
        time: time.filter(|time| time.is_finite()),
        members: Vec::new(),
    })
}
