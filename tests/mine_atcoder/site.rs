//! An imitation of AtCoder and of the list of its contests: three rated contests, one that is not
//! rated, and one that has not begun.

use std::collections::BTreeMap;
use std::process::Command;
use std::sync::Mutex;

use ranklore_test_support::{Reply, Server};
use serde_json::{Value, json};

use crate::support::moment::started_at;
use crate::support::{CommandOutput, Scratch};

const DAY: i64 = 86_400;

pub(crate) const ROBOTS: &str = "GET /robots.txt";
pub(crate) const LIST: &str = "GET /atcoder/resources/contests.json";
pub(crate) const LOGIN: &str = "GET /login";

/// The value of the session cookie.
pub(crate) const COOKIE: &str = "wick-and-glass%00oil";

/// The entrant who is not rated.
const UNRATED: &str = "old_pike";

pub(crate) fn results_request(contest: &str) -> String {
    format!("GET /contests/{contest}/results/json")
}

pub(crate) fn standings_request(contest: &str) -> String {
    format!("GET /contests/{contest}/standings/json")
}

/// A contest of the site.
struct SiteContest {
    ended_at: i64,
    rated_range: String,
    /// The entrants in order of place.
    ranking: Vec<String>,
}

/// The site and its current content.
pub(crate) struct AtcoderSite {
    pub(crate) server: Server,
    contests: Mutex<BTreeMap<String, SiteContest>>,
}

impl AtcoderSite {
    pub(crate) fn new() -> Self {
        let site = Self {
            server: Server::new(),
            contests: Mutex::default(),
        };
        site.add_contest("abc901", 400, " ~ 1999", &[UNRATED, "brass_lamp", "wren", "tide7"]);
        site.add_contest("ahc901", 300, "All", &["tide7", "wren"]);
        site.add_contest("abc902", 2, " ~ 1999", &["wren", "brass_lamp"]);
        site.add_contest("open901", 50, "-", &["wren"]);
        site.add_contest("abc903", -7, " ~ 1999", &[]);
        site
    }

    /// Adds a contest that ended this number of days ago.
    pub(crate) fn add_contest(&self, id: &str, days_ago: i64, range: &str, ranking: &[&str]) {
        let contest = SiteContest {
            ended_at: started_at() - days_ago * DAY,
            rated_range: range.to_owned(),
            ranking: ranking.iter().map(|name| (*name).to_owned()).collect(),
        };
        self.contests.lock().unwrap().insert(id.to_owned(), contest);
        self.publish();
    }

    /// Changes the order of the entrants of a contest.
    pub(crate) fn set_ranking(&self, id: &str, ranking: &[&str]) {
        let mut contests = self.contests.lock().unwrap();
        let contest = contests.get_mut(id).unwrap();
        contest.ranking = ranking.iter().map(|name| (*name).to_owned()).collect();
        drop(contests);
        self.publish();
    }

    fn publish(&self) {
        let contests = self.contests.lock().unwrap();
        let list: Vec<Value> = contests
            .iter()
            .map(|(id, contest)| {
                json!({
                    "id": id,
                    "start_epoch_second": contest.ended_at - 6000,
                    "duration_second": 6000,
                    "title": format!("Lantern Contest {id}"),
                    "rate_change": contest.rated_range,
                })
            })
            .collect();
        self.server.set_replies(LIST, [Reply::json(&json!(list))]);
        for (id, contest) in contests.iter() {
            let results = Reply::json(&results(id, &contest.ranking));
            self.server.set_replies(&results_request(id), [results]);
            let standings = Reply::json(&standings(id, &contest.ranking));
            self.server.set_replies(&standings_request(id), [standings]);
        }
    }

    /// Answers requests for standings as if nobody were logged in.
    pub(crate) fn end_session(&self) {
        for id in self.contests.lock().unwrap().keys() {
            let login = Reply::redirect(302, &format!("/login?continue=%2Fcontests%2F{id}"));
            self.server.set_replies(&standings_request(id), [login]);
            let target = format!("{LOGIN}?continue=%2Fcontests%2F{id}");
            let page = "<!DOCTYPE html><html><head><title>Sign In - AtCoder</title></head>\
                        <body><input type=\"password\"></body></html>";
            self.server.set_replies(&target, [Reply::html(200, page)]);
        }
    }

