//! `ranklore status`

use ranklore_ingest::{
    DatabaseStatus, HostStatus, PartialWording, RefusedItem, RunState, RunStatus, SourceStatus,
    find_site, status,
};
use ranklore_replay::{ListedSource, RunSelection, format_system};
use ranklore_store::{
    ContestRow, ContestState, ContestSync, PendingVacuum, RunRow, SCHEMA_VERSION, Store, SyncKind,
    SyncRun,
};
use serde_json::Value;

use super::sources;
use crate::commands::ratings::leaderboard::describe_filters;
use crate::completeness::arrived;
use crate::exit::Exit;
use crate::next_command::{describe_empty_selection, update_run_command};
use crate::output::{
    TextTable, escape_line, format_count, format_plural, format_size, join_words, print_line,
};
use crate::{GlobalArgs, values};

pub(crate) fn run(global: &GlobalArgs) -> anyhow::Result<Exit> {
    let store = Store::open_reader(global.db())?;
    let snapshot = store.snapshot()?;
    let standing = status(&store)?;
    let runs: Vec<RunRow> = standing.runs.iter().map(|of| of.run.clone()).collect();
    let rows: Vec<ListedSource> = (standing.sources.iter())
        .map(|of| ListedSource::load(&store, of.row.clone(), &runs))
        .collect::<Result<_, _>>()?;
    drop(snapshot);
    // In formats of rows: the sources, as in their list.
    global.print_rows(
        &with_commands(&standing, global)?,
        &rows,
        &sources::COLUMNS,
        || {
            print_database(&standing)?;
            print_sources(&standing)?;
            print_runs(&standing)?;
            print_advice(&standing, global)
        },
    )?;
    Ok(Exit::Done)
}

/// Adds to each run the command that updates it, or the reason that there is none, and to each
/// refused item the command that requests it again.
fn with_commands(standing: &DatabaseStatus, global: &GlobalArgs) -> serde_json::Result<Value> {
    let mut json = serde_json::to_value(standing)?;
    for (index, of) in standing.runs.iter().enumerate() {
        let (command, why) = update_command(of, global);
        json["runs"][index]["command"] = command.into();
        json["runs"][index]["why"] = why.into();
    }
    for (index, source) in standing.sources.iter().enumerate() {
        for (at, item) in source.refused.iter().enumerate() {
            let command = global.with_db(&retry_command(&source.row.name, item));
            json["sources"][index]["refused"][at]["command"] = command.into();
        }
    }
    Ok(json)
}

fn print_database(standing: &DatabaseStatus) -> std::io::Result<()> {
    let free = match standing.size.free_bytes {
        0 => String::new(),
        bytes => format!(", {} of it free", format_size(bytes)),
    };
    let writer = standing.writer.as_ref().map_or_else(
        || "no writer".to_owned(),
        |holder| format!("{holder} is writing"),
    );
    let line = format!(
        "{}: {}{free}; schema version {SCHEMA_VERSION}; {writer}",
        standing.path.display(),
        format_size(standing.size.bytes + standing.size.log_bytes),
    );
    print_line(&escape_line(&line))?;
    if standing.forgotten > 0 {
        let persons = format_plural(standing.forgotten, "person");
        print_line(&format!("{persons} anonymised"))?;
    }
    Ok(())
}

fn print_sources(standing: &DatabaseStatus) -> std::io::Result<()> {
    if standing.sources.is_empty() {
        return Ok(());
    }
    let now = values::now();
    let when = |last: Option<SyncRun>| match last.map(|last| last.finished_at.get()) {
        Some(at) => format!(
            "{} ({})",
            values::format_day(at),
            values::format_days_ago(at, now)
        ),
        None => "never".to_owned(),
    };
    print_line("")?;
    TextTable::new(&standing.sources)
        .left("source", |of| of.row.name.clone())
        .right("contests", |of| format_count(of.row.contests))
        .right("results", |of| format_count(of.row.results))
        .left("from", |of| sources::day_or_dash(of.row.first_ends_at))
        .left("to", |of| sources::day_or_dash(of.row.last_ends_at))
        .right("archived", |of| format_size(of.archived_bytes))
        .left("last sync", |of| when(of.last_sync))
        .left("outcome", |of| {
            of.last_sync.map(format_sync).unwrap_or_default()
        })
        .print()?;
    let lines: Vec<String> = standing.sources.iter().filter_map(format_states).collect();
    if !lines.is_empty() {
        print_line("")?;
    }
    lines
        .iter()
        .try_for_each(|line| print_line(&escape_line(line)))
}

