//! Replaces the names of forgotten persons in a reading or in any text.

use crate::contest::{Contest, EntrantKind};

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

    /// Replaces the whole names of persons.
    pub fn anonymise_persons<'n>(&mut self, names: impl IntoIterator<Item = &'n mut String>) {
        for name in names {
            self.anonymise_person(name);
        }
    }

    /// Replaces names within texts that are not persons' names.
    pub fn anonymise_texts<'t>(&mut self, texts: impl IntoIterator<Item = &'t mut String>) {
        for text in texts {
            self.anonymise_text(text);
        }
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

    fn replace(&mut self, text: &mut String, replacement: Option<String>) -> bool {
        let Some(replacement) = replacement else {
            return false;
        };
        *text = replacement;
        self.changed = true;
        true
    }
}

impl Contest {
    /// Replaces forgotten persons by placeholders, in names and in all other texts.
    pub fn forget(&mut self, anonymiser: &mut Anonymiser<'_>) {
        let optional = [&mut self.event, &mut self.division, &mut self.url];
        anonymiser.anonymise_texts(optional.into_iter().flatten());
        anonymiser.anonymise_texts([&mut self.external_id, &mut self.name]);
        for entrant in &mut self.entrants {
            anonymiser.anonymise_competitor(entrant.kind, &mut entrant.competitor);
            anonymiser.anonymise_persons(&mut entrant.members);
        }
    }
}
