//! Drawn games in log loss, Brier score and calibration: a league with Davidson's model of draws
//! (On extending the Bradley-Terry model to accommodate ties, 1970).

use ranklore_rating::metrics::{
    Accuracy, EvaluationOptions, Evaluator, Metric, Prediction, Slice, predict_pairs,
};
use ranklore_rating::{
    Elo, EloParameters, InitialRating, LearningRate, RatedEntrant, RatingRound, RatingSystem,
};

use crate::random::Random;

const TEAMS: usize = 40;

/// The games of the league. The best scale is 225; that of this many games differs from it by a
/// standard error of 1.5, of 6,000 games by 6, so that a step of 20 is too fine for it.
const GAMES: usize = 40_000;

/// Davidson's ν, with which equals draw two games in seven.
const DRAWS: f64 = 0.8;

/// Rating points of one unit of the logarithm of the odds between a win and a loss.
const POINTS: f64 = 157.0;

/// A game of two: the teams by result, and the true expected score of the first.
struct Game {
    teams: [u32; 2],
    is_drawn: bool,
    expected: f64,
}

/// Returns the strengths of the teams and the games between them.
fn play_league() -> (Vec<f64>, Vec<Game>) {
    let mut random = Random::new(45);
    let strengths: Vec<f64> = (0..TEAMS).map(|_| random.between(1_200.0, 1_800.0)).collect();
    let mut play = |_| {
        let first = random.below(TEAMS);
        let second = (first + 1 + random.below(TEAMS - 1)) % TEAMS;
        let root_odds = ((strengths[first] - strengths[second]) / (2.0 * POINTS)).exp();
        let weights = [root_odds * root_odds, DRAWS * root_odds, 1.0];
        let total: f64 = weights.iter().sum();
        let drawn = random.between(0.0, total);
        let expected = (weights[0] + 0.5 * weights[1]) / total;
        let is_lost = drawn >= weights[0] + weights[1];
        let teams = [first as u32, second as u32];
        Game {
            teams: if is_lost { [teams[1], teams[0]] } else { teams },
            is_drawn: !is_lost && drawn >= weights[0],
            expected: if is_lost { 1.0 - expected } else { expected },
        }
    };
    let games = (0..GAMES).map(&mut play).collect();
    (strengths, games)
}

/// Mean losses by the definition: of all games, of decided ones, and against true expected scores.
#[derive(Default)]
struct Losses {
    log_loss: f64,
    brier: f64,
    log_loss_of_decided: f64,
    true_loss: f64,
}

/// Rates the games by `elo` from the true strengths, and evaluates its predictions.
fn evaluate_scale(scale: f64, strengths: &[f64], games: &[Game]) -> (Accuracy, Losses) {
    let mut system = Elo::new(EloParameters {
        scale,
        // So slow that the strengths do not adapt to the scale.
        learning_rate: LearningRate::Fixed(0.01),
        ..EloParameters::default()
    })
    .unwrap_or_else(|invalid| panic!("{invalid}"));
    for (team, &mu) in (0..).zip(strengths) {
        system.set_initial_rating(team, InitialRating { mu, sigma: None });
    }
    let model = system.win_model();
    let mut evaluator = Evaluator::new(EvaluationOptions {
        slices: vec![Slice::everybody()],
        win_model: Some(model),
        ..EvaluationOptions::default()
    });
    let mut losses = Losses::default();
    let decided = games.iter().filter(|game| !game.is_drawn).count() as f64;
    let mut rated: Vec<RatedEntrant> = Vec::new();
    for game in games {
        let groups: &[u32] = if game.is_drawn { &[2] } else { &[1, 2] };
        let prediction = Prediction {
            beliefs: game.teams.map(|team| system.belief(team)).to_vec(),
            earlier: vec![1; 2],
            groups: groups.to_vec(),
            finishers: 2,
            ..Prediction::default()
        };
        let q = 1.0 / (1.0 + ((prediction.beliefs[1].mu - prediction.beliefs[0].mu) / scale).exp());
        let y = if game.is_drawn { 0.5 } else { 1.0 };
        let loss = |y: f64| -y * q.ln() - (1.0 - y) * (1.0 - q).ln();
        losses.log_loss += loss(y) / games.len() as f64;
        losses.brier += (y - q).powi(2) / games.len() as f64;
        losses.true_loss += loss(game.expected) / games.len() as f64;
        if !game.is_drawn {
            losses.log_loss_of_decided += loss(y) / decided;
        }
        assert_eq!(predict_pairs(&prediction, &Slice::everybody(), &model, 0).len(), 1);
        evaluator.add(prediction);
        system.rate(&RatingRound::new(&game.teams, groups), &mut rated);
    }
    let (accuracies, _) = evaluator.finish();
    (accuracies[0], losses)
}

#[test]
fn least_log_loss_finds_true_scale_of_league_with_draws() {
    let (strengths, games) = play_league();
    let drawn = games.iter().filter(|game| game.is_drawn).count();
    assert!((0.23..0.27).contains(&(drawn as f64 / games.len() as f64)), "{drawn} drawn");
    // The scale with the least value by the evaluation, by the true expected scores, and by decided
    // games alone.
    let mut least = [(f64::INFINITY, 0.0); 3];
    for scale in (100..=300).step_by(20).map(f64::from) {
        let (accuracy, losses) = evaluate_scale(scale, &strengths, &games);
        assert_eq!((accuracy.contests, accuracy.results), (GAMES as u64, 2 * GAMES as u64));
        let log_loss = accuracy.value(Metric::LogLoss).unwrap();
        assert!((log_loss - losses.log_loss).abs() < 1e-12, "{scale}: {log_loss}");
        let brier = accuracy.value(Metric::Brier).unwrap();
        assert!((brier - losses.brier).abs() < 1e-12, "{scale}: {brier}");
        let pairs: u64 = accuracy.calibration.iter().map(|bin| bin.pairs).sum();
        assert_eq!(pairs, GAMES as u64);
        let values = [log_loss, losses.true_loss, losses.log_loss_of_decided];
        for (least, value) in least.iter_mut().zip(values) {
            if value < least.0 {
                *least = (value, scale);
            }
        }
    }
    let [evaluated, expected, decided] = least.map(|(_, scale)| scale);
    assert_eq!((evaluated, expected), (220.0, 220.0));
    assert!(decided <= 180.0, "{decided}");
}

#[test]
fn calibration_of_true_scale_counts_draws_half() {
    let (strengths, games) = play_league();
    let (accuracy, _) = evaluate_scale(220.0, &strengths, &games);
    for bin in accuracy.calibration.iter().filter(|bin| bin.pairs >= 100) {
        let expected = bin.mean_expected().unwrap();
        let scored = bin.mean_score().unwrap();
        // Four standard errors of scores that vary as those of games without draws.
        let error = 4.0 * (expected * (1.0 - expected) / bin.pairs as f64).sqrt();
        assert!((expected - scored).abs() < error, "{expected} and {scored}");
    }
}
