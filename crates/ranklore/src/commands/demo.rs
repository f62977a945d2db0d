//! `ranklore demo`

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, bail};
use ranklore_contest::{SourceName, quote_for_shell};
use ranklore_ingest::{DEMO, MineReport, MineRequest, OptionValues, mine};
use ranklore_replay::{
    ENGINE_VERSION, NoProgress, RateRequest, RunSelection, SystemName, SystemSpec, find_run, rate,
};
use ranklore_store::{NewRun, RunId, Store, Writer};
use ranklore_views::{
    Comparison, ComparisonRequest, Evaluation, EvaluationSettings, Leaderboard, LeaderboardRequest,
    Metric, NamesPolicy, Page, compare_systems, load_leaderboard,
};
use serde::Serialize;
use serde_json::Map;

use crate::bundled_site::BundledSite;
use crate::commands::ratings::comparison::print_systems;
use crate::commands::ratings::leaderboard::print_page;
use crate::exit::Exit;
use crate::json::OfSource;
use crate::output::{format_plural, output_format, print_data, print_line};
use crate::{GlobalArgs, db_option, values};

/// The name of the source: an invented puzzle league.
const SOURCE: &str = "lantern";

/// The number of rows of the leaderboard that are shown.
const MAX_ROWS: usize = 10;

pub(crate) fn run(global: &GlobalArgs) -> anyhow::Result<Exit> {
    let db = choose_database(global)?;
    let source = SourceName::new(SOURCE)?;
    let mut store = Store::open_writer(&db, "ranklore demo")?;
    let now = values::now();
    let request = RateRequest {
        selection: RunSelection::from_source(&source),
        system: SystemName::find("elo-mmr")?.with_parameters(&Map::new())?,
        skip_unsupported: false,
        now,
    };
    number_run(&mut store, &request)?;
    let sync_report = sync_league(&mut store, &source)?;
    print_step(&describe_sync(&sync_report, &db))?;
    let rated = rate(&mut store, request, &NoProgress)?;
    print_step(&format!(
        "2. Rate: {} with {}, by the rating system Elo-MMR\n\n\
         Competitors with 3 contests or more, the last of them at most 180 days before the newest.\n\
         mu is the estimated skill, sigma its uncertainty.",
        format_plural(rated.contests, "contest"),
        format_plural(rated.results, "result")
    ))?;
    let board = load_first_page(&store, rated.run_id)?;
    if !output_format().is_data() {
        print_page(&board, false)?;
    }
    let run = find_run(&store, std::slice::from_ref(&source), &rated.run_id.into())?;
    let settings = EvaluationSettings::default();
    let evaluation = ranklore_views::evaluate(&mut store, run, &settings, false, now)?;
    let comparison = compare_systems(
        &mut store,
        &ComparisonRequest {
            selection: RunSelection::from_source(&source),
            systems: SystemSpec::all(),
            settings,
            metric: Metric::Concordance,
            slice: None,
            against_official: false,
            now,
        },
        &NoProgress,
    )?;
    drop(store);
    if output_format().is_data() {
        // Data is one value for all steps.
        print_data(&DemoReport {
            db: db.display().to_string(),
            mine: OfSource::new(&source, &sync_report),
            leaderboard: &board,
            evaluation: &evaluation,
            comparison: &comparison,
        })?;
    } else {
        print_line(&describe_accuracy(&evaluation))?;
        print_line("\n4. Compare: all rating systems over the same contests\n")?;
        print_systems(&comparison)?;
        print_line(&next_steps(&db))?;
    }
    Ok(Exit::Done)
}

/// Returns the database of the demo: a separate one, as the demo must not change that of the user.
fn choose_database(global: &GlobalArgs) -> anyhow::Result<PathBuf> {
    if let Some(db) = &global.db {
        return Ok(db.clone());
    }
    let folder = Path::new("ranklore-demo");
    std::fs::create_dir_all(folder)
        .with_context(|| format!("cannot create the folder {}", folder.display()))?;
    Ok(folder.join("ranklore.sqlite"))
}

/// Prints a step of the demo, unless the output is data: that is printed at the end.
fn print_step(text: &str) -> std::io::Result<()> {
    if output_format().is_data() {
        Ok(())
    } else {
        print_line(text)
    }
}

