//! The entrants of a race in the form of the site.

use std::borrow::Cow;

use ranklore_contest::Place;
use serde::Deserialize;

use crate::values::{FinishTime, UserId};

/// An entrant of a race. Null fields must be present: if the site renamed one, nobody would have
/// it.
#[derive(Deserialize)]
pub(crate) struct RaceEntrant<'a> {
    /// `None` for a deleted account.
    #[serde(borrow, deserialize_with = "Option::deserialize")]
    pub(crate) user: Option<User<'a>>,
    #[serde(borrow, deserialize_with = "Option::deserialize")]
    pub(crate) team: Option<RaceTeam<'a>>,
    pub(crate) status: EntrantStatus,
    /// Disqualified entrants may have one.
    #[serde(deserialize_with = "Option::deserialize")]
    pub(crate) finish_time: Option<FinishTime>,
    #[serde(deserialize_with = "Option::deserialize")]
    pub(crate) place: Option<Place>,
    /// The rating before the race; `None` for newcomers.
    #[serde(deserialize_with = "Option::deserialize")]
    pub(crate) score: Option<u32>,
    /// The change of the rating; `None` until the race is recorded.
    #[serde(deserialize_with = "Option::deserialize")]
    pub(crate) score_change: Option<i32>,
}

/// An account.
#[derive(Deserialize)]
pub(crate) struct User<'a> {
    pub(crate) id: UserId,
    #[serde(borrow)]
    pub(crate) name: Cow<'a, str>,
}

/// A team. Teams of a single race have no slug.
#[derive(Deserialize)]
pub(crate) struct RaceTeam<'a> {
    #[serde(borrow)]
    pub(crate) name: Cow<'a, str>,
    #[serde(borrow, deserialize_with = "Option::deserialize")]
    pub(crate) slug: Option<Cow<'a, str>>,
}

/// The status of an entrant of a finished race.
#[derive(Deserialize)]
pub(crate) struct EntrantStatus {
    pub(crate) value: EntrantResult,
}

/// The result of an entrant.
#[derive(Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum EntrantResult {
    Done,
    Dnf,
    Dq,
}
