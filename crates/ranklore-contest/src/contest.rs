//! One contest with its standings, as every format and source hands it on.

use std::collections::HashMap;
use std::fmt;
use std::num::NonZeroU32;
use std::ops::RangeInclusive;

use serde::{Deserialize, Serialize};

use crate::time::UnixSeconds;

/// The name of a source: 1 to 64 letters, digits, `-`, `_` or `.`, not starting with `-` or `.`.
///
/// It is typed on command lines and stands in file names and URLs, hence the narrow alphabet.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct SourceName(String);

impl SourceName {
    /// Checks the alphabet and the length.
    ///
    /// # Errors
    /// [`Invalid`] when `name` is not of the form above.
    pub fn new(name: &str) -> Result<Self, Invalid> {
        let fits = (1..=64).contains(&name.len())
            && !name.starts_with(['-', '.'])
            && name
                .chars()
                .all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.'));
        if fits {
            Ok(Self(name.to_owned()))
        } else {
            Err(Invalid::new(format!(
                "{name:?} is no source name: use 1 to 64 letters, digits, '-', '_' or '.'"
            )))
        }
    }

    /// The name as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for SourceName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A place in the standings: 1 is first, tied entrants share the lowest place of the tie ("1224").
/// Read by serde as a whole number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Place(NonZeroU32);

impl Place {
    /// The place `place`, or `None` for 0.
    #[must_use]
    pub const fn new(place: u32) -> Option<Self> {
        match NonZeroU32::new(place) {
            Some(place) => Some(Self(place)),
            None => None,
        }
    }

    /// The place that `above` entrants stand strictly above.
    #[must_use]
    pub const fn below(above: u32) -> Self {
        Self(NonZeroU32::MIN.saturating_add(above))
    }

    /// 1 for the first place.
    #[must_use]
    pub const fn get(self) -> u32 {
        self.0.get()
    }
}

/// How a contest went for one entrant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// Finished, on this place.
    Finished(Place),
    /// Took part and did not finish: below every finisher, unordered among themselves.
    DidNotFinish,
    /// Was disqualified: ranked like [`Outcome::DidNotFinish`].
    Disqualified,
}

impl Outcome {
    /// The place, for those who finished.
    #[must_use]
    pub const fn place(self) -> Option<Place> {
        match self {
            Self::Finished(place) => Some(place),
            Self::DidNotFinish | Self::Disqualified => None,
        }
    }

    /// `dnf` or `dq`; nothing for those who finished.
    #[must_use]
    pub const fn status(self) -> Option<&'static str> {
        match self {
            Self::Finished(_) => None,
            Self::DidNotFinish => Some("dnf"),
            Self::Disqualified => Some("dq"),
        }
    }
}

/// What kind of competitor an entrant is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum EntrantKind {
    /// One person.
    #[default]
    Person,
    /// A team; its people are members.
    Team,
    /// Two people who dance, row or play as one; both are members.
    Couple,
}

impl EntrantKind {
    /// The word for it in files and output.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Person => "person",
            Self::Team => "team",
            Self::Couple => "couple",
        }
    }
}

/// A rating somebody brings along from before the first contest known here.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct StartingRating {
    /// Rating points.
    pub mu: f64,
    /// Uncertainty in rating points; the system's own when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sigma: Option<f64>,
}

/// What a starting rating may be, in rating points.
pub(crate) const START_MU: RangeInclusive<f64> = -10_000.0..=10_000.0;

/// What the uncertainty of a starting rating may be, in rating points.
pub(crate) const START_SIGMA: RangeInclusive<f64> = 1.0..=10_000.0;

/// One row of the standings.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Entrant {
    /// What identifies the competitor within its source, verbatim: a handle, a name, an account id.
    pub competitor: String,
    /// Person, team or couple.
    pub kind: EntrantKind,
    /// Place, or why there is none.
    pub outcome: Outcome,
    /// Points, seconds, … as published; says nothing about who is better.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<f64>,
    /// Penalty as published.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub penalty: Option<f64>,
    /// Who stood in a team or couple, verbatim; empty for a person.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub members: Vec<String>,
}

impl Entrant {
    /// A person on a place, with nothing else known.
    #[must_use]
    pub fn person(competitor: impl Into<String>, outcome: Outcome) -> Self {
        Self {
            competitor: competitor.into(),
            kind: EntrantKind::Person,
            outcome,
            score: None,
            penalty: None,
            members: Vec::new(),
        }
    }
}

