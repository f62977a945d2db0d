//! The answers of a site: credentials, waits and failures of requests, saved files in place of
//! requests, and their archiving. Imports `derive`, the report of a sync and the modules beside
//! `mine`.

pub(crate) mod archive;
pub(crate) mod breaker;
pub(crate) mod credentials;
pub(crate) mod fetch_failure;
pub(crate) mod saved_files;
pub(crate) mod waits;
