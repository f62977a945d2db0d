#![doc = include_str!("../README.md")]
#![expect(
    clippy::inline_always,
    reason = "what is not inlined into a dispatched kernel is compiled for the baseline instruction set"
)]
#![expect(
    clippy::float_cmp,
    reason = "equal ratings are equal to the last bit, here and wherever bits are promised"
)]

mod contest_policy;
mod display;
mod numerics;
mod solve;
mod system_info;
mod systems;
// Not part of the public interface, which is one trait, plain data and `metrics`: `likelihood` and
// `performance` are public only for the tests and benchmarks of this crate.
pub mod metrics;
mod model;
mod open_period;
mod parameters;
mod players;
mod search_range;
mod sigma_growth;
mod system;
mod teams;
mod unfinished_policy;
mod win_model;
mod words;

pub use contest_policy::{AllTied, ContestPolicy, WithContestPolicy};
pub use display::{Display, Provisional, Title};
pub use model::ModelSystem;
pub use parameters::InvalidParameter;
pub use search_range::{ParameterInfo, SearchRange};
pub use sigma_growth::{PeriodGrowth, SigmaGrowth};
pub use solve::draw_margin::DrawMargin;
pub use solve::likelihood::{Orientation, UnfinishedModel};
#[doc(hidden)]
pub use solve::{likelihood, performance};
pub use system::{
    CompetitorIndex, InitialRating, PastResult, RatedEntrant, RatingRound, RatingSystem,
    has_diverged,
};
pub use system_info::{Promise, Support, SystemInfo};
pub use systems::bayesian::bar::{Bar, BarParameters};
pub use systems::bayesian::glicko::{Glicko, GlickoInformation, GlickoParameters};
pub use systems::bayesian::glicko2::{Glicko2, Glicko2Parameters};
pub use systems::bayesian::trueskill::{TrueSkill, TrueSkillParameters, TrueSkillPlayer};
pub use systems::bayesian::trueskill_spb::{TrueSkillSpb, TrueSkillSpbParameters};
pub use systems::elo::elo_pairwise::{EloPairwise, EloPairwiseParameters, PairAggregation};
pub use systems::elo::elo_srm::{
    EloSrm, EloSrm2, EloSrm2Parameters, EloSrmParameters, RankPerformance, rank_performances,
};
pub use systems::elo::plackett_luce::{PlackettLuce, PlackettLuceParameters};
pub use systems::elo::single_parameter::{GradientStep, LearningRate};
pub use systems::elo::thurstone::{Thurstone, ThurstoneParameters};
pub use systems::elo::two_player::{Elo, EloModel, EloParameters, EloUpdate};
pub use systems::mmr::elo_mmr::{EloMmr, EloMmrParameters};
pub use systems::mmr::elo_mmx::{EloMmx, EloMmxParameters};
pub use systems::mmr::elo_r::{EloR, EloRParameters};
pub use systems::sites::codeforces::{Codeforces, CodeforcesParameters};
pub use systems::sites::codeforces_official::{CodeforcesOfficial, CodeforcesOfficialParameters};
pub use systems::sites::topcoder::{Topcoder, TopcoderParameters};
pub use systems::sites::topcoder_official::{TopcoderOfficial, TopcoderOfficialParameters};
pub use unfinished_policy::UnfinishedPolicy;
pub use win_model::{Belief, PerformanceShape, WinModel, WinProbability};

/// Version of the numerics: increases whenever any bit of any rating changes, so that ratings of
/// different versions are never mixed.
pub const ENGINE_VERSION: &str = "8";
