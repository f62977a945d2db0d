//! An imitation of racetime.gg: the races of the category `smr`, one every eight hours.

use std::sync::{Arc, Mutex, MutexGuard};

use ranklore_contest::UnixSeconds;
use ranklore_test_support::{Reply, Server};
use serde_json::{Value, json};

use super::moment::started_at;

/// The users by id and name.
const USERS: [(&str, &str); 4] = [
    ("A1qXw9TnPz3bKd7M", "wren"),
    ("B2rYv8SmQy4cLe6N", "otto_k"),
    ("C3sZu7RlRx5dMf5P", "Ada Bell"),
    ("D4tWt6QkSw6eNg4Q", "miró"),
];

pub(crate) const FIRST_PAGE: &str = "GET /smr/races/data?show_entrants=true&page=1&per_page=100";

/// A race of the site.
#[derive(Clone, Debug)]
pub(crate) struct Race {
    pub(crate) slug: String,
    pub(crate) goal: &'static str,
    pub(crate) ended_at: i64,
    pub(crate) recorded: bool,
    /// True if the changes of its ratings are published.
    pub(crate) has_changes: bool,
    /// The users in order of finish, by number; all others did not finish.
    pub(crate) order: Vec<usize>,
    /// The users whose accounts are deleted.
    pub(crate) deleted: Vec<usize>,
}

impl Race {
    pub(crate) fn new(number: usize, ended_at: i64) -> Self {
        Self {
            slug: format!("lantern-{number:04}"),
            goal: if number.is_multiple_of(5) {
                "Bridge Run"
            } else {
                "Lantern Walk"
            },
            ended_at,
            recorded: number % 10 != 3,
            has_changes: number % 10 != 3,
            order: (0..=number % 4).map(|place| (place + number) % 4).collect(),
            deleted: Vec::new(),
        }
    }

    fn json(&self, names: &[String; 4]) -> Value {
        let finishers = self.order.iter().copied();
        let others = (0..4).filter(|user| !self.order.contains(user));
        let rows = finishers.chain(others).zip(1..);
        let entrants = rows.map(|(user, place)| {
            let is_done = place <= self.order.len();
            let account = json!({"id": USERS[user].0, "name": names[user], "full_name": "x#1"});
            json!({
                "user": if self.deleted.contains(&user) { Value::Null } else { account },
                "team": null,
                "status": {"value": if is_done { "done" } else { "dnf" }},
                "finish_time": is_done.then(|| format!("P0DT00H5{place}M00.500000S")),
                "place": is_done.then_some(place),
                "score": 1000 + user,
                "score_change": self.has_changes.then_some(10 - user as i64),
                "comment": "a secret remark",
            })
        });
        let time = |at: i64| UnixSeconds::new(at).unwrap().to_string();
        json!({
            "name": format!("smr/{}", self.slug),
            "status": {"value": "finished"},
            "goal": {"name": self.goal, "custom": false},
            "info": "a secret seed",
            "entrants_count": 4,
            "started_at": time(self.ended_at - 3600),
            "ended_at": time(self.ended_at),
            "recordable": true,
            "recorded": self.recorded,
            "entrants": entrants.collect::<Vec<_>>(),
        })
    }
}

/// The contents of the site.
struct Contents {
    /// Newest first.
    races: Vec<Race>,
    names: [String; 4],
    /// Called before each answer, with the number of requests so far.
    change: fn(&mut Vec<Race>, usize),
}

/// The site and its current contents.
pub(crate) struct RacetimeSite {
    pub(crate) server: Server,
    contents: Arc<Mutex<Contents>>,
}

impl RacetimeSite {
    /// Returns a site with this many races, the newest of which ended two hours ago.
    pub(crate) fn new(count: usize) -> Self {
        let newest = started_at() - 7200;
        let races = (0..count).rev().map(|number| {
            let age = (count - 1 - number) as i64;
            Race::new(number, newest - age * 8 * 3600)
        });
        let contents = Arc::new(Mutex::new(Contents {
            races: races.collect(),
            names: USERS.map(|(_, name)| name.to_owned()),
            change: |_, _| {},
        }));
        let served = Arc::clone(&contents);
        let server = Server::with_handler(move |number, target| {
            let mut contents = served.lock().unwrap();
            let change = contents.change;
            change(&mut contents.races, number);
            contents.reply(target)
        });
        Self { server, contents }
    }

    fn contents(&self) -> MutexGuard<'_, Contents> {
        self.contents.lock().unwrap()
    }

    /// Changes the races.
    pub(crate) fn change(&self, change: impl FnOnce(&mut Vec<Race>)) {
        change(&mut self.contents().races);
    }

    /// Changes the races before each answer.
    pub(crate) fn change_at_requests(&self, change: fn(&mut Vec<Race>, usize)) {
        self.contents().change = change;
    }

    /// Adds a race, newer than all others, at this time.
    pub(crate) fn add_race(&self, ended_at: i64) {
        self.change(|races| races.insert(0, Race::new(races.len(), ended_at)));
    }

    pub(crate) fn rename(&self, user: usize, name: &str) {
        name.clone_into(&mut self.contents().names[user]);
    }

    /// Returns the first page as served now.
    pub(crate) fn first_page(&self) -> Value {
        self.contents().page(1, 100)
    }

    pub(crate) fn take_targets(&self) -> Vec<String> {
        self.server.take_targets()
    }
}

impl Contents {
    fn page(&self, number: usize, size: usize) -> Value {
        let races = self.races.iter().skip((number - 1) * size).take(size);
        let races: Vec<Value> = races.map(|race| race.json(&self.names)).collect();
        let count = self.races.len();
        json!({"count": count, "num_pages": count.div_ceil(size).max(1), "races": races})
    }

    fn reply(&self, target: &str) -> Reply {
        let query = target.strip_prefix("GET /smr/races/data?show_entrants=true&page=");
        let numbers = query.and_then(|query| query.split_once("&per_page="));
        let Some((number, size)) = numbers else {
            return Reply::html(404, "<html>Not found</html>");
        };
        // The site ignores unknown parameters.
        let size = size.split('&').next().unwrap();
        Reply::json(&self.page(number.parse().unwrap(), size.parse().unwrap()))
    }
}

pub(crate) fn mine<'a>(site: &'a RacetimeSite, options: &[&'a str]) -> Vec<&'a str> {
    let (address, pace) = ("--base-url", "--interval");
    let start = [
        "mine",
        "racetime",
        address,
        site.server.url(),
        pace,
        "0",
        "--category",
        "smr",
    ];
    [&start[..], options].concat()
}
