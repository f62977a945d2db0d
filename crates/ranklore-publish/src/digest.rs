//! What identifies the content of tables: hashes of their values, whatever form these are in.

use std::fmt::{self, Write};

use serde::{Serialize, Serializer};

use crate::batch::{Batch, Value};
use crate::dictionary::TableId;

/// The shape of datasets: their tables, columns and meanings. Grows when any of these changes.
pub const FORMAT_VERSION: u32 = 1;

/// Bytes in hexadecimal, in small letters.
pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        // Writing to a string cannot fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// A hash of 32 bytes, shown in hexadecimal.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Digest(pub [u8; 32]);

impl Serialize for Digest {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&hex(&self.0))
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Hashes the rows of a table in their order, however they are cut into batches.
#[derive(Clone)]
pub(crate) struct TableHasher {
    hasher: blake3::Hasher,
    buffer: Vec<u8>,
    /// Rows so far.
    pub(crate) rows: u64,
}

impl TableHasher {
    /// One that has seen no rows. Names of columns are hashed with their values.
    #[must_use]
    pub(crate) fn new(table: TableId) -> Self {
        let mut hasher = Self {
            hasher: blake3::Hasher::new(),
            buffer: Vec::new(),
            rows: 0,
        };
        hasher.text(table.name());
        for column in table.table().columns {
            hasher.text(column.name);
            hasher.text(column.kind.as_str());
        }
        hasher
    }

    /// Goes on with these rows.
    pub(crate) fn add(&mut self, batch: &Batch) {
        for row in 0..batch.rows {
            self.add_row(batch, row);
        }
        self.flush();
        self.rows += batch.rows as u64;
    }

    /// The values of one row, each with a tag in front, so that different rows never write the
    /// same bytes.
    fn add_row(&mut self, batch: &Batch, row: usize) {
        for values in &batch.columns {
            match values.get(row) {
                Value::Missing => self.buffer.push(0),
                Value::Text(text) => {
                    self.buffer.push(1);
                    self.text(text);
                }
                Value::Integer(value) | Value::Time(value) => {
                    self.buffer.push(2);
                    self.buffer.extend_from_slice(&value.to_le_bytes());
                }
                Value::Number(value) => {
                    self.buffer.push(3);
                    self.buffer
                        .extend_from_slice(&value.to_bits().to_le_bytes());
                }
                Value::Boolean(value) => self.buffer.push(4 + u8::from(value)),
            }
        }
        if self.buffer.len() >= 1 << 16 {
            self.flush();
        }
    }

    /// The hash of all rows so far.
    #[must_use]
    pub(crate) fn finish(mut self) -> Digest {
        self.flush();
        self.hasher.update(&self.rows.to_le_bytes());
        Digest(*self.hasher.finalize().as_bytes())
    }

    fn text(&mut self, text: &str) {
        self.buffer
            .extend_from_slice(&(text.len() as u32).to_le_bytes());
        self.buffer.extend_from_slice(text.as_bytes());
    }

    fn flush(&mut self) {
        self.hasher.update(&self.buffer);
        self.buffer.clear();
    }
}

/// What identifies the results of a dataset: equal for two that have the same, in whatever
/// formats, from whichever file and of whichever version of the shape they are. Ratings, which
/// are made of results, have no say in it.
#[must_use]
pub(crate) fn snapshot(of: impl Fn(TableId) -> Digest) -> Digest {
    let mut hasher = blake3::Hasher::new();
    for table in TableId::RESULTS {
        hasher.update(&of(table).0);
    }
    Digest(*hasher.finalize().as_bytes())
}
