//! Imports a Ranklore dataset: its sources with their terms, and its runs, rated again.

use std::path::{Path, PathBuf};

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
use crate::import::documents::import_documents;
use crate::import::intake::ImportReport;
use crate::import::preview::{Preview, preview_documents};
use crate::registry::find_site;

/// An error of a dataset import. Messages state facts and name no command.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DatasetError {
    /// The dataset cannot be read.
    #[error(transparent)]
    Publish(#[from] ranklore_publish::Error),
    /// One source name was given for a dataset with several sources.
    #[error("the dataset has several sources, which keep their names")]
    SeveralSources,
    /// The results fall under the terms of a site unknown to this version, so the terms are kept
    /// only by the name of the source.
    #[error(
        "results of {name} may not be published by everybody, by the terms of a site that is not \
         known here"
    )]
    UnknownTerms {
        /// The source.
        name: SourceName,
    },
    /// The verification of the dataset found a problem.
    #[error("{} is not a valid dataset: {problem}", folder.display())]
    InvalidDataset {
        /// The folder of the dataset.
        folder: PathBuf,
        /// The first problem.
        problem: String,
    },
    /// The dataset and the database number competitors differently.
    #[error(
        "{name} has results already, and a dataset without names numbers people differently; import \
         it as another source"
    )]
    ConflictingNumbers {
        /// The source.
        name: SourceName,
    },
}

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

/// Opens a dataset after verifying it. `source` renames its only source; with `None` every source
/// keeps its name.
///
/// # Errors
/// [`Error::Dataset`].
pub fn open_dataset(
    folder: &Path,
    source: Option<&SourceName>,
    watch: &dyn ranklore_publish::ExportProgress,
) -> Result<Dataset, Error> {
    let dataset = Dataset::open(folder).map_err(DatasetError::from)?;
    let sources = &dataset.manifest().sources;
    if sources.len() > 1 && source.is_some() {
        return Err(DatasetError::SeveralSources.into());
    }
    // Terms of a site unknown here are kept only by the source name.
    let forbidden = sources.iter().filter(|of| of.by_permission);
    let unknown = forbidden.into_iter().find(|of| !forbids_publication(of));
    if let (Some(of), Some(source)) = (unknown, source)
        && of.name != *source
    {
        let name = of.name.clone();
        return Err(DatasetError::UnknownTerms { name }.into());
    }
    let checked = verify(folder, watch).map_err(DatasetError::from)?;
    if let Some(problem) = checked.problems.into_iter().next() {
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
    source: Option<&SourceName>,
    watch: &dyn Progress,
) -> Result<Vec<(SourceName, Preview)>, Error> {
    let mut previews = Vec::new();
    for of in &dataset.manifest().sources {
        let documents = source_documents(dataset, &of.name)?;
        let preview = preview_documents(documents, of.contests, watch)?;
        previews.push((source.unwrap_or(&of.name).clone(), preview));
    }
    Ok(previews)
}

/// Imports every source of a dataset under its own name, or the only one as `source`. The terms of
/// its sites apply. An interrupted import stops at the current source.
///
/// # Errors
/// [`Error::Dataset`] if competitors are numbers and the database numbers them differently;
/// [`Error::Documents`], [`Error::Store`].
pub fn import_dataset<W: Progress + ranklore_publish::ExportProgress>(
    store: &mut Writer,
    dataset: &Dataset,
    source: Option<&SourceName>,
    clock: fn() -> UnixSeconds,
    watch: &W,
) -> Result<DatasetReport, Error> {
    check_competitor_numbers(store, dataset, source, watch)?;
    let mut report = DatasetReport::default();
    for of in &dataset.manifest().sources {
        let name = source.unwrap_or(&of.name);
        let documents = source_documents(dataset, &of.name)?;
        let sites = source_sites(of);
        let imported = import_documents(store, name, &sites, documents, of.contests, clock, watch)?;
        let interrupted = imported.interrupted;
        report.sources.push((name.clone(), imported));
        if interrupted {
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
    source: Option<&SourceName>,
    report: &mut DatasetReport,
    clock: fn() -> UnixSeconds,
    watch: &dyn Progress,
) -> Result<(), Error> {
    let is_whole = |of: &ImportReport| !of.interrupted && of.refused.is_empty();
    if !report
        .sources
        .iter()
        .all(|(_, imported)| is_whole(imported))
    {
        return Ok(());
    }
    let runs = dataset.runs().map_err(Error::documents)?;
    for run in runs.iter().filter(|run| run.system != OFFICIAL) {
        let mut selection = RunSelection::from_canonical_json(&run.selection);
        if let Some(source) = source {
            selection.sources = vec![source.clone()];
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
fn source_sites(of: &ManifestSource) -> Vec<String> {
    let mut sites = of.sites.clone();
    sites.push(of.name.as_str().to_owned());
    sites
}

/// True if a known site forbids publishing the results of this source.
fn forbids_publication(of: &ManifestSource) -> bool {
    let mut sites = source_sites(of).into_iter();
    sites.any(|name| find_site(&name).is_some_and(|site| !site.profile.terms.may_publish))
}

/// Refuses a dataset without names if the database numbers its competitors differently.
fn check_competitor_numbers(
    store: &Store,
    dataset: &Dataset,
    source: Option<&SourceName>,
    watch: &dyn ranklore_publish::ExportProgress,
) -> Result<(), Error> {
    let manifest = dataset.manifest();
    for of in manifest
        .sources
        .iter()
        .filter(|of| of.name_policy == "none")
    {
        let name = source.unwrap_or(&of.name);
        let Some(source_id) = store.source_id(name)? else {
            continue;
        };
        let named = |of: &ManifestSource| match &*of.name_policy {
            "none" => (source.unwrap_or(&of.name).clone(), ExportNaming::Keys),
            _ => (source.unwrap_or(&of.name).clone(), ExportNaming::Real),
        };
        let there = ExportSelection {
            sources: manifest.sources.iter().map(named).collect(),
            since: None,
            runs: Vec::new(),
            by_year: false,
        };
        let same = || compute_digests(store, &there, watch).map(|of| of.snapshot());
        if !store.contests_of_source(source_id)?.is_empty()
            && same().map_err(DatasetError::from)? != manifest.snapshot
        {
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
