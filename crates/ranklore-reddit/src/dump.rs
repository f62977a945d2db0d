//! Archives of Reddit: files with every submission or every comment of a month or of a subreddit,
//! one JSON object a line, packed by zstd.
//!
//! A month of comments is larger than any memory, and those of one thread lie scattered over it,
//! some in the next month's file. So of each line only numbers, score and author are taken, as a
//! small record; records are gathered in a buffer of a fixed size, and whenever it is full they are
//! sorted by thread and comment and written to a temporary file. At the end those files are merged,
//! and every thread comes out whole, one after the other. What is in memory at any time is the
//! buffer, a few KiB of each of a few files, the authors of one thread, and what zstd needs to
//! unpack: up to 2 GiB where a file was packed with the longest window.

mod line;
mod lines;
mod record;
mod sort;
mod threads;

use std::io::{self, Read};
use std::path::PathBuf;

use ranklore_contest::UnixSeconds;
use ranklore_source::{InvalidOption, OptionValues, ReadError};
use serde::ser::SerializeStruct;
use serde::{Serialize, Serializer};

use self::line::Found;
use self::lines::{Line, Lines};
use self::sort::Sorter;
use crate::listing::Listing;
use crate::names::is_page_of_somebody;
use crate::options;

pub use self::threads::Threads;

/// So many of the lines that were refused are shown.
const SHOWN: usize = 20;

/// Which threads to take out of archives, and what it may cost.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DumpOptions {
    /// Of these subreddits alone, in whatever case; of all if there are none.
    pub subreddits: Vec<String>,
    /// Threads written before this are left out.
    pub since: Option<UnixSeconds>,
    /// So many threads at most, those with the highest scores in all; of equal ones the older.
    pub top: Option<usize>,
    /// How large the buffer is, in bytes, about; temporary files are then about as large.
    pub memory: usize,
    /// Where temporary files go. They have no names, and are gone with the process.
    pub folder: PathBuf,
}

impl Default for DumpOptions {
    /// All threads, with a buffer of 64 MiB, and temporary files where the system has them.
    fn default() -> Self {
        Self {
            subreddits: Vec::new(),
            since: None,
            top: None,
            memory: 64 << 20,
            folder: std::env::temp_dir(),
        }
    }
}

impl DumpOptions {
    /// The threads that these options of the source ask for, with temporary files in this folder.
    ///
    /// # Errors
    /// [`InvalidOption`] for a name that no subreddit has.
    pub fn new(values: &OptionValues, folder: PathBuf) -> Result<Self, InvalidOption> {
        let subreddits = options::subreddits(values).map(|name| {
            Listing::top(name, 1)?;
            Ok(name.to_owned())
        });
        Ok(Self {
            subreddits: subreddits.collect::<Result<_, _>>()?,
            since: values.since,
            top: options::number_of_threads(values).map(|top| top as usize),
            folder,
            ..Self::default()
        })
    }
}

/// What came of the lines of archives.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Lines that are not empty.
    pub lines: u64,
    /// Of these, lines about other subreddits, and about pages of people.
    pub elsewhere: u64,
    /// Lines that cannot be read.
    pub refused: u64,
    /// The first of them, with the file and the line, from 1, and why.
    pub refused_first: Vec<ReadError>,
    /// Lines about a thread or a comment that another line, retrieved later, tells of once more.
    pub repeated: u64,
    /// Comments in the threads that were given, whose authors count.
    pub comments: u64,
    /// Comments in them by deleted accounts.
    pub deleted: u64,
    /// Comments in them whose score the site did not show when it was retrieved.
    pub hidden: u64,
    /// Threads that came out.
    pub threads: u64,
    /// Threads in which nobody stands.
    pub empty: u64,
    /// Threads whose own line is in none of the files, so that nobody knows when they were.
    pub without_thread: u64,
    /// Threads with more authors than fit into one contest.
    pub too_large: u64,
    /// Threads left as they are, since an answer of the site itself has them.
    pub known: u64,
}

impl Serialize for Counts {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Lines {
            read: u64,
            elsewhere: u64,
            repeated: u64,
            refused: u64,
            refused_first: Vec<String>,
        }
        #[derive(Serialize)]
        struct Comments {
            counted: u64,
            deleted: u64,
            hidden: u64,
        }
        #[derive(Serialize)]
        struct Threads {
            read: u64,
            empty: u64,
            without_thread: u64,
            too_large: u64,
            known: u64,
        }
        let refused_first = self.refused_first.iter().map(ToString::to_string);
        let lines = Lines {
            read: self.lines,
            elsewhere: self.elsewhere,
            repeated: self.repeated,
            refused: self.refused,
            refused_first: refused_first.collect(),
        };
        let comments = Comments {
            counted: self.comments,
            deleted: self.deleted,
            hidden: self.hidden,
        };
        let threads = Threads {
            read: self.threads,
            empty: self.empty,
            without_thread: self.without_thread,
            too_large: self.too_large,
            known: self.known,
        };
        let mut object = serializer.serialize_struct("Counts", 3)?;
        object.serialize_field("lines", &lines)?;
        object.serialize_field("comments", &comments)?;
        object.serialize_field("threads", &threads)?;
        object.end()
    }
}

