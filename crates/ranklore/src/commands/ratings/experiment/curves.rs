//! `ranklore experiment curves`

use std::io;
use std::path::PathBuf;

use clap::Args;
use ranklore_contest::{ContestTime, SourceName};
use ranklore_store::Store;
use ranklore_views::charts::{Axis, Ticks};
use ranklore_views::{
    CellValue, Columns, CurveCompetitors, CurvePoint, CurvesReport, CurvesRequest, RatingCurve,
    SystemCurves, follow_ratings,
};
use serde::Serialize;

use super::{draw_lines, file_stem, print_left_out, write_chart};
use crate::commands::ratings::evaluate::parse_compared;
use crate::commands::source_argument::resolve_source;
use crate::exit::Exit;
use crate::naming::{NamingArgs, note_pseudonyms};
use crate::output::{
    escape_line, format_count, format_plural, format_points, or_dash, print_line, print_table,
};
use crate::progress::TerminalProgress;
use crate::run_choice::SystemList;
use crate::{GlobalArgs, values};

/// The most lines of a chart: each has a colour, a dash and a form of its points.
const MAX_CURVES: u64 = 16;

/// Draw the ratings of several competitors over time
///
/// Replays rating systems, and follows the ratings of the most active competitors, or of those named:
/// a chart per system has a line for each (Kerby 2025, figures 1 to 5). CSV has a row per rating.
/// Writes no run.
#[derive(Debug, Args)]
pub(super) struct CurvesArgs {
    /// Source [default: the only one of the database]
    #[arg(value_name = "SOURCE", value_parser = values::parse_source)]
    source: Option<SourceName>,
    /// Systems to replay: all, or a list such as elo-mmr:rho=1,glicko2
    #[arg(long, value_name = "NAME[:KEY=VALUE]", value_parser = parse_compared,
        default_value = "elo-mmr")]
    systems: SystemList,
    /// Also draw the ratings that the site published
    #[arg(long)]
    official: bool,
    /// Number of competitors: those with the most rated contests
    #[arg(long, value_name = "N", default_value_t = 15,
        value_parser = clap::value_parser!(u64).range(1..=MAX_CURVES))]
    most_active: u64,
    /// Handle or name of a competitor, in place of the most active; repeatable
    #[arg(long, value_name = "NAME", conflicts_with = "most_active")]
    name: Vec<String>,
    /// Replay only contests that ended on this date or later: nothing is known before them
    #[arg(long, value_name = "DATE", value_parser = values::parse_time)]
    since: Option<ContestTime>,
    /// Replay only contests that ended before this date
    #[arg(long, value_name = "DATE", value_parser = values::parse_time)]
    until: Option<ContestTime>,
    /// Draw mu - K sigma
    #[arg(long, value_name = "K", value_parser = values::parse_factor, default_value = "0")]
    k: f64,
    /// Write a chart of the ratings, and one of sigma, per system to this folder
    #[arg(long, value_name = "FOLDER")]
    svg: Option<PathBuf>,
    #[command(flatten)]
    naming: NamingArgs,
}

impl CurvesArgs {
    pub(super) fn run(self, global: &GlobalArgs) -> anyhow::Result<Exit> {
        let store = Store::open_reader(global.db())?;
        let snapshot = store.snapshot()?;
        let request = CurvesRequest {
            source: resolve_source(&store, self.source, None)?,
            since: self.since,
            until: self.until,
            systems: self.systems.0,
            competitors: match self.name {
                names if names.is_empty() => {
                    CurveCompetitors::MostActive(self.most_active as usize)
                }
                names => CurveCompetitors::Named(names),
            },
            with_official: self.official,
            policy: self.naming.policy(),
        };
        let progress = TerminalProgress::new();
        let result = follow_ratings(&store, &request, &progress);
        progress.finish();
        let report = result?;
        drop(snapshot);
        note_pseudonyms(report.pseudonymised);
        let rating = Conservative(self.k);
        if let Some(folder) = &self.svg {
            for system in &report.systems {
                let stem = file_stem(&system.system);
                let ratings = draw(system, &rating.label(), |point| rating.compute(point));
                write_chart(folder, &format!("{stem}.svg"), &ratings)?;
                let mut points = system.curves.iter().flat_map(|curve| &curve.points);
                if points.any(|point| point.sigma > 0.0) {
                    let sigmas = draw(system, "sigma", |point| point.sigma);
                    write_chart(folder, &format!("{stem}-sigma.svg"), &sigmas)?;
                }
            }
        }
        let rows: Vec<PointRow<'_>> = report.systems.iter().flat_map(PointRow::list).collect();
        let keys = ["system", "name", "external_id", "ends_at", "mu", "sigma"];
        global.print_rows(&report, &rows, &keys, || print_report(&report, rating))?;
        Ok(Exit::Done)
    }
}

