//! A test server in the layout of CTFtime with two years of changing results, and the database it
//! is mined into.

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use ranklore_contest::UnixSeconds;
use ranklore_ingest::{MineRequest, OptionValues, find_site, mine, rebuild};
use ranklore_replay::NoProgress;
use ranklore_test_support::{DAY, TempDatabase};
use ranklore_test_support::{Reply, Server};
use rusqlite::types::ValueRef;
use serde_json::{Value, json};

/// 10 January 2023.
const START: i64 = 1_673_308_800;

/// 20 December 2022, which events of both years may have as date.
const EVENT_DATE: i64 = 1_671_494_400;

const OLD_YEARS: std::ops::RangeInclusive<i64> = 2011..=2021;

thread_local! {
    /// The current time of a test.
    static NOW: Cell<i64> = const { Cell::new(START) };
}

fn clock() -> UnixSeconds {
    UnixSeconds::new(NOW.get()).unwrap()
}

/// A change on the site.
#[derive(Clone, Debug)]
pub(crate) enum Change {
    /// Sets the result of an event, in one of the two years only.
    SetResult {
        event: u32,
        late: bool,
        teams: Vec<u32>,
    },
    /// Removes an event from a year.
    RemoveEvent { event: u32, late: bool },
    /// Makes an event of a year unreadable.
    MakeUnreadable { event: u32, late: bool },
    /// Replaces one team by another in all results.
    MergeTeams { from: u32, into: u32 },
    /// Sets the name of a team.
    RenameTeam { team: u32, name: &'static str },
    /// Sets date, name and weight of an event.
    SetDetails { event: u32, days: i64 },
    /// Removes an event from the list of events.
    RemoveDetails { event: u32 },
}

/// The response of the server for a year or the list of teams in one sync.
#[derive(Clone, Copy, Debug)]
pub(crate) enum ResponseMode {
    Ok,
    /// Status 404. A busy server would be retried.
    NotFound,
    /// An unknown layout.
    UnknownLayout,
    /// A challenge page, which stops the sync.
    AccessDenied,
}

#[derive(Clone, Debug)]
pub(crate) struct Step {
    pub(crate) changes: Vec<Change>,
    pub(crate) early: ResponseMode,
    pub(crate) late: ResponseMode,
    pub(crate) teams: ResponseMode,
    /// Days since the sync before.
    pub(crate) days: i64,
    /// The limit of the sync, in contests.
    pub(crate) limit: Option<usize>,
}

impl Step {
    /// Returns a step in which everything is answered, `days` after the last one.
    pub(crate) fn all_ok(days: i64) -> Self {
        Self {
            changes: Vec::new(),
            early: ResponseMode::Ok,
            late: ResponseMode::Ok,
            teams: ResponseMode::Ok,
            days,
            limit: None,
        }
    }

    pub(crate) fn with_change(mut self, change: Change) -> Self {
        self.changes.push(change);
        self
    }
}

/// The current state of the site.
pub(crate) struct CtftimeWorld {
    /// Results by year (2022, 2023) and event; `None` for an unreadable event.
    years: [BTreeMap<u32, Option<Vec<u32>>>; 2],
    names: BTreeMap<u32, &'static str>,
    /// End of an event by id, in days after [`EVENT_DATE`].
    event_end_days: BTreeMap<u32, i64>,
}

impl CtftimeWorld {
    fn new() -> Self {
        let both = |event| (event, Some(vec![1, 2, 3, 4]));
        Self {
            years: [[both(500), both(501)].into(), [both(510), both(511)].into()],
            names: [(1, "Ada"), (2, "Bea"), (3, "Cem"), (4, "Dov")].into(),
            event_end_days: [(500, 1), (510, 2)].into(),
        }
    }

    fn apply(&mut self, change: Change) {
        match change {
            Change::SetResult { event, late, teams } => {
                self.years[usize::from(!late)].remove(&event);
                self.years[usize::from(late)].insert(event, Some(teams));
            }
            Change::RemoveEvent { event, late } => {
                self.years[usize::from(late)].remove(&event);
            }
            Change::MakeUnreadable { event, late } => {
                self.years[usize::from(late)].insert(event, None);
            }
            Change::MergeTeams { from, into } => {
                for teams in self.years.iter_mut().flat_map(BTreeMap::values_mut).flatten() {
                    if !teams.contains(&into) {
                        let here = teams.iter_mut().filter(|team| **team == from);
                        here.for_each(|team| *team = into);
                    }
                }
            }
            Change::RenameTeam { team, name } => drop(self.names.insert(team, name)),
            Change::SetDetails { event, days } => drop(self.event_end_days.insert(event, days)),
            Change::RemoveDetails { event } => drop(self.event_end_days.remove(&event)),
        }
    }

