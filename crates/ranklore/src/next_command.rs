//! Commands to suggest: libraries state facts, the command line turns them into commands.

use std::error::Error;
use std::path::Path;

use ranklore_contest::{SourceName, quote_for_shell};
use ranklore_ingest::{CredentialsError, DatasetError};
use ranklore_replay::{
    EmptySelection, Error as ReplayError, RunSelection, SYSTEMS, SystemName, format_system,
};
use ranklore_store::{ContestRow, OFFICIAL, RunRow};
use ranklore_views::UnratedReason;

const CHOOSE_RUN: &str = ", or choose a run with --run";

/// Returns the command that brings a run up to date.
pub(crate) fn update_run_command(run: &RunRow) -> String {
    let selection = RunSelection::from_canonical_json(&run.selection);
    let system = format_system(&run.system, &run.parameters);
    let default_system = run
        .default_system
        .as_deref()
        // A later version may know more systems.
        .and_then(|name| SystemName::find(name).ok())
        .unwrap_or(SYSTEMS[0]);
    let is_default = system == default_system.as_str();
    let command = rate_command(&selection, Some(&*system).filter(|_| !is_default));
    // The run has left out what its system does not rate.
    match SystemName::find(&run.system) {
        Ok(system) if system.about().max_entrants.is_some() => {
            format!("{command} --skip-unsupported")
        }
        _ => command,
    }
}

/// Returns the command that rates a source with the default system.
pub(crate) fn rate_source_command(source: &SourceName) -> String {
    default_rate_command(&RunSelection::from_source(source))
}

/// Returns the advice for a contest that is not rated; `None` if no command rates it. `complete` is
/// that of [`describe_error`].
pub(crate) fn contest_advice(
    contest: &ContestRow,
    run: Option<&RunRow>,
    reason: UnratedReason,
    complete: impl Fn(&str) -> String,
) -> Option<String> {
    let source = SourceName::new(&contest.source).ok();
    let rate = source.map(|source| complete(&rate_source_command(&source)));
    match (reason, run) {
        (UnratedReason::Withdrawn, _) => {
            let undo = complete(&undo_command(&contest.source, &contest.external_id));
            Some(format!("`{undo}` includes it again"))
        }
        (UnratedReason::NotYet, None) => Some(format!("`{}` rates it", rate?)),
        (UnratedReason::NotSelected, _) => Some(format!("`{}` rates it, in another run", rate?)),
        // A stale run has a warning of its own.
        _ => None,
    }
}

/// Returns the text of an empty selection, with the command that includes its newest withdrawn
/// contest again if there is one.
pub(crate) fn describe_empty_selection(empty: &EmptySelection) -> String {
    let command = undo_withdrawal_command(empty);
    let advice = command.map_or_else(String::new, |undo| format!("; `{undo}` includes one again"));
    format!("{empty}{advice}")
}

/// Returns the text of an error and its causes, each with the command to try. `complete` adds the
/// global options to a command.
pub(crate) fn describe_error(error: &anyhow::Error, complete: impl Fn(&str) -> String) -> String {
    let texts = error.chain().map(|cause| {
        let advice = find_advice(cause, &complete).unwrap_or_default();
        format!("{cause}{advice}")
    });
    texts.collect::<Vec<_>>().join(": ")
}

