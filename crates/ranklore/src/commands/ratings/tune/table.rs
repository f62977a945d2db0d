//! The output of `ranklore tune`: a row per system, and the commands that use the result.

use std::io;

use ranklore_replay::RunSelection;
use ranklore_views::{CellValue, Columns, Metric, TuneReport, TunedSystem};
use serde::Serialize;

use crate::GlobalArgs;
use crate::commands::ratings::comparison::{format_metric, format_range, heading};
use crate::next_command::rate_command;
use crate::output::{
    escape_line, format_count, format_plural, format_signed, or_dash, print_line, print_note,
    print_table,
};

/// The fewest contests whose bootstrap interval is reliable.
const FEW_CONTESTS: u64 = 30;

/// Prints the report in the chosen format.
pub(super) fn print(global: &GlobalArgs, report: &TuneReport) -> anyhow::Result<()> {
    let rows = rows(report);
    let keys = columns(report.objective).keys();
    global.print_rows(report, &rows, &keys, || print_report(global, report, &rows))?;
    if report.tuning_contests < FEW_CONTESTS {
        print_note(&format!(
            "warning: {} cannot tell parameters apart; --train or --train-until tunes with more",
            format_plural(report.tuning_contests, "contest")
        ));
    }
    Ok(())
}

/// A tuned system.
#[derive(Serialize)]
struct TunedRow<'a> {
    system: &'a str,
    best: &'a str,
    trials: u64,
    pruned: u64,
    failed: u64,
    tuning: f64,
    tuning_best: f64,
    tuning_default: Option<f64>,
    value: Option<f64>,
    low: Option<f64>,
    high: Option<f64>,
    default: Option<f64>,
    difference: Option<f64>,
    difference_low: Option<f64>,
    difference_high: Option<f64>,
    seconds: Option<f64>,
}

fn rows(report: &TuneReport) -> Vec<TunedRow<'_>> {
    let rows = report.systems.iter().map(|tuned| TunedRow {
        system: &tuned.system,
        best: &tuned.best,
        trials: tuned.trials,
        pruned: tuned.pruned,
        failed: tuned.failed,
        tuning: tuned.tuning,
        tuning_best: tuned.tuning_best,
        tuning_default: tuned.tuning_default,
        value: tuned.judged.map(|judged| judged.value),
        low: tuned.judged.and_then(|judged| judged.low),
        high: tuned.judged.and_then(|judged| judged.high),
        default: tuned.judged.map(|judged| judged.default),
        difference: tuned.judged.map(|judged| judged.difference),
        difference_low: tuned.judged.and_then(|judged| judged.difference_low),
        difference_high: tuned.judged.and_then(|judged| judged.difference_high),
        seconds: tuned.judged.map(|judged| judged.seconds),
    });
    rows.collect()
}

fn columns<'a>(metric: Metric) -> Columns<'a, TunedRow<'a>> {
    let decimals = metric.info().decimals;
    Columns::new()
        .data(&["system"])
        .left(("best", "system"), |row: &TunedRow<'a>| CellValue::text(row.best))
        .important()
        .data(&["trials", "pruned", "failed"])
        .right("tuning", move |row| format_metric(metric, Some(row.tuning)))
        .data(&["tuning_best", "tuning_default"])
        .right(("value", "judged"), move |row| format_metric(metric, row.value))
        .important()
        .right(("low", "interval"), move |row| or_dash(format_range(metric, row.low, row.high)))
        .data(&["high", "default"])
        .right(("difference", "to the default"), move |row| {
            or_dash(row.difference.map(|difference| format_signed(difference, decimals)))
        })
        .important()
        .right(("difference_low", "interval"), move |row| {
            or_dash(format_range(metric, row.difference_low, row.difference_high))
        })
        .data(&["difference_high"])
        .right("seconds", |row| or_dash(row.seconds.map(|seconds| format!("{seconds:.2}"))))
}

fn print_report(global: &GlobalArgs, report: &TuneReport, rows: &[TunedRow<'_>]) -> io::Result<()> {
    let selection = RunSelection::from_canonical_json(&report.selection);
    let info = report.objective.info();
    print_line(&escape_line(&format!(
        "{}: the first {} tune, {} judge; slice {}; {}, seed {}",
        selection.format_sources().replace(' ', ", "),
        format_plural(report.tuning_contests, "contest"),
        format_count(report.judged_contests),
        report.slice,
        report.sampler,
        report.seed
    )))?;
    print_line(&format!(
        "{}: {}; {} is better; 95 % intervals",
        heading(report.objective),
        info.description,
        info.better.as_str()
    ))?;
    print_table(columns(report.objective), rows)?;
    for left_out in &report.left_out {
        print_line(&escape_line(&format!("left out: {}: {}", left_out.system, left_out.reason)))?;
    }
    for tuned in &report.systems {
        print_line(&describe_trials(tuned))?;
        for edge in &tuned.edges {
            print_line(&format!(
                "{}: the best {} is {}, at the end of its range: --space {} widens it",
                tuned.system, edge.parameter, edge.value, edge.wider
            ))?;
        }
    }
    for tuned in report.systems.iter().filter(|tuned| tuned.judged.is_some()) {
        print_line(&global.with_db(&rate_command(&selection, Some(&tuned.best))))?;
    }
    Ok(())
}

/// Describes how many trials a system had, and how many ended early.
fn describe_trials(tuned: &TunedSystem) -> String {
    let mut parts = vec![format!(
        "{}: {}",
        tuned.system,
        format_plural(tuned.trials, "trial")
    )];
    if tuned.pruned > 0 {
        let pruned = format_count(tuned.pruned);
        parts.push(format!("{pruned} pruned after a quarter or a half of the results"));
    }
    if tuned.failed > 0 {
        parts.push(format!("{} with ratings that diverge", format_count(tuned.failed)));
    }
    let text = parts.join(", ");
    if tuned.trial == 0 {
        format!("{text}; the default parameters are the best")
    } else if tuned.tuning_default.map(f64::to_bits) == Some(tuned.tuning.to_bits()) {
        format!("{text}; none is better than the default parameters beyond the interval")
    } else {
        text
    }
}
