//! `ranklore backup`

use std::ops::ControlFlow;
use std::path::PathBuf;

use clap::Args;
use ranklore_replay::Progress;
use ranklore_store::Store;
use serde::Serialize;

use crate::exit::Exit;
use crate::output::{escape_line, format_size, print_failure, print_line, print_note};
use crate::progress::TerminalProgress;
use crate::{GlobalArgs, db_option};

/// Copy the database, also while another process writes to it
///
/// The copy has the state of one moment. It is written as FILE.partial, checked, and renamed when it
/// is complete and on disk. A database of an older version is copied without an upgrade.
#[derive(Debug, Args)]
pub(crate) struct BackupArgs {
    /// File to create; its folder must exist
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Replace FILE if it exists
    #[arg(long)]
    force: bool,
}

impl BackupArgs {
    pub(crate) fn run(self, global: &GlobalArgs) -> anyhow::Result<Exit> {
        let store = Store::open_without_upgrade(global.db())?;
        let progress = TerminalProgress::new();
        let copied_bytes = store.backup(&self.file, self.force, &mut |_, _| {
            if progress.is_interrupted() {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        })?;
        let Some(bytes) = copied_bytes else {
            print_failure("interrupted: no backup was made");
            return Ok(Exit::Interrupted);
        };
        let file = self.file.display().to_string();
        global.print_result(&BackupReport { file: &file, bytes }, || {
            let size = format_size(bytes);
            print_line(&escape_line(&format!("{file}: {size}, complete")))?;
            let advice = format!("next: ranklore status {}", db_option(&self.file));
            print_note(&escape_line(&advice));
            Ok(())
        })
    }
}

/// The copy that was made.
#[derive(Serialize)]
struct BackupReport<'a> {
    /// The path of the copy, as given.
    file: &'a str,
    /// The size of the copy.
    bytes: u64,
}
