//! Tries the options that the refusals of an import name, and prints the commands that read the
//! files.

use std::collections::{HashSet, VecDeque};
use std::time::{Duration, Instant};

use ranklore_contest::quote_for_shell;
use ranklore_formats::CommandOptions;
use ranklore_ingest::{AssumedStart, Preview};

use crate::output::{escape_line, format_plural, print_note};
use crate::values::contests_with_results;

/// The most commands that are printed.
const MAX_COMMANDS: usize = 4;

/// The most doubts that one command settles.
const MAX_DOUBTS: usize = 5;

/// The most attempts of one search.
const MAX_ATTEMPTS: usize = 40;

/// The time after which no further attempt is made.
const MAX_SEARCH: Duration = Duration::from_secs(5);

/// The most bytes that the attempts of one search read.
const MAX_BYTES: u64 = 64 << 20;

/// The effect of an import with some options.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Attempt {
    contests: u64,
    results: u64,
    refused: u64,
    /// The options that the refusals name.
    open: Vec<CommandOptions>,
}

impl From<Preview> for Attempt {
    fn from(preview: Preview) -> Self {
        Self {
            contests: preview.contests.len() as u64,
            results: preview.results,
            refused: preview.total_refused,
            open: preview.options,
        }
    }
}

/// Options that leave nothing open, and what an import with them would do.
type Settlement = (Vec<CommandOptions>, Attempt);

/// Prints the commands that read files of this size, of which something was refused. `attempt` reads
/// them with more options; `None` if these do not go together.
pub(super) fn print_commands(
    bytes: u64,
    attempt: impl FnMut(&[CommandOptions]) -> Option<Attempt>,
) {
    let attempts = MAX_BYTES / bytes.max(1);
    let mut settlements = find_settlements(MAX_ATTEMPTS.min(attempts as usize), attempt);
    let is_whole = |(_, attempt): &Settlement| attempt.refused == 0;
    let has_whole = settlements.iter().any(is_whole);
    // Of a table that is mostly refused, what is left has hardly the meaning of its columns.
    settlements.retain(|settlement| {
        is_whole(settlement) || (!has_whole && settlement.1.refused < settlement.1.contests)
    });
    let Some(command) = quote_command().filter(|_| !settlements.is_empty()) else {
        return;
    };
    print_note(match settlements.len() {
        _ if !has_whole => "no option settles all; these read what is left:",
        1 => "this command settles it, if it says what is meant:",
        _ => "each of these commands settles it; take one that says what is meant:",
    });
    let mut example_date = None;
    let row_paths = settlements.iter().filter_map(|(options, _)| {
        let words = options.iter().flat_map(CommandOptions::words);
        words.skip_while(|word| *word != "--rows").nth(1).cloned()
    });
    let row_paths: HashSet<String> = row_paths.collect();
    // The rows of the whole document include the others.
    let has_parts = row_paths.len() > 1 && !row_paths.contains(".");
    for (options, attempt) in settlements {
        let words: Vec<String> = options.iter().map(ToString::to_string).collect();
        let contests = contests_with_results(attempt.contests, attempt.results);
        let refused = match attempt.refused {
            0 => String::new(),
            count => format!(", {} refused", format_plural(count, "item")),
        };
        print_note(&escape_line(&format!("  {command} {}", words.join(" "))));
        print_note(&format!("    {contests}{refused}"));
        let mut words =
            options.iter().flat_map(CommandOptions::words).skip_while(|w| *w != "--start");
        example_date = words.nth(1).cloned().or(example_date);
    }
    if has_parts {
        print_note(
            "to keep what several of them read, give each its own --source: with the same one, the last replaces the others",
        );
    }
    // The other dates stand in the file.
    if let Some(date) = example_date.filter(|date| date.ends_with("-01-31")) {
        print_note(&format!("write the date of the first contest in place of {date}"));
    }
}

/// Returns the command line of this process; `None` if it is not a text.
fn quote_command() -> Option<String> {
    let mut command = "ranklore".to_owned();
    for word in std::env::args_os().skip(1) {
        command.push(' ');
        command.push_str(&quote_for_shell(word.to_str()?));
    }
    Some(command)
}

/// Prints the date that a contest without one got, and the command that corrects it.
pub(super) fn print_assumed_start(assumed: Option<&AssumedStart>) {
    let Some(assumed) = assumed else {
        return;
    };
    let AssumedStart {
        start,
        end,
        contests,
        reason,
    } = assumed;
    let first = if start == end {
        String::new()
    } else {
        format!("from {start} to ")
    };
    print_note(&if *contests == 1 {
        format!(
            "the table has no date: its contest is dated {first}{end}, {reason}; while it is the only one \
             of its source, each day gives the same ratings"
        )
    } else {
        format!(
            "the table has no dates: its {contests} contests are dated {first}{end}, {reason}, in their \
             order; while they are the only ones of their source, each start gives the same ratings"
        )
    });
    if let Some(command) = quote_command() {
        let words: Vec<_> = std::env::args_os().collect();
        let replace =
            ["--replace", "--dry-run"].iter().all(|option| !words.contains(&option.into()));
        let replace = if replace { " --replace" } else { "" };
        print_note("if it was another day, pass that in place of this one:");
        print_note(&escape_line(&format!("  {command}{replace} --start {start}")));
    }
}

