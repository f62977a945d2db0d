#![doc = include_str!("../README.md")]

mod classify;
mod contests;
mod join;
mod minimise;
mod ranks;
mod renames;
mod requests;
mod results;
mod source;
mod standings;

pub use join::join;
pub use source::{AtcoderSource, REGISTRATION};
