//! What every source promises, as functions to call from its tests.
//!
//! [`requests`] is about the source alone; everything else is about one answer of its site, a
//! [`Fixture`], and [`fixture`] runs all of it:
//!
//! ```no_run
//! use ranklore_source::conformance::{self, Fixture};
//! # fn hold(source: &dyn ranklore_source::Source) {
//! conformance::requests(source);
//! for request in source.start() {
//!     conformance::fixture(source, &Fixture {
//!         name: "an empty list",
//!         request: &request,
//!         status: 200,
//!         body: br#"{"status":"OK","result":[]}"#,
//!         optional: &["result[].startTimeSeconds"],
//!     });
//! }
//! # }
//! ```
//!
//! [`any_answer`] is for bytes that nobody wrote, from a fuzzer say; [`layout`] for what a site may
//! come to write. They panic with what was done to the document, and what came of it.

mod archive;
mod fields;
mod forget;
pub mod layout;
mod markup;
mod sound;

use std::collections::HashSet;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};

use ranklore_contest::{SourceName, UnixSeconds};

pub use archive::MemoryArchive;
pub use fields::fields;
pub use forget::forget;
pub use markup::markup;

use crate::assemble::NoAnswers;
use crate::{
    Asked, Document, Form, Listed, Method, Profile, ReadError, Reading, Request, Source, Verdict,
};

/// One answer of a site, as it came.
#[derive(Clone, Copy, Debug)]
pub struct Fixture<'a> {
    /// What messages call it: the name of its file, say.
    pub name: &'a str,
    /// What was asked for.
    pub request: &'a Request,
    /// HTTP status of the answer.
    pub status: u16,
    /// The answer before [`Source::minimise`]. One that [`Source::classify`] takes for an answer.
    pub body: &'a [u8],
    /// Of JSON: the fields that may be missing, null or empty text, after which the document may
    /// read differently. Without indices: `result[].startTimeSeconds`.
    pub optional: &'a [&'a str],
}

type Outcome = Result<Reading, ReadError>;

/// Everything that holds for one answer: [`reading`], [`minimise`], [`cuts`], [`forget`] and, where
/// the answer is JSON, [`fields`], where it is a page, [`markup`].
///
/// # Panics
/// When something of it does not hold.
pub fn fixture(source: &dyn Source, fixture: &Fixture<'_>) {
    reading(source, fixture);
    minimise(source, fixture);
    cuts(source, fixture);
    forget(source, fixture);
    match fixture.request.expects {
        Form::Json => fields(source, fixture),
        Form::Html => markup(source, fixture),
        Form::Text => {}
    }
}

/// The name, the terms and the options have their form; what is asked for at the beginning is the same every
/// time, every question once.
///
/// # Panics
/// When something of it does not hold.
pub fn requests(source: &dyn Source) {
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
        "{name}: the root {root:?} is to begin with https:// and to end without a slash"
    );
    let mut known = HashSet::new();
    for option in *options {
        let fits = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
        assert!(
            option.name.starts_with(|c: char| c.is_ascii_lowercase())
                && option.name.chars().all(fits),
            "{name}: the option {:?} is to be small letters, digits and '-'",
            option.name
        );
        assert!(
            known.insert(option.name),
            "{name}: two options {}",
            option.name
        );
    }
    let asked_twice = |what: &str, ask: &dyn Fn() -> Vec<Request>| {
        let first = ask();
        assert_eq!(first, ask(), "{name}: asked twice {what}");
        asked_well(name, &first);
    };
    assert!(
        !source.start().is_empty(),
        "{name}: a sync asks for nothing"
    );
    asked_twice("where to begin", &|| source.start());
    let Some(accounts) = source.accounts() else {
        return;
    };
    asked_twice("for the accounts", &|| accounts.list());
    let names = ["ada", "bea", "ada", "no account, surely", ""];
    asked_twice("about names", &|| accounts.lookup(&names));
    asked_well(name, &accounts.find(&names, &[]));
    assert!(accounts.lookup(&[]).is_empty(), "{name}: asks about nobody");
    assert!(
        accounts.find(&[], &[]).is_empty(),
        "{name}: asks for nobody"
    );
}

/// The answer is one, it reads without an error, the same every time, and what it says is whole:
/// standings in order, nobody and no contest twice, requests with keys of their own.
///
/// # Panics
/// When something of it does not hold.
pub fn reading(source: &dyn Source, fixture: &Fixture<'_>) {
    let name = fixture.name;
    let verdict = source.classify(fixture.request, fixture.status, fixture.body);
    assert_eq!(verdict, Verdict::Answer, "{name}: the verdict");
    let first = original(source, fixture);
    assert_eq!(
        Ok(&first),
        read(source, fixture, fixture.body, "read twice").as_ref(),
        "{name}: read twice, it says two things"
    );
    if let Err(fault) = sound::sound(&first) {
        panic!("{name}: {fault}");
    }
    asked_well(name, &first.follow);
    asked_well(name, &first.parts);
    for contest in &first.listed {
        asked_well(name, &contest.results);
        assembled(source, fixture, contest);
    }
}

