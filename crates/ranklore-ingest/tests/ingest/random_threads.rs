//! Property test of syncs of changing threads: no result is a partial sum, deleted names are gone,
//! and a rebuild gives the same database.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;
use ranklore_test_support::Reply;
use ranklore_test_support::subreddit::{Comment, Thread, ThreadState};

use super::threads::MinedSubreddit;

const AUTHORS: [&str; 5] = ["Ada_L", "Bea-1", "Cem_C", "Dov_D", "Eve_E"];

const THREADS: usize = 3;

/// A change on the site before a sync.
#[derive(Clone, Debug)]
enum Change {
    CommentAdded {
        thread: usize,
        below: usize,
        author: usize,
        score: i64,
    },
    ScoreChanged {
        thread: usize,
        comment: usize,
        by: i64,
    },
    /// A user deletes the account and continues with a new one.
    AccountDeleted {
        author: usize,
    },
    StateChanged {
        thread: usize,
        state: ThreadState,
    },
    /// The list has exactly these threads.
    ListReplaced(Vec<usize>),
}

/// An error of one document of a thread.
#[derive(Clone, Copy, Debug)]
enum Fault {
    NotFound,
    Unreadable,
}

#[derive(Clone, Debug)]
struct Step {
    changes: Vec<Change>,
    /// The thread, the index of the document, and the error.
    fault: Option<(usize, usize, Fault)>,
    limit: Option<usize>,
}

fn change() -> impl Strategy<Value = Change> {
    let thread = || 0..THREADS;
    prop_oneof![
        6 => (thread(), 0..12_usize, 0..AUTHORS.len(), -5..20_i64).prop_map(
            |(thread, below, author, score)| Change::CommentAdded { thread, below, author, score }
        ),
        2 => (thread(), 0..12_usize, -3..9_i64)
            .prop_map(|(thread, comment, by)| Change::ScoreChanged { thread, comment, by }),
        2 => (0..AUTHORS.len()).prop_map(|author| Change::AccountDeleted { author }),
        1 => (thread(), prop::sample::select(vec![ThreadState::Public, ThreadState::Public, ThreadState::Deleted, ThreadState::Private]))
            .prop_map(|(thread, state)| Change::StateChanged { thread, state }),
        1 => prop::sample::subsequence(vec![0, 1, 2], 1..=3).prop_map(Change::ListReplaced),
    ]
}

fn step() -> impl Strategy<Value = Step> {
    let fault = (
        0..THREADS,
        0..5_usize,
        prop::sample::select(vec![Fault::NotFound, Fault::Unreadable]),
    );
    let limit = prop_oneof![5 => Just(None), 1 => Just(Some(1))];
    (prop::collection::vec(change(), 0..9), prop::option::of(fault), limit).prop_map(
        |(changes, fault, limit)| Step {
            changes,
            fault,
            limit,
        },
    )
}

/// The comments of a thread with their parents and authors, and the place of each author.
type ThreadShape = (Vec<(u32, Option<u32>, Option<String>)>, BTreeMap<String, usize>);

fn shape_of(thread: &Thread) -> ThreadShape {
    let comments = thread.comments.iter();
    let scores = thread.author_scores();
    let places = scores.iter().map(|(author, score)| {
        let above = scores.values().filter(|other| *other > score).count();
        (author.clone(), above)
    });
    let comments = comments.map(|comment| (comment.id, comment.parent, comment.author.clone()));
    (comments.collect(), places.collect())
}

/// The threads of the site, and the names of deleted accounts.
struct RedditWorld {
    threads: Vec<Thread>,
    listed: BTreeSet<usize>,
    comments: u32,
    /// The current name of each author.
    current_names: Vec<String>,
    left: Vec<String>,
}

impl RedditWorld {
    fn new() -> Self {
        Self {
            threads: (1..).map(|id| Thread::new(id, Vec::new())).take(THREADS).collect(),
            listed: BTreeSet::from([0, 1]),
            comments: 0,
            current_names: AUTHORS.map(str::to_owned).to_vec(),
            left: Vec::new(),
        }
    }

