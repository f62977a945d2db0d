//! The answers of a site: credentials, waits and failures of requests, saved files in place of
//! requests, and their archiving.

pub(crate) mod archive;
pub(crate) mod breaker;
pub(crate) mod credentials;
pub(crate) mod fetch_failure;
pub(crate) mod saved_files;
pub(crate) mod waits;
