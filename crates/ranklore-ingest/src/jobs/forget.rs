//! Forgetting a person: a blank in place of the name in standings, decisions and the archive.

use std::collections::{BTreeMap, HashSet};

use ranklore_contest::{EntrantKind, SourceName, UnixSeconds, redact};
use ranklore_replay::{
    Error as ReplayError, Watch, competitor_named, current_runs, find_source, relink,
};
use ranklore_source::{Document, Source};
use ranklore_store::{
    Batch, CompetitorId, CompressedBody, DocumentRow, RedactedAnswer, SourceId, Store, Tombstones,
    Writer, compress,
};

use crate::derive::display_names::{about_names, names_in};
use crate::derive::shared::Shared;
use crate::derive::site::Site;
use crate::error::Error;
use crate::note::{FileNote, ReadingNote};
use crate::people::by_hand::named_by_hand;
use crate::people::document_names::is_in_path;
use crate::registry::find_site;

/// What forgetting changed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ForgetReport {
    /// What stands in place of the name from now on.
    pub blank: String,
    /// Contests the person stood in, alone or as a member.
    pub contests: u64,
    /// Decisions about the person, and others that say the name and nothing else.
    pub decisions: u64,
    /// Documents that had the name.
    pub documents: u64,
    /// Documents of which nobody can tell whether they have it: broken ones, with why.
    pub unsearched: Vec<(String, String)>,
    /// Ids of files that have it in their own name or address, where it stays: that says which
    /// documents are versions of one.
    pub named_after: Vec<i64>,
    /// Other accounts of the same person, which are not forgotten.
    pub other_accounts: Vec<String>,
}

/// Forgets a person of a source. Results and ratings stay, under a blank; whoever comes with
/// the name again, in an import, a sync or a rebuild, gets the same blank. The file is then written
/// anew, so that no page it no longer uses has the name.
///
/// Killed or failed on the way, nothing is changed, or the name is out and [`finish_forgetting`]
/// writes the file anew; so does forgetting anybody, before anything else.
///
/// # Errors
/// [`Error::Replay`] for an unknown source, and unless a person is called exactly so or was
/// forgotten; [`Error::CannotForget`] when a document has the name where it cannot be replaced;
/// [`Error::NotSwept`]; [`Error::Store`].
pub fn forget(
    store: &mut Writer,
    source: &SourceName,
    name: &str,
    now: UnixSeconds,
    watch: &dyn Watch,
) -> Result<ForgetReport, Error> {
    // Whoever asks again after a failure may ask by a name that is out by now.
    if finish_forgetting(store, source, now)? > 0 {
        watch.note("an earlier forgetting, which had not ended, was finished");
    }
    let mut batch = store.batch()?;
    let plan = Plan::of(&batch, source, name)?;
    let mut report = plan.report(&batch)?;
    if !plan.only_sweep {
        let current = current_runs(&batch, source)?;
        for name in std::iter::once(&plan.external_id).chain(&plan.called_since) {
            batch.bury(plan.source_id, name, now)?;
        }
        each_document(&batch.documents(plan.source_id)?, watch, |row| {
            match plan.redact(&batch, row, &mut report)? {
                Some(Redacted::File { body, note }) => {
                    batch.keep_redacted(row.document_id, &body, &note)?;
                }
                Some(Redacted::Answer {
                    request_key,
                    url,
                    body,
                }) => {
                    let redacted = RedactedAnswer {
                        source_id: plan.source_id,
                        request_key: &request_key,
                        url: url.as_deref(),
                        body: &body,
                    };
                    batch.redact_answer(row.document_id, &redacted)?;
                }
                None => {}
            }
            Ok(())
        })?;
        plan.redact_questions(&mut batch)?;
        let (external_id, blank) = (&plan.external_id, &plan.blank);
        batch.blank_teams(plan.source_id, external_id, blank, &|members| {
            let mut sites = plan.sites.values();
            sites.find_map(|site| (site.profile().team_name)(members))
        })?;
        let own = plan
            .names
            .iter()
            .filter(|name| !plan.called_since.contains(name));
        let own: Vec<String> = own.cloned().collect();
        batch.blank_person(plan.source_id, external_id, &own, blank)?;
        // To the site that is a name of its own, and has a blank of its own.
        for name in &plan.called_since {
            if let Some(blank) = plan.tombstones.blank(name) {
                batch.blank_name(plan.source_id, name, &blank)?;
            }
        }
        relink(&mut batch, current)?;
    }
    batch.commit()?;
    sweep(store, source, now)?;
    Ok(report)
}

