//! README.md, the recipes of docs/import.md and the pages of docs/cli: their commands run as pasted
//! and print the output shown, and so does the picture of a terminal.
#![expect(
    clippy::unwrap_used,
    reason = "clippy takes the helpers of tests for no tests"
)]

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use tempfile::TempDir;

/// A command of a page and the lines below it.
struct Example {
    command: String,
    output: Vec<String>,
}

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn read(path: &str) -> String {
    std::fs::read_to_string(repository().join(path)).unwrap()
}

/// Returns a scratch folder with the table that the README imports.
fn checkout() -> TempDir {
    const TABLE: &str = "fixtures/demo/lantern-league.csv";
    let folder = tempfile::tempdir().unwrap();
    let copy = folder.path().join(TABLE);
    std::fs::create_dir_all(copy.parent().unwrap()).unwrap();
    std::fs::copy(repository().join(TABLE), copy).unwrap();
    folder
}

/// Splits lines into examples: a command begins with `$ `.
fn parse_examples<'a>(lines: impl Iterator<Item = &'a str>) -> Vec<Example> {
    let mut examples: Vec<Example> = Vec::new();
    for line in lines {
        if let Some(command) = line.strip_prefix("$ ") {
            examples.push(Example {
                command: command.to_owned(),
                output: Vec::new(),
            });
        } else if let Some(example) = examples.last_mut() {
            example.output.push(line.to_owned());
        }
    }
    examples
}

/// Returns the examples of each `console` block of a Markdown text.
fn parse_blocks(text: &str) -> Vec<Vec<Example>> {
    let blocks = text.split("```console\n").skip(1);
    blocks
        .map(|rest| parse_examples(rest.split("```").next().unwrap().lines()))
        .collect()
}

/// Returns the text elements of the SVG.
fn parse_terminal(svg: &str) -> Vec<String> {
    let elements = svg.lines().filter(|line| line.contains("<text"));
    let texts = elements.map(|line| {
        let (text, _) = line.split_once("</text>").unwrap();
        let (_, text) = text.split_once('>').unwrap();
        text.replace("&lt;", "<")
            .replace("&gt;", ">")
            .replace("&amp;", "&")
    });
    texts.collect()
}

/// Runs a line in a shell, which must succeed, and returns standard output and error as a
/// terminal shows them.
fn run(line: &str, folder: &Path) -> String {
    let program = Path::new(env!("CARGO_BIN_EXE_ranklore"));
    let mut path = vec![program.parent().unwrap().to_owned()];
    path.extend(std::env::split_paths(
        &std::env::var_os("PATH").unwrap_or_default(),
    ));
    let output = Command::new("sh")
        .args(["-c", &format!("exec 2>&1\n{line}")])
        .current_dir(folder)
        .env("PATH", std::env::join_paths(path).unwrap())
        .env_remove("RANKLORE_DB")
        .env_remove("RUST_LOG")
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{line}:\n{text}");
    text
}

/// True if the lines agree without the spaces around them. A line `…` stands for any lines, and a
/// `…` at the end of a line for the rest of it.
fn is_shown(shown: &[String], printed: &[&str]) -> bool {
    let Some((first, rest)) = shown.split_first() else {
        return printed.is_empty();
    };
    if first.trim() == "…" {
        return (0..=printed.len()).any(|skipped| is_shown(rest, &printed[skipped..]));
    }
    let Some((line, others)) = printed.split_first() else {
        return false;
    };
    let agree = match first.trim().strip_suffix('…') {
        Some(start) => line.trim().starts_with(start.trim_end()),
        None => mask_moments(line.trim()) == mask_moments(first.trim()),
    };
    agree && is_shown(rest, others)
}

fn check_output(example: &Example, folder: &Path) {
    let output = run(&example.command, folder);
    let printed: Vec<&str> = output.lines().filter(|line| !line.is_empty()).collect();
    assert!(
        is_shown(&example.output, &printed),
        "{} prints\n{output}\ninstead of\n{}",
        example.command,
        example.output.join("\n")
    );
}

