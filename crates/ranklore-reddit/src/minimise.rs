//! What of an answer is archived: nothing that somebody wrote.

use std::borrow::Cow;

use ranklore_source::json::{Member, searched};

use crate::ask::Question;

/// What every answer is made of, and what a refusal says.
const FRAME: [&str; 12] = [
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

/// The fields read of comments, and the number of comments that their thread announces.
const COMMENT: [&str; 8] = [
    "author",
    "score",
    "score_hidden",
    "link_id",
    "parent_id",
    "replies",
    "count",
    "num_comments",
];

/// The members that are read, wherever they stand, and no others: no bodies, no titles, no
/// addresses made of titles, nothing that the site comes to have one day. Nothing at all of what
/// is no answer that could be searched for them.
pub(crate) fn minimise<'b>(question: Option<&Question>, body: &'b [u8]) -> Cow<'b, [u8]> {
    let comments = match question {
        None => return Cow::Borrowed(&[]),
        Some(Question::Page(_)) => false,
        Some(Question::Thread(_) | Question::Below { .. } | Question::More { .. }) => true,
    };
    // Values are looked into: an object in the place of a text may hold anything.
    let left = searched(body, |path| {
        let name = path.rsplit_once('.').map_or(path, |(_, name)| name);
        let mine = if comments {
            COMMENT.contains(&name)
        } else {
            name == "created_utc"
        };
        if mine || FRAME.contains(&name) {
            Member::Look
        } else {
            Member::Drop
        }
    });
    left.unwrap_or(Cow::Borrowed(&[]))
}
