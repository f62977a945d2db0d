//! Classification of responses before archiving.

use ranklore_source::Classification;
use ranklore_source::html::is_complete;

use crate::requests::O2cmRequest;
use crate::{months, standings};

pub(crate) fn classify(question: Option<&O2cmRequest>, status: u16, body: &[u8]) -> Classification {
    match status {
        200 => {}
        403 | 429 => {
            return Classification::RetryLater(format!("rate limit exceeded, HTTP {status}"));
        }
        // All requested pages exist; the site answers 404 to programs it rejects.
        404 => {
            let reason =
                "HTTP 404 for an existing page, as the site answers programs that it rejects";
            return Classification::Blocked(reason.to_owned());
        }
        _ => return Classification::Invalid(format!("HTTP {status}")),
    }
    let form = match question {
        Some(O2cmRequest::Months | O2cmRequest::Month(_)) => months::FORM_NAME,
        Some(O2cmRequest::Competition(_)) => standings::FORM_NAME,
        Some(O2cmRequest::Scoresheet) | None => {
            return Classification::Invalid("not a request of this source".to_owned());
        }
    };
    if !is_complete(body) {
        Classification::Invalid("a truncated page".to_owned())
    } else if !contains_ignore_case(body, form.as_bytes()) {
        Classification::Invalid(format!("a page without the form {form}"))
    } else {
        Classification::Answer
    }
}

fn contains_ignore_case(body: &[u8], word: &[u8]) -> bool {
    body.windows(word.len()).any(|part| part.eq_ignore_ascii_case(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_bodies_are_classified() {
        let months = O2cmRequest::Months;
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
        assert!(matches!(classify(None, 200, whole.as_bytes()), Classification::Invalid(_)));
    }
}
