//! `ranklore players`

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser as _};
use ranklore_contest::EntrantKind;
use ranklore_replay::{
    PlayerList, PlayerListRequest, PlayerListRow, PlayerOrder, PlayerRating, find_display,
    load_player_list,
};
use ranklore_store::Store;

use crate::commands::ratings::leaderboard::{describe_growth, format_rating};
use crate::commands::source_argument::resolve_source_or_text;
use crate::exit::Exit;
use crate::naming::{NamingArgs, note_pseudonyms};
use crate::output::{TextTable, format_count, format_points, or_dash, print_line};
use crate::paging::PagingArgs;
use crate::run_choice::{RunArgs, describe_run};
use crate::{GlobalArgs, values};

/// List the competitors of a source, or search them by a part of the name
///
/// Lists all competitors, also those without a rating, in the order of the leaderboard. With TEXT,
/// only those with this text in the name, an earlier name or the id; case and accents do not matter.
#[derive(Debug, Args)]
pub(crate) struct PlayersArgs {
    /// Source of the competitors [default: the only one of the database]
    #[arg(value_name = "SOURCE")]
    source: Option<String>,
    /// Part of a name, of an earlier name or of an id
    #[arg(value_name = "TEXT")]
    text: Option<String>,
    /// Only person, team or couple
    #[arg(long, value_name = "KIND", value_parser = values::parse_kind)]
    kind: Option<EntrantKind>,
    /// Order: by rating, by name, most contests first, or latest contest first
    #[arg(
        long,
        value_name = "ORDER",
        default_value = "rating",
        value_parser = PossibleValuesParser::new(["rating", "name", "contests", "last"])
            .try_map(|word| PlayerOrder::from_word(&word).ok_or("unknown order")),
    )]
    sort: PlayerOrder,
    /// Reverse the order
    #[arg(long)]
    reverse: bool,
    #[command(flatten)]
    run: RunArgs,
    /// Show sigma as stored after the last contest, without its growth since
    #[arg(long)]
    as_stored: bool,
    #[command(flatten)]
    naming: NamingArgs,
    #[command(flatten)]
    paging: PagingArgs,
}

impl PlayersArgs {
    pub(crate) fn run(self, global: &GlobalArgs) -> anyhow::Result<Exit> {
        let store = Store::open_reader(global.db())?;
        // All reads are of one state.
        let snapshot = store.snapshot()?;
        let run = self.run.run.as_ref();
        let (source, text) = resolve_source_or_text(&store, self.source, self.text, run)?;
        let request = PlayerListRequest {
            source,
            run: self.run.choice(),
            as_stored: self.as_stored,
            text,
            kind: self.kind,
            order: self.sort,
            reverse: self.reverse,
            page: self.paging.page(),
            names: self.naming.policy(),
        };
        let list = load_player_list(&store, &request)?;
        drop(snapshot);
        note_pseudonyms(list.pseudonymised);
        global.print_list(&list, &COLUMNS, || {
            print_rows(&list)?;
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
pub(crate) const COLUMNS: [&str; 11] = [
    "name",
    "external_id",
    "kind",
    "rating",
    "provisional",
    "conservative",
    "mu",
    "sigma",
    "stored_sigma",
    "contests",
    "last_contest_at",
];

fn print_rows(list: &PlayerList) -> std::io::Result<()> {
    if list.total == 0 {
        return print_line("no such competitor");
    }
    if let Some(run) = &list.run {
        let growth = describe_growth(list.sigma_as_of);
        print_line(&format!("rated by run {}{growth}", describe_run(run)))?;
    }
    let display = list.run.as_ref().map(find_display).unwrap_or_default();
    let has_only_people = list.rows.iter().all(|row| row.kind == EntrantKind::Person);
    let is_rated = list.run.is_some();
    let has_growth = list.sigma_as_of.is_some();
    let mut competitors = list.rows.iter().map(|row| &row.competitor);
    let has_ids = competitors.any(|competitor| competitor.external_id != competitor.name);
    TextTable::new(&list.rows)
        .left("name", |row| row.competitor.name.clone())
        .left("id", |row| row.competitor.external_id.clone())
        .only_if(has_ids)
        .left("kind", |row| row.kind.as_str().to_owned())
        .only_if(!has_only_people)
        .right("rating", |row| {
            rating_or_dash(row, |r| format_rating(&display, r.rating, r.provisional))
        })
        .important()
        .only_if(is_rated)
        .right("conservative", |row| {
            rating_or_dash(row, |r| format_points(r.conservative, display.decimals))
        })
        .only_if(is_rated)
        .right("mu", |row| {
            rating_or_dash(row, |rating| format_points(rating.mu, display.decimals))
        })
        .only_if(is_rated)
        .right("sigma", |row| {
            rating_or_dash(row, |rating| format_points(rating.sigma, display.decimals))
        })
        .only_if(has_growth)
        .right("stored sigma", |row| {
            rating_or_dash(row, |r| format_points(r.stored_sigma, display.decimals))
        })
        .only_if(has_growth)
        .right("contests", |row| format_count(u64::from(row.contests)))
        .left("last contest", |row| or_dash(row.last_contest_at.map(values::format_day)))
        .print()
}

/// Returns the text of a rating; a dash without one.
fn rating_or_dash(row: &PlayerListRow, format: impl Fn(&PlayerRating) -> String) -> String {
    or_dash(row.rating.as_ref().map(format))
}
