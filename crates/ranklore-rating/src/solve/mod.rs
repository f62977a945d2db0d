//! Solvers shared by several systems: performances, likelihoods, message passing, beliefs. Imports
//! `numerics` and no rating system.

pub(crate) mod belief;
pub(crate) mod chain;
pub(crate) mod draw_margin;
#[doc(hidden)]
pub mod likelihood;
#[doc(hidden)]
pub mod performance;
pub(crate) mod truncated;
