//! Rating periods: published examples, sums by hand, and the laws of periods.

use crate::random::Random;
use ranklore_rating::{
    Elo, EloPairwise, EloPairwiseParameters, EloParameters, Glicko, Glicko2, Glicko2Parameters,
    GlickoInformation, GlickoParameters, InitialRating, PastResult, RatedEntrant, RatingRound,
    RatingSystem,
};

/// A game of two in a period: the winner first, unless it is drawn.
#[derive(Clone, Copy, Debug)]
struct Game {
    period: i64,
    entrants: [u32; 2],
    drawn: bool,
}

impl Game {
    fn won(period: i64, winner: u32, loser: u32) -> Self {
        Self {
            period,
            entrants: [winner, loser],
            drawn: false,
        }
    }

    fn rate(&self, system: &mut dyn RatingSystem, with_period: bool) -> Vec<RatedEntrant> {
        let groups: &[u32] = if self.drawn { &[2] } else { &[1, 2] };
        let mut rated = Vec::new();
        let round = RatingRound {
            ends_at: self.period * 86_400,
            period: with_period.then_some(self.period),
            ..RatingRound::new(&self.entrants, groups)
        };
        system.rate(&round, &mut rated);
        rated
    }
}

fn systems() -> Vec<(&'static str, Box<dyn RatingSystem>)> {
    let glicko = GlickoParameters {
        information: GlickoInformation::EveryPair,
        ..GlickoParameters::default()
    };
    vec![
        ("glicko", Box::new(Glicko::new(glicko).unwrap())),
        ("glicko2", Box::new(Glicko2::new(Glicko2Parameters::default()).unwrap())),
        ("elo", Box::new(Elo::new(EloParameters::default()).unwrap())),
        (
            "elo-pairwise",
            Box::new(EloPairwise::new(EloPairwiseParameters::default()).unwrap()),
        ),
    ]
}

fn bits(rows: &[RatedEntrant]) -> Vec<[u64; 3]> {
    let bits = |row: &RatedEntrant| {
        let volatility = row.volatility.unwrap_or(0.0);
        [row.mu, row.sigma, volatility].map(f64::to_bits)
    };
    rows.iter().map(bits).collect()
}

/// Games among `players`, several in each period, in which not everybody plays.
fn random_games(random: &mut Random, players: u32, periods: i64) -> Vec<Game> {
    let mut games = Vec::new();
    for period in 0..periods {
        for _ in 0..random.below(6) {
            let first = random.below(players as usize) as u32;
            let second = (first + 1 + random.below(players as usize - 1) as u32) % players;
            let drawn = random.below(3) == 0;
            games.push(Game {
                period: 3 * period,
                entrants: [first, second],
                drawn,
            });
        }
    }
    games
}

/// Glickman's example: 1500 ± 200 beats 1400 ± 30, loses to 1550 ± 100 and to 1700 ± 300. The paper
/// rounds each step, to 1464 ± 151.4 and to 1464.06 ± 151.52 with a volatility of 0.05999.
#[test]
fn three_games_of_a_period_match_published_example() {
    let rate = |system: &mut dyn RatingSystem| {
        let start = [
            (1500.0, 200.0),
            (1400.0, 30.0),
            (1550.0, 100.0),
            (1700.0, 300.0),
        ];
        for (competitor, (mu, sigma)) in (0..).zip(start) {
            let sigma = Some(sigma);
            system.set_initial_rating(competitor, InitialRating { mu, sigma });
        }
        let games = [Game::won(7, 0, 1), Game::won(7, 2, 0), Game::won(7, 3, 0)];
        let last = games.map(|game| game.rate(system, true))[2].clone();
        last[1]
    };
    let glicko = rate(
        &mut Glicko::new(GlickoParameters {
            information: GlickoInformation::EveryPair,
            sigma_drift: 0.0,
            ..GlickoParameters::default()
        })
        .unwrap(),
    );
    assert!((glicko.mu - 1_464.106_462_756_911_2).abs() < 1e-6, "{glicko:?}");
    assert!((glicko.sigma - 151.398_902_447_969_33).abs() < 1e-6, "{glicko:?}");
    let glicko2 = rate(&mut Glicko2::new(Glicko2Parameters::default()).unwrap());
    assert!((glicko2.mu - 1_464.050_670_539_089_2).abs() < 1e-9, "{glicko2:?}");
    assert!((glicko2.sigma - 151.516_524_124_304_34).abs() < 1e-9, "{glicko2:?}");
    let volatility = glicko2.volatility.unwrap();
    assert!((volatility - 0.059_995_984_400_677_83).abs() < 1e-12, "{glicko2:?}");
}

