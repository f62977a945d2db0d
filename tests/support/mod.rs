//! Helpers of the end-to-end tests: a scratch folder, runs of the program in it, and queries of its
//! database.
#![allow(
    dead_code,
    unreachable_pub,
    reason = "compiled into every test file, each of which needs some of it"
)]

pub mod dump;
pub mod moment;
pub mod pages;

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use ranklore_contest::UnixSeconds;
use ranklore_store::{Body, NewDocument, SourceId, Store, WriteBatch};
use rusqlite::types::Value as Cell;
use serde_json::Value;
use tempfile::TempDir;

/// The program under test.
pub const RANKLORE: &str = env!("CARGO_BIN_EXE_ranklore");

/// Returns the fixtures of the repository.
pub fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures")
}

/// A temporary folder in which the program runs.
pub struct Scratch(TempDir);

/// Exit code and output of a run of the program.
pub struct CommandOutput {
    pub code: Option<i32>,
    pub out: String,
    pub err: String,
}

impl Scratch {
    pub fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    /// Returns a folder with `fixtures/club` imported.
    pub fn club() -> Self {
        let scratch = Self::new();
        let club = fixtures().join("club");
        scratch.ok(&["import", club.to_str().unwrap(), "--source", "club"]);
        scratch
    }

    /// Returns a folder with the rated source `club`: contests on the days 10, 20, …, 60 after
    /// 2023-11-15.
    pub fn season() -> Self {
        let scratch = Self::new();
        for (id, groups) in [
            (1, &[&["ann"][..], &["bea"], &["cy"], &["dov"]][..]),
            (2, &[&["ann"], &["bea"], &["cy"], &["dov"]]),
            (3, &[&["bea"], &["ann"], &["cy"]]),
            (4, &[&["cy"], &["eve"], &["bea"], &["ann"]]),
            (5, &[&["cy"], &["bea"], &["eve"]]),
            (6, &[&["dov"], &["fay"], &["ann"]]),
        ] {
            scratch.write(&format!("{id}.json"), contest(id, id * 10, groups));
        }
        scratch.ok(&["import", ".", "--source", "club"]);
        scratch.ok(&["rate", "club"]);
        scratch
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub fn db(&self) -> PathBuf {
        self.path("ranklore.sqlite")
    }

    /// Keeps the folder after the test.
    pub fn keep(self) -> PathBuf {
        self.0.keep()
    }

    /// Copies the folder.
    pub fn copy(&self) -> Self {
        let copy = Self::new();
        for name in self.list(".") {
            std::fs::copy(self.path(&name), copy.path(&name)).unwrap();
        }
        copy
    }

    /// Writes a file and creates its parent folders.
    pub fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, content).unwrap();
    }

    /// Lists the names in a folder, sorted.
    pub fn list(&self, folder: &str) -> Vec<String> {
        let entries = std::fs::read_dir(self.path(folder)).unwrap();
        let mut names: Vec<String> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    /// Lists all names except the database and its side files.
    pub fn beside(&self) -> Vec<String> {
        let mut names = self.list(".");
        names.retain(|name| !name.starts_with("ranklore.sqlite"));
        names
    }

    /// Returns the command with these arguments, in this folder and without user settings.
    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(RANKLORE);
        command
            .args(arguments)
            .current_dir(self.0.path())
            .env_remove("RANKLORE_DB")
            .env_remove("RUST_LOG")
            .env_remove("COLUMNS")
            // Retries happen at once; tests of the client cover the waits.
            .env("RANKLORE_BACKOFF", "0.001")
            .stdin(Stdio::null());
        command
    }

    /// Runs the program to its end.
    pub fn run(&self, arguments: &[&str]) -> CommandOutput {
        CommandOutput::run(self.command(arguments))
    }

    /// Runs the program, which must succeed.
    pub fn ok(&self, arguments: &[&str]) -> CommandOutput {
        self.run(arguments).exits(0)
    }

    /// Runs the program with `--json`, which must succeed.
    pub fn json(&self, arguments: &[&str]) -> Value {
        self.ok(&[arguments, &["--json"]].concat()).json()
    }

    pub fn store(&self) -> Store {
        Store::open_reader(self.db()).unwrap()
    }

    pub fn content_hash(&self) -> [u8; 32] {
        let store = self.store();
        assert_eq!(store.check().unwrap(), []);
        store.content_hash().unwrap()
    }

    /// Opens the database without the program.
    pub fn raw(&self) -> rusqlite::Connection {
        rusqlite::Connection::open(self.db()).unwrap()
    }

    /// Changes the database with SQL, and states the hashes of its tables anew.
    pub fn alter(&self, sql: &str) {
        self.raw().execute_batch(sql).unwrap();
        let mut writer = Store::open_writer(self.db(), "a test").unwrap();
        writer.repair().unwrap();
        let mut batch = writer.batch().unwrap();
        batch.restate_derived_tables().unwrap();
        batch.commit().unwrap();
    }

    /// Returns the rows of a query, with cells separated by `|`.
    pub fn rows(&self, sql: &str) -> Vec<String> {
        let connection = self.raw();
        let mut statement = connection.prepare(sql).unwrap();
        let columns = statement.column_count();
        let rows = statement.query_map([], |row| {
            let cells = (0..columns).map(|column| row.get::<_, Cell>(column));
            let cells: rusqlite::Result<Vec<Cell>> = cells.collect();
            Ok(cells?.iter().map(text).collect::<Vec<_>>().join("|"))
        });
        rows.unwrap().map(Result::unwrap).collect()
    }

    /// Returns a single number.
    pub fn count(&self, sql: &str) -> i64 {
        self.rows(sql)[0].parse().unwrap()
    }

    /// Returns the official ratings as `contest|competitor|rating`, after checking that they are those
    /// of a rebuild and that the run counts them.
    pub fn official_ratings(&self) -> Vec<String> {
        let rows = || {
            self.rows(
                "SELECT contest.external_id, competitor.external_id, CAST(mu AS INTEGER)
                 FROM rating JOIN rating_run USING (run_id) JOIN contest USING (contest_id)
                 JOIN competitor USING (competitor_id)
                 WHERE system = 'official' ORDER BY 1, mu DESC",
            )
        };
        let stored = rows();
        assert_eq!(self.store().check().unwrap(), []);
        let before = self.content_hash();
        self.ok(&["rebuild"]);
        assert_eq!(rows(), stored);
        assert_eq!(self.content_hash(), before);
        let contests: std::collections::BTreeSet<_> =
            stored.iter().filter_map(|row| row.split('|').next()).collect();
        let counts = format!("{}|{}", contests.len(), stored.len());
        let counted = "SELECT contests, results FROM rating_run WHERE system = 'official'";
        assert_eq!(self.rows(counted), [counts]);
        stored
    }

    /// Returns every row of every table but the hashes of tables, which cover times.
    pub fn everything(&self) -> Vec<String> {
        let tables = self.rows(
            "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%'
             AND name <> 'table_hash'
             ORDER BY name",
        );
        let mut everything = Vec::new();
        for table in tables {
            for row in self.rows(&format!("SELECT * FROM {table} ORDER BY 1, 2")) {
                everything.push(format!("{table}: {row}"));
            }
        }
        everything
    }

    /// Returns the ratings of a run by name and bits, in contest order.
    pub fn ratings(&self, run: i64) -> Vec<String> {
        let connection = rusqlite::Connection::open(self.db()).unwrap();
        let sql = "SELECT contest.external_id, competitor.external_id, mu, sigma, performance
             FROM rating JOIN contest USING (contest_id) JOIN competitor USING (competitor_id)
             WHERE run_id = ?1 ORDER BY ends_at, 1, 2";
        let mut statement = connection.prepare(sql).unwrap();
        let rows = statement.query_map([run], |row| {
            let (contest, name): (String, String) = (row.get(0)?, row.get(1)?);
            let bits = |column| row.get(column).map(f64::to_bits);
            let (mu, sigma) = (bits(2)?, bits(3)?);
            let performance: Option<f64> = row.get(4)?;
            let performance = performance.map(f64::to_bits);
            Ok(format!("{contest} {name} {mu:x} {sigma:x} {performance:x?}"))
        });
        rows.unwrap().map(Result::unwrap).collect()
    }
}

