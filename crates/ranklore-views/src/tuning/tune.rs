//! Tuning of systems: a search for each of them, and the judgement of its best parameters.

use std::time::Instant;

use ranklore_rating::ENGINE_VERSION;
use ranklore_replay::{
    Error, Identities, Progress, Replay, SYSTEMS, SamplerKind, SearchSpace, Setting, SystemSpec,
    Weights, format_system,
};
use ranklore_store::{Store, Study, Writer};
use serde_json::{Map, Value, json};

use crate::predictions::comparison::{LeftOut, build_systems, check_systems, order_best_first};
use crate::predictions::evaluate::EvaluatedContests;
use crate::predictions::settings::Train;
use crate::tuning::judge::JudgedPart;
use crate::tuning::part::{
    Part, TuningPart, choose_common_slice, hash_tuning, load_judged, place_rungs, settings,
};
use crate::tuning::request::{SearchOptions, TuneReport, TuneRequest, TunedSystem};
use crate::tuning::search::SystemSearch;
use crate::tuning::simplify::simplify;

/// Searches the parameters with which systems predict best, and judges them in other contests. Each
/// trial is stored when it begins and when it ends; those of an earlier process are not run again.
///
/// # Errors
/// [`Error::NoSource`], [`Error::NoContests`], [`Error::NothingTunes`], [`Error::NoPredictions`],
/// [`Error::NoSlice`], [`Error::EmptySlice`], [`Error::MixedTeamModes`], [`Error::MixedAllTied`],
/// [`Error::OverlappingEvents`], [`Error::InvalidParameters`], [`Error::NothingTuned`],
/// [`Error::Store`]. An interruption is no error.
pub fn tune(
    store: &mut Writer,
    request: &TuneRequest,
    watch: &dyn Progress,
) -> Result<TuneReport, Error> {
    // Another connection, since the cache of a writer is many times that of a reader.
    let reader = Store::open_reader(store.path())?;
    let contests = request.selection.contests(&reader)?;
    let (spaces, mut left_out) = build_spaces(&request.systems, &request.search)?;
    let defaults = spaces.iter().map(default_spec).collect::<Result<Vec<_>, Error>>()?;
    let (systems, unsupported) = build_systems(&reader, &defaults, &contests)?;
    left_out.extend(unsupported);
    let Some((_, first)) = systems.first() else {
        return Err(Error::nothing_tuned(left_out.into_iter().map(|system| system.reason)));
    };
    check_systems(&reader, &systems, &contests)?;
    let sources = contests.iter().map(|contest| contest.source_id);
    let identities = Identities::load(&reader, sources, first.teams)?;
    let replay = Replay::load(&reader, &contests, 0, &identities, first.all_tied)?;
    let judged = load_judged(&reader, &replay, request.train)?;
    let tuning_replay = replay.first_rated(judged.training);
    let tuning = EvaluatedContests::load(&reader, &tuning_replay, &settings(Some(Train::NONE)))?;
    let slice = choose_common_slice(
        (&tuning, &tuning_replay),
        (&judged, &replay),
        request.search.slice.as_deref(),
    )?;
    let judged = JudgedPart {
        slice: judged.slice_keys()[slice].to_owned(),
        contests: Part {
            field: judged.only_slice(slice),
            replay: &replay,
            identities: &identities,
            objective: request.search.objective,
        },
    };
    let tuner = Tuner {
        request,
        standings: hash_tuning(&reader, &contests, &tuning_replay, &identities)?,
        tuning: TuningPart {
            contests: Part {
                field: tuning.only_slice(slice),
                replay: &tuning_replay,
                identities: &identities,
                objective: request.search.objective,
            },
            rungs: place_rungs(&tuning_replay, request.search.prunes),
        },
        judged,
        split: settings(request.train).split_json(),
        start: Instant::now(),
        watch,
    };
    let searches = spaces.into_iter().zip(defaults).filter(|(_, default)| {
        let name = default.to_string();
        systems.iter().any(|(supported, _)| *supported == name)
    });
    tuner.tune_all(store, &reader, searches.collect(), left_out)
}

