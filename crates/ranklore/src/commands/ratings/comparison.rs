//! The output of `ranklore evaluate --systems`.

use std::io;

use ranklore_replay::{
    ComparedSystem, Comparison, Metric, MetricValues, PREVIOUS_PLACE_BASELINE, SliceAccuracy, Unit,
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
            let orders = slice.slice == comparison.slice;
            let compared = system.metric(comparison.metric).filter(|_| orders);
            SystemRow {
                system: &system.system,
                slice: &slice.slice,
                contests: slice.contests,
                results: slice.results,
                metrics: slice.metrics,
                low: compared.and_then(|of| of.low),
                high: compared.and_then(|of| of.high),
                difference: compared.map(|of| of.difference),
                difference_low: compared.and_then(|of| of.difference_low),
                difference_high: compared.and_then(|of| of.difference_high),
                contests_won: system.contests_won.filter(|_| orders),
                official_equal: system.official.and_then(|of| of.percent()),
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
    print_line(&describe_contests(comparison))?;
    let metric = comparison.metric;
    let better = metric.info().better.as_str();
    print_line(&format!(
        "{}: {}; {better} is better; 95 % intervals",
        heading(metric),
        metric.info().description
    ))?;
    let accuracy = |of: &ComparedSystem| of.slice(&comparison.slice).cloned();
    let value = |of: &ComparedSystem, metric: Metric| {
        let found = accuracy(of).and_then(|of| of.metrics.get(metric));
        or_dash(found.map(|of| format_value(metric, of)))
    };
    let compared = |of: &ComparedSystem| of.metric(metric).copied();
    let has_official = comparison.systems.iter().any(|of| of.official.is_some());
    let other = |metric: Metric| metric != comparison.metric;
    TextTable::new(&comparison.systems)
        .left("system", |of| of.system.clone())
        .important()
        .right(heading(metric), |of| value(of, metric))
        .important()
        .right("interval", |of| {
            or_dash(compared(of).and_then(|of| format_range(metric, of.low, of.high)))
        })
        .right("to the best", |of| {
            let compared = compared(of).filter(|_| of.contests_won.is_some());
            compared.map_or_else(String::new, |of| format_difference(metric, of.difference))
        })
        .right("interval", |of| {
            let compared = compared(of).filter(|_| of.contests_won.is_some());
            compared.map_or_else(String::new, |of| {
                or_dash(format_range(metric, of.difference_low, of.difference_high))
            })
        })
        .right("contests won", |of| {
            of.contests_won
                .map_or_else(String::new, |of| format!("{of:.1} %"))
        })
        .right(heading(Metric::Concordance), |of| {
            value(of, Metric::Concordance)
        })
        .only_if(other(Metric::Concordance))
        .right(heading(Metric::LogLoss), |of| value(of, Metric::LogLoss))
        .only_if(other(Metric::LogLoss))
        .right(heading(Metric::Brier), |of| value(of, Metric::Brier))
        .only_if(other(Metric::Brier))
        .right(heading(Metric::Top1), |of| value(of, Metric::Top1))
        .only_if(other(Metric::Top1))
        .right("equal to official", |of| {
            let percent = of.official.and_then(|of| of.percent());
            or_dash(percent.map(|of| format!("{of:.2} %")))
        })
        .only_if(has_official)
        .right("seconds", |of| {
            of.seconds.map_or_else(String::new, |of| format!("{of:.2}"))
        })
        .right("memory", |of| {
            of.bytes.map_or_else(String::new, format_size)
        })
        .print()?;
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
    let lines: Vec<&SliceAccuracy> = first.slices.iter().filter(|of| of.contests > 0).collect();
    let is_shown = |(index, of): &(usize, &ComparedSystem)| {
        *index < MAX_COLUMNS || of.system == PREVIOUS_PLACE_BASELINE
    };
    let systems = comparison.systems.iter().enumerate().filter(is_shown);
    let shown: Vec<&ComparedSystem> = systems.map(|(_, of)| of).collect();
    let systems = comparison.systems.iter().enumerate();
    let hidden = systems.filter(|of| !is_shown(of) && of.1.parameters.is_some());
    let hidden = hidden.count();
    let mut table = TextTable::new(&lines)
        .left("slice", |of| escape_name(&of.slice))
        .right("contests", |of| format_count(of.contests))
        .right("results", |of| format_count(of.results));
    for system in shown {
        table = table.right(&*system.system, move |of| {
            let found = system
                .slice(&of.slice)
                .and_then(|of| of.metrics.get(metric));
            or_dash(found.map(|of| format_value(metric, of)))
        });
    }
    table.print()?;
    if hidden > 0 {
        print_note(&format!(
            "{} more by slice: --format csv",
            format_plural(hidden as u64, "system")
        ));
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
    let sources = selection["sources"].as_array().into_iter().flatten();
    let sources: Vec<&str> = sources.filter_map(|name| name.as_str()).collect();
    let share = settings["train"].as_f64();
    let share = share.map(|of| format!(" ({of} %)")).unwrap_or_default();
    let k = settings["k"].as_f64().filter(|k| *k != 0.0);
    let k = k
        .map(|k| format!(", by mu - {k} sigma"))
        .unwrap_or_default();
    escape_line(&format!(
        "{}: {} predicted{k}, the {} before them train{share}; slice {}",
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
