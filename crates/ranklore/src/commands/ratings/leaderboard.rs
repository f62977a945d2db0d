//! `ranklore leaderboard`

use std::collections::HashMap;

use clap::Args;
use ranklore_contest::{SourceName, UnixSeconds};
use ranklore_replay::{
    INACTIVE_AFTER_DAYS, Leaderboard as Board, LeaderboardRequest, Row, RunSelection, leaderboard,
};
use ranklore_store::{CompetitorId, CompetitorRow, RunId, RunRow, Store};
use serde_json::{Value, json};

use crate::exit::Exit;
use crate::naming::Naming;
use crate::output::{Align, Column, count, counted, number, say, say_json, say_table, signed};
use crate::paging::Paging;
use crate::{Global, words};

/// Show who stands where, by conservative rating.
///
/// The conservative rating is mu − k·sigma: what a competitor is almost surely worth. Who has
/// not taken part for a year before the newest contest is inactive and listed apart.
#[derive(Debug, Args)]
pub(crate) struct Leaderboard {
    /// Of the newest run over these sources
    #[arg(required_unless_present = "run", value_name = "SOURCE", value_parser = words::source)]
    sources: Vec<SourceName>,
    /// Of this run
    #[arg(long, value_name = "ID")]
    run: Option<i64>,
    /// Only those of at least so many rated contests
    #[arg(long, value_name = "N", default_value_t = 1)]
    min_contests: u32,
    /// Days without a contest, before the newest one, that make inactive
    #[arg(long, value_name = "DAYS", default_value_t = INACTIVE_AFTER_DAYS)]
    inactive_after: u32,
    /// List the inactive ones
    #[arg(long)]
    inactive: bool,
    /// As it was at the end of this day, or at this moment
    #[arg(long, value_name = "DATE", value_parser = words::end_of_day_or_moment)]
    as_of: Option<UnixSeconds>,
    /// k of the conservative rating [default: the system's own, 3, or 0 where sigma is no uncertainty]
    #[arg(long, value_name = "K", value_parser = words::factor)]
    k: Option<f64>,
    #[command(flatten)]
    naming: Naming,
    #[command(flatten)]
    paging: Paging,
}

impl Leaderboard {
    pub(crate) fn run(self, global: &Global) -> anyhow::Result<Exit> {
        let store = Store::open_reader(global.db())?;
        // Runs and names of one moment, whatever is committed meanwhile.
        let snapshot = store.snapshot()?;
        let request = LeaderboardRequest {
            sources: self.sources,
            run: self.run.map(RunId::new),
            as_of: self.as_of,
            min_contests: self.min_contests,
            inactive_after_days: self.inactive_after,
            k: self.k,
        };
        let board = leaderboard(&store, &request)?;
        let rows = if self.inactive {
            &board.inactive
        } else {
            &board.active
        };
        let shown: Vec<&Row> = self.paging.of(rows);
        let mut names: HashMap<CompetitorId, CompetitorRow> = store
            .competitors_by_id(shown.iter().map(|row| row.competitor_id))?
            .into_iter()
            .map(|competitor| (competitor.competitor_id, competitor))
            .collect();
        self.naming.apply(&store, names.values_mut())?;
        drop(snapshot);
        let page = Page {
            board: &board,
            rows: &shown,
            names: &names,
            total: rows.len(),
            paging: self.paging,
            inactive: self.inactive,
        };
        if global.json {
            say_json(&page.json())?;
        } else {
            say(&title(&board, self.inactive))?;
            say_rows(&shown, &names)?;
            say_rest(&page)?;
        }
        if board.stale {
            global.warn_stale(&board.run);
        }
        Ok(Exit::Done)
    }
}

pub(crate) fn title(board: &Board, inactive: bool) -> String {
    format!(
        "{}run {} by {}{}: {}, {}; rating = {}",
        if inactive { "inactive, " } else { "" },
        board.run.run_id,
        board.run.system,
        narrowed(&board.run),
        counted(board.run.contests, "contest"),
        board.newest_contest_at.map_or_else(
            || "none of them up to then".to_owned(),
            |at| format!("the newest on {}", words::day(at))
        ),
        conservative(board.k),
    )
}

