//! Parameters that every system has besides its own.

use std::borrow::Cow;
use std::fmt;

use ranklore_rating::{AllTied, Support, SystemInfo, UnfinishedPolicy};
use serde::de::{MapAccess, Visitor};
use serde::{Deserializer, Serialize, Serializer};
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
        let known = join_words(&UnfinishedPolicy::ALL.map(UnfinishedPolicy::as_str));
        let unfinished =
            take_word(parameters, UNFINISHED_PARAMETER, UnfinishedPolicy::from_word, &known)?;
        let default = system.about.unfinished;
        let is_censored = unfinished == Some(UnfinishedPolicy::Censored);
        if is_censored && default != UnfinishedPolicy::Censored {
            return Err(format!(
                "parameter {UNFINISHED_PARAMETER} is censored, which this system does not support"
            ));
        }
        let known = join_words(&AllTied::ALL.map(AllTied::as_str));
        let all_tied = take_word(parameters, ALL_TIED_PARAMETER, AllTied::from_word, &known)?;
        let name = TeamMode::PARAMETER;
        let known = join_words(&TeamMode::VARIANTS.map(TeamMode::as_str));
        let teams = take_word(parameters, name, TeamMode::from_word, &known)?;
        if let Some(mode @ TeamMode::Members) = teams {
            let lacks = "does not rate members";
            system.check_support(Support::Teams, name, mode.as_str(), lacks)?;
        }
        let name = RatingPeriod::PARAMETER;
        let known = "days such as 1d or 7d, month, or event";
        let period = take_word(parameters, name, RatingPeriod::from_word, known)?;
        if let Some(period) = period {
            system.check_period(period, parameters)?;
        }
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
            unfinished: unfinished.unwrap_or(default),
            all_tied: all_tied.unwrap_or_default(),
            teams: teams.unwrap_or_default(),
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
    ) -> serde_json::Result<String> {
        let mut words: Vec<(&str, Cow<'_, str>)> = Vec::new();
        if self.unfinished != about.unfinished {
            words.push((UNFINISHED_PARAMETER, self.unfinished.as_str().into()));
        }
        if self.all_tied != AllTied::default() {
            words.push((ALL_TIED_PARAMETER, self.all_tied.as_str().into()));
        }
        words.extend(self.period.map(|period| (RatingPeriod::PARAMETER, period.to_word())));
        if self.teams != TeamMode::default() {
            words.push((TeamMode::PARAMETER, self.teams.as_str().into()));
        }
        if self.weights != Weights::default() {
            words.push((Weights::PARAMETER, self.weights.to_word()));
        }
        if words.is_empty() {
            return Ok(own_json);
        }
        let mut json = serde_json::Deserializer::from_str(&own_json);
        let mut entries = json.deserialize_map(Entries(Vec::new()))?;
        for (name, word) in words {
            match entries.0.iter_mut().find(|(key, _)| key == name) {
                // The system's own parameter of this name, which has its default.
                Some((_, own_value)) => *own_value = word.into(),
                None => entries.0.push((name.to_owned(), word.into())),
            }
        }
        serde_json::to_string(&entries)
    }
}

/// Entries of a JSON object in the order of its text, which [`Map`] does not keep.
struct Entries(Vec<(String, Value)>);

impl<'de> Visitor<'de> for Entries {
    type Value = Self;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(mut self, mut map: A) -> Result<Self, A::Error> {
        while let Some(entry) = map.next_entry()? {
            self.0.push(entry);
        }
        Ok(self)
    }
}

impl Serialize for Entries {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, value)| (name, value)))
    }
}

impl SystemName {
    /// Errors if the system has no rating periods, or has a length for them already.
    fn check_period(
        self,
        period: RatingPeriod,
        parameters: &Map<String, Value>,
    ) -> Result<(), String> {
        let name = RatingPeriod::PARAMETER;
        let word = period.to_word();
        self.check_support(Support::Periods, name, &word, "has no rating periods")?;
        if parameters.get("period_days").is_some_and(|days| days.as_f64() != Some(0.0)) {
            return Err(format!(
                "parameter {name} is {word}, and period_days is set too: choose one of them"
            ));
        }
        Ok(())
    }

    fn parse_weights(self, word: &str) -> Result<Weights, String> {
        let name = Weights::PARAMETER;
        let weights = Weights::from_word(word).ok_or_else(|| {
            format!(
                "parameter {name} is {word}; it must be own, duration, site, or site/25 where 25 is \
                 the site's weight of an ordinary contest"
            )
        })?;
        if weights != Weights::Own {
            let word = weights.to_word();
            self.check_support(Support::Weights, name, &word, "ignores weights")?;
        }
        Ok(weights)
    }
}

/// Takes a parameter that is a word. `known` describes the valid words.
fn take_word<T>(
    parameters: &mut Map<String, Value>,
    name: &str,
    from_word: fn(&str) -> Option<T>,
    known: &str,
) -> Result<Option<T>, String> {
    let Some(value) = parameters.remove(name) else {
        return Ok(None);
    };
    let parsed = value.as_str().and_then(from_word);
    parsed
        .map(Some)
        .ok_or_else(|| format!("parameter {name} is {value}; it must be {known}"))
}

/// Returns the text about a parameter that must be one of these words.
fn join_words(words: &[&str]) -> String {
    format!("one of {}", words.join(", "))
}
