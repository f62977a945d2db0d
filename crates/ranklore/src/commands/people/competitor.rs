//! `ranklore competitor`

use clap::{Args, Subcommand};
use ranklore_contest::{EntrantKind, SourceName};
use ranklore_ingest::decide;
use ranklore_replay::find_source;
use ranklore_store::{Decision, DecisionAction, DecisionRow, Store};
use ranklore_views::{CellValue, Columns, Page};

use crate::exit::Exit;
use crate::json::OfSource;
use crate::next_command::rate_source_command;
use crate::output::{
    format_plural, join_words, output_format, print_line, print_note, print_table, quote,
};
use crate::paging::{list_page, print_rest};
use crate::{GlobalArgs, values};

/// Manage competitors: merge, split or rename accounts
///
/// The results stay as they were published. Each decision is stored with its time and note, and
/// every rebuild applies it again.
#[derive(Debug, Args)]
pub(crate) struct CompetitorArgs {
    #[command(subcommand)]
    action: CompetitorAction,
}

#[derive(Debug, Subcommand)]
enum CompetitorAction {
    /// Count the results of one account for another account
    ///
    /// If both took part in a contest, the better place counts. The results of both stay stored.
    Merge {
        /// Source of both accounts
        #[arg(value_name = "SOURCE", value_parser = values::parse_source)]
        source: SourceName,
        /// Account to merge
        #[arg(value_name = "FROM")]
        from: String,
        /// Account that gets the results
        #[arg(value_name = "INTO")]
        into: String,
        #[command(flatten)]
        args: DecisionArgs,
    },
    /// Undo a merge: rate the account on its own again
    Split {
        /// Source of the account
        #[arg(value_name = "SOURCE", value_parser = values::parse_source)]
        source: SourceName,
        /// Account that was merged
        #[arg(value_name = "NAME")]
        name: String,
        #[command(flatten)]
        args: DecisionArgs,
    },
    /// Show a competitor under another name
    Rename {
        /// Source of the competitor
        #[arg(value_name = "SOURCE", value_parser = values::parse_source)]
        source: SourceName,
        /// Handle or current name
        #[arg(value_name = "NAME")]
        name: String,
        /// Name to show
        #[arg(value_name = "NEW")]
        new: String,
        #[command(flatten)]
        args: DecisionArgs,
    },
    /// List merges, splits, renames and withdrawals, newest first
    Decisions {
        /// Source of the decisions
        #[arg(value_name = "SOURCE", value_parser = values::parse_source)]
        source: SourceName,
        #[command(flatten)]
        paging: Page,
    },
}

#[derive(Debug, Args)]
struct DecisionArgs {
    /// Kind of the competitor, if several share a name: person, team or couple
    #[arg(long, value_name = "KIND", value_parser = values::parse_kind)]
    kind: Option<EntrantKind>,
    /// Reason, stored with the decision
    #[arg(long, value_name = "TEXT")]
    note: Option<String>,
}

impl CompetitorArgs {
    pub(crate) fn run(self, global: &GlobalArgs) -> anyhow::Result<Exit> {
        let (action, source, subject, object, args) = match self.action {
            CompetitorAction::Decisions { source, paging } => {
                return list_decisions(global, &source, paging);
            }
            CompetitorAction::Merge {
                source,
                from,
                into,
                args,
            } => (DecisionAction::Merge, source, from, Some(into), args),
            CompetitorAction::Split { source, name, args } => {
                (DecisionAction::Split, source, name, None, args)
            }
            CompetitorAction::Rename {
                source,
                name,
                new,
                args,
            } => (DecisionAction::Rename, source, name, Some(new), args),
        };
        let request = Decision {
            action,
            kind: args.kind,
            subject,
            object,
        };
        apply_decision(global, &source, request, args.note.as_deref())
    }
}

/// Stores a decision and prints it.
pub(crate) fn apply_decision(
    global: &GlobalArgs,
    source: &SourceName,
    request: Decision,
    note: Option<&str>,
) -> anyhow::Result<Exit> {
    let mut store = global.open_writer("ranklore competitor")?;
    let outcome = decide(&mut store, source, request, note, values::now())?;
    drop(store);
    global.print_result(&outcome, || {
        let decision = describe_decision(&outcome.decision);
        print_line(&format!("{source}: {decision}"))
    })?;
    if !outcome.changed && !output_format().is_data() {
        print_note("nothing changed: this was decided before");
    }
    if !outcome.namesakes.is_empty() {
        let namesakes = join_words(outcome.namesakes.iter().map(|name| quote(name)));
        print_note(&format!("warning: other competitors have this name, too: {namesakes}"));
    }
    if outcome.changes_ratings && !output_format().is_data() {
        global.suggest(&rate_source_command(source));
    }
    Ok(Exit::Done)
}

fn describe_decision(decision: &Decision) -> String {
    let subject = quote(&decision.subject);
    let object = quote(decision.object.as_deref().unwrap_or_default());
    match decision.action {
        DecisionAction::Merge => format!("the results of {subject} count for {object}"),
        DecisionAction::Split => format!("{subject} is rated on its own"),
        DecisionAction::Rename => format!("{subject} is shown as {object}"),
        DecisionAction::Withdraw => format!("contest {subject} is excluded from rating"),
        DecisionAction::Restore => format!("contest {subject} is included in rating"),
        DecisionAction::Undo => format!("the import of {subject} is undone"),
        DecisionAction::Remove => format!("source {subject} is removed"),
    }
}

fn list_decisions(global: &GlobalArgs, source: &SourceName, paging: Page) -> anyhow::Result<Exit> {
    let store = Store::open_reader(global.db())?;
    let mut decisions = store.decisions(find_source(&store, source)?)?;
    // The list begins with the newest.
    decisions.reverse();
    let page = list_page(paging, decisions);
    let result = OfSource::new(source, &page);
    global.print_rows(&result, &page, &decision_columns().keys(), || {
        let decisions = format_plural(page.total as u64, "decision");
        print_line(&format!("{source}: {decisions}"))?;
        print_table(decision_columns(), &page.rows)?;
        print_rest(Some(page.extent()))
    })
}

/// Returns the columns of decisions.
fn decision_columns() -> Columns<'static, DecisionRow> {
    Columns::new()
        .right(("decision_id", "decision"), |row: &DecisionRow| row.decision_id.to_string())
        .left(("decided_at", "date"), |row| CellValue::Day(row.decided_at))
        .left(("act", "action"), |row| row.decision.action.as_str())
        .important()
        .data(&["kind"])
        .left("subject", |row| CellValue::text(&row.decision.subject))
        .important()
        .left("object", |row| row.decision.object.clone())
        .left("note", |row| row.note.clone())
}
