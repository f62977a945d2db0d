//! Races that move between pages, change or are removed.

use ranklore_conformance::{self as conformance, MemoryArchive};
use ranklore_racetime::RacetimeSource;
use ranklore_source::assemble::{Assembly, NewestVerdict};
use ranklore_source::{Request, SiteListing, Source};
use serde_json::{Value, json};

use crate::fixtures::{bytes, first_page, json, page, races, read_json, source};

fn listing(race: &str) -> SiteListing {
    races().listed.into_iter().find(|listed| listed.external_id == race).unwrap()
}

fn assemble(source: &dyn Source, race: &str, answers: &[(&Request, Vec<u8>)]) -> Assembly {
    let mut archive = MemoryArchive::new(source);
    for (request, body) in answers {
        archive.add(request, 200, body);
    }
    source.assemble(&listing(race), &archive)
}

#[test]
fn newest_answer_with_the_race_decides() {
    let request = first_page();
    let race = "smr/quiet-lantern-1201";
    let answers = [
        (&request, bytes("races.json")),
        (&request, bytes("races-later.json")),
    ];
    let before = assemble(&source(), race, &answers[..1]);
    assert!(!before.contests[0].rated);
    let after = assemble(&source(), race, &answers);
    assert_eq!(after.contests[0].read_from.0, 1);
    assert_eq!(after.contests[0].official.len(), 2);
}

#[test]
fn unrecorded_race_is_rated_on_request() {
    let request = first_page();
    let answers = [(&request, bytes("races.json"))];
    let keys = [first_page().key() + "&with=unrecorded"];
    let source = RacetimeSource::from_archive(keys.iter().map(String::as_str));
    let assembly = assemble(&source, "smr/brisk-heron-0077", &answers);
    assert!(assembly.contests[0].rated);
    let assembly = assemble(&self::source(), "smr/brisk-heron-0077", &answers);
    assert!(!assembly.contests[0].rated);
    let recorded = assemble(&self::source(), "smr/first-light-0001", &answers);
    assert!(recorded.contests[0].rated);
}

#[test]
fn removed_race_is_gone_and_keeps_its_results() {
    let request = first_page();
    let answers = [
        (&request, bytes("races.json")),
        (&request, bytes("races-later.json")),
    ];
    let assembly = assemble(&source(), "smr/brisk-heron-0077", &answers);
    assert_eq!(assembly.newest.unwrap().verdict, NewestVerdict::Gone);
    assert_eq!(assembly.newest.unwrap().id.0, 1);
    assert_eq!(assembly.contests.len(), 1);
}

#[test]
fn race_on_a_later_page_is_not_removed() {
    let request = first_page();
    let mut later = json("races-later.json");
    let races = later["races"].as_array_mut().unwrap();
    // Other races took its place.
    let oldest = races.pop().unwrap();
    while races.len() < 100 {
        let mut race = races[0].clone();
        race["name"] = json!(format!("smr/copy-{}", races.len()));
        races.insert(0, race);
    }
    later["count"] = json!(101);
    later["num_pages"] = json!(2);
    let answers = [
        (&request, bytes("races.json")),
        (&request, later.to_string().into_bytes()),
    ];
    let assembly = assemble(&source(), "smr/first-light-0001", &answers);
    assert_eq!(oldest["name"], "smr/first-light-0001");
    assert_eq!(assembly.newest.unwrap().verdict, NewestVerdict::HasResults);
    assert_eq!(assembly.contests[0].read_from.0, 0);
}

#[test]
fn unreadable_entry_removes_no_race() {
    let request = first_page();
    let mut later = json("races-later.json");
    later["races"][3]["name"] = json!(7);
    let answers = [
        (&request, bytes("races.json")),
        (&request, later.to_string().into_bytes()),
    ];
    let assembly = assemble(&source(), "smr/brisk-heron-0077", &answers);
    assert_eq!(assembly.newest.unwrap().verdict, NewestVerdict::HasResults);
}

/// A list of races that changes between two requests.
struct ChangingList {
    races: Vec<Value>,
    next: usize,
}

impl ChangingList {
    fn new(count: usize) -> Self {
        let mut list = Self {
            races: Vec::new(),
            next: 0,
        };
        (0..count).for_each(|_| list.add());
        list
    }

    /// Adds a race, newer than all others.
    fn add(&mut self) {
        let mut race = json("races.json")["races"][5].clone();
        race["name"] = json!(format!("smr/race-{}", self.next));
        let minutes = self.next;
        let (day, hour, minute) = (2 + minutes / 1440, minutes / 60 % 24, minutes % 60);
        race["ended_at"] = json!(format!("2024-06-{day:02}T{hour:02}:{minute:02}:00.000Z"));
        self.races.insert(0, race);
        self.next += 1;
    }

    /// Returns the answer to a request.
    fn answer(&self, request: &Request) -> Value {
        let parameter = |name: &str| -> usize {
            let mut query = request.query.iter();
            query.find(|(key, _)| key == name).unwrap().1.parse().unwrap()
        };
        let size = parameter("per_page");
        let races: Vec<&Value> =
            self.races.iter().skip((parameter("page") - 1) * size).take(size).collect();
        let count = self.races.len();
        json!({"count": count, "num_pages": count.div_ceil(size).max(1), "races": races})
    }

    /// Reads all pages, calling `change` after each, and returns the listed races.
    fn read_all(&mut self, change: impl Fn(&mut Self)) -> Vec<String> {
        let mut listed = Vec::new();
        let mut request = Some(first_page());
        while let Some(page) = request {
            let reading = read_json(&page, &self.answer(&page)).unwrap();
            listed.extend(reading.listed.into_iter().map(|race| race.external_id));
            request = reading.follow.into_iter().next();
            change(self);
        }
        listed
    }
}

#[test]
fn races_that_move_between_pages_are_not_missed() {
    type Change = fn(&mut ChangingList);
    let add_seven: Change = |list| (0..7).for_each(|_| list.add());
    // Removed races pull others to pages that were read already.
    let remove_five: Change = |list| drop(list.races.drain(..5));
    let swap: Change = |list| {
        list.races.remove(3);
        list.add();
    };
    for (number, change) in [add_seven, remove_five, swap].into_iter().enumerate() {
        let mut list = ChangingList::new(430);
        let listed = list.read_all(change);
        for race in (0..430).map(|index| format!("smr/race-{index}")) {
            assert!(listed.contains(&race), "change {number}: {race} is missed");
        }
    }
}

#[test]
fn page_keys_of_the_site_are_those_of_the_source() {
    // The next page has another size; a reader must know it from its key.
    let body = ChangingList::new(430);
    let reading = read_json(&first_page(), &body.answer(&first_page())).unwrap();
    assert_eq!(reading.follow[0].key(), page("smr", 2, 95).key());
    let next = body.answer(&reading.follow[0]).to_string();
    let reading =
        conformance::read_answer(&source(), &reading.follow[0], 200, next.as_bytes()).unwrap();
    assert_eq!(reading.listed.len(), 95);
    assert_eq!(reading.listed[0].results[0].key(), page("smr", 2, 95).key());
}
