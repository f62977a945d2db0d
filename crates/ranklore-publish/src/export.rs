//! Export of a dataset: written to a staging folder, verified, then moved into place.

mod changelog;
pub(crate) mod changes;
pub(crate) mod one_table;
mod staging;
pub(crate) mod tables;

use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::path::Path;

use ranklore_store::Store;
use serde::Serialize;

use crate::describe::{
    CHECKSUMS_FILE, DatasetDescription, DatasetFile, DatasetFormat, DatasetMetadata, Manifest,
    ManifestSource, SourceMetadata, render_card, render_checksums, render_croissant,
    render_datapackage,
};
use crate::dictionary::TableId;
use crate::digest::{Digest, FORMAT_VERSION, snapshot_digest};
use crate::error::Error;
use crate::export::changelog::{BaselineComparison, CHANGELOG};
use crate::export::changes::DatasetChanges;
use crate::export::staging::Staging;
use crate::export::tables::{WrittenTables, write_tables};
use crate::progress::ExportProgress;
use crate::scan::naming::ExportNaming;
use crate::scan::selection::ExportSelection;
use crate::text::format_time;
use crate::verify::{file_checksum, list_files, verify};

/// Parameters of an export.
#[derive(Clone, Debug)]
pub struct ExportRequest<'r> {
    /// The folder of the dataset; an older dataset there is replaced.
    pub to: &'r Path,
    /// The selected sources, contests and runs.
    pub selection: ExportSelection,
    /// The formats, each once.
    pub formats: Vec<DatasetFormat>,
    /// True to prefix CSV texts that spreadsheets take for formulas with an apostrophe.
    pub escape_formulas: bool,
    /// The metadata that is not in the tables.
    pub metadata: DatasetMetadata,
    /// The older dataset to list changes against; by default the one that is replaced.
    pub baseline: Option<&'r Path>,
}

/// Result of an export.
#[derive(Clone, Debug, Serialize)]
pub struct ExportReport {
    /// The digest that identifies the results.
    pub snapshot: Digest,
    /// The number of rows of each table, by its name.
    pub rows: BTreeMap<&'static str, u64>,
    /// The number of files.
    pub files: usize,
    /// The size of all files.
    pub bytes: u64,
    /// The changes against an older dataset.
    pub changes: Option<DatasetChanges>,
    /// Unusual findings that may be correct, and the reason if changes are unknown.
    pub remarks: Vec<String>,
}

/// Exports a dataset. The target folder changes only after the complete dataset has been verified;
/// then it is replaced atomically.
///
/// # Errors
/// [`Error::Occupied`], [`Error::ForeignFile`], [`Error::Busy`], [`Error::NothingToExport`],
/// [`Error::Interrupted`], or a failed read or write. The target is unchanged then.
pub fn export(
    store: &Store,
    request: &ExportRequest<'_>,
    watch: &dyn ExportProgress,
) -> Result<ExportReport, Error> {
    if let Some(old) = request.baseline {
        Manifest::read(old)?;
    }
    let staging = Staging::create(request.to)?;
    let folder = staging.folder();
    verify_selection(store, &request.selection, &TableId::ALL)?;
    let rows = expected_rows(store, request)?;
    watch.begin_task("exporting", Some(rows));
    let tables = write_tables(store, request, &TableId::ALL, folder, watch)?;
    ensure_contests(&tables, &request.selection)?;
    let description = describe_dataset(store, request, &tables, folder)?;
    write_text(folder, "datapackage.json", render_datapackage(&description))?;
    write_text(folder, "croissant.json", render_croissant(&description))?;
    write_text(folder, "README.md", render_card(&description))?;
    let comparison = BaselineComparison::compare(request.to, request.baseline, folder, watch)?;
    let old = request.baseline.unwrap_or(request.to);
    let changelog = comparison.render_changelog(old, &description.manifest.snapshot);
    write_text(folder, CHANGELOG, changelog)?;
    let (files, bytes) = write_checksums(folder, &description.manifest.files)?;
    let mut report = verify(folder, watch)?;
    if !report.problems.is_empty() {
        return Err(Error::VerificationFailed {
            problems: report.problems,
        });
    }
    staging.publish()?;
    report.remarks.extend(comparison.remark());
    let counts = TableId::ALL.map(|table| (table.name(), tables.digests[table.index()].0));
    Ok(ExportReport {
        snapshot: description.manifest.snapshot,
        rows: counts.into(),
        files,
        bytes,
        changes: comparison.into_changes(),
        remarks: report.remarks,
    })
}

fn write_text(folder: &Path, name: &str, text: String) -> Result<(), Error> {
    let path = folder.join(name);
    fs::write(&path, text).map_err(Error::from_io(&path))
}

