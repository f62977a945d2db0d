//! Assembling contests: the answer that decides, and the effect of the others.
#![expect(
    clippy::unwrap_used,
    reason = "clippy does not treat test helpers as tests"
)]

use std::borrow::Cow;

use ranklore_conformance::MemoryArchive;
use ranklore_contest::{Entrant, EntrantOutcome, Place, UnixSeconds};
use ranklore_source::assemble::{
    self, AnswerArchive, AnswerId, Assembly, EmptyArchive, NewestVerdict, RefusedInput,
};
use ranklore_source::{
    Classification, ContestOutcome, Document, MediaKind, Profile, Request, Results, SiteListing,
    SiteReadError, SiteReading, Source, Stage, Terms,
};

static PROFILE: Profile = Profile::new("ledger", Terms::new("https://ledger.example"));

/// A source whose documents have one entry per line: `heat ID`, followed by its results;
/// `stood NAME…` in order of place; `nothing`, `gone`, `closed`, `part PATH`, `odd`, `unclear`.
/// Other lines are errors.
struct Ledger;

fn request(path: &str) -> Request {
    Request::get(path, MediaKind::Text, path)
}

fn outcome_with(names: &str) -> ContestOutcome {
    let entrants = names.split(' ').zip(1..).map(|(name, place)| {
        let place = Place::new(place).unwrap();
        Entrant::person(name, EntrantOutcome::Finished(place))
    });
    ContestOutcome::Standings {
        entrants: entrants.collect(),
        official: Vec::new(),
    }
}

impl Source for Ledger {
    fn profile(&self) -> &'static Profile {
        &PROFILE
    }

    fn initial_requests(&self) -> Vec<Request> {
        vec![request("list")]
    }

    fn classify(&self, _: &Request, _: u16, _: &[u8]) -> Classification {
        Classification::Answer
    }

    fn minimise<'b>(&self, _: &str, body: &'b [u8]) -> Cow<'b, [u8]> {
        Cow::Borrowed(body)
    }

    fn read(&self, document: &Document<'_>) -> Result<SiteReading, SiteReadError> {
        let error = |expected| SiteReadError::new(document.request_key, "a line", expected);
        let mut reading = SiteReading::default();
        let mut id = "7".to_owned();
        for line in std::str::from_utf8(document.body).unwrap().lines() {
            let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
            let outcome = match word {
                "stood" => outcome_with(rest),
                "nothing" => ContestOutcome::NothingYet,
                "gone" => ContestOutcome::Gone,
                "closed" => ContestOutcome::Closed,
                "heat" => {
                    id = format!("7/{rest}");
                    continue;
                }
                "part" => {
                    reading.parts.push(request(rest));
                    continue;
                }
                "odd" => {
                    reading.warnings.push(document.request_key.to_owned());
                    continue;
                }
                "unclear" => {
                    reading.refused.push(error("clear words"));
                    continue;
                }
                _ => return Err(error("a word that is known")),
            };
            reading.results.push(Results::new(&*id, outcome));
        }
        Ok(reading)
    }
}

fn listed(requests: &[&str]) -> SiteListing {
    SiteListing {
        ends_at: Some(UnixSeconds::MIN),
        results: requests.iter().map(|path| request(path)).collect(),
        ..SiteListing::new("7", "Seventh", Stage::Finished)
    }
}

/// Returns an archive of these answers, the oldest first, numbered from 0.
fn archive(answers: &[(&str, &str)]) -> MemoryArchive<'static> {
    let mut archive = MemoryArchive::new(&Ledger);
    for (path, body) in answers {
        archive.add(&request(path), 200, body.as_bytes());
    }
    archive
}

/// The names in a contest, and the answer it was read from; `None` without results.
type NamesAndAnswer = Option<(String, i64)>;

fn standing(assembly: &Assembly) -> NamesAndAnswer {
    let contest = assembly.contests.first()?;
    let names = contest.contest.entrants.iter().map(|entrant| &*entrant.competitor);
    Some((names.collect::<Vec<&str>>().join(" "), contest.read_from.0))
}

fn standing_after(answers: &[(&str, &str)]) -> (NamesAndAnswer, Option<NewestVerdict>) {
    let contest = listed(&["first"]);
    let assembly = assemble::newest(&contest, &archive(answers), vec![request("form")], None);
    (standing(&assembly), assembly.newest.map(|answer| answer.verdict))
}

