//! Requests to racetime.gg, and their request keys.

use std::borrow::Cow;

use ranklore_contest::UnixSeconds;
use ranklore_source::{MediaKind, Request, RequestKey};

/// The most races of a page, which is the limit of the site.
const MAX_PER_PAGE: u64 = 100;

/// The number of races that two pages share. Up to this many races may leave the list between two
/// requests, and no other race is missed.
const OVERLAP: u64 = 5;

/// The highest page number.
const MAX_PAGE: u64 = 1_000_000;

/// The races of a category that one request selects.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct CategoryFilter {
    /// The name of the goal; `None` for all goals.
    pub(crate) goal: Option<String>,
    /// True if races that the site did not record are rated.
    pub(crate) with_unrecorded: bool,
}

/// A page of the finished races of a category, newest first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct RacePage {
    pub(crate) category: String,
    /// The page number, from 1.
    pub(crate) number: u64,
    /// The races of a full page, from 1 to [`MAX_PER_PAGE`].
    pub(crate) per_page: u64,
    /// The races to store, for the first page only. The site ignores these parameters; they tell a
    /// rebuild what was selected.
    pub(crate) filter: CategoryFilter,
}

impl RacePage {
    /// Returns the first page of a category.
    pub(crate) fn first(category: &str, filter: CategoryFilter) -> Self {
        Self {
            category: category.to_owned(),
            number: 1,
            per_page: MAX_PER_PAGE,
            filter,
        }
    }

    /// Parses a request key; `None` if it belongs to no page.
    pub(crate) fn parse(request_key: &str) -> Option<Self> {
        let key = RequestKey::parse(request_key)?;
        let category = key.path.strip_suffix("/races/data")?;
        let number = |name: &str| key.parameter(name)?.parse::<u64>().ok();
        let page = Self {
            category: Some(category).filter(|name| is_slug(name))?.to_owned(),
            number: number("page").filter(|number| (1..=MAX_PAGE).contains(number))?,
            per_page: number("per_page").filter(|size| (1..=MAX_PER_PAGE).contains(size))?,
            filter: CategoryFilter {
                goal: key.parameter("goal").map(Cow::into_owned),
                with_unrecorded: key.parameter("with").is_some(),
            },
        };
        // A different method or other parameters make it a different request.
        (page.to_request().key() == request_key).then_some(page)
    }

    /// Returns the request, without a time at which it settles.
    pub(crate) fn to_request(&self) -> Request {
        let Self {
            category,
            number,
            per_page,
            filter,
        } = self;
        let description = format!("page {number} of the races of {category}");
        let mut request =
            Request::get(format!("{category}/races/data"), MediaKind::Json, description)
                .with_parameter("show_entrants", true)
                .with_parameter("page", number)
                .with_parameter("per_page", per_page);
        if let Some(goal) = &filter.goal {
            request = request.with_parameter("goal", goal);
        }
        if filter.with_unrecorded {
            request = request.with_parameter("with", "unrecorded");
        }
        request
    }

    /// Returns the number of races on this page and those before, if all are full.
    pub(crate) const fn end(&self) -> u64 {
        self.number * self.per_page
    }

    /// Returns the page that repeats at least [`OVERLAP`] races of this one and goes furthest beyond
    /// it. Pages of one size share no race; so each has its own.
    fn next(&self) -> Option<Self> {
        let start = self.end().saturating_sub(OVERLAP);
        let sizes = MAX_PER_PAGE / 2..=MAX_PER_PAGE;
        let pages = sizes.map(|size| (start / size + 1, size));
        let (number, per_page) = pages.max_by_key(|(number, size)| number * size)?;
        (number <= MAX_PAGE).then(|| Self {
            number,
            per_page,
            filter: CategoryFilter::default(),
            category: self.category.clone(),
        })
    }

    /// Returns the request for the page after this one, whose last race ended at `last_ended_at`.
    /// An answer settles `provisional_seconds` later, since all its races are as old or older.
    pub(crate) fn next_request(
        &self,
        last_ended_at: UnixSeconds,
        provisional_seconds: i64,
    ) -> Option<Request> {
        let settles_at = UnixSeconds::new(last_ended_at.get() + provisional_seconds);
        self.next().map(|page| Request {
            settles_at,
            covers: Some(UnixSeconds::MIN..=last_ended_at),
            ..page.to_request()
        })
    }
}

/// True if a text is a slug, as in URLs: small letters, digits, `-` and `_`.
pub(crate) fn is_slug(text: &str) -> bool {
    let is_valid = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "-_".contains(c);
    (1..=64).contains(&text.len()) && text.chars().all(is_valid)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn first() -> RacePage {
        RacePage::first("smr", CategoryFilter::default())
    }

    #[test]
    fn request_keys_round_trip() {
        let of_goal = RacePage::first(
            "smr",
            CategoryFilter {
                goal: Some("Map Rando & more".to_owned()),
                with_unrecorded: true,
            },
        );
        for (page, key) in [
            (first(), "GET smr/races/data?page=1&per_page=100&show_entrants=true"),
            (
                of_goal,
                "GET smr/races/data?goal=Map+Rando+%26+more&page=1&per_page=100&\
                 show_entrants=true&with=unrecorded",
            ),
        ] {
            assert_eq!(page.to_request().key(), key);
            assert_eq!(RacePage::parse(key), Some(page));
        }
        for foreign in [
            "",
            "GET smr/races/data",
            "GET smr/races/data?page=0&per_page=100&show_entrants=true",
            "GET smr/races/data?page=01&per_page=100&show_entrants=true",
            "GET smr/races/data?page=1&per_page=101&show_entrants=true",
            "GET smr/races/data?page=1&per_page=100&show_entrants=false",
            "GET smr/races/data?page=1&per_page=100&show_entrants=true&with=all",
            "GET a/smr/races/data?page=1&per_page=100&show_entrants=true",
            "GET /races/data?page=1&per_page=100&show_entrants=true",
            "POST smr/races/data page=1&per_page=100&show_entrants=true",
        ] {
            assert_eq!(RacePage::parse(foreign), None, "{foreign}");
        }
    }

    #[test]
    fn consecutive_pages_overlap_and_advance() {
        let mut page = first();
        let mut requests = 1;
        while page.end() < 100_000 {
            let next = page.next().unwrap();
            let start = (next.number - 1) * next.per_page;
            assert!(start + OVERLAP <= page.end(), "{next:?} leaves a gap after {page:?}");
            assert!(next.end() > page.end() + MAX_PER_PAGE / 2, "{next:?} after {page:?}");
            page = next;
            requests += 1;
        }
        assert!(requests < 1_200, "{requests} pages of 100,000 races");
    }

    #[test]
    fn next_page_settles_after_the_last_race() {
        let at = |seconds| UnixSeconds::new(seconds).unwrap();
        let next = first().next_request(at(1_000), 60).unwrap();
        assert_eq!(next.key(), "GET smr/races/data?page=2&per_page=95&show_entrants=true");
        assert!(!next.is_settled(1_059, at(2_000)));
        assert!(next.is_settled(1_060, at(2_000)));
        assert_eq!(next.covers, Some(UnixSeconds::MIN..=at(1_000)));
    }
}
