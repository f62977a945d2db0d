//! The contests of a source.

use maud::html;
use ranklore_contest::SourceName;
use ranklore_store::Store;

use crate::answers::Content;
use crate::failure::Failure;
use crate::links::{RunLinks, contests_path, data_link};
use crate::pages::ROWS;
use crate::pages::format::plural;
use crate::pages::layout::{Head, page};
use crate::pages::parts::{Paging, choice_field, field, hidden_fields, notes, run_text};
use crate::pages::tables::contests_table;
use crate::parameters::Parameters;
use crate::views;

/// Shows a page of the contests of a source.
pub(crate) fn show(
    store: &Store,
    source: &SourceName,
    parameters: &Parameters,
) -> Result<Content, Failure> {
    let list = views::contests(store, source.clone(), parameters, ROWS)?;
    let source = source.as_str();
    let is_chosen = parameters.run()?.run.is_some() || parameters.text("system")?.is_some();
    let links = RunLinks::new(list.run.as_ref(), is_chosen);
    let path = contests_path(source);
    let caption = plural(list.total as u64, "contest");
    let orders = [
        ("", "Newest first"),
        ("name", "Name"),
        ("entrants", "Largest first"),
        ("division", "Division"),
    ];
    let head = Head {
        title: format!("Contests of {source}"),
        description: format!("{caption} of {source}, newest first"),
        source: Some(source.to_owned()),
        links: links.clone(),
        data: Some(data_link(&path, parameters, views::CONTESTS_NAMES, &[])),
    };
    let content = html! {
        h1 { "Contests of " bdi { (source) } }
        @match &list.run {
            Some(run) => p { "Rated by run " (run_text(run)) "." },
            None => p.note role="note" { "This source is not rated yet." },
        }
        (notes(list.stale, false))
        form.filters role="search" action=(path) {
            (hidden_fields(parameters, &["run", "system", "division", "state", "reverse", "limit"]))
            (field("name", "Name", "search", parameters.text("name")?))
            (field("since", "From", "date", parameters.text("since")?))
            (field("until", "Before", "date", parameters.text("until")?))
            (choice_field("sort", "Order", &orders, parameters.text("sort")?.or(Some(""))))
            button { "Apply" }
        }
        @if list.rows.is_empty() {
            p.message {
                @if list.total > 0 { "The list ends before this page." }
                @else { "No contest fits these filters." }
            }
        } @else {
            (contests_table(&caption, &list.rows, &links))
        }
        (Paging {
            path: &path,
            parameters,
            offset: list.offset,
            shown: list.rows.len(),
            limit: parameters.page(ROWS.usual, ROWS.max)?.limit,
            total: list.total,
        }.links())
    };
    Ok(page(&head, &content).into())
}
