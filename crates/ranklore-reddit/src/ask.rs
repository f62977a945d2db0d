//! Requests to Reddit: built from their parameters and parsed from their keys.

use ranklore_source::{Asked, Form, Request};

use crate::id::Id;
use crate::names::is_subreddit;

const MORE: &str = "api/morechildren";

/// The most threads on one page, which is the limit of the site.
pub(crate) const THREADS_A_PAGE: u32 = 100;

/// Levels of comments in one answer: the site's default.
const DEPTH: u32 = 10;

/// Comments in one answer, which is the limit of the site.
const COMMENTS: u32 = 500;

/// The most comments requested by id in one request.
pub(crate) const COMMENTS_A_REQUEST: usize = 100;

/// The order of the threads of a subreddit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Order {
    /// Best of all time first.
    Top,
    /// Newest first.
    New,
}

/// One page of the threads of a subreddit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Page {
    pub(crate) subreddit: String,
    pub(crate) order: Order,
    /// The page size, from 1 to [`MAX_THREADS_PER_PAGE`].
    pub(crate) limit: u32,
    /// The last thread of the page before and the number of threads before this page; `None` for
    /// the first page.
    pub(crate) after: Option<(Id, u32)>,
}

impl Page {
    /// Returns the number of threads on the pages before.
    pub(crate) fn count(&self) -> u32 {
        self.after.map_or(0, |(_, count)| count)
    }
}

/// A request, by its parameters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Question {
    /// A page of threads.
    Page(Page),
    /// The comments of a thread, down to a fixed depth.
    Thread(Id),
    /// One comment of a thread and its replies.
    Below { thread: Id, comment: Id },
    /// Comments of a thread by their ids, and some of their replies.
    More { thread: Id, comments: Vec<Id> },
}

impl Question {
    /// Parses a request key; `None` if it is not one of these requests.
    pub(crate) fn parse(request_key: &str) -> Option<Self> {
        let asked = Asked::parse(request_key)?;
        let question = match asked.path.split('/').collect::<Vec<_>>().as_slice() {
            ["r", subreddit, order] => Self::Page(page_of(&asked, subreddit, order)?),
            ["comments", thread] => Self::Thread(Id::parse(thread)?),
            ["comments", thread, "_", comment] => Self::Below {
                thread: Id::parse(thread)?,
                comment: Id::parse(comment)?,
            },
            _ if asked.path == MORE => {
                let comments = asked.get("children")?;
                let comments: Option<Vec<Id>> = comments.split(',').map(Id::parse).collect();
                Self::More {
                    thread: Id::of_name("t3_", &asked.get("link_id")?)?,
                    comments: comments?,
                }
            }
            _ => return None,
        };
        // A different method or other parameters make it a different request.
        (question.request().key() == request_key).then_some(question)
    }

    /// Returns the request.
    pub(crate) fn request(&self) -> Request {
        match self {
            Self::Page(of) => page(of),
            Self::Thread(id) => thread(*id),
            Self::Below { thread, comment } => below(*thread, *comment),
            Self::More { thread, comments } => more(*thread, comments),
        }
    }
}

/// Returns the thread that a document is about: an answer, or a contest file of one thread.
pub(crate) fn thread_of(request_key: &str) -> Option<Id> {
    match Question::parse(request_key) {
        Some(Question::Page(_)) => None,
        Some(Question::Thread(id)) => Some(id),
        Some(Question::Below { thread, .. } | Question::More { thread, .. }) => Some(thread),
        None => {
            let name = request_key.strip_prefix("thread/")?;
            Id::parse(name.strip_suffix(".json")?)
        }
    }
}

fn page_of(asked: &Asked<'_>, subreddit: &str, order: &str) -> Option<Page> {
    let number = |name: &str| asked.get(name)?.parse::<u32>().ok();
    let limit = number("limit").filter(|limit| (1..=THREADS_A_PAGE).contains(limit))?;
    let after = match asked.get("after") {
        Some(after) => Some((Id::of_name("t3_", &after)?, number("count")?)),
        None => None,
    };
    Some(Page {
        subreddit: Some(subreddit)
            .filter(|name| is_subreddit(name))?
            .to_owned(),
        order: match order {
            "top" => Order::Top,
            "new" => Order::New,
            _ => return None,
        },
        limit,
        after,
    })
}

