//! How ratings are displayed: the displayed number, titles, and the mark of a provisional rating.

use serde::Serialize;

/// The formula of the displayed rating:
/// `scale · (mu − k · sigma) + offset − newcomer[contests]`. It is data rather than a function, so
/// that a database can compute it too.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Display {
    /// Displayed points per point of mu.
    pub scale: f64,
    /// The number of sigmas that are subtracted.
    pub k: f64,
    /// The number that is added.
    pub offset: f64,
    /// The numbers that are subtracted after 0, 1, 2 … rated contests; none after more.
    pub newcomer: &'static [f64],
    /// The time from which `newcomer` applies, in Unix seconds: ratings whose last contest ended
    /// earlier are not lowered. By default it always applies.
    pub newcomer_since: Option<i64>,
    /// True if the displayed rating is rounded to a whole number, of at least 0.
    pub whole: bool,
    /// The number of decimals that mu, sigma and their changes are printed with.
    pub decimals: u8,
}

impl Default for Display {
    fn default() -> Self {
        Self::MU
    }
}

impl Display {
    /// Displays mu.
    pub const MU: Self = Self {
        scale: 1.0,
        k: 0.0,
        offset: 0.0,
        newcomer: &[],
        newcomer_since: None,
        whole: false,
        decimals: 0,
    };

    /// Displays mu, with decimals for a scale on which ratings differ by about `spread`: none on the
    /// usual one of hundreds of points, two for 1 to 10 points.
    #[must_use]
    pub fn mu_in_scale(spread: f64) -> Self {
        let decimals = libm::ceil(2.0 - libm::log10(spread));
        Self {
            // Within 0 and 9; 0 for NaN.
            decimals: decimals.clamp(0.0, 9.0) as u8,
            ..Self::MU
        }
    }

    /// Returns the number of decimals that the displayed rating is printed with.
    #[must_use]
    pub const fn rating_decimals(&self) -> u8 {
        if self.whole { 0 } else { self.decimals }
    }

    /// Returns the displayed rating after a number of rated contests, the last of which ended at
    /// `last_contest_at`, in Unix seconds.
    #[must_use]
    pub fn rating(&self, mu: f64, sigma: f64, contests: u32, last_contest_at: i64) -> f64 {
        let newcomer = self.newcomer.get(contests as usize);
        let applies = self.newcomer_since.is_none_or(|since| last_contest_at >= since);
        let lowered = newcomer.filter(|_| applies).copied().unwrap_or(0.0);
        let rating = self.scale * (mu - self.k * sigma) + self.offset - lowered;
        if self.whole {
            libm::round(rating).max(0.0)
        } else {
            rating
        }
    }
}

/// A title that a site gives to ratings from a lower bound on.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Title {
    /// The name.
    pub name: &'static str,
    /// The lowest displayed rating; −∞, or null in JSON, for the lowest title.
    pub from: f64,
    /// The colour of names, as a CSS colour.
    pub colour: &'static str,
}

impl Title {
    /// Returns the title of a displayed rating; `titles` are sorted by lower bound.
    #[must_use]
    pub fn for_rating(titles: &'static [Self], rating: f64) -> Option<&'static Self> {
        titles.iter().rev().find(|title| rating >= title.from)
    }
}

/// The rule that marks a rating as provisional: too little is known for a place among established
/// ratings. After a single contest every rating is provisional.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Provisional {
    /// A rating after fewer contests is provisional.
    pub min_contests: u32,
    /// A rating with a larger sigma is provisional; none if sigma is no uncertainty.
    pub max_sigma: Option<f64>,
}

impl Default for Provisional {
    /// Returns the rule of systems without uncertainty: fewer than five contests.
    fn default() -> Self {
        Self::by_contests(5)
    }
}

impl Provisional {
    /// Returns the rule by number of contests, at least 2.
    #[must_use]
    pub fn by_contests(min_contests: u32) -> Self {
        Self {
            min_contests: min_contests.max(2),
            max_sigma: None,
        }
    }

    /// Returns the rule by uncertainty.
    #[must_use]
    pub const fn by_sigma(max_sigma: f64) -> Self {
        Self {
            min_contests: 2,
            max_sigma: Some(max_sigma),
        }
    }

    /// True if a rating after this many contests, with this sigma, is provisional.
    #[must_use]
    pub fn is_provisional(&self, sigma: f64, contests: u32) -> bool {
        contests < self.min_contests || self.max_sigma.is_some_and(|max| sigma > max)
    }
}
