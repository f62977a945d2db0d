#![doc = include_str!("../README.md")]

mod ask;
mod classify;
mod events;
mod minimise;
mod moved;
mod results;
mod scoreboard;
mod source;
mod teams;

pub use source::{CtftimeSource, REGISTRATION};
