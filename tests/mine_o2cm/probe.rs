//! The probe of O2CM.

use super::ball::{mine, page, site};
use super::support::Scratch;

#[test]
fn probe_reads_the_months_and_the_newest_of_them() {
    let (ball, scratch) = (site(), Scratch::new());
    let report = scratch.json(&mine(&ball, &["--probe"]));
    // `robots.txt` is one of the three.
    assert_eq!(
        ball.site.take_targets(),
        [
            "GET /robots.txt".to_owned(),
            "GET /default.asp".to_owned(),
            ball.month(0)
        ]
    );
    assert_eq!(report["requests"], 3);
    assert_eq!(report["listed"], 1);
    assert_eq!(report["documents"][0]["leads_to"], ball.months());
    assert_eq!(scratch.list("."), [""; 0]);
}

#[test]
fn probe_names_what_it_does_not_know() {
    let ball = site();
    for target in ["GET /default.asp".to_owned(), ball.month(0)] {
        let (ball, scratch) = (site(), Scratch::new());
        ball.site.set_replies(
            &target,
            [page("<html><body><table>moved</table></body></html>")],
        );
        let done = scratch.run(&mine(&ball, &["--probe"])).exits(1);
        done.says("the layout of o2cm is unknown");
        assert!(ball.site.take_targets().len() <= 3);
        assert_eq!(scratch.list("."), [""; 0]);
    }
    let scratch = Scratch::new();
    ball.list(0, &[]);
    let done = scratch.run(&mine(&ball, &["--probe"])).exits(1);
    done.says("no contest is listed");
}
