//! `ranklore leaderboard`

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};
use ranklore_contest::{ContestTime, SourceName};
use ranklore_replay::{
    Display, INACTIVE_AFTER_DAYS, Leaderboard as Board, LeaderboardOrder, LeaderboardRequest,
    Provisional, RunSelection, load_leaderboard,
};
use ranklore_store::{ProvisionalPlacement, RunRow, Store};

use crate::commands::source_argument::resolve_sources;
use crate::exit::{Exit, WrongUsage};
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
/// the estimate, sigma its uncertainty. Systems without uncertainty rank by the displayed rating.
/// Provisional ratings, of which too little is known, are marked ? and listed last. Competitors
/// without a contest in the 365 days before the newest contest are inactive and have a list of
/// their own. If sigma grows with time, it is that at the newest contest, or at --as-of.
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
    as_of: Option<ContestTime>,
    /// Show sigma as stored after the last contest, without its growth since
    #[arg(long)]
    as_stored: bool,
    /// Rank by mu − K·sigma [default: 3; 2 for elo-r; 0 for systems without uncertainty]
    #[arg(long, value_name = "K", value_parser = values::parse_factor)]
    k: Option<f64>,
    /// Number to order by, highest first [default: conservative, or rating without uncertainty]
    #[arg(long, value_name = "COLUMN", value_parser = sort_parser())]
    sort: Option<LeaderboardOrder>,
    /// Order by the lowest first
    #[arg(long)]
    reverse: bool,
    /// Place of provisional ratings
    #[arg(long, value_name = "HOW", value_enum, default_value = "last")]
    provisional: ProvisionalArg,
    /// Add the change of mu since this day or time
    #[arg(long, value_name = "DATE", value_parser = values::parse_time)]
    since: Option<ContestTime>,
    #[command(flatten)]
    naming: NamingArgs,
    #[command(flatten)]
    paging: PagingArgs,
}

/// Returns the parser of `--sort`.
fn sort_parser() -> impl TypedValueParser<Value = LeaderboardOrder> {
    let words = [
        (LeaderboardOrder::Rating, "Displayed rating"),
        (LeaderboardOrder::Conservative, "mu − k·sigma"),
        (LeaderboardOrder::Mu, "Estimated skill"),
        (LeaderboardOrder::Peak, "Highest mu"),
        (LeaderboardOrder::Sigma, "Uncertainty"),
        (LeaderboardOrder::Contests, "Rated contests"),
        (LeaderboardOrder::Change, "Change by the last contest"),
        (LeaderboardOrder::Since, "Change since the day of --since"),
        (LeaderboardOrder::Last, "End of the last contest"),
    ];
    PossibleValuesParser::new(
        words.map(|(order, help)| PossibleValue::new(order.as_str()).help(help)),
    )
    .try_map(|word| LeaderboardOrder::from_word(&word).ok_or("unknown order"))
}

/// The place of provisional ratings in the list.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum ProvisionalArg {
    /// After the established ones
    Last,
    /// Among the established ones
    Mix,
    /// Not listed
    Exclude,
    /// Listed alone
    Only,
}

impl ProvisionalArg {
    pub(crate) const fn placement(self) -> ProvisionalPlacement {
        match self {
            Self::Last => ProvisionalPlacement::Last,
            Self::Mix => ProvisionalPlacement::Mix,
            Self::Exclude => ProvisionalPlacement::Exclude,
            Self::Only => ProvisionalPlacement::Only,
        }
    }
}

