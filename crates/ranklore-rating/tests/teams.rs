//! People in teams (paper, section 3.3), against a direct computation.

use std::f64::consts::PI;

use crate::random::Random;
use ranklore_rating::{
    EloMmr, EloMmrParameters, EloMmx, EloMmxParameters, InitialRating, PastResult, RatedEntrant,
    RatingRound, RatingSystem,
};

/// Converts a variance to the scale of a logistic distribution.
fn scale_of(variance: f64) -> f64 {
    3.0_f64.sqrt() / PI * variance.sqrt()
}

fn systems() -> [Box<dyn RatingSystem>; 2] {
    let mmr = EloMmr::new(EloMmrParameters::default()).unwrap();
    let mmx = EloMmx::new(EloMmxParameters::default()).unwrap();
    [Box::new(mmr), Box::new(mmx)]
}

/// A contest of teams: their members, the ends of teams and of ties.
struct Contest {
    people: Vec<u32>,
    teams: Vec<u32>,
    groups: Vec<u32>,
}

impl Contest {
    /// Draws teams of up to four out of `competitors`, some of them tied.
    fn random(competitors: u32, random: &mut Random) -> Self {
        let mut people: Vec<u32> = (0..competitors).collect();
        for index in (1..people.len()).rev() {
            people.swap(index, random.below(index + 1));
        }
        let mut contest = Self {
            people,
            teams: Vec::new(),
            groups: Vec::new(),
        };
        let mut end = 0;
        while end < competitors {
            end = (end + 1 + random.below(4) as u32).min(competitors);
            contest.teams.push(end);
        }
        let teams = contest.teams.len() as u32;
        contest.groups = (1..teams).filter(|_| random.below(3) > 0).collect();
        contest.groups.push(teams);
        contest
    }

    fn round(&self, ends_at: i64) -> RatingRound<'_> {
        RatingRound {
            ends_at,
            teams: Some(&self.teams),
            finishers: self.teams.len() as u32,
            ..RatingRound::new(&self.people, &self.groups)
        }
    }

    fn members(&self, team: usize) -> std::ops::Range<usize> {
        let start = team.checked_sub(1).map_or(0, |before| self.teams[before]);
        start as usize..self.teams[team] as usize
    }
}

