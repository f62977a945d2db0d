//! The settings: a system, its constants and the rating periods.

use clap::ValueEnum;

/// A system with its constants, for all programs alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Setting {
    /// Elo, K 32, from 1500
    Elo,
    /// Elo, K 32, from 1500, rating periods of a day
    EloDays,
    /// Glicko, c 0
    Glicko,
    /// Glicko, c 63.2 before every game
    GlickoGrowth,
    /// Glicko, c 63.2 a day, rating periods of a day
    GlickoDays,
    /// Glicko-2, τ 0.5, every game is a rating period
    Glicko2,
    /// Glicko-2, τ 0.5, rating periods of a day
    Glicko2Days,
    /// TrueSkill in the units of the Python package, τ 25/300
    Trueskill,
    /// TrueSkill in the units of the Python package, τ 0
    TrueskillStatic,
    /// Weng-Lin in the units of openskill, τ 0
    WengLin,
}

/// Elo: K.
pub(crate) const K: f64 = 32.0;
/// Elo, Glicko and Glicko-2: the rating of a newcomer.
pub(crate) const INITIAL_RATING: f64 = 1500.0;
/// Glicko and Glicko-2: the deviation of a newcomer.
pub(crate) const INITIAL_DEVIATION: f64 = 350.0;
/// Glicko: c, with growth.
pub(crate) const C: f64 = 63.2;
/// Glicko-2: the volatility of a newcomer.
pub(crate) const INITIAL_VOLATILITY: f64 = 0.06;
/// Glicko-2: τ.
pub(crate) const GLICKO2_TAU: f64 = 0.5;
/// TrueSkill and Weng-Lin: the rating of a newcomer.
pub(crate) const MU: f64 = 25.0;
/// TrueSkill and Weng-Lin: its uncertainty.
pub(crate) const SIGMA: f64 = 25.0 / 3.0;
/// TrueSkill and Weng-Lin: β.
pub(crate) const BETA: f64 = 25.0 / 6.0;
/// TrueSkill: τ, if not 0.
pub(crate) const TRUESKILL_TAU: f64 = 25.0 / 300.0;
/// TrueSkill: the probability of a draw.
pub(crate) const DRAW_PROBABILITY: f64 = 0.1;
