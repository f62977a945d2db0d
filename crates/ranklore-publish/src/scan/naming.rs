//! Naming of competitors in a dataset: real names, keys, pseudonyms or numbers.

use std::cmp::Ordering;
use std::collections::HashMap;
use std::sync::Arc;

use ranklore_contest::{BETWEEN_PLAYERS, CompetitorFacts, EntrantKind};
use ranklore_store::{
    CompetitorDetails, CompetitorId, CompetitorRow, ContestRow, Store, name_hash,
};

use crate::digest::to_hex;
use crate::error::Error;

/// The naming of the competitors of a source.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum ExportNaming {
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
impl std::fmt::Debug for ExportNaming {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
}

impl ExportNaming {
    /// Returns the word: `real`, `pseudonym` or `none`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Real => "real",
            Self::Pseudonyms(_) => "pseudonym",
            Self::Keys | Self::Numbers => "none",
        }
    }

    /// Replaces the id and the name of a contest if they are the names of both players of a game, or
    /// without names a link. `number` is that of the contest in its source, in the order of replay:
    /// ids of simultaneous contests keep it.
    pub(crate) fn hide_names_in_contest(self, contest: &mut ContestRow, number: usize) {
        let replacement = match self {
            Self::Real | Self::Keys => return,
            Self::Pseudonyms(key) => {
                let text = format!("pseudonym of contest {}", contest.external_id);
                let hash = name_hash(&key, &text);
                format!("contest-{}", to_hex(&hash[..16]))
            }
            Self::Numbers => format!("contest-{number}"),
        };
        let is_game = contest.entrants == 2;
        for text in [&mut contest.external_id, &mut contest.name] {
            let has_names = is_game && text.contains(BETWEEN_PLAYERS);
            if has_names || (self == Self::Numbers && text.contains("://")) {
                text.clone_from(&replacement);
            }
        }
    }
}

/// A competitor as published. Kept small, as a contest may have a million.
#[derive(Debug)]
pub(crate) struct ExportedCompetitor {
    /// The id in the database.
    pub(crate) id: CompetitorId,
    pub(crate) kind: EntrantKind,
    /// The key within source and kind.
    pub(crate) key: Box<str>,
    /// The first 8 bytes of the key as a big-endian number: it sorts like the key and is faster to
    /// compare.
    pub(crate) prefix: u64,
    /// The facts for contest files, if these are written and there are any.
    pub(crate) facts: Option<Box<ContestFileFacts>>,
}

/// Facts about a competitor in contest files.
#[derive(Debug)]
pub(crate) struct ContestFileFacts {
    pub(crate) facts: CompetitorFacts,
    /// The competitor that this account is merged into.
    pub(crate) root: Option<Arc<ExportedCompetitor>>,
}

impl ExportedCompetitor {
    /// Compares by key, byte by byte, then by kind.
    pub(crate) fn compare(&self, other: &Self) -> Ordering {
        (&self.key, self.kind.as_str()).cmp(&(&other.key, other.kind.as_str()))
    }
}

fn key_prefix(key: &str) -> u64 {
    let mut first = [0; 8];
    let length = key.len().min(8);
    first[..length].copy_from_slice(&key.as_bytes()[..length]);
    u64::from_be_bytes(first)
}

/// Slots of the cache, a power of two: consecutive contests mostly have the same people, and memory
/// is bounded.
const CACHE_SLOTS: usize = 1 << 18;

/// The published names of one source, and the competitors seen so far.
pub(crate) struct CompetitorNames<'s> {
    store: &'s Store,
    naming: ExportNaming,
    files: bool,
    /// Direct-mapped cache: ids are dense, so the low bits are the slot.
    cache: Vec<Option<(CompetitorId, Arc<ExportedCompetitor>)>>,
    numbers: HashMap<CompetitorId, u32>,
    seen_ids: Vec<u64>,
}

impl<'s> CompetitorNames<'s> {
    /// Creates an empty table. `files` enables the facts for contest files.
    pub(crate) fn new(store: &'s Store, naming: ExportNaming, files: bool) -> Self {
        Self {
            store,
            naming,
            files,
            cache: vec![None; CACHE_SLOTS],
            numbers: HashMap::new(),
            seen_ids: Vec::new(),
        }
    }

    /// Returns the competitor with this id and marks it as seen.
    pub(crate) fn resolve(&mut self, id: CompetitorId) -> Result<Arc<ExportedCompetitor>, Error> {
        let slot = id.get() as usize % CACHE_SLOTS;
        if let Some((cached_id, cached)) = &self.cache[slot]
            && *cached_id == id
        {
            return Ok(Arc::clone(cached));
        }
        let row = self.load_details(id)?;
        let root = row.counts_as.map(|root| self.resolve(root)).transpose()?;
        self.mark_seen(id);
        let exported = Arc::new(self.publish(row.competitor, root));
        self.cache[slot] = Some((id, Arc::clone(&exported)));
        Ok(exported)
    }

    fn load_details(&self, id: CompetitorId) -> Result<CompetitorDetails, Error> {
        let details = self.store.competitor_details(id)?;
        details.ok_or(Error::UnknownCompetitor {
            competitor: id.get(),
        })
    }

