//! Pages of the threads of a subreddit.

use std::collections::HashSet;
use std::fmt;

use ranklore_contest::UnixSeconds;
use ranklore_source::json::{self, Entry, valid_entries};
use ranklore_source::{InvalidOption, SiteReadError, SiteReading};

use crate::id::ThingId;
use crate::names::{is_subreddit_name, is_user_page, quote_short};
use crate::requests::{self, ListingPage, MAX_THREADS_PER_PAGE, RedditRequest, ThreadOrder};
use crate::things::{self, Thing, ThingKind, ThingListing, ThreadHead};
use crate::thread::{ThreadInfo, check_created};

/// The most threads of a listing. The site itself ends at about 1,000.
const MAX_THREADS: u32 = 100_000;

/// A list that ends before this number has all threads there are.
const SITE_LIST_END: u32 = 900;

/// The threads of a subreddit to sync.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SubredditListing {
    subreddit: String,
    reach: ListingReach,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ListingReach {
    Top(u32),
    Since(UnixSeconds),
}

impl SubredditListing {
    /// Returns the best threads of a subreddit, in the site's order. The site lists about 1,000.
    ///
    /// # Errors
    /// [`InvalidOption`] for an invalid name or number.
    pub fn top(subreddit: &str, threads: u32) -> Result<Self, InvalidOption> {
        if !(1..=MAX_THREADS).contains(&threads) {
            return Err(InvalidOption(format!(
                "cannot list {threads} threads: use 1 to {MAX_THREADS}"
            )));
        }
        Self::new(subreddit, ListingReach::Top(threads))
    }

    /// Returns the newest threads of a subreddit back to `first`, in whole pages. The site lists
    /// about 1,000.
    ///
    /// # Errors
    /// [`InvalidOption`] for an invalid name.
    pub fn since(subreddit: &str, first: UnixSeconds) -> Result<Self, InvalidOption> {
        Self::new(subreddit, ListingReach::Since(first))
    }

    fn new(subreddit: &str, reach: ListingReach) -> Result<Self, InvalidOption> {
        if !is_subreddit_name(subreddit) {
            return Err(InvalidOption(format!(
                "{subreddit:?} is not a subreddit name: use it without r/, 2 to 32 letters, \
                 digits and underscores"
            )));
        }
        if is_user_page(subreddit) {
            return Err(InvalidOption(format!(
                "{subreddit:?} is a user page, not a subreddit: the name of its user could not be \
                 removed again"
            )));
        }
        Ok(Self {
            subreddit: subreddit.to_owned(),
            reach,
        })
    }

    pub(crate) fn first_page(&self) -> ListingPage {
        self.page(None)
    }

    fn page(&self, after: Option<(ThingId, u32)>) -> ListingPage {
        let count = after.map_or(0, |(_, count)| count);
        let (order, limit) = match self.reach {
            ListingReach::Top(threads) => {
                let left = threads.saturating_sub(count);
                (ThreadOrder::Top, left.clamp(1, MAX_THREADS_PER_PAGE))
            }
            ListingReach::Since(_) => (ThreadOrder::New, MAX_THREADS_PER_PAGE),
        };
        ListingPage {
            subreddit: self.subreddit.clone(),
            order,
            limit,
            after,
        }
    }

    /// True if `page` is a page of this listing.
    fn contains_page(&self, page: &ListingPage) -> bool {
        *page == self.page(page.after)
    }

    /// True if the listing continues after `count` threads, the last of which was created at
    /// `last`.
    fn continues_after(&self, count: u32, last: UnixSeconds) -> bool {
        match self.reach {
            ListingReach::Top(threads) => count < threads,
            ListingReach::Since(first) => last >= first,
        }
    }
}

impl fmt::Display for SubredditListing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { subreddit, reach } = self;
        match reach {
            ListingReach::Top(threads) => write!(f, "the top {threads} threads of r/{subreddit}"),
            ListingReach::Since(first) => write!(f, "the threads of r/{subreddit} since {first}"),
        }
    }
}

/// A page of threads.
type PageListing<'a> = ThingListing<'a, Entry<Thing<ThreadHead<'a>>>>;

