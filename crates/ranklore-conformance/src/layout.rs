//! Checks answers whose layout changed, as a site may change it without notice.
//!
//! Each change must be refused or not change the reading; a source documents its exceptions. For
//! JSON, [`change_json`] makes the changes described by [`JsonObjects`]. For HTML and feeds, the
//! tests of a source make them and count them in [`LayoutChanges`].

mod json;

use std::collections::BTreeMap;

pub use json::{JsonAnswer, JsonLists, JsonObjects, ValueChange, change_json};

use crate::read_answer;
use ranklore_source::{Classification, ContestOutcome, Request, SiteReading, Source};

/// Counts of the results of changed answers, by the name of the change.
#[derive(Debug, Default)]
pub struct LayoutChanges {
    tallies: BTreeMap<String, ChangeTally>,
}

#[derive(Debug, Default)]
struct ChangeTally {
    refused: usize,
    same: usize,
    misread: usize,
    /// The first misread answer.
    example: String,
}

impl LayoutChanges {
    /// Counts a changed answer as refused, the same as `whole`, or misread. `example` describes the
    /// first misread answer of each name.
    pub fn record<T: PartialEq, E>(
        &mut self,
        name: &str,
        original: &T,
        outcome: &Result<T, E>,
        example: impl FnOnce() -> String,
    ) {
        let tally = self.tallies.entry(name.to_owned()).or_default();
        match outcome {
            Err(_) => tally.refused += 1,
            Ok(reading) if reading == original => tally.same += 1,
            Ok(_) => {
                if tally.misread == 0 {
                    tally.example = example();
                }
                tally.misread += 1;
            }
        }
    }

    /// Checks that only changes whose names begin with one of `unnoticed` are misread, that each of
    /// these is, and that at least 95 % of changes with an effect are refused. Returns the number
    /// of refused changes, so that a test can require enough of them.
    ///
    /// # Panics
    /// If a check fails.
    #[must_use]
    pub fn check(&self, unnoticed: &[&str]) -> usize {
        for (name, tally) in &self.tallies {
            let ChangeTally {
                refused,
                same,
                misread,
                ..
            } = tally;
            println!("{name:70} {refused:5} refused {same:5} the same {misread:4} misread");
        }
        let refused: usize = self.tallies.values().map(|tally| tally.refused).sum();
        let misread: usize = self.tallies.values().map(|tally| tally.misread).sum();
        let matter = refused + misread;
        assert!(matter > 0, "no change has an effect");
        let share = 100.0 * refused as f64 / matter as f64;
        println!("{share:.1} % of {matter} changes with an effect are refused");
        let misread: BTreeMap<&str, &str> = self
            .tallies
            .iter()
            .filter(|(_, tally)| tally.misread > 0)
            .map(|(name, tally)| (name.as_str(), tally.example.as_str()))
            .collect();
        let unexpected: BTreeMap<&str, &str> = misread
            .iter()
            .map(|(name, example)| (*name, *example))
            .filter(|(name, _)| !unnoticed.iter().any(|prefix| name.starts_with(prefix)))
            .collect();
        assert!(
            unexpected.is_empty(),
            "misread without an error, with examples: {unexpected:#?}"
        );
        for prefix in unnoticed {
            let is_misread = misread.keys().any(|name| name.starts_with(prefix));
            assert!(is_misread, "{prefix} is no longer unnoticed");
        }
        assert!(share >= 95.0, "{share:.1} % are refused");
        refused
    }
}

/// Classifies, minimises and reads an answer. Returns the reading in a fixed order, without
/// warnings and counts of omissions.
///
/// # Errors
/// The reason for the refusal, or the first refused entry.
pub fn read_changed_answer(
    source: &dyn Source,
    request: &Request,
    status: u16,
    body: &[u8],
) -> Result<SiteReading, String> {
    let verdict = source.classify(request, status, body);
    if verdict != Classification::Answer {
        return Err(format!("{verdict:?}"));
    }
    let minimised = source.minimise(&request.key(), body);
    let reading =
        read_answer(source, request, status, &minimised).map_err(|error| error.to_string())?;
    match reading.refused.first() {
        Some(error) => Err(error.to_string()),
        None => Ok(sort_reading(reading)),
    }
}

/// Sorts the data whose order may follow the rows of the document.
fn sort_reading(mut reading: SiteReading) -> SiteReading {
    for results in &mut reading.results {
        if let ContestOutcome::Standings { entrants, official } = &mut results.outcome {
            entrants.sort_by_key(|entrant| (entrant.outcome.place(), entrant.competitor.clone()));
            official.sort_by(|a, b| a.competitor.cmp(&b.competitor));
        }
    }
    reading.results.sort_by_key(|r| r.external_id.clone());
    reading.listed.sort_by_key(|l| l.external_id.clone());
    reading.described.sort_by_key(|d| d.external_id.clone());
    reading.named.sort_by_key(|name| name.competitor.clone());
    reading.warnings.clear();
    reading.left_out.clear();
    reading
}
