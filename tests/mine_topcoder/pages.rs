//! Web pages in place of feeds: both give the same contests.

use ranklore_test_support::{Reply, Server};

use super::site::{LIST, results_request, xml_reply};
use crate::support::{Scratch, fixtures};

const MATCHES: &str = "GET /tc?module=MatchList&nr=200&sr=1";
const SELECT_STANDINGS: &str = "SELECT contest.external_id, competitor.external_id, place, score
    FROM standing JOIN contest USING (contest_id) JOIN competitor USING (competitor_id)
    ORDER BY 1, 3, 2";
const COUNT_VOLATILITIES: &str = "SELECT count(*) FROM rating JOIN rating_run USING (run_id)
    WHERE system = 'official' AND volatility IS NOT NULL";

fn stats_request(division: u8) -> String {
    format!("GET /stat?c=round_stats&rd=9601&dn={division}&sm=1&em=100&nm=99")
}

fn fixture(name: &str) -> Vec<u8> {
    std::fs::read(fixtures().join("topcoder").join(name)).unwrap()
}

/// Returns a site with one round in both forms.
fn site() -> Server {
    let site = Server::new();
    let page = |name: &str| Reply::new(200, "text/html;charset=ISO-8859-1", fixture(name));
    site.set_replies(LIST, [xml_reply(fixture("dd_round_list.xml"))]);
    site.set_replies(&results_request(9601), [xml_reply(fixture("dd_round_results-9601.xml"))]);
    site.set_replies(MATCHES, [page("MatchList.html")]);
    site.set_replies(&stats_request(1), [page("round_stats-9601-1.html")]);
    site.set_replies(&stats_request(2), [page("round_stats-9601-2.html")]);
    site
}

