//! The session cookie: its sources, its use, and that it is never stored or shown.

use ranklore_test_support::Reply;

use super::site::{AtcoderSite, COOKIE, LIST, LOGIN, mine, results_request, standings_request};
use crate::mine_reddit::site::database_contains;
use crate::support::{CommandOutput, Scratch};

/// Asserts that neither the output nor a byte of the database contains the cookie.
fn assert_no_cookie(scratch: &Scratch, done: &CommandOutput) {
    assert!(!done.out.contains(COOKIE), "{}", done.out);
    assert!(!done.err.contains(COOKIE), "{}", done.err);
    assert!(!database_contains(scratch, COOKIE));
}

#[test]
fn only_requests_for_standings_have_the_cookie() {
    let site = AtcoderSite::new();
    let scratch = Scratch::new();
    let done = site.sync_standings(&scratch).exits(0);
    assert_no_cookie(&scratch, &done);
    let mut with_cookie = 0;
    for request in site.server.received() {
        let cookie = request.header("cookie");
        if request.target.ends_with("/standings/json") {
            assert_eq!(cookie, Some(format!("REVEL_SESSION={COOKIE}").as_str()));
            with_cookie += 1;
        } else {
            assert_eq!(cookie, None, "{}", request.target);
        }
    }
    assert_eq!(with_cookie, 3);
    site.take_targets();
    scratch.ok(&mine(&site, &["--full"]));
    let mut received = site.server.received().into_iter();
    assert!(received.all(|request| request.header("cookie").is_none()));
}

#[test]
fn expired_cookie_closes_standings_and_empties_no_contest() {
    let site = AtcoderSite::new();
    let scratch = Scratch::new();
    site.end_session();
    let done = site.sync_standings(&scratch).exits(3);
    assert!(done.err.contains("has expired; log in again"), "{}", done.err);
    assert_no_cookie(&scratch, &done);
    // Results need no login. The cookie is sent once.
    assert_eq!(scratch.count("SELECT count(*) FROM contest WHERE entrants > 0"), 3);
    let requests = site.take_targets();
    let sent = |part: &str| requests.iter().filter(|target| target.contains(part)).count();
    assert_eq!((sent("/standings/json"), sent(LOGIN)), (1, 1), "{requests:#?}");
    let status = scratch.ok(&["status"]);
    assert!(
        status.out.contains("blocked") && status.out.contains("expired"),
        "{}",
        status.out
    );
    let before = scratch.content_hash();
    scratch.ok(&["rebuild"]);
    assert_eq!(scratch.content_hash(), before);

    site.renew_session();
    let done = CommandOutput::run(site.standings_command(&scratch, &[])).exits(0);
    assert_no_cookie(&scratch, &done);
    assert_eq!(scratch.count("SELECT count(*) FROM standing WHERE score IS NULL"), 0);

    // Stored standings survive the next expiry.
    let before = scratch.content_hash();
    site.end_session();
    site.sync_standings(&scratch).exits(3);
    assert_eq!(scratch.content_hash(), before);
}

#[test]
fn answers_that_repeat_the_cookie_are_discarded() {
    let target = standings_request("ahc901");
    let site = AtcoderSite::new();
    let scratch = Scratch::new();
    let good = site.server.next_reply(&target);
    let body = String::from_utf8(good.body.clone()).unwrap();
    let mut refused = vec![Reply::json(&body.replace("Wicks", COOKIE))];
    refused.push(good.clone().header("ETag", &format!("\"{COOKIE}\"")));
    refused.push(Reply::html(404, &format!("<html><title>{COOKIE}</title></html>")));
    for bad in refused {
        site.server.set_replies(&target, [bad]);
        let done = site.sync_standings(&scratch).exits(3);
        assert!(done.err.contains("repeats the secret"), "{}", done.err);
        assert_no_cookie(&scratch, &done);
    }
    // A site sets a valid cookie again; that header is not stored.
    let renewing = good.header("Set-Cookie", &format!("REVEL_SESSION={COOKIE}; Path=/"));
    site.server.set_replies(&target, [renewing]);
    assert_no_cookie(&scratch, &site.sync_standings(&scratch).exits(0));
}

#[test]
fn logs_contain_no_cookie() {
    for format in ["text", "json"] {
        let site = AtcoderSite::new();
        let scratch = Scratch::new();
        let mut command = site.standings_command(&scratch, &["--log-format", format]);
        command.env("RUST_LOG", "trace");
        let done = CommandOutput::run(command).exits(0);
        assert_no_cookie(&scratch, &done);
        assert!(done.err.contains("standings/json"), "{}", done.err);
    }
}

#[test]
fn missing_or_invalid_cookie_is_explained() {
    let site = AtcoderSite::new();
    let scratch = Scratch::new();
    let done = CommandOutput::run(site.command_without_cookie(&scratch, &[])).exits(1);
    for word in [
        "https://atcoder.jp/login",
        "REVEL_SESSION",
        "RANKLORE_ATCODER_COOKIE",
        "config.toml",
    ] {
        assert!(done.err.contains(word), "{word}: {}", done.err);
    }
    for (value, reason) in [
        ("wick; Path=/", "other characters"),
        ("wick-and-glass;Path=/", "semicolon"),
        ("REVEL_SESSION=wick-and-glass", "only its value"),
        ("wick", "shorter"),
    ] {
        let mut command = site.command_without_cookie(&scratch, &[]);
        command.env("RANKLORE_ATCODER_COOKIE", value);
        let done = CommandOutput::run(command).exits(1);
        assert!(done.err.contains(reason), "{}", done.err);
        assert!(!done.err.contains("wick"), "{}", done.err);
    }
    assert!(site.take_targets().is_empty() && scratch.list(".").is_empty());
    // Without standings the cookie is not needed.
    scratch.ok(&mine(&site, &[]));
    assert!(site.take_targets().contains(&LIST.to_owned()));
}

#[cfg(unix)]
#[test]
fn cookie_is_read_from_private_settings_file() {
    use std::fs::{Permissions, set_permissions};
    use std::os::unix::fs::PermissionsExt;

    let site = AtcoderSite::new();
    let scratch = Scratch::new();
    let home = Scratch::new();
    let file = "ranklore/config.toml";
    home.write(file, format!("[atcoder]\ncookie = \"{COOKIE}\"\n"));
    let sync = |mode: u32| {
        set_permissions(home.path(file), Permissions::from_mode(mode)).unwrap();
        let mut command = site.command_without_cookie(&scratch, &[]);
        command.env("XDG_CONFIG_HOME", home.path(""));
        CommandOutput::run(command)
    };
    let done = sync(0o644).exits(1).says("run chmod 600");
    assert!(!done.err.contains(COOKIE), "{}", done.err);
    assert!(site.take_targets().is_empty());
    let done = sync(0o600).exits(0);
    assert_no_cookie(&scratch, &done);
    assert!(site.take_targets().contains(&results_request("abc901")));
}
