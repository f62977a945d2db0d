#![doc = include_str!("../README.md")]

mod error;
mod evaluate;
mod files;
mod import;
mod leaderboard;
mod preview;
mod rate;
mod replay;
mod selection;
mod systems;
mod watch;

pub use error::Error;
pub use evaluate::{Evaluated, SliceAccuracy, evaluate};
pub use import::{
    ImportReport, ImportRequest, RefusedDocument, check_paths, import, import_document,
};
pub use leaderboard::{Leaderboard, LeaderboardRequest, Row, find_run, leaderboard};
pub use preview::{Preview, PreviewedContest, preview};
pub use rate::{RateReport, RateRequest, rate};
pub use selection::{RunSelection, quoted};
pub use systems::{SYSTEMS, System, SystemName};
pub use watch::{Silent, Watch};
