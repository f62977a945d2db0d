//! Systems compared: the accuracy of their predictions, calibration, and the ratings of two runs.

use maud::{Markup, html};
use ranklore_contest::SourceName;
use ranklore_views::charts::{Axis, Chart, Marks, Ticks};
use ranklore_views::{CalibrationRow, Columns, ComparisonList, EvaluatedSystem, Metric, Unit};

use super::scatter;
use crate::content::Content;
use crate::failure::Failure;
use crate::pages::format::{count, day_element, name, short};
use crate::pages::layout::{Head, page};
use crate::pages::parts::{choice_field, hidden_fields};
use crate::pages::request::PageRequest;
use crate::pages::tables::{ListTable, table};
use crate::parameters::Parameters;
use crate::paths::SourcePage;
use crate::views::comparison::{self, ComparisonParameters};

/// The metrics of a table.
struct MetricGroup {
    title: &'static str,
    metrics: &'static [Metric],
}

const GROUPS: [MetricGroup; 3] = [
    MetricGroup {
        title: "Order",
        metrics: &[
            Metric::Concordance,
            Metric::KendallTau,
            Metric::SpearmanRho,
            Metric::DiscordantPairs,
            Metric::PairInversion,
            Metric::RankDeviation,
            Metric::Log2RankError,
        ],
    },
    MetricGroup {
        title: "Win probabilities",
        metrics: &[Metric::LogLoss, Metric::Brier, Metric::Surprise],
    },
    MetricGroup {
        title: "First places",
        metrics: &[Metric::Top1, Metric::Top10],
    },
];

/// Shows the comparisons of a source.
pub(crate) fn show(request: &PageRequest<'_>, source: &SourceName) -> Result<Content, Failure> {
    let parameters = request.parameters;
    let view = comparison::load(request.reader.store, source, parameters)?;
    let links = request.links(None)?;
    let path = SourcePage::Compare.path(source.as_str());
    let head = Head {
        title: format!("Comparison – {source}"),
        description: format!("How accurately rating systems predict the contests of {source}"),
        data: links.data::<ComparisonParameters>(&path, parameters, &[]),
        ..Head::new(source.as_str(), &links)
    };
    let list = &view.evaluations;
    let content = html! {
        h1 { "Comparison of rating systems" }
        @if list.rows.is_empty() {
            p.message { "No evaluation is stored. This command compares all rating systems over the contests of " bdi { (source) } ":" }
            pre { code { "ranklore evaluate " (source) " --systems all" } }
        } @else {
            @if links.are_live() { (slice_form(list, parameters, &links.form(&path))?) }
            (evaluations(list))
            (calibration(list))
        }
        (scatter::section(request, source, view.scatter.as_ref(), &links)?)
    };
    Ok(page(&head, &content).into())
}

fn slice_form(
    list: &ComparisonList,
    parameters: &Parameters,
    path: &str,
) -> Result<Markup, Failure> {
    let slices: Vec<(&str, &str)> = list.slices.iter().map(|name| (&**name, &**name)).collect();
    let slice = parameters.text("slice")?.or(Some(&list.slice));
    Ok(html! {
        form.filters action=(path) {
            (hidden_fields(parameters, &["x", "y"]))
            (choice_field("slice", "Entrants and contests", &slices, slice))
            button { "Apply" }
        }
    })
}

fn evaluations(list: &ComparisonList) -> Markup {
    let (runs, systems): (Vec<_>, Vec<_>) = list.rows.iter().partition(|row| row.run_id.is_some());
    html! {
        @if let Some(first) = systems.first() {
            h2 { "Newest comparison" }
            p { "Evaluated on " (day_element(Some(first.evaluated_at))) " over " (count(first.contests)) " contests with " (count(first.results)) " results; slice " (name(&list.slice)) "." }
            (tables(&systems))
        }
        @if !runs.is_empty() {
            h2 { "Evaluated runs" }
            p { "A best value is only marked among runs that predicted the same contests with the same settings; slice " (name(&list.slice)) "." }
            (tables(&runs))
        }
        p { "Brackets have the 95 % interval, where it was computed." }
    }
}

