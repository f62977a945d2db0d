//! `ranklore mine`

use std::collections::HashSet;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::bail;
use clap::Args;
use ranklore_contest::{SourceName, UnixSeconds};
use ranklore_ingest::{
    DumpRequest, IncompleteContest, MinePlan, MineReport, MineRequest, Request, find_site,
    load_cookie, load_credentials, mine, plan,
};
use ranklore_store::Store;
use ranklore_views::{CellValue, Columns};

use super::mine_dump;
use super::mine_options::{SourceOptionArgs, check_list_option, site_names};
use super::mine_probe::probe_site;
use crate::commands::import_report::{INTERRUPTED, changes_in_words};
use crate::exit::{Exit, WrongUsage};
use crate::json::{DryRun, OfSource};
use crate::output::{
    escape_line, format_count, format_plural, join_words, print_failure, print_line, print_note,
    print_table,
};
use crate::progress::TerminalProgress;
use crate::values::describe_completeness;
use crate::{GlobalArgs, values};

/// Sync new and changed contests from a site
///
/// Archives every answer of the site and derives the standings from it. The first sync requests all
/// contests at the pace that the site allows, which takes minutes to hours. Ctrl-C stops it at any
/// moment; the same command resumes. Later syncs request new contests, and those whose results may
/// still change.
#[derive(Debug, Args)]
pub(crate) struct MineArgs {
    #[arg(
        value_name = "SOURCE",
        value_parser = values::parse_source,
        help = format!("Site: {}", site_names(|_| true))
    )]
    source: SourceName,
    /// Only contests that ended on or after this date
    #[arg(long, value_name = "DATE", value_parser = values::parse_site_time)]
    since: Option<UnixSeconds>,
    /// Only contests that ended before this date
    #[arg(long, value_name = "DATE", value_parser = values::parse_site_time)]
    until: Option<UnixSeconds>,
    /// Sync at most N contests: first those never synced, the oldest of them first
    #[arg(long, value_name = "N")]
    limit: Option<usize>,
    #[command(flatten)]
    depth: ExtraRequestArgs,
    #[command(flatten)]
    options: SourceOptionArgs,
    #[arg(
        long,
        value_name = "FOLDER",
        help = format!(
            "Read files saved from the site and send no requests ({})",
            site_names(|profile| profile.saved_files.is_some())
        ),
        conflicts_with_all = ["full", "refresh_names", "base_url", "interval", "dry_run"]
    )]
    from_files: Option<PathBuf>,
    #[arg(
        long,
        help = format!(
            "Read dumps of submissions (RS_…) and comments (RC_…) and send no requests ({})",
            site_names(|profile| profile.imports_archives)
        ),
        value_name = "FILE",
        num_args = 1..,
        conflicts_with_all = [
            "until", "limit", "full", "refresh_names", "from_files", "base_url", "interval",
        ]
    )]
    from_dump: Vec<PathBuf>,
    /// URL of a mirror to use in place of the site
    #[arg(long, value_name = "URL")]
    base_url: Option<String>,
    /// Seconds between requests [default: the pace of the site]; 0 only for your own mirror
    #[arg(long, value_name = "SECONDS", value_parser = values::parse_interval)]
    interval: Option<Duration>,
    /// Print the requests; send none, write nothing
    #[arg(long)]
    dry_run: bool,
    /// Test with at most 3 requests that the site still has the expected layout; write nothing
    #[arg(
        long,
        conflicts_with_all = [
            "full", "refresh_names", "limit", "since", "until", "from_files", "from_dump", "dry_run"
        ]
    )]
    probe: bool,
}

/// Requests beyond those for new contests.
#[derive(Debug, Args)]
struct ExtraRequestArgs {
    /// Request all contests again, also final ones
    #[arg(long)]
    full: bool,
    /// Look up renamed competitors now, and not only once a month
    #[arg(long, alias = "handles")]
    refresh_names: bool,
}

