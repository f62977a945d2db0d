//! Checks the schema in the footer before the library parses it, which recurses into its groups and
//! reserves memory for as many children as they claim.

use bytes::Bytes;

/// The most bytes of metadata: 2,000 columns take about 200 KB for each row group.
const MAX_METADATA_BYTES: usize = 4 << 20;

/// The most groups within each other.
const MAX_DEPTH: usize = 32;

/// The most structures within each other in metadata, as in the library.
const MAX_SKIPPED_DEPTH: usize = 64;

/// The length of the metadata and the signature, at the end of a file.
const TAIL_BYTES: usize = 8;

/// Errors if the metadata is too large, or its schema not a tree of bounded depth.
pub(super) fn check_footer(file: &Bytes) -> Result<(), String> {
    let broken = || "this Parquet file is broken: write it again".to_owned();
    let start = file.len().checked_sub(TAIL_BYTES).ok_or_else(broken)?;
    let (length, signature) = file[start..].split_at(4);
    if signature == b"PARE" {
        return Err("this Parquet file is encrypted: write it again without".to_owned());
    }
    let length = length.try_into().map_or(usize::MAX, |bytes| u32::from_le_bytes(bytes) as usize);
    if signature != b"PAR1" || length > start {
        return Err(broken());
    }
    if length > MAX_METADATA_BYTES {
        return Err(format!(
            "the metadata of this Parquet file has more than {} MiB: write fewer columns, or larger \
             row groups",
            MAX_METADATA_BYTES >> 20
        ));
    }
    let mut metadata = CompactReader(&file[start - length..start]);
    metadata.check_file().ok_or_else(broken)
}

/// The compact protocol of Thrift.
struct CompactReader<'f>(&'f [u8]);

/// Types of the compact protocol.
mod wire {
    /// The end of a structure.
    pub(super) const STOP: u8 = 0;
    pub(super) const TRUE: u8 = 1;
    pub(super) const FALSE: u8 = 2;
    pub(super) const BYTE: u8 = 3;
    pub(super) const I16: u8 = 4;
    pub(super) const I32: u8 = 5;
    pub(super) const I64: u8 = 6;
    pub(super) const DOUBLE: u8 = 7;
    pub(super) const BINARY: u8 = 8;
    pub(super) const LIST: u8 = 9;
    pub(super) const SET: u8 = 10;
    pub(super) const MAP: u8 = 11;
    pub(super) const STRUCT: u8 = 12;
}

