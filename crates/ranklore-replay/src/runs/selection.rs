//! Selection of the contests of a run.

use std::collections::BTreeSet;
use std::fmt;

use ranklore_contest::{ContestTime, SourceName};
use ranklore_store::{ContestFilter, ContestRow};
use serde::{Serialize, Serializer};

/// The contests of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RunSelection {
    /// Only contests of these sources, all rated together.
    pub sources: Vec<SourceName>,
    /// Only contests of this division.
    pub division: Option<String>,
    /// Only contests that ended at this time or later.
    pub since: Option<ContestTime>,
    /// Only contests that ended before this time.
    pub until: Option<ContestTime>,
}

/// A selection without a rated contest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EmptySelection {
    /// The selection.
    pub selection: RunSelection,
    /// The newest contest that is not rated only because it is withdrawn: its source and its
    /// external id.
    pub withdrawn: Option<(SourceName, String)>,
    /// The number of contests not rated only because of their state `incomplete`.
    pub incomplete: u64,
}

impl Serialize for EmptySelection {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl fmt::Display for EmptySelection {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let selection = self.selection.describe();
        write!(formatter, "no rated contest of {selection}: ")?;
        match (&self.withdrawn, self.incomplete) {
            (Some(_), _) => formatter.write_str("they are withdrawn"),
            (None, 0) => formatter.write_str("widen the selection, or import results first"),
            (None, number) => write!(
                formatter,
                "{number} incomplete; the next sync of the site requests what is missing"
            ),
        }
    }
}

/// The canonical form; equal selections have equal forms.
#[derive(Serialize)]
struct CanonicalSelection<'a> {
    /// The names of the sources, sorted.
    sources: BTreeSet<&'a str>,
    /// The division, class or age group.
    #[serde(skip_serializing_if = "Option::is_none")]
    division: Option<&'a str>,
    /// The earliest end of a contest, in Unix seconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    since: Option<i64>,
    /// The time before which contests end, in Unix seconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    until: Option<i64>,
}

impl RunSelection {
    /// Selects all contests of one source.
    #[must_use]
    pub fn from_source(source: &SourceName) -> Self {
        Self::from_sources(std::slice::from_ref(source))
    }

    /// Selects all contests of these sources.
    #[must_use]
    pub fn from_sources(sources: &[SourceName]) -> Self {
        Self {
            sources: sources.to_vec(),
            ..Self::default()
        }
    }

    /// Returns canonical JSON: sources sorted, absent values omitted.
    #[must_use]
    pub fn canonical_json(&self) -> String {
        let canonical = CanonicalSelection {
            sources: self.sources.iter().map(SourceName::as_str).collect(),
            division: self.division.as_deref(),
            since: self.since.map(ContestTime::get),
            until: self.until.map(ContestTime::get),
        };
        // Serialisation of strings and integers cannot fail.
        serde_json::to_string(&canonical).unwrap_or_default()
    }

    /// Parses the canonical JSON of a run; omits invalid source names.
    #[must_use]
    pub fn from_canonical_json(json: &str) -> Self {
        let value: serde_json::Value = serde_json::from_str(json).unwrap_or_default();
        let time = |key: &str| value[key].as_i64().and_then(ContestTime::new);
        let sources = value["sources"].as_array().into_iter().flatten();
        Self {
            sources: sources.filter_map(|name| SourceName::new(name.as_str()?).ok()).collect(),
            division: value["division"].as_str().map(str::to_owned),
            since: time("since"),
            until: time("until"),
        }
    }

    /// Returns the names of the sources, separated by spaces, as arguments of a command.
    #[must_use]
    pub fn format_sources(&self) -> String {
        self.sources.iter().map(SourceName::as_str).collect::<Vec<_>>().join(" ")
    }

    /// Returns the contests of the selection as a filter of the store.
    #[must_use]
    pub fn contest_filter(&self) -> ContestFilter {
        ContestFilter {
            sources: self.sources.clone(),
            division: self.division.clone(),
            since: self.since,
            until: self.until,
        }
    }

    /// True if a contest is rated by its source and in the selected division and time, in any
    /// state.
    #[must_use]
    pub fn covers(&self, contest: &ContestRow) -> bool {
        let end = contest.ends_at;
        contest.rated
            && (self.division.is_none() || contest.division == self.division)
            && self.since.is_none_or(|since| end.is_some_and(|end| end >= since.get()))
            && self.until.is_none_or(|until| end.is_some_and(|end| end < until.get()))
    }

    fn describe(&self) -> String {
        let mut words = self.describe_filters();
        words.insert(0, self.format_sources());
        words.join(", ")
    }

    /// Describes the filters other than the sources, in words; empty if there are none.
    #[must_use]
    pub fn describe_filters(&self) -> Vec<String> {
        let mut words = Vec::new();
        let division = self.division.as_ref();
        words.extend(division.map(|name| format!("division \"{name}\"")));
        words.extend(self.since.iter().map(|since| format!("since {since}")));
        words.extend(self.until.iter().map(|until| format!("before {until}")));
        words
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn canonical_json_is_unique_and_round_trips() {
        let name = |name| SourceName::new(name).unwrap();
        let selection = RunSelection {
            sources: vec![name("b"), name("a"), name("b")],
            division: Some("Div. \"1\"".into()),
            since: ContestTime::new(5),
            until: None,
        };
        let json = selection.canonical_json();
        assert_eq!(json, r#"{"sources":["a","b"],"division":"Div. \"1\"","since":5}"#);
        assert_eq!(RunSelection::from_canonical_json(&json).canonical_json(), json);
    }
}