#[test]
fn readme_commands_print_output_shown() {
    let folder = checkout();
    let blocks = parse_blocks(&read("README.md"));
    assert_eq!(blocks.len(), 3, "a site, a spreadsheet, a dataset");
    for block in blocks {
        // Commands that need a site show no output; their options are checked.
        let needs_site = block.iter().all(|example| example.output.is_empty());
        for example in block {
            if needs_site {
                let command = example.command.split('#').next().unwrap();
                run(&format!("{command} --help"), folder.path());
            } else {
                check_output(&example, folder.path());
            }
        }
    }
}

#[test]
fn import_recipes_print_output_shown() {
    const TABLES: &str = "fixtures/tables";
    let folder = checkout();
    std::fs::create_dir_all(folder.path().join(TABLES)).unwrap();
    for table in std::fs::read_dir(repository().join(TABLES)).unwrap() {
        let table = table.unwrap();
        let copy = folder.path().join(TABLES).join(table.file_name());
        std::fs::copy(table.path(), copy).unwrap();
    }
    let page = read("docs/import.md");
    let (_, recipes) = page.split_once("\n## Recipes\n").unwrap();
    let (recipes, _) = recipes.split_once("\n## ").unwrap();
    let blocks = parse_blocks(recipes);
    assert_eq!(blocks.len(), recipes.matches("\n### ").count());
    for example in blocks.iter().flatten() {
        check_output(example, folder.path());
    }
}

#[test]
fn pages_of_the_command_line_print_output_shown() {
    // Their output has sizes, paths or times, or they write files elsewhere.
    const NOT_RUN: [&str; 6] = [
        "status",
        "check --hash",
        "new-source",
        "completions",
        "man",
        "rate club -v",
    ];
    let folder = checkout();
    let club = folder.path().join("fixtures/club");
    std::fs::create_dir_all(&club).unwrap();
    for contest in std::fs::read_dir(repository().join("fixtures/club")).unwrap() {
        let contest = contest.unwrap();
        std::fs::copy(contest.path(), club.join(contest.file_name())).unwrap();
    }
    let mut index = parse_blocks(&read("docs/cli/README.md"));
    // The index imports the files; the pages follow.
    let later = index.split_off(1);
    let pages = ["rate-and-view", "publish", "maintain"];
    let pages = pages.map(|page| parse_blocks(&read(&format!("docs/cli/{page}.md"))));
    let blocks = index.into_iter().chain(pages.into_iter().flatten());
    let mut run = 0;
    for mut example in blocks.chain(later).flatten() {
        let arguments = example.command.strip_prefix("ranklore ").unwrap();
        if NOT_RUN.iter().any(|command| arguments.starts_with(command)) {
            continue;
        }
        example.output.retain(|line| !line.is_empty());
        check_output(&example, folder.path());
        run += 1;
    }
    assert!(run > 30, "{run}");
}

/// Masks what differs between two runs: today's date, the time of day and fractions of a second.
fn mask_moments(line: &str) -> String {
    let is_time = |word: &str| {
        word.len() == 5 && word.as_bytes()[2] == b':' && !word.contains(char::is_alphabetic)
    };
    let words = line.split(' ').map(|word| {
        let bare = word.trim_end_matches(',');
        match bare.len() {
            // The results of the fixtures are older.
            10 if bare.starts_with("202") && bare > "2026" => "today",
            4 if bare.starts_with("0.") => "time",
            _ if is_time(bare) => "time",
            _ => word,
        }
    });
    words.collect::<Vec<_>>().join(" ")
}

#[test]
fn terminal_picture_shows_real_output() {
    let folder = checkout();
    run("ranklore demo", folder.path());
    let lines = parse_terminal(&read("docs/terminal.svg"));
    let examples = parse_examples(lines.iter().map(String::as_str));
    assert_eq!(examples.len(), 2, "leaderboard and player");
    for example in &examples {
        check_output(example, &folder.path().join("ranklore-demo"));
    }
}

#[test]
fn readme_stories_have_at_most_ten_lines() {
    for block in parse_blocks(&read("README.md")) {
        let lines: usize = block.iter().map(|example| 1 + example.output.len()).sum();
        assert!(lines <= 10, "{}: {lines} lines", block[0].command);
    }
}
