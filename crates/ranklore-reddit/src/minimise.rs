//! Minimises an answer before archiving: no text written by users is kept.

use std::borrow::Cow;

use ranklore_source::json::{MemberAction, try_trim};

use crate::requests::RedditRequest;

/// The fields of every answer, and of error responses.
const SHARED_FIELDS: [&str; 12] = [
    "kind",
    "data",
    "children",
    "after",
    "json",
    "errors",
    "things",
    "id",
    "subreddit",
    "error",
    "message",
    "reason",
];

/// The fields that are read from comments, and the number of comments that a thread announces.
const COMMENT_FIELDS: [&str; 8] = [
    "author",
    "score",
    "score_hidden",
    "link_id",
    "parent_id",
    "replies",
    "count",
    "num_comments",
];

/// Keeps the members that are read, at any depth, and drops all others: bodies, titles, addresses
/// made of titles, and fields added by the site later. Keeps nothing of a body that is not JSON.
pub(crate) fn minimise<'b>(question: Option<&RedditRequest>, body: &'b [u8]) -> Cow<'b, [u8]> {
    let fields: &[&str] = match question {
        None => return Cow::Borrowed(&[]),
        Some(RedditRequest::Page(_)) => &["created_utc"],
        Some(
            RedditRequest::Thread(_)
            | RedditRequest::CommentTree { .. }
            | RedditRequest::MoreComments { .. },
        ) => &COMMENT_FIELDS,
    };
    // Values are searched too, since an object in place of a string could contain anything.
    let left = try_trim(body, |path| {
        let name = path.rsplit_once('.').map_or(path, |(_, name)| name);
        if fields.contains(&name) || SHARED_FIELDS.contains(&name) {
            MemberAction::Descend
        } else {
            MemberAction::Drop
        }
    });
    left.unwrap_or(Cow::Borrowed(&[]))
}

/// Returns an answer about a thread without the scores of its comments; `None` for other requests, and
/// for a body that is not JSON.
pub(crate) fn without_scores<'b>(
    question: Option<&RedditRequest>,
    body: &'b [u8],
) -> Option<Cow<'b, [u8]>> {
    match question? {
        RedditRequest::Page(_) => None,
        RedditRequest::Thread(_)
        | RedditRequest::CommentTree { .. }
        | RedditRequest::MoreComments { .. } => try_trim(body, |path| {
            if path.rsplit('.').next() == Some("score") {
                MemberAction::Drop
            } else {
                MemberAction::Descend
            }
        }),
    }
}
