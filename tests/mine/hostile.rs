//! Hostile responses: one of each kind, for one contest each.

use ranklore_test_support::HostileBehaviour;

use super::*;
use crate::support::{CommandOutput, RANKLORE};

/// The address space of a sync in KiB: twice the largest response, and a margin.
#[cfg(target_os = "linux")]
const MEMORY_LIMIT_KIB: u32 = 1024 * 1024;

/// Runs the program within the memory limit.
fn run_limited(scratch: &Scratch, arguments: &[&str]) -> CommandOutput {
    #[cfg(target_os = "linux")]
    let setup = format!("ulimit -v {MEMORY_LIMIT_KIB} && ");
    #[cfg(not(target_os = "linux"))]
    let setup = "";
    let mut command = std::process::Command::new("sh");
    command
        .args(["-c", &format!("{setup}exec \"$0\" \"$@\""), RANKLORE])
        .args(arguments)
        .current_dir(scratch.path("."))
        .env_remove("RANKLORE_DB")
        .env("RANKLORE_BACKOFF", "0.001")
        .stdin(std::process::Stdio::null());
    CommandOutput::run(command)
}

/// Syncs contests with hostile responses of these seeds, and a last one with a valid response.
fn sync_hostile_contests(seeds: std::ops::Range<u64>) {
    let site = Server::new();
    let scratch = Scratch::new();
    let last = (seeds.end - seeds.start) as u32 + 1;
    let list: Vec<Value> = (1..=last).rev().map(|id| contest_list_entry(id, 100)).collect();
    site.set_replies(LIST, [ok_reply(&list.into())]);
    for (id, seed) in (1..).zip(seeds.clone()) {
        let behaviour = HostileBehaviour::from_seed(seed);
        let valid = ok_reply(&rating_changes(id, &["ada", "bea"]));
        site.set_replies(&changes_request(id), [valid.hostile(behaviour)]);
    }
    let valid = ok_reply(&rating_changes(last, &["ada", "bea"]));
    site.set_replies(&changes_request(last), [valid]);

    let done = run_limited(&scratch, &mine(&site, &[])).exits(3);
    assert!(!done.err.contains("panicked"), "{}", done.err);
    assert!(!done.err.contains("report it"), "{}", done.err);
    for line in done.err.lines() {
        assert!(line.len() < 1_000, "{line}");
        assert!(!line.contains(['\x1b', '\0']), "{line:?}");
    }
    let read = scratch.rows(
        "SELECT contest.external_id, group_concat(place || competitor.external_id, ' '
            ORDER BY place)
        FROM standing JOIN contest USING (contest_id) JOIN competitor USING (competitor_id)
        GROUP BY 1",
    );
    assert!(read.contains(&format!("{last}|1ada 2bea")), "{read:?}");
    for row in &read {
        assert!(row.ends_with("|1ada 2bea"), "{row}");
    }
    for (id, seed) in (1..last).zip(seeds) {
        let behaviour = HostileBehaviour::from_seed(seed);
        let arrived = read.contains(&format!("{id}|1ada 2bea"));
        // A contest is read, or named with its request.
        let named = done.err.contains(&format!("contestId={id}&"));
        assert!(arrived != named, "{behaviour:?}: {}", done.err);
        assert!(arrived || !behaviour.is_legal(), "{behaviour:?}");
    }
    let archived = "SELECT count(*) FROM document WHERE request_key LIKE '%ratingChanges%'";
    assert_eq!(scratch.count(archived), read.len() as i64);
    assert_eq!(scratch.store().check().unwrap(), []);
    let before = scratch.content_hash();
    scratch.ok(&["rebuild"]);
    assert_eq!(scratch.content_hash(), before);
}

#[test]
fn hostile_responses_give_errors_or_right_results() {
    sync_hostile_contests(0..HostileBehaviour::KINDS);
}

/// Run it with `RANKLORE_SEEDS=0..1000`.
#[test]
#[ignore = "takes minutes"]
fn hostile_responses_of_many_seeds() {
    let seeds = std::env::var("RANKLORE_SEEDS").unwrap_or_else(|_| "0..290".to_owned());
    let (from, to) = seeds.split_once("..").unwrap();
    let (from, to): (u64, u64) = (from.parse().unwrap(), to.parse().unwrap());
    for start in (from..to).step_by(HostileBehaviour::KINDS as usize) {
        eprintln!("seeds from {start}");
        sync_hostile_contests(start..(start + HostileBehaviour::KINDS).min(to));
    }
}
