//! `ranklore experiment group-size`

use std::io;
use std::path::PathBuf;

use clap::Args;
use ranklore_contest::SourceName;
use ranklore_store::Store;
use ranklore_views::charts::{Axis, Ticks};
use ranklore_views::{
    CellValue, Columns, GroupSizeAccuracy, GroupSizeReport, GroupSizeRequest, Metric,
    SystemAccuracy, measure_group_sizes,
};
use serde::Serialize;

use super::{draw_lines, print_left_out, write_chart};
use crate::commands::ratings::comparison::{format_metric, heading};
use crate::commands::ratings::evaluate::parse_compared;
use crate::commands::source_argument::resolve_source;
use crate::exit::{Exit, WrongUsage};
use crate::output::{escape_line, format_count, print_line, print_table};
use crate::progress::TerminalProgress;
use crate::run_choice::SystemList;
use crate::{GlobalArgs, values};

/// Hold contests in groups of their entrants, and evaluate the predictions by size
///
/// Splits the entrants of each contest at random into groups of at most a size, ranked by their places,
/// which the systems rate as contests of their own (Elo-MMR, section 6.5 and figure 3). The first
/// tenth trains. Writes no run.
#[derive(Debug, Args)]
pub(super) struct GroupSizeArgs {
    /// Source [default: the only one of the database]
    #[arg(value_name = "SOURCE", value_parser = values::parse_source)]
    source: Option<SourceName>,
    /// Systems to replay: all, or a list such as elo-mmr:rho=1,glicko2
    #[arg(long, value_name = "NAME[:KEY=VALUE]", value_parser = parse_compared,
        default_value = "elo-mmr,elo-mmx,codeforces,topcoder,trueskill-spb")]
    systems: SystemList,
    /// Sizes of the groups; all for whole contests
    #[arg(long, value_name = "N", value_delimiter = ',', value_parser = parse_size,
        default_value = "2,5,10,20,50,100,200,500,1000,all")]
    sizes: Vec<GroupSize>,
    /// Seed of the groups
    #[arg(long, value_name = "NUMBER", default_value_t = 1)]
    seed: u64,
    /// Write charts of pair inversion and rank deviation to this folder
    #[arg(long, value_name = "FOLDER")]
    svg: Option<PathBuf>,
}

/// The largest group, in entrants; `None` for whole contests.
#[derive(Clone, Copy, Debug, PartialEq)]
struct GroupSize(Option<u32>);

fn parse_size(word: &str) -> Result<GroupSize, String> {
    if word == "all" {
        return Ok(GroupSize(None));
    }
    let size = word.parse().ok().filter(|&size| size >= 2);
    size.map(|size| GroupSize(Some(size)))
        .ok_or_else(|| "expected a number of entrants from 2, or all".to_owned())
}

impl GroupSizeArgs {
    pub(super) fn run(self, global: &GlobalArgs) -> anyhow::Result<Exit> {
        let mut sizes = self.sizes.iter().enumerate();
        if let Some((_, size)) = sizes.find(|(index, size)| self.sizes[..*index].contains(size)) {
            let size = describe_size(size.0);
            return Err(WrongUsage(format!("--sizes lists {size} twice")).into());
        }
        let store = Store::open_reader(global.db())?;
        let snapshot = store.snapshot()?;
        let request = GroupSizeRequest {
            source: resolve_source(&store, self.source, None)?,
            systems: self.systems.0,
            sizes: self.sizes.iter().map(|size| size.0).collect(),
            seed: self.seed,
        };
        let progress = TerminalProgress::new();
        let result = measure_group_sizes(&store, &request, &progress);
        progress.finish();
        let report = result?;
        drop(snapshot);
        if let Some(folder) = &self.svg {
            for (name, metric) in [
                ("pair-inversion.svg", Metric::PairInversion),
                ("rank-deviation.svg", Metric::RankDeviation),
            ] {
                write_chart(folder, name, &draw(&report, metric))?;
            }
        }
        let rows: Vec<GroupSizeRow<'_>> =
            report.sizes.iter().flat_map(GroupSizeRow::list).collect();
        global.print_rows(&report, &rows, &columns().keys(), || print_report(&report, &rows))?;
        Ok(Exit::Done)
    }
}

/// A system at a size in the table.
#[derive(Serialize)]
struct GroupSizeRow<'a> {
    size: Option<u32>,
    #[serde(flatten)]
    system: &'a SystemAccuracy,
}

impl<'a> GroupSizeRow<'a> {
    fn list(group: &'a GroupSizeAccuracy) -> impl Iterator<Item = Self> {
        group.systems.iter().map(|system| Self {
            size: group.size,
            system,
        })
    }
}

fn columns<'a>() -> Columns<'a, GroupSizeRow<'a>> {
    let mut columns = Columns::new()
        .right("size", |row: &GroupSizeRow<'a>| describe_size(row.size))
        .important()
        .left("system", |row| CellValue::text(&row.system.system))
        .important()
        .right("contests", |row| format_count(row.system.accuracy.contests))
        .right("results", |row| format_count(row.system.accuracy.results));
    for metric in Metric::ALL {
        let column = columns.right((metric.as_str(), heading(metric)), move |row| {
            format_metric(metric, row.system.accuracy.metrics.get(metric))
        });
        columns = match metric {
            Metric::PairInversion | Metric::RankDeviation => column.important(),
            Metric::Concordance | Metric::LogLoss => column,
            _ => column.shown_if(false),
        };
    }
    columns
}

fn describe_size(size: Option<u32>) -> String {
    size.map_or_else(|| "all".to_owned(), |size| format_count(u64::from(size)))
}

fn print_report(report: &GroupSizeReport, rows: &[GroupSizeRow<'_>]) -> io::Result<()> {
    let line = format!("{}, slice {}: by the largest group", report.source, report.slice);
    print_line(&escape_line(&line))?;
    print_table(columns(), rows)?;
    print_left_out(&report.left_out)
}

/// Draws a metric over the sizes, a line per system. Sizes are names: they grow by orders of magnitude.
fn draw(report: &GroupSizeReport, metric: Metric) -> String {
    let names: Vec<String> = report.sizes.iter().map(|group| describe_size(group.size)).collect();
    let systems = report.sizes.first().map_or(&[][..], |group| &group.systems);
    let lines = systems.iter().map(|SystemAccuracy { system, .. }| {
        let points = (0_u32..).zip(&report.sizes).filter_map(|(position, group)| {
            let row = group.systems.iter().find(|row| row.system == *system)?;
            Some((f64::from(position) + 0.5, row.accuracy.metrics.get(metric)?))
        });
        (&**system, points.collect())
    });
    draw_lines(
        &format!("{} of {} by the size of contests", heading(metric), report.slice),
        Axis::new(
            "entrants of a contest",
            Ticks::Names(names.iter().map(String::as_str).collect()),
        ),
        Axis::new(metric.info().description, Ticks::Numbers),
        lines.collect(),
    )
}
