//! What a document of a site says.

use std::collections::BTreeMap;

use ranklore_contest::{Entrant, EntrantKind, Invalid, UnixSeconds, check_standings};
use serde::{Deserialize, Serialize};

use crate::Request;

/// What a document of a site says, and what to ask for next.
///
/// Its JSON is a form of the archive, and stable: a document that names a forgotten person is kept
/// as its reading.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Reading {
    /// Contests as the site lists them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub listed: Vec<Listed>,
    /// Whether `listed` is everything the site has of what was asked for: a contest that an
    /// earlier answer to the same question had, and this one has not, was taken back. Never set
    /// where a contest of the list was refused.
    pub lists_all: bool,
    /// What this document adds to contests that another one lists.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub described: Vec<Described>,
    /// How contests came out.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub results: Vec<Results>,
    /// Competitors that the site knows by another name today.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub renamed: Vec<Renamed>,
    /// Competitors as the site has them today.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub accounts: Vec<Account>,
    /// What competitors are called whom something else than their name identifies.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub named: Vec<Named>,
    /// Names that were asked about and that the site knows nobody by.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unknown: Vec<String>,
    /// Documents to ask for that only this one tells of.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub follow: Vec<Request>,
    /// Documents that the results go on in ([`assemble::parts`](crate::assemble::parts)): they are
    /// asked for together with this one, and without them nothing of it can be taken.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<Request>,
    /// What was set right, or is odd and was taken as it is, in sentences for people.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
    /// What was left out as it has to be, by what it is, such as `comments by deleted accounts`,
    /// with how many: too common to be told of each document.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub left_out: BTreeMap<String, u64>,
    /// What could not be taken: the rest of the document could.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub refused: Vec<ReadError>,
}

/// A contest as a site lists it: everything but who stood where.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Listed {
    /// What identifies the contest within its source.
    pub external_id: String,
    /// As published, verbatim.
    pub name: String,
    /// What groups contests held together.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub event: Option<String>,
    /// Division, class or age group.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub division: Option<String>,
    /// The source's order within the event.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ordinal: Option<i64>,
    /// Where people read about it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// When it began, or is to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub starts_at: Option<UnixSeconds>,
    /// When it ended, or is to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ends_at: Option<UnixSeconds>,
    /// The weight that the site itself gives it, if any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub site_weight: Option<f64>,
    /// How far it has come.
    pub stage: Stage,
    /// Whether the site may come to rate it; one that it never will is remembered and not
    /// asked about.
    pub rateable: bool,
    /// What to ask for to learn how it came out. Where one document tells of several contests,
    /// all of them have its question, which is asked once; it may be the list itself.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub results: Vec<Request>,
}

/// What a document says of a contest that another document lists. What is there goes before what
/// the list says; a contest that no list has is none.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Described {
    /// Which contest.
    pub external_id: String,
    /// As published, verbatim.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Division, class or age group.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub division: Option<String>,
    /// When it began, or is to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub starts_at: Option<UnixSeconds>,
    /// When it ended, or is to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ends_at: Option<UnixSeconds>,
    /// The weight that the site itself gives it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub site_weight: Option<f64>,
}

impl Listed {
    /// A contest of which nothing else is known, that may be rated and has no documents of its
    /// own.
    #[must_use]
    pub fn new(external_id: impl Into<String>, name: impl Into<String>, stage: Stage) -> Self {
        Self {
            external_id: external_id.into(),
            name: name.into(),
            event: None,
            division: None,
            ordinal: None,
            url: None,
            starts_at: None,
            ends_at: None,
            site_weight: None,
            stage,
            rateable: true,
            results: Vec::new(),
        }
    }

    /// With what a document adds about this contest.
    pub fn describe(&mut self, by: &Described) {
        if let Some(name) = &by.name {
            self.name.clone_from(name);
        }
        self.division = by.division.clone().or(self.division.take());
        self.starts_at = by.starts_at.or(self.starts_at);
        self.ends_at = by.ends_at.or(self.ends_at);
        self.site_weight = by.site_weight.or(self.site_weight);
    }
}

/// How far a contest has come, as its site says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stage {
    /// It has not begun.
    Announced,
    /// It has begun and is not over.
    Running,
    /// It is over.
    Finished,
}

/// How a contest came out, as one document says.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Results {
    /// Which contest.
    pub external_id: String,
    /// What the document calls it, where it does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// When the result stood, where the document says so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stood_at: Option<UnixSeconds>,
    /// How it came out.
    pub outcome: ContestOutcome,
    /// The items that the site announces of it, and those in this document. None where the site
    /// announces nothing, or nothing that could be compared.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub counts: Option<ItemCounts>,
}

/// The items of a contest, such as comments: those that its site announces, and those that arrived.
/// A contest of which much less arrived than was announced is not rated at once.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ItemCounts {
    /// The plural of what is counted, such as `comments`.
    pub items: String,
    /// The number of items that the document announces for the whole contest. None where it does
    /// not say, as the further parts of a contest do not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub announced: Option<u32>,
    /// The number of items in the document. Those that are left out of the result count too: they
    /// arrived.
    pub arrived: u32,
}

impl ItemCounts {
    /// Returns the counts of a contest of which another document has these items and no others.
    #[must_use]
    pub fn with_part(self, part: &Self) -> Self {
        Self {
            announced: self.announced.or(part.announced),
            arrived: self.arrived.saturating_add(part.arrived),
            ..self
        }
    }
}

