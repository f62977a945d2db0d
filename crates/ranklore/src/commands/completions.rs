//! `ranklore completions`

use std::io::Write;

use clap::Args;
use clap_complete::{Shell, generate};

use crate::arguments::command;
use crate::exit::Exit;

/// Print the completion script of a shell
///
/// Put the script where the shell looks for completions, and start a new shell.
#[derive(Debug, Args)]
pub(crate) struct CompletionsArgs {
    /// Shell to complete in
    #[arg(value_name = "SHELL", value_enum, conflicts_with_all = ["json", "format"])]
    shell: Shell,
}

impl CompletionsArgs {
    pub(crate) fn run(self) -> anyhow::Result<Exit> {
        // `generate` panics if it cannot write.
        let mut script = Vec::new();
        generate(self.shell, &mut command(), "ranklore", &mut script);
        std::io::stdout().write_all(&script)?;
        Ok(Exit::Done)
    }
}
