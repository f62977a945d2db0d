//! The prediction of a field.

use ranklore_contest::SourceName;
use ranklore_replay::{
    CompetitorLabel, NamesPolicy, PredictedField, PredictionRequest, PredictionView,
    load_prediction,
};
use ranklore_store::Store;

use super::{PlayerKey, find_shown};
use crate::failure::Failure;
use crate::parameters::Parameters;
use crate::paths::predict_path;

pub(crate) const NAMES: &[&str] = &["name", "kind", "run", "system", "as-of"];

/// The most competitors of a field.
pub(crate) const MAX_ENTRANTS: usize = 32;

/// Loads the prediction of the named competitors.
pub(crate) fn load(
    store: &Store,
    source: &SourceName,
    parameters: &Parameters,
) -> Result<PredictionView, Failure> {
    let entrants: Result<Vec<_>, _> = find_entrants(store, source, parameters)?.collect();
    predict(store, source, parameters, &entrants?)
}

/// Finds the competitor of each name.
pub(crate) fn find_entrants(
    store: &Store,
    source: &SourceName,
    parameters: &Parameters,
) -> Result<impl Iterator<Item = Result<CompetitorLabel, Failure>>, Failure> {
    let names = parameters.all("name").count();
    if names > MAX_ENTRANTS {
        return Err(Failure::bad_request(format!(
            "the request names {names} competitors; at most {MAX_ENTRANTS} are predicted"
        )));
    }
    let kind = parameters.kind()?;
    Ok(parameters.all("name").map(move |name| {
        let player = PlayerKey::new(source, name, kind);
        find_shown(store, &player, |candidate| {
            let parameters = parameters.with_value("name", name, &candidate.external_id);
            // A person and a team can share an id.
            let kind = if candidate.external_id == name {
                candidate.kind.as_str()
            } else {
                kind.map_or("", |kind| kind.as_str())
            };
            parameters.only(NAMES).link(&predict_path(source.as_str()), &[("kind", kind)])
        })
    }))
}

/// Predicts a field of competitors.
pub(crate) fn predict(
    store: &Store,
    source: &SourceName,
    parameters: &Parameters,
    entrants: &[CompetitorLabel],
) -> Result<PredictionView, Failure> {
    let ids = entrants.iter().map(|entrant| entrant.competitor_id).collect();
    let request = PredictionRequest {
        source: source.clone(),
        field: PredictedField::Competitors(ids),
        run: parameters.run()?,
        as_of: parameters.end_time("as-of")?,
        as_stored: false,
        names: NamesPolicy::Publishable,
    };
    Ok(load_prediction(store, &request)?)
}
