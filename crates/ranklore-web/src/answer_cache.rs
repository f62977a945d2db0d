//! Answers that are kept while the database does not change.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use crate::answers::Content;

/// The most bytes of all kept answers.
const MAX_BYTES: usize = 32 << 20;

/// The most bytes of an answer that is kept.
const MAX_ANSWER_BYTES: usize = 1 << 20;

/// The number of requests in turn after which those that have ended are forgotten.
const MAX_TURNS: usize = 512;

/// The answers to requests for one state of the database.
#[derive(Debug, Default)]
pub(crate) struct AnswerCache {
    kept: Mutex<KeptAnswers>,
    turns: Mutex<HashMap<String, Weak<Turn>>>,
}

/// Lets one of several equal requests be answered at a time: the others find its answer.
pub(crate) type Turn = tokio::sync::Mutex<()>;

#[derive(Debug, Default)]
struct KeptAnswers {
    /// The `ETag` of the state.
    tag: String,
    /// By path and parameters.
    answers: HashMap<String, Content>,
    bytes: usize,
}

impl AnswerCache {
    /// Returns the answer to a request for the state with this tag, if it is kept.
    pub(crate) fn get(&self, tag: &str, target: &str) -> Option<Content> {
        let kept = self.lock();
        (kept.tag == tag).then(|| kept.answers.get(target).cloned())?
    }

    /// Keeps an answer. Those for other states are dropped, and all others if there are too many.
    pub(crate) fn put(&self, tag: &str, target: String, answer: &Content) {
        let size = target.len() + answer.len();
        if size > MAX_ANSWER_BYTES {
            return;
        }
        let mut kept = self.lock();
        if kept.tag != tag || kept.bytes + size > MAX_BYTES {
            *kept = KeptAnswers {
                tag: tag.to_owned(),
                ..KeptAnswers::default()
            };
        }
        kept.bytes += size;
        // An equal request may have had no turn.
        let key = target.len();
        if let Some(old) = kept.answers.insert(target, answer.clone()) {
            kept.bytes -= key + old.len();
        }
    }

    /// Returns what equal requests wait for.
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

    fn lock(&self) -> MutexGuard<'_, KeptAnswers> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(text: &str) -> Content {
        Content::csv(text.as_bytes().to_vec(), "a.csv")
    }

    fn text(cache: &AnswerCache, tag: &str, target: &str) -> Option<String> {
        let (body, _) = cache.get(tag, target)?.into_parts();
        Some(String::from_utf8(body.to_vec()).unwrap())
    }

    #[test]
    fn answers_are_those_of_one_state() {
        let cache = AnswerCache::default();
        assert_eq!(text(&cache, "1", "/a"), None);
        cache.put("1", "/a".to_owned(), &answer("old"));
        assert_eq!(text(&cache, "1", "/a").as_deref(), Some("old"));
        assert_eq!(text(&cache, "2", "/a"), None);
        assert_eq!(text(&cache, "1", "/a?x=1"), None);
        cache.put("2", "/b".to_owned(), &answer("new"));
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
        cache.put(
            "1",
            "/large".to_owned(),
            &answer(&"x".repeat(MAX_ANSWER_BYTES)),
        );
        assert_eq!(text(&cache, "1", "/large"), None);
        let half = "x".repeat(MAX_ANSWER_BYTES / 2);
        for index in 0..100 {
            for _ in 0..2 {
                cache.put("1", index.to_string(), &answer(&half));
            }
            assert!(text(&cache, "1", &index.to_string()).is_some());
            let kept = cache.lock();
            assert!(kept.bytes <= MAX_BYTES);
            let real: usize = kept
                .answers
                .iter()
                .map(|(key, of)| key.len() + of.len())
                .sum();
            assert_eq!(real, kept.bytes);
        }
    }
}
