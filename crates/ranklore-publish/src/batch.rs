//! Rows of a table on their way, column by column.

use std::ops::Range;

use crate::dictionary::{Kind, TableId};

/// So many rows go together at most.
pub(crate) const BATCH_ROWS: usize = 1 << 16;

/// Rows of one table that stand next to one another.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Batch {
    /// Of which table.
    pub(crate) table: TableId,
    /// How many.
    pub(crate) rows: usize,
    /// Their values, by column; each has as many as there are rows.
    pub(crate) columns: Vec<Values>,
}

/// The values of a column.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Values {
    /// Texts.
    Text(Texts),
    /// Whole numbers.
    Integer(Vec<Option<i64>>),
    /// Finite numbers.
    Number(Vec<Option<f64>>),
    /// Moments, in Unix seconds.
    Time(Vec<Option<i64>>),
    /// True or false.
    Boolean(Vec<Option<bool>>),
}

/// One value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Value<'v> {
    /// There is none.
    Missing,
    /// A text.
    Text(&'v str),
    /// A whole number.
    Integer(i64),
    /// A finite number.
    Number(f64),
    /// A moment, in Unix seconds.
    Time(i64),
    /// True or false.
    Boolean(bool),
}

/// Texts of which many are the same: each row has the number of one.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Texts {
    /// All of them, one behind the other.
    arena: String,
    /// Where each ends.
    ends: Vec<u32>,
    /// By row; [`Texts::MISSING`] where there is none.
    keys: Vec<i32>,
}

impl Texts {
    const MISSING: i32 = -1;
    /// While the different texts are so few, the same is looked for among all of them: words that
    /// alternate are few. Where there are more, mostly the same follow on one another or none are.
    const FEW: usize = 8;

    /// Appends a text.
    pub(crate) fn push(&mut self, text: &str) {
        let many = self.ends.len();
        let looked_at = if many <= Self::FEW {
            0..many
        } else {
            many - 1..many
        };
        // The last one first. Bytes: where texts begin and end is known.
        let same = |key: &usize| self.arena.as_bytes()[self.range(*key)] == *text.as_bytes();
        let key = looked_at.rev().find(same).unwrap_or_else(|| {
            self.arena.push_str(text);
            self.ends.push(self.arena.len() as u32);
            many
        });
        self.keys.push(key as i32);
    }

    /// Appends nothing.
    pub(crate) fn push_missing(&mut self) {
        self.keys.push(Self::MISSING);
    }

    /// The text of a row.
    #[must_use]
    pub(crate) fn get(&self, row: usize) -> Option<&str> {
        usize::try_from(self.keys[row]).ok().map(|key| self.at(key))
    }

    /// The different texts; one may stand twice.
    pub(crate) fn texts(&self) -> impl ExactSizeIterator<Item = &str> {
        (0..self.ends.len()).map(|key| self.at(key))
    }

    /// By row, the number of its text among [`Texts::texts`].
    pub(crate) fn keys(&self) -> impl ExactSizeIterator<Item = Option<i32>> {
        self.keys
            .iter()
            .map(|&key| (key != Self::MISSING).then_some(key))
    }

    /// Bytes of the different texts.
    #[must_use]
    pub(crate) const fn bytes(&self) -> usize {
        self.arena.len()
    }

    fn at(&self, key: usize) -> &str {
        &self.arena[self.range(key)]
    }

    fn range(&self, key: usize) -> Range<usize> {
        let start = match key {
            0 => 0,
            _ => self.ends[key - 1] as usize,
        };
        start..self.ends[key] as usize
    }
}

impl Values {
    fn of(kind: Kind) -> Self {
        match kind {
            Kind::Text => Self::Text(Texts::default()),
            Kind::Integer => Self::Integer(Vec::new()),
            Kind::Number => Self::Number(Vec::new()),
            Kind::Time => Self::Time(Vec::new()),
            Kind::Boolean => Self::Boolean(Vec::new()),
        }
    }

