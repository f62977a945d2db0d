//! `ranklore demo`

use std::collections::HashMap;
use std::path::Path;

use anyhow::Context;
use ranklore_contest::{Format, SourceName};
use ranklore_pipeline::{
    LeaderboardRequest, RateRequest, Row, RunSelection, Silent, SystemName, find_run,
    import_document, leaderboard, rate,
};
use ranklore_store::Store;
use serde_json::{Map, json};

use crate::commands::evaluate::{self, say_evaluated};
use crate::commands::import::report_json;
use crate::commands::leaderboard::{Page, say_rows, title};
use crate::exit::Exit;
use crate::output::{counted, say, say_json};
use crate::paging::Paging;
use crate::{Global, words};

/// Results of a puzzle league that does not exist.
const LEAGUE: &str = include_str!("../../../../fixtures/demo/lantern-league.csv");
const DOCUMENT: &str = "lantern-league.csv";
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
    let imported = import_document(
        &mut store,
        &source,
        DOCUMENT,
        Format::Table,
        LEAGUE.as_bytes(),
        words::now,
    )?;
    let say = |line: &str| if global.json { Ok(()) } else { say(line) };
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
            run: Some(rated.run_id),
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
    if !global.json {
        say(&title(&board, false))?;
        say_rows(&shown, &names)?;
    }

    say("\n3. Can they be trusted? Every contest was predicted by the ratings before it:\n")?;
    let run = find_run(&store, std::slice::from_ref(&source), Some(rated.run_id))?;
    let evaluated = ranklore_pipeline::evaluate(&mut store, run, now)?;
    drop(store);
    if global.json {
        let page = Page {
            board: &board,
            rows: &shown,
            names: &names,
            total: board.active.len(),
            paging: Paging {
                limit: shown.len(),
                offset: 0,
            },
            inactive: false,
        };
        say_json(&json!({
            "db": db.display().to_string(),
            "import": report_json(&imported, &source),
            "leaderboard": page.json(),
            "evaluation": evaluate::json_of(&evaluated),
        }))?;
    } else {
        say_evaluated(&evaluated)?;
        say(&next_steps(&db))?;
    }
    Ok(Exit::Done)
}

fn next_steps(db: &Path) -> String {
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
