//! Search for the parameters of a system: spaces, and samplers of their points.
//!
//! Pure: knows neither contests nor threads nor time.

#[cfg(feature = "model-samplers")]
pub(crate) mod cma_es;
pub(crate) mod dimension;
pub(crate) mod grid;
pub(crate) mod random;
pub(crate) mod range_override;
pub(crate) mod sampler;
pub(crate) mod sampler_kind;
pub(crate) mod space;
#[cfg(feature = "model-samplers")]
pub(crate) mod tpe;
