//! `ranklore contests`

use clap::Args;
use ranklore_contest::SourceName;
use ranklore_store::Store;
use ranklore_views::{ContestList, ContestListRequest, ContestOrder, List as _, load_contest_list};

use crate::commands::source_argument::resolve_source;
use crate::exit::Exit;
use crate::output::{print_line, print_table};
use crate::paging::{print_rest, shown_page};
use crate::run_choice::describe_run;
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
    #[command(flatten)]
    request: ContestListRequest,
}

impl ContestsArgs {
    pub(crate) fn run(self, global: &GlobalArgs) -> anyhow::Result<Exit> {
        let store = Store::open_reader(global.db())?;
        // All reads are of one state.
        let snapshot = store.snapshot()?;
        let mut request = self.request;
        let source = resolve_source(&store, self.source, request.run.run.as_ref())?;
        request.page = shown_page(request.page);
        let list = load_contest_list(&store, &source, &request)?;
        drop(snapshot);
        global.print_view(&list, || {
            print_rows(&list, request.order)?;
            print_rest(list.extent())
        })?;
        match &list.run {
            Some(run) => global.note_run(&store, &request.run, run, list.stale)?,
            None => global.suggest(&format!("ranklore rate {source}")),
        }
        Ok(Exit::Done)
    }
}

fn print_rows(list: &ContestList, order: ContestOrder) -> std::io::Result<()> {
    if list.total == 0 {
        return print_line("no such contest");
    }
    if let Some(run) = &list.run {
        print_line(&format!("rated by run {}", describe_run(run)))?;
    }
    print_table(list.columns().ordered_by(order.as_str()), &list.rows)
}