/// A tournament of the FIDE Handbook's form: the expected score of each game is against the ratings
/// from before it, and K times the sum of the differences is gained.
#[test]
fn elo_sums_a_period() {
    let mut system = Elo::new(EloParameters::default()).unwrap();
    let ratings = [1613.0, 1609.0, 1477.0, 1388.0, 1586.0, 1720.0];
    for (competitor, mu) in (0..).zip(ratings) {
        system.set_initial_rating(competitor, InitialRating { mu, sigma: None });
    }
    let drawn = Game {
        drawn: true,
        ..Game::won(0, 0, 2)
    };
    let games = [
        Game::won(0, 1, 0),
        drawn,
        Game::won(0, 0, 3),
        Game::won(0, 0, 4),
        Game::won(0, 5, 0),
    ];
    let mut last = 0.0;
    for game in games {
        let rated = game.rate(&mut system, true);
        let row = game.entrants.iter().position(|&id| id == 0).unwrap();
        last = rated[row].mu;
    }
    let expected: f64 = ratings[1..]
        .iter()
        .map(|other| 1.0 / (1.0 + 10_f64.powf((other - 1613.0) / 400.0)))
        .sum();
    // The published sum of the expected scores is 2.867.
    assert!((expected - 2.867).abs() < 0.01, "{expected}");
    assert!((last - (1613.0 + 32.0 * (2.5 - expected))).abs() < 1e-9, "{last}");
}

/// The order of the games of a period does not matter.
#[test]
fn games_of_a_period_may_be_in_any_order() {
    for ((name, mut forwards), (_, mut backwards)) in systems().into_iter().zip(systems()) {
        let mut random = Random::new(3);
        let games = random_games(&mut random, 8, 40);
        for player in 0..8 {
            let mu = random.between(1400.0, 1600.0);
            for system in [&mut forwards, &mut backwards] {
                system.set_initial_rating(player, InitialRating { mu, sigma: None });
            }
        }
        for period in games.chunk_by(|a, b| a.period == b.period) {
            for game in period {
                game.rate(forwards.as_mut(), true);
            }
            for game in period.iter().rev() {
                game.rate(backwards.as_mut(), true);
            }
            for player in 0..8 {
                let a = forwards.belief(player);
                let b = backwards.belief(player);
                assert!((a.mu - b.mu).abs() < 1e-7, "{name}: {a:?} {b:?}");
                assert!((a.variance - b.variance).abs() < 1e-6 * a.variance.max(1.0), "{name}");
            }
        }
    }
}

/// If everybody plays one game in every period, periods change no bit. Of `glicko` with every pair,
/// they change the drift of newcomers: [`drift_of_every_pair_follows_published_steps`].
#[test]
fn periods_of_one_game_change_nothing() {
    let systems = || {
        let mut systems = systems();
        systems[0].1 = Box::new(Glicko::new(GlickoParameters::default()).unwrap());
        systems
    };
    for ((name, mut periods), (_, mut plain)) in systems().into_iter().zip(systems()) {
        let mut random = Random::new(4);
        for period in 0..60 {
            let shift = 1 + random.below(3) as u32;
            for first in [0, 1, 2, 3] {
                let game = Game {
                    drawn: random.below(3) == 0,
                    ..Game::won(period, first, 4 + (first + shift) % 4)
                };
                let (a, b) = (game.rate(periods.as_mut(), true), game.rate(plain.as_mut(), false));
                assert!(bits(&a) == bits(&b), "{name}: {a:?} {b:?}");
            }
        }
    }
}

