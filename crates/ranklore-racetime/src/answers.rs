//! The answers about one race: the newest that has it, and its removal.

use std::sync::Arc;

use ranklore_contest::UnixSeconds;
use ranklore_source::assemble::{
    self, AnswerArchive, ArchivedAnswer, Assembly, NewestAnswer, NewestVerdict,
};
use ranklore_source::{Request, SiteListing, SiteReadError, SiteReading};

/// Assembles a race from the newest answer that has it. If the newest answer to the same request
/// covers its time and lacks it, the race was removed.
pub(crate) fn assemble_race(listed: &SiteListing, archive: &dyn AnswerArchive) -> Assembly {
    let answers = RaceAnswers { listed, archive };
    let mut assembly = assemble::newest(listed, &answers, Vec::new(), None);
    if let Some(removal) = answers.find_removal() {
        assembly.newest = Some(NewestAnswer {
            id: removal.id,
            fetched_at: removal.fetched_at,
            verdict: NewestVerdict::Gone,
        });
        assembly.newest_answers = vec![removal.id];
    }
    assembly
}

/// The part of an archive that concerns one race.
struct RaceAnswers<'a> {
    listed: &'a SiteListing,
    archive: &'a dyn AnswerArchive,
}

impl RaceAnswers<'_> {
    fn distinct_answers(&self, request: &Request) -> Vec<ArchivedAnswer> {
        let mut answers = self.archive.answers(request);
        answers.retain(|answer| !answer.is_repeat);
        answers
    }

    fn has_race(&self, reading: &SiteReading) -> bool {
        reading
            .results
            .iter()
            .any(|results| results.external_id == self.listed.external_id)
    }

    fn reads_race(&self, answer: &ArchivedAnswer) -> bool {
        // An unreadable answer may have it.
        self.archive.read(answer).map_or(true, |reading| self.has_race(&reading))
    }

    /// Returns the newest answer if the race was removed before it.
    fn find_removal(&self) -> Option<ArchivedAnswer> {
        let request = self.listed.results.first()?;
        let newest = self.distinct_answers(request).into_iter().next()?;
        let reading = self.archive.read(&newest).ok()?;
        // A refused entry may be this race.
        let is_removed =
            reading.refused.is_empty() && !self.has_race(&reading) && covers(&reading, self.listed);
        is_removed.then_some(newest)
    }
}

/// True if a page would have a race that ended at this time. One that is newer than all races of the
/// first page may be missing from a page that lags behind.
fn covers(reading: &SiteReading, race: &SiteListing) -> bool {
    let Some(ended_at) = race.ends_at else {
        return false;
    };
    let mut end_times = reading.listed.iter().filter_map(|other| other.ends_at);
    let starts_before = reading.follow.is_empty() || end_times.clone().any(|at| at < ended_at);
    let ends_after = end_times.any(|at| at > ended_at);
    starts_before && ends_after
}

impl AnswerArchive for RaceAnswers<'_> {
    /// Returns the newest answer that has the race. A race moves through a page in one go, so the
    /// search starts with the answers of the time when it ended, and reads a few of many.
    fn answers(&self, request: &Request) -> Vec<ArchivedAnswer> {
        let answers = self.distinct_answers(request);
        if answers.first().is_none_or(|newest| self.reads_race(newest)) {
            return answers;
        }
        let ended_at = self.listed.ends_at.map_or(i64::MIN, UnixSeconds::get);
        let later = answers.iter().rev().filter(|answer| answer.fetched_at >= ended_at);
        let mut with_race = later
            .skip_while(|answer| !self.reads_race(answer))
            .take_while(|a| self.reads_race(a));
        let newest = with_race.by_ref().last().cloned();
        // The clock may have been wrong.
        newest.map_or(answers, |newest| vec![newest])
    }

    fn read(&self, answer: &ArchivedAnswer) -> Result<Arc<SiteReading>, SiteReadError> {
        self.archive.read(answer)
    }
}
