//! Killed or interrupted mining keeps the data received, and the next run requests only the rest.

use std::os::unix::process::ExitStatusExt;
use std::process::{Child, Output, Stdio};
use std::time::Instant;

use crate::support::{CommandOutput, send_signal};
use ranklore_store::{Error, Store};

use super::standings::{EXPECTED_SCORES, SELECT_SCORES, site_with_standings, standings_request};
use super::*;

/// A site with constant responses, and the database of an undisturbed sync.
struct UninterruptedSync {
    rounds: u32,
    answers: Vec<(String, Reply)>,
    content: [u8; 32],
}

impl UninterruptedSync {
    /// The last round is of this week, and the third is unrated.
    fn new(rounds: u32) -> Self {
        let list: Vec<Value> = (1..=rounds)
            .rev()
            .map(|id| contest_list_entry(id, 3 + 100 * i64::from(rounds - id)))
            .collect();
        let mut answers = vec![(LIST.to_owned(), ok_reply(&list.into()))];
        for id in 1..=rounds {
            let mut handles = ["ada", "bea", "cyd", "dot", "eve"];
            handles.rotate_left(id as usize % 5);
            let answer = match id {
                3 => error_reply(400, NOT_RATED),
                _ => ok_reply(&rating_changes(id, &handles)),
            };
            answers.push((changes_request(id), answer));
        }
        let mut truth = Self {
            rounds,
            answers,
            content: [0; 32],
        };
        let site = truth.site();
        let scratch = Scratch::new();
        scratch.ok(&mine(&site, &[]));
        truth.content = scratch.content_hash();
        assert_eq!(site.take_targets(), truth.requests_from(1));
        truth
    }

    /// Returns its own server, so that no request comes from an earlier process.
    fn site(&self) -> Server {
        let site = Server::new();
        for (target, answer) in &self.answers {
            site.set_replies(target, [answer.clone()]);
        }
        site
    }

    /// Returns the requests of the list, this round and all later ones.
    fn requests_from(&self, round: u32) -> Vec<String> {
        std::iter::once(LIST.to_owned())
            .chain((round..=self.rounds).map(changes_request))
            .collect()
    }

    /// Asserts that the next run requests what is missing or may change and gives the expected
    /// result, and that a further one requests no final round.
    fn assert_completed(&self, leftover: &Scratch, disturbed: &str) {
        let read = list_read_rounds(leftover);
        let missing = (1..=self.rounds).find(|id| !read.contains(id));
        let missing = missing.unwrap_or(self.rounds);
        let site = self.site();
        leftover.ok(&mine(&site, &[]));
        assert_eq!(site.take_targets(), self.requests_from(missing), "{disturbed}");
        assert!(leftover.content_hash() == self.content, "{disturbed}");
    }
}

/// Returns the rounds in the database. Opening the database cleans up after the killed process, so
/// a copy is opened.
fn list_read_rounds(leftover: &Scratch) -> Vec<u32> {
    let leftover = leftover.copy();
    match Store::open_reader(leftover.db()) {
        Err(Error::Missing { .. } | Error::Empty { .. }) => return Vec::new(),
        opened => assert_eq!(opened.unwrap().check().unwrap(), []),
    }
    let rows = leftover.rows("SELECT external_id FROM contest_sync WHERE read_at IS NOT NULL");
    let mut read: Vec<u32> = rows.iter().map(|id| id.parse().unwrap()).collect();
    read.sort_unstable();
    // Rounds are requested in order.
    assert_eq!(read, (1..=read.len() as u32).collect::<Vec<_>>());
    read
}

/// Returns an empty database, or one with the first rounds.
fn prepare(truth: &UninterruptedSync, rounds: u32) -> Scratch {
    let scratch = Scratch::new();
    if rounds > 0 {
        let limit = rounds.to_string();
        scratch.ok(&mine(&truth.site(), &["--limit", &limit]));
    }
    scratch
}

#[test]
fn sync_killed_at_every_boundary_completes() {
    // Release builds have no fail points.
    if !cfg!(debug_assertions) {
        return;
    }
    let truth = UninterruptedSync::new(4);
    for rounds in [0, 2] {
        let prepared = prepare(&truth, rounds);
        let mut boundaries = 0;
        loop {
            let site = truth.site();
            let leftover = prepared.copy();
            let mut command = leftover.command(&mine(&site, &[]));
            command.env("RANKLORE_ABORT_AT", (boundaries + 1).to_string());
            let done = CommandOutput::run(command);
            if done.code == Some(0) {
                break;
            }
            assert_eq!(done.code, None, "{}", done.err);
            boundaries += 1;
            let (_, point) = done.err.rsplit_once("fail point: ").unwrap();
            let all_requests = truth.requests_from(rounds + 1);
            assert!(all_requests.starts_with(&site.take_targets()), "{point}");
            truth.assert_completed(&leftover, &format!("killed at {boundaries}, {point}"));
        }
        // Three per round, and those of the database, the list and the end.
        assert!(boundaries >= 3 * (truth.rounds - rounds) + 10, "{boundaries}");
    }
}

