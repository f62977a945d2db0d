//! An imitation of Topcoder: three old rounds, one of them with a single division, and one of this
//! week.

use std::collections::BTreeMap;
use std::sync::Mutex;

use ranklore_contest::UnixSeconds;
use ranklore_test_support::{Reply, Server};

use super::moment::started_at;

pub(crate) const LIST: &str = "GET /tc?module=BasicData&c=dd_round_list";
pub(crate) const ROBOTS: &str = "GET /robots.txt";

/// The round of this week, which may still be corrected.
pub(crate) const NEWEST: u32 = 104;

/// Returns the request for the results of a round.
pub(crate) fn results_request(round: u32) -> String {
    format!("GET /tc?module=BasicData&c=dd_round_results&rd={round}")
}

/// Returns all requests of a full sync.
pub(crate) fn all_requests() -> Vec<String> {
    let mut requests = vec![ROBOTS.to_owned(), LIST.to_owned()];
    requests.extend([101, 102, 103, NEWEST].map(results_request));
    requests
}

/// The entrants of a division in order of place: number, handle and points.
pub(crate) type DivisionResults = Vec<(u32, &'static str, f64)>;

#[derive(Clone)]
struct FeedRound {
    date: String,
    divisions: [DivisionResults; 2],
}

/// The site and its current content.
pub(crate) struct TopcoderSite {
    pub(crate) server: Server,
    rounds: Mutex<BTreeMap<u32, FeedRound>>,
}

pub(crate) fn first_division() -> DivisionResults {
    vec![
        (40_000_011, "birch.owl", 900.5),
        (40_000_012, "möwe", 850.0),
        (40_000_013, "Tin_Can", -25.0),
    ]
}

fn second_division() -> DivisionResults {
    vec![(40_000_021, "gritstone", 500.0), (40_000_022, "n0va", 0.0)]
}

impl TopcoderSite {
    pub(crate) fn new() -> Self {
        let site = Self {
            server: Server::new(),
            rounds: Mutex::default(),
        };
        let turned = |by: usize| {
            let mut ids = first_division();
            ids.rotate_left(by);
            ids.into_iter()
                .zip([700.0, 300.0, 0.0])
                .map(|((id, handle, _), points)| (id, handle, points))
                .collect()
        };
        let week = UnixSeconds::new(started_at() - 3 * 86_400).unwrap().to_string();
        site.set_round(101, "2005-03-03 21:00", [first_division(), second_division()]);
        site.set_round(102, "2012-07-04 12:00", [turned(1), second_division()]);
        site.set_round(103, "2019-06-16 03:30", [turned(2), Vec::new()]);
        let week = format!("{} 07:00", &week[..10]);
        site.set_round(NEWEST, &week, [turned(1), second_division()]);
        site
    }

    /// Adds or replaces a round.
    pub(crate) fn set_round(&self, number: u32, date: &str, divisions: [DivisionResults; 2]) {
        let date = date.to_owned();
        let round = FeedRound { date, divisions };
        let feed = feed(&round);
        self.rounds.lock().unwrap().insert(number, round);
        self.server.set_replies(&results_request(number), [xml_reply(feed)]);
        self.server.set_replies(LIST, [xml_reply(self.list_feed())]);
    }

    /// Removes a round from the list.
    pub(crate) fn remove_round(&self, number: u32) {
        self.rounds.lock().unwrap().remove(&number);
        self.server.set_replies(LIST, [xml_reply(self.list_feed())]);
    }

    /// Returns the start of a round, as in the list.
    pub(crate) fn date(&self, number: u32) -> String {
        self.rounds.lock().unwrap()[&number].date.clone()
    }

    /// Returns the current list of rounds, unordered.
    pub(crate) fn list_feed(&self) -> Vec<u8> {
        let rounds = self.rounds.lock().unwrap();
        let rows = rounds.iter().rev().map(|(number, round)| {
            let date = &round.date;
            format!(
                "<row><round_id>{number}</round_id><full_name>Lantern Match {number} - Round 1\
                 </full_name><short_name>LM {number}</short_name><round_type_desc>Single Round \
                 Match</round_type_desc><date>{date}</date></row>"
            )
        });
        xml_document("dd_round_list", &rows.collect::<String>())
    }

    /// Returns the current results of a round.
    pub(crate) fn results_feed(&self, number: u32) -> Vec<u8> {
        feed(&self.rounds.lock().unwrap()[&number])
    }

    pub(crate) fn set_replies(&self, target: &str, answers: impl IntoIterator<Item = Reply>) {
        self.server.set_replies(target, answers);
    }

    pub(crate) fn take_targets(&self) -> Vec<String> {
        self.server.take_targets()
    }
}

/// Returns a response as the site sends feeds.
pub(crate) fn xml_reply(body: Vec<u8>) -> Reply {
    Reply::new(200, "text/xml;charset=ISO-8859-1", body)
}

fn feed(round: &FeedRound) -> Vec<u8> {
    let mut rows = String::new();
    for (division, number) in round.divisions.iter().zip(1..) {
        for ((coder, handle, points), place) in division.iter().zip(1..) {
            let rating = 1500 + 10 * (3 - place);
            let row = format!(
                "<row><room_id>5</room_id><coder_id>{coder}</coder_id><handle>{handle}</handle>\
                 <paid>250.0</paid><old_rating>1500</old_rating><new_rating>{rating}</new_rating>\
                 <new_vol>{}</new_vol><num_ratings>7</num_ratings>\
                 <division_placed>{place}</division_placed><final_points>{points}</final_points>\
                 <division>{number}</division><rated_flag>1</rated_flag></row>",
                300 + place,
            );
            rows.push_str(&row);
        }
    }
    xml_document("dd_round_results", &rows)
}

/// Returns a feed in the encoding of the site.
fn xml_document(root: &str, rows: &str) -> Vec<u8> {
    let text = format!("<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?><{root}>{rows}</{root}>");
    text.chars().map(|char| char as u8).collect()
}

pub(crate) fn mine<'a>(site: &'a TopcoderSite, options: &[&'a str]) -> Vec<&'a str> {
    [&mine_with_interval(site, "0")[..], options].concat()
}

/// Returns the command with this interval between requests, in seconds.
pub(crate) fn mine_with_interval<'a>(site: &'a TopcoderSite, interval: &'a str) -> Vec<&'a str> {
    let (address, pace) = ("--base-url", "--interval");
    vec![
        "mine",
        "topcoder",
        address,
        site.server.url(),
        pace,
        interval,
    ]
}
