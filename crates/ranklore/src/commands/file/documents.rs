//! `ranklore documents`

use std::collections::HashSet;
use std::io::{IsTerminal, Write};

use anyhow::{bail, ensure};
use clap::Args;
use ranklore_contest::{ContestTime, SourceName};
use ranklore_replay::find_source;
use ranklore_store::{DocumentId, DocumentRow, Error, Store};
use ranklore_views::{CellValue, Columns, Page};
use serde::Serialize;
use serde_json::Value;

use crate::commands::source_argument::resolve_source;
use crate::exit::Exit;
use crate::json::OfSource;
use crate::output::{
    escape_line, escape_text, format_hex, format_plural, format_size, join_words, or_dash,
    print_line, print_table,
};
use crate::paging::{list_page, print_rest};
use crate::{GlobalArgs, values};

/// List the archived documents of a source, print one, or verify all
///
/// A document is an imported file or an answer of a site. Its key is the path of the file or the
/// request. Only the newest document of a key is in use; older ones are superseded. A redacted
/// document had the name of a forgotten person.
#[derive(Debug, Args)]
pub(crate) struct DocumentsArgs {
    /// Source of the documents [default: the only one of the database]
    #[arg(value_name = "SOURCE", value_parser = values::parse_source)]
    source: Option<SourceName>,
    /// List the documents stored by the end of this day, or by this time
    #[arg(long, value_name = "DATE", value_parser = values::parse_end_time)]
    as_of: Option<ContestTime>,
    /// Print the stored bytes of this document, and nothing else
    #[arg(long, value_name = "ID", conflicts_with_all = ["as_of", "verify", "json", "format", "limit", "offset"])]
    show: Option<i64>,
    /// Read every document and compare it with its hash
    #[arg(long, conflicts_with_all = ["limit", "offset"])]
    verify: bool,
    #[command(flatten)]
    paging: Page,
}

/// A document in a list.
#[derive(Serialize)]
struct ListedDocument {
    /// The id, for `--show`.
    document_id: DocumentId,
    /// The time at which it was requested or imported, in Unix seconds.
    fetched_at: i64,
    /// The path of an imported file, or the request.
    request_key: String,
    /// The URL; `None` for a file.
    url: Option<String>,
    /// The HTTP status; `None` for a file.
    status: Option<u16>,
    /// The media type, if the site gave one.
    media_type: Option<String>,
    /// The options it is read with.
    reading: Option<Value>,
    /// The size in bytes.
    length: u64,
    /// The BLAKE3 hash in hexadecimal.
    blake3: String,
    /// True if a newer document of its key replaces it.
    superseded: bool,
    /// True if it named a forgotten person and holds only the data read from it.
    redacted: bool,
}

impl DocumentsArgs {
    pub(crate) fn run(self, global: &GlobalArgs) -> anyhow::Result<Exit> {
        let store = Store::open_reader(global.db())?;
        let snapshot = store.snapshot()?;
        let source = resolve_source(&store, self.source, None)?;
        let source_id = find_source(&store, &source)?;
        if let Some(id) = self.show {
            let document = store.document(DocumentId::new(id))?;
            drop(snapshot);
            ensure!(
                document.row.source_id == source_id,
                "document {id} does not belong to {source}; `{}` lists its documents",
                global.with_db(&format!("ranklore documents {source}"))
            );
            print_body(global, &source, id, &document.body)?;
            return Ok(Exit::Done);
        }
        let mut rows = store.documents(source_id)?;
        rows.retain(|row| self.as_of.is_none_or(|as_of| row.fetched_at <= as_of.get()));
        if self.verify {
            return verify(&store, &rows, &source, global);
        }
        drop(snapshot);
        let page = list_page(self.paging, sort_newest_first(rows));
        let result = OfSource::new(&source, &page);
        global.print_rows(&result, &page, &columns().keys(), || {
            print_table(columns(), &page.rows)?;
            print_rest(Some(page.extent()))
        })
    }
}

/// Returns the columns of documents.
fn columns() -> Columns<'static, ListedDocument> {
    Columns::new()
        .right(("document_id", "id"), |row: &ListedDocument| row.document_id.to_string())
        .left(("fetched_at", "stored"), |row| values::format_minute(row.fetched_at))
        .left(("request_key", "key"), |row| CellValue::text(&row.request_key))
        .important()
        .data(&["url"])
        .right("status", |row| or_dash(row.status.map(|status| status.to_string())))
        .left(("media_type", "type"), |row| or_dash(row.media_type.clone()))
        .data(&["reading.format"])
        .right(("length", "size"), |row| format_size(row.length))
        .left(("blake3", "hash"), |row| row.blake3[..12].to_owned())
        .data(&["superseded", "redacted"])
        .left("remarks", |row| {
            let marks = [(row.superseded, "superseded"), (row.redacted, "redacted")];
            join_words(marks.into_iter().filter(|mark| mark.0).map(|mark| mark.1))
        })
        .not_in_data()
}

