//! The SQLite file: opening, locks, pragmas, schema, transactions, backup.
//!
//! Imports only `ids`, `error` and `lock_holder`.

pub(crate) mod backup;
pub(crate) mod batch;
pub(crate) mod columns;
pub(crate) mod failpoint;
pub(crate) mod immutable;
pub(crate) mod interrupter;
pub(crate) mod lock;
pub(crate) mod maintenance;
pub(crate) mod open;
pub(crate) mod pragmas;
pub(crate) mod regular;
pub(crate) mod row_hash;
pub(crate) mod schema;
pub(crate) mod table_hash;
