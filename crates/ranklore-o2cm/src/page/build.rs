//! Takes a page apart, tag by tag.

use std::convert::Infallible;

use html5gum::emitters::callback::{CallbackEmitter, CallbackEvent};
use html5gum::{Span, Tokenizer};

use super::markup::{Attributes, Tag};
use super::{Cell, Choice, Field, Link, Page, Row, Table};
use crate::text::squeeze;

/// The page of a text. There is nothing that could not be taken apart.
pub(super) fn page(text: &str) -> Page {
    let mut builder = Builder::default();
    let mut emitter = CallbackEmitter::new(|event: CallbackEvent<'_>, span: Span<usize>| {
        builder.event(&event, &span);
        None::<Infallible>
    });
    emitter.naively_switch_states(true);
    let Ok(()) = Tokenizer::new_with_emitter(text, emitter).finish();
    builder.end_row(text.len());
    builder.page
}

/// What of the innermost table is open.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Within {
    #[default]
    Table,
    Row,
    Cell,
}

/// Whether what comes is there to choose of.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Choosing {
    #[default]
    No,
    /// In a field, between two choices.
    Field,
    Choice,
}

/// A table that is open, and what it interrupts in the table around it.
struct Open {
    table: usize,
    around: Within,
    /// The class of the cell that it stands in.
    class: Option<String>,
}

#[derive(Default)]
struct Builder {
    page: Page,
    /// The tables that are open, outermost first.
    open: Vec<Open>,
    within: Within,
    choosing: Choosing,
    unseen: bool,
    /// What is written in the open cell, as it came.
    cell: String,
    /// Where in it the last link begins, while that is open.
    link_from: Option<usize>,
    choice: String,
    tag: Option<(Tag, usize)>,
    attribute: Vec<u8>,
    attributes: Attributes,
}

impl Builder {
    fn event(&mut self, event: &CallbackEvent<'_>, span: &Span<usize>) {
        match event {
            CallbackEvent::OpenStartTag { name } => {
                self.tag = Some((Tag::of(name), span.start));
                self.attributes = Attributes::default();
                self.attribute.clear();
            }
            CallbackEvent::AttributeName { name } => {
                self.attribute.clear();
                self.attribute.extend_from_slice(name);
                self.attributes.selected |= *name == b"selected";
            }
            CallbackEvent::AttributeValue { value } => {
                if let Some(slot) = self.attributes.slot(&self.attribute) {
                    // Of two attributes of one name the first counts.
                    slot.get_or_insert_with(|| String::from_utf8_lossy(value).into_owned());
                }
            }
            CallbackEvent::CloseStartTag { .. } => {
                if let Some((tag, start)) = self.tag.take() {
                    self.begin(tag, start, span.end);
                }
            }
            CallbackEvent::EndTag { name } => self.end(Tag::of(name), span),
            CallbackEvent::String { value } => self.text(value),
            _ => {}
        }
    }

    fn begin(&mut self, tag: Tag, start: usize, end: usize) {
        self.page.whole = false;
        match tag {
            Tag::Table => {
                let class = self.open_cell().map(|cell| cell.class.clone());
                self.end_cell(start);
                self.open.push(Open {
                    table: self.page.tables.len(),
                    around: self.within,
                    class,
                });
                self.page.tables.push(Table::default());
                self.within = Within::Table;
            }
            Tag::Row => {
                self.end_row(start);
                self.begin_row();
            }
            Tag::Cell => {
                self.end_cell(start);
                if self.within == Within::Table {
                    // Where the row was never opened, the cell opens one.
                    self.attributes_aside(Self::begin_row);
                }
                let class = self.attributes.class.take().unwrap_or_default();
                self.begin_cell(class, end);
            }
            Tag::Link => {
                self.end_link();
                let Some(href) = self.attributes.href.take() else {
                    return;
                };
                let from = self.cell.len();
                if let Some(cell) = self.open_cell() {
                    cell.links.push(Link {
                        href,
                        text: String::new(),
                    });
                    self.link_from = Some(from);
                } else {
                    self.page.astray.push(href);
                }
            }
            Tag::Form => {
                let name = self.attributes.name.take().unwrap_or_default();
                self.page.forms.push(name);
            }
            Tag::Input | Tag::Select => {
                self.end_select(start);
                if tag == Tag::Select {
                    self.choosing = Choosing::Field;
                }
                let Attributes {
                    id,
                    name,
                    value,
                    min,
                    max,
                    ..
                } = std::mem::take(&mut self.attributes);
                self.page.fields.push(Field {
                    name: name.or(id).unwrap_or_default(),
                    value: value.unwrap_or_default(),
                    min: min.unwrap_or_default(),
                    max: max.unwrap_or_default(),
                    choices: Vec::new(),
                });
                if let Some(row) = self.row() {
                    row.fields = true;
                }
            }
            Tag::Option if self.choosing != Choosing::No => {
                self.end_choice(start);
                let value = self.attributes.value.take().unwrap_or_default();
                let selected = self.attributes.selected;
                if let Some(field) = self.page.fields.last_mut() {
                    field.choices.push(Choice {
                        value,
                        selected,
                        text: String::new(),
                        range: start..start,
                    });
                    self.choosing = Choosing::Choice;
                }
            }
            Tag::Break => self.text(b" "),
            Tag::Unseen => self.unseen = true,
            Tag::Option | Tag::Html | Tag::Other => {}
        }
    }