fn tables(rows: &[&EvaluatedSystem]) -> Markup {
    html! {
        @for group in &GROUPS {
            @let metrics: Vec<Metric> = group.metrics.iter().copied()
                .filter(|&metric| rows.iter().any(|row| row.metric(metric).is_some())).collect();
            @if !metrics.is_empty() {
                (group_table(group.title, &metrics, rows))
            }
        }
    }
}

fn group_table(title: &str, metrics: &[Metric], rows: &[&EvaluatedSystem]) -> Markup {
    let head = html! {
        th scope="col" { "System" }
        @for metric in metrics {
            th.number scope="col" {
                abbr title=(metric.info().description) { (metric.as_str()) }
                " (" (metric.info().better.as_str()) " is better)"
            }
        }
    };
    let rows = html! {
        @for row in rows {
            tr {
                th scope="row" { (system(row)) }
                @for &metric in metrics { td.number { (cell(row, metric)) } }
            }
        }
    };
    table(title, &head, &rows)
}

fn system(row: &EvaluatedSystem) -> Markup {
    html! {
        @if let Some(run) = row.run_id { (run) " by " }
        (name(&row.system))
        @if row.is_baseline { " (baseline)" }
    }
}

/// Returns the value, its interval, and the mark of the best one.
fn cell(row: &EvaluatedSystem, metric: Metric) -> Markup {
    let info = metric.info();
    let number = |value: f64| format!("{value:.*}", usize::from(info.decimals));
    let unit = match info.unit {
        Unit::Percent => " %",
        Unit::Number => "",
    };
    html! {
        @if let Some(result) = row.metric(metric) {
            @if result.is_best { strong { (number(result.value)) (unit) } " (best)" }
            @else { (number(result.value)) (unit) }
            @if let (Some(low), Some(high)) = (result.low, result.high) {
                br;
                "[" (number(low)) ", " (number(high)) "]"
            }
        }
    }
}

/// Returns the calibration of each system that has one; the first is drawn.
fn calibration(list: &ComparisonList) -> Markup {
    let Some(drawn) = calibrated_systems(list).next() else {
        return html! {};
    };
    let bins = drawn.calibration.iter();
    let points: Vec<(f64, f64)> = bins.map(|bin| (bin.expected, bin.actual)).collect();
    let label = format!("Calibration of {}", short(&drawn.system));
    let lowest = points.iter().map(|&(_, actual)| actual).fold(0.5, f64::min);
    // The line of equal scores begins in the corner.
    let low = (10.0 * lowest).floor() / 10.0;
    let axis = |label| Axis {
        range: Some((low, 1.0)),
        ..Axis::new(label, Ticks::Numbers)
    };
    let chart = Chart {
        title: &label,
        size: [640, 440],
        x: axis("expected score of the favourite"),
        y: axis("actual score"),
        marks: vec![
            Marks::Points(&points),
            Marks::Segments(vec![[(low, low), (1.0, 1.0)]]),
        ],
    };
    html! {
        h2 { "Calibration" }
        p { "Pairs are grouped by the expected score of their favourite. The actual score of a calibrated system is the expected one." }
        figure {
            (chart.draw())
            figcaption { (system(drawn)) ": a point for each group, and the line of equal scores." }
        }
        @for row in calibrated_systems(list) { (calibration_table(row)) }
    }
}

/// Returns the rating systems that have a calibration.
fn calibrated_systems(list: &ComparisonList) -> impl Iterator<Item = &EvaluatedSystem> {
    let rows = list.rows.iter();
    rows.filter(|row| !row.is_baseline && !row.calibration.is_empty())
}

fn calibration_table(row: &EvaluatedSystem) -> Markup {
    let caption = format!("Calibration of {}", short(&row.system));
    let columns = Columns::new()
        .left("expected from", |bin: &CalibrationRow| format!("{:.2}", bin.from))
        .right("pairs", |bin| count(bin.pairs))
        .right("expected", |bin| format!("{:.3}", bin.expected))
        .right("actual", |bin| format!("{:.3}", bin.actual));
    html! {
        details {
            summary { "Numbers of " (system(row)) }
            (ListTable::new(columns).show(&caption, &row.calibration))
        }
    }
}