/// Slow enough that most time is spent on rounds.
const INTERVAL: &str = "0.02";

#[test]
fn sync_killed_at_random_moments_completes() {
    let truth = UninterruptedSync::new(12);
    let mut seed = 11_u64;
    for rounds in [0, 5] {
        let prepared = prepare(&truth, rounds);
        let requests = truth.requests_from(rounds + 1).len();
        let (mut killed, mut halfway) = (0, 0);
        for _ in 0..20 {
            let mut random = |bound: usize| {
                seed = seed
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(1_442_695_040_888_963_407);
                (seed >> 33) as usize % bound
            };
            // Measured by the requests at the site: independent of the speed of the machine.
            let request = random(requests + 1);
            let later = random(30_000);
            let site = truth.site();
            let leftover = prepared.copy();
            let mut child = spawn(&leftover, &mine_with_interval(&site, INTERVAL));
            site.wait_for_requests(request);
            std::thread::sleep(Duration::from_micros(later as u64));
            child.kill().unwrap();
            let status = child.wait().unwrap();
            if status.signal() == Some(9) {
                killed += 1;
                let read = list_read_rounds(&leftover).len() as u32;
                halfway += u32::from(rounds < read && read < truth.rounds);
            } else {
                assert!(status.success(), "{status}");
            }
            let all = site.take_targets();
            assert!(truth.requests_from(rounds + 1).starts_with(&all), "{all:?}");
            let context = format!("killed {later} µs after request {request} of {requests}");
            truth.assert_completed(&leftover, &context);
        }
        assert!(killed >= 10 && halfway >= 5, "{killed} in time, {halfway} halfway");
    }
}

#[test]
fn ctrl_c_while_mining_keeps_data_and_lock() {
    let truth = UninterruptedSync::new(12);
    let site = truth.site();
    let scratch = Scratch::new();
    let child = spawn(&scratch, &mine_with_interval(&site, "0.3"));
    site.wait_for_requests(4);
    let other = truth.site();
    scratch.run(&mine(&other, &[])).exits(5).says("ranklore mine");
    assert!(other.take_targets().is_empty());
    let err = interrupt(child);
    assert!(err.contains("not synced yet"), "{err}");
    let read = list_read_rounds(&scratch).len();
    // The list, the rounds read, and possibly one in flight.
    let request_count = site.take_targets().len();
    assert!((3..12).contains(&read), "{read}");
    assert!((read + 1..=read + 2).contains(&request_count), "{read} of {request_count}");
    truth.assert_completed(&scratch, "Ctrl-C");
}

#[test]
fn ctrl_c_between_requests_keeps_first_response() {
    let site = site_with_standings();
    let scratch = Scratch::new();
    let answer = site.next_reply(&standings_request(1));
    site.set_replies(&standings_request(1), [answer.clone().slowly()]);
    let child = spawn(&scratch, &mine(&site, &["--standings"]));
    site.wait_for_requests(3);
    interrupt(child);
    assert_eq!(site.take_targets(), [LIST.to_owned(), changes_request(1), standings_request(1)]);
    assert_eq!(scratch.rows(SELECT_SCORES).len(), 3);
    let before = scratch.content_hash();
    scratch.ok(&["rebuild"]);
    assert_eq!(scratch.content_hash(), before);
    site.set_replies(&standings_request(1), [answer]);
    scratch.ok(&mine(&site, &["--standings"]));
    assert_eq!(scratch.rows(SELECT_SCORES), EXPECTED_SCORES);
}

/// Interrupts with Ctrl-C and returns the messages.
fn interrupt(child: Child) -> String {
    send_signal(&child, "-INT");
    let output = wait_for_output(child);
    let err = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(130), "{err}");
    assert!(err.contains("the contests before are stored"), "{err}");
    err
}

pub(super) fn spawn(scratch: &Scratch, arguments: &[&str]) -> Child {
    let mut command = scratch.command(arguments);
    command.stdout(Stdio::null()).stderr(Stdio::piped());
    command.spawn().unwrap()
}

/// Waits for the process, with a timeout.
fn wait_for_output(mut child: Child) -> Output {
    let start = Instant::now();
    while child.try_wait().unwrap().is_none() {
        assert!(start.elapsed().as_secs() < 60, "it does not end");
        std::thread::sleep(Duration::from_millis(5));
    }
    child.wait_with_output().unwrap()
}
