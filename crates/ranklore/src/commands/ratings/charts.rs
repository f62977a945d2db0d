//! Charts of a comparison of rating systems, as SVG files.

use std::error::Error;
use std::fs;
use std::ops::Range;
use std::path::Path;

use anyhow::Context;
use plotters::coord::Shift;
use plotters::prelude::*;
use ranklore_replay::{COIN_TOSS_BASELINE, ComparedSystem, Comparison, Metric, Unit};

use crate::commands::ratings::comparison::heading;

/// The size of a chart in pixels, and the height of a bar.
const WIDTH: u32 = 900;
const HEIGHT: u32 = 560;
const BAR_HEIGHT: u32 = 34;

const BAR_COLOUR: RGBColor = RGBColor(78, 121, 167);

/// The most systems in a chart with a line for each.
const MAX_LINES: usize = 8;

type Drawn = Result<(), Box<dyn Error>>;
type Draw = fn(&Comparison, &Area<'_>) -> Drawn;
type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;

/// Writes `intervals.svg`, `calibration.svg` and `years.svg` into a folder.
///
/// # Errors
/// Errors if the folder or a file cannot be written.
pub(crate) fn write_charts(comparison: &Comparison, folder: &Path) -> anyhow::Result<()> {
    fs::create_dir_all(folder)
        .with_context(|| format!("cannot create the folder {}", folder.display()))?;
    let bars = u32::try_from(comparison.systems.len()).unwrap_or(u32::MAX);
    let charts: [(&str, u32, Draw); 3] = [
        ("intervals.svg", 120 + BAR_HEIGHT.saturating_mul(bars), draw_intervals),
        ("calibration.svg", HEIGHT, draw_calibration),
        ("years.svg", HEIGHT, draw_years),
    ];
    for (name, height, draw) in charts {
        let path = folder.join(name);
        let mut svg = String::new();
        let area = SVGBackend::with_string(&mut svg, (WIDTH, height)).into_drawing_area();
        let result: Drawn = area
            .fill(&WHITE)
            .map_err(Into::into)
            .and_then(|()| draw(comparison, &area))
            .and_then(|()| area.present().map_err(Into::into));
        // The area borrows the text.
        drop(area);
        result.map_err(|error| anyhow::anyhow!("cannot draw {}: {error}", path.display()))?;
        fs::write(&path, svg).with_context(|| format!("cannot write {}", path.display()))?;
    }
    Ok(())
}

/// Returns the builder of a chart, without the place for the labels on its left.
fn chart_builder<'a, 'b>(
    area: &'a Area<'b>,
    caption: &str,
) -> ChartBuilder<'a, 'b, SVGBackend<'b>> {
    let mut builder = ChartBuilder::on(area);
    builder.caption(caption, ("sans-serif", 20)).margin(16).x_label_area_size(44);
    builder
}

/// Draws a bar per system, best first, with the interval of the metric that orders them.
fn draw_intervals(comparison: &Comparison, area: &Area<'_>) -> Drawn {
    let metric = comparison.metric;
    let systems = comparison.systems.iter();
    let bars: Vec<_> = systems
        .filter_map(|system| Some((system.system.as_str(), *system.metric(metric)?)))
        .collect();
    let lows = bars.iter().map(|(_, bar)| bar.low.unwrap_or(bar.value));
    let lowest = lows.fold(f64::INFINITY, f64::min);
    let highs = bars.iter().map(|(_, bar)| bar.high.unwrap_or(bar.value));
    let highest = highs.fold(f64::NEG_INFINITY, f64::max);
    // Bars do not reach the frame, also if all values are equal.
    let margin = (0.05 * (highest - lowest)).max(1e-9);
    let names: Vec<&str> = bars.iter().map(|bar| bar.0).collect();
    let count = bars.len();
    let caption = title(metric, &comparison.slice);
    let mut chart = chart_builder(area, &caption).y_label_area_size(230).build_cartesian_2d(
        lowest - margin..highest + margin,
        (0..count.saturating_sub(1)).into_segmented(),
    )?;
    chart
        .configure_mesh()
        .disable_y_mesh()
        .x_desc(metric.info().description)
        .y_labels(count)
        .y_label_formatter(&|at| match at {
            // The first is at the bottom.
            SegmentValue::CenterOf(index) => count
                .checked_sub(index + 1)
                .and_then(|index| names.get(index))
                .map_or_else(String::new, |name| shorten(name)),
            _ => String::new(),
        })
        .draw()?;
    for (index, (_, values)) in bars.iter().rev().enumerate() {
        let end = if index + 1 < count {
            SegmentValue::Exact(index + 1)
        } else {
            SegmentValue::Last
        };
        let mut bar = Rectangle::new(
            [
                (lowest - margin, SegmentValue::Exact(index)),
                (values.value, end),
            ],
            BAR_COLOUR.mix(0.7).filled(),
        );
        bar.set_margin(5, 5, 0, 0);
        chart.draw_series([bar])?;
        if let Some((low, high)) = values.low.zip(values.high) {
            let ends = [low, high].map(|value| (value, SegmentValue::CenterOf(index)));
            chart.draw_series([PathElement::new(ends, BLACK.stroke_width(2))])?;
        }
    }
    Ok(())
}

