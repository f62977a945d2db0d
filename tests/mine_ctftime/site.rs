//! An imitation of CTFtime: one event in January of every year, and two more in the last.

use std::collections::BTreeMap;
use std::sync::Mutex;

use ranklore_contest::UnixSeconds;
use ranklore_test_support::{Reply, Server};
use serde_json::{Value, json};

use super::moment::started_at;

pub(crate) const DAY: i64 = 86_400;

pub(crate) const TEAMS: &str = "GET /api/v1/teams/?limit=1000&offset=0";

/// The names in the team list.
const NAMES: [(u32, &str); 4] = [
    (701, "Segfault Gulls"),
    (702, "Brass Lamp"),
    (703, "тихая гавань"),
    (705, "Off By None"),
];

pub(crate) fn this_year() -> i64 {
    let now = UnixSeconds::new(started_at()).unwrap();
    now.to_string()[..4].parse().unwrap()
}

pub(crate) fn last_year() -> i64 {
    this_year() - 1
}

pub(crate) fn years() -> std::ops::RangeInclusive<i64> {
    2011..=this_year()
}

/// Returns the first second of a year.
fn new_year(year: i64) -> i64 {
    let before = year - 1;
    let days = before * 365 + before / 4 - before / 100 + before / 400;
    (days - 719_162) * DAY
}

/// Returns the start of the events of a year: the third of January at noon.
pub(crate) fn event_start(year: i64) -> i64 {
    new_year(year) + 2 * DAY + DAY / 2
}

/// Returns the request for the results of a year.
pub(crate) fn year_request(year: i64) -> String {
    format!("GET /api/v1/results/{year}/")
}

/// Returns the request for the events of its January.
pub(crate) fn events_request(year: i64) -> String {
    let start = new_year(year);
    format!("GET /api/v1/events/?limit=100&start={start}&finish={}", start + (31 + 7) * DAY)
}

/// Returns the requests of a sync without news, which depend on the day of the year.
pub(crate) fn recent_requests() -> Vec<String> {
    let mut requests = vec![year_request(last_year()), year_request(this_year())];
    for year in [last_year(), this_year()] {
        if started_at() < new_year(year) + (31 + 7 + 90) * DAY {
            requests.push(events_request(year));
        }
    }
    requests
}

/// The site and its current content.
pub(crate) struct CtftimeSite {
    pub(crate) server: Server,
    /// The teams in order of place, by year and event.
    results: Mutex<BTreeMap<i64, BTreeMap<u32, Vec<u32>>>>,
}

impl CtftimeSite {
    pub(crate) fn new() -> Self {
        let mut results: BTreeMap<i64, BTreeMap<u32, Vec<u32>>> = BTreeMap::new();
        for year in years() {
            let mut teams = vec![701, 702, 703];
            teams.rotate_left(year as usize % 3);
            results.entry(year).or_default().insert(year as u32, teams);
        }
        let last = results.entry(last_year()).or_default();
        last.insert(5001, vec![701, 702, 703, 704]);
        last.insert(5002, vec![701, 702, 703, 704]);
        let site = Self {
            server: Server::new(),
            results: Mutex::new(results),
        };
        for year in years() {
            site.publish_year(year);
            site.publish_events(year);
        }
        site.set_teams(&NAMES);
        site
    }

    /// Sets the result of an event.
    pub(crate) fn set_result(&self, year: i64, event: u32, teams: &[u32]) {
        let mut results = self.results.lock().unwrap();
        results.entry(year).or_default().insert(event, teams.to_vec());
        drop(results);
        self.publish_year(year);
    }

    /// Removes the result of an event.
    pub(crate) fn remove_result(&self, year: i64, event: u32) {
        self.results.lock().unwrap().entry(year).or_default().remove(&event);
        self.publish_year(year);
    }

    /// Returns the current results of a year.
    pub(crate) fn results(&self, year: i64) -> Value {
        let results = self.results.lock().unwrap();
        let events = results[&year].iter().map(|(event, teams)| {
            let scores: Vec<Value> = teams
                .iter()
                .zip(1..)
                .map(|(team, place)| {
                    let points = format!("{}.0000", 1000 - 100 * place);
                    json!({"team_id": team, "points": points, "place": place})
                })
                .collect();
            let title = match event {
                5001 => "Harbour CTF".to_owned(),
                5002 => "Tide Table CTF".to_owned(),
                other => format!("Lantern CTF {other}"),
            };
            let time = event_start(year) as f64;
            (event.to_string(), json!({"title": title, "time": time, "scores": scores}))
        });
        Value::Object(events.collect())
    }

