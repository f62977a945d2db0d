#![doc = include_str!("../README.md")]

mod classify;
mod events;
mod merges;
mod minimise;
mod requests;
mod results;
mod source;
mod standings;
mod teams;

pub use source::{CtftimeSource, REGISTRATION};
