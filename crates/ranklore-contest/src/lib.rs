#![doc = include_str!("../README.md")]

mod contest;
mod hash;
mod time;

pub use contest::{
    Contest, Entrant, EntrantKind, Invalid, Outcome, Place, SourceName, StartingRating,
};
pub use hash::ContentHash;
pub use time::UnixSeconds;