fn sort_newest_first(oldest_first: Vec<DocumentRow>) -> Vec<ListedDocument> {
    let mut keys = HashSet::new();
    let rows = oldest_first.into_iter().rev();
    rows.map(|row| {
        // The first document of a key is the newest, and replaces the others.
        let superseded = !keys.insert(row.request_key.clone());
        ListedDocument {
            document_id: row.document_id,
            fetched_at: row.fetched_at,
            request_key: row.request_key,
            url: row.url,
            status: row.status,
            media_type: row.media_type,
            reading: row.reading.and_then(|reading| serde_json::from_str(&reading).ok()),
            length: row.length,
            blake3: format_hex(&row.blake3),
            superseded,
            redacted: row.redacted,
        }
    })
    .collect()
}

/// Writes the bytes to standard output; to a terminal only plain text.
fn print_body(
    global: &GlobalArgs,
    source: &SourceName,
    id: i64,
    body: &[u8],
) -> anyhow::Result<()> {
    let mut out = std::io::stdout().lock();
    if out.is_terminal() && !is_plain_text(body) {
        let command = global.with_db(&format!("ranklore documents {source} --show {id}"));
        bail!("document {id} is not plain text; write it to a file: {command} > FILE");
    }
    out.write_all(body)?;
    out.flush()?;
    Ok(())
}

/// True if the bytes are text without control sequences.
fn is_plain_text(body: &[u8]) -> bool {
    std::str::from_utf8(body).is_ok_and(|text| {
        let text = text.replace("\r\n", "\n").replace('\t', " ");
        escape_text(&text) == text
    })
}

/// The result of `documents --verify`.
#[derive(Serialize)]
struct Verified<'a> {
    /// The number of documents read.
    documents: usize,
    /// The bytes of these documents.
    bytes: u64,
    /// The documents that do not match their hash.
    damaged: &'a [DamagedDocument<'a>],
}

/// A document whose bytes do not have its hash.
#[derive(Serialize)]
struct DamagedDocument<'a> {
    /// The id.
    document_id: DocumentId,
    /// The path of an imported file, or the request.
    request_key: &'a str,
    /// The reason in words.
    why: String,
}

fn verify(
    store: &Store,
    rows: &[DocumentRow],
    source: &SourceName,
    global: &GlobalArgs,
) -> anyhow::Result<Exit> {
    let mut damaged_documents = Vec::new();
    let mut bytes = 0;
    for row in rows {
        match store.document(row.document_id) {
            Ok(document) => bytes += document.body.len() as u64,
            Err(Error::DamagedDocument { reason, .. }) => damaged_documents.push(DamagedDocument {
                document_id: row.document_id,
                request_key: &row.request_key,
                why: reason,
            }),
            Err(error) => return Err(error.into()),
        }
    }
    let result = Verified {
        documents: rows.len(),
        bytes,
        damaged: &damaged_documents,
    };
    global.print_result(&OfSource::new(source, result), || {
        for document in &damaged_documents {
            let id = document.document_id;
            let key = document.request_key;
            let reason = &document.why;
            print_line(&escape_line(&format!("document {id} ({key}): {reason}")))?;
        }
        let documents = format_plural(rows.len() as u64, "document");
        print_line(&format!(
            "{source}: {documents} read, {}, {} damaged",
            format_size(bytes),
            damaged_documents.len()
        ))
    })?;
    Ok(Exit::Failed.unless(damaged_documents.is_empty()))
}

#[cfg(test)]
mod tests {
    use super::is_plain_text;

    #[test]
    fn terminal_gets_only_plain_text() {
        for plain in ["", "a,b\r\n1,\t2\n", "{\"name\": \"Šárka 王\"}"] {
            assert!(is_plain_text(plain.as_bytes()), "{plain:?}");
        }
        let wrong: [&[u8]; 5] = [b"a\x1b[2J", b"a\rb", b"\xff", b"\0", "\u{202e}".as_bytes()];
        for wrong in wrong {
            assert!(!is_plain_text(wrong), "{wrong:?}");
        }
    }
}
