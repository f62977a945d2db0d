//! A compact set of competitors: hashes of source, kind and key, as there may be millions.

use std::collections::HashSet;
use std::hash::{BuildHasherDefault, DefaultHasher, Hash, Hasher};

/// Hash of a competitor.
pub(super) type CompetitorHash = u64;

/// Set of competitors; the hashes are used as they are, not hashed again.
pub(super) type CompetitorSet = HashSet<CompetitorHash, BuildHasherDefault<PassThroughHasher>>;

pub(super) fn hash_competitor(source: &str, kind: &str, key: &str) -> CompetitorHash {
    // `DefaultHasher::new` gives equal hashes in every process; a collision among millions is
    // negligible.
    let mut hasher = DefaultHasher::new();
    (source, kind, key).hash(&mut hasher);
    hasher.finish()
}

/// Hasher that returns the hash it is given.
#[derive(Default)]
pub(super) struct PassThroughHasher(u64);

impl Hasher for PassThroughHasher {
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
