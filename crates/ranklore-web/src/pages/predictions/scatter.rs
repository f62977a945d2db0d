//! The ratings of two runs beside each other.

use maud::{Markup, html};
use ranklore_contest::SourceName;
use ranklore_replay::{
    Error, MAX_SCATTER_POINTS, RunScatter, describe_run, find_all_runs, find_display,
};

use super::plot::{Axis, Plot};
use crate::failure::Failure;
use crate::links::Links;
use crate::pages::format::{count, plural, points, short, signed};
use crate::pages::parts::{choice_field, hidden_fields, notes, run_text};
use crate::pages::request::PageRequest;
use crate::pages::tables::{headings, player_link, table};
use crate::paths::compare_path;

/// Returns the part of the page about two runs.
pub(super) fn section(
    request: &PageRequest<'_>,
    source: &SourceName,
    scatter: Option<&RunScatter>,
    links: &Links,
) -> Result<Markup, Failure> {
    let Some(scatter) = scatter else {
        return Ok(html! {
            h2 { "Two runs" }
            p { "The ratings of two runs are compared here once two runs over all contests exist. " code { "ranklore rate " (source) " --system NAME" } " makes another one." }
        });
    };
    let form = if links.are_live() {
        form(request, source, scatter)?
    } else {
        html! {}
    };
    let decimals = [&scatter.x, &scatter.y].map(|run| find_display(run).rating_decimals());
    Ok(html! {
        h2 { "Two runs" }
        (form)
        (notes(false, scatter.pseudonymised))
        @if scatter.competitors == 0 {
            p.message { "No competitor is rated by both runs." }
        } @else {
            p {
                "Both rate " (plural(scatter.competitors, "competitor")) "."
                @if let Some(rho) = scatter.spearman_rho {
                    " Spearman's rank correlation of their ratings is " (points(rho, 4)) "."
                }
            }
            (figure(scatter, decimals))
            (disagreements(scatter, source.as_str(), links, decimals))
        }
    })
}

fn form(
    request: &PageRequest<'_>,
    source: &SourceName,
    scatter: &RunScatter,
) -> Result<Markup, Failure> {
    let runs = match find_all_runs(request.reader.store, std::slice::from_ref(source)) {
        Ok(runs) => runs,
        Err(Error::NotRated { .. }) => Vec::new(),
        Err(error) => return Err(error.into()),
    };
    let names: Vec<(String, String)> = runs
        .iter()
        .rev()
        .map(|run| (run.run_id.to_string(), short(&describe_run(run))))
        .collect();
    let options: Vec<(&str, &str)> = names.iter().map(|(id, text)| (&**id, &**text)).collect();
    let x = scatter.x.run_id.to_string();
    let y = scatter.y.run_id.to_string();
    Ok(html! {
        form.filters action=(compare_path(source.as_str())) {
            (hidden_fields(request.parameters, &["slice"]))
            (choice_field("x", "First run", &options, Some(&x)))
            (choice_field("y", "Second run", &options, Some(&y)))
            button { "Compare" }
        }
    })
}

fn figure(scatter: &RunScatter, decimals: [u8; 2]) -> Markup {
    let [x_label, y_label] = [&scatter.x, &scatter.y].map(|run| short(&describe_run(run)));
    let label = format!("Ratings of {x_label} and of {y_label}");
    let plot = Plot {
        label: &label,
        x_label: &x_label,
        y_label: &y_label,
        points: &scatter.points,
        range: None,
        has_diagonal: false,
        tick: &|number, axis| match axis {
            Axis::X => points(number, decimals[0]),
            Axis::Y => points(number, decimals[1]),
        },
    };
    let is_thinned = scatter.competitors > scatter.points.len() as u64;
    html! {
        figure {
            (plot.draw())
            figcaption {
                "Displayed rating of each competitor: across by run " (run_text(&scatter.x)) ", up by run " (run_text(&scatter.y)) "."
                @if is_thinned {
                    " Of " (count(scatter.competitors)) " competitors " (count(MAX_SCATTER_POINTS)) " are drawn, at equal distances in the order of the first run."
                }
            }
        }
    }
}

fn disagreements(scatter: &RunScatter, source: &str, links: &Links, decimals: [u8; 2]) -> Markup {
    let head = headings(&[
        ("", "Name"),
        ("number", "Difference"),
        ("number", "First percentile"),
        ("number", "Second percentile"),
        ("number wide", "First rating"),
        ("number wide", "Second rating"),
    ]);
    let rows = html! {
        @for row in &scatter.disagreements {
            tr {
                th scope="row" { (player_link(links, source, &row.competitor)) }
                td.number { (signed(row.difference, 1)) " %" }
                td.number { (percent(row.x_percentile)) }
                td.number { (percent(row.y_percentile)) }
                td.number.wide { (points(row.x, decimals[0])) }
                td.number.wide { (points(row.y, decimals[1])) }
            }
        }
    };
    html! {
        @if scatter.disagreements.is_empty() {
            p { "Both runs have the same order." }
        } @else {
            p { "A percentile is the percentage of these competitors with a lower rating; equal ones count half." }
            (table("Largest disagreements in place", &head, &rows))
        }
    }
}

fn percent(percentile: f64) -> String {
    format!("{} %", points(percentile, 1))
}
