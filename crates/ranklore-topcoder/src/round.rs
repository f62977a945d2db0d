//! A round of either list: an event of two contests.

use ranklore_contest::UnixSeconds;
use ranklore_source::{ContestOutcome, Listed, Request, Results, Stage};

use crate::ask::{Division, Question, number};

/// A round in a list.
pub(crate) struct Round {
    pub(crate) number: u32,
    pub(crate) name: String,
    /// The start of the round; the site gives no end.
    pub(crate) began: UnixSeconds,
}

impl Round {
    /// Returns both contests. `results` gives the request for the results of a division.
    ///
    /// Not every round has two divisions, and no list says which has.
    pub(crate) fn contests(
        &self,
        results: impl Fn(Division) -> Question,
    ) -> impl Iterator<Item = Listed> {
        Division::ALL
            .map(|division| Listed {
                event: Some(self.name.clone()),
                division: Some(format!("Div. {}", division.number())),
                ordinal: Some(i64::from(division.number())),
                url: Some(url(self.number, division)),
                starts_at: Some(self.began),
                ends_at: Some(self.began),
                results: vec![results(division).request().opening(self.began)],
                ..Listed::new(
                    contest_id(self.number, division),
                    &self.name,
                    Stage::Finished,
                )
            })
            .into_iter()
    }
}

/// Returns the key of a division of a round.
pub(crate) fn contest_id(round: u32, division: Division) -> String {
    format!("{round}/{}", division.number())
}

/// Returns the requests for the results of a contest in both formats: feed and page.
pub(crate) fn forms(contest_id: &str) -> Vec<Request> {
    let Some((round, division)) = contest_id.split_once('/') else {
        return Vec::new();
    };
    let division = Division::parse(division.as_bytes());
    let Some((round, division)) = number(round).zip(division) else {
        return Vec::new();
    };
    vec![
        Question::Results(round).request(),
        Question::Stats(round, division).request(),
    ]
}

/// Returns the results of a division.
pub(crate) fn results(round: u32, division: Division, outcome: ContestOutcome) -> Results {
    Results::new(contest_id(round, division), outcome)
}

/// Returns the public URL of a division.
fn url(round: u32, division: Division) -> String {
    let division = division.number();
    format!("https://community.topcoder.com/stat?c=round_stats&rd={round}&dn={division}")
}