impl MineArgs {
    pub(crate) fn run(self, global: &GlobalArgs) -> anyhow::Result<Exit> {
        let source = self.source;
        let Some(site) = find_site(source.as_str()) else {
            let sites = site_names(|_| true);
            bail!("unknown site {source}; known sites: {sites}");
        };
        let options = self.options.parse_values(site.profile, self.since)?;
        if !self.from_dump.is_empty() {
            let request = DumpRequest {
                paths: self.from_dump,
                options: mine_dump::parse_options(site.profile, &source, &options)?,
                source,
            };
            return mine_dump::run(&request, self.dry_run, global);
        }
        let reader = (site.open)(&options).map_err(WrongUsage::from)?;
        check_list_option(site.profile, &options, &source, global)?;
        let mut request = MineRequest {
            since: self.since,
            until: self.until,
            limit: self.limit,
            full: self.depth.full,
            names: self.depth.refresh_names,
            from_files: self.from_files,
            // Only a mirror may be retried sooner than the pace of the site.
            backoff: self.base_url.as_ref().and_then(|_| backoff_of_tests()),
            base_url: self.base_url,
            interval: self.interval,
            ..MineRequest::default()
        };
        if self.dry_run {
            let store = global.open_reader_if_any()?;
            let mut plan = plan(store.as_ref(), &*reader, &request, values::now())?;
            // The plan is for all contests that are due; a sync stops at the limit.
            plan.due.truncate(request.limit.unwrap_or(usize::MAX));
            let result = DryRun::new(true, OfSource::new(&source, &plan));
            return global.print_result(&result, || print_plan(&plan, request.limit));
        }
        // A dry run sends no requests, so it needs no credentials.
        request.credentials = load_credentials(&*reader, &|name| std::env::var_os(name))?;
        request.cookie = load_cookie(&*reader, &|name| std::env::var_os(name))?;
        if self.probe {
            return probe_site(&*reader, &request, &source, global);
        }
        let progress = TerminalProgress::new();
        let mut store = Store::open_writer(global.db(), "ranklore mine")?;
        let result = mine(&mut store, &*reader, &request, values::now, &progress);
        // A first sync that failed leaves no empty database.
        store.discard_if_unused();
        let report = result?;
        progress.finish();
        global.print_result(&OfSource::new(&source, &report), || {
            print_report(&report, &source, request.from_files.is_some(), global)
        })?;
        Ok(report_exit(&report))
    }
}

fn report_exit(report: &MineReport) -> Exit {
    let is_complete = report.refused.is_empty() && report.incomplete.is_empty();
    let stopped = Exit::from_stopped(report.interrupted, report.stopped.as_ref());
    stopped.unwrap_or(Exit::Partial.unless(is_complete))
}

/// Returns the wait before a retry that tests set in `RANKLORE_BACKOFF`, in seconds. Only builds
/// with debug assertions read it.
fn backoff_of_tests() -> Option<Duration> {
    if !cfg!(debug_assertions) {
        return None;
    }
    values::parse_interval(&std::env::var("RANKLORE_BACKOFF").ok()?).ok()
}

fn print_report(
    report: &MineReport,
    source: &SourceName,
    from_files: bool,
    global: &GlobalArgs,
) -> std::io::Result<()> {
    let counts = report.contests;
    let contests = values::contests_with_results(counts.total(), report.results);
    let rare_outcomes = [
        (counts.withdrawn, "withdrawn"),
        (counts.restored, "restored"),
        (counts.without_results, "without results"),
    ];
    let rare_outcomes = rare_outcomes
        .iter()
        .filter(|(number, _)| *number > 0)
        .map(|(number, outcome)| format!("{} {outcome}", format_count(*number)));
    let changes = std::iter::once(changes_in_words(&counts.with_results)).chain(rare_outcomes);
    let answers = format_plural(report.answers, "answer");
    print_line(&format!("{source}: {contests}: {}; {answers}", join_words(changes)))?;
    if report.renamed > 0 {
        let competitors = format_plural(report.renamed, "competitor");
        print_note(&format!("{competitors} renamed"));
    }
    if !report.left_out.is_empty() {
        let kinds = report.left_out.iter();
        let counts = kinds.map(|(kind, number)| format!("{kind} ({})", format_count(*number)));
        print_note(&format!("left out: {}", join_words(counts)));
    }
    if let Some(stopped) = &report.stopped {
        print_failure(&escape_line(&stopped.why));
    }
    if report.interrupted {
        print_note(INTERRUPTED);
    }
    if !report.refused.is_empty() {
        let items = format_plural(report.refused.len() as u64, "item");
        // Saved files are read again only by the same command.
        let status = "; `ranklore status` prints the command that requests them again";
        let advice = if from_files { "" } else { status };
        print_note(&format!("{items} could not be fetched or parsed, named above{advice}"));
    }
    note_incomplete(&report.incomplete);
    if report.left > 0 {
        let contests = format_plural(report.left, "contest");
        print_note(&format!("{contests} not synced yet; run the same command again"));
    }
    if !report.stale_runs.is_empty() {
        let runs = report.stale_runs.iter().map(ToString::to_string);
        print_note(&format!("stale runs: {}", join_words(runs)));
    }
    if counts.changed() > 0 && report.stopped.is_none() && !report.interrupted {
        global.suggest(&format!("ranklore rate {source}"));
    }
    Ok(())
}