/// What a conservative rating is.
fn conservative(k: f64) -> String {
    if k > 0.0 {
        format!("mu − {k}·sigma")
    } else {
        "mu".to_owned()
    }
}

/// What narrows the selection of a run beyond its sources: nothing, or ` (since 2024-01-01)`.
pub(crate) fn narrowed(run: &RunRow) -> String {
    let words = RunSelection::from_canonical_json(&run.selection).beyond_sources();
    if words.is_empty() {
        String::new()
    } else {
        format!(" ({})", words.join(", "))
    }
}

pub(crate) fn say_rows(
    rows: &[&Row],
    names: &HashMap<CompetitorId, CompetitorRow>,
) -> std::io::Result<()> {
    let columns = [
        Column("place", Align::Right),
        Column("name", Align::Left),
        Column("rating", Align::Right),
        Column("mu", Align::Right),
        Column("sigma", Align::Right),
        Column("contests", Align::Right),
        Column("last change", Align::Right),
        Column("last contest", Align::Left),
    ];
    let rows = rows.iter().map(|row| {
        let name = names.get(&row.competitor_id);
        vec![
            row.place.to_string(),
            name.map_or_else(|| "?".to_owned(), |competitor| competitor.name.clone()),
            format!("{:.0}", row.conservative),
            format!("{:.0}", row.mu),
            format!("{:.0}", row.sigma),
            row.contests.to_string(),
            row.last_change.map_or_else(|| "new".to_owned(), signed),
            words::day(row.last_contest_at),
        ]
    });
    say_table(&columns, rows.collect())
}

fn say_rest(page: &Page<'_>) -> std::io::Result<()> {
    let &Page {
        board,
        total,
        paging,
        inactive,
        ..
    } = page;
    let mut rest: Vec<String> = paging.rest(total, page.rows.len()).into_iter().collect();
    if !inactive && !board.inactive.is_empty() {
        rest.push(format!(
            "{} inactive: --inactive",
            count(board.inactive.len() as u64)
        ));
    }
    if rest.is_empty() {
        Ok(())
    } else {
        say(&rest.join("; "))
    }
}

/// One page of a leaderboard.
pub(crate) struct Page<'a> {
    pub(crate) board: &'a Board,
    pub(crate) rows: &'a [&'a Row],
    pub(crate) names: &'a HashMap<CompetitorId, CompetitorRow>,
    pub(crate) total: usize,
    pub(crate) paging: Paging,
    pub(crate) inactive: bool,
}

impl Page<'_> {
    pub(crate) fn json(&self) -> Value {
        let rows: Vec<Value> = self
            .rows
            .iter()
            .map(|row| {
                let competitor = self.names.get(&row.competitor_id);
                json!({
                    "place": row.place,
                    "name": competitor.map(|c| c.name.as_str()),
                    "external_id": competitor.map(|c| c.external_id.as_str()),
                    "conservative": number(Some(row.conservative)),
                    "mu": number(Some(row.mu)),
                    "sigma": number(Some(row.sigma)),
                    "contests": row.contests,
                    "last_change": number(row.last_change),
                    "last_contest_at": row.last_contest_at,
                    "active": !self.inactive,
                })
            })
            .collect();
        let run = &self.board.run;
        json!({
            "run_id": run.run_id.get(),
            "system": run.system,
            "selection": serde_json::from_str::<Value>(&run.selection).unwrap_or(Value::Null),
            "parameters": serde_json::from_str::<Value>(&run.parameters).unwrap_or(Value::Null),
            "contests": run.contests,
            "stale": self.board.stale,
            "k": number(Some(self.board.k)),
            "newest_contest_at": self.board.newest_contest_at,
            "active": self.board.active.len(),
            "inactive": self.board.inactive.len(),
            "total": self.total,
            "offset": self.paging.offset,
            "rows": rows,
        })
    }
}
