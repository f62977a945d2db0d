//! Requests to Reddit: built from their parameters and parsed from their keys.

use ranklore_source::{MediaKind, Request, RequestKey};

use crate::id::ThingId;
use crate::names::is_subreddit_name;

const MORE_CHILDREN_PATH: &str = "api/morechildren";

/// The most threads on one page, which is the limit of the site.
pub(crate) const MAX_THREADS_PER_PAGE: u32 = 100;

/// Levels of comments in one answer: the site's default.
const MAX_DEPTH: u32 = 10;

/// Comments in one answer, which is the limit of the site.
const MAX_COMMENTS: u32 = 500;

/// The most comments requested by id in one request.
pub(crate) const MAX_COMMENTS_PER_REQUEST: usize = 100;

/// The order of the threads of a subreddit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum ThreadOrder {
    /// Best of all time first.
    Top,
    /// Newest first.
    New,
}

/// A page of the threads of a subreddit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ListingPage {
    pub(crate) subreddit: String,
    pub(crate) order: ThreadOrder,
    /// The page size, from 1 to [`MAX_THREADS_PER_PAGE`].
    pub(crate) limit: u32,
    /// The last thread of the page before and the number of threads before this page; `None` for
    /// the first page.
    pub(crate) after: Option<(ThingId, u32)>,
}

impl ListingPage {
    /// Returns the number of threads on the pages before.
    pub(crate) fn threads_before(&self) -> u32 {
        self.after.map_or(0, |(_, count)| count)
    }
}

/// A request, by its parameters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum RedditRequest {
    /// A page of threads.
    Page(ListingPage),
    /// The comments of a thread, down to a fixed depth.
    Thread(ThingId),
    /// A comment of a thread and its replies.
    CommentTree { thread: ThingId, comment: ThingId },
    /// Comments of a thread by their ids, and some of their replies.
    MoreComments {
        thread: ThingId,
        comments: Vec<ThingId>,
    },
}

impl RedditRequest {
    /// Parses a request key; `None` if it is not one of these requests.
    pub(crate) fn parse(request_key: &str) -> Option<Self> {
        let parsed = RequestKey::parse(request_key)?;
        let question = match parsed.path.split('/').collect::<Vec<_>>().as_slice() {
            ["r", subreddit, order] => Self::Page(parse_page(&parsed, subreddit, order)?),
            ["comments", thread] => Self::Thread(ThingId::parse(thread)?),
            ["comments", thread, "_", comment] => Self::CommentTree {
                thread: ThingId::parse(thread)?,
                comment: ThingId::parse(comment)?,
            },
            _ if parsed.path == MORE_CHILDREN_PATH => {
                let comments = parsed.parameter("children")?;
                let comments: Option<Vec<ThingId>> =
                    comments.split(',').map(ThingId::parse).collect();
                Self::MoreComments {
                    thread: ThingId::from_full_name("t3_", &parsed.parameter("link_id")?)?,
                    comments: comments?,
                }
            }
            _ => return None,
        };
        // A different method or other parameters make it a different request.
        (question.to_request().key() == request_key).then_some(question)
    }

    /// Returns the request.
    pub(crate) fn to_request(&self) -> Request {
        match self {
            Self::Page(page) => page_request(page),
            Self::Thread(id) => thread_request(*id),
            Self::CommentTree { thread, comment } => comment_tree_request(*thread, *comment),
            Self::MoreComments { thread, comments } => more_comments_request(*thread, comments),
        }
    }
}

/// Returns the thread that a document is about: an answer, or a contest file of one thread.
pub(crate) fn thread_of_key(request_key: &str) -> Option<ThingId> {
    match RedditRequest::parse(request_key) {
        Some(RedditRequest::Page(_)) => None,
        Some(RedditRequest::Thread(id)) => Some(id),
        Some(
            RedditRequest::CommentTree { thread, .. } | RedditRequest::MoreComments { thread, .. },
        ) => Some(thread),
        None => {
            let name = request_key.strip_prefix("thread/")?;
            ThingId::parse(name.strip_suffix(".json")?)
        }
    }
}

