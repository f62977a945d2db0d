//! `robots.txt`.

use std::time::Duration;

use ranklore_fetch::{FetchError, FetchOptions};
use ranklore_test_support::{Reply, Server};

use crate::test_source::{client_with, fetch, json, options, page};
use crate::virtual_time::VirtualTimeClient;

fn obedient_client(server: &Server) -> ranklore_fetch::Client {
    client_with(FetchOptions {
        obey_robots: true,
        max_attempts: 2,
        ..options(server)
    })
}

fn site(robots: Reply) -> Server {
    Server::with_handler(move |_, line| match line {
        "GET /robots.txt" => robots.clone(),
        "GET /api/list" => Reply::json("[1]"),
        _ => Reply::redirect(302, "/api/list"),
    })
}

#[tokio::test]
async fn robots_txt_is_fetched_once_and_obeyed() {
    let server = site(Reply::status(200).body("User-agent: ranklore\nDisallow: /results/\n"));
    let mut client = obedient_client(&server);
    fetch(&mut client, &json()).await.unwrap();
    fetch(&mut client, &json()).await.unwrap();
    let failed = fetch(&mut client, &page()).await.unwrap_err();
    assert!(matches!(failed, FetchError::ForbiddenByRobots { .. }), "{failed:?}");
    assert!(failed.to_string().contains("Disallow: /results/"), "{failed}");
    assert_eq!(server.targets(), ["GET /robots.txt", "GET /api/list", "GET /api/list"]);
}

#[tokio::test]
async fn redirect_is_checked_against_robots_txt() {
    let server = site(Reply::status(200).body("User-agent: *\nDisallow: /api\n"));
    let failed = fetch(&mut obedient_client(&server), &page()).await.unwrap_err();
    assert!(matches!(failed, FetchError::ForbiddenByRobots { .. }), "{failed:?}");
    assert_eq!(server.targets(), ["GET /robots.txt", "GET /results/5"]);
}

#[tokio::test]
async fn missing_robots_txt_allows_all() {
    for status in [404, 403, 410] {
        let server = site(Reply::status(status).body("User-agent: *\nDisallow: /\n"));
        fetch(&mut obedient_client(&server), &json()).await.unwrap();
    }
}

#[tokio::test]
async fn failing_robots_txt_allows_nothing() {
    for status in [500, 429] {
        let server = site(Reply::status(status));
        let failed = fetch(&mut obedient_client(&server), &json()).await.unwrap_err();
        assert!(failed.to_string().contains("/robots.txt"), "{failed}");
        assert_eq!(server.targets(), ["GET /robots.txt"; 2]);
    }
}

#[tokio::test]
async fn robots_txt_is_read_up_to_limit() {
    let mut text = "User-agent: *\nDisallow: /results\n".to_owned();
    text.push_str(&"# nothing\n".repeat(100_000));
    let server = site(Reply::status(200).body(text));
    let mut client = obedient_client(&server);
    fetch(&mut client, &json()).await.unwrap();
    fetch(&mut client, &page()).await.unwrap_err();
}

#[test]
fn crawl_delay_slows_pace() {
    let server = site(Reply::status(200).body("User-agent: *\nCrawl-delay: 3.5\n"));
    let paced = FetchOptions {
        interval: Duration::from_secs(1),
        obey_robots: true,
        ..options(&server)
    };
    let mut lapse = VirtualTimeClient::new(&server, paced);
    for _ in 0..2 {
        lapse.fetch(&json()).unwrap();
    }
    let gaps = lapse.gaps();
    assert_eq!(gaps.len(), 2);
    let delay = Duration::from_millis(3_500);
    assert!(gaps.iter().all(|gap| *gap >= delay), "{gaps:?}");
}
