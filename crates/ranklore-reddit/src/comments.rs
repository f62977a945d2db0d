//! Readers of comments: of a thread, below one comment, or by their ids.

use std::collections::HashSet;
use std::fmt::Write as _;

use ranklore_source::{ItemCounts, ReadError, Reading, Results, json};

use crate::ask::{self, COMMENTS_A_REQUEST};
use crate::id::Id;
use crate::names::{DELETED, is_author, shown};
use crate::tally::{Tally, score as score_of};
use crate::thing::{Answer, Data, Kind, Listing, Thing};

/// The most comments that one document may leave out.
const MAX_MORE: usize = 1_000_000;

/// Reads a thread from its top.
pub(crate) fn read_thread(key: &str, body: &[u8], thread: Id) -> Result<Reading, ReadError> {
    let [head, comments] = two_listings(key, body)?;
    let subreddit = head_of(key, &head, thread)?;
    let mut walk = Walk::new(key, thread, "[1].data.children");
    walk.subreddit = Some(subreddit);
    walk.announced = (head.data.children.first()).and_then(|of| of.data.num_comments);
    walk.children(&comments.data.children, &Parent::Thread)?;
    walk.finish(&[])
}

/// Reads the replies to a comment. The comment itself is in the answer again and is not counted
/// again.
pub(crate) fn read_below(
    key: &str,
    body: &[u8],
    thread: Id,
    comment: Id,
) -> Result<Reading, ReadError> {
    let [head, comments] = two_listings(key, body)?;
    let subreddit = head_of(key, &head, thread)?;
    let mut walk = Walk::new(key, thread, "[1].data.children");
    walk.subreddit = Some(subreddit);
    match comments.data.children.as_slice() {
        // The comment was removed with all its replies.
        [] => {}
        [root] => {
            walk.path.push(0);
            walk.below(root, comment)?;
        }
        several => {
            let expected = format!("one comment, {comment}, not {}", several.len());
            return Err(ReadError::new(key, "[1].data.children", expected));
        }
    }
    walk.finish(&[])
}

/// Reads comments requested by id.
pub(crate) fn read_more(
    key: &str,
    body: &[u8],
    thread: Id,
    asked: &[Id],
) -> Result<Reading, ReadError> {
    let answer: Answer<'_> = json::parse(key, body)?;
    if !answer.json.errors.is_empty() {
        let expected = "an answer without errors";
        return Err(ReadError::new(key, "json.errors", expected));
    }
    let Some(data) = answer.json.data else {
        return Err(ReadError::new(
            key,
            "json.data",
            "the comments asked for, in data",
        ));
    };
    let mut walk = Walk::new(key, thread, "json.data.things");
    // A reply may precede its parent.
    let comments = data.things.iter().filter(|of| of.kind == Kind::Comment);
    let parent = Parent::Any {
        asked: asked.iter().copied().collect(),
        here: comments.filter_map(|of| Id::parse(&of.data.id.0)).collect(),
    };
    walk.children(&data.things, &parent)?;
    walk.finish(asked)
}

fn two_listings<'a>(key: &str, body: &'a [u8]) -> Result<[Listing<'a, Data<'a>>; 2], ReadError> {
    json::parse(key, body)
}

/// Returns the subreddit of the thread, after checking the thread's id.
fn head_of<'h>(
    key: &str,
    head: &'h Listing<'_, Data<'_>>,
    thread: Id,
) -> Result<&'h str, ReadError> {
    let wrong = |at: &str, expected: String| Err(ReadError::new(key, at, expected));
    let [only] = head.data.children.as_slice() else {
        let expected = format!("one thread, not {}", head.data.children.len());
        return wrong("[0].data.children", expected);
    };
    if only.kind != Kind::Thread {
        let expected = format!("t3, a thread, not {}", only.kind.word());
        return wrong("[0].data.children[0].kind", expected);
    }
    let id = &only.data.id.0;
    if Id::parse(id) != Some(thread) {
        let expected = format!("{thread}, the thread asked for, not {}", shown(id));
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
enum Parent {
    Thread,
    Comment(Id),
    /// Requested comments may reply to anything, all others to a comment in this answer.
    Any {
        asked: HashSet<Id>,
        here: HashSet<Id>,
    },
}

/// The state of reading a comment tree. Its depth is bounded by the nesting limit of documents.
struct Walk<'k> {
    key: &'k str,
    thread: Id,
    subreddit: Option<&'k str>,
    root: &'static str,
    /// The indices of the things being read, outermost first.
    path: Vec<usize>,
    seen: HashSet<Id>,
    tally: Tally,
    /// The number of comments that the site announces for the whole thread, if this document has
    /// it.
    announced: Option<u32>,
    /// The ids of comments that are left out.
    more: Vec<Id>,
    /// Comments whose replies are all left out.
    continued: Vec<Id>,
}

