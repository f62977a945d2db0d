//! `ranklore systems`

use anyhow::bail;
use clap::Args;
use ranklore_replay::{Support, System, SystemInfo, SystemSpec, format_search_range};
use ranklore_views::{Columns, List as _, SystemDescription, describe_system};
use serde::Serialize;
use serde_json::Value;

use crate::GlobalArgs;
use crate::commands::ratings::leaderboard::{describe_display, describe_provisional};
use crate::exit::{Exit, WrongUsage};
use crate::output::{join_words, join_words_or, print_line, print_table};
use crate::run_choice::{SetArgs, parse_system};

/// List the rating systems: features, guarantees, parameters
///
/// With a NAME, prints the paper or program that the system follows, how its ratings are displayed
/// and when they are provisional, and each parameter with the values that a search tries. Settings such as trueskill:mu=25 replace the
/// defaults.
#[derive(Debug, Args)]
pub(crate) struct SystemsArgs {
    /// Show only this system, with its parameters
    #[arg(value_name = "NAME", value_parser = parse_system)]
    name: Option<SystemSpec>,
    #[command(flatten)]
    set: SetArgs,
}

impl SystemsArgs {
    pub(crate) fn run(self, global: &GlobalArgs) -> anyhow::Result<Exit> {
        let is_one = self.name.is_some();
        let specs = match self.name {
            Some(spec) => vec![spec.with_settings(&self.set.settings)?],
            None if !self.set.settings.is_empty() => {
                bail!(WrongUsage("--set needs the NAME of a system".to_owned()));
            }
            None => SystemSpec::all(),
        };
        let systems: Result<Vec<System>, _> = specs.iter().map(SystemSpec::build).collect();
        let systems = systems?;
        let descriptions: Result<Vec<_>, _> = systems.iter().map(describe_system).collect();
        let descriptions = descriptions?;
        match (&*systems, &*descriptions) {
            ([system], [description]) if is_one => {
                let rows = parameter_rows(system.about, description);
                global.print_rows(&descriptions, &rows, &parameter_columns().keys(), || {
                    print_system(system, description)?;
                    print_table(parameter_columns(), &rows)
                })
            }
            _ => global
                .print_view(&descriptions, || print_table(descriptions.columns(), &descriptions)),
        }
    }
}

/// Returns the columns of the parameters of a system.
fn parameter_columns<'a>() -> Columns<'a, ParameterRow<'a>> {
    Columns::new()
        .data(&["system"])
        .left("parameter", |row: &ParameterRow<'_>| row.parameter)
        .left("value", |row| row.value.to_string())
        .left("search", |row| row.search.clone())
}

/// A parameter of a system.
#[derive(Serialize)]
struct ParameterRow<'a> {
    system: &'static str,
    parameter: &'a str,
    value: &'a Value,
    /// The values that a search tries.
    search: String,
}

fn parameter_rows<'a>(
    system: &SystemInfo,
    description: &'a SystemDescription,
) -> Vec<ParameterRow<'a>> {
    let rows = description.parameters.iter();
    rows.map(|(parameter, value)| ParameterRow {
        system: description.system,
        parameter,
        value,
        search: system
            .parameters
            .iter()
            .find(|info| info.name == parameter)
            .map_or_else(String::new, |info| format_search_range(info.range)),
    })
    .collect()
}

fn print_system(system: &System, description: &SystemDescription) -> std::io::Result<()> {
    let about = system.about;
    let supports = join_words_or(about.supports.iter().map(|f| f.as_str()), "none");
    let promises = join_words_or(description.promises.iter().map(|p| p.as_str()), "none");
    print_line(&format!("{}: {}", about.name, about.summary))?;
    print_line(&format!("reference: {}", about.source))?;
    print_line(&format!("features: {supports}"))?;
    if let Some(max) = about.max_entrants {
        print_line(&format!("contests: of at most {max} entrants"))?;
    }
    print_line(&format!("guarantees: {promises}"))?;
    let dnf = about.unfinished.as_str();
    print_line(&format!("entrants who did not finish: {dnf} (--dnf)"))?;
    if about.supports(Support::Teams) {
        print_line("team contests: --teams members rates each person")?;
    }
    let display = &description.display;
    print_line(&format!("displayed rating: {}", describe_display(display)))?;
    let rule = describe_provisional(&description.provisional, display.decimals);
    print_line(&format!("provisional: {rule}"))?;
    if !description.titles.is_empty() {
        let titles = description.titles.iter().map(|title| match title.from {
            from if from.is_finite() => format!("{} (from {from})", title.name),
            _ => title.name.to_owned(),
        });
        print_line(&format!("titles: {}", join_words(titles)))?;
    }
    print_line("")
}
