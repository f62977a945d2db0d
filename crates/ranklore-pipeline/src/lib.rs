#![doc = include_str!("../README.md")]

mod error;
mod evaluate;
mod files;
mod import;
mod leaderboard;
mod rate;
mod replay;
mod selection;
mod systems;
mod watch;

pub use error::Error;
pub use evaluate::{Evaluated, SliceAccuracy, evaluate};
pub use import::{
    ImportReport, ImportRequest, Preview, PreviewedContest, RefusedDocument, check_paths, import,
    import_document, preview,
};
pub use leaderboard::{Leaderboard, LeaderboardRequest, Row, find_run, leaderboard};
pub use rate::{RateReport, RateRequest, rate};
pub use selection::RunSelection;
pub use systems::{SYSTEMS, System, SystemName};
pub use watch::{Silent, Watch};
