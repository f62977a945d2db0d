//! Commands in pages of the documentation: runs them as pasted and compares what they print.
#![allow(
    dead_code,
    unreachable_pub,
    reason = "compiled into every test file, each of which needs some of it"
)]

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A command of a page and the lines below it.
pub struct Example {
    pub command: String,
    pub output: Vec<String>,
}

pub fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

pub fn read(path: &str) -> String {
    std::fs::read_to_string(repository().join(path)).unwrap()
}

/// Splits lines into examples: a command begins with `$ ` and continues on lines with `> `.
pub fn parse_examples<'a>(lines: impl Iterator<Item = &'a str>) -> Vec<Example> {
    let mut examples: Vec<Example> = Vec::new();
    for line in lines {
        if let Some(command) = line.strip_prefix("$ ") {
            examples.push(Example {
                command: command.to_owned(),
                output: Vec::new(),
            });
        } else if let Some(example) = examples.last_mut() {
            match line.strip_prefix("> ") {
                Some(rest) => example.command.extend(["\n", rest]),
                None => example.output.push(line.to_owned()),
            }
        }
    }
    examples
}

/// Returns the examples of each `console` block of a Markdown text.
pub fn parse_blocks(text: &str) -> Vec<Vec<Example>> {
    let blocks = text.split("```console\n").skip(1);
    blocks
        .map(|rest| parse_examples(rest.split("```").next().unwrap().lines()))
        .collect()
}

/// Runs a line in a shell, which must succeed, and returns standard output and error as a
/// terminal shows them.
pub fn run(line: &str, folder: &Path) -> String {
    let program = Path::new(env!("CARGO_BIN_EXE_ranklore"));
    let mut path = vec![program.parent().unwrap().to_owned()];
    path.extend(std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default()));
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
fn is_shown(expected: &[String], printed: &[&str]) -> bool {
    let Some((first, rest)) = expected.split_first() else {
        return printed.is_empty();
    };
    if first.trim() == "…" {
        return (0..=printed.len()).any(|skipped| is_shown(rest, &printed[skipped..]));
    }
    let Some((line, next_lines)) = printed.split_first() else {
        return false;
    };
    let agree = match first.trim().strip_suffix('…') {
        Some(start) => line.trim().starts_with(start.trim_end()),
        None => mask_moments(line.trim()) == mask_moments(first.trim()),
    };
    agree && is_shown(rest, next_lines)
}

pub fn check_output(example: &Example, folder: &Path) {
    let output = run(&example.command, folder);
    let printed: Vec<&str> = output.lines().filter(|line| !line.is_empty()).collect();
    assert!(
        is_shown(&example.output, &printed),
        "{} prints\n{output}\ninstead of\n{}",
        example.command,
        example.output.join("\n")
    );
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
