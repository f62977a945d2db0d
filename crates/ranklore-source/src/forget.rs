//! Replaces the names of forgotten persons in readings of a site's documents.

use std::collections::BTreeSet;

use ranklore_contest::{Blanks, Entrant, EntrantKind, Forgetting};

use crate::{ContestOutcome, Reading, Request, Source, request};

impl Reading {
    /// Returns the names of all persons: entrants, members of teams, accounts, and looked-up names.
    /// Leaves out display names of persons who have other identifiers.
    #[must_use]
    pub fn persons(&self) -> BTreeSet<&str> {
        let mut persons: BTreeSet<&str> = BTreeSet::new();
        for results in &self.results {
            if let ContestOutcome::Stood { entrants, official } = &results.outcome {
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
        let named = self.named.iter();
        for named in named.filter(|of| of.kind == EntrantKind::Person) {
            persons.insert(&named.competitor);
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
    pub fn forget(&mut self, source: &dyn Source, blanks: &dyn Blanks) -> bool {
        let forgetting = &mut Forgetting::new(blanks);
        for listed in &mut self.listed {
            let texts = [&mut listed.event, &mut listed.division, &mut listed.url];
            let texts = texts.into_iter().flatten().chain([&mut listed.name]);
            texts.for_each(|text| forgetting.text(text));
            let requests = listed.results.iter_mut();
            requests.for_each(|request| request.forget(forgetting));
        }
        for described in &mut self.described {
            let texts = [&mut described.name, &mut described.division];
            let texts = texts.into_iter().flatten();
            texts.for_each(|text| forgetting.text(text));
        }
        for results in &mut self.results {
            results
                .name
                .iter_mut()
                .for_each(|name| forgetting.text(name));
            if let ContestOutcome::Stood { entrants, official } = &mut results.outcome {
                for entrant in entrants {
                    forget_entrant(source, entrant, forgetting);
                }
                for rating in official {
                    forgetting.person(&mut rating.competitor);
                }
            }
        }
        for renamed in &mut self.renamed {
            forgetting.person(&mut renamed.from);
            forgetting.person(&mut renamed.to);
        }
        self.renamed.retain(|renamed| renamed.from != renamed.to);
        for account in &mut self.accounts {
            forgetting.person(&mut account.name);
        }
        for named in &mut self.named {
            if named.kind != EntrantKind::Person {
                forgetting.text(&mut named.competitor);
                forgetting.text(&mut named.name);
            } else if forgetting.person(&mut named.competitor)
                && !forgetting.person(&mut named.name)
            {
                named.name.clone_from(&named.competitor);
            }
        }
        for name in &mut self.unknown {
            forgetting.person(name);
        }
        for request in self.follow.iter_mut().chain(&mut self.parts) {
            request.forget(forgetting);
        }
        self.warnings
            .iter_mut()
            .for_each(|text| forgetting.text(text));
        for error in &mut self.refused {
            request::forget_in_key(&mut error.document, forgetting);
            forgetting.text(&mut error.at);
            forgetting.text(&mut error.expected);
        }
        forgetting.changed()
    }
}

impl Reading {
    /// Clears the messages for users: they may quote a part of a name.
    pub fn clear_messages(&mut self) {
        self.warnings.clear();
        for error in &mut self.refused {
            CLEARED.clone_into(&mut error.expected);
        }
    }
}

/// The reason given for a refusal in a document that is archived as its reading.
const CLEARED: &str = "the reason may have named a person who is forgotten";

impl Request {
    fn forget(&mut self, forgetting: &mut Forgetting<'_>) {
        for (_, value) in self.query.iter_mut().chain(&mut self.form) {
            request::forget_in_value(value, forgetting);
        }
        forgetting.text(&mut self.what);
    }
}

fn forget_entrant(source: &dyn Source, entrant: &mut Entrant, forgetting: &mut Forgetting<'_>) {
    if entrant.kind == EntrantKind::Person {
        forgetting.person(&mut entrant.competitor);
        return;
    }
    let name_of = source.profile().team_name;
    if name_of(&entrant.members).as_ref() != Some(&entrant.competitor) {
        forgetting.text(&mut entrant.competitor);
        for member in &mut entrant.members {
            forgetting.person(member);
        }
        return;
    }
    for member in &mut entrant.members {
        forgetting.person(member);
    }
    entrant.members.sort();
    if let Some(name) = name_of(&entrant.members) {
        entrant.competitor = name;
    }
}