fn parse_page(key: &RequestKey<'_>, subreddit: &str, order: &str) -> Option<ListingPage> {
    let number = |name: &str| key.parameter(name)?.parse::<u32>().ok();
    let limit = number("limit").filter(|limit| (1..=MAX_THREADS_PER_PAGE).contains(limit))?;
    let after = match key.parameter("after") {
        Some(after) => Some((ThingId::from_full_name("t3_", &after)?, number("count")?)),
        None => None,
    };
    Some(ListingPage {
        subreddit: Some(subreddit).filter(|name| is_subreddit_name(name))?.to_owned(),
        order: match order {
            "top" => ThreadOrder::Top,
            "new" => ThreadOrder::New,
            _ => return None,
        },
        limit,
        after,
    })
}

/// Requests text without HTML entities for `&` and `<`.
fn get_request(path: String, description: String) -> Request {
    Request::get(path, MediaKind::Json, description).with_parameter("raw_json", 1)
}

pub(crate) fn page_request(page: &ListingPage) -> Request {
    let ListingPage {
        subreddit, limit, ..
    } = page;
    let (order, adjective) = match page.order {
        ThreadOrder::Top => ("top", "top"),
        ThreadOrder::New => ("new", "newest"),
    };
    let from = page.threads_before() + 1;
    let mut request = get_request(
        format!("r/{subreddit}/{order}"),
        format!("the {adjective} threads of r/{subreddit} from {from} on"),
    )
    .with_parameter("limit", limit);
    if page.order == ThreadOrder::Top {
        request = request.with_parameter("t", "all");
    }
    if let Some((after, count)) = page.after {
        request = request
            .with_parameter("after", format_args!("t3_{after}"))
            .with_parameter("count", count);
    }
    request
}

/// Oldest first: this order does not change with scores.
fn comments_request(path: String, description: String) -> Request {
    get_request(path, description)
        .with_parameter("depth", MAX_DEPTH)
        .with_parameter("limit", MAX_COMMENTS)
        .with_parameter("sort", "old")
}

pub(crate) fn thread_request(id: ThingId) -> Request {
    let id = id.to_string();
    comments_request(["comments/", &id].concat(), ["thread ", &id].concat())
}

pub(crate) fn comment_tree_request(thread: ThingId, comment: ThingId) -> Request {
    comments_request(
        format!("comments/{thread}/_/{comment}"),
        format!("thread {thread} below comment {comment}"),
    )
}

/// Takes 1 to [`MAX_COMMENTS_PER_REQUEST`] comments.
pub(crate) fn more_comments_request(thread: ThingId, comments: &[ThingId]) -> Request {
    let children: Vec<String> = comments.iter().map(ThingId::to_string).collect();
    let description = format!("{} more comments of thread {thread}", comments.len());
    Request::post(MORE_CHILDREN_PATH, MediaKind::Json, description)
        .with_form_field("api_type", "json")
        .with_form_field("children", children.join(","))
        .with_form_field("limit_children", false)
        .with_form_field("link_id", format_args!("t3_{thread}"))
        .with_form_field("raw_json", 1)
        .with_form_field("sort", "old")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(text: &str) -> ThingId {
        ThingId::parse(text).unwrap()
    }

    #[test]
    fn request_keys_round_trip() {
        let first = ListingPage {
            subreddit: "LanternTales".to_owned(),
            order: ThreadOrder::Top,
            limit: 100,
            after: None,
        };
        let second = ListingPage {
            order: ThreadOrder::New,
            limit: 20,
            after: Some((id("3hahrw"), 100)),
            ..first.clone()
        };
        for (question, key) in [
            (RedditRequest::Page(first), "GET r/LanternTales/top?limit=100&raw_json=1&t=all"),
            (
                RedditRequest::Page(second),
                "GET r/LanternTales/new?after=t3_3hahrw&count=100&limit=20&raw_json=1",
            ),
            (
                RedditRequest::Thread(id("3hahrw")),
                "GET comments/3hahrw?depth=10&limit=500&raw_json=1&sort=old",
            ),
            (
                RedditRequest::CommentTree {
                    thread: id("3hahrw"),
                    comment: id("cu5uyz1"),
                },
                "GET comments/3hahrw/_/cu5uyz1?depth=10&limit=500&raw_json=1&sort=old",
            ),
            (
                RedditRequest::MoreComments {
                    thread: id("3hahrw"),
                    comments: vec![id("a"), id("b")],
                },
                "POST api/morechildren api_type=json&children=a%2Cb&limit_children=false&\
                 link_id=t3_3hahrw&raw_json=1&sort=old",
            ),
        ] {
            assert_eq!(question.to_request().key(), key);
            assert_eq!(RedditRequest::parse(key), Some(question));
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
            assert_eq!(RedditRequest::parse(foreign), None, "{foreign}");
        }
    }
}
