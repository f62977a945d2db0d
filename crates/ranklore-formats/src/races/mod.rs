//! Results of races and swimming meets.
//!
//! `iof` reads the results of a race, `lenex` and `hytek` those of a swimming meet, whose events
//! `heats` orders, and `rank` makes contests of them. `hytek_records` parses the lines of HY-TEK
//! files, and `hytek_rounds` checks their order.

mod heats;
pub(crate) mod hytek;
mod hytek_records;
mod hytek_rounds;
pub(crate) mod iof;
pub(crate) mod lenex;
mod rank;
