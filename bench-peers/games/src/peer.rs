//! The settings in the crate skillratings.

use anyhow::{Result, bail};
use skillratings::Outcomes;
use skillratings::elo::{EloConfig, EloRating, elo, elo_rating_period};
use skillratings::glicko::{GlickoConfig, GlickoRating, glicko, glicko_rating_period};
use skillratings::glicko2::{Glicko2Config, Glicko2Rating, glicko2, glicko2_rating_period};
use skillratings::trueskill::{TrueSkillConfig, TrueSkillRating, trueskill};
use skillratings::weng_lin::{WengLinConfig, WengLinRating, weng_lin};

use crate::history::{Game, History, Score};
use crate::setting::{self, Setting};
use crate::{Replay, timed};

/// Use of the crate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Variant {
    /// By its documentation, with its defaults for the convergence.
    Plain,
    /// Glicko: the deviations of all players grow before the games are rated.
    Grown,
    /// Glicko-2: the volatility is found to 1e-12 instead of 1e-6.
    Exact,
}

pub(crate) fn replay(history: &History, setting: Setting, variant: Variant) -> Result<Replay> {
    let fits = match variant {
        Variant::Plain => true,
        Variant::Grown => matches!(setting, Setting::GlickoGrowth | Setting::GlickoDays),
        Variant::Exact => matches!(setting, Setting::Glicko2 | Setting::Glicko2Days),
    };
    if !fits {
        bail!("skillratings has no variant {variant:?} of {setting:?}");
    }
    Ok(match setting {
        Setting::Elo | Setting::EloDays => {
            let newcomer = EloRating {
                rating: setting::INITIAL_RATING,
            };
            let config = EloConfig { k: setting::K };
            let rating = |player: &EloRating| player.rating;
            if setting == Setting::Elo {
                let rate = |a, b, outcome| elo(&a, &b, &outcome, &config);
                by_game(history, newcomer, rate, rating)
            } else {
                let rate = |player: &EloRating, results: &[(EloRating, Outcomes)]| {
                    elo_rating_period(player, results, &config)
                };
                by_day(history, newcomer, |player| player, rate, rating)
            }
        }
        Setting::Glicko => glicko_by_game(history, 0.0, false),
        Setting::GlickoGrowth => glicko_by_game(history, setting::C, variant == Variant::Grown),
        Setting::GlickoDays => glicko_by_day(history, variant == Variant::Grown),
        Setting::Glicko2 | Setting::Glicko2Days => {
            let newcomer = Glicko2Rating {
                rating: setting::INITIAL_RATING,
                deviation: setting::INITIAL_DEVIATION,
                volatility: setting::INITIAL_VOLATILITY,
            };
            let mut config = Glicko2Config {
                tau: setting::GLICKO2_TAU,
                ..Glicko2Config::new()
            };
            if variant == Variant::Exact {
                config.convergence_tolerance = 1e-12;
            }
            let rating = |player: &Glicko2Rating| player.rating;
            if setting == Setting::Glicko2 {
                let rate = |a, b, outcome| glicko2(&a, &b, &outcome, &config);
                by_game(history, newcomer, rate, rating)
            } else {
                let rate = |player: &Glicko2Rating, results: &[(Glicko2Rating, Outcomes)]| {
                    glicko2_rating_period(player, results, &config)
                };
                by_day(history, newcomer, |player| player, rate, rating)
            }
        }
        Setting::Trueskill => trueskill_by_game(history, setting::TRUESKILL_TAU),
        Setting::TrueskillStatic => trueskill_by_game(history, 0.0),
        Setting::WengLin => {
            let newcomer = WengLinRating {
                rating: setting::MU,
                uncertainty: setting::SIGMA,
            };
            let config = WengLinConfig {
                beta: setting::BETA,
                ..WengLinConfig::new()
            };
            by_game(
                history,
                newcomer,
                |a, b, outcome| weng_lin(&a, &b, &outcome, &config),
                |player| player.rating,
            )
        }
    })
}

const GLICKO_NEWCOMER: GlickoRating = GlickoRating {
    rating: setting::INITIAL_RATING,
    deviation: setting::INITIAL_DEVIATION,
};

