//! Threads with comments in several documents, and deletions on the site.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use ranklore_contest::{SourceName, UnixSeconds};
use ranklore_ingest::{
    Credentials, MineReport, MineRequest, OptionValues, find_site, mine, rebuild,
};
use ranklore_replay::{NoProgress, Progress, RateRequest, RunSelection, SYSTEMS, rate};
use ranklore_store::ContestState;
use ranklore_test_support::subreddit::{
    Comment, TEXT, Thread, ThreadState, listing_page, sample_thread,
};
use ranklore_test_support::{DAY, TempDatabase};
use ranklore_test_support::{Reply, Server};
use serde_json::{Map, json};

/// 1 July 2024.
const START: i64 = 1_719_792_000;

const TOP_TARGET: &str = "GET /r/LanternTales/top?raw_json=1&limit=100&t=all";

/// The source options for that list.
const TOP_OPTIONS: &[(&str, &str)] = &[("subreddit", "LanternTales"), ("top", "100")];

thread_local! {
    static NOW: Cell<i64> = const { Cell::new(START) };
}

pub(crate) fn clock() -> UnixSeconds {
    UnixSeconds::new(NOW.get()).unwrap()
}

/// A progress that interrupts as soon as the condition is false.
struct RunsWhile<'a>(&'a (dyn Fn() -> bool + Sync));

impl Progress for RunsWhile<'_> {
    fn begin_task(&self, _: &str, _: u64) {}

    fn advance(&self, _: u64, _: u64, _: u64) {}

    fn note(&self, _: &str) {}

    fn is_interrupted(&self) -> bool {
        !self.0()
    }
}

/// A test server with a subreddit, and the database it is mined into.
pub(crate) struct MinedSubreddit {
    pub(crate) server: Arc<Server>,
    pub(crate) scratch: TempDatabase,
    syncs: i64,
}

impl MinedSubreddit {
    pub(crate) fn new() -> Self {
        let server = Server::new();
        let token =
            json!({"access_token": "wick-and-glass", "token_type": "bearer", "expires_in": 86400});
        let token = Reply::json(&token);
        server.set_replies("POST /api/v1/access_token", [token.clone()]);
        server.set_replies("POST /api/v1/access_token grant_type=client_credentials", [token]);
        Self {
            server: Arc::new(server),
            scratch: TempDatabase::new(),
            syncs: 0,
        }
    }

    /// Serves a list of exactly these threads.
    pub(crate) fn set_listed(&self, threads: &[&Thread]) {
        self.server.set_replies(TOP_TARGET, [listing_page(threads, None)]);
    }

    pub(crate) fn sync(&mut self) -> MineReport {
        self.sync_limited(None)
    }

    pub(crate) fn sync_limited(&mut self, limit: Option<usize>) -> MineReport {
        self.sync_with(TOP_OPTIONS, limit, &NoProgress)
    }

    /// Syncs while `goes_on` is true for the number of requests so far.
    fn sync_while(&mut self, may_continue: &(dyn Fn(usize) -> bool + Sync)) -> MineReport {
        let server = Arc::clone(&self.server);
        self.sync_with(TOP_OPTIONS, None, &RunsWhile(&|| may_continue(server.request_count())))
    }

    pub(crate) fn sync_with(
        &mut self,
        threads: &[(&str, &str)],
        limit: Option<usize>,
        watch: &dyn Progress,
    ) -> MineReport {
        self.syncs += 1;
        NOW.set(START + self.syncs * DAY);
        let site = find_site("reddit").unwrap();
        let mut options = OptionValues::default();
        for (name, value) in threads {
            options.set(site.profile, name, Some(value)).unwrap();
        }
        let reddit = (site.open)(&options).unwrap();
        let request = MineRequest {
            limit,
            base_url: Some(self.server.url().to_owned()),
            interval: Some(Duration::ZERO),
            backoff: Some(Duration::ZERO),
            credentials: Credentials::new("wharf-program".into(), "oil-of-whales".into()).ok(),
            ..MineRequest::default()
        };
        let mut store = self.scratch.open_writer();
        mine(&mut store, &*reddit, &request, clock, watch).unwrap()
    }

