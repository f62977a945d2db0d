//! The `competitors` of a contest file: `{competitor, kind?, name?, start_mu?, start_sigma?,
//! merged_into?}` each.

use std::collections::HashMap;

use crate::json::schema::{CompetitorEntry, JsonObject, non_empty};
use ranklore_contest::{
    CompetitorFacts, EntrantKind, Quoted, STARTING_MU_RANGE, STARTING_SIGMA_RANGE, StartingRating,
    check_bounds, is_name_too_long, name_too_long_error,
};

/// Validates the list of competitors. An error is the JSON path and the reason.
pub(super) fn parse_competitors(
    list: Vec<JsonObject<CompetitorEntry<'_>>>,
) -> Result<Vec<CompetitorFacts>, (String, String)> {
    let mut competitors = Vec::with_capacity(list.len());
    let mut index_of: HashMap<(EntrantKind, String), usize> = HashMap::with_capacity(list.len());
    for (index, JsonObject(entry)) in list.into_iter().enumerate() {
        let at = |member: &str| format!("competitors[{index}].{member}");
        let facts = entry.into_facts().map_err(|(member, reason)| (at(member), reason))?;
        let competitor = (facts.kind, facts.competitor.clone());
        if let Some(first) = index_of.insert(competitor, index) {
            let reason = format!(
                "the {} {} is already listed in competitors[{first}]",
                facts.kind.as_str(),
                Quoted(&facts.competitor)
            );
            return Err((at("competitor"), reason));
        }
        competitors.push(facts);
    }
    Ok(competitors)
}

impl CompetitorEntry<'_> {
    /// Validates one competitor. An error is the name of the member and the reason.
    fn into_facts(self) -> Result<CompetitorFacts, (&'static str, String)> {
        let competitor = self.competitor.into_owned();
        let name = non_empty(self.name);
        let merged_into = non_empty(self.merged_into);
        if competitor.is_empty() {
            return Err(("competitor", "the identifier is empty".to_owned()));
        }
        for (member, text) in [
            ("competitor", Some(&competitor)),
            ("name", name.as_ref()),
            ("merged_into", merged_into.as_ref()),
        ] {
            if let Some(text) = text.filter(|text| is_name_too_long(text)) {
                return Err((member, name_too_long_error("it", text).to_string()));
            }
        }
        if merged_into.as_ref() == Some(&competitor) {
            let reason = format!("{} cannot be merged into itself", Quoted(&competitor));
            return Err(("merged_into", reason));
        }
        Ok(CompetitorFacts {
            kind: self.kind.unwrap_or_default(),
            start: parse_starting_rating(self.start_mu, self.start_sigma)?,
            competitor,
            name,
            merged_into,
        })
    }
}

fn parse_starting_rating(
    mu: Option<f64>,
    sigma: Option<f64>,
) -> Result<Option<StartingRating>, (&'static str, String)> {
    let Some(mu) = mu else {
        return match sigma {
            None => Ok(None),
            Some(_) => Err(("start_sigma", "it needs a start_mu".to_owned())),
        };
    };
    check_bounds("starting rating", mu, STARTING_MU_RANGE)
        .map_err(|reason| ("start_mu", reason.to_string()))?;
    if let Some(sigma) = sigma {
        check_bounds("starting sigma", sigma, STARTING_SIGMA_RANGE)
            .map_err(|reason| ("start_sigma", reason.to_string()))?;
    }
    Ok(Some(StartingRating { mu, sigma }))
}
