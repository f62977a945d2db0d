//! Naming of competitors in a dataset: real names, keys, pseudonyms or numbers.

use std::cmp::Ordering;
use std::collections::HashMap;
use std::sync::Arc;

use ranklore_contest::{EntrantKind, Known};
use ranklore_store::{CompetitorId, CompetitorRow, Store, name_hash};

use crate::digest::hex;
use crate::error::Error;

/// The naming of the competitors of a source.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Naming {
    /// Names as in the database.
    Real,
    /// Keys of the database without names: for a dataset that was imported without names.
    Keys,
    /// Pseudonyms derived from this key: stable across exports of a database, and not reversible
    /// without the key.
    Pseudonyms([u8; 32]),
    /// Numbers in the order of first occurrence, without names. Valid within one state of the
    /// results only: adding an earlier contest shifts them.
    Numbers,
}

// Hides the key.
impl std::fmt::Debug for Naming {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
}

impl Naming {
    /// Returns the word: `real`, `pseudonym` or `none`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Real => "real",
            Self::Pseudonyms(_) => "pseudonym",
            Self::Keys | Self::Numbers => "none",
        }
    }
}

/// A competitor as published. Kept small, as a contest may have a million.
#[derive(Debug)]
pub(crate) struct Published {
    /// The id in the database.
    pub(crate) id: CompetitorId,
    pub(crate) kind: EntrantKind,
    /// The key within source and kind.
    pub(crate) key: Box<str>,
    /// The first 8 bytes of the key as a big-endian number: it sorts like the key and is faster to
    /// compare.
    pub(crate) prefix: u64,
    /// The facts for contest files, if these are written and there are any.
    pub(crate) told: Option<Box<Told>>,
}

/// Facts about a competitor in contest files.
#[derive(Debug)]
pub(crate) struct Told {
    pub(crate) known: Known,
    /// The competitor that this account is merged into.
    pub(crate) counts_as: Option<Arc<Published>>,
}

impl Published {
    /// Compares by key, byte by byte, then by kind.
    pub(crate) fn order(&self, other: &Self) -> Ordering {
        (self.key.cmp(&other.key)).then_with(|| self.kind.as_str().cmp(other.kind.as_str()))
    }
}

fn prefix(key: &str) -> u64 {
    let mut first = [0; 8];
    let length = key.len().min(8);
    first[..length].copy_from_slice(&key.as_bytes()[..length]);
    u64::from_be_bytes(first)
}

/// Slots of the cache, a power of two: consecutive contests mostly have the same people, and memory
/// is bounded.
const REMEMBERED: usize = 1 << 18;

/// The published names of one source, and the competitors seen so far.
pub(crate) struct Names<'s> {
    store: &'s Store,
    naming: Naming,
    files: bool,
    /// Direct-mapped cache: ids are dense, so the low bits are the slot.
    remembered: Vec<Option<(CompetitorId, Arc<Published>)>>,
    numbers: HashMap<CompetitorId, u32>,
    seen: Vec<u64>,
}

impl<'s> Names<'s> {
    /// Creates an empty table. `files` enables the facts for contest files.
    pub(crate) fn new(store: &'s Store, naming: Naming, files: bool) -> Self {
        Self {
            store,
            naming,
            files,
            remembered: vec![None; REMEMBERED],
            numbers: HashMap::new(),
            seen: Vec::new(),
        }
    }

    /// Returns the competitor with this id and marks it as seen.
    pub(crate) fn of(&mut self, id: CompetitorId) -> Result<Arc<Published>, Error> {
        let at = id.get() as usize % REMEMBERED;
        if let Some((_, known)) = self.remembered[at].as_ref().filter(|(of, _)| *of == id) {
            return Ok(Arc::clone(known));
        }
        let row = (self.store.published_competitor(id)?).ok_or(Error::Dangling {
            competitor: id.get(),
        })?;
        let counts_as = (row.counts_as).map(|root| self.of(root)).transpose()?;
        self.see(id);
        let published = Arc::new(self.publish(row.competitor, counts_as));
        self.remembered[at] = Some((id, Arc::clone(&published)));
        Ok(published)
    }

    fn publish(&mut self, row: CompetitorRow, counts_as: Option<Arc<Published>>) -> Published {
        let (id, kind) = (row.competitor_id, row.kind);
        let root = counts_as.as_ref().map(|root| root.key.to_string());
        let mut known = self.known(row, root);
        known.name = known.name.filter(|name| *name != known.competitor);
        let telling = known.name.is_some() || known.start.is_some() || counts_as.is_some();
        Published {
            id,
            kind,
            key: known.competitor.as_str().into(),
            prefix: prefix(&known.competitor),
            told: (self.files && telling).then(|| Box::new(Told { known, counts_as })),
        }
    }