/// What [`forget`] would change; nothing is written.
///
/// # Errors
/// As [`forget`], but for what writing may end with.
pub fn would_forget(
    store: &Store,
    source: &SourceName,
    name: &str,
    watch: &dyn Watch,
) -> Result<ForgetReport, Error> {
    let plan = Plan::of(store, source, name)?;
    let mut report = plan.report(store)?;
    if !plan.only_sweep {
        each_document(&store.documents(plan.source_id)?, watch, |row| {
            plan.redact(store, row, &mut report).map(drop)
        })?;
    }
    Ok(report)
}

/// Ends a forgetting that was killed or failed when the name was out already: writes the file
/// anew. Returns how many persons are swept out by that, of whatever source; where there are
/// none, nothing is done.
///
/// # Errors
/// [`Error::Replay`] for an unknown source, [`Error::NotSwept`], [`Error::Store`].
pub fn finish_forgetting(
    store: &mut Writer,
    source: &SourceName,
    now: UnixSeconds,
) -> Result<u64, Error> {
    let persons = unfinished(store, source)?;
    if persons > 0 {
        sweep(store, source, now)?;
    }
    Ok(persons)
}

fn sweep(store: &mut Writer, of: &SourceName, now: UnixSeconds) -> Result<(), Error> {
    store.sweep(now).map_err(|source| Error::NotSwept {
        of: of.clone(),
        source,
    })
}

/// How many persons [`finish_forgetting`] would sweep out.
///
/// # Errors
/// [`Error::Replay`] for an unknown source, [`Error::Store`].
pub fn unfinished(store: &Store, source: &SourceName) -> Result<u64, Error> {
    find_source(store, source)?;
    Ok(store.unswept()?.map_or(0, |unswept| unswept.persons))
}

/// What is to be kept of a document.
enum Redacted {
    File {
        body: CompressedBody,
        note: String,
    },
    Answer {
        request_key: String,
        url: Option<String>,
        body: Vec<u8>,
    },
}

/// Whom to forget, and by which names they are known.
struct Plan {
    source: SourceName,
    source_id: SourceId,
    external_id: String,
    /// What a site came to call them or calls them beside what identifies them: to it these are
    /// their names as well, and stand in its answers.
    called_since: Vec<String>,
    /// The external id, and what people call them beside it.
    names: Vec<String>,
    blank: String,
    /// Those forgotten, and whoever is to be.
    tombstones: Tombstones,
    /// The sites whose answers the source has, by name, as far as they are known.
    sites: BTreeMap<String, Box<dyn Source>>,
    other_accounts: Vec<String>,
    /// There is nothing left that could be forgotten.
    only_sweep: bool,
}

impl Plan {
    fn of(store: &Store, source: &SourceName, name: &str) -> Result<Self, Error> {
        let source_id = find_source(store, source)?;
        let tombstones = store.tombstones(source_id)?;
        let mut plan = Self {
            source: source.clone(),
            source_id,
            external_id: name.to_owned(),
            called_since: Vec::new(),
            names: vec![name.to_owned()],
            blank: String::new(),
            tombstones: Tombstones::default(),
            sites: sites_of(store, source_id)?,
            other_accounts: Vec::new(),
            only_sweep: false,
        };
        if tombstones.blank(name).is_none() {
            let person = competitor_named(store, source, name, Some(EntrantKind::Person));
            match person {
                Ok(person) => {
                    let names = store.names_of(person.competitor_id)?;
                    plan.names.extend(names.into_iter().map(|of| of.name));
                    plan.names.push(person.name);
                    plan.names.push(person.external_id.clone());
                    plan.other_accounts = other_accounts(store, source_id, person.competitor_id)?;
                    plan.external_id = person.external_id;
                    let (since, mut of_others) = plan.called_since(store, &tombstones)?;
                    of_others.extend(plan.names_of_others(store)?);
                    // What others are called as well stays theirs.
                    let id = &plan.external_id;
                    plan.names
                        .retain(|name| name == id || !of_others.contains(name));
                    plan.names.extend_from_slice(&since);
                    plan.called_since = since;
                }
                // Who is forgotten need not stand anywhere.
                Err(ReplayError::NoCompetitor { .. }) if tombstones.is_blank(name) => {}
                Err(error) => return Err(error.into()),
            }
        }
        plan.blank = store.blank_for(source_id, &plan.external_id, &tombstones)?;
        // Who is called by a blank is forgotten, unless a name was given to it since.
        plan.names.retain(|name| *name != plan.blank);
        plan.names.sort_unstable();
        plan.names.dedup();
        plan.only_sweep = plan.names.is_empty();
        plan.tombstones = tombstones;
        for name in std::iter::once(&plan.external_id).chain(&plan.called_since) {
            let blank = store.blank_for(source_id, name, &plan.tombstones)?;
            if *name != blank {
                plan.tombstones = plan.tombstones.with(name, &blank);
            }
        }
        Ok(plan)
    }

