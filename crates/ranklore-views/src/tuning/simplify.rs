//! The choice of parameters after a search: those that differ from the defaults for a reason.
//!
//! The best of many trials is partly luck: it fits the contests that tune, and no others. The defaults
//! stay if no trial is better beyond the paired interval. Else each parameter keeps its default that
//! costs less than one standard error (the rule of Breiman et al., Classification and Regression
//! Trees, 1984).

use ranklore_replay::{Error, Progress, SearchEdge, SearchPoint, SearchSpace, SystemSpec};

use crate::tuning::part::Part;
use crate::tuning::reference_point::{ComparedPoint, ReferencePoint};
use crate::tuning::search::BestTrial;

/// The parameters that a search chooses.
pub(super) struct ChosenParameters {
    pub(super) spec: SystemSpec,
    /// All parameters as canonical JSON.
    pub(super) parameters: String,
    /// The objective in the contests that tune.
    pub(super) objective: f64,
    /// The values at the end of their range.
    pub(super) edges: Vec<SearchEdge>,
}

/// Returns the default parameters, if the best trial is not better beyond the paired interval; else
/// those of the best trial, with defaults where they cost less than one standard error, first the one
/// that costs least.
///
/// # Errors
/// [`Error::InvalidParameters`]. An interruption is no error: the other parameters stay.
pub(super) fn simplify(
    part: &Part<'_>,
    space: &SearchSpace,
    best: &BestTrial,
    watch: &dyn Progress,
) -> Result<ChosenParameters, Error> {
    let chosen = match find_simplest(part, space, best, watch) {
        Err(Error::Interrupted) => None,
        result => result?,
    };
    let point = chosen.as_ref().map_or(&best.point, |chosen| &chosen.point);
    let spec = space.spec(point);
    Ok(ChosenParameters {
        parameters: spec.build()?.parameters,
        objective: chosen.as_ref().map_or(best.objective, |chosen| chosen.value),
        edges: space.edges(point),
        spec,
    })
}

/// Returns the point that replaces the best trial, if there is one.
fn find_simplest(
    part: &Part<'_>,
    space: &SearchSpace,
    best: &BestTrial,
    watch: &dyn Progress,
) -> Result<Option<ComparedPoint>, Error> {
    let reference = ReferencePoint::new(part, space, &best.point, watch)?;
    let default = reference.compare(vec![space.default_point()])?.pop();
    // Infinite if the ratings of the default parameters diverge.
    let highest_loss = default.as_ref().map_or(f64::INFINITY, |default| default.loss);
    if let Some(default) = default.filter(|default| default.is_within_interval) {
        return Ok(Some(default));
    }
    let mut chosen: Option<ComparedPoint> = None;
    loop {
        let point = chosen.as_ref().map_or(&best.point, |chosen| &chosen.point);
        let points = reference.compare(simpler_points(space, point))?.into_iter();
        let points =
            points.filter(|point| point.is_within_standard_error && point.loss <= highest_loss);
        match points.min_by(|a, b| a.loss.total_cmp(&b.loss)) {
            Some(simpler) => chosen = Some(simpler),
            None => return Ok(chosen),
        }
    }
}

/// Returns the points with one more parameter at its default.
fn simpler_points(space: &SearchSpace, point: &SearchPoint) -> Vec<SearchPoint> {
    let settings = space.settings(point);
    let defaults = space.settings(&space.default_point()).into_iter();
    let changed = defaults.filter(|(name, default)| settings.get(name) != Some(default));
    let points = changed.filter_map(|(name, default)| {
        let mut settings = settings.clone();
        settings.insert(name, default);
        space.point(&settings)
    });
    points.collect()
}