    /// Numbers competitors that occur together, in an order independent of their names.
    pub(crate) fn meet(
        &mut self,
        together: impl Iterator<Item = (u32, CompetitorId)>,
    ) -> Result<(), Error> {
        if self.naming != Naming::Numbers {
            return Ok(());
        }
        let mut unknown = Vec::new();
        for (place, id) in together.filter(|(_, id)| !self.numbers.contains_key(id)) {
            let row = (self.store.published_competitor(id)?).ok_or(Error::Dangling {
                competitor: id.get(),
            })?;
            unknown.push((place, digest_of(&row.competitor), id, row.counts_as));
        }
        unknown.sort_unstable();
        for (_, _, id, root) in unknown {
            self.number(id);
            if let Some(root) = root {
                self.number(root);
            }
        }
        Ok(())
    }

    /// Calls `each` with every competitor seen, ordered by key and kind.
    pub(crate) fn for_each_seen(
        &mut self,
        source_id: ranklore_store::SourceId,
        mut each: impl FnMut(&Known) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let merges: HashMap<_, _> = self.store.merges(source_id)?.into_iter().collect();
        let mut roots = HashMap::new();
        for &root in merges.values() {
            if !self.is_seen(root) {
                continue;
            }
            if let Some(row) = self.store.published_competitor(root)? {
                roots.insert(root, self.known(row.competitor, None).competitor);
            }
        }
        let root_of = |id: CompetitorId| {
            // In a merge cycle, which only manual edits create, an account counts as itself.
            let root = merges.get(&id).filter(|root| **root != id)?;
            roots.get(root).cloned()
        };
        let store = self.store;
        let mut failed = Ok(());
        let mut all = Vec::new();
        store.for_each_competitor(source_id, |row| {
            let id = row.competitor_id;
            if failed.is_err() || !self.is_seen(id) {
                return;
            }
            let known = self.known(row, root_of(id));
            match self.naming {
                // The database is in this order, so nothing is buffered.
                Naming::Real | Naming::Keys => failed = each(&known),
                Naming::Pseudonyms(_) | Naming::Numbers => all.push(known),
            }
        })?;
        failed?;
        all.sort_unstable_by(|a, b| {
            (a.competitor.cmp(&b.competitor)).then_with(|| a.kind.as_str().cmp(b.kind.as_str()))
        });
        all.iter().try_for_each(each)
    }

    fn known(&mut self, row: CompetitorRow, merged_into: Option<String>) -> Known {
        let (competitor, name) = match self.naming {
            Naming::Pseudonyms(key) => {
                let pseudonym = pseudonym(&key, &row);
                (pseudonym.clone(), Some(pseudonym))
            }
            Naming::Numbers => (self.number(row.competitor_id).to_string(), None),
            Naming::Real => (row.external_id, Some(row.name)),
            Naming::Keys => (row.external_id, None),
        };
        Known {
            kind: row.kind,
            competitor,
            name,
            start: row.start,
            merged_into,
        }
    }

    fn number(&mut self, id: CompetitorId) -> u32 {
        let next = self.numbers.len() as u32 + 1;
        match self.naming {
            Naming::Numbers => *self.numbers.entry(id).or_insert(next),
            Naming::Real | Naming::Keys | Naming::Pseudonyms(_) => 0,
        }
    }

    fn see(&mut self, id: CompetitorId) {
        let (word, bit) = place_of(id);
        if self.seen.len() <= word {
            self.seen.resize(word + 1, 0);
        }
        self.seen[word] |= bit;
    }

    /// True if the competitor was seen.
    pub(crate) fn is_seen(&self, id: CompetitorId) -> bool {
        let (word, bit) = place_of(id);
        self.seen.get(word).is_some_and(|bits| bits & bit != 0)
    }
}

/// Returns word and bit of an id; ids start at 1 and are dense.
const fn place_of(id: CompetitorId) -> (usize, u64) {
    let id = id.get() as u64;
    ((id / 64) as usize, 1 << (id % 64))
}

/// Returns the pseudonym: that of the database views with more digits, unique among billions.
fn pseudonym(key: &[u8; 32], of: &CompetitorRow) -> String {
    let kind = of.kind.as_str();
    let hash = name_hash(key, &format!("pseudonym of {kind} {}", of.external_id));
    format!("{kind}-{}", hex(&hash[..16]))
}

fn digest_of(of: &CompetitorRow) -> [u8; 32] {
    let text = format!("{} {}", of.kind.as_str(), of.external_id);
    *blake3::hash(text.as_bytes()).as_bytes()
}
