//! Reddit dumps: files with all submissions or all comments of a month or a subreddit, one JSON
//! object per line, compressed with zstd.
//!
//! A month of comments does not fit into memory, and the comments of one thread are scattered over
//! it and the next month's file. The reader is an external merge sort: it reduces each line to a
//! small record with numbers, score and author, and collects records in a buffer of a fixed size. A
//! full buffer is sorted by thread and comment and written to a temporary file. Finally the files
//! are merged, and the threads come out one after the other. Memory holds the buffer, a few KiB of
//! each of a few files, the authors of one thread, and the zstd window: up to 2 GiB if a file was
//! compressed with the longest window.

mod lines;
mod parse;
mod record;
mod sort;
mod threads;

use std::io::{self, Read};
use std::path::PathBuf;

use ranklore_contest::UnixSeconds;
use ranklore_source::{InvalidOption, OptionValues, SiteReadError};
use serde::Serialize;

use self::lines::LineReader;
use self::parse::ParsedLine;
use self::sort::Sorter;
use crate::listing::SubredditListing;
use crate::names::is_user_page;
use crate::options;

pub use self::threads::DumpThreads;

/// The most refused lines that are listed.
const MAX_REFUSED_SHOWN: usize = 20;

/// The threads to read from dumps, and the resources to use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DumpOptions {
    /// Subreddits to include, ignoring case; all of them if empty.
    pub subreddits: Vec<String>,
    /// Threads created before this time are left out.
    pub since: Option<UnixSeconds>,
    /// The most threads, by score over all subreddits; of equal scores the older thread first.
    pub top: Option<usize>,
    /// The approximate size of the buffer, in bytes; temporary files have about the same size.
    pub memory: usize,
    /// The folder for temporary files. They have no names and disappear with the process.
    pub folder: PathBuf,
}

impl Default for DumpOptions {
    /// Includes all threads, with a buffer of 64 MiB and the system's folder for temporary files.
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
    /// Returns the options for these values of source options, with temporary files in `folder`.
    ///
    /// # Errors
    /// [`InvalidOption`] for an invalid subreddit name.
    pub fn new(values: &OptionValues, folder: PathBuf) -> Result<Self, InvalidOption> {
        let subreddits = options::subreddits(values).map(|name| {
            SubredditListing::top(name, 1)?;
            Ok(name.to_owned())
        });
        Ok(Self {
            subreddits: subreddits.collect::<Result<_, _>>()?,
            since: values.since,
            top: options::top_threads(values).map(|top| top as usize),
            folder,
            ..Self::default()
        })
    }
}

/// The counts of lines, comments and threads.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct DumpCounts {
    /// The lines of all files.
    pub lines: LineCounts,
    /// The comments in the returned threads.
    pub comments: CommentCounts,
    /// The threads returned so far.
    pub threads: ThreadCounts,
}

/// The counts of lines.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct LineCounts {
    /// Lines that are not empty.
    pub read: u64,
    /// Lines about other subreddits or user pages.
    pub elsewhere: u64,
    /// Lines about a thread or a comment that a later retrieval has again.
    pub repeated: u64,
    /// Lines that cannot be read.
    pub refused: u64,
    /// The first of these lines with file, line number from 1, and reason.
    pub refused_first: Vec<String>,
}

/// The counts of comments in returned threads.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct CommentCounts {
    /// Comments that count.
    pub counted: u64,
    /// Comments by deleted accounts.
    pub deleted: u64,
    /// Comments whose scores were hidden when they were retrieved.
    pub hidden: u64,
}

/// The counts of threads.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ThreadCounts {
    /// Returned threads.
    pub read: u64,
    /// Threads without entrants.
    pub empty: u64,
    /// Threads whose own line is missing, so that their time is unknown.
    pub without_thread: u64,
    /// Threads with too many authors for one contest.
    pub too_large: u64,
    /// Threads left as they are, since an answer of the site itself has them.
    pub known: u64,
}

