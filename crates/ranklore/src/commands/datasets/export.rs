//! `ranklore export`

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use clap::builder::PossibleValuesParser;
use clap::{Args, ValueEnum};
use ranklore_contest::{ContestTime, SourceName};
use ranklore_ingest::{NameDisplay, PublicationInfo, RunState, run_state};
use ranklore_publish::{
    DatasetChanges, DatasetFormat, DatasetMetadata, ExportNaming, ExportReport, ExportRequest,
    ExportSelection, RunMetadata, SourceMetadata, TableId, export,
};
use ranklore_replay::{
    ChosenSystem, RunChoice, RunKey, RunSelection, SystemSpec, describe_staleness, find_run,
    find_run_by_key,
};
use ranklore_store::{ContestState, RunRow, Store};
use serde::Serialize;

use crate::commands::datasets::export_table::{self, ExportTable, refuse_file_name};
use crate::commands::source_argument::resolve_sources;
use crate::exit::{Exit, WrongUsage};
use crate::next_command::{describe_empty_selection, update_run_command};
use crate::output::{
    escape_line, format_count, format_plural, format_size, join_words, print_line, print_note,
    print_notes,
};
use crate::progress::TerminalProgress;
use crate::run_choice::{SetArgs, parse_run, parse_system};
use crate::values::describe_completeness;
use crate::words::{parse_format, possible_values};
use crate::{GlobalArgs, values};

