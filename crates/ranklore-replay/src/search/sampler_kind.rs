//! Samplers by name.

use crate::error::Error;
#[cfg(feature = "model-samplers")]
use crate::search::cma_es::CmaEsSampler;
use crate::search::grid::GridSampler;
use crate::search::random::RandomSampler;
use crate::search::sampler::Sampler;
use crate::search::space::SearchSpace;
#[cfg(feature = "model-samplers")]
use crate::search::tpe::TpeSampler;

/// A way to choose points.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum SamplerKind {
    /// All combinations of equidistant values.
    Grid,
    /// Independent random points.
    Random,
    /// Tree-structured Parzen estimators (Bergstra et al., Algorithms for Hyper-Parameter
    /// Optimization, 2011).
    #[default]
    Tpe,
    /// Covariance matrix adaptation (Hansen, The CMA Evolution Strategy: A Tutorial, 2016).
    CmaEs,
}

impl SamplerKind {
    /// All samplers.
    pub const ALL: [Self; 4] = [Self::Grid, Self::Random, Self::Tpe, Self::CmaEs];

    /// Returns the name.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Grid => "grid",
            Self::Random => "random",
            Self::Tpe => "tpe",
            Self::CmaEs => "cma-es",
        }
    }

    /// Returns the sampler with this name.
    #[must_use]
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == word)
    }

    /// True if a point depends on the seed and the number of its trial alone: then parts of a search
    /// can run apart.
    #[must_use]
    pub const fn is_independent(self) -> bool {
        matches!(self, Self::Grid | Self::Random)
    }

    /// Returns a sampler of at most this many trials.
    ///
    /// # Errors
    /// [`Error::InvalidParameters`] if a grid needs more trials.
    pub fn sampler(
        self,
        space: &SearchSpace,
        trials: u64,
        seed: u64,
    ) -> Result<Box<dyn Sampler>, Error> {
        let space = space.clone();
        Ok(match self {
            Self::Grid => {
                let system = space.system();
                let grid = GridSampler::new(space, trials).map_err(|lowest| {
                    let dimensions = "a grid of two values of each number and all choices";
                    Error::InvalidParameters {
                        system: system.as_str(),
                        reason: format!(
                            "{dimensions} has {lowest} trials, and {trials} are allowed; allow \
                             {lowest}, or fix parameters"
                        ),
                    }
                })?;
                Box::new(grid)
            }
            Self::Random => Box::new(RandomSampler::new(space, trials, seed)),
            #[cfg(feature = "model-samplers")]
            Self::Tpe => Box::new(TpeSampler::new(space, trials, seed)),
            #[cfg(feature = "model-samplers")]
            Self::CmaEs => Box::new(CmaEsSampler::new(space, trials, seed)),
            #[cfg(not(feature = "model-samplers"))]
            Self::Tpe | Self::CmaEs => {
                return Err(Error::InvalidParameters {
                    system: space.system().as_str(),
                    reason: format!("{} is not part of this build; use random", self.as_str()),
                });
            }
        })
    }
}
