//! Answers that are kept while the database does not change.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use crate::content::Content;

/// The most bytes of all kept answers.
const MAX_BYTES: usize = 32 << 20;

/// The most bytes of an answer that is kept.
const MAX_ANSWER_BYTES: usize = 1 << 20;

/// The number of requests in turn after which those that have ended are forgotten.
const MAX_TURNS: usize = 512;

/// The answers to requests for one state of the database.
#[derive(Debug, Default)]
pub(crate) struct AnswerCache {
    state: Mutex<StateAnswers>,
    turns: Mutex<HashMap<String, Weak<Turn>>>,
}

/// Lets one of several equal requests be answered at a time: the others find its answer.
pub(crate) type Turn = tokio::sync::Mutex<()>;

#[derive(Debug, Default)]
struct StateAnswers {
    /// The `ETag` of the state.
    tag: String,
    /// By path and parameters.
    answers: HashMap<String, Content>,
    bytes: usize,
}

impl AnswerCache {
    /// Returns the answer to a request for the state with this tag, if it is kept.
    pub(crate) fn get(&self, tag: &str, target: &str) -> Option<Content> {
        let state = self.lock();
        (state.tag == tag).then(|| state.answers.get(target).cloned())?
    }

    /// Keeps an answer. Those for other states are dropped, and all others if there are too many.
    pub(crate) fn insert(&self, tag: &str, target: String, answer: &Content) {
        let size = target.len() + answer.body.len();
        if size > MAX_ANSWER_BYTES {
            return;
        }
        let mut state = self.lock();
        if state.tag != tag || state.bytes + size > MAX_BYTES {
            *state = StateAnswers {
                tag: tag.to_owned(),
                ..StateAnswers::default()
            };
        }
        state.bytes += size;
        // An equal request may have had no turn.
        let key_bytes = target.len();
        if let Some(old) = state.answers.insert(target, answer.clone()) {
            state.bytes -= key_bytes + old.body.len();
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

    fn lock(&self) -> MutexGuard<'_, StateAnswers> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(text: &str) -> Content {
        Content::csv(text.as_bytes().to_vec(), "a.csv")
    }

    fn text(cache: &AnswerCache, tag: &str, target: &str) -> Option<String> {
        let body = cache.get(tag, target)?.body;
        Some(String::from_utf8(body.to_vec()).unwrap())
    }

    #[test]
    fn answers_are_those_of_one_state() {
        let cache = AnswerCache::default();
        assert_eq!(text(&cache, "1", "/a"), None);
        cache.insert("1", "/a".to_owned(), &answer("old"));
        assert_eq!(text(&cache, "1", "/a").as_deref(), Some("old"));
        assert_eq!(text(&cache, "2", "/a"), None);
        assert_eq!(text(&cache, "1", "/a?x=1"), None);
        cache.insert("2", "/b".to_owned(), &answer("new"));
        assert_eq!(text(&cache, "1", "/a"), None);
        assert_eq!(text(&cache, "2", "/b").as_deref(), Some("new"));
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
        cache.insert("1", "/large".to_owned(), &answer(&"x".repeat(MAX_ANSWER_BYTES)));
        assert_eq!(text(&cache, "1", "/large"), None);
        let half = "x".repeat(MAX_ANSWER_BYTES / 2);
        for index in 0..100 {
            for _ in 0..2 {
                cache.insert("1", index.to_string(), &answer(&half));
            }
            assert!(text(&cache, "1", &index.to_string()).is_some());
            let state = cache.lock();
            assert!(state.bytes <= MAX_BYTES);
            let real: usize =
                state.answers.iter().map(|(key, content)| key.len() + content.body.len()).sum();
            assert_eq!(real, state.bytes);
        }
    }
}