/// Export a dataset that others can cite, verify and load
///
/// Writes contests, standings, team members, competitors and ratings as Parquet, CSV, JSON Lines,
/// contest files or SQLite, with a data dictionary (Frictionless, Croissant), a dataset card with
/// the terms of each source, checksums and a list of changes. The dataset is written to a temporary
/// folder, verified, and then replaces an older dataset in one step. The same results give the same
/// bytes.
#[derive(Debug, Args)]
pub(crate) struct ExportArgs {
    /// Sources to export [default: the only one of the database]
    #[arg(value_name = "SOURCE", value_parser = values::parse_source)]
    pub(super) sources: Vec<SourceName>,
    /// Folder of the dataset: new, empty, or an older dataset to replace; with --table a new file
    #[arg(long, value_name = "PATH")]
    pub(super) to: PathBuf,
    /// Write only this table of datasets, or the list of this command, to one file
    ///
    /// The name of the file says the format: .csv, .jsonl or, for tables of datasets, .parquet.
    #[arg(
        long,
        value_name = "NAME",
        value_parser = export_table::table_parser(),
        conflicts_with_all = ["format", "with", "partition_by", "diff", "title"]
    )]
    pub(super) table: Option<ExportTable>,
    /// Replace the file of --table if it exists
    #[arg(long, requires = "table")]
    pub(super) force: bool,
    /// Formats, comma-separated
    // Words, as the global option of the same name.
    #[arg(
        long,
        value_name = "FORMATS",
        value_parser = PossibleValuesParser::new(possible_values::<DatasetFormat>()),
        value_delimiter = ',',
        default_value = "parquet,csv"
    )]
    format: Vec<String>,
    /// Include the ratings of the run that views show
    #[arg(long, value_enum, value_name = "WHAT")]
    with: Option<IncludedTable>,
    /// Include the ratings of this run, by its id or name; repeatable
    #[arg(long = "run", value_name = "ID", value_parser = parse_run, conflicts_with = "settings")]
    pub(super) runs: Vec<RunKey>,
    /// Include the ratings of the run of this system, with settings such as elo-mmr:rho=2;
    /// repeatable
    #[arg(long = "system", value_name = "NAME[:KEY=VALUE]", value_parser = parse_system)]
    pub(super) systems: Vec<SystemSpec>,
    #[command(flatten)]
    pub(super) set: SetArgs,
    /// Names of people [default: real, or pseudonym where the terms of a site require it]
    #[arg(long, value_enum, value_name = "HOW")]
    pub(super) names: Option<NameStyle>,
    /// Only contests that ended on or after this date; with --table leaderboard the column of changes
    /// since this date
    #[arg(long, value_name = "DATE", value_parser = values::parse_time)]
    pub(super) since: Option<ContestTime>,
    /// Partition Parquet files into one folder per source and year
    #[arg(long, alias = "split", value_enum, value_name = "KEY")]
    partition_by: Option<PartitionKey>,
    /// Put an apostrophe before CSV texts that spreadsheets would run as formulas
    #[arg(long, alias = "defuse-formulas")]
    pub(super) escape_formulas: bool,
    /// List the changes since this dataset [default: the dataset that is replaced]
    #[arg(long, value_name = "FOLDER")]
    diff: Option<PathBuf>,
    /// Title of the dataset [default: made of the names of its sources]
    #[arg(long, value_name = "TEXT")]
    title: Option<String>,
    /// Confirm that you have permission where the terms of a site restrict publishing
    #[arg(long)]
    i_have_permission: bool,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum IncludedTable {
    /// Ratings
    Ratings,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum NameStyle {
    /// Names as the site publishes them
    Real,
    /// Pseudonyms that are the same in every export of this database
    Pseudonym,
    /// Numbers that are valid only within this dataset, without links to pages
    None,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum PartitionKey {
    /// Year in which the contest ended
    Year,
}

impl ExportArgs {
    pub(crate) fn run(mut self, global: &GlobalArgs) -> anyhow::Result<Exit> {
        let words = self.format.iter();
        let formats: Result<BTreeSet<DatasetFormat>, WrongUsage> =
            words.map(|word| parse_format(word, "export")).collect();
        let formats = Vec::from_iter(formats?);
        self.set.check_systems(&self.systems)?;
        let has_ratings = self.with.is_some()
            || !self.runs.is_empty()
            || !self.systems.is_empty()
            || !self.set.settings.is_empty();
        if has_ratings && formats == [DatasetFormat::EloMmr] {
            bail!(WrongUsage(
                "the format elo-mmr has no ratings; add another format to --format".to_owned()
            ));
        }
        if let Some(table) = self.table {
            return self.write_table(table, global);
        }
        // --to without --table is a folder.
        refuse_file_name(&self.to, &self.sources)?;
        let store = self.open_store(global)?;
        let target = ExportTarget {
            folder: &self.to,
            formats,
            has_ratings,
        };
        let report = self.export_with(&store, target, global, |request, progress| {
            export(&store, request, progress)
        })?;
        let result = ExportedTo {
            folder: &self.to.to_string_lossy(),
            exported: &report,
        };
        global.print_result(&result, || self.print_report(&report))?;
        Ok(Exit::Done)
    }

    /// Opens the database, and completes the sources and the keys for pseudonyms.
    pub(super) fn open_store(&mut self, global: &GlobalArgs) -> anyhow::Result<Store> {
        let store = Store::open_reader(global.db())?;
        self.sources = resolve_sources(&store, std::mem::take(&mut self.sources))?;
        self.sources.sort();
        self.sources.dedup();
        self.create_missing_keys(store, global)
    }

    /// Calls `write` with the request for a dataset.
    pub(super) fn export_with<T>(
        &self,
        store: &Store,
        target: ExportTarget<'_>,
        global: &GlobalArgs,
        write: impl FnOnce(&ExportRequest<'_>, &TerminalProgress) -> Result<T, ranklore_publish::Error>,
    ) -> anyhow::Result<T> {
        // The description and the data are of the same state.
        let snapshot = store.snapshot()?;
        let sources = self.load_terms(store)?;
        let runs = if target.has_ratings {
            self.load_runs(store)?
        } else {
            Vec::new()
        };
        let mut namings = Vec::new();
        let mut source_metadata = Vec::new();
        for (name, publishing) in self.sources.iter().zip(&sources) {
            let naming = match self.name_style(publishing) {
                NameStyle::Real => ExportNaming::Real,
                NameStyle::None => ExportNaming::Numbers,
                NameStyle::Pseudonym => ExportNaming::Pseudonyms(
                    store
                        .name_key(publishing.source_id)?
                        .context("the key for pseudonyms is gone, as another process changed the database; run the command again")?,
                ),
            };
            namings.push((name.clone(), naming));
            source_metadata.push(describe_source(name, publishing, naming));
        }
        let request = ExportRequest {
            to: target.folder,
            selection: ExportSelection {
                sources: namings,
                since: self.since,
                runs: runs.iter().map(|(run, _)| run.clone()).collect(),
                by_year: self.partition_by.is_some(),
            },
            formats: target.formats,
            escape_formulas: self.escape_formulas,
            metadata: DatasetMetadata {
                title: self.title.clone().unwrap_or_else(|| {
                    let names = join_words(self.sources.iter().map(SourceName::as_str));
                    format!("Contest standings of {names}")
                }),
                version: env!("CARGO_PKG_VERSION").to_owned(),
                commit: option_env!("RANKLORE_COMMIT").map(str::to_owned),
                sources: source_metadata,
                runs: runs.iter().map(describe_run).collect(),
            },
            baseline: self.diff.as_deref(),
        };
        let progress = TerminalProgress::new();
        let result = write(&request, &progress).context("nothing was exported")?;
        drop(snapshot);
        progress.finish();
        warn_of_stale_runs(&runs, global);
        Ok(result)
    }

    /// Returns the terms of the sources; errors if a source must not be published this way.
    pub(super) fn load_terms(&self, store: &Store) -> anyhow::Result<Vec<PublicationInfo>> {
        let shows_names = self.names == Some(NameStyle::Real) && !self.i_have_permission;
        let mut sources = Vec::new();
        for name in &self.sources {
            let publishing = PublicationInfo::load(store, name)?;
            check_publication(&publishing, self.i_have_permission)?;
            if shows_names && requires_pseudonyms(&publishing) {
                bail!(
                    "the terms of {name} require pseudonyms; leave out --names real, or pass \
                     --i-have-permission if you may publish names"
                );
            }
            sources.push(publishing);
        }
        Ok(sources)
    }

    fn name_style(&self, publishing: &PublicationInfo) -> NameStyle {
        let default_style = if requires_pseudonyms(publishing) {
            NameStyle::Pseudonym
        } else {
            NameStyle::Real
        };
        self.names.unwrap_or(default_style)
    }

    /// Creates the missing keys for pseudonyms, and opens the database again.
    fn create_missing_keys(&self, store: Store, global: &GlobalArgs) -> anyhow::Result<Store> {
        let mut keyless_ids = Vec::new();
        for source in self.load_terms(&store)? {
            let needs_key = self.name_style(&source) == NameStyle::Pseudonym;
            if needs_key && store.name_key(source.source_id)?.is_none() {
                keyless_ids.push(source.source_id);
            }
        }
        if keyless_ids.is_empty() {
            return Ok(store);
        }
        // An export only reads, except for these keys.
        drop(store);
        let mut writer = Store::open_writer(global.db(), "ranklore export")?;
        let mut batch = writer.batch()?;
        for source_id in keyless_ids {
            batch.ensure_name_key(source_id)?;
        }
        batch.commit()?;
        drop(writer);
        Ok(Store::open_reader(global.db())?)
    }

    /// Returns the selected runs with their state.
    fn load_runs(&self, store: &Store) -> anyhow::Result<Vec<(RunRow, RunState)>> {
        let mut runs = Vec::new();
        let chosen = self.systems.iter().cloned().map(ChosenSystem::Computed);
        let mut systems: Vec<Option<ChosenSystem>> = chosen.map(Some).collect();
        if self.runs.is_empty() && systems.is_empty() {
            systems.push(None);
        }
        for system in systems {
            let choice = RunChoice {
                run: None,
                system,
                settings: self.set.settings.clone(),
            };
            runs.push(find_run(store, &self.sources, &choice)?);
        }
        for key in &self.runs {
            let run = find_run_by_key(store, key)?;
            let id = run.run_id;
            let sources = RunSelection::from_canonical_json(&run.selection).sources;
            if let Some(other) = sources.iter().find(|name| !self.sources.contains(name)) {
                bail!(WrongUsage(format!(
                    "run {id} includes {other}, which is not exported; add {other} or leave out --run {id}"
                )));
            }
            runs.push(run);
        }
        // A run may be chosen twice: by its id and by its system.
        let mut runs = sort_runs(runs);
        runs.dedup_by_key(|run| run.run_id);
        runs.into_iter()
            .map(|run| run_state(store, &run).map(|state| (run, state)).map_err(Into::into))
            .collect()
    }

    fn print_report(&self, report: &ExportReport) -> std::io::Result<()> {
        let count = |table: TableId| report.rows.get(table.name()).copied().unwrap_or(0);
        let ratings = match count(TableId::Rating) {
            0 => String::new(),
            rows => format!(", {}", format_plural(rows, "rating")),
        };
        let contests = format_plural(count(TableId::Contest), "contest");
        let results = format_plural(count(TableId::Standing), "result");
        let competitors = format_plural(count(TableId::Competitor), "competitor");
        let files = format_plural(report.files as u64, "file");
        let bytes = format_size(report.bytes);
        let folder = self.to.display();
        let contents = format!("{contests} with {results} of {competitors}{ratings}");
        let line = format!("{folder}: {contents}; {files}, {bytes}");
        print_line(&escape_line(&line))?;
        print_line(&format!("snapshot {}", report.snapshot))?;
        print_notes(report.remarks.iter().cloned());
        if let Some(changes) = &report.changes {
            print_line(&escape_line(&describe_changes(changes)))?;
        }
        Ok(())
    }
}

/// Folder, formats and contents of a dataset to write.
pub(super) struct ExportTarget<'a> {
    pub(super) folder: &'a Path,
    pub(super) formats: Vec<DatasetFormat>,
    pub(super) has_ratings: bool,
}

/// Notes the runs that are stale or cannot be rated, with the command that updates them.
fn warn_of_stale_runs(runs: &[(RunRow, RunState)], global: &GlobalArgs) {
    for (run, state) in runs {
        let id = run.run_id;
        let reason = match state {
            RunState::Current | RunState::Official => continue,
            RunState::Stale(reason) => {
                let rate = global.with_db(&update_run_command(run));
                print_note(&format!(
                    "warning: run {id} is stale: {reason}; run `{rate}`, then export again"
                ));
                continue;
            }
            RunState::NoContests(empty) => describe_empty_selection(empty),
            RunState::NoSource(reason) => reason.clone(),
        };
        print_note(&escape_line(&format!("run {id}: {reason}")));
    }
}

/// The dataset that was written.
#[derive(Serialize)]
struct ExportedTo<'a> {
    /// The folder, as given.
    folder: &'a str,
    /// The report of the export.
    #[serde(flatten)]
    exported: &'a ExportReport,
}

/// Sorts runs as a dataset numbers them, independent of their order in the database.
pub(in crate::commands) fn sort_runs(mut runs: Vec<RunRow>) -> Vec<RunRow> {
    runs.sort_by(|a, b| {
        (&a.system, &a.parameters, &a.selection).cmp(&(&b.system, &b.parameters, &b.selection))
    });
    runs
}

fn describe_changes(changes: &DatasetChanges) -> String {
    if changes.is_empty() {
        return "no changes since the previous dataset".to_owned();
    }
    let [revised, removed] =
        [&changes.revised, &changes.removed].map(|list| format_count(list.len() as u64));
    let added = format_plural(changes.added.len() as u64, "contest");
    let ratings = if changes.ratings_changed {
        ", different ratings"
    } else {
        ""
    };
    format!(
        "changes since the previous dataset: {added} new, {revised} revised, {removed} \
         removed{ratings}; CHANGELOG.md lists them"
    )
}

/// True if persons are shown by pseudonyms, or the terms of a site require them.
pub(crate) fn requires_pseudonyms(publishing: &PublicationInfo) -> bool {
    let mut sites = publishing.sites.iter();
    publishing.pseudonyms || sites.any(|(_, terms)| terms.names == NameDisplay::Pseudonyms)
}

/// Errors if the terms of a site do not allow everyone to publish its results.
pub(crate) fn check_publication(
    publishing: &PublicationInfo,
    has_permission: bool,
) -> anyhow::Result<()> {
    let forbidding_sites = join_words(publishing.forbidding_sites());
    if forbidding_sites.is_empty() || has_permission {
        return Ok(());
    }
    let sites = publishing.sites.iter().filter(|(_, t)| !t.may_publish);
    let licences: Vec<_> = sites.map(|(_, terms)| terms.licence).collect();
    bail!(
        "the terms of {forbidding_sites} do not allow everyone to publish the results ({}); pass \
         --i-have-permission if you may",
        licences.join(" ")
    )
}

/// The number of refused contests that are named, and of incomplete ones.
const MAX_NAMED: usize = 100;

fn describe_source(
    name: &SourceName,
    publishing: &PublicationInfo,
    naming: ExportNaming,
) -> SourceMetadata {
    let sites = &publishing.sites;
    let attributions: Vec<_> = sites.iter().map(|(_, terms)| terms.attribution).collect();
    let licences: Vec<_> = sites.iter().map(|(_, terms)| terms.licence).collect();
    let refused = publishing.refused.iter().take(MAX_NAMED).map(|sync| {
        // The reason may contain a name.
        let reason = sync.reason.clone().filter(|_| naming == ExportNaming::Real);
        (sync.external_id.clone(), reason)
    });
    let incomplete = publishing.incomplete.iter().take(MAX_NAMED).map(|contest| {
        let share = contest.completeness.as_ref().map(describe_completeness);
        let share = share.unwrap_or_else(|| "not all arrived".to_owned());
        let left_out = match contest.state {
            ContestState::Incomplete => "; left out",
            _ => "",
        };
        (contest.external_id.clone(), share + left_out)
    });
    SourceMetadata {
        name: name.as_str().to_owned(),
        sites: sites.iter().map(|(name, _)| name.clone()).collect(),
        homepage: sites.first().map(|(_, terms)| terms.base_url.to_owned()),
        attribution: attributions.join(" "),
        licence: licences.join(" "),
        by_permission: publishing.forbidding_sites().next().is_some(),
        collected_at: publishing.collected_at,
        refused: refused.collect(),
        total_refused: publishing.refused.len() as u64,
        incomplete: incomplete.collect(),
        total_incomplete: publishing.incomplete.len() as u64,
        ..SourceMetadata::default()
    }
}

fn describe_run((run, state): &(RunRow, RunState)) -> RunMetadata {
    RunMetadata {
        system: run.system.clone(),
        parameters: run.parameters.clone(),
        selection: run.selection.clone(),
        engine: run.engine.clone(),
        stale: match state {
            RunState::Current | RunState::Official => None,
            RunState::Stale(_) | RunState::NoContests(_) | RunState::NoSource(_) => {
                Some(describe_staleness(run))
            }
        },
    }
}
