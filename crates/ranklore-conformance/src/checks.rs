//! Checks of a source and of its answers.

use std::collections::HashSet;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};

use ranklore_contest::{SourceName, UnixSeconds};

use ranklore_source::assemble::EmptyArchive;
use ranklore_source::{
    Classification, Document, MediaKind, Method, Profile, Request, RequestKey, SiteListing,
    SiteReadError, SiteReading, Source,
};

use crate::archive::MemoryArchive;
use crate::validity;
use crate::{check_fields, check_forget, check_markup};

/// An answer of a site, as received.
#[derive(Clone, Copy, Debug)]
pub struct Fixture<'a> {
    /// The name for messages, such as a file name.
    pub name: &'a str,
    /// The request that it answers.
    pub request: &'a Request,
    /// The HTTP status.
    pub status: u16,
    /// The body before [`Source::minimise`]. [`Source::classify`] must accept it.
    pub body: &'a [u8],
    /// For JSON: the fields that may be missing, null or empty, even if the reading changes.
    /// Written without indices: `result[].startTimeSeconds`.
    pub optional: &'a [&'a str],
}

pub(crate) type ReadOutcome = Result<SiteReading, SiteReadError>;

/// Runs all checks for one answer: [`check_reading`], [`check_minimise`], [`check_truncation`],
/// [`check_forget`], [`check_fields`] for JSON, and [`check_markup`] for HTML.
///
/// # Panics
/// If a check fails.
pub fn check_fixture(source: &dyn Source, fixture: &Fixture<'_>) {
    check_reading(source, fixture);
    check_minimise(source, fixture);
    check_truncation(source, fixture);
    check_forget(source, fixture);
    match fixture.request.expects {
        MediaKind::Json => check_fields(source, fixture),
        MediaKind::Html => check_markup(source, fixture),
        MediaKind::Text => {}
    }
}

/// Checks the format of the name, the terms and the options. Checks that the initial requests are
/// the same at every call and have no duplicates.
///
/// # Panics
/// If a check fails.
pub fn check_requests(source: &dyn Source) {
    let Profile {
        name,
        terms,
        options,
        ..
    } = source.profile();
    if let Err(error) = SourceName::new(name) {
        panic!("{error}");
    }
    let root = terms.base_url;
    assert!(
        root.starts_with("https://") && !root.ends_with('/'),
        "{name}: the root {root:?} must begin with https:// and must not end with a slash"
    );
    for host in terms.other_hosts {
        assert!(
            host.base_url.starts_with("https://") && !host.base_url.ends_with('/'),
            "{name}: the root {:?} must begin with https:// and must not end with a slash",
            host.base_url
        );
        assert!(
            host.path.ends_with('/') && !host.path.starts_with('/'),
            "{name}: the path {:?} of another host must end with a slash and not begin with one",
            host.path
        );
    }
    assert!(
        terms.cookie.is_some() || !source.requires_cookie(),
        "{name}: requires a cookie, and its terms have none"
    );
    let mut option_names = HashSet::new();
    for option in *options {
        let mut chars = option.name.chars();
        assert!(
            option.name.starts_with(|c: char| c.is_ascii_lowercase())
                && chars.all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-'),
            "{name}: the option {:?} must consist of small letters, digits and '-'",
            option.name
        );
        assert!(option_names.insert(option.name), "{name}: duplicate option {}", option.name);
    }
    let check_twice = |description: &str, list_requests: &dyn Fn() -> Vec<Request>| {
        let first = list_requests();
        assert_eq!(first, list_requests(), "{name}: {description} differ between two calls");
        check_request_list(name, &first);
    };
    assert!(!source.initial_requests().is_empty(), "{name}: no initial requests");
    check_twice("initial requests", &|| source.initial_requests());
    let Some(accounts) = source.accounts() else {
        return;
    };
    check_twice("account requests", &|| accounts.list());
    let names = ["ada", "bea", "ada", "no account, surely", ""];
    check_twice("name requests", &|| accounts.lookup(&names));
    check_request_list(name, &accounts.find_names(&names, &[]));
    assert!(accounts.lookup(&[]).is_empty(), "{name}: lookup of no names gives requests");
    assert!(
        accounts.find_names(&[], &[]).is_empty(),
        "{name}: search for no names gives requests"
    );
}

