//! A request and its response: TLS, tokens, sessions, the exchange itself, validation, and a
//! first connection.
//! Uses the modules beside this folder, except the client and the rate limits.

pub(crate) mod challenge;
pub(crate) mod connection;
pub(crate) mod http;
pub(crate) mod session;
pub(crate) mod tls;
pub(crate) mod token;
pub(crate) mod validate;
