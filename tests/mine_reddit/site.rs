//! An imitation of Reddit: a subreddit of three threads, one of them in five documents, and a
//! program that is let in there.

use std::process::Command;

use ranklore_test_support::subreddit::{Comment, Held, Thread, lamps, page};
use ranklore_test_support::{Reply, Server};
use serde_json::{Value, json};

use crate::support::{Done, Scratch};

pub(crate) const NEW: &str = "GET /r/LanternTales/new?raw_json=1&limit=100";
pub(crate) const GIVES_TOKEN: &str = "POST /api/v1/access_token grant_type=client_credentials";

pub(crate) const ID: &str = "wharf-program";
pub(crate) const SECRET: &str = "oil-of-whales";
/// `wharf-program:oil-of-whales`.
pub(crate) const BASIC: &str = "d2hhcmYtcHJvZ3JhbTpvaWwtb2Ytd2hhbGVz";
pub(crate) const TOKEN: &str = "wick-and-glass";

/// The threads that are wanted unless a test says otherwise.
pub(crate) const BEST: [&str; 4] = ["--subreddit", "LanternTales", "--top", "3"];
/// What asks for them.
pub(crate) const TOP_3: &str = "GET /r/LanternTales/top?raw_json=1&limit=3&t=all";

/// The site, and its threads as they are now.
pub(crate) struct Site {
    pub(crate) server: Server,
    pub(crate) threads: Vec<Thread>,
}

impl Site {
    pub(crate) fn new() -> Self {
        let server = Server::new();
        server.set_replies(GIVES_TOKEN, [token()]);
        let of = Comment::new;
        let threads = vec![
            lamps(),
            Thread::new(
                2,
                vec![of(21, None, "Bea-1", 2), of(22, Some(21), "Gil", 9)],
            ),
            Thread::new(3, vec![of(31, None, "Ada_L", 5), of(32, None, "Dov", 5)]),
        ];
        let site = Self { server, threads };
        site.says();
        site
    }

    /// From now on it says what its threads are by now.
    pub(crate) fn says(&self) {
        for thread in &self.threads {
            thread.publish_on(&self.server);
        }
        let all: Vec<&Thread> = self.threads.iter().collect();
        self.server.set_replies(TOP_3, [page(&all, None)]);
    }

    /// Every score is another by now.
    pub(crate) fn votes(&mut self) {
        for thread in &mut self.threads {
            for comment in &mut thread.comments {
                comment.score += 100;
            }
        }
        self.says();
    }

    /// Somebody deletes their account.
    pub(crate) fn leaves(&mut self, author: &str) {
        for thread in &mut self.threads {
            for comment in &mut thread.comments {
                comment.author = comment.author.take().filter(|of| of != author);
            }
        }
        self.says();
    }

    pub(crate) fn take_targets(&self) -> Vec<String> {
        self.server.take_targets()
    }

    /// Who stands in which thread with which score, as it is to come out.
    pub(crate) fn standings(&self) -> Vec<String> {
        let mut rows = Vec::new();
        for thread in &self.threads {
            rows.extend(standings_of(thread));
        }
        rows
    }

    /// The program with what it is let in with, asking for the best threads; it has a home of its
    /// own, which is not there.
    pub(crate) fn command(&self, scratch: &Scratch, more: &[&str]) -> Command {
        let mut command = self.stranger(scratch, more);
        command
            .env("RANKLORE_REDDIT_ID", ID)
            .env("RANKLORE_REDDIT_SECRET", SECRET);
        command
    }

    /// The program without anything that lets it in.
    pub(crate) fn stranger(&self, scratch: &Scratch, more: &[&str]) -> Command {
        let asks = ["mine", "reddit", "--base-url", self.server.url()];
        let mut command = scratch.command(&[&asks[..], more].concat());
        for variable in ["RANKLORE_REDDIT_ID", "RANKLORE_REDDIT_SECRET", "HOME"] {
            command.env_remove(variable);
        }
        command.env("XDG_CONFIG_HOME", scratch.path("nowhere"));
        command.env("APPDATA", scratch.path("nowhere"));
        command
    }

    /// Mines without a pace.
    pub(crate) fn run(&self, scratch: &Scratch, more: &[&str]) -> Done {
        Done::of(self.command(scratch, &[&["--interval", "0"], more].concat()))
    }

    /// Mines the best threads, all of which come.
    pub(crate) fn sync(&self, scratch: &Scratch) -> Done {
        self.run(scratch, &BEST).exits(0)
    }

    /// Mines the best threads, all of which come, and gives what it reports.
    pub(crate) fn report(&self, scratch: &Scratch) -> Value {
        let done = self.run(scratch, &[&BEST[..], &["--json"]].concat());
        done.exits(0).json()
    }
}

/// An answer with a token.
pub(crate) fn token() -> Reply {
    Reply::json(&json!({"access_token": TOKEN, "token_type": "bearer", "expires_in": 86400}))
}

/// Who stands in a thread with which score, as it is to come out.
pub(crate) fn standings_of(thread: &Thread) -> Vec<String> {
    if thread.held == Held::Gone {
        return Vec::new();
    }
    let sums = thread.sums().into_iter();
    sums.map(|(author, score)| format!("{}|{author}|{score}", thread.external_id()))
        .collect()
}

/// Who stands in which thread with which score, in the file.
pub(crate) fn stand(scratch: &Scratch) -> Vec<String> {
    scratch.rows(
        "SELECT contest.external_id, competitor.external_id, CAST(score AS INTEGER)
         FROM standing JOIN competitor USING (competitor_id) JOIN contest USING (contest_id)
         ORDER BY 1, 2",
    )
}

/// Whether the file has this: in any byte of it or of what lies beside it, or packed in a
/// document.
pub(crate) fn has(scratch: &Scratch, text: &str) -> bool {
    let is_in = |bytes: &[u8]| bytes.windows(text.len()).any(|of| of == text.as_bytes());
    let on_disk = scratch.list(".").iter().any(|file| {
        let path = scratch.path(file);
        path.is_file() && is_in(&std::fs::read(path).unwrap())
    });
    on_disk || {
        let store = scratch.store();
        let sources = store.sources().unwrap();
        let rows = sources
            .iter()
            .flat_map(|of| store.documents(of.source_id).unwrap());
        rows.into_iter()
            .any(|row| is_in(&store.document(row.document_id).unwrap().body))
    }
}

/// The file is in order, and a rebuild makes the same of it.
#[track_caller]
pub(crate) fn rebuilds_the_same(scratch: &Scratch) {
    let hash = scratch.ok(&["check", "--hash"]).out;
    assert!(scratch.ok(&["check"]).out.starts_with("no problems"));
    scratch.ok(&["rebuild"]);
    assert_eq!(scratch.ok(&["check", "--hash"]).out, hash);
}