    fn end(&mut self, tag: Tag, &Span { start, end }: &Span<usize>) {
        self.page.whole = tag == Tag::Html;
        match tag {
            Tag::Table => self.end_table(start, end),
            Tag::Row => self.end_row(start),
            Tag::Cell => self.end_cell(start),
            Tag::Link => self.end_link(),
            Tag::Select => self.end_select(start),
            Tag::Option => self.end_choice(start),
            Tag::Unseen => self.unseen = false,
            Tag::Form | Tag::Input | Tag::Html | Tag::Break | Tag::Other => {}
        }
    }

    fn text(&mut self, value: &[u8]) {
        let text = String::from_utf8_lossy(value);
        let blank = text.trim().is_empty();
        self.page.whole &= blank;
        if self.unseen {
        } else if self.choosing == Choosing::Choice {
            self.choice.push_str(&text);
        } else if self.choosing == Choosing::Field {
            // Among choices stands nothing but choices.
            if !blank && let Some(field) = self.page.fields.last_mut() {
                field.choices.push(Choice {
                    text: squeeze(&text),
                    ..Choice::default()
                });
            }
        } else if self.within == Within::Cell {
            self.cell.push_str(&text);
        } else if !blank && let Some(row) = self.row() {
            row.stray = true;
        }
    }

    /// The open row.
    fn row(&mut self) -> Option<&mut Row> {
        let table = self.open.last()?.table;
        let rows = &mut self.page.tables[table].rows;
        rows.last_mut().filter(|_| self.within != Within::Table)
    }

    fn open_cell(&mut self) -> Option<&mut Cell> {
        if self.within == Within::Cell {
            self.row()?.cells.last_mut()
        } else {
            None
        }
    }

    fn begin_row(&mut self) {
        if let Some(Open { table, .. }) = self.open.last() {
            let class = self.attributes.class.take().unwrap_or_default();
            self.page.tables[*table].rows.push(Row {
                class,
                ..Row::default()
            });
            self.within = Within::Row;
        }
    }

    /// A cell whose content begins here.
    fn begin_cell(&mut self, class: String, at: usize) {
        if let Some(row) = self.row() {
            row.cells.push(Cell {
                class,
                range: at..at,
                ..Cell::default()
            });
            self.within = Within::Cell;
        }
    }

    /// Runs something that is to see no attributes.
    fn attributes_aside(&mut self, run: impl FnOnce(&mut Self)) {
        let attributes = std::mem::take(&mut self.attributes);
        run(self);
        self.attributes = attributes;
    }

    fn end_choice(&mut self, at: usize) {
        if self.choosing == Choosing::Choice {
            self.choosing = Choosing::Field;
            let text = squeeze(&self.choice);
            self.choice.clear();
            let field = self.page.fields.last_mut();
            if let Some(choice) = field.and_then(|field| field.choices.last_mut()) {
                choice.text = text;
                choice.range.end = at;
            }
        }
    }

    fn end_select(&mut self, at: usize) {
        self.end_choice(at);
        self.choosing = Choosing::No;
    }

    fn end_link(&mut self) {
        let Some(from) = self.link_from.take() else {
            return;
        };
        let text = squeeze(&self.cell[from..]);
        if let Some(link) = self.open_cell().and_then(|cell| cell.links.last_mut()) {
            link.text = text;
        }
    }

    fn end_cell(&mut self, at: usize) {
        self.end_select(at);
        self.end_link();
        let text = squeeze(&self.cell);
        self.cell.clear();
        if let Some(cell) = self.open_cell() {
            cell.text = text;
            cell.range.end = at;
        }
        if self.within == Within::Cell {
            self.within = Within::Row;
        }
    }

    fn end_row(&mut self, at: usize) {
        self.end_cell(at);
        self.within = Within::Table;
    }