/// An error of reading dumps.
#[derive(Debug, thiserror::Error)]
pub enum DumpError {
    /// A file is truncated, damaged or unreadable.
    #[error("{file}: after line {line}: {source}; download the file again, nothing was imported")]
    Read {
        /// The name of the file.
        file: String,
        /// The last line that was read, from 1.
        line: u64,
        /// The cause.
        source: io::Error,
    },
    /// No line of a file is a line of a dump.
    #[error(
        "{file}: not an archive of submissions or comments with one JSON object per line: {first}"
    )]
    NotADump {
        /// The name of the file.
        file: String,
        /// The error in its first line.
        first: Box<SiteReadError>,
    },
    /// A temporary file cannot be written or read.
    #[error(
        "{}: temporary files cannot be used: {source}; make room, or set TMPDIR to another folder",
        folder.display()
    )]
    Folder {
        /// The folder.
        folder: PathBuf,
        /// The cause.
        source: io::Error,
    },
}

/// A reader of dumps: takes every file with [`DumpReader::add_file`], in any order, then returns
/// the threads with [`DumpReader::into_threads`].
#[derive(Debug)]
pub struct DumpReader {
    options: DumpOptions,
    sorter: Sorter,
    counts: DumpCounts,
}

impl DumpReader {
    /// Creates a reader without files.
    #[must_use]
    pub fn new(options: DumpOptions) -> Self {
        Self {
            sorter: Sorter::new(options.memory, options.folder.clone()),
            counts: DumpCounts::default(),
            options,
        }
    }

    /// Reads one file with submissions, comments or both, compressed with zstd or not. `name` is
    /// used in errors.
    ///
    /// Unreadable lines are counted and skipped. After an error the reader must be dropped, because
    /// threads would lack comments.
    ///
    /// # Errors
    /// [`DumpError`].
    pub fn add_file(&mut self, name: &str, file: impl Read) -> Result<(), DumpError> {
        let lines_before = self.counts.lines.read;
        let refused_before = self.counts.lines.refused;
        let mut first_refused = None;
        let broken = |line, source| DumpError::Read {
            file: name.to_owned(),
            line,
            source,
        };
        let mut lines = LineReader::new(file).map_err(|error| broken(0, error))?;
        while let Some((number, text)) =
            lines.next_line().map_err(|(line, error)| broken(line, error))?
        {
            self.counts.lines.read += 1;
            let line = match parse::parse_line(text) {
                Ok(line) => line,
                Err(line_error) => {
                    let counts = &mut self.counts.lines;
                    counts.refused += 1;
                    let is_shown = counts.refused_first.len() < MAX_REFUSED_SHOWN;
                    if is_shown || first_refused.is_none() {
                        let error = line_error.to_read_error(&format!("{name}, line {number}"));
                        if is_shown {
                            counts.refused_first.push(error.to_string());
                        }
                        first_refused.get_or_insert(error);
                    }
                    continue;
                }
            };
            if self.is_other_subreddit(&line) {
                self.counts.lines.elsewhere += 1;
                continue;
            }
            // The later line counts if two have the same retrieval time.
            let record = line.into_record(self.counts.lines.read);
            self.sorter.push(&record).map_err(|error| folder_error(&self.options, error))?;
        }
        let lines = self.counts.lines.read - lines_before;
        let refused = self.counts.lines.refused - refused_before;
        match first_refused {
            Some(first) if refused == lines => Err(DumpError::NotADump {
                file: name.to_owned(),
                first: Box::new(first),
            }),
            _ => Ok(()),
        }
    }

    fn is_other_subreddit(&self, line: &ParsedLine<'_>) -> bool {
        let selected = &self.options.subreddits;
        let mut names = selected.iter();
        is_user_page(&line.subreddit)
            || !selected.is_empty() && !names.any(|name| name.eq_ignore_ascii_case(&line.subreddit))
    }

    /// Returns the threads of all files as contests, ordered by thread id.
    ///
    /// # Errors
    /// [`DumpError::Folder`].
    pub fn into_threads(self) -> Result<DumpThreads, DumpError> {
        DumpThreads::new(self.options, self.sorter, self.counts)
    }
}

fn folder_error(options: &DumpOptions, source: io::Error) -> DumpError {
    DumpError::Folder {
        folder: options.folder.clone(),
        source,
    }
}
