//! The schema and its versions: `PRAGMA user_version` counts the applied migrations.

use rusqlite::Connection;
use rusqlite_migration::{M, Migrations};

/// All migrations in order, each in its own transaction. Never edit a released one; append a new
/// file, and add `fixtures/schema/<version>.sql`.
const MIGRATIONS: &[M<'static>] = &[
    M::up(include_str!("../../../../migrations/2_1_ground.sql")),
    M::up(include_str!("../../../../migrations/3_1_keeping_up.sql")),
    M::up(include_str!("../../../../migrations/4_1_mining.sql")),
    M::up(include_str!("../../../../migrations/5_1_names.sql")),
    M::up(include_str!("../../../../migrations/6_1_named.sql")),
    M::up(include_str!("../../../../migrations/6_2_pseudonyms.sql")),
    M::up(include_str!("../../../../migrations/7_1_incomplete.sql")),
    M::up(include_str!("../../../../migrations/8_1_spellings.sql")),
    M::up(include_str!("../../../../migrations/9_1_concordance.sql")),
    M::up(include_str!("../../../../migrations/10_1_undo.sql")),
];

/// The schema version of this program.
pub const SCHEMA_VERSION: i64 = MIGRATIONS.len() as i64;

/// Applies pending migrations.
pub(crate) fn migrate(connection: &mut Connection) -> Result<(), rusqlite_migration::Error> {
    Migrations::from_slice(MIGRATIONS).to_latest(connection)
}

/// The statement that creates the index, as in its migration. [`crate::WriteBatch`] drops the index
/// while it fills an empty table.
pub(crate) const STANDING_BY_COMPETITOR: &str =
    "CREATE INDEX standing_by_competitor ON standing (competitor_id)";
