//! A page as rows of cells, as a browser would show them, whatever tags are missing.
//!
//! Rows and cells end where the next begins or their table ends; of a cell in which a table stands
//! only what is before that is seen.

use std::convert::Infallible;

use html5gum::emitters::callback::{CallbackEmitter, CallbackEvent};
use html5gum::{Span, Tokenizer};
use ranklore_source::ReadError;

use crate::values::text::squeeze;

/// What of a page can be read.
#[derive(Debug, Default)]
pub(crate) struct Page {
    pub(crate) rows: Vec<Row>,
    /// Whether it ends where a page ends.
    whole: bool,
}

#[derive(Debug, Default)]
pub(crate) struct Row {
    /// Which table it stands in; tables are counted as they begin.
    pub(crate) table: usize,
    pub(crate) cells: Vec<Cell>,
}

#[derive(Debug, Default)]
pub(crate) struct Cell {
    /// As it is shown.
    pub(crate) text: String,
    pub(crate) links: Vec<Link>,
}

#[derive(Debug, Default)]
pub(crate) struct Link {
    pub(crate) href: String,
    pub(crate) text: String,
}

impl Link {
    /// A parameter of the address. The first of this name.
    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        let (_, query) = self.href.split_once('?')?;
        let mut fields = query.split(['&', '#']).filter_map(|of| of.split_once('='));
        fields.find_map(|(found, value)| (found == name).then_some(value))
    }
}

impl Row {
    /// The cells in which something stands.
    pub(crate) fn filled(&self) -> impl Iterator<Item = &Cell> {
        let filled = |cell: &&Cell| !cell.text.is_empty() || !cell.links.is_empty();
        self.cells.iter().filter(filled)
    }

    /// The only cell in which something stands.
    pub(crate) fn only(&self) -> Option<&Cell> {
        let mut filled = self.filled();
        let first = filled.next()?;
        filled.next().is_none().then_some(first)
    }
}

impl Page {
    /// Takes a page apart. There is nothing that it could not take apart.
    pub(crate) fn read(text: &str) -> Self {
        let mut builder = Builder::default();
        let mut emitter = CallbackEmitter::new(|event: CallbackEvent<'_>, _: Span<()>| {
            builder.event(&event);
            None::<Infallible>
        });
        emitter.naively_switch_states(true);
        let Ok(()) = Tokenizer::new_with_emitter(text, emitter).finish();
        builder.end_row();
        builder.page
    }

    /// Half a page says nothing, not even half of it.
    pub(crate) fn check_whole(&self, key: &str) -> Result<(), ReadError> {
        if self.whole {
            return Ok(());
        }
        let expected = "a page that ends with </html>, not one that is cut off";
        Err(ReadError::whole(key, expected))
    }
}

/// The tags that matter.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Tag {
    Table,
    Row,
    Cell,
    Link,
    Html,
    Break,
    /// Scripts and what can be chosen: not shown as the text of the page.
    Unseen,
    Other,
}

impl Tag {
    fn of(name: &[u8]) -> Self {
        match name {
            b"table" => Self::Table,
            b"tr" => Self::Row,
            b"td" | b"th" => Self::Cell,
            b"a" => Self::Link,
            b"html" => Self::Html,
            b"br" | b"p" | b"hr" | b"div" | b"li" => Self::Break,
            b"script" | b"style" | b"title" | b"select" => Self::Unseen,
            _ => Self::Other,
        }
    }
}

#[derive(Default)]
struct Builder {
    page: Page,
    /// The tables that are open, outermost first.
    open: Vec<usize>,
    tables: usize,
    /// What is open of the innermost table.
    row: Option<Row>,
    cell: Option<Cell>,
    /// Where in the text of the cell its last link begins, while that is open.
    link_from: Option<usize>,
    unseen: bool,
    tag: Option<Tag>,
    attribute: Vec<u8>,
    href: Option<String>,
}

impl Builder {
    fn event(&mut self, event: &CallbackEvent<'_>) {
        match event {
            CallbackEvent::OpenStartTag { name } => {
                self.tag = Some(Tag::of(name));
                self.href = None;
                self.attribute.clear();
            }
            CallbackEvent::AttributeName { name } => {
                self.attribute.clear();
                self.attribute.extend_from_slice(name);
            }
            CallbackEvent::AttributeValue { value } if self.attribute == b"href" => {
                // Of two attributes of one name the first counts.
                let href = || String::from_utf8_lossy(value).into_owned();
                self.href.get_or_insert_with(href);
            }
            CallbackEvent::CloseStartTag { .. } => {
                if let Some(tag) = self.tag.take() {
                    self.begin(tag);
                }
            }
            CallbackEvent::EndTag { name } => self.end(Tag::of(name)),
            CallbackEvent::String { value } => self.text(value),
            _ => {}
        }
    }

