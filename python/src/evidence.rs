//! Evaluation and tuning of systems on a table, by the code of the command: the results are stored in
//! a database that is deleted afterwards.

use std::time::{SystemTime, UNIX_EPOCH};

use pyo3::prelude::*;
use ranklore_contest::{
    Contest, ContestTime, Entrant, EntrantKind, EntrantOutcome, Place, SourceName, UnixSeconds,
    renumber_places,
};
use ranklore_replay::{
    RangeOverride, RunSelection, SamplerKind, Setting, System, SystemSpec, TeamMode,
};
use ranklore_store::{
    Body, ContestState, ContestUpsert, NewDocument, Standing, Store, TeamMember, Writer,
};
use ranklore_views::{
    ComparisonRequest, EvaluationSettings, Metric, SearchOptions, SliceBy, Train, TuneRequest,
    compare_systems, describe_system,
};
use serde::Serialize;
use tempfile::TempDir;

use crate::error::Failure;
use crate::rate::check_parameters;
use crate::results::options::TableColumns;
use crate::results::{Results, to_number};
use crate::table::GivenTable;
use crate::threads::{self, StopFlag};

/// The contests that train: a share from 0 to below 1, or those before a time in seconds since 1970.
#[derive(FromPyObject)]
pub(crate) enum TrainChoice {
    /// Seconds since 1970.
    Until(i64),
    /// The share.
    Share(f64),
}

impl TrainChoice {
    fn parse(self) -> Result<Train, Failure> {
        match self {
            Self::Share(share) if (0.0..1.0).contains(&share) => {
                // 0.29 · 100 is less than 29.
                Ok(Train::Percent((share * 100.0 * 1e9).round() / 1e9))
            }
            Self::Share(share) => Err(Failure::new(format!(
                "train is {share}; give a share from 0 to below 1, or a day"
            ))),
            Self::Until(seconds) => ContestTime::new(seconds)
                .map(Train::Until)
                .ok_or_else(|| Failure::new("train is no day from 1583 to 2199")),
        }
    }
}

/// Evaluates systems, and returns the report of `ranklore evaluate --system … --json`.
#[pyfunction]
#[expect(
    clippy::too_many_arguments,
    reason = "called by the package alone, in one place"
)]
pub(crate) fn evaluate(
    py: Python<'_>,
    table: &Bound<'_, PyAny>,
    columns: TableColumns,
    systems: Vec<String>,
    train: Option<TrainChoice>,
    metric: &str,
    slices: (Option<String>, Vec<String>),
    k_and_seed: (f64, u64),
    threads: Option<usize>,
) -> PyResult<String> {
    let specs = parse_systems(&systems)?;
    let metric = parse_metric(metric)?;
    let (slice, by) = slices;
    let by = by.iter().map(|word| {
        SliceBy::from_word(word).ok_or_else(|| {
            let message = format!("there is no slice by {word}; use {}", words_of_slices());
            Failure::new(message)
        })
    });
    let settings = EvaluationSettings {
        train: train.map(TrainChoice::parse).transpose()?,
        slices: by.collect::<Result<_, _>>()?,
        k: k_and_seed.0,
        seed: k_and_seed.1,
        ..EvaluationSettings::default()
    };
    let table = GivenTable::take(table)?;
    threads::run(py, threads, move |stop| {
        let results = columns.read(&table.read()?)?;
        let teams = check_systems(&specs, &results)?;
        let mut stored = StoredResults::new(&results, teams, stop)?;
        let request = ComparisonRequest {
            selection: stored.selection.clone(),
            systems: specs,
            settings,
            metric,
            slice,
            against_official: false,
            now: now(),
        };
        to_json(&compare_systems(&mut stored.writer, &request, stop)?)
    })
}

