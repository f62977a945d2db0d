//! Imports a Ranklore dataset: its sources with their terms, and its runs, rated again.

use std::path::Path;

use ranklore_contest::{SourceName, UnixSeconds};
use ranklore_publish::{
    ContestDocument, Dataset, ExportNaming, ExportSelection, ManifestSource, compute_digests,
    verify,
};
use ranklore_replay::{
    ENGINE_VERSION, EmptySelection, Error as ReplayError, Progress, RateReport, RateRequest,
    RunSelection, System, rate,
};
use ranklore_store::{OFFICIAL, Store, Writer};

use crate::error::Error;
use crate::import::dataset_error::DatasetError;
use crate::import::documents::import_documents;
use crate::import::preview::{Preview, preview_documents};
use crate::import::report::ImportReport;
use crate::registry::find_site;

/// The outcome of the import of a dataset.
#[derive(Debug, Default)]
pub struct DatasetReport {
    /// The sources imported, in the order of the dataset.
    pub sources: Vec<(SourceName, ImportReport)>,
    /// The runs rated again.
    pub runs: Vec<RateReport>,
    /// The engine that computed their ratings in the dataset, if it is not that of this version.
    pub other_engine: Option<String>,
    /// The runs of the dataset whose contests are not in the database.
    pub without_contests: Vec<EmptySelection>,
}

/// Opens a dataset after verifying it. `new_name` renames its only source; with `None` every source
/// keeps its name.
///
/// # Errors
/// [`Error::Dataset`].
pub fn open_dataset(
    folder: &Path,
    new_name: Option<&SourceName>,
    watch: &dyn ranklore_publish::ExportProgress,
) -> Result<Dataset, Error> {
    let dataset = Dataset::open(folder).map_err(DatasetError::from)?;
    let sources = &dataset.manifest().sources;
    if sources.len() > 1 && new_name.is_some() {
        return Err(DatasetError::SeveralSources.into());
    }
    // Terms of a site unknown here are kept only by the source name.
    let mut restricted = sources.iter().filter(|source| source.by_permission);
    let unknown = restricted.find(|source| !forbids_publication(source));
    if let (Some(unknown), Some(new_name)) = (unknown, new_name)
        && unknown.name != *new_name
    {
        let name = unknown.name.clone();
        return Err(DatasetError::UnknownTerms { name }.into());
    }
    let verification = verify(folder, watch).map_err(DatasetError::from)?;
    if let Some(problem) = verification.problems.into_iter().next() {
        let folder = folder.to_owned();
        return Err(DatasetError::InvalidDataset { folder, problem }.into());
    }
    Ok(dataset)
}

/// Returns what an import would add, by source. Writes nothing.
///
/// # Errors
/// [`Error::Dataset`], [`Error::Documents`].
pub fn preview_dataset(
    dataset: &Dataset,
    new_name: Option<&SourceName>,
    watch: &dyn Progress,
) -> Result<Vec<(SourceName, Preview)>, Error> {
    let mut previews = Vec::new();
    for source in &dataset.manifest().sources {
        let documents = source_documents(dataset, &source.name)?;
        let preview = preview_documents(documents, source.contests, watch)?;
        previews.push((new_name.unwrap_or(&source.name).clone(), preview));
    }
    Ok(previews)
}

/// Imports every source of a dataset under its own name, or the only one as `new_name`. The terms of
/// its sites apply. An interrupted import stops at the current source.
///
/// # Errors
/// [`Error::Dataset`] if competitors are numbers and the database numbers them differently;
/// [`Error::Documents`], [`Error::Store`].
pub fn import_dataset<W: Progress + ranklore_publish::ExportProgress>(
    store: &mut Writer,
    dataset: &Dataset,
    new_name: Option<&SourceName>,
    clock: fn() -> UnixSeconds,
    watch: &W,
) -> Result<DatasetReport, Error> {
    check_competitor_numbers(store, dataset, new_name, watch)?;
    let mut report = DatasetReport::default();
    for source in &dataset.manifest().sources {
        let name = new_name.unwrap_or(&source.name);
        let documents = source_documents(dataset, &source.name)?;
        let sites = source_sites(source);
        let total = source.contests;
        let imported = import_documents(store, name, &sites, documents, total, clock, watch)?;
        let is_interrupted = imported.interrupted;
        report.sources.push((name.clone(), imported));
        if is_interrupted {
            break;
        }
    }
    Ok(report)
}

