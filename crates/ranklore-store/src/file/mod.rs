//! The SQLite file itself: opening, locks, pragmas, schema, transactions, backup.
//! Imports the ids and the errors beside this folder.

pub(crate) mod backup;
pub(crate) mod batch;
pub(crate) mod columns;
pub(crate) mod failpoint;
pub(crate) mod frozen;
pub(crate) mod lock;
pub(crate) mod open;
pub(crate) mod pragmas;
pub(crate) mod schema;
pub(crate) mod upkeep;