    fn apply(&mut self, change: Change) {
        match change {
            Change::CommentAdded {
                thread,
                below,
                author,
                score,
            } => {
                self.comments += 1;
                let comments = &mut self.threads[thread].comments;
                let parent = comments.get(below).map(|comment| comment.id);
                let author = &self.current_names[author];
                comments.push(Comment::new(self.comments, parent, author, score));
            }
            Change::ScoreChanged {
                thread,
                comment,
                by,
            } => {
                if let Some(comment) = self.threads[thread].comments.get_mut(comment) {
                    comment.score += by;
                }
            }
            Change::AccountDeleted { author } => {
                let next = format!("Warden-{:03}", self.left.len());
                let left = std::mem::replace(&mut self.current_names[author], next);
                let comments = self.threads.iter_mut().flat_map(|thread| &mut thread.comments);
                for comment in comments.filter(|comment| comment.author.as_ref() == Some(&left)) {
                    comment.author = None;
                }
                self.left.push(left);
            }
            Change::StateChanged { thread, state } => self.threads[thread].state = state,
            Change::ListReplaced(listed) => self.listed = listed.into_iter().collect(),
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, ..ProptestConfig::default() })]

    #[test]
    fn random_thread_changes_stay_consistent(steps in prop::collection::vec(step(), 1..7)) {
        let mut mined = MinedSubreddit::new();
        let mut world = RedditWorld::new();
        let mut known = BTreeSet::new();
        // The scores of each thread when it was last read completely with another order or other
        // comments.
        let mut last_scores: BTreeMap<usize, BTreeMap<String, i64>> = BTreeMap::new();
        let mut last_shapes: BTreeMap<usize, ThreadShape> = BTreeMap::new();
        let mut unsettled = BTreeSet::new();
        let mut is_complete = true;
        for step in steps {
            step.changes.into_iter().for_each(|change| world.apply(change));
            known.extend(world.listed.iter().copied());
            let listed: Vec<&Thread> = world.listed.iter().map(|index| &world.threads[*index]).collect();
            mined.set_listed(&listed);
            for thread in &world.threads {
                thread.publish_on(&mined.server);
            }
            let faulty = step.fault.filter(|(thread, _, _)| known.contains(thread));
            let faulty = faulty.and_then(|(thread, part, fault)| {
                let (target, answer) = world.threads[thread].replies_by_target().into_iter().nth(part)?;
                let answer = match fault {
                    Fault::NotFound => Reply::new(404, "text/html", "<html>no</html>"),
                    Fault::Unreadable => {
                        let body = String::from_utf8(answer.body).unwrap();
                        let odd = body.replace("\"link_id\":", "\"of\":");
                        if odd == body {
                            return None;
                        }
                        Reply::new(answer.status, "application/json", odd)
                    }
                };
                mined.server.set_replies(&target, [answer]);
                Some(thread)
            });
            mined.server.take_targets();
            mined.sync_limited(step.limit);
            let requests = mined.server.take_targets();
            is_complete = faulty.is_none();
            for &index in &known {
                let thread = &world.threads[index];
                is_complete &= requests.contains(&thread.target()) && thread.state != ThreadState::Private;
                let is_read = requests.contains(&thread.target()) && faulty != Some(index);
                let shape = (thread.state == ThreadState::Public).then(|| shape_of(thread));
                let actual = mined.sums(thread);
                if is_read && thread.state != ThreadState::Private {
                    let is_noise = shape.is_some() && shape.as_ref() == last_shapes.get(&index);
                    // After an answer without a result the scores may be those of either answer.
                    let keeps_scores = is_noise
                        && (!unsettled.contains(&index) || actual != thread.author_scores());
                    if !keeps_scores {
                        last_scores.insert(index, thread.author_scores());
                    }
                    unsettled.remove(&index);
                    match shape {
                        Some(shape) => drop(last_shapes.insert(index, shape)),
                        None => drop(last_shapes.remove(&index)),
                    }
                } else if requests.contains(&thread.target()) {
                    unsettled.insert(index);
                }
                let expected = last_scores.get(&index).cloned().unwrap_or_default();
                prop_assert_eq!(actual, expected, "thread {}", index);
            }
        }
        if is_complete {
            for left in &world.left {
                prop_assert!(!mined.database_contains(left) && !mined.archive_contains(left), "{}", left);
            }
        }
        mined.assert_rebuild_is_stable();
    }
}
