//! Pages of the threads of a subreddit.

use std::collections::HashSet;
use std::fmt;

use ranklore_contest::UnixSeconds;
use ranklore_source::{InvalidOption, ReadError, Reading, json};

use crate::ask::{self, Order, Page, Question, THREADS_A_PAGE};
use crate::id::Id;
use crate::names::{is_page_of_somebody, is_subreddit, shown};
use crate::thing::{self, Head, Kind, Thing};
use crate::thread::{Thread, created};

/// The most threads of a listing. The site itself ends at about 1,000.
const MAX_COUNT: u32 = 100_000;

/// A list that ends before this number has all threads there are.
const NEAR_THE_END: u32 = 900;

/// The threads of a subreddit to sync.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listing {
    subreddit: String,
    reach: Reach,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reach {
    Top(u32),
    Since(UnixSeconds),
}

impl Listing {
    /// Returns the best threads of a subreddit, in the site's order. The site lists about 1,000.
    ///
    /// # Errors
    /// [`InvalidOption`] for an invalid name or number.
    pub fn top(subreddit: &str, threads: u32) -> Result<Self, InvalidOption> {
        if !(1..=MAX_COUNT).contains(&threads) {
            return Err(InvalidOption(format!(
                "cannot list {threads} threads: use 1 to {MAX_COUNT}"
            )));
        }
        Self::of(subreddit, Reach::Top(threads))
    }

    /// Returns the newest threads of a subreddit back to `first`, in whole pages. The site lists
    /// about 1,000.
    ///
    /// # Errors
    /// [`InvalidOption`] for an invalid name.
    pub fn since(subreddit: &str, first: UnixSeconds) -> Result<Self, InvalidOption> {
        Self::of(subreddit, Reach::Since(first))
    }

    fn of(subreddit: &str, reach: Reach) -> Result<Self, InvalidOption> {
        if !is_subreddit(subreddit) {
            return Err(InvalidOption(format!(
                "{subreddit:?} is not a subreddit name: use it without r/, 2 to 32 letters, \
                 digits and underscores"
            )));
        }
        if is_page_of_somebody(subreddit) {
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

    pub(crate) fn first(&self) -> Page {
        self.page(None)
    }

    fn page(&self, after: Option<(Id, u32)>) -> Page {
        let count = after.map_or(0, |(_, count)| count);
        let (order, limit) = match self.reach {
            Reach::Top(threads) => {
                let left = threads.saturating_sub(count);
                (Order::Top, left.clamp(1, THREADS_A_PAGE))
            }
            Reach::Since(_) => (Order::New, THREADS_A_PAGE),
        };
        Page {
            subreddit: self.subreddit.clone(),
            order,
            limit,
            after,
        }
    }

    /// True if `page` is a page of this listing.
    fn has(&self, page: &Page) -> bool {
        *page == self.page(page.after)
    }

    /// True if the listing continues after `count` threads, the last of which was created at
    /// `last`.
    fn goes_on(&self, count: u32, last: UnixSeconds) -> bool {
        match self.reach {
            Reach::Top(threads) => count < threads,
            Reach::Since(first) => last >= first,
        }
    }
}

impl fmt::Display for Listing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { subreddit, reach } = self;
        match reach {
            Reach::Top(threads) => write!(f, "the top {threads} threads of r/{subreddit}"),
            Reach::Since(first) => write!(f, "the threads of r/{subreddit} since {first}"),
        }
    }
}

/// Reads a page of threads and the request for the next page.
pub(crate) fn read(key: &str, body: &[u8], page: &Page) -> Result<Reading, ReadError> {
    let list: thing::Listing<'_, Head<'_>> = json::parse(key, body)?;
    let children = &list.data.children;
    if children.len() > page.limit as usize {
        let expected = format!(
            "at most {} threads as asked, not {}",
            page.limit,
            children.len()
        );
        return Err(ReadError::new(key, "data.children", expected));
    }
    let mut reading = Reading::default();
    reading.listed.reserve(children.len());
    let mut ids = HashSet::with_capacity(children.len());
    for (index, child) in children.iter().enumerate() {
        let wrong = |(field, expected): (&str, String)| {
            ReadError::new(key, format!("data.children[{index}].{field}"), expected)
        };
        let thread = thread(child, page).map_err(wrong)?;
        if !ids.insert(thread.id) {
            let expected = format!("a thread once, not {} again", thread.id);
            return Err(wrong(("data.id", expected)));
        }
        reading.listed.push(thread.listed());
    }
    if let Some(after) = &list.data.after {
        let after = Id::of_name("t3_", &after.0).ok_or_else(|| {
            let expected = format!("a thread as t3_3hahrw, not {}", shown(&after.0));
            ReadError::new(key, "data.after", expected)
        })?;
        let count = page.count() + children.len() as u32;
        if !children.is_empty() && count < MAX_COUNT {
            reading.follow.push(ask::page(&Page {
                after: Some((after, count)),
                ..page.clone()
            }));
        }
    }
    Ok(reading)
}

/// Keeps the next page only if a listing continues there, and warns if the site's list ends early.
pub(crate) fn narrow(page: &Page, reading: &mut Reading, listings: &[Listing]) {
    let follow = reading.follow.drain(..).next();
    let count = page.count() + reading.listed.len() as u32;
    let last = reading.listed.last().and_then(|thread| thread.ends_at);
    let listing = listings.iter().find(|listing| listing.has(page));
    let goes_on = |of: &&Listing| last.is_none_or(|last| of.goes_on(count, last));
    let Some(listing) = listing.filter(goes_on) else {
        return;
    };
    match follow.map(|request| Question::parse(&request.key())) {
        Some(Some(Question::Page(next))) => {
            reading.follow.push(ask::page(&listing.page(next.after)));
        }
        _ if count == 0 => reading
            .warnings
            .push(format!("{listing}: the site lists none; check the name")),
        _ if count < NEAR_THE_END => reading
            .warnings
            .push(format!("{listing}: the site lists only {count}")),
        _ => reading.warnings.push(format!(
            "{listing}: the site's list ends after {count}; it never lists more than about \
             1,000, older threads are in archives only"
        )),
    }
}

/// Returns one thread of a page, or the invalid field and what was expected.
fn thread(thing: &Thing<Head<'_>>, page: &Page) -> Result<Thread, (&'static str, String)> {
    if thing.kind != Kind::Thread {
        return Err(("kind", format!("t3, a thread, not {}", thing.kind.word())));
    }
    let data = &thing.data;
    let id = Id::parse(&data.id.0).ok_or_else(|| {
        let expected = format!("a thread as 3hahrw, not {}", shown(&data.id.0));
        ("data.id", expected)
    })?;
    let subreddit = data.subreddit.as_ref().map_or("", |name| &name.0);
    if !subreddit.eq_ignore_ascii_case(&page.subreddit) {
        let expected = format!("{:?} as asked, not {}", page.subreddit, shown(subreddit));
        return Err(("data.subreddit", expected));
    }
    let created = created(data.created_utc.and_then(thing::moment))
        .map_err(|expected| ("data.created_utc", expected.to_owned()))?;
    Ok(Thread {
        id,
        subreddit: subreddit.to_owned(),
        created,
    })
}
