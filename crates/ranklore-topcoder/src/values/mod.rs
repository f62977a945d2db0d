//! Parsing of numbers, texts and times.
//! Uses no other module of this crate.

pub(crate) mod new_york;
pub(crate) mod numbers;
pub(crate) mod text;
