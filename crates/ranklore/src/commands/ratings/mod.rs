//! Commands that rate, evaluate and show ratings. Uses the output.

pub(crate) mod charts;
pub(crate) mod comparison;
pub(crate) mod contest;
pub(crate) mod evaluate;
pub(crate) mod experiment;
pub(crate) mod games;
pub(crate) mod leaderboard;
pub(crate) mod player;
pub(crate) mod predict;
pub(crate) mod rate;
pub(crate) mod systems;
pub(crate) mod tune;
pub(crate) mod versus;
