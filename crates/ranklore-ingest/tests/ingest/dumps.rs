//! Import of Reddit archives: threads become documents and contests, and nothing else is stored.

use std::path::PathBuf;

use ranklore_contest::{ForgottenNames as _, SourceName};
use ranklore_ingest::{
    DumpOptions, DumpReport, DumpRequest, Error, PublicationInfo, forget, mine_dump, preview_dump,
    rebuild,
};
use ranklore_replay::{NoProgress, Progress};
use ranklore_store::{Body, ContestState, ContestUpsert, NewDocument, Writer};
use ranklore_test_support::{InterruptingProgress, TempDatabase, at};

const THREAD_JSON: &str = r#"{"id":"1a2b3c","subreddit":"LanternTales","author":"MossyGull","score":412,"created_utc":1717243200,"title":"Somebody spoke","selftext":"They spoke of it."}"#;

fn reddit() -> SourceName {
    SourceName::new("reddit").unwrap()
}

fn fixture(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("../../fixtures/reddit")
        .join(name)
}

fn request(paths: Vec<PathBuf>) -> DumpRequest {
    DumpRequest {
        paths,
        source: reddit(),
        options: DumpOptions::default(),
    }
}

/// Returns a request for three threads with eight results.
fn june_request() -> DumpRequest {
    request(["RC_2024-06.ndjson", "RS_2024-06.ndjson"].map(fixture).to_vec())
}

fn mine(
    scratch: &TempDatabase,
    request: &DumpRequest,
    watch: &dyn Progress,
) -> Result<DumpReport, Error> {
    mine_dump(&mut scratch.open_writer(), request, || at(1_800_000_000), watch)
}

/// Returns the numbers of new, revised and unchanged contests.
fn contest_counts(report: &DumpReport) -> (u64, u64, u64) {
    let import = &report.import;
    assert_eq!(import.refused, []);
    (import.contests.added, import.contests.revised, import.contests.unchanged)
}

fn comment(id: &str, author: &str, score: i64) -> String {
    format!(
        r#"{{"id":"{id}","link_id":"t3_1a2b3c","subreddit":"LanternTales","author":"{author}","score":{score},"created_utc":1717243300,"body":"I spoke of the lamp."}}"#
    )
}

/// Writes an archive of one thread with these comments.
fn thread(scratch: &TempDatabase, comments: &[(&str, &str, i64)]) -> DumpRequest {
    let lines = comments.iter().map(|(id, author, score)| comment(id, author, *score));
    let lines: Vec<String> = std::iter::once(THREAD_JSON.to_owned()).chain(lines).collect();
    scratch.write("in/thread.ndjson", lines.join("\n"));
    request(vec![scratch.path("in/thread.ndjson")])
}

/// Returns the bytes of the database file and of every document.
fn all_bytes(scratch: &TempDatabase) -> Vec<Vec<u8>> {
    let writer = scratch.open_writer();
    let mut bytes = Vec::new();
    for row in documents(&writer) {
        bytes.push(writer.document(row.document_id).unwrap().body);
    }
    drop(writer);
    bytes.push(std::fs::read(scratch.database()).unwrap());
    bytes
}

fn contains(bytes: &[Vec<u8>], text: &str) -> bool {
    let text = text.as_bytes();
    bytes
        .iter()
        .any(|document| document.windows(text.len()).any(|window| window == text))
}

fn documents(writer: &Writer) -> Vec<ranklore_store::DocumentRow> {
    match writer.source_id(&reddit()).unwrap() {
        Some(source_id) => writer.documents(source_id).unwrap(),
        None => Vec::new(),
    }
}

#[test]
fn every_thread_becomes_a_rebuildable_document() {
    let scratch = TempDatabase::new();
    let report = mine(&scratch, &june_request(), &NoProgress).unwrap();
    assert_eq!((contest_counts(&report), report.import.results), ((3, 0, 0), 8));
    assert_eq!((report.counts.lines.refused, report.counts.threads.known), (1, 0));
    let hash = scratch.content_hash();
    let mut writer = scratch.open_writer();
    let rows = documents(&writer);
    let keys: Vec<_> = rows.iter().map(|row| (&*row.request_key, row.status)).collect();
    let expected = ["1a2b3c", "1a2b7k", "1a2d00"].map(|id| format!("thread/{id}.json"));
    assert_eq!(keys, expected.each_ref().map(|key| (&**key, None)));
    let contests = writer.all_contests().unwrap();
    let first = contests.iter().find(|contest| contest.external_id == "1a2b3c").unwrap();
    assert_eq!(first.name, "r/LanternTales 1a2b3c");
    assert_eq!(first.division.as_deref(), Some("LanternTales"));
    assert_eq!((&first.event, first.ordinal), (&None, None));
    let again = rebuild(&mut writer, &[], || at(1_800_000_001), &NoProgress).unwrap();
    assert_eq!((again.sources[0].contests, again.sources[0].results), (3, 8));
    drop(writer);
    assert_eq!(scratch.content_hash(), hash);
}

