//! The schema and its versions: `PRAGMA user_version` counts the applied migrations.

use std::collections::HashMap;

use rusqlite::{Connection, Transaction, params};
use rusqlite_migration::{M, Migrations};

use crate::file::columns::FromRows;
use crate::file::row_hash::for_each_rows_hash;
use crate::file::table_hash::{add_columns, restate_all};
use crate::ids::{ContestId, RunId};

/// The SQL of all migrations in order, each in its own transaction. Never edit a released one;
/// append a new file, and add `fixtures/schema/<version>.sql`. One that changes a table with a hash
/// must state it again, as [`WIDENED`] does.
const MIGRATIONS: &[&str] = &[
    include_str!("../../../../migrations/2_1_ground.sql"),
    include_str!("../../../../migrations/3_1_keeping_up.sql"),
    include_str!("../../../../migrations/4_1_mining.sql"),
    include_str!("../../../../migrations/5_1_names.sql"),
    include_str!("../../../../migrations/6_1_named.sql"),
    include_str!("../../../../migrations/6_2_pseudonyms.sql"),
    include_str!("../../../../migrations/7_1_incomplete.sql"),
    include_str!("../../../../migrations/8_1_spellings.sql"),
    include_str!("../../../../migrations/9_1_concordance.sql"),
    include_str!("../../../../migrations/10_1_undo.sql"),
    include_str!("../../../../migrations/11_1_hashes.sql"),
    include_str!("../../../../migrations/12_1_daily_use.sql"),
    include_str!("../../../../migrations/13_1_evaluations.sql"),
    include_str!("../../../../migrations/14_1_games.sql"),
    include_str!("../../../../migrations/15_1_appended.sql"),
    include_str!("../../../../migrations/16_1_syncs.sql"),
    include_str!("../../../../migrations/48_1_trials.sql"),
];

/// The migration that adds hashes; they are of the rows that it finds.
const HASHES: usize = 10;

/// The migrations that add columns to tables with a hash: the table, and these columns.
const WIDENED: [(usize, &str, &str); 5] = [
    (11, "source", "default_system provisional_contests provisional_sigma changes"),
    (11, "rating_run", "name source_changes competitors"),
    (14, "source", "corrections"),
    (14, "rating_run", "source_corrections newest_contest_id"),
    (15, "sync_run", "withdrawn restored failure"),
];

/// The schema version of this program.
pub const SCHEMA_VERSION: i64 = MIGRATIONS.len() as i64;

/// Applies pending migrations.
pub(crate) fn migrate(connection: &mut Connection) -> Result<(), rusqlite_migration::Error> {
    let migrations = MIGRATIONS.iter().enumerate().map(|(index, sql)| match index {
        HASHES => {
            M::up_with_hook(sql, |transaction: &Transaction<'_>| Ok(state_hashes(transaction)?))
        }
        _ if WIDENED.iter().any(|(migration, ..)| *migration == index) => {
            M::up_with_hook(sql, move |transaction: &Transaction<'_>| {
                let mut added = WIDENED.iter().filter(|(migration, ..)| *migration == index);
                Ok(added
                    .try_for_each(|(_, table, columns)| add_columns(transaction, table, columns))?)
            })
        }
        _ => M::up(sql),
    });
    Migrations::new(migrations.collect()).to_latest(connection)
}

/// Creates an empty database in memory, to compare the schema of a file with.
pub(crate) fn create_in_memory() -> rusqlite::Result<Connection> {
    let mut connection = Connection::open_in_memory()?;
    migrate(&mut connection).map_err(|error| match error {
        rusqlite_migration::Error::RusqliteError { err, .. } => err,
        error => rusqlite::Error::ToSqlConversionFailure(error.into()),
    })?;
    Ok(connection)
}

/// Fills the hashes of rows that have none yet.
fn state_hashes(transaction: &Transaction<'_>) -> rusqlite::Result<()> {
    // Official ratings had no rows in `run_contest`.
    transaction.execute_batch(
        "INSERT INTO run_contest (run_id, position, contest_id, results, chain)
         SELECT run_id, contest_id, contest_id, count(*), zeroblob(32)
         FROM rating JOIN rating_run USING (run_id) WHERE system = 'official'
         GROUP BY run_id, contest_id",
    )?;
    let runs: Vec<RunId> =
        Vec::from_rows(transaction.prepare("SELECT run_id FROM rating_run")?.query([])?)?;
    let mut positions =
        transaction.prepare("SELECT contest_id, position FROM run_contest WHERE run_id = ?1")?;
    let mut update = transaction
        .prepare("UPDATE run_contest SET rows_hash = ?3 WHERE run_id = ?1 AND position = ?2")?;
    for run_id in runs {
        let mut hashes: HashMap<ContestId, i64> = HashMap::new();
        for_each_rows_hash(transaction, run_id, |contest_id, _, hash| {
            hashes.insert(contest_id, hash);
        })?;
        for (contest_id, position) in
            Vec::<(ContestId, i64)>::from_rows(positions.query([run_id])?)?
        {
            if let Some(hash) = hashes.get(&contest_id) {
                update.execute(params![run_id, position, hash])?;
            }
        }
    }
    restate_all(transaction)
}

/// The statement that creates the index, as in its migration. [`crate::WriteBatch`] drops the index
/// while it fills an empty table.
pub(crate) const STANDING_BY_COMPETITOR: &str =
    "CREATE INDEX standing_by_competitor ON standing (competitor_id)";
