//! Parameters that every system has besides its own.

use std::borrow::Cow;
use std::fmt;

use ranklore_rating::{AllTied, Support, SystemInfo, UnfinishedPolicy};
use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Map, Value};

use crate::runs::rating_period::RatingPeriod;
use crate::runs::systems::SystemName;
use crate::runs::teams::TeamMode;
use crate::runs::weights::Weights;

/// Name of the parameter for entrants that did not finish.
const UNFINISHED_PARAMETER: &str = "dnf";

/// Name of the parameter for contests whose entrants are all tied.
const ALL_TIED_PARAMETER: &str = "all_tied";

/// Values of the parameters that every system has.
#[derive(Clone, Copy)]
pub(super) struct CommonParameters {
    pub(super) unfinished: UnfinishedPolicy,
    pub(super) all_tied: AllTied,
    pub(super) teams: TeamMode,
    pub(super) period: Option<RatingPeriod>,
    pub(super) weights: Weights,
}

impl CommonParameters {
    /// Takes the common parameters out of those of a system, and leaves the system's own.
    pub(super) fn take_from(
        parameters: &mut Map<String, Value>,
        system: SystemName,
    ) -> Result<Self, String> {
        let unfinished = match parameters.remove(UNFINISHED_PARAMETER) {
            Some(word) => system.parse_unfinished(&word)?,
            None => system.about.unfinished,
        };
        let all_tied = match parameters.remove(ALL_TIED_PARAMETER) {
            Some(word) => parse_all_tied(&word)?,
            None => AllTied::default(),
        };
        let teams = match parameters.remove(TeamMode::PARAMETER) {
            Some(word) => system.parse_team_mode(&word)?,
            None => TeamMode::default(),
        };
        let period = match parameters.remove(RatingPeriod::PARAMETER) {
            Some(word) => Some(system.parse_period(&word, parameters)?),
            None => None,
        };
        // A number is the system's own parameter of this name.
        let weights = match parameters.get(Weights::PARAMETER) {
            Some(Value::String(word)) => {
                let weights = system.parse_weights(word)?;
                parameters.remove(Weights::PARAMETER);
                weights
            }
            _ => Weights::default(),
        };
        Ok(Self {
            unfinished,
            all_tied,
            teams,
            period,
            weights,
        })
    }

    /// Adds the parameters that differ from their defaults to the canonical JSON of the system's
    /// own. Defaults are omitted, so that older runs keep their identity.
    pub(super) fn add_to_json(
        self,
        own_json: String,
        about: &SystemInfo,
    ) -> Result<String, String> {
        let words: [(&str, Option<Cow<'_, str>>); 5] = [
            (
                UNFINISHED_PARAMETER,
                (self.unfinished != about.unfinished).then(|| self.unfinished.as_str().into()),
            ),
            (
                ALL_TIED_PARAMETER,
                (self.all_tied != AllTied::default()).then(|| self.all_tied.as_str().into()),
            ),
            (
                RatingPeriod::PARAMETER,
                self.period.map(RatingPeriod::to_word),
            ),
            (
                TeamMode::PARAMETER,
                (self.teams != TeamMode::default()).then(|| self.teams.as_str().into()),
            ),
            (
                Weights::PARAMETER,
                (self.weights != Weights::default()).then(|| self.weights.to_word()),
            ),
        ];
        if words.iter().all(|(_, word)| word.is_none()) {
            return Ok(own_json);
        }
        let mut entries: Entries =
            serde_json::from_str(&own_json).map_err(|error| error.to_string())?;
        for (name, word) in words {
            if let Some(word) = word {
                entries.set(name, Value::from(word));
            }
        }
        serde_json::to_string(&entries).map_err(|error| error.to_string())
    }
}

/// Entries of a JSON object in the order of its text, which [`Map`] does not keep.
struct Entries(Vec<(String, Value)>);

impl Entries {
    /// Sets an entry: in its place, or at the end.
    fn set(&mut self, name: &str, value: Value) {
        match self.0.iter_mut().find(|(key, _)| key == name) {
            // The system's own parameter of this name, which has its default.
            Some((_, own_value)) => *own_value = value,
            None => self.0.push((name.to_owned(), value)),
        }
    }
}

impl Serialize for Entries {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, value)| (name, value)))
    }
}

impl<'de> Deserialize<'de> for Entries {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(EntriesVisitor)
    }
}

struct EntriesVisitor;

impl<'de> Visitor<'de> for EntriesVisitor {
    type Value = Entries;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Entries, A::Error> {
        let mut entries = Vec::new();
        while let Some(entry) = map.next_entry()? {
            entries.push(entry);
        }
        Ok(Entries(entries))
    }
}

impl SystemName {
    fn parse_unfinished(self, word: &Value) -> Result<UnfinishedPolicy, String> {
        let unfinished = word.as_str().and_then(UnfinishedPolicy::from_word);
        let unfinished = unfinished.ok_or_else(|| {
            let known = UnfinishedPolicy::ALL
                .map(UnfinishedPolicy::as_str)
                .join(", ");
            format!("parameter {UNFINISHED_PARAMETER} is {word}; it must be one of {known}")
        })?;
        let default = self.about.unfinished;
        if unfinished == UnfinishedPolicy::Censored && default != UnfinishedPolicy::Censored {
            return Err(format!(
                "parameter {UNFINISHED_PARAMETER} is censored, which this system does not support"
            ));
        }
        Ok(unfinished)
    }

    fn parse_team_mode(self, word: &Value) -> Result<TeamMode, String> {
        let name = TeamMode::PARAMETER;
        let teams = word.as_str().and_then(TeamMode::from_word).ok_or_else(|| {
            let known = TeamMode::ALL.map(TeamMode::as_str).join(", ");
            format!("parameter {name} is {word}; it must be one of {known}")
        })?;
        if teams == TeamMode::Members {
            self.check_support(
                Support::Teams,
                name,
                teams.as_str(),
                "does not rate members",
            )?;
        }
        Ok(teams)
    }

    fn parse_period(
        self,
        word: &Value,
        parameters: &Map<String, Value>,
    ) -> Result<RatingPeriod, String> {
        let name = RatingPeriod::PARAMETER;
        let period = word.as_str().and_then(RatingPeriod::from_word);
        let period = period.ok_or_else(|| {
            format!("parameter {name} is {word}; it must be days such as 1d or 7d, month, or event")
        })?;
        let word = period.to_word();
        self.check_support(Support::Periods, name, &word, "has no rating periods")?;
        if parameters
            .get("period_days")
            .is_some_and(|days| days.as_f64() != Some(0.0))
        {
            return Err(format!(
                "parameter {name} is {word}, and period_days is set too: choose one of them"
            ));
        }
        Ok(period)
    }

    fn parse_weights(self, word: &str) -> Result<Weights, String> {
        let name = Weights::PARAMETER;
        let weights = Weights::from_word(word).ok_or_else(|| {
            format!(
                "parameter {name} is {word}; it must be own, site, or site/25 where 25 is the \
                 site's weight of an ordinary contest"
            )
        })?;
        if weights != Weights::Own {
            let word = weights.to_word();
            self.check_support(Support::Weights, name, &word, "ignores weights")?;
        }
        Ok(weights)
    }
}

fn parse_all_tied(word: &Value) -> Result<AllTied, String> {
    word.as_str().and_then(AllTied::from_word).ok_or_else(|| {
        let known = AllTied::ALL.map(AllTied::as_str).join(", ");
        format!("parameter {ALL_TIED_PARAMETER} is {word}; it must be one of {known}")
    })
}