fn read_from(names: &str, answer: i64) -> NamesAndAnswer {
    NamesAndAnswer::from((names.to_owned(), answer))
}

#[test]
fn newest_usable_answer_decides() {
    use NewestVerdict::{Closed, Gone, HasResults, NothingYet, Refused};
    let (old, new) = (("first", "stood ada bea"), ("first", "stood bea ada"));
    for (answers, expected, verdict) in [
        (vec![], None, None),
        (vec![old, new], read_from("bea ada", 1), Some(HasResults)),
        // A repeated answer counts as the later one.
        (vec![old, old], read_from("ada bea", 1), Some(HasResults)),
        (vec![old, ("first", "nothing")], read_from("ada bea", 0), Some(NothingYet)),
        (vec![old, ("first", "gone")], read_from("ada bea", 0), Some(Gone)),
        (vec![old, ("first", "closed")], read_from("ada bea", 0), Some(Closed)),
        (vec![old, ("first", "?")], read_from("ada bea", 0), Some(Refused)),
        (vec![("first", "?")], None, Some(Refused)),
        // A newer answer to another form of the request counts; one to another request does not.
        (vec![old, ("form", "stood cem")], read_from("cem", 1), Some(HasResults)),
        (vec![("form", "stood cem"), old], read_from("ada bea", 1), Some(HasResults)),
        (vec![old, ("second", "stood cem")], read_from("ada bea", 0), Some(HasResults)),
    ] {
        assert_eq!(standing_after(&answers), (expected, verdict), "{answers:?}");
    }
}

#[test]
fn refused_answer_clears_newest_answers() {
    let contest = listed(&["first"]);
    let documents = archive(&[("first", "stood ada")]);
    let assembly = assemble::newest(&contest, &documents, Vec::new(), None);
    assert_eq!(
        (assembly.newest_answers, assembly.result_answers),
        (vec![AnswerId(0)], vec![AnswerId(0)])
    );
    let refused = archive(&[("first", "stood ada"), ("first", "?")]);
    let assembly = assemble::newest(&contest, &refused, Vec::new(), None);
    assert_eq!((assembly.newest_answers, assembly.result_answers), (vec![], vec![AnswerId(0)]));
    let reason = "a line: a word that is known".to_owned();
    let document = "GET first".to_owned();
    assert_eq!(
        assembly.refused,
        Some(RefusedInput {
            document,
            what: reason
        })
    );
    // Without an end time the answer is readable, but gives no contest.
    let endless = SiteListing {
        ends_at: None,
        ..contest
    };
    let assembly = assemble::newest(&endless, &documents, Vec::new(), None);
    assert_eq!(assembly.refused.unwrap().document, "contest 7");
    assert_eq!(assembly.newest.unwrap().verdict, NewestVerdict::Refused);
}

/// Appends the entrants of the second document to those of the first.
fn join(first: Results, second: Results) -> (Results, Vec<String>) {
    (add_up(first, vec![second]), vec!["joined".to_owned()])
}

fn add_up(first: Results, parts: Vec<Results>) -> Results {
    let all = std::iter::once(first).chain(parts);
    let names = all.flat_map(|results| match results.outcome {
        ContestOutcome::Standings { entrants, .. } => entrants,
        _ => Vec::new(),
    });
    let names: Vec<String> = names.map(|entrant| entrant.competitor).collect();
    Results::new("7", outcome_with(&names.join(" ")))
}

#[test]
fn further_requests_add_their_newest_standings() {
    let contest = listed(&["first", "second"]);
    let assembled = |answers: &[(&str, &str)]| {
        assemble::newest(&contest, &archive(answers), Vec::new(), Some(join))
    };
    let first = ("first", "stood ada");
    let assembly = assembled(&[first, ("second", "stood bea"), ("second", "odd\nstood cem")]);
    assert_eq!(standing(&assembly), read_from("ada cem", 0));
    assert_eq!(assembly.warnings, ["GET second", "joined"]);
    let assembly = assembled(&[first, ("second", "stood bea"), ("second", "?")]);
    assert_eq!(standing(&assembly), read_from("ada bea", 0));
    assert_eq!(assembly.further_refused.len(), 1);
    let assembly = assembled(&[first, ("second", "closed")]);
    assert_eq!(standing(&assembly), read_from("ada", 0));
    let closed: Vec<&str> =
        assembly.closed.iter().map(|closed_request| &*closed_request.what).collect();
    assert_eq!(closed, ["second: the site does not let them be read"]);
    assert_eq!(standing(&assembled(&[("second", "stood bea")])), None);
}

