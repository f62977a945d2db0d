#![doc = include_str!("../README.md")]

mod error;
mod progress;
mod runs;
mod search;
mod system_spec;

pub use error::{Error, NameNotFound};
pub use progress::{NoProgress, Progress};
pub use ranklore_rating::{
    AllTied, Display, ENGINE_VERSION, ParameterInfo, Promise, Provisional, SearchRange, Support,
    SystemInfo, UnfinishedPolicy,
};
pub use runs::contest_size::{
    OversizedContests, exclude_oversized_contests, find_oversized_contests, is_oversized,
};
pub use runs::fingerprint::{
    Staleness, count_new_contests, describe_staleness, hash_standings, is_current, is_stale,
};
pub use runs::identities::Identities;
pub use runs::keys::{serialize_json_text, serialize_run};
pub use runs::lineup::given::GivenResult;
pub use runs::lineup::last_place::ContestWithLast;
pub use runs::lineup::{CompetitorIndices, Replay, ReplayContest};
pub use runs::lookup::{
    ChosenSystem, RunChoice, RunKey, describe_run, find_all_runs, find_default_system, find_run,
    find_run_by_key, find_run_covering, find_run_if_rated, parse_run, reset_needless_team_mode,
};
pub use runs::rate::{RateReport, RateRequest, check_divergence, rate, rate_in_batch};
pub use runs::rating_period::RatingPeriod;
pub use runs::refresh::{CurrentRun, current_runs, refresh_fingerprints};
pub use runs::resume::rated_events::RatedEvents;
pub use runs::selected_contests::find_source;
pub use runs::selection::{EmptySelection, RunSelection};
pub use runs::systems::{
    SYSTEMS, System, SystemName, conservative_k, find_damaged_parameters, non_default_parameters,
};
pub use runs::teams::{RatedTeam, TeamMode, load_rated_teams, rank, sum_ratings};
pub use runs::weights::Weights;
pub use search::dimension::{SearchDimension, SearchDomain, format_search_range};
pub use search::range_override::RangeOverride;
pub use search::sampler::Sampler;
pub use search::sampler_kind::SamplerKind;
pub use search::space::{SearchEdge, SearchPoint, SearchSpace};
pub use system_spec::{Setting, SystemSpec, format_setting, format_system};
