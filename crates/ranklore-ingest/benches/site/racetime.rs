//! Invented answers in the layout of racetime.gg: pages of a list that have the results themselves.

use std::error::Error;

use ranklore_contest::UnixSeconds;
use ranklore_ingest::{OptionValues, find_site};
use ranklore_source::{Document, Request};
use ranklore_store::WriteBatch;

use crate::{ARCHIVE_START, ArchivedSite};

const PEOPLE: usize = 5_000;

/// Archives the pages that a first sync reads.
pub(crate) fn archive_site(
    batch: &mut WriteBatch<'_>,
    races: usize,
    entrants: usize,
) -> Result<ArchivedSite, Box<dyn Error>> {
    let site = find_site("racetime").ok_or("no such site")?;
    let mut options = OptionValues::default();
    options.set(site.profile, "category", Some("smr"))?;
    let source = (site.open)(&options)?;
    let mut archived = ArchivedSite::new(batch, "racetime")?;
    let mut next = Some(source.initial_requests().remove(0));
    while let Some(request) = next {
        let body = page_json(&request, races, entrants)?;
        archived.archive(batch, &request, &body)?;
        let reading = source.read(&Document {
            request_key: &request.key(),
            fetched_at: UnixSeconds::MIN,
            status: 200,
            body: body.as_bytes(),
        })?;
        next = reading.follow.into_iter().next();
    }
    Ok(archived)
}

/// Returns a page of the list, newest first.
fn page_json(request: &Request, races: usize, entrants: usize) -> Result<String, Box<dyn Error>> {
    let number = |name: &str| -> Result<usize, Box<dyn Error>> {
        let mut fields = request.query.iter();
        let (_, value) = fields.find(|(key, _)| key == name).ok_or("a field is missing")?;
        Ok(value.parse()?)
    };
    let (page, size) = (number("page")?, number("per_page")?);
    let numbers = (page - 1) * size..(page * size).min(races);
    let rows: Vec<String> = numbers.map(|index| race_json(races - 1 - index, entrants)).collect();
    let pages = races.div_ceil(size);
    Ok(format!(
        r#"{{"count":{races},"num_pages":{pages},"races":[{}]}}"#,
        rows.join(",")
    ))
}

fn race_json(race: usize, entrants: usize) -> String {
    let end = ARCHIVE_START + 1_800 * race as i64;
    let rows: Vec<String> = (1..=entrants)
        .map(|place| {
            let person = (race * 31 + place * 977) % PEOPLE;
            format!(
                r#"{{"user":{{"id":"A1qXw9TnPz{person:06}","name":"gull {person}"}},"team":null,"status":{{"value":"done"}},"finish_time":"P0DT{:02}H{:02}M21.729469S","place":{place},"score":1586,"score_change":12}}"#,
                place / 60,
                place % 60
            )
        })
        .collect();
    // Slugs are not in the order of time.
    let slug = race * 7_919 % 1_000_003;
    format!(
        r#"{{"name":"smr/q-{slug:06}","status":{{"value":"finished"}},"goal":{{"name":"Lantern Walk","custom":false}},"entrants_count":{entrants},"started_at":"{}","ended_at":"{}","recorded":true,"entrants":[{}]}}"#,
        iso_time(end - 3_600),
        iso_time(end),
        rows.join(",")
    )
}

fn iso_time(seconds: i64) -> String {
    UnixSeconds::new(seconds).unwrap_or(UnixSeconds::MIN).to_string()
}
