//! A subreddit with changing threads, in the format of the site. Trees of comments omit some
//! comments by id, and refer to further documents for others.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::{Reply, Server};

/// Top-level comments in a tree; the others are omitted.
const WIDTH: usize = 3;

/// Levels of comments in a tree.
const DEPTH: usize = 2;

/// Text of every thread and comment, which must never be archived.
pub const TEXT: &str = "They spoke of the harbour";

/// The name of the subreddit.
pub const SUBREDDIT: &str = "LanternTales";

/// The state of a thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ThreadState {
    /// Visible.
    Public,
    /// Deleted.
    Deleted,
    /// In a private subreddit.
    Private,
}

/// A comment.
#[derive(Clone, Debug)]
pub struct Comment {
    /// The id.
    pub id: u32,
    /// The parent comment; none for a top-level comment.
    pub parent: Option<u32>,
    /// The author; none if the account is deleted.
    pub author: Option<String>,
    /// The score.
    pub score: i64,
}

/// A thread.
#[derive(Clone, Debug)]
pub struct Thread {
    /// The id.
    pub id: u32,
    /// Time of its creation, in Unix seconds.
    pub created: i64,
    /// The comments.
    pub comments: Vec<Comment>,
    /// The state.
    pub state: ThreadState,
}

impl Comment {
    /// Creates a comment of an author.
    pub fn new(id: u32, parent: Option<u32>, author: &str, score: i64) -> Self {
        Self {
            id,
            parent,
            author: Some(author.to_owned()),
            score,
        }
    }
}

fn comment_id(id: u32) -> String {
    format!("c{id:04}")
}

/// Comments that a document refers to without including them.
#[derive(Default)]
struct Omissions {
    omitted: Vec<u32>,
    continued: Vec<u32>,
}

impl Thread {
    /// Creates a thread with these comments, an hour later per id.
    pub fn new(id: u32, comments: Vec<Comment>) -> Self {
        Self {
            id,
            created: 1_717_243_200 + i64::from(id) * 3_600,
            comments,
            state: ThreadState::Public,
        }
    }

    /// Returns the id that the site uses.
    pub fn external_id(&self) -> String {
        format!("t{:04}", self.id)
    }

    /// Returns the target of the thread itself.
    pub fn target(&self) -> String {
        let id = self.external_id();
        format!("GET /comments/{id}?raw_json=1&depth=10&limit=500&sort=old")
    }

    /// Returns the sum of scores of each author.
    pub fn author_scores(&self) -> BTreeMap<String, i64> {
        let mut sums = BTreeMap::new();
        for comment in &self.comments {
            if let Some(author) = &comment.author
                && self.state != ThreadState::Deleted
            {
                *sums.entry(author.clone()).or_default() += comment.score;
            }
        }
        sums
    }

    fn replies(&self, parent: Option<u32>) -> Vec<&Comment> {
        let comments = self.comments.iter();
        comments.filter(|comment| comment.parent == parent).collect()
    }

    fn fullname(&self, parent: Option<u32>) -> String {
        match parent {
            Some(id) => format!("t1_{}", comment_id(id)),
            None => format!("t3_{}", self.external_id()),
        }
    }

    fn comment_json(&self, comment: &Comment, replies: &Value) -> Value {
        let author = comment.author.as_deref().unwrap_or("[deleted]");
        json!({"kind": "t1", "data": {
            "id": comment_id(comment.id), "name": self.fullname(Some(comment.id)),
            "link_id": self.fullname(None), "parent_id": self.fullname(comment.parent),
            "subreddit": SUBREDDIT, "author": author, "score": comment.score,
            "score_hidden": false, "body": TEXT, "replies": replies,
        }})
    }

    fn more_json(&self, parent: Option<u32>, comments: &[&Comment]) -> Value {
        let children: Vec<String> = comments.iter().map(|c| comment_id(c.id)).collect();
        json!({"kind": "more", "data": {
            "id": children[0], "parent_id": self.fullname(parent), "count": children.len(),
            "children": children,
        }})
    }

    /// Returns the tree below a comment or the thread, up to `depth` levels.
    fn tree_json(
        &self,
        parent: Option<u32>,
        depth: usize,
        omissions: &mut Omissions,
    ) -> Vec<Value> {
        let replies = self.replies(parent);
        let width = if parent.is_none() {
            WIDTH
        } else {
            replies.len()
        };
        let (here, elsewhere) = replies.split_at(width.min(replies.len()));
        let mut things = Vec::new();
        for &comment in here {
            let below = self.replies(Some(comment.id));
            let replies = if below.is_empty() {
                json!("")
            } else if depth > 1 {
                listing_json(&self.tree_json(Some(comment.id), depth - 1, omissions))
            } else {
                omissions.continued.push(comment.id);
                listing_json(&[json!({"kind": "more", "data": {
                    "id": "_", "parent_id": self.fullname(Some(comment.id)), "count": 0,
                    "children": [],
                }})])
            };
            things.push(self.comment_json(comment, &replies));
        }
        if !elsewhere.is_empty() {
            omissions.omitted.extend(elsewhere.iter().map(|comment| comment.id));
            things.push(self.more_json(parent, elsewhere));
        }
        things
    }

