//! Replaces the names of forgotten persons in readings of a site's documents.

use std::collections::BTreeSet;

use ranklore_contest::{Anonymiser, Entrant, EntrantKind, ForgottenNames};

use crate::{ContestOutcome, Request, SiteReading, Source, request};

impl SiteReading {
    /// Returns the names of all persons: entrants, members of teams, accounts, and looked-up names.
    /// Leaves out display names of persons who have other identifiers.
    #[must_use]
    pub fn persons(&self) -> BTreeSet<&str> {
        let mut persons: BTreeSet<&str> = BTreeSet::new();
        for results in &self.results {
            if let ContestOutcome::Standings { entrants, official } = &results.outcome {
                for entrant in entrants {
                    if entrant.kind == EntrantKind::Person {
                        persons.insert(&entrant.competitor);
                    }
                    persons.extend(entrant.members.iter().map(String::as_str));
                }
                persons.extend(official.iter().map(|rating| rating.competitor.as_str()));
            }
        }
        for renamed in &self.renamed {
            persons.extend([renamed.from.as_str(), renamed.to.as_str()]);
        }
        persons.extend(self.accounts.iter().map(|account| account.name.as_str()));
        for named in &self.named {
            if named.kind == EntrantKind::Person {
                persons.insert(&named.competitor);
            }
        }
        persons.extend(self.unknown.iter().map(String::as_str));
        persons
    }

    /// Replaces forgotten persons by placeholders, also in names of teams built from their members
    /// ([`Profile::team_name`](crate::Profile::team_name)), names of contests, warnings and
    /// refusals. Returns true if anything was replaced.
    ///
    /// The display name of a person with another identifier ([`SiteReading::named`]) is replaced
    /// with that identifier only: others may have the same name. Ids of contests and paths of
    /// requests stay: the site does not derive them from names.
    pub fn forget(&mut self, source: &dyn Source, blanks: &dyn ForgottenNames) -> bool {
        let anonymiser = &mut Anonymiser::new(blanks);
        self.forget_in_contests(source, anonymiser);
        self.forget_in_accounts(anonymiser);
        for request in self.follow.iter_mut().chain(&mut self.parts) {
            request.forget(anonymiser);
        }
        anonymiser.anonymise_texts(&mut self.warnings);
        for error in &mut self.refused {
            request::anonymise_key(&mut error.document, anonymiser);
            anonymiser.anonymise_texts([&mut error.at, &mut error.expected]);
        }
        anonymiser.has_changed()
    }

    fn forget_in_contests(&mut self, source: &dyn Source, anonymiser: &mut Anonymiser<'_>) {
        for listed in &mut self.listed {
            let optional = [&mut listed.event, &mut listed.division, &mut listed.url];
            let texts = optional.into_iter().flatten().chain([&mut listed.name]);
            anonymiser.anonymise_texts(texts);
            for request in &mut listed.results {
                request.forget(anonymiser);
            }
        }
        for described in &mut self.described {
            let texts = [&mut described.name, &mut described.division];
            anonymiser.anonymise_texts(texts.into_iter().flatten());
        }
        for results in &mut self.results {
            anonymiser.anonymise_texts(&mut results.name);
            if let ContestOutcome::Standings { entrants, official } = &mut results.outcome {
                for entrant in entrants {
                    forget_entrant(source, entrant, anonymiser);
                }
                let persons = official.iter_mut().map(|rating| &mut rating.competitor);
                anonymiser.anonymise_persons(persons);
            }
        }
    }

    fn forget_in_accounts(&mut self, anonymiser: &mut Anonymiser<'_>) {
        for renamed in &mut self.renamed {
            anonymiser.anonymise_persons([&mut renamed.from, &mut renamed.to]);
        }
        self.renamed.retain(|renamed| renamed.from != renamed.to);
        let accounts = self.accounts.iter_mut().map(|account| &mut account.name);
        anonymiser.anonymise_persons(accounts.chain(&mut self.unknown));
        for named in &mut self.named {
            if named.kind != EntrantKind::Person {
                anonymiser.anonymise_texts([&mut named.competitor, &mut named.name]);
            } else if anonymiser.anonymise_person(&mut named.competitor)
                && !anonymiser.anonymise_person(&mut named.name)
            {
                named.name.clone_from(&named.competitor);
            }
        }
    }
}

impl SiteReading {
    /// Clears the messages for users: they may quote a part of a name.
    pub fn clear_messages(&mut self) {
        self.warnings.clear();
        for error in &mut self.refused {
            CLEARED_REASON.clone_into(&mut error.expected);
        }
    }
}

/// The reason given for a refusal in a document that is archived as its reading.
const CLEARED_REASON: &str = "the reason may have named a person who is forgotten";

impl Request {
    fn forget(&mut self, anonymiser: &mut Anonymiser<'_>) {
        for (_, value) in self.query.iter_mut().chain(&mut self.form) {
            request::anonymise_value(value, anonymiser);
        }
        anonymiser.anonymise_text(&mut self.what);
    }
}

fn forget_entrant(source: &dyn Source, entrant: &mut Entrant, anonymiser: &mut Anonymiser<'_>) {
    let name_team = source.profile().team_name;
    let is_named_after_members = entrant.kind != EntrantKind::Person
        && name_team(&entrant.members).as_ref() == Some(&entrant.competitor);
    if !is_named_after_members {
        anonymiser.anonymise_competitor(entrant.kind, &mut entrant.competitor);
    }
    anonymiser.anonymise_persons(&mut entrant.members);
    if is_named_after_members {
        entrant.members.sort();
        if let Some(name) = name_team(&entrant.members) {
            entrant.competitor = name;
        }
    }
}
