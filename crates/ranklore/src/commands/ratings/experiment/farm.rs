//! `ranklore experiment farm`

use std::io;
use std::path::PathBuf;

use clap::Args;
use ranklore_replay::SystemSpec;
use ranklore_store::Store;
use ranklore_views::charts::{Axis, Ticks};
use ranklore_views::{
    CellValue, Columns, FarmReport, FarmRequest, FarmSchedule, FarmedSystem, farm_volatility,
};
use serde::Serialize;

use super::{ChartLine, draw_lines, file_stem, print_left_out, write_chart};
use crate::commands::ratings::evaluate::parse_compared;
use crate::commands::source_argument::resolve_source_before;
use crate::exit::{Exit, WrongUsage};
use crate::naming::{NamingArgs, note_pseudonyms};
use crate::output::{
    escape_line, format_plural, format_points, format_signed, print_line_with_names, print_table,
};
use crate::progress::TerminalProgress;
use crate::run_choice::SystemList;
use crate::{GlobalArgs, values};

/// Let a competitor lose on purpose to gain rating later
///
/// The competitor plays the first contests as it did, finishes last in those after them whenever its
/// rating is above a threshold, and plays the rest as it did (volatility farming; Elo-MMR, section
/// 5.1). One system decides when it comes last; all systems then rate the same contests. A system
/// that rewards this is to be gamed. Writes no run.
#[derive(Debug, Args)]
#[command(override_usage = "ranklore experiment farm [OPTIONS] [SOURCE] NAME")]
pub(super) struct FarmArgs {
    /// Source [default: the only one of the database], and the handle or name of the competitor
    #[arg(value_name = "SOURCE NAME", required = true, num_args = 1..=2)]
    words: Vec<String>,
    /// System whose rating decides when the competitor finishes last
    #[arg(long, value_name = "NAME[:KEY=VALUE]", value_parser = parse_decider,
        default_value = "topcoder")]
    decider: SystemSpec,
    /// Systems to replay: all, or a list such as elo-mmr:rho=1,glicko2
    #[arg(long, value_name = "NAME[:KEY=VALUE]", value_parser = parse_compared,
        default_value = "all")]
    systems: SystemList,
    /// Rating above which the competitor finishes last [default: its rating after the first contests]
    #[arg(long, value_name = "RATING", allow_negative_numbers = true, value_parser = parse_rating)]
    above: Option<f64>,
    /// First contests, as they were
    #[arg(long, value_name = "N", default_value_t = 45,
        value_parser = clap::value_parser!(u32).range(1..))]
    honest: u32,
    /// Contests after them, in which the competitor may come last
    #[arg(long, value_name = "N", default_value_t = 45,
        value_parser = clap::value_parser!(u32).range(1..))]
    farmed: u32,
    /// Last contests, as they were
    #[arg(long, value_name = "N", default_value_t = 15,
        value_parser = clap::value_parser!(u32).range(1..))]
    after: u32,
    /// Write a chart per system to this folder
    #[arg(long, value_name = "FOLDER")]
    svg: Option<PathBuf>,
    #[command(flatten)]
    naming: NamingArgs,
}

fn parse_decider(word: &str) -> Result<SystemSpec, String> {
    SystemSpec::parse(word).map_err(|error| error.to_string())
}

fn parse_rating(word: &str) -> Result<f64, String> {
    let rating = word.parse().ok().filter(|rating: &f64| rating.is_finite());
    rating.ok_or_else(|| "expected a rating, such as 1500".to_owned())
}

impl FarmArgs {
    pub(super) fn run(mut self, global: &GlobalArgs) -> anyhow::Result<Exit> {
        let store = Store::open_reader(global.db())?;
        let snapshot = store.snapshot()?;
        let name = self.words.pop().unwrap_or_default();
        let source = self.words.pop().map(|word| values::parse_source(&word));
        let source = source.transpose().map_err(WrongUsage)?;
        let request = FarmRequest {
            source: resolve_source_before(&store, source, &name, None)?,
            name,
            decider: self.decider,
            systems: self.systems.0,
            schedule: FarmSchedule {
                honest: self.honest,
                farmed: self.farmed,
                after: self.after,
            },
            threshold: self.above,
            policy: self.naming.policy(),
        };
        let progress = TerminalProgress::new();
        let result = farm_volatility(&store, &request, &progress);
        progress.finish();
        let report = result?;
        drop(snapshot);
        note_pseudonyms(report.pseudonymised);
        if let Some(folder) = &self.svg {
            for system in &report.systems {
                let name = format!("{}.svg", file_stem(&system.system));
                write_chart(folder, &name, &draw(&report, system))?;
            }
        }
        let rows: Vec<FarmRow<'_>> = report.systems.iter().map(FarmRow::new).collect();
        global.print_rows(&report, &rows, &columns().keys(), || print_report(&report, &rows))?;
        Ok(Exit::Done)
    }
}

/// A system in the table.
#[derive(Serialize)]
struct FarmRow<'a> {
    system: &'a str,
    honest: f64,
    farmed: f64,
    difference: f64,
    gain_after: f64,
}

impl<'a> FarmRow<'a> {
    fn new(system: &'a FarmedSystem) -> Self {
        Self {
            system: &system.system,
            honest: system.honest,
            farmed: system.farmed,
            difference: system.difference,
            gain_after: system.gain_after,
        }
    }
}

fn columns<'a>() -> Columns<'a, FarmRow<'a>> {
    Columns::new()
        .left("system", |row: &FarmRow<'a>| CellValue::text(row.system))
        .important()
        .right("honest", |row| format_points(row.honest, 0))
        .right("farmed", |row| format_points(row.farmed, 0))
        .right("difference", |row| format_signed(row.difference, 0))
        .important()
        .right(("gain_after", "gain after"), |row| format_signed(row.gain_after, 0))
}

fn print_report(report: &FarmReport, rows: &[FarmRow<'_>]) -> io::Result<()> {
    let schedule = report.schedule;
    print_line_with_names(&escape_line(&format!(
        "{}: {}, then last in {} of {} while its rating by {} is above {}, then {}",
        report.competitor.name,
        format_plural(schedule.honest, "honest contest"),
        report.thrown,
        schedule.farmed,
        report.decider,
        format_points(report.threshold, 0),
        format_plural(schedule.after, "honest contest"),
    )))?;
    print_table(columns(), rows)?;
    print_left_out(&report.left_out)
}

/// Draws the ratings with and without farming, a line each.
fn draw(report: &FarmReport, system: &FarmedSystem) -> String {
    let line = |name, ratings: &[f64]| -> ChartLine<'_> {
        let points = (1_u32..).zip(ratings);
        (name, points.map(|(contest, &rating)| (f64::from(contest), rating)).collect())
    };
    draw_lines(
        &format!("{} under {}", report.competitor.name, system.system),
        Axis::new("rated contests", Ticks::Whole),
        Axis::new("rating", Ticks::Numbers),
        vec![
            line("with farming", &system.farmed_ratings),
            line("honest", &system.honest_ratings),
        ],
    )
}
