//! Commands that write, their initial states and the results of undisturbed runs.

use std::cell::{Cell, OnceCell};
use std::collections::BTreeMap;
use std::path::Path;
use std::time::{Duration, Instant};

use ranklore_store::Store;
use ranklore_test_support::Server;

use crate::random::Random;
use crate::site::{demo_site, mine_command};
use crate::support::dump;
use crate::support::{CommandOutput, Scratch, archive, contest, fixtures, large_contest};

/// A command that writes.
pub(crate) struct Operation {
    pub(crate) name: &'static str,
    /// Prepares the initial state.
    prepare: fn(&Scratch),
    /// The command; [`MINE`] stands for a sync from a server on this machine.
    command: &'static [&'static str],
    /// A file or folder that it writes beside the database.
    product: Option<&'static str>,
    /// True if it commits in several steps, also without an interrupt.
    has_steps: bool,
    /// True if the command can be given once only.
    is_once: bool,
}

const MINE: &[&str] = &["mine"];
const IMPORT: &[&str] = &["import", "rounds.tar.zst", "--source", "club"];
const TUNE: &[&str] = &[
    "tune",
    "club",
    "--system=glicko",
    "--train=50",
    "--slice=all",
    "--sampler=random",
];
const EXPORT: &[&str] = &[
    "export",
    "club",
    "--to",
    "out",
    "--format",
    "csv,jsonl",
    "--with",
    "ratings",
];

impl Operation {
    const fn new(
        name: &'static str,
        prepare: fn(&Scratch),
        command: &'static [&'static str],
    ) -> Self {
        Self {
            name,
            prepare,
            command,
            product: None,
            has_steps: false,
            is_once: false,
        }
    }

    const fn in_steps(self) -> Self {
        Self {
            has_steps: true,
            ..self
        }
    }

    const fn once(self) -> Self {
        Self {
            is_once: true,
            ..self
        }
    }

    const fn writes(self, product: &'static str) -> Self {
        Self {
            product: Some(product),
            ..self
        }
    }
}

pub(crate) const OPERATIONS: &[Operation] = &[
    Operation::new("import", prepare_import, IMPORT),
    Operation::new("import of a correction", prepare_correction, IMPORT),
    Operation::new("import --undo", prepare_superseded, &["import", "--undo"]).once(),
    Operation::new("mine", |_| (), MINE).in_steps(),
    Operation::new("mine of dumps", prepare_dumps, &["mine", "reddit", "--from-dump", "RC", "RS"]),
    Operation::new("rate", prepare_imported, &["rate", "club"]),
    Operation::new("rate of new contests", prepare_half_rated, &["rate", "club"]),
    Operation::new("rate --all", prepare_imported, &["rate", "club", "--all"]).in_steps(),
    Operation::new("evaluate", prepare_rated, &["evaluate", "club"]),
    Operation::new("tune", prepare_imported, TUNE).in_steps(),
    Operation::new("rebuild", prepare_rated, &["rebuild"]),
    Operation::new("merge", prepare_rated, &["competitor", "merge", "club", "ada", "bea"]),
    Operation::new("withdraw", prepare_rated, &["withdraw", "club", "1"]),
    Operation::new("forget", prepare_rated, &["forget", "--yes", "club", "ada"]),
    Operation::new(
        "prune",
        prepare_superseded,
        &["prune", "--documents", "superseded", "--older-than", "0d"],
    ),
    Operation::new("export", prepare_export, EXPORT).writes("out"),
    Operation::new("backup", prepare_backup, &["backup", "saved.sqlite", "--force"])
        .writes("saved.sqlite"),
    Operation::new("upgrade", prepare_old, &["status"]),
];

/// Contests: enough to be stopped in the middle, in an optimised build and in a slow one.
const CONTESTS: u32 = if cfg!(debug_assertions) { 12 } else { 40 };
/// Entrants of each contest.
const ENTRANTS: u32 = if cfg!(debug_assertions) { 40 } else { 120 };

/// Writes an archive of contests of numbered players, then one each of Ada and Bea.
fn write_rounds(scratch: &Scratch, contests: u32, entrants: u32) {
    let mut files: Vec<(String, String)> = (1..=contests)
        .map(|id| (format!("{id}.json"), large_contest(id, entrants)))
        .collect();
    for (number, name) in [(1, "ada"), (2, "bea")] {
        let id = contests + number;
        let file = contest(id, id, &[&["player 1"], &[name], &["player 2"]]);
        files.push((format!("{id}.json"), file));
    }
    let files = files.iter().map(|(name, file)| (&**name, file.as_bytes()));
    scratch.write("rounds.tar.zst", archive(files));
}

fn prepare_import(scratch: &Scratch) {
    write_rounds(scratch, CONTESTS, ENTRANTS);
}

fn prepare_dumps(scratch: &Scratch) {
    scratch.write("RS", dump::threads(CONTESTS));
    scratch.write("RC", dump::comments(CONTESTS, ENTRANTS));
}

fn prepare_imported(scratch: &Scratch) {
    prepare_import(scratch);
    scratch.ok(IMPORT);
}

