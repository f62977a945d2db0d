//! Forgetting persons: in a document of a site, and in what it says.

use std::borrow::Cow;
use std::collections::BTreeSet;

use ranklore_contest::{Entrant, EntrantKind};

use crate::{ContestOutcome, Document, ReadError, Reading, Source};

/// A document in which persons are blanked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Redacted<'d> {
    /// In place of [`Document::request_key`].
    pub request_key: Cow<'d, str>,
    /// In place of [`Document::body`].
    pub body: Cow<'d, [u8]>,
}

impl Redacted<'_> {
    /// The address that the document came from, `before` being the key it had: nothing where the
    /// address names somebody, and not only a form that was sent there.
    #[must_use]
    pub fn url<'u>(&self, before: &str, url: Option<&'u str>) -> Option<&'u str> {
        let address = |key: &str| key.split(' ').nth(1).map(str::to_owned);
        url.filter(|_| address(before) == address(&self.request_key))
    }
}

/// What came of searching a document for persons.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Searched<'d> {
    /// What is to be kept in its place; nothing where nobody was found.
    pub redacted: Option<Redacted<'d>>,
    /// Why it cannot be read, if so: nobody can tell then whether all were found.
    pub unread: Option<ReadError>,
}

/// A document names somebody where no blank can be put: it would read otherwise.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("with the names replaced, the document would read otherwise")]
pub struct CannotRedact;

/// Blanks persons in a document by [`Profile::redact`](crate::Profile::redact), and reads what comes of it: it must say
/// what the document said, after [`Reading::forget`].
///
/// `blank` gives different names different blanks, which stand nowhere yet.
///
/// # Errors
/// [`CannotRedact`].
pub fn redact<'d>(
    source: &dyn Source,
    document: &Document<'d>,
    blank: &dyn Fn(&str) -> Option<String>,
) -> Result<Searched<'d>, CannotRedact> {
    let redacted = source.profile().redact(document, blank);
    let original = source.read(document);
    let again = redacted.as_ref().map(|redacted| {
        source.read(&Document {
            request_key: &redacted.request_key,
            body: &redacted.body,
            ..*document
        })
    });
    let unread = match (original, again) {
        (Ok(mut expected), again) => {
            let before = again.is_none().then(|| expected.clone());
            expected.forget(source, blank);
            let again = match again {
                Some(again) => again.map_err(|_| CannotRedact)?,
                None => before.ok_or(CannotRedact)?,
            };
            if !says_the_same(source, document, &expected, &again, blank) {
                return Err(CannotRedact);
            }
            None
        }
        // What is kept is named in the error of what is kept.
        (Err(_), Some(Err(error))) | (Err(error), _) => Some(error),
    };
    Ok(Searched { redacted, unread })
}

/// Sentences for people may differ in whom they name.
fn says_the_same(
    source: &dyn Source,
    document: &Document<'_>,
    expected: &Reading,
    again: &Reading,
    blank: &dyn Fn(&str) -> Option<String>,
) -> bool {
    let at = |reading: &Reading| -> Vec<String> {
        let refused = reading.refused.iter();
        refused.map(|error| error.at.clone()).collect()
    };
    let follow = expected.follow.iter().map(|request| {
        let key = request.key();
        let question = Document {
            request_key: &key,
            body: b"",
            ..*document
        };
        let redacted = source.profile().redact(&question, blank);
        redacted.map_or(key.clone(), |of| of.request_key.into_owned())
    });
    expected.listed == again.listed
        && expected.lists_all == again.lists_all
        && expected.described == again.described
        && expected.named == again.named
        && expected.results == again.results
        && expected.renamed == again.renamed
        && expected.accounts == again.accounts
        && expected.unknown == again.unknown
        && expected.warnings.len() == again.warnings.len()
        && expected.left_out == again.left_out
        && at(expected) == at(again)
        && follow.eq(again.follow.iter().map(crate::Request::key))
}

impl Reading {
    /// The names of all persons: of entrants, members of teams, accounts, and those that were
    /// asked about. What somebody is called whom something else identifies is not among them.
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

    /// Replaces the names of persons ([`Reading::persons`]) and those of teams that are called
    /// after them ([`Profile::team_name`](crate::Profile::team_name)). `blank` says for each name what to replace it by, or
    /// nothing. What somebody is called whom something else identifies ([`Reading::named`]) goes
    /// with that, and only with that: others may be called so.
    ///
    /// What is to be asked for, warnings and refusals stay as they are: they tell of the document.
    pub fn forget(&mut self, source: &dyn Source, blank: &dyn Fn(&str) -> Option<String>) {
        let forget = |name: &mut String| {
            if let Some(by) = blank(name) {
                *name = by;
            }
        };
        for results in &mut self.results {
            if let ContestOutcome::Stood { entrants, official } = &mut results.outcome {
                for entrant in entrants {
                    if entrant.kind == EntrantKind::Person {
                        forget(&mut entrant.competitor);
                    } else {
                        forget_members(source, entrant, &forget);
                    }
                }
                for rating in official {
                    forget(&mut rating.competitor);
                }
            }
        }
        for renamed in &mut self.renamed {
            forget(&mut renamed.from);
            forget(&mut renamed.to);
        }
        self.renamed.retain(|renamed| renamed.from != renamed.to);
        for account in &mut self.accounts {
            forget(&mut account.name);
        }
        let named = self.named.iter_mut();
        for named in named.filter(|of| of.kind == EntrantKind::Person) {
            if let Some(by) = blank(&named.competitor) {
                named.name = blank(&named.name).unwrap_or_else(|| by.clone());
                named.competitor = by;
            }
        }
        self.unknown.iter_mut().for_each(forget);
    }
}

fn forget_members(source: &dyn Source, team: &mut Entrant, forget: &impl Fn(&mut String)) {
    let name_of = source.profile().team_name;
    let after_people = name_of(&team.members).as_ref() == Some(&team.competitor);
    team.members.iter_mut().for_each(forget);
    if after_people {
        team.members.sort();
        if let Some(called) = name_of(&team.members) {
            team.competitor = called;
        }
    }
}
