//! The output of `ranklore evaluate --systems`.

use std::io;

use ranklore_replay::RunSelection;
use ranklore_views::{
    CellValue, Columns, ComparedMetric, Comparison, Metric, MetricValues, PREVIOUS_PLACE_BASELINE,
    SliceAccuracy, Unit,
};
use serde::Serialize;

use crate::output::{
    escape_line, format_count, format_plural, format_signed, format_size, join_words, or_dash,
    print_line, print_note, print_table,
};

/// Returns the columns of systems.
pub(crate) fn columns(comparison: &Comparison) -> Columns<'_, SystemRow<'_>> {
    use Metric::{Brier, Concordance, LogLoss, Surprise, Top1};
    let metric = comparison.metric;
    let mut columns = Columns::new()
        .left("system", |row: &SystemRow<'_>| CellValue::text(row.system))
        .important()
        .data(&["slice", "contests", "results"]);
    for other in Metric::ALL {
        let column = columns.right((other.as_str(), heading(other)), move |row| {
            format_metric(other, row.metrics.get(other))
        });
        columns = match other {
            other if other == metric => column.important(),
            Concordance | LogLoss | Brier | Top1 | Surprise => column.before("official_equal"),
            _ => column.shown_if(false),
        };
    }
    columns
        .right(("low", "interval"), move |row| or_dash(format_range(metric, row.low, row.high)))
        .data(&["high"])
        .right(("difference", "to the best"), move |row| {
            let difference = row.difference_to_best()?;
            Some(format_signed(difference, metric.info().decimals))
        })
        .right(("difference_low", "interval"), move |row| {
            let range = format_range(metric, row.difference_low, row.difference_high);
            row.difference_to_best().map(|_| or_dash(range))
        })
        .data(&["difference_high"])
        .right("contests_won", |row| row.contests_won.map(|percent| format!("{percent:.1} %")))
        .right(("official_equal", "equal to official"), |row| {
            or_dash(row.official_equal.map(|percent| format!("{percent:.2} %")))
        })
        .shown_if(comparison.systems.iter().any(|system| system.official.is_some()))
        .right("seconds", |row| row.seconds.map(|seconds| format!("{seconds:.2}")))
        .right(("bytes", "memory"), |row| row.bytes.map(format_size))
}

/// A system in a slice. Intervals are of the metric that orders the systems.
#[derive(Serialize)]
pub(crate) struct SystemRow<'a> {
    /// The system with its settings.
    system: &'a str,
    /// The slice.
    slice: &'a str,
    /// Number of contests.
    contests: u64,
    /// Number of results.
    results: u64,
    /// The metrics.
    #[serde(flatten)]
    metrics: MetricValues,
    low: Option<f64>,
    high: Option<f64>,
    difference: Option<f64>,
    difference_low: Option<f64>,
    difference_high: Option<f64>,
    contests_won: Option<f64>,
    /// The percentage of displayed ratings that equal those of the site.
    official_equal: Option<f64>,
    seconds: Option<f64>,
    bytes: Option<u64>,
}

impl SystemRow<'_> {
    /// Returns the difference to the best system; `None` for the best, and for baselines without
    /// order.
    fn difference_to_best(&self) -> Option<f64> {
        self.difference.filter(|_| self.contests_won.is_some())
    }
}

/// Returns the rows: each system in each slice.
pub(crate) fn rows(comparison: &Comparison) -> Vec<SystemRow<'_>> {
    let rows = comparison.systems.iter().flat_map(|system| {
        system.slices.iter().map(move |slice| {
            let mut compared = slice.compared.iter();
            let metric = compared.find(|row| row.metric == comparison.metric);
            SystemRow {
                system: &system.system,
                slice: &slice.slice,
                contests: slice.contests,
                results: slice.results,
                metrics: slice.metrics,
                low: metric.and_then(|metric| metric.low),
                high: metric.and_then(|metric| metric.high),
                difference: metric.map(|metric| metric.difference),
                difference_low: metric.and_then(|metric| metric.difference_low),
                difference_high: metric.and_then(|metric| metric.difference_high),
                contests_won: metric.and_then(|metric| metric.contests_won),
                official_equal: system.official.and_then(|official| official.percent()),
                seconds: system.seconds,
                bytes: system.bytes,
            }
        })
    });
    rows.collect()
}

/// A metric of a system in a slice.
#[derive(Serialize)]
pub(crate) struct ComparedMetricRow<'a> {
    /// The system with its settings.
    system: &'a str,
    /// The slice.
    slice: &'a str,
    /// Number of contests.
    contests: u64,
    /// Number of results.
    results: u64,
    /// The metric, its value, and the difference to the best system.
    #[serde(flatten)]
    compared: &'a ComparedMetric,
}

/// Returns a row for each metric of each system in each slice.
pub(crate) fn metric_rows(comparison: &Comparison) -> Vec<ComparedMetricRow<'_>> {
    let slices = comparison
        .systems
        .iter()
        .flat_map(|system| system.slices.iter().map(move |slice| (system, slice)));
    let rows = slices.flat_map(|(system, slice)| {
        slice.compared.iter().map(move |compared| ComparedMetricRow {
            system: &system.system,
            slice: &slice.slice,
            contests: slice.contests,
            results: slice.results,
            compared,
        })
    });
    rows.collect()
}

