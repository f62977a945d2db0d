#![doc = include_str!("../README.md")]

mod comparisons;
mod error;
mod lists;
mod predictions;
mod progress;
mod runs;
mod system_spec;
mod views;

pub use comparisons::evaluations::{
    ComparisonList, EvaluatedMetric, EvaluatedSystem, MetricOfSystem, load_comparisons,
};
pub use comparisons::scatter::{Disagreement, MAX_SCATTER_POINTS, RunScatter, load_run_scatter};
pub use error::{Error, NameNotFound};
pub use lists::contests::{
    ContestList, ContestListRequest, ContestListRow, ContestOrder, load_contest_list,
};
pub use lists::distribution::{Distribution, RatingBin, load_distribution};
pub use lists::movers::{Mover, Movers, MoversRequest, load_movers};
pub use lists::players::{
    PlayerList, PlayerListRequest, PlayerListRow, PlayerOrder, PlayerRating, load_player_list,
};
pub use lists::records::{
    ContestWins, RatingYear, RecordsRequest, RunRecords, TimeInFirstPlace, load_records,
};
pub use lists::sources::{ListedSource, SourceList, load_source_list};
pub use lists::systems::{SystemDescription, describe_system};
pub use predictions::accuracy::{CalibrationRow, MetricValues, SliceAccuracy};
pub use predictions::agreement::Agreement;
pub use predictions::comparison::{
    COIN_TOSS_BASELINE, ComparedMetric, ComparedSystem, Comparison, ComparisonRequest, LeftOut,
    PREVIOUS_PLACE_BASELINE, compare_systems,
};
pub use predictions::evaluate::{Evaluation, evaluate};
pub use predictions::field::{
    MAX_FIELD, MAX_LISTED_FIELD, PredictedCompetitor, PredictedField, PredictedPair,
    PredictionRequest, PredictionView, load_prediction,
};
pub use predictions::settings::{EvaluationSettings, SliceBy, Train};
pub use predictions::states::Plausibility;
pub use predictions::versus::{
    Meeting, MeetingEntrant, NextGame, Opponent, VersusRequest, VersusView, load_versus,
};
pub use progress::{NoProgress, Progress};
pub use ranklore_rating::metrics::{Better, Metric, Unit};
pub use ranklore_rating::{
    AllTied, Display, ENGINE_VERSION, Promise, Provisional, Support, SystemInfo, UnfinishedPolicy,
};
pub use runs::contest_size::OversizedContests;
pub use runs::fingerprint::{Staleness, count_new_contests, describe_staleness, is_current};
pub use runs::lookup::{
    RunChoice, RunKey, describe_run, find_all_runs, find_default_system, find_run, find_run_by_key,
    find_run_covering, reset_needless_team_mode,
};
pub use runs::rate::{RateReport, RateRequest, rate, rate_in_batch};
pub use runs::rating_period::RatingPeriod;
pub use runs::refresh::{CurrentRun, current_runs, refresh_fingerprints};
pub use runs::selected_contests::find_source;
pub use runs::selection::{EmptySelection, RunSelection};
pub use runs::systems::{
    SYSTEMS, System, SystemName, find_damaged_parameters, non_default_parameters,
};
pub use runs::teams::TeamMode;
pub use runs::weights::Weights;
pub use system_spec::{SystemSpec, format_setting, format_system, parse_setting};
pub use views::cache::{ViewCache, ViewReader};
pub use views::contest::past_winners::PastContest;
pub use views::contest::upsets::{Upset, Upsets};
pub use views::contest::{
    ContestCompetitor, ContestEntry, ContestRequest, ContestResult, ContestRows, ContestView,
    load_contest_view,
};
pub use views::coverage::UnratedReason;
pub use views::find::{find_competitor_exact, find_contest_exact, find_shown_competitors};
pub use views::fuzzy::{MAX_CANDIDATES, NameMatch, find_by_names, find_name};
pub use views::games::record::{GameOutcome, GameRecord, SideRecord};
pub use views::games::summary::{BestWin, OpponentRecord, PlayerGames};
pub use views::history::{ContestSummary, Highlights, PlayerContest, RatingStep};
pub use views::leaderboard::{Leaderboard, LeaderboardRequest, LeaderboardRow, load_leaderboard};
pub use views::names::{CompetitorLabel, NamesPolicy};
pub use views::page::Page;
pub use views::player::run_standings::RunStanding;
pub use views::player::{
    PlayerRequest, PlayerStanding, PlayerView, load_found_player_view, load_player_view,
};
pub use views::ranking::order::LeaderboardOrder;
pub use views::ranking::rules::find_display;
pub use views::ranking::{INACTIVE_AFTER_DAYS, RankedCompetitor};
