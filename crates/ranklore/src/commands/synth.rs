//! `ranklore synth`

use std::io::{BufWriter, Write as _};

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser as _};
use ranklore_contest::ContestTime;
use ranklore_synth::{League, LeagueOptions, PerformanceModel};

use crate::commands::ratings::evaluate::parse_share;
use crate::exit::{Exit, WrongUsage};
use crate::output::{OutputFormat, output_format};
use crate::values;

/// Generate the results of an artificial league of known skills
///
/// Prints a table for ranklore import. Skills are drawn once, and change by a normal step before each
/// round of the player. The best performances win: skill plus noise. The same options give the same
/// bytes on every machine.
#[derive(Debug, Args)]
pub(crate) struct SynthArgs {
    /// Players of the league
    #[arg(long, value_name = "N", default_value_t = 100,
        value_parser = clap::value_parser!(u32).range(2..=1_000_000))]
    players: u32,
    /// Rounds
    #[arg(long, value_name = "N", default_value_t = 100,
        value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    rounds: u32,
    /// Players in each round, drawn anew [default: all]
    #[arg(long, value_name = "N")]
    size: Option<u32>,
    /// Members of each team, whose performances add up
    #[arg(long, value_name = "N", default_value_t = 1)]
    team_size: u32,
    /// Divisions of each round, by skill
    #[arg(long, value_name = "N", default_value_t = 1)]
    divisions: u32,
    /// Mean of the skills at the start
    #[arg(
        long,
        value_name = "POINTS",
        default_value_t = 1500.0,
        allow_negative_numbers = true
    )]
    mean: f64,
    /// Standard deviation of the skills at the start
    #[arg(long, value_name = "POINTS", default_value_t = 350.0)]
    spread: f64,
    /// Standard deviation of a performance around the skill
    #[arg(long, value_name = "POINTS", default_value_t = 200.0)]
    noise: f64,
    /// Standard deviation of the change of a skill before each round of the player
    #[arg(long, value_name = "POINTS", default_value_t = 35.0)]
    drift: f64,
    /// Distribution of performances: logistic or gaussian
    #[arg(long, value_name = "NAME", default_value = PerformanceModel::Logistic.as_str(),
        hide_possible_values = true,
        value_parser = PossibleValuesParser::new(PerformanceModel::VARIANTS.map(PerformanceModel::as_str))
            .map(|word| PerformanceModel::from_word(&word).unwrap_or_default()))]
    model: PerformanceModel,
    /// Performances tie that are equal when rounded down to multiples of this width; 0 for no ties
    #[arg(long, value_name = "POINTS", default_value_t = 0.0)]
    tie_width: f64,
    /// Share of the entrants that do not finish
    #[arg(long, value_name = "PERCENT", default_value_t = 0.0, value_parser = parse_share)]
    dnf: f64,
    /// Day of the first round
    #[arg(long, value_name = "DATE", default_value = "1900-01-01",
        value_parser = values::parse_time)]
    start: ContestTime,
    /// Days from a round to the next
    #[arg(long, value_name = "DAYS", default_value_t = 1)]
    every: u32,
    /// Seed of the random numbers
    #[arg(long, value_name = "NUMBER", default_value_t = 1)]
    seed: u64,
}

impl SynthArgs {
    pub(crate) fn run(self) -> anyhow::Result<Exit> {
        if !matches!(output_format(), OutputFormat::Table | OutputFormat::Csv) {
            let message = "ranklore synth prints CSV only; leave out --json and --format";
            return Err(WrongUsage(message.to_owned()).into());
        }
        let options = LeagueOptions {
            players: self.players,
            rounds: self.rounds,
            size: self.size,
            team_size: self.team_size,
            divisions: self.divisions,
            mean: self.mean,
            spread: self.spread,
            noise: self.noise,
            drift: self.drift,
            model: self.model,
            tie_width: self.tie_width,
            unfinished: self.dnf / 100.0,
            start: self.start,
            days: self.every,
            seed: self.seed,
        };
        let league = League::new(options).map_err(|error| WrongUsage(error.to_string()))?;
        let mut out = BufWriter::new(std::io::stdout().lock());
        league.write_csv(&mut out)?;
        out.flush()?;
        Ok(Exit::Done)
    }
}
