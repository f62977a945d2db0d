//! Answers that are kept, and the turns of equal requests.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Duration;

use ranklore_views::BoundedCache;
use tokio::time::Instant;

use crate::content::Content;

/// The most bytes of all kept answers.
const MAX_BYTES: usize = 32 << 20;

/// The most bytes of an answer that is kept.
const MAX_ANSWER_BYTES: usize = 2 << 20;

/// The most answers that are kept.
const MAX_ANSWERS: usize = 1_024;

/// The number of requests in turn after which those that have ended are forgotten.
const MAX_TURNS: usize = 512;

/// The answers to requests, each for one state of the database. Those used least recently make room.
#[derive(Debug)]
pub(crate) struct AnswerCache {
    answers: BoundedCache<AnswerKey, KeptAnswer>,
    turns: Mutex<HashMap<String, Weak<Turn>>>,
}

/// Lets one of several equal requests be answered at a time: the others find its answer.
pub(crate) type Turn = tokio::sync::Mutex<()>;

/// The path with its parameters, and the `ETag` of the state.
type AnswerKey = (String, String);

#[derive(Clone, Debug)]
struct KeptAnswer {
    content: Content,
    made: Instant,
}

impl Default for AnswerCache {
    fn default() -> Self {
        let weigh = |answer: &KeptAnswer| answer.content.body.len();
        Self {
            answers: BoundedCache::weighted(MAX_ANSWERS, MAX_BYTES, weigh),
            turns: Mutex::default(),
        }
    }
}

/// The number of answers that are kept, their size, and their ages.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct KeptAnswers {
    pub(crate) count: usize,
    pub(crate) bytes: usize,
    pub(crate) oldest: Duration,
    pub(crate) newest: Duration,
}

impl AnswerCache {
    /// Returns the answer to a request for the state with this tag, if it is kept.
    pub(crate) fn get(&self, target: &str, tag: &str) -> Option<Content> {
        let key = (target.to_owned(), tag.to_owned());
        self.answers.get(&key).map(|answer| answer.content)
    }

    /// Keeps an answer unless it is large.
    pub(crate) fn insert(&self, target: String, tag: String, content: Content) {
        if content.body.len() <= MAX_ANSWER_BYTES {
            let made = Instant::now();
            self.answers.insert((target, tag), KeptAnswer { content, made });
        }
    }

    /// Returns the lock that equal requests wait for.
    pub(crate) fn turn(&self, target: &str) -> Arc<Turn> {
        let mut turns = self.turns.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(turn) = turns.get(target).and_then(Weak::upgrade) {
            return turn;
        }
        if turns.len() >= MAX_TURNS {
            turns.retain(|_, turn| turn.strong_count() > 0);
        }
        let turn = Arc::new(Turn::default());
        turns.insert(target.to_owned(), Arc::downgrade(&turn));
        turn
    }

    /// Counts the answers that are kept.
    pub(crate) fn count(&self) -> KeptAnswers {
        let answers = self.answers.values();
        let ages = answers.iter().map(|answer| answer.made.elapsed());
        KeptAnswers {
            count: answers.len(),
            bytes: answers.iter().map(|answer| answer.content.body.len()).sum(),
            oldest: ages.clone().max().unwrap_or_default(),
            newest: ages.min().unwrap_or_default(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(text: &str) -> Content {
        Content::csv(text.as_bytes().to_vec(), "a.csv")
    }

    fn insert(cache: &AnswerCache, target: &str, tag: &str, text: &str) {
        cache.insert(target.to_owned(), tag.to_owned(), answer(text));
    }

    fn text(cache: &AnswerCache, target: &str, tag: &str) -> Option<String> {
        let body = cache.get(target, tag)?.body;
        Some(String::from_utf8(body.to_vec()).unwrap())
    }

    #[test]
    fn answers_are_those_of_one_state() {
        let cache = AnswerCache::default();
        assert_eq!(text(&cache, "/a", "1"), None);
        insert(&cache, "/a", "1", "old");
        assert_eq!(text(&cache, "/a", "1").as_deref(), Some("old"));
        assert_eq!(text(&cache, "/a", "2"), None);
        assert_eq!(text(&cache, "/a?x=1", "1"), None);
        insert(&cache, "/b", "2", "new");
        assert_eq!(text(&cache, "/b", "2").as_deref(), Some("new"));
    }

    #[test]
    fn equal_requests_share_a_turn() {
        let cache = AnswerCache::default();
        let first = cache.turn("/a");
        assert!(Arc::ptr_eq(&first, &cache.turn("/a")));
        assert!(!Arc::ptr_eq(&first, &cache.turn("/b")));
        for index in 0..2 * MAX_TURNS {
            cache.turn(&index.to_string());
        }
        assert!(Arc::ptr_eq(&first, &cache.turn("/a")));
        assert!(cache.turns.lock().unwrap().len() <= MAX_TURNS);
    }

    #[test]
    fn kept_bytes_are_bounded() {
        let cache = AnswerCache::default();
        insert(&cache, "/large", "1", &"x".repeat(MAX_ANSWER_BYTES + 1));
        assert_eq!(text(&cache, "/large", "1"), None);
        let large = "x".repeat(MAX_ANSWER_BYTES);
        for index in 0..100 {
            insert(&cache, &index.to_string(), "1", &large);
            assert!(text(&cache, &index.to_string(), "1").is_some());
            assert!(cache.count().bytes <= MAX_BYTES);
        }
        assert_eq!(cache.count().count, MAX_BYTES / MAX_ANSWER_BYTES);
    }
}
