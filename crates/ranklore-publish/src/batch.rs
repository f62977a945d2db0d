//! Batches of rows of one table, stored column by column.

use std::ops::Range;

use crate::dictionary::{ColumnKind, TableId};

/// Maximum rows in a batch.
pub(crate) const BATCH_ROWS: usize = 1 << 16;

/// Consecutive rows of one table.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct RowBatch {
    /// The table that the rows belong to.
    pub(crate) table: TableId,
    /// The number of rows.
    pub(crate) rows: usize,
    /// The values by column; each column has [`RowBatch::rows`] values.
    pub(crate) columns: Vec<ColumnValues>,
}

/// The values of a column.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum ColumnValues {
    Text(InternedTexts),
    Integer(Vec<Option<i64>>),
    Number(Vec<Option<f64>>),
    /// Times in Unix seconds.
    Time(Vec<Option<i64>>),
    Boolean(Vec<Option<bool>>),
}

/// A single value of a row.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Value<'v> {
    /// No value.
    Missing,
    Text(&'v str),
    Integer(i64),
    /// A finite number.
    Number(f64),
    /// A time in Unix seconds.
    Time(i64),
    Boolean(bool),
}

/// Strings with many repetitions: each row holds the index of a distinct string.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct InternedTexts {
    /// All distinct strings, concatenated.
    arena: String,
    /// The end offset of each string in the arena.
    ends: Vec<u32>,
    /// The string index by row; [`InternedTexts::MISSING`] for no value.
    keys: Vec<i32>,
}

impl InternedTexts {
    const MISSING: i32 = -1;
    /// Up to this many distinct strings, `push` compares with all of them (columns of a few
    /// alternating words). Beyond it, `push` compares with the last string only, since equal values
    /// are mostly adjacent or absent.
    const MAX_SEARCHED_TEXTS: usize = 8;

    /// Appends a string.
    pub(crate) fn push(&mut self, text: &str) {
        let count = self.ends.len();
        let first_key = match count {
            0..=Self::MAX_SEARCHED_TEXTS => 0,
            _ => count - 1,
        };
        // Compares bytes, as the boundaries of strings are known to be valid.
        let arena = self.arena.as_bytes();
        let equal =
            (first_key..count).rfind(|&key| arena[self.byte_range(key)] == *text.as_bytes());
        let key = equal.unwrap_or_else(|| {
            self.arena.push_str(text);
            self.ends.push(self.arena.len() as u32);
            count
        });
        self.keys.push(key as i32);
    }

    /// Appends a missing value.
    pub(crate) fn push_missing(&mut self) {
        self.keys.push(Self::MISSING);
    }

    /// Returns the string of a row.
    #[must_use]
    pub(crate) fn get(&self, row: usize) -> Option<&str> {
        usize::try_from(self.keys[row]).ok().map(|key| self.text_at(key))
    }

    /// Returns the distinct strings; a string may occur twice.
    pub(crate) fn distinct_texts(&self) -> impl ExactSizeIterator<Item = &str> {
        (0..self.ends.len()).map(|key| self.text_at(key))
    }

    /// Returns the index into [`InternedTexts::distinct_texts`] by row.
    pub(crate) fn keys(&self) -> impl ExactSizeIterator<Item = Option<i32>> {
        self.keys.iter().map(|&key| (key != Self::MISSING).then_some(key))
    }

    /// Returns the total bytes of the distinct strings.
    #[must_use]
    pub(crate) const fn distinct_bytes(&self) -> usize {
        self.arena.len()
    }

    fn text_at(&self, key: usize) -> &str {
        &self.arena[self.byte_range(key)]
    }

    fn byte_range(&self, key: usize) -> Range<usize> {
        let start = match key {
            0 => 0,
            _ => self.ends[key - 1] as usize,
        };
        start..self.ends[key] as usize
    }
}

impl ColumnValues {
    fn from_kind(kind: ColumnKind) -> Self {
        match kind {
            ColumnKind::Text => Self::Text(InternedTexts::default()),
            ColumnKind::Integer => Self::Integer(Vec::new()),
            ColumnKind::Number => Self::Number(Vec::new()),
            ColumnKind::Time => Self::Time(Vec::new()),
            ColumnKind::Boolean => Self::Boolean(Vec::new()),
        }
    }