fn text(cell: &Cell) -> String {
    match cell {
        Cell::Null => "-".to_owned(),
        Cell::Integer(number) => number.to_string(),
        Cell::Real(number) => number.to_string(),
        Cell::Text(text) => text.clone(),
        Cell::Blob(bytes) => bytes.iter().fold(String::new(), |mut out, byte| {
            let _ = write!(out, "{byte:02x}");
            out
        }),
    }
}

impl CommandOutput {
    pub fn run(command: Command) -> Self {
        let output = assert_cmd::Command::from_std(command)
            .timeout(Duration::from_mins(5))
            .output()
            .unwrap();
        Self {
            code: output.status.code(),
            out: String::from_utf8(output.stdout).unwrap(),
            err: String::from_utf8(output.stderr).unwrap(),
        }
    }

    /// Asserts the exit code and the absence of a panic.
    #[track_caller]
    pub fn exits(self, code: i32) -> Self {
        let Self {
            code: was,
            out,
            err,
        } = &self;
        assert_eq!(*was, Some(code), "stdout:\n{out}\nstderr:\n{err}");
        assert!(!err.contains("panicked"), "{err}");
        self
    }

    /// Asserts that standard error contains these words.
    #[track_caller]
    pub fn says(self, words: &str) -> Self {
        assert!(self.err.contains(words), "not {words:?}:\n{}", self.err);
        self
    }

