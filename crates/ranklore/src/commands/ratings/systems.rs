//! `ranklore systems`

use clap::Args;
use ranklore_replay::{Promise, SYSTEMS, Support, SystemName, describe_system};

use crate::Global;
use crate::exit::Exit;
use crate::output::{Table, list, say, say_json};

/// List the rating systems: features, guarantees, parameters
///
/// With a NAME, prints the paper or program that the system follows, and each parameter with its
/// default.
#[derive(Debug, Args)]
pub(crate) struct Systems {
    /// Show only this system, with its parameters
    #[arg(value_name = "NAME")]
    name: Option<String>,
}

impl Systems {
    pub(crate) fn run(self, global: &Global) -> anyhow::Result<Exit> {
        let systems = match &self.name {
            Some(name) => vec![SystemName::find(name)?],
            None => SYSTEMS.to_vec(),
        };
        if global.json {
            let systems: Result<Vec<_>, _> = systems.into_iter().map(describe_system).collect();
            say_json(&systems?)?;
        } else if self.name.is_some() {
            systems.into_iter().try_for_each(say_system)?;
        } else {
            say_systems(&systems)?;
        }
        Ok(Exit::Done)
    }
}

fn say_systems(systems: &[SystemName]) -> std::io::Result<()> {
    let yes = |holds: bool| if holds { "yes" } else { "–" }.to_owned();
    let mut table = Table::new(systems).left("system", |of| of.as_str().to_owned());
    for what in Support::ALL {
        table = table.left(what.as_str(), move |of| yes(of.about().supports(what)));
    }
    table = table.left("dnf", |of| of.about().unfinished.as_str().to_owned());
    for what in Promise::ALL {
        table = table.left(what.as_str(), move |of| yes(of.about().promises(what)));
    }
    table.left("", |of| of.about().summary.to_owned()).say()
}

fn say_system(system: SystemName) -> anyhow::Result<()> {
    let about = system.about();
    let or_nothing = |words: String| {
        if words.is_empty() {
            "none".to_owned()
        } else {
            words
        }
    };
    let supports = or_nothing(list(about.supports.iter().map(|of| of.as_str())));
    let promises = or_nothing(list(about.promises.iter().map(|of| of.as_str())));
    say(&format!("{}: {}", about.name, about.summary))?;
    say(&format!("reference: {}", about.source))?;
    say(&format!("features: {supports}"))?;
    say(&format!("guarantees: {promises}"))?;
    let dnf = about.unfinished.as_str();
    say(&format!("entrants who did not finish: {dnf} (--dnf)"))?;
    if about.supports(Support::Teams) {
        say("team contests: --teams members rates each person")?;
    }
    say("")?;
    Table::new(&Vec::from_iter(describe_system(system)?.parameters))
        .left("parameter", |(name, _)| name.clone())
        .left("default", |(_, value)| value.to_string())
        .say()?;
    Ok(())
}
