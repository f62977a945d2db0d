//! The help of every command.

use crate::support::{CommandOutput, Scratch};
use ranklore_ingest::SITES;

/// Returns the commands that `ranklore --help` lists.
fn commands(scratch: &Scratch) -> Vec<String> {
    let help = scratch.ok(&["--help"]).out;
    let groups = help.split("Options:\n").next().unwrap();
    let commands = groups.lines().filter_map(|line| line.strip_prefix("  "));
    let commands = commands.filter_map(|line| line.split_whitespace().next());
    commands.map(str::to_owned).collect()
}

/// Returns the long options that a help text explains.
fn options(help: &str) -> Vec<String> {
    let begins = |line: &&str| line.trim_start().starts_with('-');
    let mut options: Vec<String> = help
        .lines()
        .filter(begins)
        .filter_map(|line| line.split_whitespace().find(|word| word.starts_with("--")))
        .map(|word| word.trim_end_matches([',', '.']).to_owned())
        .collect();
    options.retain(|option| option != "--help" && option != "--version");
    options
}

#[test]
fn every_command_documents_all_its_options() {
    let scratch = Scratch::new();
    let commands = commands(&scratch);
    for command in ["demo", "import", "rate", "evaluate", "leaderboard"] {
        assert!(commands.iter().any(|c| c == command), "{command} in {commands:?}");
    }
    for command in &commands {
        let help = scratch.ok(&[command, "--help"]);
        assert_eq!(help.err, "");
        assert!(help.out.contains("\nExamples:\n"), "{}", help.out);
        assert!(options(&help.out).len() >= 2, "--db and --json at least:\n{}", help.out);
        let lines: Vec<&str> = help.out.lines().collect();
        for (index, line) in lines.iter().enumerate() {
            let ends = line.trim_start().starts_with("--") && !line.trim().contains("  ");
            let next = lines.get(index + 1).map_or("", |next| next.trim());
            assert!(!ends || !next.is_empty(), "{command}: {line:?} is not explained");
        }
    }
    assert_eq!(scratch.list("."), [""; 0], "help makes no files");
}

#[test]
fn mine_help_lists_sites_and_their_options() {
    let help = Scratch::new().ok(&["mine", "--help"]).out;
    // Long lines are wrapped.
    let help = help.split_whitespace().collect::<Vec<_>>().join(" ");
    let sites: Vec<&str> = SITES.iter().map(|site| site.profile.name).collect();
    let mut lines = vec![format!("Site: {}", sites.join(", "))];
    for option in SITES.iter().flat_map(|site| site.profile.options) {
        // An option of several sites is explained once.
        let sites = SITES.iter().map(|site| site.profile);
        let sites =
            sites.filter(|profile| profile.options.iter().any(|other| other.name == option.name));
        let names: Vec<&str> = sites.map(|profile| profile.name).collect();
        let names = names.join(", ");
        lines.push(if option.flag {
            format!("{} ({names})", option.help)
        } else {
            format!("{} ({names}): {}", option.name, option.help)
        });
    }
    assert!(lines.len() > 1, "{lines:?}");
    for line in lines.iter().map(String::as_str).chain([
        "Read files saved from the site and send no requests (topcoder)",
        "and send no requests (reddit)",
    ]) {
        assert!(help.contains(line), "{line} in {help}");
    }
}

#[test]
fn overview_fits_a_narrow_terminal() {
    let scratch = Scratch::new();
    let mut command = scratch.command(&["--help"]);
    command.env("COLUMNS", "40");
    let out = CommandOutput::run(command).exits(0).out;
    let (lists, usage) = out.rsplit_once("\n\n").unwrap();
    assert!(usage.starts_with("ranklore help COMMAND"), "{usage}");
    let widest = lists.lines().map(|line| line.chars().count()).max();
    assert_eq!(widest, Some(40), "{lists}");
    // Unbroken, it names the same commands and terms.
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let help = scratch.ok(&["--help"]).out;
    let (commands, _) = lists.split_once("Options:").unwrap();
    assert!(words(&help).starts_with(&words(commands)), "{lists}");
}

#[test]
fn no_arguments_prints_usage() {
    let scratch = Scratch::new();
    let done = scratch.run(&[]).exits(2).says("Usage: ranklore").says("leaderboard");
    assert_eq!(done.out, "");
    let version = scratch.ok(&["--version"]).out;
    // A checkout adds its commit.
    let expected = format!("ranklore {}", env!("CARGO_PKG_VERSION"));
    assert!(version.starts_with(&expected), "{version}");
    assert_eq!(version.lines().count(), 1);
}

#[test]
fn completion_scripts_name_every_command() {
    let scratch = Scratch::new();
    let commands = commands(&scratch);
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = scratch.ok(&["completions", shell]).out;
        for command in &commands {
            assert!(script.contains(command), "{shell}: {command}");
        }
        assert!(script.contains("decisions"), "{shell}");
    }
    scratch.run(&["completions", "tcsh"]).exits(2).says("bash");
}

#[test]
fn man_pages_are_made_of_all_commands() {
    let scratch = Scratch::new();
    let main = scratch.ok(&["man"]).out;
    assert!(main.starts_with(".ie"), "{main}");
    let done = scratch.ok(&["man", "--to", "share/man1"]);
    let pages = scratch.list("share/man1");
    assert_eq!(done.out, format!("share/man1: {} man pages\n", pages.len()));
    for command in commands(&scratch) {
        assert!(main.contains(&command.replace('-', "\\-")), "{command}");
        let page = format!("ranklore-{command}.1");
        assert!(pages.contains(&page), "{page}");
        let text = std::fs::read_to_string(scratch.path("share/man1").join(page)).unwrap();
        assert!(text.contains("Examples:"), "{text}");
    }
    assert!(pages.contains(&"ranklore-competitor-merge.1".to_owned()));
    assert!(pages.contains(&"ranklore.1".to_owned()));
}