    fn begin(&mut self, tag: Tag) {
        self.page.whole = false;
        match tag {
            Tag::Table => {
                self.end_row();
                self.open.push(self.tables);
                self.tables += 1;
            }
            Tag::Row => {
                self.end_row();
                self.begin_row();
            }
            Tag::Cell => {
                self.end_cell();
                // Where the row was never opened, the cell opens one.
                self.begin_row();
                if self.row.is_some() {
                    self.cell = Some(Cell::default());
                }
            }
            Tag::Link => {
                self.end_link();
                if let (Some(href), Some(cell)) = (self.href.take(), &mut self.cell) {
                    self.link_from = Some(cell.text.len());
                    cell.links.push(Link {
                        href,
                        text: String::new(),
                    });
                }
            }
            Tag::Break => self.text(b" "),
            Tag::Unseen => self.unseen = true,
            Tag::Html | Tag::Other => {}
        }
    }

    fn end(&mut self, tag: Tag) {
        self.page.whole = tag == Tag::Html;
        match tag {
            Tag::Table => {
                self.end_row();
                self.open.pop();
            }
            Tag::Row => self.end_row(),
            Tag::Cell => self.end_cell(),
            Tag::Link => self.end_link(),
            Tag::Unseen => self.unseen = false,
            Tag::Html | Tag::Break | Tag::Other => {}
        }
    }

    fn text(&mut self, value: &[u8]) {
        self.page.whole &= value.trim_ascii().is_empty();
        if !self.unseen
            && let Some(cell) = &mut self.cell
        {
            cell.text.push_str(&String::from_utf8_lossy(value));
        }
    }

    fn begin_row(&mut self) {
        if self.row.is_none()
            && let Some(&table) = self.open.last()
        {
            self.row = Some(Row {
                table,
                cells: Vec::new(),
            });
        }
    }

    fn end_link(&mut self) {
        let from = self.link_from.take();
        if let (Some(from), Some(cell)) = (from, &mut self.cell)
            && let Some(link) = cell.links.last_mut()
        {
            link.text = squeeze(&cell.text[from..]);
        }
    }

    fn end_cell(&mut self) {
        self.end_link();
        if let (Some(mut cell), Some(row)) = (self.cell.take(), &mut self.row) {
            cell.text = squeeze(&cell.text);
            row.cells.push(cell);
        }
    }

    fn end_row(&mut self) {
        self.end_cell();
        self.page.rows.extend(self.row.take());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rows as their cells, parted by bars.
    fn rows(text: &str) -> Vec<String> {
        let rows = Page::read(text).rows;
        rows.iter()
            .map(|row| {
                let cells: Vec<&str> = row.cells.iter().map(|cell| &*cell.text).collect();
                format!("{}:{}", row.table, cells.join("|"))
            })
            .collect()
    }

    #[test]
    fn rows_and_cells_end_where_the_next_begin() {
        for (text, expected) in [
            (
                "<table><tr><td>a</td><td>b</td></tr></table>",
                &["0:a|b"][..],
            ),
            ("<table><tr><td>a<td>b<tr><td>c</table>", &["0:a|b", "0:c"]),
            ("<table><td>a<td>b", &["0:a|b"]),
            ("<TABLE><TR><TD>a&nbsp<B>b</B><br>c", &["0:a b c"]),
            (
                "<table><tr><td>a<table><tr><td>b</table></tr><tr><td>c</table>",
                &["0:a", "1:b", "0:c"],
            ),
            ("<table><tr><td>a<script>'<td>b'</script>c", &["0:ac"]),
            ("<table><tr><td>a<select><option>b</select>c", &["0:ac"]),
            ("<tr><td>a", &[]),
        ] {
            assert_eq!(rows(text), expected, "{text}");
        }
    }

    #[test]
    fn links_have_parameters_and_end_with_their_cell() {
        let page = Page::read(
            "<table><tr><td><a href='/stat?c=round_stats&amp;rd=7#top'>One<td>two<a name=z>x</a>",
        );
        let links: Vec<&Link> = page.rows[0].cells.iter().flat_map(|of| &of.links).collect();
        assert_eq!(links.len(), 1);
        assert_eq!(links[0].text, "One");
        let get = |name| links[0].get(name);
        assert_eq!(
            [get("c"), get("rd"), get("x")],
            [Some("round_stats"), Some("7"), None]
        );
    }

    #[test]
    fn a_page_ends_with_its_end() {
        for (text, whole) in [
            ("<html></HTML> \r\n", true),
            ("<html></html>x", false),
            ("<html>", false),
            ("<html></htm", false),
        ] {
            assert_eq!(Page::read(text).check_whole("").is_ok(), whole, "{text}");
        }
    }
}
