//! Joins the answers of an ICPC contest API that lie beside each other into one document.

use std::collections::BTreeMap;

use ranklore_contest::describe_json_error;
use ranklore_formats::{FileFormat, MAX_DOCUMENT_BYTES};
use serde::de::IgnoredAny;

use crate::import::input_document::InputDocument;

/// The names of the files, which are those of the endpoints, and their fields in the document.
const PARTS: [(&str, &str); 3] = [
    ("contest.json", "contest"),
    ("teams.json", "teams"),
    (SCOREBOARD, "scoreboard"),
];
const SCOREBOARD: &str = "scoreboard.json";

/// Returns the names of the files that belong beside a scoreboard.
pub(crate) fn scoreboard_companions(name: &str) -> impl Iterator<Item = &'static str> {
    let is_scoreboard = name == SCOREBOARD;
    let parts = PARTS.iter().map(|(part, _)| *part);
    parts.filter(move |part| is_scoreboard && *part != SCOREBOARD)
}

/// The other endpoints of the API, which no result needs.
const OTHER_ENDPOINTS: &str = "access account accounts awards clarifications commentary contests \
    event-feed groups judgement-types judgements languages map-info organizations persons \
    problems runs state submissions";

/// True for the answer of an endpoint that no scoreboard needs.
pub(crate) fn is_other_endpoint(key: &str) -> bool {
    let name = key.rsplit('/').next().unwrap_or(key);
    let endpoint = name.strip_suffix(".json").unwrap_or_default();
    OTHER_ENDPOINTS.split(' ').any(|other| other == endpoint)
}

/// The parts found so far, by folder.
#[derive(Default)]
pub(crate) struct IcpcParts {
    folders: BTreeMap<String, [Option<Vec<u8>>; 3]>,
    bytes: usize,
}

impl IcpcParts {
    /// Takes a file and returns a document: the file itself if it is no part, the document of its
    /// folder if it is the last part. The key of that document is the scoreboard.
    pub(crate) fn add(&mut self, file: InputDocument) -> Option<InputDocument> {
        let (folder, name) = match file.key.rsplit_once('/') {
            Some((folder, name)) => (format!("{folder}/"), name),
            None => (String::new(), &*file.key),
        };
        let index = PARTS.iter().position(|(part, _)| *part == name);
        let (Some(index), Ok(bytes)) = (index, &file.bytes) else {
            return Some(file);
        };
        if let Err(error) = serde_json::from_slice::<IgnoredAny>(bytes) {
            let bytes = Err(describe_json_error(&error));
            return Some(InputDocument { bytes, ..file });
        }
        // Parts are held in memory until their folder is complete.
        self.bytes += bytes.len();
        if self.bytes > MAX_DOCUMENT_BYTES {
            let reason =
                "the parts of scoreboards that are not complete are too large: import fewer";
            let bytes = Err(reason.to_owned());
            return Some(InputDocument { bytes, ..file });
        }
        let parts = self.folders.entry(folder.clone()).or_default();
        parts[index] = file.bytes.ok();
        if parts.iter().any(Option::is_none) {
            return None;
        }
        let complete = self.folders.remove(&folder)?;
        let bodies: Vec<Vec<u8>> = complete.into_iter().flatten().collect();
        self.bytes -= bodies.iter().map(Vec::len).sum::<usize>();
        Some(document(&folder, Ok(join(&bodies))))
    }

    /// Returns a refusal for each folder that lacks a part.
    pub(crate) fn finish(self) -> impl Iterator<Item = InputDocument> {
        self.folders.into_iter().map(|(folder, parts)| {
            let missing = PARTS.iter().zip(parts).filter(|(_, part)| part.is_none());
            let names: Vec<&str> = missing.map(|((name, _), _)| *name).collect();
            let reason = format!(
                "lacks {} beside it, the answer of the endpoint of that name",
                names.join(" and ")
            );
            document(&folder, Err(reason))
        })
    }
}

fn document(folder: &str, bytes: Result<Vec<u8>, String>) -> InputDocument {
    InputDocument {
        key: format!("{folder}{SCOREBOARD}"),
        format: FileFormat::Icpc,
        bytes,
    }
}

/// Joins the parts, each of which is JSON, in the order of [`PARTS`].
fn join(parts: &[Vec<u8>]) -> Vec<u8> {
    let mut joined = Vec::new();
    for ((_, field), part) in PARTS.iter().zip(parts) {
        let start = if joined.is_empty() { '{' } else { ',' };
        joined.extend(format!("{start}\"{field}\":").into_bytes());
        // JSON allows no byte order mark inside.
        joined.extend(part.strip_prefix(b"\xef\xbb\xbf").unwrap_or(part));
    }
    joined.push(b'}');
    joined
}
