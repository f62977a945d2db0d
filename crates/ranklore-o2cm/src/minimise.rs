//! Minimisation of responses before archiving.

use std::borrow::Cow;

use crate::requests::O2cmRequest;
use crate::text::decode;

/// Name of the field that lists all competitors by name and number.
const COMPETITORS_FIELD: &str = "selent";

/// Removes the list of all competitors from a competition: the heats name those in them.
pub(crate) fn minimise<'b>(question: Option<&O2cmRequest>, body: &'b [u8]) -> Cow<'b, [u8]> {
    if !matches!(question, Some(O2cmRequest::Competition(_))) {
        return Cow::Borrowed(body);
    }
    let text = decode(body);
    match strip_competitors(&text) {
        Cow::Borrowed(_) => Cow::Borrowed(body),
        Cow::Owned(stripped) => Cow::Owned(stripped.into_bytes()),
    }
}

/// Removes the options of `<select name=selEnt>`. Pages are read without them too, so an archived
/// page reads like the original.
pub(crate) fn strip_competitors(page: &str) -> Cow<'_, str> {
    let lower = page.to_ascii_lowercase();
    let find = |from: usize, tag: &str| Some(from + lower[from..].find(tag)?);
    let mut stripped = String::new();
    let mut from = 0;
    let mut at = 0;
    while let Some(start) = find(at, "<select")
        && let Some(inside) = find(start, ">").map(|end| end + 1)
    {
        let mut tags = lower[inside..].match_indices('<').map(|(at, _)| inside + at);
        let end = tags.find(|&tag| {
            let mut options = ["<option", "</option"].iter();
            !options.any(|option| lower[tag..].starts_with(option))
        });
        at = end.unwrap_or(lower.len());
        let lists_competitors = lower[start..inside - 1]
            .split_ascii_whitespace()
            .filter_map(|attribute| attribute.split_once('='))
            .any(|(name, value)| {
                name == "name" && value.trim_matches(['"', '\'']) == COMPETITORS_FIELD
            });
        if lists_competitors && inside < at && lower[at..].starts_with("</select") {
            stripped.push_str(&page[from..inside]);
            from = at;
        }
    }
    if from == 0 {
        return Cow::Borrowed(page);
    }
    Cow::Owned(stripped + &page[from..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_competitor_options_are_removed() {
        for (page, kept) in [
            (
                "<SELECT id=x name=\"selEnt\">\n<OPTION>Vale, Ada</OPTION></SELECT>é",
                "<SELECT id=x name=\"selEnt\"></SELECT>é",
            ),
            (
                "<select name=selEnt>a</select><select name='selent'>b</select>",
                "<select name=selEnt></select><select name='selent'></select>",
            ),
        ] {
            assert_eq!(strip_competitors(page), kept);
            assert_eq!(strip_competitors(kept), kept);
        }
        for page in [
            "",
            "<select name=selDiv><option>a</select>",
            "<select name=selEnt><option>a",
            "<select name=selEnt><option>a<table></select>",
            "<select name=selEnt",
        ] {
            assert_eq!(strip_competitors(page), page);
        }
    }
}