/// A replay resumes at the beginning of any period from the rows.
#[test]
fn replay_resumes_between_periods() {
    let games = random_games(&mut Random::new(5), 6, 30);
    let starts = (1..games.len()).filter(|&at| games[at - 1].period != games[at].period);
    for start in starts {
        for ((name, mut full), (_, mut resumed)) in systems().into_iter().zip(systems()) {
            for (index, game) in games.iter().enumerate() {
                let rated = game.rate(full.as_mut(), true);
                if index < start {
                    for (&competitor, &rated) in game.entrants.iter().zip(&rated) {
                        let past = PastResult {
                            ends_at: game.period * 86_400,
                            weight: 1.0,
                            period: Some(game.period),
                            rated,
                        };
                        resumed.restore(competitor, &past);
                    }
                } else {
                    let again = game.rate(resumed.as_mut(), true);
                    assert!(bits(&rated) == bits(&again), "{name} from {start}, game {index}");
                }
            }
        }
    }
}

/// Glickman's step 1 with c = 63.2: 50 becomes 80.587 after one period and 349.753 after thirty, as in
/// the crate skillratings, at which a game against an opponent without information changes nothing.
#[test]
fn absence_raises_sigma_by_period() {
    let system = || {
        let mut system = Glicko::new(GlickoParameters {
            information: GlickoInformation::EveryPair,
            sigma_drift: 63.2,
            ..GlickoParameters::default()
        })
        .unwrap();
        for competitor in 0..2 {
            let sigma = Some(if competitor == 0 { 50.0 } else { 1e6 });
            system.set_initial_rating(competitor, InitialRating { mu: 1500.0, sigma });
        }
        system
    };
    for (periods, expected) in [(1, 80.586_847_562), (30, 349.753)] {
        let mut system = system();
        let row = RatedEntrant {
            mu: 1500.0,
            sigma: 50.0,
            performance: None,
            volatility: None,
        };
        let past = PastResult {
            ends_at: 0,
            weight: 1.0,
            period: Some(0),
            rated: row,
        };
        system.restore(0, &past);
        let rated = Game::won(periods, 0, 1).rate(&mut system, true);
        assert!((rated[0].sigma - expected).abs() < 2e-3, "{rated:?}");
        // Views let sigma grow by the missed periods, without that of the next contest.
        let growth = system.period_growth().unwrap();
        let displayed = growth.sigma_after(50.0, None, (periods - 1) as f64);
        let next = (displayed * displayed + 63.2 * 63.2).sqrt();
        assert!((next - rated[0].sigma).abs() < 2e-3, "{displayed}");
    }
}

/// Glickman's steps, computed apart: a newcomer starts with 350, and c = 63.2 is added for each period
/// since the last one, up to 350.
#[test]
fn drift_of_every_pair_follows_published_steps() {
    let parameters = |sigma_drift| GlickoParameters {
        information: GlickoInformation::EveryPair,
        sigma_drift,
        ..GlickoParameters::default()
    };
    let mut system = Glicko::new(parameters(63.2)).unwrap();
    // A beats B on days 0 and 1, then C beats A on day 3.
    Game::won(0, 0, 1).rate(&mut system, true);
    let second = Game::won(1, 0, 1).rate(&mut system, true);
    assert!((second[1].mu - 1_277.44).abs() < 5e-3, "{second:?}");
    let third = Game::won(3, 2, 0).rate(&mut system, true);
    assert!((third[0].mu - 1_761.83).abs() < 5e-3, "{third:?}");
    assert!((third[0].sigma - 290.2).abs() < 5e-2, "{third:?}");

    // A drift beyond the bound: every period begins with 350, like the first.
    let mut capped = Glicko::new(parameters(1_000.0)).unwrap();
    let first = Game::won(0, 0, 1).rate(&mut capped, true);
    let mut newcomers = Glicko::new(parameters(0.0)).unwrap();
    assert!(bits(&first) == bits(&Game::won(0, 0, 1).rate(&mut newcomers, true)));
    for (competitor, row) in (0..).zip(&first) {
        let start = InitialRating {
            mu: row.mu,
            sigma: None,
        };
        newcomers.set_initial_rating(competitor + 2, start);
    }
    let next = Game::won(1, 0, 1).rate(&mut capped, true);
    assert!(bits(&next) == bits(&Game::won(1, 2, 3).rate(&mut newcomers, true)));
}
