//! `ranklore leaderboard`

use clap::Args;
use ranklore_contest::{SourceName, UnixSeconds};
use ranklore_replay::{
    INACTIVE_AFTER_DAYS, Leaderboard as Board, LeaderboardRequest, Row, RunSelection, leaderboard,
};
use ranklore_store::{RunId, RunRow, Store};
use serde_json::{Value, json};

use crate::exit::Exit;
use crate::naming::{Names, Naming};
use crate::output::{Table, change, count, counted, list, points, say};
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
        let page = Page::load(&store, &board, self.inactive, self.paging, self.naming)?;
        drop(snapshot);
        global.show(|| page.json(), || page.say().and_then(|()| page.say_rest()))?;
        if board.stale {
            global.warn_stale(&board.run);
        }
        Ok(Exit::Done)
    }
}

/// What narrows the selection of a run beyond its sources: nothing, or ` (since 2024-01-01)`.
pub(crate) fn narrowed(run: &RunRow) -> String {
    match list(RunSelection::from_canonical_json(&run.selection).beyond_sources()) {
        nothing if nothing.is_empty() => nothing,
        words => format!(" ({words})"),
    }
}

/// `3 by elo-mmr (since 2024-01-01)`.
pub(crate) fn run_words(run: &RunRow) -> String {
    format!("{} by {}{}", run.run_id, run.system, narrowed(run))
}

/// Adds to an object the run that it is of; nulls if there is none.
pub(crate) fn with_run(run: Option<&RunRow>, mut json: Value) -> Value {
    let stored = |json: &str| serde_json::from_str::<Value>(json).unwrap_or(Value::Null);
    json["run_id"] = json!(run.map(|run| run.run_id.get()));
    json["system"] = json!(run.map(|run| &run.system));
    json["selection"] = json!(run.map(|run| stored(&run.selection)));
    json["parameters"] = json!(run.map(|run| stored(&run.parameters)));
    json
}

/// One page of a leaderboard.
pub(crate) struct Page<'a> {
    board: &'a Board,
    rows: Vec<&'a Row>,
    names: Names,
    /// The number of rows on all pages.
    total: usize,
    paging: Paging,
    inactive: bool,
}

impl<'a> Page<'a> {
    pub(crate) fn load(
        store: &Store,
        board: &'a Board,
        inactive: bool,
        paging: Paging,
        naming: Naming,
    ) -> anyhow::Result<Self> {
        let all = if inactive {
            &board.inactive
        } else {
            &board.active
        };
        let rows: Vec<&Row> = paging.of(all);
        let names = naming.load(store, rows.iter().map(|row| row.competitor_id))?;
        let total = all.len();
        Ok(Self {
            board,
            rows,
            names,
            total,
            paging,
            inactive,
        })
    }

    pub(crate) fn say(&self) -> std::io::Result<()> {
        let (board, run) = (self.board, &self.board.run);
        let inactive = if self.inactive { "inactive, " } else { "" };
        let newest = board.newest_contest_at.map_or_else(
            || "none of them up to then".to_owned(),
            |at| format!("the newest on {}", words::day(at)),
        );
        let rating = if board.k > 0.0 {
            format!("mu − {}·sigma", board.k)
        } else {
            "mu".to_owned()
        };
        let (run, contests) = (run_words(run), counted(run.contests, "contest"));
        say(&format!(
            "{inactive}run {run}: {contests}, {newest}; rating = {rating}"
        ))?;
        Table::new(&self.rows)
            .right("place", |row| row.place.to_string())
            .left("name", |row| self.names.name(row.competitor_id).to_owned())
            .right("rating", |row| points(row.conservative))
            .right("mu", |row| points(row.mu))
            .right("sigma", |row| points(row.sigma))
            .right("contests", |row| row.contests.to_string())
            .right("last change", |row| change(row.last_change))
            .left("last contest", |row| words::day(row.last_contest_at))
            .say()
    }

    fn say_rest(&self) -> std::io::Result<()> {
        let inactive = self.board.inactive.len();
        let mut rest = Vec::from_iter(self.paging.rest(self.total, self.rows.len()));
        if !self.inactive && inactive > 0 {
            rest.push(format!("{} inactive: --inactive", count(inactive as u64)));
        }
        if rest.is_empty() {
            Ok(())
        } else {
            say(&rest.join("; "))
        }
    }

    pub(crate) fn json(&self) -> Value {
        let rows = self.rows.iter().map(|row| {
            let mut json = json!(row);
            json["name"] = json!(self.names.get(row.competitor_id).map(|of| &of.name));
            json["external_id"] = json!(self.names.external_id(row.competitor_id));
            json["active"] = json!(!self.inactive);
            json
        });
        let board = self.board;
        let json = json!({
            "contests": board.run.contests,
            "stale": board.stale,
            "k": board.k,
            "newest_contest_at": board.newest_contest_at,
            "active": board.active.len(),
            "inactive": board.inactive.len(),
            "total": self.total,
            "offset": self.paging.offset,
            "rows": rows.collect::<Value>(),
        });
        with_run(Some(&board.run), json)
    }
}
