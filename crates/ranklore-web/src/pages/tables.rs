//! Tables that several pages have.

use std::borrow::Borrow;

use maud::{Markup, html};
use ranklore_replay::Display;
use ranklore_views::{
    CellValue, Column, Columns, CompetitorLabel, ContestList, List as _, Mover, MoverList,
    RatingMark,
};

use crate::failure::Failure;
use crate::links::Links;
use crate::pages::format::{day_element, name, points, signed};

/// Returns a table with its caption, which a narrow screen scrolls.
pub(crate) fn table(caption: &str, head: &Markup, rows: &Markup) -> Markup {
    framed(caption, &html! { caption { (caption) } }, head, rows)
}

/// Returns a table that a narrow screen scrolls, by keyboard too.
fn framed(label: &str, caption: &Markup, head: &Markup, rows: &Markup) -> Markup {
    html! {
        div.scroll role="region" aria-label=(label) tabindex="0" {
            table {
                (caption)
                thead { tr { (head) } }
                tbody { (rows) }
            }
        }
    }
}

/// Returns a link to a competitor.
pub(crate) fn player_link(links: &Links, source: &str, label: &CompetitorLabel) -> Markup {
    linked(links.player(source, &label.external_id), &name(&label.name))
}

/// Returns a link, or the text alone if there is no page to link to.
pub(crate) fn linked(link: Option<String>, text: &Markup) -> Markup {
    html! {
        @match link {
            Some(link) => a href=(link) { (text) },
            None => (text),
        }
    }
}

/// Says why competitors cannot be shown, with what to choose instead.
pub(crate) fn fault_notes(faults: &[Failure]) -> Markup {
    html! {
        @for fault in faults {
            p.note role="note" {
                bdi { (fault.message) } ". "
                @for choice in &fault.choices { (linked(choice.link.clone(), &name(&choice.text))) " " }
            }
        }
    }
}

/// Returns the displayed rating; a provisional one has a question mark.
pub(crate) fn rating(display: &Display, rating: f64, provisional: bool) -> Markup {
    html! {
        (points(rating, display.rating_decimals()))
        (provisional_mark(provisional))
    }
}

/// Returns a question mark for a provisional rating.
fn provisional_mark(provisional: bool) -> Markup {
    html! { @if provisional { abbr title="provisional: too little is known" { "?" } } }
}

/// Returns a change with a mark for its direction; `new` without an earlier rating.
pub(crate) fn change(change: Option<f64>, decimals: u8) -> Markup {
    let text = change.map_or_else(|| "new".to_owned(), |by| signed(by, decimals));
    // A change that rounds to 0 has no direction.
    let is_zero = !text.contains(|c: char| ('1'..='9').contains(&c));
    let class = match change {
        Some(change) if !is_zero && change > 0.0 => "up",
        Some(_) if !is_zero => "down",
        _ => "same",
    };
    html! { span class=(class) { (text) } }
}

/// The table of a list. Some columns have links or marks in place of text.
pub(crate) struct ListTable<'t, R> {
    columns: Vec<Column<'t, R>>,
    marked: Vec<(&'static str, CellMarkup<'t, R>)>,
    row_class: fn(&R) -> Option<&'static str>,
}

/// Returns the cell of a row.
type CellMarkup<'t, R> = Box<dyn Fn(&R) -> Markup + 't>;

impl<'t, R> ListTable<'t, R> {
    pub(crate) fn new(columns: Columns<'t, R>) -> Self {
        Self {
            columns: columns.for_page(),
            marked: Vec::new(),
            row_class: |_| None,
        }
    }

    /// Gives rows a class of the style sheet.
    pub(crate) fn with_row_class(mut self, class: fn(&R) -> Option<&'static str>) -> Self {
        self.row_class = class;
        self
    }

    /// Shows the cells of the column of this key in another way.
    pub(crate) fn with(mut self, key: &'static str, cell: impl Fn(&R) -> Markup + 't) -> Self {
        self.marked.push((key, Box::new(cell)));
        self
    }

    /// Returns the table with its caption.
    pub(crate) fn show(&self, caption: &str, rows: impl IntoIterator<Item: Borrow<R>>) -> Markup {
        table(caption, &self.head(), &self.body(rows))
    }

    /// Returns the table below a heading of the same words, so that its caption is for screen readers
    /// only.
    pub(crate) fn show_below_heading(
        &self,
        caption: &str,
        rows: impl IntoIterator<Item: Borrow<R>>,
    ) -> Markup {
        framed(caption, &html! { caption.unseen { (caption) } }, &self.head(), &self.body(rows))
    }