impl Results {
    /// Returns how a contest came out, with nothing said beside that.
    #[must_use]
    pub fn new(external_id: impl Into<String>, outcome: ContestOutcome) -> Self {
        Self {
            external_id: external_id.into(),
            name: None,
            stood_at: None,
            outcome,
            counts: None,
        }
    }

    /// Who stood where in a contest, in order of place, those without a place last; nothing yet
    /// where nobody stands there.
    ///
    /// # Errors
    /// [`Invalid`], naming the row (1 is the first) and who stands there, where somebody stands
    /// twice or a place does not count those above.
    pub fn standings(
        external_id: impl Into<String>,
        entrants: Vec<Entrant>,
    ) -> Result<Self, Invalid> {
        check_standings(&entrants)?;
        Ok(Self::new(external_id, ContestOutcome::by(entrants)))
    }
}

/// How a contest came out. That there is nothing is never said by standings without entrants.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ContestOutcome {
    /// Who stood where.
    Stood {
        /// In order of place, those without a place last; at least one.
        entrants: Vec<Entrant>,
        /// What the site itself made of it; empty where it says nothing.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        official: Vec<OfficialRating>,
    },
    /// Nothing so far. Long after the end it means that nothing will come.
    NothingYet,
    /// The site says that it does not rate this contest.
    NotRated,
    /// The site does not know this contest.
    Gone,
    /// The site does not let it be read.
    Closed,
}

impl ContestOutcome {
    /// Returns the outcome of a contest in which these stood, in order of place: nothing yet where
    /// nobody did.
    #[must_use]
    pub fn by(entrants: Vec<Entrant>) -> Self {
        if entrants.is_empty() {
            return Self::NothingYet;
        }
        Self::Stood {
            entrants,
            official: Vec::new(),
        }
    }
}

/// The rating that a site itself gave, in its own points.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct OfficialRating {
    /// Whose: [`Entrant::competitor`] or one of [`Entrant::members`].
    pub competitor: String,
    /// Before the contest, where the site says so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<f64>,
    /// After it.
    pub after: f64,
    /// The site's own measure of how much the rating moves, after it; nothing where the site has
    /// none or does not say so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub volatility: Option<f64>,
}

/// One account that was known by another name.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Renamed {
    /// The name in older documents.
    pub from: String,
    /// The name today.
    pub to: String,
}

/// What one competitor is called whom something else identifies.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Named {
    /// Person, team or couple.
    pub kind: EntrantKind,
    /// Whom: [`Entrant::competitor`].
    pub competitor: String,
    /// The name, verbatim.
    pub name: String,
}

/// One competitor as a site has it today.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Account {
    /// Its name today, verbatim.
    pub name: String,
    /// The site's own rating today, in its own points; nothing for those it has not rated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rating: Option<f64>,
}

/// A document, or a part of one, that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, Serialize, Deserialize)]
#[error("{document}: {at}: {expected}")]
pub struct ReadError {
    /// The request key of the document.
    pub document: String,
    /// Where in it: the path of a field such as `result[3].rank`, or `the whole` of it.
    pub at: String,
    /// What was expected there and what stands there instead.
    pub expected: String,
}

impl ReadError {
    /// [`ReadError::at`] where no part of the document can be named.
    pub const WHOLE: &'static str = "the whole";

    /// An error at one place of a document.
    #[must_use]
    pub fn new(
        document: impl Into<String>,
        at: impl Into<String>,
        expected: impl Into<String>,
    ) -> Self {
        Self {
            document: document.into(),
            at: at.into(),
            expected: expected.into(),
        }
    }

    /// An error of a document as a whole.
    #[must_use]
    pub fn whole(document: impl Into<String>, expected: impl Into<String>) -> Self {
        Self::new(document, Self::WHOLE, expected)
    }

    /// The error of a document that answers no question that is asked of this site.
    #[must_use]
    pub fn unasked(document: impl Into<String>, site: &str) -> Self {
        let expected = format!("an answer to a question that is asked of {site}");
        Self::whole(document, expected)
    }
}

#[cfg(test)]
mod tests {
    use ranklore_contest::{Outcome, Place};

    use super::*;

    fn standings(places: &[u32]) -> Result<Results, Invalid> {
        let places = places.iter().map(|place| Place::new(*place));
        let outcomes = places.map(|place| place.map_or(Outcome::DidNotFinish, Outcome::Finished));
        let entrants = outcomes
            .zip('a'..)
            .map(|(outcome, name)| Entrant::person(name, outcome));
        Results::standings("7", entrants.collect())
    }

    #[test]
    fn standings_without_anybody_are_nothing_yet() {
        assert_eq!(standings(&[]).unwrap().outcome, ContestOutcome::NothingYet);
    }

    #[test]
    fn parts_add_to_what_arrived_and_leave_what_was_announced() {
        let counts = |announced, arrived| ItemCounts {
            items: "comments".to_owned(),
            announced,
            arrived,
        };
        let whole = counts(Some(543), 400).with_part(&counts(None, 76));
        assert_eq!(whole, counts(Some(543), 476));
        let turned = counts(None, 76).with_part(&counts(Some(543), 400));
        assert_eq!(turned, whole);
    }

    #[test]
    fn standings_count_those_above() {
        let ContestOutcome::Stood { entrants, .. } = standings(&[1, 1, 3, 0]).unwrap().outcome
        else {
            panic!("nobody stood");
        };
        assert_eq!(entrants.len(), 4);
        let error = standings(&[1, 1, 2]).unwrap_err().to_string();
        assert!(error.contains("row 3"), "{error}");
        assert!(standings(&[1, 0, 3]).is_err());
    }
}
