//! The distribution of the ratings of a run.

use maud::{Markup, html};
use ranklore_contest::SourceName;
use ranklore_replay::Distribution;

use crate::answers::Content;
use crate::failure::Failure;
use crate::links::distribution_path;
use crate::page_request::PageRequest;
use crate::pages::format::{count, plural, points};
use crate::pages::layout::{Head, page};
use crate::pages::parts::{field, hidden_fields, notes, run_text};
use crate::pages::tables::{headings, table};
use crate::views;

/// The size of the drawing, in its own units.
const WIDTH: f64 = 800.0;
const HEIGHT: f64 = 260.0;
/// The space for labels below the bars, and beside them.
const BELOW: f64 = 28.0;
const BESIDE: f64 = 12.0;

/// Shows the distribution.
pub(crate) fn show(request: &PageRequest<'_>, source: &SourceName) -> Result<Content, Failure> {
    let parameters = request.parameters;
    let of = views::statistics::distribution(request.reader, source, parameters)?;
    let links = request.links(Some(&of.run))?;
    let path = distribution_path(source.as_str());
    let decimals = of.display.rating_decimals();
    let head = Head {
        title: format!("Distribution – {source}"),
        description: format!(
            "Ratings of {} of {source} by {}",
            plural(of.competitors as u64, "competitor"),
            of.run.system
        ),
        source: Some(source.to_string()),
        links: links.clone(),
        has_curve: false,
        data: links.data(
            &path,
            parameters,
            views::statistics::DISTRIBUTION_NAMES,
            &[],
        ),
    };
    let content = html! {
        h1 { "Distribution of ratings" }
        p {
            "Run " (run_text(&of.run)) ": " (plural(of.competitors as u64, "active competitor")) " with established ratings"
            @if let Some(median) = of.median { ", the median is " (points(median, decimals)) }
            "."
        }
        (notes(of.stale, false))
        @if links.are_live() {
            form.inline action=(path) {
                (hidden_fields(parameters, &["run", "system"]))
                (field("rating", "Rating", "number", parameters.text("rating")?))
                button { "Compare" }
            }
            @if let (Some(rating), Some(share)) = (of.rating, of.better_than) {
                p { "A rating of " (points(rating, decimals)) " is better than " (percent(share)) " of them." }
            }
        }
        @if of.rows.is_empty() {
            p.message { "No active competitor has an established rating." }
        } @else {
            (histogram(&of, decimals))
            (bins_table(&of, decimals))
        }
        p { a href=(links.records(source.as_str())) { "Records: highest ratings, longest times in first place, most wins" } }
    };
    Ok(page(&head, &content).into())
}

fn percent(share: f64) -> String {
    format!("{share:.1}\u{a0}%")
}

/// Draws a bar for each range.
fn histogram(of: &Distribution, decimals: u8) -> Markup {
    let most = of
        .rows
        .iter()
        .map(|bin| bin.competitors)
        .max()
        .unwrap_or(1)
        .max(1);
    let width = (WIDTH - 2.0 * BESIDE) / of.rows.len() as f64;
    let number = |of: f64| format!("{of:.1}");
    // About eight labels.
    let step = of.rows.len().div_ceil(8);
    html! {
        figure {
            svg.curve viewBox=(format!("0 0 {WIDTH} {HEIGHT}")) role="img" aria-label="Histogram of ratings" {
                @for (index, bin) in of.rows.iter().enumerate() {
                    @let height = (HEIGHT - BELOW) * bin.competitors as f64 / most as f64;
                    @let left = BESIDE + width * index as f64;
                    rect.bar x=(number(left + 0.5)) y=(number(HEIGHT - BELOW - height)) width=(number((width - 1.0).max(0.5))) height=(number(height)) {
                        title { (points(bin.from, decimals)) " to " (points(bin.to, decimals)) ": " (plural(bin.competitors as u64, "competitor")) }
                    }
                    @if index.is_multiple_of(step) {
                        text.axis x=(number(left)) y=(HEIGHT - 8.0) text-anchor="middle" { (points(bin.from, decimals)) }
                    }
                }
            }
            figcaption { "Competitors by rating. The table has the numbers." }
        }
    }
}

fn bins_table(of: &Distribution, decimals: u8) -> Markup {
    let head = html! {
        (headings(&[("", "Rating from"), ("number", "Below"), ("number", "Competitors"), ("number", "Share")]))
        th.number scope="col" { abbr title="share of competitors with a lower rating than the lowest of the row" { "Better than" } }
    };
    let rows = html! {
        @for bin in of.rows.iter().rev() {
            tr {
                th scope="row" { (points(bin.from, decimals)) }
                td.number { (points(bin.to, decimals)) }
                td.number { (count(bin.competitors as u64)) }
                td.number { (percent(bin.share)) }
                td.number { (percent(bin.better_than)) }
            }
        }
    };
    table("Competitors by rating", &head, &rows)
}
