//! Processes killed or interrupted at random moments.

use std::os::unix::process::ExitStatusExt;
use std::process::{Child, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use std::rc::Rc;

use crate::Round;
use crate::operations::Operations;
use crate::support::send_signal;

/// The time after which a process that got a signal counts as hanging.
const HANGS_AFTER: Duration = Duration::from_mins(1);

/// A third of the rounds interrupts, the others kill.
const SIGNALS: [(&str, i32); 6] = [
    ("-KILL", 9),
    ("-KILL", 9),
    ("-TERM", 15),
    ("-KILL", 9),
    ("-KILL", 9),
    ("-INT", 2),
];

pub(crate) fn prepare(operations: &Rc<Operations>) -> Round {
    let operations = Rc::clone(operations);
    Box::new(move |scratch, random| {
        let prepared = operations.of_round(random);
        let (signal, number) = *random.pick(&SIGNALS);
        let moment = prepared.took.get().mul_f64(random.fraction());
        prepared.copy_to(scratch);
        let context = format!("{signal} after {moment:?}");
        let mut command = scratch.command(&prepared.words());
        command.stdout(Stdio::null()).stderr(Stdio::null());
        let start = Instant::now();
        let mut child = command.spawn().unwrap();
        std::thread::sleep(moment);
        if child.try_wait().unwrap().is_none() {
            send_signal(&child, signal);
        }
        let status = wait(&mut child, &context);
        let (outcome, is_interrupted) = if status.success() {
            prepared.took.set(prepared.took.get().min(start.elapsed()));
            ("finished before", false)
        } else if status.code() == Some(130) && number != 9 {
            ("interrupted", true)
        } else if status.signal() == Some(number) {
            // Before the handlers are installed, an interrupt kills, too.
            ("killed", false)
        } else {
            panic!("{}, {context}: it ended with {status}", prepared.operation.name)
        };
        prepared.assert_survives(scratch, &context, is_interrupted);
        outcome
    })
}

fn wait(child: &mut Child, context: &str) -> ExitStatus {
    let start = Instant::now();
    loop {
        if let Some(status) = child.try_wait().unwrap() {
            return status;
        }
        if start.elapsed() > HANGS_AFTER {
            child.kill().unwrap();
            child.wait().unwrap();
            panic!("{context}: it does not end");
        }
        std::thread::sleep(Duration::from_millis(1));
    }
}
