//! `ranklore mine reddit --from-dump`

use std::path::{Path, PathBuf};

use ranklore_contest::SourceName;
use ranklore_ingest::{
    DumpCounts, DumpOptions, DumpPreview, DumpReport, DumpRequest, OptionValues, PreviewedContest,
    Profile, check_dump, mine_dump, preview_dump,
};
use ranklore_store::Store;
use ranklore_views::Columns;

use super::mine_options::site_names;
use crate::GlobalArgs;
use crate::commands::import_report;
use crate::exit::{Exit, WrongUsage};
use crate::json::{DryRun, OfSource};
use crate::output::{escape_line, format_plural, print_line, print_note, print_table};
use crate::progress::TerminalProgress;
use crate::values::contests_with_results;

/// Parses the options of a site for its archives. Errors if those are not read.
pub(super) fn parse_options(
    profile: &Profile,
    source: &SourceName,
    options: &OptionValues,
) -> Result<DumpOptions, WrongUsage> {
    if !profile.imports_archives {
        return Err(WrongUsage(format!(
            "--from-dump reads archives of {} only, not of {source}",
            site_names(|profile| profile.imports_archives)
        )));
    }
    Ok(DumpOptions::new(options, temp_folder())?)
}

/// Syncs from archives of a site instead of the site.
pub(super) fn run(
    request: &DumpRequest,
    dry_run: bool,
    global: &GlobalArgs,
) -> anyhow::Result<Exit> {
    check_dump(request)?;
    if dry_run {
        return print_dry_run(request, global);
    }
    let progress = TerminalProgress::new();
    let mut store = Store::open_writer(global.db(), "ranklore mine")?;
    let report = mine_dump(&mut store, request, crate::values::now, &progress)?;
    drop(store);
    progress.finish();
    let source = &request.source;
    global
        .print_result(&OfSource::new(source, &report), || print_report(&report, source, global))?;
    Ok(match import_report::report_exit(&report.import) {
        Exit::Done => counts_exit(&report.counts),
        exit => exit,
    })
}

/// Returns the folder for temporary files.
fn temp_folder() -> PathBuf {
    // /tmp is often in memory, which may be too small for sorted archives.
    let disk = Path::new("/var/tmp");
    match std::env::var_os("TMPDIR") {
        None if disk.is_dir() => disk.to_owned(),
        _ => std::env::temp_dir(),
    }
}

const fn counts_exit(counts: &DumpCounts) -> Exit {
    Exit::Partial.unless(counts.lines.refused == 0)
}

fn print_dry_run(request: &DumpRequest, global: &GlobalArgs) -> anyhow::Result<Exit> {
    let progress = TerminalProgress::new();
    let store = global.open_reader_if_any()?;
    let preview = preview_dump(store.as_ref(), request, &progress)?;
    progress.finish();
    let result = DryRun::new(true, OfSource::new(&request.source, &preview));
    global.print_result(&result, || print_preview(&preview))?;
    Ok(counts_exit(&preview.counts))
}

fn print_preview(preview: &DumpPreview) -> std::io::Result<()> {
    if !preview.first.is_empty() {
        let columns = Columns::new()
            .left("date", |contest: &PreviewedContest| contest.ends_at.to_string())
            .left("contest", |contest| contest.name.clone())
            .right("entrants", |contest| contest.entrants.to_string());
        print_table(columns, &preview.first)?;
    }
    let rest = preview.contests - preview.first.len() as u64;
    if rest > 0 {
        print_line(&format!("… and {rest} more"))?;
    }
    let contests = contests_with_results(preview.contests, preview.results);
    print_line(&format!("dry run, nothing written: {contests}"))?;
    print_skipped(&preview.counts);
    Ok(())
}

fn print_report(
    report: &DumpReport,
    source: &SourceName,
    global: &GlobalArgs,
) -> std::io::Result<()> {
    let import = &report.import;
    let contests = contests_with_results(import.contests.total(), import.results);
    let changes = import_report::changes_in_words(&import.contests);
    print_line(&format!("{source}: {contests}: {changes}"))?;
    print_skipped(&report.counts);
    if !import.refused.is_empty() {
        let threads = format_plural(import.total_refused, "thread");
        let mention = import_report::describe_mention(import.refused.len(), import.total_refused);
        print_note(&format!("refused {threads}, {mention}"));
    }
    if import.interrupted {
        print_note(import_report::INTERRUPTED);
    } else if import.contests.changed() > 0 {
        global.suggest(&format!("ranklore rate {source}"));
    }
    Ok(())
}

/// Prints the counts of skipped lines, comments and threads.
fn print_skipped(counts: &DumpCounts) {
    let DumpCounts {
        lines,
        comments,
        threads,
    } = counts;
    for refused in &lines.refused_first {
        print_note(&escape_line(refused));
    }
    let rest = lines.refused - lines.refused_first.len() as u64;
    if rest > 0 {
        print_note(&format!("… and {} more", format_plural(rest, "line")));
    }
    let left_out = [
        (lines.refused, "line", "that cannot be read, named above"),
        (comments.deleted, "comment", "by deleted accounts"),
        (comments.hidden, "comment", "whose score was not shown"),
        (threads.empty, "thread", "without entrants"),
        (threads.without_thread, "thread", "without a submission"),
        (threads.too_large, "thread", "with too many authors"),
        (threads.known, "thread", "synced from the site itself"),
    ];
    for (count, noun, reason) in left_out.into_iter().filter(|(count, ..)| *count > 0) {
        let number = format_plural(count, noun);
        print_note(&format!("left out: {number} {reason}"));
    }
    if lines.read > 0 && lines.read == lines.elsewhere + lines.refused {
        let lines = format_plural(lines.elsewhere, "line");
        print_note(&format!("no lines of this subreddit, {lines} of others"));
    }
}
