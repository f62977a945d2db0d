//! `ranklore demo`

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use anyhow::Context;
use ranklore_contest::{Format, SourceName};
use ranklore_pipeline::{
    LeaderboardRequest, RateRequest, Row, RunSelection, Silent, SystemName, evaluate, find_run,
    import_document, leaderboard, rate,
};
use ranklore_store::Store;
use serde_json::Map;

use crate::commands::evaluate::say_evaluated;
use crate::commands::leaderboard::{say_rows, title};
use crate::exit::Exit;
use crate::output::{counted, say};
use crate::{Global, words};

/// Results of a puzzle league that does not exist.
const LEAGUE: &str = include_str!("../../../../fixtures/demo/lantern-league.csv");
const DOCUMENT: &str = "lantern-league.csv";
const SOURCE: &str = "lantern";

/// Rows of the leaderboard shown.
const SHOWN: usize = 10;

pub(crate) fn run(global: &Global) -> anyhow::Result<Exit> {
    // A file of its own, so that nothing of the user's is touched.
    let db = match &global.db {
        Some(db) => db.clone(),
        None => {
            let folder = Path::new("ranklore-demo");
            std::fs::create_dir_all(folder)
                .with_context(|| format!("the folder {} cannot be made", folder.display()))?;
            folder.join("ranklore.sqlite")
        }
    };
    let source = SourceName::new(SOURCE)?;
    let mut store = Store::open_writer(&db, "ranklore demo")?;

    let now = words::now();
    let imported = import_document(
        &mut store,
        &source,
        DOCUMENT,
        Format::Table,
        LEAGUE.as_bytes(),
        now,
    )?;
    let contests = imported.added + imported.revised + imported.unchanged;
    say(&format!(
        "1. Standings in: {} with {} of a bundled, invented league, into {}",
        counted(contests, "contest"),
        counted(imported.results, "result"),
        db.display()
    ))?;

    let selection = RunSelection {
        sources: vec![source.clone()],
        ..RunSelection::default()
    };
    let request = RateRequest {
        selection,
        system: SystemName::find("elo-mmr")?.with(&Map::new())?,
        now,
    };
    let rated = rate(&mut store, request, &Silent)?;
    say(&format!(
        "2. Ratings out: {} by Elo-MMR, exact, every entrant against every other\n",
        counted(rated.results, "rating")
    ))?;

    let board = leaderboard(
        &store,
        &LeaderboardRequest {
            sources: vec![source.clone()],
            run: None,
            as_of: None,
            min_contests: 3,
            inactive_after_days: 180,
            k: None,
        },
    )?;
    let shown: Vec<&Row> = board.active.iter().take(SHOWN).collect();
    let names: HashMap<_, _> = store
        .competitors_by_id(shown.iter().map(|row| row.competitor_id))?
        .into_iter()
        .map(|competitor| (competitor.competitor_id, competitor))
        .collect();
    say(&title(&board, false))?;
    say_rows(&shown, &names)?;

    say("\n3. Can they be trusted? Every contest was predicted by the ratings before it:\n")?;
    let run = find_run(&store, &[source], None)?;
    say_evaluated(&evaluate(&mut store, run, now)?)?;
    drop(store);
    say(&next_steps(&db))?;
    Ok(Exit::Done)
}

fn next_steps(db: &PathBuf) -> String {
    let db = db.display();
    format!(
        "
Try next, with --db {db}:
  ranklore leaderboard {SOURCE} --inactive --inactive-after 180
  ranklore leaderboard {SOURCE} --as-of 2024-12-31
  ranklore rate {SOURCE} --all && ranklore evaluate {SOURCE}
With results of your own (CSV, spreadsheet, JSON, a folder of them):
  ranklore import results.csv --source club --dry-run
  ranklore import results.csv --source club && ranklore rate club && ranklore leaderboard club
(ranklore is target/release/ranklore here; `cargo install --path crates/ranklore` puts it in your path.)"
    )
}