/// A search over the same contests for each of several systems.
struct Tuner<'t> {
    request: &'t TuneRequest,
    tuning: TuningPart<'t>,
    judged: JudgedPart<'t>,
    split: String,
    standings: [u8; 32],
    start: Instant,
    watch: &'t dyn Progress,
}

/// A system after its search.
struct TunedOne {
    /// The best parameters, if a trial ended.
    system: Option<TunedSystem>,
    is_interrupted: bool,
}

impl Tuner<'_> {
    fn tune_all(
        &self,
        store: &mut Writer,
        reader: &Store,
        searches: Vec<(SearchSpace, SystemSpec)>,
        mut left_out: Vec<LeftOut>,
    ) -> Result<TuneReport, Error> {
        let is_only_one = searches.len() == 1;
        let mut systems = Vec::new();
        let mut interrupted = false;
        for (space, default) in searches {
            match self.tune_one(store, reader, &space, &default) {
                Ok(tuned) => {
                    interrupted = tuned.is_interrupted;
                    systems.extend(tuned.system);
                }
                Err(Error::Store(error)) => return Err(error.into()),
                Err(error) if is_only_one => return Err(error),
                Err(error) => left_out.push(LeftOut {
                    system: default.to_string(),
                    reason: error.to_string(),
                }),
            }
            if interrupted {
                break;
            }
        }
        if systems.is_empty() && !interrupted && self.request.search.shard.is_none() {
            return Err(Error::nothing_tuned(left_out.into_iter().map(|system| system.reason)));
        }
        Ok(self.build_report(systems, left_out, interrupted))
    }

    fn build_report(
        &self,
        systems: Vec<TunedSystem>,
        left_out: Vec<LeftOut>,
        interrupted: bool,
    ) -> TuneReport {
        let search = &self.request.search;
        let values: Vec<Option<f64>> =
            systems.iter().map(|system| Some(system.judged?.value)).collect();
        let order = order_best_first(&values, search.objective);
        let mut unordered: Vec<Option<TunedSystem>> = systems.into_iter().map(Some).collect();
        TuneReport {
            selection: self.request.selection.canonical_json(),
            split: self.split.clone(),
            tuning_contests: self.judged.contests.field.training,
            judged_contests: self.judged.contests.field.predicted(),
            objective: search.objective,
            slice: self.judged.slice.clone(),
            sampler: search.sampler.as_str(),
            seed: search.seed,
            interrupted,
            systems: order.into_iter().filter_map(|index| unordered[index].take()).collect(),
            left_out,
        }
    }

    /// Searches the parameters of a system, and judges the best ones unless that is to be done later.
    fn tune_one(
        &self,
        store: &mut Writer,
        reader: &Store,
        space: &SearchSpace,
        default: &SystemSpec,
    ) -> Result<TunedOne, Error> {
        let search = SystemSearch {
            part: &self.tuning,
            space,
            study: self.study(space, default),
            options: &self.request.search,
            now: self.request.now,
            start: self.start,
            watch: self.watch,
        };
        let trials = search.run(store)?;
        let Some(best) = trials.best else {
            // Another shard, or a later process, has all others.
            return if trials.is_interrupted || trials.ended == 0 {
                Ok(TunedOne {
                    system: None,
                    is_interrupted: trials.is_interrupted,
                })
            } else {
                Err(Error::NoTrial {
                    system: default.to_string(),
                })
            };
        };
        let chosen = simplify(&self.tuning.contests, space, &best, self.watch)?;
        let is_judged = !trials.is_interrupted && self.request.search.shard.is_none();
        let judged = is_judged
            .then(|| self.judged.judge(reader, default, &chosen.spec, self.watch))
            .transpose();
        let is_interrupted = trials.is_interrupted
            || self.watch.is_interrupted()
            || matches!(judged, Err(Error::Interrupted));
        let judged = if is_interrupted { None } else { judged? };
        let system = TunedSystem {
            system: default.system.as_str().to_owned(),
            best: format_system(default.system.as_str(), &chosen.parameters),
            parameters: chosen.parameters,
            trial: best.number,
            trials: trials.ended,
            pruned: trials.pruned,
            failed: trials.failed,
            tuning: chosen.objective,
            tuning_best: best.objective,
            tuning_default: trials.default,
            judged,
            edges: chosen.edges.into_iter().map(Into::into).collect(),
        };
        Ok(TunedOne {
            system: Some(system),
            is_interrupted,
        })
    }

    /// Returns what the trials of a system have in common.
    fn study(&self, space: &SearchSpace, default: &SystemSpec) -> Study {
        let options = &self.request.search;
        let mut search = Map::new();
        search.insert("sampler".to_owned(), json!(options.sampler.as_str()));
        // The points of the others do not depend on it, so that more trials go on.
        if options.sampler == SamplerKind::Grid {
            search.insert("trials".to_owned(), json!(options.trials));
        }
        search.insert("objective".to_owned(), json!(options.objective.as_str()));
        search.insert("slice".to_owned(), json!(self.judged.slice));
        search.insert("prune".to_owned(), json!(options.prunes));
        search.insert("default".to_owned(), json!(default.to_string()));
        let dimensions = space.dimensions().iter();
        let ranges: Map<String, Value> = dimensions
            .map(|dimension| (dimension.name.clone(), json!(dimension.domain.to_string())))
            .collect();
        search.insert("space".to_owned(), Value::Object(ranges));
        Study {
            selection: self.request.selection.canonical_json(),
            system: default.system.as_str().to_owned(),
            search: Value::Object(search).to_string(),
            split: self.split.clone(),
            standings: self.standings,
            engine: ENGINE_VERSION.to_owned(),
            // Not negative and below 2^63: the command line accepts no other.
            seed: options.seed as i64,
        }
    }
}

