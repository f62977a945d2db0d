//! The columns of a list: once for tables, CSV and pages.

use crate::page::Extent;
use crate::rows::cell::CellValue;

/// The keys of the completeness of a contest.
pub(crate) const COMPLETENESS: [&str; 5] = [
    "completeness.items",
    "completeness.announced",
    "completeness.arrived",
    "completeness.fruitless_syncs",
    "completeness.incomplete",
];

/// A list whose rows have columns.
pub trait List {
    /// A row.
    type Row;

    /// Returns the columns, in the order of CSV.
    fn columns(&self) -> Columns<'_, Self::Row>;

    /// Returns the rows of this page; `None` if the list has no pages.
    fn extent(&self) -> Option<Extent> {
        None
    }
}

/// A column of a list.
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a property of its own"
)]
pub struct Column<'a, R> {
    /// The heading in CSV, which is the path of its values in the JSON of a row.
    pub key: &'static str,
    /// The heading in text.
    pub heading: String,
    /// The heading on pages, if it is another one.
    page_heading: Option<&'static str>,
    /// The explanation of the heading on pages.
    pub explanation: Option<&'static str>,
    /// True if the values are right-aligned.
    pub is_number: bool,
    /// True if a narrow terminal drops the column last.
    pub is_important: bool,
    /// True if pages on a narrow screen leave the column out.
    pub is_wide: bool,
    is_in_data: bool,
    is_in_text: bool,
    is_on_page: bool,
    /// The key of the column that follows in tables, if it is not the next one.
    before: Option<&'static str>,
    cell: Box<dyn Fn(&R) -> CellValue + 'a>,
}

impl<R> Column<'_, R> {
    /// Returns the value of a row.
    #[must_use]
    pub fn cell(&self, row: &R) -> CellValue {
        (self.cell)(row)
    }

    /// Returns the heading on pages, which begins with a capital letter.
    #[must_use]
    pub fn page_heading(&self) -> String {
        let heading = self.page_heading.unwrap_or(&self.heading);
        let mut chars = heading.chars();
        let first = chars.next().map(|first| first.to_ascii_uppercase());
        first.into_iter().chain(chars).collect()
    }
}

/// The key of a column, or its key and its heading in text; by default that is the key with spaces.
pub struct ColumnName {
    key: &'static str,
    heading: String,
}

impl From<&'static str> for ColumnName {
    fn from(key: &'static str) -> Self {
        Self::from((key, key.replace('_', " ")))
    }
}

impl<H: Into<String>> From<(&'static str, H)> for ColumnName {
    fn from((key, heading): (&'static str, H)) -> Self {
        let heading = heading.into();
        Self { key, heading }
    }
}

/// The columns of a list, built one by one. The methods after a column change that column.
#[must_use]
pub struct Columns<'a, R>(Vec<Column<'a, R>>);

impl<'a, R> Columns<'a, R> {
    /// Creates no columns.
    pub const fn new() -> Self {
        Self(Vec::new())
    }

    /// Creates no columns, of these rows.
    pub const fn for_rows(_rows: &[R]) -> Self {
        Self::new()
    }

