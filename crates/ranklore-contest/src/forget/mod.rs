//! Replaces the names of forgotten persons in a reading or in any text.

mod mentions;
mod texts;

pub use mentions::{SearchedName, fold_name, mentions_name, replace_names};
pub use texts::{Unsearchable, any_text};

use crate::contest::{Contest, EntrantKind};
use crate::reading::{FileReading, Location};

/// The names of forgotten persons, and their placeholders.
///
/// Different names have different placeholders, and no other person has the name of a placeholder.
pub trait ForgottenNames {
    /// Returns the placeholder for a whole name, or `None` if the person is not forgotten.
    fn placeholder(&self, name: &str) -> Option<String>;

    /// Returns the text with placeholders in place of names, or `None` if it has no name.
    fn replace_in_text(&self, text: &str) -> Option<String>;

    /// Returns true if the text mentions a forgotten person.
    fn is_mentioned_in(&self, text: &str) -> bool;
}

/// Replaces names by placeholders, and records if it replaced any.
pub struct Anonymiser<'b> {
    forgotten: &'b dyn ForgottenNames,
    changed: bool,
}

impl<'b> Anonymiser<'b> {
    /// Starts without changes.
    #[must_use]
    pub fn new(blanks: &'b dyn ForgottenNames) -> Self {
        Self {
            forgotten: blanks,
            changed: false,
        }
    }

    /// Replaces the whole name of a person. Returns true if the person is forgotten.
    pub fn anonymise_person(&mut self, name: &mut String) -> bool {
        let blank = self.forgotten.placeholder(name);
        self.replace(name, blank)
    }

    /// Replaces names within a text that is not a person's name: a contest or team name, a message.
    pub fn anonymise_text(&mut self, text: &mut String) {
        let blanked = self.forgotten.replace_in_text(text);
        self.replace(text, blanked);
    }

    /// Replaces the name of a competitor. Returns true if it is a forgotten person.
    pub fn anonymise_competitor(&mut self, kind: EntrantKind, name: &mut String) -> bool {
        if kind == EntrantKind::Person {
            return self.anonymise_person(name);
        }
        self.anonymise_text(name);
        false
    }

    /// Returns true if anything was replaced.
    #[must_use]
    pub const fn has_changed(&self) -> bool {
        self.changed
    }

    fn replace(&mut self, text: &mut String, by: Option<String>) -> bool {
        let found = by.is_some();
        if let Some(by) = by {
            *text = by;
            self.changed = true;
        }
        found
    }
}

impl FileReading {
    /// Returns the identifiers of persons in contests, starting ratings, names and merges: entrants
    /// that are persons, all members, and persons in annotations.
    pub fn persons(&self) -> impl Iterator<Item = &str> {
        let entrants = self.contests.iter().flat_map(|c| &c.entrants);
        let in_contests = entrants.flat_map(|entrant| {
            let person = entrant.kind == EntrantKind::Person;
            let competitor = person.then_some(&entrant.competitor);
            competitor.into_iter().chain(&entrant.members)
        });
        let rated = self.starting_ratings.iter();
        let rated = rated.map(|(kind, competitor, _)| (kind, competitor));
        let named = self.names.iter();
        let named = named.map(|(kind, competitor, _)| (kind, competitor));
        let merged = self.merges.iter();
        let merged = merged.flat_map(|(kind, from, into)| [(kind, from), (kind, into)]);
        let beside = rated.chain(named).chain(merged);
        let beside = beside.filter(|(kind, _)| **kind == EntrantKind::Person);
        let beside = beside.map(|(_, competitor)| competitor);
        in_contests.chain(beside).map(String::as_str)
    }

    /// Replaces forgotten persons by placeholders, in names and in all other texts except the
    /// layout. Replaces their display names too. Returns true if anything was replaced.
    pub fn forget(&mut self, blanks: &dyn ForgottenNames) -> bool {
        let mut forgetting = Anonymiser::new(blanks);
        for contest in &mut self.contests {
            contest.forget(&mut forgetting);
        }
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

impl Contest {
    fn forget(&mut self, forgetting: &mut Anonymiser<'_>) {
        let texts = [&mut self.event, &mut self.division, &mut self.url];
        let texts = texts.into_iter().flatten();
        for text in texts.chain([&mut self.external_id, &mut self.name]) {
            forgetting.anonymise_text(text);
        }
        for entrant in &mut self.entrants {
            forgetting.anonymise_competitor(entrant.kind, &mut entrant.competitor);
            for member in &mut entrant.members {
                forgetting.anonymise_person(member);
            }
        }
    }
}
