//! Builds threads from sorted records.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashSet};
use std::io;

use ranklore_contest::{Contest, UnixSeconds};

use super::record::{Record, What};
use super::sort::{Merged, Sorter};
use super::{Counts, DumpError, DumpOptions, folder_failed};
use crate::id::Id;
use crate::tally::Tally;
use crate::thread::Thread;

/// The most authors of a thread: all of them are in memory, and in one contest.
const MAX_AUTHORS: usize = 2_000_000;

/// The threads of archives as contests, ordered by thread id.
///
/// After an error the iterator must not be used any more.
#[derive(Debug)]
pub struct Threads {
    options: DumpOptions,
    records: Merged,
    /// The first record of the next thread; `None` at the end.
    next: Option<Record>,
    /// The threads to return; all of them if `None`.
    chosen: Option<HashSet<u64>>,
    /// The number of records read, including the first of the next thread.
    gone_through: u64,
    counts: Counts,
}

impl Threads {
    pub(crate) fn of(
        options: DumpOptions,
        sorter: Sorter,
        counts: Counts,
    ) -> Result<Self, DumpError> {
        let failed = |error| folder_failed(&options, error);
        let mut records = sorter.finish().map_err(failed)?;
        let mut chosen = None;
        if let Some(top) = options.top {
            let mut best = Best::new(top);
            let folder = &options.folder;
            let again = records.seen_by(folder, |record| {
                if record.what == What::Thread && is_due(&options, record) {
                    best.add(record);
                }
            });
            records = again.map_err(failed)?;
            chosen = Some(best.threads());
        }
        let mut first = Record::default();
        let any = records.next_into(&mut first).map_err(failed)?;
        Ok(Self {
            next: any.then_some(first),
            options,
            records,
            chosen,
            gone_through: u64::from(any),
            counts,
        })
    }

    /// Returns the number of lines about threads that were not returned yet, approximately.
    #[must_use]
    pub fn lines_left(&self) -> u64 {
        let taken = self.counts.lines - self.counts.elsewhere - self.counts.refused;
        taken - self.records.repeated - self.gone_through
    }

    /// Returns the counts of all lines and of the threads returned so far.
    #[must_use]
    pub fn counts(&self) -> Counts {
        Counts {
            repeated: self.records.repeated,
            ..self.counts.clone()
        }
    }

    /// Collects all records of the next thread; `None` at the end.
    fn gather(&mut self) -> io::Result<Option<Gathered>> {
        let Some(mut record) = self.next.take() else {
            return Ok(None);
        };
        let number = record.key.thread;
        let mut of = Gathered {
            due: self.chosen.as_ref().is_none_or(|of| of.contains(&number)),
            ..Gathered::default()
        };
        loop {
            of.add(&record);
            if !self.records.next_into(&mut record)? {
                break;
            }
            self.gone_through += 1;
            if record.key.thread != number {
                self.next = Some(record);
                break;
            }
        }
        Ok(Some(of))
    }

    /// Returns a thread as a contest; `None` if it is excluded or has no entrants.
    fn contest(&mut self, of: Gathered) -> Option<Contest> {
        let Some(head) = of.head else {
            self.counts.without_thread += u64::from(self.chosen.is_none());
            return None;
        };
        if !of.due || !is_due(&self.options, &head) {
            return None;
        }
        if of.tally.authors() > MAX_AUTHORS {
            self.counts.too_large += 1;
            return None;
        }
        self.counts.deleted += of.tally.deleted as u64;
        self.counts.hidden += of.tally.hidden as u64;
        if of.tally.authors() == 0 {
            self.counts.empty += 1;
            return None;
        }
        self.counts.comments += of.comments;
        self.counts.threads += 1;
        contest(head, of.tally)
    }
}

/// The records of one thread.
#[derive(Default)]
struct Gathered {
    /// True if the thread is selected; otherwise its comments are ignored.
    due: bool,
    head: Option<Record>,
    tally: Tally,
    /// The number of comments in the tally.
    comments: u64,
}

impl Gathered {
    fn add(&mut self, record: &Record) {
        match record.what {
            What::Thread => self.head = Some(record.clone()),
            _ if !self.due || self.tally.authors() > MAX_AUTHORS => {}
            What::Deleted => self.tally.deleted += 1,
            What::Hidden => self.tally.hidden += 1,
            What::Comment => {
                self.comments += 1;
                self.tally.add(&record.text, record.score);
            }
        }
    }
}

impl Iterator for Threads {
    type Item = Result<Contest, DumpError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            match self.gather() {
                Ok(None) => return None,
                Ok(Some(gathered)) => {
                    if let Some(contest) = self.contest(gathered) {
                        return Some(Ok(contest));
                    }
                }
                Err(error) => return Some(Err(folder_failed(&self.options, error))),
            }
        }
    }
}

fn is_due(options: &DumpOptions, head: &Record) -> bool {
    options
        .since
        .is_none_or(|since| head.created >= since.get())
}

/// Returns the contest that a sync would give; `None` only for a time out of range, which was
/// checked before.
fn contest(head: Record, tally: Tally) -> Option<Contest> {
    let created = UnixSeconds::new(head.created)?;
    let thread = Thread {
        id: Id::new(head.key.thread),
        subreddit: head.text,
        created,
    };
    let listed = thread.listed();
    Some(Contest {
        external_id: listed.external_id,
        name: listed.name,
        event: listed.event,
        division: listed.division,
        ordinal: listed.ordinal,
        url: listed.url,
        starts_at: listed.starts_at,
        ends_at: created,
        weight: 1.0,
        site_weight: listed.site_weight,
        performance_ceiling: None,
        entrants: tally.entrants(),
    })
}

/// The threads with the highest scores so far; of equal scores the older thread.
struct Best {
    size: usize,
    /// The worst one is on top.
    threads: BinaryHeap<Reverse<(i64, Reverse<u64>)>>,
}

impl Best {
    fn new(size: usize) -> Self {
        Self {
            size,
            threads: BinaryHeap::new(),
        }
    }

    fn add(&mut self, head: &Record) {
        self.threads
            .push(Reverse((head.score, Reverse(head.key.thread))));
        if self.threads.len() > self.size {
            self.threads.pop();
        }
    }

    fn threads(self) -> HashSet<u64> {
        let threads = self.threads.into_iter();
        threads
            .map(|Reverse((_, Reverse(thread)))| thread)
            .collect()
    }
}
