#![doc = include_str!("../README.md")]

mod ask;
mod classify;
mod couple;
mod heats;
mod minimise;
mod month;
mod months;
mod places;
mod source;
mod text;

pub use source::{O2cmSource, REGISTRATION};
