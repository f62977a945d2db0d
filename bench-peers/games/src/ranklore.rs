//! The settings in Ranklore.

use anyhow::{Result, bail};
use ranklore_rating::{
    DrawMargin, Elo, EloParameters, Glicko, Glicko2, Glicko2Parameters, GlickoInformation,
    GlickoParameters, LearningRate, RatedEntrant, RatingRound, RatingSystem, TrueSkill,
    TrueSkillParameters,
};

use crate::history::{History, Score};
use crate::setting::{self, Setting};
use crate::{Replay, timed};

/// A game as a contest: the winner first.
struct Contest {
    ends_at: i64,
    period: Option<i64>,
    entrants: [u32; 2],
    /// Ends of the groups of tied entrants.
    groups: &'static [u32],
}

pub(crate) fn replay(history: &History, setting: Setting) -> Result<Replay> {
    let mut system = build(setting)?;
    let in_days = matches!(setting, Setting::EloDays | Setting::GlickoDays | Setting::Glicko2Days);
    let contests: Vec<Contest> = history
        .games
        .iter()
        .map(|game| Contest {
            ends_at: 86_400 * i64::from(game.day),
            period: in_days.then_some(i64::from(game.day)),
            entrants: match game.score {
                Score::Win | Score::Draw => [game.white, game.black],
                Score::Loss => [game.black, game.white],
            },
            groups: match game.score {
                Score::Win | Score::Loss => &[1, 2],
                Score::Draw => &[2],
            },
        })
        .collect();
    let mut rated: Vec<RatedEntrant> = Vec::new();
    let seconds = timed(|| {
        for contest in &contests {
            let round = RatingRound {
                ends_at: contest.ends_at,
                period: contest.period,
                ..RatingRound::new(&contest.entrants, contest.groups)
            };
            system.rate(&round, &mut rated);
        }
    });
    Ok(Replay {
        seconds,
        ratings: (0..history.players).map(|player| system.mu(player)).collect(),
    })
}

fn build(setting: Setting) -> Result<Box<dyn RatingSystem>> {
    Ok(match setting {
        Setting::Elo | Setting::EloDays => Box::new(Elo::new(EloParameters {
            learning_rate: LearningRate::Fixed(setting::K),
            initial_mu: setting::INITIAL_RATING,
            ..EloParameters::default()
        })?),
        Setting::Glicko => Box::new(Glicko::new(glicko(0.0))?),
        Setting::GlickoGrowth | Setting::GlickoDays => Box::new(Glicko::new(glicko(setting::C))?),
        Setting::Glicko2 | Setting::Glicko2Days => Box::new(Glicko2::new(Glicko2Parameters {
            tau: setting::GLICKO2_TAU,
            initial_volatility: setting::INITIAL_VOLATILITY,
            information: GlickoInformation::EveryPair,
            initial_mu: setting::INITIAL_RATING,
            initial_sigma: setting::INITIAL_DEVIATION,
            ..Glicko2Parameters::default()
        })?),
        Setting::Trueskill => Box::new(TrueSkill::new(trueskill(setting::TRUESKILL_TAU))?),
        Setting::TrueskillStatic => Box::new(TrueSkill::new(trueskill(0.0))?),
        Setting::WengLin => bail!("Ranklore has no Weng-Lin; its plackett-luce has no uncertainty"),
    })
}

/// Glickman's deviation before the t-th period since the last is √(min(RD² + c²·t, 350²)). Ranklore's
/// is √(min(RD² + c²·(t − 1), max(RD², `initial_sigma`²)) + c²). With this `initial_sigma` they
/// differ only if RD exceeds it.
fn glicko(c: f64) -> GlickoParameters {
    GlickoParameters {
        sigma_drift: c,
        information: GlickoInformation::EveryPair,
        initial_mu: setting::INITIAL_RATING,
        initial_sigma: (setting::INITIAL_DEVIATION * setting::INITIAL_DEVIATION - c * c).sqrt(),
        ..GlickoParameters::default()
    }
}

fn trueskill(tau: f64) -> TrueSkillParameters {
    TrueSkillParameters {
        mu: setting::MU,
        sigma: setting::SIGMA,
        beta: setting::BETA,
        tau,
        draw_probability: setting::DRAW_PROBABILITY,
        margin: DrawMargin::Fixed,
        ..TrueSkillParameters::default()
    }
}
