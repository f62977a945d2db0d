//! A page as rows of cells: what a browser would show in its tables, whatever tags are missing.
//!
//! Rows and cells end where the next begins or the table ends, as in every browser; elements that
//! are never closed end with their cell. A table within a cell is a table like all others and
//! parts the cell: what stands behind it is another cell of the same class.

mod build;
mod markup;

use std::ops::Range;

use ranklore_source::ReadError;

/// What of a page can be read.
#[derive(Debug, Default)]
pub(crate) struct Page {
    pub(crate) tables: Vec<Table>,
    pub(crate) fields: Vec<Field>,
    /// The names of its forms.
    pub(crate) forms: Vec<String>,
    /// Addresses of the links that stand in no cell.
    pub(crate) astray: Vec<String>,
    /// Whether it ends where a page ends.
    pub(crate) whole: bool,
}

#[derive(Debug, Default)]
pub(crate) struct Table {
    pub(crate) rows: Vec<Row>,
}

#[derive(Debug, Default)]
pub(crate) struct Row {
    pub(crate) class: String,
    pub(crate) cells: Vec<Cell>,
    /// Something is written beside its cells.
    pub(crate) stray: bool,
    /// There are fields to fill in.
    pub(crate) fields: bool,
}

#[derive(Debug, Default)]
pub(crate) struct Cell {
    pub(crate) class: String,
    /// As it is shown, without what can be chosen.
    pub(crate) text: String,
    pub(crate) links: Vec<Link>,
    /// Where its content stands in the text of the page, tags and all.
    pub(crate) range: Range<usize>,
}

#[derive(Debug, Default)]
pub(crate) struct Link {
    pub(crate) href: String,
    pub(crate) text: String,
}

/// A field of a form: something to type, or to choose.
#[derive(Debug, Default)]
pub(crate) struct Field {
    pub(crate) name: String,
    pub(crate) value: String,
    pub(crate) min: String,
    pub(crate) max: String,
    /// What there is to choose, in order; nothing for other fields.
    pub(crate) choices: Vec<Choice>,
}

#[derive(Debug, Default)]
pub(crate) struct Choice {
    pub(crate) value: String,
    pub(crate) text: String,
    pub(crate) selected: bool,
    /// Where it stands in the text of the page, from its tag to the next.
    pub(crate) range: Range<usize>,
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

    pub(crate) fn links(&self) -> impl Iterator<Item = &Link> {
        self.cells.iter().flat_map(|cell| &cell.links)
    }

    pub(crate) fn is_blank(&self) -> bool {
        self.filled().next().is_none() && !self.stray
    }
}

impl Page {
    /// Half a page says nothing, not even half of it.
    pub(crate) fn check_whole(&self, key: &str) -> Result<(), ReadError> {
        if self.whole {
            return Ok(());
        }
        let expected = "a page that ends with </html>, not one that is cut off";
        Err(ReadError::whole(key, expected))
    }

    /// Takes a page apart. There is nothing that it could not take apart.
    pub(crate) fn read(text: &str) -> Self {
        build::page(text)
    }

    /// The field of this name, whatever the case.
    pub(crate) fn field(&self, name: &str) -> Option<&Field> {
        let mut fields = self.fields.iter();
        fields.find(|field| field.name.eq_ignore_ascii_case(name))
    }

    pub(crate) fn has_form(&self, name: &str) -> bool {
        self.forms
            .iter()
            .any(|form| form.eq_ignore_ascii_case(name))
    }

    /// The addresses of all links, wherever they stand.
    pub(crate) fn links(&self) -> impl Iterator<Item = &str> {
        let linked = self.cells().flat_map(|cell| &cell.links);
        let linked = linked.map(|link| &link.href);
        linked.chain(&self.astray).map(String::as_str)
    }

    /// Every cell of every table: tables in the order in which they begin, so that one that goes
    /// on behind a table within it comes before that.
    pub(crate) fn cells(&self) -> impl Iterator<Item = &Cell> {
        let rows = self.tables.iter().flat_map(|table| &table.rows);
        rows.flat_map(|row| &row.cells)
    }
}
