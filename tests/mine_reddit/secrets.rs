//! Credentials: their sources, and that they are never stored or shown.

use ranklore_test_support::Reply;
use ranklore_test_support::subreddit::TEXT;
use serde_json::json;

use super::site::{
    BASIC_CREDENTIALS, BEST_THREE, CLIENT_ID, CLIENT_SECRET, RedditSite, TOKEN, TOKEN_REQUEST,
    TOP_THREE_LIST, database_contains, stored_standings, token_reply,
};
use crate::support::{CommandOutput, Scratch};

/// Asserts that neither the output nor a byte of the database contains a secret.
fn assert_no_secrets(scratch: &Scratch, done: &CommandOutput) {
    for secret in [CLIENT_ID, CLIENT_SECRET, BASIC_CREDENTIALS, TOKEN] {
        assert!(!done.out.contains(secret), "{secret}: {}", done.out);
        assert!(!done.err.contains(secret), "{secret}: {}", done.err);
        assert!(!database_contains(scratch, secret), "{secret}");
    }
}

#[test]
fn token_is_requested_once_and_renewed_on_refusal() {
    let site = RedditSite::new();
    let scratch = Scratch::new();
    let (target, good) = site.threads[1].replies_by_target().swap_remove(0);
    let expired = json!({"message": "Unauthorized", "error": 401}).to_string();
    let expired = Reply::new(401, "application/json", expired);
    site.server.set_replies(&target, [expired.clone(), good]);
    let done = site.sync(&scratch);
    assert_no_secrets(&scratch, &done);
    let requests = site.take_targets();
    assert_eq!(requests.iter().filter(|request| *request == TOKEN_REQUEST).count(), 2);
    assert_eq!(stored_standings(&scratch), site.standings());
    // The second refusal counts as a challenge.
    site.server.set_replies(TOP_THREE_LIST, [expired]);
    let done = site.run(&scratch, &BEST_THREE).exits(4);
    assert!(done.err.contains("rejects its own token"), "{}", done.err);
    assert_no_secrets(&scratch, &done);
}

#[test]
fn rejected_credentials_end_the_sync() {
    let refused = |status: u16, error: &str| {
        let text = json!({"error": error, "error_description": CLIENT_ID}).to_string();
        Reply::new(status, "application/json", text)
    };
    for (bad, message) in [
        (refused(200, "invalid_grant"), "invalid_grant"),
        (refused(401, "invalid_client"), "invalid_client"),
        (refused(200, "No. Never!"), "an error without a code"),
        (refused(401, CLIENT_SECRET), "repeats the secret"),
        (refused(401, BASIC_CREDENTIALS), "repeats the secret"),
        (
            Reply::new(200, "application/json", format!("\"{CLIENT_SECRET}")),
            "repeats the secret",
        ),
        (Reply::new(403, "text/html", "<html>no</html>"), "HTTP 403"),
        (
            Reply::new(302, "text/html", "")
                .header("Location", &format!("ftp:/{BASIC_CREDENTIALS}")),
            "repeats the secret",
        ),
    ] {
        let site = RedditSite::new();
        let scratch = Scratch::new();
        site.server.set_replies(TOKEN_REQUEST, [bad]);
        let done = site.run(&scratch, &BEST_THREE);
        assert!(matches!(done.code, Some(1 | 4)), "{message}: {}", done.err);
        assert!(done.err.contains(message), "{message}: {}", done.err);
        assert_no_secrets(&scratch, &done);
        assert!(site.take_targets().iter().all(|request| request == TOKEN_REQUEST));
        assert_eq!(scratch.count("SELECT count(*) FROM contest"), 0);
        // The failure leaves no state behind.
        site.server.set_replies(TOKEN_REQUEST, [token_reply()]);
        assert_no_secrets(&scratch, &site.sync(&scratch));
    }
}

#[test]
fn responses_repeating_secrets_are_discarded() {
    let site = RedditSite::new();
    let scratch = Scratch::new();
    site.sync(&scratch);
    let (target, good) = site.threads[0].replies_by_target().swap_remove(2);
    let body = String::from_utf8(good.body.clone()).unwrap();
    let echoing = |echo: &str| json_reply(body.replace(TEXT, echo));
    let html = format!("<html><head><title>Bearer {TOKEN}</title></head></html>");
    for bad in [
        echoing(TOKEN),
        echoing(CLIENT_SECRET),
        echoing(BASIC_CREDENTIALS),
        Reply::new(404, "text/html", html.clone()),
        Reply::new(200, "text/html", html),
        good.clone().header("ETag", &format!("\"{TOKEN}\"")),
        good.header("Location", TOKEN),
    ] {
        site.server.set_replies(&target, [bad]);
        let done = site.run(&scratch, &BEST_THREE).exits(3);
        assert_no_secrets(&scratch, &done.says("repeats the secret"));
        assert_no_secrets(&scratch, &scratch.ok(&["status"]));
    }
    assert_eq!(stored_standings(&scratch), site.standings());
}

