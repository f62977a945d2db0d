//! `ranklore runs`

use std::collections::HashMap;

use anyhow::bail;
use clap::{Args, Subcommand};
use ranklore_contest::SourceName;
use ranklore_ingest::{RunState, run_state};
use ranklore_replay::{
    RunChoice, RunKey, RunSelection, find_run, find_run_by_key, find_source, format_system,
};
use ranklore_store::{OFFICIAL, RunId, RunRow, Store};
use ranklore_views::{CellValue, Columns};
use serde::Serialize;
use serde_json::Value;

use super::prune::shrink_file;
use crate::exit::{Exit, WrongUsage};
use crate::output::{format_count, join_words, print_line, print_table};
use crate::run_choice::{check_name_is_free, describe_run, parse_name, parse_run};
use crate::{GlobalArgs, values};

/// List, remove or name runs
///
/// A run has the ratings of one system with its settings over a selection of contests. The list marks
/// the run that views show by default, and the state: stale runs have older results.
#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(crate) struct RunsArgs {
    #[command(subcommand)]
    action: Option<RunsAction>,
    /// Only runs over one of these sources
    #[arg(value_name = "SOURCE", value_parser = values::parse_source)]
    sources: Vec<SourceName>,
}

#[derive(Debug, Subcommand)]
enum RunsAction {
    /// Delete runs with their ratings and evaluations
    ///
    /// Deletes all the runs, or none if one does not exist. ranklore rate computes the ratings again.
    Remove {
        /// Runs to remove, by id or name
        #[arg(required = true, value_name = "ID", value_parser = parse_run)]
        runs: Vec<RunKey>,
    },
    /// Name a run
    ///
    /// Commands take the name in place of the id, and views show it. An empty text removes the name.
    Name {
        /// Run to name, by id or its present name
        #[arg(value_name = "ID", value_parser = parse_run)]
        run: RunKey,
        /// New name, unlike those of all other runs; not a number
        #[arg(value_name = "TEXT", value_parser = parse_name)]
        name: String,
    },
}

impl RunsArgs {
    pub(crate) fn run(self, global: &GlobalArgs) -> anyhow::Result<Exit> {
        match self.action {
            None => list(&self.sources, global),
            Some(RunsAction::Remove { runs }) => remove(&runs, global),
            Some(RunsAction::Name { run, name }) => set_name(&run, &name, global),
        }
    }
}

/// A run in the list.
#[derive(Serialize)]
pub(crate) struct ListedRun {
    run_id: RunId,
    #[serde(rename = "run_name")]
    name: Option<String>,
    system: String,
    /// The system with the parameters that differ from its defaults, for `--system`.
    settings: String,
    selection: Value,
    parameters: Value,
    contests: u64,
    results: u64,
    created_at: i64,
    rated_at: i64,
    /// True if views of exactly its sources show it by default.
    default: bool,
    state: RunState,
    #[serde(skip)]
    selected: RunSelection,
}

/// Returns the columns of runs. The parameters that are the defaults are in JSON only.
pub(crate) fn columns(runs: &[ListedRun]) -> Columns<'_, ListedRun> {
    let has_default = has_default(runs);
    Columns::new()
        .right(("run_id", "run"), move |run: &ListedRun| match (run.default, has_default) {
            (true, _) => format!("{}*", run.run_id),
            // Aligns the digits with those before a star.
            (false, true) => format!("{} ", run.run_id),
            (false, false) => run.run_id.to_string(),
        })
        .left(("run_name", "name"), |run| run.name.as_ref().map(CellValue::text))
        .important()
        .shown_if_any(runs)
        .before("contests")
        .data(&["system"])
        .left(("settings", "system"), |run| CellValue::text(&run.settings))
        .left(("selection.sources", "source"), |run| run.selected.format_sources())
        .important()
        .before("run_name")
        .left(("selection.division", "only"), |run| {
            Some(join_words(run.selected.describe_filters())).filter(|words| !words.is_empty())
        })
        .important()
        .shown_if_any(runs)
        .before("selection.sources")
        .data(&["selection.since", "selection.until"])
        .right("contests", |run| format_count(run.contests))
        .right("results", |run| format_count(run.results))
        .data(&["created_at"])
        .left(("rated_at", "rated"), |run| CellValue::Day(run.rated_at))
        .data(&["default"])
        .left("state", |run| run.state.as_str())
        .important()
        .before("selection.division")
}

fn has_default(runs: &[ListedRun]) -> bool {
    runs.iter().any(|run| run.default)
}

/// The run that views show by default, by its sources.
type DefaultRuns = HashMap<Vec<SourceName>, Option<RunId>>;

