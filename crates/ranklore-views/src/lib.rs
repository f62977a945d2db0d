#![doc = include_str!("../README.md")]

mod bounded_cache;
mod cache;
pub mod charts;
mod comparisons;
mod contest;
mod coverage;
mod experiments;
mod games;
mod history;
mod leaderboard;
mod lists;
mod names;
mod page;
mod player;
mod predictions;
mod ranking;
mod rating_periods;
mod requests;
mod rows;
mod run_history;
mod tuning;

pub use bounded_cache::BoundedCache;
pub use cache::{ViewCache, ViewReader};
pub use comparisons::evaluations::{
    ComparisonList, EvaluatedMetric, EvaluatedSystem, MetricOfSystem, load_comparisons,
};
pub use comparisons::scatter::{Disagreement, MAX_SCATTER_POINTS, RunScatter, load_run_scatter};
pub use contest::past_winners::PastContest;
pub use contest::upsets::{Upset, Upsets};
pub use contest::{
    ContestCompetitor, ContestEntry, ContestRequest, ContestResult, ContestRows, ContestView,
    StandingsLine, load_contest_view,
};
pub use coverage::UnratedReason;
pub use experiments::curves::{
    CurveCompetitors, CurvePoint, CurvesReport, CurvesRequest, RatingCurve, SystemCurves,
    follow_ratings,
};
pub use experiments::farm::{FarmReport, FarmRequest, FarmSchedule, FarmedSystem, farm_volatility};
pub use experiments::group_size::{
    GroupSizeAccuracy, GroupSizeReport, GroupSizeRequest, SystemAccuracy, measure_group_sizes,
};
pub use experiments::inflation::{
    InflationReport, InflationRequest, SystemLevels, YearLevel, measure_inflation,
};
pub use experiments::performance::{
    ContestsBetter, GroupPerformance, PerformanceReport, PerformanceRequest, SystemPerformances,
    measure_performances,
};
pub use games::record::{GameOutcome, GameRecord, SideRecord};
pub use games::summary::{BestWin, OpponentRecord, PlayerGames};
pub use history::{ContestSummary, Highlights, PlayerContest, RatingStep};
pub use leaderboard::{Leaderboard, LeaderboardRequest, LeaderboardRow, load_leaderboard};
pub use lists::contests::{
    ContestList, ContestListRequest, ContestListRow, ContestOrder, load_contest_list,
};
pub use lists::distribution::{Distribution, DistributionRequest, RatingBin, load_distribution};
pub use lists::movers::{ListedMover, Mover, MoverList, Movers, MoversRequest, load_movers};
pub use lists::players::{
    PlayerList, PlayerListRequest, PlayerListRow, PlayerOrder, PlayerRating, load_player_list,
};
pub use lists::records::{
    ContestWins, RecordRow, RecordsRequest, RunRecords, TimeInFirstPlace, load_records,
};
pub use lists::sources::{
    ListedSource, SourceList, SourceListRequest, format_sync, load_source_list,
};
pub use lists::systems::{SystemDescription, describe_system};
pub use names::find::{find_competitor_exact, find_contest_exact, find_shown_competitors};
pub use names::fuzzy::{MAX_CANDIDATES, NameMatch, find_by_names, find_name};
pub use names::labels::{CompetitorLabel, NamesPolicy};
pub use page::{Extent, Page};
pub use player::run_standings::RunStanding;
pub use player::{
    PlayerRequest, PlayerStanding, PlayerView, load_found_player_view, load_player_view,
};
pub use predictions::accuracy::{CalibrationRow, ComparedMetric, MetricValues, SliceAccuracy};
pub use predictions::agreement::Agreement;
pub use predictions::comparison::{
    COIN_TOSS_BASELINE, ComparedSystem, Comparison, ComparisonRequest, LeftOut,
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
pub use ranking::order::LeaderboardOrder;
pub use ranking::rules::find_display;
pub use ranking::{INACTIVE_AFTER_DAYS, RankedCompetitor};
pub use ranklore_rating::metrics::{Better, Metric, Unit};
pub use requests::parse::{
    Contradiction, ParameterError, parameter_names, parse_json_request, parse_request,
};
pub use requests::values;
pub use rows::cell::{CellValue, RatingMark};
pub use rows::columns::{Column, ColumnName, Columns, List};
pub use rows::data::{Escape, write_csv, write_json_lines, write_report_csv, write_report_lines};
pub use rows::format;
pub use run_history::RatingYear;
pub use tuning::journal::{MergedTrials, StudySummary, export_trials, load_studies, merge_trials};
pub use tuning::request::{
    JudgedSystem, SearchOptions, Shard, TuneReport, TuneRequest, TunedEdge, TunedSystem,
};
pub use tuning::tune::tune;
