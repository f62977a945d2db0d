//! Anonymises a person: replaces the name by a blank in standings, decisions and the archive.

use std::collections::{BTreeMap, HashSet};

use ranklore_contest::{Anonymiser, EntrantKind, ForgottenNames as _, SourceName, UnixSeconds};
use ranklore_formats::{FileReadError, Location, any_text};
use ranklore_replay::{
    Error as ReplayError, Progress, current_runs, find_competitor_exact, find_source,
    refresh_fingerprints,
};
use ranklore_source::{Document, Source, anonymise_key};
use ranklore_store::{
    CompetitorId, DocumentRow, Error as StoreError, RedactedDocument, SourceId, Store, Tombstones,
    WriteBatch, Writer,
};
use serde::Serialize;

use crate::derive::display_names::{may_name_competitors, read_lookups};
use crate::derive::site::Site;
use crate::error::Error;
use crate::import::documents::redact_options;
use crate::people::redaction::{Origin, Redaction, may_mention, redact_answer, redact_file};
use crate::people::user_names::user_named_competitors;
use crate::reading_note::ReadingNote;
use crate::registry::archived_site;

/// The changes made by forgetting a person.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ForgetReport {
    /// The blank that replaces the name.
    pub blank: String,
    /// Contests with the person as entrant or team member.
    pub contests: u64,
    /// Contests with the name in their own name, event, division or id, or in the name of a team.
    pub renamed_contests: u64,
    /// Decisions about the person, and others that mention the name.
    pub decisions: u64,
    /// Documents that had the name.
    pub documents: u64,
    /// Unreadable documents among them, each with the reason: their text is removed.
    pub unreadable: Vec<UnreadableDocument>,
    /// Persons whose names differ only in case, spaces or Unicode form: they are forgotten too,
    /// each under a blank of their own.
    pub spellings: Vec<String>,
    /// Other persons whose longer names contain the name: they keep it.
    pub longer_names: Vec<String>,
    /// Other accounts of the same person, which are not forgotten.
    pub other_accounts: Vec<String>,
}

/// A document that may have the name of a forgotten person and cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct UnreadableDocument {
    /// The document.
    pub document: String,
    /// The reason.
    pub why: String,
}

/// Forgets a person of a source, permanently. Results and ratings stay under a blank; later
/// imports, syncs and rebuilds replace the name by the same blank. Documents with the name are
/// replaced by their redacted readings. Then the database file is rewritten, so that no unused page
/// has the name.
///
/// If it is killed or fails, the database is either unchanged, or the name is replaced and
/// [`finish_forgetting`] rewrites the file. The next call of this function does so first.
///
/// # Errors
/// [`Error::Replay`] for an unknown source, or if no person has or had exactly this name;
/// [`Error::VacuumFailed`]; [`Error::Store`].
pub fn forget(
    store: &mut Writer,
    source: &SourceName,
    name: &str,
    now: UnixSeconds,
    watch: &dyn Progress,
) -> Result<ForgetReport, Error> {
    // After a failure the user may repeat the command with a name that is replaced already.
    if finish_forgetting(store, source, now)? > 0 {
        watch.note("finished an interrupted forget");
    }
    let mut batch = store.batch()?;
    // Names are hashed with a key, which is created with the first tombstone.
    let source_id = find_source_even_if_removed(&batch, source)?;
    batch.ensure_name_key(source_id)?;
    let plan = ForgetPlan::new(&batch, source, name)?;
    let mut report = plan.report(&batch)?;
    if !plan.only_vacuum {
        let current = current_runs(&batch, source)?;
        for name in std::iter::once(&plan.external_id).chain(&plan.site_names) {
            batch.add_tombstone(source_id, name, now)?;
        }
        for name in &plan.names {
            batch.add_tombstone_alias(source_id, name, &plan.blank)?;
        }
        for_each_document(&batch.documents(source_id)?, watch, |row| {
            plan.redact_document(&mut batch, row, &mut report)
        })?;
        plan.redact_request_keys(&mut batch)?;
        let mut own = plan.names.clone();
        own.retain(|name| !plan.site_names.contains(name));
        plan.blank_person(&mut batch, &plan.external_id, &own, &plan.blank)?;
        for spelling in &plan.spellings {
            if let Some(blank) = plan.tombstones.placeholder(spelling) {
                plan.blank_person(&mut batch, spelling, std::slice::from_ref(spelling), &blank)?;
            }
        }
        // On the site this is a name of its own, so it has its own blank.
        for name in &plan.site_names {
            if let Some(blank) = plan.tombstones.placeholder(name) {
                batch.redact_name(source_id, name, &blank)?;
            }
        }
        // Sites tell whose name it is, and others may have the same.
        if plan.sites.is_empty() {
            batch.redact_display_names(source_id, &plan.tombstones)?;
        }
        batch.redact_texts(source_id, &plan.tombstones)?;
        refresh_fingerprints(&mut batch, current)?;
    }
    batch.commit()?;
    vacuum(store, source, now)?;
    Ok(report)
}