/// Rates the runs of a dataset again, except official ratings, and adds them to the report. The
/// same results give the same ratings. Rates nothing if results were refused or the import was
/// interrupted.
///
/// # Errors
/// [`Error::Documents`] if the runs cannot be read; the errors of [`rate`].
pub fn rate_dataset(
    store: &mut Writer,
    dataset: &Dataset,
    new_name: Option<&SourceName>,
    report: &mut DatasetReport,
    clock: fn() -> UnixSeconds,
    watch: &dyn Progress,
) -> Result<(), Error> {
    let mut imports = report.sources.iter().map(|(_, imported)| imported);
    if imports.any(|imported| imported.interrupted || !imported.refused.is_empty()) {
        return Ok(());
    }
    let runs = dataset.runs().map_err(Error::documents)?;
    for run in runs.iter().filter(|run| run.system != OFFICIAL) {
        let mut selection = RunSelection::from_canonical_json(&run.selection);
        if let Some(name) = new_name {
            selection.sources = vec![name.clone()];
        }
        let request = RateRequest {
            selection,
            system: System::from_name(&run.system, &run.parameters)?,
            // The run exists: it left out what its system does not rate.
            skip_unsupported: true,
            now: clock(),
        };
        match rate(store, request, watch) {
            Ok(rated) => {
                report.runs.push(rated);
                if run.engine != ENGINE_VERSION {
                    report.other_engine = Some(run.engine.clone());
                }
            }
            Err(ReplayError::NoContests(empty)) => report.without_contests.push(*empty),
            Err(error) => return Err(error.into()),
        }
    }
    Ok(())
}

/// Returns the sites that the results of a source are from, including the site of the same name.
fn source_sites(source: &ManifestSource) -> Vec<String> {
    let mut sites = source.sites.clone();
    sites.push(source.name.as_str().to_owned());
    sites
}

/// True if a known site forbids publishing the results of this source.
fn forbids_publication(source: &ManifestSource) -> bool {
    let mut sites = source_sites(source).into_iter();
    sites.any(|name| find_site(&name).is_some_and(|site| !site.profile.terms.may_publish))
}

/// Refuses a dataset without names if the database numbers its competitors differently.
fn check_competitor_numbers(
    store: &Store,
    dataset: &Dataset,
    new_name: Option<&SourceName>,
    watch: &dyn ranklore_publish::ExportProgress,
) -> Result<(), Error> {
    let manifest = dataset.manifest();
    for source in &manifest.sources {
        if source.name_policy != "none" {
            continue;
        }
        let name = new_name.unwrap_or(&source.name);
        let Some(source_id) = store.source_id(name)? else {
            continue;
        };
        if store.contests_of_source(source_id)?.is_empty() {
            continue;
        }
        let sources = manifest.sources.iter().map(|source| {
            let naming = match &*source.name_policy {
                "none" => ExportNaming::Keys,
                _ => ExportNaming::Real,
            };
            (new_name.unwrap_or(&source.name).clone(), naming)
        });
        // The database as this dataset would be exported from it.
        let selection = ExportSelection {
            sources: sources.collect(),
            since: None,
            runs: Vec::new(),
            by_year: false,
        };
        let digests = compute_digests(store, &selection, watch).map_err(DatasetError::from)?;
        if digests.snapshot() != manifest.snapshot {
            let name = name.clone();
            return Err(DatasetError::ConflictingNumbers { name }.into());
        }
    }
    Ok(())
}

/// Returns the contest files of a source.
fn source_documents(
    dataset: &Dataset,
    source: &SourceName,
) -> Result<impl Iterator<Item = Result<ContestDocument, Error>> + Send + use<>, Error> {
    let documents = dataset.documents(source).map_err(Error::documents)?;
    Ok(documents.map(|document| document.map_err(Error::documents)))
}
