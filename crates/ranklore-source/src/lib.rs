#![doc = include_str!("../README.md")]

mod accounts;
pub mod assemble;
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
pub use profile::{PartialWording, Profile, SavedFiles};
pub use ranklore_contest::{OfficialRating, renumber_places};
pub use reading::{
    Account, AccountRename, ContestOutcome, DisplayName, ItemCounts, ListingDetails, Results,
    SiteListing, SiteReadError, SiteReading, Stage,
};
pub use registration::Registration;
pub use request::{MediaKind, Method, Request, RequestKey, anonymise_key};
pub use source::{Classification, Document, Source, remove_ranges};
pub use terms::{
    CookieTerms, DeletionPolicy, LateChecks, NameDisplay, OtherHost, Terms, TokenTerms,
};
