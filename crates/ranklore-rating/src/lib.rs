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