/// A listed contest is assembled the same every time, with the answer and without any, and comes to
/// contests of its own.
fn assembled(source: &dyn Source, fixture: &Fixture<'_>, listed: &Listed) {
    let (name, id) = (fixture.name, &listed.external_id);
    let mut archive = MemoryArchive::new(source);
    archive.add(fixture.request, fixture.status, fixture.body);
    let assemble = || source.assemble(listed, &archive);
    let assembly = guarded(name, format_args!("contest {id} assembled"), assemble);
    assert_eq!(
        assembly,
        assemble(),
        "{name}: assembled twice, contest {id} is two things"
    );
    let mut ids = HashSet::new();
    for of in &assembly.contests {
        let found = &of.contest.external_id;
        let own = found == id || (found.strip_prefix(&**id)).is_some_and(|of| of.starts_with('/'));
        assert!(
            own,
            "{name}: contest {found} is assembled of what is listed as {id}"
        );
        assert!(
            ids.insert(found),
            "{name}: contest {found} is assembled twice"
        );
    }
    let nothing = source.assemble(listed, &NoAnswers);
    assert!(
        nothing.contests.is_empty() && nothing.newest.is_none(),
        "{name}: contest {id} is assembled of nothing"
    );
    assert_eq!(
        nothing.decided_by, assembly.decided_by,
        "{name}: what decides on contest {id}"
    );
    asked_well(name, &nothing.decided_by);
}

/// What is archived reads as what came, and is archived again as it is.
///
/// # Panics
/// When something of it does not hold.
pub fn minimise(source: &dyn Source, fixture: &Fixture<'_>) {
    let name = fixture.name;
    let key = fixture.request.key();
    let kept = source.minimise(&key, fixture.body);
    let again = source.minimise(&key, &kept);
    assert!(
        kept == again,
        "{name}: what is kept of what was kept differs: {:?} of {:?}",
        String::from_utf8_lossy(&again),
        String::from_utf8_lossy(&kept)
    );
    assert_eq!(
        read(source, fixture, &kept, "reduced to what is kept"),
        read(source, fixture, fixture.body, "as it came"),
        "{name}: what is kept reads differently"
    );
}

/// Wherever the answer is cut off, it is an error that names the document, the place and what was
/// expected there; or it reads as less than the whole, never as something else. JSON, or a page,
/// that is cut off is no answer.
///
/// Every cut of answers up to 4 KiB is tried, about fifteen hundred of longer ones.
///
/// # Panics
/// When something of it does not hold.
pub fn cuts(source: &dyn Source, fixture: &Fixture<'_>) {
    const EVERY: usize = 4096;
    const SAMPLES: usize = 1024;
    const EDGE: usize = 256;
    let (name, body) = (fixture.name, fixture.body);
    let whole = original(source, fixture);
    let sampled = |at: &usize| {
        body.len() <= EVERY
            || *at < EDGE
            || *at + EDGE > body.len()
            || at.is_multiple_of(body.len() / SAMPLES)
    };
    for at in (0..body.len()).filter(sampled) {
        let what = format!("cut off after {at} of {} bytes", body.len());
        let cut = &body[..at];
        let (verdict, outcome) = taken(source, fixture, cut, &what);
        let same = match outcome {
            Err(error) => {
                names_its_document(fixture, &what, &error);
                false
            }
            Ok(found) => {
                if let Some(invented) = sound::invented(&found, &whole) {
                    panic!("{name}, {what}: {invented}");
                }
                found == whole
            }
        };
        assert!(
            same || fixture.request.expects == Form::Text || verdict != Verdict::Answer,
            "{name}, {what}: taken for an answer"
        );
    }
}

/// Whatever bytes come as an answer, everything that is done with them ends, without a panic: they
/// are judged, kept and read, and what is kept of them is kept again as it is and reads
/// as they do. If they are an answer that can be read, [`reading`] holds. Returns what they say.
///
/// For bytes that nobody wrote: from a fuzzer, or fixtures that were spoiled.
///
/// # Panics
/// When something of it does not hold.
pub fn any_answer(source: &dyn Source, request: &Request, body: &[u8]) -> Option<Reading> {
    let key = request.key();
    for status in [400, 403, 404, 500, 503] {
        source.classify(request, status, body);
    }
    let answered = source.classify(request, 200, body) == Verdict::Answer;
    let document = |body| document(&key, 200, body);
    let kept = source.minimise(&key, body);
    assert_eq!(
        source.minimise(&key, &kept),
        kept,
        "kept again, it is another"
    );
    // Errors name lines and columns, which may move.
    let whole = source.read(&document(body)).ok();
    let left = source.read(&document(&kept)).ok();
    assert_eq!(whole, left, "kept, it says something else");
    if whole.is_some() && answered {
        let fixture = Fixture {
            name: "any answer",
            request,
            status: 200,
            body,
            optional: &[],
        };
        reading(source, &fixture);
    }
    whole
}

