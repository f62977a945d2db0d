//! The API: the values of the command line, tags, parameters, and docs/api.md.

use serde_json::Value;

use super::client::{Answer, Served};
use crate::support::{Scratch, fixtures};

/// Each path below `/api/v1`, and the command that prints the same.
const SAME: [(&str, &[&str]); 12] = [
    ("/sources", &["sources", "--limit", "100"]),
    ("/leaderboard", &["leaderboard", "--limit", "100"]),
    (
        "/leaderboard?source=club&limit=3&offset=1&sort=mu&reverse=true&min-contests=2",
        &[
            "leaderboard",
            "club",
            "--limit",
            "3",
            "--offset",
            "1",
            "--sort",
            "mu",
            "--reverse",
            "--min-contests",
            "2",
        ],
    ),
    (
        "/leaderboard?run=2&as-of=2023-12-16&since=2023-12-01&provisional=mix&k=1&inactive-after=30",
        &[
            "leaderboard",
            "--run",
            "2",
            "--as-of",
            "2023-12-16",
            "--since",
            "2023-12-01",
            "--provisional",
            "mix",
            "--k",
            "1",
            "--inactive-after",
            "30",
            "--limit",
            "100",
        ],
    ),
    (
        "/player/club/ann?system=glicko2&limit=2",
        &[
            "player",
            "club",
            "ann",
            "--system",
            "glicko2",
            "--limit",
            "2",
            "--opponents",
            "10",
        ],
    ),
    (
        "/players/club?text=a&sort=name",
        &["players", "club", "a", "--sort", "name", "--limit", "100"],
    ),
    (
        "/contest/club/4?run=2&offset=1",
        &[
            "contest", "club", "4", "--run", "2", "--offset", "1", "--limit", "100",
        ],
    ),
    (
        "/contests/club?since=2023-12-01&sort=entrants",
        &[
            "contests",
            "club",
            "--since",
            "2023-12-01",
            "--sort",
            "entrants",
            "--limit",
            "100",
        ],
    ),
    (
        "/predict/club?name=ann&name=bea&name=fay",
        &["predict", "club", "ann", "bea", "fay"],
    ),
    (
        "/predict/club?name=eve&name=cy&run=2&as-of=2023-12-16",
        &[
            "predict",
            "club",
            "eve",
            "cy",
            "--run",
            "2",
            "--as-of",
            "2023-12-16",
        ],
    ),
    (
        "/movers/club?since=2023-12-20",
        &["movers", "club", "--since", "2023-12-20", "--limit", "100"],
    ),
    (
        "/leaderboard?inactive=true&inactive-after=5",
        &[
            "leaderboard",
            "--inactive",
            "--inactive-after",
            "5",
            "--limit",
            "100",
        ],
    ),
];

/// Returns a season with two runs.
fn two_runs() -> Scratch {
    let scratch = Scratch::season();
    scratch.ok(&["rate", "club", "--system", "glicko2"]);
    scratch
}

#[test]
fn json_and_csv_equal_those_of_the_command_line() {
    let scratch = two_runs();
    let served = Served::start(&scratch);
    for (target, command) in SAME {
        let mut json = scratch.json(command);
        assert_eq!(served.json(target), json, "{target}");
        let rows = json["rows"].take();
        assert!(rows.as_array().is_none_or(|rows| !rows.is_empty()), "{target} has rows");
        let and = if target.contains('?') { '&' } else { '?' };
        let answer = served.get(&format!("/api/v1{target}{and}format=csv"));
        assert_eq!(answer.status, 200, "{target}: {}", answer.body);
        assert_eq!(answer.header("content-type"), "text/csv; charset=utf-8");
        assert!(answer.header("content-disposition").starts_with("attachment; filename="));
        let printed = scratch.ok(&[command, &["--format", "csv"]].concat()).out;
        assert_eq!(answer.body, printed, "{target}");
    }
}

