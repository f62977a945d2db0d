//! `ranklore players`

use clap::Args;
use ranklore_store::Store;
use ranklore_views::{List as _, PlayerList, PlayerListRequest, load_player_list};

use crate::GlobalArgs;
use crate::commands::ratings::leaderboard::describe_growth;
use crate::commands::source_argument::resolve_source_or_text;
use crate::exit::Exit;
use crate::naming::{NamingArgs, note_pseudonyms};
use crate::output::{print_line, print_table};
use crate::paging::{print_rest, shown_page};
use crate::run_choice::describe_run;

/// List the competitors of a source, or search them by a part of the name
///
/// Lists all competitors, also those without a rating, in the order of the leaderboard. With TEXT,
/// only those with this text in the name, an earlier name or the id; case and accents do not matter.
#[derive(Debug, Args)]
pub(crate) struct PlayersArgs {
    /// Source of the competitors [default: the only one of the database]
    #[arg(value_name = "SOURCE")]
    source: Option<String>,
    #[command(flatten)]
    request: PlayerListRequest,
    #[command(flatten)]
    naming: NamingArgs,
}

impl PlayersArgs {
    pub(crate) fn run(self, global: &GlobalArgs) -> anyhow::Result<Exit> {
        let store = Store::open_reader(global.db())?;
        // All reads are of one state.
        let snapshot = store.snapshot()?;
        let mut request = self.request;
        let run = request.run.run.as_ref();
        let (source, text) = resolve_source_or_text(&store, self.source, request.text, run)?;
        request.text = text;
        request.page = shown_page(request.page);
        request.names = self.naming.policy();
        let list = load_player_list(&store, &source, &request)?;
        drop(snapshot);
        note_pseudonyms(list.pseudonymised);
        global.print_view(&list, || {
            print_rows(&list)?;
            print_rest(list.extent())
        })?;
        match &list.run {
            Some(run) => global.note_run(&store, &request.run, run, list.stale)?,
            None => global.suggest(&format!("ranklore rate {source}")),
        }
        Ok(Exit::Done)
    }
}

fn print_rows(list: &PlayerList) -> std::io::Result<()> {
    if list.total == 0 {
        return print_line("no such competitor");
    }
    if let Some(run) = &list.run {
        let growth = describe_growth(list.sigma_as_of);
        print_line(&format!("rated by run {}{growth}", describe_run(run)))?;
    }
    print_table(list.columns(), &list.rows)
}
