//! `ranklore experiment performance`

use std::io;
use std::path::PathBuf;

use clap::Args;
use ranklore_contest::SourceName;
use ranklore_store::Store;
use ranklore_views::charts::{Axis, Chart, ChartBar, Marks, Ticks};
use ranklore_views::{
    CellValue, Columns, ContestsBetter, GroupPerformance, PerformanceReport, PerformanceRequest,
    SystemPerformances, measure_performances,
};
use serde::Serialize;

use super::sweep::{ErrorCurve, Sweep, SweptSystems};
use super::{print_left_out, write_chart};
use crate::commands::ratings::evaluate::parse_compared;
use crate::commands::source_argument::resolve_source;
use crate::exit::Exit;
use crate::output::{
    escape_line, format_count, format_plural, format_points, format_signed, or_dash, print_line,
    print_table,
};
use crate::progress::TerminalProgress;
use crate::run_choice::SystemList;
use crate::{GlobalArgs, values};

/// Compare results with the ranks that ratings expect, by experience, division and half
///
/// Replays rating systems, and prints the mean change of ratings, the mean performance and its mean
/// magnitude, the error: a performance is the logarithm, base 2, of the expected over the actual rank.
/// Then the contests in which a system predicts better than the first one, by division and size
/// (Elo-SRM, tables 1 to 5), or with --sweep the error over values of parameters (figures 3 to 8). All
/// contests count, newcomers too. Writes no run.
#[derive(Debug, Args)]
pub(super) struct PerformanceArgs {
    /// Source [default: the only one of the database]
    #[arg(value_name = "SOURCE", value_parser = values::parse_source)]
    source: Option<SourceName>,
    /// Systems to replay, of which the others are compared with the first: all, or a list such as
    /// topcoder-official,elo-srm:k=500
    #[arg(long, value_name = "NAME[:KEY=VALUE]", value_parser = parse_compared,
        default_value = "topcoder-official,elo-srm,elo-srm2")]
    systems: SystemList,
    /// Values of a parameter of one system: prints the error with each; repeatable, then the lowest
    /// error over the values of the further parameters
    #[arg(long, value_name = "KEY=VALUE,…")]
    sweep: Vec<Sweep>,
    /// Write a chart of the error by system, or over the swept parameter, to this folder
    #[arg(long, value_name = "FOLDER")]
    svg: Option<PathBuf>,
}

impl PerformanceArgs {
    pub(super) fn run(self, global: &GlobalArgs) -> anyhow::Result<Exit> {
        let store = Store::open_reader(global.db())?;
        let snapshot = store.snapshot()?;
        let swept = SweptSystems::new(&self.systems.0, &self.sweep)?;
        let request = PerformanceRequest {
            source: resolve_source(&store, self.source, None)?,
            systems: swept.as_ref().map_or(self.systems.0, SweptSystems::specs),
        };
        let progress = TerminalProgress::new();
        let result = measure_performances(&store, &request, &progress);
        progress.finish();
        let report = result?;
        drop(snapshot);
        let curve = swept.map(|swept| swept.curve(&report));
        if let Some(folder) = &self.svg {
            let title = format!("Error of the expected ranks, {}", report.source);
            let chart = match &curve {
                Some(curve) => curve.draw(&title),
                None => draw(&report, &title),
            };
            write_chart(folder, "error.svg", &chart)?;
        }
        let result = PrintedReport {
            report: &report,
            sweep: curve.as_ref(),
        };
        if let Some(curve) = &curve {
            let keys = curve.columns().keys();
            return global.print_rows(&result, &curve.points(), &keys, || {
                print_contests(&report)?;
                curve.print()?;
                print_left_out(&report.left_out)
            });
        }
        let rows: Vec<GroupRow<'_>> = report.systems.iter().flat_map(GroupRow::list).collect();
        global.print_rows(&result, &rows, &group_columns().keys(), || print_report(&report, &rows))
    }
}

/// The report, and the curve of the swept parameter.
#[derive(Serialize)]
struct PrintedReport<'a> {
    #[serde(flatten)]
    report: &'a PerformanceReport,
    sweep: Option<&'a ErrorCurve>,
}

