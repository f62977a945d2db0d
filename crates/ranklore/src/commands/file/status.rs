//! `ranklore status`

use ranklore_ingest::{
    DatabaseStatus, HostStatus, PartialWording, RefusedItem, RunState, RunStatus, SourceStatus,
    find_site, status,
};
use ranklore_replay::{RunSelection, format_system};
use ranklore_store::{
    ContestRow, ContestState, ContestSync, PendingVacuum, RunRow, SCHEMA_VERSION, Store, SyncKind,
    SyncRun,
};
use ranklore_views::{Columns, ListedSource};
use serde_json::Value;

use super::sources::day_or_dash;
use crate::commands::ratings::leaderboard::describe_filters;
use crate::exit::Exit;
use crate::next_command::{describe_empty_selection, update_run_command};
use crate::output::{
    escape_line, format_count, format_plural, format_size, join_words, join_words_or, print_line,
    print_table,
};
use crate::values::describe_completeness;
use crate::{GlobalArgs, values};

pub(crate) fn run(global: &GlobalArgs) -> anyhow::Result<Exit> {
    let store = Store::open_reader(global.db())?;
    let snapshot = store.snapshot()?;
    let database = status(&store)?;
    let runs: Vec<RunRow> = database.runs.iter().map(|s| s.run.clone()).collect();
    let sources = database.sources.iter();
    let rows: Vec<ListedSource> = sources
        .map(|source| ListedSource::load(&store, source.row.clone(), &runs))
        .collect::<Result<_, _>>()?;
    drop(snapshot);
    // In formats of rows: the sources, as in their list.
    global.print_rows(
        &with_commands(&database, global)?,
        &rows,
        &ListedSource::columns().keys(),
        || {
            print_database(&database)?;
            print_sources(&database)?;
            print_runs(&database)?;
            print_advice(&database, global)
        },
    )
}

/// Adds to each run the command that updates it, or the reason that there is none, and to each
/// refused item the command that requests it again.
fn with_commands(database: &DatabaseStatus, global: &GlobalArgs) -> serde_json::Result<Value> {
    let mut json = serde_json::to_value(database)?;
    for (index, status) in database.runs.iter().enumerate() {
        let (command, reason) = update_command(status, global);
        json["runs"][index]["command"] = command.into();
        json["runs"][index]["why"] = reason.into();
    }
    for (index, source) in database.sources.iter().enumerate() {
        for (at, item) in source.refused.iter().enumerate() {
            let command = global.with_db(&retry_command(&source.row.name, item));
            json["sources"][index]["refused"][at]["command"] = command.into();
        }
    }
    Ok(json)
}

fn print_database(database: &DatabaseStatus) -> std::io::Result<()> {
    let free = match database.size.free_bytes {
        0 => String::new(),
        bytes => format!(", {} of it free", format_size(bytes)),
    };
    let writer = database
        .writer
        .as_ref()
        .map_or_else(|| "no writer".to_owned(), |holder| format!("{holder} is writing"));
    let path = database.path.display();
    let size = format_size(database.size.bytes + database.size.log_bytes);
    let line = format!("{path}: {size}{free}; schema version {SCHEMA_VERSION}; {writer}");
    print_line(&escape_line(&line))?;
    if database.forgotten > 0 {
        let persons = format_plural(database.forgotten, "person");
        print_line(&format!("{persons} anonymised"))?;
    }
    Ok(())
}

fn print_sources(database: &DatabaseStatus) -> std::io::Result<()> {
    if database.sources.is_empty() {
        return Ok(());
    }
    let now = values::now();
    print_line("")?;
    let columns = Columns::new()
        .left("source", |source: &SourceStatus| source.row.name.clone())
        .right("contests", |source| format_count(source.row.contests))
        .right("results", |source| format_count(source.row.results))
        .left("from", |source| day_or_dash(source.row.first_ends_at))
        .left("to", |source| day_or_dash(source.row.last_ends_at))
        .right("archived", |source| format_size(source.archived_bytes))
        .left("last sync", move |source| match &source.last_sync {
            Some(sync) => {
                let end = sync.finished_at.get();
                let day = values::format_day(end);
                format!("{day} ({})", values::format_days_ago(end, now))
            }
            None => "never".to_owned(),
        })
        .left("outcome", |source| source.last_sync.as_ref().map(format_sync));
    print_table(columns, &database.sources)?;
    let lines: Vec<String> = database.sources.iter().filter_map(format_states).collect();
    if !lines.is_empty() {
        print_line("")?;
    }
    lines.iter().try_for_each(|line| print_line(&escape_line(line)))
}

