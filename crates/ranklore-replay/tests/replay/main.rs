//! Tests of the public API of ranklore-replay: runs of stored contests.
#![expect(
    clippy::unwrap_used,
    reason = "clippy does not treat test helpers as tests"
)]

mod incremental;
mod lookup;
mod search;
