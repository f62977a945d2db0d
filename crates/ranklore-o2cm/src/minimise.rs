//! What of an answer is archived.

use std::borrow::Cow;

use crate::ask::Question;
use crate::page::Page;
use crate::text::decode;

/// The field in which somebody out of all competitors can be chosen.
const EVERYBODY: &str = "selEnt";

/// Of a competition, without the list of all its competitors by name and number: who stands in
/// its heats is named there.
pub(crate) fn minimise<'b>(question: Option<&Question>, body: &'b [u8]) -> Cow<'b, [u8]> {
    if !matches!(question, Some(Question::Competition(_))) {
        return Cow::Borrowed(body);
    }
    let text = decode(body);
    let page = Page::read(&text);
    let people = page
        .field(EVERYBODY)
        .map_or(&[][..], |field| &field.choices);
    let people = people.iter().filter(|choice| !choice.value.is_empty());
    let mut left = String::new();
    let mut from = 0;
    for choice in people {
        left.push_str(&text[from..choice.range.start]);
        from = choice.range.end;
    }
    if from == 0 {
        return Cow::Borrowed(body);
    }
    left.push_str(&text[from..]);
    Cow::Owned(left.into_bytes())
}
