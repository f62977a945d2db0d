//! Forgotten people: neither archived nor later responses of a site contain their name.

use ranklore_contest::SourceName;

use super::standings::{standings, standings_request};
use super::*;

const NAME: &str = "wilhelmina";
const INFO: &str = "POST /api/user.info";
const EVERYTHING: [&str; 3] = ["--standings", "--refresh-names", "--full"];

/// Returns a site of two rounds: she was in a team in the first, and prepared the second.
fn site_with_her() -> Server {
    let site = Server::new();
    let mut list = [contest_list_entry(2, 200), contest_list_entry(1, 300)];
    list[0]["preparedBy"] = json!(NAME);
    site.set_replies(LIST, [ok_reply(&json!(list))]);
    let mut together = rating_changes(1, &[NAME, "bea", "cyd"]);
    together[1]["rank"] = json!(1);
    site.set_replies(&changes_request(1), [ok_reply(&together)]);
    let rows: [(&[&str], f64); 2] = [(&[NAME, "bea"], 7.0), (&["cyd"], 3.5)];
    site.set_replies(&standings_request(1), [ok_reply(&standings(1, 300, &rows))]);
    site.set_replies(&changes_request(2), [ok_reply(&rating_changes(2, &["cyd", NAME, "bea"]))]);
    let rows: [(&[&str], f64); 3] = [(&["cyd"], 5.0), (&[NAME], 4.0), (&["bea"], 0.0)];
    site.set_replies(&standings_request(2), [ok_reply(&standings(2, 200, &rows))]);
    site.set_replies(RATED_LIST, [rated_list(&["bea", "cyd", NAME])]);
    site
}

fn rated_list(handles: &[&str]) -> Reply {
    let users = handles.iter().map(|handle| json!({"handle": handle, "rating": 1500}));
    ok_reply(&users.collect())
}

/// True if the database has the name in any byte or in a compressed document.
fn contains_name(scratch: &Scratch, name: &str) -> bool {
    let is_in = |bytes: &[u8]| bytes.windows(name.len()).any(|window| window == name.as_bytes());
    let store = scratch.store();
    let club = SourceName::new("codeforces").unwrap();
    let documents = store.documents(store.source_id(&club).unwrap().unwrap());
    let packed = documents.unwrap().into_iter().any(|row| {
        let document = store.document(row.document_id).unwrap();
        is_in(&document.body)
            || is_in(row.request_key.as_bytes())
            || row.url.is_some_and(|url| is_in(url.as_bytes()))
    });
    drop(store);
    packed
        || scratch.list("").iter().any(|file| {
            let path = scratch.path(file);
            path.is_file() && is_in(&std::fs::read(path).unwrap())
        })
}

fn ratings(scratch: &Scratch) -> Vec<String> {
    scratch.rows(
        "SELECT run_id, contest.name, mu, sigma FROM rating JOIN contest USING (contest_id)
         ORDER BY run_id, contest.name, mu, sigma",
    )
}

const STANDINGS: &str = "SELECT contest.external_id, place, score, competitor.external_id
    FROM standing JOIN competitor USING (competitor_id) JOIN contest USING (contest_id)
    ORDER BY 1, 2, 4";

/// Returns the documents and bodies of rating changes, standings and the rated list.
fn documents(scratch: &Scratch) -> Vec<String> {
    scratch.rows(
        "SELECT request_key, count(*), count(body) FROM document
         WHERE request_key LIKE 'GET %' GROUP BY 1 ORDER BY 1",
    )
}

fn assert_rebuild_unchanged(scratch: &Scratch) {
    let before = scratch.content_hash();
    scratch.ok(&["rebuild"]);
    assert_eq!(scratch.content_hash(), before);
    assert_eq!(scratch.store().check().unwrap(), []);
}

