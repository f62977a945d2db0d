#![doc = include_str!("../README.md")]

mod ask;
mod feed;
mod forget;
mod judge;
mod kept;
mod matches;
mod new_york;
mod number;
mod options;
mod page;
mod results;
mod round;
mod rounds;
mod row;
mod saved;
mod source;
mod standings;
mod stats;
mod text;

pub use options::Options;
pub use saved::{SAVED_LIST, saved_file};
pub use source::Topcoder;
