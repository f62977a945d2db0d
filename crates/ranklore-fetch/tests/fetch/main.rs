//! Tests of the client against a local server.

#![expect(
    clippy::unwrap_used,
    reason = "clippy takes the helpers of tests for no tests"
)]

mod cookie;
mod failures;
mod host_state;
mod interim_responses;
mod interruption;
mod invalid_responses;
mod pace;
mod processes;
mod quota;
mod redirects;
mod responses;
mod robots;
mod test_source;
mod token;
mod virtual_time;
