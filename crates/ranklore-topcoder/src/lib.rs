#![doc = include_str!("../README.md")]

mod ask;
mod feeds;
mod forget;
mod judge;
mod kept;
mod options;
mod pages;
mod round;
mod saved;
mod source;
mod standings;
mod values;

pub use options::Options;
pub use saved::{SAVED_LIST, saved_file};
pub use source::Topcoder;
