//! Replaces the names of forgotten persons in a reading.

use ranklore_contest::{Anonymiser, EntrantKind, ForgottenNames};

use crate::reading::{FileReading, Location};

impl FileReading {
    /// Returns the identifiers of persons in contests, starting ratings, names and merges: entrants
    /// that are persons, all members, and persons in annotations.
    pub fn persons(&self) -> impl Iterator<Item = String> {
        let entrants = self.contests.iter().flat_map(|contest| contest.entrants);
        let in_contests = entrants.flat_map(|entrant| {
            let person = entrant.kind == EntrantKind::Person;
            let competitor = person.then_some(entrant.competitor);
            competitor.into_iter().chain(entrant.members)
        });
        let rated = self.starting_ratings.iter();
        let rated = rated.map(|(kind, competitor, _)| (kind, competitor));
        let named = self.names.iter();
        let named = named.map(|(kind, competitor, _)| (kind, competitor));
        let dated = self.dated_names.iter();
        let named = named.chain(dated.map(|of| (&of.kind, &of.competitor)));
        let merged = self.merges.iter();
        let merged = merged.flat_map(|(kind, from, into)| [(kind, from), (kind, into)]);
        let beside = rated.chain(named).chain(merged);
        let beside = beside.filter(|(kind, _)| **kind == EntrantKind::Person);
        in_contests.chain(beside.map(|(_, competitor)| competitor.clone()))
    }

    /// Replaces forgotten persons by placeholders, in names and in all other texts except the
    /// layout. Replaces their display names too. Returns true if anything was replaced.
    pub fn forget(&mut self, blanks: &dyn ForgottenNames) -> bool {
        let mut forgetting = Anonymiser::new(blanks);
        self.contests = (self.contests.iter())
            .map(|mut contest| {
                contest.forget(&mut forgetting);
                contest
            })
            .collect();
        let states = std::mem::take(&mut self.states);
        self.states
            .extend(states.into_iter().map(|(mut contest, state)| {
                forgetting.anonymise_text(&mut contest);
                (contest, state)
            }));
        for (kind, competitor, _) in &mut self.starting_ratings {
            forgetting.anonymise_competitor(*kind, competitor);
        }
        for (kind, competitor, name) in &mut self.names {
            if forgetting.anonymise_competitor(*kind, competitor) {
                name.clone_from(competitor);
            } else {
                forgetting.anonymise_competitor(*kind, name);
            }
        }
        for of in &mut self.dated_names {
            if forgetting.anonymise_competitor(of.kind, &mut of.competitor) {
                of.name.clone_from(&of.competitor);
            } else {
                forgetting.anonymise_competitor(of.kind, &mut of.name);
            }
        }
        for (kind, from, into) in &mut self.merges {
            forgetting.anonymise_competitor(*kind, from);
            forgetting.anonymise_competitor(*kind, into);
        }
        for refusal in &mut self.refused {
            if let Location::JsonPath(place) | Location::Cell(place) = &mut refusal.at {
                forgetting.anonymise_text(place);
            }
            refusal
                .contest
                .iter_mut()
                .for_each(|name| forgetting.anonymise_text(name));
            forgetting.anonymise_text(&mut refusal.why);
        }
        self.warnings
            .iter_mut()
            .for_each(|text| forgetting.anonymise_text(text));
        forgetting.has_changed()
    }
}

impl FileReading {
    /// Clears the messages for users: they may quote a part of a name.
    pub fn clear_messages(&mut self) {
        self.warnings.clear();
        for refusal in &mut self.refused {
            CLEARED_REASON.clone_into(&mut refusal.why);
        }
    }
}

/// The reason given for a refusal in a document that is archived as its reading.
const CLEARED_REASON: &str = "the reason may have named a person who is forgotten";
