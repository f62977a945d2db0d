//! Random faults, as many as asked for: kills, damaged files, full disks, limits, writers at once,
//! special files, hostile servers and documents. `docs/reliability.md` describes the classes.
//!
//!     cargo test --release -p ranklore --test torture -- flips --seed 7 --rounds 2000
//!
//! Without arguments it runs the short form: every class, some rounds each.
#![cfg(unix)]
#![expect(
    clippy::unwrap_used,
    reason = "clippy takes the helpers of tests for no tests"
)]

#[path = "../support/mod.rs"]
mod support;

mod arguments;
mod disks;
mod flips;
mod inputs;
mod kills;
mod limits;
mod operations;
mod random;
mod responses;
mod site;
mod special_files;
mod writers;

use std::any::Any;
use std::collections::BTreeMap;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;
use std::rc::Rc;
use std::time::Instant;

use arguments::Arguments;
use operations::Operations;
use random::Random;
use support::Scratch;

/// Runs a round in an empty folder and returns its outcome; panics at a silent failure.
type Round = Box<dyn Fn(&Scratch, &mut Random) -> &'static str>;

/// A class of faults.
struct Class {
    name: &'static str,
    /// Rounds of the short form.
    short: u64,
    /// Prepares what all rounds share.
    prepare: fn(&Rc<Operations>) -> Round,
}

const CLASSES: &[Class] = &[
    Class {
        name: "kills",
        short: 17,
        prepare: kills::prepare,
    },
    Class {
        name: "flips",
        short: 24,
        prepare: flips::prepare,
    },
    Class {
        name: "disks",
        short: 10,
        prepare: disks::prepare,
    },
    Class {
        name: "limits",
        short: 10,
        prepare: limits::prepare,
    },
    Class {
        name: "writers",
        short: 10,
        prepare: writers::prepare,
    },
    Class {
        name: "special-files",
        short: 30,
        prepare: special_files::prepare,
    },
    Class {
        name: "responses",
        short: 6,
        prepare: responses::prepare,
    },
    Class {
        name: "inputs",
        short: 4,
        prepare: inputs::prepare,
    },
];

/// Failed rounds that are printed per class.
const FAILURES_SHOWN: u64 = 100;

/// Characters of the message of a failed round.
const MESSAGE_CHARS: usize = 2000;

fn main() -> ExitCode {
    let names: Vec<&str> = CLASSES.iter().map(|class| class.name).collect();
    let arguments = match Arguments::parse(std::env::args().skip(1), &names) {
        Ok(arguments) => arguments,
        Err(message) => {
            eprintln!("{message}");
            return ExitCode::from(2);
        }
    };
    // A failed round prints its panic itself.
    std::panic::set_hook(Box::new(|_| {}));
    let operations = Rc::new(Operations::new());
    let mut failures = 0;
    for class in CLASSES {
        if arguments.selects(class.name) {
            let rounds = arguments.rounds(class.short);
            failures += run(class, &operations, arguments.seed, rounds);
        }
    }
    ExitCode::from(u8::from(failures > 0))
}

/// Runs the rounds of a class, prints a line about them, and returns the silent failures.
fn run(class: &Class, operations: &Rc<Operations>, seed: u64, rounds: Range<u64>) -> u64 {
    let name = class.name;
    let start = Instant::now();
    let round = match catch_unwind(AssertUnwindSafe(|| (class.prepare)(operations))) {
        Ok(round) => round,
        Err(panic) => {
            println!("{name}: cannot be prepared: {}", message(&*panic));
            return 1;
        }
    };
    let mut outcomes = BTreeMap::<&str, u64>::new();
    let mut failures = 0;
    for number in rounds.clone() {
        let scratch = Scratch::new();
        let mut random = Random::new(seed, number);
        match catch_unwind(AssertUnwindSafe(|| round(&scratch, &mut random))) {
            Ok(outcome) => *outcomes.entry(outcome).or_default() += 1,
            Err(panic) => {
                failures += 1;
                if failures <= FAILURES_SHOWN {
                    let message: String = message(&*panic).chars().take(MESSAGE_CHARS).collect();
                    println!(
                        "{name}: round {number} failed: {message}\n  again: -- {name} --seed {seed} --round {number}\n  files: {}",
                        scratch.keep().display()
                    );
                }
            }
        }
    }
    let counts: Vec<String> =
        outcomes.iter().map(|(outcome, count)| format!("{count} {outcome}")).collect();
    println!(
        "{name}: seed {seed}, {} rounds in {} s: {}; {failures} silent failures",
        rounds.end - rounds.start,
        start.elapsed().as_secs(),
        counts.join(", ")
    );
    failures
}

fn message(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied())
        .unwrap_or("a panic without a message")
}