    /// What sites came to call whoever is to be forgotten, or call them beside what identifies
    /// them, unless that is another competitor or what another is or was called; and what others
    /// are or were called.
    fn called_since(
        &self,
        store: &Store,
        before: &Tombstones,
    ) -> Result<(Vec<String>, HashSet<String>), Error> {
        let (mut names, mut of_others) = (Vec::new(), HashSet::new());
        for source in self.sites.values() {
            let site = self.site(&**source, before);
            let documents = store.documents(self.source_id)?.into_iter();
            for row in documents.filter(|row| names_in(&**source, &row.request_key)) {
                let Ok(reading) = site.read(store, row.document_id)? else {
                    continue;
                };
                for named in reading.named {
                    if named.kind == EntrantKind::Person && named.competitor == self.external_id {
                        names.push(named.name);
                    } else {
                        of_others.insert(named.name);
                    }
                }
            }
            let readings = about_names(&site, store)?.into_iter();
            let renamed = readings.flat_map(|reading| reading.renamed);
            let of_them = renamed.filter(|renamed| renamed.from == self.external_id);
            names.extend(of_them.map(|renamed| renamed.to));
        }
        names.retain(|name| !before.is_blank(name) && !of_others.contains(name));
        if !names.is_empty() {
            for other in store.competitors_of(self.source_id)? {
                names.retain(|name| *name != other.external_id);
            }
        }
        names.sort_unstable();
        names.dedup();
        Ok((names, of_others))
    }

    /// Which of the names others have as well, unless a person gave it to them.
    fn names_of_others(&self, store: &Store) -> Result<Vec<String>, Error> {
        let by_hand = named_by_hand(store, self.source_id)?;
        let mut of_others = Vec::new();
        for name in &self.names {
            let called = store.competitors_called(self.source_id, name)?.into_iter();
            // Who is identified by it is not called so beside that.
            let mut called = called.filter(|of| of.name == *name && of.external_id != *name);
            let another = called.any(|of| {
                let them = of.kind == EntrantKind::Person && of.external_id == self.external_id;
                !them && !by_hand.contains(&(of.kind, of.external_id))
            });
            if another {
                of_others.push(name.clone());
            }
        }
        Ok(of_others)
    }

