//! Forgetting a person: a blank in place of the name in standings, decisions and the archive.

use ranklore_contest::{EntrantKind, SourceName, UnixSeconds, redact};
use ranklore_store::{
    Batch, CompetitorId, CompressedBody, DocumentRow, RunRow, SourceId, Store, Tombstones, Writer,
    compress,
};

use crate::chain::{Chain, is_current};
use crate::find::{competitor_named, find_source};
use crate::identities::Identities;
use crate::note::ReadingNote;
use crate::{Error, RunSelection, Watch};

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
    /// Ids of documents that have it in their own name or address, where it stays: that says
    /// which documents are versions of one.
    pub named_after: Vec<i64>,
    /// Other accounts of the same person, which are not forgotten.
    pub other_accounts: Vec<String>,
}

/// Forgets a person of a source. Results and ratings stay, under a blank; whoever comes with
/// the name again, in an import or in a rebuild, gets the same blank. The file is then written
/// anew, so that no page it no longer uses has the name.
///
/// Killed or failed on the way, nothing is changed, or the name is out and [`finish_forgetting`]
/// writes the file anew; so does forgetting anybody, before anything else.
///
/// # Errors
/// [`Error::NoSource`]; [`Error::NoCompetitor`] unless a person is called exactly so or was
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
        batch.bury(plan.source_id, &plan.external_id, now)?;
        each_document(&batch.documents(plan.source_id)?, watch, |row| {
            if let Some((body, note)) = plan.redact(&batch, row, &mut report)? {
                batch.keep_redacted(row.document_id, &body, &note)?;
            }
            Ok(())
        })?;
        let (external_id, blank) = (&plan.external_id, &plan.blank);
        batch.blank_person(plan.source_id, external_id, &plan.names, blank)?;
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
/// [`Error::NoSource`], [`Error::NotSwept`], [`Error::Store`].
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
        command: format!("ranklore forget {of}"),
        source,
    })
}

/// How many persons [`finish_forgetting`] would sweep out.
///
/// # Errors
/// [`Error::NoSource`], [`Error::Store`].
pub fn unfinished(store: &Store, source: &SourceName) -> Result<u64, Error> {
    find_source(store, source)?;
    Ok(store.unswept()?.map_or(0, |unswept| unswept.persons))
}

/// Whom to forget, and by which names they are known.
struct Plan {
    source_id: SourceId,
    external_id: String,
    /// The external id, and what people call them beside it.
    names: Vec<String>,
    blank: String,
    /// Those forgotten, and whoever is to be.
    tombstones: Tombstones,
    other_accounts: Vec<String>,
    /// There is nothing left that could be forgotten.
    only_sweep: bool,
}

impl Plan {
    fn of(store: &Store, source: &SourceName, name: &str) -> Result<Self, Error> {
        let source_id = find_source(store, source)?;
        let tombstones = store.tombstones(source_id)?;
        let mut plan = Self {
            source_id,
            external_id: name.to_owned(),
            names: vec![name.to_owned()],
            blank: String::new(),
            tombstones: Tombstones::default(),
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
                }
                // Who is forgotten need not stand anywhere.
                Err(Error::NoCompetitor { .. }) if tombstones.is_blank(name) => {}
                Err(error) => return Err(error),
            }
        }
        plan.blank = store.blank_for(source_id, &plan.external_id)?;
        // Who is called by a blank is forgotten, unless a name was given to it since.
        plan.names.retain(|name| *name != plan.blank);
        plan.names.sort_unstable();
        plan.names.dedup();
        plan.only_sweep = plan.names.is_empty();
        plan.tombstones = if plan.external_id == plan.blank {
            tombstones
        } else {
            tombstones.with(&plan.external_id, &plan.blank)
        };
        Ok(plan)
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

    /// What is to be kept in place of a document, if it has the name, with how to read that.
    fn redact(
        &self,
        store: &Store,
        row: &DocumentRow,
        report: &mut ForgetReport,
    ) -> Result<Option<(CompressedBody, String)>, Error> {
        let key = &row.request_key;
        let called = std::iter::once(key).chain(&row.url);
        if called.into_iter().any(|called| self.is_in_path(called)) {
            report.named_after.push(row.document_id.get());
        }
        let body = store.document(row.document_id)?.body;
        let note = match ReadingNote::parse(row.reading.as_deref()) {
            Ok(ReadingNote::File(note)) => note,
            Ok(ReadingNote::Answer { site }) => {
                let why = format!("answers of {site} are not searched for names");
                report.unsearched.push((key.clone(), why));
                return Ok(None);
            }
            Err(why) => {
                report.unsearched.push((key.clone(), why));
                return Ok(None);
            }
        };
        let cannot = |why| Error::CannotForget {
            document: key.clone(),
            why,
        };
        let blank = |name: &str| self.tombstones.blank(name);
        match redact(note.format, &body, key, &note.options, &blank) {
            Ok(None) => Ok(None),
            Ok(Some(redacted)) => {
                report.documents += 1;
                let note = ReadingNote::of_file(redacted.format, &redacted.options);
                let body = compress(&redacted.bytes)
                    .map_err(|error| cannot(format!("cannot be compressed: {error}")))?;
                Ok(Some((body, note)))
            }
            Err(error) if error.mentions => Err(cannot(error.to_string())),
            Err(error) => {
                report.unsearched.push((key.clone(), error.to_string()));
                Ok(None)
            }
        }
    }

    fn is_in_path(&self, path: &str) -> bool {
        self.names.iter().any(|name| is_in_path(name, path))
    }
}