/// The number of sigmas that are subtracted from a rating.
#[derive(Clone, Copy)]
struct Conservative(f64);

impl Conservative {
    fn compute(self, point: &CurvePoint) -> f64 {
        point.mu - self.0 * point.sigma
    }

    fn label(self) -> String {
        match self.0 {
            0.0 => "mu".to_owned(),
            k => format!("mu − {k}·sigma"),
        }
    }
}

/// A rating in the formats of rows.
#[derive(Serialize)]
struct PointRow<'a> {
    system: &'a str,
    name: &'a str,
    external_id: &'a str,
    #[serde(flatten)]
    point: CurvePoint,
}

impl<'a> PointRow<'a> {
    fn list(system: &'a SystemCurves) -> impl Iterator<Item = Self> {
        system.curves.iter().flat_map(|curve| {
            curve.points.iter().map(|point| Self {
                system: &system.system,
                name: &curve.competitor.name,
                external_id: &curve.competitor.external_id,
                point: *point,
            })
        })
    }
}

type CurveOfSystem<'a> = (&'a str, &'a RatingCurve);

fn print_report(report: &CurvesReport, rating: Conservative) -> io::Result<()> {
    let bound = move |(_, curve): &CurveOfSystem<'_>, choose: fn(f64, f64) -> f64| {
        let ratings = curve.points.iter().map(|point| rating.compute(point));
        or_dash(ratings.reduce(choose).map(|rating| format_points(rating, 2)))
    };
    let columns = Columns::new()
        .left("system", |(system, _): &CurveOfSystem<'_>| CellValue::text(*system))
        .important()
        .left("name", |(_, curve)| CellValue::text(&curve.competitor.name))
        .important()
        .right("contests", |(_, curve)| format_count(curve.points.len() as u64))
        .right("first", move |row| bound(row, |first, _| first))
        .right("lowest", move |row| bound(row, f64::min))
        .right("highest", move |row| bound(row, f64::max))
        .right("last", move |row| bound(row, |_, last| last))
        .important()
        .right("sigma", |(_, curve)| {
            or_dash(curve.points.last().map(|point| format_points(point.sigma, 2)))
        });
    let rows = report
        .systems
        .iter()
        .flat_map(|system| system.curves.iter().map(|curve| (&*system.system, curve)));
    let rows: Vec<CurveOfSystem<'_>> = rows.collect();
    let contests = format_plural(report.contests, "contest");
    print_line(&escape_line(&format!("{}: {contests}, {}", report.source, rating.label())))?;
    print_table(columns, &rows)?;
    print_left_out(&report.left_out)
}

/// Draws a number of each rating over time, a line per competitor.
fn draw(system: &SystemCurves, label: &str, number: impl Fn(&CurvePoint) -> f64) -> String {
    let lines = system.curves.iter().map(|curve| {
        let points = curve.points.iter().map(|point| (point.ends_at as f64, number(point)));
        (&*curve.competitor.name, points.collect())
    });
    draw_lines(
        &format!("{label} by {}", system.system),
        Axis::new("", Ticks::Dates),
        Axis::new(label, Ticks::Numbers),
        lines.collect(),
    )
}
