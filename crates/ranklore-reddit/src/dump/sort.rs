//! External merge sort: a buffer that is written to a temporary file whenever it is full, and files
//! that are merged level by level.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Seek};
use std::path::{Path, PathBuf};

use super::record::{Record, RecordKey};

/// The number of files of one level that are merged into one of the next.
const MERGE_FILES: usize = 16;

/// The read and write buffer of each file, in bytes.
const BLOCK_BYTES: usize = 64 << 10;

/// The average length of a record's text, in bytes.
const AVERAGE_TEXT_BYTES: usize = 16;

/// A record in the buffer, with the position of its text in the common string.
type BufferedRecord = Record<(usize, usize)>;

/// Sorts records with a buffer of a fixed size and temporary files.
#[derive(Debug)]
pub(crate) struct Sorter {
    folder: PathBuf,
    rows: Vec<BufferedRecord>,
    texts: String,
    /// The most rows and the most bytes of text in the buffer.
    capacity: (usize, usize),
    /// Sorted files by level; each level consists of merged files of the level before.
    levels: Vec<Vec<File>>,
    repeated: u64,
}

impl Sorter {
    /// Creates a sorter with a buffer of about `memory` bytes.
    pub(crate) fn new(memory: usize, folder: PathBuf) -> Self {
        let rows = (memory / (size_of::<BufferedRecord>() + AVERAGE_TEXT_BYTES)).max(2);
        Self {
            folder,
            rows: Vec::new(),
            texts: String::new(),
            capacity: (rows, rows * AVERAGE_TEXT_BYTES),
            levels: Vec::new(),
            repeated: 0,
        }
    }

    pub(crate) fn push(&mut self, record: &Record) -> io::Result<()> {
        let (rows, texts) = self.capacity;
        let full = self.rows.len() >= rows || self.texts.len() + record.text.len() > texts;
        if full && !self.rows.is_empty() {
            self.spill()?;
        }
        if self.rows.capacity() == 0 {
            // Reserve once: growing step by step takes half as much again.
            self.rows.reserve_exact(rows);
            self.texts.reserve_exact(texts);
        }
        let start = self.texts.len();
        self.texts.push_str(&record.text);
        self.rows.push(record.with_text((start, self.texts.len())));
        Ok(())
    }

    /// Returns all records in order. Of records about the same thing only the greatest is kept; the
    /// others are counted.
    pub(crate) fn finish(mut self) -> io::Result<MergedRecords> {
        self.spill()?;
        let files = std::mem::take(&mut self.levels).into_iter().flatten();
        let mut merged = MergedRecords::new(files.collect())?;
        merged.repeated = self.repeated;
        Ok(merged)
    }

    /// Writes the buffer to a file and empties it.
    fn spill(&mut self) -> io::Result<()> {
        self.rows.sort_unstable_by_key(|row| row.key);
        let mut file = BufWriter::with_capacity(BLOCK_BYTES, self.create_file()?);
        for row in &self.rows {
            let (start, end) = row.text;
            row.with_text(&self.texts[start..end]).write(&mut file)?;
        }
        self.rows.clear();
        self.texts.clear();
        self.add_file(0, into_rewound(file)?)
    }

    fn add_file(&mut self, level: usize, file: File) -> io::Result<()> {
        if self.levels.len() == level {
            self.levels.push(Vec::new());
        }
        self.levels[level].push(file);
        if self.levels[level].len() < MERGE_FILES {
            return Ok(());
        }
        let mut merged = MergedRecords::new(std::mem::take(&mut self.levels[level]))?;
        let file = merged.write_rest(self.create_file()?, |_| ())?;
        self.repeated += merged.repeated;
        self.add_file(level + 1, file)
    }

    fn create_file(&self) -> io::Result<File> {
        tempfile::tempfile_in(&self.folder)
    }
}

fn into_rewound(file: BufWriter<File>) -> io::Result<File> {
    let mut file = file.into_inner()?;
    file.rewind()?;
    Ok(file)
}

