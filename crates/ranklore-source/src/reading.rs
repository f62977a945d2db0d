//! The data read from a document of a site.

use std::collections::BTreeMap;

use ranklore_contest::{
    Contest, ContestTime, Entrant, EntrantKind, OfficialRating, UnixSeconds, ValidationError,
    check_standings,
};
use serde::{Deserialize, Serialize};

use crate::Request;

/// The data read from a document of a site, and the requests that follow from it.
///
/// Its JSON is stored in the archive and is stable: a document that names a forgotten person is
/// archived as its reading.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct SiteReading {
    /// Contests as the site lists them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub listed: Vec<SiteListing>,
    /// True if `listed` is the complete list for the request: a contest that an earlier answer had
    /// and this one has not was withdrawn. Never set if a contest of the list was refused.
    pub lists_all: bool,
    /// Details of contests that another document lists.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub described: Vec<ListingDetails>,
    /// Outcomes of contests.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub results: Vec<Results>,
    /// Competitors that have another name today.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub renamed: Vec<AccountRename>,
    /// Accounts of competitors today.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub accounts: Vec<Account>,
    /// Display names of competitors who have other identifiers.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub named: Vec<DisplayName>,
    /// Names that were looked up and that the site does not know.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unknown: Vec<String>,
    /// Requests that only this document leads to.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub follow: Vec<Request>,
    /// Requests for further parts of the results ([`assemble::parts`](crate::assemble::parts)).
    /// They are sent together with this document's request; without them the document is not
    /// usable.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<Request>,
    /// Corrected or odd data that was read anyway, in sentences for users.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
    /// Counts of data that is always left out, by kind, such as `comments by deleted accounts`: too
    /// common for a warning per document.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub left_out: BTreeMap<String, u64>,
    /// Refused entries; the rest of the document was read.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub refused: Vec<SiteReadError>,
}

/// A contest as a site lists it, without standings.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SiteListing {
    /// The identifier of the contest within its source.
    pub external_id: String,
    /// The name as published, verbatim.
    pub name: String,
    /// The group of contests held together.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub event: Option<String>,
    /// Division, class or age group.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub division: Option<String>,
    /// The source's order within the event.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ordinal: Option<i64>,
    /// The page about the contest.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// The actual or planned start.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub starts_at: Option<UnixSeconds>,
    /// The actual or planned end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ends_at: Option<UnixSeconds>,
    /// The weight that the site itself gives it, if any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub site_weight: Option<f64>,
    /// The progress of the contest.
    pub stage: Stage,
    /// True if the site may rate it. Other contests are remembered, but their results are not
    /// requested.
    pub rateable: bool,
    /// The requests for its results. If one document covers several contests, all of them have its
    /// request, which is sent once; it may be the list itself.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub results: Vec<Request>,
}

/// Details of a contest that another document lists. They take precedence over the list; details of
/// an unlisted contest are ignored.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ListingDetails {
    /// The identifier of the contest.
    pub external_id: String,
    /// The name as published, verbatim.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Division, class or age group.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub division: Option<String>,
    /// The actual or planned start.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub starts_at: Option<UnixSeconds>,
    /// The actual or planned end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ends_at: Option<UnixSeconds>,
    /// The weight that the site itself gives it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub site_weight: Option<f64>,
}

impl SiteListing {
    /// Returns a rateable contest without further data and requests.
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

    /// Overwrites fields with these details of the contest.
    pub fn apply_details(&mut self, by: &ListingDetails) {
        if let Some(name) = &by.name {
            self.name.clone_from(name);
        }
        self.division = by.division.clone().or(self.division.take());
        self.starts_at = by.starts_at.or(self.starts_at);
        self.ends_at = by.ends_at.or(self.ends_at);
        self.site_weight = by.site_weight.or(self.site_weight);
    }

    /// Returns the listed contest with this end and these standings.
    #[must_use]
    pub fn into_contest(self, ends_at: UnixSeconds, entrants: Vec<Entrant>) -> Contest {
        Contest {
            external_id: self.external_id,
            name: self.name,
            event: self.event,
            division: self.division,
            ordinal: self.ordinal,
            url: self.url,
            starts_at: self.starts_at.map(ContestTime::from),
            ends_at: ends_at.into(),
            weight: 1.0,
            site_weight: self.site_weight,
            performance_ceiling: None,
            entrants,
        }
    }
}

/// The progress of a contest, as its site reports it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stage {
    /// Not started.
    Announced,
    /// Started and not over.
    Running,
    /// Over.
    Finished,
}

/// The outcome of a contest in one document.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Results {
    /// The identifier of the contest.
    pub external_id: String,
    /// The name in this document, if any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The time of the result, if the document has it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stood_at: Option<UnixSeconds>,
    /// The outcome.
    pub outcome: ContestOutcome,
    /// The number of items that the site announces, and of those in this document. `None` if the
    /// site announces none, or the numbers are not comparable.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub counts: Option<ItemCounts>,
}

/// The number of items of a contest, such as comments, that its site announces and that arrived. If
/// far fewer arrived, the contest is not rated at once.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ItemCounts {
    /// The plural name of the items, such as `comments`.
    pub items: String,
    /// The number of items that the document announces for the whole contest. `None` if it does
    /// not, as in further parts of a contest.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub announced: Option<u32>,
    /// The number of items in the document, including those that the result leaves out.
    pub arrived: u32,
}

