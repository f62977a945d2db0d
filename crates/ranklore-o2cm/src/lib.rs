#![doc = include_str!("../README.md")]

mod classify;
mod couples;
mod listing;
mod minimise;
mod months;
mod requests;
mod source;
mod standings;
mod text;

pub use source::{O2cmSource, REGISTRATION};
