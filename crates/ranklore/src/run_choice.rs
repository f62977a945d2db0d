//! The options that choose the run of a view, and the names of runs.

use clap::Args;
pub(crate) use ranklore_replay::parse_run;
use ranklore_replay::{RunKey, Setting, SystemSpec};
use ranklore_store::{RunRow, Store};

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

/// Errors if a run has this name, unless it is one that may have it.
pub(crate) fn check_name_is_free(
    store: &Store,
    name: &str,
    may_have_name: impl Fn(&RunRow) -> bool,
) -> anyhow::Result<()> {
    let mut runs = store.runs()?.into_iter();
    match runs.find(|run| run.name.as_deref() == Some(name) && !may_have_name(run)) {
        None => Ok(()),
        Some(RunRow { run_id: id, .. }) => anyhow::bail!(WrongUsage(format!(
            "run {id} has this name; choose another one, or remove its name: \
             ranklore runs name {id} ''"
        ))),
    }
}

/// Longest name of a run, in characters.
const MAX_NAME: usize = 64;

/// Parses the name of a run, for clap.
pub(crate) fn parse_name(text: &str) -> Result<String, String> {
    let name = text.trim();
    if name.chars().count() > MAX_NAME {
        return Err(format!("a name has at most {MAX_NAME} characters"));
    }
    if name.chars().any(char::is_control) {
        return Err("a name has no control characters".to_owned());
    }
    match RunKey::parse(name) {
        RunKey::Id(_) => Err("a number is the id of a run; add a letter".to_owned()),
        RunKey::Name(name) => Ok(name),
    }
}
