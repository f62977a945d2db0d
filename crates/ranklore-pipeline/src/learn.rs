//! Asking about contests, and learning from what comes.

use std::collections::HashSet;

use ranklore_contest::UnixSeconds;
use ranklore_fetch::Answered;
use ranklore_source::{Listed, Request};
use ranklore_store::Put;

use crate::Error;
use crate::archive::archive;
use crate::lack::Lack;
use crate::mined::Stopped;
use crate::site::Derived;
use crate::sync::Sync;

/// So many contests in a row of which the site only says that it has too much to do, and it is
/// left alone for this time.
const BUSY: u32 = 3;

impl Sync<'_, '_> {
    /// Asks about contests, one after the other, what is still to be asked about each; each is
    /// committed with what was learned.
    pub(crate) fn contests(
        &mut self,
        due: &[Listed],
        limit: usize,
        clock: fn() -> UnixSeconds,
    ) -> Result<(), Error> {
        let asked = due.len().min(limit);
        self.watch.begin("mining", asked as u64);
        self.report.left = due.len() as u64;
        let mut busy = 0;
        for (contest, done) in due[..asked].iter().zip(1..) {
            let mut answers = Vec::new();
            let mut failed = None;
            for request in &contest.results {
                // The list itself tells of it.
                if self.lists.contains_key(&request.key()) {
                    continue;
                }
                match self.ask(request)? {
                    Ok(answered) => answers.push((request, answered)),
                    Err(failure) => {
                        failed = Some((request, failure));
                        break;
                    }
                }
            }
            // That the work was to end, or that nobody can be reached, says nothing of a contest.
            let lack = (failed.as_ref()).filter(|(_, failure)| !failure.concerns_host());
            let lack = lack.map(|(request, failure)| Lack::failed(request, failure));
            self.learn(contest, &answers, lack, clock())?;
            busy = match &failed {
                Some((_, failure)) if failure.is_busy() => busy + 1,
                _ => 0,
            };
            if let Some((_, failure)) = failed {
                if failure.concerns_host() {
                    self.stop(&failure);
                    return Ok(());
                }
                if busy == BUSY && self.paced {
                    self.report.left -= 1;
                    self.report.stopped = Some(Stopped {
                        why: format!("{BUSY} contests in a row could not be had; try again later"),
                        blocked: true,
                    });
                    return Ok(());
                }
            }
            self.report.left -= 1;
            let report = &self.report;
            let read = report.added + report.revised + report.unchanged + report.without_results;
            self.watch.advanced(done, read, report.results);
            if self.watch.interrupted() {
                self.report.interrupted = true;
                return Ok(());
            }
        }
        Ok(())
    }

    /// Archives what came about a contest, reads it and remembers how it went, in one commit.
    /// What came is read also where something else of the contest is lacking: a rebuild does so.
    fn learn<'r>(
        &mut self,
        contest: &Listed,
        answers: &[(&'r Request, Answered)],
        mut lack: Option<Lack<'r>>,
        now: UnixSeconds,
    ) -> Result<(), Error> {
        let site = &self.site;
        let contest = (self.listed.get(&contest.external_id)).unwrap_or(contest);
        let first = contest.results.first().map(Request::key);
        let is_first = |request: &Request| Some(request.key()) == first;
        let mut batch = self.store.batch()?;
        let mut came: HashSet<String> = (contest.results.iter())
            .map(Request::key)
            .filter(|key| self.lists.contains_key(key))
            .collect();
        for (request, answered) in answers {
            match archive(&mut batch, site, request, answered)? {
                Ok(_) => drop(came.insert(request.key())),
                // The first question decides.
                Err(withheld) if lack.is_none() || is_first(request) => {
                    lack = Some(Lack::withheld(request, withheld));
                }
                Err(_) => {}
            }
        }
        let derived = site.derive(&batch, contest)?;
        let put = site.put(&mut batch, contest, &derived, self.list)?;
        if let Some(stood) = derived.stood.as_ref().filter(|of| !of.official.is_empty()) {
            let run_id = match self.official {
                Some(run_id) => run_id,
                None => site.official_run(&mut batch, now)?,
            };
            self.official = Some(run_id);
            site.put_official(&mut batch, run_id, stood)?;
        }
        let before = batch.contest_sync(site.source_id, &contest.external_id)?;
        let read_before = before.and_then(|sync| sync.read_at);
        let read_at = match read_before {
            Some(before) if first.as_ref().is_none_or(|first| !came.contains(first)) => before,
            _ => now.get(),
        };
        let sync = match &lack {
            Some(lack) if is_first(lack.of) => {
                Some(lack.sync(&contest.external_id, now, read_before))
            }
            None if came.is_empty() => None,
            lack => {
                let mut sync = site.learned(contest, &derived, now.get(), read_at, read_before);
                if let Some(lack) = lack {
                    sync.due_at = Some(now.get());
                    sync.reason = Some(lack.kept.clone());
                }
                Some(sync)
            }
        };
        if let Some(sync) = sync {
            batch.put_contest_sync(site.source_id, &sync)?;
        }
        batch.commit()?;
        let about_further = came.iter().any(|key| Some(key) != first.as_ref());
        let id = contest.external_id.clone();
        if let Some(lack) = lack {
            self.refuse(&lack.of.key(), lack.said);
        }
        if !came.is_empty() {
            self.tell(&id, put, derived, about_further);
        }
        Ok(())
    }

    /// Reports what came of a contest; of further questions about it, where they were asked.
    fn tell(&mut self, id: &str, put: Option<Put>, derived: Derived, about_further: bool) {
        for warning in &derived.warnings {
            self.watch.note(warning);
        }
        let refused = derived.refused.is_some();
        let mut whys = Vec::from_iter(derived.refused);
        if about_further {
            whys.extend(derived.further.refused);
            whys.extend(derived.further.closed);
        }
        for why in whys {
            self.refuse(&format!("contest {id}"), why);
        }
        match (put, &derived.stood) {
            _ if refused => {}
            (Some(put), Some(stood)) => {
                self.report.results += stood.contest.entrants.len() as u64;
                match put {
                    Put::Added => self.report.added += 1,
                    Put::Revised { .. } => self.report.revised += 1,
                    Put::Described | Put::Unchanged | Put::Superseded => self.report.unchanged += 1,
                }
            }
            _ => self.report.without_results += 1,
        }
    }
}
