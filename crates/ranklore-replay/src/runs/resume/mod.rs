//! Continuation of a run: the states before its new or changed contests.

mod states;

pub(crate) use states::{CurrentRatings, restore_states};
