//! Two commands that write at once to one file, also by a symbolic or a hard link.

use std::cell::RefCell;
use std::collections::HashMap;
use std::process::{Child, Stdio};
use std::rc::Rc;
use std::time::Duration;

use crate::Round;
use crate::operations::{Operations, assert_no_crash, copy_files, database_hash, prepare_rated};
use crate::support::{CommandOutput, Scratch, contest};

/// Commands on a rated database; each gives the same result whenever it runs alone.
const COMMANDS: &[&[&str]] = &[
    &["import", "more.json", "--source", "club"],
    &["import", "rounds.tar.zst", "--source", "copy"],
    &["rate", "club"],
    &["rate", "club", "--system", "glicko"],
    &["rate", "club", "--all"],
    &["evaluate", "club"],
    &["rebuild"],
    &["competitor", "merge", "club", "ada", "bea"],
    &["withdraw", "club", "1"],
    &["forget", "--yes", "club", "ada"],
    &["prune", "--documents", "superseded", "--older-than", "0d"],
];

/// The exit code if another process writes.
const IN_USE: Option<i32> = Some(5);

/// Exit codes of two commands, and the content hash afterwards.
type Outcome = (Option<i32>, Option<i32>, Option<String>);

pub(crate) fn prepare(_: &Rc<Operations>) -> Round {
    let start = Scratch::new();
    prepare_rated(&start);
    start.write("more.json", contest(99, 99, &[&["ada"], &["player 3"], &["bea"]]));
    let before = database_hash(&start, "ranklore.sqlite");
    let known = RefCell::new(HashMap::<(usize, usize), Rc<[Outcome; 4]>>::new());
    Box::new(move |scratch, random| {
        copy_files(&start, scratch);
        std::fs::create_dir(scratch.path("below")).unwrap();
        let link = scratch.path("below/link.sqlite");
        let (other, is_hard) = match random.below(4) {
            0 => ("ranklore.sqlite", false),
            1 | 2 => {
                std::os::unix::fs::symlink("../ranklore.sqlite", &link).unwrap();
                ("below/link.sqlite", false)
            }
            _ => {
                std::fs::hard_link(scratch.db(), &link).unwrap();
                ("below/link.sqlite", true)
            }
        };
        let (first, second) = (random.below(COMMANDS.len()), random.below(COMMANDS.len()));
        let context = format!("{:?} and {:?} on {other}", COMMANDS[first], COMMANDS[second]);
        let pause = Duration::from_micros(random.below(20_000) as u64);
        let first_child = spawn(scratch, COMMANDS[first], "ranklore.sqlite");
        if random.once_in(2) {
            std::thread::sleep(pause);
        }
        let second_child = spawn(scratch, COMMANDS[second], other);
        let done = [first_child, second_child].map(output);
        for done in &done {
            assert_no_crash(done, &context);
        }
        if is_hard {
            for done in &done {
                assert!(
                    done.code == Some(1) && done.err.contains("link"),
                    "{context}, a hard link: exit code {:?}: {}",
                    done.code,
                    done.err
                );
            }
            std::fs::remove_file(&link).unwrap();
            assert_eq!(database_hash(scratch, "ranklore.sqlite"), before, "{context}");
            return "refused: hard link";
        }
        let outcome = (done[0].code, done[1].code, database_hash(scratch, "ranklore.sqlite"));
        let expected = Rc::clone(
            known
                .borrow_mut()
                .entry((first, second))
                .or_insert_with(|| Rc::new(outcomes(&start, COMMANDS[first], COMMANDS[second]))),
        );
        assert!(
            expected.contains(&outcome),
            "{context}: exit codes {:?} and {:?}, or the contents, are those of no order: {}{}",
            outcome.0,
            outcome.1,
            done[0].err,
            done[1].err
        );
        if outcome.0 == IN_USE || outcome.1 == IN_USE {
            "one refused"
        } else {
            "one after the other"
        }
    })
}

/// Returns the outcomes of the first or the second command alone, and of both orders.
fn outcomes(start: &Scratch, first: &[&str], second: &[&str]) -> [Outcome; 4] {
    let run = |commands: &[&[&str]]| {
        let scratch = Scratch::new();
        copy_files(start, &scratch);
        let codes: Vec<Option<i32>> =
            commands.iter().map(|command| scratch.run(command).code).collect();
        (codes, database_hash(&scratch, "ranklore.sqlite"))
    };
    let (codes, contents) = run(&[first]);
    let only_first = (codes[0], IN_USE, contents);
    let (codes, contents) = run(&[second]);
    let only_second = (IN_USE, codes[0], contents);
    let (codes, contents) = run(&[first, second]);
    let in_order = (codes[0], codes[1], contents);
    let (codes, contents) = run(&[second, first]);
    let in_reverse = (codes[1], codes[0], contents);
    [only_first, only_second, in_order, in_reverse]
}

fn spawn(scratch: &Scratch, command: &[&str], file: &str) -> Child {
    let mut command = scratch.command(&[command, &["--db", file]].concat());
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().unwrap()
}

fn output(child: Child) -> CommandOutput {
    let output = child.wait_with_output().unwrap();
    CommandOutput {
        code: output.status.code(),
        out: String::from_utf8_lossy(&output.stdout).into_owned(),
        err: String::from_utf8_lossy(&output.stderr).into_owned(),
    }
}