fn describe_sync(mined: &MineReport, db: &Path) -> String {
    let changes = match mined.contests.with_results.changed() {
        0 => "nothing new".to_owned(),
        contests => format!("{} new or revised", format_plural(contests, "contest")),
    };
    format!(
        "1. Collect: synced an invented puzzle league from this machine; {} archived in {}, {changes}",
        format_plural(mined.answers, "answer"),
        db.display()
    )
}

/// Loads the first rows of the leaderboard.
fn load_first_page(store: &Store, run_id: RunId) -> Result<Leaderboard, ranklore_replay::Error> {
    let page = Page {
        offset: 0,
        limit: MAX_ROWS,
    };
    let request = LeaderboardRequest {
        min_contests: 3,
        inactive_after_days: 180,
        page,
        names: NamesPolicy::AsStored,
        ..LeaderboardRequest::from_run(run_id)
    };
    load_leaderboard(store, &request)
}

/// The report of the demo.
#[derive(Serialize)]
struct DemoReport<'a> {
    /// The path of the database.
    db: String,
    /// The sync of the bundled site.
    mine: OfSource<'a, &'a MineReport>,
    /// The first competitors by rating.
    leaderboard: &'a Leaderboard,
    /// The evaluation of the run.
    evaluation: &'a Evaluation,
    /// The comparison of rating systems.
    comparison: &'a Comparison,
}

/// Reserves run 1: the sync stores the ratings of the site as a run, too.
fn number_run(store: &mut Writer, request: &RateRequest) -> anyhow::Result<()> {
    let system = request.system.name;
    let parameters = &request.system.parameters;
    let selection = request.selection.canonical_json();
    if store.find_matching_run(system, parameters, &selection)?.is_some() {
        return Ok(());
    }
    let run = NewRun {
        system,
        parameters,
        selection: &selection,
        engine: ENGINE_VERSION,
    };
    let mut batch = store.batch()?;
    batch.begin_run(&run, request.now)?;
    Ok(batch.commit()?)
}

/// Syncs the league from a temporary site on this machine.
fn sync_league(store: &mut Writer, source: &SourceName) -> anyhow::Result<MineReport> {
    let reader = (DEMO.open)(&OptionValues::default())?;
    let league = BundledSite::open().context("cannot open the bundled site on 127.0.0.1")?;
    let request = MineRequest {
        name: Some(source.clone()),
        base_url: Some(league.url()),
        interval: Some(Duration::ZERO),
        ..MineRequest::default()
    };
    let report = mine(store, &*reader, &request, values::now, &NoProgress)?;
    if let Some(stopped) = &report.stopped {
        bail!("cannot sync the bundled site: {}", stopped.why);
    }
    if let Some(refused) = report.refused.first() {
        bail!("{}: {}", refused.document, refused.what);
    }
    Ok(report)
}

/// Returns the accuracy of the predictions in words.
fn describe_accuracy(evaluation: &Evaluation) -> String {
    let Some(slice) = evaluation.slices.first() else {
        return String::new();
    };
    let Some(pairs) = slice.metrics.get(Metric::Concordance) else {
        return String::new();
    };
    format!(
        "\n3. Evaluate: {} predicted from the ratings before them\n\n\
         Of two entrants, the one with the higher rating finished ahead in {pairs:.0} % of the \
         pairs. Guessing gives 50 %.",
        format_plural(slice.contests, "contest")
    )
}

/// Returns commands that can be pasted: with the path of the program and of the database.
fn next_steps(db: &Path) -> String {
    let program = std::env::args().next();
    let program = quote_for_shell(&program.unwrap_or_else(|| "ranklore".to_owned()));
    let db = db_option(db);
    format!(
        "
Your own results: ranklore import --help. Codeforces and other sites: ranklore mine --help.

Try next: a competitor, a contest, the leaderboard at the end of 2024
  {program} player {SOURCE} pebble_sum {db}
  {program} contest {SOURCE} 24 {db}
  {program} leaderboard {SOURCE} --as-of 2024-12-31 {db}"
    )
}
