//! HTML pages as tables of rows of cells, as browsers display them even if tags are missing.
//!
//! ```
//! use ranklore_source::html::HtmlPage;
//!
//! let text = "<table><tr><td><a href='/7'>Ada <b>Bell</b></table></html>";
//! let page = HtmlPage::parse("GET list", text)?;
//! let cell = &page.tables[0].rows[0].cells[0];
//! assert_eq!((&*cell.text, &*cell.links[0].href), ("Ada Bell", "/7"));
//! # Ok::<(), ranklore_source::SiteReadError>(())
//! ```

use std::mem;

use html5ever::driver::{self, ParseOpts};
use html5ever::tendril::TendrilSink;
use scraper::node::Element;
use scraper::{ElementRef, Html, HtmlTreeSink, Node};

use crate::SiteReadError;

/// The limit on nested elements. Browsers stop at 512.
const MAX_DEPTH: usize = 256;

/// The limit on words in a tag or comment. Every attribute is at least one word.
const MAX_WORDS: usize = 8192;

/// The number of bytes between checks of the limits.
const CHUNK_BYTES: usize = 1024;

/// The contents of a page.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct HtmlPage {
    /// All tables, in the order of their start tags.
    pub tables: Vec<Table>,
    /// All fields of forms.
    pub fields: Vec<FormField>,
    /// The names of all forms.
    pub forms: Vec<String>,
    /// Text and links outside of all tables.
    pub outside: Cell,
}

/// A table. A nested table is a table of its own.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Table {
    /// The rows, from top to bottom.
    pub rows: Vec<HtmlRow>,
}

/// A row of a table.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct HtmlRow {
    /// The attribute `class`.
    pub class: String,
    /// The cells, `td` or `th`.
    pub cells: Vec<Cell>,
    /// True if the row has a form field.
    pub has_fields: bool,
}

/// A cell of a row, without nested tables.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Cell {
    /// The attribute `class`.
    pub class: String,
    /// The displayed text, with single spaces.
    pub text: String,
    /// The links with an `href`.
    pub links: Vec<HtmlLink>,
}

/// A link.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct HtmlLink {
    /// The attribute `href`, verbatim.
    pub href: String,
    /// The displayed text.
    pub text: String,
}

/// A field of a form, `input` or `select`. Missing attributes are empty.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct FormField {
    /// The attribute `name`, or else `id`.
    pub name: String,
    /// The attribute `value`.
    pub value: String,
    /// The attribute `min`.
    pub min: String,
    /// The attribute `max`.
    pub max: String,
    /// The number of options of a `select`.
    pub options: usize,
}

/// Returns true if a page ends with `</html>` and so is not truncated.
#[must_use]
pub fn is_complete(page: &[u8]) -> bool {
    const END: &[u8] = b"</html>";
    let end = page.trim_ascii_end().last_chunk::<{ END.len() }>();
    end.is_some_and(|end| end.eq_ignore_ascii_case(END))
}

impl HtmlPage {
    /// Parses the page that answers the request with this key.
    ///
    /// # Errors
    /// [`SiteReadError`] if the page is truncated, nests more than 256 elements, or has a tag or
    /// comment of more than 8192 words.
    pub fn parse(key: &str, text: &str) -> Result<Self, SiteReadError> {
        let html = if is_complete(text.as_bytes()) {
            parse_document(text)
        } else {
            Err("a page that ends with </html>, not one that is cut off")
        };
        let html = html.map_err(|expected| SiteReadError::whole_document(key, expected))?;
        Ok(PageReader::default().read_page(&html))
    }

    /// Returns the field with this name, ignoring case.
    #[must_use]
    pub fn field(&self, name: &str) -> Option<&FormField> {
        let mut fields = self.fields.iter();
        fields.find(|field| field.name.eq_ignore_ascii_case(name))
    }

    /// Returns true if there is a form with this name, ignoring case.
    #[must_use]
    pub fn has_form(&self, name: &str) -> bool {
        let mut forms = self.forms.iter();
        forms.any(|form| form.eq_ignore_ascii_case(name))
    }

    /// Returns the cells of all tables.
    pub fn cells(&self) -> impl Iterator<Item = &Cell> {
        let rows = self.tables.iter().flat_map(|table| &table.rows);
        rows.flat_map(|row| &row.cells)
    }

