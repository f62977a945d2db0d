//! The rating systems, described for those who choose one.

use ranklore_rating::{
    Display, ParameterInfo, Promise, Provisional, SearchRange, Support, Title, UnfinishedPolicy,
};
use serde::Serialize;
use serde_json::{Map, Value};

use crate::rows::columns::{Columns, List};
use ranklore_replay::{Error, System, non_default_parameters};

/// A rating system and its parameters.
#[derive(Clone, Debug, Serialize)]
pub struct SystemDescription {
    /// The name that `rate --system` takes.
    pub system: &'static str,
    /// A line about the system.
    pub summary: &'static str,
    /// Authors, title and year of its publication.
    pub source: &'static str,
    /// The parts of a contest that it uses.
    pub supports: &'static [Support],
    /// The largest contest that it rates, in entrants; null for any size.
    pub max_entrants: Option<u32>,
    /// The properties that its authors prove, or that are plain from its formulas.
    pub promises: Vec<Promise>,
    /// The default for entrants that did not finish.
    pub dnf: UnfinishedPolicy,
    /// Every parameter with its value.
    pub parameters: Map<String, Value>,
    /// The values of each parameter that a search tries.
    pub search_space: Vec<ParameterSearch>,
    /// The formula of the displayed rating.
    pub display: Display,
    /// The rule that marks a rating as provisional.
    pub provisional: Provisional,
    /// The titles of the site by displayed rating, lowest first.
    pub titles: &'static [Title],
}

/// The values of a parameter that a search tries.
#[derive(Clone, Debug, Serialize)]
pub struct ParameterSearch {
    /// The parameter.
    pub parameter: &'static str,
    /// `linear` or `log` for a range of numbers, `choice`, or `fixed` if there is no search.
    pub scale: &'static str,
    /// The lowest number; null without a range.
    pub low: Option<f64>,
    /// The highest number; null without a range.
    pub high: Option<f64>,
    /// The choices, as settings have them; empty for a range.
    pub choices: &'static [&'static str],
    /// The reason why it is not searched; null otherwise.
    pub reason: Option<&'static str>,
}

impl ParameterSearch {
    fn new(info: &ParameterInfo) -> Self {
        let (scale, low, high) = match info.range {
            SearchRange::Linear { low, high } => ("linear", Some(low), Some(high)),
            SearchRange::Log { low, high } => ("log", Some(low), Some(high)),
            SearchRange::Choice(_) => ("choice", None, None),
            SearchRange::Fixed(_) => ("fixed", None, None),
        };
        let (choices, reason): (&[&str], _) = match info.range {
            SearchRange::Choice(words) => (words, None),
            SearchRange::Fixed(reason) => (&[], Some(reason)),
            _ => (&[], None),
        };
        Self {
            parameter: info.name,
            scale,
            low,
            high,
            choices,
            reason,
        }
    }
}

impl List for Vec<SystemDescription> {
    type Row = SystemDescription;

    fn columns(&self) -> Columns<'_, SystemDescription> {
        let mark = |is_true| if is_true { "yes" } else { "–" };
        let mut columns = Columns::new()
            .left("system", |row: &SystemDescription| row.system)
            .left("summary", |row| row.summary)
            .data(&["source", "supports"])
            .right(("max_entrants", "entrants"), |row| {
                row.max_entrants.map_or_else(|| "any".to_owned(), |max| max.to_string())
            })
            .data(&["promises"])
            .left("dnf", |row| row.dnf.as_str());
        for feature in Support::ALL {
            columns = columns
                .left(feature.as_str(), move |row| mark(row.supports.contains(&feature)))
                .not_in_data()
                .before("max_entrants");
        }
        for promise in Promise::ALL {
            columns = columns
                .left(promise.as_str(), move |row| mark(row.promises.contains(&promise)))
                .not_in_data();
        }
        columns
    }
}

/// Describes a rating system with its parameters.
///
/// # Errors
/// [`Error::InvalidParameters`] if the parameters are no JSON object.
pub fn describe_system(system: &System) -> Result<SystemDescription, Error> {
    let about = system.about;
    let changed = non_default_parameters(about.name, &system.parameters);
    Ok(SystemDescription {
        system: about.name,
        summary: about.summary,
        source: about.source,
        supports: about.supports,
        max_entrants: about.max_entrants,
        promises: about.promises_with(|name| changed.iter().any(|(key, _)| key == name)),
        dnf: about.unfinished,
        parameters: system.parsed_parameters()?,
        search_space: about.parameters.iter().map(ParameterSearch::new).collect(),
        display: system.rating.display(),
        provisional: system.rating.provisional(),
        titles: about.titles,
    })
}
