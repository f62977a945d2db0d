//! Makes contests of the events of a swimming meet.

use std::collections::{BTreeSet, HashMap};

use ranklore_contest::{ContestTime, Quoted};
use ranklore_grid::{FileReadError, Location};

use super::rank::{ClassResults, RaceResult, ResultList, Runner, RunnerStatus};
use crate::options::ReadOptions;
use crate::reading::{Candidates, LocatedResult};
use crate::xml::Element;

/// An event of a meet: one round of it, such as the final.
pub(super) struct SwimEvent {
    line: u64,
    /// The style, gender and round, such as `100 FREE, women, final`.
    pub(super) title: String,
    pub(super) number: String,
    day: Option<ContestTime>,
    /// True if the results of a heat are not official.
    pub(super) is_provisional: bool,
    age_groups: Vec<AgeGroup>,
    /// The letters of finals, such as A and B, if the heats are finals.
    finals: BTreeSet<String>,
    pub(super) results: Vec<SwimResult>,
    /// The line and the reason for which the event is refused.
    pub(super) fault: Option<(u64, String)>,
}

/// The ranking of an age group.
struct AgeGroup {
    line: u64,
    /// The places by resultid.
    places: HashMap<String, u32>,
}

impl AgeGroup {
    fn place(&self, result: &SwimResult) -> Option<u32> {
        self.places.get(result.id.as_ref()?).copied()
    }
}

/// A result of an athlete or a relay.
pub(super) struct SwimResult {
    pub(super) id: Option<String>,
    pub(super) result: RaceResult,
    /// The athleteids of the members of a relay; `None` for an athlete.
    pub(super) member_ids: Option<Vec<String>>,
}

impl SwimEvent {
    /// Returns an event without results.
    pub(super) const fn new(line: u64, title: String, day: Option<ContestTime>) -> Self {
        Self {
            line,
            title,
            number: String::new(),
            day,
            is_provisional: false,
            age_groups: Vec::new(),
            finals: BTreeSet::new(),
            results: Vec::new(),
            fault: None,
        }
    }

    pub(super) fn parse(
        element: &Element,
        day: Option<ContestTime>,
    ) -> Result<Self, FileReadError> {
        let heats: Vec<&Element> = children(element, "HEATS", "HEAT").collect();
        let mut age_groups = Vec::new();
        for age_group in children(element, "AGEGROUPS", "AGEGROUP") {
            let mut places = HashMap::new();
            for ranking in children(age_group, "RANKINGS", "RANKING") {
                let text = ranking.required("place")?;
                let place: i32 = text.parse().map_err(|_| {
                    let text = Quoted(text);
                    ranking.error(format!("the place {text} is not a whole number"))
                })?;
                // The place -1 is that of results without one.
                if let Some(place) = u32::try_from(place).ok().filter(|place| *place > 0) {
                    places.insert(ranking.required("resultid")?.to_owned(), place);
                }
            }
            if !places.is_empty() {
                age_groups.push(AgeGroup {
                    line: age_group.line,
                    places,
                });
            }
        }
        let finals = heats.iter().filter_map(|heat| heat.attribute("final"));
        let number = element.attribute("number").filter(|number| !number.is_empty());
        Ok(Self {
            number: number.map_or_else(|| element.required("eventid"), Ok)?.to_owned(),
            is_provisional: heats.iter().any(|h| h.attribute("status") == Some("INOFFICIAL")),
            age_groups,
            finals: finals.map(str::to_owned).collect(),
            ..Self::new(element.line, describe_event(element)?, day)
        })
    }

    /// Returns the results as a class of this name. Errors if their order is not known.
    pub(super) fn into_class(
        mut self,
        name: String,
        athletes: &HashMap<String, Runner>,
    ) -> LocatedResult<ClassResults> {
        let positions = match self.fault.take() {
            Some(fault) => Err(fault),
            None => self.find_positions(),
        };
        let positions = positions.map_err(|(line, reason)| (Location::Line(line), reason))?;
        for swim in &mut self.results {
            let SwimResult {
                id,
                result,
                member_ids,
            } = swim;
            let id = id.as_ref().filter(|_| result.status == RunnerStatus::Ok);
            let ranked_position = id.and_then(|id| positions.get(id).copied());
            result.position = result.position.or(ranked_position);
            if let Some(member_ids) = member_ids.as_ref().filter(|_| !result.status.is_absent()) {
                let refuse = |reason| (Location::Line(result.line), reason);
                let team = Quoted(&result.entrant.name);
                if member_ids.is_empty() {
                    let reason = format!("the relay {team} has no members; add RELAYPOSITIONS");
                    return Err(refuse(reason));
                }
                for id in member_ids {
                    let member = athletes.get(id).cloned();
                    let reason = || format!("the athleteid {} is no ATHLETE; add it", Quoted(id));
                    result.members.push(member.ok_or_else(|| refuse(reason()))?);
                }
            }
        }
        let results = self.results.into_iter().map(|swim| swim.result).collect();
        Ok(ClassResults {
            name: Some(name),
            day: self.day,
            races: [(1, results)].into(),
            ..ClassResults::new(self.line)
        })
    }