    fn year_json(&self, late: bool) -> Value {
        let events = self.years[usize::from(late)].iter();
        let events = events.map(|(event, teams)| (event.to_string(), result_json(teams.as_ref())));
        // One event that never changes, so that no year is empty.
        let points = if late { "599" } else { "499" };
        let points = (points.to_owned(), result_json(Some(&vec![8, 9])));
        Value::Object(events.chain([points]).collect())
    }

    fn event_details_json(&self) -> Value {
        let day = |at: i64| {
            // Midnight is formatted as a date without time.
            let day = UnixSeconds::new(at).unwrap().to_string();
            format!("{day}T00:00:00+00:00")
        };
        let events = self.event_end_days.iter().map(|(event, days)| {
            json!({
                "id": event,
                "title": format!("Event {event} ({days})"),
                "start": day(EVENT_DATE),
                "finish": day(EVENT_DATE + days * DAY),
                "weight": *days as f64,
                "format": "Jeopardy",
                "ctftime_url": format!("https://ctftime.org/event/{event}/"),
                "organizers": [],
            })
        });
        events.collect()
    }

    fn teams_json(&self) -> Value {
        let teams = self.names.iter();
        let teams: Vec<Value> = teams.map(|(id, name)| json!({"id": id, "name": name})).collect();
        json!({"limit": 1000, "offset": 0, "result": teams})
    }
}

fn result_json(teams: Option<&Vec<u32>>) -> Value {
    let Some(teams) = teams else {
        return json!({"title": "Odd", "time": EVENT_DATE as f64, "scores": "none"});
    };
    let scores: Vec<Value> = teams
        .iter()
        .zip(1..)
        .map(|(team, place)| {
            let points = format!("{}.0000", 1000 - 100 * place);
            json!({"team_id": team, "points": points, "place": place})
        })
        .collect();
    json!({"title": "An event", "time": EVENT_DATE as f64, "scores": scores})
}

fn reply(how: ResponseMode, value: &Value) -> Reply {
    match how {
        ResponseMode::Ok => Reply::json(value),
        ResponseMode::NotFound => Reply::new(404, "text/html", "<html>Not found</html>"),
        ResponseMode::UnknownLayout => Reply::json(&json!({"7": {"name": "of another form"}})),
        ResponseMode::AccessDenied => {
            let page = "<!DOCTYPE html><html><head><title>Just a moment...</title></head></html>";
            Reply::new(403, "text/html", page)
        }
    }
}

pub(crate) struct MinedCtftime {
    server: Server,
    pub(crate) scratch: TempDatabase,
    world: CtftimeWorld,
    day: i64,
    syncs: i64,
}

impl MinedCtftime {
    /// Syncs a site with two years of two events each.
    pub(crate) fn new() -> Self {
        let mined = Self::after_step(Step::all_ok(0));
        let described =
            mined.query("SELECT name, site_weight FROM contest WHERE external_id = '510'");
        assert_eq!(Vec::from_iter(described), ["Event 510 (2) Real(2.0)"]);
        let named = mined.query("SELECT name FROM competitor WHERE external_id = '1'");
        assert_eq!(Vec::from_iter(named), ["Ada"]);
        mined
    }

    /// Syncs a new site with this step.
    pub(crate) fn after_step(step: Step) -> Self {
        let server = Server::new();
        for year in OLD_YEARS {
            let held_at = EVENT_DATE - (2022 - year) * 365 * DAY;
            let id = (year % 100).to_string();
            let event = json!({"title": "Old", "time": held_at as f64, "scores": [
                {"team_id": 8, "points": "2.0000", "place": 1},
                {"team_id": 9, "points": "1.0000", "place": 2},
            ]});
            let answer = Reply::json(&json!({id: event}));
            server.set_replies(&format!("GET /api/v1/results/{year}/"), [answer]);
        }
        let mut mined = Self {
            server,
            scratch: TempDatabase::new(),
            world: CtftimeWorld::new(),
            day: 0,
            syncs: 0,
        };
        mined.sync(step);
        mined
    }

