#![doc = include_str!("../README.md")]

mod ask;
mod classify;
mod feeds;
mod minimise;
mod options;
mod pages;
mod round;
mod saved;
mod source;
mod standings;
mod values;

pub use options::Options;
pub use saved::{SAVED_LIST, saved_file};
pub use source::{REGISTRATION, Topcoder};
