//! The competitors of a source: search results, or all.

use maud::{Markup, html};
use ranklore_contest::{EntrantKind, SourceName};
use ranklore_replay::{PlayerList, PlayerListRow, find_display};
use ranklore_store::RunRow;

use crate::content::Content;
use crate::failure::Failure;
use crate::links::Links;
use crate::pages::format::{count, day_element, name, plural, points, short};
use crate::pages::layout::{Head, page};
use crate::pages::parts::{Paging, hidden_fields, notes, run_text, search_form};
use crate::pages::request::PageRequest;
use crate::pages::tables::{headings, player_link, rating, table};
use crate::paths::players_path;
use crate::views::{self, Rows};

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
    let limit = request.limit()?.max(1);
    // A source without competitors has a page, too.
    let count = list.rows.len().div_ceil(limit).max(1);
    let pages = (0..count).map(|index| {
        let offset = index * limit;
        let end = list.rows.len().min(offset + limit);
        show_rows(request, source, &list, &list.rows[offset..end], offset)
    });
    pages.collect()
}

fn load(request: &PageRequest<'_>, source: &SourceName, rows: Rows) -> Result<PlayerList, Failure> {
    let store = request.reader.store;
    views::players(store, source.clone(), request.parameters, rows)
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
    let links = request.links(list.run.as_ref())?;
    let path = players_path(source);
    let text = parameters.text("text")?;
    let title = match text {
        Some(text) => format!("\"{}\" in {source}", short(text)),
        None => format!("Competitors of {source}"),
    };
    let caption = plural(list.total as u64, "competitor");
    let head = Head {
        description: format!("{caption} of {source}"),
        title: title.clone(),
        data: links.data(&path, parameters, views::PLAYERS_PARAMETERS, &[]),
        ..Head::new(source, &links)
    };
    let hidden = hidden_fields(parameters, &["run", "system", "kind", "sort", "reverse"]);
    let paging = Paging {
        links: &links,
        path: &path,
        parameters,
        offset,
        row_count: rows.len(),
        limit: request.limit()?,
        total: list.total,
    };
    let content = html! {
        h1 { (name(&title)) }
        @match &list.run {
            Some(run) => p { "Rated by run " (run_text(run)) "." },
            None => p.note role="note" { "This source is not rated yet." },
        }
        (notes(list.stale, list.pseudonymised))
        (search_form(&links, source, text, &hidden))
        @if rows.is_empty() {
            p.message {
                @if list.total > 0 { "The list ends before this page." }
                @else if text.is_some() { "No competitor has this text in the name, an earlier name or the id. Try a shorter part of the name." }
                @else { "This source has no competitors." }
            }
        } @else {
            (players_table(&caption, list.run.as_ref(), rows, source, &links))
        }
        (paging.links())
    };
    Ok(Content::from(page(&head, &content)).with_next(paging.next_offset()))
}

fn players_table(
    caption: &str,
    run: Option<&RunRow>,
    rows: &[PlayerListRow],
    source: &str,
    links: &Links,
) -> Markup {
    let display = run.map(find_display).unwrap_or_default();
    let only_people = rows.iter().all(|row| row.kind == EntrantKind::Person);
    let has_ids = rows.iter().any(|row| row.competitor.external_id != row.competitor.name);
    let head = html! {
        (headings(&[("", "Name")]))
        @if has_ids { (headings(&[("", "Id")])) }
        @if !only_people { (headings(&[("", "Kind")])) }
        @if run.is_some() { (headings(&[("number", "Rating"), ("number wide", "Conservative")])) }
        (headings(&[("number", "Contests"), ("wide", "Last contest")]))
    };
    let body = html! {
        @for row in rows {
            tr {
                th scope="row" { (player_link(links, source, &row.competitor)) }
                @if has_ids { td { (name(&row.competitor.external_id)) } }
                @if !only_people { td { (row.kind.as_str()) } }
                @if run.is_some() {
                    td.number { @if let Some(r) = &row.rating { (rating(&display, r.rating, r.provisional)) } }
                    td.number.wide { @if let Some(r) = &row.rating { (points(r.conservative, display.decimals)) } }
                }
                td.number { (count(row.contests)) }
                td.wide { (day_element(row.last_contest_at)) }
            }
        }
    };
    table(caption, &head, &body)
}
