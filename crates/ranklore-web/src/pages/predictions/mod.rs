//! Predictions: of a field, and how accurate those of systems were.

pub(crate) mod field;
mod scatter;
pub(crate) mod systems;
