//! The options of a league.

use ranklore_contest::{ContestTime, word_enum};

word_enum! {
    /// The distribution of performances around the skill.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub enum PerformanceModel {
        /// The logistic distribution.
        #[default]
        Logistic = "logistic",
        /// The normal distribution.
        Gaussian = "gaussian",
    }
}

/// 1900-01-01: imports refuse results of the future, and a league may have 40,000 rounds.
const FIRST_DAY: ContestTime = match ContestTime::new(-2_208_988_800) {
    Some(time) => time,
    None => ContestTime::MIN,
};

/// Seconds of a day.
const DAY: i64 = 86_400;

/// The options of a league.
#[derive(Clone, Debug)]
pub struct LeagueOptions {
    /// Number of players.
    pub players: u32,
    /// Number of rounds.
    pub rounds: u32,
    /// Number of players in a round; `None` for all.
    pub size: Option<u32>,
    /// Number of members of each team; 1 for single players.
    pub team_size: u32,
    /// Number of divisions of a round, into which its entrants are divided by skill; 1 for none.
    pub divisions: u32,
    /// Mean of the skills at the start.
    pub mean: f64,
    /// Standard deviation of the skills at the start.
    pub spread: f64,
    /// Standard deviation of a performance around the skill.
    pub noise: f64,
    /// Standard deviation of the change of a skill before each round of the player.
    pub drift: f64,
    /// The distribution of performances.
    pub model: PerformanceModel,
    /// Performances in the same multiple of this width tie; 0 for none.
    pub tie_width: f64,
    /// Share of the entrants that do not finish, from 0 to 1.
    pub unfinished: f64,
    /// Time of the first round, of which tables have the day.
    pub start: ContestTime,
    /// Days from a round to the next.
    pub days: u32,
    /// Seed of the random numbers.
    pub seed: u64,
}

impl Default for LeagueOptions {
    fn default() -> Self {
        Self {
            players: 100,
            rounds: 100,
            size: None,
            team_size: 1,
            divisions: 1,
            mean: 1500.0,
            spread: 350.0,
            noise: 200.0,
            drift: 35.0,
            model: PerformanceModel::Logistic,
            tie_width: 0.0,
            unfinished: 0.0,
            start: FIRST_DAY,
            days: 1,
            seed: 1,
        }
    }
}

/// The reason why there is no league with these options.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum LeagueError {
    /// A round has more players than the league.
    #[error("a round of {size} players needs a league of as many, not of {players}")]
    TooFewPlayers {
        /// Number of players in a round.
        size: u32,
        /// Number of players of the league.
        players: u32,
    },
    /// The players of a round do not form two teams or more.
    #[error("a round of {size} players does not divide into two or more entrants of {team_size}")]
    NoTeams {
        /// Number of players in a round.
        size: u32,
        /// Number of members of each team.
        team_size: u32,
    },
    /// A division has fewer than two entrants.
    #[error("{entrants} entrants of a round do not fill {divisions} divisions of two or more")]
    TooManyDivisions {
        /// Number of entrants of a round.
        entrants: u32,
        /// Number of divisions.
        divisions: u32,
    },
    /// A number is not finite or negative.
    #[error("{name} is {value}; it must be a number of at least 0")]
    InvalidNumber {
        /// The name of the number.
        name: &'static str,
        /// The number.
        value: f64,
    },
    /// The last round is after the year 2199.
    #[error("the last round would be after the year 2199; choose an earlier start or fewer days")]
    TooLate,
}

/// A league: a function of its options.
#[derive(Clone, Debug)]
pub struct League {
    pub(crate) options: LeagueOptions,
    /// Number of players in a round.
    pub(crate) size: u32,
}

impl League {
    /// Creates the league of these options.
    ///
    /// # Errors
    /// [`LeagueError`] if they contradict each other.
    pub fn new(options: LeagueOptions) -> Result<Self, LeagueError> {
        for (name, value) in [
            ("the spread of skills", options.spread),
            ("the noise", options.noise),
            ("the drift", options.drift),
            ("the tie width", options.tie_width),
            ("the share that does not finish", options.unfinished),
            // May be negative.
            ("the mean of the skills", options.mean.abs()),
        ] {
            if !(value >= 0.0 && value.is_finite()) {
                return Err(LeagueError::InvalidNumber { name, value });
            }
        }
        let players = options.players;
        let size = options.size.unwrap_or(players);
        if size > players {
            return Err(LeagueError::TooFewPlayers { size, players });
        }
        let team_size = options.team_size;
        if team_size == 0 || !size.is_multiple_of(team_size) || size / team_size < 2 {
            return Err(LeagueError::NoTeams { size, team_size });
        }
        let entrants = size / team_size;
        let divisions = options.divisions;
        if divisions == 0 || entrants / divisions < 2 {
            return Err(LeagueError::TooManyDivisions {
                entrants,
                divisions,
            });
        }
        let league = Self { options, size };
        if league.time(league.options.rounds).is_none() {
            return Err(LeagueError::TooLate);
        }
        Ok(league)
    }

    /// Returns the time of a round, which are numbered from 1; `None` after the year 2199.
    pub(crate) fn time(&self, round: u32) -> Option<ContestTime> {
        let days = i64::from(round.saturating_sub(1)) * i64::from(self.options.days);
        ContestTime::new(self.options.start.get().checked_add(days.checked_mul(DAY)?)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contradicting_options_are_refused() {
        let with = |change: fn(&mut LeagueOptions)| {
            let mut options = LeagueOptions::default();
            change(&mut options);
            League::new(options).err().map(|error| error.to_string()).unwrap_or_default()
        };
        for (error, part) in [
            (with(|options| options.size = Some(101)), "of as many, not of 100"),
            (with(|options| options.team_size = 3), "entrants of 3"),
            (with(|options| options.team_size = 100), "entrants of 100"),
            (with(|options| options.team_size = 0), "entrants of 0"),
            (with(|options| options.size = Some(1)), "a round of 1 players"),
            (with(|options| options.divisions = 51), "100 entrants of a round do not fill 51"),
            (with(|options| options.divisions = 0), "do not fill 0 divisions"),
            (with(|options| options.noise = -1.0), "the noise is -1"),
            (with(|options| options.drift = f64::NAN), "the drift is NaN"),
            (with(|options| options.mean = f64::INFINITY), "the mean of the skills is inf"),
            (with(|options| options.days = 1_107), "after the year 2199"),
            (with(|options| options.days = u32::MAX), "after the year 2199"),
        ] {
            assert!(error.contains(part), "{error:?}");
        }
        assert_eq!(with(|options| options.mean = -5.0), "");
        assert_eq!(with(|options| options.days = 1_106), "");
    }
}
