//! Which contests a run is over.

use ranklore_contest::{SourceName, UnixSeconds};
use ranklore_store::{ContestRow, ContestState, Selection, Store};
use serde::Serialize;

use crate::error::Error;
use crate::runs::systems::SYSTEMS;
use crate::runs::systems::changed_parameters;

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
    /// All contests of one source.
    #[must_use]
    pub fn of(source: &SourceName) -> Self {
        Self {
            sources: vec![source.clone()],
            ..Self::default()
        }
    }

    /// The command that rates this selection by the first of all systems.
    pub(crate) fn rate_again(&self) -> String {
        self.rate_command(SYSTEMS[0].as_str(), "{}")
    }

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
    pub fn from_canonical_json(json: &str) -> Self {
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

    /// The command that rates this selection by this system.
    #[must_use]
    pub(crate) fn rate_command(&self, system: &str, parameters: &str) -> String {
        let mut words = vec!["ranklore rate".to_owned(), self.source_words()];
        if self.sources.len() > 1 {
            words.push("--together".to_owned());
        }
        let mut option = |name: &str, value: &str| words.push(format!("{name} {}", quoted(value)));
        if let Some(division) = &self.division {
            option("--division", division);
        }
        if let Some(since) = self.since {
            option("--since", &since.to_string());
        }
        if let Some(until) = self.until {
            option("--until", &until.to_string());
        }
        if system != SYSTEMS[0].as_str() {
            option("--system", system);
        }
        for (key, value) in changed_parameters(system, parameters) {
            match value.as_str() {
                Some(word) => option("--set", &format!("{key}={word}")),
                None => option("--set", &format!("{key}={value}")),
            }
        }
        words.join(" ")
    }

    /// Says that there are no such sources or no such contests, if so, before anything is done.
    ///
    /// # Errors
    /// [`Error::NoSource`], [`Error::NoContests`].
    pub fn check(&self, store: &Store) -> Result<(), Error> {
        self.contests(store).map(drop)
    }

    /// The contests to rate, in the order of replay.
    ///
    /// # Errors
    /// [`Error::NoSource`], [`Error::NoContests`].
    pub(crate) fn contests(&self, store: &Store) -> Result<Vec<ContestRow>, Error> {
        let contests = self.contests_if_any(store)?;
        if contests.is_empty() {
            return Err(Error::NoContests {
                selection: self.in_words(),
                undo: self.undo(store)?,
            });
        }
        Ok(contests)
    }

    /// The same, but none are no error: what a run was over may have been withdrawn since, which
    /// is no reason not to show it.
    ///
    /// # Errors
    /// [`Error::NoSource`].
    pub(crate) fn contests_if_any(&self, store: &Store) -> Result<Vec<ContestRow>, Error> {
        for name in &self.sources {
            if store.source_id(name)?.is_none() {
                return Err(no_source(store, name)?);
            }
        }
        Ok(store.contests(&Selection {
            sources: self.sources.clone(),
            division: self.division.clone(),
            since: self.since,
            until: self.until,
        })?)
    }

    /// The command that puts the newest withdrawn contest back, if there is one.
    fn undo(&self, store: &Store) -> Result<Option<String>, Error> {
        for name in self.sources.iter().rev() {
            let Some(source_id) = store.source_id(name)? else {
                continue;
            };
            let contests = store.contests_of(source_id)?;
            let newest = contests.iter().rev().find(|of| self.withdrawn(of));
            if let Some(contest) = newest {
                let id = quoted(&contest.external_id);
                return Ok(Some(format!("ranklore withdraw {name} {id} --undo")));
            }
        }
        Ok(None)
    }

    /// Whether nothing but its withdrawal keeps a contest from being rated.
    fn withdrawn(&self, contest: &ContestRow) -> bool {
        let after = |since: UnixSeconds| contest.ends_at.is_some_and(|at| at >= since.get());
        let before = |until: UnixSeconds| contest.ends_at.is_some_and(|at| at < until.get());
        contest.withdrawn_at.is_some()
            && contest.rated
            && matches!(
                contest.state,
                ContestState::Provisional | ContestState::Final
            )
            && (self.division.is_none() || contest.division == self.division)
            && self.since.is_none_or(after)
            && self.until.is_none_or(before)
    }

    fn in_words(&self) -> String {
        [self.source_words()]
            .into_iter()
            .chain(self.beyond_sources())
            .collect::<Vec<_>>()
            .join(", ")
    }

    /// What narrows the selection beyond its sources, in words; empty if nothing does.
    #[must_use]
    pub fn beyond_sources(&self) -> Vec<String> {
        let mut words = Vec::new();
        words.extend(self.division.iter().map(|of| format!("division \"{of}\"")));
        words.extend(self.since.iter().map(|since| format!("since {since}")));
        words.extend(self.until.iter().map(|until| format!("before {until}")));
        words
    }
}

/// A word as a shell takes it.
#[must_use]
pub fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_.=:+/".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

/// The error for a source that is not there, naming those that are.
pub(crate) fn no_source(store: &Store, name: &SourceName) -> Result<Error, Error> {
    let names: Vec<String> = store.sources()?.into_iter().map(|s| s.name).collect();
    let known = if names.is_empty() {
        "it has none yet: import some results first".to_owned()
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

    #[test]
    fn the_command_of_a_run_rates_the_same_run() {
        let name = |name| SourceName::new(name).unwrap();
        let mut selection = RunSelection {
            sources: vec![name("a")],
            ..RunSelection::default()
        };
        let defaults = SYSTEMS[0].with(&serde_json::Map::new()).unwrap();
        let command = selection.rate_command("elo-mmr", &defaults.parameters);
        assert_eq!(command, "ranklore rate a");
        let system = SYSTEMS[0].with(serde_json::json!({"rho": "inf"}).as_object().unwrap());
        let command = selection.rate_command("elo-mmr", &system.unwrap().parameters);
        assert_eq!(command, "ranklore rate a --set rho=inf");
        selection.sources.push(name("b"));
        selection.division = Some("Men's A".into());
        selection.since = UnixSeconds::new(86_400);
        let settings = serde_json::json!({"split_ties": true, "newcomer_weights": [0.6, 0.8]});
        let system = SYSTEMS[1].with(settings.as_object().unwrap()).unwrap();
        assert_eq!(
            selection.rate_command("elo-mmx", &system.parameters),
            "ranklore rate a b --together --division 'Men'\\''s A' --since 1970-01-02 \
             --system elo-mmx --set 'newcomer_weights=[0.6,0.8]' --set split_ties=true"
        );
    }
}