/// Reads a page of threads and the request for the next page.
pub(crate) fn read_page(
    key: &str,
    body: &[u8],
    page: &ListingPage,
) -> Result<SiteReading, SiteReadError> {
    let list: PageListing<'_> = json::parse(key, body)?;
    let children = list.data.children;
    let listed = children.len() as u32;
    if listed > page.limit {
        let expected = format!("at most {} threads as asked, not {listed}", page.limit);
        return Err(SiteReadError::new(key, "data.children", expected));
    }
    let mut reading = SiteReading::default();
    reading.listed.reserve(children.len());
    let mut ids = HashSet::with_capacity(children.len());
    for (index, child) in valid_entries(key, "data.children", children, &mut reading.refused) {
        let thread = parse_thread(&child, page).and_then(|thread| {
            if ids.insert(thread.id) {
                Ok(thread)
            } else {
                Err(("data.id", format!("a thread once, not {} again", thread.id)))
            }
        });
        match thread {
            Ok(thread) => reading.listed.push(thread.into_listed()),
            Err((field, expected)) => {
                let at = format!("data.children[{index}].{field}");
                reading.refused.push(SiteReadError::new(key, at, expected));
            }
        }
    }
    // If no thread can be read, the format has changed.
    if reading.listed.is_empty() && !reading.refused.is_empty() {
        return Err(reading.refused.swap_remove(0));
    }
    if let Some(after) = &list.data.after {
        let after = ThingId::from_full_name("t3_", &after.0).ok_or_else(|| {
            let expected = format!("a thread as t3_3hahrw, not {}", quote_short(&after.0));
            SiteReadError::new(key, "data.after", expected)
        })?;
        let count = page.threads_before() + listed;
        if listed > 0 && count < MAX_THREADS {
            reading.follow.push(requests::page_request(&ListingPage {
                after: Some((after, count)),
                ..page.clone()
            }));
        }
    }
    Ok(reading)
}

/// Keeps the next page only if a listing continues there, and warns if the site's list ends early.
pub(crate) fn limit_to_listings(
    page: &ListingPage,
    reading: &mut SiteReading,
    listings: &[SubredditListing],
) {
    let follow = reading.follow.drain(..).next();
    let on_page = reading.listed.len() + reading.refused.len();
    let count = page.threads_before() + on_page as u32;
    let last = reading.listed.last().and_then(|thread| thread.ends_at);
    let listing = listings.iter().find(|listing| listing.contains_page(page));
    let Some(listing) =
        listing.filter(|listing| last.is_none_or(|last| listing.continues_after(count, last)))
    else {
        return;
    };
    match follow.map(|request| RedditRequest::parse(&request.key())) {
        Some(Some(RedditRequest::Page(next))) => {
            reading.follow.push(requests::page_request(&listing.page(next.after)));
        }
        _ if count == 0 => {
            reading.warnings.push(format!("{listing}: the site lists none; check the name"));
        }
        _ if count < SITE_LIST_END => {
            reading.warnings.push(format!("{listing}: the site lists only {count}"));
        }
        _ => reading.warnings.push(format!(
            "{listing}: the site's list ends after {count}; it never lists more than about \
             1,000, older threads are in archives only"
        )),
    }
}

/// Returns one thread of a page, or the invalid field and what was expected.
fn parse_thread(
    thing: &Thing<ThreadHead<'_>>,
    page: &ListingPage,
) -> Result<ThreadInfo, (&'static str, String)> {
    if thing.kind != ThingKind::Thread {
        return Err(("kind", format!("t3, a thread, not {}", thing.kind.as_str())));
    }
    let data = &thing.data;
    let id = ThingId::parse(&data.id.0).ok_or_else(|| {
        let expected = format!("a thread as 3hahrw, not {}", quote_short(&data.id.0));
        ("data.id", expected)
    })?;
    let subreddit = data.subreddit.as_ref().map_or("", |name| &name.0);
    if !subreddit.eq_ignore_ascii_case(&page.subreddit) {
        let expected = format!("{:?} as asked, not {}", page.subreddit, quote_short(subreddit));
        return Err(("data.subreddit", expected));
    }
    let created = check_created(data.created_utc.and_then(things::whole_seconds))
        .map_err(|expected| ("data.created_utc", expected.to_owned()))?;
    Ok(ThreadInfo {
        id,
        subreddit: subreddit.to_owned(),
        created,
    })
}
