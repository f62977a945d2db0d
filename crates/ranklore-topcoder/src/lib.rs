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

pub use options::TopcoderOptions;
pub use saved::{SAVED_ROUND_LIST, parse_saved_file_name};
pub use source::{REGISTRATION, TopcoderSource};