/// Returns the columns of metrics.
pub(crate) fn metric_columns<'a>() -> Columns<'a, ComparedMetricRow<'a>> {
    let difference = |row: &ComparedMetric| {
        let value = row.difference;
        row.contests_won.map(|_| format_signed(value, row.metric.info().decimals))
    };
    Columns::new()
        .left("system", |row: &ComparedMetricRow<'a>| CellValue::text(row.system))
        .important()
        .left("slice", |row| CellValue::text(row.slice))
        .data(&["contests", "results"])
        .left("metric", |row| heading(row.compared.metric))
        .important()
        .right("value", |row| format_metric(row.compared.metric, Some(row.compared.value)))
        .important()
        .right(("low", "interval"), |row| {
            let ComparedMetric {
                metric, low, high, ..
            } = *row.compared;
            or_dash(format_range(metric, low, high))
        })
        .data(&["high"])
        .right(("difference", "to the best"), move |row| difference(row.compared))
        .right(("difference_low", "interval"), |row| {
            let row = row.compared;
            let range = format_range(row.metric, row.difference_low, row.difference_high);
            row.contests_won.map(|_| or_dash(range))
        })
        .data(&["difference_high"])
        .right("contests_won", |row| {
            row.compared.contests_won.map(|percent| format!("{percent:.1} %"))
        })
}

/// Prints a row for each metric of each system in each slice.
pub(crate) fn print_metrics(comparison: &Comparison) -> io::Result<()> {
    print_line(&describe_contests(comparison))?;
    print_table(metric_columns(), &metric_rows(comparison))?;
    print_left_out(comparison)
}

/// Prints a row per system, best first; then the metric in all slices.
pub(crate) fn print_comparison(comparison: &Comparison) -> io::Result<()> {
    print_systems(comparison)?;
    print_slices(comparison)
}

/// Prints a row per system, best first, and those that are left out.
pub(crate) fn print_systems(comparison: &Comparison) -> io::Result<()> {
    print_line(&describe_contests(comparison))?;
    let metric = comparison.metric;
    let better = metric.info().better.as_str();
    print_line(&format!(
        "{}: {}; {better} is better; 95 % intervals",
        heading(metric),
        metric.info().description
    ))?;
    let mut rows = rows(comparison);
    rows.retain(|row| row.slice == comparison.slice);
    print_table(columns(comparison), &rows)?;
    print_left_out(comparison)
}

fn print_left_out(comparison: &Comparison) -> io::Result<()> {
    for left_out in &comparison.left_out {
        let line = format!("left out: {}: {}", left_out.system, left_out.reason);
        print_line(&escape_line(&line))?;
    }
    Ok(())
}

/// Prints the metric in all slices: a row per slice, a column per system.
fn print_slices(comparison: &Comparison) -> io::Result<()> {
    let metric = comparison.metric;
    let Some(first) = comparison.systems.first() else {
        return Ok(());
    };
    print_line("")?;
    print_line(&format!("{} by slice", heading(metric)))?;
    let slices: Vec<&SliceAccuracy> = first.slices.iter().filter(|s| s.contests > 0).collect();
    let ranked_systems = comparison.systems.iter().enumerate();
    let (columns, rest): (Vec<_>, Vec<_>) = ranked_systems.partition(|(index, system)| {
        *index < MAX_COLUMNS || system.system == PREVIOUS_PLACE_BASELINE
    });
    let mut table = Columns::new()
        .left("slice", |slice: &&SliceAccuracy| CellValue::text(&slice.slice))
        .right("contests", |slice| format_count(slice.contests))
        .right("results", |slice| format_count(slice.results));
    for (_, system) in columns {
        let value = move |slice: &&SliceAccuracy| system.slice(&slice.slice)?.metrics.get(metric);
        table =
            table.right(("", &*system.system), move |slice| format_metric(metric, value(slice)));
    }
    print_table(table, &slices)?;
    // Baselines have no parameters; they are no systems to ask for.
    let hidden = rest.iter().filter(|(_, system)| system.parameters.is_some());
    let count = hidden.count() as u64;
    if count > 0 {
        let systems = format_plural(count, "system");
        print_note(&format!("{systems} more by slice: --format csv"));
    }
    Ok(())
}

/// The number of the best systems in the table by slice, besides the baseline.
const MAX_COLUMNS: usize = 3;

/// Returns the title: the contests, those that train, and the slice.
fn describe_contests(comparison: &Comparison) -> String {
    let settings: serde_json::Value =
        serde_json::from_str(&comparison.settings).unwrap_or_default();
    let selection = RunSelection::from_canonical_json(&comparison.selection);
    let mut contests: Vec<String> =
        selection.sources.iter().map(|source| source.as_str().to_owned()).collect();
    contests.extend(selection.describe_filters());
    let percent = settings["train"].as_f64();
    let share = percent.map_or_else(String::new, |percent| format!(" ({percent} %)"));
    let k = settings["k"].as_f64().filter(|k| *k != 0.0);
    let order = k.map_or_else(String::new, |k| format!(", by mu - {k} sigma"));
    escape_line(&format!(
        "{}: {} predicted{order}, the {} before them train{share}; slice {}",
        join_words(contests),
        format_plural(comparison.predicted, "contest"),
        format_count(comparison.trained),
        comparison.slice
    ))
}

/// Returns the name of a metric in text.
pub(crate) fn heading(metric: Metric) -> String {
    match metric {
        // Higher is better: the published name says the opposite of what it counts.
        Metric::PairInversion => "pairs in order".to_owned(),
        metric => metric.as_str().replace('_', " "),
    }
}

/// Formats the value of a metric, or a dash.
pub(crate) fn format_metric(metric: Metric, value: Option<f64>) -> String {
    let info = metric.info();
    let unit = match info.unit {
        Unit::Percent => " %",
        Unit::Number => "",
    };
    or_dash(value.map(|value| format!("{value:.*}{unit}", usize::from(info.decimals))))
}

pub(crate) fn format_range(metric: Metric, low: Option<f64>, high: Option<f64>) -> Option<String> {
    let decimals = usize::from(metric.info().decimals);
    let (low, high) = low.zip(high)?;
    Some(format!("{low:.decimals$} to {high:.decimals$}"))
}