fn mine<'a>(site: &'a Server, options: &[&'a str]) -> Vec<&'a str> {
    let begin = [
        "mine",
        "topcoder",
        "--base-url",
        site.url(),
        "--interval",
        "0",
    ];
    [&begin[..], &["--since", "2022-01-01"], options].concat()
}

fn assert_rebuild_unchanged(scratch: &Scratch) {
    let before = scratch.content_hash();
    scratch.ok(&["rebuild"]);
    assert_eq!(scratch.content_hash(), before);
}

#[test]
fn pages_and_feeds_give_the_same_contests() {
    let site = site();
    let feeds = Scratch::new();
    let pages = Scratch::new();
    feeds.ok(&mine(&site, &[]));
    site.take_targets();
    let report = pages.json(&mine(&site, &["--pages"]));
    assert_eq!(report["contests"]["added"], 2);
    let (one, other) = (stats_request(1), stats_request(2));
    assert_eq!(site.take_targets(), ["GET /robots.txt", MATCHES, &one, &other]);
    assert_eq!(pages.rows(SELECT_STANDINGS), feeds.rows(SELECT_STANDINGS));
    assert_eq!(pages.count(COUNT_VOLATILITIES), 0);
    assert!(feeds.count(COUNT_VOLATILITIES) > 0);
    assert_rebuild_unchanged(&pages);
    // A final round in one form is not requested in the other.
    for (scratch, form) in [(&feeds, &["--pages"][..]), (&pages, &[])] {
        site.take_targets();
        scratch.ok(&mine(&site, form));
        assert_eq!(site.take_targets().len(), 2);
        assert_rebuild_unchanged(scratch);
    }
}

#[test]
fn newest_readable_of_feed_and_page_wins() {
    for first_as_pages in [true, false] {
        let site = site();
        let scratch = Scratch::new();
        let form = |pages: bool| {
            if pages {
                &["--full", "--pages"][..]
            } else {
                &["--full"]
            }
        };
        scratch.ok(&mine(&site, form(first_as_pages)));
        let standings = scratch.rows(SELECT_STANDINGS);
        scratch.ok(&mine(&site, form(!first_as_pages)));
        assert_eq!(scratch.rows(SELECT_STANDINGS), standings);
        assert_eq!(scratch.count(COUNT_VOLATILITIES) > 0, first_as_pages, "feeds have them");
        assert_rebuild_unchanged(&scratch);
        // An unreadable document of one form keeps the results of the other.
        let broken = Reply::new(200, "text/html", "<html>Division-I</html>");
        site.set_replies(&stats_request(1), [broken]);
        scratch.run(&mine(&site, form(true))).exits(3);
        assert_eq!(scratch.rows(SELECT_STANDINGS), standings);
        let before = scratch.content_hash();
        scratch.run(&["rebuild"]);
        assert_eq!(scratch.content_hash(), before);
    }
}

#[test]
fn feed_wins_over_page_in_files() {
    let scratch = Scratch::new();
    for (name, fixture_name) in [
        ("tc_module=BasicData&c=dd_round_list", "dd_round_list.xml"),
        ("tc_module=MatchList&nr=200&sr=1.html", "MatchList.html"),
        ("tc_module=BasicData&c=dd_round_results&rd=9601", "dd_round_results-9601.xml"),
        ("stat_c=round_stats&rd=9601&dn=1.html", "round_stats-9601-1.html"),
        ("stat_c=round_stats&rd=853&dn=2.html", "round_stats-853-2.html"),
    ] {
        scratch.write(&format!("saved/{name}"), fixture(fixture_name));
    }
    let from = ["mine", "topcoder", "--from-files", "saved"];
    let report = scratch.json(&from);
    assert_eq!(report["contests"]["added"], 2);
    assert!(scratch.count(COUNT_VOLATILITIES) > 0);
    assert_rebuild_unchanged(&scratch);
    let before = scratch.everything();
    scratch.ok(&from);
    assert_eq!(scratch.everything(), before);
}

/// Returns the request for the rounds from this one on, counted from 1.
fn matches_request(from: u32) -> String {
    format!("GET /tc?module=MatchList&nr=200&sr={from}")
}

/// Returns a list page of these rounds, a year before all others; then the content of the fixture.
fn matches_page(rounds: impl Iterator<Item = u32>, and_more: bool) -> Reply {
    let text: String = fixture("MatchList.html").into_iter().map(char::from).collect();
    let (start, end) = (text.find("<tr class=\"light\">"), text.find("</table>"));
    let start = start.unwrap();
    let end = end.unwrap() - 5;
    let rows = rounds.map(|round| {
        format!(
            "<tr class=\"light\"><td class=\"value\"><a href=\"/stat?c=round_overview&amp;er=5&amp;\
             rd={round}\">LM {round}</a></td><td class=\"valueC\">01.01.2000</td>\
             <td class=\"valueR\">8</td></tr>"
        )
    });
    let rows: String = rows.collect();
    let options = if and_more { &text[start..end] } else { "" };
    let page = text[..start].to_owned() + &rows + options + &text[end..];
    let bytes: Vec<u8> = page.chars().map(|char| char as u8).collect();
    Reply::new(200, "text/html;charset=ISO-8859-1", bytes)
}

#[test]
fn paged_list_is_read_to_the_end() {
    let site = site();
    let scratch = Scratch::new();
    site.set_replies(MATCHES, [matches_page((10_201..=10_400).rev(), false)]);
    site.set_replies(&matches_request(201), [matches_page((10_001..=10_200).rev(), false)]);
    site.set_replies(&matches_request(401), [matches_page(0..0, true)]);
    let report = scratch.json(&mine(&site, &["--pages"]));
    assert_eq!(report["contests"]["added"], 2);
    let pages = [
        MATCHES.to_owned(),
        matches_request(201),
        matches_request(401),
    ];
    let robots = "GET /robots.txt".to_owned();
    let first = [
        &[robots.clone()][..],
        &pages,
        &[stats_request(1), stats_request(2)],
    ]
    .concat();
    assert_eq!(site.take_targets(), first);
    let listed = "SELECT count(DISTINCT event) FROM contest WHERE state <> 'withdrawn'";
    assert_eq!(scratch.count(listed), 410);
    assert_rebuild_unchanged(&scratch);

    // One more round moves the last round of each page to the next page.
    site.set_replies(MATCHES, [matches_page((10_202..=10_401).rev(), false)]);
    site.set_replies(&matches_request(201), [matches_page((10_002..=10_201).rev(), false)]);
    site.set_replies(&matches_request(401), [matches_page(10_001..=10_001, true)]);
    scratch.ok(&mine(&site, &["--pages"]));
    assert_eq!(site.take_targets(), [&[robots.clone()][..], &pages].concat());
    assert_eq!(scratch.count(listed), 411);
    assert_rebuild_unchanged(&scratch);

    // A failed page in between keeps its earlier content and contests.
    let before = scratch.content_hash();
    site.set_replies(&matches_request(201), [Reply::new(404, "text/html", "<html>no</html>")]);
    scratch.run(&mine(&site, &["--pages"])).exits(3).says("sr=201");
    let mut requests = site.take_targets();
    requests.dedup();
    assert_eq!(requests, [&[robots][..], &pages].concat());
    assert_eq!(scratch.content_hash(), before);
}

#[test]
fn empty_page_ends_the_list() {
    let site = site();
    let scratch = Scratch::new();
    site.set_replies(MATCHES, [matches_page(10_001..=10_200, false)]);
    site.set_replies(&matches_request(201), [matches_page(0..0, false)]);
    scratch.ok(&mine(&site, &["--pages"]));
    assert_eq!(site.take_targets(), ["GET /robots.txt", MATCHES, &matches_request(201)]);
    assert_eq!(scratch.count("SELECT count(*) FROM contest"), 400);
}