/// Writes the checksums of all files. Returns the number of files with this one, and the bytes of
/// all others.
fn write_checksums(folder: &Path, tables: &[DatasetFile]) -> Result<(usize, u64), Error> {
    let known_files: HashMap<&str, &DatasetFile> =
        tables.iter().map(|file| (&*file.path, file)).collect();
    let mut paths = Vec::new();
    list_files(folder, folder, &mut paths)?;
    let mut sums = BTreeMap::new();
    let mut bytes = 0;
    for path in paths {
        let (length, sum) = match known_files.get(&*path) {
            Some(file) => (file.bytes, file.sha256),
            None => file_checksum(&folder.join(&path))?,
        };
        bytes += length;
        sums.insert(path, sum);
    }
    write_text(folder, CHECKSUMS_FILE, render_checksums(&sums))?;
    Ok((sums.len() + 1, bytes))
}

/// Errors if no contest was written.
fn ensure_contests(tables: &WrittenTables, selection: &ExportSelection) -> Result<(), Error> {
    if tables.digests[TableId::Contest.index()].0 > 0 {
        return Ok(());
    }
    let sources = selection.sources.iter();
    let names: Vec<_> = sources.map(|(name, _)| name.as_str()).collect();
    Err(Error::NothingToExport {
        selection: names.join(", "),
    })
}

/// Verifies that the database holds the rows of these tables as they were written to it: a dataset is
/// cited for years.
fn verify_selection(
    store: &Store,
    selection: &ExportSelection,
    tables: &[TableId],
) -> Result<(), Error> {
    if tables.contains(&TableId::Standing) || tables.contains(&TableId::Member) {
        for (name, _) in &selection.sources {
            if let Some(source_id) = store.source_id(name)? {
                store.verify_contests(source_id)?;
            }
        }
    }
    if tables.contains(&TableId::Rating) {
        for run in &selection.runs {
            store.verify_ratings(run.run_id)?;
        }
    }
    Ok(store.verify_tables()?)
}

/// Estimates the number of rows, for progress.
fn expected_rows(store: &Store, request: &ExportRequest<'_>) -> Result<u64, Error> {
    let selection = &request.selection;
    let mut rows = 0;
    for source in store.sources()? {
        if selection.sources.iter().any(|(name, _)| name.as_str() == source.name) {
            rows += source.contests + source.results + source.competitors;
        }
    }
    Ok(rows + selection.runs.iter().map(|run| run.results).sum::<u64>())
}

fn describe_dataset(
    store: &Store,
    request: &ExportRequest<'_>,
    tables: &WrittenTables,
    folder: &Path,
) -> Result<DatasetDescription, Error> {
    let metadata = request.metadata.clone();
    let mut forgotten_names = 0;
    for source in store.sources()? {
        forgotten_names += store.tombstones(source.source_id)?.len() as u64;
    }
    let numbered_runs = metadata.runs.iter().zip(1..);
    let stale_runs = numbered_runs.filter_map(|(run, number)| run.stale.map(|_| number));
    let (entries, sources) = describe_sources(metadata.sources, &request.selection, tables);
    Ok(DatasetDescription {
        title: metadata.title,
        manifest: Manifest {
            format_version: FORMAT_VERSION,
            snapshot: snapshot_digest(|table| tables.digests[table.index()].1),
            program: metadata.version,
            commit: metadata.commit,
            formulas_escaped: request.escape_formulas,
            since: request.selection.since.map(|since| format_time(since.get())),
            forgotten_names,
            stale_runs: Some(stale_runs.collect()),
            sources: entries,
            tables: TableId::ALL.map(|table| tables.summary(table)).into(),
            files: describe_files(tables, folder)?,
        },
        sources,
        runs: metadata.runs,
    })
}

/// Returns the table files with their checksums, sorted by path.
fn describe_files(tables: &WrittenTables, folder: &Path) -> Result<Vec<DatasetFile>, Error> {
    let mut files = Vec::new();
    for (format, written) in &tables.files {
        let (bytes, sha256) = file_checksum(&folder.join(&written.path))?;
        files.push(DatasetFile {
            format: *format,
            table: written.table,
            path: written.path.clone(),
            bytes,
            sha256,
        });
    }
    files.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(files)
}

/// Returns the sources with rows, sorted by name: their counts and naming, and their metadata.
fn describe_sources(
    mut sources: Vec<SourceMetadata>,
    selection: &ExportSelection,
    tables: &WrittenTables,
) -> (Vec<ManifestSource>, Vec<SourceMetadata>) {
    sources.sort_by(|a, b| a.name.cmp(&b.name));
    let described = sources.into_iter().filter_map(|mut source| {
        let totals = tables.counts.get(source.name.as_str())?;
        let mut selected = selection.sources.iter();
        let (name, naming) = selected.find(|(name, _)| name.as_str() == source.name)?;
        source.ends_at = totals.ends_at;
        if *naming != ExportNaming::Real {
            // The reason of a refusal may contain a name.
            source.refused.iter_mut().for_each(|(_, reason)| *reason = None);
        }
        let entry = ManifestSource {
            name: name.clone(),
            name_policy: naming.as_str().to_owned(),
            sites: source.sites.clone(),
            by_permission: source.by_permission,
            contests: totals.rows[TableId::Contest.index()],
            standings: totals.rows[TableId::Standing.index()],
            competitors: totals.rows[TableId::Competitor.index()],
        };
        Some((entry, source))
    });
    described.unzip()
}
