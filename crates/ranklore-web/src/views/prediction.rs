//! The prediction of a field.

use clap::Args;
use ranklore_contest::{ContestTime, EntrantKind, SourceName};
use ranklore_replay::RunChoice;
use ranklore_store::Store;
use ranklore_views::values::{parse_end_time, parse_kind};
use ranklore_views::{
    CompetitorLabel, NamesPolicy, PredictedField, PredictionRequest, PredictionView,
    load_prediction, parameter_names,
};

use super::{PlayerKey, find_shown};
use crate::failure::Failure;
use crate::parameters::Parameters;
use crate::paths::SourcePage;

/// The parameters of a prediction.
#[derive(Args)]
pub(crate) struct PredictionParameters {
    #[arg(id = "name")]
    names: Vec<String>,
    #[arg(long, value_parser = parse_kind)]
    kind: Option<EntrantKind>,
    #[command(flatten)]
    run: RunChoice,
    #[arg(long, value_parser = parse_end_time)]
    as_of: Option<ContestTime>,
}

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
    let kind = parameters.request::<PredictionParameters>()?.kind;
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
            parameters
                .only(&parameter_names::<PredictionParameters>())
                .link(&SourcePage::Predict.path(source.as_str()), &[("kind", kind)])
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
    let PredictionParameters { run, as_of, .. } = parameters.request()?;
    let request = PredictionRequest {
        source: source.clone(),
        field: PredictedField::Competitors(ids),
        run,
        as_of,
        as_stored: false,
        names: NamesPolicy::Publishable,
    };
    Ok(load_prediction(store, &request)?)
}
