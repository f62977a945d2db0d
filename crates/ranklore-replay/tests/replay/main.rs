//! The public functions of ranklore-replay: runs and views of contests that are in the store.
#![expect(
    clippy::unwrap_used,
    reason = "clippy takes the helpers of tests for no tests"
)]

mod contests;
mod continuing;
mod continuing_at_random;
mod evaluation;
mod leaderboards;
mod names;
mod players;
mod teams;
