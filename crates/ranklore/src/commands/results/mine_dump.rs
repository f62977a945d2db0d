//! `ranklore mine reddit --from-dump`

use std::path::{Path, PathBuf};

use anyhow::bail;
use ranklore_contest::SourceName;
use ranklore_ingest::{
    DumpCounts, DumpOptions, DumpPreview, DumpReport, DumpRequest, OptionValues, Profile,
    check_dump, mine_dump, preview_dump,
};
use ranklore_store::Store;

use super::mine_options::names_of_sites;
use crate::Global;
use crate::commands::imported;
use crate::exit::{Exit, WrongUsage};
use crate::json::{DryRun, OfSource};
use crate::output::{Table, complain, counted, say, visible_line};
use crate::progress::TerminalProgress;
use crate::words::contests_with_results;

/// Syncs from archives of a site instead of the site.
pub(super) fn run(
    paths: Vec<PathBuf>,
    source: SourceName,
    profile: &Profile,
    options: &OptionValues,
    dry_run: bool,
    global: &Global,
) -> anyhow::Result<Exit> {
    if !profile.imports_archives {
        bail!(WrongUsage(format!(
            "--from-dump reads archives of {} only, not of {source}",
            names_of_sites(|profile| profile.imports_archives)
        )));
    }
    let options = DumpOptions::new(options, temporary()).map_err(WrongUsage::from)?;
    let request = DumpRequest {
        paths,
        source,
        options,
    };
    check_dump(&request)?;
    if dry_run {
        return look(&request, global);
    }
    let progress = TerminalProgress::new();
    let mut store = Store::open_writer(global.db(), "ranklore mine")?;
    let report = mine_dump(&mut store, &request, crate::words::now, &progress)?;
    drop(store);
    progress.end();
    let source = &request.source;
    let text = || say_report(&report, source, global);
    global.show(&OfSource::new(source, &report), text)?;
    Ok(match imported::exit_of(&report.import) {
        Exit::Done => exit_of(&report.counts),
        exit => exit,
    })
}

/// Returns the folder for temporary files.
fn temporary() -> PathBuf {
    // /tmp is often in memory, which may be too small for sorted archives.
    let disk = Path::new("/var/tmp");
    match std::env::var_os("TMPDIR") {
        None if disk.is_dir() => disk.to_owned(),
        _ => std::env::temp_dir(),
    }
}

const fn exit_of(counts: &DumpCounts) -> Exit {
    Exit::InPart.unless(counts.lines.refused == 0)
}

fn look(request: &DumpRequest, global: &Global) -> anyhow::Result<Exit> {
    let progress = TerminalProgress::new();
    let store = global.open_reader_if_any()?;
    let preview = preview_dump(store.as_ref(), request, &progress)?;
    progress.end();
    let result = DryRun::new(true, OfSource::new(&request.source, &preview));
    global.show(&result, || say_preview(&preview))?;
    Ok(exit_of(&preview.counts))
}

fn say_preview(preview: &DumpPreview) -> std::io::Result<()> {
    if !preview.first.is_empty() {
        Table::new(&preview.first)
            .left("date", |of| of.ends_at.to_string())
            .left("contest", |of| of.name.clone())
            .right("entrants", |of| of.entrants.to_string())
            .say()?;
    }
    let more = preview.contests - preview.first.len() as u64;
    if more > 0 {
        say(&format!("… and {more} more"))?;
    }
    let contests = contests_with_results(preview.contests, preview.results);
    say(&format!("dry run, nothing written: {contests}"))?;
    complain_of(&preview.counts);
    Ok(())
}

fn say_report(report: &DumpReport, source: &SourceName, global: &Global) -> std::io::Result<()> {
    let of = &report.import;
    let contests = contests_with_results(of.contests.total(), of.results);
    let changes = imported::changes_in_words(&of.contests);
    say(&format!("{source}: {contests}: {changes}"))?;
    complain_of(&report.counts);
    if !of.refused.is_empty() {
        let threads = counted(of.refused.len() as u64, "thread");
        complain(&format!("refused {threads}, named above"));
    }
    if of.interrupted {
        complain(imported::INTERRUPTED);
    } else if of.contests.changed() > 0 {
        global.suggest(&format!("ranklore rate {source}"));
    }
    Ok(())
}

/// Prints the counts of skipped lines, comments and threads.
fn complain_of(counts: &DumpCounts) {
    let DumpCounts {
        lines,
        comments,
        threads,
    } = counts;
    for refused in &lines.refused_first {
        complain(&visible_line(refused));
    }
    let more = lines.refused - lines.refused_first.len() as u64;
    if more > 0 {
        complain(&format!("… and {} more", counted(more, "line")));
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
    for (count, what, which) in left_out.into_iter().filter(|(count, ..)| *count > 0) {
        complain(&format!("left out: {} {which}", counted(count, what)));
    }
    if lines.read > 0 && lines.read == lines.elsewhere + lines.refused {
        let lines = counted(lines.elsewhere, "line");
        complain(&format!("no lines of this subreddit, {lines} of others"));
    }
}