/// Draws actual over expected scores of favourites, a line per system.
fn draw_calibration(comparison: &Comparison, area: &Area<'_>) -> Drawn {
    let caption = format!("Calibration, {}", comparison.slice);
    let mut chart = chart_builder(area, &caption)
        .y_label_area_size(64)
        .build_cartesian_2d(0.5..1.0, 0.4..1.0)?;
    chart
        .configure_mesh()
        .x_desc("expected score of the favourite")
        .y_desc("actual score")
        .draw()?;
    chart.draw_series([PathElement::new([(0.5, 0.5), (1.0, 1.0)], BLACK.mix(0.4))])?;
    let lines = comparison.systems.iter().filter_map(|system| {
        let calibration = &system.slice(&comparison.slice)?.calibration;
        let points = calibration.iter().map(|row| (row.expected, row.actual.clamp(0.4, 1.0)));
        let points: Vec<(f64, f64)> = points.collect();
        // A single point is no line.
        (points.len() > 1).then_some((system, points))
    });
    draw_lines(&mut chart, lines.take(MAX_LINES))
}

/// Draws the metric by year, a line per system.
fn draw_years(comparison: &Comparison, area: &Area<'_>) -> Drawn {
    let metric = comparison.metric;
    let systems = comparison.systems.iter();
    let lines: Vec<_> = systems
        // A coin toss is a straight line far below the others.
        .filter(|system| system.system != COIN_TOSS_BASELINE)
        .map(|system| (system, metric_by_year(system, metric)))
        .filter(|(_, points)| !points.is_empty())
        .take(MAX_LINES)
        .collect();
    if lines.is_empty() {
        return Ok(());
    }
    let points = lines.iter().flat_map(|(_, points)| points);
    let years = axis_range(points.clone().map(|point| point.0));
    let values = axis_range(points.map(|point| point.1));
    let caption = format!("{} of everybody by year", heading(metric));
    let mut chart = chart_builder(area, &caption)
        .y_label_area_size(64)
        .build_cartesian_2d(years, values)?;
    chart
        .configure_mesh()
        .x_label_formatter(&|year| {
            // Only whole years.
            let is_year = (year - year.round()).abs() < 1e-6;
            if is_year {
                format!("{year:.0}")
            } else {
                String::new()
            }
        })
        .x_desc("year")
        .y_desc(metric.info().description)
        .draw()?;
    draw_lines(&mut chart, lines.into_iter())
}

/// Returns the years that have the metric, each with its value.
fn metric_by_year(system: &ComparedSystem, metric: Metric) -> Vec<(f64, f64)> {
    let years = system.slices.iter().filter_map(|slice| {
        let year: f64 = slice.slice.strip_prefix("year ")?.parse().ok()?;
        Some((year, slice.metrics.get(metric)?))
    });
    years.collect()
}

/// Returns the range of an axis for these values.
fn axis_range(values: impl Iterator<Item = f64> + Clone) -> Range<f64> {
    let lowest = values.clone().fold(f64::INFINITY, f64::min);
    let highest = values.fold(f64::NEG_INFINITY, f64::max);
    // Lines do not lie on the frame.
    let margin = 0.04 * (highest - lowest);
    if margin > 0.0 {
        lowest - margin..highest + margin
    } else {
        lowest - 0.5..lowest + 0.5
    }
}

type LineChart<'c, 'a> = ChartContext<
    'c,
    SVGBackend<'a>,
    Cartesian2d<plotters::coord::types::RangedCoordf64, plotters::coord::types::RangedCoordf64>,
>;

/// Draws a line with points for each system, and their names.
fn draw_lines<'s, 'c, 'b: 'c>(
    chart: &mut LineChart<'c, 'b>,
    lines: impl Iterator<Item = (&'s ComparedSystem, Vec<(f64, f64)>)>,
) -> Drawn {
    for (index, (system, points)) in lines.enumerate() {
        let colour = Palette99::pick(index).to_rgba();
        chart
            .draw_series(LineSeries::new(points, colour.stroke_width(2)).point_size(3))?
            .label(shorten(&system.system))
            .legend(move |(x, y)| PathElement::new([(x, y), (x + 18, y)], colour.stroke_width(2)));
    }
    chart
        .configure_series_labels()
        .position(SeriesLabelPosition::LowerRight)
        .background_style(WHITE.mix(0.8))
        .border_style(BLACK.mix(0.3))
        .draw()?;
    Ok(())
}

fn title(metric: Metric, slice: &str) -> String {
    let unit = match metric.info().unit {
        Unit::Percent => " in percent",
        Unit::Number => "",
    };
    format!("{}{unit}, {slice}, with 95 % intervals", heading(metric))
}

/// Shortens the name of a system with many settings.
fn shorten(name: &str) -> String {
    const MAX: usize = 34;
    if name.chars().count() <= MAX {
        return name.to_owned();
    }
    name.chars().take(MAX - 1).chain(['…']).collect()
}
