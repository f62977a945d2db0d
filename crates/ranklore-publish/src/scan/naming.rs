//! What competitors are called in a dataset: as the file calls them, by pseudonyms or by numbers.

use std::cmp::Ordering;
use std::collections::HashMap;
use std::sync::Arc;

use ranklore_contest::{EntrantKind, Known};
use ranklore_store::{CompetitorId, CompetitorRow, Store, name_hash};

use crate::digest::hex;
use crate::error::Error;

/// What competitors of a source are called.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Naming {
    /// As the file calls them.
    Real,
    /// By what identifies them in the file, and by no names: a dataset without names read back.
    Keys,
    /// By pseudonyms made with this key: the same in every dataset from a file that has the key,
    /// and of no use without it to find out who is who.
    Pseudonyms([u8; 32]),
    /// By numbers in the order in which they come up, and by no names. They mean something within
    /// one state of the results only: an earlier contest that comes in later shifts them.
    Numbers,
}

// A key must not be shown by accident.
impl std::fmt::Debug for Naming {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
}

impl Naming {
    /// The word for it: `real`, `pseudonym`, `none`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Real => "real",
            Self::Pseudonyms(_) => "pseudonym",
            Self::Keys | Self::Numbers => "none",
        }
    }
}

/// Somebody as a dataset has them. A contest may have a million, so there is little in it.
#[derive(Debug)]
pub(crate) struct Published {
    /// Who in the file.
    pub(crate) id: CompetitorId,
    pub(crate) kind: EntrantKind,
    /// What identifies them within their source, for their kind.
    pub(crate) key: Box<str>,
    /// The first bytes of the key as a number that is ordered as these are: most keys differ in
    /// them, and comparing numbers is faster.
    pub(crate) prefix: u64,
    /// What contest files tell of them, if these are wanted and there is anything.
    pub(crate) told: Option<Box<Told>>,
}

/// What contest files tell of somebody beside results.
#[derive(Debug)]
pub(crate) struct Told {
    pub(crate) known: Known,
    /// As whom their results count, if not for themselves.
    pub(crate) counts_as: Option<Arc<Published>>,
}

impl Published {
    /// By key, byte by byte, and kind.
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

/// So many competitors are remembered at most, a power of two: contests that follow on one another
/// mostly have the same people, and memory has a bound.
const REMEMBERED: usize = 1 << 18;

/// Those of one source, and who of them came up.
pub(crate) struct Names<'s> {
    store: &'s Store,
    naming: Naming,
    files: bool,
    /// Ids are dense, so the last digits of one say where to look.
    remembered: Vec<Option<(CompetitorId, Arc<Published>)>>,
    numbers: HashMap<CompetitorId, u32>,
    seen: Vec<u64>,
}

impl<'s> Names<'s> {
    /// Nobody of a source came up so far. What contest `files` tell is found if they are wanted.
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

    /// The competitor of this id, who comes up with it.
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

    /// Gives those who come up together numbers in an order that says nothing of their names.
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

    /// Everybody of the source who came up, by key and kind.
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
            // In a circle, which nobody can make but by hand, somebody counts as oneself.
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
                // The file has them in this order: none need be in memory.
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

    /// Whether somebody came up.
    pub(crate) fn is_seen(&self, id: CompetitorId) -> bool {
        let (word, bit) = place_of(id);
        self.seen.get(word).is_some_and(|bits| bits & bit != 0)
    }
}

/// Ids of rows begin with 1 and are dense.
const fn place_of(id: CompetitorId) -> (usize, u64) {
    let id = id.get() as u64;
    ((id / 64) as usize, 1 << (id % 64))
}

/// What somebody is called instead: that of views of the file, with as many more digits that no two
/// of billions are the same.
fn pseudonym(key: &[u8; 32], of: &CompetitorRow) -> String {
    let kind = of.kind.as_str();
    let hash = name_hash(key, &format!("pseudonym of {kind} {}", of.external_id));
    format!("{kind}-{}", hex(&hash[..16]))
}

fn digest_of(of: &CompetitorRow) -> [u8; 32] {
    let text = format!("{} {}", of.kind.as_str(), of.external_id);
    *blake3::hash(text.as_bytes()).as_bytes()
}