/// A group of results under a system in the table.
#[derive(Serialize)]
struct GroupRow<'a> {
    system: &'a str,
    #[serde(flatten)]
    group: &'a GroupPerformance,
}

impl<'a> GroupRow<'a> {
    fn list(system: &'a SystemPerformances) -> impl Iterator<Item = Self> {
        system.groups.iter().map(|group| Self {
            system: &system.system,
            group,
        })
    }
}

fn group_columns<'a>() -> Columns<'a, GroupRow<'a>> {
    Columns::new()
        .left("system", |row: &GroupRow<'a>| CellValue::text(row.system))
        .important()
        .left("group", |row| CellValue::text(&row.group.group))
        .important()
        .right("results", |row| format_count(row.group.results))
        .right("change", |row| or_dash(row.group.change.map(|change| format_signed(change, 1))))
        .important()
        .right("performance", |row| format!("{:+.3}", row.group.performance))
        .important()
        .right("error", |row| format!("{:.4}", row.group.error))
        .important()
}

fn system_columns<'a>() -> Columns<'a, SystemPerformances> {
    Columns::new()
        .left("system", |row: &SystemPerformances| CellValue::text(&row.system))
        .important()
        .right("error", |row| format!("{:.4}", row.error))
        .important()
        .right("change", |row| format_signed(row.change, 1))
        .important()
        .right(("change_deviation", "deviation"), |row| format_points(row.change_deviation, 0))
        .right(("largest_gain", "largest"), |row| format_points(row.largest_gain, 0))
        .right("initial", |row| format_points(row.initial, 0))
        .right("median", |row| format_points(row.median, 0))
        .right("highest", |row| format_points(row.highest, 0))
}

fn contest_columns<'a>() -> Columns<'a, (&'a str, &'a ContestsBetter)> {
    let percent = |share: Option<f64>| or_dash(share.map(|share| format!("{share:.1} %")));
    Columns::new()
        .left("system", |(system, _): &(&'a str, &'a ContestsBetter)| CellValue::text(*system))
        .important()
        .left(("group", "contests"), |(_, row)| CellValue::text(&row.group))
        .important()
        .right(("contests", "number"), |(_, row)| format_count(row.contests))
        .right(("kendall_tau", "better by tau"), move |(_, row)| percent(row.kendall_tau))
        .important()
        .right(("spearman_rho", "by rho"), move |(_, row)| percent(row.spearman_rho))
        .important()
        .right(("error", "by error"), move |(_, row)| percent(row.error))
        .important()
}

fn print_contests(report: &PerformanceReport) -> io::Result<()> {
    let contests = format_plural(report.contests, "contest");
    print_line(&escape_line(&format!("{}: {contests}", report.source)))
}

fn print_report(report: &PerformanceReport, rows: &[GroupRow<'_>]) -> io::Result<()> {
    print_contests(report)?;
    print_table(system_columns(), &report.systems)?;
    print_line("")?;
    print_table(group_columns(), rows)?;
    let compared = report
        .systems
        .iter()
        .flat_map(|system| system.better.iter().map(|contests| (&*system.system, contests)));
    let compared: Vec<_> = compared.collect();
    if let Some(first) = report.systems.first().filter(|_| !compared.is_empty()) {
        print_line("")?;
        print_line(&escape_line(&format!("contests predicted better than by {}", first.system)))?;
        print_table(contest_columns(), &compared)?;
    }
    print_left_out(&report.left_out)
}

/// Draws the error of each system, a bar each, in the order of the request.
fn draw(report: &PerformanceReport, title: &str) -> String {
    let systems = report.systems.iter();
    let bars = systems.clone().enumerate().map(|(index, system)| ChartBar {
        x: (f64::NEG_INFINITY, system.error),
        y: (index as f64 + 0.15, index as f64 + 0.85),
        text: String::new(),
    });
    let chart = Chart {
        title,
        size: [900, 60 + 34 * report.systems.len() as u32],
        x: Axis::new("error in powers of two", Ticks::Numbers),
        y: Axis::new("", Ticks::Names(systems.map(|system| &*system.system).collect())),
        marks: vec![Marks::Bars(bars.collect())],
    };
    chart.to_file()
}
