#![doc = include_str!("../README.md")]

mod answers;
mod entrants;
mod options;
mod page;
mod profile;
mod race;
mod requests;
mod source;
mod standings;
mod values;

pub use source::{REGISTRATION, RacetimeSource};
