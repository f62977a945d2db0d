//! Classification of responses before archiving.

use ranklore_source::Verdict;
use ranklore_source::html::is_complete;

use crate::ask::Question;
use crate::{heats, months};

pub(crate) fn classify(question: Option<&Question>, status: u16, body: &[u8]) -> Verdict {
    match status {
        200 => {}
        403 | 429 => return Verdict::RetryLater(format!("rate limit exceeded, HTTP {status}")),
        // All requested pages exist; the site answers 404 to programs it rejects.
        404 => {
            let why = "HTTP 404 for an existing page, as the site answers programs that it rejects";
            return Verdict::Blocked(why.to_owned());
        }
        _ => return Verdict::Invalid(format!("HTTP {status}")),
    }
    let form = match question {
        Some(Question::Months | Question::Month(_)) => months::FORM,
        Some(Question::Competition(_)) => heats::FORM,
        Some(Question::Scoresheet) | None => {
            return Verdict::Invalid("not a request of this source".to_owned());
        }
    };
    if !is_complete(body) {
        Verdict::Invalid("a truncated page".to_owned())
    } else if !holds(body, form.as_bytes()) {
        Verdict::Invalid(format!("a page without the form {form}"))
    } else {
        Verdict::Answer
    }
}

fn holds(body: &[u8], word: &[u8]) -> bool {
    body.windows(word.len())
        .any(|part| part.eq_ignore_ascii_case(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_known_answer_has_its_verdict() {
        let months = Question::Months;
        let whole = "<HTML><form name=FilterList></form></HTML>\r\n";
        let word = |status, body: &str| {
            let verdict = classify(Some(&months), status, body.as_bytes());
            let text = format!("{verdict:?}");
            text.split('(').next().unwrap().to_owned()
        };
        for (status, body, verdict) in [
            (200, whole, "Answer"),
            (200, "<HTML><form name=FilterList></form></HT", "Invalid"),
            (200, "<html>Please sign in</html>", "Invalid"),
            (200, "", "Invalid"),
            (403, "", "RetryLater"),
            (429, whole, "RetryLater"),
            (404, "<html>Not found</html>", "Blocked"),
            (500, "<font>Error</font>", "Invalid"),
            (302, "", "Invalid"),
        ] {
            assert_eq!(word(status, body), verdict, "{status} {body}");
        }
        assert!(matches!(
            classify(None, 200, whole.as_bytes()),
            Verdict::Invalid(_)
        ));
    }
}
