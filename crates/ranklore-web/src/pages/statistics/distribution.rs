//! The distribution of the ratings of a run.

use maud::{Markup, html};
use ranklore_contest::SourceName;
use ranklore_replay::Distribution;

use crate::content::Content;
use crate::failure::Failure;
use crate::pages::format::{coordinate, count, plural, points};
use crate::pages::layout::{Head, page};
use crate::pages::parts::{field, hidden_fields, notes, run_text};
use crate::pages::request::PageRequest;
use crate::pages::tables::{headings, table};
use crate::paths::distribution_path;
use crate::views::statistics::{DISTRIBUTION_PARAMETERS, distribution};

/// The size of the drawing, in its own units.
const WIDTH: f64 = 800.0;
const HEIGHT: f64 = 260.0;
/// The space for labels below the bars, and beside them.
const BELOW: f64 = 28.0;
const BESIDE: f64 = 12.0;

/// Shows the distribution.
pub(crate) fn show(request: &PageRequest<'_>, source: &SourceName) -> Result<Content, Failure> {
    let parameters = request.parameters;
    let distribution = distribution(request.reader, source, parameters)?;
    let links = request.links(Some(&distribution.run))?;
    let path = distribution_path(source.as_str());
    let decimals = distribution.display.rating_decimals();
    let head = Head {
        title: format!("Distribution – {source}"),
        description: format!(
            "Ratings of {} of {source} by {}",
            plural(distribution.competitors as u64, "competitor"),
            distribution.run.system
        ),
        data: links.data(&path, parameters, DISTRIBUTION_PARAMETERS, &[]),
        ..Head::new(source.as_str(), &links)
    };
    let content = html! {
        h1 { "Distribution of ratings" }
        p {
            "Run " (run_text(&distribution.run)) ": " (plural(distribution.competitors as u64, "active competitor")) " with established ratings"
            @if let Some(median) = distribution.median { ", the median is " (points(median, decimals)) }
            "."
        }
        (notes(distribution.stale, false))
        @if links.are_live() {
            form.inline action=(path) {
                (hidden_fields(parameters, &["run", "system"]))
                (field("rating", "Rating", "number", parameters.text("rating")?))
                button { "Compare" }
            }
            @if let (Some(rating), Some(share)) = (distribution.rating, distribution.better_than) {
                p { "A rating of " (points(rating, decimals)) " is better than " (percent(share)) " of them." }
            }
        }
        @if distribution.rows.is_empty() {
            p.message { "No active competitor has an established rating." }
        } @else {
            (histogram(&distribution, decimals))
            (bins_table(&distribution, decimals))
        }
        p { a href=(links.records(source.as_str())) { "Records: highest ratings, longest times in first place, most wins" } }
    };
    Ok(page(&head, &content).into())
}

fn percent(share: f64) -> String {
    format!("{share:.1}\u{a0}%")
}

/// Draws a bar for each range.
fn histogram(distribution: &Distribution, decimals: u8) -> Markup {
    let bins = &distribution.rows;
    let most = bins.iter().map(|bin| bin.competitors).max().unwrap_or(1).max(1);
    let width = (WIDTH - 2.0 * BESIDE) / bins.len() as f64;
    // About eight labels.
    let step = bins.len().div_ceil(8);
    html! {
        figure {
            svg.curve viewBox=(format!("0 0 {WIDTH} {HEIGHT}")) role="img" aria-label="Histogram of ratings" {
                @for (index, bin) in bins.iter().enumerate() {
                    @let height = (HEIGHT - BELOW) * bin.competitors as f64 / most as f64;
                    @let left = BESIDE + width * index as f64;
                    rect.bar x=(coordinate(left + 0.5)) y=(coordinate(HEIGHT - BELOW - height)) width=(coordinate((width - 1.0).max(0.5))) height=(coordinate(height)) {
                        title { (points(bin.from, decimals)) " to " (points(bin.to, decimals)) ": " (plural(bin.competitors as u64, "competitor")) }
                    }
                    @if index.is_multiple_of(step) {
                        text.axis x=(coordinate(left)) y=(HEIGHT - 8.0) text-anchor="middle" { (points(bin.from, decimals)) }
                    }
                }
            }
            figcaption { "Competitors by rating. The table has the numbers." }
        }
    }
}

fn bins_table(distribution: &Distribution, decimals: u8) -> Markup {
    let head = html! {
        (headings(&[("", "Rating from"), ("number", "Below"), ("number", "Competitors"), ("number", "Share")]))
        th.number scope="col" { abbr title="share of competitors with a lower rating than the lowest of the row" { "Better than" } }
    };
    let rows = html! {
        @for bin in distribution.rows.iter().rev() {
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