    /// Logs in again.
    pub(crate) fn renew_session(&self) {
        self.publish();
    }

    pub(crate) fn take_targets(&self) -> Vec<String> {
        self.server.take_targets()
    }

    /// Returns the command with `--standings` and the cookie; its home folder does not exist.
    pub(crate) fn standings_command(&self, scratch: &Scratch, options: &[&str]) -> Command {
        let mut command = self.command_without_cookie(scratch, options);
        command.env("RANKLORE_ATCODER_COOKIE", COOKIE);
        command
    }

    /// Returns the command with `--standings` without a cookie.
    pub(crate) fn command_without_cookie(&self, scratch: &Scratch, options: &[&str]) -> Command {
        let arguments = [&mine(self, &["--standings"])[..], options].concat();
        let mut command = scratch.command(&arguments);
        for variable in ["RANKLORE_ATCODER_COOKIE", "HOME"] {
            command.env_remove(variable);
        }
        command.env("XDG_CONFIG_HOME", scratch.path("nowhere"));
        command.env("APPDATA", scratch.path("nowhere"));
        command
    }

    /// Syncs all contests again, with standings.
    pub(crate) fn sync_standings(&self, scratch: &Scratch) -> CommandOutput {
        CommandOutput::run(self.standings_command(scratch, &["--full"]))
    }
}

/// Returns the results of a contest; the winner gains 100 points.
pub(crate) fn results(id: &str, ranking: &[String]) -> Value {
    let rated = ranking.iter().filter(|name| *name != UNRATED);
    let changes: Vec<&String> = rated.collect();
    let rows = ranking.iter().zip(1..).map(|(name, place)| {
        let position = changes.iter().position(|rated| *rated == name);
        let change = position.map_or(0, |position| 100 - 100 * position as i64);
        json!({
            "IsRated": name != UNRATED,
            "Place": place,
            "OldRating": 1200,
            "NewRating": 1200 + change,
            "Performance": 1500,
            "ContestScreenName": format!("{id}.contest.atcoder.jp"),
            "UserName": name,
            "UserScreenName": name,
            "Affiliation": "Saltmere",
        })
    });
    rows.collect()
}

/// Returns the standings of a contest, with two entrants without a submission.
pub(crate) fn standings(id: &str, ranking: &[String]) -> Value {
    let absent = ["juniper".to_owned(), "late_moth".to_owned()];
    let rows: Vec<Value> = ranking
        .iter()
        .chain(&absent)
        .zip(0..)
        .map(|(name, above)| {
            let has_submitted = above < ranking.len();
            let score = if has_submitted {
                10_000 * (ranking.len() - above)
            } else {
                0
            };
            let task = json!({"Count": 1, "Score": score});
            let tasks = if has_submitted {
                json!({"a": task})
            } else {
                json!({})
            };
            json!({
                "Rank": above.min(ranking.len()) + 1,
                "UserName": name,
                "UserScreenName": name,
                "UserIsDeleted": false,
                "IsRated": name != UNRATED,
                "IsTeam": false,
                "OldRating": 1200,
                "Rating": 1234,
                "TaskResults": tasks,
                "TotalResult": {
                    "Count": usize::from(has_submitted),
                    "Score": score,
                    "Elapsed": if has_submitted { 600_000_000_000_u64 } else { 0 },
                },
            })
        })
        .collect();
    json!({
        "Fixed": true,
        "TaskInfo": [{"Assignment": "A", "TaskName": "Wicks", "TaskScreenName": format!("{id}_a")}],
        "StandingsData": rows,
    })
}

pub(crate) fn mine<'a>(site: &'a AtcoderSite, options: &[&'a str]) -> Vec<&'a str> {
    let begin = [
        "mine",
        "atcoder",
        "--base-url",
        site.server.url(),
        "--interval",
        "0",
    ];
    [&begin[..], options].concat()
}