#[test]
fn tag_changes_with_the_database_only() {
    let scratch = two_runs();
    let served = Served::start(&scratch);
    for target in [
        "/",
        "/leaderboard",
        "/player/club/ann",
        "/api/v1/contest/club/6",
    ] {
        let first = served.get(target);
        let tag = first.header("etag").to_owned();
        assert!(tag.starts_with('"') && tag.len() > 34, "{tag}");
        assert_eq!(first.header("cache-control"), "no-cache");
        for known in [&tag, &format!("\"other\", W/{tag}"), "*"] {
            let same = served.get_with(target, &[("If-None-Match", known)]);
            assert_eq!((same.status, &*same.body), (304, ""), "{target} {known}");
            assert_eq!(same.header("etag"), tag);
        }
        let other = served.get_with(target, &[("If-None-Match", "\"other\"")]);
        assert_eq!((other.status, other.body), (200, first.body), "{target}");
    }
    let tag = |served: &Served| served.get("/leaderboard").header("etag").to_owned();
    let mut tags = vec![tag(&served)];
    drop(served);
    let served = Served::start(&scratch);
    assert_eq!(tag(&served), tags[0], "after a restart");
    let changes: [&[&str]; 5] = [
        &["competitor", "rename", "club", "ann", "Ann"],
        &["withdraw", "club", "6"],
        &["rate", "club"],
        &["runs", "name", "1", "spring"],
        &["source", "set", "club", "provisional=9"],
    ];
    for change in changes {
        scratch.ok(change);
        let new = tag(&served);
        assert!(!tags.contains(&new), "{change:?}");
        let known = tags.last().unwrap();
        let answer = served.get_with("/leaderboard", &[("If-None-Match", known)]);
        assert_eq!(answer.status, 200, "{change:?}");
        tags.push(new);
    }
}

#[test]
fn wrong_parameters_are_named() {
    let scratch = two_runs();
    let served = Served::start(&scratch);
    for (target, status, text) in [
        ("/leaderboard?limit=1001", 400, "from 0 to 1000"),
        ("/leaderboard?limit=-1", 400, "from 0 to 1000"),
        ("/leaderboard?offset=1e9", 400, "\\\"offset\\\" is \\\"1e9\\\""),
        ("/leaderboard?limit=1&limit=2", 400, "given twice"),
        ("/leaderboard?no-such=1", 400, "there is no parameter"),
        ("/leaderboard?sort=name", 400, "expected rating, conservative"),
        ("/leaderboard?sort=since", 400, "name it with"),
        ("/leaderboard?as-of=yesterday", 400, "a day such as 2024-01-31"),
        ("/leaderboard?since=2024-01-01&as-of=2023-01-01", 400, "earlier"),
        ("/leaderboard?run=99", 404, "there is no run 99"),
        ("/leaderboard?source=nobody", 404, "there is no source"),
        ("/leaderboard?source=a%20b", 400, "source name"),
        ("/leaderboard?system=nothing", 400, "rating system"),
        ("/leaderboard?system=trueskill", 404, "no run of club by trueskill"),
        ("/leaderboard?run=1&system=elo-mmr", 400, "exclude each other"),
        ("/leaderboard?format=xml", 400, "expected json or csv"),
        ("/players/club?kind=robot", 400, "person, team or couple"),
        ("/player/club/zoe", 404, "no competitor"),
        ("/contest/club/99", 404, "no contest"),
        ("/contest/club/6?as-of=2023-12-01", 404, "ended"),
        ("/predict/club", 400, "2 to"),
        ("/predict/club?name=ann&name=ann", 400, "different"),
        ("/predict/club?name=ann&name=zoe", 404, "no competitor"),
        ("/predict/nobody?name=ann&name=bea", 404, "no source"),
        ("/compare/nobody", 404, "no source"),
        ("/compare/club?slice=none", 404, "slice"),
        ("/compare/club?x=99", 404, "there is no run 99"),
        ("/nothing", 404, "no such page"),
        ("/player/club/ann%27;%20DROP%20TABLE%20rating", 404, "no competitor"),
        ("/contest/club/..%2F..%2Fetc%2Fpasswd", 404, "no contest"),
    ] {
        let answer = served.get(&format!("/api/v1{target}"));
        assert_eq!(answer.status, status, "{target}: {}", answer.body);
        assert_eq!(answer.header("content-type"), "application/json", "{target}");
        assert!(answer.body.contains(text), "{target}: {}", answer.body);
        let fault: Value = serde_json::from_str(&answer.body).unwrap();
        assert!(fault["error"].is_string() && fault["choices"].is_array(), "{fault}");
        let folder = scratch.path("");
        assert!(!answer.body.contains(folder.to_str().unwrap()), "{}", answer.body);
    }
}

