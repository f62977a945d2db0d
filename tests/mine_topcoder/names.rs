//! Coders are numbers, named by the handles in the results.

use ranklore_contest::SourceName;

use super::site::{NEWEST, TopcoderSite, all_requests, first_division, mine};
use crate::support::Scratch;

const NAMES: &str =
    "SELECT competitor_name.name FROM competitor_name JOIN competitor USING (competitor_id)
    WHERE external_id = '40000012' ORDER BY competitor_name.name";

fn current_name(scratch: &Scratch) -> String {
    let sql = "SELECT name FROM competitor WHERE external_id = '40000012'";
    scratch.rows(sql).remove(0)
}

#[test]
fn coder_is_shown_under_the_newest_handle() {
    let site = TopcoderSite::new();
    let scratch = Scratch::new();
    scratch.ok(&mine(&site, &[]));
    assert_eq!(current_name(&scratch), "möwe");
    assert_eq!(scratch.rows(NAMES), [""; 0]);
    let mut renamed = first_division();
    renamed[1].1 = "herring.gull";
    site.set_round(105, "2020-05-05 12:00", [renamed, Vec::new()]);
    let report = scratch.json(&mine(&site, &[]));
    assert_eq!(report["renamed"], 1);
    assert_eq!(current_name(&scratch), "herring.gull");
    assert_eq!(scratch.rows(NAMES), ["herring.gull", "möwe"]);
    scratch.ok(&["rate", "topcoder"]);
    let player = scratch.json(&["player", "topcoder", "möwe"]);
    assert!(player.to_string().contains("herring.gull"), "{player}");
    let before = scratch.content_hash();
    scratch.ok(&["rebuild"]);
    assert_eq!(scratch.content_hash(), before);
    assert_eq!(scratch.rows(NAMES), ["herring.gull", "möwe"]);
}

#[test]
fn sync_without_results_renames_no_competitor() {
    let site = TopcoderSite::new();
    let scratch = Scratch::new();
    scratch.ok(&mine(&site, &[]));
    let through = "SELECT named_through FROM source";
    let before = scratch.count(through);
    // Only the list is new.
    site.remove_round(102);
    scratch.ok(&mine(&site, &["--until", "2000-01-01"]));
    assert_eq!(scratch.count(through), before);
}

/// Returns every archived response, decoded as the site encodes text.
fn archived_text(scratch: &Scratch) -> String {
    let store = scratch.store();
    let topcoder = SourceName::new("topcoder").unwrap();
    let source_id = store.source_id(&topcoder).unwrap().unwrap();
    let documents = store.documents(source_id).unwrap().into_iter();
    let bodies = documents.map(|row| store.document(row.document_id).unwrap().body);
    let latin_1 = |bytes: Vec<u8>| bytes.into_iter().map(char::from).collect();
    bodies
        .map(|body| String::from_utf8(body).unwrap_or_else(|error| latin_1(error.into_bytes())))
        .collect()
}

#[test]
fn coder_is_forgotten_by_number_or_handle() {
    for person in ["40000012", "möwe"] {
        let site = TopcoderSite::new();
        let scratch = Scratch::new();
        scratch.ok(&mine(&site, &[]));
        scratch.ok(&["rate", "topcoder"]);
        scratch.ok(&["forget", "--yes", "topcoder", person]);
        let assert_gone = |scratch: &Scratch, when: &str| {
            let everything = scratch.everything().join("\n") + &archived_text(scratch);
            assert!(!everything.contains("40000012"), "{person}, {when}");
            assert!(!everything.contains("möwe"), "{person}, {when}");
            assert!(everything.contains("40000011"), "{person}, {when}");
            assert_eq!(scratch.store().check().unwrap(), [], "{person}, {when}");
        };
        assert_gone(&scratch, "at once");
        let before = scratch.content_hash();
        scratch.ok(&["rebuild"]);
        assert_eq!(scratch.content_hash(), before, "{person}");
        site.take_targets();
        scratch.ok(&mine(&site, &["--full"]));
        assert_eq!(site.take_targets(), all_requests());
        assert_gone(&scratch, "after the site named them again");
        assert_eq!(scratch.content_hash(), before, "{person}");
    }
}

#[test]
fn shared_handle_survives_forgetting_one_owner() {
    // One had the handle, the other has it now; either may be forgotten.
    for (person, other) in [("40000012", "40000031"), ("40000031", "40000012")] {
        let site = TopcoderSite::new();
        let scratch = Scratch::new();
        let mut renamed = first_division();
        renamed[1].1 = "herring.gull";
        renamed.push((40_000_031, "möwe", -50.0));
        site.set_round(105, "2020-05-05 12:00", [renamed, Vec::new()]);
        // In this week's round the former owner has another handle, which stays.
        site.set_round(NEWEST, "2020-06-06 12:00", [Vec::new(), Vec::new()]);
        scratch.ok(&mine(&site, &[]));
        scratch.ok(&["forget", "--yes", "topcoder", person]);
        let assert_stays = |when: &str| {
            let archive = archived_text(&scratch);
            let everything = scratch.everything().join("\n") + &archive;
            assert!(!everything.contains(person), "{person}, {when}");
            let rows: Vec<&str> = archive.split('{').collect();
            let of_other = rows.iter().filter(|row| row.contains(other));
            let of_other: Vec<_> = of_other.collect();
            assert!(of_other.iter().any(|row| row.contains("möwe")), "{when}");
            let with = rows.iter().filter(|row| row.contains("möwe"));
            assert!(with.into_iter().all(|row| row.contains(other)), "{when}");
            let called = format!(
                "SELECT name FROM competitor WHERE external_id = '{other}' UNION
                 SELECT competitor_name.name FROM competitor_name JOIN competitor USING
                     (competitor_id) WHERE external_id = '{other}' ORDER BY 1"
            );
            assert!(scratch.rows(&called).contains(&"möwe".to_owned()), "{when}");
            assert_eq!(scratch.store().check().unwrap(), [], "{when}");
        };
        assert_stays("at once");
        let before = scratch.content_hash();
        scratch.ok(&["rebuild"]);
        assert_eq!(scratch.content_hash(), before, "{person}");
        assert_stays("rebuilt");
        scratch.ok(&mine(&site, &["--full"]));
        assert_eq!(scratch.content_hash(), before, "{person}");
        assert_stays("asked again");
    }
}

#[test]
fn new_handle_of_forgotten_coder_is_not_stored() {
    let site = TopcoderSite::new();
    let scratch = Scratch::new();
    scratch.ok(&mine(&site, &[]));
    scratch.ok(&["forget", "--yes", "topcoder", "möwe"]);
    let mut renamed = first_division();
    renamed[1].1 = "herring.gull";
    site.set_round(105, "2020-05-05 12:00", [renamed, Vec::new()]);
    scratch.ok(&mine(&site, &[]));
    let everything = scratch.everything().join("\n") + &archived_text(&scratch);
    assert!(!everything.contains("herring.gull"), "{everything}");
    assert_eq!(scratch.store().check().unwrap(), []);
    let before = scratch.content_hash();
    scratch.ok(&["rebuild"]);
    assert_eq!(scratch.content_hash(), before);
}
