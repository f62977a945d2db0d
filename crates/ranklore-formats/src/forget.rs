//! Replaces the names of forgotten persons in a reading.

use ranklore_contest::{Anonymiser, EntrantKind, ForgottenNames};
use ranklore_grid::Location;

use crate::reading::FileReading;

impl FileReading {
    /// Returns the identifiers of persons in contests, starting ratings, names and merges: entrants
    /// that are persons, all members, and persons in annotations.
    pub fn persons(&self) -> impl Iterator<Item = String> {
        let entrants = self.contests.iter().flat_map(|contest| contest.entrants);
        let contest_persons = entrants.flat_map(|entrant| {
            let person = entrant.kind == EntrantKind::Person;
            let competitor = person.then_some(entrant.competitor);
            competitor.into_iter().chain(entrant.members)
        });
        let annotated = self
            .starting_ratings
            .iter()
            .map(|(kind, id, _)| (kind, id))
            .chain(self.names.iter().map(|(kind, id, _)| (kind, id)))
            .chain(self.dated_names.iter().map(|n| (&n.kind, &n.competitor)))
            .chain(self.merges.iter().flat_map(|(kind, from, into)| [(kind, from), (kind, into)]))
            .filter(|(kind, _)| **kind == EntrantKind::Person);
        contest_persons.chain(annotated.map(|(_, competitor)| competitor.clone()))
    }

    /// Replaces forgotten persons by placeholders, in names and in all other texts except the
    /// layout. Replaces their display names too. Returns true if anything was replaced.
    pub fn forget(&mut self, blanks: &dyn ForgottenNames) -> bool {
        let mut anonymiser = Anonymiser::new(blanks);
        self.contests = self
            .contests
            .iter()
            .map(|mut contest| {
                contest.forget(&mut anonymiser);
                contest
            })
            .collect();
        for (mut contest, state) in std::mem::take(&mut self.states) {
            anonymiser.anonymise_text(&mut contest);
            self.states.insert(contest, state);
        }
        for (mut contest, mut ratings) in std::mem::take(&mut self.official) {
            anonymiser.anonymise_text(&mut contest);
            for rating in &mut ratings {
                anonymiser.anonymise_competitor(EntrantKind::Person, &mut rating.competitor);
            }
            self.official.insert(contest, ratings);
        }
        for (kind, competitor, _) in &mut self.starting_ratings {
            anonymiser.anonymise_competitor(*kind, competitor);
        }
        let dated_names = self.dated_names.iter_mut();
        let names = self
            .names
            .iter_mut()
            .map(|(kind, competitor, name)| (*kind, competitor, name))
            .chain(dated_names.map(|n| (n.kind, &mut n.competitor, &mut n.name)));
        for (kind, competitor, name) in names {
            if anonymiser.anonymise_competitor(kind, competitor) {
                name.clone_from(competitor);
            } else {
                anonymiser.anonymise_competitor(kind, name);
            }
        }
        for (kind, from, into) in &mut self.merges {
            anonymiser.anonymise_competitor(*kind, from);
            anonymiser.anonymise_competitor(*kind, into);
        }
        for refusal in &mut self.refused {
            if let Location::JsonPath(place) | Location::Cell(place) = &mut refusal.at {
                anonymiser.anonymise_text(place);
            }
            anonymiser.anonymise_texts(&mut refusal.contest);
            anonymiser.anonymise_text(&mut refusal.why);
            refusal.options.clear();
        }
        anonymiser.anonymise_texts(&mut self.warnings);
        anonymiser.has_changed()
    }
}

impl FileReading {
    /// Clears the messages for users: they may quote a part of a name.
    pub fn clear_messages(&mut self) {
        self.warnings.clear();
        for refusal in &mut self.refused {
            CLEARED_REASON.clone_into(&mut refusal.why);
            refusal.options.clear();
        }
    }
}

/// The reason given for a refusal in a document that is archived as its reading.
const CLEARED_REASON: &str = "the reason may have named a person who is forgotten";
