//! The pages: hostile names, links, paging, filters, failures.

use std::collections::{BTreeMap, VecDeque};

use super::client::Served;
use crate::support::{Scratch, contest, large_contest};

const SCRIPT: &str = "<script>alert(1)</script>";
const QUOTES: &str = "\"Q\" 'q' onload=alert(1) &amp;";
const REVERSED: &str = "\u{202e}evil\u{2066}\u{200f}";
const HEBREW: &str = "שרה לוי";

/// Returns a rated source with names, ids and contests that can break pages.
fn hostile() -> Scratch {
    let scratch = Scratch::new();
    let long = "x".repeat(1_000);
    let names = [
        SCRIPT, QUOTES, REVERSED, HEBREW, &long, "..", ".", "~t", "a/b?c#d", "100%",
    ];
    let groups: Vec<[&str; 1]> = names.map(|name| [name]).into();
    let groups: Vec<&[&str]> = groups.iter().map(|group| &group[..]).collect();
    for id in 1..=3 {
        scratch.write(&format!("{id}.json"), contest(id, id * 10, &groups));
    }
    let table = "contest,date,player,place\n\
                 <b>Open</b> \u{202e}1,2024-02-01,..,1\n<b>Open</b> \u{202e}1,2024-02-01,~t,2\n\
                 ..,2024-02-02,..,1\n..,2024-02-02,~t,2\n";
    scratch.write("more.csv", table);
    scratch.ok(&["import", ".", "--source", "club"]);
    scratch.ok(&["rate", "club"]);
    scratch.ok(&["rate", "club", "--system", "glicko2"]);
    scratch
}

/// Returns the values of an attribute in a page, without escapes.
fn attributes(page: &str, name: &str) -> Vec<String> {
    let marker = format!(" {name}=\"");
    let values = page.split(&marker).skip(1);
    let values = values.filter_map(|rest| rest.split('"').next());
    values
        .map(|value| {
            value
                .replace("&quot;", "\"")
                .replace("&lt;", "<")
                .replace("&gt;", ">")
                .replace("&amp;", "&")
        })
        .collect()
}

/// Requests all pages that can be reached by links and forms; returns them by their targets.
fn crawl(served: &Served) -> BTreeMap<String, String> {
    let mut pages = BTreeMap::new();
    let mut queue = VecDeque::from(["/".to_owned()]);
    while let Some(target) = queue.pop_front() {
        if pages.contains_key(&target) {
            continue;
        }
        assert!(pages.len() < 3_000, "too many pages, now {target}");
        let answer = served.get(&target);
        assert_eq!(answer.status, 200, "{target}: {}", answer.body);
        if answer.header("content-type").starts_with("text/html") {
            let links = ["href", "action"].map(|name| attributes(&answer.body, name));
            for link in links.into_iter().flatten() {
                assert!(link.starts_with(['/', '#']), "{link} in {target}");
                // As a browser resolves it.
                let segments = link.split(['?', '#']).next().unwrap().split('/');
                for segment in segments {
                    let segment = segment.to_ascii_lowercase().replace("%2e", ".");
                    assert!(!matches!(&*segment, "." | ".."), "{link} in {target}");
                }
                if link.starts_with('/') {
                    queue.push_back(link);
                }
            }
        }
        pages.insert(target, answer.body);
    }
    pages
}

#[test]
fn all_links_of_all_pages_are_alive() {
    let scratch = hostile();
    let served = Served::start(&scratch);
    let pages = crawl(&served);
    assert!(pages.len() > 60, "{:?}", pages.keys());
    for path in [
        "/player/club/~..",
        "/player/club/~.",
        "/player/club/~~t",
        "/player/club/a%2Fb%3Fc%23d",
        "/contest/club/1",
    ] {
        assert!(pages.contains_key(path), "{path} of {:?}", pages.keys());
    }
    let html = pages.values().filter(|page| page.starts_with("<!DOCTYPE html>"));
    for page in html {
        check_names(page);
        check_outline(page);
    }
}

/// Asserts that names are text, and that those that change directions are isolated.
fn check_names(page: &str) {
    let page = page.replacen("<script src=\"/curve.js\" defer>", "", 1);
    for broken in ["<script", "<b>", "onload=alert(1)\"", " style="] {
        assert!(!page.contains(broken), "{broken} in {page}");
    }
    for (at, _) in page.match_indices(['\u{202e}', '\u{2066}']) {
        let before = &page[..at];
        let opened = before.rfind("<bdi>");
        let closed = before.rfind("</bdi>");
        let in_attribute = before.rfind('<') > before.rfind('>');
        assert!(opened > closed || in_attribute, "{before}");
    }
}

