//! Forgetting a person: a blank in place of the name in standings, decisions and the archive.

use ranklore_contest::{EntrantKind, SourceName, UnixSeconds, redact};
use ranklore_store::{Batch, Forgotten, RunRow, SourceId, Tombstones, Writer, compress};

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
    /// Decisions about the person.
    pub decisions: u64,
    /// Documents that had the name.
    pub documents: u64,
    /// Documents of which nobody can tell whether they have it: broken ones, with why.
    pub unsearched: Vec<(String, String)>,
    /// Other accounts of the same person, which are not forgotten.
    pub other_accounts: Vec<String>,
}

/// Forgets a person of a source. Results and ratings stay, under a blank; whoever comes with
/// the name again, in an import or in a rebuild, gets the same blank. The file is then written
/// anew, so that no page it no longer uses has the name.
///
/// Killed or failed on the way, nothing is changed, or the name is out and the same command
/// again writes the file anew.
///
/// # Errors
/// [`Error::NoSource`]; [`Error::NoCompetitor`] unless a person is called exactly so or was
/// forgotten; [`Error::CannotForget`] when a document has the name where it cannot be replaced;
/// [`Error::Store`].
pub fn forget(
    store: &mut Writer,
    source: &SourceName,
    name: &str,
    now: UnixSeconds,
    watch: &dyn Watch,
) -> Result<ForgetReport, Error> {
    let mut batch = store.batch()?;
    let report = forget_within(&mut batch, source, name, now, watch)?;
    batch.commit()?;
    store.sweep(now)?;
    Ok(report)
}

/// What [`forget`] would change; nothing is written.
///
/// # Errors
/// As [`forget`].
pub fn would_forget(
    store: &mut Writer,
    source: &SourceName,
    name: &str,
    now: UnixSeconds,
    watch: &dyn Watch,
) -> Result<ForgetReport, Error> {
    forget_within(&mut store.batch()?, source, name, now, watch)
}

fn forget_within(
    batch: &mut Batch<'_>,
    source: &SourceName,
    name: &str,
    now: UnixSeconds,
    watch: &dyn Watch,
) -> Result<ForgetReport, Error> {
    let source_id = find_source(batch, source)?;
    let mut report = ForgetReport::default();
    let name = if batch.tombstones(source_id)?.blank(name).is_some() {
        name.to_owned()
    } else {
        let person = competitor_named(batch, source, name, Some(EntrantKind::Person))?;
        let root = batch.root_of(person.competitor_id)?;
        let merged = batch.merges(source_id)?.into_iter();
        let mut others: Vec<_> = (merged.filter(|of| of.1 == root)).map(|of| of.0).collect();
        others.push(root);
        others.retain(|&of| of != person.competitor_id);
        let others = batch.competitors_by_id(others)?;
        report.other_accounts = others.into_iter().map(|of| of.external_id).collect();
        person.external_id
    };
    let current = current_runs(batch, source)?;
    report.blank = batch.bury(source_id, &name, now)?;
    let tombstones = batch.tombstones(source_id)?;
    redact_documents(batch, source_id, &tombstones, &mut report, watch)?;
    let Forgotten {
        contests,
        decisions,
    } = batch.blank_person(source_id, &name, &report.blank)?;
    report.contests = contests;
    report.decisions = decisions;
    // The results are what they were, so the runs still fit them.
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
    Ok(report)
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

fn redact_documents(
    batch: &mut Batch<'_>,
    source_id: SourceId,
    tombstones: &Tombstones,
    report: &mut ForgetReport,
    watch: &dyn Watch,
) -> Result<(), Error> {
    let documents = batch.documents(source_id)?;
    watch.begin("forgetting", documents.iter().map(|row| row.length).sum());
    let mut done = 0;
    for row in documents {
        if watch.interrupted() {
            return Err(Error::Interrupted);
        }
        let key = &row.request_key;
        let body = batch.document(row.document_id)?.body;
        let note = match ReadingNote::parse(row.reading.as_deref()) {
            Ok(note) => note,
            Err(why) => {
                report.unsearched.push((key.clone(), why));
                continue;
            }
        };
        let blank = |name: &str| tombstones.blank(name);
        match redact(note.format, &body, key, &note.options, &blank) {
            Ok(None) => {}
            Ok(Some(redacted)) => {
                let note = ReadingNote::json(redacted.format, &redacted.options);
                let body = compress(&redacted.bytes).map_err(|error| Error::CannotForget {
                    document: key.clone(),
                    why: format!("cannot be compressed: {error}"),
                })?;
                batch.keep_redacted(row.document_id, &body, &note)?;
                report.documents += 1;
            }
            Err(error) if error.mentions => {
                return Err(Error::CannotForget {
                    document: key.clone(),
                    why: error.to_string(),
                });
            }
            Err(error) => report.unsearched.push((key.clone(), error.to_string())),
        }
        done += row.length;
        watch.advanced(done, 0, 0);
    }
    Ok(())
}
