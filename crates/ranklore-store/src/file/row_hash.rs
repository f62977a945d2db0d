//! Hashes of rows: 8 bytes of BLAKE3 over their values.

use rusqlite::Connection;
use rusqlite::types::ValueRef;

use crate::ids::{CompetitorId, ContestId, RunId};

/// Bytes that are hashed at once: BLAKE3 is several times faster on them than on single rows.
const CHUNK_BYTES: usize = 1 << 14;

/// Hashes values, each preceded by its type and length, so that different values never yield the
/// same bytes.
#[derive(Debug, Default)]
pub(crate) struct RowHasher {
    /// Bytes that are not hashed yet.
    bytes: Vec<u8>,
    /// The hasher of the bytes before them, once there are any.
    hasher: Option<Box<blake3::Hasher>>,
}

impl RowHasher {
    pub(crate) fn write_integer(&mut self, integer: i64) {
        self.bytes.push(1);
        self.bytes.extend_from_slice(&integer.to_le_bytes());
    }

    pub(crate) fn write_number(&mut self, number: Option<f64>) {
        let Some(number) = number else {
            return self.bytes.push(0);
        };
        self.bytes.push(2);
        // SQLite does not store negative zero.
        let bits = (number + 0.0).to_bits();
        self.bytes.extend_from_slice(&bits.to_le_bytes());
    }

    pub(crate) fn write_value(&mut self, value: ValueRef<'_>) {
        match value {
            ValueRef::Null => self.write_number(None),
            ValueRef::Integer(integer) => self.write_integer(integer),
            ValueRef::Real(number) => self.write_number(Some(number)),
            ValueRef::Text(bytes) => self.write_bytes(3, bytes),
            ValueRef::Blob(bytes) => self.write_bytes(4, bytes),
        }
    }

    fn write_bytes(&mut self, tag: u8, bytes: &[u8]) {
        self.bytes.push(tag);
        self.bytes.extend_from_slice(&(bytes.len() as u64).to_le_bytes());
        self.bytes.extend_from_slice(bytes);
    }

    /// Adds a row of `rating`: rating, uncertainty, performance, volatility, rating before. The rows
    /// of a contest come in the order of their competitor ids.
    pub(crate) fn write_rating(&mut self, competitor: CompetitorId, numbers: [Option<f64>; 5]) {
        self.write_integer(competitor.get());
        for number in numbers {
            self.write_number(number);
        }
        if self.bytes.len() >= CHUNK_BYTES {
            self.hasher.get_or_insert_default().update(&self.bytes);
            self.bytes.clear();
        }
    }

    /// Returns the hash of everything written, and starts anew.
    pub(crate) fn finish(&mut self) -> i64 {
        let hash = match self.hasher.take() {
            None => blake3::hash(&self.bytes),
            Some(mut hasher) => hasher.update(&self.bytes).finalize(),
        };
        self.bytes.clear();
        let (first, _) = hash.as_bytes().split_first_chunk().unwrap_or((&[0; 8], &[]));
        i64::from_le_bytes(*first)
    }
}

/// The parts of a rating row from which current ratings follow.
#[derive(Clone, Copy)]
pub(crate) struct RatedCompetitor {
    pub(crate) competitor_id: CompetitorId,
    pub(crate) mu: f64,
    pub(crate) sigma: f64,
    pub(crate) volatility: Option<f64>,
}

/// The rating rows of a contest in a run.
pub(crate) struct HashedRatings<'r> {
    pub(crate) contest_id: ContestId,
    pub(crate) rows: &'r [RatedCompetitor],
    /// Their hash, as in `run_contest.rows_hash`.
    pub(crate) hash: i64,
}

/// Calls `each` with the rating rows of each contest of a run that has any, ordered by contest id.
pub(crate) fn for_each_rows_hash(
    connection: &Connection,
    run_id: RunId,
    mut each: impl FnMut(HashedRatings<'_>),
) -> rusqlite::Result<()> {
    let mut statement = connection.prepare_cached(
        "SELECT contest_id, competitor_id, mu, sigma, performance, volatility, mu_before
         FROM rating WHERE run_id = ?1 ORDER BY contest_id, competitor_id",
    )?;
    let mut ratings = statement.query([run_id])?;
    let mut hasher = RowHasher::default();
    let mut contest: Option<ContestId> = None;
    let mut rows = Vec::new();
    // `None` after the last row ends the last contest.
    loop {
        let row = ratings.next()?;
        let next_contest: Option<ContestId> = row.map(|row| row.get(0)).transpose()?;
        if let Some(contest_id) = contest
            && next_contest != contest
        {
            each(HashedRatings {
                contest_id,
                rows: &rows,
                hash: hasher.finish(),
            });
            rows.clear();
        }
        contest = next_contest;
        let Some(row) = row else { return Ok(()) };
        let rated = RatedCompetitor {
            competitor_id: row.get(1)?,
            mu: row.get(2)?,
            sigma: row.get(3)?,
            volatility: row.get(5)?,
        };
        let mu = Some(rated.mu);
        let sigma = Some(rated.sigma);
        let numbers = [mu, sigma, row.get(4)?, rated.volatility, row.get(6)?];
        hasher.write_rating(rated.competitor_id, numbers);
        rows.push(rated);
    }
}