/// Asserts that a page has one title, one heading of the first level, landmarks and labels.
fn check_outline(page: &str) {
    for (part, count) in [
        ("<title>", None),
        ("<h1>", Some(1)),
        ("<main id=\"content\"", Some(1)),
        ("<a class=\"skip\" href=\"#content\">", Some(1)),
        ("<html lang=\"en\">", Some(1)),
        ("<meta name=\"viewport\"", Some(1)),
        ("<meta property=\"og:title\"", Some(1)),
        ("<meta property=\"og:description\"", Some(1)),
    ] {
        let matches = page.matches(part).count();
        assert!(matches > 0 && count.is_none_or(|count| matches == count), "{part}: {page}");
    }
    let (title, _) = page.split_once("</title>").unwrap();
    let (_, title) = title.split_once("<title>").unwrap();
    assert!(title.ends_with(" · Ranklore") && title.chars().count() < 140, "{title}");
    assert!(!title.contains(['\u{202e}', '\u{2066}']), "{title}");
    for (field, kind) in [("<input", "type=\"hidden\""), ("<select", "-")] {
        let fields = page.split(field).skip(1);
        for field in fields.filter_map(|rest| rest.split('>').next()) {
            let id = attributes(field, "id").pop();
            let labelled = id.is_some_and(|id| page.contains(&format!("<label for=\"{id}\">")));
            assert!(labelled || field.contains(kind), "{field}");
        }
    }
    let ids = attributes(page, "id");
    for id in &ids {
        let same = ids.iter().filter(|other_id| *other_id == id).count();
        assert_eq!(same, 1, "id {id} in {page}");
    }
    for table in page.split("<table>").skip(1) {
        assert!(table.starts_with("<caption"), "{table}");
        assert!(
            table.contains("<th scope=\"col\"") || table.contains("scope=\"col\""),
            "{table}"
        );
    }
}

#[test]
fn names_are_shown_as_text() {
    let scratch = hostile();
    let served = Served::start(&scratch);
    let board = served.page("/leaderboard");
    let long = "x".repeat(1_000);
    for text in [
        "<bdi>&lt;script&gt;alert(1)&lt;/script&gt;</bdi>",
        "<bdi>&quot;Q&quot; 'q' onload=alert(1) &amp;amp;</bdi>",
        &format!("<bdi>{REVERSED}</bdi>"),
        &format!("<bdi>{HEBREW}</bdi>"),
        &format!("<bdi>{long}</bdi>"),
    ] {
        assert!(board.contains(text), "{text} in {board}");
    }
    let style = served.page("/style.css");
    assert!(style.contains("overflow-wrap: anywhere"));
    // What a visitor types is text too.
    for target in [
        "/players/club?text=%3Cscript%3Ealert(1)%3C/script%3E",
        "/players/club?text=%22%3E%3Cscript%3E",
        "/contests/club?name=%22%20onload=%22alert(1)",
        "/leaderboard?as-of=2024-01-31&min-contests=1&sort=mu",
        "/player/club/~..?with=%3Cscript%3E&with=%22%3E%3Cb%3E",
    ] {
        check_names(&served.page(target));
    }
    for target in [
        "/player/club/%3Cscript%3E",
        "/leaderboard?sort=%3Cscript%3E",
        "/%3Cscript%3E",
    ] {
        let answer = served.get(target);
        assert!([400, 404].contains(&answer.status), "{target}");
        check_names(&answer.body);
        check_outline(&answer.body);
    }
}

#[test]
fn pages_of_a_list_are_consecutive() {
    let scratch = Scratch::new();
    scratch.write("1.json", large_contest(1, 130));
    scratch.ok(&["import", "1.json", "--source", "club"]);
    scratch.ok(&["rate", "club"]);
    let served = Served::start(&scratch);
    for path in [
        "/leaderboard?source=club",
        "/players/club",
        "/contest/club/1",
    ] {
        let mut target = path.to_owned();
        let mut players = Vec::new();
        loop {
            let page = served.page(&target);
            let (_, table) = page.split_once("<tbody>").unwrap();
            let (table, after) = table.split_once("</tbody>").unwrap();
            let links = attributes(table, "href");
            players.extend(links.into_iter().filter(|link| link.starts_with("/player/")));
            let next = after.split("<a rel=\"next\" href=\"").nth(1);
            let Some(next) = next.and_then(|rest| rest.split('"').next()) else {
                break;
            };
            target = next.replace("&amp;", "&");
        }
        assert_eq!(players.len(), 130, "{path}");
        players.sort();
        players.dedup();
        assert_eq!(players.len(), 130, "{path}");
    }
    let beyond = served.page("/leaderboard?offset=5000");
    assert!(beyond.contains("The list ends before this page"), "{beyond}");
    assert_eq!(served.get("/leaderboard?limit=201").status, 400);
    assert!(served.page("/leaderboard").contains("1 to 50 of 130"));
}