    /// Parses standard output, which must be exactly one JSON value.
    #[track_caller]
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.out).unwrap_or_else(|error| panic!("{error}:\n{}", self.out))
    }
}

/// Returns the archive key of the response to a request that a server got.
pub fn key_of(target: &str) -> String {
    let (method, rest) = target.split_once(" /").unwrap();
    match rest.find(['?', ' ']) {
        None => format!("{method} {rest}"),
        Some(at) => {
            let (path, pairs) = rest.split_at(at + 1);
            let mut pairs: Vec<&str> = pairs.split('&').collect();
            pairs.sort_unstable();
            format!("{method} {path}{}", pairs.join("&"))
        }
    }
}

/// Returns a contest file. Each group is a tie.
pub fn contest(id: u32, day: u32, groups: &[&[&str]]) -> String {
    let ends_at = 1_700_006_400 + i64::from(day) * 86_400;
    ranklore_test_support::contest_file(id, ends_at, groups).to_string()
}

/// Returns a contest file with `entrants` out of twice as many players, in a deterministic
/// pseudo-random order.
pub fn large_contest(id: u32, entrants: u32) -> String {
    let mut seed = u64::from(id) + 1;
    let mut order: Vec<(u64, u32)> = (0..2 * entrants)
        .map(|player| {
            seed = seed
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (u64::from(player) / 3 + (seed >> 33) % u64::from(entrants), player)
        })
        .collect();
    order.sort_unstable();
    let names: Vec<String> = order.iter().map(|&(_, player)| format!("player {player}")).collect();
    let groups: Vec<&str> = names.iter().take(entrants as usize).map(String::as_str).collect();
    let groups: Vec<&[&str]> = groups.chunks(1 + id as usize % 3).collect();
    contest(id, id, &groups)
}

/// Archives a document of 1 MiB that does not compress.
pub fn store_noise(batch: &mut WriteBatch<'_>, source: SourceId, key: &str, seed: u64) {
    let mut state = seed + 1;
    let mut noise = Vec::new();
    while noise.len() < 1 << 20 {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        noise.extend_from_slice(&state.to_le_bytes()[4..]);
    }
    let new = NewDocument {
        request_key: key,
        url: None,
        fetched_at: UnixSeconds::MIN,
        status: None,
        etag: None,
        last_modified: None,
        media_type: None,
        reading: Some("{}"),
        body: Body::Plain(&noise),
        redacted_content: None,
    };
    batch.archive_document(source, &new).unwrap();
}

/// Returns a `.tar.zst` of these files.
pub fn archive<'a>(files: impl IntoIterator<Item = (&'a str, &'a [u8])>) -> Vec<u8> {
    let mut tar = tar::Builder::new(Vec::new());
    for (name, content) in files {
        append(&mut tar, name, content);
    }
    zstd::bulk::compress(&tar.into_inner().unwrap(), 1).unwrap()
}

/// Adds a file with any name to a tar.
pub fn append(tar: &mut tar::Builder<impl std::io::Write>, name: &str, content: &[u8]) {
    let mut header = tar::Header::new_ustar();
    header.as_old_mut().name[..name.len()].copy_from_slice(name.as_bytes());
    header.set_size(content.len() as u64);
    header.set_mode(0o644);
    header.set_cksum();
    tar.append(&header, content).unwrap();
}

/// Sends a signal such as `-INT` by the shell's `kill`: not every system has the program.
pub fn send_signal(child: &Child, signal: &str) {
    let id = child.id().to_string();
    let sent = Command::new("sh").args(["-c", "kill \"$0\" \"$1\"", signal, &id]).status();
    assert!(sent.unwrap().success());
}