/// Names the first incomplete contests, and counts all.
fn note_incomplete(incomplete: &[IncompleteContest]) {
    for contest in incomplete.iter().take(MAX_NAMED) {
        let share = describe_completeness(&contest.completeness);
        let line = format!("contest {} is incomplete: {share}", contest.contest);
        print_note(&escape_line(&line));
    }
    if !incomplete.is_empty() {
        print_note(&format!(
            "{} incomplete and not rated: the next sync requests what is missing",
            format_plural(incomplete.len() as u64, "contest")
        ));
    }
}

fn print_plan(plan: &MinePlan, limit: Option<usize>) -> std::io::Result<()> {
    for request in &plan.first {
        print_line(&escape_line(&describe_request(request)))?;
    }
    let Some(listed_at) = plan.listed_at else {
        return print_line(&match limit {
            Some(limit) => format!(
                "then up to {} of these lists, and more lists if these have fewer",
                format_plural(limit as u64, "contest")
            ),
            None => "then every contest that the lists contain".to_owned(),
        });
    };
    let due_contests = &plan.due;
    // One request may be for several contests.
    let requests = due_contests.iter().flat_map(|contest| &contest.results);
    let requests: HashSet<String> = requests.map(Request::key).collect();
    print_line(&format!(
        "then, by the list of {}: {} for {}",
        values::format_minute(listed_at),
        format_plural(requests.len() as u64, "request"),
        format_plural(due_contests.len() as u64, "contest")
    ))?;
    if !due_contests.is_empty() {
        let first = &due_contests[..due_contests.len().min(MAX_ROWS)];
        let columns = Columns::for_rows(first)
            .left("ended", |contest| contest.ends_at.map(|at| CellValue::Day(at.get())))
            .right("contest", |contest| contest.external_id.clone())
            .left("name", |contest| contest.name.clone())
            .important();
        print_table(columns, first)?;
    }
    if due_contests.len() > MAX_ROWS {
        print_line(&format!("and {} more", due_contests.len() - MAX_ROWS))?;
    }
    for request in plan.names.iter().take(MAX_ROWS) {
        let line = format!("then {}", describe_request(request));
        print_line(&escape_line(&line))?;
    }
    if plan.names.len() > MAX_ROWS {
        print_line(&format!("and {} more", plan.names.len() - MAX_ROWS))?;
    }
    if !plan.names.is_empty() {
        print_line("then competitors whom these answers do not contain")?;
    }
    Ok(())
}

fn describe_request(request: &Request) -> String {
    format!("{}: {}", request.what, request.key())
}

/// The number of incomplete contests that are named.
const MAX_NAMED: usize = 5;

/// The number of contests that a dry run lists, and of requests for names.
const MAX_ROWS: usize = 25;

#[cfg(test)]
mod tests {
    use ranklore_store::Completeness;
    use serde_json::json;

    use super::*;

    #[test]
    fn incomplete_contest_is_in_report_and_exit_code() {
        let mut report = MineReport::default();
        assert_eq!(report_exit(&report), Exit::Done);
        let completeness = Completeness::after_sync(None, "comments", 543, 476);
        report.incomplete.push(IncompleteContest {
            contest: "3hahrw".to_owned(),
            completeness,
        });
        assert_eq!(report_exit(&report), Exit::Partial);
        assert_eq!(
            serde_json::to_value(&report).unwrap()["incomplete"],
            json!([{
                "contest": "3hahrw",
                "completeness": {
                    "items": "comments",
                    "announced": 543,
                    "arrived": 476,
                    "fruitless_syncs": 0,
                    "incomplete": true,
                },
            }])
        );
    }
}
