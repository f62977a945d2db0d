//! Results in XML.
//!
//! `elements` reads elements with bounds for their depth and number, `iof` the results of a race,
//! `lenex` those of a swimming meet, whose events `heats` orders, and `rank` makes contests of them.

pub(crate) mod elements;
mod heats;
pub(crate) mod iof;
pub(crate) mod lenex;
mod rank;
