#![doc = include_str!("../README.md")]

mod annotations;
mod contest;
mod feed;
mod forget;
mod hash;
mod json;
mod limits;
mod natural_order;
mod options;
mod places;
mod quote;
mod read;
mod reading;
mod shell;
mod table;
mod time;
mod words;

pub use annotations::{Annotations, CompetitorFacts, ResultState};
pub use contest::{
    Contest, Entrant, EntrantKind, EntrantOutcome, Place, SourceName, StartingRating,
    ValidationError, check_standings,
};
pub use forget::{
    Anonymiser, ForgottenNames, SearchedName, Unsearchable, any_text, fold_name, mentions_name,
    replace_names,
};
pub use hash::ContentHash;
pub use json::describe_json_error;
pub use natural_order::compare_naturally;
pub use options::{DateOrder, FileFormat, MemberSeparator, ReadOptions, StatedLayout};
pub use places::renumber_places;
pub use quote::{Quoted, shorten};
pub use read::{read, read_archived};
pub use reading::{
    FileReadError, FileReading, Location, MAX_DOCUMENT_BYTES, MAX_NAME_CHARS, RecognisedColumn,
    RefusedEntry, TableLayout, TableShape,
};
pub use shell::quote_for_shell;
pub use table::{CellStatus, ColumnMeaning, MAX_COLUMNS};
pub use time::UnixSeconds;