#[test]
fn forgotten_person_stays_out_of_later_responses() {
    let site = site_with_her();
    let scratch = Scratch::new();
    // The site did not know her for a while, and uses its own spelling in the message.
    let unknown = error_reply(400, "handles: User with handle Wilhelmina not found");
    site.set_replies(RATED_LIST, [rated_list(&["cyd"]), rated_list(&["bea", "cyd", NAME])]);
    site.set_replies(INFO, [unknown, rated_list(&["bea"])]);
    scratch.ok(&mine(&site, &EVERYTHING));
    scratch.ok(&mine(&site, &EVERYTHING));
    scratch.ok(&["rate", "codeforces"]);
    let members = ["rate", "codeforces", "--teams", "members"];
    scratch.ok(&members);
    assert!(contains_name(&scratch, NAME) && contains_name(&scratch, "Wilhelmina"));
    let before = ratings(&scratch);
    let bodies = documents(&scratch);
    let dry = scratch.everything();
    let mut would = scratch.json(&["forget", "--yes", "codeforces", NAME, "--dry-run"]);
    assert_eq!(scratch.everything(), dry);
    let done = scratch.json(&["forget", "--yes", "codeforces", NAME]);
    assert_eq!(
        done,
        json!({
            "source": "codeforces", "dry_run": false, "blank": "forgotten-1", "contests": 2,
            // Two lists, two rounds with standings, a name request, its response and a rated list.
            // One round has a team named after her.
            "documents": 12, "decisions": 0, "renamed_contests": 1,
            "unreadable": [], "spellings": [],
            "longer_names": [], "other_accounts": [],
        })
    );
    would["dry_run"] = json!(false);
    assert_eq!(would, done);
    assert!(!contains_name(&scratch, NAME) && !contains_name(&scratch, "Wilhelmina"));
    let blanked = [
        "1|1|7|bea + forgotten-1",
        "1|2|3.5|cyd",
        "2|1|5|cyd",
        "2|2|4|forgotten-1",
        "2|3|0|bea",
    ];
    assert_eq!(scratch.rows(STANDINGS), blanked);
    assert_eq!(ratings(&scratch), before);
    assert_eq!(scratch.json(&["rate", "codeforces"])[0]["unchanged"], true);
    assert_eq!(scratch.json(&members)[0]["unchanged"], true);
    assert_eq!(documents(&scratch), bodies);
    assert_rebuild_unchanged(&scratch);
    assert_eq!(ratings(&scratch), before);

    // The same responses again are recognised and take no space.
    let questions = "SELECT count(DISTINCT request_key) FROM document";
    let request_count = scratch.count(questions);
    let hash = scratch.content_hash();
    let report = scratch.json(&mine(&site, &EVERYTHING));
    assert_eq!(report["contests"]["unchanged"], 2);
    assert_eq!(scratch.content_hash(), hash);
    for (now, then) in documents(&scratch).iter().zip(&bodies) {
        let now = now.rsplit_once('|').unwrap();
        let then = then.rsplit_once('|').unwrap();
        assert!(now.0 != then.0 && now.1 == then.1, "{now:?} after {then:?}");
    }
    // Changed responses refer to the same competitor.
    let rows: [(&[&str], f64); 3] = [(&[NAME], 9.0), (&["cyd"], 5.0), (&["bea"], 0.0)];
    site.set_replies(&changes_request(2), [ok_reply(&rating_changes(2, &[NAME, "cyd", "bea"]))]);
    site.set_replies(&standings_request(2), [ok_reply(&standings(2, 200, &rows))]);
    site.set_replies(RATED_LIST, [rated_list(&[NAME, "cyd", "bea"])]);
    let report = scratch.json(&mine(&site, &EVERYTHING));
    assert_eq!(report["contests"]["revised"], 1);
    assert_eq!(scratch.rows(STANDINGS)[2], "2|1|9|forgotten-1");
    // Her name is not requested after she is forgotten.
    site.set_replies(RATED_LIST, [rated_list(&["cyd", "bea"])]);
    scratch.ok(&mine(&site, &EVERYTHING));
    assert_eq!(scratch.count(questions), request_count);
    assert!(!contains_name(&scratch, NAME));
    scratch.ok(&["rate", "codeforces"]);
    scratch.ok(&members);
    assert_rebuild_unchanged(&scratch);
}

#[test]
fn unchanged_responses_stay_redacted() {
    let site = site_with_her();
    let scratch = Scratch::new();
    let answer = site.next_reply(&changes_request(2)).header("ETag", "\"two\"");
    site.set_replies(&changes_request(2), [answer]);
    scratch.ok(&mine(&site, &EVERYTHING));
    scratch.ok(&["forget", "--yes", "codeforces", NAME]);
    let hash = scratch.content_hash();
    scratch.ok(&mine(&site, &EVERYTHING));
    assert!(!contains_name(&scratch, NAME));
    assert_eq!(scratch.content_hash(), hash);
    let bodies = "SELECT count(*), count(body) FROM document
        WHERE request_key LIKE '%ratingChanges?contestId=2%'";
    assert_eq!(scratch.rows(bodies), ["2|1"]);
}