    /// Returns the links in cells, then those outside of tables.
    pub fn links(&self) -> impl Iterator<Item = &HtmlLink> {
        let cells = self.cells().chain([&self.outside]);
        cells.flat_map(|cell| &cell.links)
    }
}

impl HtmlRow {
    /// Returns the cells that have a text or a link.
    pub fn non_empty_cells(&self) -> impl Iterator<Item = &Cell> {
        let cells = self.cells.iter();
        cells.filter(|cell| !cell.text.is_empty() || !cell.links.is_empty())
    }

    /// Returns the only cell that has a text or a link; `None` if there are several.
    #[must_use]
    pub fn only_non_empty_cell(&self) -> Option<&Cell> {
        let mut filled = self.non_empty_cells();
        filled.next().filter(|_| filled.next().is_none())
    }

    /// Returns the links in all cells.
    pub fn links(&self) -> impl Iterator<Item = &HtmlLink> {
        self.cells.iter().flat_map(|cell| &cell.links)
    }
}

impl HtmlLink {
    /// Returns the first query parameter with this name in the address, not decoded.
    #[must_use]
    pub fn parameter(&self, name: &str) -> Option<&str> {
        let (_, query) = self.href.split_once('?')?;
        query
            .split(['&', '#'])
            .filter_map(|field| field.split_once('='))
            .find_map(|(key, value)| (key == name).then_some(value))
    }
}

/// Parses a page as browsers do. An error is the limit that the page exceeds.
///
/// The parser has no limits of its own: its time grows with the depth and with the square of a
/// tag's attributes, its memory with the elements that it reopens. Therefore it receives the page
/// in chunks, and the limits are checked after each.
fn parse_document(text: &str) -> Result<Html, &'static str> {
    let sink = HtmlTreeSink::new(Html::new_document());
    let mut parser = driver::parse_document(sink, ParseOpts::default());
    let mut rest = text;
    // The number of nodes, and the length of the last one if it is a text.
    let mut checked = (0, 0);
    let mut words = 0;
    while !rest.is_empty() {
        let (chunk, behind) = rest.split_at(rest.floor_char_boundary(CHUNK_BYTES));
        parser.process(chunk.into());
        rest = behind;
        let html = parser.tokenizer.sink.sink.0.borrow();
        let mut nodes = html.tree.nodes();
        let count = nodes.len();
        // Every node takes at least two bytes, except the few that every page has.
        let too_many = count > text.len() - rest.len() + CHUNK_BYTES;
        let mut new = nodes.clone().rev().take(count - checked.0);
        if too_many || new.any(|node| node.ancestors().nth(MAX_DEPTH).is_some()) {
            return Err("a page whose elements nest at most 256 deep");
        }
        let last = nodes.next_back().and_then(|node| node.value().as_text());
        let parsed = (count, last.map_or(0, |text| text.len()));
        // Within a tag or comment neither the tree nor its last text grows.
        words = if parsed == checked {
            words + count_words(chunk)
        } else {
            0
        };
        if words > MAX_WORDS {
            return Err("a page whose tags and comments have at most 8192 words each");
        }
        checked = parsed;
    }
    Ok(parser.finish())
}

/// Counts the words of a text, which could all be attributes of one tag.
fn count_words(text: &str) -> usize {
    let words = text.split(|c: char| c.is_ascii_whitespace() || matches!(c, '/' | '"' | '\''));
    words.filter(|word| !word.is_empty()).count()
}

/// The state of reading a page. Stacks keep the outer tables, rows and cells.
#[derive(Default)]
struct PageReader {
    page: HtmlPage,
    /// The open tables, by their index in the page.
    tables: Vec<usize>,
    row: HtmlRow,
    rows: Vec<HtmlRow>,
    cell: Cell,
    cells: Vec<Cell>,
    /// The open links: their index in the cell, and the start of their text.
    links: Vec<(usize, usize)>,
}

impl PageReader {
    fn read_page(mut self, html: &Html) -> HtmlPage {
        let mut node = html.tree.root();
        // No recursion: elements may nest deep.
        loop {
            let is_displayed = match node.value() {
                Node::Element(_) => ElementRef::wrap(node).is_some_and(|e| self.open(e)),
                Node::Text(text) => {
                    self.cell.text.push_str(text);
                    false
                }
                Node::Document => true,
                _ => false,
            };
            if let Some(child) = node.first_child().filter(|_| is_displayed) {
                node = child;
                continue;
            }
            loop {
                if let Node::Element(element) = node.value() {
                    self.close(element);
                }
                if let Some(next) = node.next_sibling() {
                    node = next;
                    break;
                }
                let Some(parent) = node.parent() else {
                    self.page.outside = squeeze_cell(self.cell);
                    return self.page;
                };
                node = parent;
            }
        }
    }

