//! The rounds of a league, drawn one after the other.

use std::collections::VecDeque;

use ranklore_contest::ContestTime;

use crate::league::{League, PerformanceModel};
use crate::random::Random;

/// A round, or a division of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeagueRound {
    /// The number, from 1.
    pub number: u32,
    /// The time at which it is held.
    pub time: ContestTime,
    /// The number of the division, from 1 for the best; `None` in a league without divisions.
    pub division: Option<u32>,
    /// The entrants, best first; those that did not finish are last.
    pub entrants: Vec<LeagueEntrant>,
}

/// A player or a team in a round.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeagueEntrant {
    /// The numbers of the members, from 1; a single one outside of teams.
    pub members: Vec<u32>,
    /// The place, from 1; `None` if the entrant did not finish. Those that tie share the lowest.
    pub place: Option<u32>,
}

/// The rounds of a league, in order of time, drawn one after the other. Each division of a round
/// is an item.
pub struct LeagueRounds<'l> {
    league: &'l League,
    random: Random,
    /// The skill of each player at the moment.
    skills: Vec<f64>,
    /// The players, in the order of the last draw.
    players: Vec<u32>,
    /// Number of rounds so far.
    number: u32,
    /// The other divisions of the last round.
    divisions: VecDeque<LeagueRound>,
}

/// An entrant before places are given.
struct EntrantResult {
    members: Vec<u32>,
    skill: f64,
    performance: f64,
    has_finished: bool,
}

impl League {
    /// Returns the rounds, in order of time.
    #[must_use]
    pub fn rounds(&self) -> LeagueRounds<'_> {
        LeagueRounds::new(self)
    }
}

impl<'l> LeagueRounds<'l> {
    fn new(league: &'l League) -> Self {
        let options = &league.options;
        let mut random = Random::new(options.seed);
        let skills = (0..options.players)
            .map(|_| options.mean + options.spread * random.normal())
            .collect();
        Self {
            league,
            random,
            skills,
            players: (0..options.players).collect(),
            number: 0,
            divisions: VecDeque::new(),
        }
    }

    /// Draws the players of a round to the front (Fisher and Yates).
    fn draw_players(&mut self) {
        for index in 0..self.league.size as usize {
            let other = index + self.random.below(self.players.len() - index);
            self.players.swap(index, other);
        }
    }

    /// Draws the change of skill and the performance of a player.
    fn perform(&mut self, player: u32) -> f64 {
        let options = &self.league.options;
        let skill = &mut self.skills[player as usize];
        *skill += options.drift * self.random.normal();
        let noise = match options.model {
            PerformanceModel::Logistic => self.random.logistic(),
            PerformanceModel::Gaussian => self.random.normal(),
        };
        *skill + options.noise * noise
    }

    fn draw_results(&mut self) -> Vec<EntrantResult> {
        let options = &self.league.options;
        let entrants = self.players[..self.league.size as usize].to_vec();
        let teams = entrants.chunks(options.team_size as usize);
        let results = teams.map(|members| {
            let performance: f64 = members.iter().map(|&player| self.perform(player)).sum();
            let width = options.tie_width;
            EntrantResult {
                skill: members.iter().map(|&player| self.skills[player as usize]).sum(),
                members: members.iter().map(|player| player + 1).collect(),
                performance: if width > 0.0 {
                    (performance / width).floor()
                } else {
                    performance
                },
                has_finished: self.random.unit() >= options.unfinished,
            }
        });
        let mut results: Vec<EntrantResult> = results.collect();
        results.sort_by(|a, b| {
            let by_performance = || b.performance.total_cmp(&a.performance);
            b.has_finished.cmp(&a.has_finished).then_with(by_performance)
        });
        results
    }
}

impl Iterator for LeagueRounds<'_> {
    type Item = LeagueRound;

    fn next(&mut self) -> Option<LeagueRound> {
        if let Some(division) = self.divisions.pop_front() {
            return Some(division);
        }
        if self.number == self.league.options.rounds {
            return None;
        }
        self.number += 1;
        let time = self.league.time(self.number)?;
        self.draw_players();
        let results = self.draw_results();
        let divisions = self.league.options.divisions;
        for (number, results) in (1..).zip(divide(results, divisions)) {
            self.divisions.push_back(LeagueRound {
                number: self.number,
                time,
                division: (divisions > 1).then_some(number),
                entrants: give_places(results),
            });
        }
        self.divisions.pop_front()
    }
}

/// Divides results by skill into divisions of equal size, or with one more in some. Equal skills are
/// divided by the numbers of the players, which say nothing of their performances. Each division keeps
/// the order of its results.
fn divide(results: Vec<EntrantResult>, divisions: u32) -> Vec<Vec<EntrantResult>> {
    let count = results.len();
    let mut by_skill: Vec<usize> = (0..count).collect();
    by_skill.sort_by(|&a, &b| {
        let [a, b] = [&results[a], &results[b]];
        b.skill.total_cmp(&a.skill).then_with(|| a.members.cmp(&b.members))
    });
    let mut division_of = vec![0; count];
    for (position, index) in by_skill.into_iter().enumerate() {
        division_of[index] = position * divisions as usize / count;
    }
    let mut divided: Vec<Vec<EntrantResult>> = (0..divisions).map(|_| Vec::new()).collect();
    for (result, division) in results.into_iter().zip(division_of) {
        divided[division].push(result);
    }
    divided
}