impl<'k> Walk<'k> {
    fn new(key: &'k str, thread: Id, root: &'static str) -> Self {
        Self {
            key,
            thread,
            subreddit: None,
            root,
            path: Vec::new(),
            seen: HashSet::new(),
            tally: Tally::default(),
            announced: None,
            more: Vec::new(),
            continued: Vec::new(),
        }
    }

    fn wrong(&self, field: &str, expected: impl Into<String>) -> ReadError {
        let mut at = self.root.to_owned();
        for (level, index) in self.path.iter().enumerate() {
            let between = if level > 0 {
                ".data.replies.data.children"
            } else {
                ""
            };
            // Writing to a String cannot fail.
            let _ = write!(at, "{between}[{index}]");
        }
        ReadError::new(self.key, format!("{at}.{field}"), expected)
    }

    fn children(
        &mut self,
        things: &'k [Thing<Data<'_>>],
        parent: &Parent,
    ) -> Result<(), ReadError> {
        for (index, thing) in things.iter().enumerate() {
            self.path.push(index);
            match thing.kind {
                Kind::Comment => self.comment(&thing.data, parent)?,
                Kind::More => self.left_out(&thing.data, parent)?,
                Kind::Thread => {
                    let expected = "t1, a comment, or more, not t3";
                    return Err(self.wrong("kind", expected));
                }
            }
            self.path.pop();
        }
        Ok(())
    }

    fn comment(&mut self, data: &'k Data<'_>, parent: &Parent) -> Result<(), ReadError> {
        let id = self.identified(data)?;
        self.reply_to(data, Some(id), parent)?;
        self.count(data)?;
        self.replies(data, id)
    }

    /// Reads the root of a continued thread, which was counted in the document before.
    fn below(&mut self, root: &'k Thing<Data<'_>>, comment: Id) -> Result<(), ReadError> {
        if root.kind != Kind::Comment {
            let expected = format!("t1, a comment, not {}", root.kind.word());
            return Err(self.wrong("kind", expected));
        }
        let id = self.identified(&root.data)?;
        if id != comment {
            let expected = format!("{comment}, the comment asked for, not {id}");
            return Err(self.wrong("data.id", expected));
        }
        self.replies(&root.data, id)
    }

    /// Returns the id of a comment, after checking its thread, its subreddit and that it is no
    /// duplicate.
    fn identified(&mut self, data: &'k Data<'_>) -> Result<Id, ReadError> {
        let id = &data.id.0;
        let Some(id) = Id::parse(id) else {
            let expected = format!("a comment as cu5uyz1, not {}", shown(id));
            return Err(self.wrong("data.id", expected));
        };
        let thread = data.link_id.as_ref().map_or("", |link| &link.0);
        if Id::of_name("t3_", thread) != Some(self.thread) {
            let expected = format!("t3_{}, not {}", self.thread, shown(thread));
            return Err(self.wrong("data.link_id", expected));
        }
        let subreddit = data.subreddit.as_ref().map_or("", |name| &name.0);
        match self.subreddit {
            Some(of_thread) if of_thread != subreddit => {
                let expected = format!("{of_thread:?}, not {}", shown(subreddit));
                return Err(self.wrong("data.subreddit", expected));
            }
            None if subreddit.is_empty() => {
                return Err(self.wrong("data.subreddit", "the subreddit of the thread"));
            }
            _ => self.subreddit = Some(subreddit),
        }
        if !self.seen.insert(id) {
            let expected = format!("a comment once, not {id} again");
            return Err(self.wrong("data.id", expected));
        }
        Ok(id)
    }

    /// Checks the parent of a comment. `id` is `None` for a "more" entry, which has no id of its
    /// own.
    fn reply_to(&self, data: &Data<'_>, id: Option<Id>, parent: &Parent) -> Result<(), ReadError> {
        let found = data.parent_id.as_ref().map_or("", |id| &id.0);
        let thread = Id::of_name("t3_", found) == Some(self.thread);
        let comment = Id::of_name("t1_", found);
        let (fits, expected) = match parent {
            Parent::Thread => (thread, format!("t3_{}", self.thread)),
            Parent::Comment(id) => (comment == Some(*id), format!("t1_{id}")),
            Parent::Any { asked, here } => {
                let to_any = id.is_none_or(|id| asked.contains(&id));
                let fits = to_any && (thread || comment.is_some());
                let to_one = comment.is_some_and(|id| here.contains(&id));
                (fits || to_one, "what it replies to".to_owned())
            }
        };
        if fits {
            return Ok(());
        }
        let expected = format!("{expected}, not {}", shown(found));
        Err(self.wrong("data.parent_id", expected))
    }

    /// Adds the score of a comment to its author.
    fn count(&mut self, data: &Data<'_>) -> Result<(), ReadError> {
        let Some(score) = data.score else {
            return Err(self.wrong("data.score", "the score of the comment"));
        };
        let score = score_of(score).map_err(|expected| self.wrong("data.score", expected))?;
        let Some(hidden) = data.score_hidden else {
            let expected = "whether the score is shown, in score_hidden";
            return Err(self.wrong("data.score_hidden", expected));
        };
        self.tally.arrived += 1;
        let author = data.author.as_ref().map_or("", |author| &author.0);
        if author == DELETED {
            self.tally.deleted += 1;
        } else if !is_author(author) || author.strip_prefix("t1_") == Some(&data.id.0) {
            let expected = format!("the name of an author, not {}", shown(author));
            return Err(self.wrong("data.author", expected));
        } else if hidden {
            self.tally.hidden += 1;
        } else {
            self.tally.add(author, score);
        }
        Ok(())
    }

    fn replies(&mut self, data: &'k Data<'_>, id: Id) -> Result<(), ReadError> {
        match &data.replies {
            None => Err(self.wrong("data.replies", "a listing, or \"\", as replies")),
            Some(replies) => match &replies.0 {
                None => Ok(()),
                Some(listing) => self.children(&listing.data.children, &Parent::Comment(id)),
            },
        }
    }

    /// Records comments that are left out: by id, or with the id `_` all replies to a comment.
    fn left_out(&mut self, data: &Data<'_>, parent: &Parent) -> Result<(), ReadError> {
        self.reply_to(data, None, parent)?;
        let Some(children) = &data.children else {
            return Err(self.wrong("data.children", "the comments left out, in children"));
        };
        if data.id.0 == "_" {
            let parent = data.parent_id.as_ref().map_or("", |id| &id.0);
            let Some(comment) = Id::of_name("t1_", parent) else {
                let expected = format!("the comment that goes on, not {}", shown(parent));
                return Err(self.wrong("data.parent_id", expected));
            };
            if !children.is_empty() {
                let expected = "nothing where the thread goes on elsewhere";
                return Err(self.wrong("data.children", expected));
            }
            self.continued.push(comment);
            return Ok(());
        }
        if !children.iter().any(|child| child.0 == data.id.0) {
            let expected = format!("comments with {} among them", shown(&data.id.0));
            return Err(self.wrong("data.children", expected));
        }
        for (index, child) in children.iter().enumerate() {
            let Some(id) = Id::parse(&child.0) else {
                let expected = format!("a comment as cu5uyz1, not {}", shown(&child.0));
                return Err(self.wrong(&format!("data.children[{index}]"), expected));
            };
            self.more.push(id);
        }
        if self.more.len() > MAX_MORE {
            let expected = format!("at most {MAX_MORE} comments left out of one answer");
            return Err(self.wrong("data.children", expected));
        }
        Ok(())
    }

    /// Returns the contents of the document. `asked` are the comments requested by id.
    fn finish(mut self, asked: &[Id]) -> Result<Reading, ReadError> {
        let thread = self.thread;
        // Sorted, because the order of the answer changes with scores and request keys must not.
        self.more.retain(|id| !self.seen.contains(id));
        self.more.sort_unstable();
        self.more.dedup();
        self.continued.sort_unstable();
        self.continued.dedup();
        let more = self.more.chunks(COMMENTS_A_REQUEST);
        let more = more.map(|comments| ask::more(thread, comments));
        let below = self.continued.iter().map(|id| ask::below(thread, *id));
        let parts = more.chain(below).collect();
        let mut asked = asked.to_vec();
        asked.sort_unstable();
        if !asked.is_empty() && self.more == asked {
            let expected = "some of the comments asked for, not all of them left out again";
            return Err(ReadError::new(self.key, self.root, expected));
        }
        Ok(Reading {
            left_out: self.tally.left_out(),
            results: vec![Results {
                counts: Some(ItemCounts {
                    items: "comments".to_owned(),
                    announced: self.announced,
                    arrived: self.tally.arrived,
                }),
                ..Results::new(thread.to_string(), self.tally.outcome())
            }],
            parts,
            ..Reading::default()
        })
    }
}
