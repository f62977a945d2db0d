//! Limits of the size of files, as by `ulimit -f`.

use std::process::{Command, Stdio};

use std::rc::Rc;

use crate::Round;
use crate::operations::Operations;
use crate::support::{CommandOutput, RANKLORE};

pub(crate) fn prepare(operations: &Rc<Operations>) -> Round {
    let operations = Rc::clone(operations);
    Box::new(move |scratch, random| {
        let prepared = operations.of_round(random);
        prepared.copy_to(scratch);
        // The shell counts blocks of 512 bytes or 1 KiB. Small limits more often than large ones.
        let most = prepared.bytes_after as f64 / 512.0;
        let blocks = (most * random.fraction() * random.fraction()) as u64;
        let mut command = Command::new("sh");
        command
            .args(["-c", &format!("ulimit -f {blocks} && exec \"$0\" \"$@\"")])
            .arg(RANKLORE)
            .args(&prepared.command)
            .current_dir(scratch.path("."))
            .env_remove("RANKLORE_DB")
            .stdin(Stdio::null());
        let done = CommandOutput::run(command);
        let context = format!("ulimit -f {blocks}");
        prepared.assert_refused(
            scratch,
            &done,
            &["could not be written", "File too large"],
            &context,
        )
    })
}
