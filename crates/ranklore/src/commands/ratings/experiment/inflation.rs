//! `ranklore experiment inflation`

use std::io;
use std::path::PathBuf;

use clap::Args;
use ranklore_contest::SourceName;
use ranklore_store::Store;
use ranklore_views::charts::{Axis, Ticks};
use ranklore_views::{
    CellValue, Columns, InflationReport, InflationRequest, SystemLevels, YearLevel,
    measure_inflation,
};
use serde::Serialize;

use super::{draw_lines, print_left_out, write_chart};
use crate::commands::ratings::evaluate::parse_compared;
use crate::commands::source_argument::resolve_source;
use crate::exit::Exit;
use crate::output::{format_count, format_points, or_dash, print_table};
use crate::progress::TerminalProgress;
use crate::run_choice::SystemList;
use crate::{GlobalArgs, values};

/// Follow the level of ratings over the years
///
/// Replays rating systems, and prints for each year the mean of all ratings, and the mean and the
/// highest ratings of the competitors rated in it. Competitors of different years cannot be compared,
/// so a rising level is inflation or progress (Elo-MMR, section 7). Writes no run.
#[derive(Debug, Args)]
pub(super) struct InflationArgs {
    /// Source [default: the only one of the database]
    #[arg(value_name = "SOURCE", value_parser = values::parse_source)]
    source: Option<SourceName>,
    /// Systems to replay: all, or a list such as elo-mmr:rho=1,glicko2
    #[arg(long, value_name = "NAME[:KEY=VALUE]", value_parser = parse_compared,
        default_value = "all")]
    systems: SystemList,
    /// Write a chart per column to this folder
    #[arg(long, value_name = "FOLDER")]
    svg: Option<PathBuf>,
}

impl InflationArgs {
    pub(super) fn run(self, global: &GlobalArgs) -> anyhow::Result<Exit> {
        let store = Store::open_reader(global.db())?;
        let snapshot = store.snapshot()?;
        let request = InflationRequest {
            source: resolve_source(&store, self.source, None)?,
            systems: self.systems.0,
        };
        let progress = TerminalProgress::new();
        let result = measure_inflation(&store, &request, &progress);
        progress.finish();
        let report = result?;
        drop(snapshot);
        if let Some(folder) = &self.svg {
            write_chart(folder, "mean.svg", &draw(&report, "mean rating", |year| Some(year.mean)))?;
            let active = draw(&report, "mean rating of the active", |year| Some(year.active_mean));
            write_chart(folder, "active.svg", &active)?;
            let top = draw(&report, "mean of the ten highest ratings", |year| year.top_10);
            write_chart(folder, "top-10.svg", &top)?;
        }
        let rows: Vec<YearRow<'_>> = report.systems.iter().flat_map(YearRow::list).collect();
        global.print_rows(&report, &rows, &columns().keys(), || print_report(&report, &rows))?;
        Ok(Exit::Done)
    }
}

/// A year of a system in the table.
#[derive(Serialize)]
struct YearRow<'a> {
    system: &'a str,
    #[serde(flatten)]
    level: &'a YearLevel,
}

impl<'a> YearRow<'a> {
    fn list(system: &'a SystemLevels) -> impl Iterator<Item = Self> {
        system.years.iter().map(|level| Self {
            system: &system.system,
            level,
        })
    }
}

fn columns<'a>() -> Columns<'a, YearRow<'a>> {
    let points = |rating: Option<f64>| or_dash(rating.map(|rating| format_points(rating, 0)));
    Columns::new()
        .left("system", |row: &YearRow<'a>| CellValue::text(row.system))
        .important()
        .left("year", |row| CellValue::text(&row.level.year))
        .important()
        .right("contests", |row| format_count(row.level.contests))
        .right("competitors", |row| format_count(row.level.competitors))
        .right("mean", |row| format_points(row.level.mean, 0))
        .important()
        .right("active", |row| format_count(row.level.active))
        .right(("active_mean", "their mean"), |row| format_points(row.level.active_mean, 0))
        .important()
        .right(("top_1", "top 1"), |row| format_points(row.level.top_1, 0))
        .right(("top_10", "top 10"), move |row| points(row.level.top_10))
        .important()
        .right(("top_100", "top 100"), move |row| points(row.level.top_100))
}

fn print_report(report: &InflationReport, rows: &[YearRow<'_>]) -> io::Result<()> {
    print_table(columns(), rows)?;
    print_left_out(&report.left_out)
}

/// Draws a column over the years, a line per system.
fn draw(
    report: &InflationReport,
    title: &str,
    column: impl Fn(&YearLevel) -> Option<f64>,
) -> String {
    let lines = report.systems.iter().map(|system| {
        let points = system
            .years
            .iter()
            .filter_map(|level| Some((level.year.parse().ok()?, column(level)?)));
        (&*system.system, points.collect())
    });
    draw_lines(
        title,
        Axis::new("year", Ticks::Whole),
        Axis::new("rating", Ticks::Numbers),
        lines.collect(),
    )
}
