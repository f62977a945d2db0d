#![doc = include_str!("../README.md")]

mod accounts;
mod archive;
mod called;
mod chain;
mod contest;
mod decide;
mod error;
mod evaluate;
mod files;
mod find;
mod forget;
mod identities;
mod import;
mod intake;
mod lack;
mod leaderboard;
mod learn;
mod lists;
mod mine;
mod mined;
mod named_after;
mod names;
mod note;
mod player;
mod preview;
mod prune;
mod rate;
mod rebuild;
mod recall;
mod replay;
mod selection;
mod shared;
mod site;
mod sites;
mod status;
mod sync;
mod systems;
mod teams;
mod unrated;
mod upsets;
mod watch;
mod weights;

pub use contest::{ContestEntry, ContestMember, ContestRequest, ContestView, contest};
pub use decide::{Decided, Wish, decide};
pub use error::Error;
pub use evaluate::{Evaluated, SliceAccuracy, evaluate};
pub use find::{competitor_named, find_competitor, find_source};
pub use forget::{ForgetReport, finish_forgetting, forget, unfinished, would_forget};
pub use import::{ImportRequest, check_paths, import, import_document};
pub use intake::{ImportReport, RefusedDocument};
pub use leaderboard::{
    INACTIVE_AFTER_DAYS, Leaderboard, LeaderboardRequest, Row, find_run, leaderboard,
};
pub use mine::{MinePlan, MineRequest, first, mine, plan};
pub use mined::{MineReport, Stopped};
pub use names::{MAX_CANDIDATES, Match, find_name, find_named};
pub use player::{
    Highlights, Player, PlayerContest, PlayerRequest, PlayerStanding, RunStanding, Step, player,
};
pub use preview::{Preview, PreviewedContest, preview};
pub use prune::{PruneRequest, Pruned, prunable, prune};
pub use ranklore_rating::{About, Promise, Support, Unfinished};
pub use ranklore_source::{Request, Source};
pub use rate::{RateReport, RateRequest, rate};
pub use rebuild::{RebuildReport, RebuiltSource, rebuild};
pub use selection::{RunSelection, quoted};
pub use sites::{SITES, SiteOptions, site};
pub use status::{RunState, RunStatus, SourceStatus, Status, status};
pub use systems::{SYSTEMS, System, SystemName};
pub use teams::Teams;
pub use unrated::Unrated;
pub use upsets::{Upset, Upsets};
pub use watch::{Silent, Watch};
pub use weights::Weights;
