//! Makes contests of the results of races.

use std::collections::BTreeMap;

use ranklore_contest::{
    Annotations, Contest, ContestTime, Entrant, EntrantKind, EntrantOutcome, Place, Quoted,
    ResultState, id_from_name, renumber_places, word_enum,
};
use ranklore_grid::Location;

use crate::layouts::dated_names::DatedNameCollector;
use crate::options::ReadOptions;
use crate::reading::{Candidates, LocatedResult};
use crate::vocabulary::meanings::ColumnMeaning;

word_enum! {
    /// The status of a result, as IOF XML 3.0 lists them.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub(super) enum RunnerStatus {
        Ok = "OK",
        Finished = "Finished",
        MissingPunch = "MissingPunch",
        Disqualified = "Disqualified",
        DidNotFinish = "DidNotFinish",
        Active = "Active",
        Inactive = "Inactive",
        OverTime = "OverTime",
        SportingWithdrawal = "SportingWithdrawal",
        NotCompeting = "NotCompeting",
        Moved = "Moved",
        MovedUp = "MovedUp",
        DidNotStart = "DidNotStart",
        DidNotEnter = "DidNotEnter",
        Cancelled = "Cancelled",
    }
}

/// The results of a document.
#[derive(Default)]
pub(super) struct ResultList {
    pub(super) event: String,
    pub(super) is_provisional: bool,
    /// The day of the event, its last one if it has several.
    pub(super) day: Option<ContestTime>,
    /// The names and days of races, by number.
    pub(super) races: BTreeMap<u32, (Option<String>, Option<ContestTime>)>,
    pub(super) classes: Vec<ClassResults>,
    /// The number of results.
    pub(super) count: usize,
    /// The heading with which `--column HEADING=ignore` excludes the ids of persons.
    pub(super) id_heading: &'static str,
}

/// The results of a class.
pub(super) struct ClassResults {
    pub(super) line: u64,
    pub(super) name: Option<String>,
    /// The day of the class, if it is not that of the race.
    pub(super) day: Option<ContestTime>,
    /// True if the class has no order.
    pub(super) is_unordered: bool,
    /// The results by the number of the race.
    pub(super) races: BTreeMap<u32, Vec<RaceResult>>,
}

impl ClassResults {
    pub(super) const fn new(line: u64) -> Self {
        Self {
            line,
            name: None,
            day: None,
            is_unordered: false,
            races: BTreeMap::new(),
        }
    }
}

/// The result of a person or a team in a race.
pub(super) struct RaceResult {
    pub(super) line: u64,
    /// The person, or the name of the team.
    pub(super) entrant: Runner,
    pub(super) status: RunnerStatus,
    pub(super) position: Option<u32>,
    /// Seconds.
    pub(super) time: Option<f64>,
    /// The members of a team; empty for a person.
    pub(super) members: Vec<Runner>,
}

/// A person, or a team without an id.
#[derive(Clone)]
pub(super) struct Runner {
    pub(super) name: String,
    pub(super) id: Option<String>,
}

impl Runner {
    fn identity(&self, uses_ids: bool) -> &str {
        self.id.as_ref().filter(|_| uses_ids).unwrap_or(&self.name)
    }
}

impl RaceResult {
    /// Returns the person, or the members of the team.
    fn persons(&self) -> &[Runner] {
        if self.members.is_empty() {
            std::slice::from_ref(&self.entrant)
        } else {
            &self.members
        }
    }
}