/// Tunes systems, and returns the report of `ranklore tune --json`.
#[pyfunction]
#[expect(
    clippy::too_many_arguments,
    reason = "called by the package alone, in one place"
)]
pub(crate) fn tune(
    py: Python<'_>,
    table: &Bound<'_, PyAny>,
    columns: TableColumns,
    systems: Vec<String>,
    train: Option<TrainChoice>,
    objective: (String, Option<String>),
    ranges: Vec<(String, f64, f64)>,
    fixed: Vec<String>,
    sampler: (String, u64, u64),
    threads: Option<usize>,
) -> PyResult<String> {
    let specs = parse_systems(&systems)?;
    let fixed = fixed.iter().map(|setting| Setting::parse(setting));
    let ranges = ranges.into_iter().map(|(name, low, high)| {
        if low < high && low.is_finite() && high.is_finite() {
            Ok(RangeOverride { name, low, high })
        } else {
            let message = format!("the range of {name} is empty; give the lower number first");
            Err(Failure::new(message))
        }
    });
    let (sampler, trials, seed) = sampler;
    let search = SearchOptions {
        ranges: ranges.collect::<Result<_, _>>()?,
        fixed: fixed.collect::<Result<_, _>>().map_err(Failure::from)?,
        trials,
        objective: parse_metric(&objective.0)?,
        slice: objective.1,
        sampler: SamplerKind::from_word(&sampler).ok_or_else(|| {
            let known = SamplerKind::ALL.map(SamplerKind::as_str).join(", ");
            Failure::new(format!("there is no sampler {sampler}; use {known}"))
        })?,
        seed,
        prunes: true,
        shard: None,
    };
    let train = train.map(TrainChoice::parse).transpose()?;
    let table = GivenTable::take(table)?;
    threads::run(py, threads, move |stop| {
        let results = columns.read(&table.read()?)?;
        let fixed: Vec<_> = specs.iter().map(|spec| fix(spec, &search)).collect();
        let teams = check_systems(&fixed, &results)?;
        let mut stored = StoredResults::new(&results, teams, stop)?;
        let request = TuneRequest {
            selection: stored.selection.clone(),
            systems: specs,
            train,
            search,
            now: now(),
        };
        to_json(&ranklore_views::tune(&mut stored.writer, &request, stop)?)
    })
}

/// Returns the description of a system, of which its search space is a part, as JSON.
#[pyfunction]
pub(crate) fn describe(system: &str) -> PyResult<String> {
    let system = System::from_name(system, "{}").map_err(Failure::from)?;
    let description = describe_system(&system).map_err(Failure::from)?;
    Ok(to_json(&description)?)
}

fn parse_systems(systems: &[String]) -> Result<Vec<SystemSpec>, Failure> {
    if systems.is_empty() {
        return Err(Failure::new("no system is named; give at least one"));
    }
    Ok(SystemSpec::parse_list(&systems.join(","))?)
}

fn parse_metric(word: &str) -> Result<Metric, Failure> {
    let known = Metric::ALL.into_iter().find(|metric| metric.as_str() == word);
    known.ok_or_else(|| {
        let known = Metric::ALL.map(Metric::as_str).join(", ");
        Failure::new(format!("there is no metric {word}; use {known}"))
    })
}

fn words_of_slices() -> String {
    SliceBy::VARIANTS.map(SliceBy::as_str).join(", ")
}

/// Checks that the systems can rate the results. Returns the mode of the first system; systems with
/// different ones are refused later.
fn check_systems(specs: &[SystemSpec], results: &Results) -> Result<TeamMode, Failure> {
    let systems = specs.iter().map(SystemSpec::build).collect::<Result<Vec<_>, _>>()?;
    systems.iter().try_for_each(|system| check_parameters(system, results))?;
    Ok(systems.first().map(|system| system.teams).unwrap_or_default())
}

/// Returns a system with the fixed parameters of a search, and the upper ends of its ranges, where it
/// has them: others are refused by the search.
fn fix(spec: &SystemSpec, search: &SearchOptions) -> SystemSpec {
    let ends = search.ranges.iter().map(|range| (range.name.clone(), range.high.into()));
    let settings = search.fixed.iter().map(|setting| (setting.name.clone(), setting.value.clone()));
    let mut fixed = spec.clone();
    for (name, value) in ends.chain(settings) {
        let mut with = fixed.clone();
        with.settings.insert(name, value);
        if with.build().is_ok() {
            fixed = with;
        }
    }
    fixed
}

fn to_json(report: &impl Serialize) -> Result<String, Failure> {
    serde_json::to_string(report).map_err(Failure::new)
}

