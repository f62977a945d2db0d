//! The record of a line, as it is sorted and written to temporary files.

use std::io::{self, BufRead, Write};

/// The sort key of a record.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct RecordKey {
    pub(crate) thread: u64,
    /// 0 for the thread itself, which comes before its comments.
    pub(crate) comment: u64,
    /// The retrieval time, in Unix seconds; 0 if the dump does not have it.
    pub(crate) retrieved: u64,
    /// The line number over all files, which makes keys unique.
    pub(crate) line: u64,
}

impl RecordKey {
    /// True if both keys are of the same thread or comment; the greater one counts.
    pub(crate) fn is_same_thing(&self, other: &Self) -> bool {
        (self.thread, self.comment) == (other.thread, other.comment)
    }
}

/// The kind of a record. Files contain its number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum RecordKind {
    /// A thread; its text is the subreddit.
    #[default]
    Thread,
    /// A comment; its text is the author.
    Comment,
    /// A comment by a deleted account.
    Deleted,
    /// A comment with a hidden score.
    Hidden,
}

/// A thread or a comment, with its text or the position of its text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Record<T = String> {
    pub(crate) key: RecordKey,
    pub(crate) kind: RecordKind,
    pub(crate) score: i64,
    /// The creation time of a thread, in Unix seconds.
    pub(crate) created: i64,
    /// At most 255 bytes.
    pub(crate) text: T,
}

/// Six numbers of eight bytes, the kind, and the length of the text.
const HEADER_BYTES: usize = 50;

impl<T> Record<T> {
    /// Returns the same record with another text.
    pub(crate) fn with_text<U>(&self, text: U) -> Record<U> {
        Record {
            key: self.key,
            kind: self.kind,
            score: self.score,
            created: self.created,
            text,
        }
    }
}

impl<T: AsRef<str>> Record<T> {
    pub(crate) fn write(&self, to: &mut impl Write) -> io::Result<()> {
        let text = self.text.as_ref();
        let mut head = [0; HEADER_BYTES];
        let numbers = [
            self.key.thread,
            self.key.comment,
            self.key.retrieved,
            self.key.line,
            self.score.cast_unsigned(),
            self.created.cast_unsigned(),
        ];
        for (bytes, number) in head.chunks_exact_mut(8).zip(numbers) {
            bytes.copy_from_slice(&number.to_le_bytes());
        }
        head[48] = self.kind as u8;
        head[49] = u8::try_from(text.len()).map_err(io::Error::other)?;
        to.write_all(&head)?;
        to.write_all(text.as_bytes())
    }
}

impl Record {
    /// Reads the next record into `self`. Returns false at the end.
    pub(crate) fn read_into(&mut self, from: &mut impl BufRead) -> io::Result<bool> {
        if from.fill_buf()?.is_empty() {
            return Ok(false);
        }
        let mut head = [0; HEADER_BYTES];
        from.read_exact(&mut head)?;
        let mut numbers = head.chunks_exact(8).map(|bytes| {
            let bytes = <[u8; 8]>::try_from(bytes).unwrap_or_default();
            u64::from_le_bytes(bytes)
        });
        let mut number = || numbers.next().unwrap_or_default();
        self.key = RecordKey {
            thread: number(),
            comment: number(),
            retrieved: number(),
            line: number(),
        };
        self.score = number().cast_signed();
        self.created = number().cast_signed();
        self.kind = match head[48] {
            0 => RecordKind::Thread,
            1 => RecordKind::Comment,
            2 => RecordKind::Deleted,
            _ => RecordKind::Hidden,
        };
        let mut text = std::mem::take(&mut self.text).into_bytes();
        text.resize(head[49].into(), 0);
        from.read_exact(&mut text)?;
        self.text = String::from_utf8(text).map_err(io::Error::other)?;
        Ok(true)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_round_trip() {
        let key = RecordKey {
            thread: u64::MAX,
            comment: 2,
            retrieved: 3,
            line: 4,
        };
        let first = Record {
            key,
            kind: RecordKind::Hidden,
            score: -54,
            created: i64::MIN,
            text: "ä".repeat(100),
        };
        let second = Record {
            text: String::new(),
            kind: RecordKind::Comment,
            ..first.clone()
        };
        let mut bytes = Vec::new();
        first.write(&mut bytes).unwrap();
        second.write(&mut bytes).unwrap();
        let (mut from, mut record) = (bytes.as_slice(), Record::default());
        assert!(record.read_into(&mut from).unwrap());
        assert_eq!(record, first);
        assert!(record.read_into(&mut from).unwrap());
        assert_eq!(record, second);
        assert!(!record.read_into(&mut from).unwrap());
        assert!(record.read_into(&mut &bytes[..30]).is_err());
    }
}
