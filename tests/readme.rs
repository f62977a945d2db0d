//! README.md and the pages of docs/cli: their commands run as pasted and print the output shown, and
//! so does the picture of a terminal.

use crate::support::pages;
use pages::{check_output, parse_blocks, parse_examples, read, repository, run};
use tempfile::TempDir;

/// Returns a scratch folder with the tables that the pages import.
fn checkout() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for table in [
        "fixtures/demo/lantern-league.csv",
        "fixtures/games/chess.csv",
    ] {
        let copy = folder.path().join(table);
        std::fs::create_dir_all(copy.parent().unwrap()).unwrap();
        std::fs::copy(repository().join(table), copy).unwrap();
    }
    folder
}

/// Returns the text elements of the SVG.
fn parse_terminal(svg: &str) -> Vec<String> {
    let elements = svg.lines().filter(|line| line.contains("<text"));
    let texts = elements.map(|line| {
        let (text, _) = line.split_once("</text>").unwrap();
        let (_, text) = text.split_once('>').unwrap();
        text.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")
    });
    texts.collect()
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
fn pages_of_the_command_line_print_output_shown() {
    // Their output has sizes, paths or times, or they write files elsewhere.
    const NOT_RUN: [&str; 7] = [
        "status",
        "check --hash",
        "new-source",
        "completions",
        "man",
        // Runs until Ctrl-C.
        "serve",
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
    let pages = ["rate", "evaluate", "view", "publish", "maintain"];
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
