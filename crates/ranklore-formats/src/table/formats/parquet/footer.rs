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
        let mut id = 0;
        loop {
            let kind = self.field(&mut id)?;
            match (id, kind) {
                (_, wire::STOP) => return Some(()),
                (2, wire::LIST) => self.check_schema()?,
                (1, wire::I32)
                | (3, wire::I64)
                | (4 | 5 | 7, wire::LIST)
                | (6 | 9, wire::BINARY)
                | (8, wire::STRUCT) => self.skip(kind, MAX_SKIPPED_DEPTH)?,
                (1..=9, _) => return None,
                _ => self.skip(kind, MAX_SKIPPED_DEPTH)?,
            }
        }
    }

    /// Checks that the elements are a tree: each group is followed by its children.
    fn check_schema(&mut self) -> Option<()> {
        let (count, kind) = self.list()?;
        if kind != wire::STRUCT {
            return None;
        }
        // The children to come of each group that is open.
        let mut open: Vec<u64> = Vec::new();
        for element in 0..count {
            let children = u64::try_from(self.schema_element()?).ok()?;
            if children > count - element - 1 {
                return None;
            }
            if children > 0 {
                open.push(children + 1);
            }
            while let Some(left) = open.last_mut() {
                *left -= 1;
                if *left > 0 {
                    break;
                }
                open.pop();
            }
            if open.len() > MAX_DEPTH {
                return None;
            }
        }
        Some(())
    }

    /// Returns the number of children of a schema element.
    fn schema_element(&mut self) -> Option<i64> {
        let mut id = 0;
        let mut children = 0;
        loop {
            let kind = self.field(&mut id)?;
            match (id, kind) {
                (_, wire::STOP) => return Some(children),
                (5, wire::I32) => children = self.integer()?,
                (10, wire::STRUCT) => self.check_logical_type()?,
                (1..=3 | 6..=9, wire::I32) | (4, wire::BINARY) => {
                    self.skip(kind, MAX_SKIPPED_DEPTH)?;
                }
                _ => return None,
            }
        }
    }

    /// Checks a logical type: one structure, of whole numbers, booleans and a unit of time.
    fn check_logical_type(&mut self) -> Option<()> {
        let mut id = 0;
        let mut inner_id = 0;
        let mut unit_id = 0;
        if self.field(&mut id)? != wire::STRUCT {
            return None;
        }
        loop {
            let kind = self.field(&mut inner_id)?;
            match (id, inner_id, kind) {
                (_, _, wire::STOP) => break,
                (5, 1 | 2, wire::I32)
                | (7 | 8, 1, wire::TRUE | wire::FALSE)
                | (10 | 16, 1, wire::BYTE)
                | (10, 2, wire::TRUE | wire::FALSE) => self.skip(kind, 1)?,
                (7 | 8, 2, wire::STRUCT) => {
                    let is_unit = self.field(&mut unit_id)? == wire::STRUCT;
                    if !is_unit || self.byte()? != wire::STOP || self.byte()? != wire::STOP {
                        return None;
                    }
                }
                _ => return None,
            }
        }
        (self.byte()? == wire::STOP).then_some(())
    }

    /// Returns the type of the next field, or `STOP` at the end of the structure.
    fn field(&mut self, id: &mut i64) -> Option<u8> {
        let head = self.byte()?;
        if head & 15 == wire::STOP {
            return Some(wire::STOP);
        }
        *id = match head >> 4 {
            0 => self.integer()?,
            delta => id.checked_add(delta.into())?,
        };
        Some(head & 15)
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
            wire::STRUCT => {
                let mut id = 0;
                loop {
                    match self.field(&mut id)? {
                        wire::STOP => break,
                        kind => self.skip(kind, depth)?,
                    }
                }
            }
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
