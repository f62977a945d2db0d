//! Selection of threads, and invalid selections.

use ranklore_test_support::subreddit::{Comment, Thread, listing_page};
use serde_json::json;

use super::site::{
    BEST_THREE, NEW_LIST, RedditSite, TOP_THREE_LIST, standings_of, stored_standings,
};
use crate::support::{CommandOutput, Scratch};

/// Returns a thread of one comment.
fn short_thread(id: u32) -> Thread {
    Thread::new(id, vec![Comment::new(1000 + id, None, "Ada_L", 1)])
}

fn take_list_requests(site: &RedditSite) -> Vec<String> {
    let requests = site.take_targets().into_iter();
    requests.filter(|request| request.starts_with("GET /r/")).collect()
}

#[test]
fn top_threads_are_listed_page_by_page() {
    let site = RedditSite::new();
    let scratch = Scratch::new();
    let threads: Vec<Thread> = (101..=203).map(short_thread).collect();
    for thread in &threads {
        thread.publish_on(&site.server);
    }
    let all: Vec<&Thread> = threads.iter().collect();
    let first = "GET /r/LanternTales/top?raw_json=1&limit=100&t=all";
    let second = "GET /r/LanternTales/top?raw_json=1&limit=3&t=all&after=t3_t0200&count=100";
    site.server.set_replies(first, [listing_page(&all[..100], Some(all[99]))]);
    site.server.set_replies(second, [listing_page(&all[100..], Some(all[102]))]);
    let top = ["--subreddit", "LanternTales", "--top", "103"];
    let done = site.run(&scratch, &[&top[..], &["--limit", "2"]].concat()).exits(0);
    assert!(done.err.contains("101 contests not synced yet"), "{}", done.err);
    assert_eq!(take_list_requests(&site), [first, second]);
    // The oldest first.
    assert_eq!(stored_standings(&scratch), ["t0101|Ada_L|1", "t0102|Ada_L|1"]);
    let report = site.run(&scratch, &[&top[..], &["--limit", "2", "--json"]].concat());
    assert_eq!(report.exits(0).json()["left"], 101);
    assert_eq!(
        stored_standings(&scratch),
        [
            "t0101|Ada_L|1",
            "t0102|Ada_L|1",
            "t0103|Ada_L|1",
            "t0104|Ada_L|1"
        ]
    );
    site.run(&scratch, &top).exits(0);
    assert_eq!(stored_standings(&scratch).len(), 103);
}

#[test]
fn short_list_is_reported() {
    let site = RedditSite::new();
    let scratch = Scratch::new();
    let all: Vec<&Thread> = site.threads.iter().collect();
    let top = "GET /r/LanternTales/top?raw_json=1&limit=100&t=all";
    site.server.set_replies(top, [listing_page(&all, None)]);
    let done = site.run(&scratch, &["--subreddit", "LanternTales"]).exits(0);
    let message_count = done.err.matches("the site lists only 3").count();
    assert_eq!(message_count, 1, "{}", done.err);
    assert_eq!(stored_standings(&scratch), site.standings());
    let empty = TOP_THREE_LIST.replace("LanternTales", "LanternTails");
    site.server.set_replies(&empty, [listing_page(&[], None)]);
    let misspelt = ["--subreddit", "LanternTails", "--top", "3"];
    let done = site.run(&scratch, &misspelt).exits(0);
    done.says("the site lists none; check the name");
    // Reported once.
    let done = site.run(&scratch, &["--subreddit", "r/LanternTales"]).exits(0);
    assert!(!done.err.contains("lists only"), "{}", done.err);
}

#[test]
fn since_lists_new_threads_back_to_that_time() {
    let site = RedditSite::new();
    let scratch = Scratch::new();
    let mut threads: Vec<Thread> = (1..=120).rev().map(|id| short_thread(900 + id)).collect();
    for (age, thread) in (0..).zip(&mut threads) {
        // One day apart.
        thread.created = 1_717_243_200 - 86_400 * age;
        thread.publish_on(&site.server);
    }
    let all: Vec<&Thread> = threads.iter().collect();
    let last = all[99].external_id();
    let second = format!("{NEW_LIST}&after=t3_{last}&count=100");
    site.server.set_replies(NEW_LIST, [listing_page(&all[..100], Some(all[99]))]);
    site.server.set_replies(&second, [listing_page(&all[100..], Some(all[119]))]);
    let begin = ["--subreddit", "LanternTales", "--since"];
    // 2024-06-01 is 1717200000.
    site.run(&scratch, &[&begin[..], &["2024-05-30"]].concat()).exits(0);
    assert_eq!(take_list_requests(&site), [NEW_LIST]);
    let expected: Vec<String> = (0..3).rev().map(|age| all[age].external_id()).collect();
    let mut standings: Vec<String> = stored_standings(&scratch)
        .iter()
        .map(|row| row.split('|').next().unwrap().to_owned())
        .collect();
    standings.sort();
    assert_eq!(standings, expected);
    site.run(&scratch, &[&begin[..], &["2024-02-10"]].concat()).exits(0);
    assert_eq!(take_list_requests(&site), [NEW_LIST.to_owned(), second]);
    assert_eq!(stored_standings(&scratch).len(), 113);
}

#[test]
fn since_filters_top_threads() {
    let site = RedditSite::new();
    let scratch = Scratch::new();
    // The third thread is from three hours after noon.
    let since = ["--since", "2024-06-01T15:00:00Z"];
    site.run(&scratch, &[&BEST_THREE[..], &since].concat()).exits(0);
    assert_eq!(stored_standings(&scratch), standings_of(&site.threads[2]));
    assert_eq!(take_list_requests(&site), [TOP_THREE_LIST]);
}

