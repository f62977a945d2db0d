//! Errors of runs, evaluations and views.

use std::path::PathBuf;

use ranklore_contest::{ContestTime, SourceName};
use ranklore_store::{RunId, RunRow};

// Modules that return this error are not imported here: only modules of plain values are.
use crate::runs::contest_size::OversizedContests;
use crate::runs::selection::{EmptySelection, RunSelection};

/// A name that matches no competitor or contest, or several.
#[derive(Debug)]
pub struct NameNotFound {
    /// The name asked for.
    pub requested_name: String,
    /// The source asked.
    pub source_name: SourceName,
    /// The nearest names in words, best first.
    pub candidates: Vec<String>,
    /// The number of further candidates.
    pub more: usize,
    /// True if the candidates match; else they differ in a number.
    pub matching: bool,
}

/// An error of a run, an evaluation or a view. Messages are lower-case fragments; they state facts,
/// and no command to try. [`Error::candidates`] are listed after the message.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The database cannot be read or written.
    #[error(transparent)]
    Store(#[from] ranklore_store::Error),
    /// The database has no such source.
    #[error("there is no source \"{name}\" in {}; {}", path.display(), format_known_sources(known))]
    NoSource {
        /// The name asked for.
        name: SourceName,
        /// The database file.
        path: PathBuf,
        /// The names of the sources it has.
        known: Vec<String>,
    },
    /// The name of a competitor matches none, or several.
    #[error("{}", format_not_found("competitor", _0, ""))]
    NoCompetitor(Box<NameNotFound>),
    /// The name of a contest matches none, or several.
    #[error(
        "{}",
        format_not_found("contest", _0, ": give its id, or its name or a part of it")
    )]
    NoContest(Box<NameNotFound>),
    /// The contest had not ended at the given time.
    #[error("contest \"{contest}\" {}", match ended_at {
        Some(at) => format!("ended on {at}, after that"),
        None => "has not ended yet".to_owned(),
    })]
    NotEnded {
        /// The name of the contest.
        contest: String,
        /// The time at which it ended; none if it has not ended.
        ended_at: Option<ContestTime>,
    },
    /// The selection has no rated contest.
    #[error("{0}")]
    NoContests(Box<EmptySelection>),
    /// Selected contests are too large for the system.
    #[error("{0}")]
    OversizedContests(Box<OversizedContests>),
    /// No rating system has this name.
    #[error("there is no rating system \"{name}\": choose one of {known}")]
    NoSystem {
        /// The name asked for.
        name: String,
        /// The names of the systems.
        known: String,
    },
    /// The system does not have this parameter, or the value is out of range.
    #[error("{system}: {reason}")]
    InvalidParameters {
        /// The system.
        system: &'static str,
        /// The fault, and what would be right.
        reason: String,
    },
    /// The stored parameters of a run are damaged.
    #[error(
        "cannot read run {run_id}: {reason}; restore a backup, or remove the run and rate again"
    )]
    DamagedParameters {
        /// The run.
        run_id: RunId,
        /// The damaged parameters, and the damage.
        reason: String,
    },
    /// The text of a system with settings cannot be parsed.
    #[error("\"{part}\" {reason}")]
    InvalidSystemSpec {
        /// The part of the text that is wrong.
        part: String,
        /// The fault, and what would be right.
        reason: &'static str,
    },
    /// A setting is separated from its system like another system.
    #[error("\"{setting}\" is a setting: write a colon before it, {system}")]
    SettingBehindComma {
        /// The setting.
        setting: String,
        /// The system with the setting.
        system: String,
    },
    /// A parameter of a system is set twice.
    #[error("\"{name}\" is set twice, by {first} and {second}; set it once")]
    ConflictingSettings {
        /// The name of the parameter.
        name: String,
        /// The text or the option that sets it first.
        first: String,
        /// The text or the option that sets it again.
        second: String,
    },
    /// The database has no run of this id or name.
    #[error("there is no run {run}{}", match &**known {
        [] => "; nothing has been rated yet",
        _ => "; the runs of this file are",
    })]
    NoRun {
        /// The id of the run, or its name in quotes.
        run: String,
        /// The runs of the database.
        known: Vec<RunRow>,
    },
    /// The run with the given id covers other sources than those named.
    #[error("run {run} covers {covered}, not {requested}: name either the run or the sources")]
    SourceMismatch {
        /// The id of the run.
        run: i64,
        /// The sources of the run, separated by spaces.
        covered: String,
        /// The given sources, separated by spaces.
        requested: String,
    },
    /// No run is over these sources.
    #[error("there is no run of {}{} yet", selection.format_sources(),
        if selection.sources.len() > 1 { " together" } else { "" })]
    NotRated {
        /// The sources asked for.
        selection: Box<RunSelection>,
    },
    /// No run over all contests of these sources is of this system with these settings.
    #[error("there is no run of {} by {system} yet", selection.format_sources())]
    NotRatedBySystem {
        /// The system with its settings.
        system: String,
        /// The sources asked for.
        selection: Box<RunSelection>,
        /// The runs over these sources.
        runs: Vec<RunRow>,
    },
    /// All runs over these sources cover a part of their contests.
    #[error("no run covers all contests of {}", selection.format_sources())]
    OnlyPartialRuns {
        /// The sources asked for.
        selection: Box<RunSelection>,
        /// The runs over these sources.
        runs: Vec<RunRow>,
    },
    /// The ratings of the run do not match the results or this version.
    #[error("run {} is stale: {reason}", run.run_id)]
    StaleRun {
        /// The run.
        run: Box<RunRow>,
        /// The reason, as a clause.
        reason: String,
    },
    /// The system of a run has no model of win probabilities.
    #[error("{system} has no win probabilities: choose a run of another system")]
    NoWinModel {
        /// The system.
        system: String,
    },
    /// The field to predict has too few or too many entrants.
    #[error("a field of {entrants} cannot be predicted: it needs 2 to {max} different competitors")]
    FieldSize {
        /// The number of different entrants.
        entrants: usize,
        /// The largest number.
        max: usize,
    },
    /// Two names are of one competitor.
    #[error("\"{first}\" and \"{second}\" are the same competitor: name two different ones")]
    SameCompetitor {
        /// The first name.
        first: String,
        /// The second name.
        second: String,
    },
    /// The run rates the members of teams, not teams.
    #[error(
        "\"{team}\" is a team, and this run rates members: name its members, or choose a run that rates teams"
    )]
    TeamOfMembers {
        /// The name of the team.
        team: String,
    },
    /// No contest trains, though the user chose which ones do.
    #[error(
        "no contest trains: of {contests} rated contests none is in the chosen part; \
             choose a larger one, or --train 0 for none"
    )]
    NoTraining {
        /// The number of rated contests.
        contests: u64,
    },
    /// No rated contest ended before the end of the evaluation.
    #[error(
        "nothing is left to predict: none of {contests} rated contests ended before --until; choose \
         a later one"
    )]
    NoContestsUntil {
        /// The number of rated contests.
        contests: u64,
    },
    /// Contests are to be weighted by their durations, and none has one.
    #[error(
        "weight=duration needs contests with a start and an end, and no selected contest has both: \
         leave it out, or import the starts"
    )]
    NoDurations,
    /// No contest can be rated.
    #[error(
        "no contest can be rated: of {contests}, each has fewer than two entrants, or only ties that \
         are skipped"
    )]
    NothingRated {
        /// The number of contests.
        contests: u64,
    },
    /// Nothing is left to predict.
    #[error(
        "nothing is left to predict: of {contests} rated contests all train, or have no two \
         entrants who were rated before"
    )]
    NoPredictions {
        /// The number of rated contests.
        contests: u64,
    },
    /// A slice of the evaluation has no prediction.
    #[error("slice \"{slice}\" has no two entrants to predict in any contest")]
    EmptySlice {
        /// The slice.
        slice: String,
    },
    /// No slice of the evaluation has this name.
    #[error("there is no slice \"{slice}\": choose one of {}", known.join(", "))]
    NoSlice {
        /// The name asked for.
        slice: String,
        /// The names of the slices.
        known: Vec<String>,
    },
    /// The site of these sources published no ratings.
    #[error(
        "{sources} has no official ratings: its site published none, or they are not synced yet"
    )]
    NoOfficialRatings {
        /// The names of the sources.
        sources: String,
    },
    /// Systems that rate members cannot be compared with systems that rate teams.
    #[error(
        "{first} and {second} rate different competitors, teams and members: compare them separately"
    )]
    MixedTeamModes {
        /// A system with its settings.
        first: String,
        /// Another one.
        second: String,
    },
    /// Events overlap, so they cannot be rating periods.
    #[error(
        "a contest of \"{second}\" ended after a contest of \"{first}\", which began later: events \
         that overlap are no rating periods; pass --period month, or a number of days such as 7d"
    )]
    OverlappingEvents {
        /// The event that began later, or the id of a contest without one.
        first: String,
        /// The event that went on.
        second: String,
    },
    /// Ratings reach one million points.
    #[error(
        "the ratings of {system} diverge: in contest \"{contest}\" one reaches 1,000,000 points; set \
         a smaller learning rate, or give contests smaller weights"
    )]
    Diverged {
        /// The system with its settings.
        system: String,
        /// The name of the first such contest.
        contest: String,
    },
    /// Some of the compared systems skip contests whose entrants are all tied, and others rate them.
    #[error(
        "{first} and {second} rate different contests, since one of them skips those whose entrants \
         are all tied: compare them separately"
    )]
    MixedAllTied {
        /// A system with its settings.
        first: String,
        /// Another one.
        second: String,
    },
    /// A competitor has too few rated contests for an experiment.
    #[error("\"{name}\" has {contests} rated contests, and the experiment needs {needed}")]
    FewContests {
        /// The name of the competitor.
        name: String,
        /// The number of its rated contests.
        contests: u32,
        /// The number that the experiment needs.
        needed: u32,
    },
    /// No system rates all contests.
    #[error("no system can be compared: {}", reasons.join("; "))]
    NothingCompared {
        /// The reason of each system.
        reasons: Vec<String>,
    },
    /// No contest tunes.
    #[error(
        "no contest tunes: of {contests} rated contests none is in the chosen part; choose a larger \
         one with --train or --train-until"
    )]
    NothingTunes {
        /// The number of rated contests.
        contests: u64,
    },
    /// No system can be tuned.
    #[error("no system can be tuned: {}", reasons.join("; "))]
    NothingTuned {
        /// The reason of each system.
        reasons: Vec<String>,
    },
    /// A search has no trial with a result.
    #[error("no trial of {system} has a result: the ratings of all diverge")]
    NoTrial {
        /// The system with its default settings.
        system: String,
    },
    /// A line of a file of trials is refused.
    #[error("line {line}: {reason}")]
    InvalidTrial {
        /// The number of the line, from 1.
        line: usize,
        /// The fault, and what would be right.
        reason: String,
    },
    /// The user interrupted the work.
    #[error("interrupted: nothing was written, everything is as it was")]
    Interrupted,
}

impl Error {
    /// Returns the error that no system can be tuned, for these reasons.
    #[must_use]
    pub fn nothing_tuned(reasons: impl Iterator<Item = String>) -> Self {
        Self::NothingTuned {
            reasons: reasons.collect(),
        }
    }
}

fn format_known_sources(names: &[String]) -> String {
    match names {
        [] => "it has none yet: import some results first".to_owned(),
        names => format!("it has {}", names.join(", ")),
    }
}

fn format_not_found(kind: &str, name: &NameNotFound, next: &str) -> String {
    let NameNotFound {
        requested_name,
        source_name: source,
        candidates,
        ..
    } = name;
    let ambiguous = format!("\"{requested_name}\" does not identify one {kind} of {source}");
    let missing = format!("there is no {kind} \"{requested_name}\" in {source}");
    match (&candidates[..], name.matching) {
        ([], _) => format!("there is no {kind} like \"{requested_name}\" in {source}{next}"),
        ([one], true) => format!("{ambiguous}. The nearest name is {one}: use it"),
        (_, true) => format!("{ambiguous}; use one of these names"),
        ([one], false) => format!("{missing}; the nearest is {one}"),
        (_, false) => format!("{missing}; the nearest are"),
    }
}
