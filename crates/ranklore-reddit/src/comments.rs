//! Readers of comments: of a thread, below one comment, or by their ids.

use std::collections::HashSet;

use ranklore_source::{ItemCounts, Results, SiteReadError, SiteReading, json};

use crate::id::ThingId;
use crate::names::{DELETED_AUTHOR, is_author_name, quote_short};
use crate::requests::{self, MAX_COMMENTS_PER_REQUEST};
use crate::tally::{AuthorScores, check_score as score_of};
use crate::things::{CommentListing, MoreChildrenResponse, Replies, Thing, ThingData, ThingKind};

/// The most comments that one document may leave out.
const MAX_LEFT_OUT: usize = 1_000_000;

/// Reads a thread from its top, or the replies to a comment. That comment is in the answer again and
/// is not counted again.
pub(crate) fn read_thread(
    key: &str,
    body: &[u8],
    thread: ThingId,
    comment: Option<ThingId>,
) -> Result<SiteReading, SiteReadError> {
    let [head, comments]: [CommentListing<'_>; 2] = json::parse(key, body)?;
    let mut walk = CommentReader::new(key, thread, "[1].data.children");
    walk.subreddit = Some(parse_subreddit(key, &head, thread)?);
    let children = comments.data.children.as_slice();
    match (comment, children) {
        (None, _) => {
            let thread = head.data.children.first();
            walk.announced = thread.and_then(|thread| thread.data.num_comments);
            walk.read_children(children, &ExpectedParent::Thread)?;
        }
        // The comment was removed with all its replies.
        (Some(_), []) => {}
        (Some(comment), [root]) => {
            walk.path.push(0);
            walk.read_root_comment(root, comment)?;
        }
        (Some(comment), several) => {
            let expected = format!("one comment, {comment}, not {}", several.len());
            return Err(SiteReadError::new(key, "[1].data.children", expected));
        }
    }
    walk.finish(&[])
}

/// Reads comments requested by id.
pub(crate) fn read_more_comments(
    key: &str,
    body: &[u8],
    thread: ThingId,
    requested: &[ThingId],
) -> Result<SiteReading, SiteReadError> {
    let answer: MoreChildrenResponse<'_> = json::parse(key, body)?;
    if !answer.json.errors.is_empty() {
        let expected = "an answer without errors";
        return Err(SiteReadError::new(key, "json.errors", expected));
    }
    let Some(data) = answer.json.data else {
        let expected = "the comments asked for, in data";
        return Err(SiteReadError::new(key, "json.data", expected));
    };
    let mut walk = CommentReader::new(key, thread, "json.data.things");
    // A reply may precede its parent.
    let things = data.things.iter();
    let comments = things.filter(|thing| thing.kind == ThingKind::Comment);
    let parent = ExpectedParent::AnyOf {
        requested: requested.iter().copied().collect(),
        included: comments.filter_map(|comment| ThingId::parse(&comment.data.id.0)).collect(),
    };
    walk.read_children(&data.things, &parent)?;
    walk.finish(requested)
}

/// Returns the subreddit of the thread, after checking the thread's id.
fn parse_subreddit<'h>(
    key: &str,
    head: &'h CommentListing<'_>,
    thread: ThingId,
) -> Result<&'h str, SiteReadError> {
    let wrong = |at: &str, expected: String| Err(SiteReadError::new(key, at, expected));
    let [only] = head.data.children.as_slice() else {
        let expected = format!("one thread, not {}", head.data.children.len());
        return wrong("[0].data.children", expected);
    };
    if only.kind != ThingKind::Thread {
        let expected = format!("t3, a thread, not {}", only.kind.as_str());
        return wrong("[0].data.children[0].kind", expected);
    }
    let id = &only.data.id.0;
    if ThingId::parse(id) != Some(thread) {
        let expected = format!("{thread}, the thread asked for, not {}", quote_short(id));
        return wrong("[0].data.children[0].data.id", expected);
    }
    match &only.data.subreddit {
        Some(subreddit) if !subreddit.0.is_empty() => Ok(&subreddit.0),
        _ => {
            let expected = "the subreddit of the thread".to_owned();
            wrong("[0].data.children[0].data.subreddit", expected)
        }
    }
}

/// The parents that a comment may reply to.
enum ExpectedParent {
    Thread,
    Comment(ThingId),
    /// Requested comments may reply to anything, all others to a comment in this answer.
    AnyOf {
        requested: HashSet<ThingId>,
        included: HashSet<ThingId>,
    },
}

/// The state of reading a comment tree. Its depth is bounded by the nesting limit of documents.
struct CommentReader<'k> {
    key: &'k str,
    thread: ThingId,
    subreddit: Option<&'k str>,
    root: &'static str,
    /// The indices of the things being read, outermost first.
    path: Vec<usize>,
    read_ids: HashSet<ThingId>,
    tally: AuthorScores,
    /// The number of comments that the site announces for the whole thread, if this document has
    /// it.
    announced: Option<u32>,
    /// The ids of comments that are left out.
    left_out: Vec<ThingId>,
    /// Comments whose replies are all left out.
    continued: Vec<ThingId>,
}

