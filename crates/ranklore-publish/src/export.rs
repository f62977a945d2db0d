//! Writes a dataset: to a folder beside the one it is to be in, then held against everything that
//! it has to be, then put in its place.

use std::collections::HashMap;
use std::fs;
use std::path::Path;

use ranklore_store::Store;

use crate::changes::{Changes, HEADING, first_section, unknown_section};
use crate::check::{check, list, sum_of};
use crate::describe::{
    Described, DescribedFile, DescribedSource, DescribedTable, Description, Format, Manifest, SUMS,
    card, croissant, datapackage, sums,
};
use crate::dictionary::TableId;
use crate::digest::{Digest, snapshot};
use crate::naming::Naming;
use crate::selection::Selection;
use crate::staging::Staging;
use crate::tables::{Tables, write};
use crate::{Error, Watch};

/// What changed from snapshot to snapshot, for people to read.
const CHANGELOG: &str = "CHANGELOG.md";

/// What to write.
#[derive(Clone, Debug)]
pub struct ExportRequest<'r> {
    /// The folder of the dataset; where an older dataset is, this one takes its place.
    pub to: &'r Path,
    /// What is in it.
    pub selection: Selection,
    /// In which forms; none twice.
    pub formats: Vec<Format>,
    /// Puts an apostrophe before texts in CSV that spreadsheets take for formulas.
    pub defuse: bool,
    /// What is said of it that is not in the tables.
    pub described: Described,
    /// Tells what is new against this older dataset; by default against that which it replaces.
    pub against: Option<&'r Path>,
}

/// What was written.
#[derive(Clone, Debug)]
pub struct Exported {
    /// What identifies the results.
    pub snapshot: Digest,
    /// How many rows there are.
    pub tables: Vec<(TableId, u64)>,
    /// How many files, and their bytes.
    pub files: (usize, u64),
    /// What is new against an older dataset.
    pub changes: Option<Changes>,
    /// What is odd and may be right.
    pub remarks: Vec<String>,
}

/// Writes a dataset. Until it is whole and was held against everything that it has to be, nothing
/// is where it is to be; then it takes the place of what was there at once.
///
/// # Errors
/// [`Error::Occupied`], [`Error::Foreign`], [`Error::Busy`], [`Error::Nothing`], [`Error::Interrupted`], and when
/// something cannot be read or written. Nothing was changed then.
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
    let description = describe(request, &tables, folder)?;
    let put = |name: &str, text: String| {
        let path = folder.join(name);
        fs::write(&path, text).map_err(Error::io(&path))
    };
    put("datapackage.json", datapackage(&description))?;
    put("croissant.json", croissant(&description))?;
    put("README.md", card(&description))?;
    let before = before(request, folder, watch)?;
    put(CHANGELOG, changelog(request, &description, &before))?;
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
        Before::Damaged(_, why) => {
            (checked.remarks).push(format!(
                "the dataset before could not be compared with: {why}"
            ));
            None
        }
    };
    let counts = TableId::ALL.map(|table| (table, tables.digests[table.index()].0));
    Ok(Exported {
        snapshot: description.snapshot,
        tables: counts.to_vec(),
        files,
        changes,
        remarks: checked.remarks,
    })
}

/// About how many rows there will be, for whoever watches.
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
        let mut of =
            (request.selection.sources.iter()).filter(|(name, _)| name.as_str() == source.name);
        let named = of.all(|(_, naming)| *naming == Naming::Real);
        // Why a contest was refused may name somebody.
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
    })
}

/// The older dataset that this one is compared with.
enum Before {
    None,
    Compared(Changes),
    /// One of this snapshot that is about to be replaced and cannot be read any more.
    Damaged(Digest, Error),
}

fn before(request: &ExportRequest<'_>, folder: &Path, watch: &dyn Watch) -> Result<Before, Error> {
    if let Some(old) = request.against {
        return Changes::between(old, folder, watch).map(Before::Compared);
    }
    let Ok(old) = Manifest::read(request.to) else {
        return Ok(Before::None);
    };
    match Changes::between(request.to, folder, watch) {
        Ok(changes) => Ok(Before::Compared(changes)),
        Err(Error::Interrupted) => Err(Error::Interrupted),
        // To replace it is the way to have it whole again.
        Err(why) => Ok(Before::Damaged(old.snapshot, why)),
    }
}

/// The changes of before, with those of now in front.
fn changelog(request: &ExportRequest<'_>, description: &Description, before: &Before) -> String {
    let old = request.against.unwrap_or(request.to);
    let history = fs::read_to_string(old.join(CHANGELOG)).unwrap_or_default();
    let history = history.strip_prefix(HEADING).unwrap_or_default();
    let section = match before {
        Before::None => return format!("{HEADING}\n{}", first_section(&description.snapshot)),
        Before::Compared(changes) if changes.is_none() && !history.is_empty() => String::new(),
        Before::Compared(changes) => format!("\n{}", changes.section()),
        Before::Damaged(from, _) => {
            format!("\n{}", unknown_section(from, &description.snapshot))
        }
    };
    format!("{HEADING}{section}{history}")
}