impl ItemCounts {
    /// Adds the items of another document about the same contest.
    #[must_use]
    pub fn add_part(self, part: &Self) -> Self {
        Self {
            announced: self.announced.or(part.announced),
            arrived: self.arrived.saturating_add(part.arrived),
            ..self
        }
    }
}

impl Results {
    /// Returns an outcome without optional data.
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

    /// Returns standings in order of place, those without a place last; or `NothingYet` if there
    /// are no entrants.
    ///
    /// # Errors
    /// [`ValidationError`], naming the row (1 is the first) and the entrant, if an entrant occurs
    /// twice or a place does not count the entrants above.
    pub fn from_standings(
        external_id: impl Into<String>,
        entrants: Vec<Entrant>,
    ) -> Result<Self, ValidationError> {
        check_standings(&entrants)?;
        let outcome = ContestOutcome::from_entrants(entrants);
        Ok(Self::new(external_id, outcome))
    }
}

/// The outcome of a contest. A missing result is never empty standings.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ContestOutcome {
    /// The standings.
    #[serde(rename = "stood")]
    Standings {
        /// The entrants in order of place, those without a place last; at least one.
        entrants: Vec<Entrant>,
        /// The site's own ratings, if any.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        official: Vec<OfficialRating>,
    },
    /// No results so far. Long after the end it means that none will come.
    NothingYet,
    /// The site does not rate this contest.
    NotRated,
    /// The site does not know this contest.
    Gone,
    /// The site does not let anyone read it.
    Closed,
}

impl ContestOutcome {
    /// Returns standings of these entrants, given in order of place; `NothingYet` if there are
    /// none.
    #[must_use]
    pub fn from_entrants(entrants: Vec<Entrant>) -> Self {
        if entrants.is_empty() {
            return Self::NothingYet;
        }
        Self::Standings {
            entrants,
            official: Vec::new(),
        }
    }
}

/// An account that had another name.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct AccountRename {
    /// The name in older documents.
    pub from: String,
    /// The name today.
    pub to: String,
}

/// The display name of a competitor who has another identifier.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DisplayName {
    /// Person, team or couple.
    pub kind: EntrantKind,
    /// The identifier: [`Entrant::competitor`].
    pub competitor: String,
    /// The display name, verbatim.
    pub name: String,
}

/// The account of a competitor today.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Account {
    /// The name today, verbatim.
    pub name: String,
    /// The site's own rating today, in its own points; `None` if unrated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rating: Option<f64>,
}

/// An error in a document or in a part of one.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, Serialize, Deserialize)]
#[error("{document}: {at}: {expected}")]
pub struct SiteReadError {
    /// The request key of the document.
    pub document: String,
    /// The location: the path of a field such as `result[3].rank`, or `the whole`.
    pub at: String,
    /// The expected data and the actual data.
    pub expected: String,
}

impl SiteReadError {
    /// The value of [`SiteReadError::at`] if the error has no location.
    pub const WHOLE_DOCUMENT: &'static str = "the whole";

    /// Returns an error at a location of a document.
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

    /// Returns an error of a whole document.
    #[must_use]
    pub fn whole_document(document: impl Into<String>, expected: impl Into<String>) -> Self {
        Self::new(document, Self::WHOLE_DOCUMENT, expected)
    }

    /// Returns the error of a document that answers no known request of this site.
    #[must_use]
    pub fn unknown_request(document: impl Into<String>, site: &str) -> Self {
        let expected = format!("an answer to a known request to {site}");
        Self::whole_document(document, expected)
    }
}

#[cfg(test)]
mod tests {
    use ranklore_contest::{EntrantOutcome, Place};

    use super::*;

    fn standings(places: &[u32]) -> Result<Results, ValidationError> {
        let places = places.iter().map(|place| Place::new(*place));
        let outcomes = places
            .map(|place| place.map_or(EntrantOutcome::DidNotFinish, EntrantOutcome::Finished));
        let entrants = outcomes.zip('a'..).map(|(outcome, name)| Entrant::person(name, outcome));
        Results::from_standings("7", entrants.collect())
    }

    #[test]
    fn empty_standings_are_nothing_yet() {
        assert_eq!(standings(&[]).unwrap().outcome, ContestOutcome::NothingYet);
    }

    #[test]
    fn parts_add_to_arrived_count_only() {
        let counts = |announced, arrived| ItemCounts {
            items: "comments".to_owned(),
            announced,
            arrived,
        };
        let whole = counts(Some(543), 400).add_part(&counts(None, 76));
        assert_eq!(whole, counts(Some(543), 476));
        let turned = counts(None, 76).add_part(&counts(Some(543), 400));
        assert_eq!(turned, whole);
    }

    #[test]
    fn standings_require_valid_places() {
        let ContestOutcome::Standings { entrants, .. } = standings(&[1, 1, 3, 0]).unwrap().outcome
        else {
            panic!("no standings");
        };
        assert_eq!(entrants.len(), 4);
        let error = standings(&[1, 1, 2]).unwrap_err().to_string();
        assert!(error.contains("row 3"), "{error}");
        assert!(standings(&[1, 0, 3]).is_err());
    }
}
