//! One race of a page: its listing and its results.

use std::borrow::Cow;

use ranklore_contest::UnixSeconds;
use ranklore_source::{
    ContestOutcome, DisplayName, ItemCounts, OfficialRating, Results, SiteListing, Stage,
};
use serde::Deserialize;

use crate::entrants::RaceEntrant;
use crate::profile::PROFILE;
use crate::requests::{RacePage, is_slug};
use crate::standings::{self, person_id};
use crate::values::{FieldResult, SiteTime};

/// A race in the form of the site.
#[derive(Deserialize)]
pub(crate) struct Race<'a> {
    /// The category and the slug: `smr/dynamic-downgrab-8201`.
    #[serde(borrow)]
    name: Cow<'a, str>,
    status: RaceStatus,
    #[serde(borrow)]
    goal: Goal<'a>,
    entrants_count: u32,
    #[serde(deserialize_with = "Option::deserialize")]
    started_at: Option<SiteTime>,
    #[serde(deserialize_with = "Option::deserialize")]
    ended_at: Option<SiteTime>,
    recorded: bool,
    #[serde(borrow)]
    entrants: Vec<RaceEntrant<'a>>,
}

#[derive(Deserialize)]
struct RaceStatus {
    value: RaceState,
}

#[derive(Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum RaceState {
    Finished,
    Cancelled,
}

#[derive(Deserialize)]
struct Goal<'a> {
    #[serde(borrow)]
    name: Cow<'a, str>,
    custom: bool,
}

/// A race as read.
pub(crate) struct ReadRace {
    pub(crate) listing: SiteListing,
    pub(crate) results: Results,
    pub(crate) names: Vec<DisplayName>,
    pub(crate) warning: Option<String>,
}

/// The rating that the site shows of a newcomer: 100·(25 − 2·25/3), rounded.
const NEWCOMER_SCORE: f64 = 833.0;

/// Follows the name of a custom goal in the division, so that it is no goal of the category.
const CUSTOM: &str = " (custom goal)";

/// Returns the goal of a division, custom or not.
pub(crate) fn goal_of_division(division: &str) -> &str {
    division.strip_suffix(CUSTOM).unwrap_or(division)
}

impl Race<'_> {
    /// Reads the race as an entry of this page.
    pub(crate) fn read(&self, page: &RacePage) -> FieldResult<ReadRace> {
        let listing = self.listing(page)?;
        let id = &listing.external_id;
        if self.status.value == RaceState::Cancelled {
            return Ok(ReadRace {
                results: Results::new(id, ContestOutcome::Gone),
                listing,
                names: Vec::new(),
                warning: None,
            });
        }
        let entrants = standings::read(id, &self.entrants)?;
        let mut results = Results::from_standings(id, entrants)
            .map_err(|invalid| ("entrants".to_owned(), invalid.to_string()))?;
        results.counts = Some(ItemCounts {
            items: "entrants".to_owned(),
            announced: Some(self.entrants_count),
            arrived: self.entrants.len() as u32,
        });
        let mut warning = None;
        if self.recorded {
            let ratings = self.official_ratings(id);
            let missing = self.entrants.len() - ratings.len();
            if missing > 0 {
                warning = Some(format!(
                    "race {id} is recorded, but {missing} of {} entrants have no rating change",
                    self.entrants.len()
                ));
            }
            if let ContestOutcome::Standings { official, .. } = &mut results.outcome {
                *official = ratings;
            }
        }
        Ok(ReadRace {
            names: standings::display_names(id, &self.entrants),
            listing,
            results,
            warning,
        })
    }

    /// Returns the race as listed. The site itself gives no weight to a race that it did not record.
    fn listing(&self, page: &RacePage) -> FieldResult<SiteListing> {
        let invalid = |field: &str, expected: String| Err((field.to_owned(), expected));
        let category = &page.category;
        let slug = self.name.strip_prefix(&**category).and_then(|rest| rest.strip_prefix('/'));
        if !slug.is_some_and(is_slug) {
            let name: String = self.name.chars().take(80).collect();
            return invalid(
                "name",
                format!("a race of {category} as {category}/SLUG, not {name:?}"),
            );
        }
        let goal = self.goal.name.trim();
        if goal.is_empty() {
            return invalid("goal.name", "the name of the goal".to_owned());
        }
        let [starts_at, ends_at] = self.times()?;
        Ok(SiteListing {
            url: Some(format!("{}/{}", PROFILE.terms.base_url, self.name)),
            division: Some(format!("{goal}{}", if self.goal.custom { CUSTOM } else { "" })),
            starts_at,
            ends_at,
            site_weight: (!self.recorded).then_some(0.0),
            results: vec![page.to_request()],
            ..SiteListing::new(&*self.name, &*self.name, Stage::Finished)
        })
    }

    /// Returns the start and the end. A cancelled race may have neither.
    fn times(&self) -> FieldResult<[Option<UnixSeconds>; 2]> {
        let times = [("started_at", self.started_at), ("ended_at", self.ended_at)];
        for (field, time) in times {
            if time.is_none() && self.status.value == RaceState::Finished {
                return Err((field.to_owned(), "the time, since the race is finished".to_owned()));
            }
        }
        if let (Some(SiteTime(start)), Some(SiteTime(end))) = (self.started_at, self.ended_at)
            && end < start
        {
            let expected = format!("a time after the start at {start}, not {end}");
            return Err(("ended_at".to_owned(), expected));
        }
        Ok(times.map(|(_, time)| time.map(|SiteTime(at)| at)))
    }

    fn official_ratings(&self, id: &str) -> Vec<OfficialRating> {
        let entrants = self.entrants.iter().enumerate();
        let rated = entrants.filter_map(|(index, entrant)| {
            let change = f64::from(entrant.score_change?);
            let before = entrant.score.map(f64::from);
            Some(OfficialRating {
                competitor: person_id(id, index, entrant),
                before,
                after: before.unwrap_or(NEWCOMER_SCORE) + change,
                volatility: None,
            })
        });
        rated.collect()
    }
}
