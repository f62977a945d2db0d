//! Answers that are kept, and the turns of equal requests.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

use hashlink::LruCache;
use tokio::time::Instant;

use crate::content::Content;

/// The most bytes of all kept answers.
const MAX_BYTES: usize = 32 << 20;

/// The most bytes of an answer that is kept.
const MAX_ANSWER_BYTES: usize = 2 << 20;

/// The time after which an answer that nobody asks for makes room: its bytes lie between others of
/// the heap, which could not be given back.
const UNUSED_TIME: Duration = Duration::from_secs(20);

/// The bytes that an answer takes beside its path and its body.
const ENTRY_BYTES: usize = 512;

/// The number of requests in turn after which those that have ended are forgotten.
const MAX_TURNS: usize = 512;

/// The last answer to each request, with the state of the database that it is for. Those used least
/// recently make room.
#[derive(Debug, Default)]
pub(crate) struct AnswerCache {
    answers: Mutex<Answers>,
    turns: Mutex<HashMap<String, Weak<Turn>>>,
}

/// Lets one of several equal requests be answered at a time: the others find its answer.
pub(crate) type Turn = tokio::sync::Mutex<()>;

#[derive(Debug)]
struct Answers {
    by_target: LruCache<String, KeptAnswer>,
    bytes: usize,
    /// The tag of the last state for which those of others were dropped.
    state: String,
}

impl Default for Answers {
    fn default() -> Self {
        Self {
            by_target: LruCache::new_unbounded(),
            bytes: 0,
            state: String::new(),
        }
    }
}

impl Answers {
    fn insert(&mut self, target: String, answer: KeptAnswer) {
        self.bytes += size(&target, &answer);
        if let Some(earlier) = self.by_target.remove(&target) {
            self.bytes -= size(&target, &earlier);
        }
        self.by_target.insert(target, answer);
        self.drop_while(|bytes, _| bytes > MAX_BYTES);
    }

    /// Drops answers, the one used least recently first, while the bytes of all and that answer meet
    /// a condition.
    fn drop_while(&mut self, condition: impl Fn(usize, &KeptAnswer) -> bool) {
        while let Some((_, first)) = self.by_target.iter().next()
            && condition(self.bytes, first)
            && let Some((target, answer)) = self.by_target.remove_lru()
        {
            self.bytes -= size(&target, &answer);
        }
    }
}

#[derive(Debug)]
struct KeptAnswer {
    /// The tag of the state.
    tag: String,
    content: Content,
    made: Instant,
    used: Instant,
}

/// Returns the bytes that count for an answer to a request.
const fn size(target: &str, answer: &KeptAnswer) -> usize {
    target.len() + answer.content.body.len() + ENTRY_BYTES
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
    /// Returns the answer to a request for the state with this tag, and the tag, if it is kept.
    pub(crate) fn get_with_tag(
        &self,
        target: &str,
        tag: Option<&str>,
    ) -> Option<(Content, String)> {
        let mut answers = lock(&self.answers);
        let answer = answers.by_target.get_mut(target).filter(|a| Some(&*a.tag) == tag)?;
        answer.used = Instant::now();
        Some((answer.content.clone(), answer.tag.clone()))
    }

    /// True if an answer to a request is kept, for any state.
    pub(crate) fn has(&self, target: &str) -> bool {
        lock(&self.answers).by_target.contains_key(target)
    }

    /// Drops the answers for other states than that with this tag.
    pub(crate) fn drop_other_states(&self, tag: &str) {
        let mut answers = lock(&self.answers);
        if answers.state != tag {
            answers.drop_while(|_, answer| answer.tag != tag);
            tag.clone_into(&mut answers.state);
        }
    }

    /// Keeps an answer unless it is large, in place of that to an equal request.
    pub(crate) fn insert(&self, target: String, tag: String, content: Content) {
        if content.body.len() <= MAX_ANSWER_BYTES {
            let made = Instant::now();
            let answer = KeptAnswer {
                tag,
                content,
                made,
                used: made,
            };
            lock(&self.answers).insert(target, answer);
        }
    }

    /// Drops the answers that no request has used for a while.
    pub(crate) fn drop_unused(&self) {
        let now = Instant::now();
        let mut answers = lock(&self.answers);
        answers.drop_while(|_, answer| now.duration_since(answer.used) >= UNUSED_TIME);
        if answers.by_target.is_empty() {
            // The table of a map does not shrink.
            *answers = Answers::default();
        }
    }

    /// Returns the lock that equal requests wait for.
    pub(crate) fn turn(&self, target: &str) -> Arc<Turn> {
        let mut turns = lock(&self.turns);
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
        let answers = lock(&self.answers);
        let ages = answers.by_target.iter().map(|(_, answer)| answer.made.elapsed());
        KeptAnswers {
            count: answers.by_target.len(),
            bytes: answers.bytes,
            oldest: ages.clone().max().unwrap_or_default(),
            newest: ages.min().unwrap_or_default(),
        }
    }
}

/// Locks what is whole also after a panic of another thread.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
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
        let body = cache.get_with_tag(target, Some(tag))?.0.body;
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
    fn answers_for_earlier_states_make_room_at_once() {
        let cache = AnswerCache::default();
        for target in ["/a", "/b", "/c"] {
            insert(&cache, target, "1", "old");
        }
        insert(&cache, "/b", "2", "new");
        cache.drop_other_states("2");
        assert_eq!((cache.has("/a"), cache.has("/b"), cache.has("/c")), (false, true, false));
        assert_eq!(cache.count().bytes, "/b".len() + "new".len() + ENTRY_BYTES);
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
        assert_eq!(cache.count().count, MAX_BYTES / (MAX_ANSWER_BYTES + ENTRY_BYTES));
        for index in 0..100_000 {
            insert(&cache, &index.to_string(), "2", "");
        }
        let bytes: usize = lock(&cache.answers).by_target.iter().map(|(t, a)| size(t, a)).sum();
        assert_eq!(cache.count().bytes, bytes);
        assert!(bytes <= MAX_BYTES && bytes > MAX_BYTES - 1_024, "{bytes}");
    }

    #[tokio::test(start_paused = true)]
    async fn answers_that_nobody_asks_for_are_dropped() {
        let cache = AnswerCache::default();
        insert(&cache, "/used", "1", "used");
        insert(&cache, "/unused", "1", "unused");
        tokio::time::advance(UNUSED_TIME / 2).await;
        assert!(text(&cache, "/used", "1").is_some());
        tokio::time::advance(UNUSED_TIME / 2).await;
        cache.drop_unused();
        assert_eq!(cache.count().count, 1);
        assert!(text(&cache, "/used", "1").is_some());
        tokio::time::advance(UNUSED_TIME).await;
        cache.drop_unused();
        assert_eq!((cache.count().count, cache.count().bytes), (0, 0));
    }

    #[test]
    fn answers_used_least_recently_make_room() {
        let cache = AnswerCache::default();
        let large = "x".repeat(MAX_ANSWER_BYTES);
        insert(&cache, "/used", "1", "used");
        insert(&cache, "/unused", "1", "unused");
        for index in 0..100 {
            insert(&cache, &index.to_string(), "1", &large);
            assert!(text(&cache, "/used", "1").is_some());
        }
        assert_eq!(text(&cache, "/unused", "1"), None);
    }
}
