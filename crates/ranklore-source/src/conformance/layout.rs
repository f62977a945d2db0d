//! Answers of another layout than they had, as a site may change it without telling anybody.
//!
//! Each change is refused, or reads as before; what else there is, a source lists and documents.
//! For answers in JSON, [`json`] makes the changes by the [`Form`]s of their objects. Of pages and
//! feeds the tests of a source make them, and let [`Changes`] count.

mod json;

use std::collections::{BTreeMap, BTreeSet};

use ranklore_contest::Entrant;

pub use json::{Answer, Form, Lists, Other, json};

use super::answered;
use crate::{ContestOutcome, Reading, Request, Source, Verdict};

/// What came of changed answers, by the names of the changes.
#[derive(Debug, Default)]
pub struct Changes {
    of: BTreeMap<String, Tally>,
}

#[derive(Debug, Default)]
struct Tally {
    refused: usize,
    same: usize,
    misread: usize,
    /// The first that was misread.
    example: String,
}

impl Changes {
    /// Counts what a changed answer says: refused, the same as `whole`, what was said before, or
    /// misread, of which the first of each name is shown as an `example`.
    pub fn count<T: PartialEq, E>(
        &mut self,
        name: &str,
        whole: &T,
        found: &Result<T, E>,
        example: impl FnOnce() -> String,
    ) {
        let tally = self.of.entry(name.to_owned()).or_default();
        match found {
            Err(_) => tally.refused += 1,
            Ok(found) if found == whole => tally.same += 1,
            Ok(_) => {
                if tally.misread == 0 {
                    tally.example = example();
                }
                tally.misread += 1;
            }
        }
    }

    /// Nothing is misread but changes whose names begin as one of `unnoticed`, each of which is;
    /// and of those that do not read the same at least 95 in 100 are refused. Returns how many
    /// are: a test in which few are tries little.
    ///
    /// # Panics
    /// When something of it does not hold.
    #[must_use]
    pub fn hold(&self, unnoticed: &[&str]) -> usize {
        for (name, tally) in &self.of {
            let Tally {
                refused,
                same,
                misread,
                ..
            } = tally;
            println!("{name:70} {refused:5} refused {same:5} the same {misread:4} misread");
        }
        let refused: usize = self.of.values().map(|tally| tally.refused).sum();
        let misread: usize = self.of.values().map(|tally| tally.misread).sum();
        let matter = refused + misread;
        assert!(matter > 0, "no change matters");
        let share = 100.0 * refused as f64 / matter as f64;
        println!("of {matter} that matter {share:.1} % are refused");
        let misread: BTreeMap<&str, &str> = (self.of.iter())
            .filter(|(_, tally)| tally.misread > 0)
            .map(|(name, tally)| (name.as_str(), tally.example.as_str()))
            .collect();
        let unknown: BTreeMap<&str, &str> = (misread.iter())
            .map(|(name, example)| (*name, *example))
            .filter(|(name, _)| !unnoticed.iter().any(|known| name.starts_with(known)))
            .collect();
        assert!(
            unknown.is_empty(),
            "misread without a word, with an example: {unknown:#?}"
        );
        for known in unnoticed {
            let still = misread.keys().any(|name| name.starts_with(known));
            assert!(still, "{known} is noticed by now");
        }
        assert!(share >= 95.0, "{share:.1} % are refused");
        refused
    }
}

/// The list in a section of a page of documentation, in Markdown, names in `marks of code` what is
/// not noticed, and nothing else.
///
/// # Panics
/// When it does not, or there is no section with that heading.
pub fn documented(text: &str, heading: &str, unnoticed: &[&str]) {
    let Some((_, section)) = text.split_once(&format!("\n## {heading}\n")) else {
        panic!("there is no section {heading:?}");
    };
    let section = section.split("\n## ").next().unwrap_or_default();
    let named: BTreeSet<&str> = section
        .lines()
        .filter(|line| line.starts_with("- "))
        // Every second part stands in marks.
        .flat_map(|line| line.split('`').skip(1).step_by(2))
        .collect();
    assert_eq!(
        named,
        unnoticed.iter().copied().collect(),
        "what the documentation names, and what is not noticed"
    );
}

/// What an answer says when it is judged, kept and read, whatever the order of what has none, and
/// without warnings and without counts of what was left out.
///
/// # Errors
/// Why it was refused, or the first of what was refused in it.
pub fn said(
    source: &dyn Source,
    request: &Request,
    status: u16,
    body: &[u8],
) -> Result<Reading, String> {
    let verdict = source.classify(request, status, body);
    if verdict != Verdict::Answer {
        return Err(format!("{verdict:?}"));
    }
    let kept = source.minimise(&request.key(), body);
    let reading = answered(source, request, status, &kept).map_err(|error| error.to_string())?;
    match reading.refused.first() {
        Some(error) => Err(error.to_string()),
        None => Ok(in_order(reading)),
    }
}

/// Those of one place, contests of a list and names come as the rows of a document do.
fn in_order(mut reading: Reading) -> Reading {
    for results in &mut reading.results {
        if let ContestOutcome::Stood { entrants, official } = &mut results.outcome {
            let key = |of: &Entrant| (of.outcome.place(), of.competitor.clone());
            entrants.sort_by_key(key);
            official.sort_by(|a, b| a.competitor.cmp(&b.competitor));
        }
    }
    (reading.results).sort_by(|a, b| a.external_id.cmp(&b.external_id));
    (reading.listed).sort_by(|a, b| a.external_id.cmp(&b.external_id));
    (reading.described).sort_by(|a, b| a.external_id.cmp(&b.external_id));
    (reading.named).sort_by(|a, b| a.competitor.cmp(&b.competitor));
    reading.warnings.clear();
    reading.left_out.clear();
    reading
}