impl ResultList {
    /// Returns a contest for each class of each race.
    pub(super) fn rank(&self, options: &ReadOptions) -> Candidates {
        let mut candidates = Candidates::default();
        let uses_ids = self.choose_identity(options, &mut candidates.warnings);
        let mut names = DatedNameCollector::default();
        let mut unordered = 0;
        let mut outside = 0;
        let mut numbers: Vec<u32> =
            self.classes.iter().flat_map(|class| class.races.keys().copied()).collect();
        numbers.sort_unstable();
        numbers.dedup();
        for &race in &numbers {
            let title = self.name_race(race, numbers.len() > 1);
            for class in &self.classes {
                let Some(results) = class.races.get(&race) else {
                    continue;
                };
                outside += results.iter().filter(|r| r.status.is_outside()).count();
                if class.is_unordered {
                    unordered += 1;
                    continue;
                }
                let contest =
                    self.build_contest(class, race, &title, options).and_then(|contest| {
                        let entrants = rank_results(results, uses_ids, &mut candidates.warnings)?;
                        Ok(Contest {
                            entrants,
                            ..contest
                        })
                    });
                match contest {
                    // Nobody of the class started.
                    Ok(contest) if contest.entrants.is_empty() => {}
                    Ok(contest) => {
                        let present = results.iter().filter(|result| !result.status.is_absent());
                        for person in present.flat_map(RaceResult::persons).filter(|_| uses_ids) {
                            if let Some(id) = &person.id {
                                let id = id.into();
                                names.add(EntrantKind::Person, id, &person.name, contest.ends_at);
                            }
                        }
                        self.add_contest(&mut candidates, class.line, contest);
                    }
                    Err(refusal) => candidates.refuse(Some(title.clone()), refusal),
                }
            }
        }
        candidates.dated_names = names.finish();
        for (count, what) in [
            (unordered, "classes without an order"),
            (outside, "results outside of the competition (such as NotCompeting or EXH)"),
        ] {
            if count > 0 {
                candidates.warnings.push(format!("{what} are left out: {count}"));
            }
        }
        candidates
    }

    fn add_contest(&self, candidates: &mut Candidates, line: u64, mut contest: Contest) {
        let index = candidates.contests.len();
        contest.ordinal = Some(index as i64 + 1);
        if self.is_provisional {
            let annotations = Annotations {
                state: ResultState::Provisional,
                ..Annotations::default()
            };
            candidates.annotations.insert(index, annotations);
        }
        candidates.add_contest(Location::Line(line), &contest);
    }

    /// Returns the name of a race: that of the event, if it has one race.
    fn name_race(&self, race: u32, has_several: bool) -> String {
        let name = self.races.get(&race).and_then(|(name, _)| name.clone());
        if has_several {
            let name = name.unwrap_or_else(|| format!("Race {race}"));
            format!("{}, {name}", self.event)
        } else {
            self.event.clone()
        }
    }

    /// Returns the contest of a class without its entrants.
    fn build_contest(
        &self,
        class: &ClassResults,
        race: u32,
        title: &str,
        options: &ReadOptions,
    ) -> LocatedResult<Contest> {
        let refuse = |reason: &str| (Location::Line(class.line), reason.to_owned());
        let division = class.name.clone().ok_or_else(|| refuse("the class has no Name; add it"))?;
        let race_day = self.races.get(&race).and_then(|(_, day)| *day);
        let day = class.day.or(race_day).or(self.day).or(options.start);
        let ends_at = day.ok_or_else(|| {
            refuse("the document has no date for the class; pass --start 2024-01-31")
        })?;
        Ok(Contest {
            event: Some(self.event.clone()),
            ..Contest {
                division: Some(division.clone()),
                ..Contest::new(
                    id_from_name(&format!("{title}/{division}"), ends_at),
                    title,
                    ends_at,
                )
            }
        })
    }

    /// Returns true if ids identify persons, since all who took part have one.
    fn choose_identity(&self, options: &ReadOptions, warnings: &mut Vec<String>) -> bool {
        let results = self.classes.iter().flat_map(|class| class.races.values().flatten());
        let present = results.filter(|result| !result.status.is_absent());
        let persons = present.flat_map(RaceResult::persons);
        let mut person_count = 0;
        let mut id_count = 0;
        for person in persons {
            person_count += 1;
            id_count += usize::from(person.id.is_some());
        }
        let is_excluded = options.columns.iter().any(|(heading, meaning)| {
            *meaning == ColumnMeaning::Ignore && heading.eq_ignore_ascii_case(self.id_heading)
        });
        if id_count == 0 || is_excluded {
            return false;
        }
        let uses_ids = id_count == person_count;
        let heading = self.id_heading;
        warnings.push(if uses_ids {
            format!(
                "persons are identified by the {heading} of the file; pass --column \
                 \"{heading}=ignore\" if it is not the same in all files"
            )
        } else {
            format!(
                "persons are identified by name, since only {id_count} of {person_count} have a {heading}"
            )
        });
        uses_ids
    }
}

