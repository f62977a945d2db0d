//! The marks of judges, where they are asked for.

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
            site.site.tell(&final_of(event, heat), [page(&of(ALONE))]);
            continue;
        }
        site.site.tell(&final_of(event, heat), [page(&of(FINAL))]);
        site.site.tell(&round_of(event, heat, 1), [page(&of(SEMI))]);
        let quarter = of(SEMI).replace("VALUE=1 selected", "VALUE=1");
        let quarter = quarter.replace("VALUE=2 ", "VALUE=2 selected ");
        site.site.tell(&round_of(event, heat, 2), [page(&quarter)]);
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
    let asked = site.asked();
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
    assert_eq!(sheets(&site.asked()), [final_of("new1", "3A")]);
    scratch.ok(&mine(&site, &[]));
    assert_eq!(sheets(&site.asked()), [""; 0]);
    let before = scratch.content_hash();
    scratch.ok(&["rebuild"]);
    assert_eq!(scratch.content_hash(), before);
}

#[test]
fn without_the_option_none_is_asked_for_and_the_results_are_the_same() {
    let (site, scratch) = (site_with_scoresheets(), Scratch::new());
    scratch.ok(&mine(&site, &[]));
    assert_eq!(sheets(&site.asked()), [""; 0]);
    let without = scratch.content_hash();
    // Those of competitions that are at rest come with everything else.
    scratch.ok(&mine(&site, &["--scoresheets", "--full"]));
    assert_eq!(sheets(&site.asked()).len(), 7);
    assert_eq!(scratch.content_hash(), without);
}

#[test]
fn a_scoresheet_that_cannot_be_read_is_named_and_costs_no_results() {
    let (site, scratch) = (site_with_scoresheets(), Scratch::new());
    let changed = FINAL.replace(">Judges<", ">Richter<");
    let changed = changed.replace("value=gls23", "value=old1");
    let changed = changed.replace("value=40328968", "value=1A");
    site.site.tell(&final_of("old1", "1A"), [page(&changed)]);
    let done = scratch.run(&mine(&site, &["--scoresheets"])).exits(3);
    assert!(done.err.contains("heatid=1A"), "{}", done.err);
    assert_eq!(
        scratch.count("SELECT count(*) FROM contest WHERE entrants > 0"),
        5
    );
}
