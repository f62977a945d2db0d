//! Accuracy by the size of contests, which are held in groups of their entrants (Ebtekar and Liu 2021,
//! section 6.5).

use std::sync::atomic::AtomicU64;

use ranklore_contest::SourceName;
use ranklore_replay::{Error, Progress, Replay, RunSelection, SystemSpec};
use ranklore_store::Store;
use serde::Serialize;

use crate::experiments::contests::ExperimentContests;
use crate::predictions::accuracy::SliceAccuracy;
use crate::predictions::comparison::replays::{Replayed, Task};
use crate::predictions::comparison::{
    LeftOut, choose_slice, leave_out_if_diverged, nothing_compared,
};
use crate::predictions::evaluate::EvaluatedContests;
use crate::predictions::settings::EvaluationSettings;

/// Rating systems that rate the same contests in groups of several sizes.
#[derive(Clone, Debug)]
pub struct GroupSizeRequest {
    /// The source.
    pub source: SourceName,
    /// The systems. Those that do not rate all contests are left out.
    pub systems: Vec<SystemSpec>,
    /// The largest groups, in entrants, from 2; `None` for whole contests.
    pub sizes: Vec<Option<u32>>,
    /// The seed of the groups and of sampled pairs.
    pub seed: u64,
}

/// The accuracy of rating systems by the size of groups.
#[derive(Clone, Debug, Serialize)]
pub struct GroupSizeReport {
    /// The source.
    pub source: SourceName,
    /// The slice of entrants that is predicted: experienced, or the first of everybody and all with
    /// a prediction.
    pub slice: String,
    /// The sizes, in the order of the request.
    pub sizes: Vec<GroupSizeAccuracy>,
    /// The systems that are left out.
    pub left_out: Vec<LeftOut>,
}

/// The accuracy of the systems at one size.
#[derive(Clone, Debug, Serialize)]
pub struct GroupSizeAccuracy {
    /// The largest group, in entrants; `None` for whole contests.
    pub size: Option<u32>,
    /// The systems, in the order of the request.
    pub systems: Vec<SystemAccuracy>,
}

/// The accuracy of a system.
#[derive(Clone, Debug, Serialize)]
pub struct SystemAccuracy {
    /// The system with its settings.
    pub system: String,
    /// The accuracy over all groups, which are contests here.
    #[serde(flatten)]
    pub accuracy: SliceAccuracy,
}

/// Replays rating systems in memory over the contests as if each had been held in groups of its
/// entrants, ranked by their places, and evaluates the predictions of the groups. The first tenth
/// trains. Writes no run.
///
/// # Errors
/// [`Error::NoSource`], [`Error::NoContests`], [`Error::NoPredictions`], [`Error::MixedTeamModes`],
/// [`Error::MixedAllTied`], [`Error::OverlappingEvents`], [`Error::NothingCompared`],
/// [`Error::Store`], [`Error::Interrupted`].
pub fn measure_group_sizes(
    store: &Store,
    request: &GroupSizeRequest,
    watch: &dyn Progress,
) -> Result<GroupSizeReport, Error> {
    let selection = RunSelection::from_source(&request.source);
    let contests = ExperimentContests::load(store, &selection, &request.systems)?;
    let mut left_out = contests.left_out.clone();
    let whole = contests.replay(store)?;
    let mut report = GroupSizeReport {
        source: request.source.clone(),
        slice: String::new(),
        sizes: Vec::new(),
        left_out: Vec::new(),
    };
    for &size in &request.sizes {
        let split = size.map(|size| whole.split(size, request.seed));
        let replay = split.as_ref().unwrap_or(&whole);
        let slice = (!report.slice.is_empty()).then_some(&*report.slice);
        let settings = EvaluationSettings {
            seed: request.seed,
            ..EvaluationSettings::default()
        };
        let field = EvaluatedContests::load(store, replay, &settings)?;
        let slice = choose_slice(&field, replay, slice)?;
        let replayed = contests.evaluate(&field, replay, slice, watch)?;
        let slice = field.slice_keys()[slice].to_owned();
        let mut systems = Vec::new();
        for system in replayed {
            if leave_out_if_diverged(store, &system.system, system.diverged, &mut left_out)? {
                continue;
            }
            let accuracy = system.slices.into_iter().find(|accuracy| accuracy.slice == slice);
            systems.extend(accuracy.map(|accuracy| SystemAccuracy {
                system: system.system,
                accuracy,
            }));
        }
        report.sizes.push(GroupSizeAccuracy { size, systems });
        report.slice = slice;
    }
    if report.sizes.iter().all(|size| size.systems.is_empty()) {
        return Err(nothing_compared(left_out));
    }
    report.left_out = left_out;
    Ok(report)
}

impl ExperimentContests {
    /// Evaluates the systems over a replay of these contests, compared in a slice.
    fn evaluate(
        &self,
        field: &EvaluatedContests<'_>,
        replay: &Replay<'_>,
        slice: usize,
        watch: &dyn Progress,
    ) -> Result<Vec<Replayed>, Error> {
        let systems = self.systems.iter().map(|spec| Ok((spec.to_string(), spec.build()?)));
        let systems = systems.collect::<Result<Vec<_>, Error>>()?;
        watch.begin_task("evaluating", replay.results * systems.len() as u64);
        let task = Task {
            field,
            replay,
            identities: &self.identities,
            k: 0.0,
            slice,
            official: None,
            watch,
            done: AtomicU64::new(0),
        };
        task.replay_all(systems)
    }
}