    fn publish_year(&self, year: i64) {
        let answer = Reply::json(&self.results(year));
        self.server.set_replies(&year_request(year), [answer]);
    }

    /// Returns the events of a January: all but 5002, and one without results.
    pub(crate) fn events(year: i64) -> Value {
        let day = |at: i64| {
            let at = UnixSeconds::new(at).unwrap().to_string();
            at.replace('Z', "+00:00")
        };
        let event = |id: u32, title: String, weight: f64| {
            json!({
                "id": id,
                "title": title,
                "start": day(event_start(year)),
                "finish": day(event_start(year) + 2 * DAY),
                "weight": weight,
                "format": "Jeopardy",
                "participants": 98,
                "ctftime_url": format!("https://ctftime.org/event/{id}/"),
                "organizers": [{"id": 704, "name": "Organised Tides"}],
            })
        };
        let weight = if year % 2 == 0 { 25.0 } else { 0.0 };
        let mut events = vec![
            event(year as u32, format!("Lantern CTF {year}"), weight),
            event(9000 + year as u32 % 100, "Never Held CTF".to_owned(), 0.0),
        ];
        if year == last_year() {
            events.push(event(5001, "Harbour CTF".to_owned(), 25.0));
        }
        events.into()
    }

    fn publish_events(&self, year: i64) {
        let answer = Reply::json(&Self::events(year));
        self.server.set_replies(&events_request(year), [answer]);
    }

    /// Sets the team list.
    pub(crate) fn set_teams(&self, names: &[(u32, &str)]) {
        self.server.set_replies(TEAMS, [teams_page(1000, 0, names)]);
        self.end_teams_at(names.len() as u32);
    }

    /// Ends the team list at an offset.
    pub(crate) fn end_teams_at(&self, offset: u32) {
        let end = teams_page(1000, offset, &[]);
        self.server.set_replies(&teams_request(offset), [end]);
    }

    /// Sets the name of a team outside the list.
    pub(crate) fn name_team(&self, id: u32, name: &str) {
        let answer = Reply::json(&json!({"id": id, "name": name, "aliases": [], "country": ""}));
        self.set_replies(&team_request(id), [answer]);
    }

    /// Returns the team requests since the last call.
    pub(crate) fn take_team_requests(&self) -> Vec<String> {
        let mut targets = self.take_targets();
        targets.retain(|target| target.contains("/teams/"));
        targets
    }

    pub(crate) fn set_replies(&self, target: &str, answers: impl IntoIterator<Item = Reply>) {
        self.server.set_replies(target, answers);
    }

    /// Returns the year and event requests since the last call.
    pub(crate) fn take_list_requests(&self) -> Vec<String> {
        let mut targets = self.take_targets();
        targets.retain(|target| !target.contains("/teams/"));
        targets
    }

    pub(crate) fn take_targets(&self) -> Vec<String> {
        self.server.take_targets()
    }
}

/// Returns the request for one team.
pub(crate) fn team_request(id: u32) -> String {
    format!("GET /api/v1/teams/{id}/")
}

/// Returns the request for the teams after an offset.
pub(crate) fn teams_request(offset: u32) -> String {
    format!("GET /api/v1/teams/?limit=1000&offset={offset}")
}

/// Returns a page of teams.
pub(crate) fn teams_page(limit: u32, offset: u32, names: &[(u32, &str)]) -> Reply {
    let teams: Vec<Value> = names
        .iter()
        .map(|(id, name)| json!({"id": id, "name": name, "aliases": [], "country": ""}))
        .collect();
    Reply::json(&json!({"limit": limit, "offset": offset, "result": teams}))
}

pub(crate) fn mine<'a>(site: &'a CtftimeSite, options: &[&'a str]) -> Vec<&'a str> {
    [&mine_with_interval(site, "0")[..], options].concat()
}

/// Returns the command with this interval between requests, in seconds.
pub(crate) fn mine_with_interval<'a>(site: &'a CtftimeSite, interval: &'a str) -> Vec<&'a str> {
    let (address, pace) = ("--base-url", "--interval");
    vec![
        "mine",
        "ctftime",
        address,
        site.server.url(),
        pace,
        interval,
    ]
}
