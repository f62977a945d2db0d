#![doc = include_str!("../README.md")]

mod ahead;
mod derive;
mod error;
mod import;
mod jobs;
mod mine;
mod note;
mod people;
mod runs;
mod sites;
mod views;
mod watch;

pub use error::{Error, RefusedDocument};
pub use import::documents::{
    ImportRequest, check_paths, import, import_document, import_documents,
};
pub use import::dump::{DumpPreview, DumpReport, DumpRequest, check_dump, mine_dump, preview_dump};
pub use import::intake::ImportReport;
pub use import::preview::{Preview, PreviewedContest, preview, preview_documents};
pub use jobs::forget::{ForgetReport, finish_forgetting, forget, unfinished, would_forget};
pub use jobs::prune::{PruneRequest, Pruned, prunable, prune};
pub use jobs::publishing::Publishing;
pub use jobs::rebuild::{RebuildReport, RebuiltSource, rebuild};
pub use jobs::status::{RunState, RunStatus, SourceStatus, Status, run_state, status};
pub use mine::credentials::{CredentialsError, credentials};
pub use mine::plan::{MinePlan, MineRequest, first, mine, plan, was_listed};
pub use mine::report::{MineReport, Stopped};
pub use people::decide::{Decided, Wish, decide};
pub use ranklore_fetch::{Credentials, InvalidCredentials};
pub use ranklore_rating::{About, ENGINE, Promise, Support, Unfinished};
pub use ranklore_reddit::{Counts as DumpCounts, DumpError, DumpOptions, Listing, NoListing};
pub use ranklore_source::{Names, Request, Source, Terms};
pub use ranklore_topcoder::Options as RoundsAs;
pub use runs::evaluate::{Evaluated, SliceAccuracy, evaluate};
pub use runs::lookup::find_run;
pub use runs::rate::{RateReport, RateRequest, rate};
pub use runs::selection::{RunSelection, quoted};
pub use runs::systems::{SYSTEMS, System, SystemName};
pub use runs::teams::Teams;
pub use runs::weights::Weights;
pub use sites::{SITES, SiteOptions, saved_file, site};
pub use views::contest::{ContestEntry, ContestMember, ContestRequest, ContestView, contest};
pub use views::coverage::Unrated;
pub use views::find::{competitor_named, find_competitor, find_source};
pub use views::fuzzy::{MAX_CANDIDATES, Match, find_name, find_named};
pub use views::history::{Highlights, PlayerContest, Step};
pub use views::leaderboard::{
    INACTIVE_AFTER_DAYS, Leaderboard, LeaderboardRequest, Row, leaderboard,
};
pub use views::player::{Player, PlayerRequest, PlayerStanding, RunStanding, player};
pub use views::pseudonyms::Pseudonyms;
pub use views::upsets::{Upset, Upsets};
pub use watch::{Silent, Watch};
