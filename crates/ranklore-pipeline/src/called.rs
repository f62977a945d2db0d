//! What competitors are called whom something else than their name identifies, and what they were
//! called before, themselves and those who became one with them.

use std::collections::{HashMap, HashSet};

use ranklore_contest::EntrantKind;
use ranklore_source::Renamed;
use ranklore_store::{Batch, Decision, DocumentRow, NameRow, SourceId, Store};

use crate::Error;
use crate::accounts::names_apart;
use crate::site::Site;
use crate::sync::Sync;

/// A competitor by kind and by what identifies it.
type Who = (EntrantKind, String);

/// Names by competitor, the one of today last.
#[derive(Default)]
pub(crate) struct Called {
    names: HashMap<Who, Vec<NameRow>>,
    /// Names of others that a competitor has beside its own.
    beside: HashMap<Who, Vec<NameRow>>,
    /// Whose results are somebody else's.
    gone: HashSet<Who>,
}

impl Called {
    /// What all documents say that name competitors, the newest last, and `moved` of whose
    /// results became whose, and when that was seen.
    pub(crate) fn of(
        site: &Site<'_>,
        store: &Store,
        moved: Vec<(Renamed, i64)>,
    ) -> Result<Self, Error> {
        let mut called = Self::default();
        for row in store.documents(site.source_id)? {
            if site.source.names(&row.request_key) {
                called.read(site, store, &row)?;
            }
        }
        for (Renamed { from, to }, at) in moved {
            // Whose results move is of the kind that is named.
            let kind = EntrantKind::Team;
            let unnamed = || {
                vec![NameRow {
                    name: from.clone(),
                    first_seen_at: at,
                    last_seen_at: at,
                }]
            };
            let names = called.names.get(&(kind, from.clone()));
            let names = names.cloned().unwrap_or_else(unnamed);
            called.beside.entry((kind, to)).or_default().extend(names);
            called.gone.insert((kind, from));
        }
        Ok(called)
    }

    fn read(&mut self, site: &Site<'_>, store: &Store, row: &DocumentRow) -> Result<(), Error> {
        let Ok(reading) = site.read(store, row)? else {
            return Ok(());
        };
        let at = row.fetched_at;
        for named in reading.named {
            let names = self
                .names
                .entry((named.kind, named.competitor))
                .or_default();
            let known = names.iter().position(|of| of.name == named.name);
            let first_seen_at = known.map_or(at, |index| names.remove(index).first_seen_at);
            names.push(NameRow {
                name: named.name,
                first_seen_at,
                last_seen_at: at,
            });
        }
        Ok(())
    }

    /// Writes the names of those who stand somewhere; of one whose results are all somebody
    /// else's the number is left, so that its name finds who has them. What a person called
    /// somebody stays.
    /// Returns how many became known as somebody else's heir, or by another name than before.
    pub(crate) fn put(mut self, batch: &mut Batch<'_>, source_id: SourceId) -> Result<u64, Error> {
        if self.names.is_empty() && self.beside.is_empty() {
            return Ok(0);
        }
        let by_hand: HashSet<Who> = (batch.decisions(source_id)?.into_iter())
            .filter_map(|row| match row.decision {
                Decision::Rename { kind, subject, .. } => Some((kind, subject)),
                _ => None,
            })
            .collect();
        let mut changed = 0;
        for row in batch.competitors_of(source_id)? {
            let who = (row.kind, row.external_id);
            let own = self.names.remove(&who).unwrap_or_default();
            let beside = self.beside.remove(&who).unwrap_or_default();
            let today = own.last().map(|of| of.name.clone());
            let today = today.filter(|_| !by_hand.contains(&who));
            let mut today = today.unwrap_or_else(|| row.name.clone());
            let new = row.name == who.1 && today != row.name;
            if (new || self.gone.contains(&who)) && !batch.stands(row.competitor_id)? {
                today.clone_from(&who.1);
            }
            // Of one that never had another name there is no history.
            let history = if own.len() > 1 || !beside.is_empty() {
                [own, beside].concat()
            } else {
                Vec::new()
            };
            if today != row.name || !history.is_empty() {
                let was_called = row.name != who.1;
                let news = batch.call(row.competitor_id, &today, &history)?;
                changed += u64::from(news && (was_called || !history.is_empty()));
            }
        }
        Ok(changed)
    }
}

impl Sync<'_, '_> {
    /// Calls everybody as the documents say, where names stand apart from results, and sees from
    /// the lists that came whose results became somebody else's.
    pub(crate) fn called(&mut self) -> Result<(), Error> {
        if !names_apart(self.site.source) {
            return Ok(());
        }
        let mut moved = Vec::new();
        let lists = self.lists.iter().filter(|(_, seen)| seen.asked);
        for key in lists.map(|(key, _)| key) {
            moved.extend(self.moved(key)?);
        }
        let called = Called::of(&self.site, self.store, moved)?;
        let mut batch = self.store.batch()?;
        self.report.renamed += called.put(&mut batch, self.site.source_id)?;
        batch.commit()?;
        Ok(())
    }

    /// Whose results became whose from the last other answer to a question to the newest.
    fn moved(&self, key: &str) -> Result<Vec<(Renamed, i64)>, Error> {
        let answers = self.store.answers(self.site.source_id, key)?;
        let Some((newest, earlier)) = answers.split_first() else {
            return Ok(Vec::new());
        };
        // When it first came in this form.
        let same = earlier.iter().take_while(|of| of.blake3 == newest.blake3);
        let (mut first, mut count) = (newest, 0);
        for row in same {
            (first, count) = (row, count + 1);
        }
        let Some(before) = earlier.get(count) else {
            return Ok(Vec::new());
        };
        let before = self.site.read_once(self.store, before)?;
        let after = self.site.read_once(self.store, newest)?;
        let (Ok(before), Ok(after)) = (&*before, &*after) else {
            return Ok(Vec::new());
        };
        let moved = self.site.source.moved(before, after).into_iter();
        Ok(moved.map(|renamed| (renamed, first.fetched_at)).collect())
    }
}
