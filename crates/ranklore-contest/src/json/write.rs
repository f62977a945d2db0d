//! Contests written as the files they are read from: in the form of Elo-MMR, with what that has no
//! place for beside it.

use serde::Serialize;

use crate::beside::{Beside, Known, ResultState};
use crate::contest::{Contest, Entrant, EntrantKind};
use crate::time::UnixSeconds;

/// As `json::File`. What is not there is left out, so that a contest of persons who all finished
/// is a file like any other.
#[derive(Serialize)]
struct File<'a> {
    name: &'a str,
    id: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    url: Option<&'a str>,
    time_seconds: i64,
    #[serde(skip_serializing_if = "is_one")]
    weight: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    perf_ceiling: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    event: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    division: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ordinal: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    starts_at: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    site_weight: Option<f64>,
    standings: Vec<(&'a str, u32, u32)>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    entrants: Vec<Details<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    state: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rated: Option<bool>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    competitors: Vec<Somebody<'a>>,
}

#[derive(Default, PartialEq, Serialize)]
struct Details<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    kind: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    status: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    score: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    penalty: Option<f64>,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    members: &'a [String],
}

#[derive(Serialize)]
struct Somebody<'a> {
    competitor: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    kind: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    start_mu: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    start_sigma: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    merged_into: Option<&'a str>,
}

impl Contest {
    /// The contest as a file in the form of Elo-MMR, on one line without its end. Elo-MMR reads it;
    /// [`read`](crate::read()) with [`Format::Json`](crate::Format::Json) gives this very contest.
    /// Those who did not finish share the last range of the standings. The contest is one that
    /// [`Contest::validate`] is content with.
    #[must_use]
    pub fn to_json(&self) -> String {
        self.to_json_with(&Beside::default())
    }

    /// As [`Contest::to_json`], with what is known beside the contest. The competitors are such
    /// as [`Known`] describes; what is as it is unless said is left out.
    #[must_use]
    pub fn to_json_with(&self, beside: &Beside) -> String {
        let mut entrants: Vec<Details<'_>> = self.entrants.iter().map(details).collect();
        if entrants.iter().all(|of| *of == Details::default()) {
            entrants.clear();
        }
        let file = File {
            name: &self.name,
            id: &self.external_id,
            url: self.url.as_deref(),
            time_seconds: self.ends_at.get(),
            weight: self.weight,
            perf_ceiling: self.performance_ceiling,
            event: self.event.as_deref(),
            division: self.division.as_deref(),
            ordinal: self.ordinal,
            starts_at: self.starts_at.map(UnixSeconds::get),
            site_weight: self.site_weight,
            standings: standings(&self.entrants),
            entrants,
            state: (beside.state != ResultState::Final).then(|| beside.state.as_str()),
            rated: (!beside.rated).then_some(false),
            competitors: beside.competitors.iter().map(somebody).collect(),
        };
        // Texts and finite numbers always have a JSON form.
        serde_json::to_string(&file).unwrap_or_default()
    }
}

/// Handles with the first and last index of those who share their place, or have none.
fn standings(entrants: &[Entrant]) -> Vec<(&str, u32, u32)> {
    let mut rows = Vec::with_capacity(entrants.len());
    for tie in entrants.chunk_by(|a, b| a.outcome.place() == b.outcome.place()) {
        let lo = rows.len() as u32;
        let hi = lo + tie.len() as u32 - 1;
        rows.extend(tie.iter().map(|of| (&*of.competitor, lo, hi)));
    }
    rows
}

fn details(entrant: &Entrant) -> Details<'_> {
    Details {
        kind: unless_person(entrant.kind),
        status: entrant.outcome.status(),
        score: entrant.score,
        penalty: entrant.penalty,
        members: &entrant.members,
    }
}

fn somebody(known: &Known) -> Somebody<'_> {
    Somebody {
        competitor: &known.competitor,
        kind: unless_person(known.kind),
        name: known.name.as_deref(),
        start_mu: known.start.map(|start| start.mu),
        start_sigma: known.start.and_then(|start| start.sigma),
        merged_into: known.merged_into.as_deref(),
    }
}

fn unless_person(kind: EntrantKind) -> Option<&'static str> {
    (kind != EntrantKind::Person).then(|| kind.as_str())
}

#[expect(
    clippy::float_cmp,
    clippy::trivially_copy_pass_by_ref,
    reason = "what is exactly 1 need not be said; serde passes a reference"
)]
fn is_one(weight: &f64) -> bool {
    *weight == 1.0
}