impl ListedRun {
    fn load(store: &Store, run: RunRow, defaults: &mut DefaultRuns) -> anyhow::Result<Self> {
        let selected = RunSelection::from_canonical_json(&run.selection);
        let default_id = defaults.entry(selected.sources.clone()).or_insert_with(|| {
            let default_run = find_run(store, &selected.sources, &RunChoice::default());
            default_run.ok().map(|run| run.run_id)
        });
        Ok(Self {
            default: *default_id == Some(run.run_id),
            state: run_state(store, &run)?,
            settings: format_system(&run.system, &run.parameters),
            selected,
            selection: serde_json::from_str(&run.selection)?,
            parameters: serde_json::from_str(&run.parameters)?,
            run_id: run.run_id,
            name: run.name,
            system: run.system,
            contests: run.contests,
            results: run.results,
            created_at: run.created_at,
            rated_at: run.rated_at,
        })
    }
}

/// Returns the runs over one of these sources, oldest first; all runs without sources.
pub(crate) fn list_runs(store: &Store, sources: &[SourceName]) -> anyhow::Result<Vec<ListedRun>> {
    // A source that does not exist is an error, not an empty list.
    for source in sources {
        find_source(store, source)?;
    }
    let mut runs = Vec::new();
    let mut defaults = DefaultRuns::new();
    for run in store.runs()? {
        let run = ListedRun::load(store, run, &mut defaults)?;
        let run_sources = &run.selected.sources;
        if sources.is_empty() || sources.iter().any(|name| run_sources.contains(name)) {
            runs.push(run);
        }
    }
    Ok(runs)
}

fn list(sources: &[SourceName], global: &GlobalArgs) -> anyhow::Result<Exit> {
    let store = Store::open_reader(global.db())?;
    let snapshot = store.snapshot()?;
    let runs = list_runs(&store, sources)?;
    drop(snapshot);
    global.print_rows(&runs, &runs, &columns(&runs).keys(), || print_list(&runs))?;
    if let ([], [source]) = (runs.as_slice(), sources) {
        global.suggest(&format!("ranklore rate {source}"));
    }
    Ok(Exit::Done)
}

fn print_list(runs: &[ListedRun]) -> std::io::Result<()> {
    if runs.is_empty() {
        return print_line("no runs yet");
    }
    print_table(columns(runs), runs)?;
    if has_default(runs) {
        print_line("* views show this run by default")?;
    }
    Ok(())
}

/// A run that was removed.
#[derive(Serialize)]
struct RemovedRun {
    run_id: RunId,
    system: String,
    contests: u64,
    results: u64,
}

fn remove(keys: &[RunKey], global: &GlobalArgs) -> anyhow::Result<Exit> {
    let mut store = global.open_writer("ranklore runs remove")?;
    let mut runs: Vec<RunRow> = Vec::new();
    for key in keys {
        let run = find_run_by_key(&store, key)?;
        if run.system == OFFICIAL {
            bail!(WrongUsage(format!(
                "run {} has the ratings that the site published, which ranklore rate cannot \
                 compute; --run chooses it, no view shows it unasked",
                run.run_id
            )));
        }
        // Two keys may be of one run: its id and its name.
        if !runs.iter().any(|other| other.run_id == run.run_id) {
            runs.push(run);
        }
    }
    let mut batch = store.batch()?;
    for run in &runs {
        batch.delete_run(run.run_id)?;
    }
    batch.commit()?;
    if store.file_size()?.needs_compaction() {
        shrink_file(&mut store)?;
    }
    drop(store);
    let rows = runs.iter().map(|run| RemovedRun {
        run_id: run.run_id,
        system: run.system.clone(),
        contests: run.contests,
        results: run.results,
    });
    let removed_runs: Vec<RemovedRun> = rows.collect();
    global.print_result(&removed_runs, || {
        runs.iter().try_for_each(|run| {
            let rows = values::contests_with_results(run.contests, run.results);
            print_line(&format!("removed run {}: {rows}", describe_run(run)))
        })
    })
}

/// A run that was named.
#[derive(Serialize)]
struct NamedRun {
    run_id: RunId,
    #[serde(rename = "run_name")]
    name: Option<String>,
}

fn set_name(key: &RunKey, name: &str, global: &GlobalArgs) -> anyhow::Result<Exit> {
    let mut store = global.open_writer("ranklore runs name")?;
    let run = find_run_by_key(&store, key)?;
    // An empty text removes the name.
    let name = Some(name).filter(|name| !name.is_empty());
    if let Some(name) = name {
        check_name_is_free(&store, name, |other| other.run_id == run.run_id)?;
    }
    let mut batch = store.batch()?;
    batch.set_run_name(run.run_id, name)?;
    batch.commit()?;
    drop(store);
    let result = NamedRun {
        run_id: run.run_id,
        name: name.map(str::to_owned),
    };
    global.print_result(&result, || {
        print_line(&match name {
            Some(name) => format!("run {} is named \"{name}\"", run.run_id),
            None => format!("run {} has no name", run.run_id),
        })
    })
}
