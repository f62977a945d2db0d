//! The polite client.
#![doc = include_str!("../README.md")]

mod allowance;
mod answer;
mod blocking;
mod check;
mod client;
mod credentials;
mod failed;
mod hop;
mod options;
mod pace;
mod retry;
mod robots;
mod shown;
mod stop;
mod tls;
mod token;
mod wall;

pub use answer::{Answered, Fresh, Validators};
pub use blocking::Blocking;
pub use client::Client;
pub use credentials::{Credentials, InvalidCredentials};
pub use failed::{Failed, FetchError};
pub use options::{CONTACT, HostState, Options};
pub use robots::Robots;
pub use stop::Stop;
