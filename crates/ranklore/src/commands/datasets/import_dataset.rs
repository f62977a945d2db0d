//! `ranklore import` of a dataset.

use std::path::Path;

use anyhow::{Context, bail};
use ranklore_contest::SourceName;
use ranklore_ingest::{
    Error, ImportReport, SiteOptions, import_documents, preview_documents, site,
};
use ranklore_publish::{
    ContestDocument, Dataset, ManifestSource, Naming, Selection, check, identify,
};
use ranklore_replay::{RateRequest, RunSelection, System, Watch, rate};
use ranklore_store::{OFFICIAL, Store, Writer};
use serde_json::Value;

use crate::exit::{Exit, WrongUsage};
use crate::next_command::{explain_empty, quoted};
use crate::output::{complain, counted, say, say_json};
use crate::progress::Progress;
use crate::{Global, words};

use crate::commands::imported::{
    NOTHING, exit_of, exit_of_preview, preview_json, report_json, say_preview, say_report,
};

/// Imports every source of a dataset under its own name, or its only one under another.
pub(in crate::commands) fn run(
    folder: &Path,
    source: Option<&SourceName>,
    global: &Global,
) -> anyhow::Result<Exit> {
    let progress = Progress::new();
    let dataset = open(folder, source, &progress).context(NOTHING)?;
    let mut store = Store::open_writer(global.db(), "ranklore import")?;
    numbers_fit(&store, &dataset, source, &progress).context(NOTHING)?;
    let reports = import(&mut store, &dataset, source, &progress).context(NOTHING)?;
    // Of other results than those of the dataset its runs were not made.
    let whole = (reports.iter()).all(|(_, report)| exit_of(report) == Exit::Done);
    let rated = if whole {
        rate_again(&mut store, &dataset, source, &progress)?
    } else {
        0
    };
    drop(store);
    progress.end();
    if global.json {
        let reports: Vec<_> = (reports.iter())
            .map(|(source, report)| report_json(report, source))
            .collect();
        say_json(&one_or_all(reports))?;
    } else {
        for (source, report) in &reports {
            say_report(report, source)?;
        }
        if rated > 0 {
            complain(&format!(
                "{} of the dataset made again of these results",
                counted(rated, "run")
            ));
        }
        if let [(source, report), ..] = &reports[..]
            && exit_of(report) == Exit::Done
        {
            let view = if rated > 0 { "leaderboard" } else { "rate" };
            let next = global.hint(&format!("ranklore {view} {source}"));
            complain(&format!("next: {next}"));
        }
    }
    Ok((reports.iter())
        .map(|(_, report)| exit_of(report))
        .max_by_key(|exit| *exit as u8)
        .unwrap_or(Exit::Done))
}

/// Shows what an import of a dataset would bring, and writes nothing.
pub(in crate::commands) fn dry_run(
    folder: &Path,
    source: Option<&SourceName>,
    global: &Global,
) -> anyhow::Result<Exit> {
    let progress = Progress::new();
    let dataset = open(folder, source, &progress)?;
    let mut previews = Vec::new();
    for of in &dataset.manifest().sources {
        let documents = documents(&dataset, &of.name)?;
        let preview = preview_documents(documents, of.contests, &progress)?;
        previews.push((source.unwrap_or(&of.name), preview));
    }
    progress.end();
    if global.json {
        let previews = previews.iter().map(|(source, preview)| {
            let mut json = preview_json(preview);
            json["source"] = source.as_str().into();
            json
        });
        say_json(&one_or_all(previews.collect()))?;
    } else {
        for (source, preview) in &previews {
            say(&format!("{source}:"))?;
            say_preview(preview)?;
        }
    }
    Ok((previews.iter())
        .map(|(_, preview)| exit_of_preview(preview, &progress))
        .max_by_key(|exit| *exit as u8)
        .unwrap_or(Exit::Done))
}

/// Opens a dataset that is as it was written: of one that is not, nothing goes in.
fn open(
    folder: &Path,
    source: Option<&SourceName>,
    progress: &Progress,
) -> anyhow::Result<Dataset> {
    let dataset = Dataset::open(folder)?;
    let several = dataset.manifest().sources.len() > 1;
    if several && source.is_some() {
        bail!(WrongUsage(
            "the dataset has several sources, which keep their names: leave out --source"
                .to_owned()
        ));
    }
    // What cannot go by a site that is known here, goes by the name.
    let sources = dataset.manifest().sources.iter();
    let unknown = (sources.filter(|of| of.by_permission)).find(|of| !is_forbidden_here(of));
    if let (Some(of), Some(source)) = (unknown, source)
        && of.name != *source
    {
        bail!(WrongUsage(format!(
            "results of {} may not be published by everybody, by the terms of a site that is not \
             known here: leave out --source",
            of.name
        )));
    }
    let checked = check(folder, progress)?;
    if let Some(problem) = checked.problems.first() {
        let shown = folder.display().to_string();
        bail!(
            "{shown} is not what it has to be: {problem}; get it anew, or see all that is wrong \
             with it by: ranklore check-dataset {}",
            quoted(&shown),
        );
    }
    Ok(dataset)
}

