//! Reading threads and the parts they lead to.

use ranklore_source::{ContestOutcome, ItemCounts, Request, Results, SiteReading, Source};

use crate::fixtures::{
    THREAD_ID, bytes, comment_json, comment_tree_request, entrants, listing_json,
    more_comments_request, read, read_file, source, standings, thread_json, thread_request,
};

fn single_results(reading: SiteReading) -> Results {
    let mut results = reading.results;
    assert_eq!(results.len(), 1);
    results.remove(0)
}

/// Returns the thread joined with all its parts.
pub(crate) fn joined_thread(file: &str) -> Results {
    let thread = single_results(read_file(&thread_request(), file));
    let more = single_results(read_file(&more_comments_request(), "morechildren-1a2b3c.json"));
    let below =
        single_results(read_file(&comment_tree_request(), "comments-1a2b3c-below-k9f03.json"));
    ranklore_reddit::sum_parts(thread, vec![more, below])
}

#[test]
fn scores_are_summed_and_ties_share_a_place() {
    let results = single_results(read_file(&thread_request(), "comments-1a2b3c.json"));
    assert_eq!(results.external_id, THREAD_ID);
    let actual = standings(entrants(&results.outcome));
    assert_eq!(
        actual,
        [
            ("HarbourMaster7", 1, 66.0),
            ("Brass-Bell", 1, 66.0),
            ("Tin_Whistle", 1, 66.0),
            ("MossyGull", 4, 5.0),
        ]
    );
}

#[test]
fn thread_author_is_no_entrant() {
    let results = single_results(read_file(&thread_request(), "comments-1a2b3c.json"));
    let mut entrants = entrants(&results.outcome).iter();
    assert!(entrants.all(|entrant| entrant.competitor != "Keeper_Of_Lamps"));
}

#[test]
fn deleted_authors_are_left_out_and_counted() {
    let reading = read_file(&thread_request(), "comments-1a2b3c.json");
    assert_eq!(reading.left_out["comments by deleted accounts"], 1);
    // Replies to a deleted comment still count.
    let results = single_results(reading);
    let mut entrants = entrants(&results.outcome).iter();
    assert!(entrants.any(|entrant| entrant.competitor == "Tin_Whistle"));
}

#[test]
fn hidden_scores_do_not_count() {
    let reading = read_file(&thread_request(), "comments-1a2b3c.json");
    let hidden = "comments whose scores the site does not show yet";
    assert_eq!(reading.left_out[hidden], 1);
    let later = single_results(read_file(&thread_request(), "comments-1a2b3c-later.json"));
    let actual = standings(entrants(&later.outcome));
    assert_eq!(actual.last(), Some(&("Late_Owl", 4, 1.0)));
}

#[test]
fn left_out_comments_are_requested_by_id() {
    let reading = read_file(&thread_request(), "comments-1a2b3c.json");
    let keys: Vec<String> = reading.parts.iter().map(Request::key).collect();
    assert_eq!(
        keys,
        [
            "POST api/morechildren api_type=json&children=k9f0a%2Ck9f0b%2Ck9f0c&\
             limit_children=false&link_id=t3_1a2b3c&raw_json=1&sort=old",
            "GET comments/1a2b3c/_/k9f03?depth=10&limit=500&raw_json=1&sort=old",
        ]
    );
}

#[test]
fn requests_have_at_most_100_comments() {
    let children: Vec<String> = (0..250).map(|index| format!("\"k{index}\"")).collect();
    let left_out = format!(
        r#"{{"kind":"more","data":{{"id":"k0","parent_id":"t3_{THREAD_ID}","count":250,"children":[{}]}}}}"#,
        children.join(",")
    );
    let first = comment_json("c1", "Ada", 1, "t3_1a2b3c", "\"\"");
    let reading = read(&thread_request(), thread_json(&[first, left_out]).as_bytes()).unwrap();
    let comment_counts: Vec<usize> =
        reading.parts.iter().map(|part| part.form[1].1.split(',').count()).collect();
    assert_eq!(comment_counts, [100, 100, 50]);
}

