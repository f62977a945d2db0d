//! Properties of all systems with one number per competitor.

#![expect(
    clippy::float_cmp,
    reason = "what has a short form in binary is met to the last bit"
)]

#[path = "../fingerprint/mod.rs"]
mod fingerprint;
mod guarantees;
#[path = "../random/mod.rs"]
mod random;
mod stability;
mod systems;
