#![doc = include_str!("../README.md")]

mod belief;
mod elo_mmr;
mod elo_mmx;
mod lanes;
pub mod metrics;
mod parameters;
pub mod performance;
mod system;
mod two_double;

pub use elo_mmr::{EloMmr, EloMmrParameters};
pub use elo_mmx::{EloMmx, EloMmxParameters};
pub use parameters::InvalidParameter;
pub use system::{CompetitorIndex, Rated, RatingSystem, Round, Start};

/// Version of the numerics: bumped whenever any bit of any rating changes, so that ratings of
/// different versions are never mixed.
pub const ENGINE: &str = "1";
