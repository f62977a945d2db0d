//! Full disks: a small file system of its own, with a random amount of free space.

use std::process::{Command, Stdio};

use std::rc::Rc;

use crate::Round;
use crate::operations::{Operations, folder_contents};
use crate::support::{CommandOutput, RANKLORE, Scratch};

const UNSHARE: [&str; 3] = ["--user", "--map-root-user", "--mount"];
const MOUNT: [&str; 5] = ["mount", "-t", "tmpfs", "none", "/mnt"];

/// SQLite reports a full disk as an I/O error if it cannot extend its shared memory.
const MESSAGES: [&str; 3] = ["no space left", "No space left", "could not be written"];

/// Mounts a disk, fills it with the initial state, limits its size, runs the command there and
/// copies what is left. The first arguments are the free space in KiB and the folder of temporary
/// files.
const SCRIPT: &str = "
set -e
free=$1 temporary=$2
shift 2
mount -t tmpfs -o size=256m none disk
cp -R start/. disk/
cd disk
mount -o remount,size=$(($(df -kP . | tail -n 1 | awk '{ print $3 }') + free))k \"$PWD\"
export TMPDIR=$temporary SQLITE_TMPDIR=$temporary
code=0
\"$@\" || code=$?
cd ..
cp -R disk/. left/
exit $code
";

pub(crate) fn prepare(operations: &Rc<Operations>) -> Round {
    let tried = Command::new("unshare").args(UNSHARE).args(MOUNT).output();
    if !tried.is_ok_and(|tried| tried.status.success()) {
        return Box::new(|_, _| "not run: this user cannot mount file systems here");
    }
    let operations = Rc::clone(operations);
    Box::new(move |scratch, random| {
        let prepared = operations.of_round(random);
        for folder in ["disk", "start", "left", "temporary"] {
            std::fs::create_dir(scratch.path(folder)).unwrap();
        }
        let start = Scratch::new();
        prepared.copy_to(&start);
        let most = prepared.bytes_after as f64 / 1024.0 * 2.0;
        // Small disks more often than large ones.
        let free = (most * random.fraction() * random.fraction()) as u64;
        // In half of the rounds temporary files are on the full disk, too.
        let temporary = if random.once_in(2) {
            "disk"
        } else {
            "temporary"
        };
        for (name, file) in folder_contents(&start, "") {
            scratch.write(&format!("start/{name}"), file);
        }
        let mut command = Command::new("unshare");
        command
            .args(UNSHARE)
            .args(["sh", "-c", SCRIPT, "sh", &free.to_string()])
            .arg(scratch.path(temporary))
            .arg(RANKLORE)
            .args(&prepared.command)
            .current_dir(scratch.path("."))
            .env_remove("RANKLORE_DB")
            .stdin(Stdio::null());
        let done = CommandOutput::run(command);
        let leftover = Scratch::new();
        for (name, file) in folder_contents(scratch, "left") {
            leftover.write(&name, file);
        }
        let context = format!("{free} KiB free, temporary files in {temporary}");
        prepared.assert_refused(&leftover, &done, &MESSAGES, &context)
    })
}
