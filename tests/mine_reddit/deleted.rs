//! Authors who left the site or asked to be forgotten.

use ranklore_test_support::subreddit::{Held, TEXT};

use crate::site::{Site, has, rebuilds_the_same, stand};
use crate::support::Scratch;

#[test]
fn who_is_forgotten_is_a_blank_in_every_part_of_a_thread_and_stays_one() {
    let (mut site, scratch) = (Site::new(), Scratch::new());
    site.sync(&scratch);
    scratch.ok(&["rate", "reddit"]);
    // In the tree, in the comments left out of it, and below others; and in another thread.
    let parts = site.threads[0].exchanges().into_iter();
    let naming =
        parts.filter(|(_, answer)| String::from_utf8_lossy(&answer.body).contains("Ada_L"));
    assert_eq!(naming.count(), 4);
    let done = scratch.json(&["forget", "reddit", "Ada_L"]);
    assert_eq!(
        (&done["contests"], &done["documents"]),
        (&2.into(), &5.into())
    );
    assert!(!has(&scratch, "Ada_L"));
    let blanked = |rows: Vec<String>| {
        let mut rows: Vec<String> = rows
            .into_iter()
            .map(|row| row.replace("Ada_L", "forgotten-1"))
            .collect();
        rows.sort();
        rows
    };
    assert_eq!(stand(&scratch), blanked(site.standings()));
    rebuilds_the_same(&scratch);

    // Later responses contain the author again.
    let hash = scratch.content_hash();
    assert_eq!(site.report(&scratch)["contests"]["unchanged"], 3);
    assert!(!has(&scratch, "Ada_L"));
    assert_eq!(scratch.content_hash(), hash);
    site.votes();
    assert_eq!(site.report(&scratch)["contests"]["revised"], 3);
    assert!(!has(&scratch, "Ada_L"));
    assert_eq!(stand(&scratch), blanked(site.standings()));
    scratch.ok(&["rate", "reddit"]);
    rebuilds_the_same(&scratch);

    // Once the account is deleted, nothing of the author stays.
    site.leaves("Ada_L");
    site.sync(&scratch);
    assert_eq!(stand(&scratch), site.standings());
    scratch.ok(&["rate", "reddit"]);
    rebuilds_the_same(&scratch);
}

#[test]
fn what_is_deleted_is_gone_whatever_is_asked_for() {
    let (mut site, scratch) = (Site::new(), Scratch::new());
    site.sync(&scratch);
    assert!(has(&scratch, "Cem") && has(&scratch, "Gil"));
    site.leaves("Cem");
    site.threads[1].held = Held::Gone;
    site.says();
    // This period requests no list.
    site.run(&scratch, &["--until", "2010-01-01"]).exits(0);
    for gone in ["Cem", "Gil", TEXT] {
        assert!(!has(&scratch, gone), "{gone}");
    }
    assert_eq!(stand(&scratch), site.standings());
    rebuilds_the_same(&scratch);
}

#[test]
fn a_closed_thread_says_nothing_and_an_open_one_again_does() {
    let (mut site, scratch) = (Site::new(), Scratch::new());
    site.sync(&scratch);
    let before = stand(&scratch);
    site.threads[0].held = Held::Private;
    site.votes();
    let report = site.report(&scratch);
    assert_eq!(report["contests"]["revised"], 2);
    let status = scratch.ok(&["status"]).out;
    let said = "reddit: contest t0001, blocked: the site does not let it be read";
    assert!(status.contains(said), "{status}");
    assert_eq!(stand(&scratch)[..6], before[..6]);
    rebuilds_the_same(&scratch);
    site.threads[0].held = Held::Here;
    site.says();
    site.sync(&scratch);
    assert_eq!(stand(&scratch), site.standings());
}
