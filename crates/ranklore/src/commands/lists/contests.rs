//! `ranklore contests`

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser as _};
use ranklore_contest::{ContestTime, SourceName};
use ranklore_replay::{
    ContestList, ContestListRequest, ContestListRow, ContestOrder, load_contest_list,
};
use ranklore_store::{ContestState, Store};

use crate::commands::source_argument::resolve_source;
use crate::exit::Exit;
use crate::output::{TextTable, format_count, or_dash, print_line};
use crate::paging::PagingArgs;
use crate::run_choice::{RunArgs, describe_run};
use crate::{GlobalArgs, values};

/// List the contests of a source, and why a contest is not rated
///
/// The newest come first. The last column has the number of rated results in the run, or the reason
/// why there are none.
#[derive(Debug, Args)]
pub(crate) struct ContestsArgs {
    /// Source of the contests [default: the only one of the database]
    #[arg(value_name = "SOURCE", value_parser = values::parse_source)]
    source: Option<SourceName>,
    /// Only contests that ended on or after this date
    #[arg(long, value_name = "DATE", value_parser = values::parse_time)]
    since: Option<ContestTime>,
    /// Only contests that ended before this date
    #[arg(long, value_name = "DATE", value_parser = values::parse_time)]
    until: Option<ContestTime>,
    /// Only contests of this division
    #[arg(long, value_name = "NAME")]
    division: Option<String>,
    /// Only contests in this state; withdrawn: also those that the user withdrew
    #[arg(
        long,
        value_name = "STATE",
        value_parser = PossibleValuesParser::new([
            "announced", "running", "incomplete", "provisional", "final", "unrated", "withdrawn",
            "refused",
        ])
        .try_map(|word| ContestState::from_word(&word).ok_or("unknown state")),
    )]
    state: Option<ContestState>,
    /// Only contests with this text in the name, or an id that begins with it; case, accents and
    /// punctuation do not matter, numbers match as a whole
    #[arg(long, value_name = "TEXT")]
    name: Option<String>,
    /// Order: newest first, by name, largest first, or by division
    #[arg(
        long,
        value_name = "ORDER",
        default_value = "date",
        value_parser = PossibleValuesParser::new(["date", "name", "entrants", "division"])
            .try_map(|word| ContestOrder::from_word(&word).ok_or("unknown order")),
    )]
    sort: ContestOrder,
    /// Reverse the order
    #[arg(long)]
    reverse: bool,
    #[command(flatten)]
    run: RunArgs,
    #[command(flatten)]
    paging: PagingArgs,
}

impl ContestsArgs {
    pub(crate) fn run(self, global: &GlobalArgs) -> anyhow::Result<Exit> {
        let store = Store::open_reader(global.db())?;
        // All reads are of one state.
        let snapshot = store.snapshot()?;
        let request = ContestListRequest {
            source: resolve_source(&store, self.source, self.run.run.as_ref())?,
            run: self.run.choice(),
            since: self.since,
            until: self.until,
            division: self.division,
            state: self.state,
            name: self.name,
            order: self.sort,
            reverse: self.reverse,
            page: self.paging.page(),
        };
        let list = load_contest_list(&store, &request)?;
        drop(snapshot);
        global.print_list(&list, &COLUMNS, || {
            print_rows(&list, request.order)?;
            self.paging.print_rest(list.total, list.rows.len())
        })?;
        match &list.run {
            Some(run) => global.note_run(&store, &request.run, run, list.stale)?,
            None => global.suggest(&format!("ranklore rate {}", request.source)),
        }
        Ok(Exit::Done)
    }
}

/// The columns of CSV.
pub(crate) const COLUMNS: [&str; 21] = [
    "source",
    "contest",
    "name",
    "event",
    "division",
    "url",
    "starts_at",
    "ends_at",
    "state",
    "weight",
    "site_weight",
    "entrants",
    "revision",
    "withdrawn_at",
    "completeness.items",
    "completeness.announced",
    "completeness.arrived",
    "completeness.fruitless_syncs",
    "completeness.incomplete",
    "rated_results",
    "unrated",
];

fn print_rows(list: &ContestList, order: ContestOrder) -> std::io::Result<()> {
    if list.total == 0 {
        return print_line("no such contest");
    }
    if let Some(run) = &list.run {
        print_line(&format!("rated by run {}", describe_run(run)))?;
    }
    let has_divisions = list.rows.iter().any(|row| row.contest.division.is_some());
    TextTable::new(&list.rows)
        .left("date", |row| or_dash(row.contest.ends_at.map(values::format_day)))
        .left("name", |row| row.contest.name.clone())
        .left("id", |row| row.contest.external_id.clone())
        .left("division", |row| or_dash(row.contest.division.clone()))
        .only_if(has_divisions)
        .right("entrants", |row| format_count(row.contest.entrants.into()))
        .left("state", |row| row.contest.state.as_str().to_owned())
        .left("rated", describe_rating)
        .important()
        .ordered_by(order.as_str())
        .print()
}

/// Returns the number of rated results, or the reason why the contest is not rated.
fn describe_rating(row: &ContestListRow) -> String {
    row.unrated.map_or_else(
        || format_count(u64::from(row.rated_results)),
        |reason| reason.as_str().to_owned(),
    )
}
