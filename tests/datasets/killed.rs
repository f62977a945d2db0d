//! An export that is killed or interrupted leaves one of the two datasets whole, and the next
//! export succeeds and removes all leftovers.

use std::os::unix::process::ExitStatusExt;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use super::folder::FolderSnapshot;
use crate::support::{CommandOutput, Scratch, archive, large_contest, send_signal};

const EXPORT: [&str; 6] = ["export", "club", "--to", "out", "--format", "csv,jsonl"];

/// The number of kills per test.
const KILLS: u32 = 8;

fn import(scratch: &Scratch, contests: u32, entrants: u32) {
    let files: Vec<(String, String)> = (1..=contests)
        .map(|id| (format!("{id}.json"), large_contest(id, entrants)))
        .collect();
    let files = files.iter().map(|(name, file)| (&**name, file.as_bytes()));
    scratch.write("rounds.tar.zst", archive(files));
    scratch.ok(&["import", "rounds.tar.zst", "--source", "club"]);
    std::fs::remove_file(scratch.path("rounds.tar.zst")).unwrap();
}

/// An older dataset, results for a newer one, and both as an undisturbed export writes them.
struct ExportTrial {
    scratch: Scratch,
    older: FolderSnapshot,
    newer: FolderSnapshot,
    took: Duration,
}

impl ExportTrial {
    fn new(contests: u32, entrants: u32) -> Self {
        let scratch = Scratch::new();
        import(&scratch, contests - 1, entrants);
        scratch.ok(&EXPORT);
        let older = FolderSnapshot::read(&scratch.path("out"));
        import(&scratch, contests, entrants);
        let start = Instant::now();
        scratch.ok(&EXPORT);
        let took = start.elapsed();
        let newer = FolderSnapshot::read(&scratch.path("out"));
        let trial = Self {
            scratch,
            older,
            newer,
            took,
        };
        trial.reset();
        trial
    }

    /// Restores the older dataset.
    fn reset(&self) {
        std::fs::remove_dir_all(self.scratch.path("out")).unwrap();
        self.older.write(&self.scratch.path("out"));
    }

    fn spawn(&self) -> Child {
        let mut command = self.scratch.command(&EXPORT);
        command.stdout(Stdio::null()).stderr(Stdio::piped());
        command.spawn().unwrap()
    }

    /// Asserts that the folder has the older or the newer dataset; true if the newer.
    fn assert_newer(&self) -> bool {
        let is = FolderSnapshot::read(&self.scratch.path("out"));
        assert!(is == self.older || is == self.newer, "it has neither: {is:?}");
        is == self.newer
    }

    /// Asserts that the next export writes the newer dataset and leaves nothing else.
    fn assert_completed(&self) {
        self.scratch.ok(&EXPORT);
        assert!(self.assert_newer());
        assert_eq!(self.scratch.beside(), ["out"]);
    }
}

#[test]
fn export_killed_at_random_leaves_a_whole_dataset() {
    let trial = ExportTrial::new(40, 250);
    let mut seed = 7_u64;
    let mut duration = trial.took;
    let mut killed = 0;
    for turn in 0..KILLS {
        seed = seed
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        // Spread over the whole duration, with the last kills near the end.
        let part = f64::from(turn) + (seed >> 11) as f64 / (1_u64 << 53) as f64;
        let moment = duration.mul_f64(part / f64::from(KILLS));
        let start = Instant::now();
        let mut child = trial.spawn();
        std::thread::sleep(moment);
        child.kill().unwrap();
        let status = child.wait().unwrap();
        if status.signal() == Some(9) {
            killed += 1;
        } else {
            // The export finished before the kill.
            assert!(status.success(), "{status}");
            duration = duration.min(start.elapsed());
        }
        trial.assert_newer();
        if turn % 4 == 3 {
            trial.scratch.ok(&["verify", "out", "--no-import"]);
            trial.assert_completed();
        }
        trial.reset();
    }
    assert!(killed >= KILLS / 2, "only {killed} came in time");
    trial.assert_completed();
}

#[test]
fn export_killed_during_swap_leaves_a_whole_dataset() {
    let trial = ExportTrial::new(3, 20);
    // Before and after each visible step.
    for awaited in ["SHA256SUMS", "csv"] {
        for _ in 0..4 {
            let mut child = trial.spawn();
            let part = trial.scratch.path(".out.ranklore-part").join(awaited);
            while !part.exists() && child.try_wait().unwrap().is_none() {}
            child.kill().unwrap();
            child.wait().unwrap();
            trial.assert_newer();
            trial.assert_completed();
            trial.reset();
        }
    }
}

#[test]
fn ctrl_c_keeps_only_the_older_dataset() {
    let trial = ExportTrial::new(40, 250);
    for signal in ["-INT", "-TERM"] {
        let child = trial.spawn();
        let part = trial.scratch.path(".out.ranklore-part/csv");
        let start = Instant::now();
        while !part.exists() {
            assert!(start.elapsed() < Duration::from_mins(1), "nothing is written");
            std::thread::sleep(Duration::from_millis(1));
        }
        send_signal(&child, signal);
        let ended = child.wait_with_output().unwrap();
        let err = String::from_utf8(ended.stderr).unwrap();
        assert_eq!(ended.status.code(), Some(130), "{err}");
        assert!(err.contains("error: nothing was exported: interrupted"), "{err}");
        assert!(!trial.assert_newer());
        assert_eq!(trial.scratch.beside(), ["out"]);
    }
    trial.assert_completed();
    assert_ctrl_c_ends_verify(&trial);
}

/// Asserts the same of a verification.
fn assert_ctrl_c_ends_verify(trial: &ExportTrial) {
    let mut command = trial.scratch.command(&["verify", "out"]);
    command.stdout(Stdio::null()).stderr(Stdio::piped());
    let child = command.spawn().unwrap();
    std::thread::sleep(trial.took / 8);
    send_signal(&child, "-INT");
    let ended = child.wait_with_output().unwrap();
    let err = String::from_utf8(ended.stderr).unwrap();
    // Before the handler is installed, the signal kills the process.
    let code = ended.status.code();
    assert!(
        code == Some(130) || ended.status.signal() == Some(2),
        "{:?}: {err}",
        ended.status
    );
    let done: CommandOutput = trial.scratch.ok(&["verify", "out", "--no-import"]);
    assert!(done.out.contains("no problems"));
}
