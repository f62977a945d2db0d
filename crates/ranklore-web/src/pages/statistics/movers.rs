//! Movers: the largest changes of ratings in a period, new competitors and new highest ratings.

use maud::html;
use ranklore_contest::SourceName;
use ranklore_views::MoversRequest;

use crate::content::Content;
use crate::failure::Failure;
use crate::pages::format::{day, plural};
use crate::pages::layout::{Head, page};
use crate::pages::parts::{field, hidden_fields, notes, run_text};
use crate::pages::request::PageRequest;
use crate::pages::tables::movers_table;
use crate::parameters::Rows;
use crate::paths::SourcePage;
use crate::views::statistics::movers;

/// The rows of each list.
const ROWS: Rows = Rows {
    usual: 20,
    max: 200,
};

/// Shows the movers of a period, by default of the days before the newest contest.
pub(crate) fn show(request: &PageRequest<'_>, source: &SourceName) -> Result<Content, Failure> {
    let parameters = request.parameters;
    let movers = movers(request.reader.store, source, parameters, ROWS)?;
    let links = request.links(Some(&movers.run))?;
    let source = source.as_str();
    let path = SourcePage::Movers.path(source);
    let since = day(movers.since.get());
    let head = Head {
        title: format!("Movers of {source}"),
        description: format!(
            "Largest changes of ratings of {source} by {} since {since}",
            movers.run.system
        ),
        data: links.data::<MoversRequest>(&path, parameters, &[("since", &since)]),
        ..Head::new(source, &links)
    };
    let captions = ["Gains", "Losses", "New competitors", "New highest mu"];
    let lists = captions.into_iter().zip(movers.lists());
    let content = html! {
        h1 { "Movers of " bdi { (source) } }
        p {
            "Run " (run_text(&movers.run)) ": " (plural(movers.contests as u64, "contest")) " with "
            (plural(movers.competitors as u64, "competitor")) " since " (since)
            @if let Some(until) = movers.until { ", before " (day(until.get())) }
            "."
        }
        (notes(movers.stale, movers.pseudonymised))
        @if links.are_live() {
            form.inline action=(links.form(&path)) {
                (hidden_fields(parameters, &["run", "system", "provisional", "as-stored", "limit"]))
                (field("since", "Since", "date", Some(&since)))
                (field("until", "Before", "date", parameters.text("until")?))
                button { "Show" }
            }
        }
        @if movers.rows().is_empty() {
            p.message { "No rating changed in this period." }
        }
        div.columns {
            @for (caption, list) in lists {
                (movers_table(caption, &list, source, &links))
            }
        }
    };
    Ok(page(&head, &content).into())
}
