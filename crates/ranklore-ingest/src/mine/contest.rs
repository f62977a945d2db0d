//! Asking about contests, and learning from what comes.

use std::collections::{HashMap, HashSet, VecDeque};

use ranklore_contest::UnixSeconds;
use ranklore_fetch::{Answered, Failed};
use ranklore_source::{Listed, Request};
use ranklore_store::{ContestSync, DocumentId, Put};

use crate::derive::derived::{Derived, refused_of};
use crate::error::Error;
use crate::mine::archive::archive;
use crate::mine::breaker::{Busy, is_walled};
use crate::mine::lack::Lack;
use crate::mine::session::{Answerer, Came, Sync};

/// A question without an answer, and why.
pub(crate) type Missed = (Request, Failed);

impl Sync<'_, '_> {
    /// Of contests, those that whoever answers knows something new about: of a site all; of files
    /// those that there is a file for, unless it was read before.
    pub(crate) fn answerable(&mut self, mut listed: Vec<Listed>) -> Result<Vec<Listed>, Error> {
        let Answerer::Files(saved) = &mut self.answerer else {
            return Ok(listed);
        };
        let source_id = self.site.source_id;
        let known: HashMap<String, ContestSync> =
            (self.store.contest_syncs(source_id)?.into_iter())
                .map(|sync| (sync.external_id.clone(), sync))
                .collect();
        listed.retain_mut(|contest| {
            let sync = known.get(&contest.external_id);
            let read = sync.is_some_and(|sync| sync.read_at.is_some() && !sync.is_refused());
            // Of files of two forms the one that the list goes by comes last, and so decides.
            let (twins, own) = (contest.otherwise.iter(), contest.results.iter());
            let questions = twins.chain(own).filter(|request| saved.has(request));
            contest.results = questions.cloned().collect();
            !contest.results.is_empty()
                && (!read
                    || contest
                        .results
                        .iter()
                        .any(|request| saved.has_news(request)))
        });
        saved.has_all(self.lists.keys());
        for name in saved.unused() {
            self.refuse(&name, "answers nothing that is asked".to_owned());
        }
        Ok(listed)
    }

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
        let (mut busy, mut busy_beyond) = (Busy::default(), Busy::default());
        for (contest, done) in due[..asked].iter().zip(1..) {
            let (answers, mut failed) = self.about(contest, clock())?;
            let mut archived = Vec::new();
            if failed.is_none() && contest.in_parts {
                let parts = self.ask_for_parts(contest, &answers)?;
                (archived, failed) = (parts.archived, parts.missed);
                if let Some((_, failure)) = &failed
                    && failure.concerns_host()
                {
                    // It stays as it was, and is due as before.
                    self.stop(failure);
                    return Ok(());
                }
            }
            // What was not asked again says nothing new of the site.
            let again =
                (failed.as_ref()).is_some_and(|(of, _)| self.missed.contains_key(&of.key()));
            let enough = !again && busy.is_enough(failed.as_ref().map(|(_, failure)| failure));
            if failed.is_none() && contest.several {
                failed = self.leads_to(contest, &answers, &mut busy_beyond, clock())?;
                if let Some((_, failure)) = &failed
                    && failure.concerns_host()
                {
                    // The event is due as before.
                    self.stop(failure);
                    return Ok(());
                }
            }
            // That the work was to end, or that nobody can be reached, says nothing of a contest.
            let lack = (failed.as_ref()).filter(|(_, failure)| !failure.concerns_host());
            let lack = lack.map(|(request, failure)| Lack::failed(request, failure));
            self.learn(contest, &answers, archived, lack, clock())?;
            if let Some((request, failure)) = failed {
                if failure.concerns_host() {
                    self.stop(&failure);
                    return Ok(());
                }
                self.missed.insert(request.key(), failure);
            }
            self.report.left -= 1;
            if enough && self.paced() {
                self.report.stopped = Some(Busy::stopped("contests"));
            }
            if self.report.stopped.is_some() {
                return Ok(());
            }
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

    /// What comes of asking about a contest, up to the first question without an answer. A
    /// question that was put about another contest, in this sync or one that was killed, is not
    /// put again.
    #[expect(
        clippy::type_complexity,
        reason = "both halves go separate ways at once"
    )]
    fn about<'r>(
        &mut self,
        contest: &'r Listed,
        now: UnixSeconds,
    ) -> Result<(Vec<(&'r Request, Answered)>, Option<Missed>), Error> {
        let mut answers = Vec::new();
        for request in &contest.results {
            let key = request.key();
            // The list itself tells of it, or it came about another contest.
            if self.lists.contains_key(&key) || self.told.contains(&key) {
                continue;
            }
            if self.came_before(contest, request, now)? {
                self.told.insert(key);
                continue;
            }
            if let Some(failure) = self.missed.get(&key) {
                return Ok((answers, Some((request.clone(), failure.clone()))));
            }
            match self.ask(request)? {
                Ok(answered) => answers.push((request, answered)),
                Err(failure) => return Ok((answers, Some((request.clone(), failure)))),
            }
        }
        Ok((answers, None))
    }

    /// Whether the archive can say how a contest came out that nobody ever learned of, and the
    /// site would say the same: its answer came about another contest when both were at rest, and
    /// the sync ended before this one.
    fn came_before(
        &self,
        contest: &Listed,
        request: &Request,
        now: UnixSeconds,
    ) -> Result<bool, Error> {
        let site = &self.site;
        let from_files = matches!(self.answerer, Answerer::Files(_));
        if contest.several || contest.in_parts || self.full || from_files {
            return Ok(false);
        }
        let tried = (self.store).contest_sync(site.source_id, &contest.external_id)?;
        let answers = self.store.answers(site.source_id, &request.key())?;
        let (None, Some(newest)) = (tried, answers.first()) else {
            return Ok(false);
        };
        let at_rest = Request {
            settles_at: UnixSeconds::new(site.settled_at(contest)),
            ..request.clone()
        };
        Ok(at_rest.is_settled(newest.fetched_at, now)
            && site.read_once(self.store, newest)?.is_ok())
    }

    /// Asks for what the answers about an event lead to, unless it is there and has come to rest
    /// with the event. Gives the first that did not come; the event is then due again. Ends the
    /// sync where the site is too busy for them, or where they are behind a wall.
    fn leads_to(
        &mut self,
        event: &Listed,
        answers: &[(&Request, Answered)],
        busy: &mut Busy,
        now: UnixSeconds,
    ) -> Result<Option<Missed>, Error> {
        let settles_at = UnixSeconds::new(self.site.settled_at(event));
        let mut queue = VecDeque::new();
        for (request, answered) in answers {
            queue.extend(self.follow(request, answered)?);
        }
        let mut asked = HashSet::new();
        let mut lack = None;
        while let Some(request) = queue.pop_front() {
            if !asked.insert(request.key()) {
                continue;
            }
            let request = Request {
                settles_at: request.settles_at.or(settles_at),
                ..request
            };
            let failed = match self.document(&request, now)? {
                Came::Read(_, reading) => {
                    queue.extend(reading.follow.iter().cloned());
                    None
                }
                Came::Unread => None,
                Came::Nothing(failed) => Some(failed),
            };
            let enough = busy.is_enough(failed.as_ref()) && self.paced();
            let Some(failed) = failed else {
                continue;
            };
            if failed.concerns_host() {
                return Ok(Some((request, failed)));
            }
            if is_walled(&failed) {
                self.stop(&failed);
            } else if enough {
                self.report.stopped = Some(Busy::stopped("documents"));
            }
            match &lack {
                // It is told of with the event.
                None => lack = Some((request, failed)),
                Some(_) => self.refuse(&request.key(), failed.to_string()),
            }
            if self.report.stopped.is_some() {
                break;
            }
        }
        Ok(lack)
    }

    /// Archives what came about a contest, reads it and remembers how it went, in one commit.
    /// What came is read also where something else of the contest is lacking: a rebuild does so.
    fn learn<'r>(
        &mut self,
        contest: &Listed,
        answers: &[(&'r Request, Answered)],
        mut archived: Vec<(String, DocumentId)>,
        mut lack: Option<Lack<'r>>,
        now: UnixSeconds,
    ) -> Result<(), Error> {
        let site = &self.site;
        let sighting = self.listed.get(&contest.external_id);
        let contest = sighting.map_or(contest, |of| &of.listed);
        let list = sighting.map(|of| of.document_id);
        let first = contest.results.first().map(Request::key);
        let twins = contest.otherwise.iter().map(Request::key);
        // Those that decide, whichever form of the question was put.
        let deciding: HashSet<String> = first.iter().cloned().chain(twins).collect();
        let is_first = |request: &Request| deciding.contains(&request.key());
        let mut batch = self.store.batch()?;
        let mut came: HashSet<String> = (contest.results.iter())
            .map(Request::key)
            .filter(|key| self.lists.contains_key(key) || self.told.contains(key))
            .collect();
        came.extend(archived.iter().map(|(key, _)| key.clone()));
        for (request, answered) in answers {
            if came.contains(&request.key()) {
                continue;
            }
            match archive(&mut batch, site, request, answered)? {
                Ok(document_id) => {
                    came.insert(request.key());
                    archived.push((request.key(), document_id));
                }
                // The first question decides.
                Err(withheld) if lack.is_none() || is_first(request) => {
                    lack = Some(Lack::withheld(request, withheld));
                }
                Err(_) => {}
            }
        }
        let mut derived = site.derive(&batch, contest)?;
        if let Some(keys) = self.keys.get(&contest.external_id) {
            self.lost |= site.delete_superseded(&mut batch, contest, &derived, keys)?;
        }
        if site.takes_results(&derived) {
            batch.take_results(site.source_id, &contest.external_id)?;
            derived = site.derive(&batch, contest)?;
        }
        let official = &mut self.official;
        let puts = site.put_each(&mut batch, contest, &derived, list, official, now)?;
        let before = batch.contest_sync(site.source_id, &contest.external_id)?;
        let read_before = before.and_then(|sync| sync.read_at);
        let read_at = match read_before {
            Some(before) if came.is_disjoint(&deciding) => before,
            _ => now.get(),
        };
        let sync = match &lack {
            Some(lack) if is_first(lack.of) => {
                Some(lack.sync(&contest.external_id, now, read_before))
            }
            // What an event leads to is asked for with it alone.
            Some(lack) if contest.several => {
                Some(lack.sync(&contest.external_id, now, Some(read_at)))
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
        // What a document of many contests says of all of them is said with the first.
        for (_, document_id) in &archived {
            if let Some(Ok(reading)) = self.site.shared.get(*document_id) {
                reading
                    .warnings
                    .iter()
                    .for_each(|said| self.watch.note(said));
            }
        }
        self.told.extend(archived.into_iter().map(|(key, _)| key));
        // Of an event the first document alone tells, of every contest by itself.
        let all = contest.several || came.iter().any(|key| !deciding.contains(key));
        let told = Told {
            listed: contest.clone(),
            refused: derived.refused.is_some(),
            parts: (derived.each(contest).into_iter().zip(puts))
                .map(|((_, derived), put)| {
                    let stood = derived.stood.as_ref();
                    put.zip(stood.map(|stood| stood.contest.entrants.len()))
                })
                .collect(),
        };
        if contest.in_parts && lack.is_some() {
            // It cannot be taken for that very reason.
            derived.refused = None;
        }
        if let Some(lack) = lack.filter(|lack| !self.missed.contains_key(&lack.of.key())) {
            self.refuse(&lack.of.key(), lack.said);
        }
        if !came.is_empty() {
            self.tell(told, derived, all);
        }
        Ok(())
    }

    /// Reports what came of a contest, or of all those of an event; of further questions about it,
    /// where they were asked.
    fn tell(&mut self, told: Told, derived: Derived, all: bool) {
        for warning in &derived.warnings {
            self.watch.note(warning);
        }
        for (what, number) in &derived.left_out {
            *self.report.left_out.entry(what).or_default() += number;
        }
        let mut whys = Vec::from_iter(derived.refused);
        if all {
            whys.extend(derived.further.refused);
            whys.extend(derived.further.closed);
        }
        for why in whys {
            let (document, what) = refused_of(&told.listed, why);
            // A document of many contests says it once for all of them.
            let mut said = self.report.refused.iter();
            if !said.any(|of| of.document == document && of.what == what) {
                self.refuse(&document, what);
            }
        }
        if told.refused {
            return;
        }
        let mut any = false;
        for (put, entrants) in told.parts.into_iter().flatten() {
            any = true;
            self.report.results += entrants as u64;
            match put {
                Put::Added => self.report.added += 1,
                Put::Revised { .. } => self.report.revised += 1,
                Put::Described | Put::Unchanged | Put::Superseded => self.report.unchanged += 1,
            }
        }
        self.report.without_results += u64::from(!any);
    }
}

/// What became of the contests that a question was about.
struct Told {
    /// The contest, or the event.
    listed: Listed,
    /// Whether the newest answer cannot be taken.
    refused: bool,
    /// Of each contest, where it has results: what writing it came to, and how many.
    parts: Vec<Option<(Put, usize)>>,
}
