#![doc = include_str!("../README.md")]

// So that the code of `word_enum!` finds this crate under its name here too.
extern crate self as ranklore_contest;

mod annotations;
mod contest;
mod contest_time;
mod forget;
mod hash;
mod json_error;
mod mentions;
mod natural_order;
mod places;
mod quote;
mod text;
mod time;
mod validation;
mod words;

pub use annotations::{Annotations, CompetitorFacts, ResultState};
pub use contest::{
    BETWEEN_PLAYERS, Contest, Entrant, EntrantKind, EntrantOutcome, OfficialRating, Place,
    STARTING_MU_RANGE, STARTING_SIGMA_RANGE, Side, SourceName, StartingRating,
    check_performance_ceiling, check_standings, check_weight, id_from_name,
};
pub use contest_time::ContestTime;
pub use forget::{Anonymiser, ForgottenNames};
pub use hash::ContentHash;
pub use json_error::describe_json_error;
pub use mentions::{SearchedName, fold_name, mentions_name, replace_names};
pub use natural_order::compare_naturally;
pub use places::renumber_places;
pub use quote::{Quoted, shorten};
#[doc(hidden)]
pub use serde;
pub use text::{format_count, format_plural, format_time, quote_for_shell};
pub use time::UnixSeconds;
pub use validation::{
    MAX_NAME_CHARS, ValidationError, check_bounds, is_name_too_long, name_too_long_error,
};
pub use words::WordEnum;