/// Returns `codeforces: 40 final, 2 announced`; `None` if all contests are final.
fn format_states(source: &SourceStatus) -> Option<String> {
    let states = source.states.iter();
    let words =
        states.map(|(state, number)| format!("{} {}", format_count(*number), state.as_str()));
    let has_other = source.states.keys().any(|s| *s != ContestState::Final);
    has_other.then(|| format!("{}: {}", source.row.name, join_words(words)))
}

/// Returns `import: 6 new, 2 refused`, without counts of 0. A failed sync ends with `failed`.
fn format_sync(last: &SyncRun) -> String {
    if last.kind == SyncKind::Rebuild {
        return format!("rebuild of {}", format_plural(last.added, "contest"));
    }
    let counts = [
        (last.added, "new"),
        (last.revised, "revised"),
        (last.withdrawn, "withdrawn"),
        (last.restored, "restored"),
        (last.refused, "refused"),
    ];
    let words = counts
        .iter()
        .filter(|(number, _)| *number > 0)
        .map(|(number, adjective)| format!("{} {adjective}", format_count(*number)))
        .chain(last.failure.as_ref().map(|_| "failed".to_owned()));
    let changes = join_words_or(words, "no contest changed");
    format!("{}: {changes}", last.kind.as_str())
}

fn print_runs(database: &DatabaseStatus) -> std::io::Result<()> {
    if database.runs.is_empty() {
        return Ok(());
    }
    print_line("")?;
    let columns = Columns::new()
        .right("run", |status: &RunStatus| status.run.run_id.to_string())
        .left("source", |status| {
            let selection = RunSelection::from_canonical_json(&status.run.selection);
            selection.format_sources() + &describe_filters(&status.run)
        })
        .left("system", |status| format_system(&status.run.system, &status.run.parameters))
        .important()
        .left("name", |status| status.run.name.clone())
        .important()
        .shown_if_any(&database.runs)
        .right("contests", |status| format_count(status.run.contests))
        .right("results", |status| format_count(status.run.results))
        .left("rated", |status| values::format_day(status.run.rated_at))
        .left("state", |status| status.state.as_str())
        .important();
    print_table(columns, &database.runs)
}

fn print_advice(database: &DatabaseStatus, global: &GlobalArgs) -> std::io::Result<()> {
    let mut lines = Vec::new();
    if database.sources.is_empty() {
        lines.push("no contests yet; see ranklore import --help".to_owned());
    }
    for status in &database.runs {
        let id = status.run.run_id;
        let (command, obstacle) = update_command(status, global);
        if let (RunState::Stale(reason), Some(command)) = (&status.state, command) {
            lines.push(format!("run {id} is stale ({reason}); update it: {command}"));
        }
        lines.extend(obstacle.map(|obstacle| format!("run {id}: {obstacle}")));
    }
    for source in &database.unrated {
        let command = global.with_db(&format!("ranklore rate {source}"));
        lines.push(format!("{source} is not rated yet; rate it: {command}"));
    }
    if let Some(PendingVacuum { persons, source }) = &database.unswept {
        let command = global.with_db(&format!("ranklore forget {source}"));
        lines.push(format!(
            "the file still has the names of {}; erase them: {command}",
            format_plural(*persons, "forgotten person")
        ));
    }
    for source in database.sources.iter().filter(|source| source.rejected > 0) {
        lines.push(format!(
            "{}: {} occurred in two documents of one import; the first was used",
            source.row.name,
            format_plural(source.rejected, "contest")
        ));
    }
    let now = values::now().get();
    for HostStatus { host, row } in &database.hosts {
        if let Some(until) = row.not_before_at.filter(|until| *until > now) {
            lines.push(format!(
                "{host} gets no requests until {}, as it demanded",
                values::format_minute(until)
            ));
        }
    }
    for source in &database.sources {
        lines.extend(failure_line(source, global));
        lines.extend(refused_lines(source, global));
        lines.extend(incomplete_lines(source, global));
    }
    if lines.is_empty() {
        lines.push("everything is up to date".to_owned());
    }
    print_line("")?;
    lines.iter().try_for_each(|line| print_line(&escape_line(line)))
}

