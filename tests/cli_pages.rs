//! The pages in docs/cli against `--help`: each command, option and argument is in both.

use std::collections::{BTreeMap, BTreeSet};

use crate::support::{Scratch, fixtures};

const INDEX: &str = "README";
const PAGES: [&str; 7] = [
    "collect", "rate", "evaluate", "view", "serve", "publish", "maintain",
];

fn read_page(name: &str) -> String {
    let folder = fixtures().join("../docs/cli");
    std::fs::read_to_string(folder.join(format!("{name}.md"))).unwrap()
}

/// Returns the words in the option tables before the first command of the page with this command.
fn read_shared_options(command: &str) -> Vec<String> {
    let heading = format!("\n## {command}\n");
    let page = PAGES.map(read_page).into_iter().find(|page| page.contains(&heading));
    parse_option_tables(page.unwrap().split("\n## ").next().unwrap())
}

/// Returns the text below each `## command`, by command.
fn read_sections() -> BTreeMap<String, String> {
    let mut sections = BTreeMap::new();
    for page in PAGES {
        for section in read_page(page).split("\n## ").skip(1) {
            let (command, text) = section.split_once('\n').unwrap();
            let former = sections.insert(command.to_owned(), text.to_owned());
            assert!(former.is_none(), "{command} has two sections");
        }
    }
    sections
}

/// Returns the commands that a help text lists, in groups or not.
fn parse_commands(help: &str) -> Vec<String> {
    let is_command = |word: &&str| {
        word.starts_with(|c: char| c.is_ascii_lowercase())
            && word.chars().all(|c| c.is_ascii_lowercase() || c == '-')
    };
    let listed = help.lines().filter_map(|line| line.strip_prefix("  "));
    let columns = listed.filter_map(|line| line.split_once("  "));
    let words = columns.map(|(word, _)| word).filter(is_command);
    words.filter(|word| *word != "help").map(str::to_owned).collect()
}

/// Returns the long option at the beginning of a text, without its value.
fn parse_long_option(text: &str) -> Option<String> {
    let name = text.strip_prefix("--")?;
    let end = name.find(|c: char| !c.is_ascii_lowercase() && c != '-');
    let name = &name[..end.unwrap_or(name.len())];
    (!name.is_empty()).then(|| format!("--{name}"))
}

/// Returns the long options that a help text explains.
fn parse_options(help: &str) -> BTreeSet<String> {
    let lines = help.lines().map(str::trim_start);
    let options = lines.filter(|line| line.starts_with('-')).map(|line| {
        // A short option is two characters: `-v, --verbose...`.
        line.get(2..).and_then(|rest| rest.strip_prefix(", ")).unwrap_or(line)
    });
    options.filter_map(parse_long_option).collect()
}

/// Returns the positional arguments that a help text explains: `<PATH>...`, `[NAME]`.
fn parse_arguments(help: &str) -> BTreeSet<String> {
    let lines = help.lines().map(str::trim_start);
    let values = lines.filter_map(|line| line.strip_prefix(['<', '[']));
    let names = values.filter_map(|line| line.split(['>', ']']).next());
    let is_value_name = |name: &&str| {
        !name.is_empty() && name.chars().all(|c| c.is_ascii_uppercase() || "-_".contains(c))
    };
    names.filter(is_value_name).map(str::to_owned).collect()
}

/// Returns the words in backticks in the first column of the option tables.
fn parse_option_tables(section: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut in_table = false;
    for line in section.lines() {
        in_table = line.starts_with("| option |") || (in_table && line.starts_with('|'));
        let Some(row) = line.strip_prefix('|').filter(|_| in_table) else {
            continue;
        };
        let cell = row.split(" | ").next().unwrap();
        words.extend(cell.split('`').skip(1).step_by(2).map(str::to_owned));
    }
    words
}

/// Returns the help of a command, followed by that of its subcommands.
fn help_of(scratch: &Scratch, command: &str) -> String {
    let mut help = scratch.ok(&[command, "--help"]).out;
    if help.contains("\nCommands:\n") {
        for subcommand in parse_commands(&help) {
            help.push('\n');
            help.push_str(&scratch.ok(&[command, &subcommand, "--help"]).out);
        }
    }
    help
}

#[test]
fn every_command_has_one_section_and_one_row_in_the_index() {
    let commands: BTreeSet<String> =
        parse_commands(&Scratch::new().ok(&["--help"]).out).into_iter().collect();
    assert!(commands.len() > 20, "{commands:?}");
    let sections: BTreeSet<String> = read_sections().into_keys().collect();
    assert_eq!(sections, commands);
    let index = read_page(INDEX);
    for command in &commands {
        let row = format!("\n| [`{command}`](");
        assert_eq!(index.matches(&row).count(), 1, "{command} in the index");
    }
}

#[test]
fn every_option_of_the_help_is_in_its_section() {
    let scratch = Scratch::new();
    let common = parse_options(&scratch.ok(&["--help"]).out);
    assert!(common.contains("--db"), "{common:?}");
    let index: Vec<String> = parse_option_tables(&read_page(INDEX));
    let documented: BTreeSet<String> = index.iter().filter_map(|w| parse_long_option(w)).collect();
    assert_eq!(documented, common, "common options");
    let mut missing = Vec::new();
    for (command, section) in read_sections() {
        let mut words = parse_option_tables(&section);
        words.extend(read_shared_options(&command));
        let help = help_of(&scratch, &command);
        for option in parse_options(&help).difference(&common) {
            if !words.iter().any(|word| parse_long_option(word).as_ref() == Some(option)) {
                missing.push(format!("{option} of {command}"));
            }
        }
        for argument in parse_arguments(&help) {
            if !words.iter().any(|word| word.trim_end_matches('…') == argument) {
                missing.push(format!("{argument} of {command}"));
            }
        }
    }
    assert!(missing.is_empty(), "docs/cli does not have {missing:#?}");
}

#[test]
fn every_option_of_the_pages_is_in_the_help() {
    let scratch = Scratch::new();
    let mut unknown = Vec::new();
    // Each command has some of the shared options of its page.
    let mut shared = BTreeSet::new();
    let mut known = BTreeSet::new();
    for (command, section) in read_sections() {
        let options = parse_options(&help_of(&scratch, &command));
        let words = read_shared_options(&command);
        shared.extend(words.iter().filter_map(|word| parse_long_option(word)));
        known.extend(options.iter().cloned());
        let words = parse_option_tables(&section);
        for option in words.iter().filter_map(|word| parse_long_option(word)) {
            if !options.contains(&option) {
                unknown.push(format!("{option} of {command}"));
            }
        }
    }
    unknown.extend(shared.difference(&known).cloned());
    assert!(unknown.is_empty(), "no help has {unknown:#?}");
}
