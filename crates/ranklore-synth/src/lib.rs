#![doc = include_str!("../README.md")]

mod league;
mod random;
mod rounds;
mod table;

pub use league::{League, LeagueError, LeagueOptions, PerformanceModel};
pub use rounds::{LeagueEntrant, LeagueRound, LeagueRounds};
