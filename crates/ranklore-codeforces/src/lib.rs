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
mod places;
mod refusal;
mod source;
mod standings;

pub use accounts::{AfterUnknown, HANDLES_A_REQUEST, after_unknown, info_requests, rated_list};
pub use join::join;
pub use options::Options;
pub use source::{Codeforces, REGISTRATION};