impl<'k> CommentReader<'k> {
    fn new(key: &'k str, thread: ThingId, root: &'static str) -> Self {
        Self {
            key,
            thread,
            subreddit: None,
            root,
            path: Vec::new(),
            read_ids: HashSet::new(),
            tally: AuthorScores::default(),
            announced: None,
            left_out: Vec::new(),
            continued: Vec::new(),
        }
    }

    fn error_at(&self, field: &str, expected: impl Into<String>) -> SiteReadError {
        let indices: Vec<String> = self.path.iter().map(|index| format!("[{index}]")).collect();
        let path = indices.join(".data.replies.data.children");
        SiteReadError::new(self.key, format!("{}{path}.{field}", self.root), expected)
    }

    fn read_children(
        &mut self,
        things: &'k [Thing<ThingData<'_>>],
        parent: &ExpectedParent,
    ) -> Result<(), SiteReadError> {
        for (index, thing) in things.iter().enumerate() {
            self.path.push(index);
            match thing.kind {
                ThingKind::Comment => self.read_comment(&thing.data, parent)?,
                ThingKind::More => self.read_left_out(&thing.data, parent)?,
                ThingKind::Thread => {
                    let expected = "t1, a comment, or more, not t3";
                    return Err(self.error_at("kind", expected));
                }
            }
            self.path.pop();
        }
        Ok(())
    }

    fn read_comment(
        &mut self,
        data: &'k ThingData<'_>,
        parent: &ExpectedParent,
    ) -> Result<(), SiteReadError> {
        let id = self.check_identity(data)?;
        self.check_parent(data, Some(id), parent)?;
        self.count_score(data)?;
        self.read_replies(data, id)
    }

    /// Reads the root of a continued thread, which was counted in the document before.
    fn read_root_comment(
        &mut self,
        root: &'k Thing<ThingData<'_>>,
        comment: ThingId,
    ) -> Result<(), SiteReadError> {
        if root.kind != ThingKind::Comment {
            let expected = format!("t1, a comment, not {}", root.kind.as_str());
            return Err(self.error_at("kind", expected));
        }
        let id = self.check_identity(&root.data)?;
        if id != comment {
            let expected = format!("{comment}, the comment asked for, not {id}");
            return Err(self.error_at("data.id", expected));
        }
        self.read_replies(&root.data, id)
    }

    /// Returns the id of a comment, after checking its thread, its subreddit and that it is no
    /// duplicate.
    fn check_identity(&mut self, data: &'k ThingData<'_>) -> Result<ThingId, SiteReadError> {
        let id = &data.id.0;
        let Some(id) = ThingId::parse(id) else {
            let expected = format!("a comment as cu5uyz1, not {}", quote_short(id));
            return Err(self.error_at("data.id", expected));
        };
        let thread = data.link_id.as_ref().map_or("", |link| &link.0);
        if ThingId::from_full_name("t3_", thread) != Some(self.thread) {
            let expected = format!("t3_{}, not {}", self.thread, quote_short(thread));
            return Err(self.error_at("data.link_id", expected));
        }
        let subreddit = data.subreddit.as_ref().map_or("", |name| &name.0);
        match self.subreddit {
            Some(of_thread) if of_thread != subreddit => {
                let expected = format!("{of_thread:?}, not {}", quote_short(subreddit));
                return Err(self.error_at("data.subreddit", expected));
            }
            None if subreddit.is_empty() => {
                return Err(self.error_at("data.subreddit", "the subreddit of the thread"));
            }
            _ => self.subreddit = Some(subreddit),
        }
        if !self.read_ids.insert(id) {
            let expected = format!("a comment once, not {id} again");
            return Err(self.error_at("data.id", expected));
        }
        Ok(id)
    }

    /// Checks the parent of a comment. `id` is `None` for a "more" entry, which has no id of its
    /// own.
    fn check_parent(
        &self,
        data: &ThingData<'_>,
        id: Option<ThingId>,
        parent: &ExpectedParent,
    ) -> Result<(), SiteReadError> {
        let parent_id = data.parent_id.as_ref().map_or("", |id| &id.0);
        let is_thread = ThingId::from_full_name("t3_", parent_id) == Some(self.thread);
        let comment = ThingId::from_full_name("t1_", parent_id);
        let (fits, expected) = match parent {
            ExpectedParent::Thread => (is_thread, format!("t3_{}", self.thread)),
            ExpectedParent::Comment(id) => (comment == Some(*id), format!("t1_{id}")),
            ExpectedParent::AnyOf {
                requested,
                included,
            } => {
                let is_requested = id.is_none_or(|id| requested.contains(&id));
                let fits = is_requested && (is_thread || comment.is_some())
                    || comment.is_some_and(|id| included.contains(&id));
                (fits, "what it replies to".to_owned())
            }
        };
        if fits {
            return Ok(());
        }
        let expected = format!("{expected}, not {}", quote_short(parent_id));
        Err(self.error_at("data.parent_id", expected))
    }

    /// Adds the score of a comment to its author.
    fn count_score(&mut self, data: &ThingData<'_>) -> Result<(), SiteReadError> {
        let Some(score) = data.score else {
            return Err(self.error_at("data.score", "the score of the comment"));
        };
        let score = score_of(score).map_err(|expected| self.error_at("data.score", expected))?;
        let Some(hidden) = data.score_hidden else {
            let expected = "whether the score is shown, in score_hidden";
            return Err(self.error_at("data.score_hidden", expected));
        };
        self.tally.arrived += 1;
        let author = data.author.as_ref().map_or("", |author| &author.0);
        if author == DELETED_AUTHOR {
            self.tally.deleted += 1;
        } else if !is_author_name(author) || author.strip_prefix("t1_") == Some(&data.id.0) {
            let expected = format!("the name of an author, not {}", quote_short(author));
            return Err(self.error_at("data.author", expected));
        } else if hidden {
            self.tally.hidden += 1;
        } else {
            self.tally.add(author, score);
        }
        Ok(())
    }

    fn read_replies(&mut self, data: &'k ThingData<'_>, id: ThingId) -> Result<(), SiteReadError> {
        match &data.replies {
            None => Err(self.error_at("data.replies", "a listing, or \"\", as replies")),
            Some(Replies(None)) => Ok(()),
            Some(Replies(Some(listing))) => {
                self.read_children(&listing.data.children, &ExpectedParent::Comment(id))
            }
        }
    }

    /// Records comments that are left out: by id, or with the id `_` all replies to a comment.
    fn read_left_out(
        &mut self,
        data: &ThingData<'_>,
        parent: &ExpectedParent,
    ) -> Result<(), SiteReadError> {
        self.check_parent(data, None, parent)?;
        let Some(children) = &data.children else {
            return Err(self.error_at("data.children", "the comments left out, in children"));
        };
        if data.id.0 == "_" {
            let parent = data.parent_id.as_ref().map_or("", |id| &id.0);
            let Some(comment) = ThingId::from_full_name("t1_", parent) else {
                let expected = format!("the comment that goes on, not {}", quote_short(parent));
                return Err(self.error_at("data.parent_id", expected));
            };
            if !children.is_empty() {
                let expected = "nothing where the thread goes on elsewhere";
                return Err(self.error_at("data.children", expected));
            }
            self.continued.push(comment);
            return Ok(());
        }
        if !children.iter().any(|child| child.0 == data.id.0) {
            let expected = format!("comments with {} among them", quote_short(&data.id.0));
            return Err(self.error_at("data.children", expected));
        }
        for (index, child) in children.iter().enumerate() {
            let Some(id) = ThingId::parse(&child.0) else {
                let expected = format!("a comment as cu5uyz1, not {}", quote_short(&child.0));
                return Err(self.error_at(&format!("data.children[{index}]"), expected));
            };
            self.left_out.push(id);
        }
        if self.left_out.len() > MAX_LEFT_OUT {
            let expected = format!("at most {MAX_LEFT_OUT} comments left out of one answer");
            return Err(self.error_at("data.children", expected));
        }
        Ok(())
    }

    /// Returns the contents of the document. `requested` are the comments requested by id.
    fn finish(mut self, requested: &[ThingId]) -> Result<SiteReading, SiteReadError> {
        let thread = self.thread;
        // Sorted, because the order of the answer changes with scores and request keys must not.
        self.left_out.retain(|id| !self.read_ids.contains(id));
        self.left_out.sort_unstable();
        self.left_out.dedup();
        self.continued.sort_unstable();
        self.continued.dedup();
        let below = self.continued.iter().map(|id| requests::comment_tree_request(thread, *id));
        let parts = self
            .left_out
            .chunks(MAX_COMMENTS_PER_REQUEST)
            .map(|comments| requests::more_comments_request(thread, comments))
            .chain(below)
            .collect();
        let mut requested = requested.to_vec();
        requested.sort_unstable();
        if !requested.is_empty() && self.left_out == requested {
            let expected = "some of the comments asked for, not all of them left out again";
            return Err(SiteReadError::new(self.key, self.root, expected));
        }
        Ok(SiteReading {
            left_out: self.tally.left_out(),
            results: vec![Results {
                counts: Some(ItemCounts {
                    items: "comments".to_owned(),
                    announced: self.announced,
                    arrived: self.tally.arrived,
                }),
                ..Results::new(thread.to_string(), self.tally.into_outcome())
            }],
            parts,
            ..SiteReading::default()
        })
    }
}
