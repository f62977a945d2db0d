//! `ranklore sources` and `ranklore source list`

use clap::Args;
use ranklore_store::Store;
use ranklore_views::{List as _, SourceListRequest, load_source_list};

use crate::exit::Exit;
use crate::output::{or_dash, print_table};
use crate::paging::{print_rest, shown_page};
use crate::{GlobalArgs, values};

/// List the sources of the database: contests, results, dates, runs, last sync
///
/// The same list as ranklore source list. ranklore source show has the settings and the runs of one
/// source; ranklore mine --help lists the sites that can be synced.
#[derive(Debug, Args)]
pub(crate) struct SourcesArgs {
    #[command(flatten)]
    request: SourceListRequest,
}

impl SourcesArgs {
    pub(crate) fn run(self, global: &GlobalArgs) -> anyhow::Result<Exit> {
        let store = Store::open_reader(global.db())?;
        let snapshot = store.snapshot()?;
        let mut request = self.request;
        request.page = shown_page(request.page);
        let list = load_source_list(&store, &request)?;
        drop(snapshot);
        global.print_view(&list, || {
            print_table(list.columns(), &list.rows)?;
            print_rest(list.extent())
        })
    }
}

/// Returns the day, or a dash.
pub(crate) fn day_or_dash(at: Option<i64>) -> String {
    or_dash(at.map(values::format_day))
}
