//! What the store promises, through its public face.
#![expect(
    clippy::unwrap_used,
    reason = "clippy takes the helpers of tests for no tests"
)]

mod checking;
mod contests;
mod documents;
#[cfg(unix)]
mod opening;
mod pseudonyms;
mod ratings;
mod schema;
mod transactions;
mod upkeep;

use std::path::PathBuf;

use ranklore_contest::{Contest, Entrant, EntrantKind, Outcome, Place, SourceName, UnixSeconds};
use ranklore_store::{
    Batch, Body, ContestState, DocumentId, NewDocument, Put, Selection, SourceId, Store, Writer,
};
use tempfile::TempDir;

/// A folder with a file that goes away with it.
struct Scratch {
    _folder: TempDir,
    path: PathBuf,
}

impl Scratch {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("ranklore.sqlite");
        Self {
            _folder: folder,
            path,
        }
    }

    fn writer(&self) -> Writer {
        Store::open_writer(&self.path, "a test").unwrap()
    }

    fn reader(&self) -> Store {
        Store::open_reader(&self.path).unwrap()
    }

    /// A connection that knows nothing of Ranklore.
    fn raw(&self) -> rusqlite::Connection {
        let raw = rusqlite::Connection::open(&self.path).unwrap();
        raw.pragma_update(None, "foreign_keys", false).unwrap();
        raw
    }

    fn beside(&self, suffix: &str) -> PathBuf {
        PathBuf::from(format!("{}{suffix}", self.path.display()))
    }
}

fn at(seconds: i64) -> UnixSeconds {
    UnixSeconds::new(seconds).unwrap()
}

fn source(name: &str) -> SourceName {
    SourceName::new(name).unwrap()
}

fn select(sources: &[&str]) -> Selection {
    Selection {
        sources: sources.iter().map(|name| source(name)).collect(),
        ..Selection::default()
    }
}

/// A contest whose entrants stand in the order given.
fn contest(external_id: &str, ends_at: i64, order: &[&str]) -> Contest {
    Contest {
        external_id: external_id.into(),
        name: format!("Round {external_id}"),
        event: None,
        division: None,
        ordinal: None,
        url: None,
        starts_at: None,
        ends_at: at(ends_at),
        weight: 1.0,
        site_weight: None,
        performance_ceiling: None,
        entrants: (0..)
            .zip(order)
            .map(|(above, name)| Entrant::person(*name, Outcome::Finished(Place::below(above))))
            .collect(),
    }
}

/// A contest with all there can be: ties, teams, a couple, scores, someone unplaced.
fn rich(external_id: &str, ends_at: i64) -> Contest {
    let mut rich = contest(
        external_id,
        ends_at,
        &["ada", "bo & cy", "the bees", "dot", "eve"],
    );
    rich.event = Some("Cup".into());
    rich.division = Some("A".into());
    rich.ordinal = Some(2);
    rich.url = Some("https://example.org/1".into());
    rich.starts_at = Some(at(ends_at - 60));
    rich.weight = 0.5;
    rich.site_weight = Some(31.25);
    rich.performance_ceiling = Some(2400.0);
    rich.entrants[0].score = Some(-0.1);
    rich.entrants[0].penalty = Some(0.0);
    rich.entrants[2].kind = EntrantKind::Team;
    rich.entrants[2].members = ["zoe", "the bees", "ada", "zoe"].map(Into::into).into();
    rich.entrants[1].kind = EntrantKind::Couple;
    rich.entrants[1].members = ["bo", "cy"].map(Into::into).into();
    rich.entrants[2].outcome = Outcome::Finished(Place::below(1));
    rich.entrants[3].outcome = Outcome::DidNotFinish;
    rich.entrants[4].outcome = Outcome::Disqualified;
    rich.validate().unwrap();
    rich
}

fn document<'a>(key: &'a str, now: i64, body: &'a [u8]) -> NewDocument<'a> {
    NewDocument {
        request_key: key,
        url: None,
        fetched_at: at(now),
        status: None,
        etag: None,
        last_modified: None,
        media_type: None,
        reading: Some("{}"),
        body: Body::Plain(body),
        kept: None,
    }
}

/// Archives a document of its own for the contest and puts it, as an import does.
fn put(batch: &mut Batch<'_>, name: &str, now: i64, contest: &Contest) -> Put {
    let (source_id, document_id) = archive(batch, name, now, contest);
    batch
        .put_contest(source_id, document_id, contest, ContestState::Final, true)
        .unwrap()
}

fn archive(
    batch: &mut Batch<'_>,
    name: &str,
    now: i64,
    contest: &Contest,
) -> (SourceId, DocumentId) {
    let source_id = batch.source(&source(name), at(now)).unwrap();
    let key = format!("{}.json", contest.external_id);
    let body = format!("{contest:?}");
    let archived = batch
        .archive(source_id, &document(&key, now, body.as_bytes()))
        .unwrap();
    (source_id, archived.document_id)
}
