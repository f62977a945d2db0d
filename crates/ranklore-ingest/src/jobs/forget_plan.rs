//! The person to forget: all names, spellings and accounts of that person.

use std::collections::{BTreeMap, HashSet};

use ranklore_contest::{EntrantKind, ForgottenNames as _, SourceName};
use ranklore_formats::any_text;
use ranklore_replay::{Error as ReplayError, find_source};
use ranklore_source::Source;
use ranklore_store::{CompetitorId, CompetitorRow, SourceId, Store, Tombstones};
use ranklore_views::find_competitor_exact;
use serde::Serialize;

use crate::derive::display_names::{may_name_competitors, read_lookups};
use crate::derive::site::Site;
use crate::error::Error;
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

/// The person to forget, with all names of that person.
pub(super) struct ForgetPlan {
    pub(super) source: SourceName,
    pub(super) source_id: SourceId,
    pub(super) external_id: String,
    /// Names that a site uses besides the id or has introduced since. The site's answers may have
    /// them in place of the id.
    pub(super) site_names: Vec<String>,
    /// The external id, and all display names.
    pub(super) names: Vec<String>,
    /// The forgotten persons, including those to be forgotten now.
    pub(super) tombstones: Tombstones,
    /// The known sites with answers in this source, by name.
    pub(super) sites: BTreeMap<String, Box<dyn Source>>,
    /// True if only the database file is left to rewrite.
    pub(super) only_vacuum: bool,
    /// The changes; those of documents are added as they are redacted.
    pub(super) report: ForgetReport,
}

impl ForgetPlan {
    pub(super) fn new(store: &Store, source: &SourceName, name: &str) -> Result<Self, Error> {
        let source_id = find_source_even_if_removed(store, source)?;
        let mut plan = Self {
            source: source.clone(),
            source_id,
            external_id: name.to_owned(),
            site_names: Vec::new(),
            names: vec![name.to_owned()],
            tombstones: store.tombstones(source_id)?,
            sites: load_sites(store, source_id)?,
            only_vacuum: false,
            report: ForgetReport::default(),
        };
        let mut unknown = None;
        if plan.tombstones.placeholder(name).is_none() {
            unknown = plan.find_person(store, name)?;
        }
        plan.add_tombstones(store)?;
        if !plan.only_vacuum {
            plan.find_spellings(store)?;
            plan.count_changes(store)?;
        }
        if let Some(error) = unknown
            && !(plan.report.spellings.is_empty() && plan.is_only_in_texts(store, name)?)
        {
            return Err(error.into());
        }
        Ok(plan)
    }

    /// Finds the person and the names of that person. Returns the error if no competitor has the
    /// name, but texts may have it.
    fn find_person(&mut self, store: &Store, name: &str) -> Result<Option<ReplayError>, Error> {
        let is_removed = store.source_id(&self.source)?.is_none();
        match find_competitor_exact(store, &self.source, name, Some(EntrantKind::Person)) {
            Ok(person) => {
                self.add_names(store, person)?;
                Ok(None)
            }
            // A forgotten person may have no results any more.
            Err(ReplayError::NoCompetitor(_)) if self.tombstones.is_blank(name) => Ok(None),
            // A removed source has decisions only.
            Err(error @ ReplayError::NoSource { .. }) if is_removed => Ok(Some(error)),
            // A name may occur in texts only. A single word is too ambiguous for that.
            Err(error @ ReplayError::NoCompetitor(_))
                if name.trim().contains(char::is_whitespace) =>
            {
                Ok(Some(error))
            }
            Err(error) => Err(error.into()),
        }
    }

    /// Adds the names and accounts of a person.
    fn add_names(&mut self, store: &Store, person: CompetitorRow) -> Result<(), Error> {
        let history = store.name_history(person.competitor_id)?;
        self.names.extend(history.into_iter().map(|row| row.name));
        self.names.push(person.name);
        self.names.push(person.external_id.clone());
        self.report.other_accounts = other_accounts(store, self.source_id, person.competitor_id)?;
        self.external_id = person.external_id;
        let (site_names, mut shared) = self.load_site_names(store)?;
        shared.extend(self.shared_names(store)?);
        // Names that other persons have too are not replaced.
        let id = &self.external_id;
        self.names.retain(|name| name == id || !shared.contains(name));
        self.names.extend_from_slice(&site_names);
        self.site_names = site_names;
        Ok(())
    }

    /// Adds the names to the forgotten persons, each with its blank.
    fn add_tombstones(&mut self, store: &Store) -> Result<(), Error> {
        let tombstones = &mut self.tombstones;
        let blank = store.blank_for(self.source_id, &self.external_id, tombstones)?;
        // A person named by a blank is forgotten already, unless renamed since.
        self.names.retain(|name| *name != blank);
        self.names.sort_unstable();
        self.names.dedup();
        self.only_vacuum = self.names.is_empty();
        for name in std::iter::once(&self.external_id).chain(&self.site_names) {
            let blank = store.blank_for(self.source_id, name, tombstones)?;
            tombstones.add_name(name, &blank);
        }
        for name in &self.names {
            tombstones.add_display_name(name, &blank);
        }
        self.report.blank = blank;
        Ok(())
    }