    fn publish(
        &mut self,
        row: CompetitorRow,
        root: Option<Arc<ExportedCompetitor>>,
    ) -> ExportedCompetitor {
        let id = row.competitor_id;
        let root_key = root.as_ref().map(|root| root.key.to_string());
        let mut facts = self.competitor_facts(row, root_key);
        facts.name = facts.name.filter(|name| *name != facts.competitor);
        let has_facts = facts.name.is_some() || facts.start.is_some() || root.is_some();
        ExportedCompetitor {
            id,
            kind: facts.kind,
            key: facts.competitor.as_str().into(),
            prefix: key_prefix(&facts.competitor),
            facts: (self.files && has_facts).then(|| Box::new(ContestFileFacts { facts, root })),
        }
    }

    /// Numbers competitors that occur together, in an order independent of their names.
    pub(crate) fn assign_numbers(
        &mut self,
        entrants: impl Iterator<Item = (u32, CompetitorId)>,
    ) -> Result<(), Error> {
        if self.naming != ExportNaming::Numbers {
            return Ok(());
        }
        let mut unnumbered = Vec::new();
        for (place, id) in entrants.filter(|(_, id)| !self.numbers.contains_key(id)) {
            let row = self.load_details(id)?;
            unnumbered.push((place, hash_key(&row.competitor), id, row.counts_as));
        }
        unnumbered.sort_unstable();
        for (_, _, id, root) in unnumbered {
            self.number_of(id);
            if let Some(root) = root {
                self.number_of(root);
            }
        }
        Ok(())
    }

    /// Calls `each` with every competitor seen, ordered by key and kind.
    pub(crate) fn for_each_competitor(
        &mut self,
        source_id: ranklore_store::SourceId,
        mut each: impl FnMut(&CompetitorFacts) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let merges: HashMap<_, _> = self.store.merges(source_id)?.into_iter().collect();
        let mut roots = HashMap::new();
        for &root in merges.values() {
            if !self.is_seen(root) {
                continue;
            }
            if let Some(row) = self.store.competitor_details(root)? {
                roots.insert(root, self.competitor_facts(row.competitor, None).competitor);
            }
        }
        let store = self.store;
        let mut result = Ok(());
        let mut buffered = Vec::new();
        store.for_each_competitor(source_id, |row| {
            let id = row.competitor_id;
            if result.is_err() || !self.is_seen(id) {
                return;
            }
            // In a merge cycle, which only manual edits create, an account counts as itself.
            let root = merges.get(&id).filter(|root| **root != id);
            let root_key = root.and_then(|root| roots.get(root).cloned());
            let facts = self.competitor_facts(row, root_key);
            match self.naming {
                // The database is in this order, so nothing is buffered.
                ExportNaming::Real | ExportNaming::Keys => result = each(&facts),
                ExportNaming::Pseudonyms(_) | ExportNaming::Numbers => buffered.push(facts),
            }
        })?;
        result?;
        buffered.sort_unstable_by(|a, b| {
            (&a.competitor, a.kind.as_str()).cmp(&(&b.competitor, b.kind.as_str()))
        });
        buffered.iter().try_for_each(each)
    }

    fn competitor_facts(
        &mut self,
        row: CompetitorRow,
        merged_into: Option<String>,
    ) -> CompetitorFacts {
        let (competitor, name) = match self.naming {
            ExportNaming::Pseudonyms(key) => {
                let pseudonym = pseudonym(&key, &row);
                (pseudonym.clone(), Some(pseudonym))
            }
            ExportNaming::Numbers => (self.number_of(row.competitor_id).to_string(), None),
            ExportNaming::Real => (row.external_id, Some(row.name)),
            ExportNaming::Keys => (row.external_id, None),
        };
        CompetitorFacts {
            kind: row.kind,
            competitor,
            name,
            start: row.start,
            merged_into,
        }
    }

    fn number_of(&mut self, id: CompetitorId) -> u32 {
        let next = self.numbers.len() as u32 + 1;
        *self.numbers.entry(id).or_insert(next)
    }

    fn mark_seen(&mut self, id: CompetitorId) {
        let (word, bit) = bit_position(id);
        if self.seen_ids.len() <= word {
            self.seen_ids.resize(word + 1, 0);
        }
        self.seen_ids[word] |= bit;
    }

    /// True if the competitor was seen.
    pub(crate) fn is_seen(&self, id: CompetitorId) -> bool {
        let (word, bit) = bit_position(id);
        self.seen_ids.get(word).is_some_and(|bits| bits & bit != 0)
    }
}

/// Returns word and bit of an id; ids start at 1 and are dense.
const fn bit_position(id: CompetitorId) -> (usize, u64) {
    let id = id.get() as u64;
    ((id / 64) as usize, 1 << (id % 64))
}

/// Returns the pseudonym: that of the database views with more digits, unique among billions.
fn pseudonym(key: &[u8; 32], row: &CompetitorRow) -> String {
    let kind = row.kind.as_str();
    let hash = name_hash(key, &format!("pseudonym of {kind} {}", row.external_id));
    format!("{kind}-{}", to_hex(&hash[..16]))
}

fn hash_key(row: &CompetitorRow) -> [u8; 32] {
    let text = format!("{} {}", row.kind.as_str(), row.external_id);
    *blake3::hash(text.as_bytes()).as_bytes()
}
