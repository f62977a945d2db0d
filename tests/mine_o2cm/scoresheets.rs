//! The marks of judges, where they are asked for.

use ranklore_test_support::Reply;

use super::ball::page;
use super::*;

const FINAL: &str = include_str!("../../fixtures/o2cm/scoresheet3-gls23-40328968.html");
const SEMI: &str = include_str!("../../fixtures/o2cm/scoresheet3-gls23-40328968-1.html");
const ALONE: &str = include_str!("../../fixtures/o2cm/scoresheet3-gls23-40328964.html");

fn final_of(event: &str, heat: &str) -> String {
    format!("GET /scoresheet3.asp?event={event}&heatid={heat}")
}

fn round_of(event: &str, heat: &str, round: u8) -> String {
    format!("POST /scoresheet3.asp heatid={heat}&event={event}&selCount={round}")
}

/// Every heat has a scoresheet, and one has two rounds before its final.
fn site_with_scoresheets() -> Ball {
    let site = site();
    for (event, heat) in [
        ("old1", "1A"),
        ("old1", "1B"),
        ("mid1", "2A"),
        ("mid1", "2B"),
        ("new1", "3A"),
    ] {
        let of = |text: &str| {
            let text = text.replace("value=gls23", &format!("value={event}"));
            text.replace("value=40328968", &format!("value={heat}"))
                .replace("value=40328964", &format!("value={heat}"))
        };
        if heat != "1A" {
            site.site
                .set_replies(&final_of(event, heat), [page(&of(ALONE))]);
            continue;
        }
        site.site
            .set_replies(&final_of(event, heat), [page(&of(FINAL))]);
        site.site
            .set_replies(&round_of(event, heat, 1), [page(&of(SEMI))]);
        let quarter = of(SEMI).replace("VALUE=1 selected", "VALUE=1");
        let quarter = quarter.replace("VALUE=2 ", "VALUE=2 selected ");
        site.site
            .set_replies(&round_of(event, heat, 2), [page(&quarter)]);
    }
    site
}

fn sheets(asked: &[String]) -> Vec<&str> {
    let sheets = asked.iter().filter(|target| target.contains("scoresheet3"));
    sheets.map(String::as_str).collect()
}

#[test]
fn every_round_is_archived_once_it_is_at_rest() {
    let (site, scratch) = (site_with_scoresheets(), Scratch::new());
    let report = scratch.json(&mine(&site, &["--scoresheets"]));
    assert_eq!(report["contests"]["added"], 5);
    let asked = site.take_targets();
    assert_eq!(
        sheets(&asked),
        [
            &*final_of("old1", "1A"),
            &*final_of("old1", "1B"),
            &*round_of("old1", "1A", 1),
            &*round_of("old1", "1A", 2),
            &*final_of("mid1", "2A"),
            &*final_of("mid1", "2B"),
            &*final_of("new1", "3A"),
        ]
    );
    let archived = "SELECT count(*) FROM document WHERE request_key LIKE '%scoresheet3%'";
    assert_eq!(scratch.count(archived), 7);
    scratch.ok(&mine(&site, &["--scoresheets"]));
    assert_eq!(sheets(&site.take_targets()), [final_of("new1", "3A")]);
    scratch.ok(&mine(&site, &[]));
    assert_eq!(sheets(&site.take_targets()), [""; 0]);
    let before = scratch.content_hash();
    scratch.ok(&["rebuild"]);
    assert_eq!(scratch.content_hash(), before);
}

#[test]
fn without_the_option_none_is_asked_for_and_the_results_are_the_same() {
    let (site, scratch) = (site_with_scoresheets(), Scratch::new());
    scratch.ok(&mine(&site, &[]));
    assert_eq!(sheets(&site.take_targets()), [""; 0]);
    let without = scratch.content_hash();
    // Those of competitions that are at rest come with everything else.
    scratch.ok(&mine(&site, &["--scoresheets", "--full"]));
    assert_eq!(sheets(&site.take_targets()).len(), 7);
    assert_eq!(scratch.content_hash(), without);
}

#[test]
fn a_scoresheet_that_cannot_be_read_is_named_and_costs_no_results() {
    let (site, scratch) = (site_with_scoresheets(), Scratch::new());
    let changed = FINAL.replace(">Judges<", ">Richter<");
    let changed = changed.replace("value=gls23", "value=old1");
    let changed = changed.replace("value=40328968", "value=1A");
    site.site
        .set_replies(&final_of("old1", "1A"), [page(&changed)]);
    let done = scratch.run(&mine(&site, &["--scoresheets"])).exits(3);
    assert!(done.err.contains("heatid=1A"), "{}", done.err);
    assert_eq!(
        scratch.count("SELECT count(*) FROM contest WHERE entrants > 0"),
        5
    );
}

/// A page that wants to see a person, and what sends on to one that wants a password.
fn walls(site: &Ball) -> [Reply; 2] {
    let login = "<html><head><title>Log in</title></head></html>";
    site.site.set_replies("GET /login.asp", [page(login)]);
    let challenge = "<html><head><title>Just a moment...</title></head></html>";
    [
        Reply::new(403, "text/html", challenge),
        Reply::new(302, "text/html", "").header("Location", "/login.asp"),
    ]
}

const HEATS_OF_OLD1: &str = "SELECT external_id, entrants FROM contest WHERE external_id
    LIKE 'old1/%' ORDER BY external_id";

