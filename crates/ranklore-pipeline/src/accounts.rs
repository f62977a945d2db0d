//! Who is called otherwise by now: one account is one competitor, under whatever name half of
//! its history was archived.

use std::collections::{HashMap, HashSet, VecDeque};

use ranklore_contest::{EntrantKind, UnixSeconds};
use ranklore_source::{Reading, Renamed, Request};
use ranklore_store::{Decision, Error as StoreError};

use crate::Error;
use crate::sync::Sync;

/// Everybody is asked after so often, in seconds: names change seldom, and the answer is large.
const EVERY: i64 = 30 * 86_400;

/// Why a decision was made that nobody made by hand.
const NOTE: &str = "renamed, says the site";

impl Sync<'_, '_> {
    /// Asks the site after everybody whose name it no longer has, and takes those it knows by
    /// another name for one competitor. Once a month, or when it is `asked` for.
    pub(crate) fn accounts(&mut self, asked: bool, now: UnixSeconds) -> Result<(), Error> {
        let everybody = self.site.source.everybody();
        if everybody.is_empty() || (!asked && !self.is_time(&everybody, now)?) {
            return Ok(());
        }
        self.watch.begin("asking after names", 1);
        let mut today = HashSet::new();
        let Some(readings) = self.all(everybody)? else {
            return Ok(());
        };
        for reading in readings {
            today.extend(reading.accounts.into_iter().map(|account| account.name));
        }
        let missing = self.missing(&today)?;
        let names: Vec<&str> = missing.iter().map(String::as_str).collect();
        let Some(readings) = self.all(self.site.source.about(&names))? else {
            return Ok(());
        };
        let renamed = readings.into_iter().flat_map(|reading| reading.renamed);
        self.one_competitor(renamed.collect(), now)
    }

    fn is_time(&self, everybody: &[Request], now: UnixSeconds) -> Result<bool, Error> {
        let source_id = self.site.source_id;
        // What came at first was all of one time: nobody had two names in it.
        let first = self.store.first_fetched_at(source_id)?;
        for request in everybody {
            let newest = self.store.answers(source_id, &request.key())?;
            let last = newest.first().map(|row| row.fetched_at).or(first);
            if last.is_none_or(|last| last + EVERY <= now.get()) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// What all these documents say, and those they lead to; nothing if one could not be had.
    fn all(&mut self, requests: Vec<Request>) -> Result<Option<Vec<Reading>>, Error> {
        let mut queue: VecDeque<Request> = requests.into();
        let mut asked = HashSet::new();
        let mut readings = Vec::new();
        while let Some(request) = queue.pop_front() {
            if !asked.insert(request.key()) {
                continue;
            }
            let Some((_, reading)) = self.document(&request)? else {
                return Ok(None);
            };
            queue.extend(reading.follow.iter().cloned());
            readings.push(reading);
        }
        Ok(Some(readings))
    }

    /// People whom the site does not know by this name any more. Those who count as somebody
    /// else are found already, and those whom a person split off stay apart.
    fn missing(&self, today: &HashSet<String>) -> Result<Vec<String>, Error> {
        let source_id = self.site.source_id;
        let merged: HashSet<_> = (self.store.merges(source_id)?.into_iter())
            .map(|(account, _)| account)
            .collect();
        let split: HashSet<String> = (self.store.decisions(source_id)?.into_iter())
            .filter_map(|row| match row.decision {
                Decision::Split { subject, .. } => Some(subject),
                _ => None,
            })
            .collect();
        let everybody = self.store.competitors_of(source_id)?.into_iter();
        let missing = everybody.filter(|of| {
            of.kind == EntrantKind::Person
                && !today.contains(&of.external_id)
                && !merged.contains(&of.competitor_id)
                && !split.contains(&of.external_id)
        });
        Ok(missing.map(|of| of.external_id).collect())
    }

    /// Merges the account under its old name into that under its new one. One that never stood
    /// anywhere under the new one is shown under it.
    fn one_competitor(&mut self, renamed: Vec<Renamed>, now: UnixSeconds) -> Result<(), Error> {
        let source_id = self.site.source_id;
        let there: HashMap<String, String> = (self.store.competitors_of(source_id)?.into_iter())
            .filter(|of| of.kind == EntrantKind::Person)
            .map(|of| (of.external_id, of.name))
            .collect();
        let mut batch = self.store.batch()?;
        for Renamed { from, to } in renamed {
            if from == to || !there.contains_key(&from) {
                continue;
            }
            let kind = EntrantKind::Person;
            let decision = if there.contains_key(&to) {
                Decision::Merge {
                    kind,
                    subject: from,
                    into: to,
                }
            } else {
                Decision::Rename {
                    kind,
                    subject: from,
                    name: to,
                }
            };
            match batch.decide(source_id, &decision, Some(NOTE), now) {
                Ok(changed) => self.report.renamed += u64::from(changed),
                // What a person decided goes before what the site says.
                Err(error @ StoreError::InvalidDecision { .. }) => {
                    self.watch.note(&error.to_string());
                }
                Err(error) => return Err(error.into()),
            }
        }
        batch.commit()?;
        Ok(())
    }
}
