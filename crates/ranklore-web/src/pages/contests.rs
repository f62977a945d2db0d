//! The contests of a source.

use maud::{Markup, html};
use ranklore_contest::SourceName;

use crate::content::Content;
use crate::failure::Failure;
use crate::pages::format::plural;
use crate::pages::layout::{Head, page};
use crate::pages::parts::{Paging, choice_field, field, hidden_fields, notes, run_text};
use crate::pages::request::PageRequest;
use crate::pages::tables::contests_table;
use crate::parameters::Parameters;
use crate::paths::contests_path;
use crate::views;

/// Shows a page of the contests of a source.
pub(crate) fn show(request: &PageRequest<'_>, source: &SourceName) -> Result<Content, Failure> {
    let parameters = request.parameters;
    let list = views::contests(request.reader.store, source.clone(), parameters, request.rows())?;
    let source = source.as_str();
    let links = request.links(list.run.as_ref())?;
    let path = contests_path(source);
    let caption = plural(list.total as u64, "contest");
    let head = Head {
        title: format!("Contests of {source}"),
        description: format!("{caption} of {source}, newest first"),
        data: links.data(&path, parameters, views::CONTESTS_PARAMETERS, &[]),
        ..Head::new(source, &links)
    };
    let paging = Paging {
        links: &links,
        path: &path,
        parameters,
        offset: list.offset,
        row_count: list.rows.len(),
        limit: request.limit()?,
        total: list.total,
    };
    let content = html! {
        h1 { "Contests of " bdi { (source) } }
        @match &list.run {
            Some(run) => p { "Rated by run " (run_text(run)) "." },
            None => p.note role="note" { "This source is not rated yet." },
        }
        (notes(list.stale, false))
        @if links.are_live() { (filters(parameters, &path)?) }
        @if list.rows.is_empty() {
            p.message {
                @if list.total > 0 { "The list ends before this page." }
                @else { "No contest fits these filters." }
            }
        } @else {
            (contests_table(&caption, &list.rows, &links))
        }
        (paging.links())
    };
    Ok(Content::from(page(&head, &content)).with_next(paging.next_offset()))
}

fn filters(parameters: &Parameters, path: &str) -> Result<Markup, Failure> {
    let orders = [
        ("", "Newest first"),
        ("name", "Name"),
        ("entrants", "Largest first"),
        ("division", "Division"),
    ];
    Ok(html! {
        form.filters role="search" action=(path) {
            (hidden_fields(parameters, &["run", "system", "division", "state", "reverse", "limit"]))
            (field("name", "Name", "search", parameters.text("name")?))
            (field("since", "From", "date", parameters.text("since")?))
            (field("until", "Before", "date", parameters.text("until")?))
            (choice_field("sort", "Order", &orders, parameters.text("sort")?.or(Some(""))))
            button { "Apply" }
        }
    })
}
