//! Rate-limited HTTP client for sources.
#![doc = include_str!("../README.md")]

mod answer;
mod blocking;
mod client;
mod credentials;
mod exchange;
mod failed;
mod log;
mod options;
mod rate_limit;
mod retry;
mod robots;
mod shown;
mod stop;

pub use answer::{Answered, Fresh, Validators};
pub use blocking::Blocking;
pub use client::Client;
pub use credentials::{Credentials, InvalidCredentials};
pub use failed::{Failed, FetchError, Rejection};
pub use options::{CONTACT, HostState, Options};
pub use stop::Stop;
