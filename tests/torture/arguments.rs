//! The command line.

use std::ops::Range;

const USAGE: &str = "torture [CLASS…] [--seed N] [--rounds N | --round N]";

/// The classes and rounds to run.
pub(crate) struct Arguments {
    pub(crate) seed: u64,
    classes: Vec<String>,
    rounds: Option<u64>,
    /// The only round to run.
    round: Option<u64>,
}

impl Arguments {
    /// Parses the arguments; an error is a message to print.
    pub(crate) fn parse(
        mut arguments: impl Iterator<Item = String>,
        names: &[&str],
    ) -> Result<Self, String> {
        let mut parsed = Self {
            seed: 1,
            classes: Vec::new(),
            rounds: None,
            round: None,
        };
        while let Some(argument) = arguments.next() {
            let mut number = || {
                let value = arguments.next().and_then(|value| value.parse().ok());
                value.ok_or_else(|| format!("{argument} needs a number\n{USAGE}"))
            };
            match &*argument {
                "--seed" => parsed.seed = number()?,
                "--rounds" => parsed.rounds = Some(number()?),
                "--round" => parsed.round = Some(number()?),
                name if names.contains(&name) => parsed.classes.push(argument),
                _ => {
                    let names = names.join(", ");
                    return Err(format!(
                        "unknown argument {argument:?}\n{USAGE}\nclasses: {names}"
                    ));
                }
            }
        }
        Ok(parsed)
    }

    /// True if the class is to be run.
    pub(crate) fn selects(&self, class: &str) -> bool {
        self.classes.is_empty() || self.classes.iter().any(|name| name == class)
    }

    /// Returns the rounds to run of a class whose short form has this many.
    pub(crate) fn rounds(&self, short: u64) -> Range<u64> {
        match self.round {
            Some(round) => round..round.saturating_add(1),
            None => 0..self.rounds.unwrap_or(short),
        }
    }
}
