//! Tests of export, import, comparison and verification of datasets. One binary, as each would link
//! all dependencies again.
#![expect(
    clippy::unwrap_used,
    reason = "clippy takes the helpers of tests for no tests"
)]
#![expect(
    clippy::format_collect,
    reason = "the texts are short, and this reads best"
)]

mod changes;
mod columns;
mod exports;
mod forgetting;
mod hostile;
mod privacy;
mod reseal;
mod round_trip;
mod same_bytes;
mod scanning;
mod staging;
mod verification;