#[test]
fn importing_same_archives_twice_changes_nothing() {
    let scratch = TempDatabase::new();
    mine(&scratch, &june_request(), &NoProgress).unwrap();
    let before = all_bytes(&scratch);
    let report = mine(&scratch, &june_request(), &NoProgress).unwrap();
    assert_eq!((contest_counts(&report), report.import.results), ((0, 0, 3), 8));
    assert!(all_bytes(&scratch) == before);
}

#[test]
fn changed_thread_adds_a_revision() {
    let scratch = TempDatabase::new();
    let first = thread(&scratch, &[("c1", "Ada", 7), ("c2", "Bea", -3)]);
    assert_eq!(contest_counts(&mine(&scratch, &first, &NoProgress).unwrap()), (1, 0, 0));
    let then = thread(&scratch, &[("c1", "Ada", 7), ("c2", "Bea", 9)]);
    assert_eq!(contest_counts(&mine(&scratch, &then, &NoProgress).unwrap()), (0, 1, 0));
    assert_eq!(documents(&scratch.open_writer()).len(), 2);
}

#[test]
fn user_texts_are_not_stored() {
    let scratch = TempDatabase::new();
    mine(&scratch, &june_request(), &NoProgress).unwrap();
    let request = thread(&scratch, &[("c1", "Ada", 7)]);
    mine(&scratch, &request, &NoProgress).unwrap();
    let bytes = all_bytes(&scratch);
    assert!(contains(&bytes, "Tin_Whistle"), "it looks in the right place");
    for text in ["spoke", "the lamp", "of it."] {
        assert!(!contains(&bytes, text), "{text}");
    }
}

