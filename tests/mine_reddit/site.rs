//! An imitation of Reddit: a subreddit of three threads, one of them in five documents, and a
//! program with credentials.

use std::process::Command;

use ranklore_test_support::subreddit::{Comment, Thread, ThreadState, listing_page, sample_thread};
use ranklore_test_support::{Reply, Server};
use serde_json::{Value, json};

use crate::support::{CommandOutput, Scratch};

pub(crate) const NEW_LIST: &str = "GET /r/LanternTales/new?raw_json=1&limit=100";
pub(crate) const TOKEN_REQUEST: &str = "POST /api/v1/access_token grant_type=client_credentials";

pub(crate) const CLIENT_ID: &str = "wharf-program";
pub(crate) const CLIENT_SECRET: &str = "oil-of-whales";
/// `wharf-program:oil-of-whales`.
pub(crate) const BASIC_CREDENTIALS: &str = "d2hhcmYtcHJvZ3JhbTpvaWwtb2Ytd2hhbGVz";
pub(crate) const TOKEN: &str = "wick-and-glass";

/// The default selection of threads.
pub(crate) const BEST_THREE: [&str; 4] = ["--subreddit", "LanternTales", "--top", "3"];
/// The request for their list.
pub(crate) const TOP_THREE_LIST: &str = "GET /r/LanternTales/top?raw_json=1&limit=3&t=all";

/// The site and its current threads.
pub(crate) struct RedditSite {
    pub(crate) server: Server,
    pub(crate) threads: Vec<Thread>,
}

impl RedditSite {
    pub(crate) fn new() -> Self {
        let server = Server::new();
        server.set_replies(TOKEN_REQUEST, [token_reply()]);
        let comment = Comment::new;
        let threads = vec![
            sample_thread(),
            Thread::new(
                2,
                vec![
                    comment(21, None, "Bea-1", 2),
                    comment(22, Some(21), "Gil", 9),
                ],
            ),
            Thread::new(3, vec![comment(31, None, "Ada_L", 5), comment(32, None, "Dov", 5)]),
        ];
        let site = Self { server, threads };
        site.publish();
        site
    }

    /// Publishes the current threads.
    pub(crate) fn publish(&self) {
        for thread in &self.threads {
            thread.publish_on(&self.server);
        }
        let all: Vec<&Thread> = self.threads.iter().collect();
        self.server.set_replies(TOP_THREE_LIST, [listing_page(&all, None)]);
    }

    /// Changes every score, and with it the order of authors.
    pub(crate) fn change_votes(&mut self) {
        for thread in &mut self.threads {
            let first = thread.comments.first().map(|comment| comment.score);
            let is_rising = first < thread.comments.last().map(|comment| comment.score);
            for (comment, index) in thread.comments.iter_mut().zip(0..) {
                comment.score = if is_rising { -100 } else { 100 } * index;
            }
        }
        self.publish();
    }

    /// Deletes the account of an author.
    pub(crate) fn delete_author(&mut self, author: &str) {
        for thread in &mut self.threads {
            for comment in &mut thread.comments {
                comment.author = comment.author.take().filter(|name| name != author);
            }
        }
        self.publish();
    }

    pub(crate) fn take_targets(&self) -> Vec<String> {
        self.server.take_targets()
    }

    /// Returns the expected entrants and scores by thread.
    pub(crate) fn standings(&self) -> Vec<String> {
        let mut rows = Vec::new();
        for thread in &self.threads {
            rows.extend(standings_of(thread));
        }
        rows
    }

    /// Returns the command with credentials, for the top threads; its home folder does not exist.
    pub(crate) fn command(&self, scratch: &Scratch, options: &[&str]) -> Command {
        let mut command = self.command_without_credentials(scratch, options);
        command
            .env("RANKLORE_REDDIT_ID", CLIENT_ID)
            .env("RANKLORE_REDDIT_SECRET", CLIENT_SECRET);
        command
    }

    /// Returns the command without credentials.
    pub(crate) fn command_without_credentials(
        &self,
        scratch: &Scratch,
        options: &[&str],
    ) -> Command {
        let begin = ["mine", "reddit", "--base-url", self.server.url()];
        let mut command = scratch.command(&[&begin[..], options].concat());
        for variable in ["RANKLORE_REDDIT_ID", "RANKLORE_REDDIT_SECRET", "HOME"] {
            command.env_remove(variable);
        }
        command.env("XDG_CONFIG_HOME", scratch.path("nowhere"));
        command.env("APPDATA", scratch.path("nowhere"));
        command
    }

    /// Mines without an interval.
    pub(crate) fn run(&self, scratch: &Scratch, options: &[&str]) -> CommandOutput {
        CommandOutput::run(self.command(scratch, &[&["--interval", "0"], options].concat()))
    }

    /// Syncs the top threads; all succeed.
    pub(crate) fn sync(&self, scratch: &Scratch) -> CommandOutput {
        self.run(scratch, &BEST_THREE).exits(0)
    }

    /// Syncs the top threads and returns the report; all succeed.
    pub(crate) fn report(&self, scratch: &Scratch) -> Value {
        let done = self.run(scratch, &[&BEST_THREE[..], &["--json"]].concat());
        done.exits(0).json()
    }
}

/// Returns a response with a token.
pub(crate) fn token_reply() -> Reply {
    Reply::json(&json!({"access_token": TOKEN, "token_type": "bearer", "expires_in": 86400}))
}

/// Returns the expected entrants and scores of a thread.
pub(crate) fn standings_of(thread: &Thread) -> Vec<String> {
    if thread.state == ThreadState::Deleted {
        return Vec::new();
    }
    let sums = thread.author_scores().into_iter();
    sums.map(|(author, score)| format!("{}|{author}|{score}", thread.external_id()))
        .collect()
}

/// Returns the entrants and scores by thread in the database.
pub(crate) fn stored_standings(scratch: &Scratch) -> Vec<String> {
    scratch.rows(
        "SELECT contest.external_id, competitor.external_id, CAST(score AS INTEGER)
         FROM standing JOIN competitor USING (competitor_id) JOIN contest USING (contest_id)
         ORDER BY 1, 2",
    )
}

/// True if the database or a file beside it contains the text in any byte or in a compressed
/// document.
pub(crate) fn database_contains(scratch: &Scratch, text: &str) -> bool {
    let is_in = |bytes: &[u8]| bytes.windows(text.len()).any(|window| window == text.as_bytes());
    let on_disk = scratch.list(".").iter().any(|file| {
        let path = scratch.path(file);
        path.is_file() && is_in(&std::fs::read(path).unwrap())
    });
    on_disk || {
        let store = scratch.store();
        let sources = store.sources().unwrap();
        let rows = sources.iter().flat_map(|source| store.documents(source.source_id).unwrap());
        rows.into_iter()
            .any(|row| is_in(&store.document(row.document_id).unwrap().body))
    }
}

/// Asserts that the database is valid and a rebuild gives the same.
#[track_caller]
pub(crate) fn assert_rebuild_unchanged(scratch: &Scratch) {
    let hash = scratch.ok(&["check", "--hash"]).out;
    assert!(scratch.ok(&["check"]).out.starts_with("no problems"));
    scratch.ok(&["rebuild"]);
    assert_eq!(scratch.ok(&["check", "--hash"]).out, hash);
}
