//! Tests of the client against a local server.

#![expect(
    clippy::unwrap_used,
    reason = "clippy takes the helpers of tests for no tests"
)]

mod allowance;
mod answers;
mod interruption;
mod lapse;
mod pace;
mod processes;
mod redirects;
mod remembered;
mod robots;
mod site;
mod token;
mod trouble;
mod walls;