pub(crate) fn prepare_rated(scratch: &Scratch) {
    prepare_imported(scratch);
    scratch.ok(&["rate", "club"]);
}

/// Prepares a rated database, and an archive of the same contests with other entrants.
fn prepare_correction(scratch: &Scratch) {
    write_rounds(scratch, CONTESTS, ENTRANTS / 2);
    scratch.ok(IMPORT);
    scratch.ok(&["rate", "club"]);
    prepare_import(scratch);
}

/// Imports the correction too, which supersedes all documents.
fn prepare_superseded(scratch: &Scratch) {
    prepare_correction(scratch);
    scratch.ok(IMPORT);
}

fn prepare_half_rated(scratch: &Scratch) {
    write_rounds(scratch, CONTESTS / 2, ENTRANTS);
    scratch.ok(IMPORT);
    scratch.ok(&["rate", "club"]);
    prepare_imported(scratch);
}

/// Prepares a dataset and a database with more contests.
fn prepare_export(scratch: &Scratch) {
    write_rounds(scratch, CONTESTS / 2, ENTRANTS);
    scratch.ok(IMPORT);
    scratch.ok(&["rate", "club"]);
    scratch.ok(EXPORT);
    prepare_rated(scratch);
}

/// Prepares a backup and a database with more contests.
fn prepare_backup(scratch: &Scratch) {
    write_rounds(scratch, CONTESTS / 2, ENTRANTS);
    scratch.ok(IMPORT);
    scratch.ok(&["backup", "saved.sqlite"]);
    prepare_rated(scratch);
}

/// Prepares a database of version 0.1.0.
fn prepare_old(scratch: &Scratch) {
    let dump = std::fs::read_to_string(fixtures().join("upgrade/0.1.0.sql")).unwrap();
    scratch.raw().execute_batch(&dump).unwrap();
}

/// Contents of a folder, apart from row ids and times.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct State {
    /// The content hash; `None` without contents.
    database: Option<String>,
    /// The trials that ended, without times: they are not part of the content hash.
    trials: Vec<String>,
    /// The content hash of a backup, or the files of a dataset.
    product: BTreeMap<String, Vec<u8>>,
}

/// An operation, its initial state and the result of an undisturbed run.
pub(crate) struct Prepared {
    pub(crate) operation: &'static Operation,
    pub(crate) command: Vec<String>,
    folder: Scratch,
    before: State,
    after: State,
    /// The duration of the fastest undisturbed run.
    pub(crate) took: Cell<Duration>,
    /// The size of the folder after it.
    pub(crate) bytes_after: u64,
    /// Runs until the tests end.
    _site: Option<Server>,
}

impl Prepared {
    fn new(operation: &'static Operation) -> Self {
        let folder = Scratch::new();
        (operation.prepare)(&folder);
        let site = (operation.command == MINE).then(demo_site);
        let command = match &site {
            Some(site) => mine_command(site),
            None => operation.command.iter().map(|&word| word.to_owned()).collect(),
        };
        let undisturbed = Scratch::new();
        copy_files(&folder, &undisturbed);
        let words: Vec<&str> = command.iter().map(String::as_str).collect();
        let start = Instant::now();
        undisturbed.ok(&words);
        let took = start.elapsed();
        let files = folder_contents(&undisturbed, "");
        Self {
            operation,
            command,
            before: state(&folder, operation),
            after: state(&undisturbed, operation),
            folder,
            took: Cell::new(took),
            bytes_after: files.values().map(|file| file.len() as u64).sum(),
            _site: site,
        }
    }

    /// Copies the initial state into the folder of a round.
    pub(crate) fn copy_to(&self, scratch: &Scratch) {
        copy_files(&self.folder, scratch);
    }

    pub(crate) fn words(&self) -> Vec<&str> {
        self.command.iter().map(String::as_str).collect()
    }

    /// Asserts that a stopped command left a valid state, the old or the new one, and that the same
    /// command then gives the result of an undisturbed run. An interrupted command may have
    /// finished a part.
    pub(crate) fn assert_survives(&self, leftover: &Scratch, context: &str, is_interrupted: bool) {
        let name = self.operation.name;
        // Opening the database cleans up after the stopped process, so a copy is opened.
        let copy = Scratch::new();
        copy_files(leftover, &copy);
        let state_left = state(&copy, self.operation);
        let is_whole = state_left == self.before || state_left == self.after;
        let may_be_part = is_interrupted || self.operation.has_steps;
        assert!(
            is_whole || may_be_part,
            "{name}, {context}: the contents are neither the old nor the new ones"
        );
        assert!(
            self.before.database.is_none() || state_left.database.is_some(),
            "{name}, {context}: the contents are lost"
        );
        assert!(
            state_left.product == self.before.product || state_left.product == self.after.product,
            "{name}, {context}: what it wrote is neither the old nor the new"
        );
        if self.operation.is_once && state_left == self.after {
            return;
        }
        let again = leftover.run(&self.words());
        assert!(
            again.code == Some(0),
            "{name}, {context}: run again, it exits with {:?}: {}",
            again.code,
            again.err
        );
        assert!(
            state(leftover, self.operation) == self.after,
            "{name}, {context}: run again, the result is not that of an undisturbed run"
        );
    }

