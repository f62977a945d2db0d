#![doc = include_str!("../README.md")]

mod error;
mod runs;
mod views;
mod watch;

pub use error::Error;
pub use ranklore_rating::{About, ENGINE, Promise, Support, Unfinished};
pub use runs::evaluate::{Evaluated, evaluate};
pub use runs::fingerprint::is_current;
pub use runs::lookup::find_run;
pub use runs::rate::{RateReport, RateRequest, rate, rate_within};
pub use runs::relink::{CurrentRun, current_runs, relink};
pub use runs::selection::{EmptySelection, RunSelection, find_source};
pub use runs::systems::{SYSTEMS, System, SystemName, changed_parameters, setting_words};
pub use runs::teams::Teams;
pub use runs::weights::Weights;
pub use views::contest::{
    ContestCompetitor, ContestEntry, ContestRequest, ContestResult, ContestView, contest,
};
pub use views::coverage::Unrated;
pub use views::find::{competitor_named, contest_named, find_competitor};
pub use views::fuzzy::{MAX_CANDIDATES, Match, find_name, find_named};
pub use views::history::{Highlights, PlayerContest, Step};
pub use views::leaderboard::{
    INACTIVE_AFTER_DAYS, Leaderboard, LeaderboardRequest, LeaderboardRow, RankedCompetitor,
    leaderboard,
};
pub use views::names::{CompetitorLabel, NamesPolicy};
pub use views::page::Page;
pub use views::player::{Player, PlayerRequest, PlayerStanding, RunStanding, player};
pub use views::systems::{SystemDescription, describe_system};
pub use views::upsets::{Upset, Upsets};
pub use watch::{Silent, Watch};
