//! Continuation of a run: the contests that it needs, and the states before the new or changed ones.

mod appended;
mod inputs;
pub(crate) mod rated_events;
mod states;

pub(crate) use inputs::RunInputs;
pub(crate) use states::{CurrentRatings, EarlierContests};
