//! Digests of table content, independent of the file format.

use std::fmt::{self, Write};

use crate::batch::{RowBatch, Value};
use crate::dictionary::TableId;

/// The version of tables, columns and their meanings. Increased with every change to them.
pub const FORMAT_VERSION: u32 = 2;

/// Formats bytes as lower-case hexadecimal.
pub(crate) fn to_hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        // Writing to a string cannot fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// A 32-byte hash, displayed in hexadecimal.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Digest(pub [u8; 32]);

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&to_hex(&self.0))
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Hashes the rows of a table in order, independent of batch boundaries.
#[derive(Clone)]
pub(crate) struct TableHasher {
    hasher: blake3::Hasher,
    buffer: Vec<u8>,
    /// The number of columns of format version 1.
    first_columns: usize,
    /// Rows hashed so far.
    pub(crate) rows: u64,
}

impl TableHasher {
    /// Creates a hasher. Hashes the column names of version 1 too. Columns added later contribute
    /// their present values only, so that results without such values keep their digest in every
    /// version.
    #[must_use]
    pub(crate) fn new(table: TableId) -> Self {
        let columns = table.spec().columns_in(1);
        let mut hasher = Self {
            hasher: blake3::Hasher::new(),
            buffer: Vec::new(),
            first_columns: columns.len(),
            rows: 0,
        };
        push_text(&mut hasher.buffer, table.name());
        for column in columns {
            push_text(&mut hasher.buffer, column.name);
            push_text(&mut hasher.buffer, column.kind.as_str());
        }
        hasher
    }

    /// Adds the rows of a batch.
    pub(crate) fn add(&mut self, batch: &RowBatch) {
        for row in 0..batch.rows {
            self.add_values(batch.columns.iter().map(|values| values.get(row)));
        }
        self.flush();
    }

    /// Adds one row by its values.
    pub(crate) fn add_values<'v>(&mut self, values: impl Iterator<Item = Value<'v>>) {
        for (column, value) in values.enumerate() {
            if column < self.first_columns {
                push_value(&mut self.buffer, value);
            } else if value != Value::Missing {
                self.buffer.push(ADDED_COLUMN_TAG);
                self.buffer.push(column as u8);
                push_value(&mut self.buffer, value);
            }
        }
        if self.buffer.len() >= 1 << 16 {
            self.flush();
        }
        self.rows += 1;
    }

    /// Returns the hash of all rows.
    #[must_use]
    pub(crate) fn finish(mut self) -> Digest {
        self.flush();
        self.hasher.update(&self.rows.to_le_bytes());
        Digest(*self.hasher.finalize().as_bytes())
    }

    fn flush(&mut self) {
        self.hasher.update(&self.buffer);
        self.buffer.clear();
    }
}

/// Precedes the index of an added column. No value begins with it, and no next row does.
const ADDED_COLUMN_TAG: u8 = 6;

/// Appends a value with a tag, so that different rows give different bytes.
pub(crate) fn push_value(buffer: &mut Vec<u8>, value: Value<'_>) {
    match value {
        Value::Missing => buffer.push(0),
        Value::Text(text) => {
            buffer.push(1);
            push_text(buffer, text);
        }
        Value::Integer(value) | Value::Time(value) => {
            buffer.push(2);
            buffer.extend_from_slice(&value.to_le_bytes());
        }
        Value::Number(value) => {
            buffer.push(3);
            buffer.extend_from_slice(&value.to_bits().to_le_bytes());
        }
        Value::Boolean(value) => buffer.push(4 + u8::from(value)),
    }
}

fn push_text(buffer: &mut Vec<u8>, text: &str) {
    buffer.extend_from_slice(&(text.len() as u32).to_le_bytes());
    buffer.extend_from_slice(text.as_bytes());
}

/// Returns the digest that identifies the results: equal for datasets with equal results, in any
/// format, of any database and format version. Ratings are computed from results and not included.
#[must_use]
pub(crate) fn snapshot_digest(table_digest: impl Fn(TableId) -> Digest) -> Digest {
    let mut hasher = blake3::Hasher::new();
    for table in TableId::RESULTS {
        hasher.update(&table_digest(table).0);
    }
    Digest(*hasher.finalize().as_bytes())
}
