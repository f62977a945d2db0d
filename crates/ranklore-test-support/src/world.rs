//! A database that changes step by step. It records its contents, so that a copy can be filled with
//! them at once.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use ranklore_contest::{Contest, EntrantKind, StartingRating};
use ranklore_store::{
    ContestState, ContestUpsert, Decision, DocumentId, RatingRow, RunId, SourceId, WriteBatch,
    Writer,
};
use rusqlite::Connection;

use crate::{TempDatabase, at, document, random_contest, source};

/// The recorded contents of a database.
#[derive(Clone, Debug, Default)]
struct Facts {
    contests: BTreeMap<(&'static str, String), Contest>,
    starts: BTreeMap<(&'static str, String), f64>,
    decisions: Vec<(&'static str, Decision)>,
}

/// A database in a temporary folder. Contests are written through a batch: no import, no site. It
/// records the changes made by its own methods; copies lack those made through [`World::store`].
#[derive(Debug)]
pub struct World {
    /// The database.
    pub store: Writer,
    /// The runs made by [`World::rate_all`]; by default all systems over the source `club`.
    #[cfg(feature = "runs")]
    pub runs: Vec<crate::RunSpec>,
    facts: Facts,
    now: i64,
    scratch: TempDatabase,
}

impl World {
    /// Creates an empty database.
    #[expect(clippy::new_without_default, reason = "it has an effect on the disk")]
    pub fn new() -> Self {
        let scratch = TempDatabase::new();
        Self {
            store: scratch.open_writer(),
            #[cfg(feature = "runs")]
            runs: crate::all_system_runs(),
            facts: Facts::default(),
            now: 1_700_000_000,
            scratch,
        }
    }

    /// Creates a club of random contests, one per week.
    pub fn with_random_contests(contests: u32) -> Self {
        let mut world = Self::new();
        for id in 1..=contests {
            let ends_at = i64::from(id) * 7 * crate::DAY;
            world.upsert_contest("club", random_contest(id, ends_at, 4 + id as usize % 30));
        }
        world
    }

    /// Creates a database with the same contents, inserted in another order than that of replay.
    pub fn copy_from_scratch(&self) -> Self {
        let mut world = Self::new();
        for ((source, _), contest) in &self.facts.contests {
            world.upsert_contest(source, contest.clone());
        }
        for ((source, name), &mu) in &self.facts.starts {
            world.set_starting_rating(source, name, mu);
        }
        for (source, decision) in &self.facts.decisions {
            assert!(world.record_decision(source, decision).unwrap());
        }
        world
    }

    /// True if no fingerprint depends on row ids, so that copies have the same fingerprints.
    pub fn is_id_free(&self) -> bool {
        self.facts.starts.is_empty() && self.facts.decisions.is_empty()
    }

    /// Returns the folder of the database.
    pub fn folder(&self) -> &Path {
        self.scratch.folder()
    }

    /// Returns the path of a file in the folder of the database.
    pub fn path(&self, name: &str) -> PathBuf {
        self.scratch.path(name)
    }

    /// Opens the database with SQLite alone, like [`TempDatabase::open_raw`].
    pub fn open_raw(&self) -> Connection {
        self.scratch.open_raw()
    }

    /// Inserts a contest, or revises the one with the same id.
    pub fn upsert_contest(&mut self, source: &'static str, contest: Contest) {
        let key = contest.external_id.clone();
        let body = format!("{contest:?}");
        self.archive_with(source, &key, &body, |batch, source_id, document_id| {
            batch
                .upsert_contest(
                    source_id,
                    document_id,
                    ContestUpsert::new(&contest, ContestState::Final, true),
                )
                .unwrap();
        });
        self.facts.contests.insert((source, key), contest);
    }

    /// Revises a contest of the source `club`.
    pub fn edit_contest(&mut self, id: &str, change: impl FnOnce(&mut Contest)) {
        let mut contest = self.facts.contests[&("club", id.to_owned())].clone();
        change(&mut contest);
        self.upsert_contest("club", contest);
    }

    /// Sets the starting rating of a person; one above 1600 comes with a sigma.
    pub fn set_starting_rating(&mut self, source: &'static str, name: &str, mu: f64) {
        let key = format!("start of {name}");
        let body = mu.to_string();
        let rating = StartingRating {
            mu,
            sigma: (mu > 1600.0).then_some(99.5),
        };
        self.archive_with(source, &key, &body, |batch, source_id, document_id| {
            let kind = EntrantKind::Person;
            batch.set_starting_rating(source_id, document_id, kind, name, rating).unwrap();
        });
        self.facts.starts.insert((source, name.to_owned()), mu);
    }

    /// Archives a document, and writes the data derived from it in the same batch.
    fn archive_with(
        &mut self,
        source_name: &str,
        key: &str,
        body: &str,
        write: impl FnOnce(&mut WriteBatch<'_>, SourceId, DocumentId),
    ) {
        self.now += 1;
        let mut batch = self.store.batch().unwrap();
        let source_id = batch.get_or_insert_source(&source(source_name), at(self.now)).unwrap();
        let document = document(key, self.now, body.as_bytes());
        let archived = batch.archive_document(source_id, &document).unwrap();
        write(&mut batch, source_id, archived.document_id);
        batch.commit().unwrap();
    }

    /// Records a decision. Returns false if it changes nothing.
    ///
    /// # Errors
    /// Errors if it contradicts earlier decisions.
    pub fn record_decision(
        &mut self,
        source_name: &'static str,
        decision: &Decision,
    ) -> ranklore_store::Result<bool> {
        let source_id = self.store.source_id(&source(source_name))?.unwrap();
        let mut batch = self.store.batch()?;
        let is_new = batch.record_decision(source_id, decision, None, at(self.now))?;
        batch.commit()?;
        if is_new {
            self.facts.decisions.push((source_name, decision.clone()));
        }
        Ok(is_new)
    }

    /// Records a decision about the source `club`, which must have an effect.
    pub fn record_effective_decision(&mut self, decision: &Decision) {
        assert!(self.record_decision("club", decision).unwrap(), "{decision:?}");
    }
}

/// Writes the ratings of a run again, of each contest after `change`, as if a replay had computed
/// them.
pub fn rewrite_ratings(
    writer: &mut Writer,
    run_id: RunId,
    mut change: impl FnMut(&mut Vec<RatingRow>),
) {
    let mut batch = writer.batch().unwrap();
    let run = batch.run(run_id).unwrap().unwrap();
    let contests = batch.run_contests(run_id).unwrap();
    let ids = contests.iter().map(|contest| contest.contest_id);
    let mut rows = Vec::new();
    batch
        .for_each_rating(run_id, ids, |_, contest_rows| {
            rows.push(contest_rows.to_vec());
        })
        .unwrap();
    batch.truncate_run(run_id, 0).unwrap();
    let mut ratings = batch.rating_writer(run_id, contests.len());
    for ((position, contest), rows) in contests.iter().enumerate().zip(&mut rows) {
        change(rows);
        let chain = contest.chain.unwrap_or(run.fingerprint);
        ratings.write_contest(position, contest.contest_id, &chain, rows).unwrap();
    }
    ratings.finish().unwrap();
    batch.finish_run(run_id, run.fingerprint).unwrap();
    batch.commit().unwrap();
}