/// Checks that the answer is accepted and reads without an error, the same every time, and that the
/// reading is valid: standings in order, no duplicate competitors or contests, requests with unique
/// keys.
///
/// # Panics
/// If a check fails.
pub fn check_reading(source: &dyn Source, fixture: &Fixture<'_>) {
    let name = fixture.name;
    let verdict = source.classify(fixture.request, fixture.status, fixture.body);
    assert_eq!(verdict, Classification::Answer, "{name}: the verdict");
    let first = read_original(source, fixture);
    assert_eq!(
        Ok(&first),
        read_body(source, fixture, fixture.body, "read twice").as_ref(),
        "{name}: two readings of one document differ"
    );
    if let Err(fault) = validity::validate_reading(&first) {
        panic!("{name}: {fault}");
    }
    check_request_list(name, &first.follow);
    check_request_list(name, &first.parts);
    for contest in &first.listed {
        check_request_list(name, &contest.results);
        assert!(
            source.profile().terms.cookie.is_some()
                || !contest.results.iter().any(|request| request.needs_cookie),
            "{name}: results of contest {} need a cookie, and the terms have none",
            contest.external_id
        );
        check_assembly(source, fixture, contest);
    }
}

/// Checks that a listed contest is assembled the same every time, with the answer and without any,
/// and only into contests of its own.
fn check_assembly(source: &dyn Source, fixture: &Fixture<'_>, listed: &SiteListing) {
    let name = fixture.name;
    let id = &listed.external_id;
    let mut archive = MemoryArchive::new(source);
    archive.add(fixture.request, fixture.status, fixture.body);
    let assemble = || source.assemble(listed, &archive);
    let assembly = catch_panic(name, format_args!("contest {id} assembled"), assemble);
    assert_eq!(assembly, assemble(), "{name}: two assemblies of contest {id} differ");
    let mut ids = HashSet::new();
    for assembled in &assembly.contests {
        let contest_id = &assembled.contest.external_id;
        let suffix = contest_id.strip_prefix(&**id);
        assert!(
            suffix.is_some_and(|suffix| suffix.is_empty() || suffix.starts_with('/')),
            "{name}: listing {id} assembles to contest {contest_id}"
        );
        assert!(ids.insert(contest_id), "{name}: contest {contest_id} is assembled twice");
    }
    let empty_assembly = source.assemble(listed, &EmptyArchive);
    assert!(
        empty_assembly.contests.is_empty() && empty_assembly.newest.is_none(),
        "{name}: contest {id} is assembled from an empty archive"
    );
    assert_eq!(
        empty_assembly.deciding_requests, assembly.deciding_requests,
        "{name}: deciding requests of contest {id}"
    );
    check_request_list(name, &empty_assembly.deciding_requests);
}

/// Checks that the minimised answer reads the same as the original, and that minimising it again
/// changes nothing.
///
/// # Panics
/// If a check fails.
pub fn check_minimise(source: &dyn Source, fixture: &Fixture<'_>) {
    let name = fixture.name;
    let key = fixture.request.key();
    let once = source.minimise(&key, fixture.body);
    let twice = source.minimise(&key, &once);
    assert!(
        once == twice,
        "{name}: minimising twice changes the answer: {:?} from {:?}",
        String::from_utf8_lossy(&twice),
        String::from_utf8_lossy(&once)
    );
    assert_eq!(
        read_body(source, fixture, &once, "minimised"),
        read_body(source, fixture, fixture.body, "unchanged"),
        "{name}: the minimised answer reads differently"
    );
}