    /// Returns a heading, a paragraph and the table; nothing without rows.
    pub(crate) fn show_section(
        &self,
        caption: &str,
        text: &str,
        rows: impl IntoIterator<Item: Borrow<R>>,
    ) -> Markup {
        let mut rows = rows.into_iter().peekable();
        html! {
            @if rows.peek().is_some() {
                h2 { (caption) }
                p { (text) }
                (self.show_below_heading(caption, rows))
            }
        }
    }

    fn head(&self) -> Markup {
        html! {
            @for column in &self.columns {
                th class=[class(column)] scope="col" {
                    @match column.explanation {
                        Some(explanation) => abbr title=(explanation) { (column.page_heading()) },
                        None => (column.page_heading()),
                    }
                }
            }
        }
    }

    fn body(&self, rows: impl IntoIterator<Item: Borrow<R>>) -> Markup {
        // The name of a row, or else its first value, is its heading.
        let name = self.columns.iter().position(|column| column.key == "name");
        let heading = name.unwrap_or(0);
        html! {
            @for row in rows {
                @let row = row.borrow();
                tr class=[(self.row_class)(row)] {
                    @for (index, column) in self.columns.iter().enumerate() {
                        @let cell = self.cell(column, row);
                        @if index == heading { th scope="row" { (cell) } }
                        @else { td class=[class(column)] { (cell) } }
                    }
                }
            }
        }
    }

    fn cell(&self, column: &Column<'_, R>, row: &R) -> Markup {
        match self.marked.iter().find(|(key, _)| *key == column.key) {
            Some((_, cell)) => cell(row),
            None => cell_markup(&column.cell(row)),
        }
    }
}

/// Returns the class of the cells of a column.
const fn class<R>(column: &Column<'_, R>) -> Option<&'static str> {
    match (column.is_number, column.is_wide) {
        (true, true) => Some("number wide"),
        (true, false) => Some("number"),
        (false, true) => Some("wide"),
        (false, false) => None,
    }
}

fn cell_markup(value: &CellValue) -> Markup {
    html! {
        @match value {
            CellValue::Empty | CellValue::Unknown => {},
            CellValue::Words(text) => (text),
            CellValue::Remark(reason) => span.same { (reason) },
            CellValue::Text(text) => (name(text)),
            &CellValue::Points(number, decimals) => (points(number, decimals)),
            &CellValue::Change(number, decimals) => (change(number, decimals)),
            &CellValue::Rating(number, decimals, mark) => {
                (points(number, decimals))
                (provisional_mark(mark == RatingMark::Provisional))
            },
            &CellValue::Day(seconds) => (day_element(Some(seconds))),
        }
    }
}

/// Returns the table of contests.
pub(crate) fn contests_table(caption: &str, list: &ContestList, links: &Links) -> Markup {
    let table = ListTable::new(list.columns()).with("name", |row| {
        let contest = &row.contest;
        linked(links.contest(&contest.source, &contest.external_id), &name(&contest.name))
    });
    table.show(caption, &list.rows)
}

/// Returns the table of movers; nothing without any.
pub(crate) fn movers_table(
    caption: &str,
    list: &MoverList<'_>,
    source: &str,
    links: &Links,
) -> Markup {
    if list.rows.is_empty() {
        return html! {};
    }
    let columns = list.columns();
    let mu = |row: &Mover| list.mu(row);
    let table = ListTable::new(columns)
        .with("name", |row| player_link(links, source, &row.competitor))
        .with("mu", move |row| {
            html! { (cell_markup(&mu(row))) (provisional_mark(row.provisional)) }
        });
    table.show(caption, list.rows)
}

#[cfg(test)]
mod tests {
    use super::*;
    use ranklore_views::List;

    struct Members(Vec<(&'static str, u32)>);

    impl List for Members {
        type Row = (&'static str, u32);

        fn columns(&self) -> Columns<'_, Self::Row> {
            Columns::new()
                .right(("won", "games won"), |(_, won): &Self::Row| won.to_string())
                .wide()
                .explained("of two")
                .left("name", |(name, _)| CellValue::text(*name))
        }
    }

    #[test]
    fn columns_of_lists_are_those_of_the_page() {
        let list = Members(vec![("<A>", 3)]);
        let html = ListTable::new(list.columns()).show("Members", &list.0).into_string();
        for part in [
            "<th class=\"number wide\" scope=\"col\"><abbr title=\"of two\">Games won</abbr></th>",
            "<th scope=\"col\">Name</th>",
            "<td class=\"number wide\">3</td>",
            "<th scope=\"row\"><bdi>&lt;A&gt;</bdi></th>",
        ] {
            assert!(html.contains(part), "{part} in {html}");
        }
        let linked = ListTable::new(list.columns()).with("name", |_| html! { a { "link" } });
        let html = linked.show("Members", &list.0).into_string();
        assert!(html.contains("<th scope=\"row\"><a>link</a></th>"), "{html}");
    }
}
