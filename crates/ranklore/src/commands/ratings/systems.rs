//! `ranklore systems`

use clap::Args;
use ranklore_replay::{Promise, SYSTEMS, Support, SystemDescription, SystemName, describe_system};
use serde::Serialize;
use serde_json::Value;

use crate::GlobalArgs;
use crate::exit::Exit;
use crate::output::{TextTable, join_words, print_line};

/// List the rating systems: features, guarantees, parameters
///
/// With a NAME, prints the paper or program that the system follows, and each parameter with its
/// default.
#[derive(Debug, Args)]
pub(crate) struct SystemsArgs {
    /// Show only this system, with its parameters
    #[arg(value_name = "NAME")]
    name: Option<String>,
}

impl SystemsArgs {
    pub(crate) fn run(self, global: &GlobalArgs) -> anyhow::Result<Exit> {
        let systems = match &self.name {
            Some(name) => vec![SystemName::find(name)?],
            None => SYSTEMS.to_vec(),
        };
        let described: Result<Vec<_>, _> = systems.iter().copied().map(describe_system).collect();
        let described = described?;
        match &*described {
            [only] if self.name.is_some() => {
                let text = || print_system(systems[0], only);
                global.print_rows(&described, &parameter_rows(only), &PARAMETER_COLUMNS, text)?;
            }
            _ => global.print_list(&described, &COLUMNS, || print_systems(&systems))?,
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
const PARAMETER_COLUMNS: [&str; 3] = ["system", "parameter", "default"];

/// A parameter of a system, in the formats of rows.
#[derive(Serialize)]
struct ParameterRow<'a> {
    system: &'static str,
    parameter: &'a str,
    default: &'a Value,
}

fn parameter_rows(described: &SystemDescription) -> Vec<ParameterRow<'_>> {
    let rows = described.parameters.iter();
    rows.map(|(parameter, default)| ParameterRow {
        system: described.system,
        parameter,
        default,
    })
    .collect()
}

fn print_systems(systems: &[SystemName]) -> std::io::Result<()> {
    let yes = |holds: bool| if holds { "yes" } else { "–" }.to_owned();
    let mut table = TextTable::new(systems)
        .left("system", |of| of.as_str().to_owned())
        .left("summary", |of| of.about().summary.to_owned());
    for what in Support::ALL {
        table = table.left(what.as_str(), move |of| yes(of.about().supports(what)));
    }
    table = table.right("entrants", |of| {
        (of.about().max_entrants).map_or_else(|| "any".to_owned(), |max| max.to_string())
    });
    table = table.left("dnf", |of| of.about().unfinished.as_str().to_owned());
    for what in Promise::ALL {
        table = table.left(what.as_str(), move |of| yes(of.about().promises(what)));
    }
    table.print()
}

fn print_system(system: SystemName, described: &SystemDescription) -> std::io::Result<()> {
    let about = system.about();
    let or_nothing = |words: String| {
        if words.is_empty() {
            "none".to_owned()
        } else {
            words
        }
    };
    let supports = or_nothing(join_words(about.supports.iter().map(|of| of.as_str())));
    let promises = or_nothing(join_words(about.promises.iter().map(|of| of.as_str())));
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
    print_line("")?;
    TextTable::new(&Vec::from_iter(&described.parameters))
        .left("parameter", |(name, _)| (*name).clone())
        .left("default", |(_, value)| value.to_string())
        .print()
}