#[test]
fn forget_removes_current_and_former_handle() {
    for handle in [NAME, "ottoline"] {
        let site = site_with_her();
        let scratch = Scratch::new();
        site.set_replies(RATED_LIST, [rated_list(&["bea", "cyd", "ottoline"])]);
        site.set_replies(INFO, [rated_list(&["ottoline"])]);
        scratch.ok(&mine(&site, &EVERYTHING));
        let current_name = "SELECT name FROM competitor WHERE external_id = 'wilhelmina'";
        assert_eq!(scratch.rows(current_name), ["ottoline"]);
        let done = scratch.json(&["forget", "--yes", "codeforces", handle]);
        assert_eq!(done["blank"], "forgotten-1");
        assert!(!contains_name(&scratch, NAME) && !contains_name(&scratch, "ottoline"));
        assert_rebuild_unchanged(&scratch);
        scratch.ok(&mine(&site, &EVERYTHING));
        // Under the new handle she is a new competitor, without a link to the old one.
        let list = [
            contest_list_entry(3, 100),
            contest_list_entry(2, 200),
            contest_list_entry(1, 300),
        ];
        site.set_replies(LIST, [ok_reply(&json!(list))]);
        site.set_replies(&changes_request(3), [ok_reply(&rating_changes(3, &["cyd", "ottoline"]))]);
        let message = "contestId: Contest with id 3 not found";
        site.set_replies(&standings_request(3), [error_reply(400, message)]);
        scratch.ok(&mine(&site, &EVERYTHING));
        let standings_rows = scratch.rows(STANDINGS);
        assert_eq!(standings_rows.last().unwrap(), "3|2|-|forgotten-2");
        assert!(!contains_name(&scratch, NAME) && !contains_name(&scratch, "ottoline"));
        assert_rebuild_unchanged(&scratch);
    }
}

#[test]
fn forget_removes_handle_behind_a_manual_name() {
    let site = site_with_her();
    let scratch = Scratch::new();
    scratch.ok(&mine(&site, &EVERYTHING));
    scratch.ok(&["competitor", "rename", "codeforces", NAME, "Mina"]);
    site.set_replies(RATED_LIST, [rated_list(&["bea", "cyd", "ottoline"])]);
    site.set_replies(INFO, [rated_list(&["ottoline"])]);
    scratch.ok(&mine(&site, &EVERYTHING));
    scratch.ok(&["forget", "--yes", "codeforces", "Mina"]);
    for name in [NAME, "ottoline", "Mina"] {
        assert!(!contains_name(&scratch, name), "{name}");
    }
    assert_rebuild_unchanged(&scratch);
}

#[test]
fn unanswered_requests_name_nobody() {
    let site = site_with_her();
    let scratch = Scratch::new();
    site.set_replies(RATED_LIST, [rated_list(&["bea", "cyd"])]);
    site.set_replies(INFO, [Reply::new(200, "application/json", "")]);
    scratch.run(&mine(&site, &EVERYTHING)).exits(3);
    let questions = "SELECT external_id FROM contest_sync WHERE external_id LIKE 'POST %'";
    assert!(scratch.rows(questions)[0].contains(NAME));
    scratch.ok(&["forget", "--yes", "codeforces", NAME]);
    assert!(scratch.rows(questions)[0].contains("handles=forgotten-1&"));
    assert!(!contains_name(&scratch, NAME));
}

#[test]
fn one_of_merged_accounts_can_be_forgotten() {
    let site = site_with_her();
    let scratch = Scratch::new();
    scratch.ok(&mine(&site, &EVERYTHING));
    site.set_replies(
        &changes_request(2),
        [ok_reply(&rating_changes(2, &["cyd", "ottoline", "bea"]))],
    );
    site.set_replies(RATED_LIST, [rated_list(&["bea", "cyd", "ottoline"])]);
    site.set_replies(INFO, [rated_list(&["ottoline"])]);
    scratch.ok(&mine(&site, &EVERYTHING));
    assert_eq!(scratch.rows("SELECT act FROM decision"), ["merge"]);
    let done = scratch.json(&["forget", "--yes", "codeforces", NAME]);
    assert_eq!(done["other_accounts"], json!(["ottoline"]));
    assert!(!contains_name(&scratch, NAME));
    scratch.ok(&mine(&site, &EVERYTHING));
    let merged = "SELECT external_id FROM competitor WHERE merged_into IS NOT NULL";
    assert_eq!(scratch.rows(merged), ["forgotten-1"]);
    assert!(!contains_name(&scratch, NAME));
    assert_rebuild_unchanged(&scratch);
}

#[test]
fn rename_to_forgotten_handle_is_the_same_person() {
    let site = site_with_her();
    // Accounts of one person are in no contest together.
    let second = ok_reply(&rating_changes(2, &["dov", "bea"]));
    site.set_replies(&changes_request(2), [second]);
    let rows: [(&[&str], f64); 2] = [(&["dov"], 5.0), (&["bea"], 0.0)];
    site.set_replies(&standings_request(2), [ok_reply(&standings(2, 200, &rows))]);
    site.set_replies(RATED_LIST, [rated_list(&["bea", "cyd", "dov", NAME])]);
    let scratch = Scratch::new();
    scratch.ok(&mine(&site, &EVERYTHING));
    scratch.ok(&["forget", "--yes", "codeforces", NAME]);
    site.set_replies(RATED_LIST, [rated_list(&["bea", "cyd", NAME])]);
    site.set_replies(INFO, [rated_list(&[NAME])]);
    scratch.ok(&mine(&site, &EVERYTHING));
    let decided = "SELECT act, subject, object FROM decision";
    assert_eq!(scratch.rows(decided), ["merge|dov|forgotten-1"]);
    assert!(!contains_name(&scratch, NAME));
    assert_rebuild_unchanged(&scratch);
}

