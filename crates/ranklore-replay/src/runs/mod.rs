//! Contests to ratings: systems and parameters, selection, sizes, lineup, continuation, rating.
//!
//! Imports the store and the rating systems, and no view.

pub(crate) mod contest_size;
pub(crate) mod fingerprint;
pub(crate) mod identities;
pub(crate) mod keys;
pub(crate) mod lineup;
pub(crate) mod lookup;
pub(crate) mod rate;
pub(crate) mod rating_period;
pub(crate) mod refresh;
pub(crate) mod resume;
pub(crate) mod selected_contests;
pub(crate) mod selection;
pub(crate) mod systems;
pub(crate) mod teams;
pub(crate) mod weights;
