#![doc = include_str!("../README.md")]

mod ask;
mod classify;
mod couple;
mod heats;
mod minimise;
mod month;
mod months;
mod options;
mod page;
mod places;
mod scoresheet;
mod source;
mod text;

pub use options::Options;
pub use scoresheet::{Marks, Scoresheet, Section, scoresheet};
pub use source::{O2cm, REGISTRATION};
