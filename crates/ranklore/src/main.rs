#![doc = include_str!("../README.md")]

mod arguments;
mod bundled_site;
mod commands;
mod completeness;
mod exit;
mod interruption;
mod json;
mod logging;
mod naming;
mod next_command;
mod output;
mod paging;
mod progress;
mod run_choice;
mod sparkline;
mod values;

use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context;
use clap::ColorChoice;
use ranklore_contest::quote_for_shell;
use ranklore_store::{RunRow, Store, Writer};
use serde::Serialize;

use crate::arguments::Arguments;
use crate::exit::Exit;
use crate::logging::LogArgs;

/// The heading of the global options.
pub(crate) const GLOBAL: &str = "Global options";

/// The global options.
#[derive(Clone, Debug, clap::Args)]
struct GlobalArgs {
    // As an attribute: the backticks that rustdoc wants would be printed.
    #[arg(
        long,
        global = true,
        value_name = "FILE",
        help_heading = GLOBAL,
        help = "SQLite database file [default: $RANKLORE_DB, else ranklore.sqlite]"
    )]
    db: Option<PathBuf>,
    /// Print the result as JSON
    #[arg(long, global = true, help_heading = GLOBAL)]
    json: bool,
    // As an attribute, too.
    #[arg(
        long,
        global = true,
        value_name = "WHEN",
        alias = "colour",
        default_value = "auto",
        hide_possible_values = true,
        help_heading = GLOBAL,
        help = "Colour headings and labels: auto (on a terminal without NO_COLOR), always or never"
    )]
    color: ColorChoice,
    #[command(flatten)]
    log: LogArgs,
}

impl GlobalArgs {
    /// Returns the path of the database: `--db`, else `RANKLORE_DB`, else `ranklore.sqlite`.
    fn db(&self) -> PathBuf {
        self.db
            .clone()
            .or_else(|| {
                std::env::var_os("RANKLORE_DB")
                    .filter(|path| !path.is_empty())
                    .map(PathBuf::from)
            })
            .unwrap_or_else(|| PathBuf::from("ranklore.sqlite"))
    }

    /// Opens the database for reading, if it exists.
    fn open_reader_if_any(&self) -> anyhow::Result<Option<Store>> {
        match Store::open_reader(self.db()) {
            Ok(store) => Ok(Some(store)),
            Err(ranklore_store::Error::Missing { .. }) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    /// Opens the database for writing; an error if it does not exist.
    fn open_writer(&self, command: &str) -> anyhow::Result<Writer> {
        drop(Store::open_reader(self.db())?);
        Ok(Store::open_writer(self.db(), command)?)
    }

    /// Prints the result as JSON with `--json`, else as text.
    fn print_result(
        &self,
        result: &impl Serialize,
        text: impl FnOnce() -> io::Result<()>,
    ) -> io::Result<()> {
        if self.json {
            output::print_json(result)
        } else {
            text()
        }
    }

    /// Suggests the next command.
    fn suggest(&self, command: &str) {
        output::print_note(&format!("next: {}", self.with_db(command)));
    }

    /// Adds `--db` to a command if the user gave it.
    fn with_db(&self, command: &str) -> String {
        match &self.db {
            Some(db) => format!("{command} {}", db_option(db)),
            None => command.to_owned(),
        }
    }

    /// Warns that a run is stale, with the reason and the command that updates it.
    fn warn_stale(&self, run: &RunRow) {
        output::print_note(&format!(
            "warning: this run is stale: {}; `{}` updates its ratings",
            ranklore_replay::describe_staleness(run),
            self.with_db(&next_command::update_run_command(run))
        ));
    }
}

/// Returns the `--db` option for a path, quoted for a shell.
fn db_option(path: &Path) -> String {
    let path = path.display().to_string();
    // After a space, a path with a leading dash would be an option.
    let between = if path.starts_with('-') { '=' } else { ' ' };
    format!("--db{between}{}", quote_for_shell(&path))
}

fn main() -> ExitCode {
    let Arguments { global, command } = Arguments::parse_process();
    output::set_color(global.color);
    let outcome = match global.log.start() {
        Ok(()) => interruption::start()
            .context("signals cannot be handled")
            .and_then(|()| command.run(&global)),
        Err(wrong) => Err(wrong.into()),
    };
    match outcome {
        Ok(exit) => exit.into(),
        Err(error) if exit::is_broken_pipe(&error) => Exit::Done.into(),
        Err(error) => {
            let text = next_command::describe_error(&error, |command| global.with_db(command));
            output::print_error(&text);
            exit::for_error(&error).into()
        }
    }
}