impl CompactReader<'_> {
    /// Checks the fields of a file. The library reads a field by its number, whatever type it
    /// claims: where the two differ, it would see another schema.
    fn check_file(&mut self) -> Option<()> {
        self.fields(|reader, id, kind| match (id, kind) {
            (2, wire::LIST) => reader.check_schema(),
            (1, wire::I32)
            | (3, wire::I64)
            | (4 | 5 | 7, wire::LIST)
            | (6 | 9, wire::BINARY)
            | (8, wire::STRUCT) => reader.skip(kind, MAX_SKIPPED_DEPTH),
            (1..=9, _) => None,
            _ => reader.skip(kind, MAX_SKIPPED_DEPTH),
        })
    }

    /// Checks that the elements are trees.
    fn check_schema(&mut self) -> Option<()> {
        let (mut left, kind) = self.list()?;
        while left > 0 {
            if kind != wire::STRUCT {
                return None;
            }
            self.check_tree(&mut left, MAX_DEPTH)?;
        }
        Some(())
    }

    /// Checks an element, which its children follow, of the `left` ones.
    fn check_tree(&mut self, left: &mut u64, depth: usize) -> Option<()> {
        *left = left.checked_sub(1)?;
        let children = u64::try_from(self.schema_element()?).ok()?;
        if children > *left {
            return None;
        }
        (0..children).try_for_each(|_| self.check_tree(left, depth.checked_sub(1)?))
    }

    /// Returns the number of children of a schema element.
    fn schema_element(&mut self) -> Option<i64> {
        let mut children = 0;
        self.fields(|reader, id, kind| match (id, kind) {
            (5, wire::I32) => reader.integer().map(|count| children = count),
            (10, wire::STRUCT) => reader.check_logical_type(),
            (1..=3 | 6..=9, wire::I32) | (4, wire::BINARY) => reader.skip(kind, MAX_SKIPPED_DEPTH),
            _ => None,
        })?;
        Some(children)
    }

    /// Checks a logical type: a structure of whole numbers, booleans and a unit of time.
    fn check_logical_type(&mut self) -> Option<()> {
        self.structures(|reader, variant| {
            reader.fields(|reader, id, kind| match (variant, id, kind) {
                (5, 1 | 2, wire::I32)
                | (7 | 8, 1, wire::TRUE | wire::FALSE)
                | (10 | 16, 1, wire::BYTE)
                | (10, 2, wire::TRUE | wire::FALSE) => reader.skip(kind, 1),
                (7 | 8, 2, wire::STRUCT) => {
                    reader.structures(|reader, _| (reader.byte()? == wire::STOP).then_some(()))
                }
                _ => None,
            })
        })
    }

    /// Reads the fields of a structure, all of them structures.
    fn structures(&mut self, read: impl Fn(&mut Self, i64) -> Option<()>) -> Option<()> {
        self.fields(|reader, id, kind| match kind {
            wire::STRUCT => read(reader, id),
            _ => None,
        })
    }

    /// Calls `read` with the number and the type of each field of a structure.
    fn fields(&mut self, mut read: impl FnMut(&mut Self, i64, u8) -> Option<()>) -> Option<()> {
        let mut id: i64 = 0;
        loop {
            let head = self.byte()?;
            if head & 15 == wire::STOP {
                return Some(());
            }
            id = match head >> 4 {
                0 => self.integer()?,
                delta => id.checked_add(delta.into())?,
            };
            read(self, id, head & 15)?;
        }
    }

    fn list(&mut self) -> Option<(u64, u8)> {
        let head = self.byte()?;
        let count = match head >> 4 {
            15 => self.varint()?,
            count => count.into(),
        };
        Some((count, head & 15))
    }

    fn skip(&mut self, kind: u8, depth: usize) -> Option<()> {
        let depth = depth.checked_sub(1)?;
        match kind {
            wire::TRUE | wire::FALSE => {}
            wire::BYTE => {
                self.byte()?;
            }
            wire::I16..=wire::I64 => {
                self.varint()?;
            }
            wire::DOUBLE => self.take(8)?,
            wire::BINARY => {
                let length = self.varint()?;
                self.take(length)?;
            }
            wire::LIST | wire::SET => {
                let (count, kind) = self.list()?;
                for _ in 0..count {
                    self.skip_element(kind, depth)?;
                }
            }
            wire::MAP => {
                let count = self.varint()?;
                let kinds = if count > 0 { self.byte()? } else { 0 };
                for _ in 0..count {
                    self.skip_element(kinds >> 4, depth)?;
                    self.skip_element(kinds & 15, depth)?;
                }
            }
            wire::STRUCT => self.fields(|reader, _, kind| reader.skip(kind, depth))?,
            _ => return None,
        }
        Some(())
    }

    /// Skips an element of a list, where a boolean takes a byte.
    fn skip_element(&mut self, kind: u8, depth: usize) -> Option<()> {
        match kind {
            wire::TRUE | wire::FALSE => self.take(1),
            kind => self.skip(kind, depth),
        }
    }

    fn byte(&mut self) -> Option<u8> {
        let (&first, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(first)
    }

    fn take(&mut self, count: u64) -> Option<()> {
        self.0 = self.0.get(usize::try_from(count).ok()?..)?;
        Some(())
    }

    fn integer(&mut self) -> Option<i64> {
        let raw = self.varint()?;
        Some((raw >> 1) as i64 ^ -((raw & 1) as i64))
    }

    fn varint(&mut self) -> Option<u64> {
        let mut value = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            value |= u64::from(byte & 127) << shift;
            if byte < 128 {
                return Some(value);
            }
        }
        None
    }
}
