#![doc = include_str!("../README.md")]

mod ask;
mod classify;
mod comments;
mod dump;
mod id;
mod listing;
mod minimise;
mod names;
mod nesting;
mod options;
mod source;
mod tally;
mod thing;
mod thread;

pub use dump::{Counts, Dump, DumpError, DumpOptions, Threads};
pub use listing::Listing;
pub use source::{REGISTRATION, Reddit};
pub use tally::add_up;
