#![doc = include_str!("../README.md")]

mod beside;
mod contest;
mod feed;
mod forget;
mod hash;
mod json;
mod options;
mod places;
mod read;
mod reading;
mod table;
mod time;

pub use beside::{Beside, Known, ResultState};
pub use contest::{
    Contest, Entrant, EntrantKind, Invalid, Outcome, Place, SourceName, StartingRating,
    check_standings,
};
pub use forget::{
    Blanks, Forgetting, SearchedName, Unsearchable, any_text, fold_name, mentions_name,
    replace_names,
};
pub use hash::ContentHash;
pub use options::{DateOrder, Format, ReadOptions};
pub use places::places;
pub use read::read;
pub use reading::{
    At, Column, Layout, MAX_DOCUMENT_BYTES, MAX_NAME_CHARS, ReadError, Reading, Refusal, Shape,
};
pub use table::MAX_COLUMNS;
pub use time::UnixSeconds;
