//! Which contests a run is over.

use ranklore_contest::{SourceName, UnixSeconds};
use ranklore_store::{ContestRow, Selection, Store};
use serde::Serialize;

use crate::Error;

/// The contests a run is over.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RunSelection {
    /// Of these sources, all rated together.
    pub sources: Vec<SourceName>,
    /// Of this division alone.
    pub division: Option<String>,
    /// Whose result stood at this time or later.
    pub since: Option<UnixSeconds>,
    /// Whose result stood before this time.
    pub until: Option<UnixSeconds>,
}

/// The canonical form; two selections are the same if this is.
#[derive(Serialize)]
struct Canonical<'a> {
    sources: Vec<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    division: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    since: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    until: Option<i64>,
}

impl RunSelection {
    /// Canonical JSON: sources sorted, what is absent left out.
    #[must_use]
    pub fn canonical_json(&self) -> String {
        let mut sources: Vec<&str> = self.sources.iter().map(SourceName::as_str).collect();
        sources.sort_unstable();
        sources.dedup();
        let canonical = Canonical {
            sources,
            division: self.division.as_deref(),
            since: self.since.map(UnixSeconds::get),
            until: self.until.map(UnixSeconds::get),
        };
        // Strings and integers always have a JSON form.
        serde_json::to_string(&canonical).unwrap_or_default()
    }

    /// The selection of a run, from its canonical JSON; sources that are no names are left out.
    #[must_use]
    pub(crate) fn from_canonical_json(json: &str) -> Self {
        let value: serde_json::Value = serde_json::from_str(json).unwrap_or_default();
        let time = |key: &str| value[key].as_i64().and_then(UnixSeconds::new);
        let sources = value["sources"].as_array().into_iter().flatten();
        Self {
            sources: sources
                .filter_map(|name| SourceName::new(name.as_str()?).ok())
                .collect(),
            division: value["division"].as_str().map(str::to_owned),
            since: time("since"),
            until: time("until"),
        }
    }

    /// The names of the sources, as words of a command.
    #[must_use]
    pub fn source_words(&self) -> String {
        let names: Vec<&str> = self.sources.iter().map(SourceName::as_str).collect();
        names.join(" ")
    }

    /// The contests to rate, in the order of replay.
    ///
    /// # Errors
    /// [`Error::NoSource`], [`Error::NoContests`].
    pub(crate) fn contests(&self, store: &Store) -> Result<Vec<ContestRow>, Error> {
        for name in &self.sources {
            if store.source_id(name)?.is_none() {
                return Err(no_source(store, name)?);
            }
        }
        let contests = store.contests(&Selection {
            sources: self.sources.clone(),
            division: self.division.clone(),
            since: self.since,
            until: self.until,
        })?;
        if contests.is_empty() {
            return Err(Error::NoContests {
                selection: self.in_words(),
            });
        }
        Ok(contests)
    }

    fn in_words(&self) -> String {
        let mut words = self.source_words();
        if let Some(division) = &self.division {
            words += &format!(", division {division:?}");
        }
        if let Some(since) = self.since {
            words += &format!(", since {since}");
        }
        if let Some(until) = self.until {
            words += &format!(", before {until}");
        }
        words
    }
}

/// The error for a source that is not there, naming those that are.
pub(crate) fn no_source(store: &Store, name: &SourceName) -> Result<Error, Error> {
    let names: Vec<String> = store.sources()?.into_iter().map(|s| s.name).collect();
    let known = if names.is_empty() {
        "it has none yet: import or mine some results first".to_owned()
    } else {
        format!("it has {}", names.join(", "))
    };
    Ok(Error::NoSource {
        name: name.to_string(),
        path: store.path().to_owned(),
        known,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_selection_has_one_form_and_comes_back() {
        let name = |name| SourceName::new(name).unwrap();
        let selection = RunSelection {
            sources: vec![name("b"), name("a"), name("b")],
            division: Some("Div. \"1\"".into()),
            since: UnixSeconds::new(5),
            until: None,
        };
        let json = selection.canonical_json();
        assert_eq!(
            json,
            r#"{"sources":["a","b"],"division":"Div. \"1\"","since":5}"#
        );
        assert_eq!(
            RunSelection::from_canonical_json(&json).canonical_json(),
            json
        );
    }
}