/// The zero of a decreasing function.
fn zero(q: impl Fn(f64) -> f64) -> f64 {
    let mut low = -20_000.0;
    let mut high = 20_000.0;
    for _ in 0..200 {
        let middle = 0.5 * (low + high);
        if q(middle) > 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
    low
}

#[test]
fn first_team_contest_matches_paper() {
    let mut random = Random::new(5);
    for _ in 0..20 {
        let contest = Contest::random(12, &mut random);
        if contest.groups.len() < 2 {
            continue;
        }
        let starts: Vec<f64> = (0..12).map(|_| random.between(1000.0, 2000.0)).collect();
        let weight = 0.2_f64;
        let limit = 80.0_f64.powi(2);
        let prior = 350.0_f64.powi(2) + weight * limit;
        let noise = (1.0 + 1.0 / weight) * limit;
        let teams = contest.teams.len();
        let mu: Vec<f64> = (0..teams)
            .map(|team| {
                let members = contest.people[contest.members(team)].iter();
                members.map(|&person| starts[person as usize]).sum()
            })
            .collect();
        let variance: Vec<f64> = (0..teams)
            .map(|team| contest.members(team).len() as f64 * (prior + noise))
            .collect();
        let [mut mmr, _] = systems();
        for (person, &mu) in (0..).zip(&starts) {
            mmr.set_initial_rating(
                person,
                InitialRating {
                    mu,
                    sigma: Some(350.0),
                },
            );
        }
        let mut rated = Vec::new();
        mmr.rate(&contest.round(0), &mut rated);
        let group_of = |team: usize| contest.groups.partition_point(|&end| end as usize <= team);
        for team in 0..teams {
            let performance = zero(|p| {
                (0..teams).fold(0.0, |q, other| {
                    let scale = scale_of(variance[other]);
                    let win = 1.0 / (1.0 + ((p - mu[other]) / scale).exp());
                    q + match group_of(team).cmp(&group_of(other)) {
                        std::cmp::Ordering::Less => win,
                        std::cmp::Ordering::Equal => win - (1.0 - win),
                        std::cmp::Ordering::Greater => win - 1.0,
                    } / scale
                })
            });
            let size = contest.members(team).len() as f64;
            for row in contest.members(team) {
                let before = starts[contest.people[row] as usize];
                let own_performance = performance - (mu[team] - before);
                let teammates = (size - 1.0) * prior;
                let expected = zero(|mu| {
                    let scale = scale_of(size * noise + teammates);
                    let pull = ((own_performance - mu) / (2.0 * scale)).tanh() / scale;
                    (before - mu) / prior + pull
                });
                let mu = rated[row].mu;
                let performance = rated[row].performance.unwrap();
                assert!(
                    (performance - own_performance).abs() < 1e-6,
                    "{performance} for {own_performance}"
                );
                assert!((mu - expected).abs() < 1e-6, "{mu} for {expected}");
            }
        }
    }
}

#[test]
fn teammates_variance_counts_as_noise() {
    let [_, mut mmx] = systems();
    let mut rated = Vec::new();
    let round = RatingRound {
        teams: Some(&[2, 3]),
        finishers: 2,
        ..RatingRound::new(&[0, 1, 2], &[1, 2])
    };
    mmx.rate(&round, &mut rated);
    let prior = 350.0_f64.powi(2) + 0.2 * 6400.0;
    let noise = 6.0 * 6400.0;
    let of_pair = 2.0 * noise + prior;
    let expected = 1500.0 + (rated[0].performance.unwrap() - 1500.0) * prior / (prior + of_pair);
    assert!((rated[0].mu - expected).abs() < 1e-9);
    let sigma = (prior * of_pair / (prior + of_pair)).sqrt();
    assert!((rated[0].sigma - sigma).abs() < 1e-9);
    assert_eq!(rated[0], rated[1]);
    assert_eq!(rated[0].volatility, Some(of_pair));
    // The pair was the favourite: with twice the rating it gains less than a single winner.
    assert!(rated[0].mu > 1500.0 && rated[2].mu < 1500.0);
    assert_eq!(rated[2].volatility, None);
}

#[test]
fn team_of_one_equals_individual() {
    let mut random = Random::new(9);
    for index in 0..2 {
        let (mut alone, mut teams) = (systems(), systems());
        for day in 0..20 {
            let mut contest = Contest::random(9, &mut random);
            contest.teams = (1..=9).collect();
            contest.groups = vec![2, 3, 7, 9];
            let (mut a, mut b) = (Vec::new(), Vec::new());
            let round = contest.round(day * 86_400);
            teams[index].rate(&round, &mut a);
            let individuals = RatingRound {
                teams: None,
                ..round
            };
            alone[index].rate(&individuals, &mut b);
            assert_eq!(a, b);
        }
    }
}

#[test]
fn team_histories_resume_from_rows() {
    let mut random = Random::new(21);
    for index in 0..2 {
        let (mut fresh, mut resumed) = (systems(), systems());
        let contests: Vec<Contest> = (0..12).map(|_| Contest::random(15, &mut random)).collect();
        let mut rated = Vec::new();
        for (day, contest) in contests.iter().enumerate() {
            let ends_at = day as i64 * 86_400;
            fresh[index].rate(&contest.round(ends_at), &mut rated);
            if day < 8 {
                for (&person, &rated) in contest.people.iter().zip(&rated) {
                    let past = PastResult {
                        period: None,
                        ends_at,
                        weight: 1.0,
                        rated,
                    };
                    resumed[index].restore(person, &past);
                }
            } else {
                let mut again = Vec::new();
                resumed[index].rate(&contest.round(ends_at), &mut again);
                assert_eq!(rated, again);
            }
        }
    }
}

#[test]
fn better_team_place_never_harms_member() {
    let mut random = Random::new(33);
    for index in 0..2 {
        for _ in 0..50 {
            let mut contest = Contest::random(14, &mut random);
            let teams = contest.teams.len() as u32;
            contest.groups = (1..=teams).collect();
            let place = 1 + random.below(teams as usize - 1);
            let (mut before, mut after) = (systems(), systems());
            let (mut rows, mut better_rows) = (Vec::new(), Vec::new());
            before[index].rate(&contest.round(0), &mut rows);
            // Two neighbours swap places.
            let (above, below) = (contest.members(place - 1), contest.members(place));
            let up = below.len();
            let down = above.len();
            contest.people[above.start..below.end].rotate_left(down);
            contest.teams[place - 1] = (above.start + up) as u32;
            after[index].rate(&contest.round(0), &mut better_rows);
            for member in 0..up {
                let worse = rows[below.start + member];
                let better = better_rows[above.start + member];
                assert!(better.mu >= worse.mu, "{better:?} {worse:?}");
            }
        }
    }
}

#[test]
fn ceiling_caps_member_credit() {
    for index in 0..2 {
        let mut free = systems();
        let mut capped = systems();
        let round = RatingRound {
            teams: Some(&[3, 4]),
            finishers: 2,
            ..RatingRound::new(&[0, 1, 2, 3], &[1, 2])
        };
        let (mut a, mut b) = (Vec::new(), Vec::new());
        free[index].rate(&round, &mut a);
        let ceiling = RatingRound {
            performance_ceiling: a[0].performance.unwrap() - 10.0,
            ..round
        };
        capped[index].rate(&ceiling, &mut b);
        // The ceiling takes only the few points by which the credit exceeds it.
        assert!(b[0].mu < a[0].mu && b[0].mu > a[0].mu - 10.0);
        assert!((b[0].performance.unwrap() - ceiling.performance_ceiling).abs() < 1e-9);
    }
}

#[test]
fn member_order_changes_nothing() {
    let mut random = Random::new(41);
    for index in 0..2 {
        let (mut ordered_systems, mut reversed_systems) = (systems(), systems());
        for day in 0..8 {
            let contest = Contest::random(16, &mut random);
            let mut reversed = contest.people.clone();
            for team in 0..contest.teams.len() {
                reversed[contest.members(team)].reverse();
            }
            let (mut a, mut b) = (Vec::new(), Vec::new());
            let round = contest.round(day * 86_400);
            ordered_systems[index].rate(&round, &mut a);
            let round = RatingRound {
                entrants: &reversed,
                ..round
            };
            reversed_systems[index].rate(&round, &mut b);
            for team in 0..contest.teams.len() {
                let members = contest.members(team);
                if members.end <= b.len() {
                    b[members].reverse();
                }
            }
            let bits =
                |rows: &[RatedEntrant]| rows.iter().map(|row| row.mu.to_bits()).collect::<Vec<_>>();
            assert_eq!(bits(&a), bits(&b));
        }
    }
}

#[test]
fn mixed_sigmas_in_team_stay_exact() {
    for limit in [1e-3, 80.0] {
        let mmr = EloMmr::new(EloMmrParameters {
            initial_sigma: 1e6,
            sigma_limit: limit,
            weight_limit: 1.0,
            ..EloMmrParameters::default()
        });
        let mmx = EloMmx::new(EloMmxParameters {
            initial_sigma: 1e6,
            sigma_limit: limit,
            weight_limit: 1.0,
            ..EloMmxParameters::default()
        });
        let systems: [Box<dyn RatingSystem>; 2] = [Box::new(mmr.unwrap()), Box::new(mmx.unwrap())];
        for mut system in systems {
            for (competitor, sigma) in [(0, 1e-3), (1, 1e6), (2, 1e-3), (3, 1.0), (4, 1e4)] {
                let sigma = Some(sigma);
                system.set_initial_rating(competitor, InitialRating { mu: 1500.0, sigma });
            }
            for day in 0..20 {
                let mut rated = Vec::new();
                // Two at the extremes, two settled ones, and newcomers.
                let people = [0, 1, 3, 2, 4, 5 + day];
                let contest = RatingRound {
                    ends_at: i64::from(day) * 86_400,
                    teams: Some(&[2, 4, 6]),
                    finishers: 3,
                    ..RatingRound::new(&people, &[1, 2, 3])
                };
                system.rate(&contest, &mut rated);
                // The other member's variance blurs the information about a member.
                for row in &rated {
                    assert!(row.mu.is_finite() && row.sigma > 0.0, "{rated:?}");
                }
                let newcomer = rated[5];
                assert!(newcomer.sigma >= 0.99 * limit, "{limit}: {rated:?}");
            }
        }
    }
}
