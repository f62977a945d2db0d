//! Properties of all systems with one number per competitor.

#![expect(
    clippy::float_cmp,
    reason = "what has a short form in binary is met to the last bit"
)]

mod guarantees;
mod stability;
mod systems;
