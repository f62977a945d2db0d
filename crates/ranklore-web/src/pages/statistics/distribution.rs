//! The distribution of the ratings of a run, and the highest ratings ever.

use maud::{Markup, html};
use ranklore_contest::SourceName;
use ranklore_replay::{Distribution, Leaderboard};

use crate::answers::Content;
use crate::failure::Failure;
use crate::links::{Links, distribution_path};
use crate::page_request::PageRequest;
use crate::pages::format::{count, plural, points};
use crate::pages::layout::{Head, page};
use crate::pages::parts::{field, hidden_fields, notes, run_text};
use crate::pages::tables::{player_link, rating, scrolled};
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
    let of = views::distribution(request.reader, source, parameters)?;
    let highest = views::highest_ratings(request.reader, source, parameters)?;
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
        data: links.data(&path, parameters, views::DISTRIBUTION_NAMES, &[]),
    };
    let content = html! {
        h1 { "Distribution of ratings" }
        p {
            "Run " (run_text(&of.run)) ": " (plural(of.competitors as u64, "active competitor")) " with established ratings"
            @if let Some(median) = of.median { ", the median is " (points(median, decimals)) }
            "."
        }
        (notes(of.stale, highest.pseudonymised))
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
            (table(&of, decimals))
        }
        (highest_table(&highest, source.as_str(), &links))
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

fn table(of: &Distribution, decimals: u8) -> Markup {
    let caption = "Competitors by rating";
    scrolled(
        caption,
        &html! {
            table {
                caption { (caption) }
                thead {
                    tr {
                        th scope="col" { "Rating from" }
                        th.number scope="col" { "Below" }
                        th.number scope="col" { "Competitors" }
                        th.number scope="col" { "Share" }
                        th.number scope="col" { abbr title="share of competitors with a lower rating than the lowest of the row" { "Better than" } }
                    }
                }
                tbody {
                    @for bin in of.rows.iter().rev() {
                        tr {
                            th scope="row" { (points(bin.from, decimals)) }
                            td.number { (points(bin.to, decimals)) }
                            td.number { (count(bin.competitors as u64)) }
                            td.number { (percent(bin.share)) }
                            td.number { (percent(bin.better_than)) }
                        }
                    }
                }
            }
        },
    )
}

fn highest_table(board: &Leaderboard, source: &str, links: &Links) -> Markup {
    let caption = "Highest mu ever";
    if board.rows.is_empty() {
        return html! {};
    }
    html! {
        h2 { "Records" }
        p { "The highest mu after any contest, of competitors whose ratings are not provisional now." }
        (scrolled(caption, &html! {
            table {
                caption { (caption) }
                thead {
                    tr {
                        th.number scope="col" { "Place" }
                        th scope="col" { "Name" }
                        th.number scope="col" { "Highest mu" }
                        th.number scope="col" { "Rating now" }
                        th.number scope="col" { "Contests" }
                    }
                }
                tbody {
                    @for row in &board.rows {
                        tr {
                            td.number { (row.standing.place) }
                            th scope="row" { (player_link(links, source, &row.competitor)) }
                            td.number { (points(row.standing.peak_mu, board.display.decimals)) }
                            td.number { (rating(&board.display, row.standing.rating, row.standing.provisional)) }
                            td.number { (count(row.standing.contests)) }
                        }
                    }
                }
            }
        }))
    }
}
