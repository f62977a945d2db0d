//! Coders who are forgotten.

use ranklore_contest::UnixSeconds;
use ranklore_source::{Document, Source, redact};

use crate::fixtures::{bytes, read, read_file, results, source, stats};

fn without(key: &str, body: &[u8], names: &[&str]) -> Option<Vec<u8>> {
    let document = Document {
        request_key: key,
        fetched_at: UnixSeconds::MIN,
        status: 200,
        body,
    };
    let blank = |name: &str| names.contains(&name).then(|| "forgotten-3".to_owned());
    let searched = redact(&source(), &document, &blank).unwrap();
    searched.redacted.map(|of| of.body.into_owned())
}

#[test]
fn number_and_handle_are_blanked_wherever_they_stand() {
    for (request, file) in [
        (results(9601), "dd_round_results-9601.xml"),
        (stats(9601, 1), "round_stats-9601-1.html"),
    ] {
        for (id, handle, word) in [
            ("40000014", "möwe", "m\u{f6}we"),
            ("40000015", "zwei&vierzig", "vierzig"),
        ] {
            let body = without(&request.key(), &bytes(file), &[id, handle]).unwrap();
            let text: String = body.iter().map(|byte| char::from(*byte)).collect();
            assert!(!text.contains(id) && !text.contains(word), "{file}");
            let reading = read(&request, &body).unwrap();
            let named = reading
                .named
                .iter()
                .find(|of| of.competitor == "forgotten-3");
            assert_eq!(named.unwrap().name, "forgotten-3");
            let others = read_file(&request, file).named;
            assert_eq!(reading.named.len(), others.len());
            assert_eq!(without(&request.key(), &body, &[id, handle]), None);
        }
    }
}

#[test]
fn a_handle_goes_with_its_number_and_only_with_that() {
    for (request, file) in [
        (results(9601), "dd_round_results-9601.xml"),
        (stats(9601, 1), "round_stats-9601-1.html"),
    ] {
        // One that nobody knew is theirs as well.
        let body = without(&request.key(), &bytes(file), &["40000014"]).unwrap();
        let text: String = body.iter().map(|byte| char::from(*byte)).collect();
        assert!(!text.contains("m\u{f6}we"), "{file}");
        let named = read(&request, &body).unwrap().named;
        let them = named.iter().find(|of| of.competitor == "forgotten-3");
        assert_eq!(them.unwrap().name, "forgotten-3");
        let others = named.iter().filter(|of| of.name == "forgotten-3");
        assert_eq!(others.count(), 1, "{file}");
        // Whoever else has what was theirs keeps it.
        assert_eq!(without(&request.key(), &bytes(file), &["möwe"]), None);
        let other = without(&request.key(), &bytes(file), &["40000011", "möwe"]).unwrap();
        let named = read(&request, &other).unwrap().named;
        let gull = named.iter().find(|of| of.competitor == "40000014");
        assert_eq!(gull.unwrap().name, "möwe");
    }
}

#[test]
fn a_feed_that_is_cut_off_is_redacted_too() {
    let body = bytes("dd_round_results-9601.xml");
    let text: String = body.iter().map(|byte| char::from(*byte)).collect();
    let row = text.find("birch.owl").unwrap() + "birch.owl".len();
    let start = text[..row].rfind("<row>").unwrap();
    let id = text[start..].find("<coder_id>").unwrap() + start;
    // Cut off behind the handle; and without the number before it.
    let numberless = [
        &body[..id],
        &body[row - "birch.owl".len() - "<handle>".len()..row],
    ]
    .concat();
    for (body, known) in [(&body[..row], "40000011"), (&numberless, "birch.owl")] {
        let document = Document {
            request_key: &results(9601).key(),
            fetched_at: UnixSeconds::MIN,
            status: 200,
            body,
        };
        let blank = |name: &str| (name == known).then(|| "forgotten-1".to_owned());
        let redacted = source().profile().redact(&document, &blank).unwrap();
        assert!(!String::from_utf8_lossy(&redacted.body).contains("birch.owl"));
    }
}
