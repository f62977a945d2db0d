#![doc = include_str!("../README.md")]

mod archive;
mod checks;
mod entries;
mod fields;
mod forget;
pub mod layout;
mod markup;
mod validity;

pub use archive::MemoryArchive;
pub use checks::{
    Fixture, JSON_BYTES, MARKUP_BYTES, check_any_answer, check_any_key, check_fixture,
    check_minimise, check_reading, check_requests, check_truncation, corrupt_body, read_answer,
};
pub use entries::{check_entries, check_rows};
pub use fields::check_fields;
pub use forget::check_forget;
pub use markup::check_markup;
