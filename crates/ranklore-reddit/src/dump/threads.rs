//! Builds threads from sorted records.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashSet};
use std::io;

use ranklore_contest::{Contest, UnixSeconds};

use super::record::{Record, RecordKind};
use super::sort::{MergedRecords, Sorter};
use super::{DumpCounts, DumpError, DumpOptions, folder_error};
use crate::id::ThingId;
use crate::tally::AuthorScores;
use crate::thread::ThreadInfo;

/// The most authors of a thread: all of them are in memory, and in one contest.
const MAX_AUTHORS: usize = 2_000_000;

/// The threads of dumps as contests, ordered by thread id.
///
/// After an error the iterator must not be used any more.
#[derive(Debug)]
pub struct DumpThreads {
    options: DumpOptions,
    records: MergedRecords,
    /// The first record of the next thread; `None` at the end.
    next: Option<Record>,
    /// The threads to return; all of them if `None`.
    chosen: Option<HashSet<u64>>,
    /// The number of records read, including the first of the next thread.
    records_read: u64,
    counts: DumpCounts,
}

impl DumpThreads {
    pub(crate) fn new(
        options: DumpOptions,
        sorter: Sorter,
        counts: DumpCounts,
    ) -> Result<Self, DumpError> {
        let failed = |error| folder_error(&options, error);
        let mut records = sorter.finish().map_err(failed)?;
        let mut chosen = None;
        if let Some(top) = options.top {
            let mut best = TopThreads::new(top);
            let folder = &options.folder;
            let again = records.inspect(folder, |record| {
                if record.kind == RecordKind::Thread && is_recent_enough(&options, record) {
                    best.add(record);
                }
            });
            records = again.map_err(failed)?;
            chosen = Some(best.into_ids());
        }
        let mut first = Record::default();
        let any = records.next_into(&mut first).map_err(failed)?;
        Ok(Self {
            next: any.then_some(first),
            options,
            records,
            chosen,
            records_read: u64::from(any),
            counts,
        })
    }

    /// Returns the number of lines about threads that were not returned yet, approximately.
    #[must_use]
    pub fn lines_left(&self) -> u64 {
        let lines = &self.counts.lines;
        lines.read - lines.elsewhere - lines.refused - self.records.repeated - self.records_read
    }

    /// Returns the counts of all lines and of the threads returned so far.
    #[must_use]
    pub fn counts(&self) -> DumpCounts {
        let mut counts = self.counts.clone();
        counts.lines.repeated = self.records.repeated;
        counts
    }

    /// Collects all records of the next thread; `None` at the end.
    fn next_thread(&mut self) -> io::Result<Option<ThreadRecords>> {
        let Some(mut record) = self.next.take() else {
            return Ok(None);
        };
        let number = record.key.thread;
        let chosen = self.chosen.as_ref();
        let mut thread = ThreadRecords {
            is_selected: chosen.is_none_or(|numbers| numbers.contains(&number)),
            ..ThreadRecords::default()
        };
        loop {
            thread.add(&record);
            if !self.records.next_into(&mut record)? {
                break;
            }
            self.records_read += 1;
            if record.key.thread != number {
                self.next = Some(record);
                break;
            }
        }
        Ok(Some(thread))
    }

    /// Returns a thread as a contest; `None` if it is excluded or has no entrants.
    fn build_contest(&mut self, records: ThreadRecords) -> Option<Contest> {
        let Some(head) = records.head else {
            self.counts.threads.without_thread += u64::from(self.chosen.is_none());
            return None;
        };
        if !records.is_selected || !is_recent_enough(&self.options, &head) {
            return None;
        }
        if records.tally.author_count() > MAX_AUTHORS {
            self.counts.threads.too_large += 1;
            return None;
        }
        self.counts.comments.deleted += records.tally.deleted as u64;
        self.counts.comments.hidden += records.tally.hidden as u64;
        if records.tally.author_count() == 0 {
            self.counts.threads.empty += 1;
            return None;
        }
        self.counts.comments.counted += records.comments;
        self.counts.threads.read += 1;
        to_contest(head, records.tally)
    }
}

/// The records of one thread.
#[derive(Default)]
struct ThreadRecords {
    /// True if the thread is selected; otherwise its comments are ignored.
    is_selected: bool,
    head: Option<Record>,
    tally: AuthorScores,
    /// The number of comments in the tally.
    comments: u64,
}

impl ThreadRecords {
    fn add(&mut self, record: &Record) {
        match record.kind {
            RecordKind::Thread => self.head = Some(record.clone()),
            _ if !self.is_selected || self.tally.author_count() > MAX_AUTHORS => {}
            RecordKind::Deleted => self.tally.deleted += 1,
            RecordKind::Hidden => self.tally.hidden += 1,
            RecordKind::Comment => {
                self.comments += 1;
                self.tally.add(&record.text, record.score);
            }
        }
    }
}

impl Iterator for DumpThreads {
    type Item = Result<Contest, DumpError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            match self.next_thread() {
                Ok(None) => return None,
                Ok(Some(gathered)) => {
                    if let Some(contest) = self.build_contest(gathered) {
                        return Some(Ok(contest));
                    }
                }
                Err(error) => return Some(Err(folder_error(&self.options, error))),
            }
        }
    }
}

fn is_recent_enough(options: &DumpOptions, head: &Record) -> bool {
    options.since.is_none_or(|since| head.created >= since.get())
}

/// Returns the contest that a sync would give; `None` only for a time out of range, which was
/// checked before.
fn to_contest(head: Record, tally: AuthorScores) -> Option<Contest> {
    let created = UnixSeconds::new(head.created)?;
    let thread = ThreadInfo {
        id: ThingId::new(head.key.thread),
        subreddit: head.text,
        created,
    };
    let listed = thread.into_listed();
    Some(listed.into_contest(created, tally.into_entrants()))
}

/// The threads with the highest scores so far; of equal scores the older thread.
struct TopThreads {
    size: usize,
    /// The worst one is on top.
    threads: BinaryHeap<Reverse<(i64, Reverse<u64>)>>,
}

impl TopThreads {
    fn new(size: usize) -> Self {
        Self {
            size,
            threads: BinaryHeap::new(),
        }
    }

    fn add(&mut self, head: &Record) {
        self.threads.push(Reverse((head.score, Reverse(head.key.thread))));
        if self.threads.len() > self.size {
            self.threads.pop();
        }
    }

    fn into_ids(self) -> HashSet<u64> {
        let threads = self.threads.into_iter();
        threads.map(|Reverse((_, Reverse(thread)))| thread).collect()
    }
}
