//! A contest with its standings: the common form of every format and source.

use std::collections::HashMap;
use std::fmt;
use std::num::NonZeroU32;
use std::ops::RangeInclusive;

use serde::{Deserialize, Serialize};

use crate::contest_time::ContestTime;
use crate::quote::Quoted;
use crate::validation::{ValidationError, check_bounds, is_name_too_long, name_too_long_error};
use crate::word_enum;

/// The name of a source: 1 to 64 letters, digits, `-`, `_` or `.`, not starting with `-` or `.`.
///
/// It is used on command lines, in file names and in URLs, hence the narrow alphabet.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct SourceName(String);

impl SourceName {
    /// Checks the alphabet and the length.
    ///
    /// # Errors
    /// [`ValidationError`] if `name` breaks these rules.
    pub fn new(name: &str) -> Result<Self, ValidationError> {
        let fits = (1..=64).contains(&name.len())
            && !name.starts_with(['-', '.'])
            && name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.'));
        if fits {
            Ok(Self(name.to_owned()))
        } else {
            Err(ValidationError::new(format!(
                "{name} is not a source name; use 1 to 64 letters, digits, '-', '_' or '.'",
                name = Quoted(name)
            )))
        }
    }

    /// Returns the name as text.
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
/// Serde reads and writes it as an integer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Place(NonZeroU32);

impl Place {
    /// Returns the place `place`, or `None` for 0.
    #[must_use]
    pub const fn new(place: u32) -> Option<Self> {
        match NonZeroU32::new(place) {
            Some(place) => Some(Self(place)),
            None => None,
        }
    }

    /// Returns the place of an entrant with `above` entrants strictly above.
    #[must_use]
    pub const fn from_entrants_above(above: u32) -> Self {
        Self(NonZeroU32::MIN.saturating_add(above))
    }

    /// Returns the number: 1 for the first place.
    #[must_use]
    pub const fn get(self) -> u32 {
        self.0.get()
    }
}

/// The outcome of a contest for one entrant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EntrantOutcome {
    /// Finished in this place.
    Finished(Place),
    /// Took part and did not finish: below every finisher, unordered among themselves.
    DidNotFinish,
    /// Was disqualified: ranked like [`EntrantOutcome::DidNotFinish`].
    Disqualified,
}

impl EntrantOutcome {
    /// Returns the place of a finisher.
    #[must_use]
    pub const fn place(self) -> Option<Place> {
        match self {
            Self::Finished(place) => Some(place),
            Self::DidNotFinish | Self::Disqualified => None,
        }
    }

    /// Returns `dnf` or `dq`, or `None` for a finisher.
    #[must_use]
    pub const fn status(self) -> Option<&'static str> {
        match self {
            Self::Finished(_) => None,
            Self::DidNotFinish => Some("dnf"),
            Self::Disqualified => Some("dq"),
        }
    }
}

word_enum! {
    /// The kind of a competitor.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
    pub enum EntrantKind {
        /// A person.
        #[default]
        Person = "person",
        /// A team; its people are listed as members.
        Team = "team",
        /// Two people who dance, row or play as one; both are listed as members.
        Couple = "couple",
    }
}

word_enum! {
    /// The side of an entrant in a game of two, in the order of listings.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum Side {
        /// Has the white pieces and moves first.
        White = "white",
        /// Has the black pieces.
        Black = "black",
        /// Plays at home.
        Home = "home",
        /// Plays away.
        Away = "away",
        /// Moves first, or is named first where that is an advantage.
        First = "first",
        /// Moves second.
        Second = "second",
    }
}

impl Side {
    /// True if the side is the one that may have an advantage: white, home or first.
    #[must_use]
    pub const fn has_advantage(self) -> bool {
        matches!(self, Self::White | Self::Home | Self::First)
    }
}

/// A rating that a competitor has before the first contest known here.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct StartingRating {
    /// Rating points.
    pub mu: f64,
    /// Uncertainty in rating points. `None` means the default of the rating system.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sigma: Option<f64>,
}

/// The range of a starting rating, in rating points.
pub const STARTING_MU_RANGE: RangeInclusive<f64> = -10_000.0..=10_000.0;

/// The range of a starting rating's uncertainty, in rating points.
pub const STARTING_SIGMA_RANGE: RangeInclusive<f64> = 1.0..=10_000.0;