fn now() -> UnixSeconds {
    let since_1970 = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    UnixSeconds::new(since_1970.as_secs() as i64).unwrap_or(UnixSeconds::MIN)
}

/// Results in a database of their own.
struct StoredResults {
    writer: Writer,
    selection: RunSelection,
    /// Deletes the database at the end.
    _folder: TempDir,
}

impl StoredResults {
    fn new(results: &Results, teams: TeamMode, stop: &StopFlag) -> Result<Self, Failure> {
        results.check_not_empty()?;
        if results.rows.iter().any(|row| row.source_id != results.rows[0].source_id) {
            return Err(Failure::new("the table has several sources; evaluate them one at a time"));
        }
        let folder = tempfile::Builder::new()
            .prefix("ranklore-")
            .tempdir()
            .map_err(|error| Failure::new(format!("cannot create a temporary folder: {error}")))?;
        let mut writer =
            Store::open_writer(folder.path().join("table.sqlite"), "ranklore.evaluate")?;
        let source = SourceName::new("table").map_err(Failure::new)?;
        let mut batch = writer.batch()?;
        let source_id = batch.get_or_insert_source(&source, now())?;
        let document = batch.archive_document(
            source_id,
            &NewDocument {
                request_key: "table",
                url: None,
                fetched_at: now(),
                status: None,
                etag: None,
                last_modified: None,
                media_type: None,
                reading: None,
                body: Body::Plain(b""),
                redacted_content: None,
            },
        )?;
        let contests = (0..results.rows.len()).map(|position| {
            let contest = to_contest(results, position, teams);
            ContestUpsert::from_owned(contest, ContestState::Final, true)
        });
        let contests = contests.take_while(|_| stop.check().is_ok());
        batch.upsert_contests(source_id, document.document_id, contests, |_, _| {})?;
        stop.check()?;
        batch.commit()?;
        Ok(Self {
            writer,
            selection: RunSelection {
                sources: vec![source],
                division: None,
                since: None,
                until: None,
            },
            _folder: folder,
        })
    }
}

/// Returns the contest at a position; its id is the position, which orders contests of one time.
fn to_contest(results: &Results, position: usize, teams: TeamMode) -> Contest {
    let row = &results.rows[position];
    let ends_at = ContestTime::new(row.ends_at).unwrap_or(ContestTime::MIN);
    let mut contest = Contest::new(position.to_string(), results.contest_name(position), ends_at);
    contest.weight = row.weight;
    contest.site_weight = row.site_weight;
    contest.performance_ceiling =
        Some(row.performance_ceiling).filter(|ceiling| ceiling.is_finite());
    contest.event = results.event_name(position).map(str::to_owned);
    let mut standings: Vec<&Standing> = results.standings(position).iter().collect();
    standings.sort_by_key(|standing| standing.place.map_or(u32::MAX, Place::get));
    let published = standings.iter().filter_map(|standing| standing.place).map(Place::get);
    let (places, _) = renumber_places(published);
    let mut places = places.into_iter();
    let members = match teams {
        TeamMode::Whole => &[],
        TeamMode::Members => results.members(position),
    };
    let entrants = standings.into_iter().map(|standing| {
        let place = standing.place.and_then(|_| places.next());
        let mut entrant = Entrant::person(
            results.competitors.get(to_number(standing.competitor_id)),
            place.map_or(EntrantOutcome::DidNotFinish, EntrantOutcome::Finished),
        );
        entrant.side = standing.side;
        entrant.members = names_of_members(results, standing, members);
        if !entrant.members.is_empty() {
            entrant.kind = EntrantKind::Team;
        }
        entrant
    });
    contest.entrants = entrants.collect();
    contest
}

fn names_of_members(results: &Results, team: &Standing, members: &[TeamMember]) -> Vec<String> {
    let start = members.partition_point(|member| member.competitor_id < team.competitor_id);
    let members = members[start..].iter();
    let of_team = members.take_while(|member| member.competitor_id == team.competitor_id);
    let names = of_team.map(|member| results.competitors.get(to_number(member.person_id)));
    names.map(str::to_owned).collect()
}