/// Whether the name of a file has that of somebody who is forgotten. Only a hash of that is
/// known, so a folder or a file must be called so exactly, but for its ending.
pub(crate) fn is_named_after(path: &str, forgotten: &Tombstones) -> bool {
    stems(path).any(|stem| forgotten.blank(stem).is_some())
}

/// What the folders and the file of a path are called, with their endings and without.
fn stems(path: &str) -> impl Iterator<Item = &str> {
    path.split(['/', '\\']).flat_map(|part| {
        let stem = part.rsplit_once('.').map(|of| of.0);
        std::iter::once(part).chain(stem)
    })
}

/// Whether a path or an address has a name: as a file or folder, or as words one after another.
fn is_in_path(name: &str, path: &str) -> bool {
    let path = path.replace("%20", " ");
    if stems(&path).any(|stem| stem == name) {
        return true;
    }
    let words = |text: &str| -> Vec<String> {
        let words = text.split(|c: char| !c.is_alphanumeric());
        let words = words.filter(|word| !word.is_empty());
        words.map(str::to_lowercase).collect()
    };
    let name = words(name);
    !name.is_empty() && words(&path).windows(name.len()).any(|part| part == name)
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

/// The results are what they were, so the runs still fit them.
fn relink(batch: &mut Batch<'_>, current: Vec<(RunRow, Identities)>) -> Result<(), Error> {
    for (run, before) in current {
        let contests = RunSelection::from_canonical_json(&run.selection).contests(batch)?;
        let identities = Identities::load(batch, &contests)?;
        // Were anybody to count as another or to start elsewhere, the ratings would be others.
        if identities != before {
            continue;
        }
        let (system, parameters) = (&run.system, &run.parameters);
        let chain = Chain::of(batch, &contests, &identities, system, parameters)?;
        batch.relink_run(run.run_id, chain.links())?;
    }
    Ok(())
}

/// The runs over a source that fit the results, with who is who in them.
fn current_runs(
    batch: &Batch<'_>,
    source: &SourceName,
) -> Result<Vec<(RunRow, Identities)>, Error> {
    let mut current = Vec::new();
    for run in batch.runs()? {
        let selection = RunSelection::from_canonical_json(&run.selection);
        if !selection.sources.contains(source) {
            continue;
        }
        match selection.contests(batch) {
            Ok(contests) if is_current(batch, &run, &contests)? => {
                let identities = Identities::load(batch, &contests)?;
                current.push((run, identities));
            }
            Ok(_) | Err(Error::NoContests { .. } | Error::NoSource { .. }) => {}
            Err(error) => return Err(error),
        }
    }
    Ok(current)
}

fn each_document(
    documents: &[DocumentRow],
    watch: &dyn Watch,
    mut each: impl FnMut(&DocumentRow) -> Result<(), Error>,
) -> Result<(), Error> {
    watch.begin("forgetting", documents.iter().map(|row| row.length).sum());
    let mut done = 0;
    for row in documents {
        if watch.interrupted() {
            return Err(Error::Interrupted);
        }
        each(row)?;
        done += row.length;
        watch.advanced(done, 0, 0);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found_in_paths() {
        for path in [
            "Zelda Q.csv",
            "in/Zelda Q/1.json",
            "2024-zelda_q-results.csv",
            "https://example.org/p/Zelda%20Q?page=2",
        ] {
            assert!(is_in_path("Zelda Q", path), "{path}");
        }
        for path in [
            "Zelda.csv",
            "Q Zelda.csv",
            "Zelda Quinn.csv",
            "in/Zelda/Quest.csv",
        ] {
            assert!(!is_in_path("Zelda Q", path), "{path}");
        }
        assert!(is_in_path("!!", "!!.csv"));
        assert!(!is_in_path("!!", "!.csv"));
    }
}