    /// Appends a value. One of another kind than the column is no value of it: it is missing.
    pub(crate) fn push(&mut self, value: Value<'_>) {
        match (self, value) {
            (Self::Text(texts), Value::Text(text)) => texts.push(text),
            (Self::Text(texts), _) => texts.push_missing(),
            (Self::Integer(of), Value::Integer(value)) | (Self::Time(of), Value::Time(value)) => {
                of.push(Some(value));
            }
            // No form tells minus zero from zero.
            (Self::Number(of), Value::Number(value)) => of.push(Some(value + 0.0)),
            (Self::Boolean(of), Value::Boolean(value)) => of.push(Some(value)),
            (Self::Integer(of) | Self::Time(of), _) => of.push(None),
            (Self::Number(of), _) => of.push(None),
            (Self::Boolean(of), _) => of.push(None),
        }
    }

    /// The value of a row.
    #[must_use]
    pub(crate) fn get(&self, row: usize) -> Value<'_> {
        match self {
            Self::Text(texts) => texts.get(row).map(Value::Text),
            Self::Integer(of) => of[row].map(Value::Integer),
            Self::Number(of) => of[row].map(Value::Number),
            Self::Time(of) => of[row].map(Value::Time),
            Self::Boolean(of) => of[row].map(Value::Boolean),
        }
        .unwrap_or(Value::Missing)
    }

    const fn len(&self) -> usize {
        match self {
            Self::Text(texts) => texts.keys.len(),
            Self::Integer(of) | Self::Time(of) => of.len(),
            Self::Number(of) => of.len(),
            Self::Boolean(of) => of.len(),
        }
    }
}

impl<'v> Value<'v> {
    /// A text, or none where it is empty or missing: an empty text and none are the same in CSV.
    #[must_use]
    pub(crate) fn text(text: Option<&'v str>) -> Self {
        match text {
            Some(text) if !text.is_empty() => Self::Text(text),
            _ => Self::Missing,
        }
    }

    /// A whole number, if there is one.
    #[must_use]
    pub(crate) fn integer(value: Option<i64>) -> Self {
        value.map_or(Self::Missing, Self::Integer)
    }

    /// A number, if there is one.
    #[must_use]
    pub(crate) fn number(value: Option<f64>) -> Self {
        value.map_or(Self::Missing, Self::Number)
    }

    /// A moment, if there is one.
    #[must_use]
    pub(crate) fn time(value: Option<i64>) -> Self {
        value.map_or(Self::Missing, Self::Time)
    }
}

impl Batch {
    /// One without rows.
    #[must_use]
    pub(crate) fn new(table: TableId) -> Self {
        let columns = table.table().columns.iter();
        Self {
            table,
            rows: 0,
            columns: columns.map(|column| Values::of(column.kind)).collect(),
        }
    }

    /// Appends a row: a value for each column, in their order.
    pub(crate) fn push(&mut self, row: &[Value<'_>]) {
        debug_assert_eq!(row.len(), self.columns.len());
        for (values, &value) in self.columns.iter_mut().zip(row) {
            values.push(value);
        }
        self.rows += 1;
        debug_assert!(self.columns.iter().all(|of| of.len() == self.rows));
    }

    /// Whether no further row should go with these.
    #[must_use]
    pub(crate) fn is_full(&self) -> bool {
        // Texts of a hostile file may be long; their places are numbers of 32 bits.
        self.rows >= BATCH_ROWS
            || (self.columns.iter()).any(|values| match values {
                Values::Text(texts) => texts.bytes() >= MAX_TEXT_BYTES,
                _ => false,
            })
    }

    /// The value of a row in a column.
    #[must_use]
    pub(crate) fn get(&self, row: usize, column: usize) -> Value<'_> {
        self.columns[column].get(row)
    }
}

/// So many bytes of texts go together in a column, and a text more.
const MAX_TEXT_BYTES: usize = 64 << 20;
