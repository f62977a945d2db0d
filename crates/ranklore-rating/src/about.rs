//! What a system is: what it can take, and what it promises.

use serde::{Serialize, Serializer};

use crate::unfinished::Unfinished;

/// What a rating system is, for whoever chooses one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct About {
    /// The name it is chosen by: lower-case words with hyphens.
    pub name: &'static str,
    /// What it is, in one line.
    pub summary: &'static str,
    /// Where it comes from: authors, title, year.
    pub source: &'static str,
    /// What of a contest it makes use of.
    pub supports: &'static [Support],
    /// What its authors prove, or what is plain from its formulas.
    pub promises: &'static [Promise],
    /// What it makes of entrants that did not finish, unless told otherwise:
    /// [`Unfinished::Censored`] if and only if it has a likelihood for them.
    pub unfinished: Unfinished,
    /// k of the conservative rating mu − k·sigma, by which a leaderboard is ordered unless said
    /// otherwise: 3, so that one in 740 is overrated; 0 where sigma is no uncertainty.
    pub conservative_k: f64,
}

impl About {
    /// Whether it makes use of something.
    #[must_use]
    pub fn supports(&self, what: Support) -> bool {
        self.supports.contains(&what)
    }

    /// Whether it promises something.
    #[must_use]
    pub fn promises(&self, what: Promise) -> bool {
        self.promises.contains(&what)
    }
}

/// What of a contest a system can make use of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Support {
    /// Tied entrants are a result of their own, and not an order by chance.
    Ties,
    /// Who stood in a team is rated, and not the team.
    Teams,
    /// A contest of more weight moves ratings more.
    Weights,
    /// The time between contests counts.
    Time,
}

impl Serialize for Support {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl Support {
    /// All there are, in the order they are listed.
    pub const ALL: [Self; 4] = [Self::Ties, Self::Teams, Self::Weights, Self::Time];

    /// The word for it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Ties => "ties",
            Self::Teams => "teams",
            Self::Weights => "weights",
            Self::Time => "time",
        }
    }
}

/// What a system can promise.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Promise {
    /// A better place never leads to a lower rating, now or later.
    IncentiveCompatible,
    /// One contest, however strange, moves a rating by no more than a bound.
    Robust,
    /// What some gain others lose.
    ZeroSum,
}

impl Serialize for Promise {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl Promise {
    /// All there are, in the order they are listed.
    pub const ALL: [Self; 3] = [Self::IncentiveCompatible, Self::Robust, Self::ZeroSum];

    /// The word for it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::IncentiveCompatible => "incentive compatible",
            Self::Robust => "robust",
            Self::ZeroSum => "zero sum",
        }
    }
}