/// One contest and its standings, as read from a document.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Contest {
    /// What identifies the contest within its source.
    pub external_id: String,
    /// As published, verbatim.
    pub name: String,
    /// What groups contests held together (divisions of a round, heats of a competition).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub event: Option<String>,
    /// Division, class or age group.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub division: Option<String>,
    /// The source's order within the event.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ordinal: Option<i64>,
    /// Where people read about it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// When it began, where known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub starts_at: Option<UnixSeconds>,
    /// When the result stood.
    pub ends_at: UnixSeconds,
    /// Multiplies in rating systems; 1 is an ordinary contest. From 1e-6 to 1e6.
    pub weight: f64,
    /// The weight the source itself gives, if any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub site_weight: Option<f64>,
    /// No performance counts above this many rating points, -1e6 to 1e6.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub performance_ceiling: Option<f64>,
    /// The standings in order of place; entrants without a place last.
    pub entrants: Vec<Entrant>,
}

/// Something that cannot be right; says what, to what, and what would be.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Invalid(String);

impl Invalid {
    /// An error of this text: a lower-case fragment that reads on after "error:".
    #[must_use]
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }
}

/// Holds a weight against the range in which rating systems compute with it.
pub(crate) fn check_weight(weight: f64) -> Result<(), Invalid> {
    if (1e-6..=1e6).contains(&weight) {
        Ok(())
    } else {
        Err(Invalid::new(format!(
            "weight {weight:?} lies outside 0.000001 to 1000000"
        )))
    }
}

/// Holds a performance ceiling against the range that ratings lie in.
pub(crate) fn check_ceiling(ceiling: f64) -> Result<(), Invalid> {
    if (-1e6..=1e6).contains(&ceiling) {
        Ok(())
    } else {
        Err(Invalid::new(format!(
            "performance ceiling {ceiling:?} lies outside -1000000 to 1000000"
        )))
    }
}

/// What identifies a contest that has neither id nor URL; a division belongs to the name.
pub(crate) fn id_by_name(name: &str, ends_at: UnixSeconds) -> String {
    format!("{name}@{}", ends_at.get())
}

impl Contest {
    /// A contest of ordinary weight of which nothing else is known, without entrants.
    #[must_use]
    pub fn new(
        external_id: impl Into<String>,
        name: impl Into<String>,
        ends_at: UnixSeconds,
    ) -> Self {
        Self {
            external_id: external_id.into(),
            name: name.into(),
            event: None,
            division: None,
            ordinal: None,
            url: None,
            starts_at: None,
            ends_at,
            weight: 1.0,
            site_weight: None,
            performance_ceiling: None,
            entrants: Vec::new(),
        }
    }

    /// Holds the contest against what every contest must be: at least one entrant, nobody
    /// twice, finishers in order with places that count those above ("1224"), unplaced
    /// entrants last, a weight from 1e-6 to 1e6, a performance ceiling from -1e6 to 1e6, finite
    /// numbers throughout.
    ///
    /// # Errors
    /// [`Invalid`], naming the entrants, by row (1 is the first) and by name.
    pub fn validate(&self) -> Result<(), Invalid> {
        if self.entrants.is_empty() {
            return Err(Invalid::new("the standings are empty"));
        }
        check_weight(self.weight)?;
        if let Some(weight) = self.site_weight.filter(|weight| !weight.is_finite()) {
            return Err(Invalid::new(format!("site weight {weight} is not finite")));
        }
        self.performance_ceiling.map_or(Ok(()), check_ceiling)?;
        check_standings(&self.entrants)
    }
}

