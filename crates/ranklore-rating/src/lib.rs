#![doc = include_str!("../README.md")]
#![expect(
    clippy::inline_always,
    reason = "what is not inlined into a dispatched kernel is compiled for the baseline instruction set"
)]
#![expect(
    clippy::float_cmp,
    reason = "equal ratings are equal to the last bit, here and wherever bits are promised"
)]

mod about;
mod bar;
mod belief;
mod chain;
mod codeforces;
mod codeforces_official;
mod elo;
mod elo_mmr;
mod elo_mmx;
mod elo_pairwise;
mod elo_r;
mod elo_srm;
mod glicko;
mod glicko2;
mod lanes;
// Not of the public interface, which is one trait, plain data and `metrics`: public only so that
// the tests and benchmarks of this crate reach it. The same holds for `performance`.
#[doc(hidden)]
pub mod likelihood;
pub mod metrics;
mod normal;
mod parameters;
#[doc(hidden)]
pub mod performance;
mod plackett_luce;
mod players;
mod root;
mod single_parameter;
mod system;
mod teams;
mod thurstone;
mod topcoder;
mod topcoder_official;
mod trueskill;
mod trueskill_spb;
mod truncated;
mod two_double;
mod unfinished;

pub use about::{About, Promise, Support};
pub use bar::{Bar, BarParameters};
pub use codeforces::{Codeforces, CodeforcesParameters};
pub use codeforces_official::{CodeforcesOfficial, CodeforcesOfficialParameters};
pub use elo::{Elo, EloModel, EloParameters, EloUpdate};
pub use elo_mmr::{EloMmr, EloMmrParameters};
pub use elo_mmx::{EloMmx, EloMmxParameters};
pub use elo_pairwise::{EloPairs, EloPairwise, EloPairwiseParameters};
pub use elo_r::{EloR, EloRParameters};
pub use elo_srm::{EloSrm, EloSrm2Parameters, EloSrmParameters};
pub use glicko::{Glicko, GlickoInformation, GlickoParameters};
pub use glicko2::{Glicko2, Glicko2Parameters};
pub use likelihood::{Block, Orientation};
pub use parameters::InvalidParameter;
pub use plackett_luce::{PlackettLuce, PlackettLuceParameters};
pub use single_parameter::LearningRate;
pub use system::{CompetitorIndex, Past, Rated, RatingSystem, Round, Start};
pub use thurstone::{Thurstone, ThurstoneParameters};
pub use topcoder::{Topcoder, TopcoderParameters};
pub use topcoder_official::{TopcoderOfficial, TopcoderOfficialParameters};
pub use trueskill::{Playing, TrueSkill, TrueSkillParameters};
pub use trueskill_spb::{TrueSkillSpb, TrueSkillSpbParameters};
pub use unfinished::{Treating, Unfinished};

/// Version of the numerics: bumped whenever any bit of any rating changes, so that ratings of
/// different versions are never mixed.
pub const ENGINE: &str = "3";