    /// Applies the changes of a step and syncs.
    pub(crate) fn sync(&mut self, step: Step) {
        for change in step.changes {
            self.world.apply(change);
        }
        self.day += step.days;
        // Two syncs never run within one second.
        self.syncs += 1;
        NOW.set(START + self.day * DAY + self.syncs);
        for (year, how, late) in [(2022, step.early, false), (2023, step.late, true)] {
            let answer = reply(how, &self.world.year_json(late));
            let target = format!("GET /api/v1/results/{year}/");
            self.server.set_replies(&target, [answer]);
        }
        self.set_detail_replies();
        let teams = reply(step.teams, &self.world.teams_json());
        let teams_from = |from: usize| format!("GET /api/v1/teams/?limit=1000&offset={from}");
        self.server.set_replies(&teams_from(0), [teams]);
        let count = self.world.names.len();
        let none = Reply::json(&json!({"limit": 1000, "offset": count, "result": []}));
        self.server.set_replies(&teams_from(count), [none]);
        let open = find_site("ctftime").unwrap().open;
        let ctftime = open(&OptionValues::default()).unwrap();
        let request = MineRequest {
            base_url: Some(self.server.url().to_owned()),
            interval: Some(Duration::ZERO),
            backoff: Some(Duration::ZERO),
            limit: step.limit,
            ..MineRequest::default()
        };
        let mut store = self.scratch.open_writer();
        mine(&mut store, &*ctftime, &request, clock, &NoProgress).unwrap();
    }

    /// Serves the events of December 2022, and empty lists for other years.
    fn set_detail_replies(&self) {
        let of_december = |year: i64| {
            let leap_days = [2012, 2016, 2020].iter().filter(|leap| **leap > year).count() as i64;
            let first = EVENT_DATE - 19 * DAY - (365 * (2022 - year) + leap_days) * DAY;
            let finish = first + (31 + 7) * DAY;
            format!("GET /api/v1/events/?limit=100&start={first}&finish={finish}")
        };
        let none = Reply::json(&json!([]));
        for year in OLD_YEARS {
            self.server.set_replies(&of_december(year), [none.clone()]);
        }
        let details = Reply::json(&self.world.event_details_json());
        self.server.set_replies(&of_december(2022), [details]);
    }

    /// Returns the rows of a query, as text.
    pub(crate) fn query(&self, sql: &str) -> BTreeSet<String> {
        let raw = rusqlite::Connection::open(self.scratch.database()).unwrap();
        let mut statement = raw.prepare(sql).unwrap();
        let columns = statement.column_count();
        let rows = statement.query_map([], |row| {
            let cells = (0..columns).map(|column| {
                Ok(match row.get_ref(column)? {
                    ValueRef::Text(text) => String::from_utf8_lossy(text).into_owned(),
                    ValueRef::Integer(number) => number.to_string(),
                    other => format!("{other:?}"),
                })
            });
            let cells: Result<Vec<String>, rusqlite::Error> = cells.collect();
            Ok(cells?.join(" "))
        });
        rows.unwrap().map(Result::unwrap).collect()
    }

    /// Returns the contents of the database, except what a rebuild cannot know: revision numbers
    /// and row ids.
    fn snapshot(&self) -> [BTreeSet<String>; 3] {
        [
            self.query(
                "SELECT external_id, state, name, starts_at, ends_at, site_weight, division, url,
                     entrants, hex(content_hash) FROM contest",
            ),
            self.query(
                "SELECT external_id, kind, name FROM competitor
                 JOIN standing USING (competitor_id)",
            ),
            self.query(
                "SELECT external_id, kind, of.name, first_seen_at, last_seen_at
                 FROM competitor_name AS of JOIN competitor USING (competitor_id)
                 WHERE competitor_id IN (SELECT competitor_id FROM standing)",
            ),
        ]
    }

    /// Checks that a rebuild gives the same contents.
    pub(crate) fn assert_rebuild_is_stable(&self) {
        let before = self.snapshot();
        let hash = self.scratch.content_hash();
        rebuild(&mut self.scratch.open_writer(), &[], clock, &NoProgress).unwrap();
        for (rebuilt, mined) in self.snapshot().iter().zip(&before) {
            let (rebuilt, mined) = (rebuilt.difference(mined), mined.difference(rebuilt));
            let (rebuilt, mined): (Vec<_>, Vec<_>) = (rebuilt.collect(), mined.collect());
            assert!(
                rebuilt.is_empty() && mined.is_empty(),
                "rebuilt {rebuilt:#?}, mined {mined:#?}"
            );
        }
        assert_eq!(self.scratch.content_hash(), hash);
    }
}