/// Returns what [`forget`] would change. Writes nothing.
///
/// # Errors
/// Those of [`forget`], except for writing.
pub fn preview_forget(
    store: &Store,
    source: &SourceName,
    name: &str,
    watch: &dyn Progress,
) -> Result<ForgetReport, Error> {
    let plan = ForgetPlan::new(store, source, name)?;
    let mut report = plan.report(store)?;
    if !plan.only_vacuum {
        for_each_document(&store.documents(plan.source_id)?, watch, |row| {
            plan.redact(store, row, &mut report).map(drop)
        })?;
    }
    Ok(report)
}

/// Finishes forgetting that was killed or failed after the names were replaced: rewrites the
/// database file. Returns the number of persons concerned, of any source; does nothing if there are
/// none.
///
/// # Errors
/// [`Error::Replay`] for an unknown source, [`Error::VacuumFailed`], [`Error::Store`].
pub fn finish_forgetting(
    store: &mut Writer,
    source: &SourceName,
    now: UnixSeconds,
) -> Result<u64, Error> {
    let persons = count_unfinished_forgets(store, source)?;
    if persons > 0 {
        vacuum(store, source, now)?;
    }
    Ok(persons)
}

fn vacuum(store: &mut Writer, of: &SourceName, now: UnixSeconds) -> Result<(), Error> {
    store.vacuum(now).map_err(|source| Error::VacuumFailed {
        source_name: of.clone(),
        source,
    })
}

/// Returns the number of persons for whom [`finish_forgetting`] would rewrite the database file.
///
/// # Errors
/// [`Error::Replay`] for an unknown source, [`Error::Store`].
pub fn count_unfinished_forgets(store: &Store, source: &SourceName) -> Result<u64, Error> {
    find_source_even_if_removed(store, source)?;
    Ok(store.pending_vacuum()?.map_or(0, |unswept| unswept.persons))
}

/// The person to forget, with all names of that person.
struct ForgetPlan {
    source: SourceName,
    source_id: SourceId,
    external_id: String,
    /// Names that a site uses besides the id or has introduced since. The site's answers may have
    /// them in place of the id.
    site_names: Vec<String>,
    /// The external id, and all display names.
    names: Vec<String>,
    /// Other persons whose names differ only in case, spaces and Unicode form.
    spellings: Vec<String>,
    /// Other persons whose names contain the name.
    longer_names: Vec<String>,
    blank: String,
    /// The forgotten persons, including those to be forgotten now.
    tombstones: Tombstones,
    /// The known sites with answers in this source, by name.
    sites: BTreeMap<String, Box<dyn Source>>,
    other_accounts: Vec<String>,
    /// True if only the database file is left to rewrite.
    only_vacuum: bool,
}

