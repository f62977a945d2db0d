//! How much a contest counts: as much as its own weight says, or also the site's.

use std::borrow::Cow;

use ranklore_store::ContestRow;

use crate::runs::teams::word_of_run;

/// The range in which rating systems compute with weights.
const RANGE: (f64, f64) = (1e-6, 1e6);

/// How much a contest counts.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Weights {
    /// As much as its own weight says, which is 1 unless an import said something else.
    #[default]
    Own,
    /// As much as that times the weight that its site gives it, divided by this: the site's weight
    /// of an ordinary contest, from 0.001 to 1,000,000. Without a weight of the site its own counts
    /// alone; one of 0 or less is not rated.
    Site(f64),
}

impl Weights {
    /// The parameter of runs that says so.
    pub(crate) const PARAMETER: &str = "weight";

    /// The word for it: `own`, `site`, `site/25`.
    #[must_use]
    pub fn word(self) -> Cow<'static, str> {
        match self {
            Self::Own => Cow::Borrowed("own"),
            Self::Site(1.0) => Cow::Borrowed("site"),
            Self::Site(ordinary) => Cow::Owned(format!("site/{ordinary}")),
        }
    }

    /// What a word stands for.
    #[must_use]
    pub fn from_word(word: &str) -> Option<Self> {
        match word {
            "own" => Some(Self::Own),
            "site" => Some(Self::Site(1.0)),
            _ => {
                let ordinary: f64 = word.strip_prefix("site/")?.parse().ok()?;
                (1e-3..=1e6)
                    .contains(&ordinary)
                    .then_some(Self::Site(ordinary))
            }
        }
    }

    /// What the parameters of a run say, which are canonical JSON.
    pub(crate) fn of_run(parameters: &str) -> Self {
        word_of_run(parameters, Self::PARAMETER, Self::from_word)
    }

    /// Gives contests the weight they have in a run; 0 for those that it does not rate.
    pub(crate) fn weigh(self, contests: &mut [ContestRow]) {
        let Self::Site(ordinary) = self else {
            return;
        };
        for contest in contests {
            match contest.site_weight {
                Some(_) if self.leaves_out(contest) => contest.weight = 0.0,
                Some(weight) => {
                    let weight = contest.weight * weight / ordinary;
                    contest.weight = weight.clamp(RANGE.0, RANGE.1);
                }
                None => {}
            }
        }
    }

    /// Whether a contest is not rated for its weight.
    pub(crate) fn leaves_out(self, contest: &ContestRow) -> bool {
        self != Self::Own && contest.site_weight.is_some_and(|weight| weight <= 0.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_says_what_a_contest_counts() {
        for (word, weights) in [
            ("own", Some(Weights::Own)),
            ("site", Some(Weights::Site(1.0))),
            ("site/25", Some(Weights::Site(25.0))),
            ("site/0.5", Some(Weights::Site(0.5))),
            ("site/0", None),
            ("site/-1", None),
            ("site/inf", None),
            ("site/", None),
            ("Site", None),
        ] {
            assert_eq!(Weights::from_word(word), weights, "{word}");
            if let Some(weights) = weights {
                assert_eq!(weights.word(), word);
            }
        }
        assert_eq!(Weights::from_word("site/1").unwrap().word(), "site");
    }
}