/// Whatever key a document has, reading and keeping it ends, without a panic. `body` is best an
/// answer that can be read.
///
/// # Panics
/// When something of it does not hold.
pub fn any_key(source: &dyn Source, key: &str, body: &[u8]) {
    // Whether it can be read under that key is all the same.
    let _ = source.read(&document(key, 200, body));
    source.minimise(key, body);
}

/// Returns what an answer to a question says to a sync with the options of the source, for any
/// test of what is read.
///
/// # Errors
/// As [`Source::read`].
pub fn answered(
    source: &dyn Source,
    request: &Request,
    status: u16,
    body: &[u8],
) -> Result<Reading, ReadError> {
    let key = request.key();
    let mut reading = source.read(&document(&key, status, body))?;
    source.narrow(&key, &mut reading);
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

/// Bytes that matter in JSON, for [`spoiled`].
pub const OF_JSON: &[u8] = b"\"\\{}[],:-0e.9n ";

/// Bytes that matter in pages and in XML, for [`spoiled`].
pub const OF_MARKUP: &[u8] = b"<>/&;='\"-.0#!) \xff";

/// An answer with some of its bytes changed, left out or added, or with nothing behind them, for
/// [`any_answer`]. Each change is a place, taken round the length of the answer, what becomes of
/// the byte there, and another byte. Those that are added are of `likely`, such as [`OF_JSON`],
/// which must not be empty.
#[must_use]
pub fn spoiled(mut body: Vec<u8>, changes: &[(usize, u8, u8)], likely: &[u8]) -> Vec<u8> {
    for &(place, what, byte) in changes {
        if body.is_empty() {
            break;
        }
        let at = place % body.len();
        match what % 4 {
            0 => body[at] = byte,
            1 => body.truncate(at),
            2 => drop(body.remove(at)),
            _ => body.insert(at, likely[usize::from(byte) % likely.len()]),
        }
    }
    body
}

/// Every question once, with a key that can be taken apart, in a form that can be sent.
fn asked_well(name: &str, requests: &[Request]) {
    let mut keys = HashSet::new();
    for request in requests {
        let key = request.key();
        assert_eq!(key, request.clone().key(), "{name}: a key of two forms");
        assert!(
            !request.path.starts_with('/') && !request.path.contains([' ', '?']),
            "{name}: the path {:?} is to begin without a slash and to hold neither space nor '?'",
            request.path
        );
        assert!(
            request.method == Method::Post || request.form.is_empty(),
            "{name}: {key} sends a form by GET"
        );
        assert!(
            Asked::parse(&key).is_some_and(|asked| asked.path == request.path),
            "{name}: {key} cannot be taken apart"
        );
        assert!(
            !request.what.is_empty(),
            "{name}: {key} has no name for people"
        );
        assert!(
            keys.insert(key),
            "{name}: asked for twice: {}",
            request.key()
        );
    }
}

fn original(source: &dyn Source, fixture: &Fixture<'_>) -> Reading {
    match read(source, fixture, fixture.body, "as it is") {
        Ok(reading) => reading,
        Err(error) => panic!("{}: cannot be read: {error}", fixture.name),
    }
}

fn read(source: &dyn Source, fixture: &Fixture<'_>, body: &[u8], what: &str) -> Outcome {
    let key = fixture.request.key();
    let document = document(&key, fixture.status, body);
    guarded(fixture.name, what, || source.read(&document))
}

/// Takes an answer as a sync does: what it is, and what is read of what is kept of it.
fn taken(
    source: &dyn Source,
    fixture: &Fixture<'_>,
    body: &[u8],
    what: &str,
) -> (Verdict, Outcome) {
    let request = fixture.request;
    let (verdict, kept) = guarded(fixture.name, what, || {
        let verdict = source.classify(request, fixture.status, body);
        (verdict, source.minimise(&request.key(), body))
    });
    (verdict, read(source, fixture, &kept, what))
}

/// Runs something that must not panic, and says of which document if it does.
fn guarded<T>(name: &str, what: impl fmt::Display, run: impl FnOnce() -> T) -> T {
    catch_unwind(AssertUnwindSafe(run))
        .unwrap_or_else(|_| panic!("{name}, {what}: reading panicked, see above"))
}

fn names_its_document(fixture: &Fixture<'_>, what: &str, error: &ReadError) {
    let name = fixture.name;
    assert_eq!(
        error.document,
        fixture.request.key(),
        "{name}, {what}: the document of the error {error}"
    );
    assert!(
        !error.at.is_empty() && !error.expected.is_empty(),
        "{name}, {what}: the error says neither where nor what: {error:?}"
    );
}
