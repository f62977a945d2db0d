//! Places the cells of an HTML table in rows and columns.

use std::collections::BTreeMap;

use html5ever::tokenizer::{Tag, TagKind};

use crate::document::FileReadError;
use crate::grid::MAX_COLUMNS;
use crate::limits::ReadLimits;
use crate::text::too_many_columns;

/// The most rows and columns of one cell, as in HTML.
const MAX_ROW_SPAN: u32 = 65_534;
const MAX_COLUMN_SPAN: u32 = 1_000;

/// Elements without an end.
const VOID_ELEMENTS: [&str; 8] = ["br", "img", "hr", "input", "wbr", "col", "link", "meta"];

/// The cells of a table that are not empty, row by row.
#[derive(Default)]
pub(super) struct TableCells {
    pub(super) text: String,
    /// Row, column and end of the text.
    pub(super) cells: Vec<(u32, u32, usize)>,
}

/// Places the cells of a table that is not closed yet.
pub(super) struct TableBuilder {
    limits: ReadLimits,
    row: u32,
    column: u32,
    is_in_row: bool,
    cell: Option<OpenCell>,
    /// The cells of rows above that reach into the current one, by their first column.
    tall_cells: BTreeMap<u32, PlacedCell>,
    /// The number of cells, empty ones included.
    pub(super) placed_cells: usize,
}

/// A cell that is not closed yet.
struct OpenCell {
    placed: PlacedCell,
    /// The name and number of open elements that are not displayed.
    hidden: Option<(String, usize)>,
    /// The text of an open `<sup>`.
    superscript: Option<String>,
    is_in_link: bool,
}

struct PlacedCell {
    text: String,
    columns: u32,
    /// The number of its rows from the current one on.
    rows: u32,
}

impl TableBuilder {
    pub(super) const fn new(limits: ReadLimits) -> Self {
        Self {
            limits,
            row: 0,
            column: 0,
            is_in_row: false,
            cell: None,
            tall_cells: BTreeMap::new(),
            placed_cells: 0,
        }
    }

    pub(super) fn begin_cell(&mut self, tag: &Tag) {
        self.is_in_row = true;
        let span = |name: &str| attribute(tag, name).and_then(|value| value.trim().parse().ok());
        let rows = match span("rowspan") {
            Some(0) => MAX_ROW_SPAN,
            rows => rows.unwrap_or(1).min(MAX_ROW_SPAN),
        };
        self.cell = Some(OpenCell {
            placed: PlacedCell {
                text: String::new(),
                columns: span("colspan").unwrap_or(1).clamp(1, MAX_COLUMN_SPAN),
                rows,
            },
            hidden: None,
            superscript: None,
            is_in_link: false,
        });
    }

    pub(super) fn end_cell(&mut self, cells: &mut TableCells) -> Result<(), FileReadError> {
        let Some(mut cell) = self.cell.take() else {
            return Ok(());
        };
        cell.end_superscript();
        let mut placed = cell.placed;
        placed.text.truncate(placed.text.trim_end().len());
        while let Some(tall) = self.tall_cells.remove(&self.column) {
            self.place_tall(cells, tall)?;
        }
        if placed.rows > 1 {
            return self.place_tall(cells, placed);
        }
        self.place(cells, &placed)
    }

    pub(super) const fn begin_row(&mut self) {
        self.is_in_row = true;
    }

    /// Ends the row, if one is open.
    pub(super) fn end_row(&mut self, cells: &mut TableCells) -> Result<(), FileReadError> {
        self.end_cell(cells)?;
        if !self.is_in_row {
            return Ok(());
        }
        for (column, tall) in self.tall_cells.split_off(&self.column) {
            self.column = column;
            self.place_tall(cells, tall)?;
        }
        self.tall_cells.retain(|_, tall| {
            tall.rows -= 1;
            tall.rows > 0
        });
        self.row += 1;
        self.column = 0;
        self.is_in_row = false;
        Ok(())
    }

    /// Ends the group of rows, beyond which no cell reaches.
    pub(super) fn end_group(&mut self, cells: &mut TableCells) -> Result<(), FileReadError> {
        self.end_row(cells)?;
        self.tall_cells.clear();
        Ok(())
    }

