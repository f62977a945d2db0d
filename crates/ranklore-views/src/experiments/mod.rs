//! Experiments: rating systems over contests that ended otherwise than they did.
//!
//! Imports `predictions` and `names`.

pub(crate) mod farm;
