#![doc = include_str!("../README.md")]
#![expect(
    clippy::missing_panics_doc,
    clippy::must_use_candidate,
    clippy::unwrap_used,
    reason = "called by tests alone, which fail where anything fails"
)]

#[cfg(feature = "store")]
mod contests;
#[cfg(feature = "store")]
mod documents;
#[cfg(feature = "store")]
mod scratch;

#[cfg(feature = "store")]
pub use contests::{
    DAY, at, contest, contest_of, merge, rename, restore, round, source, split, withdraw,
};
#[cfg(feature = "store")]
pub use documents::{archive_contest, document, put_contest};
#[cfg(feature = "store")]
pub use scratch::Scratch;
