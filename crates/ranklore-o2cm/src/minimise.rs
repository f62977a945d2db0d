//! The part of an answer that is archived.

use std::borrow::Cow;

use ranklore_source::html::Page;

use crate::ask::Question;
use crate::text::decode;

/// The field that offers all competitors by name and number.
const COMPETITORS: &str = "selEnt";

/// Returns a competition without the list of all its competitors: the heats name those in them.
/// A page that would read differently without the list is kept as it is.
pub(crate) fn minimise<'b>(question: Option<&Question>, body: &'b [u8]) -> Cow<'b, [u8]> {
    if !matches!(question, Some(Question::Competition(_))) {
        return Cow::Borrowed(body);
    }
    let text = decode(body);
    let kept = without_competitors(&text);
    let rest = |text: &str| {
        let mut page = Page::read("", text).ok()?;
        let listed = |name: &str| name.eq_ignore_ascii_case(COMPETITORS);
        page.fields.retain(|field| !listed(&field.name));
        Some(page)
    };
    if kept.len() == text.len() || rest(&kept) != rest(&text) {
        return Cow::Borrowed(body);
    }
    Cow::Owned(kept.into_bytes())
}

/// Cuts the contents of every `<select name=selEnt>` out of a page.
fn without_competitors(text: &str) -> String {
    let lower = text.to_ascii_lowercase();
    let find = |from: usize, tag: &str| Some(from + lower[from..].find(tag)?);
    let mut kept = String::new();
    let mut from = 0;
    let mut at = 0;
    while let Some(start) = find(at, "<select") {
        let Some(inside) = find(start, ">") else {
            break;
        };
        at = inside;
        let of_competitors = lower[start..inside]
            .split_ascii_whitespace()
            .any(|attribute| {
                let (name, value) = attribute.split_once('=').unwrap_or_default();
                name == "name"
                    && value
                        .trim_matches(['"', '\''])
                        .eq_ignore_ascii_case(COMPETITORS)
            });
        if of_competitors {
            let Some(end) = find(inside, "</select") else {
                break;
            };
            kept.push_str(&text[from..=inside]);
            from = end;
            at = end;
        }
    }
    kept + &text[from..]
}
