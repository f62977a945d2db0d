#![doc = include_str!("../README.md")]

mod classify;
mod contests;
mod feeds;
mod minimise;
mod pages;
mod requests;
mod saved_files;
mod source;
mod standings;
mod values;

pub use saved_files::{SAVED_ROUND_LIST, parse_saved_file_name};
pub use source::{REGISTRATION, TopcoderSource};
