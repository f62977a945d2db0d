//! The probe of O2CM.

use super::ball::{mine, page, site};
use crate::support::Scratch;

#[test]
fn probe_reads_months_and_newest_finished_competition() {
    let ball = site();
    let scratch = Scratch::new();
    ball.publish_month(1, &[("lan", "Lantern Open")]);
    let report = scratch.json(&mine(&ball, &["--probe"]));
    // `robots.txt` is one of the three.
    assert_eq!(
        ball.site.take_targets(),
        [
            "GET /robots.txt".to_owned(),
            "GET /default.asp".to_owned(),
            ball.month_request(1)
        ]
    );
    assert_eq!(report["requests"], 3);
    assert_eq!(report["listed"], 1);
    assert_eq!(report["documents"][0]["leads_to"], ball.month_count());
    assert_eq!(scratch.list("."), [""; 0]);
}

#[test]
fn probe_reports_unknown_layout() {
    let ball = site();
    for target in ["GET /default.asp".to_owned(), ball.month_request(1)] {
        let ball = site();
        let scratch = Scratch::new();
        ball.site
            .set_replies(&target, [page("<html><body><table>moved</table></body></html>")]);
        let done = scratch.run(&mine(&ball, &["--probe"])).exits(1);
        done.says("the layout of o2cm is unknown");
        assert!(ball.site.take_targets().len() <= 3);
        assert_eq!(scratch.list("."), [""; 0]);
    }
    let scratch = Scratch::new();
    // A month without competitions is a known layout.
    ball.publish_month(1, &[]);
    let done = scratch.run(&mine(&ball, &["--probe"])).exits(0);
    assert!(done.out.contains("0 contests listed"), "{}", done.out);
}