impl ForgetPlan {
    fn new(store: &Store, source: &SourceName, name: &str) -> Result<Self, Error> {
        let source_id = find_source_even_if_removed(store, source)?;
        let is_removed = store.source_id(source)?.is_none();
        let tombstones = store.tombstones(source_id)?;
        let mut plan = Self {
            source: source.clone(),
            source_id,
            external_id: name.to_owned(),
            site_names: Vec::new(),
            names: vec![name.to_owned()],
            spellings: Vec::new(),
            longer_names: Vec::new(),
            blank: String::new(),
            tombstones: Tombstones::default(),
            sites: load_sites(store, source_id)?,
            other_accounts: Vec::new(),
            only_vacuum: false,
        };
        let mut unknown = None;
        if tombstones.placeholder(name).is_none() {
            match find_competitor_exact(store, source, name, Some(EntrantKind::Person)) {
                Ok(person) => {
                    let names = store.name_history(person.competitor_id)?;
                    plan.names.extend(names.into_iter().map(|of| of.name));
                    plan.names.push(person.name);
                    plan.names.push(person.external_id.clone());
                    plan.other_accounts = other_accounts(store, source_id, person.competitor_id)?;
                    plan.external_id = person.external_id;
                    let (since, mut of_others) = plan.load_site_names(store, &tombstones)?;
                    of_others.extend(plan.shared_names(store)?);
                    // Names that other persons have too are not replaced.
                    let id = &plan.external_id;
                    plan.names
                        .retain(|name| name == id || !of_others.contains(name));
                    plan.names.extend_from_slice(&since);
                    plan.site_names = since;
                }
                // A forgotten person may have no results any more.
                Err(ReplayError::NoCompetitor(_)) if tombstones.is_blank(name) => {}
                // A removed source has decisions only.
                Err(error @ ReplayError::NoSource { .. }) if is_removed => unknown = Some(error),
                // A name may occur in texts only. A single word is too ambiguous for that.
                Err(error @ ReplayError::NoCompetitor(_))
                    if name.trim().contains(char::is_whitespace) =>
                {
                    unknown = Some(error);
                }
                Err(error) => return Err(error.into()),
            }
        }
        plan.blank = store.blank_for(source_id, &plan.external_id, &tombstones)?;
        // A person named by a blank is forgotten already, unless renamed since.
        plan.names.retain(|name| *name != plan.blank);
        plan.names.sort_unstable();
        plan.names.dedup();
        plan.only_vacuum = plan.names.is_empty();
        plan.tombstones = tombstones;
        for name in std::iter::once(&plan.external_id).chain(&plan.site_names) {
            let blank = store.blank_for(source_id, name, &plan.tombstones)?;
            if *name != blank {
                plan.tombstones.add_name(name, &blank);
            }
        }
        for name in &plan.names {
            plan.tombstones.add_display_name(name, &plan.blank);
        }
        if !plan.only_vacuum {
            plan.find_spellings(store)?;
        }
        if let Some(error) = unknown
            && !(plan.spellings.is_empty() && plan.is_only_in_texts(store, name)?)
        {
            return Err(error.into());
        }
        Ok(plan)
    }