    /// Returns the scores of a thread by author.
    pub(crate) fn sums(&self, thread: &Thread) -> BTreeMap<String, i64> {
        let store = self.scratch.open_writer();
        let contests = store.contests_of_source(store.sources().unwrap()[0].source_id);
        let mut contests = contests.unwrap().into_iter();
        let row = contests.find(|contest| contest.external_id == thread.external_id());
        let Some(row) = row.filter(|row| row.content_hash.is_some()) else {
            return BTreeMap::new();
        };
        let contest = store.load_contest(row.contest_id).unwrap();
        let entrants = contest.entrants.into_iter();
        entrants
            .map(|entrant| (entrant.competitor, entrant.score.unwrap() as i64))
            .collect()
    }

    pub(crate) fn state(&self, thread: &Thread) -> ContestState {
        let store = self.scratch.open_writer();
        let contests = store.contests_of_source(store.sources().unwrap()[0].source_id);
        let mut contests = contests.unwrap().into_iter();
        let row = contests.find(|contest| contest.external_id == thread.external_id());
        row.unwrap().state
    }

    /// True if the bytes of any file in the folder of the database contain the text.
    pub(crate) fn database_contains(&self, text: &str) -> bool {
        let files = std::fs::read_dir(self.scratch.folder()).unwrap();
        let paths = files.map(|entry| entry.unwrap().path());
        let mut files = paths.filter(|path| path.is_file());
        files.any(|path| {
            let bytes = std::fs::read(path).unwrap();
            bytes.windows(text.len()).any(|part| part == text.as_bytes())
        })
    }

    /// True if any archived document contains the text.
    pub(crate) fn archive_contains(&self, text: &str) -> bool {
        let store = self.scratch.open_writer();
        let source_id = store.sources().unwrap()[0].source_id;
        let documents = store.documents(source_id).unwrap();
        documents.iter().any(|row| {
            let body = store.document(row.document_id).unwrap().body;
            String::from_utf8(body).unwrap().contains(text)
        })
    }

    pub(crate) fn count(&self, sql: &str) -> i64 {
        let raw = rusqlite::Connection::open(self.scratch.database()).unwrap();
        raw.query_row(sql, [], |row| row.get(0)).unwrap()
    }

    pub(crate) fn assert_rebuild_is_stable(&self) {
        let mut store = self.scratch.open_writer();
        assert_eq!(store.check().unwrap(), []);
        drop(store);
        let hash = self.scratch.content_hash();
        store = self.scratch.open_writer();
        rebuild(&mut store, &[], clock, &NoProgress).unwrap();
        drop(store);
        assert_eq!(self.scratch.content_hash(), hash);
    }
}

#[test]
fn scores_are_summed_over_all_thread_documents() {
    let mut mined = MinedSubreddit::new();
    let thread = sample_thread();
    mined.set_listed(&[&thread]);
    thread.publish_on(&mined.server);
    let report = mined.sync();
    assert_eq!((report.contests.with_results.added, report.refused.len()), (1, 0));
    // One page of threads and five documents of the thread.
    assert_eq!(report.answers, 6);
    assert_eq!(mined.sums(&thread), thread.author_scores());
    assert!(!mined.archive_contains(TEXT));
    mined.assert_rebuild_is_stable();
}

#[test]
fn changed_scores_revise_thread_only_with_its_order() {
    let mut mined = MinedSubreddit::new();
    let mut thread = sample_thread();
    mined.set_listed(&[&thread]);
    thread.publish_on(&mined.server);
    mined.sync();
    let scores = thread.author_scores();
    let documents = "SELECT count(*) FROM document WHERE request_key LIKE '%omments/%'";
    let count = mined.count(documents);
    let revisions = |report: &MineReport| {
        let contests = report.contests.with_results;
        (contests.revised, contests.unchanged)
    };
    // Each sync finds other scores, also in further parts of the thread.
    for fuzz in [1, 2, -1] {
        for index in [0, 1, 8] {
            thread.comments[index].score += fuzz;
        }
        thread.publish_on(&mined.server);
        let report = mined.sync();
        assert_eq!(revisions(&report), (0, 1));
        assert_eq!(mined.sums(&thread), scores);
        assert_eq!(mined.count(documents), count);
        mined.assert_rebuild_is_stable();
    }
    // Another order, and then a further comment, bring the scores of that day.
    thread.comments[6].score += 100;
    thread.publish_on(&mined.server);
    assert_eq!(revisions(&mined.sync()), (1, 0));
    assert_eq!(mined.sums(&thread), thread.author_scores());
    thread.comments[0].score += 1;
    thread.comments.push(Comment::new(11, None, "Ada_L", 0));
    thread.publish_on(&mined.server);
    assert_eq!(revisions(&mined.sync()), (1, 0));
    assert_eq!(mined.sums(&thread), thread.author_scores());
    mined.assert_rebuild_is_stable();
}

