//! The time of the next request: the interval between requests, and allowances of a site.
//! Imports the vocabulary beside this folder and sends nothing.

pub(crate) mod allowance;
pub(crate) mod clock;
pub(crate) mod pace;