/// Returns docs/api.md.
fn read_page() -> String {
    std::fs::read_to_string(fixtures().join("../docs/api.md")).unwrap()
}

/// Returns the cells of the table rows that begin with a path.
fn parse_paths(page: &str) -> Vec<Vec<&str>> {
    let rows = page.lines().filter_map(|line| line.strip_prefix("| `/api/v1"));
    rows.map(|row| row.trim_end_matches(" |").split(" | ").collect()).collect()
}

/// Returns the address in the header `Link`.
fn next_link(answer: &Answer) -> Option<String> {
    let (link, _) = answer.header("link").split_once('>')?;
    Some(link.trim_start_matches('<').to_owned())
}

#[test]
fn pages_of_a_list_are_of_one_state() {
    let scratch = two_runs();
    let served = Served::start(&scratch);
    for list in [
        "/sources?limit=0",
        "/leaderboard?limit=3",
        "/players/club?sort=name&limit=4",
        "/player/club/ann?limit=2",
        "/contests/club?limit=4",
        "/contest/club/4?limit=2",
    ] {
        let full_list = served.json(list.split("limit").next().unwrap());
        let mut rows = Vec::new();
        let mut next = Some(format!("/api/v1{list}"));
        while let Some(target) = next {
            let answer = served.get(&target);
            assert_eq!(answer.status, 200, "{target}: {}", answer.body);
            let page: Value = serde_json::from_str(&answer.body).unwrap();
            rows.extend(page["rows"].as_array().unwrap().clone());
            next = next_link(&answer);
        }
        if !list.ends_with("limit=0") {
            assert_eq!(Value::from(rows), full_list["rows"], "{list}");
        }
    }
    let first = served.get("/api/v1/players/club?limit=4");
    let next = next_link(&first).unwrap();
    scratch.ok(&["runs", "name", "1", "renamed"]);
    let refused = served.get(&next);
    assert_eq!(refused.status, 409, "{}", refused.body);
    assert!(refused.body.contains("begin again"), "{}", refused.body);
}

#[test]
fn documented_paths_and_parameters_are_the_accepted_ones() {
    let scratch = two_runs();
    let served = Served::start(&scratch);
    let page = read_page();
    let paths = parse_paths(&page);
    assert_eq!(paths.len(), 11);
    for cells in paths {
        let path = cells[0].trim_end_matches('`').replace("SOURCE", "club");
        let path = match &*path {
            "/player/club/ID" => "/player/club/ann".to_owned(),
            "/contest/club/ID" => "/contest/club/4".to_owned(),
            "/predict/club" => "/predict/club?name=ann&name=bea".to_owned(),

            other => other.to_owned(),
        };
        served.json(&path);
        let and = if path.contains('?') { '&' } else { '?' };
        let refused = served.get(&format!("/api/v1{path}{and}no-such=1"));
        let fault: Value = serde_json::from_str(&refused.body).unwrap();
        let known = fault["error"].as_str().unwrap().split("; use ").nth(1).unwrap();
        let mut known: Vec<&str> = known.split(", ").collect();
        let mut documented: Vec<&str> = cells[1].split('`').skip(1).step_by(2).collect();
        documented.push("format");
        known.sort_unstable();
        documented.sort_unstable();
        assert_eq!(documented, known, "{path}");
    }
}

#[test]
fn documented_answers_are_the_real_ones() {
    let scratch = Scratch::club();
    scratch.ok(&["rate", "club"]);
    let served = Served::start(&scratch);
    let page = read_page();
    let mut examples = 0;
    for block in page.split("```console\n$ curl -s ").skip(1) {
        let (target, rest) = block.split_once('\n').unwrap();
        let (documented, _) = rest.split_once("```").unwrap();
        let target = target.trim_matches('\'').trim_start_matches("http://127.0.0.1:8080");
        let body = served.get(target).body;
        if documented.starts_with('{') {
            let parse = |text: &str| serde_json::from_str::<Value>(text).unwrap();
            assert_eq!(parse(documented), parse(&body), "{target}");
        } else {
            assert_eq!(documented, body.replace("\r\n", "\n"), "{target}");
        }
        examples += 1;
    }
    assert_eq!(examples, 2);
}