pub(crate) fn rate_all(mined: &MinedSubreddit) {
    let request = RateRequest {
        selection: RunSelection {
            sources: vec![SourceName::new("reddit").unwrap()],
            ..RunSelection::default()
        },
        system: SYSTEMS[0].with_parameters(&Map::new()).unwrap(),
        skip_unsupported: false,
        now: clock(),
    };
    rate(&mut mined.scratch.open_writer(), request, &NoProgress).unwrap();
}

/// Syncs before and after `change`.
pub(crate) fn mine_around_change(change: impl Fn(&mut Thread)) -> (MinedSubreddit, Thread) {
    let mut mined = MinedSubreddit::new();
    let mut thread = sample_thread();
    mined.set_listed(&[&thread]);
    thread.publish_on(&mined.server);
    mined.sync();
    change(&mut thread);
    thread.publish_on(&mined.server);
    let report = mined.sync();
    assert_eq!(report.refused.len(), 0);
    (mined, thread)
}

#[test]
fn next_sync_removes_deleted_account() {
    let (mined, thread) = mine_around_change(|thread| {
        for comment in &mut thread.comments {
            comment.author = comment.author.take().filter(|name| name != "Ada_L");
        }
    });
    assert_eq!(mined.sums(&thread), thread.author_scores());
    assert!(!mined.archive_contains("Ada_L"));
    assert!(!mined.database_contains("Ada_L"));
    mined.assert_rebuild_is_stable();
}

#[test]
fn deleted_thread_keeps_only_its_contest_row() {
    let (mined, thread) = mine_around_change(|thread| thread.state = ThreadState::Deleted);
    assert_eq!(mined.sums(&thread), BTreeMap::new());
    assert_eq!(mined.state(&thread), ContestState::Withdrawn);
    for author in sample_thread().author_scores().keys() {
        assert!(!mined.database_contains(author), "{author}");
    }
    mined.assert_rebuild_is_stable();
}

#[test]
fn thread_with_all_comments_deleted_has_no_entrants() {
    let (mined, thread) = mine_around_change(|thread| thread.comments.clear());
    assert_eq!(mined.sums(&thread), BTreeMap::new());
    assert!(!mined.database_contains("Bea-1"));
    mined.assert_rebuild_is_stable();
}

#[test]
fn private_thread_keeps_its_results() {
    let (mined, thread) = mine_around_change(|thread| thread.state = ThreadState::Private);
    assert_eq!(mined.sums(&thread), sample_thread().author_scores());
    mined.assert_rebuild_is_stable();
}

#[test]
fn unlisted_thread_is_requested_again() {
    let mut mined = MinedSubreddit::new();
    let mut old = sample_thread();
    let new = Thread::new(2, vec![Comment::new(30, None, "Gil", 1)]);
    mined.set_listed(&[&old]);
    old.publish_on(&mined.server);
    mined.sync();
    mined.set_listed(&[&new]);
    old.comments.truncate(1);
    old.comments[0].author = None;
    old.publish_on(&mined.server);
    new.publish_on(&mined.server);
    mined.sync();
    assert_eq!(mined.sums(&new), new.author_scores());
    assert_eq!(mined.sums(&old), BTreeMap::new());
    assert!(!mined.database_contains("Ada_L"));
    mined.assert_rebuild_is_stable();
}

