//! Commands to suggest: libraries state facts, the command line turns them into commands.

use std::error::Error;

use ranklore_contest::{SourceName, quote_for_shell};
use ranklore_ingest::{CredentialsError, DatasetError};
use ranklore_replay::{
    EmptySelection, RunSelection, SYSTEMS, SystemName, UnratedReason, format_system,
};
use ranklore_store::{ContestRow, RunRow};

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
    if let Some(CredentialsError::Exposed { path, .. }) = cause.downcast_ref() {
        let path = quote_for_shell(&path.display().to_string());
        return Some(format!(": run chmod 600 {path}"));
    }
    let publish = match cause.downcast_ref() {
        Some(ranklore_ingest::Error::VacuumFailed { source_name, .. }) => {
            let command = complete(&format!("ranklore forget {source_name}"));
            return Some(format!("; fix this, then run `{command}`"));
        }
        Some(ranklore_ingest::Error::Dataset(DatasetError::Publish(error))) => Some(error),
        Some(ranklore_ingest::Error::Dataset(error)) => return dataset_advice(error),
        _ => cause.downcast_ref(),
    };
    match publish {
        Some(ranklore_publish::Error::NoDataset { .. }) => {
            return Some("; name a folder that ranklore export wrote".to_owned());
        }
        Some(ranklore_publish::Error::UnknownCompetitor { .. }) => {
            return Some("; run ranklore check for details".to_owned());
        }
        _ => {}
    }
    replay_advice(find_replay_error(cause)?, complete)
}

fn replay_advice(
    error: &ranklore_replay::Error,
    complete: impl Fn(&str) -> String,
) -> Option<String> {
    match error {
        ranklore_replay::Error::NoCompetitor(missing) if missing.candidates.is_empty() => {
            let command = complete(&format!("ranklore leaderboard {}", missing.source_name));
            Some(format!("; `{command}` lists the rated competitors"))
        }
        ranklore_replay::Error::NotEnded { .. } => {
            Some("; use a later --as-of, or leave it out".to_owned())
        }
        ranklore_replay::Error::NoContests(empty) => {
            let undo = complete(&undo_withdrawal_command(empty)?);
            Some(format!("; `{undo}` includes one again"))
        }
        ranklore_replay::Error::OversizedContests(oversized) => {
            let skip = ", or leave these contests out with --skip-unsupported";
            Some(format!(
                "; use --system elo-pairwise, which compares all pairs of a contest{}",
                if oversized.are_all() { "" } else { skip }
            ))
        }
        ranklore_replay::Error::NoRun { known, .. } if known.is_empty() => {
            Some(": run `ranklore rate` first".to_owned())
        }
        ranklore_replay::Error::NotRated { selection } => {
            let command = complete(&default_rate_command(selection));
            Some(format!(": run `{command}` first"))
        }
        ranklore_replay::Error::NotRatedBySystem {
            system,
            selection,
            runs,
        } => {
            let command = complete(&rate_command(selection, Some(system)));
            let alternative = if runs.is_empty() {
                ""
            } else {
                ", or choose a run with --run"
            };
            Some(format!(": run `{command}`{alternative}"))
        }
        ranklore_replay::Error::OnlyPartialRuns { selection, .. } => {
            let command = complete(&default_rate_command(selection));
            Some(format!(": run `{command}`, or choose a run with --run"))
        }
        ranklore_replay::Error::StaleRun { run, .. } => {
            let command = complete(&update_run_command(run));
            Some(format!("; run `{command}` first"))
        }
        _ => None,
    }
}

/// Returns the names or runs to choose from, to be listed after the text of an error.
pub(crate) fn list_candidates(error: &anyhow::Error) -> Vec<String> {
    let mut causes = error.chain().filter_map(find_replay_error);
    let candidates = causes.next().map(ranklore_replay::Error::candidates);
    candidates.unwrap_or_default()
}

fn find_replay_error<'a>(cause: &'a (dyn Error + 'static)) -> Option<&'a ranklore_replay::Error> {
    match cause.downcast_ref() {
        Some(ranklore_ingest::Error::Replay(error)) => Some(error),
        _ => cause.downcast_ref(),
    }
}

fn dataset_advice(error: &DatasetError) -> Option<String> {
    match error {
        DatasetError::SeveralSources | DatasetError::UnknownTerms { .. } => {
            Some(": leave out --source".to_owned())
        }
        DatasetError::InvalidDataset { folder, .. } => Some(format!(
            "; download it again, or list all problems: ranklore verify {}",
            quote_for_shell(&folder.display().to_string())
        )),
        DatasetError::ConflictingNumbers { .. } => Some(
            "; import it under another name with --source, or into another database with --db"
                .to_owned(),
        ),
        _ => None,
    }
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
fn rate_command(selection: &RunSelection, system: Option<&str>) -> String {
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
