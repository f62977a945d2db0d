//! `ranklore leaderboard`

use clap::Args;
use ranklore_contest::{SourceName, UnixSeconds};
use ranklore_replay::{
    INACTIVE_AFTER_DAYS, Leaderboard as Board, LeaderboardRequest, RunSelection, load_leaderboard,
};
use ranklore_store::{RunRow, Store};

use crate::commands::source_argument::resolve_sources;
use crate::exit::Exit;
use crate::naming::{NamingArgs, note_pseudonyms};
use crate::output::{
    TextTable, format_change, format_count, format_plural, format_points, join_words, print_line,
};
use crate::paging::PagingArgs;
use crate::run_choice::{RunArgs, describe_run};
use crate::{GlobalArgs, values};

/// Show the leaderboard: rating, uncertainty, contests, last change
///
/// Ranks competitors by the conservative rating mu − k·sigma, a lower bound of their skill: mu is
/// the estimate, sigma its uncertainty. Competitors without a contest in the 365 days before the
/// newest contest are inactive and have a list of their own.
#[derive(Debug, Args)]
pub(crate) struct LeaderboardArgs {
    /// Rated source; of a run over several sources, all of them [default: the only one of the database]
    #[arg(value_name = "SOURCE", value_parser = values::parse_source)]
    sources: Vec<SourceName>,
    #[command(flatten)]
    run: RunArgs,
    /// Only competitors with at least N rated contests
    #[arg(long, value_name = "N", default_value_t = 1)]
    min_contests: u32,
    /// A competitor without a contest in the last DAYS of the run is inactive
    #[arg(long, value_name = "DAYS", default_value_t = INACTIVE_AFTER_DAYS)]
    inactive_after: u32,
    /// List the inactive competitors
    #[arg(long)]
    inactive: bool,
    /// Show the state at the end of this day, or at this time
    #[arg(long, value_name = "DATE", value_parser = values::parse_end_time)]
    as_of: Option<UnixSeconds>,
    /// Rank by mu − K·sigma [default: 3; 2 for elo-r; 0 for systems without uncertainty]
    #[arg(long, value_name = "K", value_parser = values::parse_factor)]
    k: Option<f64>,
    #[command(flatten)]
    naming: NamingArgs,
    #[command(flatten)]
    paging: PagingArgs,
}

impl LeaderboardArgs {
    pub(crate) fn run(mut self, global: &GlobalArgs) -> anyhow::Result<Exit> {
        let store = Store::open_reader(global.db())?;
        // All reads are of one state.
        let snapshot = store.snapshot()?;
        if self.run.run.is_none() {
            self.sources = resolve_sources(&store, self.sources)?;
        }
        let request = LeaderboardRequest {
            sources: self.sources,
            run: self.run.choice(),
            as_of: self.as_of,
            min_contests: self.min_contests,
            inactive_after_days: self.inactive_after,
            k: self.k,
            inactive: self.inactive,
            page: self.paging.page(),
            names: self.naming.policy(),
        };
        let board = load_leaderboard(&store, &request)?;
        drop(snapshot);
        note_pseudonyms(board.pseudonymised);
        global.print_result(&board, || {
            say_page(&board, self.inactive)?;
            print_rest(&board, self.inactive, self.paging)
        })?;
        if board.stale {
            global.warn_stale(&store, &board.run)?;
        }
        Ok(Exit::Done)
    }
}

/// Returns the filters of a run other than its sources, as ` (since 2024-01-01)`; empty without.
pub(crate) fn describe_filters(run: &RunRow) -> String {
    match join_words(RunSelection::from_canonical_json(&run.selection).describe_filters()) {
        nothing if nothing.is_empty() => nothing,
        words => format!(" ({words})"),
    }
}

/// Prints the rows of a page.
pub(crate) fn say_page(board: &Board, inactive: bool) -> std::io::Result<()> {
    let inactive = if inactive {
        "inactive competitors, "
    } else {
        ""
    };
    let newest = board.newest_contest_at.map_or_else(
        || "none by then".to_owned(),
        |at| format!("the newest on {}", values::format_day(at)),
    );
    let rating = if board.k > 0.0 {
        format!("mu − {}·sigma", board.k)
    } else {
        "mu".to_owned()
    };
    let (run, contests) = (
        describe_run(&board.run),
        format_plural(board.contests, "contest"),
    );
    print_line(&format!(
        "{inactive}run {run}: {contests}, {newest}; rating = {rating}"
    ))?;
    TextTable::new(&board.rows)
        .right("place", |row| row.standing.place.to_string())
        .left("name", |row| row.competitor.name.clone())
        .right("rating", |row| format_points(row.standing.conservative))
        .right("mu", |row| format_points(row.standing.mu))
        .right("sigma", |row| format_points(row.standing.sigma))
        .right("contests", |row| row.standing.contests.to_string())
        .right("last change", |row| format_change(row.standing.last_change))
        .left("last contest", |row| {
            values::format_day(row.standing.last_contest_at)
        })
        .print()
}

fn print_rest(board: &Board, inactive: bool, paging: PagingArgs) -> std::io::Result<()> {
    let mut rest = Vec::from_iter(paging.describe_rest(board.total, board.rows.len()));
    if !inactive && board.inactive > 0 {
        rest.push(format!(
            "{} inactive (list them with --inactive)",
            format_count(board.inactive as u64)
        ));
    }
    if rest.is_empty() {
        Ok(())
    } else {
        print_line(&rest.join("; "))
    }
}
