//! A cache of a bounded number and weight of values.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// The entries that are kept whatever their weight.
const ALWAYS_KEPT: usize = 2;

/// Values by key, for all threads. The values used least recently make room for new ones.
#[derive(Debug)]
pub struct BoundedCache<K, V> {
    /// The value used last comes first.
    entries: Mutex<Vec<(K, V)>>,
    max_entries: usize,
    max_weight: usize,
    weigh: fn(&V) -> usize,
}

impl<K: PartialEq, V: Clone> BoundedCache<K, V> {
    /// Creates a cache of this number of values.
    #[must_use]
    pub fn new(max_entries: usize) -> Self {
        Self::weighted(max_entries, usize::MAX, |_| 0)
    }

    /// Creates a cache of this number of values, whose weights together are bounded as well. Two
    /// values are kept at any weight.
    #[must_use]
    pub fn weighted(max_entries: usize, max_weight: usize, weigh: fn(&V) -> usize) -> Self {
        Self {
            entries: Mutex::default(),
            max_entries,
            max_weight,
            weigh,
        }
    }

    /// Returns the value of a key, if it is kept.
    pub fn get(&self, key: &K) -> Option<V> {
        use_entry(&mut self.lock(), key)
    }

    /// Keeps a value, in place of an earlier one of its key.
    pub fn insert(&self, key: K, value: V) {
        self.add(&mut self.lock(), key, value);
    }

    /// Returns the value of a key, loading it if it is not kept. `load` gets the entries that are
    /// kept, the one used last first. Other threads that need a value wait meanwhile: they often
    /// need the same.
    ///
    /// # Errors
    /// Errors if the value cannot be loaded.
    pub fn get_or_load<E>(
        &self,
        key: K,
        load: impl FnOnce(&[(K, V)]) -> Result<V, E>,
    ) -> Result<V, E> {
        let mut entries = self.lock();
        if let Some(value) = use_entry(&mut entries, &key) {
            return Ok(value);
        }
        let value = load(&entries)?;
        self.add(&mut entries, key, value.clone());
        Ok(value)
    }

    /// Returns all values, the one used last first.
    pub fn values(&self) -> Vec<V> {
        self.lock().iter().map(|(_, value)| value.clone()).collect()
    }

    fn add(&self, entries: &mut Vec<(K, V)>, key: K, value: V) {
        entries.retain(|entry| entry.0 != key);
        entries.insert(0, (key, value));
        entries.truncate(self.max_entries);
        let mut weight = 0_usize;
        let mut count = 0;
        entries.retain(|(_, value)| {
            weight = weight.saturating_add((self.weigh)(value));
            count += 1;
            count <= ALWAYS_KEPT || weight <= self.max_weight
        });
    }

    /// Locks the entries. They are whole also after a panic of another thread.
    fn lock(&self) -> MutexGuard<'_, Vec<(K, V)>> {
        self.entries.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Returns the value of a key, and moves its entry to the front.
fn use_entry<K: PartialEq, V: Clone>(entries: &mut [(K, V)], key: &K) -> Option<V> {
    let index = entries.iter().position(|entry| entry.0 == *key)?;
    entries[..=index].rotate_right(1);
    Some(entries[0].1.clone())
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;
    use std::panic::{AssertUnwindSafe, catch_unwind};

    use super::*;

    fn keys(cache: &BoundedCache<u32, usize>) -> Vec<u32> {
        cache.lock().iter().map(|entry| entry.0).collect()
    }

    #[test]
    fn least_recently_used_value_makes_room() {
        let cache = BoundedCache::new(3);
        for key in 1..=3 {
            cache.insert(key, 0);
        }
        assert_eq!(cache.get(&1), Some(0));
        cache.insert(4, 0);
        assert_eq!(keys(&cache), [4, 1, 3]);
        assert_eq!(cache.get(&2), None);
        cache.insert(3, 7);
        assert_eq!(keys(&cache), [3, 4, 1]);
        assert_eq!(cache.get(&3), Some(7));
    }

    #[test]
    fn weight_is_bounded_beyond_two_values() {
        let cache = BoundedCache::weighted(10, 5, |weight| *weight);
        for key in 1..=4 {
            cache.insert(key, 2);
        }
        assert_eq!(keys(&cache), [4, 3]);
        cache.insert(5, 100);
        assert_eq!(keys(&cache), [5, 4]);
        cache.insert(6, usize::MAX);
        assert_eq!(keys(&cache), [6, 5]);
        for key in 7..=11 {
            cache.insert(key, 1);
        }
        assert_eq!(keys(&cache), [11, 10, 9, 8, 7]);
    }

    #[test]
    fn values_are_loaded_once_and_errors_are_not_kept() {
        let cache = BoundedCache::new(2);
        assert_eq!(cache.get_or_load(1, |_| Err("broken")), Err("broken"));
        let mut loads = 0;
        for _ in 0..3 {
            let value = cache.get_or_load(1, |entries| {
                loads += 1;
                assert!(entries.is_empty());
                Ok::<_, Infallible>(10)
            });
            assert_eq!(value, Ok(10));
        }
        assert_eq!(loads, 1);
        let value = cache.get_or_load(2, |entries| Ok::<_, Infallible>(entries[0].1 + 1));
        assert_eq!(value, Ok(11));
    }

    #[test]
    fn panic_while_loading_leaves_the_cache_usable() {
        let cache = BoundedCache::new(2);
        cache.insert(1, 0);
        let load =
            || cache.get_or_load(2, |_| -> Result<usize, Infallible> { panic!("in a test") });
        assert!(catch_unwind(AssertUnwindSafe(load)).is_err());
        assert_eq!(cache.get(&1), Some(0));
        assert_eq!(cache.get(&2), None);
    }
}