#[test]
fn filters_choose_run_day_and_rows() {
    let scratch = Scratch::season();
    scratch.ok(&["rate", "club", "--system", "glicko2"]);
    let served = Served::start(&scratch);
    let page = served.page("/leaderboard?run=2&as-of=2023-12-06&provisional=mix");
    assert!(
        page.contains("2 by glicko2") && page.contains("Competitors as of 2023-12-06"),
        "{page}"
    );
    assert!(!page.contains("/player/club/eve"), "later: {page}");
    assert!(page.contains("/player/club/ann?run=2"), "links keep the run: {page}");
    assert!(page.contains("<option value=\"2\" selected>"), "{page}");
    assert!(page.contains("name=\"as-of\" type=\"date\" value=\"2023-12-06\""), "{page}");
    let inactive = served.page("/leaderboard?inactive=true&inactive-after=5");
    assert!(inactive.contains("Inactive competitors"), "{inactive}");
    assert!(
        served
            .page("/leaderboard?min-contests=100")
            .contains("No competitor fits these filters")
    );
    // Parameters of others are ignored, and do not reach the API.
    let tracked = served.page("/leaderboard?utm_source=x&min-contests=2");
    for link in attributes(&tracked, "href") {
        if link.starts_with("/api/") {
            assert!(link.contains("min-contests=2"), "{link}");
            served.page(&link);
        }
    }
    // The mark of a band is a character: it does not rely on colours.
    let mixed = served.page("/leaderboard?provisional=mix");
    assert!(mixed.contains("aria-label=\"Bands of established ratings\""), "{mixed}");
    assert!(served.page("/players/club?text=an").contains("/player/club/ann"));
    assert!(served.page("/players/club?text=zzz").contains("No competitor has this text"));
    assert!(served.page("/contests/club?name=zzz").contains("No contest fits these filters"));
}

#[test]
fn player_page_has_curve_and_compares() {
    let scratch = Scratch::season();
    scratch.ok(&["rate", "club", "--system", "glicko2"]);
    let served = Served::start(&scratch);
    let view = served.json("/player/club/ann");
    let page = served.page("/player/club/ann");
    let rated = view["rows"].as_array().unwrap().len();
    assert_eq!(page.matches("<path class=\"point curve0\"").count(), rated);
    assert_eq!(page.matches("<polygon class=\"uncertainty curve0\"").count(), 1);
    assert!(page.contains(" → "), "tooltips: {page}");
    let mu = view["mu"].as_f64().unwrap();
    assert!(page.contains(&format!("mu {mu:.0}")), "{page}");
    assert!(page.contains("2 by <bdi>glicko2</bdi>"), "runs side by side: {page}");
    let both = served.page("/player/club/ann?with=bea&with=dov");
    assert!(both.contains("<polyline class=\"line curve2\""), "{both}");
    assert!(both.contains("Compared competitors"), "{both}");
    let unknown = served.page("/player/club/ann?with=zoe");
    assert!(
        unknown.contains("zoe") && unknown.contains("/players/club?text=zoe"),
        "{unknown}"
    );
}

#[test]
fn contest_page_has_predictions_and_provenance() {
    let scratch = Scratch::season();
    let served = Served::start(&scratch);
    let page = served.page("/contest/club/5");
    for part in [
        "Predicted",
        "Before",
        "After",
        "Performance",
        "Provenance",
        "Revision",
        "of the archive",
    ] {
        assert!(page.contains(part), "{part} in {page}");
    }
    assert!(page.contains("/player/club/eve"), "{page}");
    // Fixture contests have no page on the web; an address of another kind is no link.
    scratch.alter("UPDATE contest SET url = 'javascript:alert(1)' WHERE external_id = '5'");
    assert!(!served.page("/contest/club/5").contains("javascript:"));
}

#[test]
fn team_and_person_with_one_id_are_both_offered() {
    let scratch = Scratch::new();
    let mut both: serde_json::Value =
        serde_json::from_str(&contest(1, 1, &[&["x"], &["y"]])).unwrap();
    both["entrants"] = serde_json::json!([{"kind": "person"}, {"kind": "person"}]);
    let mut team: serde_json::Value =
        serde_json::from_str(&contest(2, 2, &[&["x"], &["z"]])).unwrap();
    team["entrants"] = serde_json::json!([
        {"kind": "team", "members": ["ann", "bea"]},
        {"kind": "team", "members": ["cy", "dov"]},
    ]);
    scratch.write("1.json", both.to_string());
    scratch.write("2.json", team.to_string());
    scratch.ok(&["import", "1.json", "2.json", "--source", "club"]);
    scratch.ok(&["rate", "club"]);
    let served = Served::start(&scratch);
    let choice = served.get("/player/club/x");
    assert_eq!(choice.status, 300, "{}", choice.body);
    let links = attributes(&choice.body, "href").into_iter();
    for link in links.filter(|link| link.starts_with('/')) {
        assert_eq!(served.get(&link).status, 200, "{link}");
    }
    assert!(served.page("/player/club/x?kind=team").contains("team of club"));
    assert!(served.page("/player/club/x?kind=person").contains("person of club"));
}

#[test]
fn source_without_ratings_and_empty_database_have_pages() {
    let scratch = Scratch::club();
    let served = Served::start(&scratch);
    assert!(served.page("/").contains("not rated yet"));
    assert!(served.page("/players/club").contains("not rated yet"));
    let contests = served.json("/contests/club");
    let id = contests["rows"][0]["contest"].as_str().unwrap();
    check_outline(&served.page(&format!("/contest/club/{id}")));
    let board = served.get("/leaderboard");
    assert_eq!(board.status, 404);
    assert!(board.body.contains("There is no run of club yet"), "{}", board.body);
}