#[test]
fn several_subreddits_are_each_listed() {
    let site = RedditSite::new();
    let scratch = Scratch::new();
    let (first, second) = (&site.threads[0], &site.threads[1]);
    site.server.set_replies(TOP_THREE_LIST, [listing_page(&[first], None)]);
    let text = String::from_utf8(listing_page(&[second], None).body).unwrap();
    let text = text.replace("LanternTales", "Oil_Lamps");
    let other = ranklore_test_support::Reply::new(200, "application/json", text);
    site.server
        .set_replies(&TOP_THREE_LIST.replace("LanternTales", "Oil_Lamps"), [other]);
    for (target, answer) in second.replies_by_target() {
        let text = String::from_utf8(answer.body).unwrap();
        let text = text.replace("LanternTales", "Oil_Lamps");
        let answer = ranklore_test_support::Reply::new(200, "application/json", text);
        site.server.set_replies(&target, [answer]);
    }
    site.run(&scratch, &[&BEST_THREE[..], &["--subreddit", "Oil_Lamps"]].concat())
        .exits(0);
    assert_eq!(take_list_requests(&site).len(), 2);
    let divisions = scratch.rows("SELECT external_id, division FROM contest ORDER BY 1");
    assert_eq!(divisions, ["t0001|LanternTales", "t0002|Oil_Lamps"]);
    let expected = [standings_of(first), standings_of(second)].concat();
    assert_eq!(stored_standings(&scratch), expected);
    // All known threads are requested without options.
    site.run(&scratch, &[]).exits(0);
    assert!(take_list_requests(&site).is_empty());
    let rated = scratch.json(&["rate", "reddit", "--division", "Oil_Lamps"]);
    assert_eq!(rated[0]["contests"], 1);
}

#[test]
fn dry_run_shows_requests_and_writes_nothing() {
    let site = RedditSite::new();
    let scratch = Scratch::new();
    let dry = [&BEST_THREE[..], &["--dry-run"]].concat();
    // A dry run needs no credentials.
    let done = CommandOutput::run(site.command_without_credentials(&scratch, &dry)).exits(0);
    assert_eq!(
        done.out,
        "the top threads of r/LanternTales from 1 on: \
         GET r/LanternTales/top?limit=3&raw_json=1&t=all\n\
         then every contest that the lists contain\n"
    );
    assert!(scratch.list(".").is_empty());
    site.sync(&scratch);
    site.take_targets();
    let before = scratch.everything();
    let done = CommandOutput::run(site.command_without_credentials(&scratch, &dry)).exits(0);
    assert!(done.out.contains("3 requests for 3 contests"), "{}", done.out);
    assert!(done.out.contains("r/LanternTales t0002"), "{}", done.out);
    let done =
        CommandOutput::run(site.command_without_credentials(&scratch, &["--dry-run", "--json"]))
            .exits(0);
    let plan = done.json();
    assert_eq!(plan["first"], json!([]));
    assert_eq!(plan["contests"].as_array().unwrap().len(), 3);
    assert!(site.take_targets().is_empty());
    assert_eq!(scratch.everything(), before);
}

#[test]
fn with_options_equal_flags() {
    let site = RedditSite::new();
    let scratch = Scratch::new();
    let plan = |options: &[&str]| {
        let dry = CommandOutput::run(site.command(&scratch, &[options, &["--dry-run"]].concat()));
        dry.exits(0).out
    };
    let by_flags = plan(&BEST_THREE);
    assert!(by_flags.contains("limit=3&"), "{by_flags}");
    assert_eq!(plan(&["--with", "subreddit=LanternTales,top=3"]), by_flags);
    let in_turn = ["--with", "subreddit=r/LanternTales", "--with", "top=3"];
    assert_eq!(plan(&in_turn), by_flags);
    assert_eq!(plan(&["--with", "top=3", "--subreddit", "LanternTales"]), by_flags);
}

#[test]
fn contradictory_options_are_refused() {
    let site = RedditSite::new();
    let scratch = Scratch::new();
    let say = |extra_options: &[&str]| CommandOutput::run(site.command(&scratch, extra_options));
    say(&[]).exits(2).says("--subreddit");
    say(&["--top", "5"]).exits(2).says("--subreddit");
    say(&["--subreddit", "Lantern Tales"]).exits(2).says("is not a subreddit name");
    say(&["--subreddit", "LanternTales", "--top", "0"]).exits(2);
    say(&["--subreddit", "LanternTales", "--top", "200000"]).exits(2).says("100000");
    say(&["--subreddit", "LanternTales", "--from-files", "."]).exits(2);
    scratch
        .run(&["mine", "codeforces", "--subreddit", "LanternTales"])
        .exits(2)
        .says("codeforces has no option \"subreddit\"; it has standings");
    scratch
        .run(&["mine", "topcoder", "--top", "5"])
        .exits(2)
        .says("topcoder has no option \"top\"; it has pages");
    let with = |site: &str, option: &str| scratch.run(&["mine", site, "--with", option]).exits(2);
    with("ctftime", "standings")
        .says("ctftime has no option \"standings\", and no options of its own");
    with("codeforces", "standings=1").says("standings: takes no value");
    with("reddit", "top").says("top: takes a value");
    with("reddit", "top=0").says("top: takes a whole number from 1 to 4294967295");
    with("reddit", "top=3").says("--top needs a subreddit");
    let of_files = ["mine", "topcoder", "--from-files", "."];
    for options in [&["--pages"][..], &["--with", "pages"]] {
        scratch.run(&[&of_files, options].concat()).exits(2);
    }
    assert!(site.take_targets().is_empty() && scratch.list(".").is_empty());
}
