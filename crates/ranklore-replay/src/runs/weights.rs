//! Weights of contests: their own, or multiplied by the site's or by their duration.

use std::borrow::Cow;

use ranklore_store::RatableContest;

use crate::runs::teams::read_word_parameter;

/// Range of weights in rating systems.
const EFFECTIVE_RANGE: (f64, f64) = (1e-6, 1e6);

/// Weights of contests.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Weights {
    /// The contest's own weight, which is 1 unless an import set another.
    #[default]
    Own,
    /// The contest's own weight times the site's weight, divided by this value: the site's weight
    /// of an ordinary contest, from 0.001 to 1,000,000. Without a site's weight the own weight
    /// counts alone. A contest with a site's weight of 0 or less is not rated.
    Site(f64),
    /// The contest's own weight times its duration, divided by the median of the selected contests
    /// of its source (Elo-MMR, section 3.1: the longer, the less variable). Without a start or an
    /// end the own weight counts alone.
    Duration,
}

impl Weights {
    /// Name of the parameter of runs.
    pub const PARAMETER: &str = "weight";

    /// Returns the word for the weights: `own`, `site`, `site/25`, `duration`.
    #[must_use]
    pub fn to_word(self) -> Cow<'static, str> {
        match self {
            Self::Own => Cow::Borrowed("own"),
            Self::Site(1.0) => Cow::Borrowed("site"),
            Self::Site(divisor) => Cow::Owned(format!("site/{divisor}")),
            Self::Duration => Cow::Borrowed("duration"),
        }
    }

    /// Parses the word for the weights.
    #[must_use]
    pub fn from_word(word: &str) -> Option<Self> {
        match word {
            "own" => Some(Self::Own),
            "site" => Some(Self::Site(1.0)),
            "duration" => Some(Self::Duration),
            _ => {
                let divisor: f64 = word.strip_prefix("site/")?.parse().ok()?;
                (1e-3..=1e6).contains(&divisor).then_some(Self::Site(divisor))
            }
        }
    }

    /// Reads the weights from the parameters of a run (canonical JSON).
    pub fn from_run_parameters(parameters: &str) -> Self {
        read_word_parameter(parameters, Self::PARAMETER, Self::from_word)
    }

    /// Returns the weight of a contest in a run; 0 if the run does not rate it.
    #[must_use]
    pub fn weight_of(self, contest: &RatableContest) -> f64 {
        let weight = match (self, contest.site_weight) {
            (Self::Site(_), site) if self.excludes(site) => return 0.0,
            (Self::Site(divisor), Some(site)) => contest.weight * site / divisor,
            (Self::Duration, _) if contest.relative_duration > 0.0 => {
                contest.weight * contest.relative_duration
            }
            _ => return contest.weight,
        };
        weight.clamp(EFFECTIVE_RANGE.0, EFFECTIVE_RANGE.1)
    }

    /// Sets the weights of contests for a run.
    pub fn apply(self, contests: &mut [RatableContest]) {
        // Weights of their own stay; a pass over all contests takes longer than some systems.
        if self == Self::Own {
            return;
        }
        for contest in contests {
            contest.weight = self.weight_of(contest);
        }
    }

    /// True if the weights are durations, and no contest has one.
    #[must_use]
    pub fn lack_durations(self, contests: &[RatableContest]) -> bool {
        self == Self::Duration && contests.iter().all(|contest| contest.relative_duration <= 0.0)
    }

    /// True if the weight of a contest depends on the other selected ones.
    pub(crate) const fn depend_on_selection(self) -> bool {
        matches!(self, Self::Duration)
    }

    /// True if a contest with this weight of its site is not rated because of it.
    #[must_use]
    pub fn excludes(self, site_weight: Option<f64>) -> bool {
        matches!(self, Self::Site(_)) && site_weight.is_some_and(|weight| weight <= 0.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_parse_and_format() {
        for (word, weights) in [
            ("own", Some(Weights::Own)),
            ("site", Some(Weights::Site(1.0))),
            ("site/25", Some(Weights::Site(25.0))),
            ("duration", Some(Weights::Duration)),
            ("site/0.5", Some(Weights::Site(0.5))),
            ("site/0", None),
            ("site/-1", None),
            ("site/inf", None),
            ("site/", None),
            ("Site", None),
        ] {
            assert_eq!(Weights::from_word(word), weights, "{word}");
            if let Some(weights) = weights {
                assert_eq!(weights.to_word(), word);
            }
        }
        assert_eq!(Weights::from_word("site/1").unwrap().to_word(), "site");
    }
}
