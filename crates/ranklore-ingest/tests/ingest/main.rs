//! What the pipeline promises, through its public face.
#![expect(
    clippy::expect_used,
    clippy::unwrap_used,
    reason = "clippy takes the helpers of tests for no tests"
)]

mod beside;
#[path = "../../../ranklore-replay/tests/replay/contests.rs"]
mod contests;
#[path = "../../../ranklore-replay/tests/replay/continuing.rs"]
mod continuing;
#[path = "../../../ranklore-replay/tests/replay/continuing_at_random.rs"]
mod continuing_at_random;
mod credentials;
mod dumps;
#[path = "../../../ranklore-replay/tests/replay/evaluation.rs"]
mod evaluation;
mod files;
mod fingerprint;
mod following;
#[expect(dead_code, reason = "end-to-end tests use more of it")]
#[path = "../../../../tests/support/imitation.rs"]
mod imitation;
mod interruption;
#[path = "../../../ranklore-replay/tests/replay/leaderboards.rs"]
mod leaderboards;
mod mining;
mod mining_at_random;
mod mining_lists;
#[path = "../../../ranklore-replay/tests/replay/names.rs"]
mod names;
#[path = "../../../ranklore-replay/tests/replay/players.rs"]
mod players;
mod pruning;
mod rebuilding;
mod rebuilding_at_random;
#[path = "../../../../tests/support/subreddit.rs"]
mod subreddit;
#[path = "../../../ranklore-replay/tests/replay/teams.rs"]
mod teams;
mod threads;
mod threads_at_random;
mod threads_beside_files;
#[path = "../../../ranklore-test-support/src/world.rs"]
mod world;
mod yearbook;

use std::path::PathBuf;

use ranklore_contest::{ReadOptions, SourceName, UnixSeconds};
use ranklore_ingest::{ImportReport, ImportRequest, import};
use ranklore_replay::{RateReport, RateRequest, RunSelection, SYSTEMS, Silent, Watch, rate};
use ranklore_store::{Store, Writer};
use serde_json::{Map, Value, json};
use tempfile::TempDir;

const DAY: i64 = 86_400;

/// A folder for documents, and beside it a file.
struct Scratch {
    folder: TempDir,
}

impl Scratch {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("in")).unwrap();
        Self { folder }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Writes a document below `in`.
    fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        let path = self.path("in").join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, content).unwrap();
    }

    fn writer(&self) -> Writer {
        Store::open_writer(self.path("ranklore.sqlite"), "a test").unwrap()
    }

    /// Imports everything below `in` as source `club`.
    fn import(&self, watch: &dyn Watch) -> ImportReport {
        import(&mut self.writer(), &self.request(), watch).unwrap()
    }

    fn request(&self) -> ImportRequest {
        ImportRequest {
            paths: vec![self.path("in")],
            source: club(),
            json: ranklore_contest::Format::Json,
            options: ReadOptions::default(),
            clock: || at(1_800_000_000),
        }
    }

    fn rate(&self, parameters: &Value) -> RateReport {
        rate(&mut self.writer(), request(parameters), &Silent).unwrap()
    }

    fn content_hash(&self) -> [u8; 32] {
        let store = Store::open_reader(self.path("ranklore.sqlite")).unwrap();
        assert_eq!(store.check().unwrap(), []);
        store.content_hash().unwrap()
    }
}

fn at(seconds: i64) -> UnixSeconds {
    UnixSeconds::new(seconds).unwrap()
}

fn club() -> SourceName {
    SourceName::new("club").unwrap()
}

fn selection() -> RunSelection {
    RunSelection {
        sources: vec![club()],
        ..RunSelection::default()
    }
}

/// Elo-MMR over the club.
fn request(parameters: &Value) -> RateRequest {
    let none = Map::new();
    let parameters = parameters.as_object().unwrap_or(&none);
    RateRequest {
        selection: selection(),
        system: SYSTEMS[0].with(parameters).unwrap(),
        now: at(1_800_000_000),
    }
}

/// A contest file; each group is a tie.
fn contest(id: u32, ends_at: i64, groups: &[Vec<String>]) -> Value {
    let mut standings = Vec::new();
    for group in groups {
        let (from, to) = (standings.len(), standings.len() + group.len() - 1);
        standings.extend(group.iter().map(|name| json!([name, from, to])));
    }
    json!({"id": id, "name": format!("Round {id}"), "time_seconds": ends_at, "standings": standings})
}

/// A contest of so many out of 60, in an order that is always the same and looks random, with
/// ties; strong ones tend to be in front.
fn random_contest(id: u32, ends_at: i64, entrants: usize) -> Value {
    let mut seed = u64::from(id) + 1;
    let mut next = || {
        seed = seed
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        seed >> 40
    };
    let mut order: Vec<(u64, String)> = (0..60)
        .map(|player| (next() % 100 + player, format!("player {player}")))
        .collect();
    order.sort_unstable();
    order.rotate_left(next() as usize % 10);
    order.truncate(entrants);
    let names: Vec<String> = order.into_iter().map(|(_, name)| name).collect();
    let groups: Vec<Vec<String>> = names
        .chunks(1 + id as usize % 3)
        .map(<[String]>::to_vec)
        .collect();
    contest(id, ends_at, &groups)
}

/// A club of so many contests, a week apart.
fn random_club(contests: u32) -> Scratch {
    let scratch = Scratch::new();
    for id in 1..=contests {
        let file = random_contest(id, i64::from(id) * 7 * DAY, 4 + id as usize % 30);
        scratch.write(&format!("{id}.json"), file.to_string());
    }
    scratch.import(&Silent);
    scratch
}