fn find_advice(cause: &(dyn Error + 'static), complete: impl Fn(&str) -> String) -> Option<String> {
    let cause = unwrap_ingest_error(cause);
    if let Some(CredentialsError::Exposed { path, .. }) = cause.downcast_ref() {
        return Some(format!(": run chmod 600 {}", quote_path(path)));
    }
    if let Some(ranklore_ingest::Error::VacuumFailed { source_name, .. }) = cause.downcast_ref() {
        let command = complete(&format!("ranklore forget {source_name}"));
        return Some(format!("; fix this, then run `{command}`"));
    }
    if let Some(error) = cause.downcast_ref() {
        return dataset_advice(error);
    }
    match cause.downcast_ref() {
        Some(ranklore_publish::Error::NoDataset { .. }) => {
            Some("; name a folder that ranklore export wrote".to_owned())
        }
        Some(ranklore_publish::Error::UnknownCompetitor { .. }) => {
            Some("; run ranklore check for details".to_owned())
        }
        _ => replay_advice(cause.downcast_ref()?, complete),
    }
}

/// Returns the error of another library that an error of the ingest library passes on, or the error
/// itself.
fn unwrap_ingest_error<'a>(cause: &'a (dyn Error + 'static)) -> &'a (dyn Error + 'static) {
    match cause.downcast_ref() {
        Some(ranklore_ingest::Error::Dataset(DatasetError::Publish(error))) => error,
        Some(ranklore_ingest::Error::Dataset(error)) => error,
        Some(ranklore_ingest::Error::Replay(error)) => error,
        _ => cause,
    }
}

fn replay_advice(error: &ReplayError, complete: impl Fn(&str) -> String) -> Option<String> {
    let (before, command, after) = match error {
        ReplayError::NoCompetitor(missing) if missing.candidates.is_empty() => {
            let command = format!("ranklore leaderboard {}", missing.source_name);
            ("; ", command, " lists the rated competitors")
        }
        ReplayError::NotEnded { .. } => {
            return Some("; use a later --as-of, or leave it out".to_owned());
        }
        ReplayError::NoContests(empty) => {
            ("; ", undo_withdrawal_command(empty)?, " includes one again")
        }
        ReplayError::OversizedContests(oversized) => {
            let skip = ", or leave these contests out with --skip-unsupported";
            return Some(format!(
                "; use --system elo-pairwise, which compares all pairs of a contest{}",
                if oversized.are_all() { "" } else { skip }
            ));
        }
        ReplayError::NoRun { known, .. } if known.is_empty() => {
            return Some(": run `ranklore rate` first".to_owned());
        }
        ReplayError::NotRated { selection } => {
            (": run ", default_rate_command(selection), " first")
        }
        ReplayError::NotRatedBySystem { system, .. } if system == OFFICIAL => {
            let advice = "; it holds ratings that a site publishes and `ranklore mine` stores";
            return Some(format!("{advice}, so use --system with another system"));
        }
        ReplayError::NotRatedBySystem {
            system,
            selection,
            runs,
        } => {
            let alternative = if runs.is_empty() { "" } else { CHOOSE_RUN };
            (": run ", rate_command(selection, Some(system)), alternative)
        }
        ReplayError::OnlyPartialRuns { runs, .. } if runs.iter().all(covers_division) => {
            return Some("; choose one with --run".to_owned());
        }
        ReplayError::OnlyPartialRuns { selection, .. } => {
            (": run ", default_rate_command(selection), CHOOSE_RUN)
        }
        ReplayError::StaleRun { run, .. } => ("; run ", update_run_command(run), " first"),
        _ => return None,
    };
    Some(format!("{before}`{}`{after}", complete(&command)))
}

/// True if a run covers one division, such as those of a site that rates each division apart.
fn covers_division(run: &RunRow) -> bool {
    RunSelection::from_canonical_json(&run.selection).division.is_some()
}

/// Returns the names or runs to choose from, to be listed after the text of an error.
pub(crate) fn list_candidates(error: &anyhow::Error) -> Vec<String> {
    let mut causes = error.chain().filter_map(|cause| unwrap_ingest_error(cause).downcast_ref());
    causes.next().map(ReplayError::candidates).unwrap_or_default()
}

fn dataset_advice(error: &DatasetError) -> Option<String> {
    let advice = match error {
        DatasetError::SeveralSources | DatasetError::UnknownTerms { .. } => ": leave out --source",
        DatasetError::InvalidDataset { folder, .. } => {
            let folder = quote_path(folder);
            return Some(format!(
                "; download it again, or list all problems: ranklore verify {folder}"
            ));
        }
        DatasetError::ConflictingNumbers { .. } => {
            "; import it under another name with --source, or into another database with --db"
        }
        _ => return None,
    };
    Some(advice.to_owned())
}

fn quote_path(path: &Path) -> String {
    quote_for_shell(&path.display().to_string())
}

fn undo_withdrawal_command(empty: &EmptySelection) -> Option<String> {
    let (source, contest) = empty.withdrawn.as_ref()?;
    Some(undo_command(source.as_str(), contest))
}

fn undo_command(source: &str, contest: &str) -> String {
    let contest = quote_for_shell(contest);
    format!("ranklore withdraw {source} {contest} --undo")
}

/// Returns the command that rates a selection by the default system of its source.
fn default_rate_command(selection: &RunSelection) -> String {
    rate_command(selection, None)
}

/// Returns the command that rates a selection by a system with settings.
pub(crate) fn rate_command(selection: &RunSelection, system: Option<&str>) -> String {
    let mut words = vec!["ranklore rate".to_owned(), selection.format_sources()];
    if selection.sources.len() > 1 {
        words.push("--together".to_owned());
    }
    let options = [
        ("--division", selection.division.clone()),
        ("--since", selection.since.map(|time| time.to_string())),
        ("--until", selection.until.map(|time| time.to_string())),
        ("--system", system.map(str::to_owned)),
    ];
    for (name, value) in options {
        words.extend(value.map(|value| format!("{name} {}", quote_for_shell(&value))));
    }
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use ranklore_contest::ContestTime;
    use ranklore_replay::SystemSpec;
    use ranklore_store::RunId;

    use super::*;

    #[test]
    fn command_of_a_run_rates_the_same_run() {
        let name = |name| SourceName::new(name).unwrap();
        let mut selection = RunSelection {
            sources: vec![name("a")],
            ..RunSelection::default()
        };
        let command = |selection: &RunSelection, spec: &str, default: Option<&str>| {
            let system = SystemSpec::parse(spec).unwrap().build().unwrap();
            update_run_command(&RunRow {
                run_id: RunId::new(1),
                system: system.name.to_owned(),
                parameters: system.parameters,
                selection: selection.canonical_json(),
                engine: "1".to_owned(),
                created_at: 0,
                rated_at: 0,
                contests: 0,
                results: 0,
                fingerprint: [0; 32],
                name: None,
                source_changes: None,
                source_corrections: None,
                newest_contest_id: None,
                competitors: None,
                default_system: default.map(str::to_owned),
            })
        };
        assert_eq!(command(&selection, "elo-mmr", None), "ranklore rate a");
        for (spec, default, expected) in [
            ("elo-mmr:rho=inf", None, " --system elo-mmr:rho=inf"),
            ("elo-mmr", Some("glicko"), " --system elo-mmr"),
            ("glicko", Some("glicko"), ""),
            ("glicko:dnf=drop", Some("glicko"), " --system glicko:dnf=drop"),
            // A later version may know more systems.
            ("elo-mmr", Some("a later one"), ""),
            ("elo", None, " --system elo --skip-unsupported"),
            ("elo", Some("elo"), " --skip-unsupported"),
        ] {
            let expected = format!("ranklore rate a{expected}");
            assert_eq!(command(&selection, spec, default), expected);
        }
        selection.sources.push(name("b"));
        selection.division = Some("Men's A".into());
        selection.since = ContestTime::new(86_400);
        assert_eq!(
            command(&selection, "elo-mmx:split_ties=true:newcomer_weights=[0.6,0.8]", None),
            "ranklore rate a b --together --division 'Men'\\''s A' --since 1970-01-02 \
             --system 'elo-mmx:newcomer_weights=[0.6,0.8]:split_ties=true'"
        );
    }

    #[test]
    fn each_cause_has_its_command() {
        let complete = |command: &str| format!("{command} --db x");
        let club = SourceName::new("club").unwrap();
        let selection = RunSelection::from_source(&club);
        let not_rated = ranklore_replay::Error::NotRated {
            selection: Box::new(selection.clone()),
        };
        let error = anyhow::Error::new(ranklore_ingest::Error::Replay(not_rated));
        assert_eq!(
            describe_error(&error.context("nothing was exported"), complete),
            "nothing was exported: there is no run of club yet: run `ranklore rate club --db x` first"
        );
        let not_official = ranklore_replay::Error::NotRatedBySystem {
            system: OFFICIAL.to_owned(),
            selection: Box::new(selection.clone()),
            runs: Vec::new(),
        };
        assert_eq!(
            describe_error(&not_official.into(), complete),
            "there is no run of club by official yet; it holds ratings that a site publishes and \
             `ranklore mine` stores, so use --system with another system"
        );
        let empty = EmptySelection {
            selection,
            withdrawn: Some((club, "it's".to_owned())),
            incomplete: 0,
        };
        let error = ranklore_replay::Error::NoContests(Box::new(empty));
        assert_eq!(
            describe_error(&error.into(), complete),
            "no rated contest of club: they are withdrawn; \
             `ranklore withdraw club 'it'\\''s' --undo --db x` includes one again"
        );
        let exposed = CredentialsError::Exposed {
            path: PathBuf::from("a b"),
            mode: 0o644,
        };
        assert_eq!(
            describe_error(&exposed.into(), complete),
            "a b can be read or changed by others (mode 644), so nothing in it is secret: \
             run chmod 600 'a b'"
        );
        let no_dataset = ranklore_publish::Error::NoDataset {
            path: PathBuf::from("out"),
            reason: "there is no datapackage.json in it".to_owned(),
        };
        assert_eq!(
            describe_error(&no_dataset.into(), complete),
            "out is no dataset: there is no datapackage.json in it; name a folder that ranklore \
             export wrote"
        );
        let dangling = ranklore_publish::Error::UnknownCompetitor { competitor: 7 };
        assert_eq!(
            describe_error(&anyhow::Error::new(dangling).context("nothing was exported"), complete),
            "nothing was exported: a result is of competitor 7, who is not in the file; \
             run ranklore check for details"
        );
    }
}
