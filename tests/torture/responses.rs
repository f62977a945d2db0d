//! Hostile servers: random responses of a site are truncated, flooded, compressed or otherwise
//! wrong.

use std::rc::Rc;

use ranklore_test_support::{HostileBehaviour, Server};

use crate::Round;
use crate::operations::{Operations, assert_no_crash, database_hash};
use crate::random::Random;
use crate::site::{demo_reply, demo_site, mine_command};
use crate::support::{CommandOutput, Scratch};

/// Number of contests of which one gets hostile responses only.
const HOSTILE_ONCE_IN: usize = 6;

/// Prepares the contents of a sync with the honest site.
pub(crate) fn prepare(_: &Rc<Operations>) -> Round {
    let honest = demo_site();
    let undisturbed = Scratch::new();
    assert_eq!(mine(&undisturbed, &honest, &[]).code, Some(0));
    let expected = database_hash(&undisturbed, "ranklore.sqlite");
    Box::new(move |scratch, random| {
        if random.once_in(2) {
            assert_eq!(mine(scratch, &honest, &["--limit", "12"]).code, Some(0));
        }
        let seed = random.next();
        // The list comes first: hostile in a few rounds only, since nothing follows it.
        let is_list_honest = !random.once_in(8);
        let site = Server::with_handler(move |count, target| {
            let valid = demo_reply(target);
            // The requests of one contest are all hostile or none: most failures are retried.
            let subject =
                target.bytes().fold(0, |sum: u64, byte| sum.wrapping_mul(31) + u64::from(byte));
            let is_hostile = Random::new(seed, subject).once_in(HOSTILE_ONCE_IN);
            if is_list_honest && !target.contains("contestId=") || !is_hostile {
                return valid;
            }
            let behaviour = Random::new(seed, count as u64).next();
            valid.hostile(HostileBehaviour::from_seed(behaviour))
        });
        let done = mine(scratch, &site, &[]);
        assert_no_crash(&done, "mine");
        assert!(
            matches!(done.code, Some(0 | 1 | 3 | 4)),
            "exit code {:?}: {}",
            done.code,
            done.err
        );
        for line in done.err.lines() {
            assert!(line.len() <= 4096, "a message of {} bytes", line.len());
            assert!(!line.contains(char::is_control), "control characters: {line:?}");
        }
        database_hash(scratch, "ranklore.sqlite");
        // What is archived of a final contest is not requested again, so it must be valid.
        let again = mine(scratch, &honest, &[]);
        assert_eq!(again.code, Some(0), "the honest site: {}", again.err);
        assert!(
            database_hash(scratch, "ranklore.sqlite") == expected,
            "after a sync with the honest site the contents are others"
        );
        match done.code {
            Some(0) => "everything right",
            Some(3) => "some contests refused",
            _ => "refused",
        }
    })
}

fn mine(scratch: &Scratch, site: &Server, options: &[&str]) -> CommandOutput {
    let command = mine_command(site);
    let words = command.iter().map(String::as_str);
    let words: Vec<&str> = words.chain(options.iter().copied()).collect();
    scratch.run(&words)
}
