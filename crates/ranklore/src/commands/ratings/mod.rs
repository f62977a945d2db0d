//! Commands that rate, evaluate and show.
//! Imports the output of the program, and no other folder of commands.

pub(crate) mod contest;
pub(crate) mod evaluate;
pub(crate) mod leaderboard;
pub(crate) mod player;
pub(crate) mod rate;
pub(crate) mod systems;