impl LeaderboardArgs {
    pub(crate) fn run(mut self, global: &GlobalArgs) -> anyhow::Result<Exit> {
        self.check_times()?;
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
            as_stored: self.as_stored,
            min_contests: self.min_contests,
            inactive_after_days: self.inactive_after,
            k: self.k,
            order: self.sort,
            reverse: self.reverse,
            provisional: self.provisional.placement(),
            since: self.since,
            inactive: self.inactive,
            page: self.paging.page(),
            names: self.naming.policy(),
        };
        let board = load_leaderboard(&store, &request)?;
        drop(snapshot);
        note_pseudonyms(board.pseudonymised);
        global.print_list(&board, &columns(board.since.is_some()), || {
            print_page(&board, self.inactive)?;
            print_rest(&board, self.inactive, self.paging)
        })?;
        global.note_run(&store, &request.run, &board.run, board.stale)?;
        Ok(Exit::Done)
    }

    /// Errors if `--since`, `--as-of` and `--sort` do not agree.
    fn check_times(&self) -> Result<(), WrongUsage> {
        let reason = match (self.sort, self.since, self.as_of) {
            (_, Some(since), Some(as_of)) if since > as_of => {
                "--since is later than --as-of; give an earlier --since"
            }
            (Some(LeaderboardOrder::Since), None, _) => {
                "--sort since orders by the change since a day; name it with --since DATE"
            }
            (Some(LeaderboardOrder::Change), Some(_), _) => {
                "--sort change orders by the change by the last contest; with --since use --sort \
                 since, or leave out --since"
            }
            _ => return Ok(()),
        };
        Err(WrongUsage(reason.to_owned()))
    }
}

/// Returns the columns of CSV; the change since a time is one of them if a time was given.
pub(crate) fn columns(has_since: bool) -> Vec<&'static str> {
    let columns = [
        "place",
        "name",
        "external_id",
        "active",
        "rating",
        "provisional",
        "title",
        "conservative",
        "mu",
        "sigma",
        "stored_sigma",
        "contests",
        "last_change",
        "peak_mu",
        "last_contest_at",
    ];
    let since = has_since.then_some("change_since");
    columns.into_iter().chain(since).collect()
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
    let has_provisional = board.rows.iter().any(|row| row.standing.provisional);
    let decimals = board.display.decimals;
    TextTable::new(&board.rows)
        .right("place", |row| row.standing.place.to_string())
        .left("name", |row| row.competitor.name.clone())
        .left("title", |row| row.standing.title.unwrap_or("").to_owned())
        .only_if(!board.titles.is_empty())
        .right("rating", |row| {
            let standing = &row.standing;
            let rating = format_rating(&board.display, standing.rating, standing.provisional);
            rating + align_rating(standing.provisional, has_provisional)
        })
        .important()
        // Before the number that orders the list, which is dropped first in a narrow terminal.
        .right("change since", |row| format_change(row.change_since, decimals))
        .important()
        .only_if(board.since.is_some())
        .right("conservative", |row| format_points(row.standing.conservative, decimals))
        .only_if(board.k > 0.0)
        .right("mu", |row| format_points(row.standing.mu, decimals))
        .right("sigma", |row| format_points(row.standing.sigma, decimals))
        .right("stored sigma", |row| format_points(row.standing.stored_sigma, decimals))
        .only_if(board.sigma_as_of.is_some())
        .right("contests", |row| row.standing.contests.to_string())
        .right("last change", |row| format_change(row.standing.last_change, decimals))
        .right("peak mu", |row| format_points(row.standing.peak_mu, decimals))
        .left("last contest", |row| values::format_day(row.standing.last_contest_at))
        .ordered_by(order_heading(board.sort))
        .print()
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

/// Formats a displayed rating; a provisional one ends with a question mark.
pub(crate) fn format_rating(display: &Display, rating: f64, provisional: bool) -> String {
    let mark = if provisional { "?" } else { "" };
    format_points(rating, display.rating_decimals()) + mark
}

/// Returns the space that aligns the digits of an established rating with those before a question
/// mark in the same column.
pub(crate) const fn align_rating(provisional: bool, has_provisional: bool) -> &'static str {
    if has_provisional && !provisional {
        " "
    } else {
        ""
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

fn print_rest(board: &Board, inactive: bool, paging: PagingArgs) -> std::io::Result<()> {
    let mut notes = Vec::from_iter(describe_provisional_ratings(
        board.provisional,
        board.provisional_placement,
        &board.rule,
        board.display.decimals,
    ));
    notes.extend(paging.describe_rest(board.total, board.rows.len()));
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
