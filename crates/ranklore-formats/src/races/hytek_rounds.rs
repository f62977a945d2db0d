//! The rounds of the events of a HY-TEK file: their titles, and whether their order is certain.

use std::collections::{HashMap, HashSet};

use ranklore_contest::{ContestTime, Quoted};

use super::heats::{SwimEvent, SwimResult};
use super::hytek_records::EventKey;
use super::rank::{RaceResult, RunnerStatus};

/// A round of an event.
pub(super) struct EventRound<'t> {
    pub(super) event: EventKey<'t>,
    /// P for prelims, F for a final or the only round.
    pub(super) letter: &'t str,
    /// The line of the first entry.
    line: u64,
    /// The last day of its swims.
    pub(super) day: Option<ContestTime>,
    pub(super) swims: Vec<Swim<'t>>,
    /// The line and the reason for which the round is refused.
    fault: Option<(u64, String)>,
    title: String,
}

/// The swim of a swimmer or a relay.
pub(super) struct Swim<'t> {
    pub(super) result: RaceResult,
    pub(super) heat: &'t str,
    pub(super) course: &'t str,
    /// The legs and the numbers of the swimmers of a relay.
    pub(super) members: Vec<(&'t str, &'t str)>,
}

/// Gives rounds their titles. Refuses those whose event or order is not certain.
pub(super) fn check_rounds(rounds: &mut [EventRound<'_>]) {
    let prelims = rounds.iter().filter(|round| round.letter == "P");
    let events_with_prelims: HashSet<EventKey<'_>> = prelims.map(|round| round.event).collect();
    let mut uses: HashMap<(String, &str), usize> = HashMap::new();
    for round in &mut *rounds {
        let has_prelims = events_with_prelims.contains(&round.event);
        round.title = round.describe(has_prelims);
        round.check_order(has_prelims);
        *uses.entry((round.title.clone(), round.event.number)).or_default() += 1;
    }
    // Lenex has no ages in titles: the number tells events apart, if they have several.
    for round in rounds {
        if uses[&(round.title.clone(), round.event.number)] > 1 {
            round.title = format!("{}, {}", round.title, round.event.describe_ages());
        }
    }
}

impl<'t> EventRound<'t> {
    pub(super) const fn new(event: EventKey<'t>, letter: &'t str, line: u64) -> Self {
        Self {
            event,
            letter,
            line,
            day: None,
            swims: Vec::new(),
            fault: None,
            title: String::new(),
        }
    }

    pub(super) const fn is_refused(&self) -> bool {
        self.fault.is_some()
    }

    pub(super) fn into_event(self) -> SwimEvent {
        let swims = self.swims.into_iter().map(|swim| SwimResult {
            id: None,
            result: swim.result,
            member_ids: None,
        });
        let mut event = SwimEvent::new(self.line, self.title, self.day);
        self.event.number.clone_into(&mut event.number);
        event.results = swims.collect();
        event.fault = self.fault;
        event
    }

    /// Refuses the round, if it is not refused already.
    pub(super) fn refuse(&mut self, line: u64, reason: String) {
        self.fault.get_or_insert((line, reason));
    }

    /// Returns the title: that of the event and the round. Refuses events that are not known.
    fn describe(&mut self, has_prelims: bool) -> String {
        let event = self.event.describe().unwrap_or_else(|reason| {
            self.refuse(self.line, reason);
            format!("event {}", self.event.number)
        });
        match self.letter {
            "P" => format!("{event}, heats"),
            "F" if has_prelims => format!("{event}, final"),
            "F" => event,
            letter => format!("{event}, round {letter}"),
        }
    }

    /// Returns the swims that count and were finished.
    fn finishers(&self) -> impl Iterator<Item = &Swim<'_>> {
        self.swims.iter().filter(|swim| swim.result.status == RunnerStatus::Ok)
    }

    /// Returns the places in their order.
    fn sorted_places(&self) -> Vec<u32> {
        let mut places: Vec<u32> =
            self.finishers().filter_map(|swim| swim.result.position).collect();
        places.sort_unstable();
        places
    }

    /// True if a place above that of a swim is vacant.
    pub(super) fn lacks_places(&self) -> bool {
        let places = self.sorted_places();
        (1..).zip(&places).any(|(expected, place)| *place > expected)
    }

    /// Refuses the round if its order is not certain.
    fn check_order(&mut self, has_prelims: bool) {
        let order = if self.finishers().any(|swim| swim.result.position.is_some()) {
            self.check_places()
        } else {
            self.check_times(has_prelims)
        };
        if let Err((line, reason)) = order {
            self.refuse(line, reason);
        }
    }

    /// Errors if a swim has no place, or a place is not that of equal swims.
    fn check_places(&self) -> Result<(), (u64, String)> {
        let mut times: HashMap<u32, f64> = HashMap::new();
        for swim in self.finishers() {
            let result = &swim.result;
            let name = Quoted(&result.entrant.name);
            let Some(place) = result.position else {
                let reason = format!(
                    "{name} has no place in columns 30 to 33, and others of the event have one; add \
                     it in Meet Manager and export the file again"
                );
                return Err((result.line, reason));
            };
            let Some(time) = result.time else {
                continue;
            };
            let tied_time = *times.entry(place).or_insert(time);
            if tied_time.total_cmp(&time).is_ne() {
                let reason = format!(
                    "{name} has the place {place} with {time}, and another has it with {tied_time}: \
                     the places are perhaps those of age groups; export the results of each age \
                     group as CSV"
                );
                return Err((result.line, reason));
            }
        }
        Ok(())
    }

    /// Errors if times do not tell the order.
    fn check_times(&self, has_prelims: bool) -> Result<(), (u64, String)> {
        let Some(first) = self.finishers().next() else {
            return Ok(());
        };
        let other_course = self.finishers().find(|swim| swim.course != first.course);
        let has_finals = has_prelims
            && self.letter == "F"
            && self.finishers().any(|swim| swim.heat != first.heat);
        let reason = if self.event.is_diving() {
            "the event has points and no places"
        } else if other_course.is_some() {
            "the event has no places, and times of several courses"
        } else if has_finals {
            "the event has several finals, and no places"
        } else {
            return Ok(());
        };
        let reason =
            format!("{reason} in columns 30 to 33; score it in Meet Manager and export again");
        Err((first.result.line, reason))
    }
}
