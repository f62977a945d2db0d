//! The contests of a source.

use maud::{Markup, html};
use ranklore_contest::SourceName;
use ranklore_views::{ContestListRequest, Extent, load_contest_list};

use crate::content::Content;
use crate::failure::Failure;
use crate::pages::format::plural;
use crate::pages::layout::{Head, page};
use crate::pages::parts::{choice_field, field, hidden_fields, notes, rated_by};
use crate::pages::request::PageRequest;
use crate::pages::tables::contests_table;
use crate::parameters::Parameters;
use crate::paths::SourcePage;

/// Shows a page of the contests of a source.
pub(crate) fn show(request: &PageRequest<'_>, source: &SourceName) -> Result<Content, Failure> {
    let parameters = request.parameters;
    let rows = request.rows();
    let list = load_contest_list(request.reader.store, source, &parameters.list_request(rows)?)?;
    let source = source.as_str();
    let extent = Extent::new(list.offset, list.rows.len(), list.total);
    let path = SourcePage::Contests.path(source);
    let paging = request.paging(path, list.run.as_ref(), extent)?;
    let links = &paging.links;
    let caption = plural(list.total as u64, "contest");
    let head = Head {
        title: format!("Contests of {source}"),
        description: format!("{caption} of {source}, newest first"),
        data: paging.data::<ContestListRequest>(),
        ..Head::new(source, links)
    };
    let content = html! {
        h1 { "Contests of " bdi { (source) } }
        (rated_by(list.run.as_ref()))
        (notes(list.stale, false))
        @if links.are_live() { (filters(parameters, &links.form(&paging.path))?) }
        @if list.rows.is_empty() {
            p.message {
                @if list.total > 0 { "The list ends before this page." }
                @else { "No contest fits these filters." }
            }
        } @else {
            (contests_table(&caption, &list, links))
        }
        (paging.links())
    };
    Ok(Content::from(page(&head, &content)).with_next(paging.extent.next_offset()))
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
