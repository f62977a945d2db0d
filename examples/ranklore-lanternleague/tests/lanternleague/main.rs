//! What every source needs to be tested for, and the whole way to ratings.
#![expect(
    clippy::expect_used,
    clippy::unwrap_used,
    clippy::panic,
    reason = "clippy takes the helpers of tests for no tests"
)]

mod documentation;
mod fixtures;
#[expect(dead_code, reason = "end-to-end tests use more of it")]
#[path = "../../../../tests/support/imitation.rs"]
mod imitation;
mod mined_and_rated;
mod oddities;
mod promises;
