//! The end-to-end tests: each module runs the program and reads its output, its files or its pages.
#![expect(
    clippy::unwrap_used,
    reason = "clippy takes the helpers of tests for no tests"
)]

mod architecture;
#[cfg(feature = "web")]
mod browser;
mod cli_pages;
mod competitor_ids;
mod containers;
mod contest;
mod contest_times;
mod datasets;
mod decisions;
mod demo;
mod evaluate;
mod everyday;
mod faults;
mod forget;
mod forget_spellings;
mod formats;
mod games;
mod help;
mod hostile;
mod import;
mod import_dates;
mod incomplete;
mod interrupted;
mod json;
mod leaderboard;
mod lists;
mod logs;
mod messages;
mod mine;
mod mine_atcoder;
mod mine_ctftime;
mod mine_o2cm;
mod mine_racetime;
mod mine_reddit;
mod mine_reddit_dump;
mod mine_topcoder;
mod movers;
mod new_source;
mod omitted_arguments;
mod output;
mod pgn;
mod player;
mod published_ratings;
mod rate;
mod readme;
mod recipes;
mod refusals;
mod reproduce;
mod runs;
#[cfg(feature = "web")]
mod serve;
mod sigma_growth;
#[cfg(feature = "web")]
mod site;
mod special_files;
mod support;
mod survive;
mod synth;
mod tables;
mod tune;
mod undo;
mod upgrade;
mod upkeep;
mod versus;
mod weekly;
