//! The output of `ranklore evaluate --systems`.

use std::io;

use ranklore_replay::{
    ComparedMetric, ComparedSystem, Comparison, Metric, MetricValues, PREVIOUS_PLACE_BASELINE,
    SliceAccuracy, Unit,
};
use serde::Serialize;

use crate::output::{
    TextTable, escape_line, escape_name, format_count, format_plural, format_signed, format_size,
    or_dash, print_line, print_note,
};

/// The columns of CSV before those of the metrics.
const FIRST_COLUMNS: [&str; 4] = ["system", "slice", "contests", "results"];

/// The columns of CSV behind those of the metrics.
const LAST_COLUMNS: [&str; 9] = [
    "low",
    "high",
    "difference",
    "difference_low",
    "difference_high",
    "contests_won",
    "official_equal",
    "seconds",
    "bytes",
];

/// Returns the columns of CSV.
pub(crate) fn columns() -> Vec<&'static str> {
    let metrics = Metric::ALL.iter().map(|metric| metric.as_str());
    let first = FIRST_COLUMNS.into_iter().chain(metrics);
    first.chain(LAST_COLUMNS).collect()
}

/// A system in a slice: a row of CSV. Intervals are of the metric that orders the systems, in the
/// slice that orders them.
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

/// Returns the rows of CSV.
pub(crate) fn rows(comparison: &Comparison) -> Vec<SystemRow<'_>> {
    let rows = comparison.systems.iter().flat_map(|system| {
        system.slices.iter().map(move |slice| {
            let is_ordering = slice.slice == comparison.slice;
            let metric = system.metric(comparison.metric).filter(|_| is_ordering);
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
                contests_won: system.contests_won.filter(|_| is_ordering),
                official_equal: system.official.and_then(|official| official.percent()),
                seconds: system.seconds,
                bytes: system.bytes,
            }
        })
    });
    rows.collect()
}

/// Prints a row per system, best first; then the metric in all slices.
pub(crate) fn print_comparison(comparison: &Comparison) -> io::Result<()> {
    print_systems(comparison)?;
    print_slices(comparison)
}

/// Prints a row per system, best first, and those that are left out.
pub(crate) fn print_systems(comparison: &Comparison) -> io::Result<()> {
    use Metric::{Brier, Concordance, LogLoss, Top1};
    print_line(&describe_contests(comparison))?;
    let metric = comparison.metric;
    let better = metric.info().better.as_str();
    print_line(&format!(
        "{}: {}; {better} is better; 95 % intervals",
        heading(metric),
        metric.info().description
    ))?;
    let slice = &*comparison.slice;
    let has_official = comparison.systems.iter().any(|s| s.official.is_some());
    let mut table = TextTable::new(&comparison.systems)
        .left("system", |system| system.system.clone())
        .important()
        .right(heading(metric), |row| format_metric(row, slice, metric))
        .important()
        .right("interval", |system| {
            let value = system.metric(metric);
            or_dash(value.and_then(|value| format_range(metric, value.low, value.high)))
        })
        .right("to the best", |system| {
            let value = metric_to_best(system, metric);
            value.map_or_else(String::new, |v| format_difference(metric, v.difference))
        })
        .right("interval", |system| {
            let value = metric_to_best(system, metric);
            value.map_or_else(String::new, |v| {
                or_dash(format_range(metric, v.difference_low, v.difference_high))
            })
        })
        .right("contests won", |system| {
            let percent = system.contests_won;
            percent.map_or_else(String::new, |percent| format!("{percent:.1} %"))
        });
    for other in [Concordance, LogLoss, Brier, Top1] {
        table = table
            .right(heading(other), move |row| format_metric(row, slice, other))
            .only_if(other != metric);
    }
    table
        .right("equal to official", |system| {
            let percent = system.official.and_then(|official| official.percent());
            or_dash(percent.map(|percent| format!("{percent:.2} %")))
        })
        .only_if(has_official)
        .right("seconds", |system| {
            let seconds = system.seconds;
            seconds.map_or_else(String::new, |seconds| format!("{seconds:.2}"))
        })
        .right("memory", |system| system.bytes.map_or_else(String::new, format_size))
        .print()?;
    for left_out in &comparison.left_out {
        let line = format!("left out: {}: {}", left_out.system, left_out.reason);
        print_line(&escape_line(&line))?;
    }
    Ok(())
}

/// Formats a metric of a system in a slice.
fn format_metric(system: &ComparedSystem, slice: &str, metric: Metric) -> String {
    let value = system.slice(slice).and_then(|slice| slice.metrics.get(metric));
    or_dash(value.map(|value| format_value(metric, value)))
}

/// Returns the metric of a system that is compared with the best one; `None` for the best, and for
/// baselines without order.
fn metric_to_best(system: &ComparedSystem, metric: Metric) -> Option<&ComparedMetric> {
    system.metric(metric).filter(|_| system.contests_won.is_some())
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
    let mut table = TextTable::new(&slices)
        .left("slice", |slice| escape_name(&slice.slice))
        .right("contests", |slice| format_count(slice.contests))
        .right("results", |slice| format_count(slice.results));
    for (_, system) in columns {
        table =
            table.right(&*system.system, move |slice| format_metric(system, &slice.slice, metric));
    }
    table.print()?;
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
    let selection: serde_json::Value =
        serde_json::from_str(&comparison.selection).unwrap_or_default();
    let names = selection["sources"].as_array().into_iter().flatten();
    let sources: Vec<&str> = names.filter_map(|name| name.as_str()).collect();
    let percent = settings["train"].as_f64();
    let share = percent.map_or_else(String::new, |percent| format!(" ({percent} %)"));
    let k = settings["k"].as_f64().filter(|k| *k != 0.0);
    let order = k.map_or_else(String::new, |k| format!(", by mu - {k} sigma"));
    escape_line(&format!(
        "{}: {} predicted{order}, the {} before them train{share}; slice {}",
        sources.join(", "),
        format_plural(comparison.predicted, "contest"),
        format_count(comparison.trained),
        comparison.slice
    ))
}

/// Returns the name of a metric in text.
pub(crate) fn heading(metric: Metric) -> String {
    metric.as_str().replace('_', " ")
}

/// Formats the value of a metric.
pub(crate) fn format_value(metric: Metric, value: f64) -> String {
    let info = metric.info();
    let unit = match info.unit {
        Unit::Percent => " %",
        Unit::Number => "",
    };
    format!("{value:.*}{unit}", usize::from(info.decimals))
}

fn format_difference(metric: Metric, difference: f64) -> String {
    format_signed(difference, metric.info().decimals)
}

fn format_range(metric: Metric, low: Option<f64>, high: Option<f64>) -> Option<String> {
    let decimals = usize::from(metric.info().decimals);
    let (low, high) = low.zip(high)?;
    Some(format!("{low:.decimals$} to {high:.decimals$}"))
}
