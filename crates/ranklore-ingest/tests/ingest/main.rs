//! The public functions of ranklore-ingest: imports, syncs, rebuilds, decisions.
#![expect(
    clippy::unwrap_used,
    reason = "clippy takes the helpers of tests for no tests"
)]

mod annotations;
mod archives;
mod credentials;
mod ctftime_site;
mod dumps;
mod files;
mod fingerprint;
mod histories;
mod interruption;
mod list_pages;
mod mining;
mod mining_lists;
mod pruning;
mod random_mining;
mod random_rebuilds;
mod random_threads;
mod rebuilding;
mod threads;
mod threads_and_files;
mod undo;

use ranklore_contest::{SourceName, UnixSeconds};
use ranklore_formats::ReadOptions;
use ranklore_ingest::{ImportReport, ImportRequest, TimeBound, import};
use ranklore_replay::{NoProgress, Progress};
use ranklore_test_support::{TempDatabase, at, source};

/// Accepts contests of any time.
const NO_TIME_BOUND: TimeBound = TimeBound {
    now: UnixSeconds::MAX,
    allows_future: true,
};

/// Imports everything below the folder `in` as source `club`.
fn import_folder(scratch: &TempDatabase, watch: &dyn Progress) -> ImportReport {
    import(&mut scratch.open_writer(), &import_request(scratch), watch).unwrap()
}

/// Imports one document with this key.
fn import_file(
    scratch: &TempDatabase,
    source: SourceName,
    key: &str,
    bytes: &[u8],
    clock: fn() -> UnixSeconds,
) {
    let file = format!("alone/{key}");
    scratch.write(&file, bytes);
    let request = ImportRequest {
        inputs: vec![scratch.path("alone")].into(),
        source,
        clock,
        ..import_request(scratch)
    };
    import(&mut scratch.open_writer(), &request, &NoProgress).unwrap();
    std::fs::remove_file(scratch.path(&file)).unwrap();
}

fn import_request(scratch: &TempDatabase) -> ImportRequest {
    ImportRequest {
        inputs: vec![scratch.path("in")].into(),
        source: source("club"),
        options: ReadOptions::default(),
        replace: false,
        allows_future: false,
        clock: || at(1_800_000_000),
    }
}