    /// The table around it goes on where its tag ends.
    fn end_table(&mut self, start: usize, end: usize) {
        self.end_row(start);
        if let Some(Open { around, class, .. }) = self.open.pop() {
            self.within = around;
            if let Some(class) = class {
                self.begin_cell(class, end);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rows as their cells, parted by bars.
    fn rows(text: &str) -> Vec<String> {
        let page = Page::read(text);
        let rows = page.tables.iter().flat_map(|table| &table.rows);
        rows.map(|row| {
            let cells: Vec<&str> = row.cells.iter().map(|cell| &*cell.text).collect();
            cells.join("|")
        })
        .collect()
    }

    #[test]
    fn rows_and_cells_end_where_the_next_begin() {
        for (text, expected) in [
            ("<table><tr><td>a</td><td>b</td></tr></table>", &["a|b"][..]),
            ("<table><tr><td>a<td>b<tr><td>c</table>", &["a|b", "c"]),
            ("<table><td>a<td>b", &["a|b"]),
            // Rows opened twice, and cells beside their row.
            (
                "<table><tr></tr><td>a</td></tr><tr><tr><td>b",
                &["", "a", "", "b"],
            ),
            ("<TABLE><TR><TD>a&nbsp<B>b</B><br>c", &["a b c"]),
            (
                "<table><tr><td>a<table><tr><td>b</table></tr><tr><td>c</table>",
                &["a|", "c", "b"],
            ),
            // A table parts the cell it stands in, and its row goes on.
            (
                "<table><tr><td>a<table><tr><td>b</table>c<td>d<tr><td>e</table>",
                &["a|c|d", "e", "b"],
            ),
            (
                "<table><tr><td>a<table><tr><td>b<table><td>c</table>d</table>e",
                &["a|e", "b|d", "c"],
            ),
            // One that is never closed ends with the page.
            ("<table><tr><td>a<table><tr><td>b", &["a", "b"]),
            ("<table><tr><td>a</table></table><td>b", &["a"]),
            ("<table><tr><td>a<script>'<td>b'</script>c", &["ac"]),
            (
                "<table><tr><td>a<select><option>b<option>c</select>d",
                &["ad"],
            ),
            ("<tr><td>a", &[]),
        ] {
            assert_eq!(rows(text), expected, "{text}");
        }
    }

    #[test]
    fn links_are_closed_by_their_cell() {
        let page = Page::read(
            "<table><tr><td><a href='x.asp?event=gls25&bclr=#FFFFFF'>One<td>two<td>\
             <a href=y>three</a> four<a name=z>five</a>",
        );
        let links: Vec<(&str, &str)> = page
            .cells()
            .flat_map(|cell| &cell.links)
            .map(|link| (&*link.href, &*link.text))
            .collect();
        assert_eq!(
            links,
            [("x.asp?event=gls25&bclr=#FFFFFF", "One"), ("y", "three")]
        );
        let page = Page::read("<a href=x>one</a><table><a href=y>two</a><td><a href=z>three");
        assert_eq!(page.astray, ["x", "y"]);
        assert_eq!(page.links().collect::<Vec<_>>(), ["z", "x", "y"]);
    }

    #[test]
    fn what_stands_beside_cells_is_noticed() {
        let page = Page::read("<table><tr><div>a</div></tr><tr><td>b</td></tr></table>");
        let stray: Vec<bool> = page.tables[0].rows.iter().map(|row| row.stray).collect();
        assert_eq!(stray, [true, false]);
    }

    #[test]
    fn fields_have_their_choices() {
        let page = Page::read(
            "<form name=F><input type=hidden NAME=event value='a&amp;b'><input id=x min=1 max=2>\
             <select id=s><option value=''>all<option value=1 selected> One </option></select>",
        );
        assert!(page.has_form("f"));
        let event = page.field("EVENT").unwrap();
        assert_eq!(event.value, "a&b");
        let x = page.field("x").unwrap();
        assert_eq!((&*x.min, &*x.max), ("1", "2"));
        let choices = page.field("s").unwrap().choices.iter();
        let choices: Vec<(&str, &str)> = choices.map(|of| (&*of.value, &*of.text)).collect();
        assert_eq!(choices, [("", "all"), ("1", "One")]);
    }

    #[test]
    fn cells_know_where_they_stand() {
        let text = "<table>\r\n<tr><td>é &amp;\r\n<b>x</b></td><td>&nbsp<td></td></tr>\r\n</table>";
        let page = Page::read(text);
        let parts: Vec<&str> = page.cells().map(|cell| &text[cell.range.clone()]).collect();
        assert_eq!(parts, ["é &amp;\r\n<b>x</b>", "&nbsp", ""]);
    }

    #[test]
    fn a_page_ends_with_its_end() {
        for (text, whole) in [
            ("<html></html>", true),
            ("<html></HTML> \r\n", true),
            ("<html></html><p>", false),
            ("<html></html>x", false),
            ("<html>", false),
            ("<html></htm", false),
        ] {
            assert_eq!(Page::read(text).whole, whole, "{text}");
        }
    }
}
