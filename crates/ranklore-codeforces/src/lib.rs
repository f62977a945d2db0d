#![doc = include_str!("../README.md")]

mod accounts;
mod api_error;
mod classify;
mod join;
mod listing;
mod minimise;
mod options;
mod rating_changes;
mod requests;
mod response;
mod source;
mod standings;

pub use accounts::{MAX_HANDLES_PER_REQUEST, rated_users_request, user_info_requests};
pub use join::join;
pub use options::CodeforcesOptions;
pub use source::{CodeforcesSource, REGISTRATION};