    pub(super) fn push_text(&mut self, text: &str) {
        if let Some(cell) = &mut self.cell {
            cell.push_text(text);
        }
    }

    /// Reads a tag within a cell.
    pub(super) fn read_inner_tag(&mut self, tag: &Tag) {
        if let Some(cell) = &mut self.cell {
            cell.read_tag(tag);
        }
    }

    /// Places a cell that reaches into the next row.
    fn place_tall(
        &mut self,
        cells: &mut TableCells,
        tall: PlacedCell,
    ) -> Result<(), FileReadError> {
        let column = self.column;
        self.place(cells, &tall)?;
        self.tall_cells.insert(column, tall);
        Ok(())
    }

    fn place(&mut self, cells: &mut TableCells, placed: &PlacedCell) -> Result<(), FileReadError> {
        let end = cells.text.len() + placed.text.len();
        self.placed_cells += 1;
        if self.placed_cells > self.limits.cells || end > self.limits.sheet_bytes {
            return Err(FileReadError::whole_document(format!(
                "the tables have more than {} cells or {} MiB of text: split the page",
                ReadLimits::NEW.cells,
                ReadLimits::NEW.sheet_bytes >> 20
            )));
        }
        if (self.column + placed.columns) as usize > MAX_COLUMNS {
            return Err(too_many_columns(u64::from(self.row) + 1));
        }
        if !placed.text.is_empty() {
            cells.text.push_str(&placed.text);
            cells.cells.push((self.row, self.column, end));
        }
        self.column += placed.columns;
        Ok(())
    }
}

impl OpenCell {
    fn read_tag(&mut self, tag: &Tag) {
        let is_start = tag.kind == TagKind::StartTag;
        if let Some((name, depth)) = &mut self.hidden {
            if tag.name == **name {
                *depth = if is_start { *depth + 1 } else { *depth - 1 };
            }
            self.hidden = self.hidden.take().filter(|(_, depth)| *depth > 0);
            return;
        }
        if is_start && is_hidden(tag) && !VOID_ELEMENTS.contains(&&*tag.name) {
            self.hidden = Some((tag.name.to_string(), 1));
            return;
        }
        match &*tag.name {
            "br" | "p" | "div" | "li" => self.end_line(),
            "sup" => {
                self.end_superscript();
                self.superscript = is_start.then(String::new);
            }
            "a" => self.is_in_link = is_start,
            _ => {}
        }
    }

    fn push_text(&mut self, text: &str) {
        if self.hidden.is_some() {
            return;
        }
        if let Some(superscript) = &mut self.superscript {
            // A link there leads to a footnote.
            superscript.push_str(if self.is_in_link { "" } else { text });
            return;
        }
        let cell = &mut self.placed.text;
        for c in text.chars() {
            if !c.is_whitespace() {
                cell.push(c);
            } else if !cell.is_empty() && !cell.ends_with(char::is_whitespace) {
                cell.push(' ');
            }
        }
    }

    fn end_line(&mut self) {
        let cell = &mut self.placed.text;
        cell.truncate(cell.trim_end().len());
        if !cell.is_empty() {
            cell.push('\n');
        }
    }

    /// Appends a raised text: `1st`, but not the number of a note behind a name. Behind a number it
    /// stays apart, since `31` is another number.
    fn end_superscript(&mut self) {
        let Some(raised) = self.superscript.take() else {
            return;
        };
        let is_word = raised.chars().all(char::is_alphabetic);
        let follows_number = self.placed.text.ends_with(|c: char| c.is_ascii_digit());
        if is_word {
            self.push_text(&raised);
        } else if follows_number {
            self.push_text(" ");
            self.push_text(&raised);
        }
    }
}

fn attribute<'t>(tag: &'t Tag, name: &str) -> Option<&'t str> {
    let attribute = tag.attrs.iter().find(|attribute| &*attribute.name.local == name)?;
    Some(&attribute.value)
}

/// True for an element that a browser does not show.
pub(super) fn is_hidden(tag: &Tag) -> bool {
    let style = attribute(tag, "style").unwrap_or_default().to_ascii_lowercase();
    let style = style.replace(char::is_whitespace, "");
    attribute(tag, "hidden").is_some() || style.contains("display:none")
}
