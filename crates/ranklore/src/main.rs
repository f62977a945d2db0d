#![doc = include_str!("../README.md")]

mod arguments;
mod bundled_site;
mod commands;
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
mod values;
mod words;

use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, bail};
use clap::ColorChoice;
use clap::builder::PossibleValuesParser;
use ranklore_contest::quote_for_shell;
use ranklore_replay::{RunChoice, RunSelection, Staleness, SystemName};
use ranklore_store::{RunRow, Store, Writer};
use ranklore_views::List;
use serde::Serialize;

use crate::arguments::{Arguments, Command};
use crate::exit::{Exit, WrongUsage};
use crate::logging::LogArgs;
use crate::output::OutputFormat;

/// The heading of the global options.
pub(crate) const GLOBAL: &str = "Global options";

/// The database if none is named, in the current folder.
const DEFAULT_DATABASE: &str = "ranklore.sqlite";

/// The number of folders above the current one in which a missing database is looked for.
const MAX_LEVELS_ABOVE: usize = 20;

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
    /// Format of the result: table, csv, json, jsonl or markdown [default: table]
    // A word: `import` and `export` have an option of the same name, and clap hands the values of
    // global options through all commands.
    #[arg(
        long,
        global = true,
        value_name = "FORMAT",
        value_parser = PossibleValuesParser::new(words::possible_values::<OutputFormat>()),
        hide_possible_values = true,
        help_heading = GLOBAL
    )]
    format: Option<String>,
    /// Print the result as JSON, like --format json
    #[arg(id = "json", long, global = true, help_heading = GLOBAL)]
    as_json: bool,
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
        let database = self.db.clone().or_else(database_of_environment);
        database.unwrap_or_else(|| PathBuf::from(DEFAULT_DATABASE))
    }

    /// Opens the database for reading, if it exists.
    fn open_reader_if_any(&self) -> anyhow::Result<Option<Store>> {
        match Store::open_reader(self.db()) {
            Ok(store) => Ok(Some(store)),
            Err(ranklore_store::Error::Missing { .. } | ranklore_store::Error::Empty { .. }) => {
                Ok(None)
            }
            Err(error) => Err(error.into()),
        }
    }

    /// Opens the database for writing; an error if it does not exist.
    fn open_writer(&self, command: &str) -> anyhow::Result<Writer> {
        drop(Store::open_reader(self.db())?);
        Ok(Store::open_writer(self.db(), command)?)
    }

    /// Returns the text of an error, with the command to try.
    fn describe_error(&self, error: &anyhow::Error) -> String {
        let text = next_command::describe_error(error, |command| self.with_db(command));
        let is_missing = error.chain().any(|cause| {
            matches!(
                cause.downcast_ref(),
                Some(ranklore_store::Error::Missing { .. } | ranklore_store::Error::Empty { .. })
            )
        });
        if is_missing {
            text + &self.missing_database_advice()
        } else {
            text
        }
    }

    /// Returns the advice for a missing database: where there may be another one.
    fn missing_database_advice(&self) -> String {
        let example = "; `ranklore demo` creates an example";
        let variable_note = match (&self.db, database_of_environment()) {
            (None, Some(_)) => "; RANKLORE_DB names this file",
            _ => "",
        };
        let location = find_database_above().map_or_else(String::new, |path| {
            format!("; a folder above has a database: {}", db_option(&path))
        });
        format!("{variable_note}{location}{example}")
    }

    /// Returns the format of the result.
    fn output_format(&self, command: &Command) -> anyhow::Result<OutputFormat> {
        let word = self.format.as_deref().filter(|_| !command.reads_format());
        let format = word.and_then(OutputFormat::from_word);
        match format {
            Some(format) if self.as_json && format != OutputFormat::Json => {
                let format = format.as_str();
                bail!(WrongUsage(format!(
                    "--json and --format {format} exclude each other; leave out one of them"
                )))
            }
            // Refused before the command does its work.
            Some(format) if format.has_rows_only() && !command.has_rows() => {
                let format = format.as_str();
                bail!(WrongUsage(format!(
                    "--format {format} prints rows, and the result of this command is not a list; \
                     use table, markdown or json"
                )))
            }
            None if self.as_json => Ok(OutputFormat::Json),
            format => Ok(format.unwrap_or_default()),
        }
    }

    /// Prints a report in the chosen format: as data, else as text. Returns success.
    #[expect(clippy::unused_self, reason = "called like the other ways to print")]
    fn print_result(
        &self,
        report: &impl Serialize,
        text: impl FnOnce() -> io::Result<()>,
    ) -> anyhow::Result<Exit> {
        if output::output_format().is_data() {
            output::print_data(report)?;
        } else {
            text()?;
        }
        Ok(Exit::Done)
    }

    /// Prints a list in the chosen format: an array, or an object with an array `rows`. `text` prints it
    /// for people.
    fn print_view(
        &self,
        list: &(impl Serialize + List),
        text: impl FnOnce() -> io::Result<()>,
    ) -> anyhow::Result<Exit> {
        self.print_rows(list, list, &list.columns().keys(), text)
    }

    /// Prints a result as [`Self::print_result`], but a list in the formats of rows. CSV has these
    /// columns, which are paths of keys.
    fn print_rows(
        &self,
        result: &impl Serialize,
        list: &impl Serialize,
        columns: &[&str],
        text: impl FnOnce() -> io::Result<()>,
    ) -> anyhow::Result<Exit> {
        if output::output_format().has_rows_only() {
            output::print_rows(list, columns)?;
            Ok(Exit::Done)
        } else {
            self.print_result(result, text)
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

    /// Says why a view shows a run that the user may not expect: the default system of the source has
    /// no run, or the run is stale.
    fn note_run(
        &self,
        store: &Store,
        choice: &RunChoice,
        run: &RunRow,
        stale: bool,
    ) -> anyhow::Result<()> {
        let selection = RunSelection::from_canonical_json(&run.selection);
        if let Some(system) = run.default_system.as_deref()
            && let [source] = &*selection.sources
            && choice.is_default()
            && system != run.system
            && SystemName::find(system).is_ok()
        {
            let command = self.with_db(&next_command::rate_source_command(source));
            output::print_note(&format!(
                "{system}, the default system of {source}, has no run yet: {command}"
            ));
        }
        if stale {
            self.warn_stale(store, run)?;
        }
        Ok(())
    }

    /// Says why a run is stale, with the command that updates it.
    fn warn_stale(&self, store: &Store, run: &RunRow) -> anyhow::Result<()> {
        let command = self.with_db(&next_command::update_run_command(run));
        output::print_note(&match Staleness::find(store, run)? {
            changes @ Staleness::Changed(_) => {
                format!("warning: this run is stale: {changes}; `{command}` updates its ratings")
            }
            contests @ Staleness::NewContests(_) => format!("{contests}: {command}"),
        });
        Ok(())
    }
}

/// Returns the path in `RANKLORE_DB`, unless it is empty.
fn database_of_environment() -> Option<PathBuf> {
    let path = std::env::var_os("RANKLORE_DB").filter(|path| !path.is_empty());
    path.map(PathBuf::from)
}

/// Returns the nearest file with the name of the default database in the folders above.
fn find_database_above() -> Option<PathBuf> {
    let folder = std::env::current_dir().ok()?;
    let folders_above = folder.ancestors().skip(1).take(MAX_LEVELS_ABOVE);
    let mut paths = folders_above.map(|folder| folder.join(DEFAULT_DATABASE));
    // A folder that cannot be read has none.
    paths.find(|path| path.metadata().is_ok_and(|file| file.is_file() && file.len() > 0))
}

/// Returns the `--db` option for a path, quoted for a shell.
fn db_option(path: &Path) -> String {
    let path = path.display().to_string();
    // After a space, a path with a leading dash would be an option.
    let separator = if path.starts_with('-') { '=' } else { ' ' };
    format!("--db{separator}{}", quote_for_shell(&path))
}

fn run(global: &GlobalArgs, command: Command) -> anyhow::Result<Exit> {
    global.log.start()?;
    output::set_output_format(global.output_format(&command)?);
    if global.log.quiet && command.prints_report() {
        output::hide_text();
    }
    interruption::start().context("signals cannot be handled")?;
    command.run(global)
}

fn main() -> ExitCode {
    let Arguments { global, command } = Arguments::parse_process();
    output::set_color(global.color);
    match run(&global, command) {
        Ok(exit) => exit.into(),
        Err(error) if exit::is_broken_pipe(&error) => Exit::Done.into(),
        Err(error) => {
            let candidates = next_command::list_candidates(&error);
            output::print_error(&global.describe_error(&error), &candidates);
            exit::for_error(&error).into()
        }
    }
}