/// Requests text without HTML entities for `&` and `<`.
fn get(path: String, what: String) -> Request {
    Request::get(path, Form::Json, what).with("raw_json", 1)
}

pub(crate) fn page(page: &Page) -> Request {
    let Page {
        subreddit, limit, ..
    } = page;
    let (order, what) = match page.order {
        Order::Top => ("top", "top"),
        Order::New => ("new", "newest"),
    };
    let from = page.count() + 1;
    let mut request = get(
        format!("r/{subreddit}/{order}"),
        format!("the {what} threads of r/{subreddit} from {from} on"),
    )
    .with("limit", limit);
    if page.order == Order::Top {
        request = request.with("t", "all");
    }
    if let Some((after, count)) = page.after {
        request = request
            .with("after", format_args!("t3_{after}"))
            .with("count", count);
    }
    request
}

/// Oldest first: this order does not change with scores.
fn comments(path: String, what: String) -> Request {
    get(path, what)
        .with("depth", DEPTH)
        .with("limit", COMMENTS)
        .with("sort", "old")
}

pub(crate) fn thread(id: Id) -> Request {
    let id = id.to_string();
    comments(["comments/", &id].concat(), ["thread ", &id].concat())
}

pub(crate) fn below(thread: Id, comment: Id) -> Request {
    comments(
        format!("comments/{thread}/_/{comment}"),
        format!("thread {thread} below comment {comment}"),
    )
}

/// Takes 1 to [`MAX_COMMENTS_PER_REQUEST`] comments.
pub(crate) fn more(thread: Id, comments: &[Id]) -> Request {
    let children: Vec<String> = comments.iter().map(Id::to_string).collect();
    let what = format!("{} more comments of thread {thread}", comments.len());
    Request::post(MORE, Form::Json, what)
        .with_field("api_type", "json")
        .with_field("children", children.join(","))
        .with_field("limit_children", false)
        .with_field("link_id", format_args!("t3_{thread}"))
        .with_field("raw_json", 1)
        .with_field("sort", "old")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(text: &str) -> Id {
        Id::parse(text).unwrap()
    }

    #[test]
    fn questions_are_read_back_from_keys() {
        let first = Page {
            subreddit: "LanternTales".to_owned(),
            order: Order::Top,
            limit: 100,
            after: None,
        };
        let second = Page {
            order: Order::New,
            limit: 20,
            after: Some((id("3hahrw"), 100)),
            ..first.clone()
        };
        for (question, key) in [
            (
                Question::Page(first),
                "GET r/LanternTales/top?limit=100&raw_json=1&t=all",
            ),
            (
                Question::Page(second),
                "GET r/LanternTales/new?after=t3_3hahrw&count=100&limit=20&raw_json=1",
            ),
            (
                Question::Thread(id("3hahrw")),
                "GET comments/3hahrw?depth=10&limit=500&raw_json=1&sort=old",
            ),
            (
                Question::Below {
                    thread: id("3hahrw"),
                    comment: id("cu5uyz1"),
                },
                "GET comments/3hahrw/_/cu5uyz1?depth=10&limit=500&raw_json=1&sort=old",
            ),
            (
                Question::More {
                    thread: id("3hahrw"),
                    comments: vec![id("a"), id("b")],
                },
                "POST api/morechildren api_type=json&children=a%2Cb&limit_children=false&\
                 link_id=t3_3hahrw&raw_json=1&sort=old",
            ),
        ] {
            assert_eq!(question.request().key(), key);
            assert_eq!(Question::parse(key), Some(question));
        }
        for foreign in [
            "",
            "GET r/LanternTales/top",
            "GET r/LanternTales/hot?limit=100&raw_json=1",
            "GET r/Lantern Tales/top?limit=100&raw_json=1&t=all",
            "GET r/LanternTales/top?limit=101&raw_json=1&t=all",
            "GET r/LanternTales/top?limit=0&raw_json=1&t=all",
            "GET r/LanternTales/top?after=t3_a&limit=100&raw_json=1&t=all",
            "GET comments/3HAHRW?depth=10&limit=500&raw_json=1&sort=old",
            "GET comments/3hahrw?limit=500",
            "POST comments/3hahrw?depth=10&limit=500&raw_json=1&sort=old",
            "POST api/morechildren api_type=json&children=&link_id=t3_3hahrw",
            "GET user/ada/about",
        ] {
            assert_eq!(Question::parse(foreign), None, "{foreign}");
        }
    }
}
