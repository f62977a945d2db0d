//! One request and its response: TLS, tokens, the exchange itself, validation.
//! Imports the vocabulary beside this folder, and neither the client nor a limit.

pub(crate) mod check;
pub(crate) mod hop;
pub(crate) mod tls;
pub(crate) mod token;
pub(crate) mod wall;