fn glicko_by_game(history: &History, c: f64, grown: bool) -> Replay {
    let config = GlickoConfig { c };
    let without = GlickoConfig { c: 0.0 };
    let rating = |player: &GlickoRating| player.rating;
    if grown {
        let grow = |player| skillratings::glicko::decay_deviation(&player, &config);
        let rate = |a, b, outcome| glicko(&grow(a), &grow(b), &outcome, &without);
        by_game(history, GLICKO_NEWCOMER, rate, rating)
    } else {
        let rate = |a, b, outcome| glicko(&a, &b, &outcome, &config);
        by_game(history, GLICKO_NEWCOMER, rate, rating)
    }
}

fn glicko_by_day(history: &History, grown: bool) -> Replay {
    let config = GlickoConfig { c: setting::C };
    let without = GlickoConfig { c: 0.0 };
    let grow = |player: GlickoRating| {
        if grown {
            skillratings::glicko::decay_deviation(&player, &config)
        } else {
            player
        }
    };
    let rate = |player: &GlickoRating, results: &[(GlickoRating, Outcomes)]| {
        glicko_rating_period(player, results, if grown { &without } else { &config })
    };
    by_day(history, GLICKO_NEWCOMER, grow, rate, |player| player.rating)
}

fn trueskill_by_game(history: &History, tau: f64) -> Replay {
    let newcomer = TrueSkillRating {
        rating: setting::MU,
        uncertainty: setting::SIGMA,
    };
    let config = TrueSkillConfig {
        draw_probability: setting::DRAW_PROBABILITY,
        beta: setting::BETA,
        dynamics_factor: tau,
    };
    by_game(
        history,
        newcomer,
        |a, b, outcome| trueskill(&a, &b, &outcome, &config),
        |player| player.rating,
    )
}

/// The outcome for White.
fn outcome(game: &Game) -> Outcomes {
    match game.score {
        Score::Win => Outcomes::WIN,
        Score::Draw => Outcomes::DRAW,
        Score::Loss => Outcomes::LOSS,
    }
}

/// Rates one game after the other.
fn by_game<P: Copy>(
    history: &History,
    newcomer: P,
    rate: impl Fn(P, P, Outcomes) -> (P, P),
    rating: impl Fn(&P) -> f64,
) -> Replay {
    let mut players = vec![newcomer; history.players as usize];
    let seconds = timed(|| {
        for game in &history.games {
            let (white, black) = (game.white as usize, game.black as usize);
            (players[white], players[black]) = rate(players[white], players[black], outcome(game));
        }
    });
    Replay {
        seconds,
        ratings: players.iter().map(rating).collect(),
    }
}

/// Rates all games of a day against the ratings from before it, and players without games from
/// their first day on.
fn by_day<P: Copy>(
    history: &History,
    newcomer: P,
    grow: impl Fn(P) -> P,
    rate: impl Fn(&P, &[(P, Outcomes)]) -> P,
    rating: impl Fn(&P) -> f64,
) -> Replay {
    let mut players = vec![newcomer; history.players as usize];
    let mut played = vec![false; players.len()];
    let mut results: Vec<Vec<(P, Outcomes)>> = vec![Vec::new(); players.len()];
    let seconds = timed(|| {
        for games in history.days() {
            for game in games {
                played[game.white as usize] = true;
                played[game.black as usize] = true;
            }
            for (player, _) in players.iter_mut().zip(&played).filter(|of| *of.1) {
                *player = grow(*player);
            }
            for game in games {
                let (white, black) = (game.white as usize, game.black as usize);
                let of_white = outcome(game);
                let of_black = match of_white {
                    Outcomes::WIN => Outcomes::LOSS,
                    Outcomes::LOSS => Outcomes::WIN,
                    Outcomes::DRAW => Outcomes::DRAW,
                };
                results[white].push((players[black], of_white));
                results[black].push((players[white], of_black));
            }
            let rated = players.iter_mut().zip(&mut results).zip(&played);
            for ((player, results), _) in rated.filter(|of| *of.1) {
                *player = rate(player, results);
                results.clear();
            }
        }
    });
    Replay {
        seconds,
        ratings: players.iter().map(rating).collect(),
    }
}