    /// Returns the comments requested by id, and references to their replies.
    fn more_children_json(&self, ids: &[u32], omissions: &mut Omissions) -> Value {
        let mut things = Vec::new();
        for &id in ids {
            let comment = self.comments.iter().find(|comment| comment.id == id);
            things.extend(comment.map(|comment| self.comment_json(comment, &json!(""))));
            let below = self.replies(Some(id));
            if !below.is_empty() {
                omissions.omitted.extend(below.iter().map(|comment| comment.id));
                things.push(self.more_json(Some(id), &below));
            }
        }
        json!({"json": {"errors": [], "data": {"things": things}}})
    }

    fn thread_json(&self) -> Value {
        listing_json(&[json!({"kind": "t3", "data": {
            "id": self.external_id(), "subreddit": SUBREDDIT, "title": TEXT,
            "author": "Keeper_Of_Lamps", "score": 412, "created_utc": self.created as f64,
            "num_comments": self.comments.len(),
        }})])
    }

    /// Returns the targets of all documents of the thread with their replies, the thread itself
    /// first.
    pub fn replies_by_target(&self) -> Vec<(String, Reply)> {
        let refusal = |status: u16, reason: &str| {
            let refusal = json!({"error": status, "reason": reason, "message": "no"});
            let body = refusal.to_string();
            vec![(self.target(), Reply::new(status, "application/json", body))]
        };
        match self.state {
            ThreadState::Public => {}
            ThreadState::Deleted => return refusal(404, "banned"),
            ThreadState::Private => return refusal(403, "private"),
        }
        let mut omissions = Omissions::default();
        let tree = self.tree_json(None, DEPTH, &mut omissions);
        let thread = json!([self.thread_json(), listing_json(&tree)]);
        let mut exchanges = vec![(self.target(), Reply::json(&thread))];
        let mut queue = vec![omissions];
        while let Some(mut omissions) = queue.pop() {
            omissions.omitted.sort_unstable();
            for ids in omissions.omitted.chunks(100) {
                let mut further = Omissions::default();
                let by_number = self.more_children_json(ids, &mut further);
                exchanges.push((self.more_target(ids), Reply::json(&by_number)));
                queue.push(further);
            }
            for id in omissions.continued {
                let mut further = Omissions::default();
                let below = listing_json(&self.tree_json(Some(id), DEPTH, &mut further));
                let comment = self.comments.iter().find(|comment| comment.id == id);
                let root: Vec<Value> =
                    comment.into_iter().map(|comment| self.comment_json(comment, &below)).collect();
                let document = json!([self.thread_json(), listing_json(&root)]);
                exchanges.push((self.subtree_target(id), Reply::json(&document)));
                queue.push(further);
            }
        }
        exchanges
    }

    /// Sets the replies of the server to the current state of the thread.
    pub fn publish_on(&self, server: &Server) {
        for (target, reply) in self.replies_by_target() {
            server.set_replies(&target, [reply]);
        }
    }

    fn more_target(&self, ids: &[u32]) -> String {
        let children: Vec<String> = ids.iter().map(|id| comment_id(*id)).collect();
        format!(
            "POST /api/morechildren api_type=json&children={}&limit_children=false\
             &link_id=t3_{}&raw_json=1&sort=old",
            children.join("%2C"),
            self.external_id()
        )
    }

    fn subtree_target(&self, id: u32) -> String {
        format!(
            "GET /comments/{}/_/{}?raw_json=1&depth=10&limit=500&sort=old",
            self.external_id(),
            comment_id(id)
        )
    }
}

fn listing_json(children: &[Value]) -> Value {
    json!({"kind": "Listing", "data": {"after": null, "children": children}})
}

/// Creates a page of a listing of threads; the last page unless a thread follows `after` it.
pub fn listing_page(threads: &[&Thread], after: Option<&Thread>) -> Reply {
    let children = threads.iter().map(|thread| {
        json!({"kind": "t3", "data": {
            "id": thread.external_id(), "subreddit": SUBREDDIT, "title": TEXT,
            "author": "Keeper_Of_Lamps", "score": 412, "created_utc": thread.created as f64,
        }})
    });
    let after = after.map(|thread| format!("t3_{}", thread.external_id()));
    Reply::json(&json!({"kind": "Listing", "data": {
        "after": after, "children": children.collect::<Vec<_>>(),
    }}))
}

/// Creates a thread of five documents: the tree of comments, two with comments that it omits, and
/// two with subtrees.
pub fn sample_thread() -> Thread {
    let comment = Comment::new;
    Thread::new(
        1,
        vec![
            comment(1, None, "Ada_L", 10),
            comment(2, Some(1), "Bea-1", 4),
            comment(3, Some(2), "Cem", -2),
            comment(4, Some(3), "Ada_L", 1),
            comment(5, Some(4), "Dov", 7),
            comment(6, None, "Bea-1", 3),
            comment(7, None, "Eve", 0),
            comment(8, None, "Fay", 5),
            comment(9, Some(8), "Ada_L", 20),
            comment(10, None, "Bea-1", 1),
        ],
    )
}
