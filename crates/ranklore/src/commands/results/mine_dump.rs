//! `ranklore mine reddit --from-dump`

use std::path::{Path, PathBuf};

use anyhow::bail;
use ranklore_contest::SourceName;
use ranklore_ingest::{
    DumpCounts, DumpOptions, DumpPreview, DumpReport, DumpRequest, OptionValues, Profile,
    check_dump, mine_dump, preview_dump,
};
use ranklore_store::Store;
use serde_json::{Value, json};

use super::mine_options::names_of_sites;
use crate::Global;
use crate::commands::imported;
use crate::exit::{Exit, WrongUsage};
use crate::output::{Table, complain, counted, say, visible_line};
use crate::progress::Progress;

/// Reads archives of a site in place of the site.
pub(super) fn run(
    paths: Vec<PathBuf>,
    source: SourceName,
    profile: &Profile,
    options: &OptionValues,
    dry_run: bool,
    global: &Global,
) -> anyhow::Result<Exit> {
    if !profile.archives {
        bail!(WrongUsage(format!(
            "archives are read of {} alone, and not of {source}: leave --from-dump out",
            names_of_sites(|profile| profile.archives)
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
    let progress = Progress::new();
    let mut store = Store::open_writer(global.db(), "ranklore mine")?;
    let report = mine_dump(&mut store, &request, crate::words::now, &progress)?;
    drop(store);
    progress.end();
    let source = &request.source;
    let text = || say_report(&report, source, global);
    global.show(|| report_json(&report, source), text)?;
    Ok(match imported::exit_of(&report.contests) {
        Exit::Done => exit_of(&report.counts),
        exit => exit,
    })
}

/// Where temporary files go.
fn temporary() -> PathBuf {
    // What lies in /tmp is often kept in memory, which sorted archives may not fit into.
    let disk = Path::new("/var/tmp");
    match std::env::var_os("TMPDIR") {
        None if disk.is_dir() => disk.to_owned(),
        _ => std::env::temp_dir(),
    }
}

const fn exit_of(counts: &DumpCounts) -> Exit {
    Exit::InPart.unless(counts.refused == 0)
}

fn look(request: &DumpRequest, global: &Global) -> anyhow::Result<Exit> {
    let progress = Progress::new();
    let store = global.open_reader_if_any()?;
    let preview = preview_dump(store.as_ref(), request, &progress)?;
    progress.end();
    let json = || preview_json(&preview, &request.source);
    global.show(json, || say_preview(&preview))?;
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
    say(&format!(
        "dry run, nothing written: {} with {}",
        counted(preview.contests, "contest"),
        counted(preview.results, "result"),
    ))?;
    complain_of(&preview.counts, preview.known);
    Ok(())
}

fn say_report(report: &DumpReport, source: &SourceName, global: &Global) -> std::io::Result<()> {
    let of = &report.contests;
    say(&format!(
        "{source}: {} with {}: {} new, {} revised, {} unchanged",
        counted(of.added + of.revised + of.unchanged, "contest"),
        counted(of.results, "result"),
        of.added,
        of.revised,
        of.unchanged,
    ))?;
    complain_of(&report.counts, report.known);
    if !of.refused.is_empty() {
        let threads = counted(of.refused.len() as u64, "thread");
        complain(&format!("refused {threads}, named above"));
    }
    if of.interrupted {
        complain(imported::INTERRUPTED);
    } else if of.added + of.revised > 0 {
        global.suggest(&format!("ranklore rate {source}"));
    }
    Ok(())
}

/// Says what was left out.
fn complain_of(counts: &DumpCounts, known: u64) {
    for refused in &counts.refused_first {
        complain(&visible_line(&refused.to_string()));
    }
    let more = counts.refused - counts.refused_first.len() as u64;
    if more > 0 {
        complain(&format!("… and {} more", counted(more, "line")));
    }
    let left_out = [
        (counts.refused, "line", "that cannot be read, named above"),
        (counts.deleted, "comment", "by deleted accounts"),
        (counts.hidden, "comment", "whose score was not shown"),
        (counts.empty, "thread", "in which nobody stands"),
        (counts.without_thread, "thread", "known by comments alone"),
        (counts.too_large, "thread", "with too many authors"),
        (known, "thread", "of which the site itself told"),
    ];
    for (count, what, which) in left_out.into_iter().filter(|(count, ..)| *count > 0) {
        complain(&format!("left out: {} {which}", counted(count, what)));
    }
    if counts.lines > 0 && counts.lines == counts.elsewhere + counts.refused {
        let lines = counted(counts.elsewhere, "line");
        complain(&format!("nothing of this subreddit: {lines} of others"));
    }
}

fn report_json(report: &DumpReport, source: &SourceName) -> Value {
    let of = &report.contests;
    let mut json = counts_json(&report.counts, report.known);
    json["source"] = source.as_str().into();
    json["contests"] = json!({
        "added": of.added,
        "revised": of.revised,
        "unchanged": of.unchanged,
    });
    json["results"] = of.results.into();
    json["refused"] = json!(of.refused);
    json["interrupted"] = of.interrupted.into();
    json
}

fn preview_json(preview: &DumpPreview, source: &SourceName) -> Value {
    let mut json = counts_json(&preview.counts, preview.known);
    json["dry_run"] = true.into();
    json["source"] = source.as_str().into();
    json["contests"] = preview.contests.into();
    json["results"] = preview.results.into();
    json["first"] = imported::contests_json(&preview.first);
    json
}

fn counts_json(counts: &DumpCounts, known: u64) -> Value {
    let refused_first = counts.refused_first.iter().map(ToString::to_string);
    json!({
        "lines": {
            "read": counts.lines,
            "elsewhere": counts.elsewhere,
            "repeated": counts.repeated,
            "refused": counts.refused,
            "refused_first": refused_first.collect::<Value>(),
        },
        "comments": {
            "counted": counts.comments,
            "deleted": counts.deleted,
            "hidden": counts.hidden,
        },
        "threads": {
            "read": counts.threads,
            "empty": counts.empty,
            "without_thread": counts.without_thread,
            "too_large": counts.too_large,
            "known": known,
        },
    })
}
