#![doc = include_str!("../README.md")]

mod accounts;
pub mod assemble;
pub mod conformance;
mod forget;
pub mod html;
pub mod json;
mod options;
mod profile;
mod reading;
mod registration;
mod request;
mod source;
mod terms;

pub use accounts::Accounts;
pub use options::{InvalidOption, OptionKind, OptionValues, SourceOption};
pub use profile::{InPart, Profile, SavedFiles};
pub use ranklore_contest::places;
pub use reading::{
    Account, ContestOutcome, Described, ItemCounts, Listed, Named, OfficialRating, ReadError,
    Reading, Renamed, Results, Stage,
};
pub use registration::Registration;
pub use request::{Asked, Form, Method, Request, forget_in_key};
pub use source::{Document, Source, Verdict};
pub use terms::{Deletions, Names, Terms, TokenTerms};
