//! A round of either list: an event of two contests.

use ranklore_contest::UnixSeconds;
use ranklore_source::{Request, SiteListing, Stage};

use crate::requests::{Division, TopcoderRequest, parse_number};

/// A round in a list.
pub(crate) struct ListedRound {
    pub(crate) number: u32,
    pub(crate) name: String,
    /// The start of the round; the site gives no end.
    pub(crate) starts_at: UnixSeconds,
}

impl ListedRound {
    /// Returns both contests. `results` gives the request for the results of a division.
    ///
    /// Not every round has two divisions, and no list says which has.
    pub(crate) fn contests(
        &self,
        results: impl Fn(Division) -> TopcoderRequest,
    ) -> impl Iterator<Item = SiteListing> {
        Division::ALL
            .map(|division| SiteListing {
                event: Some(self.name.clone()),
                division: Some(format!("Div. {}", division.number())),
                ordinal: Some(i64::from(division.number())),
                url: Some(division_url(self.number, division)),
                starts_at: Some(self.starts_at),
                ends_at: Some(self.starts_at),
                results: vec![Request {
                    opens_at: Some(self.starts_at),
                    ..results(division).to_request()
                }],
                ..SiteListing::new(contest_id(self.number, division), &self.name, Stage::Finished)
            })
            .into_iter()
    }
}

/// Returns the key of a division of a round.
pub(crate) fn contest_id(round: u32, division: Division) -> String {
    format!("{round}/{}", division.number())
}

/// Returns the requests for the results of a contest in both formats: feed and page.
pub(crate) fn result_requests(contest_id: &str) -> Vec<Request> {
    let Some((round, division)) = contest_id.split_once('/') else {
        return Vec::new();
    };
    let division = Division::parse(division.as_bytes());
    let Some((round, division)) = parse_number(round).zip(division) else {
        return Vec::new();
    };
    vec![
        TopcoderRequest::RoundResults(round).to_request(),
        TopcoderRequest::RoundStats(round, division).to_request(),
    ]
}

/// Returns the warning about coders of a division whom the site did not rate.
pub(crate) fn unrated_warning(round: u32, division: Division, left_out: usize) -> String {
    let coders = if left_out == 1 { "coder" } else { "coders" };
    format!(
        "round {round}, division {}: {left_out} {coders} not rated by the site left out",
        division.number()
    )
}

/// Returns the public URL of a division.
fn division_url(round: u32, division: Division) -> String {
    let division = division.number();
    format!("https://community.topcoder.com/stat?c=round_stats&rd={round}&dn={division}")
}
