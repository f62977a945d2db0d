//! A process killed at any fail point or time leaves a valid database in its old or new state, and
//! the same command completes the work.

#![cfg(unix)]

use crate::support::dump;
use std::collections::BTreeSet;
use std::os::unix::process::ExitStatusExt;
use std::process::{ExitStatus, Stdio};
use std::time::{Duration, Instant};

use crate::support::{CommandOutput, Scratch, archive, contest, large_contest};
use ranklore_store::{Error, Problem, Store};

/// A command that changes the database and is killed.
struct Operation {
    name: &'static str,
    /// Prepares the initial state.
    prepare: fn(&Scratch, RoundsSize),
    command: &'static [&'static str],
    /// The fail points that the command passes.
    passes: &'static [&'static [&'static str]],
}

const OPERATIONS: &[Operation] = &[
    Operation {
        name: "import",
        prepare: prepare_import,
        command: &["import", "rounds.tar.zst", "--source", "club"],
        passes: &[OPEN, MIGRATE, COMMIT, CLOSE],
    },
    Operation {
        name: "import of a correction",
        prepare: prepare_correction,
        command: &["import", "rounds.tar.zst", "--source", "club"],
        passes: &[OPEN, COMMIT, CLOSE],
    },
    Operation {
        name: "mine of archives",
        prepare: prepare_archives,
        command: &["mine", "reddit", "--from-dump", "RC", "RS"],
        passes: &[OPEN, MIGRATE, COMMIT, CLOSE],
    },
    Operation {
        name: "rate",
        prepare: prepare_imported,
        command: &["rate", "club"],
        passes: &[OPEN, COMMIT, CLOSE],
    },
    Operation {
        name: "rate from where results are new",
        prepare: prepare_incremental_rating,
        command: &["rate", "club"],
        passes: &[OPEN, COMMIT, CLOSE],
    },
    Operation {
        name: "rate with every system",
        prepare: prepare_imported,
        command: &["rate", "club", "--all"],
        passes: &[OPEN, COMMIT, CLOSE],
    },
    Operation {
        name: "evaluate",
        prepare: prepare_rated,
        command: &["evaluate", "club"],
        passes: &[OPEN, COMMIT, CLOSE],
    },
    Operation {
        name: "tune",
        prepare: prepare_imported,
        command: &[
            "tune",
            "club",
            "--system=glicko",
            "--train=50",
            "--slice=all",
            "--sampler=random",
            "--trials=24",
        ],
        passes: &[OPEN, COMMIT, CLOSE],
    },
    Operation {
        name: "rebuild",
        prepare: prepare_rated,
        command: &["rebuild"],
        passes: &[OPEN, COMMIT, CLOSE],
    },
    Operation {
        name: "merge",
        prepare: prepare_rated,
        command: &["competitor", "merge", "club", "ada", "bea"],
        passes: &[OPEN, COMMIT, CLOSE],
    },
    Operation {
        name: "forget",
        prepare: prepare_rated,
        command: &["forget", "--yes", "club", "ada"],
        passes: &[OPEN, COMMIT, VACUUM, CLOSE],
    },
    Operation {
        name: "prune",
        prepare: prepare_superseded,
        command: &["prune", "--documents", "superseded", "--older-than", "0d"],
        passes: &[OPEN, COMMIT, CLOSE],
    },
];

const OPEN: &[&str] = &["open: locked", "open: settings made"];
const MIGRATE: &[&str] = &["open: migrated"];
const COMMIT: &[&str] = &["batch: begun", "commit: before", "commit: after"];
const VACUUM: &[&str] = &[
    "sweep: before",
    "sweep: written anew",
    "sweep: log cut",
    "sweep: noted",
];
const CLOSE: &[&str] = &["close: before", "close: after"];

/// The amount of work.
#[derive(Clone, Copy)]
struct RoundsSize {
    contests: u32,
    entrants: u32,
}

/// Enough for every fail point.
const SMALL: RoundsSize = RoundsSize {
    contests: 4,
    entrants: 6,
};