    /// Adds columns that tables do not show.
    pub fn data(mut self, keys: &[&'static str]) -> Self {
        for key in keys {
            self = self.left(*key, |_| CellValue::Empty).shown_if(false);
        }
        self
    }

    /// Adds the columns in CSV of another list, unless there are such.
    pub fn data_of<S>(self, other: &Columns<'_, S>) -> Self {
        other.keys().into_iter().fold(self, |columns, key| {
            if columns.keys().contains(&key) {
                columns
            } else {
                columns.data(&[key])
            }
        })
    }

    /// Adds a left-aligned column.
    pub fn left<C: Into<CellValue>>(
        mut self,
        name: impl Into<ColumnName>,
        cell: impl Fn(&R) -> C + 'a,
    ) -> Self {
        let ColumnName { key, heading } = name.into();
        self.0.push(Column {
            key,
            heading,
            page_heading: None,
            explanation: None,
            is_number: false,
            is_important: false,
            is_wide: false,
            is_in_data: true,
            is_in_text: true,
            is_on_page: true,
            before: None,
            cell: Box::new(move |row| cell(row).into()),
        });
        self
    }

    /// Adds a right-aligned column.
    pub fn right<C: Into<CellValue>>(
        self,
        name: impl Into<ColumnName>,
        cell: impl Fn(&R) -> C + 'a,
    ) -> Self {
        self.left(name, cell).change(|column| column.is_number = true)
    }

    fn change(mut self, change: impl FnOnce(&mut Column<'a, R>)) -> Self {
        if let Some(last) = self.0.last_mut() {
            change(last);
        }
        self
    }

    /// Gives the column another heading on pages.
    pub fn titled_on_page(self, heading: &'static str) -> Self {
        self.change(|column| column.page_heading = Some(heading))
    }

    /// Explains the heading on pages.
    pub fn explained(self, explanation: &'static str) -> Self {
        self.change(|column| column.explanation = Some(explanation))
    }

    /// Makes the column important: a narrow terminal drops it after all others.
    pub fn important(self) -> Self {
        self.change(|column| column.is_important = true)
    }

    /// Leaves the column out of pages on a narrow screen.
    pub fn wide(self) -> Self {
        self.change(|column| column.is_wide = true)
    }

    /// Leaves the column out of CSV.
    pub fn not_in_data(self) -> Self {
        self.change(|column| column.is_in_data = false)
    }

    /// Leaves the column out of pages.
    pub fn not_on_page(self) -> Self {
        self.change(|column| column.is_on_page = false)
    }

    /// Leaves the column out of CSV and text.
    pub fn only_on_page(self) -> Self {
        self.not_in_data().change(|column| column.is_in_text = false)
    }

    /// Leaves the column out of tables, but not out of CSV, unless it is to be shown.
    pub fn shown_if(self, is_shown: bool) -> Self {
        self.change(|column| {
            column.is_in_text &= is_shown;
            column.is_on_page &= is_shown;
        })
    }

    /// Leaves the column out of tables, but not out of CSV, if no row has a value.
    pub fn shown_if_any(self, rows: &[R]) -> Self {
        let last = self.0.last();
        let is_shown =
            last.is_some_and(|column| rows.iter().any(|row| column.cell(row) != CellValue::Empty));
        self.shown_if(is_shown)
    }

    /// Removes the column, also from CSV, unless it is to be shown.
    pub fn only_if(mut self, is_shown: bool) -> Self {
        if !is_shown {
            self.0.pop();
        }
        self
    }

    /// Places the column in tables before that of this key.
    pub fn before(self, key: &'static str) -> Self {
        self.change(|column| column.before = Some(key))
    }

    /// Makes the column of this key important, as it orders the rows.
    pub fn ordered_by(mut self, key: &str) -> Self {
        for column in &mut self.0 {
            column.is_important |= column.key == key;
        }
        self
    }

    /// Returns the headings of CSV.
    #[must_use]
    pub fn keys(&self) -> Vec<&'static str> {
        self.0
            .iter()
            .filter(|column| column.is_in_data)
            .map(|column| column.key)
            .collect()
    }

    /// Returns the columns of text, in the order of tables.
    #[must_use]
    pub fn for_text(self) -> Vec<Column<'a, R>> {
        self.for_tables(|column| column.is_in_text)
    }

    /// Returns the columns of pages, in the order of tables.
    #[must_use]
    pub fn for_page(self) -> Vec<Column<'a, R>> {
        self.for_tables(|column| column.is_on_page)
    }

    fn for_tables(self, is_shown: impl Fn(&Column<'a, R>) -> bool) -> Vec<Column<'a, R>> {
        let (moved, mut columns): (Vec<_>, Vec<_>) =
            self.0.into_iter().partition(|column| column.before.is_some());
        for column in moved {
            let next = columns.iter().position(|other| column.before == Some(other.key));
            columns.insert(next.unwrap_or(columns.len()), column);
        }
        columns.retain(is_shown);
        columns
    }
}

impl<R> Default for Columns<'_, R> {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_have_columns_in_their_own_order() {
        let columns = || {
            Columns::<u32>::new()
                .data(&["id"])
                .right("last_change", ToString::to_string)
                .left("name", |_| "Ada")
                .before("last_change")
                .left("hidden", |_| "")
                .shown_if(false)
                .left("remark", |_| CellValue::Unknown)
                .titled_on_page("Note")
                .not_in_data()
                .left("since", |_| "")
                .only_if(false)
        };
        assert_eq!(columns().keys(), ["id", "last_change", "name", "hidden"]);
        let text = columns().for_text();
        let headings = text.iter().map(|column| &*column.heading);
        assert_eq!(headings.collect::<Vec<_>>(), ["name", "last change", "remark"]);
        let cells = text.iter().map(|column| column.cell(&7).to_string());
        assert_eq!(cells.collect::<Vec<_>>(), ["Ada", "7", "–"]);
        let headings = columns().for_page().iter().map(Column::page_heading).collect::<Vec<_>>();
        assert_eq!(headings, ["Name", "Last change", "Note"]);
    }
}
