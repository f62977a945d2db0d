#![doc = include_str!("../README.md")]

mod accounts;
mod answer;
mod ask;
mod changes;
mod classify;
mod join;
mod list;
mod minimise;
mod options;
mod refusal;
mod source;
mod standings;

pub use accounts::{MAX_HANDLES_PER_REQUEST, rated_users_request, user_info_requests};
pub use join::join;
pub use options::CodeforcesOptions;
pub use source::{CodeforcesSource, REGISTRATION};
