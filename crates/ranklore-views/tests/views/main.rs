//! Tests of the public API of ranklore-views: views of runs of stored contests.
#![expect(
    clippy::unwrap_used,
    reason = "clippy does not treat test helpers as tests"
)]

mod comparison;
mod contests;
mod evaluation;
mod experiments;
mod games;
mod incremental_random;
mod leaderboards;
mod measures;
mod names;
mod players;
mod predictions;
mod records;
mod sigma_growth;
mod teams;
