//! Export of a dataset: written to a staging folder, verified, then moved into place.

mod changelog;
pub(crate) mod changes;
mod staging;
pub(crate) mod tables;

use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::path::Path;

use ranklore_store::Store;
use serde::Serialize;

use crate::check::{check, list, sum_of};
use crate::describe::{
    Described, DescribedFile, DescribedSource, DescribedTable, Description, Format, Manifest, SUMS,
    card, croissant, datapackage, sums,
};
use crate::dictionary::TableId;
use crate::digest::{Digest, snapshot};
use crate::error::Error;
use crate::export::changelog::{Before, CHANGELOG};
use crate::export::changes::Changes;
use crate::export::staging::Staging;
use crate::export::tables::{Tables, write};
use crate::scan::naming::Naming;
use crate::scan::selection::Selection;
use crate::watch::Watch;

/// Parameters of an export.
#[derive(Clone, Debug)]
pub struct ExportRequest<'r> {
    /// The folder of the dataset; an older dataset there is replaced.
    pub to: &'r Path,
    /// The selected sources, contests and runs.
    pub selection: Selection,
    /// The formats, each once.
    pub formats: Vec<Format>,
    /// True to prefix CSV texts that spreadsheets take for formulas with an apostrophe.
    pub defuse: bool,
    /// The metadata that is not in the tables.
    pub described: Described,
    /// The older dataset to list changes against; by default the one that is replaced.
    pub against: Option<&'r Path>,
}

/// Result of an export.
#[derive(Clone, Debug, Serialize)]
pub struct Exported {
    /// The digest that identifies the results.
    pub snapshot: Digest,
    /// The number of rows of each table, by its name.
    pub rows: BTreeMap<&'static str, u64>,
    /// The number of files.
    pub files: usize,
    /// The size of all files.
    pub bytes: u64,
    /// The changes against an older dataset.
    pub changes: Option<Changes>,
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
    watch: &dyn Watch,
) -> Result<Exported, Error> {
    if let Some(old) = request.against {
        Manifest::read(old)?;
    }
    let staging = Staging::begin(request.to)?;
    let folder = staging.folder();
    let rows = expected_rows(store, request)?;
    watch.begin("exporting", Some(rows));
    let (selection, formats) = (&request.selection, &request.formats);
    let tables = write(store, selection, formats, request.defuse, folder, watch)?;
    if tables.digests[TableId::Contest.index()].0 == 0 {
        let names = selection.sources.iter().map(|(name, _)| name.as_str());
        return Err(Error::Nothing {
            what: names.collect::<Vec<_>>().join(", "),
        });
    }
    let description = describe(store, request, &tables, folder)?;
    let put = |name: &str, text: String| {
        let path = folder.join(name);
        fs::write(&path, text).map_err(Error::io(&path))
    };
    put("datapackage.json", datapackage(&description))?;
    put("croissant.json", croissant(&description))?;
    put("README.md", card(&description))?;
    let before = Before::of(request.to, request.against, folder, watch)?;
    let old = request.against.unwrap_or(request.to);
    put(CHANGELOG, before.changelog(old, &description.snapshot))?;
    let files = description.files.iter();
    let known: HashMap<&str, &DescribedFile> = files.map(|file| (&*file.path, file)).collect();
    let mut paths = Vec::new();
    list(folder, folder, &mut paths)?;
    let mut lines = Vec::new();
    let mut bytes = 0;
    for path in paths {
        let (length, sum) = match known.get(path.as_str()) {
            Some(file) => (file.bytes, file.sha256.clone()),
            None => sum_of(&folder.join(&path))?,
        };
        bytes += length;
        lines.push((path, sum));
    }
    let files = (lines.len() + 1, bytes);
    put(
        SUMS,
        sums(lines.iter().map(|(path, sum)| (&**path, &**sum))),
    )?;
    let mut checked = check(folder, watch)?;
    if !checked.problems.is_empty() {
        return Err(Error::Unsound {
            problems: checked.problems,
        });
    }
    staging.finish()?;
    let changes = match before {
        Before::None => None,
        Before::Compared(changes) => Some(changes),
        Before::Forgotten => {
            checked.remarks.push(format!(
                "people were forgotten since the previous dataset: {CHANGELOG} starts over and lists \
                 no changes"
            ));
            None
        }
        Before::Unread(why) => {
            checked.remarks.push(format!(
                "changes are unknown: the replaced dataset could not be read: {why}"
            ));
            None
        }
    };
    let counts = TableId::ALL.map(|table| (table.name(), tables.digests[table.index()].0));
    Ok(Exported {
        snapshot: description.snapshot,
        rows: counts.into(),
        files: files.0,
        bytes: files.1,
        changes,
        remarks: checked.remarks,
    })
}

/// Estimates the number of rows, for progress.
fn expected_rows(store: &Store, request: &ExportRequest<'_>) -> Result<u64, Error> {
    let selection = &request.selection;
    let of = |name: &str| selection.sources.iter().any(|(of, _)| of.as_str() == name);
    let sources = store.sources()?;
    let sources = sources.iter().filter(|row| of(&row.name));
    let standing: u64 = sources
        .map(|row| row.contests + row.results + row.competitors)
        .sum();
    let rated: u64 = selection.runs.iter().map(|run| run.results).sum();
    Ok(standing + rated)
}

fn describe(
    store: &Store,
    request: &ExportRequest<'_>,
    tables: &Tables,
    folder: &Path,
) -> Result<Description, Error> {
    let Described {
        title,
        version,
        commit,
        sources,
        runs,
    } = request.described.clone();
    let mut files = Vec::new();
    for (format, written) in &tables.files {
        let (bytes, sha256) = sum_of(&folder.join(&written.path))?;
        files.push(DescribedFile {
            format: *format,
            table: written.table,
            path: written.path.clone(),
            bytes,
            sha256,
        });
    }
    files.sort_by(|a, b| a.path.cmp(&b.path));
    let sources = sources.into_iter().filter_map(|source| {
        let counts = tables.counts.get(source.name.as_str())?;
        let mut selected = request.selection.sources.iter();
        let (_, naming) = selected.find(|(name, _)| name.as_str() == source.name)?;
        let rows = |table: TableId| counts.rows[table.index()];
        let named = *naming == Naming::Real;
        // The reason of a refusal may contain a name.
        let refused = source.refused.into_iter();
        let refused = refused.map(|(contest, reason)| (contest, reason.filter(|_| named)));
        Some(DescribedSource {
            refused: refused.collect(),
            contests: rows(TableId::Contest),
            standings: rows(TableId::Standing),
            competitors: rows(TableId::Competitor),
            ends_at: counts.ends_at,
            names: naming.as_str().to_owned(),
            ..source
        })
    });
    let mut sources: Vec<_> = sources.collect();
    sources.sort_by(|a, b| a.name.cmp(&b.name));
    let mut forgotten = 0;
    for source in store.sources()? {
        forgotten += store.tombstones(source.source_id)?.len() as u64;
    }
    Ok(Description {
        title,
        version,
        commit,
        snapshot: snapshot(|table| tables.digests[table.index()].1),
        sources,
        runs,
        tables: (TableId::ALL.into_iter())
            .map(|table| {
                let (rows, digest) = tables.digests[table.index()];
                DescribedTable {
                    table,
                    rows,
                    digest,
                }
            })
            .collect(),
        files,
        defused: request.defuse,
        since: request.selection.since,
        forgotten,
    })
}