#[test]
fn logs_contain_no_secret() {
    for format in ["text", "json"] {
        for echo in [false, true] {
            let site = RedditSite::new();
            let scratch = Scratch::new();
            if echo {
                let (target, _) = site.threads[0].replies_by_target().swap_remove(2);
                let moved = Reply::new(302, "text/html", "").header("Location", CLIENT_SECRET);
                let quoted = Reply::new(500, "text/html", format!("<title>{TOKEN}</title>"));
                site.server.set_replies(&target, [quoted, moved]);
            }
            let options = [
                &BEST_THREE[..],
                &["--interval", "0", "--log-format", format],
            ]
            .concat();
            let mut command = site.command(&scratch, &options);
            command.env("RUST_LOG", "trace");
            let done = CommandOutput::run(command).exits(if echo { 3 } else { 0 });
            assert_no_secrets(&scratch, &done);
            let events = done.err.matches("ranklore::request").count();
            assert_eq!(events, site.take_targets().len(), "{}", done.err);
            assert!(done.err.contains("/api/v1/access_token"), "{}", done.err);
            assert_eq!(done.err.contains("secret repeated"), echo, "{}", done.err);
        }
    }
}

fn json_reply(body: String) -> Reply {
    Reply::new(200, "application/json", body)
}

#[cfg(unix)]
#[test]
fn killed_process_leaves_no_secret() {
    let site = RedditSite::new();
    let scratch = Scratch::new();
    site.server.set_replies(&site.threads[1].target(), [Reply::never()]);
    let mut command = site.command(&scratch, &[&BEST_THREE[..], &["--interval", "0.01"]].concat());
    command.stdout(std::process::Stdio::null());
    command.stderr(std::process::Stdio::null());
    let mut child = command.spawn().unwrap();
    site.server.wait_for_requests(8);
    child.kill().unwrap();
    child.wait().unwrap();
    let files = scratch.list(".");
    assert!(files.iter().any(|file| file.ends_with("-wal")), "{files:?}");
    for secret in [CLIENT_ID, CLIENT_SECRET, BASIC_CREDENTIALS, TOKEN] {
        assert!(!database_contains(&scratch, secret), "{secret}");
    }
}

#[test]
fn missing_credentials_are_explained() {
    let site = RedditSite::new();
    let scratch = Scratch::new();
    let done = CommandOutput::run(site.command_without_credentials(&scratch, &BEST_THREE)).exits(1);
    for word in [
        "https://www.reddit.com/prefs/apps",
        "RANKLORE_REDDIT_ID",
        "RANKLORE_REDDIT_SECRET",
        "config.toml",
    ] {
        assert!(done.err.contains(word), "{word}: {}", done.err);
    }
    let mut half = site.command_without_credentials(&scratch, &BEST_THREE);
    half.env("RANKLORE_REDDIT_ID", CLIENT_ID);
    let done = CommandOutput::run(half).exits(1).says("RANKLORE_REDDIT_SECRET is not");
    assert!(!done.err.contains(CLIENT_ID), "{}", done.err);
    assert!(site.take_targets().is_empty() && scratch.list(".").is_empty());
}

#[cfg(unix)]
#[test]
fn credentials_are_read_from_private_settings_file() {
    use std::fs::{Permissions, set_permissions};
    use std::os::unix::fs::PermissionsExt;

    let site = RedditSite::new();
    let scratch = Scratch::new();
    let home = Scratch::new();
    let file = "ranklore/config.toml";
    home.write(file, format!("[reddit]\nid = \"{CLIENT_ID}\"\nsecret = \"{CLIENT_SECRET}\"\n"));
    let mine = |mode: u32| {
        set_permissions(home.path(file), Permissions::from_mode(mode)).unwrap();
        let mut command = site.command_without_credentials(
            &scratch,
            &[&BEST_THREE[..], &["--interval", "0"]].concat(),
        );
        command.env("XDG_CONFIG_HOME", home.path(""));
        CommandOutput::run(command)
    };
    let done = mine(0o644).exits(1).says("run chmod 600");
    assert_no_secrets_in_output(&done);
    assert!(site.take_targets().is_empty());
    let done = mine(0o600).exits(0);
    assert_no_secrets(&scratch, &done);
    assert_eq!(stored_standings(&scratch), site.standings());
    // The environment takes precedence.
    home.write(file, "[reddit]\nid = 5\n");
    site.sync(&scratch);
}

fn assert_no_secrets_in_output(done: &CommandOutput) {
    for secret in [CLIENT_ID, CLIENT_SECRET, BASIC_CREDENTIALS, TOKEN] {
        assert!(!done.err.contains(secret) && !done.out.contains(secret), "{secret}");
    }
}
