//! The competitors of a source: search results, or all.

use maud::html;
use ranklore_contest::SourceName;
use ranklore_views::{
    Extent, List as _, PlayerList, PlayerListRequest, PlayerListRow, load_player_list,
};

use crate::content::Content;
use crate::failure::Failure;
use crate::pages::format::{name, plural, short};
use crate::pages::layout::{Head, page};
use crate::pages::parts::{hidden_fields, notes, rated_by, search_form};
use crate::pages::request::PageRequest;
use crate::pages::tables::{ListTable, player_link};
use crate::parameters::Rows;
use crate::paths::SourcePage;

/// Shows a page of the competitors of a source.
pub(crate) fn show(request: &PageRequest<'_>, source: &SourceName) -> Result<Content, Failure> {
    let list = load(request, source, request.rows())?;
    show_rows(request, source, &list, &list.rows, list.offset)
}

/// Shows all pages of the competitors of a source, which are loaded once.
pub(crate) fn show_all(
    request: &PageRequest<'_>,
    source: &SourceName,
) -> Result<Vec<Content>, Failure> {
    let list = load(request, source, Rows::ALL)?;
    let pages = request.page_ranges(list.rows.len())?.map(|range| {
        let offset = range.start;
        show_rows(request, source, &list, &list.rows[range], offset)
    });
    pages.collect()
}

fn load(request: &PageRequest<'_>, source: &SourceName, rows: Rows) -> Result<PlayerList, Failure> {
    let store = request.reader.store;
    Ok(load_player_list(store, source, &request.parameters.list_request(rows)?)?)
}

/// Shows these rows of a list.
fn show_rows(
    request: &PageRequest<'_>,
    source: &SourceName,
    list: &PlayerList,
    rows: &[PlayerListRow],
    offset: usize,
) -> Result<Content, Failure> {
    let parameters = request.parameters;
    let source = source.as_str();
    let extent = Extent::new(offset, rows.len(), list.total);
    let paging = request.paging(SourcePage::Players.path(source), list.run.as_ref(), extent)?;
    let links = &paging.links;
    let text = parameters.text("text")?;
    let title = match text {
        Some(text) => format!("\"{}\" in {source}", short(text)),
        None => format!("Competitors of {source}"),
    };
    let caption = plural(list.total as u64, "competitor");
    let head = Head {
        description: format!("{caption} of {source}"),
        title: title.clone(),
        data: paging.data::<PlayerListRequest>(),
        ..Head::new(source, links)
    };
    let hidden = hidden_fields(parameters, &["run", "system", "kind", "sort", "reverse"]);
    let table = ListTable::new(list.columns())
        .with("name", |row| player_link(links, source, &row.competitor));
    let content = html! {
        h1 { (name(&title)) }
        (rated_by(list.run.as_ref()))
        (notes(list.stale, list.pseudonymised))
        (search_form(links, source, text, &hidden))
        @if rows.is_empty() {
            p.message {
                @if list.total > 0 { "The list ends before this page." }
                @else if text.is_some() { "No competitor has this text in the name, an earlier name or the id. Try a shorter part of the name." }
                @else { "This source has no competitors." }
            }
        } @else {
            (table.show(&caption, rows))
        }
        (paging.links())
    };
    Ok(Content::from(page(&head, &content)).with_next(paging.extent.next_offset()))
}