impl RunnerStatus {
    /// True for a result that does not count.
    const fn is_outside(self) -> bool {
        matches!(self, Self::NotCompeting | Self::Moved | Self::MovedUp)
    }

    /// True if there is no result in the competition.
    pub(super) const fn is_absent(self) -> bool {
        self.is_outside() || matches!(self, Self::DidNotStart | Self::DidNotEnter | Self::Cancelled)
    }
}

/// Returns the entrants of a race in the order of their places.
fn rank_results(
    results: &[RaceResult],
    uses_ids: bool,
    warnings: &mut Vec<String>,
) -> LocatedResult<Vec<Entrant>> {
    let mut finishers: Vec<&RaceResult> = Vec::new();
    let mut others: Vec<(&RaceResult, EntrantOutcome)> = Vec::new();
    for result in results.iter().filter(|result| !result.status.is_absent()) {
        match result.status {
            RunnerStatus::Ok => finishers.push(result),
            RunnerStatus::Finished | RunnerStatus::Active | RunnerStatus::Inactive => {
                let reason = format!(
                    "{} has the status {}: the race goes on; import its results when they are final",
                    Quoted(&result.entrant.name),
                    result.status.as_str()
                );
                return Err((Location::Line(result.line), reason));
            }
            RunnerStatus::Disqualified | RunnerStatus::MissingPunch => {
                others.push((result, EntrantOutcome::Disqualified));
            }
            _ => others.push((result, EntrantOutcome::DidNotFinish)),
        }
    }
    let places = rank_finishers(&mut finishers, warnings)?;
    let finished = finishers
        .into_iter()
        .zip(places)
        .map(|(result, place)| (result, EntrantOutcome::Finished(place)));
    let entrants = finished.chain(others).map(|(result, outcome)| {
        let members = result.members.iter().map(|member| member.identity(uses_ids).to_owned());
        Entrant {
            kind: if result.members.is_empty() {
                EntrantKind::Person
            } else {
                EntrantKind::Team
            },
            score: result.time,
            members: members.collect(),
            ..Entrant::person(result.entrant.identity(uses_ids), outcome)
        }
    });
    Ok(entrants.collect())
}

/// Orders finishers by position, or by time if none has one. Returns their places.
fn rank_finishers(
    finishers: &mut [&RaceResult],
    warnings: &mut Vec<String>,
) -> LocatedResult<Vec<Place>> {
    let ranked = finishers.iter().any(|result| result.position.is_some());
    let lacks_rank = |result: &&RaceResult| {
        if ranked {
            result.position.is_none()
        } else {
            result.time.is_none()
        }
    };
    if let Some(result) = finishers.iter().copied().find(lacks_rank) {
        let field = if ranked {
            "Position"
        } else {
            "Position or Time"
        };
        let reason = format!("{} is OK and has no {field}; add it", Quoted(&result.entrant.name));
        return Err((Location::Line(result.line), reason));
    }
    if !ranked && !finishers.is_empty() {
        let note = "results without a Position are ordered by Time";
        if !warnings.iter().any(|warning| warning == note) {
            warnings.push(note.to_owned());
        }
    }
    finishers.sort_by(|a, b| {
        let by_time = a.time.unwrap_or(0.0).total_cmp(&b.time.unwrap_or(0.0));
        if ranked {
            a.position.cmp(&b.position)
        } else {
            by_time
        }
    });
    Ok(if ranked {
        renumber_places(finishers.iter().filter_map(|result| result.position)).0
    } else {
        place_by_time(finishers)
    })
}

/// Returns the places of results in the order of their times; equal times share the lowest place.
fn place_by_time(finishers: &[&RaceResult]) -> Vec<Place> {
    let mut places: Vec<Place> = Vec::with_capacity(finishers.len());
    for (index, result) in finishers.iter().enumerate() {
        let above = index.checked_sub(1).filter(|&above| finishers[above].time == result.time);
        let tied = above.map(|above| places[above]);
        places.push(tied.unwrap_or(Place::from_entrants_above(index as u32)));
    }
    places
}