/// Records merged from sorted files, in order.
#[derive(Debug)]
pub(crate) struct MergedRecords {
    files: Vec<(BufReader<File>, Record)>,
    /// The key of the next record of each file.
    next: BinaryHeap<Reverse<(RecordKey, usize)>>,
    /// Records skipped because a greater one is about the same thing.
    pub(crate) repeated: u64,
}

impl MergedRecords {
    fn new(files: Vec<File>) -> io::Result<Self> {
        let files = files.into_iter().map(|file| {
            let file = BufReader::with_capacity(BLOCK_BYTES, file);
            (file, Record::default())
        });
        let mut merged = Self {
            files: files.collect(),
            next: BinaryHeap::new(),
            repeated: 0,
        };
        for index in 0..merged.files.len() {
            merged.advance(index)?;
        }
        Ok(merged)
    }

    fn advance(&mut self, index: usize) -> io::Result<()> {
        let (file, record) = &mut self.files[index];
        if record.read_into(file)? {
            self.next.push(Reverse((record.key, index)));
        }
        Ok(())
    }

    /// Reads the next record into `into`. Returns false at the end.
    pub(crate) fn next_into(&mut self, into: &mut Record) -> io::Result<bool> {
        let Some(Reverse((_, index))) = self.next.pop() else {
            return Ok(false);
        };
        std::mem::swap(into, &mut self.files[index].1);
        self.advance(index)?;
        while let Some(&Reverse((key, index))) = self.next.peek()
            && key.is_same_thing(&into.key)
        {
            self.next.pop();
            self.repeated += 1;
            std::mem::swap(into, &mut self.files[index].1);
            self.advance(index)?;
        }
        Ok(true)
    }

    /// Writes the remaining records to a file and calls `look` with each.
    fn write_rest(&mut self, file: File, mut look: impl FnMut(&Record)) -> io::Result<File> {
        let mut file = BufWriter::with_capacity(BLOCK_BYTES, file);
        let mut record = Record::default();
        while self.next_into(&mut record)? {
            look(&record);
            record.write(&mut file)?;
        }
        into_rewound(file)
    }

    /// Calls `look` with each record, then returns the same records again.
    pub(crate) fn inspect(mut self, folder: &Path, look: impl FnMut(&Record)) -> io::Result<Self> {
        let file = self.write_rest(tempfile::tempfile_in(folder)?, look)?;
        let mut again = Self::new(vec![file])?;
        again.repeated = self.repeated;
        Ok(again)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(index: u64) -> Record {
        Record {
            key: RecordKey {
                thread: index * 7919 % 1000,
                comment: index % 3000,
                retrieved: 0,
                line: index,
            },
            text: "Keeper_Of_Lamps".repeat((index % 3) as usize),
            ..Record::default()
        }
    }

    #[test]
    fn buffer_and_open_files_stay_bounded() {
        const RECORDS: u64 = 20_000;
        let memory = 4096;
        let mut sorter = Sorter::new(memory, std::env::temp_dir());
        for index in 0..RECORDS {
            sorter.push(&record(index)).unwrap();
            let used =
                sorter.rows.capacity() * size_of::<BufferedRecord>() + sorter.texts.capacity();
            assert!(used <= memory, "{used} bytes after {index} records");
            let open: usize = sorter.levels.iter().map(Vec::len).sum();
            // The number of files grows with the logarithm of the number of spills to the base of
            // `MERGE_FILES`.
            assert!(open <= 3 * MERGE_FILES, "{open} files after {index} records");
        }
        assert!(sorter.levels.len() > 2, "nothing was merged before the end");
        let mut merged = sorter.finish().unwrap();
        let (mut record, mut last, mut count) = (Record::default(), None, 0);
        while merged.next_into(&mut record).unwrap() {
            let about = (record.key.thread, record.key.comment);
            assert!(last < Some(about), "{last:?} before {about:?}");
            last = Some(about);
            count += 1;
        }
        assert_eq!(count + merged.repeated, RECORDS);
        assert!(merged.repeated > 0);
    }
}