/// Gives places to results in order; equal performances share a place.
fn give_places(results: Vec<EntrantResult>) -> Vec<LeagueEntrant> {
    let mut place = 1;
    let mut last_performance = None;
    let entrants = (1..).zip(results).map(|(position, result)| {
        if last_performance != Some(result.performance) {
            place = position;
        }
        last_performance = Some(result.performance);
        LeagueEntrant {
            members: result.members,
            place: result.has_finished.then_some(place),
        }
    });
    entrants.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::league::LeagueOptions;

    fn rounds(options: LeagueOptions) -> Vec<LeagueRound> {
        League::new(options).unwrap().rounds().collect()
    }

    #[test]
    fn rounds_have_distinct_members_and_ordered_places() {
        let options = LeagueOptions {
            players: 30,
            rounds: 50,
            size: Some(12),
            team_size: 2,
            tie_width: 200.0,
            unfinished: 0.2,
            ..LeagueOptions::default()
        };
        let rounds = rounds(options);
        assert_eq!(rounds.len(), 50);
        let (mut ties, mut unfinished) = (0, 0);
        for round in &rounds {
            let mut members: Vec<u32> =
                round.entrants.iter().flat_map(|entrant| entrant.members.clone()).collect();
            members.sort_unstable();
            members.dedup();
            assert_eq!((round.entrants.len(), members.len()), (6, 12));
            let places: Vec<u32> = round.entrants.iter().filter_map(|e| e.place).collect();
            unfinished += 6 - places.len();
            assert!(round.entrants[places.len()..].iter().all(|entrant| entrant.place.is_none()));
            for (index, pair) in (1..).zip(places.windows(2)) {
                assert!(pair[1] == pair[0] || pair[1] == index + 1, "{places:?}");
                ties += usize::from(pair[1] == pair[0]);
            }
        }
        assert!((30..90).contains(&unfinished), "{unfinished}");
        assert!(ties > 20, "{ties}");
    }

    #[test]
    fn better_players_are_in_the_first_division() {
        let options = LeagueOptions {
            players: 30,
            rounds: 20,
            divisions: 3,
            drift: 0.0,
            ..LeagueOptions::default()
        };
        let rounds = rounds(options.clone());
        assert_eq!(rounds.len(), 60);
        let undivided = self::rounds(LeagueOptions {
            divisions: 1,
            ..options
        });
        for (divided, whole) in rounds.chunks(3).zip(&undivided) {
            // Without drift the same players meet in each division.
            for (division, first) in divided.iter().zip(&rounds) {
                assert_eq!(division.number, whole.number);
                assert_eq!(division.division, first.division);
                let members = |round: &LeagueRound| {
                    let mut members: Vec<Vec<u32>> =
                        round.entrants.iter().map(|entrant| entrant.members.clone()).collect();
                    members.sort_unstable();
                    members
                };
                assert_eq!(members(division), members(first));
                // The order within a division is that of the whole round.
                let in_whole = whole.entrants.iter().map(|entrant| &entrant.members);
                let own: Vec<_> =
                    division.entrants.iter().map(|entrant| &entrant.members).collect();
                let in_whole: Vec<_> = in_whole.filter(|members| own.contains(members)).collect();
                assert_eq!(in_whole, own);
            }
        }
    }

    #[test]
    fn equal_skills_are_divided_by_player() {
        let rounds = rounds(LeagueOptions {
            players: 8,
            rounds: 20,
            divisions: 2,
            spread: 0.0,
            drift: 0.0,
            ..LeagueOptions::default()
        });
        for round in rounds {
            let mut players = round.entrants.iter().flat_map(|entrant| &entrant.members);
            let is_first = round.division == Some(1);
            assert!(players.all(|player| (*player <= 4) == is_first), "{round:?}");
        }
    }

    /// Returns the share of rounds of two that the better player at the start wins.
    fn share_of_favourites(model: PerformanceModel, drift: f64) -> f64 {
        let rounds = rounds(LeagueOptions {
            players: 2,
            rounds: 40_000,
            spread: 0.0,
            noise: 100.0,
            drift,
            model,
            days: 0,
            ..LeagueOptions::default()
        });
        let wins = rounds.iter().filter(|round| round.entrants[0].members == [1]).count();
        wins as f64 / rounds.len() as f64
    }

    #[test]
    fn equal_players_win_equally_often() {
        for model in PerformanceModel::VARIANTS {
            let share = share_of_favourites(model, 0.0);
            assert!((share - 0.5).abs() < 0.01, "{share}");
        }
    }

    #[test]
    fn drift_separates_equal_players() {
        let share = share_of_favourites(PerformanceModel::Gaussian, 20.0);
        assert!((share - 0.5).abs() > 0.05, "{share}");
    }
}