/// Returns `codeforces: 40 final, 2 announced`; `None` if all contests are final.
fn format_states(source: &SourceStatus) -> Option<String> {
    let states = source.states.iter();
    let words =
        states.map(|(state, number)| format!("{} {}", format_count(*number), state.as_str()));
    let any_other = source.states.keys().any(|of| *of != ContestState::Final);
    any_other.then(|| format!("{}: {}", source.row.name, join_words(words)))
}

/// Returns `import: 6 new, 2 refused`, without counts of 0.
fn format_sync(last: SyncRun) -> String {
    if last.kind == SyncKind::Rebuild {
        return format!("rebuild of {}", format_plural(last.added, "contest"));
    }
    let counts = [
        (last.added, "new"),
        (last.revised, "revised"),
        (last.refused, "refused"),
    ];
    let counts = counts.iter().filter(|(number, _)| *number > 0);
    let words = counts.map(|(number, what)| format!("{} {what}", format_count(*number)));
    let (kind, words) = (last.kind.as_str(), join_words(words));
    let words = if words.is_empty() {
        "no contest changed"
    } else {
        &words
    };
    format!("{kind}: {words}")
}

fn print_runs(standing: &DatabaseStatus) -> std::io::Result<()> {
    if standing.runs.is_empty() {
        return Ok(());
    }
    let sources = |run: &RunRow| {
        let selection = RunSelection::from_canonical_json(&run.selection);
        selection.format_sources() + &describe_filters(run)
    };
    print_line("")?;
    TextTable::new(&standing.runs)
        .right("run", |of| of.run.run_id.to_string())
        .left("source", |of| sources(&of.run))
        .left("system", |of| {
            format_system(&of.run.system, &of.run.parameters)
        })
        .important()
        .left("name", |of| of.run.name.clone().unwrap_or_default())
        .important()
        .only_if(standing.runs.iter().any(|of| of.run.name.is_some()))
        .right("contests", |of| format_count(of.run.contests))
        .right("results", |of| format_count(of.run.results))
        .left("rated", |of| values::format_day(of.run.rated_at))
        .left("state", |of| of.state.as_str().to_owned())
        .important()
        .print()
}

fn print_advice(standing: &DatabaseStatus, global: &GlobalArgs) -> std::io::Result<()> {
    let mut lines = Vec::new();
    if standing.sources.is_empty() {
        lines.push("no contests yet; see ranklore import --help".to_owned());
    }
    for of in &standing.runs {
        let run = of.run.run_id;
        let (command, why) = update_command(of, global);
        if let (RunState::Stale(reason), Some(command)) = (&of.state, command) {
            lines.push(format!(
                "run {run} is stale ({reason}); update it: {command}"
            ));
        }
        lines.extend(why.map(|why| format!("run {run}: {why}")));
    }
    for source in &standing.unrated {
        let command = global.with_db(&format!("ranklore rate {source}"));
        lines.push(format!("{source} is not rated yet; rate it: {command}"));
    }
    if let Some(PendingVacuum { persons, source }) = &standing.unswept {
        let command = global.with_db(&format!("ranklore forget {source}"));
        lines.push(format!(
            "the file still has the names of {}; erase them: {command}",
            format_plural(*persons, "forgotten person")
        ));
    }
    for source in standing.sources.iter().filter(|of| of.rejected > 0) {
        let (name, contests) = (&source.row.name, format_plural(source.rejected, "contest"));
        lines.push(format!(
            "{name}: {contests} occurred in two documents of one import; the first was used"
        ));
    }
    let now = values::now().get();
    for HostStatus { host, row } in &standing.hosts {
        if let Some(until) = row.not_before_at.filter(|until| *until > now) {
            let until = values::format_minute(until);
            lines.push(format!(
                "{host} gets no requests until {until}, as it demanded"
            ));
        }
    }
    for source in &standing.sources {
        lines.extend(refused_lines(source, global));
        lines.extend(incomplete_lines(source, global));
    }
    if lines.is_empty() {
        lines.push("everything is up to date".to_owned());
    }
    print_line("")?;
    lines
        .iter()
        .try_for_each(|line| print_line(&escape_line(line)))
}

/// Returns the command that updates a run, or the reason that there is none.
fn update_command(of: &RunStatus, global: &GlobalArgs) -> (Option<String>, Option<String>) {
    match &of.state {
        RunState::Stale(_) => (Some(global.with_db(&update_run_command(&of.run))), None),
        RunState::NoContests(empty) => (None, Some(describe_empty_selection(empty))),
        RunState::NoSource(why) => (None, Some(why.clone())),
        RunState::Current | RunState::Official => (None, None),
    }
}

/// The number of refused or incomplete items of one kind that are named.
const MAX_NAMED: usize = 10;

