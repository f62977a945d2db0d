//! Reads documents of every format through the public interface.
#![expect(
    clippy::unwrap_used,
    clippy::format_push_string,
    reason = "clippy does not treat test helpers as tests"
)]

mod alliances;
mod arbitrary_bytes;
mod bouts;
mod classes;
mod competitor_ids;
mod conditions;
mod contest_parts;
mod contest_rows;
mod crews;
mod date_columns;
mod date_orders;
mod dates;
mod discards;
mod doubtful_readings;
mod doubts;
mod encodings;
mod equivalence;
mod evidence;
mod extra_time;
mod false_proposals;
mod feed;
mod field_places;
mod fixtures;
mod football_text;
mod forget;
mod game_evidence;
mod game_kinds;
mod game_logs;
mod game_outcomes;
mod game_sides;
mod game_views;
mod games;
mod genders;
mod headings;
mod html;
mod hytek;
mod hytek_refusals;
mod icpc;
mod iof_xml;
mod json;
mod json_joins;
mod json_round_trip;
mod json_rows;
mod json_tables;
mod keyed_scores;
mod languages;
mod layout;
mod league_tables;
mod lenex;
mod listed_players;
mod long;
mod markdown;
mod member_columns;
mod members;
mod month_headings;
mod namesakes;
mod nations;
mod numbered_contests;
mod openfootball;
mod opengotha;
mod orienteering;
mod overall_places;
mod packed_contests;
mod parquet;
mod person_columns;
mod pgn;
mod pgn_round_trip;
mod place_headings;
mod plausible;
mod proposals;
mod published_ratings;
mod ragged;
mod ranges;
mod repeated_rows;
mod restarts;
mod rival_names;
mod rival_sides;
mod rival_times;
mod row_order;
mod same_people;
mod scores_to_par;
mod seasons;
mod sections;
mod separation;
mod separators;
mod set_scores;
mod side_results;
mod status_flags;
mod statuses;
mod surplus_columns;
mod tournaments;
mod unknown_names;
mod unknown_sides;
mod unnamed_games;
mod unread_dates;
mod weights;
mod wide;
mod wins;
mod workbooks;
mod yaml;
mod yearless_headings;
mod zero_scores;

use ranklore_contest::{Contest, ContestTime};
use ranklore_formats::{DateOrder, FileFormat, FileReading, ReadOptions, StatedCells, read};

/// Reads a table with these options; the file is called `Club night.csv`.
fn table_with(text: &str, options: &ReadOptions) -> Result<FileReading, String> {
    read(FileFormat::Table, text.as_bytes(), "in/Club night.csv", options)
        .map_err(|e| e.to_string())
}

/// Returns the options that a refusal of a whole table names.
fn proposals(text: &str, options: &ReadOptions) -> Vec<String> {
    let error = read(FileFormat::Table, text.as_bytes(), "club.csv", options).unwrap_err();
    error.options.iter().map(ToString::to_string).collect()
}

/// Returns the places and competitors of each contest.
fn standings(reading: &FileReading) -> Vec<String> {
    let contests = reading.contests.iter().map(|contest| {
        let entrants = contest.entrants.iter().map(|entrant| {
            let place = entrant.outcome.place().map_or("-".to_owned(), |p| p.get().to_string());
            format!("{place} {}", entrant.competitor)
        });
        entrants.collect::<Vec<_>>().join(", ")
    });
    contests.collect()
}

fn table(text: &str) -> Result<FileReading, String> {
    table_with(text, &ReadOptions::default())
}

/// Options of a wide table in which the highest numbers are the best.
fn scores(options: ReadOptions) -> ReadOptions {
    ReadOptions {
        cells: Some(StatedCells::Scores),
        ..options
    }
}

/// Reads a wide table in which the highest numbers are the best.
fn scored_table(text: &str) -> Result<FileReading, String> {
    table_with(text, &scores(ReadOptions::default()))
}

/// Formats a contest as a line: `name date: place competitor (score), …`.
fn contest_line(contest: &Contest) -> String {
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
    format!("{} {}: {}", contest.name, contest.ends_at, entrants.join(", "))
}

/// Returns the contests of a reading, one line each.
fn contest_lines(reading: &FileReading) -> Vec<String> {
    reading.contests.iter().map(|contest| contest_line(&contest)).collect()
}

/// Returns the refused entries, one line each.
fn refused(reading: &FileReading) -> Vec<String> {
    reading.refused.iter().map(ToString::to_string).collect()
}

fn notes(reading: &FileReading) -> String {
    reading.layout.as_ref().unwrap().notes.join("; ")
}

fn from_2024(every_days: u32) -> ReadOptions {
    ReadOptions {
        start: ContestTime::new(1_704_067_200),
        every_days: Some(every_days),
        ..ReadOptions::default()
    }
}

fn dates(order: DateOrder) -> ReadOptions {
    ReadOptions {
        dates: Some(order),
        ..ReadOptions::default()
    }
}

fn lower_is_better() -> ReadOptions {
    ReadOptions {
        lower_is_better: true,
        ..ReadOptions::default()
    }
}
