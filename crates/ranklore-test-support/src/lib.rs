#![doc = include_str!("../README.md")]
#![expect(
    clippy::missing_panics_doc,
    clippy::must_use_candidate,
    clippy::return_self_not_must_use,
    clippy::unwrap_used,
    reason = "only tests call it, and a panic fails the test"
)]

mod contest_files;
#[cfg(feature = "store")]
mod contests;
#[cfg(feature = "store")]
mod documents;
mod hostile;
#[cfg(feature = "runs")]
mod interrupting_progress;
mod reply;
#[cfg(feature = "runs")]
mod runs;
mod server;
pub mod subreddit;
#[cfg(feature = "store")]
mod temp_database;
#[cfg(feature = "store")]
mod world;

pub use contest_files::{contest_file, random_contest_file, random_groups};
#[cfg(feature = "store")]
pub use contests::{
    DAY, at, contest, contest_time, contest_with_entrants, merge, random_contest, rename, restore,
    round, source, split, withdraw,
};
#[cfg(feature = "store")]
pub use documents::{add_tombstone, archive_contest, document, import_contest};
pub use hostile::{HostileBehaviour, HostileKind};
#[cfg(feature = "runs")]
pub use interrupting_progress::InterruptingProgress;
pub use reply::Reply;
#[cfg(feature = "runs")]
pub use runs::{ExpectedReplay, RunSpec, all_system_runs, period_runs, select_sources};
pub use server::{ReceivedRequest, Server};
#[cfg(feature = "store")]
pub use temp_database::TempDatabase;
#[cfg(feature = "store")]
pub use world::{World, rewrite_ratings};