    /// True if the name occurs in a file or a decision of the source and no competitor has it.
    fn is_only_in_texts(&self, store: &Store, name: &str) -> Result<bool, Error> {
        if !store.competitors_named(self.source_id, name)?.is_empty() {
            return Ok(false);
        }
        if self.report.decisions > 0 {
            return Ok(true);
        }
        for row in store.documents(self.source_id)? {
            if let Ok(ReadingNote::File(_)) = ReadingNote::parse(row.reading.as_deref())
                && let Ok(document) = store.document(row.document_id)
                && any_text(&document.body, &|text| self.tombstones.is_mentioned_in(text))
                    .unwrap_or(false)
            {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Finds the other persons with the same name in another spelling, or with a longer name.
    fn find_spellings(&mut self, store: &Store) -> Result<(), Error> {
        let mut person_names = Tombstones::default();
        for name in &self.names {
            person_names.add_name(name, &self.report.blank);
        }
        let competitors = store.competitors_of_source(self.source_id)?.into_iter();
        for person in competitors.filter(|row| row.kind == EntrantKind::Person) {
            let name = person.external_id;
            let is_same = name == self.external_id || self.site_names.contains(&name);
            if is_same || self.tombstones.is_blank(&name) {
                continue;
            }
            if self.tombstones.placeholder(&name).is_some() {
                self.report.spellings.push(name);
            } else if person_names.is_mentioned_in(&name) {
                self.report.longer_names.push(name);
            } else if person.name != name
                && person_names.is_mentioned_in(&person.name)
                && person_names.placeholder(&person.name).is_none()
            {
                self.report.longer_names.push(person.name);
            }
        }
        Ok(())
    }

    /// Loads the names that sites use for this person now, besides the id, except names of other
    /// competitors. Also returns all names of other competitors.
    fn load_site_names(&self, store: &Store) -> Result<(Vec<String>, HashSet<String>), Error> {
        let mut names = Vec::new();
        let mut shared = HashSet::new();
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
                        shared.insert(named.name);
                    }
                }
            }
            let lookups = read_lookups(&site, store)?.into_iter();
            let renames = lookups.flat_map(|reading| reading.renamed);
            let new_names = renames.filter(|rename| rename.from == self.external_id);
            names.extend(new_names.map(|rename| rename.to));
        }
        names.retain(|name| !self.tombstones.is_blank(name) && !shared.contains(name));
        if !names.is_empty() {
            for row in store.competitors_of_source(self.source_id)? {
                names.retain(|name| *name != row.external_id);
            }
        }
        names.sort_unstable();
        names.dedup();
        Ok((names, shared))
    }

    /// Returns the names that other competitors have too, except those given by the user.
    fn shared_names(&self, store: &Store) -> Result<Vec<String>, Error> {
        let by_hand = user_named_competitors(store, self.source_id)?;
        let mut shared = Vec::new();
        for name in &self.names {
            let mut rows = store.competitors_named(self.source_id, name)?.into_iter();
            let is_shared = rows.any(|row| {
                let is_person =
                    row.kind == EntrantKind::Person && row.external_id == self.external_id;
                // A competitor identified by this name has it as id, not as display name.
                row.name == *name
                    && row.external_id != *name
                    && !is_person
                    && !by_hand.contains(&(row.kind, row.external_id))
            });
            if is_shared {
                shared.push(name.clone());
            }
        }
        Ok(shared)
    }

    /// Counts the changes outside of the documents.
    fn count_changes(&mut self, store: &Store) -> Result<(), Error> {
        let source_id = self.source_id;
        let external_id = &self.external_id;
        let tombstones = &self.tombstones;
        self.report.contests = store.count_contests_of_person(source_id, external_id)?;
        self.report.decisions =
            store.count_decisions_mentioning(source_id, external_id, &self.names, tombstones)?;
        let renamed = store.contests_mentioning(source_id, tombstones)?;
        self.report.renamed_contests = renamed.len() as u64;
        Ok(())
    }
}

/// Finds a source, also a removed one: its decisions may have the name.
pub(super) fn find_source_even_if_removed(
    store: &Store,
    source: &SourceName,
) -> Result<SourceId, Error> {
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
    let merges = store.merges(source_id)?.into_iter();
    let merged = merges.filter(|(_, into)| *into == root);
    let mut accounts: Vec<_> = merged.map(|(account, _)| account).collect();
    accounts.push(root);
    accounts.retain(|&account| account != person);
    let rows = store.competitors_by_id(accounts)?.into_iter();
    Ok(rows.map(|row| row.external_id).collect())
}