/// A rating by a site or an organiser itself, in its own points.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct OfficialRating {
    /// The competitor: [`Entrant::competitor`] or one of [`Entrant::members`].
    pub competitor: String,
    /// The rating before the contest, if it is published.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<f64>,
    /// The rating after the contest.
    pub after: f64,
    /// The published measure of volatility after the contest, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub volatility: Option<f64>,
}

/// A row of the standings.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Entrant {
    /// The identifier of the competitor within its source, verbatim: a handle, a name or an account
    /// id.
    pub competitor: String,
    /// Person, team or couple.
    pub kind: EntrantKind,
    /// The place, or the reason for having none.
    pub outcome: EntrantOutcome,
    /// Points, seconds or another score, as published. It does not decide the order.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<f64>,
    /// Penalty as published.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub penalty: Option<f64>,
    /// The side in a game of two, if known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub side: Option<Side>,
    /// The members of a team or couple, verbatim; empty for a person.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub members: Vec<String>,
}

impl Entrant {
    /// Returns a person with this outcome and no other data.
    #[must_use]
    pub fn person(competitor: impl Into<String>, outcome: EntrantOutcome) -> Self {
        Self {
            competitor: competitor.into(),
            kind: EntrantKind::Person,
            outcome,
            score: None,
            penalty: None,
            side: None,
            members: Vec::new(),
        }
    }
}

/// Stands between the names of both competitors in the names of games, and in ids made of them:
/// `Ada – Bea`. Where names of people must not be shown, such texts must not be either.
pub const BETWEEN_PLAYERS: &str = " – ";

/// A contest and its standings, as read from a document.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Contest {
    /// The identifier of the contest within its source.
    pub external_id: String,
    /// The name as published, verbatim.
    pub name: String,
    /// The group of contests held together (divisions of a round, heats of a competition).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub event: Option<String>,
    /// Division, class or age group.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub division: Option<String>,
    /// The source's order within the event.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ordinal: Option<i64>,
    /// The page about the contest.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// The start, if known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub starts_at: Option<ContestTime>,
    /// The time of the result.
    pub ends_at: ContestTime,
    /// The weight in rating systems, from 1e-6 to 1e6; 1 is an ordinary contest.
    pub weight: f64,
    /// The weight that the source itself gives, if any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub site_weight: Option<f64>,
    /// The upper limit of performances in rating points, from -1e6 to 1e6.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub performance_ceiling: Option<f64>,
    /// The standings in order of place; entrants without a place last.
    pub entrants: Vec<Entrant>,
}

/// Checks that a weight lies in the range that rating systems accept.
///
/// # Errors
/// [`ValidationError`] if it does not.
pub fn check_weight(weight: f64) -> Result<(), ValidationError> {
    check_bounds("weight", weight, 1e-6..=1e6)
}

/// Checks that a performance ceiling lies in the range of ratings.
///
/// # Errors
/// [`ValidationError`] if it does not.
pub fn check_performance_ceiling(ceiling: f64) -> Result<(), ValidationError> {
    check_bounds("performance ceiling", ceiling, -1e6..=1e6)
}

/// Returns the id of a contest that has neither id nor URL. `name` includes the division.
#[must_use]
pub fn id_from_name(name: &str, ends_at: ContestTime) -> String {
    format!("{name}@{}", ends_at.get())
}

