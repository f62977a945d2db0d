//! Converts YAML to JSON.
//!
//! Plain scalars are numbers, booleans and null as in the core schema of YAML 1.2, with numbers kept as
//! they are written: `NO`, `12:34` and `007` are texts. Several documents become an array.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::ops::Range;

use saphyr_parser::{Event, Parser, ScalarStyle, Span};
use serde_json::value::RawValue;

use crate::document::{FileReadError, Location};
use crate::encodings::decode_text;

/// The deepest nesting of arrays and objects: that of `serde_json`.
const MAX_DEPTH: usize = 128;

/// The most text that aliases repeat: aliases of aliases grow exponentially.
const MAX_REPEATED_BYTES: usize = 16 << 20;

/// Returns a YAML document as JSON.
///
/// # Errors
/// [`FileReadError`] if the document is not YAML, has keys that are not texts or are `<<`, or exceeds
/// the limits.
pub fn convert_yaml(bytes: &[u8]) -> Result<Vec<u8>, FileReadError> {
    let (text, older_encoding) = decode_text(bytes.into())?;
    if older_encoding.is_some() {
        let reason = "this YAML is not UTF-8; save it again as UTF-8";
        return Err(FileReadError::whole_document(reason));
    }
    let mut writer = JsonWriter::default();
    for event in Parser::new_from_str(&text) {
        let (event, span) = event.map_err(|error| {
            let reason = format!("this is not YAML: {}", error.info());
            FileReadError::new(Location::Line(error.marker().line() as u64), reason)
        })?;
        writer.write_event(event, span)?;
    }
    Ok(writer.finish())
}

/// Writes the JSON of the events of a parser.
#[derive(Default)]
struct JsonWriter {
    /// The documents, each with a comma in front of it.
    json: String,
    documents: usize,
    /// The beginning of the current document.
    document_start: usize,
    open_nodes: Vec<OpenNode>,
    /// The JSON of each anchored value.
    anchored: HashMap<usize, Range<usize>>,
    repeated_bytes: usize,
}

/// An array or object that is not closed yet.
struct OpenNode {
    anchor: usize,
    start: usize,
    is_object: bool,
    /// The number of its keys and values.
    items: usize,
}

impl JsonWriter {
    fn write_event(&mut self, event: Event<'_>, span: Span) -> Result<(), FileReadError> {
        let refuse = |reason: &str| {
            Err(FileReadError::new(Location::Line(span.start.line() as u64), reason))
        };
        let is_key =
            self.open_nodes.last().is_some_and(|node| node.is_object && node.items % 2 == 0);
        match event {
            Event::DocumentStart(_) => {
                self.document_start = self.json.len();
                self.json.push(',');
            }
            Event::DocumentEnd => self.end_document(),
            Event::Scalar(text, ScalarStyle::Plain, ..) if is_key && text == "<<" => {
                return refuse("merge keys (<<) are not read: write their fields into each object");
            }
            Event::Scalar(text, style, anchor, tag) => {
                let is_plain = style == ScalarStyle::Plain && tag.is_none() && !is_key;
                self.begin_item();
                let start = self.json.len();
                self.write_scalar(&text, is_plain);
                self.anchored.insert(anchor, start..self.json.len());
            }
            Event::SequenceStart(..) | Event::MappingStart(..) | Event::Alias(_) if is_key => {
                return refuse("a key is not a text: only texts can be keys");
            }
            Event::SequenceStart(anchor, _) => return self.open_node(anchor, false, span),
            Event::MappingStart(anchor, _) => return self.open_node(anchor, true, span),
            Event::SequenceEnd | Event::MappingEnd => self.close_node(),
            Event::Alias(anchor) => {
                let Some(range) = self.anchored.get(&anchor).cloned() else {
                    return refuse("an alias stands within the value that it repeats");
                };
                self.repeated_bytes += range.len();
                if self.repeated_bytes > MAX_REPEATED_BYTES {
                    let limit = MAX_REPEATED_BYTES >> 20;
                    return refuse(&format!("aliases repeat more than {limit} MiB of text"));
                }
                self.begin_item();
                self.json.extend_from_within(range);
            }
            Event::Nothing | Event::StreamStart | Event::StreamEnd => {}
        }
        Ok(())
    }

    /// Counts an item of the innermost array or object, and writes the mark in front of it.
    fn begin_item(&mut self) {
        if let Some(node) = self.open_nodes.last_mut() {
            if node.items > 0 {
                let is_value = node.is_object && node.items % 2 == 1;
                self.json.push(if is_value { ':' } else { ',' });
            }
            node.items += 1;
        }
    }

    fn write_scalar(&mut self, text: &str, is_plain: bool) {
        let word = match text {
            _ if !is_plain => None,
            "" | "~" | "null" | "Null" | "NULL" => Some("null"),
            "true" | "True" | "TRUE" => Some("true"),
            "false" | "False" | "FALSE" => Some("false"),
            number if is_number(number) => Some(number),
            _ => None,
        };
        match word {
            Some(word) => self.json.push_str(word),
            // Writing to a string cannot fail.
            None => write!(self.json, "{}", serde_json::Value::from(text)).unwrap_or_default(),
        }
    }

