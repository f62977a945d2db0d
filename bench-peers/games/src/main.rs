//! Replays a history of games through Ranklore or the crate skillratings, and reports the time and
//! the final ratings. Also generates the history.
//!
//! The file is read before the clock starts. The time is the processor time of the replay alone.

mod history;
mod peer;
mod ranklore;
mod setting;

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::{Parser, Subcommand, ValueEnum};
use cpu_time::ProcessTime;
use serde_json::json;

use crate::history::History;
use crate::peer::Variant;
use crate::setting::Setting;

/// Time Ranklore and the crate skillratings on games of two.
#[derive(Parser)]
#[command(name = "games", version)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Write a synthetic history: day, white, black, score
    Generate {
        /// File to write
        file: PathBuf,

        /// Number of games
        #[arg(long, default_value_t = 200_000)]
        games: u32,

        /// Number of players, at least 2
        #[arg(long, default_value_t = 7_676, value_parser = clap::value_parser!(u32).range(2..))]
        players: u32,

        /// Number of days over which the games are spread
        #[arg(long, default_value_t = 730)]
        days: u32,

        /// Seed of the generator
        #[arg(long, default_value_t = 1)]
        seed: u64,
    },
    /// Replay a history and print a line of JSON with the time and the final ratings
    Replay {
        /// File of the history
        file: PathBuf,

        /// System and constants
        setting: Setting,

        /// Program that rates
        program: Program,
    },
}

#[derive(Clone, Copy, ValueEnum)]
enum Program {
    Ranklore,
    Skillratings,
    /// Glicko: the deviations of all players grow first
    SkillratingsGrown,
    /// Glicko-2: with a tolerance of 1e-12
    SkillratingsExact,
}

/// A replay that ended.
struct Replay {
    seconds: f64,
    /// Ratings by player.
    ratings: Vec<f64>,
}

/// Runs the work and returns its processor time in seconds.
fn timed(work: impl FnOnce()) -> f64 {
    let begin = ProcessTime::now();
    work();
    begin.elapsed().as_secs_f64()
}

fn main() -> Result<()> {
    match Arguments::parse().command {
        Command::Generate {
            file,
            games,
            players,
            days,
            seed,
        } => {
            let history = History::generate(games, players, days, seed);
            fs::write(&file, history.to_csv())
                .with_context(|| format!("cannot write {}", file.display()))
        }
        Command::Replay {
            file,
            setting,
            program,
        } => {
            let history = History::read(&file)?;
            let replay = match program {
                Program::Ranklore => ranklore::replay(&history, setting),
                Program::Skillratings => peer::replay(&history, setting, Variant::Plain),
                Program::SkillratingsGrown => peer::replay(&history, setting, Variant::Grown),
                Program::SkillratingsExact => peer::replay(&history, setting, Variant::Exact),
            }?;
            let line = json!({
                "games": history.games.len(),
                "seconds": replay.seconds,
                "ratings": replay.ratings,
            });
            println!("{line}");
            Ok(())
        }
    }
}
