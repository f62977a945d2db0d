//! The options that choose the run of a view.

use clap::Args;
pub(crate) use ranklore_replay::parse_run;
use ranklore_replay::{Setting, SystemSpec};
use ranklore_store::RunRow;

use crate::exit::WrongUsage;
use crate::output::escape_line;

/// The parameters of a system, beside those in its name.
#[derive(Clone, Debug, Args)]
pub(crate) struct SetArgs {
    /// Parameter of the system, such as rho=0.04; repeatable. Same as --system NAME:KEY=VALUE
    #[arg(long = "set", value_name = "KEY=VALUE", value_parser = Setting::parse_option)]
    pub(crate) settings: Vec<Setting>,
}

impl SetArgs {
    /// Errors if there are settings for several systems.
    pub(crate) fn check_systems(&self, systems: &[SystemSpec]) -> Result<(), WrongUsage> {
        if systems.len() > 1 && !self.settings.is_empty() {
            return Err(WrongUsage(
                "--set is for one system; with several, write settings behind the name: \
                 --system elo-mmr:rho=2"
                    .to_owned(),
            ));
        }
        Ok(())
    }
}

/// Systems with settings.
#[derive(Clone, Debug)]
pub(crate) struct SystemList(pub(crate) Vec<SystemSpec>);

/// Parses systems with settings, separated by commas, for clap.
pub(crate) fn parse_systems(text: &str) -> Result<SystemList, String> {
    SystemSpec::parse_list(text).map(SystemList).map_err(|error| error.to_string())
}

/// Parses a system with settings, for clap.
pub(crate) fn parse_system(word: &str) -> Result<SystemSpec, String> {
    SystemSpec::parse(word).map_err(|error| error.to_string())
}

/// Describes a run as [`ranklore_replay::describe_run`], on one line.
pub(crate) fn describe_run(run: &RunRow) -> String {
    escape_line(&ranklore_replay::describe_run(run))
}
