//! Reads tables of games: one row per game of two, with a column for each competitor.
//!
//! Each row becomes a contest by itself, so nothing is grouped or ranked.
//!
//! Imports within this folder: `read` uses all others, `schedule` uses `repeats` and `rounds`,
//! `repeats` uses `verdicts`,
//! `verdicts` uses `outcomes`, `outcome_column`, `statuses`,
//! `extra_time`, `zero_scores` and `refusals`.

mod competitors;
mod extra_time;
mod outcome_column;
mod outcomes;
mod read;
mod refusals;
mod repeated_matches;
mod repeats;
mod rounds;
mod schedule;
mod skipped_rows;
mod statuses;
mod verdicts;
mod zero_scores;

pub(crate) use read::read;
