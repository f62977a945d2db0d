//! The competitors of a source: search results, or all.

use maud::html;
use ranklore_contest::{EntrantKind, SourceName};
use ranklore_replay::{PlayerListRow, find_display};
use ranklore_store::Store;

use crate::answers::Content;
use crate::failure::Failure;
use crate::links::{RunLinks, data_link, players_path};
use crate::pages::ROWS;
use crate::pages::format::{count, day_element, name, plural, points, short};
use crate::pages::layout::{Head, page};
use crate::pages::parts::{Paging, field, hidden_fields, notes, run_text};
use crate::pages::tables::{player_link, rating, scrolled};
use crate::parameters::Parameters;
use crate::views;

/// Shows a page of the competitors of a source.
pub(crate) fn show(
    store: &Store,
    source: &SourceName,
    parameters: &Parameters,
) -> Result<Content, Failure> {
    let list = views::players(store, source.clone(), parameters, ROWS)?;
    let source = source.as_str();
    let is_chosen = parameters.run()?.run.is_some() || parameters.text("system")?.is_some();
    let links = RunLinks::new(list.run.as_ref(), is_chosen);
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
        data: Some(data_link(&path, parameters, views::PLAYERS_NAMES, &[])),
    };
    let content = html! {
        h1 { (name(&title)) }
        @match &list.run {
            Some(run) => p { "Rated by run " (run_text(run)) "." },
            None => p.note role="note" { "This source is not rated yet." },
        }
        (notes(list.stale, list.pseudonymised))
        form.inline role="search" action=(path) {
            (hidden_fields(parameters, &["run", "system", "kind", "sort", "reverse"]))
            (field("text", "Search a name", "search", text))
            button { "Search" }
        }
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
