#![doc = include_str!("../README.md")]

mod bundled_site;
mod commands;
mod completeness;
mod exit;
mod json;
mod logging;
mod naming;
mod next_command;
mod output;
mod paging;
mod progress;
mod skeleton;
mod spark;
mod words;

use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Parser, Subcommand};
use ranklore_store::{RunRow, Store, Writer};
use serde::Serialize;

use crate::commands::{datasets, demo, file, new_source, people, ratings, results};
use crate::exit::Exit;
use crate::logging::LogOptions;
use crate::next_command::quoted;

/// From contest results to ratings people trust.
#[derive(Debug, Parser)]
#[command(
    name = "ranklore",
    version,
    propagate_version = true,
    arg_required_else_help = true
)]
struct Arguments {
    #[command(flatten)]
    global: Global,
    #[command(subcommand)]
    command: Command,
}

/// What every command knows.
#[derive(Clone, Debug, clap::Args)]
struct Global {
    // As an attribute: backticks would show.
    #[arg(
        long,
        global = true,
        value_name = "FILE",
        help = "The file with everything in it [default: $RANKLORE_DB, else ranklore.sqlite here]"
    )]
    db: Option<PathBuf>,
    /// Print the result as JSON
    #[arg(long, global = true)]
    json: bool,
    #[command(flatten)]
    log: LogOptions,
}

impl Global {
    /// The file: as given, else as the environment says, else `ranklore.sqlite` here.
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

    /// Opens the file to read it, if there is one.
    fn open_reader_if_any(&self) -> anyhow::Result<Option<Store>> {
        match Store::open_reader(self.db()) {
            Ok(store) => Ok(Some(store)),
            Err(ranklore_store::Error::Missing { .. }) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    /// Opens the file to write to it; an error if there is none.
    fn open_writer(&self, command: &str) -> anyhow::Result<Writer> {
        drop(Store::open_reader(self.db())?);
        Ok(Store::open_writer(self.db(), command)?)
    }

    /// Prints the result: as JSON if the user asks for that, else as text.
    fn show(
        &self,
        result: &impl Serialize,
        text: impl FnOnce() -> io::Result<()>,
    ) -> io::Result<()> {
        if self.json {
            output::say_json(result)
        } else {
            text()
        }
    }

    /// Suggests the next command.
    fn suggest(&self, command: &str) {
        output::complain(&format!("next: {}", self.hint(command)));
    }

    /// A command to run next: on the same file, if it was named on the command line.
    fn hint(&self, command: &str) -> String {
        match &self.db {
            Some(db) => format!("{command} {}", db_option(db)),
            None => command.to_owned(),
        }
    }

    /// Warns that results have changed since a run, with the command that rates them anew.
    fn warn_stale(&self, run: &RunRow) {
        output::complain(&format!(
            "results have changed since this run: {} brings it up to date; until then ratings \
             are of before, and names and places of now",
            self.hint(&next_command::rate_again(run))
        ));
    }
}

/// The option that names a file, as a shell takes it.
fn db_option(path: &Path) -> String {
    let path = path.display().to_string();
    // Apart, a dash in front would make an option of it.
    let between = if path.starts_with('-') { '=' } else { ' ' };
    format!("--db{between}{}", quoted(&path))
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Standings in, ratings out, from a bundled site
    Demo,
    /// Read contest files into the file
    Import(results::import::Import),
    /// Ask a site for what is new
    Mine(results::mine::Mine),
    /// Rate the contests of sources
    Rate(ratings::rate::Rate),
    /// List the rating systems, what they promise, their parameters
    Systems(ratings::systems::Systems),
    /// Show who stands where
    Leaderboard(ratings::leaderboard::Leaderboard),
    /// Show one competitor: rating, history, highlights
    Player(ratings::player::Player),
    /// Show one contest: who stood where, and who was to
    Contest(ratings::contest::Contest),
    /// Write a dataset to publish
    Export(datasets::export::Export),
    /// Hold a dataset against everything that it has to be
    CheckDataset(datasets::check_dataset::CheckDataset),
    /// Say how well a run predicted
    Evaluate(ratings::evaluate::Evaluate),
    /// Say who is who: merge accounts, split them, give names
    Competitor(people::competitor::Competitor),
    /// Take a contest out of rating, or put it back
    Withdraw(people::withdraw::Withdraw),
    /// Derive contests and ratings again from the archive
    Rebuild(file::rebuild::Rebuild),
    Forget(people::forget::Forget),
    /// Say how things stand, and what to do
    ///
    /// The file, who writes to it, what came in last, whether the runs are up to date, and what
    /// to do where they are not. Reads only, and does not disturb a writer.
    Status,
    /// List the sources
    Sources(file::sources::Sources),
    /// List the archive of a source, show a document, hold all against their hashes
    Documents(file::documents::Documents),
    /// Look for everything that could be wrong with the file
    Check(file::check::Check),
    /// Copy the file as it is, also while somebody writes to it
    Backup(file::backup::Backup),
    /// Delete documents that newer ones have replaced
    Prune(file::prune::Prune),
    /// Write the skeleton of a source into a checkout of Ranklore
    NewSource(new_source::NewSource),
}

impl Command {
    fn run(self, global: &Global) -> anyhow::Result<Exit> {
        match self {
            Self::Demo => demo::run(global),
            Self::Import(import) => import.run(global),
            Self::Mine(mine) => mine.run(global),
            Self::Rate(rate) => rate.run(global),
            Self::Systems(systems) => systems.run(global),
            Self::Export(export) => export.run(global),
            Self::CheckDataset(check) => check.run(global),
            Self::Evaluate(evaluate) => evaluate.run(global),
            Self::Leaderboard(leaderboard) => leaderboard.run(global),
            Self::Competitor(competitor) => competitor.run(global),
            Self::Withdraw(withdraw) => withdraw.run(global),
            Self::Rebuild(rebuild) => rebuild.run(global),
            Self::Forget(forget) => forget.run(global),
            Self::Player(player) => player.run(global),
            Self::Contest(contest) => contest.run(global),
            Self::Status => file::status::run(global),
            Self::Sources(sources) => sources.run(global),
            Self::Documents(documents) => documents.run(global),
            Self::Check(check) => check.run(global),
            Self::Backup(backup) => backup.run(global),
            Self::Prune(prune) => prune.run(global),
            Self::NewSource(new_source) => new_source.run(global),
        }
    }
}

fn main() -> ExitCode {
    let Arguments { global, command } = Arguments::parse();
    let outcome = match global.log.start() {
        Ok(()) => command.run(&global),
        Err(wrong) => Err(wrong.into()),
    };
    match outcome {
        Ok(exit) => exit.into(),
        Err(error) if exit::is_broken_pipe(&error) => Exit::Done.into(),
        Err(error) => {
            let text = next_command::explain(&error, |command| global.hint(command));
            output::say_error(&text);
            exit::of_error(&error).into()
        }
    }
}
