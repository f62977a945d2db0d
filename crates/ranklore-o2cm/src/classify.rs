//! What to make of an answer before it is archived.

use ranklore_source::Verdict;

use crate::ask::Question;
use crate::{heats, months, scoresheet};

pub(crate) fn judge(question: Option<&Question>, status: u16, body: &[u8]) -> Verdict {
    match status {
        200 => {}
        403 | 429 => return Verdict::Later(format!("asked too often, HTTP {status}")),
        // Every question is put to a page that is there; programs it does not like get this.
        404 => {
            let why = "the site says that its pages are not there, as it does to programs that \
                       it does not know, HTTP 404";
            return Verdict::Blocked(why.to_owned());
        }
        _ => return Verdict::Bad(format!("HTTP {status}")),
    }
    let form = match question {
        Some(Question::Months | Question::Month(_)) => months::FORM,
        Some(Question::Competition(_)) => heats::FORM,
        Some(Question::Scoresheet(_)) => scoresheet::FORM,
        None => return Verdict::Bad("nobody asked this".to_owned()),
    };
    if !ends(body) {
        Verdict::Bad("a page that is cut off".to_owned())
    } else if !holds(body, form.as_bytes()) {
        Verdict::Bad(format!("a page without the form {form}"))
    } else {
        Verdict::Answer
    }
}

fn ends(body: &[u8]) -> bool {
    const END: &[u8] = b"</html>";
    let body = body.trim_ascii_end();
    let start = body.len().saturating_sub(END.len());
    body[start..].eq_ignore_ascii_case(END)
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
            let verdict = judge(Some(&months), status, body.as_bytes());
            let text = format!("{verdict:?}");
            text.split('(').next().unwrap().to_owned()
        };
        for (status, body, verdict) in [
            (200, whole, "Answer"),
            (200, "<HTML><form name=FilterList></form></HT", "Bad"),
            (200, "<html>Please sign in</html>", "Bad"),
            (200, "", "Bad"),
            (403, "", "Later"),
            (429, whole, "Later"),
            (404, "<html>Not found</html>", "Blocked"),
            (500, "<font>Error</font>", "Bad"),
            (302, "", "Bad"),
        ] {
            assert_eq!(word(status, body), verdict, "{status} {body}");
        }
        assert!(matches!(
            judge(None, 200, whole.as_bytes()),
            Verdict::Bad(_)
        ));
    }
}