/// Enough to be killed in the middle.
const LARGE: RoundsSize = RoundsSize {
    contests: 40,
    entrants: 120,
};

/// Kills per operation.
const KILLS: u32 = 20;

/// Writes contests of numbered players, then one each of Ada and Bea.
fn write_rounds(scratch: &Scratch, RoundsSize { contests, entrants }: RoundsSize) {
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

fn prepare_import(scratch: &Scratch, size: RoundsSize) {
    write_rounds(scratch, size);
}

fn prepare_archives(scratch: &Scratch, RoundsSize { contests, entrants }: RoundsSize) {
    scratch.write("RS", dump::threads(contests));
    scratch.write("RC", dump::comments(contests, entrants));
}

fn prepare_imported(scratch: &Scratch, size: RoundsSize) {
    write_rounds(scratch, size);
    scratch.ok(&["import", "rounds.tar.zst", "--source", "club"]);
}

fn prepare_rated(scratch: &Scratch, size: RoundsSize) {
    prepare_imported(scratch, size);
    scratch.ok(&["rate", "club"]);
}

/// Writes the same contests with other entrants.
fn prepare_correction(scratch: &Scratch, size: RoundsSize) {
    let entrants = size.entrants / 2;
    prepare_rated(scratch, RoundsSize { entrants, ..size });
    write_rounds(scratch, size);
}

/// Imports the correction too, keeping the superseded documents.
fn prepare_superseded(scratch: &Scratch, size: RoundsSize) {
    prepare_correction(scratch, size);
    scratch.ok(&["import", "rounds.tar.zst", "--source", "club"]);
}

/// Prepares a rated database with the later half of the contests unrated.
fn prepare_incremental_rating(scratch: &Scratch, size: RoundsSize) {
    let contests = size.contests / 2;
    prepare_rated(scratch, RoundsSize { contests, ..size });
    prepare_imported(scratch, size);
}

/// An operation, its initial state and the result of an undisturbed run.
struct KillTrial<'o> {
    operation: &'o Operation,
    prepared: Scratch,
    before: Option<[u8; 32]>,
    after: Option<[u8; 32]>,
    /// The trials after it, which are not part of the content hash.
    trials: Vec<String>,
    /// The duration of the undisturbed run.
    took: Duration,
}

impl<'o> KillTrial<'o> {
    fn new(operation: &'o Operation, size: RoundsSize) -> Self {
        let prepared = Scratch::new();
        (operation.prepare)(&prepared, size);
        let undisturbed = prepared.copy();
        let start = Instant::now();
        undisturbed.ok(operation.command);
        let took = start.elapsed();
        let (before, after) = (state_hash(&prepared), state_hash(&undisturbed));
        assert!(after.is_some());
        Self {
            operation,
            prepared,
            before,
            after,
            trials: ended_trials(&undisturbed),
            took,
        }
    }

    /// Asserts that the killed process left a valid state and the same command completes it.
    fn assert_survives(&self, leftover: &Scratch, killed: &str) {
        let name = self.operation.name;
        // Opening the database cleans up after the killed process, so a copy is opened.
        let hash = state_hash(&leftover.copy());
        // With several systems, those rated so far are stored.
        let several = self.operation.command.contains(&"--all");
        assert!(
            several || [self.before, self.after, empty_hash()].contains(&hash),
            "{name}, killed {killed}: it says something else"
        );
        assert!(
            self.before.is_none() || hash != empty_hash(),
            "{name}, killed {killed}: all is lost"
        );
        let trials = ended_trials(&leftover.copy());
        assert!(
            trials.iter().all(|trial| self.trials.contains(trial)),
            "{name}, killed {killed}: it has other trials"
        );
        leftover.ok(self.operation.command);
        assert!(
            state_hash(leftover) == self.after && ended_trials(leftover) == self.trials,
            "{name}, killed {killed} and run again: not as if undisturbed"
        );
    }
}

