//! Competitors by source, kind and key, hashed: there may be millions.

use std::collections::HashSet;
use std::hash::{BuildHasherDefault, DefaultHasher, Hash, Hasher};

/// A competitor.
pub(super) type Who = u64;

/// Competitors. They are hashes already, and not hashed once more.
pub(super) type Whos = HashSet<Who, BuildHasherDefault<Hashed>>;

pub(super) fn who(source: &str, kind: &str, key: &str) -> Who {
    // The same in every process; that two of millions have one hash is next to impossible.
    let mut hasher = DefaultHasher::new();
    (source, kind, key).hash(&mut hasher);
    hasher.finish()
}

/// Gives back the number that it is to hash.
#[derive(Default)]
pub(super) struct Hashed(u64);

impl Hasher for Hashed {
    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_u64(byte.into());
        }
    }

    fn write_u64(&mut self, number: u64) {
        self.0 = self.0.rotate_left(8) ^ number;
    }

    fn finish(&self) -> u64 {
        self.0
    }
}