    /// Opens an element. Returns true if its contents are displayed.
    fn open(&mut self, element: ElementRef<'_>) -> bool {
        let attribute = |name: &str| element.attr(name).unwrap_or_default().to_owned();
        match element.value().name() {
            "table" => {
                self.tables.push(self.page.tables.len());
                self.page.tables.push(Table::default());
            }
            "tr" => {
                self.rows.push(mem::take(&mut self.row));
                self.row.class = attribute("class");
            }
            "td" | "th" => {
                self.cells.push(mem::take(&mut self.cell));
                self.cell.class = attribute("class");
            }
            "a" if element.attr("href").is_some() => {
                self.links.push((self.cell.links.len(), self.cell.text.len()));
                self.cell.links.push(HtmlLink {
                    href: attribute("href"),
                    text: String::new(),
                });
            }
            "form" => self.page.forms.push(attribute("name")),
            name @ ("input" | "select") => {
                let descendants = element.descendants().filter_map(ElementRef::wrap);
                let options = descendants.filter(|e| e.value().name() == "option");
                let id = element.attr("id").unwrap_or_default();
                self.page.fields.push(FormField {
                    name: element.attr("name").unwrap_or(id).to_owned(),
                    value: attribute("value"),
                    min: attribute("min"),
                    max: attribute("max"),
                    options: options.count(),
                });
                self.row.has_fields = true;
                return name == "input";
            }
            "script" | "style" | "title" | "noscript" | "template" => return false,
            name if is_block_element(name) => self.cell.text.push(' '),
            _ => {}
        }
        true
    }

    fn close(&mut self, element: &Element) {
        match element.name() {
            "table" => {
                self.tables.pop();
            }
            "tr" => {
                let row = mem::replace(&mut self.row, self.rows.pop().unwrap_or_default());
                if let Some(table) = self.tables.last() {
                    self.page.tables[*table].rows.push(row);
                }
            }
            "td" | "th" => {
                let cell = mem::replace(&mut self.cell, self.cells.pop().unwrap_or_default());
                self.row.cells.push(squeeze_cell(cell));
            }
            "a" if element.attr("href").is_some() => {
                if let Some((link, start)) = self.links.pop() {
                    self.cell.links[link].text = squeeze_space(&self.cell.text[start..]);
                }
            }
            name if is_block_element(name) => self.cell.text.push(' '),
            _ => {}
        }
    }
}

/// True if a browser separates this element from the text around it.
fn is_block_element(element: &str) -> bool {
    matches!(element, "br" | "div" | "hr" | "li" | "p")
}

fn squeeze_cell(cell: Cell) -> Cell {
    let text = squeeze_space(&cell.text);
    Cell { text, ..cell }
}

