//! `ranklore demo`

use std::path::Path;
use std::time::Duration;

use anyhow::{Context, bail};
use ranklore_contest::{SourceName, quote_for_shell};
use ranklore_ingest::{DEMO, MineReport, MineRequest, OptionValues, mine};
use ranklore_replay::{
    Comparison, ComparisonRequest, ENGINE_VERSION, Evaluation, EvaluationSettings, Leaderboard,
    LeaderboardRequest, Metric, NamesPolicy, NoProgress, Page, RateRequest, RunSelection, SYSTEMS,
    SystemName, SystemSpec, compare_systems, find_run, load_leaderboard, rate,
};
use ranklore_store::{NewRun, Store, Writer};
use serde::Serialize;
use serde_json::Map;

use crate::bundled_site::BundledSite;
use crate::commands::ratings::comparison::print_systems;
use crate::commands::ratings::leaderboard::say_page;
use crate::exit::Exit;
use crate::json::OfSource;
use crate::output::{format_plural, output_format, print_data, print_line};
use crate::{GlobalArgs, db_option, values};

/// The name of the source: an invented puzzle league.
const SOURCE: &str = "lantern";

/// The number of rows of the leaderboard that are shown.
const MAX_ROWS: usize = 10;

pub(crate) fn run(global: &GlobalArgs) -> anyhow::Result<Exit> {
    // A separate database, as the demo must not change that of the user.
    let db = if let Some(db) = &global.db {
        db.clone()
    } else {
        let folder = Path::new("ranklore-demo");
        std::fs::create_dir_all(folder)
            .with_context(|| format!("cannot create the folder {}", folder.display()))?;
        folder.join("ranklore.sqlite")
    };
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
    let mined = sync_league(&mut store, &source)?;
    let say = |line: &str| {
        if output_format().is_data() {
            Ok(())
        } else {
            print_line(line)
        }
    };
    let news = match mined.contests.with_results.changed() {
        0 => "nothing new".to_owned(),
        contests => format!("{} new or revised", format_plural(contests, "contest")),
    };
    say(&format!(
        "1. Collect: synced an invented puzzle league from this machine; {} archived in {}, {news}",
        format_plural(mined.answers, "answer"),
        db.display()
    ))?;

    let rated = rate(&mut store, request, &NoProgress)?;
    say(&format!(
        "2. Rate: {} with {}, by the rating system Elo-MMR\n\n\
         Competitors with 3 contests or more, the last of them at most 180 days before the newest.\n\
         mu is the estimated skill, sigma its uncertainty.",
        format_plural(rated.contests, "contest"),
        format_plural(rated.results, "result")
    ))?;

    let board = load_leaderboard(
        &store,
        &LeaderboardRequest {
            min_contests: 3,
            inactive_after_days: 180,
            page: Page {
                offset: 0,
                limit: MAX_ROWS,
            },
            names: NamesPolicy::AsStored,
            ..LeaderboardRequest::from_run(rated.run_id)
        },
    )?;
    if !output_format().is_data() {
        say_page(&board, false)?;
    }

    let run = find_run(&store, std::slice::from_ref(&source), &rated.run_id.into())?;
    let settings = EvaluationSettings::default();
    let evaluated = ranklore_replay::evaluate(&mut store, run, &settings, false, now)?;
    let compared = compare_systems(
        &mut store,
        &ComparisonRequest {
            selection: RunSelection::from_source(&source),
            systems: SYSTEMS.iter().copied().map(SystemSpec::new).collect(),
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
        print_data(&DemoReport {
            db: db.display().to_string(),
            mine: OfSource {
                source: &source,
                report: &mined,
            },
            leaderboard: &board,
            evaluation: &evaluated,
            comparison: &compared,
        })?;
    } else {
        say(&describe_accuracy(&evaluated))?;
        say("\n4. Compare: all rating systems over the same contests\n")?;
        print_systems(&compared)?;
        say(&next_steps(&db))?;
    }
    Ok(Exit::Done)
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
    let (system, parameters) = (request.system.name, &request.system.parameters);
    let selection = request.selection.canonical_json();
    if store
        .find_matching_run(system, parameters, &selection)?
        .is_some()
    {
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
fn describe_accuracy(evaluated: &Evaluation) -> String {
    let slice = evaluated.slices.first();
    let Some((slice, pairs)) =
        slice.and_then(|of| Some((of, of.metrics.get(Metric::Concordance)?)))
    else {
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