    /// Appends a value. A value of another kind than the column counts as missing.
    pub(crate) fn push(&mut self, value: Value<'_>) {
        match (self, value) {
            (Self::Text(texts), Value::Text(text)) => texts.push(text),
            (Self::Text(texts), _) => texts.push_missing(),
            (Self::Integer(values), Value::Integer(value))
            | (Self::Time(values), Value::Time(value)) => {
                values.push(Some(value));
            }
            // Normalises -0.0 to 0.0: no format distinguishes them.
            (Self::Number(values), Value::Number(value)) => values.push(Some(value + 0.0)),
            (Self::Boolean(values), Value::Boolean(value)) => values.push(Some(value)),
            (Self::Integer(values) | Self::Time(values), _) => values.push(None),
            (Self::Number(values), _) => values.push(None),
            (Self::Boolean(values), _) => values.push(None),
        }
    }

    /// Returns the value of a row.
    #[must_use]
    pub(crate) fn get(&self, row: usize) -> Value<'_> {
        match self {
            Self::Text(texts) => texts.get(row).map(Value::Text),
            Self::Integer(values) => values[row].map(Value::Integer),
            Self::Number(values) => values[row].map(Value::Number),
            Self::Time(values) => values[row].map(Value::Time),
            Self::Boolean(values) => values[row].map(Value::Boolean),
        }
        .unwrap_or(Value::Missing)
    }
}

impl<'v> Value<'v> {
    /// Creates a text value; an empty string counts as missing, as in CSV.
    #[must_use]
    pub(crate) fn text(text: Option<&'v str>) -> Self {
        match text {
            Some(text) if !text.is_empty() => Self::Text(text),
            _ => Self::Missing,
        }
    }

    /// Creates an integer value, or a missing one.
    #[must_use]
    pub(crate) fn integer(value: Option<i64>) -> Self {
        value.map_or(Self::Missing, Self::Integer)
    }

    /// Creates a number value, or a missing one.
    #[must_use]
    pub(crate) fn number(value: Option<f64>) -> Self {
        value.map_or(Self::Missing, Self::Number)
    }

    /// Creates a time value, or a missing one.
    #[must_use]
    pub(crate) fn time(value: Option<i64>) -> Self {
        value.map_or(Self::Missing, Self::Time)
    }
}

impl RowBatch {
    /// Creates an empty batch.
    #[must_use]
    pub(crate) fn new(table: TableId) -> Self {
        let columns = table.spec().columns.iter();
        Self {
            table,
            rows: 0,
            columns: columns.map(|column| ColumnValues::from_kind(column.kind)).collect(),
        }
    }

    /// Returns the rows and leaves an empty batch.
    pub(crate) fn take(&mut self) -> Self {
        let empty = Self::new(self.table);
        std::mem::replace(self, empty)
    }

    /// Appends a row: one value per column, in column order.
    pub(crate) fn push(&mut self, row: &[Value<'_>]) {
        debug_assert_eq!(row.len(), self.columns.len());
        for (values, &value) in self.columns.iter_mut().zip(row) {
            values.push(value);
        }
        self.rows += 1;
    }

    /// True if the batch has reached its row or byte limit.
    #[must_use]
    pub(crate) fn is_full(&self) -> bool {
        // Bounds the bytes too: offsets are 32 bits and a hostile file may hold long strings.
        self.rows >= BATCH_ROWS
            || self.columns.iter().any(|values| {
                matches!(values, ColumnValues::Text(texts) if texts.distinct_bytes() >= MAX_TEXT_BYTES)
            })
    }

    /// Returns the value of a row in a column.
    #[must_use]
    pub(crate) fn get(&self, row: usize, column: usize) -> Value<'_> {
        self.columns[column].get(row)
    }
}

/// Maximum bytes of distinct strings in a column before the last string is appended.
const MAX_TEXT_BYTES: usize = 64 << 20;