#[test]
fn unreadable_documents_are_redacted_and_listed() {
    let site = site_with_her();
    let scratch = Scratch::new();
    let rows: [(&[&str], f64); 1] = [(&[NAME, NAME], 4.0)];
    site.set_replies(&standings_request(2), [ok_reply(&standings(2, 200, &rows))]);
    scratch.run(&mine(&site, &EVERYTHING)).exits(3);
    let reason = "SELECT reason FROM contest_sync WHERE external_id = '2'";
    assert!(scratch.rows(reason)[0].contains("not \"wilhelmina\" twice"));
    let forget = ["forget", "--yes", "codeforces", NAME];
    let would = scratch.json(&[&forget[..], &["--dry-run"]].concat());
    let done = scratch.json(&forget);
    assert_eq!(would["unreadable"], done["unreadable"]);
    assert_eq!(
        done["unreadable"],
        json!([{
            "document": "GET api/contest.standings?contestId=2",
            "why": "GET api/contest.standings?contestId=2: result.rows[0].party.members: distinct \
                    members, not \"forgotten-1\" twice",
        }])
    );
    assert!(scratch.rows(reason)[0].contains("may have contained the name"));
    assert!(!contains_name(&scratch, NAME));
}

#[test]
fn truncated_response_leaves_no_name() {
    let site = site_with_her();
    let scratch = Scratch::new();
    let cut = json!([{"handle": NAME, "lastName": "Quillfeather", "rating": 1}]).to_string();
    let cut = format!("{{\"status\":\"OK\",\"result\":{}", &cut[..cut.len() - 3]);
    let full_reply = site.next_reply(&changes_request(2));
    site.set_replies(&changes_request(2), [Reply::new(200, "application/json", cut.clone())]);
    site.set_replies(RATED_LIST, [Reply::new(200, "application/json", cut.clone())]);
    let done = scratch.run(&mine(&site, &EVERYTHING)).exits(3);
    // Messages show the start of the document, but the database does not store it.
    assert!(done.err.contains(NAME), "{}", done.err);
    let reasons = "SELECT reason FROM contest_sync WHERE reason IS NOT NULL";
    assert_eq!(scratch.rows(reasons).len(), 2);
    assert!(!contains_name(&scratch, "Quillfeather"));
    // An unread JSON document is searched up to the quoted error.
    site.set_replies(&changes_request(2), [Reply::json(&json!([{"handle": NAME}]))]);
    scratch.run(&mine(&site, &["--full"])).exits(3);
    site.set_replies(&changes_request(2), [full_reply]);
    scratch.ok(&mine(&site, &["--full"]));
    scratch.ok(&["forget", "--yes", "codeforces", NAME]);
    assert!(!contains_name(&scratch, NAME));
    site.set_replies(&changes_request(2), [Reply::new(200, "application/json", cut)]);
    scratch.run(&mine(&site, &["--full"])).exits(3);
    assert!(!contains_name(&scratch, NAME));
}

#[test]
fn account_named_like_a_blank_loses_only_its_contests() {
    let site = site_with_her();
    let scratch = Scratch::new();
    scratch.ok(&mine(&site, &[]));
    scratch.ok(&["forget", "--yes", "codeforces", NAME]);
    let before = scratch.content_hash();
    site.set_replies(
        &changes_request(1),
        [ok_reply(&rating_changes(1, &[NAME, "forgotten-1", "cyd"]))],
    );
    site.set_replies(&changes_request(2), [ok_reply(&rating_changes(2, &["bea", NAME, "cyd"]))]);
    let done = scratch.run(&mine(&site, &["--full"])).exits(3);
    assert!(done.err.contains("the name of a blank"), "{}", done.err);
    let winner = "SELECT competitor.external_id FROM standing JOIN contest USING (contest_id)
        JOIN competitor USING (competitor_id) WHERE place = 1
        ORDER BY contest.external_id, competitor.external_id";
    assert_eq!(scratch.rows(winner), ["bea", "forgotten-1", "bea"]);
    assert_ne!(scratch.content_hash(), before);
    assert!(!contains_name(&scratch, NAME));
    let out = scratch.ok(&["status"]).out;
    assert!(out.contains("codeforces: contest 1, refused: "), "{out}");
    assert_rebuild_unchanged(&scratch);
}
