//! Reddit archives: files with all submissions or all comments of a month or a subreddit, one JSON
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
use serde::ser::SerializeStruct;
use serde::{Serialize, Serializer};

use self::lines::{LineReader, NumberedLine};
use self::parse::ParsedLine;
use self::sort::Sorter;
use crate::listing::SubredditListing;
use crate::names::is_user_page;
use crate::options;

pub use self::threads::DumpThreads;

/// The most refused lines that are listed.
const MAX_REFUSED_SHOWN: usize = 20;

/// The threads to read from archives, and the resources to use.
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
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DumpCounts {
    /// Lines that are not empty.
    pub lines: u64,
    /// Lines about other subreddits or user pages.
    pub elsewhere: u64,
    /// Lines that cannot be read.
    pub refused: u64,
    /// The first of these lines with file, line number from 1, and reason.
    pub refused_first: Vec<SiteReadError>,
    /// Lines about a thread or a comment that a later retrieval has again.
    pub repeated: u64,
    /// Counted comments in the returned threads.
    pub comments: u64,
    /// Comments by deleted accounts in the returned threads.
    pub deleted: u64,
    /// Comments in the returned threads whose scores were hidden when they were retrieved.
    pub hidden: u64,
    /// Returned threads.
    pub threads: u64,
    /// Threads without entrants.
    pub empty: u64,
    /// Threads whose own line is missing, so that their time is unknown.
    pub without_thread: u64,
    /// Threads with too many authors for one contest.
    pub too_large: u64,
    /// Threads left as they are, since an answer of the site itself has them.
    pub known: u64,
}

impl Serialize for DumpCounts {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct LineKeys {
            read: u64,
            elsewhere: u64,
            repeated: u64,
            refused: u64,
            refused_first: Vec<String>,
        }
        #[derive(Serialize)]
        struct CommentKeys {
            counted: u64,
            deleted: u64,
            hidden: u64,
        }
        #[derive(Serialize)]
        struct ThreadKeys {
            read: u64,
            empty: u64,
            without_thread: u64,
            too_large: u64,
            known: u64,
        }
        let refused_first = self.refused_first.iter().map(ToString::to_string);
        let lines = LineKeys {
            read: self.lines,
            elsewhere: self.elsewhere,
            repeated: self.repeated,
            refused: self.refused,
            refused_first: refused_first.collect(),
        };
        let comments = CommentKeys {
            counted: self.comments,
            deleted: self.deleted,
            hidden: self.hidden,
        };
        let threads = ThreadKeys {
            read: self.threads,
            empty: self.empty,
            without_thread: self.without_thread,
            too_large: self.too_large,
            known: self.known,
        };
        let mut object = serializer.serialize_struct("DumpCounts", 3)?;
        object.serialize_field("lines", &lines)?;
        object.serialize_field("comments", &comments)?;
        object.serialize_field("threads", &threads)?;
        object.end()
    }
}

/// An error of reading archives.
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
    /// No line of a file is a line of an archive.
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

/// A reader of archives: takes every file with [`DumpReader::add_file`], in any order, then returns
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
        let before = self.counts.clone();
        let mut first_refused = None;
        let broken = |line, source| DumpError::Read {
            file: name.to_owned(),
            line,
            source,
        };
        let mut lines = LineReader::new(file).map_err(|error| broken(0, error))?;
        while let Some(NumberedLine { number, text }) = lines
            .next_line()
            .map_err(|(line, error)| broken(line, error))?
        {
            self.counts.lines += 1;
            let found = match parse::parse_line(text) {
                Ok(found) => found,
                Err(wrong) => {
                    self.counts.refused += 1;
                    if first_refused.is_none()
                        || self.counts.refused_first.len() < MAX_REFUSED_SHOWN
                    {
                        let error = wrong.to_read_error(&format!("{name}, line {number}"));
                        first_refused.get_or_insert_with(|| error.clone());
                        self.counts.refused_first.push(error);
                        self.counts.refused_first.truncate(MAX_REFUSED_SHOWN);
                    }
                    continue;
                }
            };
            if self.is_other_subreddit(&found) {
                self.counts.elsewhere += 1;
                continue;
            }
            // The later line counts if two have the same retrieval time.
            let record = found.into_record(self.counts.lines);
            let pushed = self.sorter.push(&record);
            pushed.map_err(|error| folder_error(&self.options, error))?;
        }
        let lines = self.counts.lines - before.lines;
        let refused = self.counts.refused - before.refused;
        match first_refused {
            Some(first) if refused == lines => Err(DumpError::NotADump {
                file: name.to_owned(),
                first: Box::new(first),
            }),
            _ => Ok(()),
        }
    }

    fn is_other_subreddit(&self, found: &ParsedLine<'_>) -> bool {
        let here = &self.options.subreddits;
        let mut names = here.iter();
        is_user_page(&found.subreddit)
            || !here.is_empty() && !names.any(|name| name.eq_ignore_ascii_case(&found.subreddit))
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
