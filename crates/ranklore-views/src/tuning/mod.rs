//! Tuning: the search for the parameters with which a rating system predicts best.
//!
//! The first contests tune, the rest judges. Imports `predictions`.

pub(crate) mod journal;
pub(crate) mod judge;
pub(crate) mod part;
pub(crate) mod reference_point;
pub(crate) mod request;
pub(crate) mod search;
pub(crate) mod simplify;
pub(crate) mod trial;
pub(crate) mod tune;