#[test]
fn requests_do_not_depend_on_answer_order() {
    let left_out = |children: &str| {
        let left_out = format!(
            r#"{{"kind":"more","data":{{"id":"k1","parent_id":"t3_{THREAD_ID}","count":3,"children":[{children}]}}}}"#
        );
        let parts = read(&thread_request(), thread_json(&[left_out]).as_bytes()).unwrap().parts;
        parts[0].key()
    };
    assert_eq!(left_out(r#""k1","k2","k10""#), left_out(r#""k10","k2","k1""#));
}

#[test]
fn more_comments_answer_leads_to_further_parts() {
    let reading = read_file(&more_comments_request(), "morechildren-1a2b3c.json");
    let keys: Vec<String> = reading.parts.iter().map(Request::key).collect();
    assert_eq!(
        keys,
        [
            "POST api/morechildren api_type=json&children=k9f0e&limit_children=false&\
             link_id=t3_1a2b3c&raw_json=1&sort=old",
            "GET comments/1a2b3c/_/k9f0d?depth=10&limit=500&raw_json=1&sort=old",
        ]
    );
    let results = single_results(reading);
    let actual = standings(entrants(&results.outcome));
    let expected = [
        ("Brass-Bell", 1, 20.0),
        ("Salt_Cod", 2, 9.0),
        ("MossyGull", 3, 3.0),
    ];
    assert_eq!(actual, expected);
}

#[test]
fn root_of_continued_thread_is_not_counted_again() {
    let reading = read_file(&comment_tree_request(), "comments-1a2b3c-below-k9f03.json");
    let parts: Vec<String> = reading.parts.iter().map(Request::key).collect();
    assert!(parts[0].contains("children=k9f12&"), "{parts:?}");
    let results = single_results(reading);
    let actual = standings(entrants(&results.outcome));
    assert_eq!(actual, [("MossyGull", 1, 8.0), ("Tin_Whistle", 2, 7.0)]);
}

#[test]
fn all_documents_of_a_thread_are_one_contest() {
    let results = joined_thread("comments-1a2b3c.json");
    let actual = standings(entrants(&results.outcome));
    assert_eq!(
        actual,
        [
            ("Brass-Bell", 1, 86.0),
            ("Tin_Whistle", 2, 73.0),
            ("HarbourMaster7", 3, 66.0),
            ("MossyGull", 4, 16.0),
            ("Salt_Cod", 5, 9.0),
        ]
    );
}

#[test]
fn document_order_does_not_change_scores() {
    let document = |file: &str, request| single_results(read_file(&request, file));
    let parts = [
        document("comments-1a2b3c.json", thread_request()),
        document("morechildren-1a2b3c.json", more_comments_request()),
        document("comments-1a2b3c-below-k9f03.json", comment_tree_request()),
    ];
    let mut all = Vec::new();
    for order in [[0, 1, 2], [2, 1, 0], [1, 2, 0]] {
        let [first, second, third] = order.map(|index| parts[index].clone());
        let joined = ranklore_reddit::sum_parts(first, vec![second, third]);
        let mut sorted: Vec<(String, u32)> = standings(entrants(&joined.outcome))
            .into_iter()
            .map(|(name, place, _)| (name.to_owned(), place))
            .collect();
        sorted.sort();
        all.push(sorted);
    }
    assert!(all.iter().all(|scores| *scores == all[0]));
}

#[test]
fn removed_comment_tree_adds_nothing() {
    let below =
        single_results(read_file(&comment_tree_request(), "comments-1a2b3c-below-removed.json"));
    assert_eq!(below.outcome, ContestOutcome::NothingYet);
    let thread = single_results(read_file(&thread_request(), "comments-1a2b3c.json"));
    assert_eq!(ranklore_reddit::sum_parts(thread.clone(), vec![below.clone()]), thread);
    // The order of the parts does not matter.
    assert_eq!(ranklore_reddit::sum_parts(below, vec![thread.clone()]), thread);
}

#[test]
fn thread_without_comments_has_no_results_yet() {
    let empty = single_results(read_file(
        &crate::fixtures::request_for_thread("1a2c0z"),
        "comments-1a2c0z.json",
    ));
    assert_eq!(empty.outcome, ContestOutcome::NothingYet);
    let deleted = comment_json("c1", "[deleted]", 9, "t3_1a2b3c", "\"\"");
    let deleted =
        single_results(read(&thread_request(), thread_json(&[deleted]).as_bytes()).unwrap());
    assert_eq!(deleted.outcome, ContestOutcome::NothingYet);
}

#[test]
fn replies_must_be_empty_or_a_listing() {
    for (replies, reads) in [
        ("\"\"", true),
        (&*listing_json(&[]), true),
        ("\"none\"", false),
        ("null", false),
        ("[]", false),
        ("{}", false),
    ] {
        let body = thread_json(&[comment_json("c1", "Ada", 1, "t3_1a2b3c", replies)]);
        let reading = read(&thread_request(), body.as_bytes());
        assert_eq!(reading.is_ok(), reads, "{replies}");
    }
}

#[test]
fn comment_under_wrong_parent_is_refused() {
    let reply = |parent: &str| {
        let reply = comment_json("c2", "Bea", 1, parent, "\"\"");
        let first = comment_json("c1", "Ada", 1, "t3_1a2b3c", &listing_json(&[reply]));
        read(&thread_request(), thread_json(&[first]).as_bytes())
    };
    assert!(reply("t1_c1").is_ok());
    for parent in ["t1_c2", "t3_1a2b3c", "c1", ""] {
        let error = reply(parent).unwrap_err();
        let at = "[1].data.children[0].data.replies.data.children[0].data.parent_id";
        assert_eq!(error.at, at);
    }
}

#[test]
fn duplicate_comment_is_refused() {
    let one = comment_json("c1", "Ada", 1, "t3_1a2b3c", "\"\"");
    let error = read(&thread_request(), thread_json(&[one.clone(), one]).as_bytes()).unwrap_err();
    assert_eq!(error.at, "[1].data.children[1].data.id");
}

#[test]
fn comments_of_another_thread_are_refused() {
    let body = String::from_utf8(bytes("comments-1a2b3c.json")).unwrap();
    let other = body.replace("\"id\":\"1a2b3c\"", "\"id\":\"1a2b3d\"");
    let error = read(&thread_request(), other.as_bytes()).unwrap_err();
    assert_eq!(error.at, "[0].data.children[0].data.id");
    let other = body.replace("\"link_id\":\"t3_1a2b3c\"", "\"link_id\":\"t3_1a2b3d\"");
    let error = read(&thread_request(), other.as_bytes()).unwrap_err();
    assert_eq!(error.at, "[1].data.children[0].data.link_id");
    let stranger = |body: &str| body.replace("\"k9f03\"", "\"k9f99\"");
    let body = String::from_utf8(bytes("comments-1a2b3c-below-k9f03.json")).unwrap();
    let error = read(&comment_tree_request(), stranger(&body).as_bytes()).unwrap_err();
    assert_eq!(error.at, "[1].data.children[0].data.id");
}

#[test]
fn unrequested_comment_is_refused() {
    let things = |id: &str, parent: &str| {
        let thing = comment_json(id, "Ada", 1, parent, "\"\"");
        let body = format!(r#"{{"json":{{"errors":[],"data":{{"things":[{thing}]}}}}}}"#);
        read(&more_comments_request(), body.as_bytes())
    };
    assert!(things("k9f0a", "t1_k9f02").is_ok());
    let error = things("k9f77", "t1_k9f02").unwrap_err();
    assert_eq!(error.at, "json.data.things[0].data.parent_id");
}

#[test]
fn answer_leaving_out_all_requested_comments_is_refused() {
    let left_out = r#"{"kind":"more","data":{"id":"k9f0a","parent_id":"t1_k9f02","count":3,"children":["k9f0a","k9f0b","k9f0c"]}}"#;
    let body = format!(r#"{{"json":{{"errors":[],"data":{{"things":[{left_out}]}}}}}}"#);
    let error = read(&more_comments_request(), body.as_bytes()).unwrap_err();
    assert_eq!(error.at, "json.data.things");
    // Comments left out again are requested again.
    let body = body.replace(",\"k9f0c\"", "");
    assert_eq!(read(&more_comments_request(), body.as_bytes()).unwrap().parts.len(), 1);
}

#[test]
fn scores_and_names_out_of_range_are_refused() {
    for (author, score, reads) in [
        ("Ada", 1_000_000_000, true),
        ("Ada", -1_000_000_001, false),
        ("Ada", i64::MIN, false),
        ("Ada Lovelace", 1, false),
        ("", 1, false),
        ("[removed]", 1, false),
        (&"a".repeat(65), 1, false),
    ] {
        let body = thread_json(&[comment_json("c1", author, score, "t3_1a2b3c", "\"\"")]);
        let reading = read(&thread_request(), body.as_bytes());
        assert_eq!(reading.is_ok(), reads, "{author} {score}");
    }
}

#[test]
fn errors_do_not_quote_user_text() {
    let body = thread_json(&[comment_json(
        "c1",
        "I spoke of the lamp",
        1,
        "t3_1a2b3c",
        "\"\"",
    )]);
    let error = read(&thread_request(), body.as_bytes()).unwrap_err();
    assert!(!error.to_string().contains("spoke"), "{error}");
}

fn comment_counts(announced: Option<u32>, arrived: u32) -> ItemCounts {
    ItemCounts {
        items: "comments".to_owned(),
        announced,
        arrived,
    }
}

#[test]
fn arrived_comments_are_counted_once() {
    // Includes one comment by a deleted account and one with a hidden score.
    let thread = single_results(read_file(&thread_request(), "comments-1a2b3c.json"));
    assert_eq!(thread.counts, Some(comment_counts(Some(17), 8)));
    let more = single_results(read_file(&more_comments_request(), "morechildren-1a2b3c.json"));
    assert_eq!(more.counts, Some(comment_counts(None, 4)));
    // The root comment was counted with the thread.
    let below =
        single_results(read_file(&comment_tree_request(), "comments-1a2b3c-below-k9f03.json"));
    assert_eq!(below.counts, Some(comment_counts(None, 2)));
    assert_eq!(joined_thread("comments-1a2b3c.json").counts, Some(comment_counts(Some(17), 14)));
}

#[test]
fn missing_comments_stay_in_announced_count() {
    let first = comment_json("c1", "Ada", 1, "t3_1a2b3c", "\"\"");
    let left_out = format!(
        r#"{{"kind":"more","data":{{"id":"k9f0a","parent_id":"t3_{THREAD_ID}","count":3,"children":["k9f0a","k9f0b","k9f0c"]}}}}"#
    );
    let announced = |number: &str| {
        let body = thread_json(&[first.clone(), left_out.clone()]);
        let with = format!(r#""num_comments":{number},"created_utc""#);
        body.replacen(r#""created_utc""#, &with, 1)
    };
    let reading = read(&thread_request(), announced("543").as_bytes()).unwrap();
    assert_eq!(reading.parts, [more_comments_request()]);
    let empty = r#"{"json":{"errors":[],"data":{"things":[]}}}"#;
    let empty = read(&more_comments_request(), empty.as_bytes()).unwrap();
    let joined = ranklore_reddit::sum_parts(single_results(reading), vec![single_results(empty)]);
    assert_eq!(joined.counts, Some(comment_counts(Some(543), 1)));
    // Answers archived before the number was kept do not have it.
    let older =
        read(&thread_request(), thread_json(std::slice::from_ref(&first)).as_bytes()).unwrap();
    assert_eq!(single_results(older).counts, Some(comment_counts(None, 1)));
    for number in ["-1", "\"543\"", "5.5"] {
        let reading = read(&thread_request(), announced(number).as_bytes());
        assert!(reading.is_err(), "{number}");
    }
}

#[test]
fn announced_count_survives_minimising() {
    let body = bytes("comments-1a2b3c.json");
    let minimised = source().minimise(&thread_request().key(), &body);
    let results = single_results(read(&thread_request(), &minimised).unwrap());
    assert_eq!(results.counts, Some(comment_counts(Some(17), 8)));
}
