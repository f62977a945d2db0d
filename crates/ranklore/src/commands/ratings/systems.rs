//! `ranklore systems`

use clap::Args;
use ranklore_replay::{
    Promise, SYSTEMS, Support, System, SystemDescription, SystemSpec, describe_system,
};
use serde::Serialize;
use serde_json::Value;

use crate::GlobalArgs;
use crate::commands::ratings::leaderboard::{describe_display, describe_provisional};
use crate::exit::Exit;
use crate::output::{TextTable, join_words, join_words_or, print_line};
use crate::run_choice::parse_system;

/// List the rating systems: features, guarantees, parameters
///
/// With a NAME, prints the paper or program that the system follows, how its ratings are displayed
/// and when they are provisional, and each parameter. Settings such as trueskill:mu=25 replace the
/// defaults.
#[derive(Debug, Args)]
pub(crate) struct SystemsArgs {
    /// Show only this system, with its parameters
    #[arg(value_name = "NAME", value_parser = parse_system)]
    name: Option<SystemSpec>,
}

impl SystemsArgs {
    pub(crate) fn run(self, global: &GlobalArgs) -> anyhow::Result<Exit> {
        let is_one = self.name.is_some();
        let specs = match self.name {
            Some(spec) => vec![spec],
            None => SYSTEMS.iter().copied().map(SystemSpec::new).collect(),
        };
        let systems: Result<Vec<System>, _> = specs.iter().map(SystemSpec::build).collect();
        let systems = systems?;
        let descriptions: Result<Vec<_>, _> = systems.iter().map(describe_system).collect();
        let descriptions = descriptions?;
        match (&*systems, &*descriptions) {
            ([system], [description]) if is_one => {
                let rows = parameter_rows(description);
                global.print_rows(&descriptions, &rows, &PARAMETER_COLUMNS, || {
                    print_system(system, description)
                })?;
            }
            _ => global.print_list(&descriptions, &COLUMNS, || print_systems(&systems))?,
        }
        Ok(Exit::Done)
    }
}

/// The columns of systems in CSV.
const COLUMNS: [&str; 7] = [
    "system",
    "summary",
    "source",
    "supports",
    "max_entrants",
    "promises",
    "dnf",
];

/// The columns of the parameters of a system in CSV.
const PARAMETER_COLUMNS: [&str; 3] = ["system", "parameter", "value"];

/// A parameter of a system, in the formats of rows.
#[derive(Serialize)]
struct ParameterRow<'a> {
    system: &'static str,
    parameter: &'a str,
    value: &'a Value,
}

fn parameter_rows(description: &SystemDescription) -> Vec<ParameterRow<'_>> {
    let rows = description.parameters.iter();
    rows.map(|(parameter, value)| ParameterRow {
        system: description.system,
        parameter,
        value,
    })
    .collect()
}

fn print_systems(systems: &[System]) -> std::io::Result<()> {
    let mark = |is_true: bool| if is_true { "yes" } else { "–" }.to_owned();
    let mut table = TextTable::new(systems)
        .left("system", |system| system.name.to_owned())
        .left("summary", |system| system.about.summary.to_owned());
    for feature in Support::ALL {
        table = table.left(feature.as_str(), move |s| mark(s.about.supports(feature)));
    }
    table = table
        .right("entrants", |system| {
            let limit = system.about.max_entrants;
            limit.map_or_else(|| "any".to_owned(), |max| max.to_string())
        })
        .left("dnf", |system| system.about.unfinished.as_str().to_owned());
    for promise in Promise::ALL {
        table = table.left(promise.as_str(), move |s| mark(s.about.promises(promise)));
    }
    table.print()
}

fn print_system(system: &System, description: &SystemDescription) -> std::io::Result<()> {
    let about = system.about;
    let supports = join_words_or(about.supports.iter().map(|f| f.as_str()), "none");
    let promises = join_words_or(about.promises.iter().map(|p| p.as_str()), "none");
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
    print_line("")?;
    TextTable::new(&Vec::from_iter(&description.parameters))
        .left("parameter", |(name, _)| (*name).clone())
        .left("value", |(_, value)| value.to_string())
        .print()
}
