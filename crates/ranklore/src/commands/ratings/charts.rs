//! Charts of a comparison of rating systems, as SVG files.

use std::fs;
use std::path::Path;

use anyhow::Context;
use ranklore_views::charts::{Axis, Chart, ChartBar, Line, LinePoint, Marks, Ticks};
use ranklore_views::{COIN_TOSS_BASELINE, ComparedSystem, Comparison, Metric, Unit};

use crate::commands::ratings::comparison::heading;

/// The size of a chart in pixels, and the height of a bar.
const WIDTH: u32 = 900;
const HEIGHT: u32 = 520;
const BAR_HEIGHT: u32 = 34;

/// The most systems in a chart with a line for each.
const MAX_LINES: usize = 8;

/// Writes `intervals.svg`, `calibration.svg` and `years.svg` into a folder.
///
/// # Errors
/// Errors if the folder or a file cannot be written.
pub(crate) fn write_charts(comparison: &Comparison, folder: &Path) -> anyhow::Result<()> {
    fs::create_dir_all(folder)
        .with_context(|| format!("cannot create the folder {}", folder.display()))?;
    for (name, svg) in [
        ("intervals.svg", draw_intervals(comparison)),
        ("calibration.svg", draw_calibration(comparison)),
        ("years.svg", draw_years(comparison)),
    ] {
        let path = folder.join(name);
        fs::write(&path, svg).with_context(|| format!("cannot write {}", path.display()))?;
    }
    Ok(())
}

/// Draws a bar per system, best first, with the interval of the metric that orders them.
fn draw_intervals(comparison: &Comparison) -> String {
    let metric = comparison.metric;
    let systems = comparison.systems.iter();
    let rows: Vec<_> = systems
        .filter_map(|system| Some((system.system.as_str(), system.metric(metric)?)))
        .collect();
    let intervals = rows.iter().enumerate().filter_map(|(index, (_, metric))| {
        let middle = index as f64 + 0.5;
        Some([(metric.low?, middle), (metric.high?, middle)])
    });
    let bars = rows.iter().enumerate().map(|(index, (_, metric))| ChartBar {
        x: (f64::NEG_INFINITY, metric.value),
        y: (index as f64 + 0.15, index as f64 + 0.85),
        text: String::new(),
    });
    let unit = match metric.info().unit {
        Unit::Percent => " in percent",
        Unit::Number => "",
    };
    let chart = Chart {
        title: &format!("{}{unit}, {}, with 95 % intervals", heading(metric), comparison.slice),
        size: [WIDTH, 60 + BAR_HEIGHT.saturating_mul(rows.len() as u32)],
        x: Axis::new(metric.info().description, Ticks::Numbers),
        y: Axis::new("", Ticks::Names(rows.iter().map(|(name, _)| *name).collect())),
        marks: vec![
            Marks::Segments(intervals.collect()),
            Marks::Bars(bars.collect()),
        ],
    };
    chart.to_file()
}

/// Draws actual over expected scores of favourites, a line per system.
fn draw_calibration(comparison: &Comparison) -> String {
    let lines = comparison.systems.iter().filter_map(|system| {
        let calibration = &system.slice(&comparison.slice)?.calibration;
        let points = calibration.iter().map(|row| (row.expected, row.actual.clamp(0.4, 1.0)));
        let points: Vec<(f64, f64)> = points.collect();
        // A single point is no line.
        (points.len() > 1).then(|| line(system, points))
    });
    let mut marks: Vec<Marks<'_>> = lines.take(MAX_LINES).collect();
    marks.push(Marks::Segments(vec![[(0.5, 0.5), (1.0, 1.0)]]));
    let axis = |label, range| Axis {
        range: Some(range),
        ..Axis::new(label, Ticks::Numbers)
    };
    let chart = Chart {
        title: &format!("Calibration, {}", comparison.slice),
        size: [WIDTH, HEIGHT],
        x: axis("expected score of the favourite", (0.5, 1.0)),
        y: axis("actual score", (0.4, 1.0)),
        marks,
    };
    chart.to_file()
}

/// Draws the metric by year, a line per system.
fn draw_years(comparison: &Comparison) -> String {
    let metric = comparison.metric;
    let systems = comparison.systems.iter();
    let lines = systems
        // A coin toss is a straight line far below the others.
        .filter(|system| system.system != COIN_TOSS_BASELINE)
        .map(|system| (system, metric_by_year(system, metric)))
        .filter(|(_, points)| !points.is_empty())
        .take(MAX_LINES)
        .map(|(system, points)| line(system, points));
    let chart = Chart {
        title: &format!("{} of everybody by year", heading(metric)),
        size: [WIDTH, HEIGHT],
        x: Axis::new("year", Ticks::Whole),
        y: Axis::new(metric.info().description, Ticks::Numbers),
        marks: lines.collect(),
    };
    chart.to_file()
}

/// Returns the years that have the metric, each with its value.
fn metric_by_year(system: &ComparedSystem, metric: Metric) -> Vec<(f64, f64)> {
    let years = system.slices.iter().filter_map(|slice| {
        let year: f64 = slice.slice.strip_prefix("year ")?.parse().ok()?;
        Some((year, slice.metrics.get(metric)?))
    });
    years.collect()
}

fn line(system: &ComparedSystem, points: Vec<(f64, f64)>) -> Marks<'static> {
    let points = points.into_iter().map(|(x, y)| LinePoint {
        x,
        y,
        ..LinePoint::default()
    });
    Marks::Line(Line {
        name: system.system.clone(),
        points: points.collect(),
    })
}