#[test]
fn missing_part_leaves_thread_unchanged() {
    let mut mined = MinedSubreddit::new();
    let mut thread = sample_thread();
    mined.set_listed(&[&thread]);
    thread.publish_on(&mined.server);
    mined.sync();
    let before = thread.author_scores();
    for comment in &mut thread.comments {
        comment.score += 100;
    }
    thread.publish_on(&mined.server);
    let answers = thread.replies_by_target();
    // Each document fails once; the first one is the thread itself.
    for (target, answer) in &answers {
        let nothing = Reply::new(404, "text/html", "<html>nothing here</html>");
        mined.server.set_replies(target, [nothing]);
        let report = mined.sync();
        assert_eq!(report.refused.len(), 1, "{target}: {report:?}");
        assert_eq!(report.contests.with_results.revised, 0, "{target}");
        assert_eq!(mined.sums(&thread), before, "{target}");
        mined.assert_rebuild_is_stable();
        mined.server.set_replies(target, [answer.clone()]);
    }
    let report = mined.sync();
    assert_eq!((report.contests.with_results.revised, report.refused.len()), (1, 0));
    assert_eq!(mined.sums(&thread), thread.author_scores());
    mined.assert_rebuild_is_stable();
    // No intermediate document is left.
    let documents = mined.count("SELECT count(*) FROM document WHERE request_key LIKE '%t0001%'");
    assert_eq!(documents, answers.len() as i64);
}

#[test]
fn sync_interrupted_between_parts_refuses_nothing() {
    let mut mined = MinedSubreddit::new();
    let thread = sample_thread();
    mined.set_listed(&[&thread]);
    thread.publish_on(&mined.server);
    mined.sync();
    mined.server.take_targets();
    let report = mined.sync_while(&|requests| requests < 5);
    assert_eq!(mined.server.take_targets().len(), 5);
    assert_eq!(report.refused.len(), 0, "{report:?}");
    assert!(report.interrupted);
    assert_eq!(mined.sums(&thread), thread.author_scores());
    mined.assert_rebuild_is_stable();
}

#[test]
fn unreadable_part_is_refused_once_and_changes_nothing() {
    let mut mined = MinedSubreddit::new();
    let thread = sample_thread();
    mined.set_listed(&[&thread]);
    thread.publish_on(&mined.server);
    mined.sync();
    let (target, answer) = thread.replies_by_target().pop().unwrap();
    let odd = String::from_utf8(answer.body).unwrap().replace("\"score\":", "\"points\":");
    mined.server.set_replies(&target, [Reply::new(200, "application/json", odd)]);
    let report = mined.sync();
    let [refused] = report.refused.as_slice() else {
        panic!("{report:?}");
    };
    assert!(refused.what.contains("score"), "{refused:?}");
    assert_eq!(mined.sums(&thread), thread.author_scores());
    mined.assert_rebuild_is_stable();
}

#[test]
fn ratings_of_deleted_author_stay_blanked_until_rerated() {
    let mut mined = MinedSubreddit::new();
    let mut thread = sample_thread();
    mined.set_listed(&[&thread]);
    thread.publish_on(&mined.server);
    mined.sync();
    rate_all(&mined);
    for comment in &mut thread.comments {
        comment.author = comment.author.take().filter(|name| name != "Dov");
    }
    thread.publish_on(&mined.server);
    mined.sync();
    let blanks = "SELECT count(*) FROM competitor WHERE external_id LIKE '[deleted]-%'";
    assert_eq!(mined.count(blanks), 1);
    assert!(!mined.database_contains("Dov"));
    let rows = "SELECT count(*) FROM rating";
    assert_eq!(mined.count(rows), 6);
    rate_all(&mined);
    assert_eq!((mined.count(rows), mined.count(blanks)), (5, 1));
    mined.sync();
    assert_eq!(mined.count(blanks), 0);
    mined.assert_rebuild_is_stable();
}

#[test]
fn known_threads_are_requested_without_lists() {
    let mut mined = MinedSubreddit::new();
    let mut thread = sample_thread();
    mined.set_listed(&[&thread]);
    thread.publish_on(&mined.server);
    mined.sync();
    mined.server.take_targets();
    thread.comments.pop();
    thread.publish_on(&mined.server);
    let report = mined.sync_with(&[], None, &NoProgress);
    assert_eq!((report.contests.with_results.revised, report.refused.len()), (1, 0));
    assert_eq!(mined.sums(&thread), thread.author_scores());
    assert!(!mined.server.take_targets().contains(&TOP_TARGET.to_owned()));
}
