//! The ratings of two runs beside each other.

use maud::{Markup, html};
use ranklore_contest::SourceName;
use ranklore_replay::{Error, describe_run, find_all_runs};
use ranklore_views::charts::{Axis, Chart, Marks, Ticks};
use ranklore_views::{
    CellValue, Columns, Disagreement, MAX_SCATTER_POINTS, RunScatter, find_display,
};

use crate::failure::Failure;
use crate::links::Links;
use crate::pages::format::{count, plural, points, short, signed};
use crate::pages::parts::{choice_field, hidden_fields, notes, run_text};
use crate::pages::request::PageRequest;
use crate::pages::tables::{ListTable, player_link};
use crate::paths::SourcePage;

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
        form(
            request,
            source,
            scatter,
            &links.form(&SourcePage::Compare.path(source.as_str())),
        )?
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
            (figure(scatter))
            (disagreements(scatter, source.as_str(), links, decimals))
        }
    })
}

fn form(
    request: &PageRequest<'_>,
    source: &SourceName,
    scatter: &RunScatter,
    action: &str,
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
        form.filters action=(action) {
            (hidden_fields(request.parameters, &["slice"]))
            (choice_field("x", "First run", &options, Some(&x)))
            (choice_field("y", "Second run", &options, Some(&y)))
            button { "Compare" }
        }
    })
}

fn figure(scatter: &RunScatter) -> Markup {
    let [x_label, y_label] = [&scatter.x, &scatter.y].map(|run| short(&describe_run(run)));
    let label = format!("Ratings of {x_label} and of {y_label}");
    let chart = Chart {
        title: &label,
        size: [640, 440],
        x: Axis::new(&x_label, Ticks::Numbers),
        y: Axis::new(&y_label, Ticks::Numbers),
        marks: vec![Marks::Points(&scatter.points)],
    };
    let is_thinned = scatter.competitors > scatter.points.len() as u64;
    html! {
        figure {
            (chart.draw())
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
    let [x_decimals, y_decimals] = decimals;
    let columns = Columns::new()
        .left("name", |row: &Disagreement| CellValue::text(&row.competitor.name))
        .right("difference", |row| format!("{} %", signed(row.difference, 1)))
        .right("first percentile", |row| percent(row.x_percentile))
        .right("second percentile", |row| percent(row.y_percentile))
        .right("first rating", move |row| CellValue::Points(row.x, x_decimals))
        .wide()
        .right("second rating", move |row| CellValue::Points(row.y, y_decimals))
        .wide();
    let table =
        ListTable::new(columns).with("name", |row| player_link(links, source, &row.competitor));
    html! {
        @if scatter.disagreements.is_empty() {
            p { "Both runs have the same order." }
        } @else {
            p { "A percentile is the percentage of these competitors with a lower rating; equal ones count half." }
            (table.show("Largest disagreements in place", &scatter.disagreements))
        }
    }
}

fn percent(percentile: f64) -> String {
    format!("{} %", points(percentile, 1))
}