/// Returns the command that updates a run, or the reason that there is none.
fn update_command(status: &RunStatus, global: &GlobalArgs) -> (Option<String>, Option<String>) {
    match &status.state {
        RunState::Stale(_) => (Some(global.with_db(&update_run_command(&status.run))), None),
        RunState::NoContests(empty) => (None, Some(describe_empty_selection(empty))),
        RunState::NoSource(reason) => (None, Some(reason.clone())),
        RunState::Current | RunState::Official => (None, None),
    }
}

/// The number of refused or incomplete items of one kind that are named.
const MAX_NAMED: usize = 10;

/// Returns the reason why the last sync of a source failed, with the command that repeats it.
fn failure_line(source: &SourceStatus, global: &GlobalArgs) -> Option<String> {
    let name = &source.row.name;
    let reason = source.last_sync.as_ref()?.failure.as_ref()?;
    let command = global.with_db(&format!("ranklore mine {name}"));
    Some(format!("{name}: the last sync failed: {reason}; sync again: {command}"))
}

/// Returns the refused contests and documents of a source, with the commands to request them again.
fn refused_lines(source: &SourceStatus, global: &GlobalArgs) -> Vec<String> {
    let name = &source.row.name;
    let mut documents = Vec::new();
    let mut contests = Vec::new();
    // A contest with results lacks only an optional part.
    let mut partial_syncs = Vec::new();
    for item in &source.refused {
        match item {
            RefusedItem::Document(sync) => {
                documents.push(format!("{name}: {}", describe_refusal(sync)));
            }
            RefusedItem::Contest(sync) if sync.is_failed() => {
                contests.push(format!("{name}: contest {}", describe_refusal(sync)));
            }
            RefusedItem::Contest(sync) => partial_syncs.push(sync),
        }
    }
    let mut lines: Vec<String> = limit_lines(name, documents).collect();
    lines.extend(limit_lines(name, contests));
    // Documents come first: their command requests contests, too.
    let failure = source.refused.iter().find(|item| !is_partial(item));
    lines.extend(failure.map(|item| request_again_line(name, &retry_command(name, item), global)));
    if let Some(first) = partial_syncs.first() {
        lines.push(format!(
            "{name}: {} {}, the first is {} ({})",
            format_plural(partial_syncs.len() as u64, "contest"),
            partial_wording(name).what,
            first.external_id,
            first.reason.as_deref().unwrap_or_default(),
        ));
    }
    let partial = source.refused.iter().find(|item| is_partial(item));
    lines.extend(partial.map(|item| request_again_line(name, &retry_command(name, item), global)));
    lines
}

/// Returns the id of a refused item, the outcome and the reason.
fn describe_refusal(sync: &ContestSync) -> String {
    let reason = sync.reason.as_ref();
    let reason = reason.map_or_else(String::new, |reason| format!(": {reason}"));
    format!("{}, {}{reason}", sync.external_id, sync.outcome.as_str())
}

/// Returns the first [`MAX_NAMED`] lines, and the number of the others.
fn limit_lines(name: &str, lines: Vec<String>) -> impl Iterator<Item = String> {
    let rest = lines.len().saturating_sub(MAX_NAMED) as u64;
    let rest = (rest > 0).then(|| format!("{name}: and {} more", format_count(rest)));
    lines.into_iter().take(MAX_NAMED).chain(rest)
}

/// True for a contest with results that lacks only an optional part.
const fn is_partial(item: &RefusedItem) -> bool {
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
        // A sync without lists requests only contests that the database has.
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
    let contests = source.incomplete.iter();
    let (unrated, rated): (Vec<&ContestRow>, Vec<&ContestRow>) =
        contests.partition(|contest| contest.state == ContestState::Incomplete);
    let unrated_lines = unrated.iter().map(|contest| {
        let id = &contest.external_id;
        let share = describe_share(contest);
        format!("{name}: contest {id} is incomplete and not rated: {share}")
    });
    let mut lines: Vec<String> = limit_lines(name, unrated_lines.collect()).collect();
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
            describe_share(first),
        ));
    }
    lines
}

/// Returns the share of an incomplete contest that arrived.
fn describe_share(contest: &ContestRow) -> String {
    let completeness = contest.completeness.as_ref();
    completeness.map(describe_completeness).unwrap_or_default()
}