/// Returns the shortest combinations of options with which nothing is left to settle.
fn find_settlements(
    max_attempts: usize,
    mut attempt: impl FnMut(&[CommandOptions]) -> Option<Attempt>,
) -> Vec<Settlement> {
    let mut untried = VecDeque::from([Vec::<CommandOptions>::new()]);
    let mut known: HashSet<Vec<String>> = HashSet::new();
    let mut settlements = Vec::new();
    let start = Instant::now();
    for _ in 0..max_attempts {
        let next = untried.pop_front().filter(|_| start.elapsed() < MAX_SEARCH);
        let Some(options) = next else {
            break;
        };
        let Some(attempt) = attempt(&options) else {
            continue;
        };
        if attempt.open.is_empty() {
            if !options.is_empty() && is_plausible(&options, &attempt) {
                settlements.push((options, attempt));
            }
            if settlements.len() == MAX_COMMANDS {
                break;
            }
        } else if options.len() < MAX_DOUBTS {
            for option in attempt.open {
                if !fits(&options, &option) {
                    continue;
                }
                let more = [&options[..], &[option]].concat();
                let mut key: Vec<String> = more.iter().map(ToString::to_string).collect();
                key.sort_unstable();
                if known.insert(key) {
                    untried.push_back(more);
                }
            }
        }
    }
    settlements
}

/// True if an option does not give a column another meaning than these do.
fn fits(options: &[CommandOptions], option: &CommandOptions) -> bool {
    let columns = |options: &CommandOptions| -> Vec<String> {
        let pairs = options.words().windows(2).filter(|pair| pair[0] == "--column");
        let headings = pairs.filter_map(|pair| pair[1].rsplit_once('='));
        headings.map(|(heading, _)| heading.to_owned()).collect()
    };
    let known_columns: Vec<String> = options.iter().flat_map(columns).collect();
    !columns(option).iter().any(|heading| known_columns.contains(heading))
}

/// True if contests have two results or more on average, and no date is thrown away for another.
/// Divisions can have one competitor each, but not all of them.
fn is_plausible(options: &[CommandOptions], attempt: &Attempt) -> bool {
    let words = || options.iter().flat_map(CommandOptions::words);
    let ignores_date = words().any(|word| {
        word.strip_suffix("=ignore")
            .is_some_and(|heading| heading.to_lowercase().contains("date"))
    });
    let states_division = words().any(|word| word.ends_with("=division"));
    let has_opponents = attempt.results >= 2 * attempt.contests
        || (states_division && attempt.results > attempt.contests);
    attempt.contests > 0 && has_opponents && !ignores_date
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options(words: &str) -> Vec<CommandOptions> {
        words.split_whitespace().map(CommandOptions::flag).collect()
    }

    fn open(words: &str) -> Attempt {
        Attempt {
            contests: 1,
            results: 2,
            refused: 0,
            open: options(words),
        }
    }

    #[test]
    fn options_are_added_until_nothing_is_open() {
        let settlements = find_settlements(MAX_ATTEMPTS, |tried| {
            let has = |word: &str| tried.contains(&CommandOptions::flag(word));
            match (has("--a") || has("--b"), has("--c"), has("--d")) {
                // These do not go together with anything.
                (_, _, true) => None,
                (false, false, _) => Some(open("--a --b")),
                (true, false, _) => Some(open("--c --d")),
                (_, true, _) => Some(open("")),
            }
        });
        let words: Vec<_> = settlements.into_iter().map(|(options, _)| options).collect();
        assert_eq!(words, [options("--a --c"), options("--b --c")]);
    }

    #[test]
    fn senseless_readings_are_not_proposed() {
        let column = |text: &str| CommandOptions::new("--column", text);
        let read = |option: CommandOptions, contests, results| {
            find_settlements(MAX_ATTEMPTS, move |tried| {
                let open = if tried.is_empty() {
                    vec![option.clone()]
                } else {
                    Vec::new()
                };
                Some(Attempt {
                    contests,
                    results,
                    refused: 0,
                    open,
                })
            })
        };
        assert_eq!(read(column("Rider=competitor"), 3, 6).len(), 1);
        assert_eq!(read(column("Rider=competitor"), 3, 5), []);
        assert_eq!(read(column("game_date=ignore"), 3, 6), []);
        // A class can have one competitor.
        assert_eq!(read(column("Class=division"), 3, 5).len(), 1);
        assert_eq!(read(column("Class=division"), 3, 3), []);
        // One column has one meaning.
        let settlements = find_settlements(MAX_ATTEMPTS, |tried| {
            let open = match tried.len() {
                0 => vec![column("Medal=place")],
                1 => vec![column("Medal=ignore"), column("Sex=ignore")],
                _ => Vec::new(),
            };
            Some(Attempt {
                contests: 1,
                results: 2,
                refused: 0,
                open,
            })
        });
        let options: Vec<_> = settlements.into_iter().map(|(options, _)| options).collect();
        assert_eq!(options, [[column("Medal=place"), column("Sex=ignore")]]);
    }

    #[test]
    fn search_is_bounded_and_forgets_the_order() {
        let mut count = 0;
        let settlements = find_settlements(9, |tried| {
            count += 1;
            // Each option leads to the next doubt.
            Some(open(if tried.len() < 9 { "--a --b --c" } else { "" }))
        });
        assert_eq!((settlements.len(), count), (0, 9));
        let mut tried = Vec::new();
        find_settlements(MAX_ATTEMPTS, |options| {
            tried.push(options.len());
            let open_words = ["--a", "--b"].into_iter();
            let missing = open_words.filter(|w| !options.contains(&CommandOptions::flag(w)));
            Some(open(&missing.collect::<Vec<_>>().join(" ")))
        });
        // Nothing, a, b, and both once.
        assert_eq!(tried, [0, 1, 1, 2]);
    }
}