/// Checks truncated answers: each is an error that names the document, the location and the
/// expected data, or it reads as less than the whole, never as different data. Truncated JSON or
/// HTML must not be accepted.
///
/// Tries every cut of answers up to 4 KiB, and about 1,500 cuts of longer ones.
///
/// # Panics
/// If a check fails.
pub fn check_truncation(source: &dyn Source, fixture: &Fixture<'_>) {
    const FULL_CHECK_BYTES: usize = 4096;
    const SAMPLES: usize = 1024;
    const EDGE_BYTES: usize = 256;
    let name = fixture.name;
    let body = fixture.body;
    let original = read_original(source, fixture);
    for at in 0..body.len() {
        let is_tried = body.len() <= FULL_CHECK_BYTES
            || at < EDGE_BYTES
            || at + EDGE_BYTES > body.len()
            || at.is_multiple_of(body.len() / SAMPLES);
        if !is_tried {
            continue;
        }
        let change = format!("cut off after {at} of {} bytes", body.len());
        let (verdict, outcome) = process_answer(source, fixture, &body[..at], &change);
        let is_unchanged = match outcome {
            Err(error) => {
                check_error_location(fixture, &change, &error);
                false
            }
            Ok(reading) => {
                if let Some(invented) = validity::find_invented(&reading, &original) {
                    panic!("{name}, {change}: {invented}");
                }
                reading == original
            }
        };
        assert!(
            is_unchanged
                || fixture.request.expects == MediaKind::Text
                || verdict != Classification::Answer,
            "{name}, {change}: accepted as an answer"
        );
    }
}

/// Checks that classifying, minimising and reading arbitrary bytes does not panic, that minimising
/// twice equals minimising once, and that the minimised bytes read the same. Runs [`check_reading`]
/// if the answer is accepted and readable. Returns the reading.
///
/// For input from a fuzzer, or corrupted fixtures.
///
/// # Panics
/// If a check fails.
pub fn check_any_answer(
    source: &dyn Source,
    request: &Request,
    body: &[u8],
) -> Option<SiteReading> {
    let key = request.key();
    for status in [400, 403, 404, 500, 503] {
        source.classify(request, status, body);
    }
    let is_accepted = source.classify(request, 200, body) == Classification::Answer;
    let minimised = source.minimise(&key, body);
    assert_eq!(
        source.minimise(&key, &minimised),
        minimised,
        "minimising twice changes the answer"
    );
    // Errors name lines and columns, which may move.
    let reading = source.read(&document(&key, 200, body)).ok();
    let minimised_reading = source.read(&document(&key, 200, &minimised)).ok();
    assert_eq!(reading, minimised_reading, "the minimised answer reads differently");
    if reading.is_some() && is_accepted {
        let fixture = Fixture {
            name: "any answer",
            request,
            status: 200,
            body,
            optional: &[],
        };
        check_reading(source, &fixture);
    }
    reading
}

/// Checks that reading and minimising a document with an arbitrary key does not panic. `body` is
/// best a readable answer.
///
/// # Panics
/// If a check fails.
pub fn check_any_key(source: &dyn Source, key: &str, body: &[u8]) {
    // Either result is fine.
    let _ = source.read(&document(key, 200, body));
    source.minimise(key, body);
}

/// Reads an answer and applies the options of the source, for use in tests.
///
/// # Errors
/// The errors of [`Source::read`].
pub fn read_answer(
    source: &dyn Source,
    request: &Request,
    status: u16,
    body: &[u8],
) -> Result<SiteReading, SiteReadError> {
    let key = request.key();
    let mut reading = source.read(&document(&key, status, body))?;
    source.apply_options(&key, &mut reading);
    Ok(reading)
}

fn document<'a>(request_key: &'a str, status: u16, body: &'a [u8]) -> Document<'a> {
    Document {
        request_key,
        fetched_at: UnixSeconds::MIN,
        status,
        body,
    }
}

