//! `ranklore leaderboard`

use clap::Args;
use ranklore_replay::{Display, Provisional, RunSelection};
use ranklore_store::{ProvisionalPlacement, RunRow, Store};
use ranklore_views::{
    Leaderboard as Board, LeaderboardOrder, LeaderboardRequest, List as _, load_leaderboard,
};

use crate::commands::source_argument::resolve_sources;
use crate::exit::{Exit, WrongUsage};
use crate::naming::{NamingArgs, note_pseudonyms};
use crate::output::{
    format_count, format_plural, format_points, join_words, print_line, print_table,
};
use crate::paging::{describe_rest, shown_page};
use crate::run_choice::describe_run;
use crate::{GlobalArgs, values};

/// Show the leaderboard: rating, uncertainty, contests, last change
///
/// Ranks competitors by the conservative rating mu − k·sigma, a lower bound of their skill: mu is
/// the estimate, sigma its uncertainty. Systems without uncertainty rank by the displayed rating.
/// Provisional ratings, of which too little is known, are marked ? and listed last. Competitors
/// without a contest in the 365 days before the newest contest are inactive and have a list of
/// their own. If sigma grows with time, it is that at the newest contest, or at --as-of.
#[derive(Debug, Args)]
pub(crate) struct LeaderboardArgs {
    #[command(flatten)]
    request: LeaderboardRequest,
    #[command(flatten)]
    naming: NamingArgs,
}