    /// Returns the places of all who finished by resultid, if an age group ranks them all; none if
    /// the order is that of the times. Errors if the file has another order, with its line.
    fn find_positions(&self) -> Result<HashMap<String, u32>, (u64, String)> {
        let finishers: Vec<&SwimResult> =
            self.results.iter().filter(|r| r.result.status == RunnerStatus::Ok).collect();
        let ranks_all = |group: &&AgeGroup| finishers.iter().all(|r| group.place(r).is_some());
        let mut whole = self.age_groups.iter().filter(ranks_all);
        if let Some(first) = whole.next() {
            let differs = |other: &AgeGroup| {
                finishers.iter().any(|result| other.place(result) != first.place(result))
            };
            return match whole.find(|other| differs(other)) {
                None => Ok(first.places.clone()),
                Some(other) => Err((
                    other.line,
                    format!(
                        "the places of this AGEGROUP are not those of the one on line {}; export \
                         the results as CSV, with one of both",
                        first.line
                    ),
                )),
            };
        }
        if self.finals.len() > 1 {
            let reason = "the event has several finals, and no RANKINGS of all who swam in them; \
                          export the places of all";
            return Err((self.line, reason.to_owned()));
        }
        match self.age_groups.iter().find(|group| !group.follows_times(&finishers)) {
            None => Ok(HashMap::new()),
            Some(group) => Err((
                group.line,
                "the places of this AGEGROUP do not follow the times; export the results of each \
                 age group as CSV"
                    .to_owned(),
            )),
        }
    }
}

/// Returns a contest for each event that has results. `list` is the meet without them.
pub(super) fn rank_events(
    mut list: ResultList,
    mut events: Vec<SwimEvent>,
    athletes: &HashMap<String, Runner>,
    options: &ReadOptions,
) -> Candidates {
    let mut refusals = Vec::new();
    let mut uses: HashMap<String, usize> = HashMap::new();
    events.retain(|event| !event.results.is_empty() || event.fault.is_some());
    for event in &events {
        *uses.entry(event.title.clone()).or_default() += 1;
    }
    for event in events {
        let title = if uses[&event.title] > 1 {
            format!("{}, event {}", event.title, event.number)
        } else {
            event.title.clone()
        };
        list.is_provisional |= event.is_provisional;
        match event.into_class(title.clone(), athletes) {
            Ok(class) => list.classes.push(class),
            Err(refusal) => refusals.push((title, refusal)),
        }
    }
    let mut candidates = list.rank(options);
    for (title, refusal) in refusals {
        candidates.refuse(Some(format!("{}, {title}", list.event)), refusal);
    }
    let namesakes = describe_namesakes(list.id_heading, athletes, &candidates);
    candidates.warnings.extend(namesakes);
    candidates
}

/// Describes athletes of one name if names identify them.
fn describe_namesakes(
    id_heading: &str,
    athletes: &HashMap<String, Runner>,
    candidates: &Candidates,
) -> Option<String> {
    if !candidates.dated_names.is_empty() {
        return None;
    }
    let mut names: Vec<&str> = athletes.values().map(|athlete| &*athlete.name).collect();
    names.sort_unstable();
    let namesake = names.windows(2).find(|pair| pair[0] == pair[1])?[0];
    Some(format!(
        "athletes of one name count as one person, such as {}; export the file with the \
         {id_heading} of each to tell them apart",
        Quoted(namesake)
    ))
}

impl AgeGroup {
    /// True if the places of these results are in the order of their times.
    fn follows_times(&self, finishers: &[&SwimResult]) -> bool {
        let mut ranked: Vec<(u32, f64)> = finishers
            .iter()
            .filter_map(|swim| Some((self.place(swim)?, swim.result.time?)))
            .collect();
        ranked.sort_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)));
        ranked
            .windows(2)
            .all(|pair| pair[0].0.cmp(&pair[1].0) == pair[0].1.total_cmp(&pair[1].1))
    }
}

fn children<'e>(
    element: &'e Element,
    list: &str,
    name: &'static str,
) -> impl Iterator<Item = &'e Element> + use<'e> {
    element.find(&[list]).into_iter().flat_map(move |list| list.children(name))
}

/// Describes an event by its style, gender and round.
fn describe_event(event: &Element) -> Result<String, FileReadError> {
    let style = event.find(&["SWIMSTYLE"]);
    let style = style.ok_or_else(|| event.error("the event has no SWIMSTYLE; add it"))?;
    let stroke = style.attribute("stroke").filter(|stroke| !matches!(*stroke, "" | "UNKNOWN"));
    let stroke = stroke.map_or_else(|| style.required("name"), Ok)?;
    let distance = style.required("distance")?;
    let relay = match style.attribute("relaycount") {
        None | Some("" | "1") => String::new(),
        Some(count) => format!("{count}x"),
    };
    let gender = match event.attribute("gender") {
        Some("M") => Some("men"),
        Some("F") => Some("women"),
        Some("X") => Some("mixed"),
        _ => None,
    };
    let round = match event.attribute("round") {
        None | Some("" | "TIM") => None,
        Some("FIN") => Some("final"),
        Some("SEM") => Some("semi-final"),
        Some("QUA") => Some("quarter-final"),
        Some("PRE") => Some("heats"),
        Some("FHT") => Some("fastest heat"),
        Some("SOP" | "SOS" | "SOQ") => Some("swim-off"),
        Some("TIMETRIAL") => Some("time trial"),
        Some(round) => Some(round),
    };
    let title = [
        Some(format!("{relay}{distance} {stroke}").as_str()),
        gender,
        round,
    ]
    .into_iter()
    .flatten()
    .collect::<Vec<_>>()
    .join(", ");
    Ok(title)
}
