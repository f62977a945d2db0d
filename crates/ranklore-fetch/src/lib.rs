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

pub use answer::{FetchOutcome, FetchedDocument, Validators};
pub use blocking::BlockingClient;
pub use client::Client;
pub use credentials::{Credentials, InvalidCredentials};
pub use failed::{ClientError, FetchError, Rejection};
pub use options::{DEFAULT_CONTACT, FetchOptions, HostState};
pub use stop::StopSignal;
