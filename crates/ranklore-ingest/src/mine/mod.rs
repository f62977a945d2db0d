//! A sync with a site: plan, session, lists, contests, accounts, answers. Imports `derive` and the
//! modules beside this folder.

pub(crate) mod accounts;
pub(crate) mod answers;
pub(crate) mod contest;
pub(crate) mod due;
pub(crate) mod histories;
pub(crate) mod list_queue;
pub(crate) mod listing;
pub(crate) mod plan;
pub(crate) mod probe;
pub(crate) mod renames;
pub(crate) mod report;
pub(crate) mod request;
pub(crate) mod session;
pub(crate) mod sync;
