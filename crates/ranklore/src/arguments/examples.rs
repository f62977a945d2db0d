//! The examples at the end of every help text.

use clap::Command;

/// The examples, as they are printed, below the command in brackets.
const EXAMPLES: &str = include_str!("examples.txt");

/// Adds its examples to the help of every subcommand.
pub(crate) fn with_examples(command: Command) -> Command {
    add_below(command, "")
}

/// Adds the examples of all commands below the command at `path`.
fn add_below(command: Command, path: &str) -> Command {
    command.mut_subcommands(|sub| {
        let path = format!("{path} {}", sub.get_name());
        let sub = add_below(sub, &path);
        let heading = *sub.get_styles().get_header();
        match sections().find(|(name, _)| *name == path.trim_start()) {
            Some((_, text)) => {
                sub.after_long_help(format!("{heading}Examples:{heading:#}\n{text}"))
            }
            None => sub,
        }
    })
}

/// Returns each command with its examples.
fn sections() -> impl Iterator<Item = (&'static str, &'static str)> {
    EXAMPLES
        .split('[')
        .filter_map(|section| section.split_once("]\n"))
        .filter(|(name, _)| cfg!(feature = "web") || !["serve", "site"].contains(name))
        .map(|(name, text)| (name, text.trim_end()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arguments::command;

    /// Returns the names of all commands below one, each behind those above it.
    fn names(command: &Command, above: &str) -> Vec<String> {
        let subcommands = command.get_subcommands().flat_map(|sub| {
            let name = format!("{above}{}", sub.get_name());
            let below = names(sub, &format!("{name} "));
            std::iter::once(name).chain(below)
        });
        subcommands.collect()
    }

    #[test]
    fn every_command_has_two_examples_that_parse() {
        let with_examples: Vec<&str> = sections().map(|(name, _)| name).collect();
        assert_eq!(with_examples, names(&command(), ""));
        for (name, text) in sections() {
            let lines: Vec<&str> = text.lines().filter(|line| !line.contains('#')).collect();
            let lines = lines.iter().map(|line| line.trim()).filter(|line| !line.is_empty());
            assert_eq!(lines.clone().count(), 2, "{name}");
            for line in lines {
                assert!(line.starts_with(&format!("ranklore {name}")), "{line}");
                let words = line.split(" > ").next().unwrap().split(' ');
                let parsed = command().try_get_matches_from(words);
                assert!(parsed.is_ok(), "{line}: {parsed:?}");
            }
        }
    }
}
