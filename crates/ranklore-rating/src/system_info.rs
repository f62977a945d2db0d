//! The description of a rating system: supported features and guaranteed properties.

use crate::display::Title;
use crate::search_range::ParameterInfo;
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

/// A property that a system can guarantee.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Promise {
    /// A better place never leads to a lower rating, now or later.
    IncentiveCompatible,
    /// A contest, however extreme, moves a rating by a bounded amount.
    Robust,
    /// Rating gains and losses of a contest sum to zero.
    ZeroSum,
}

words!(Promise {
    IncentiveCompatible: "incentive compatible",
    Robust: "robust",
    ZeroSum: "zero sum",
});
