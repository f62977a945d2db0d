//! The options that choose the run of a view.

use clap::Args;
use ranklore_replay::{RunChoice, RunKey, SystemSpec};
use ranklore_store::RunRow;

use crate::output::escape_line;

/// The choice of a run.
#[derive(Clone, Debug, Args)]
pub(crate) struct RunArgs {
    /// Use this run, by its id or name; ranklore runs lists both
    #[arg(long, value_name = "ID", value_parser = parse_run, conflicts_with = "system")]
    pub(crate) run: Option<RunKey>,
    /// Use the run of this system, with settings such as elo-mmr:rho=2 [default: that of the source,
    /// elo-mmr]
    #[arg(long, value_name = "NAME[:KEY=VALUE]", value_parser = parse_system)]
    pub(crate) system: Option<SystemSpec>,
}

impl RunArgs {
    pub(crate) fn choice(self) -> RunChoice {
        RunChoice {
            run: self.run,
            system: self.system,
        }
    }
}

/// Parses the id or the name of a run, for clap.
pub(crate) fn parse_run(word: &str) -> Result<RunKey, String> {
    if word.is_empty() {
        return Err("expected the id or the name of a run".to_owned());
    }
    Ok(RunKey::parse(word))
}

/// Parses a system with settings, for clap.
pub(crate) fn parse_system(word: &str) -> Result<SystemSpec, String> {
    SystemSpec::parse(word).map_err(|error| error.to_string())
}

/// Describes a run as [`ranklore_replay::describe_run`], on one line.
pub(crate) fn describe_run(run: &RunRow) -> String {
    escape_line(&ranklore_replay::describe_run(run))
}
