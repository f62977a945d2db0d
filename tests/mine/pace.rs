//! Request intervals as measured by the site, also after the process is killed.

use std::io::{BufRead, BufReader};
use std::process::Child;
use std::time::Instant;

use super::killed::spawn;
use super::*;

/// The tolerance for delays of the site's threads.
const TOLERANCE: Duration = Duration::from_millis(100);

/// Returns a site with so many old rounds.
fn site_of(rounds: u32) -> Server {
    let site = Server::new();
    let list: Vec<Value> = (1..=rounds).map(|id| contest_list_entry(id, 300)).collect();
    site.set_replies(LIST, [ok_reply(&list.into())]);
    for id in 1..=rounds {
        site.set_replies(&changes_request(id), [ok_reply(&rating_changes(id, &["ada", "bea"]))]);
    }
    site
}

fn kill(mut child: Child) {
    child.kill().unwrap();
    child.wait().unwrap();
}

#[test]
fn next_run_waits_after_kill_during_request() {
    // The state is rounded to seconds; the test must not pass by chance.
    let interval = "2";
    for (target, before) in [(LIST.to_owned(), 0), (changes_request(1), 1)] {
        let site = site_of(1);
        let scratch = Scratch::new();
        let answer = site.next_reply(&target);
        site.set_replies(&target, [Reply::never()]);
        let child = spawn(&scratch, &mine_with_interval(&site, interval));
        site.wait_for_requests(before + 1);
        kill(child);
        site.set_replies(&target, [answer]);
        // The list is enough.
        scratch.ok(&[&mine_with_interval(&site, interval)[..], &["--limit", "0"]].concat());
        assert_eq!(site.request_count(), before + 2);
        let shortest = site.request_gaps().into_iter().min().unwrap();
        assert!(shortest + TOLERANCE >= Duration::from_secs(2), "{target}: {shortest:?}");
    }
}

#[test]
fn next_run_waits_after_kill_during_retry_after() {
    let site = site_of(1);
    let scratch = Scratch::new();
    let wait = Duration::from_secs(2);
    let answer = site.next_reply(LIST);
    let patience = error_reply(429, "Call limit exceeded").header("Retry-After", "2");
    site.set_replies(LIST, [patience, answer]);
    let child = spawn(&scratch, &mine_with_interval(&site, "0.2"));
    site.wait_for_requests(1);
    let start = Instant::now();
    while scratch.count("SELECT count(not_before_at) FROM host") == 0 {
        assert!(start.elapsed() < wait, "it is not remembered");
        std::thread::sleep(Duration::from_millis(5));
    }
    kill(child);
    scratch.ok(&mine_with_interval(&site, "0.2"));
    let moments = site.request_times();
    assert_eq!(site.take_targets(), [LIST.to_owned(), LIST.to_owned(), changes_request(1)]);
    let gap = moments[1] - moments[0];
    assert!(gap + TOLERANCE >= wait, "{gap:?}");
}

/// Waits until a run reports the requested wait in seconds, then kills it.
fn retry_after_seconds(scratch: &Scratch, site: &Server) -> u32 {
    let mut child = spawn(scratch, &mine_with_interval(site, "0.2"));
    let lines = BufReader::new(child.stderr.take().unwrap()).lines();
    let mut lines = lines.map(Result::unwrap);
    let wait = lines.find_map(|line| {
        let seconds = line.strip_prefix("the site asks to wait ")?;
        let seconds = seconds.strip_suffix(" seconds")?;
        Some(seconds.parse().unwrap())
    });
    kill(child);
    wait.expect("it waits in silence")
}

#[test]
fn retry_after_of_site_is_reported() {
    let good = || ok_reply(&vec![contest_list_entry(1, 300)].into());
    let spent = good().header("X-Ratelimit-Remaining", "0.0");
    for answer in [
        spent.header("X-Ratelimit-Reset", "40"),
        error_reply(429, "Call limit exceeded").header("Retry-After", "40"),
    ] {
        let site = site_of(1);
        let scratch = Scratch::new();
        site.set_replies(LIST, [answer, good()]);
        // The run that was told to wait, and one that waits for the rest.
        for _ in 0..2 {
            let seconds = retry_after_seconds(&scratch, &site);
            assert!((11..=42).contains(&seconds), "{seconds}");
        }
        assert_eq!(site.take_targets(), [LIST]);
    }
}

#[test]
fn default_interval_of_site_is_kept() {
    let site = site_of(1);
    let scratch = Scratch::new();
    let mut command = mine_with_interval(&site, "0.2");
    command.truncate(4);
    scratch.ok(&command);
    let gaps = site.request_gaps();
    assert_eq!(gaps.len(), 1);
    assert!(gaps[0] + TOLERANCE >= Duration::from_secs(2), "{gaps:?}");
}

#[test]
fn request_rate_is_never_exceeded_over_two_runs() {
    let site = site_of(34);
    let scratch = Scratch::new();
    let command = mine_with_interval(&site, "0.2");
    let interval = Duration::from_millis(200);
    // The list and eleven rounds; the twelfth is in flight.
    let child = spawn(&scratch, &command);
    site.wait_for_requests(13);
    kill(child);
    scratch.ok(&command);
    let moments = site.request_times();
    // The list twice, and at least eleven rounds once.
    assert!((36..=37).contains(&moments.len()), "{}", moments.len());
    let gaps = moments.windows(2).map(|pair| pair[1] - pair[0]);
    for gap in gaps {
        assert!(gap + TOLERANCE >= interval, "{gap:?}");
    }
    // A window of 30 intervals may begin and end with a request.
    for (index, &first) in moments.iter().enumerate() {
        let within = moments[index..].iter();
        let within = within.filter(|at| **at - first <= 30 * interval);
        assert!(within.count() <= 31, "after {index} requests");
    }
    assert!(*moments.last().unwrap() - moments[0] + TOLERANCE >= 35 * interval);
}

#[test]
fn overloaded_site_is_left_alone() {
    let site = site_of(20);
    let scratch = Scratch::new();
    for id in 1..=20 {
        site.set_replies(&changes_request(id), [error_reply(503, "Call limit exceeded")]);
    }
    let done = scratch.run(&mine_with_interval(&site, "0.01")).exits(4);
    assert!(done.err.contains("3 contests in a row"), "{}", done.err);
    assert!(!site.take_targets().contains(&changes_request(4)));
}