/// Why archives cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum DumpError {
    /// A file ends in the middle, is broken, or cannot be read.
    #[error("{file}: after line {line}: {source}; get the file again, nothing of it was taken")]
    Read {
        /// What it was called.
        file: String,
        /// The last line that came, from 1.
        line: u64,
        /// What went wrong.
        source: io::Error,
    },
    /// No line of a file is one of an archive.
    #[error("{file}: is no archive of submissions or comments, one JSON object a line: {first}")]
    NoDump {
        /// What it was called.
        file: String,
        /// What is wrong with its first line.
        first: Box<ReadError>,
    },
    /// A temporary file cannot be written or read.
    #[error(
        "{}: temporary files cannot be used: {source}; make room, or have TMPDIR name another folder",
        folder.display()
    )]
    Folder {
        /// Where they are.
        folder: PathBuf,
        /// What went wrong.
        source: io::Error,
    },
}

/// Archives that are being read: every file by [`Dump::take`], in any order, then
/// [`Dump::threads`].
#[derive(Debug)]
pub struct Dump {
    options: DumpOptions,
    sorter: Sorter,
    counts: Counts,
}

impl Dump {
    /// Nothing so far.
    #[must_use]
    pub fn new(options: DumpOptions) -> Self {
        Self {
            sorter: Sorter::new(options.memory, options.folder.clone()),
            counts: Counts::default(),
            options,
        }
    }

    /// Takes one file, of submissions, comments or both, packed by zstd or not; `name` is what
    /// errors call it.
    ///
    /// A line that cannot be read is counted, and leaves the others. Whatever breaks off is an
    /// error, after which the whole is to be thrown away: threads would lack comments.
    ///
    /// # Errors
    /// [`DumpError`].
    pub fn take(&mut self, name: &str, file: impl Read) -> Result<(), DumpError> {
        let before = self.counts.clone();
        let mut first_refused = None;
        let broken = |line, source| DumpError::Read {
            file: name.to_owned(),
            line,
            source,
        };
        let mut lines = Lines::of(file).map_err(|error| broken(0, error))?;
        while let Some(Line { number, text }) = lines
            .next_line()
            .map_err(|(line, error)| broken(line, error))?
        {
            self.counts.lines += 1;
            let found = match line::read(text) {
                Ok(found) => found,
                Err(wrong) => {
                    self.counts.refused += 1;
                    if first_refused.is_none() || self.counts.refused_first.len() < SHOWN {
                        let error = wrong.at(&format!("{name}, line {number}"));
                        first_refused.get_or_insert_with(|| error.clone());
                        self.counts.refused_first.push(error);
                        self.counts.refused_first.truncate(SHOWN);
                    }
                    continue;
                }
            };
            if self.is_elsewhere(&found) {
                self.counts.elsewhere += 1;
                continue;
            }
            // Of two lines of one retrieval the later one counts.
            let record = found.record(self.counts.lines);
            let pushed = self.sorter.push(&record);
            pushed.map_err(|error| folder_failed(&self.options, error))?;
        }
        let lines = self.counts.lines - before.lines;
        let refused = self.counts.refused - before.refused;
        match first_refused {
            Some(first) if refused == lines => Err(DumpError::NoDump {
                file: name.to_owned(),
                first: Box::new(first),
            }),
            _ => Ok(()),
        }
    }

    fn is_elsewhere(&self, found: &Found<'_>) -> bool {
        let here = &self.options.subreddits;
        let mut names = here.iter();
        is_page_of_somebody(&found.subreddit)
            || !here.is_empty() && !names.any(|name| name.eq_ignore_ascii_case(&found.subreddit))
    }

    /// The threads of all files, by their numbers, as contests.
    ///
    /// # Errors
    /// [`DumpError::Folder`].
    pub fn threads(self) -> Result<Threads, DumpError> {
        Threads::of(self.options, self.sorter, self.counts)
    }
}

fn folder_failed(options: &DumpOptions, source: io::Error) -> DumpError {
    DumpError::Folder {
        folder: options.folder.clone(),
        source,
    }
}
