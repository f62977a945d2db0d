//! The competitors of a source: search results, or all.

use maud::html;
use ranklore_contest::{EntrantKind, SourceName};
use ranklore_replay::{PlayerListRow, find_display};

use crate::answers::Content;
use crate::failure::Failure;
use crate::links::players_path;
use crate::page_request::PageRequest;
use crate::pages::format::{count, day_element, name, plural, points, short};
use crate::pages::layout::{Head, page};
use crate::pages::parts::{Paging, hidden_fields, notes, run_text, search_form};
use crate::pages::tables::{player_link, rating, scrolled};
use crate::views;

/// Shows a page of the competitors of a source.
pub(crate) fn show(request: &PageRequest<'_>, source: &SourceName) -> Result<Content, Failure> {
    let parameters = request.parameters;
    let list = views::players(
        request.reader.store,
        source.clone(),
        parameters,
        request.rows(),
    )?;
    let source = source.as_str();
    let links = request.links(list.run.as_ref())?;
    let path = players_path(source);
    let text = parameters.text("text")?;
    let title = match text {
        Some(text) => format!("\"{}\" in {source}", short(text)),
        None => format!("Competitors of {source}"),
    };
    let display = list.run.as_ref().map(find_display).unwrap_or_default();
    let only_people = list.rows.iter().all(|of| of.kind == EntrantKind::Person);
    let has_ids = list
        .rows
        .iter()
        .any(|of| of.competitor.external_id != of.competitor.name);
    let cell = |of: &PlayerListRow| {
        html! {
            @if let Some(of) = &of.rating { (rating(&display, of.rating, of.provisional)) }
        }
    };
    let caption = plural(list.total as u64, "competitor");
    let head = Head {
        description: format!("{caption} of {source}"),
        title: title.clone(),
        source: Some(source.to_owned()),
        links: links.clone(),
        data: links.data(&path, parameters, views::PLAYERS_NAMES, &[]),
    };
    let kept = hidden_fields(parameters, &["run", "system", "kind", "sort", "reverse"]);
    let paging = Paging {
        links: &links,
        path: &path,
        parameters,
        offset: list.offset,
        shown: list.rows.len(),
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
        (search_form(&links, source, text, &kept))
        @if list.rows.is_empty() {
            p.message {
                @if list.total > 0 { "The list ends before this page." }
                @else if text.is_some() { "No competitor has this text in the name, an earlier name or the id. Try a shorter part of the name." }
                @else { "This source has no competitors." }
            }
        } @else {
            (scrolled(&caption, &html! {
                table {
                    caption { (caption) }
                    thead {
                        tr {
                            th scope="col" { "Name" }
                            @if has_ids { th scope="col" { "Id" } }
                            @if !only_people { th scope="col" { "Kind" } }
                            @if list.run.is_some() {
                                th.number scope="col" { "Rating" }
                                th.number.wide scope="col" { "Conservative" }
                            }
                            th.number scope="col" { "Contests" }
                            th.wide scope="col" { "Last contest" }
                        }
                    }
                    tbody {
                        @for of in &list.rows {
                            tr {
                                th scope="row" { (player_link(&links, source, &of.competitor)) }
                                @if has_ids { td { (name(&of.competitor.external_id)) } }
                                @if !only_people { td { (of.kind.as_str()) } }
                                @if list.run.is_some() {
                                    td.number { (cell(of)) }
                                    td.number.wide {
                                        @if let Some(rating) = &of.rating { (points(rating.conservative, display.decimals)) }
                                    }
                                }
                                td.number { (count(of.contests)) }
                                td.wide { (day_element(of.last_contest_at)) }
                            }
                        }
                    }
                }
            }))
        }
        (paging.links())
    };
    Ok(Content::list_page(
        page(&head, &content),
        paging.next_offset(),
    ))
}
