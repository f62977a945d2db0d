//! A sync with a site: plan, session, lists, contests, accounts, saved files. Imports `derive` and
//! the modules beside this folder.

pub(crate) mod accounts;
pub(crate) mod archive;
pub(crate) mod breaker;
pub(crate) mod contest;
pub(crate) mod credentials;
pub(crate) mod fetch_failure;
pub(crate) mod list_queue;
pub(crate) mod listing;
pub(crate) mod plan;
pub(crate) mod probe;
pub(crate) mod report;
pub(crate) mod saved_files;
pub(crate) mod session;
pub(crate) mod waits;
