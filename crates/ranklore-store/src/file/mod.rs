//! The SQLite file itself: opening, locks, pragmas, schema, backup, checks.
//! Imports the batch and the errors beside this folder.

pub(crate) mod backup;
pub(crate) mod check;
pub(crate) mod failpoint;
pub(crate) mod fingerprint;
pub(crate) mod frozen;
pub(crate) mod lock;
pub(crate) mod open;
pub(crate) mod pragmas;
pub(crate) mod schema;
pub(crate) mod upkeep;
