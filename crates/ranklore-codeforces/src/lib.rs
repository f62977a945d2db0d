#![doc = include_str!("../README.md")]

mod accounts;
mod api_error;
mod classify;
mod join;
mod listing;
mod minimise;
mod rating_changes;
mod requests;
mod response;
mod source;
mod standings;

pub use accounts::{MAX_HANDLES_PER_REQUEST, user_info_requests};
pub use join::join;
pub use requests::rated_users_request;
pub use source::{CodeforcesSource, REGISTRATION};
