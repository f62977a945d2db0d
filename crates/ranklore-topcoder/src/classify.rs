//! Classification of responses before archiving.

use ranklore_source::Classification;
use ranklore_source::html::is_complete;

use crate::feeds::{results, rounds};
use crate::requests::TopcoderRequest;

/// Bytes of a page that are searched.
const MAX_SEARCHED_BYTES: usize = 256 << 10;

pub(crate) fn classify(
    question: Option<TopcoderRequest>,
    status: u16,
    body: &[u8],
) -> Classification {
    let (is_complete, description) = match question {
        Some(TopcoderRequest::RoundList) => {
            (is_complete_feed(body, rounds::ROOT_ELEMENT), rounds::ROOT_ELEMENT)
        }
        Some(TopcoderRequest::RoundResults(_)) => {
            (is_complete_feed(body, results::ROOT_ELEMENT), results::ROOT_ELEMENT)
        }
        Some(TopcoderRequest::MatchList(_)) => {
            (is_complete_page(body, "round_overview"), "a page of rounds")
        }
        Some(TopcoderRequest::RoundStats(..)) => {
            (is_complete_page(body, "Division-I"), "a page of results")
        }
        None => return Classification::Invalid("not a request of this source".to_owned()),
    };
    if status == 200 && is_complete {
        return Classification::Answer;
    }
    if let Some(wall) = find_wall(status, body) {
        return Classification::Blocked(wall);
    }
    match status {
        200 => {}
        429 => return Classification::RetryLater(format!("HTTP {status}")),
        500.. => return Classification::Failed(format!("HTTP {status}")),
        401 | 403 => return Classification::Blocked(format!("HTTP {status}")),
        _ => return Classification::Invalid(format!("HTTP {status}")),
    }
    let instead = match body.trim_ascii_start() {
        [] => "an empty body",
        start if is_html(start) => "another page",
        _ => "a truncated or unexpected document",
    };
    Classification::Invalid(format!("{instead} in place of {description}"))
}

/// Returns the reason if the response is a challenge or login page.
fn find_wall(status: u16, body: &[u8]) -> Option<String> {
    let start = body.trim_ascii_start();
    if !is_html(start) {
        return None;
    }
    let has_any = |words: [&str; 3]| words.iter().any(|word| contains_ignore_case(start, word));
    if has_any(["just a moment", "cf-chl", "challenge-platform"]) {
        return Some(format!("a Cloudflare challenge, HTTP {status}"));
    }
    has_any(["type=\"password\"", "type='password'", "type=password"])
        .then(|| format!("a login page, HTTP {status}"))
}

fn is_html(start: &[u8]) -> bool {
    let start = &start[..start.len().min(64)];
    contains_ignore_case(start, "<!doctype html")
        || contains_ignore_case(start, "<html")
        || contains_ignore_case(start, "<head")
}

/// True if the body is a complete feed.
fn is_complete_feed(body: &[u8], root: &str) -> bool {
    let start = &body[..body.len().min(256)];
    let body = body.trim_ascii_end();
    let ends = [format!("</{root}>"), format!("<{root}/>")];
    contains_ignore_case(start, &format!("<{root}"))
        && ends.iter().any(|end| body.ends_with(end.as_bytes()))
}

/// True if the body is a complete page that contains the word.
fn is_complete_page(body: &[u8], word: &str) -> bool {
    is_complete(body) && contains_ignore_case(body, word)
}

fn contains_ignore_case(text: &[u8], word: &str) -> bool {
    let text = &text[..text.len().min(MAX_SEARCHED_BYTES)];
    let mut parts = text.windows(word.len());
    parts.any(|part| part.eq_ignore_ascii_case(word.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::requests::Division;

    #[test]
    fn known_bodies_are_classified() {
        let (rounds, results) = (TopcoderRequest::RoundList, TopcoderRequest::RoundResults(9601));
        let (matches, stats) =
            (TopcoderRequest::MatchList(1), TopcoderRequest::RoundStats(9601, Division::One));
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
            (results, 502, "<html>Bad gateway</html>", "Failed"),
            (matches, 200, page, "Answer"),
            (matches, 200, &page[..50], "Invalid"),
            (stats, 200, page, "Invalid"),
            (stats, 200, "<html>Division-I</html>", "Answer"),
            (stats, 200, &next, "Blocked"),
        ] {
            let found = format!("{:?}", classify(Some(question), status, body.as_bytes()));
            assert!(found.starts_with(verdict), "{status} {body}: {found}");
        }
        assert!(matches!(classify(None, 200, feed.as_bytes()), Classification::Invalid(_)));
    }
}