    /// Asserts that a command that could not write everything finished, or failed with one of these
    /// messages and survives.
    pub(crate) fn assert_refused(
        &self,
        leftover: &Scratch,
        done: &CommandOutput,
        messages: &[&str],
        context: &str,
    ) -> &'static str {
        let name = self.operation.name;
        assert_no_crash(done, &format!("{name}, {context}"));
        if done.code == Some(0) {
            assert!(
                state(leftover, self.operation) == self.after,
                "{name}, {context}: exit code 0, but not the result of an undisturbed run"
            );
            return "had room";
        }
        assert!(
            done.code == Some(1) && messages.iter().any(|words| done.err.contains(words)),
            "{name}, {context}: exit code {:?} with the message {:?}",
            done.code,
            done.err
        );
        self.assert_survives(leftover, context, false);
        "refused, then completed"
    }
}

/// Operations, each prepared when it is first needed.
pub(crate) struct Operations(Vec<OnceCell<Prepared>>);

impl Operations {
    pub(crate) fn new() -> Self {
        Self(OPERATIONS.iter().map(|_| OnceCell::new()).collect())
    }

    /// Returns the operation of a round: all take turns.
    pub(crate) fn of_round(&self, random: &Random) -> &Prepared {
        let turn = random.round as usize % OPERATIONS.len();
        self.0[turn].get_or_init(|| Prepared::new(&OPERATIONS[turn]))
    }
}

/// Returns the state of a folder, which must be valid.
fn state(scratch: &Scratch, operation: &Operation) -> State {
    let product = match operation.product {
        Some(file) if file.ends_with(".sqlite") => {
            let hash = database_hash(scratch, file);
            let hash = hash.map(|hash| (file.to_owned(), hash.into_bytes()));
            hash.into_iter().collect()
        }
        Some(folder) => folder_contents(scratch, folder),
        None => BTreeMap::new(),
    };
    let database = database_hash(scratch, "ranklore.sqlite");
    let trials = "SELECT concat_ws(' ', number, state, parameters, rungs) FROM trial
        WHERE state <> 'running' ORDER BY number";
    State {
        trials: database.as_ref().map(|_| scratch.rows(trials)).unwrap_or_default(),
        database,
        product,
    }
}

/// Returns the content hash of a database, in which `check` must find nothing but an unfinished
/// `forget`. `None` if there is none, or one without contents.
pub(crate) fn database_hash(scratch: &Scratch, file: &str) -> Option<String> {
    let size = std::fs::metadata(scratch.path(file)).map_or(0, |file| file.len());
    if size == 0 {
        return None;
    }
    let check = scratch.run(&["check", "--db", file]);
    assert_no_crash(&check, "check");
    if check.err.contains("has no results yet") {
        return None;
    }
    let is_pending = |line: &str| line.contains("run `ranklore forget ");
    assert!(
        check.code == Some(0) || !check.out.is_empty() && check.out.lines().all(is_pending),
        "check found: {}{}",
        check.out,
        check.err
    );
    let hash = scratch.ok(&["check", "--hash", "--db", file]).out;
    (hash != empty_hash()).then_some(hash)
}

/// Returns the content hash of a database without contents.
fn empty_hash() -> String {
    thread_local! {
        static HASH: OnceCell<String> = const { OnceCell::new() };
    }
    let hash = || {
        let scratch = Scratch::new();
        drop(Store::open_writer(scratch.db(), "a test").unwrap());
        scratch.ok(&["check", "--hash"]).out
    };
    HASH.with(|cell| cell.get_or_init(hash).clone())
}

/// Asserts that the program ended by itself, without a panic.
#[track_caller]
pub(crate) fn assert_no_crash(done: &CommandOutput, context: &str) {
    let CommandOutput { code, err, .. } = done;
    assert!(
        code.is_some() && *code != Some(101) && !err.contains("panicked"),
        "{context}: crashed with {code:?}: {err}"
    );
}

/// Copies all files of a folder, also those in folders below.
pub(crate) fn copy_files(from: &Scratch, to: &Scratch) {
    for (name, file) in folder_contents(from, "") {
        to.write(&name, file);
    }
}

/// Returns the files in a folder and below, by name.
pub(crate) fn folder_contents(scratch: &Scratch, folder: &str) -> BTreeMap<String, Vec<u8>> {
    let mut files = BTreeMap::new();
    collect(&scratch.path(folder), "", &mut files);
    files
}

fn collect(folder: &Path, above: &str, files: &mut BTreeMap<String, Vec<u8>>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten() {
        let entry = entry.unwrap();
        let name = format!("{above}{}", entry.file_name().to_str().unwrap());
        if entry.path().is_dir() {
            collect(&entry.path(), &format!("{name}/"), files);
        } else {
            files.insert(name, std::fs::read(entry.path()).unwrap());
        }
    }
}
