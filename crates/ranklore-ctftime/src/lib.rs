#![doc = include_str!("../README.md")]

mod ask;
mod events;
mod judge;
mod kept;
mod moved;
mod places;
mod results;
mod scoreboard;
mod source;
mod teams;

pub use source::Ctftime;
