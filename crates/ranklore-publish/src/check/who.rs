//! Competitors by source, kind and key, hashed: there may be millions.

use std::hash::{DefaultHasher, Hash, Hasher};

/// A competitor.
pub(super) type Who = u64;

pub(super) fn who(source: &str, kind: &str, key: &str) -> Who {
    // The same in every process; that two of millions have one hash is next to impossible.
    let mut hasher = DefaultHasher::new();
    (source, kind, key).hash(&mut hasher);
    hasher.finish()
}