/// Joins words by single spaces, as browsers display them.
fn squeeze_space(text: &str) -> String {
    let mut joined = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        if !joined.is_empty() {
            joined.push(' ');
        }
        joined.push_str(word);
    }
    joined
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(text: &str) -> HtmlPage {
        HtmlPage::parse("key", &format!("{text}</html>")).unwrap()
    }

    /// Returns the rows of each table, with cells joined by bars.
    fn rows(text: &str) -> Vec<Vec<String>> {
        let row = |row: &HtmlRow| {
            let cells = row.cells.iter().map(|cell| &*cell.text);
            cells.collect::<Vec<_>>().join("|")
        };
        let tables = page(text).tables;
        let tables = tables.iter().map(|table| table.rows.iter().map(row));
        tables.map(Iterator::collect).collect()
    }

    #[test]
    fn next_row_or_cell_closes_the_last() {
        for (text, expected) in [
            ("<table><tr><td>a</td><td>b</td></tr></table>", vec![vec!["a|b"]]),
            ("<table><tr><td>a<th>b<tr><td>c</table>", vec![vec!["a|b", "c"]]),
            ("<table><td>a<td>b", vec![vec!["a|b"]]),
            ("<table><tr></tr><td>a</td></tr><tr><tr><td>b", vec![vec!["", "a", "", "b"]]),
            ("<TABLE><TR><TD>a&nbsp<B>b</B><br>c", vec![vec!["a b c"]]),
            ("<table><tr><td>a</table></table><td>b", vec![vec!["a"]]),
            ("<table><tr><td>a<script>'<td>b'</script>c", vec![vec!["ac"]]),
            ("<table><tr><td>a<select><option>b<option>c</select>d", vec![vec!["ad"]]),
            ("<tr><td>a", vec![]),
        ] {
            assert_eq!(rows(text), expected, "{text}");
        }
    }

    #[test]
    fn nested_table_is_separate() {
        assert_eq!(
            rows("<table><tr><td>a<table><tr><td>b</table>c<td>d<tr><td>e</table>"),
            [vec!["ac|d", "e"], vec!["b"]]
        );
        assert_eq!(rows("<table><tr><td>a<table><tr><td>b"), [["a"], ["b"]]);
    }

    #[test]
    fn text_between_cells_is_outside() {
        let page = page("<p>a</p><table>b<tr><div>c</div><td>d</table>e");
        assert_eq!(page.outside.text, "a b c e");
    }

    #[test]
    fn cell_end_closes_links() {
        let page = page(
            "<a href=w>none</a><table><tr><td><a href='x.asp?event=gls25&amp;id=#FFF'>One<td>two\
             <td><a href=y>three</a> four<a name=z>five</a>",
        );
        let links: Vec<(&str, &str)> = page.links().map(|of| (&*of.href, &*of.text)).collect();
        assert_eq!(
            links,
            [
                ("x.asp?event=gls25&id=#FFF", "One"),
                ("y", "three"),
                ("w", "none")
            ]
        );
        let parameter = |name| page.tables[0].rows[0].cells[0].links[0].parameter(name);
        assert_eq!(
            [parameter("event"), parameter("id"), parameter("x")],
            [Some("gls25"), Some(""), None]
        );
    }

    #[test]
    fn fields_have_values_and_options() {
        let page = page(
            "<form name=F><table><tr><td><input type=hidden NAME=event value='a&amp;b'>\
             <tr><td><p>1</table><input id=x min=1 max=2>\
             <select id=s><option value=''>all<option value=1 selected> One </option></select>",
        );
        assert!(page.has_form("f") && !page.has_form("g"));
        assert_eq!(page.field("EVENT").unwrap().value, "a&b");
        let x = page.field("x").unwrap();
        assert_eq!((&*x.min, &*x.max), ("1", "2"));
        assert_eq!(page.field("s").unwrap().options, 2);
        let rows = page.tables[0].rows.iter().map(|row| row.has_fields);
        assert_eq!(rows.collect::<Vec<_>>(), [true, false]);
    }

    #[test]
    fn page_must_end_with_html_tag() {
        for (text, complete) in [
            ("<html></HTML> \r\n", true),
            ("<html></html>x", false),
            ("<html>", false),
            ("<html></htm", false),
            ("", false),
        ] {
            assert_eq!(HtmlPage::parse("key", text).is_ok(), complete, "{text}");
        }
    }

    /// 1 MB of tags that overflow the stack, or take minutes, without limits.
    #[test]
    fn hostile_pages_hit_limits() {
        let formats: Vec<String> = (0..300).map(|number| format!("<b x{number}>")).collect();
        let formats = format!("<p>{}</p>", formats.concat());
        let deep = "<div>".repeat(200);
        let attributes: Vec<String> = (0..100_000).map(|number| format!(" x{number}=''")).collect();
        let attributes = format!("<p{}>", attributes.concat());
        for (begin, again, readable) in [
            ("", "<b>", false),
            ("", "<div>", false),
            ("", "<table><tr><td>", false),
            (&*formats, "<p>x", false),
            (&*deep, "<p>x", true),
            ("", "<table>", true),
            ("<table>", "<tr><td><a href=x>y", true),
            ("<select>", "<option>", true),
            ("", "<", true),
            ("", "&", true),
            ("", &*attributes, false),
            ("<!-- ", "a word ", false),
            ("<table>", " \n", true),
            ("<img src='", "base64+", true),
        ] {
            let page = [begin, &again.repeat((1 << 20) / again.len()), "</html>"].concat();
            let found = HtmlPage::parse("key", &page).is_ok();
            assert_eq!(found, readable, "{begin:.20}{again}");
        }
    }
}