    /// True if the name occurs in a file or a decision of the source and no competitor has it.
    fn is_only_in_texts(&self, store: &Store, name: &str) -> Result<bool, Error> {
        if !store.competitors_named(self.source_id, name)?.is_empty() {
            return Ok(false);
        }
        if self.report(store)?.decisions > 0 {
            return Ok(true);
        }
        for row in store.documents(self.source_id)? {
            if let Ok(ReadingNote::File(_)) = ReadingNote::parse(row.reading.as_deref())
                && let Ok(document) = store.document(row.document_id)
                && any_text(&document.body, &|text| {
                    self.tombstones.is_mentioned_in(text)
                })
                .unwrap_or(false)
            {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Finds the other persons with the same name in another spelling, or with a longer name.
    fn find_spellings(&mut self, store: &Store) -> Result<(), Error> {
        let mut own = Tombstones::default();
        for name in &self.names {
            own.add_name(name, &self.blank);
        }
        let persons = store.competitors_of_source(self.source_id)?.into_iter();
        for person in persons.filter(|of| of.kind == EntrantKind::Person) {
            let name = person.external_id;
            let is_own = name == self.external_id || self.site_names.contains(&name);
            if is_own || self.tombstones.is_blank(&name) {
                continue;
            }
            if self.tombstones.placeholder(&name).is_some() {
                self.spellings.push(name);
            } else if own.is_mentioned_in(&name) {
                self.longer_names.push(name);
            } else if person.name != name
                && own.is_mentioned_in(&person.name)
                && own.placeholder(&person.name).is_none()
            {
                self.longer_names.push(person.name);
            }
        }
        Ok(())
    }

    /// Loads the names that sites use for this person now, besides the id, except names of other
    /// competitors. Also returns all names of other competitors.
    fn load_site_names(
        &self,
        store: &Store,
        before: &Tombstones,
    ) -> Result<(Vec<String>, HashSet<String>), Error> {
        let (mut names, mut of_others) = (Vec::new(), HashSet::new());
        for source in self.sites.values() {
            let site = Site::open(store, &**source, self.source.clone(), self.source_id)?;
            let documents = store.documents(self.source_id)?.into_iter();
            for row in documents.filter(|row| may_name_competitors(&**source, &row.request_key)) {
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
            let renamed = (read_lookups(&site, store)?.into_iter())
                .flat_map(|reading| reading.renamed)
                .filter(|renamed| renamed.from == self.external_id);
            names.extend(renamed.map(|renamed| renamed.to));
        }
        names.retain(|name| !before.is_blank(name) && !of_others.contains(name));
        if !names.is_empty() {
            for other in store.competitors_of_source(self.source_id)? {
                names.retain(|name| *name != other.external_id);
            }
        }
        names.sort_unstable();
        names.dedup();
        Ok((names, of_others))
    }

    /// Returns the names that other competitors have too, except those given by the user.
    fn shared_names(&self, store: &Store) -> Result<Vec<String>, Error> {
        let by_hand = user_named_competitors(store, self.source_id)?;
        let mut of_others = Vec::new();
        for name in &self.names {
            let called = store.competitors_named(self.source_id, name)?.into_iter();
            // A competitor identified by this name has it as id, not as display name.
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

    /// Counts the changes outside of the documents.
    fn report(&self, store: &Store) -> Result<ForgetReport, Error> {
        let mut report = ForgetReport {
            blank: self.blank.clone(),
            spellings: self.spellings.clone(),
            longer_names: self.longer_names.clone(),
            other_accounts: self.other_accounts.clone(),
            ..ForgetReport::default()
        };
        if !self.only_vacuum {
            let (source_id, tombstones) = (self.source_id, &self.tombstones);
            let names = &self.names;
            let mentions = store.count_mentions(source_id, &self.external_id, names, tombstones)?;
            report.contests = mentions.contests;
            report.decisions = mentions.decisions;
            let renamed = store.contests_mentioning(source_id, tombstones)?;
            report.renamed_contests = renamed.len() as u64;
        }
        Ok(report)
    }

    /// Replaces the names of a person in standings and decisions, and in the names of teams that
    /// are composed of their members' names.
    fn blank_person(
        &self,
        batch: &mut WriteBatch<'_>,
        external_id: &str,
        names: &[String],
        blank: &str,
    ) -> Result<(), Error> {
        batch.anonymise_team_names(self.source_id, external_id, blank, &|members| {
            let mut sites = self.sites.values();
            sites.find_map(|site| (site.profile().team_name)(members))
        })?;
        Ok(batch.anonymise_person(self.source_id, external_id, names, blank)?)
    }

    /// Archives the redacted reading in place of a document that has the name.
    fn redact_document(
        &self,
        batch: &mut WriteBatch<'_>,
        row: &DocumentRow,
        report: &mut ForgetReport,
    ) -> Result<(), Error> {
        let Some((redacted, note)) = self.redact(batch, row, report)? else {
            return Ok(());
        };
        // The read options of the original bytes and, for a file, those of the redacted reading.
        let (reading, kept) = match note {
            Some(ReadingNote::Answer { site, .. }) => {
                (Some(ReadingNote::format_answer(&site, true)), None)
            }
            Some(ReadingNote::File(note)) => {
                let options = redact_options(note.options, &self.tombstones);
                let reading =
                    ReadingNote::format_file(note.reader, note.format, &options, &note.sites);
                let kept = ReadingNote::format_redacted_file(note.format, &note.sites);
                (Some(reading), Some(kept))
            }
            None => (None, None),
        };
        let document = RedactedDocument {
            request_key: &redacted.request_key,
            url: redacted.url.as_deref(),
            reading: reading.as_deref(),
            body: &redacted.body,
        };
        match kept {
            Some(kept) => batch.redact_file(row.document_id, &document, &kept)?,
            None => batch.redact_response(self.source_id, row.document_id, &document)?,
        }
        Ok(())
    }

    /// Returns the redaction of a document that has the name, with the document's reading note if
    /// that can be parsed.
    fn redact(
        &self,
        store: &Store,
        row: &DocumentRow,
        report: &mut ForgetReport,
    ) -> Result<Option<(Redaction, Option<ReadingNote>)>, Error> {
        // Damaged bytes may contain the name.
        let (body, damaged) = match store.document(row.document_id) {
            Ok(document) => (Some(document.body), None),
            Err(StoreError::DamagedDocument { reason, .. }) => (None, Some(reason)),
            Err(error) => return Err(error.into()),
        };
        let note = ReadingNote::parse(row.reading.as_deref());
        let site = match &note {
            Ok(ReadingNote::Answer { site, redacted }) => self.sites.get(site).zip(Some(*redacted)),
            _ => None,
        };
        let origin = Origin {
            key: &row.request_key,
            is_request: !matches!(note, Ok(ReadingNote::File(_))),
            url: row.url.as_deref(),
            options: None,
        };
        let redacted = match (body, site, &note) {
            (Some(body), Some((source, redacted)), _) => {
                let document = Document {
                    request_key: &row.request_key,
                    // A stored time was in range when it was written.
                    fetched_at: UnixSeconds::new(row.fetched_at).unwrap_or(UnixSeconds::MIN),
                    status: row.status.unwrap_or(200),
                    body: &body,
                };
                redact_answer(&**source, &document, origin.url, redacted, &self.tombstones)
            }
            (Some(body), None, Ok(ReadingNote::File(note))) => {
                let mut reading = note.read(&row.request_key, &body);
                let mentioned = || !note.redacted && may_mention(&body, &self.tombstones);
                let origin = Origin {
                    options: Some(&note.options),
                    ..origin
                };
                redact_file(origin, &mut reading, mentioned, &self.tombstones)
            }
            (body, _, note) => {
                let at = Location::Whole;
                let why = damaged.or_else(|| note.as_ref().err().cloned());
                let why = why.unwrap_or_else(|| "this version cannot read it".to_owned());
                let mut unread = Err(FileReadError { at, why });
                let mentioned = || body.is_none_or(|body| may_mention(&body, &self.tombstones));
                redact_file(origin, &mut unread, mentioned, &self.tombstones)
            }
        };
        Ok(redacted.map(|redacted| {
            report.documents += 1;
            if let Some(why) = &redacted.unreadable {
                report.unreadable.push(UnreadableDocument {
                    document: redacted.request_key.clone(),
                    why: why.clone(),
                });
            }
            (redacted, note.ok())
        }))
    }

    /// Requests without an answer are stored by their keys, which may contain the name.
    fn redact_request_keys(&self, batch: &mut WriteBatch<'_>) -> Result<(), Error> {
        for sync in batch.contest_syncs(self.source_id)? {
            if !sync.external_id.contains(' ') {
                continue;
            }
            let mut key = sync.external_id.clone();
            let mut forgetting = Anonymiser::new(&self.tombstones);
            anonymise_key(&mut key, &mut forgetting);
            if forgetting.has_changed() {
                batch.redact_sync_key(self.source_id, &sync.external_id, &key)?;
            }
        }
        Ok(())
    }
}

/// Finds a source, also a removed one: its decisions may have the name.
fn find_source_even_if_removed(store: &Store, source: &SourceName) -> Result<SourceId, Error> {
    match store.source_id_even_if_removed(source)? {
        Some(source_id) => Ok(source_id),
        None => Ok(find_source(store, source)?),
    }
}

/// Loads the sites with answers in a source; unknown sites are left out.
fn load_sites(
    store: &Store,
    source_id: SourceId,
) -> Result<BTreeMap<String, Box<dyn Source>>, Error> {
    let mut sites = BTreeMap::new();
    for row in store.documents(source_id)? {
        if let Ok(ReadingNote::Answer { site: name, .. }) =
            ReadingNote::parse(row.reading.as_deref())
            && !sites.contains_key(&name)
            && let Some(site) = archived_site(&name, store, source_id)?
        {
            sites.insert(name, site);
        }
    }
    Ok(sites)
}

fn other_accounts(
    store: &Store,
    source_id: SourceId,
    person: CompetitorId,
) -> Result<Vec<String>, Error> {
    let root = store.merge_root(person)?;
    let merged = store.merges(source_id)?.into_iter();
    let mut others: Vec<_> = (merged.filter(|of| of.1 == root)).map(|of| of.0).collect();
    others.push(root);
    others.retain(|&of| of != person);
    let others = store.competitors_by_id(others)?;
    Ok(others.into_iter().map(|of| of.external_id).collect())
}

fn for_each_document(
    documents: &[DocumentRow],
    watch: &dyn Progress,
    mut each: impl FnMut(&DocumentRow) -> Result<(), Error>,
) -> Result<(), Error> {
    watch.begin_task("forgetting", documents.iter().map(|row| row.length).sum());
    let mut done = 0;
    // Newest first: a document that shares the bytes of an older one is redacted before it.
    for row in documents.iter().rev() {
        if watch.is_interrupted() {
            return Err(Error::Interrupted);
        }
        each(row)?;
        done += row.length;
        watch.advance(done, 0, 0);
    }
    Ok(())
}