/// Returns the content hash of the database, which must be valid; `None` without a database.
fn state_hash(scratch: &Scratch) -> Option<[u8; 32]> {
    match Store::open_reader(scratch.db()) {
        Err(Error::Missing { .. } | Error::Empty { .. }) => None,
        opened => {
            let store = opened.unwrap();
            // A pending vacuum is reported until it is done; the same command does it.
            let mut problems = store.check().unwrap();
            problems.retain(|problem| !matches!(problem, Problem::PendingVacuum { .. }));
            assert_eq!(problems, []);
            Some(store.content_hash().unwrap())
        }
    }
}

/// Returns the trials that ended, without times.
fn ended_trials(scratch: &Scratch) -> Vec<String> {
    if state_hash(scratch).is_none() {
        return Vec::new();
    }
    let sql = "SELECT concat_ws(' ', number, state, parameters, rungs) FROM trial
        WHERE state <> 'running' ORDER BY number";
    scratch.rows(sql)
}

/// Returns the content hash of an empty database.
fn empty_hash() -> Option<[u8; 32]> {
    let scratch = Scratch::new();
    drop(Store::open_writer(scratch.db(), "a test").unwrap());
    state_hash(&scratch)
}

#[test]
fn command_killed_at_every_boundary_loses_nothing() {
    // Release builds have no fail points.
    if !cfg!(debug_assertions) {
        return;
    }
    for operation in OPERATIONS {
        let trial = KillTrial::new(operation, SMALL);
        let mut passed = BTreeSet::new();
        for boundary in 1.. {
            let leftover = trial.prepared.copy();
            let mut command = leftover.command(operation.command);
            command.env("RANKLORE_ABORT_AT", boundary.to_string());
            let done = CommandOutput::run(command);
            if done.code == Some(0) {
                break;
            }
            // No exit code: the process was killed.
            assert_eq!(done.code, None, "{}: {}", operation.name, done.err);
            let (_, point) = done.err.rsplit_once("fail point: ").unwrap();
            passed.insert(point.trim_end().to_owned());
            trial.assert_survives(&leftover, point);
        }
        let expected: BTreeSet<String> =
            operation.passes.concat().into_iter().map(str::to_owned).collect();
        assert_eq!(passed, expected, "{}", operation.name);
    }
}

#[test]
fn command_killed_at_random_moments_loses_nothing() {
    // Two at a time: one would leave the other core idle for a minute.
    std::thread::scope(|scope| {
        for seed in [0, 1] {
            scope.spawn(move || {
                for operation in OPERATIONS.iter().skip(seed).step_by(2) {
                    kill_at_random_moments(operation, 7 + seed as u64);
                }
            });
        }
    });
}

fn kill_at_random_moments(operation: &Operation, mut seed: u64) {
    let trial = KillTrial::new(operation, LARGE);
    let mut duration = trial.took;
    let mut killed = 0;
    for _ in 0..KILLS {
        seed = seed
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        let moment = duration.mul_f64((seed >> 11) as f64 / (1_u64 << 53) as f64);
        let leftover = trial.prepared.copy();
        let (status, took) = kill_after(&leftover, operation.command, moment);
        if status.signal() == Some(9) {
            killed += 1;
        } else {
            // The command finished before the kill.
            assert!(status.success(), "{}: {status}", operation.name);
            duration = duration.min(took);
        }
        trial.assert_survives(&leftover, &format!("after {moment:?} of {duration:?}"));
    }
    assert!(killed >= KILLS / 2, "{}: only {killed} came in time", operation.name);
}

/// Runs the command and kills it after this time, unless it ends sooner.
fn kill_after(scratch: &Scratch, command: &[&str], moment: Duration) -> (ExitStatus, Duration) {
    let start = Instant::now();
    let mut command = scratch.command(command);
    command.stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = command.spawn().unwrap();
    while start.elapsed() < moment {
        if let Some(status) = child.try_wait().unwrap() {
            return (status, start.elapsed());
        }
        std::thread::sleep(Duration::from_millis(1));
    }
    child.kill().unwrap();
    (child.wait().unwrap(), start.elapsed())
}