/// Returns the system with the default parameters of a space; those that are its own are not set.
fn default_spec(space: &SearchSpace) -> Result<SystemSpec, Error> {
    let system = space.spec(&space.default_point()).build()?;
    SystemSpec::parse(&format_system(system.name, &system.parameters))
}

/// Returns the space of each system. Of several systems, those without parameters to search are left
/// out, with the reason.
///
/// # Errors
/// [`Error::InvalidParameters`] if no system has a parameter that is fixed or given a range.
fn build_spaces(
    systems: &[SystemSpec],
    options: &SearchOptions,
) -> Result<(Vec<SearchSpace>, Vec<LeftOut>), Error> {
    let has_parameter = |spec: &SystemSpec, name: &str| {
        let own = spec.system.about().parameters.iter().any(|parameter| parameter.name == name);
        own || !SYSTEMS
            .iter()
            .any(|system| system.about().parameters.iter().any(|parameter| parameter.name == name))
    };
    // As a word it is a parameter of every system, as a number one of a single system.
    let is_weights =
        |setting: &Setting| setting.name == Weights::PARAMETER && setting.value.is_string();
    let mut spaces = Vec::new();
    let mut left_out = Vec::new();
    for spec in systems {
        // Of several systems each takes the parameters that it has.
        let is_own = |name: &str| {
            systems.len() == 1
                || has_parameter(spec, name)
                || !systems.iter().any(|other| has_parameter(other, name))
        };
        let ranges: Vec<_> =
            options.ranges.iter().filter(|range| is_own(&range.name)).cloned().collect();
        let fixed: Vec<Setting> = options
            .fixed
            .iter()
            .filter(|setting| is_own(&setting.name) || is_weights(setting))
            .cloned()
            .collect();
        let space = SearchSpace::new(spec, &ranges, &fixed)?;
        if space.dimensions().is_empty() {
            left_out.push(LeftOut {
                system: spec.to_string(),
                reason: "it has no parameter to search".to_owned(),
            });
        } else {
            spaces.push(space);
        }
    }
    if spaces.is_empty() {
        return Err(Error::nothing_tuned(left_out.into_iter().map(|system| system.reason)));
    }
    Ok((spaces, left_out))
}
