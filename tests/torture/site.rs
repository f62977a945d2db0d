//! The site of the demo, served on this machine.

use ranklore_test_support::{Reply, Server};

use crate::support::fixtures;

/// Starts a server with the 24 rounds of the demo.
pub(crate) fn demo_site() -> Server {
    Server::with_handler(|_, target| demo_reply(target))
}

/// Returns the reply of the site to a request.
pub(crate) fn demo_reply(target: &str) -> Reply {
    let file = match target.split_once("contestId=") {
        Some((_, rest)) => {
            let id: String = rest.chars().take_while(char::is_ascii_digit).collect();
            format!("contest.ratingChanges-{id}.json")
        }
        None if target.contains("contest.list") => "contest.list.json".to_owned(),
        None => return Reply::html(404, "<html>nothing here</html>"),
    };
    let body = std::fs::read_to_string(fixtures().join("demo/site").join(file));
    Reply::json(&body.unwrap())
}

/// Returns the command that mines the site.
pub(crate) fn mine_command(site: &Server) -> Vec<String> {
    let command = [
        "mine",
        "codeforces",
        "--base-url",
        site.url(),
        "--interval",
        "0",
    ];
    command.map(str::to_owned).into()
}