    fn site<'s>(&self, source: &'s dyn Source, forgotten: &Tombstones) -> Site<'s> {
        Site {
            source,
            name: self.source.clone(),
            source_id: self.source_id,
            forgotten: forgotten.clone(),
            shared: Shared::default(),
        }
    }

    /// What is forgotten beside the documents.
    fn report(&self, store: &Store) -> Result<ForgetReport, Error> {
        let mut report = ForgetReport {
            blank: self.blank.clone(),
            other_accounts: self.other_accounts.clone(),
            ..ForgetReport::default()
        };
        if !self.only_sweep {
            let mentions = store.mentions_of(self.source_id, &self.external_id, &self.names)?;
            report.contests = mentions.contests;
            report.decisions = mentions.decisions;
        }
        Ok(report)
    }

    /// What is to be kept in place of a document, if it has the name.
    fn redact(
        &self,
        store: &Store,
        row: &DocumentRow,
        report: &mut ForgetReport,
    ) -> Result<Option<Redacted>, Error> {
        let why = match ReadingNote::parse(row.reading.as_deref()) {
            Ok(ReadingNote::Answer { site }) => match self.sites.get(&site) {
                Some(source) => return self.redact_answer(store, row, &**source, report),
                None => Err(format!("answers of {site} cannot be read by this version")),
            },
            Ok(ReadingNote::File(note)) => Ok(note),
            Err(why) => Err(why),
        };
        let key = &row.request_key;
        let called = std::iter::once(key).chain(&row.url);
        if called.into_iter().any(|called| self.is_in_path(called)) {
            report.named_after.push(row.document_id.get());
        }
        match why {
            Ok(note) => self.redact_file(store, row, &note, report),
            Err(why) => {
                report.unsearched.push((key.clone(), why));
                Ok(None)
            }
        }
    }

    fn redact_file(
        &self,
        store: &Store,
        row: &DocumentRow,
        note: &FileNote,
        report: &mut ForgetReport,
    ) -> Result<Option<Redacted>, Error> {
        let key = &row.request_key;
        let cannot = |why| Error::CannotForget {
            document: key.clone(),
            why,
        };
        let blank = |name: &str| self.tombstones.blank(name);
        let body = store.document(row.document_id)?.body;
        match redact(note.format, &body, key, &note.options, &blank) {
            Ok(None) => Ok(None),
            Ok(Some(redacted)) => {
                report.documents += 1;
                let note = ReadingNote::of_file(redacted.format, &redacted.options, &note.sites);
                let body = compress(&redacted.bytes)
                    .map_err(|error| cannot(format!("cannot be compressed: {error}")))?;
                Ok(Some(Redacted::File { body, note }))
            }
            Err(error) if error.mentions => Err(cannot(error.to_string())),
            Err(error) => {
                report.unsearched.push((key.clone(), error.to_string()));
                Ok(None)
            }
        }
    }

    /// Where names stand in an answer, and in what was asked for, its site knows.
    fn redact_answer(
        &self,
        store: &Store,
        row: &DocumentRow,
        source: &dyn Source,
        report: &mut ForgetReport,
    ) -> Result<Option<Redacted>, Error> {
        let site = self.site(source, &self.tombstones);
        let body = store.document(row.document_id)?.body;
        let searched = site.redact(&Document {
            request_key: &row.request_key,
            // What is stored was in range.
            fetched_at: UnixSeconds::new(row.fetched_at).unwrap_or(UnixSeconds::MIN),
            status: row.status.unwrap_or(200),
            body: &body,
        })?;
        if let Some(error) = searched.unread {
            let why = format!("{}: {}", error.at, error.expected);
            report.unsearched.push((error.document, why));
        }
        let Some(redacted) = searched.redacted else {
            return Ok(None);
        };
        report.documents += 1;
        let url = redacted.url(&row.request_key, row.url.as_deref());
        Ok(Some(Redacted::Answer {
            url: url.map(str::to_owned),
            request_key: redacted.request_key.into_owned(),
            body: redacted.body.into_owned(),
        }))
    }

    /// Questions that were not answered are noted by their keys.
    fn redact_questions(&self, batch: &mut Batch<'_>) -> Result<(), Error> {
        for sync in batch.contest_syncs(self.source_id)? {
            let question = Document {
                request_key: &sync.external_id,
                fetched_at: UnixSeconds::MIN,
                status: 200,
                body: b"",
            };
            let mut sites = self.sites.values();
            let blank = |name: &str| self.tombstones.blank(name);
            if let Some(redacted) = sites.find_map(|site| site.profile().redact(&question, &blank))
            {
                let (before, after) = (&sync.external_id, &redacted.request_key);
                batch.redact_question(self.source_id, before, after)?;
            }
        }
        Ok(())
    }

    fn is_in_path(&self, path: &str) -> bool {
        self.names.iter().any(|name| is_in_path(name, path))
    }
}

/// The sites whose answers a source has, but for those that this version does not know.
fn sites_of(
    store: &Store,
    source_id: SourceId,
) -> Result<BTreeMap<String, Box<dyn Source>>, Error> {
    let mut sites = BTreeMap::new();
    for row in store.documents(source_id)? {
        if let Ok(ReadingNote::Answer { site: name }) = ReadingNote::parse(row.reading.as_deref())
            && !sites.contains_key(&name)
            && let Some(site) = find_site(&name)
        {
            sites.insert(name, (site.of_archive)(&[]));
        }
    }
    Ok(sites)
}

fn other_accounts(
    store: &Store,
    source_id: SourceId,
    person: CompetitorId,
) -> Result<Vec<String>, Error> {
    let root = store.root_of(person)?;
    let merged = store.merges(source_id)?.into_iter();
    let mut others: Vec<_> = (merged.filter(|of| of.1 == root)).map(|of| of.0).collect();
    others.push(root);
    others.retain(|&of| of != person);
    let others = store.competitors_by_id(others)?;
    Ok(others.into_iter().map(|of| of.external_id).collect())
}

fn each_document(
    documents: &[DocumentRow],
    watch: &dyn Watch,
    mut each: impl FnMut(&DocumentRow) -> Result<(), Error>,
) -> Result<(), Error> {
    watch.begin("forgetting", documents.iter().map(|row| row.length).sum());
    let mut done = 0;
    // From the newest on: those that share the bytes of an older one let go of them before it.
    for row in documents.iter().rev() {
        if watch.interrupted() {
            return Err(Error::Interrupted);
        }
        each(row)?;
        done += row.length;
        watch.advanced(done, 0, 0);
    }
    Ok(())
}
