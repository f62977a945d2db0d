//! `ranklore demo`

use std::path::Path;
use std::time::Duration;

use anyhow::{Context, bail};
use ranklore_contest::SourceName;
use ranklore_ingest::{DEMO, MineReport, MineRequest, OptionValues, mine};
use ranklore_replay::{
    Evaluation, Leaderboard, LeaderboardRequest, NamesPolicy, NoProgress, Page, RateRequest,
    RunSelection, SystemName, find_run, load_leaderboard, rate,
};
use ranklore_store::{Store, Writer};
use serde::Serialize;
use serde_json::Map;

use crate::bundled_site::BundledSite;
use crate::commands::ratings::evaluate::say_evaluated;
use crate::commands::ratings::leaderboard::say_page;
use crate::exit::Exit;
use crate::json::OfSource;
use crate::output::{counted, say, say_json};
use crate::{Global, words};

/// What the results of a puzzle league that does not exist are called.
const SOURCE: &str = "lantern";

/// Rows of the leaderboard shown.
const SHOWN: usize = 10;

pub(crate) fn run(global: &Global) -> anyhow::Result<Exit> {
    // A file of its own, so that nothing of the user's is touched.
    let db = if let Some(db) = &global.db {
        db.clone()
    } else {
        let folder = Path::new("ranklore-demo");
        std::fs::create_dir_all(folder)
            .with_context(|| format!("the folder {} cannot be made", folder.display()))?;
        folder.join("ranklore.sqlite")
    };
    let source = SourceName::new(SOURCE)?;
    let mut store = Store::open_writer(&db, "ranklore demo")?;

    let now = words::now();
    let mined = mine_league(&mut store, &source)?;
    let say = |line: &str| if global.json { Ok(()) } else { say(line) };
    let news = match mined.contests.with_results.changed() {
        0 => "nothing new".to_owned(),
        contests => format!("{} new or revised", counted(contests, "contest")),
    };
    say(&format!(
        "1. Standings in: asked a bundled site about an invented league; {} archived in {}, {news}",
        counted(mined.answers, "answer"),
        db.display()
    ))?;

    let request = RateRequest {
        selection: RunSelection::from_source(&source),
        system: SystemName::find("elo-mmr")?.with_parameters(&Map::new())?,
        now,
    };
    let rated = rate(&mut store, request, &NoProgress)?;
    say(&format!(
        "2. Ratings out: {} with {} by Elo-MMR, exact, every entrant against every other\n",
        counted(rated.contests, "contest"),
        counted(rated.results, "result")
    ))?;

    let board = load_leaderboard(
        &store,
        &LeaderboardRequest {
            min_contests: 3,
            inactive_after_days: 180,
            page: Page {
                offset: 0,
                limit: SHOWN,
            },
            names: NamesPolicy::AsStored,
            ..LeaderboardRequest::from_run(rated.run_id)
        },
    )?;
    if !global.json {
        say_page(&board, false)?;
    }

    say("\n3. Can they be trusted? Every contest was predicted by the ratings before it:\n")?;
    let run = find_run(&store, std::slice::from_ref(&source), Some(rated.run_id))?;
    let evaluated = ranklore_replay::evaluate(&mut store, run, now)?;
    drop(store);
    if global.json {
        say_json(&DemoReport {
            db: &db,
            mine: OfSource {
                source: &source,
                report: &mined,
            },
            leaderboard: &board,
            evaluation: &evaluated,
        })?;
    } else {
        say_evaluated(&evaluated)?;
        say(&next_steps(&db))?;
    }
    Ok(Exit::Done)
}

/// Everything that the demo did.
#[derive(Serialize)]
struct DemoReport<'a> {
    db: &'a Path,
    mine: OfSource<'a, &'a MineReport>,
    leaderboard: &'a Leaderboard,
    evaluation: &'a Evaluation,
}

/// Mines the league from a site that is there only for that long.
fn mine_league(store: &mut Writer, source: &SourceName) -> anyhow::Result<MineReport> {
    let reader = (DEMO.open)(&OptionValues::default())?;
    let league = BundledSite::open().context("the bundled site cannot be opened on 127.0.0.1")?;
    let request = MineRequest {
        name: Some(source.clone()),
        base_url: Some(league.url()),
        interval: Some(Duration::ZERO),
        ..MineRequest::default()
    };
    let report = mine(store, &*reader, &request, words::now, &NoProgress)?;
    if let Some(stopped) = &report.stopped {
        bail!("the bundled site cannot be asked: {}", stopped.why);
    }
    if let Some(refused) = report.refused.first() {
        bail!("{}: {}", refused.document, refused.what);
    }
    Ok(report)
}

fn next_steps(db: &Path) -> String {
    let db = db.display();
    format!(
        "
Try next, with --db {db}:
  ranklore leaderboard {SOURCE} --inactive --inactive-after 180
  ranklore leaderboard {SOURCE} --as-of 2024-12-31
  ranklore rate {SOURCE} --all && ranklore evaluate {SOURCE}
With the results of a site, at the pace it allows; Ctrl-C ends it, and the same again goes on:
  ranklore mine codeforces --dry-run
  ranklore mine codeforces --limit 20 && ranklore rate codeforces && ranklore leaderboard codeforces
With results of your own (CSV, spreadsheet, JSON, a folder of them):
  ranklore import results.csv --source club --dry-run
  ranklore import results.csv --source club && ranklore rate club && ranklore leaderboard club
(`cargo install --path crates/ranklore` puts ranklore in your path, optimised.)"
    )
}