/// Holds standings against what all of them must be: nobody twice, finishers in order with places
/// that count those above ("1224"), unplaced entrants last, finite numbers throughout.
///
/// # Errors
/// [`Invalid`], naming the entrants, by row (1 is the first) and by name.
pub fn check_standings(entrants: &[Entrant]) -> Result<(), Invalid> {
    let mut seen = HashMap::with_capacity(entrants.len());
    let mut tie: Option<(Place, usize)> = None;
    let mut unplaced_above = false;
    for (index, entrant) in entrants.iter().enumerate() {
        let (row, who) = (index + 1, &entrant.competitor);
        if who.is_empty() {
            return Err(Invalid::new(format!("row {row} names no competitor")));
        }
        if let Some(first) = seen.insert(who.as_str(), row) {
            return Err(Invalid::new(format!(
                "{who:?} stands twice, in rows {first} and {row}"
            )));
        }
        if [entrant.score, entrant.penalty]
            .iter()
            .flatten()
            .any(|x| !x.is_finite())
        {
            return Err(Invalid::new(format!(
                "{who:?} in row {row} has a score or penalty that is not finite"
            )));
        }
        let Outcome::Finished(place) = entrant.outcome else {
            unplaced_above = true;
            continue;
        };
        let expected = match tie {
            Some((shared, _)) if shared == place => shared,
            _ => Place::below(index as u32),
        };
        if unplaced_above {
            return Err(Invalid::new(format!(
                "{who:?} in row {row} has a place, below somebody without one"
            )));
        }
        if place != expected {
            return Err(Invalid::new(format!(
                "{who:?} in row {row} has place {}, where {} is due",
                place.get(),
                expected.get()
            )));
        }
        tie = Some((place, index));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn contest(places: &[Option<u32>]) -> Contest {
        Contest {
            external_id: "1".into(),
            name: "Round 1".into(),
            event: None,
            division: None,
            ordinal: None,
            url: None,
            starts_at: None,
            ends_at: UnixSeconds::MIN,
            weight: 1.0,
            site_weight: None,
            performance_ceiling: None,
            entrants: places
                .iter()
                .enumerate()
                .map(|(i, place)| {
                    let outcome = place.map_or(Outcome::DidNotFinish, |place| {
                        Outcome::Finished(Place::new(place).unwrap())
                    });
                    Entrant::person(format!("player{i}"), outcome)
                })
                .collect(),
        }
    }

    #[test]
    fn places_count_those_above() {
        for good in [
            &[Some(1)][..],
            &[Some(1), Some(2), Some(2), Some(4), None, None],
            &[Some(1), Some(1)],
            &[None, None],
        ] {
            assert_eq!(contest(good).validate(), Ok(()), "{good:?}");
        }
        for bad in [
            &[][..],
            &[Some(2)],
            &[Some(1), Some(3)],
            &[Some(1), Some(1), Some(2)],
            &[Some(2), Some(1)],
            &[Some(1), None, Some(3)],
            &[Some(1), None, Some(1)],
        ] {
            assert!(contest(bad).validate().is_err(), "{bad:?}");
        }
    }

    #[test]
    fn what_is_wrong_is_named() {
        let mut twice = contest(&[Some(1), Some(2), Some(3)]);
        twice.entrants[2].competitor = "player0".into();
        let error = twice.validate().unwrap_err().to_string();
        assert_eq!(error, "\"player0\" stands twice, in rows 1 and 3");
        let below = contest(&[None, Some(2)]).validate().unwrap_err();
        assert_eq!(
            below.to_string(),
            "\"player1\" in row 2 has a place, below somebody without one"
        );
        let with = |change: &dyn Fn(&mut Contest)| {
            let mut changed = contest(&[Some(1), Some(2)]);
            change(&mut changed);
            changed.validate().map_err(|error| error.to_string())
        };
        for weight in [0.0, -1.0, f64::NAN, f64::INFINITY, 1e306, 1e-320, 9e-7] {
            let error = with(&|c| c.weight = weight).unwrap_err();
            let range = "lies outside 0.000001 to 1000000";
            assert_eq!(error, format!("weight {weight:?} {range}"));
        }
        for ceiling in [f64::NAN, f64::NEG_INFINITY, 1e300, -1e7] {
            let error = with(&|c| c.performance_ceiling = Some(ceiling)).unwrap_err();
            let range = "lies outside -1000000 to 1000000";
            assert_eq!(error, format!("performance ceiling {ceiling:?} {range}"));
        }
        let site = with(&|c| c.site_weight = Some(f64::INFINITY));
        assert_eq!(site.unwrap_err(), "site weight inf is not finite");
        for bound in [1e-6, 1e6] {
            assert_eq!(with(&|c| c.weight = bound), Ok(()));
            assert_eq!(with(&|c| c.performance_ceiling = Some(-bound)), Ok(()));
        }
    }

    #[test]
    fn source_names_are_plain() {
        for good in ["club", "chess-2024", "a.b_c"] {
            assert!(SourceName::new(good).is_ok(), "{good}");
        }
        for bad in ["", "-x", ".hidden", "a/b", "a b", "ä", &"x".repeat(65)] {
            assert!(SourceName::new(bad).is_err(), "{bad}");
        }
    }
}