    fn open_node(
        &mut self,
        anchor: usize,
        is_object: bool,
        span: Span,
    ) -> Result<(), FileReadError> {
        if self.open_nodes.len() == MAX_DEPTH {
            let reason = format!("more than {MAX_DEPTH} arrays and objects are within each other");
            return Err(FileReadError::new(Location::Line(span.start.line() as u64), reason));
        }
        self.begin_item();
        self.open_nodes.push(OpenNode {
            anchor,
            start: self.json.len(),
            is_object,
            items: 0,
        });
        self.json.push(if is_object { '{' } else { '[' });
        Ok(())
    }

    fn close_node(&mut self) {
        if let Some(node) = self.open_nodes.pop() {
            self.json.push(if node.is_object { '}' } else { ']' });
            self.anchored.insert(node.anchor, node.start..self.json.len());
        }
    }

    /// Drops a blank document: a ruler `---` can begin or end the others.
    fn end_document(&mut self) {
        if &self.json[self.document_start..] == ",null" {
            self.json.truncate(self.document_start);
        } else {
            self.documents += 1;
        }
    }

    /// Returns the only document, or an array of all.
    fn finish(self) -> Vec<u8> {
        let mut json = self.json.into_bytes();
        if self.documents == 1 {
            json.remove(0);
        } else {
            if json.is_empty() {
                json.push(b'[');
            }
            json[0] = b'[';
            json.push(b']');
        }
        json
    }
}

/// True for a number of JSON.
fn is_number(text: &str) -> bool {
    text.starts_with(|c: char| c == '-' || c.is_ascii_digit())
        && serde_json::from_str::<&RawValue>(text).is_ok()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn convert(yaml: &str) -> Result<String, String> {
        let json = convert_yaml(yaml.as_bytes()).map_err(|error| error.to_string())?;
        Ok(String::from_utf8(json).unwrap())
    }

    #[test]
    fn values_become_json() {
        for (yaml, json) in [
            (
                "- place: 1\n  name: Ada\n- place: DNF\n",
                r#"[{"place":1,"name":"Ada"},{"place":"DNF"}]"#,
            ),
            (
                "time: 12:34\nid: 007\nland: NO\ngap:\n",
                r#"{"time":"12:34","id":"007","land":"NO","gap":null}"#,
            ),
            (
                "[1.10, -2e3, +5, .5, 1_0, 0x1F, '8', \"9\", !!str 7]",
                r#"[1.10,-2e3,"+5",".5","1_0","0x1F","8","9","7"]"#,
            ),
            ("[true, False, ~, yes]", r#"[true,false,null,"yes"]"#),
            ("1: a\n~: b\n", r#"{"1":"a","~":"b"}"#),
            (
                "a: &x {n: \"Zo\\xEB\"}\nb: *x\nc: [*x]",
                r#"{"a":{"n":"Zoë"},"b":{"n":"Zoë"},"c":[{"n":"Zoë"}]}"#,
            ),
            (
                "name: Ada\n  Lark\nnote: |\n  a\n  b\n",
                "{\"name\":\"Ada Lark\",\"note\":\"a\\nb\\n\"}",
            ),
            ("---\na: 1\n---\n", r#"{"a":1}"#),
            ("---\na: 1\n---\na: 2\n...\n", r#"[{"a":1},{"a":2}]"#),
            ("", "[]"),
        ] {
            assert_eq!(convert(yaml).as_deref(), Ok(json), "{yaml}");
            serde_json::from_str::<serde_json::Value>(json).unwrap();
        }
    }

    #[test]
    fn refusals_name_the_line() {
        for (yaml, error) in [
            ("a: 1\nb: [1\n", "line 3: this is not YAML: "),
            ("a: &x 1\nb:\n  <<: *x\n", "line 3: merge keys (<<) are not read"),
            ("a: 1\n? [b]\n: 1\n", "line 2: a key is not a text"),
            ("&x a: 1\n*x : 2\n", "line 2: a key is not a text"),
            ("&x [*x]", "line 1: an alias stands within"),
        ] {
            let refusal = convert(yaml).unwrap_err();
            assert!(refusal.starts_with(error), "{yaml}: {refusal}");
        }
        assert!(convert(&"- ".repeat(200)).unwrap_err().contains("more than 128 arrays"));
        let mut bomb = "a0: &a0 [xxxxxxxxxx, xxxxxxxxxx]\n".to_owned();
        for level in 1..30 {
            let alias = format!("*a{}", level - 1);
            writeln!(bomb, "a{level}: &a{level} [{alias}, {alias}, {alias}]").unwrap();
        }
        assert!(convert(&bomb).unwrap_err().contains("aliases repeat more than 16 MiB"));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2_000))]

        #[test]
        fn any_text_becomes_json_or_is_refused(pieces in prop::collection::vec(
            prop::sample::select(vec![
                "a", "- ", ": ", "\n", "\n  ", "[", "]", "{", "}", ", ", "&x ", "*x", "!!str ", "'",
                "\"", "|\n", ">-\n", "---\n", "...\n", "? ", "#", "7", "\\", "é", "%YAML 1.2\n", "<<",
            ]),
            0..30,
        )) {
            if let Ok(json) = convert(&pieces.concat()) {
                prop_assert!(serde_json::from_str::<serde_json::Value>(&json).is_ok(), "{}", json);
            }
        }
    }
}