/// The sites that the results of a source are from. What is called as a site is, is of it.
fn sites_of(of: &ManifestSource) -> Vec<String> {
    let mut sites = of.sites.clone();
    sites.push(of.name.as_str().to_owned());
    sites
}

/// Whether a site that is known here does not allow to publish the results of a source.
fn is_forbidden_here(of: &ManifestSource) -> bool {
    let mut sites = sites_of(of).into_iter();
    sites.any(|name| {
        site(&name, SiteOptions::default()).is_some_and(|site| !site.terms().may_publish)
    })
}

/// Refuses a dataset in which people are numbers where others are numbered already.
fn numbers_fit(
    store: &Store,
    dataset: &Dataset,
    source: Option<&SourceName>,
    progress: &Progress,
) -> anyhow::Result<()> {
    let manifest = dataset.manifest();
    for of in manifest.sources.iter().filter(|of| of.names == "none") {
        let name = source.unwrap_or(&of.name);
        let Some(source_id) = store.source_id(name)? else {
            continue;
        };
        let named = |of: &ManifestSource| match &*of.names {
            "none" => (source.unwrap_or(&of.name).clone(), Naming::Keys),
            _ => (source.unwrap_or(&of.name).clone(), Naming::Real),
        };
        let there = Selection {
            sources: manifest.sources.iter().map(named).collect(),
            since: None,
            runs: Vec::new(),
            by_year: false,
        };
        let same = || identify(store, &there, progress).map(|of| of.snapshot());
        if !store.contests_of(source_id)?.is_empty() && same()? != manifest.snapshot {
            bail!(
                "{name} has results already, and the numbers that people have in a dataset without \
                 names are others in each: import it under another name with --source, or into \
                 another file"
            );
        }
    }
    Ok(())
}

/// The contest files of a source.
fn documents(
    dataset: &Dataset,
    source: &SourceName,
) -> Result<impl Iterator<Item = Result<ContestDocument, Error>> + Send + use<>, Error> {
    let documents = dataset.documents(source).map_err(Error::documents)?;
    Ok(documents.map(|document| document.map_err(Error::documents)))
}

/// Of one source its object, of several an array.
fn one_or_all(of: Vec<Value>) -> Value {
    match <[_; 1]>::try_from(of) {
        Ok([one]) => one,
        Err(all) => all.into(),
    }
}

/// Imports every source of a dataset, and says what came of each.
pub(in crate::commands) fn import(
    store: &mut Writer,
    dataset: &Dataset,
    source: Option<&SourceName>,
    watch: &dyn Watch,
) -> Result<Vec<(SourceName, ImportReport)>, Error> {
    let mut reports = Vec::new();
    for of in &dataset.manifest().sources {
        let name = source.unwrap_or(&of.name);
        let documents = documents(dataset, &of.name)?;
        let report = import_documents(
            store,
            name,
            &sites_of(of),
            documents,
            of.contests,
            words::now,
            watch,
        )?;
        let interrupted = report.interrupted;
        reports.push((name.clone(), report));
        if interrupted {
            break;
        }
    }
    Ok(reports)
}

/// Rates as the runs of a dataset did, but for what sites said themselves: ratings are made of
/// results, and the same results give the same. Returns how many runs there are of them.
pub(in crate::commands) fn rate_again(
    store: &mut Writer,
    dataset: &Dataset,
    source: Option<&SourceName>,
    watch: &dyn Watch,
) -> Result<u64, Error> {
    let runs = dataset.runs().map_err(Error::documents)?;
    let ours = runs.iter().filter(|run| run.system != OFFICIAL);
    let mut rated = 0;
    for run in ours {
        let mut selection = RunSelection::from_canonical_json(&run.selection);
        if let Some(source) = source {
            selection.sources = vec![source.clone()];
        }
        let request = RateRequest {
            selection,
            system: System::named(&run.system, &run.parameters)?,
            now: words::now(),
        };
        match rate(store, request, watch) {
            Ok(_) => rated += 1,
            // Those that it rated are not in the dataset.
            Err(ranklore_replay::Error::NoContests(empty)) => watch.note(&explain_empty(&empty)),
            Err(error) => return Err(error.into()),
        }
    }
    Ok(rated)
}
