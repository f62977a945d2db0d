//! Reads documents of every format through the public interface.
#![expect(
    clippy::unwrap_used,
    clippy::format_push_string,
    reason = "clippy does not treat test helpers as tests"
)]

mod any_bytes;
mod feed;
mod fixtures;
mod forget;
mod json;
mod json_written;
mod long;
mod same;
mod wide;

use ranklore_contest::{Contest, DateOrder, Format, ReadOptions, Reading, UnixSeconds, read};

/// Reads a table with these options; the file is called `Club night.csv`.
fn table_with(text: &str, options: &ReadOptions) -> Result<Reading, String> {
    read(Format::Table, text.as_bytes(), "in/Club night.csv", options).map_err(|e| e.to_string())
}

fn table(text: &str) -> Result<Reading, String> {
    table_with(text, &ReadOptions::default())
}

/// Formats a contest as a line: `name date: place competitor (score), …`.
fn line(contest: &Contest) -> String {
    let entrants: Vec<String> = contest
        .entrants
        .iter()
        .map(|entrant| {
            let place = entrant.outcome.place().map(|place| place.get().to_string());
            let place = place.unwrap_or_else(|| entrant.outcome.status().unwrap().to_owned());
            let score = entrant.score.map(|score| format!(" ({score})"));
            let members = match &entrant.members[..] {
                [] => String::new(),
                members => format!(" [{}]", members.join(" ")),
            };
            let score = score.unwrap_or_default();
            format!("{place} {}{members}{score}", entrant.competitor)
        })
        .collect();
    format!(
        "{} {}: {}",
        contest.name,
        contest.ends_at,
        entrants.join(", ")
    )
}

/// Returns the contests of a reading, one line each.
fn lines(reading: &Reading) -> Vec<String> {
    reading.contests.iter().map(line).collect()
}

/// Returns the refused entries, one line each.
fn refused(reading: &Reading) -> Vec<String> {
    reading.refused.iter().map(ToString::to_string).collect()
}

fn notes(reading: &Reading) -> String {
    reading.layout.as_ref().unwrap().notes.join("; ")
}

fn from_2024(every_days: u32) -> ReadOptions {
    ReadOptions {
        start: UnixSeconds::new(1_704_067_200),
        every_days,
        ..ReadOptions::default()
    }
}

fn dates(order: DateOrder) -> ReadOptions {
    ReadOptions {
        dates: Some(order),
        ..ReadOptions::default()
    }
}

fn lower() -> ReadOptions {
    ReadOptions {
        lower_is_better: true,
        ..ReadOptions::default()
    }
}
