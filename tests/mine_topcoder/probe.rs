//! The probe of Topcoder.

use ranklore_test_support::Reply;

use super::site::{LIST, NEWEST, ROBOTS, TopcoderSite, mine, results_request, xml_reply};
use crate::support::Scratch;

const OTHER: &[u8] = b"<?xml version=\"1.0\"?><rounds><row><id>7</id></row></rounds>";

#[test]
fn probe_reads_list_and_newest_round() {
    let site = TopcoderSite::new();
    let scratch = Scratch::new();
    let report = scratch.json(&mine(&site, &["--probe"]));
    assert_eq!(site.take_targets(), [ROBOTS, LIST, &results_request(NEWEST)]);
    assert_eq!(report["requests"], 3);
    assert_eq!((&report["listed"], &report["contests"]), (&8.into(), &2.into()));
    assert_eq!(report["results"], 5);
    assert_eq!(scratch.list("."), [""; 0]);
}

#[test]
fn probe_reports_unknown_layout() {
    for target in [LIST.to_owned(), results_request(NEWEST)] {
        let site = TopcoderSite::new();
        let scratch = Scratch::new();
        site.set_replies(&target, [xml_reply(OTHER.to_vec())]);
        let done = scratch.run(&mine(&site, &["--probe"])).exits(1);
        done.says("the layout of topcoder is unknown");
        assert!(site.take_targets().len() <= 3);
        assert_eq!(scratch.list("."), [""; 0]);
    }
}

#[test]
fn probe_ended_by_redirect_reports_it() {
    let site = TopcoderSite::new();
    let scratch = Scratch::new();
    site.set_replies(&results_request(NEWEST), [Reply::redirect(302, "/moved")]);
    let done = scratch.run(&mine(&site, &["--probe"])).exits(1);
    done.says("requests is reached");
    assert!(site.take_targets().len() <= 3);
}
