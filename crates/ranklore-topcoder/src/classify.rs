//! Classification of responses before archiving.

use ranklore_source::Verdict;
use ranklore_source::html::is_complete;

use crate::ask::Question;
use crate::feeds::{results, rounds};

/// Bytes of a page that are searched.
const SEARCHED: usize = 256 << 10;

pub(crate) fn classify(question: Option<Question>, status: u16, body: &[u8]) -> Verdict {
    let (whole, what) = match question {
        Some(Question::Rounds) => (is_feed(body, rounds::ROOT), rounds::ROOT),
        Some(Question::Results(_)) => (is_feed(body, results::ROOT), results::ROOT),
        Some(Question::Matches(_)) => (is_page(body, "round_overview"), "a page of rounds"),
        Some(Question::Stats(..)) => (is_page(body, "Division-I"), "a page of results"),
        None => return Verdict::Invalid("not a request of this source".to_owned()),
    };
    if status == 200 && whole {
        return Verdict::Answer;
    }
    if let Some(wall) = wall(status, body) {
        return Verdict::Blocked(wall);
    }
    match status {
        200 => {}
        429 | 500.. => return Verdict::RetryLater(format!("HTTP {status}")),
        401 | 403 => return Verdict::Blocked(format!("HTTP {status}")),
        _ => return Verdict::Invalid(format!("HTTP {status}")),
    }
    let instead = match body.trim_ascii_start() {
        [] => "an empty body",
        start if is_html(start) => "another page",
        _ => "a truncated or unexpected document",
    };
    Verdict::Invalid(format!("{instead} in place of {what}"))
}

/// Returns the reason if the response is a challenge or login page.
fn wall(status: u16, body: &[u8]) -> Option<String> {
    let start = body.trim_ascii_start();
    if !is_html(start) {
        return None;
    }
    let says = |words: &[&str]| words.iter().any(|word| holds(start, word));
    if says(&["just a moment", "cf-chl", "challenge-platform"]) {
        return Some(format!("a Cloudflare challenge, HTTP {status}"));
    }
    says(&["type=\"password\"", "type='password'", "type=password"])
        .then(|| format!("a login page, HTTP {status}"))
}

fn is_html(start: &[u8]) -> bool {
    let start = &start[..start.len().min(64)];
    holds(start, "<!doctype html") || holds(start, "<html") || holds(start, "<head")
}

/// True if the body is a complete feed.
fn is_feed(body: &[u8], root: &str) -> bool {
    let start = &body[..body.len().min(256)];
    let body = body.trim_ascii_end();
    let ends = [format!("</{root}>"), format!("<{root}/>")];
    holds(start, &format!("<{root}")) && ends.iter().any(|end| body.ends_with(end.as_bytes()))
}

/// True if the body is a complete page that contains the word.
fn is_page(body: &[u8], word: &str) -> bool {
    is_complete(body) && holds(body, word)
}

fn holds(text: &[u8], word: &str) -> bool {
    let text = &text[..text.len().min(SEARCHED)];
    let mut parts = text.windows(word.len());
    parts.any(|part| part.eq_ignore_ascii_case(word.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ask::Division;

    #[test]
    fn every_kind_of_body_has_its_verdict() {
        let (rounds, results) = (Question::Rounds, Question::Results(9601));
        let (matches, stats) = (Question::Matches(1), Question::Stats(9601, Division::One));
        let feed = "<?xml version=\"1.0\"?><dd_round_list><row></row></dd_round_list>\n";
        let login = "<html><form><input name=u><input type=\"password\" name=p></form></html>";
        let challenge = "<!DOCTYPE html><html><title>Just a moment...</title></html>";
        let page = "<html><a href='/stat?c=round_overview&rd=1'>x</a></html>";
        let next = login.replace("<form>", "<form action='/tc?next=/stat?c=round_stats'>");
        for (question, status, body, verdict) in [
            (rounds, 200, feed, "Answer"),
            (rounds, 200, "<dd_round_list/>", "Answer"),
            (rounds, 200, &feed[..60], "Invalid"),
            (results, 200, feed, "Invalid"),
            (results, 200, "<html>Gone</html>", "Invalid"),
            (results, 200, "", "Invalid"),
            (results, 200, login, "Blocked"),
            (results, 503, challenge, "Blocked"),
            (results, 403, "Forbidden", "Blocked"),
            (results, 404, "<html>Not found</html>", "Invalid"),
            (results, 429, "", "RetryLater"),
            (results, 502, "<html>Bad gateway</html>", "RetryLater"),
            (matches, 200, page, "Answer"),
            (matches, 200, &page[..50], "Invalid"),
            (stats, 200, page, "Invalid"),
            (stats, 200, "<html>Division-I</html>", "Answer"),
            (stats, 200, &next, "Blocked"),
        ] {
            let found = format!("{:?}", classify(Some(question), status, body.as_bytes()));
            assert!(found.starts_with(verdict), "{status} {body}: {found}");
        }
        assert!(matches!(
            classify(None, 200, feed.as_bytes()),
            Verdict::Invalid(_)
        ));
    }
}
