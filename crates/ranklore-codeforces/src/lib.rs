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

pub use accounts::{HANDLES_A_REQUEST, info_requests, rated_list};
pub use join::join;
pub use options::Options;
pub use source::{Codeforces, REGISTRATION};
