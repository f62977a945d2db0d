//! Commands that correct competitors and contests. Uses the output.

pub(crate) mod competitor;
pub(crate) mod forget;
pub(crate) mod withdraw;