/// Returns the refused contests and documents of a source, with the commands to request them again.
fn refused_lines(source: &SourceStatus, global: &GlobalArgs) -> Vec<String> {
    let name = &source.row.name;
    let why = |of: &ContestSync| {
        let reason = of.reason.as_deref().map(|why| format!(": {why}"));
        format!("{}{}", of.outcome.as_str(), reason.unwrap_or_default())
    };
    // A contest with results lacks only an optional part.
    let (mut documents, mut whole, mut in_part) = (Vec::new(), Vec::new(), Vec::new());
    for item in &source.refused {
        match item {
            RefusedItem::Document(sync) => documents.push(sync),
            RefusedItem::Contest(sync) if sync.is_failed() => whole.push(sync),
            RefusedItem::Contest(sync) => in_part.push(sync),
        }
    }
    let describe =
        |kind: &str, of: &ContestSync| format!("{name}: {kind}{}, {}", of.external_id, why(of));
    let contests = whole.iter().map(|of| describe("contest ", of));
    let mut lines: Vec<String> =
        limit_lines(name, documents.iter().map(|of| describe("", of))).collect();
    lines.extend(limit_lines(name, contests));
    if let Some(first) = (source.refused.iter()).find(|of| !is_in_part(of)) {
        // Documents come first: their command requests contests, too.
        lines.push(request_again_line(
            name,
            &retry_command(name, first),
            global,
        ));
    }
    if let Some(first) = in_part.first() {
        let what = partial_wording(name).what;
        lines.push(format!(
            "{name}: {} {what}, the first is {} ({})",
            format_plural(in_part.len() as u64, "contest"),
            first.external_id,
            first.reason.as_deref().unwrap_or_default(),
        ));
        let again = source.refused.iter().find(|of| is_in_part(of));
        lines.extend(again.map(|of| request_again_line(name, &retry_command(name, of), global)));
    }
    lines
}

/// Returns the first [`MAX_NAMED`] lines, and the number of the others.
fn limit_lines(
    name: &str,
    lines: impl ExactSizeIterator<Item = String>,
) -> impl Iterator<Item = String> {
    let more = lines.len().saturating_sub(MAX_NAMED) as u64;
    let more = (more > 0).then(|| format!("{name}: and {} more", format_count(more)));
    lines.take(MAX_NAMED).chain(more)
}

/// True for a contest with results that lacks only an optional part.
const fn is_in_part(item: &RefusedItem) -> bool {
    matches!(item, RefusedItem::Contest(sync) if !sync.is_failed())
}

fn partial_wording(source: &str) -> PartialWording {
    find_site(source).map_or(PartialWording::DEFAULT, |site| site.profile.partial)
}

/// Returns the command that requests an item of a source again.
fn retry_command(source: &str, item: &RefusedItem) -> String {
    let options = match item {
        RefusedItem::Contest(sync) if sync.is_failed() => String::new(),
        RefusedItem::Contest(_) => format!(" {}", partial_wording(source).option),
        // A sync without lists requests only contests that are known.
        RefusedItem::Document(_) => {
            let option = find_site(source).and_then(|site| site.profile.listing_option());
            option.map_or_else(String::new, |option| format!(" {}", option.usage()))
        }
    };
    format!("ranklore mine {source}{options}")
}

fn request_again_line(name: &str, command: &str, global: &GlobalArgs) -> String {
    let command = global.with_db(command);
    format!("{name}: request them again: {command}")
}

/// Returns the incomplete contests: those not rated, with the command that requests the rest, and
/// those rated although incomplete.
fn incomplete_lines(source: &SourceStatus, global: &GlobalArgs) -> Vec<String> {
    let name = &source.row.name;
    let arrived = |of: &ContestRow| of.completeness.as_ref().map(arrived).unwrap_or_default();
    let (held_back, rated): (Vec<&ContestRow>, Vec<&ContestRow>) =
        (source.incomplete.iter()).partition(|of| of.state == ContestState::Incomplete);
    let held_back = held_back.iter().map(|of| {
        let (id, arrived) = (&of.external_id, arrived(of));
        format!("{name}: contest {id} is incomplete and not rated: {arrived}")
    });
    let mut lines: Vec<String> = limit_lines(name, held_back).collect();
    if !lines.is_empty() {
        let command = format!("ranklore mine {name}");
        lines.push(request_again_line(name, &command, global));
    }
    if let Some(first) = rated.first() {
        lines.push(format!(
            "{name}: {} rated although incomplete, since further syncs brought nothing more; \
             the first is {} ({})",
            format_plural(rated.len() as u64, "contest"),
            first.external_id,
            arrived(first),
        ));
    }
    lines
}
