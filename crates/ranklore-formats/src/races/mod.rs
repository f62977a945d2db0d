//! Results of races and swimming meets.
//!
//! `iof` reads the results of a race, `lenex` those of a swimming meet, whose events `heats` orders,
//! and `rank` makes contests of them.

mod heats;
pub(crate) mod iof;
pub(crate) mod lenex;
mod rank;
