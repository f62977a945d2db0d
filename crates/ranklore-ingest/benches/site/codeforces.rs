//! Invented answers in the layout of Codeforces: a list, and one or two answers for each contest.

use std::error::Error;

use ranklore_contest::UnixSeconds;
use ranklore_ingest::{OptionValues, find_site};
use ranklore_source::{Document, Request, SiteListing, Source};
use ranklore_store::WriteBatch;

use crate::{ARCHIVE_START, ArchivedSite};

/// The number of people who take part in any contest.
pub(crate) const PEOPLE: usize = 100_000;

/// Archives a list and the answers about its contests, with their standings if asked.
pub(crate) fn archive_site(
    batch: &mut WriteBatch<'_>,
    contests: usize,
    rows: usize,
    standings: bool,
) -> Result<ArchivedSite, Box<dyn Error>> {
    let site = find_site("codeforces").ok_or("no such site")?;
    let mut options = OptionValues::default();
    if standings {
        options.set(site.profile, "standings", None)?;
    }
    let source = (site.open)(&options)?;
    let mut archived = ArchivedSite::new(batch, "codeforces")?;
    let list = list_json(contests);
    let first = source.initial_requests().remove(0);
    archived.archive(batch, &first, &list)?;
    for (contest, listed) in (1..).zip(read_list(&*source, &first, &list)?) {
        let order = shuffled_people(contest, rows);
        let bodies = [rating_changes_json, self::standings_json];
        for (request, body) in listed.results.iter().zip(bodies) {
            archived.archive(batch, request, &body(contest, &order))?;
        }
    }
    Ok(archived)
}

fn read_list(
    source: &dyn Source,
    request: &Request,
    body: &str,
) -> Result<Vec<SiteListing>, Box<dyn Error>> {
    let reading = source.read(&Document {
        request_key: &request.key(),
        fetched_at: UnixSeconds::MIN,
        status: 200,
        body: body.as_bytes(),
    })?;
    let mut listed = reading.listed;
    listed.sort_by_key(|contest| contest.starts_at);
    Ok(listed)
}

/// Returns the start time of a contest: one contest a day.
fn start_time(contest: usize) -> i64 {
    ARCHIVE_START + 86_400 * contest as i64
}

fn list_json(contests: usize) -> String {
    let row = |id: usize| {
        format!(
            r#"{{"id":{id},"name":"Lantern Round {id}","type":"CF","phase":"FINISHED","frozen":false,"durationSeconds":7200,"startTimeSeconds":{}}}"#,
            start_time(id)
        )
    };
    response_json((1..=contests).rev().map(row))
}

fn response_json(rows: impl Iterator<Item = String>) -> String {
    let rows: Vec<String> = rows.collect();
    format!(r#"{{"status":"OK","result":[{}]}}"#, rows.join(","))
}

/// Returns the participants, best first: a part of all people, shuffled by a linear congruential
/// generator with full period.
fn shuffled_people(contest: usize, rows: usize) -> Vec<usize> {
    let mut at = contest * 7_919 % PEOPLE;
    let next = || {
        at = (at * 21 + 54_321) % PEOPLE;
        at
    };
    std::iter::repeat_with(next).take(rows).collect()
}

fn handle(person: usize) -> String {
    let word = ["gull", "Tide_Table", "lamp.", "oar-lock"][person % 4];
    format!("{word}{person:05}")
}

fn rating_changes_json(contest: usize, order: &[usize]) -> String {
    let updated = start_time(contest) + 9_000;
    response_json(order.iter().enumerate().map(|(index, person)| {
        let rank = index - index % 3 + 1;
        format!(
            r#"{{"contestId":{contest},"contestName":"Lantern Round {contest}","handle":"{}","rank":{rank},"ratingUpdateTimeSeconds":{updated},"oldRating":{},"newRating":{}}}"#,
            handle(*person),
            3_000 - index as i64 / 2,
            2_990 - index as i64 / 2
        )
    }))
}

fn standings_json(contest: usize, order: &[usize]) -> String {
    let row = |(index, person): (usize, &usize)| {
        let problems: Vec<String> = (0..6)
            .map(|problem| {
                format!(
                    r#"{{"points":{}.0,"rejectedAttemptCount":{},"type":"FINAL","bestSubmissionTimeSeconds":{}}}"#,
                    500 * problem,
                    index % 3,
                    600 * problem + 17
                )
            })
            .collect();
        format!(
            r#"{{"party":{{"contestId":{contest},"members":[{{"handle":"{}"}}],"participantType":"CONTESTANT","ghost":false,"room":{},"startTimeSeconds":{}}},"rank":{},"points":{}.5,"penalty":0,"successfulHackCount":0,"unsuccessfulHackCount":0,"problemResults":[{}]}}"#,
            handle(*person),
            index % 400,
            start_time(contest),
            index - index % 3 + 1,
            order.len() - index + index % 3,
            problems.join(",")
        )
    };
    let rows: Vec<String> = order.iter().enumerate().map(row).collect();
    format!(
        r#"{{"status":"OK","result":{{"contest":{{"id":{contest},"name":"Lantern Round {contest}","type":"CF","phase":"FINISHED","frozen":false,"durationSeconds":7200,"startTimeSeconds":{}}},"problems":[],"rows":[{}]}}}}"#,
        start_time(contest),
        rows.join(",")
    )
}
