//! The distribution of the ratings of a run.

use maud::{Markup, html};
use ranklore_contest::SourceName;
use ranklore_views::charts::{Axis, Chart, ChartBar, Marks, Ticks};
use ranklore_views::{Distribution, DistributionRequest, List as _, load_distribution};

use crate::content::Content;
use crate::failure::Failure;
use crate::pages::format::{plural, points};
use crate::pages::layout::{Head, page};
use crate::pages::parts::{field, hidden_fields, notes, run_text};
use crate::pages::request::PageRequest;
use crate::pages::tables::ListTable;
use crate::paths::SourcePage;

/// Shows the distribution.
pub(crate) fn show(request: &PageRequest<'_>, source: &SourceName) -> Result<Content, Failure> {
    let parameters = request.parameters;
    let distribution = load_distribution(request.reader, source, &parameters.request()?)?;
    let links = request.links(Some(&distribution.run))?;
    let path = SourcePage::Distribution.path(source.as_str());
    let decimals = distribution.display.rating_decimals();
    let head = Head {
        title: format!("Distribution – {source}"),
        description: format!(
            "Ratings of {} of {source} by {}",
            plural(distribution.competitors as u64, "competitor"),
            distribution.run.system
        ),
        data: links.data::<DistributionRequest>(&path, parameters, &[]),
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
            form.inline action=(links.form(&path)) {
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
            (ListTable::new(distribution.columns()).show("Competitors by rating", distribution.rows.iter().rev()))
        }
        p { a href=(links.page(SourcePage::Records, source.as_str())) { "Records: highest ratings, longest times in first place, most wins" } }
    };
    Ok(page(&head, &content).into())
}

fn percent(share: f64) -> String {
    format!("{share:.1}\u{a0}%")
}

/// Draws a bar for each range.
fn histogram(distribution: &Distribution, decimals: u8) -> Markup {
    let bars = distribution.rows.iter().map(|bin| {
        let [from, to] = [bin.from, bin.to].map(|rating| points(rating, decimals));
        ChartBar {
            x: (bin.from, bin.to),
            y: (0.0, bin.competitors as f64),
            text: format!("{from} to {to}: {}", plural(bin.competitors as u64, "competitor")),
        }
    });
    let ends = distribution.rows.first().zip(distribution.rows.last());
    let most = distribution.rows.iter().map(|bin| bin.competitors).max().unwrap_or(0);
    let chart = Chart {
        title: "Histogram of ratings",
        size: [800, 280],
        x: Axis {
            label: "Rating",
            ticks: Ticks::Numbers,
            range: ends.map(|(first, last)| (first.from, last.to)),
        },
        y: Axis {
            label: "Competitors",
            ticks: Ticks::Whole,
            range: Some((0.0, most.max(1) as f64)),
        },
        marks: vec![Marks::Bars(bars.collect())],
    };
    html! {
        figure {
            (chart.draw())
            figcaption { "Competitors by rating. The table has the numbers." }
        }
    }
}