impl Contest {
    /// Returns a contest of weight 1 without entrants and optional data.
    #[must_use]
    pub fn new(
        external_id: impl Into<String>,
        name: impl Into<String>,
        ends_at: ContestTime,
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

    /// Checks that the contest has at least one entrant and no duplicates, that finishers are in
    /// order with places that count the entrants above ("1224") and unplaced entrants come last,
    /// that no person has members, that the weight is from 1e-6 to 1e6 and the performance ceiling from -1e6 to 1e6, and that
    /// all numbers are finite.
    ///
    /// # Errors
    /// [`ValidationError`], naming the entrants by row (1 is the first) and by name.
    pub fn validate(&self) -> Result<(), ValidationError> {
        if self.entrants.is_empty() {
            return Err(ValidationError::new("the standings are empty"));
        }
        check_weight(self.weight)?;
        if let Some(weight) = self.site_weight.filter(|weight| !weight.is_finite()) {
            return Err(ValidationError::new(format!("site weight {weight} is not finite")));
        }
        self.performance_ceiling.map_or(Ok(()), check_performance_ceiling)?;
        check_standings(&self.entrants)
    }

    /// Checks that names have at most [`MAX_NAME_CHARS`](crate::MAX_NAME_CHARS) characters.
    ///
    /// # Errors
    /// [`ValidationError`], naming the row and the beginning of the name.
    pub fn check_name_lengths(&self) -> Result<(), ValidationError> {
        if is_name_too_long(&self.name) {
            return Err(name_too_long_error("the name of the contest", &self.name));
        }
        for (index, entrant) in self.entrants.iter().enumerate() {
            for name in std::iter::once(&entrant.competitor).chain(&entrant.members) {
                if is_name_too_long(name) {
                    let subject = format!("the name in row {}", index + 1);
                    return Err(name_too_long_error(&subject, name));
                }
            }
        }
        Ok(())
    }
}

/// Checks that standings have no duplicates, that finishers are in order with places that count the
/// entrants above ("1224") and unplaced entrants come last, that no person has members, and that all
/// numbers are finite.
///
/// # Errors
/// [`ValidationError`], naming the entrants by row (1 is the first) and by name.
pub fn check_standings(entrants: &[Entrant]) -> Result<(), ValidationError> {
    let mut first_rows = HashMap::with_capacity(entrants.len());
    let mut last_place: Option<Place> = None;
    let mut has_unplaced_above = false;
    for (index, entrant) in entrants.iter().enumerate() {
        let row = index + 1;
        let name = Quoted(&entrant.competitor);
        if entrant.competitor.is_empty() {
            return Err(ValidationError::new(format!("row {row} names no competitor")));
        }
        if let Some(first) = first_rows.insert(entrant.competitor.as_str(), row) {
            return Err(ValidationError::new(format!(
                "{name} stands twice, in rows {first} and {row}"
            )));
        }
        if entrant.kind == EntrantKind::Person && !entrant.members.is_empty() {
            return Err(ValidationError::new(format!(
                "{name} in row {row} is a person with members; give it the kind team or couple, or remove the members"
            )));
        }
        let mut numbers = [entrant.score, entrant.penalty].into_iter().flatten();
        if numbers.any(|number| !number.is_finite()) {
            return Err(ValidationError::new(format!(
                "{name} in row {row} has a score or penalty that is not finite"
            )));
        }
        let EntrantOutcome::Finished(place) = entrant.outcome else {
            has_unplaced_above = true;
            continue;
        };
        if has_unplaced_above {
            return Err(ValidationError::new(format!(
                "{name} in row {row} has a place, below an entrant without one"
            )));
        }
        // The first of a tie has the place; the others share it.
        let expected = Place::from_entrants_above(index as u32);
        if place != expected && last_place != Some(place) {
            return Err(ValidationError::new(format!(
                "{name} in row {row} has place {}, but {} is expected",
                place.get(),
                expected.get()
            )));
        }
        last_place = Some(place);
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
            ends_at: ContestTime::MIN,
            weight: 1.0,
            site_weight: None,
            performance_ceiling: None,
            entrants: places
                .iter()
                .enumerate()
                .map(|(i, place)| {
                    let outcome = place.map_or(EntrantOutcome::DidNotFinish, |place| {
                        EntrantOutcome::Finished(Place::new(place).unwrap())
                    });
                    Entrant::person(format!("player{i}"), outcome)
                })
                .collect(),
        }
    }

    #[test]
    fn place_is_one_plus_entrants_above() {
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
    fn validation_error_names_fault() {
        let mut twice = contest(&[Some(1), Some(2), Some(3)]);
        twice.entrants[2].competitor = "player0".into();
        let error = twice.validate().unwrap_err().to_string();
        assert_eq!(error, "\"player0\" stands twice, in rows 1 and 3");
        let mut person = contest(&[Some(1), Some(2)]);
        person.entrants[1].members = vec!["ann".into(), "bob".into()];
        assert_eq!(
            person.validate().unwrap_err().to_string(),
            "\"player1\" in row 2 is a person with members; give it the kind team or couple, or remove the members"
        );
        person.entrants[1].kind = EntrantKind::Couple;
        assert_eq!(person.validate(), Ok(()));
        let below = contest(&[None, Some(2)]).validate().unwrap_err();
        assert_eq!(
            below.to_string(),
            "\"player1\" in row 2 has a place, below an entrant without one"
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
    fn source_name_rejects_special_characters() {
        for good in ["club", "chess-2024", "a.b_c"] {
            assert!(SourceName::new(good).is_ok(), "{good}");
        }
        for bad in ["", "-x", ".hidden", "a/b", "a b", "ä", &"x".repeat(65)] {
            assert!(SourceName::new(bad).is_err(), "{bad}");
        }
    }
}
