//! Who deletes an account or a comment on the site.

use ranklore_source::{Document, Source, redact};

use crate::comments::joined;
use crate::fixtures::{bytes, entrants, read, source, standings, thread};
use ranklore_contest::UnixSeconds;

#[test]
fn whoever_deletes_the_account_stands_nowhere_in_the_next_answer() {
    let before = joined("comments-1a2b3c.json");
    let after = joined("comments-1a2b3c-later.json");
    let names = |outcome| {
        let found = standings(entrants(outcome));
        let names = found.into_iter().map(|(name, place, _)| (name, place));
        names
            .map(|(name, place)| (name.to_owned(), place))
            .collect::<Vec<_>>()
    };
    let before = names(&before.outcome);
    assert!(before.contains(&("HarbourMaster7".to_owned(), 3)));
    let after = names(&after.outcome);
    assert!(after.iter().all(|(name, _)| name != "HarbourMaster7"));
    // Those below move up.
    assert!(after.contains(&("MossyGull".to_owned(), 3)));
}

#[test]
fn older_answers_can_be_rid_of_who_was_deleted() {
    let key = thread().key();
    let body = bytes("comments-1a2b3c.json");
    let kept = source().minimise(&key, &body);
    let document = Document {
        request_key: &key,
        fetched_at: UnixSeconds::MIN,
        status: 200,
        body: &kept,
    };
    let blank = |name: &str| (name == "HarbourMaster7").then(|| "forgotten-5".to_owned());
    let redacted = redact(&source(), &document, &blank).unwrap().redacted;
    let body = redacted.unwrap().body;
    let text = String::from_utf8(body.to_vec()).unwrap();
    assert!(!text.contains("HarbourMaster7"));
    let reading = read(&thread(), &body).unwrap();
    let found = standings(entrants(&reading.results[0].outcome));
    assert_eq!(found[0], ("forgotten-5", 1, 66.0));
}