/// Bytes with a meaning in JSON, for [`corrupt_body`].
pub const JSON_BYTES: &[u8] = b"\"\\{}[],:-0e.9n ";

/// Bytes with a meaning in HTML and XML, for [`corrupt_body`].
pub const MARKUP_BYTES: &[u8] = b"<>/&;='\"-.0#!) \xff";

/// Returns an answer with some bytes changed, removed or inserted, or truncated, for
/// [`check_any_answer`]. Each change is an offset (modulo the length), a kind of change (modulo 4)
/// and a byte. Inserted bytes are taken from `likely`, such as [`JSON_BYTES`], which must not be
/// empty.
#[must_use]
pub fn corrupt_body(mut body: Vec<u8>, changes: &[(usize, u8, u8)], likely: &[u8]) -> Vec<u8> {
    for &(place, kind, byte) in changes {
        if body.is_empty() {
            break;
        }
        let at = place % body.len();
        match kind % 4 {
            0 => body[at] = byte,
            1 => body.truncate(at),
            2 => drop(body.remove(at)),
            _ => body.insert(at, likely[usize::from(byte) % likely.len()]),
        }
    }
    body
}

/// Checks that requests are unique and valid, and that their keys can be parsed.
fn check_request_list(name: &str, requests: &[Request]) {
    let mut keys = HashSet::new();
    for request in requests {
        let key = request.key();
        assert_eq!(key, request.clone().key(), "{name}: the key differs between two calls");
        assert!(
            !request.path.starts_with('/') && !request.path.contains([' ', '?']),
            "{name}: the path {:?} must not begin with a slash or contain a space or '?'",
            request.path
        );
        assert!(
            request.method == Method::Post || request.form.is_empty(),
            "{name}: {key} sends a form by GET"
        );
        assert!(
            RequestKey::parse(&key).is_some_and(|parsed| parsed.path == request.path),
            "{name}: {key} cannot be parsed"
        );
        assert!(!request.what.is_empty(), "{name}: {key} has no description");
        assert!(keys.insert(key), "{name}: duplicate request: {}", request.key());
    }
}

pub(crate) fn read_original(source: &dyn Source, fixture: &Fixture<'_>) -> SiteReading {
    match read_body(source, fixture, fixture.body, "as it is") {
        Ok(reading) => reading,
        Err(error) => panic!("{}: cannot be read: {error}", fixture.name),
    }
}

fn read_body(
    source: &dyn Source,
    fixture: &Fixture<'_>,
    body: &[u8],
    context: &str,
) -> ReadOutcome {
    let key = fixture.request.key();
    let document = document(&key, fixture.status, body);
    catch_panic(fixture.name, context, || source.read(&document))
}

/// Processes an answer like a sync: classifies it, minimises it and reads the rest.
pub(crate) fn process_answer(
    source: &dyn Source,
    fixture: &Fixture<'_>,
    body: &[u8],
    context: &str,
) -> (Classification, ReadOutcome) {
    let request = fixture.request;
    let (verdict, minimised) = catch_panic(fixture.name, context, || {
        let verdict = source.classify(request, fixture.status, body);
        (verdict, source.minimise(&request.key(), body))
    });
    (verdict, read_body(source, fixture, &minimised, context))
}

/// Runs a function and names the document if it panics.
fn catch_panic<T>(name: &str, context: impl fmt::Display, run: impl FnOnce() -> T) -> T {
    catch_unwind(AssertUnwindSafe(run))
        .unwrap_or_else(|_| panic!("{name}, {context}: reading panicked, see above"))
}

pub(crate) fn check_error_location(fixture: &Fixture<'_>, change: &str, error: &SiteReadError) {
    let name = fixture.name;
    assert_eq!(
        error.document,
        fixture.request.key(),
        "{name}, {change}: the document of the error {error}"
    );
    assert!(
        !error.at.is_empty() && !error.expected.is_empty(),
        "{name}, {change}: the error has no location or no expected data: {error:?}"
    );
}
