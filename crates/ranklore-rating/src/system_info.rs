//! The description of a rating system: supported features and guaranteed properties.

use crate::display::Title;
use crate::search_range::ParameterInfo;
pub use crate::search_range::Promise;
use crate::unfinished_policy::UnfinishedPolicy;
use crate::words::words;

/// Description of a rating system, for listings and for validating parameters.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SystemInfo {
    /// The name in commands and files: lower-case words with hyphens.
    pub name: &'static str,
    /// The description in one line.
    pub summary: &'static str,
    /// The publication: authors, title, year.
    pub source: &'static str,
    /// The features of a contest that the system uses.
    pub supports: &'static [Support],
    /// The largest contest that the system rates, in entrants (teams); none for any size. Larger
    /// contests leave it unchanged.
    pub max_entrants: Option<u32>,
    /// True if ratings drift without end in games of two, for which the system is not made.
    pub drifts_in_games: bool,
    /// The properties that its authors prove or that follow from its formulas.
    pub promises: &'static [Promise],
    /// The default policy for entrants that did not finish: [`UnfinishedPolicy::Censored`] if and
    /// only if the system has a likelihood for them.
    pub unfinished: UnfinishedPolicy,
    /// Default k of the conservative rating mu − k·sigma, which orders leaderboards: 3, so that one
    /// competitor in 740 is overrated; 0 if sigma is no uncertainty.
    pub conservative_k: f64,
    /// The titles of the site by displayed rating, sorted by lower bound; empty without.
    pub titles: &'static [Title],
    /// All parameters, in their order, and the values that a search tries.
    pub parameters: &'static [ParameterInfo],
}

impl SystemInfo {
    /// True if the system uses the feature.
    #[must_use]
    pub fn supports(&self, feature: Support) -> bool {
        self.supports.contains(&feature)
    }

    /// True if the system rates contests of this many entrants (teams).
    #[must_use]
    pub fn supports_entrants(&self, entrants: u32) -> bool {
        self.max_entrants.is_none_or(|max| entrants <= max)
    }

    /// True if the system guarantees the property.
    #[must_use]
    pub fn promises(&self, property: Promise) -> bool {
        self.promises.contains(&property)
    }

    /// Returns the properties that the system guarantees if the parameters for which `is_changed` is
    /// true differ from their defaults.
    pub fn promises_with(&self, is_changed: impl Fn(&str) -> bool) -> Vec<Promise> {
        let parameters = self.parameters.iter();
        let broken = parameters.filter(|parameter| is_changed(parameter.name));
        let broken: Vec<Promise> = broken.filter_map(|parameter| parameter.breaks).collect();
        self.promises
            .iter()
            .copied()
            .filter(|promise| !broken.contains(promise))
            .collect()
    }
}

/// A feature of contests that a system can use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Support {
    /// Ties are a result of their own, not broken by chance.
    Ties,
    /// The members of a team are rated, not the team.
    Teams,
    /// A contest of higher weight moves ratings more.
    Weights,
    /// The time between contests matters.
    Time,
    /// Contests can be grouped into rating periods.
    Periods,
    /// The first move, or playing at home, can be an advantage.
    Advantage,
}

words!(Support {
    Ties: "ties",
    Teams: "teams",
    Weights: "weights",
    Time: "time",
    Periods: "periods",
    Advantage: "advantage",
});
