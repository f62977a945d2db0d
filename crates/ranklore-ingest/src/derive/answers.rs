//! The answers to one question, without those that say what the one before said.

use ranklore_store::DocumentRow;

/// An answer, and those in a row that said the same.
pub(crate) struct Answers {
    /// The newest of them.
    pub(crate) newest: DocumentRow,
    /// When the first of them came.
    pub(crate) since: i64,
}

/// Answers that differ from the one before, of rows and as answers the newest first.
pub(crate) fn distinct(rows: Vec<DocumentRow>) -> Vec<Answers> {
    let mut answers: Vec<Answers> = Vec::new();
    for row in rows {
        match answers.last_mut() {
            Some(last) if last.newest.blake3 == row.blake3 && last.newest.status == row.status => {
                last.since = row.fetched_at;
            }
            _ => answers.push(Answers {
                since: row.fetched_at,
                newest: row,
            }),
        }
    }
    answers
}