#[test]
fn thread_known_from_site_is_left_alone() {
    let scratch = TempDatabase::new();
    let elsewhere = TempDatabase::new();
    mine(&elsewhere, &june_request(), &NoProgress).unwrap();
    let store = elsewhere.open_writer();
    let archived = documents(&store).remove(0);
    let body = store.document(archived.document_id).unwrap().body;
    let options = ranklore_formats::ReadOptions::default();
    let format = ranklore_formats::FileFormat::Json;
    let reading = ranklore_formats::read(format, &body, &archived.request_key, &options).unwrap();
    let mut writer = scratch.open_writer();
    let mut batch = writer.batch().unwrap();
    let site = batch.get_or_insert_source(&reddit(), at(1_700_000_000)).unwrap();
    let document = NewDocument {
        request_key: "GET comments/1a2b3c",
        url: None,
        fetched_at: at(1_700_000_000),
        status: Some(200),
        etag: None,
        last_modified: None,
        media_type: None,
        reading: Some(r#"{"site":"reddit"}"#),
        body: Body::Plain(b"[]"),
        redacted_content: None,
    };
    let answer = batch.archive_response(site, &document).unwrap();
    let mut contest = reading.contests.get(0).unwrap();
    contest.entrants.truncate(1);
    let upserted =
        batch.upsert_contest(site, answer, ContestUpsert::new(&contest, ContestState::Final, true));
    upserted.unwrap();
    batch.commit().unwrap();
    drop(writer);
    let preview = preview_dump(Some(&scratch.open_writer()), &june_request(), &NoProgress).unwrap();
    assert_eq!((preview.counts.threads.known, preview.contests, preview.results), (1, 2, 3));
    let report = mine(&scratch, &june_request(), &NoProgress).unwrap();
    assert_eq!((contest_counts(&report), report.counts.threads.known), ((2, 0, 0), 1));
    let writer = scratch.open_writer();
    let rows = documents(&writer);
    assert!(rows.iter().all(|row| row.request_key != "thread/1a2b3c.json"));
    let contests = writer.all_contests().unwrap();
    let thread = contests.iter().find(|contest| contest.external_id == "1a2b3c").unwrap();
    assert_eq!(thread.entrants, 1);
}

#[test]
fn forgotten_author_is_blanked_in_later_threads() {
    let scratch = TempDatabase::new();
    let request = thread(&scratch, &[("c1", "Ada", 7), ("c2", "Regretful", 9)]);
    mine(&scratch, &request, &NoProgress).unwrap();
    let now = at(1_800_000_001);
    forget(&mut scratch.open_writer(), &reddit(), "Regretful", now, &NoProgress).unwrap();
    let hash = scratch.content_hash();
    let same = mine(&scratch, &request, &NoProgress).unwrap();
    assert_eq!(contest_counts(&same), (0, 0, 1));
    assert_eq!(scratch.content_hash(), hash);
    let request = thread(&scratch, &[("c1", "Ada", 7), ("c2", "Regretful", 10)]);
    assert_eq!(contest_counts(&mine(&scratch, &request, &NoProgress).unwrap()), (0, 1, 0));
    assert!(!contains(&all_bytes(&scratch), "Regretful"));
    // An author with the name of that blank would be merged with the forgotten person.
    let writer = scratch.open_writer();
    let source_id = writer.source_id(&reddit()).unwrap().unwrap();
    let blank = writer.tombstones(source_id).unwrap().placeholder("Regretful").unwrap();
    drop(writer);
    let request = thread(&scratch, &[("c1", "Ada", 7), ("c2", &blank, 11)]);
    let report = mine(&scratch, &request, &NoProgress).unwrap();
    assert_eq!(report.import.refused.len(), 1);
    assert!(report.import.refused[0].what.contains("forgotten person"));
}

#[test]
fn interrupted_reading_writes_nothing() {
    let scratch = TempDatabase::new();
    drop(scratch.open_writer());
    let before = scratch.content_hash();
    let patience = count_checks_before_writing();
    for patience in 0..patience {
        let error =
            mine(&scratch, &june_request(), &InterruptingProgress::after(patience)).unwrap_err();
        assert!(matches!(error, Error::Interrupted), "{error}");
        assert_eq!(scratch.content_hash(), before);
    }
}

#[test]
fn interrupted_writing_keeps_whole_threads_and_resumes() {
    let undisturbed = TempDatabase::new();
    mine(&undisturbed, &june_request(), &NoProgress).unwrap();
    let expected = undisturbed.content_hash();
    for contests in 0..3 {
        let scratch = TempDatabase::new();
        let watch = InterruptingProgress::after(count_checks_before_writing() + contests);
        let report = mine(&scratch, &june_request(), &watch).unwrap();
        assert!(report.import.interrupted);
        let contests = u64::from(contests);
        assert_eq!(report.import.contests.added, contests);
        // Archived documents are inserted: a rebuild gives the same contests.
        assert_eq!(documents(&scratch.open_writer()).len() as u64, contests);
        let rest = mine(&scratch, &june_request(), &NoProgress).unwrap();
        assert_eq!(contest_counts(&rest), (3 - contests, 0, contests));
        assert_eq!(scratch.content_hash(), expected);
    }
}

/// Returns the number of interruption checks before writing starts.
fn count_checks_before_writing() -> u32 {
    (0..100)
        .find(|&patience| {
            mine(&TempDatabase::new(), &june_request(), &InterruptingProgress::after(patience))
                .is_ok()
        })
        .unwrap()
}

#[test]
fn progress_counts_all_bytes_then_lines() {
    let scratch = TempDatabase::new();
    let watch = InterruptingProgress::after(u32::MAX);
    mine(&scratch, &june_request(), &watch).unwrap();
    let bytes: u64 = june_request().paths.iter().map(|path| path.metadata().unwrap().len()).sum();
    // 25 lines: the first record was read to see whether there is any.
    let expected = [format!("reading {bytes}"), "writing 25".to_owned()];
    assert_eq!(*watch.messages(), expected);
    let advanced = watch.advances();
    assert!(advanced.contains(&(bytes, 0, 0)), "{advanced:?}");
    let (written, contests, results) = *advanced.last().unwrap();
    assert_eq!((contests, results), (3, 8));
    assert!(written <= 25, "{written}");
}

#[test]
fn truncated_file_and_folder_are_errors() {
    let scratch = TempDatabase::new();
    let comments = std::fs::read(fixture("RC_2024-06.ndjson")).unwrap();
    let packed = zstd::bulk::compress(&comments, 3).unwrap();
    scratch.write("in/RC_2024-06.zst", &packed[..packed.len() - 5]);
    let broken = scratch.path("in/RC_2024-06.zst");
    let request_of = |path| request(vec![fixture("RS_2024-06.ndjson"), path]);
    let error = mine(&scratch, &request_of(broken), &NoProgress).unwrap_err();
    let message = error.to_string();
    assert!(matches!(error, Error::Dump(_)), "{error}");
    assert!(message.starts_with("RC_2024-06.zst: after line "), "{message}");
    assert_eq!(documents(&scratch.open_writer()), []);
    let error = mine(&scratch, &request_of(scratch.path("in")), &NoProgress).unwrap_err();
    assert!(matches!(error, Error::DumpIsFolder { .. }), "{error}");
    let error = mine(&scratch, &request_of(scratch.path("none")), &NoProgress).unwrap_err();
    assert!(matches!(error, Error::Unreadable { .. }), "{error}");
}

#[test]
fn site_terms_apply_under_any_source_name() {
    let scratch = TempDatabase::new();
    let threads = SourceName::new("threads").unwrap();
    let request = DumpRequest {
        source: threads.clone(),
        ..june_request()
    };
    mine(&scratch, &request, &NoProgress).unwrap();
    let publishing = PublicationInfo::load(&scratch.open_writer(), &threads).unwrap();
    assert_eq!(publishing.forbidding_sites().collect::<Vec<_>>(), ["reddit"]);
}