/// The results of the first competition are in, and all that its scoresheets had cost is asked
/// for again.
fn goes_on_with_the_rest(site: &Ball, scratch: &Scratch, there: &[String]) {
    assert_eq!(scratch.rows(HEATS_OF_OLD1), ["old1/1A|3", "old1/1B|2"]);
    let status = scratch.run(&["status"]).out;
    assert!(status.contains("o2cm: contest old1, "), "{status}");
    let before = scratch.content_hash();
    scratch.ok(&["rebuild"]);
    assert_eq!(scratch.content_hash(), before);
    let dry = scratch.json(&mine(site, &["--scoresheets", "--dry-run"]));
    let mut due = dry["contests"].as_array().unwrap().iter();
    assert!(due.any(|of| of["contest"] == "old1"), "{dry}");
    for (event, heat) in [("old1", "1A"), ("old1", "1B")] {
        let text = ALONE.replace("value=gls23", &format!("value={event}"));
        let text = text.replace("value=40328964", &format!("value={heat}"));
        site.site.set_replies(&final_of(event, heat), [page(&text)]);
    }
    site.take_targets();
    scratch.ok(&mine(site, &["--scoresheets"]));
    let asked = site.take_targets();
    assert!(asked.contains(&Ball::competition("old1")), "{asked:?}");
    for heat in ["1A", "1B"] {
        let target = final_of("old1", heat);
        assert_eq!(
            asked.contains(&target),
            !there.contains(&target),
            "{asked:?}"
        );
    }
    scratch.ok(&mine(site, &["--scoresheets"]));
    assert_eq!(sheets(&site.take_targets()), [final_of("new1", "3A")]);
}

#[test]
fn scoresheets_behind_a_wall_end_a_sync_at_once() {
    for which in [0, 1] {
        let (site, scratch) = (site_with_scoresheets(), Scratch::new());
        let wall = walls(&site)[which].clone();
        site.site.set_replies(&final_of("old1", "1B"), [wall]);
        let done = scratch.run(&mine(&site, &["--scoresheets"])).exits(4);
        assert!(done.err.contains("heatid=1B"), "{}", done.err);
        let asked = site.take_targets();
        // Twice, as of any wall; what is behind the first page is not asked for any more.
        let wall = final_of("old1", "1B");
        let first = final_of("old1", "1A");
        assert_eq!(sheets(&asked), [&*first, &*wall, &*wall]);
        assert!(!asked.contains(&Ball::competition("mid1")), "{asked:?}");
        goes_on_with_the_rest(&site, &scratch, &[first]);
    }
}

#[test]
fn a_scoresheet_that_does_not_come_is_asked_for_again() {
    let (site, scratch) = (site_with_scoresheets(), Scratch::new());
    let half = FINAL.split_at(FINAL.len() / 2).0;
    site.site.set_replies(&final_of("old1", "1B"), [page(half)]);
    let done = scratch.run(&mine(&site, &["--scoresheets"])).exits(3);
    assert!(done.err.contains("heatid=1B"), "{}", done.err);
    assert!(site.take_targets().contains(&final_of("new1", "3A")));
    goes_on_with_the_rest(&site, &scratch, &[final_of("old1", "1A")]);
}

#[test]
fn a_site_that_is_too_busy_for_scoresheets_is_left_alone() {
    let (site, scratch) = (site_with_scoresheets(), Scratch::new());
    let names = ["1C", "1D", "1E", "1F"];
    let couples = ["Ada Vale & Bea Moor", "Cyd Oar & Dot Fen"];
    let heats = names.map(|id| heat(id, "Amateur Bronze Waltz (W)", &couples));
    site.hold("old1", &heats);
    for id in names {
        let busy = Reply::new(503, "text/html", "<html>busy</html>");
        site.site.set_replies(&final_of("old1", id), [busy]);
    }
    let command = paced(&site, "0.001", &["--scoresheets"]);
    let done = scratch.run(&command).exits(4);
    let why = "3 documents in a row could not be had";
    assert!(done.err.contains(why), "{}", done.err);
    let asked = site.take_targets();
    let times = |id| {
        asked
            .iter()
            .filter(|of| **of == final_of("old1", id))
            .count()
    };
    assert_eq!(names.map(times), [5, 5, 5, 0]);
    assert!(!asked.contains(&Ball::competition("mid1")), "{asked:?}");
    assert_eq!(scratch.rows(HEATS_OF_OLD1).len(), names.len());
    let dry = scratch.json(&mine(&site, &["--scoresheets", "--dry-run"]));
    let due = dry["contests"].as_array().unwrap();
    assert!(due.iter().any(|of| of["contest"] == "old1"), "{dry}");
}

#[test]
fn one_scoresheet_that_fails_in_each_of_three_competitions_ends_no_sync() {
    let (site, scratch) = (site_with_scoresheets(), Scratch::new());
    for (event, id) in [("old1", "1A"), ("mid1", "2A"), ("new1", "3A")] {
        let busy = Reply::new(503, "text/html", "<html>busy</html>");
        site.site.set_replies(&final_of(event, id), [busy]);
    }
    let done = scratch
        .run(&paced(&site, "0.001", &["--scoresheets"]))
        .exits(3);
    assert!(!done.err.contains("in a row"), "{}", done.err);
}
