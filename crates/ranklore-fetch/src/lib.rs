//! Rate-limited HTTP client for sources.
#![doc = include_str!("../README.md")]

mod base_url;
mod blocking;
mod client;
mod credentials;
mod error;
mod exchange;
mod log;
mod options;
mod outcome;
mod rate_limit;
mod redact;
mod retry;
mod robots;

pub use blocking::BlockingClient;
pub use client::Client;
pub use credentials::{Credentials, InvalidCredentials, SessionCookie};
pub use error::{ClientError, FetchError, Rejection};
pub use options::{DEFAULT_CONTACT, FetchOptions, HostState};
pub use outcome::{FetchOutcome, FetchedDocument, Validators};
pub use retry::Wait;