#[test]
fn parts_belong_to_the_answer_before_them() {
    let contest = listed(&["first"]);
    let assembled = |answers: &[(&str, &str)]| assemble::parts(&contest, &archive(answers), add_up);
    let first = ("first", "stood ada\npart a\npart b");
    let (a, b, c) = (("a", "stood bea\npart c"), ("b", "stood cem"), ("c", "stood dan"));
    let assembly = assembled(&[first, a, b, c]);
    assert_eq!(standing(&assembly), read_from("ada bea cem dan", 0));
    assert_eq!(assembly.newest_answers, [0, 1, 2, 3].map(AnswerId));
    // The order in which parts arrived, and newer answers to them, change nothing.
    assert_eq!(standing(&assembled(&[first, c, b, a])), standing(&assembly));
    // While a part is missing, an older complete answer counts.
    let assembly = assembled(&[first, a, b, c, ("first", "stood eve\npart a\npart b"), b]);
    assert_eq!(standing(&assembly), read_from("ada bea cem dan", 0));
    assert_eq!(assembly.missing, [request("a")]);
    assert_eq!(assembly.newest.unwrap().verdict, NewestVerdict::Refused);
    // Parts of different days are not mixed.
    let assembly = assembled(&[a, c, first, b]);
    assert_eq!((standing(&assembly), assembly.missing), (None, vec![request("a")]));
    // A part without standings is an error; a part that links to itself is read once.
    let assembly = assembled(&[first, a, ("b", "gone"), c]);
    assert_eq!((standing(&assembly), assembly.missing), (None, vec![]));
    assert!(assembly.refused.unwrap().what.contains("GET b has no standings"));
    let assembly = assembled(&[("first", "stood ada\npart a"), ("a", "stood bea\npart a")]);
    assert_eq!(standing(&assembly), read_from("ada bea", 0));
}

#[test]
fn event_keeps_contests_of_older_answers() {
    let event = listed(&["first"]);
    let assembled = |answers: &[(&str, &str)]| {
        let assembly =
            assemble::event(&event, &archive(answers), |heat| !heat.external_id.ends_with('x'));
        assert!(assembly.is_event);
        let contests = assembly.contests.iter();
        let contests = contests.map(|assembled| {
            let id = assembled.contest.external_id.clone();
            (id, assembled.read_from.0, assembled.withdrawn, assembled.rated)
        });
        (contests.collect::<Vec<_>>(), assembly.newest.map(|answer| answer.verdict))
    };
    let id = |id: &str| format!("7/{id}");
    let both = ("first", "heat 1\nstood ada\nheat 2x\nstood bea");
    let one = ("first", "heat 1\nstood bea");
    let verdict = Some(NewestVerdict::HasResults);
    let first = |answer, taken_back| (id("1"), answer, taken_back, true);
    let second = |answer, taken_back| (id("2x"), answer, taken_back, false);
    assert_eq!(assembled(&[both]), (vec![first(0, false), second(0, false)], verdict));
    assert_eq!(assembled(&[both, one]), (vec![first(1, false), second(0, true)], verdict));
    // The refused part of the newest answer may be the contest that is missing from it.
    let unclear = ("first", "heat 1\nstood bea\nunclear");
    assert_eq!(assembled(&[both, unclear]), (vec![first(1, false), second(0, false)], verdict));
    let nothing = (vec![first(0, true), second(0, true)], Some(NewestVerdict::NothingYet));
    assert_eq!(assembled(&[both, ("first", "nothing")]), nothing);
    let refused = (vec![first(0, false), second(0, false)], Some(NewestVerdict::Refused));
    assert_eq!(assembled(&[both, ("first", "?")]), refused);
}

#[test]
fn empty_archive_gives_deciding_requests() {
    let contest = listed(&["first", "second"]);
    let forms = vec![request("form"), request("first")];
    let assembly = assemble::newest(&contest, &EmptyArchive, forms, None);
    assert_eq!(assembly.deciding_requests, [request("first"), request("form")]);
    assert!(assembly.newest.is_none() && !assembly.is_event);
    assert!(EmptyArchive.answers(&request("first")).is_empty());
    let nothing = listed(&[]);
    assert_eq!(Ledger.assemble(&nothing, &EmptyArchive), Assembly::default());
}
