//! Predictions: those of a field, and the accuracy of past ones.
//!
//! Imports `views` and `runs`.

pub(crate) mod accuracy;
pub(crate) mod agreement;
pub(crate) mod comparison;
pub(crate) mod evaluate;
pub(crate) mod field;
pub(crate) mod settings;
pub(crate) mod slices;
pub(crate) mod states;
pub(crate) mod system_replay;
pub(crate) mod versus;