impl LeaderboardArgs {
    pub(crate) fn run(self, global: &GlobalArgs) -> anyhow::Result<Exit> {
        let mut request = self.request;
        request
            .check()
            .map_err(|contradiction| WrongUsage(contradiction.with_options()))?;
        let store = Store::open_reader(global.db())?;
        // All reads are of one state.
        let snapshot = store.snapshot()?;
        if request.run.run.is_none() {
            request.sources = resolve_sources(&store, request.sources)?;
        }
        request.page = shown_page(request.page);
        request.names = self.naming.policy();
        let board = load_leaderboard(&store, &request)?;
        drop(snapshot);
        note_pseudonyms(board.pseudonymised);
        global.print_view(&board, || {
            print_page(&board, request.inactive)?;
            print_notes(&board, request.inactive)
        })?;
        global.note_run(&store, &request.run, &board.run, board.stale)?;
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
pub(crate) fn print_page(board: &Board, inactive: bool) -> std::io::Result<()> {
    print_line(&describe_page(board, inactive))?;
    print_table(board.columns(), &board.rows)
}

/// Describes a page: its run, the contests and the order.
fn describe_page(board: &Board, inactive: bool) -> String {
    let group = if inactive {
        "inactive competitors, "
    } else {
        ""
    };
    let newest = board.newest_contest_at.map_or_else(
        || "none by then".to_owned(),
        |at| format!("the newest on {}", values::format_day(at)),
    );
    format!(
        "{group}run {}: {}, {newest}; {}{}",
        describe_run(&board.run),
        format_plural(board.contests, "contest"),
        describe_order(board),
        describe_growth(board.sigma_as_of)
    )
}

/// Returns the heading of the column that orders the list.
const fn order_heading(order: LeaderboardOrder) -> &'static str {
    match order {
        LeaderboardOrder::Peak => "peak mu",
        LeaderboardOrder::Change => "last change",
        LeaderboardOrder::Since => "change since",
        LeaderboardOrder::Last => "last contest",
        other => other.as_str(),
    }
}

/// Describes the time up to which sigma has grown; nothing if it does not grow.
pub(crate) fn describe_growth(sigma_as_of: Option<i64>) -> String {
    sigma_as_of.map_or_else(String::new, |at| format!("; sigma as of {}", values::format_day(at)))
}

/// Describes what orders the list, what gives the places, and how the displayed rating follows from
/// mu.
fn describe_order(board: &Board) -> String {
    let direction = match board.sort {
        _ if !board.reverse => "",
        LeaderboardOrder::Last => ", earliest first",
        _ => ", lowest first",
    };
    let since = board.since.map(|at| format!("change since {}", values::format_day(at)));
    let mut parts = match (board.sort, since) {
        (LeaderboardOrder::Since, Some(since)) => vec![format!("by {since}{direction}")],
        (order, since) => {
            let order = format!("by {}{direction}", describe_number(board, order));
            std::iter::once(order).chain(since).collect()
        }
    };
    if board.ranked_by != board.sort {
        let number = describe_number(board, board.ranked_by);
        parts.push(format!("places by {number}"));
    }
    // The displayed rating needs its formula, unless it is mu or was described above.
    let is_described = [board.sort, board.ranked_by].contains(&LeaderboardOrder::Rating);
    if !is_described && describe_display(&board.display) != MU {
        parts.push(describe_number(board, LeaderboardOrder::Rating));
    }
    parts.join("; ")
}

/// Describes a number that orders a list, with its formula.
fn describe_number(board: &Board, order: LeaderboardOrder) -> String {
    match order {
        LeaderboardOrder::Conservative => format!("conservative = mu − {}·sigma", board.k),
        LeaderboardOrder::Rating => format!("rating = {}", describe_display(&board.display)),
        LeaderboardOrder::Since => "change".to_owned(),
        order => order_heading(order).to_owned(),
    }
}

/// The formula of a displayed rating that is mu.
const MU: &str = "mu";

/// Describes the formula of the displayed rating, as `mu − 2·sigma + 200`.
pub(crate) fn describe_display(display: &Display) -> String {
    let skill = match display.k {
        k if k > 0.0 => format!("{MU} − {k}·sigma"),
        _ => MU.to_owned(),
    };
    let scaled_skill = match display.scale {
        scale if scale > 1.0 => format!("{scale}·({skill})"),
        _ => skill,
    };
    let offset = match display.offset {
        offset if offset > 0.0 => format!(" + {offset}"),
        _ => String::new(),
    };
    // A rating follows at least one contest.
    let newcomer = match display.newcomer {
        [] | [_] => String::new(),
        [_, deductions @ ..] => {
            let words: Vec<String> = deductions.iter().map(f64::to_string).collect();
            let since = display.newcomer_since.map_or_else(String::new, |at| {
                format!(" (if the last ended since {})", values::format_day(at))
            });
            let contests = deductions.len();
            let deductions = words.join(", ");
            format!(", less {deductions} after 1 to {contests} contests{since}")
        }
    };
    let rounding = if display.whole {
        ", rounded, at least 0"
    } else {
        ""
    };
    scaled_skill + &offset + &newcomer + rounding
}

/// Describes the rule for provisional ratings, as `fewer than 5 contests`.
pub(crate) fn describe_provisional(rule: &Provisional, decimals: u8) -> String {
    let contests = match rule.min_contests {
        2 => "a single contest".to_owned(),
        contests => format!("fewer than {contests} contests"),
    };
    match rule.max_sigma.map(|sigma| format_points(sigma, decimals)) {
        Some(sigma) => format!("sigma above {sigma}, or {contests}"),
        None => contests,
    }
}

/// Describes the number of provisional ratings and their place in a list; nothing without any.
pub(crate) fn describe_provisional_ratings(
    count: usize,
    placement: ProvisionalPlacement,
    rule: &Provisional,
    decimals: u8,
) -> Option<String> {
    let treatment = match placement {
        ProvisionalPlacement::Last => ", listed last",
        ProvisionalPlacement::Exclude => ", not listed",
        ProvisionalPlacement::Mix | ProvisionalPlacement::Only => "",
    };
    let number = format_count(count as u64);
    let rule = describe_provisional(rule, decimals);
    (count > 0).then(|| format!("{number} provisional (?: {rule}){treatment}"))
}

fn print_notes(board: &Board, inactive: bool) -> std::io::Result<()> {
    let mut notes = Vec::from_iter(describe_provisional_ratings(
        board.provisional,
        board.provisional_placement,
        &board.rule,
        board.display.decimals,
    ));
    notes.extend(board.extent().and_then(describe_rest));
    if !inactive && board.inactive > 0 {
        let number = format_count(board.inactive as u64);
        notes.push(format!("{number} inactive (list them with --inactive)"));
    }
    if notes.is_empty() {
        Ok(())
    } else {
        print_line(&notes.join("; "))
    }
}
