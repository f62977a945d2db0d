//! The canonical content hash of a database, independent of ids, clocks and history.

use std::collections::BTreeMap;

use crate::error::Result;
use crate::file::columns::queries;
use crate::file::open::Store;
use crate::ids::ContestId;
use crate::read::replay::ContestRow;
use crate::results::external_ids::compare_external_ids;
use crate::runs::ratings::RunRow;

/// Hashes values, each preceded by its length or a tag, so that different values never yield the
/// same bytes.
struct CanonicalHasher(blake3::Hasher);

impl CanonicalHasher {
    fn write_text(&mut self, text: &str) {
        self.write_count(text.len());
        self.0.update(text.as_bytes());
    }

    fn write_optional_text(&mut self, text: Option<&str>) {
        self.0.update(&[u8::from(text.is_some())]);
        self.write_text(text.unwrap_or_default());
    }

    fn write_count(&mut self, count: usize) {
        self.0.update(&(count as u64).to_le_bytes());
    }

    fn write_number(&mut self, number: Option<f64>) {
        self.0.update(&[u8::from(number.is_some())]);
        // SQLite does not store negative zero.
        let bits = (number.unwrap_or(0.0) + 0.0).to_bits();
        self.0.update(&bits.to_le_bytes());
    }
}

/// Rating rows by the competitor independent of ids, source, kind and external id; the numbers are in
/// the order of the table.
type NamedRatings = BTreeMap<
    (String, String, String),
    (Option<f64>, Option<f64>, Option<f64>, Option<f64>, Option<f64>),
>;

queries! {
    fn named_ratings(run: &RunRow, contest_id: ContestId) -> NamedRatings =
        "SELECT source.name, kind, external_id, mu, sigma, performance, volatility,
             mu_before
         FROM rating JOIN competitor USING (competitor_id) JOIN source USING (source_id)
         WHERE run_id = ?1 AND contest_id = ?2", [run.run_id, contest_id];
}

impl Store {
    /// Returns a hash of the sources, contests with standings and members, starting ratings,
    /// effects of decisions (merges, names, withdrawals) and the exact ratings of every run. It is
    /// equal for two databases with the same content, in whatever order it was inserted. Excluded
    /// are ids, clocks, revisions, the archive, evaluations, and competitors without standings.
    ///
    /// # Errors
    /// Errors if the database cannot be read.
    pub fn content_hash(&self) -> Result<[u8; 32]> {
        let _snapshot = self.snapshot_if_needed()?;
        let mut hash = CanonicalHasher(blake3::Hasher::new());
        let mut contests = self.all_contests()?;
        contests.sort_by(|a, b| {
            let by_source = a.source.cmp(&b.source);
            by_source.then_with(|| compare_external_ids(&a.external_id, &b.external_id))
        });
        let sources = self.sources()?;
        hash.write_count(sources.len());
        for source in &sources {
            hash.write_text(&source.name);
        }
        hash.write_count(contests.len());
        for contest in &contests {
            self.hash_contest(&mut hash, contest)?;
        }
        self.hash_starting_ratings(&mut hash)?;
        self.hash_decisions(&mut hash)?;
        let mut runs = self.runs()?;
        runs.sort_by(|a, b| {
            (&a.system, &a.parameters, &a.selection).cmp(&(&b.system, &b.parameters, &b.selection))
        });
        hash.write_count(runs.len());
        for run in &runs {
            self.hash_run(&mut hash, run, &contests)?;
        }
        Ok(*hash.0.finalize().as_bytes())
    }

    fn hash_contest(&self, hash: &mut CanonicalHasher, contest: &ContestRow) -> Result<()> {
        hash.write_text(&contest.source);
        hash.write_text(&contest.external_id);
        hash.write_optional_text(contest.url.as_deref());
        hash.write_text(contest.state.as_str());
        hash.write_count(contest.rated.into());
        hash.write_count(contest.withdrawn_at.is_some().into());
        // Computed from the rows, not read from the column `content_hash`.
        if contest.ends_at.is_some() {
            let content = self.load_contest(contest.contest_id)?.content_hash();
            hash.0.update(content.as_bytes());
        } else {
            hash.write_text(&contest.name);
        }
        Ok(())
    }

    fn hash_starting_ratings(&self, hash: &mut CanonicalHasher) -> Result<()> {
        self.for_each_row(
            "SELECT source.name, kind, external_id, start_mu, start_sigma
             FROM competitor JOIN source USING (source_id) WHERE start_mu IS NOT NULL
             ORDER BY 1, 2, 3",
            [],
            |row| {
                hash.write_text("start");
                for column in 0..3 {
                    hash.write_text(row.get_ref(column)?.as_str()?);
                }
                hash.write_number(row.get(3)?);
                hash.write_number(row.get(4)?);
                Ok(())
            },
        )
    }

    /// Hashes merges, and the names of competitors with standings where they differ from the
    /// external id.
    fn hash_decisions(&self, hash: &mut CanonicalHasher) -> Result<()> {
        self.for_each_row(
            "SELECT source.name, c.kind, c.external_id, c.name, into_.external_id
             FROM competitor AS c JOIN source USING (source_id)
             LEFT JOIN competitor AS into_ ON into_.competitor_id = c.merged_into
             WHERE c.merged_into IS NOT NULL OR (c.name <> c.external_id AND (
                 EXISTS (SELECT 1 FROM standing WHERE competitor_id = c.competitor_id)
                 OR EXISTS (SELECT 1 FROM member WHERE person_id = c.competitor_id)))
             ORDER BY 1, 2, 3",
            [],
            |row| {
                hash.write_text("decided");
                for column in 0..4 {
                    hash.write_text(row.get_ref(column)?.as_str()?);
                }
                hash.write_optional_text(row.get_ref(4)?.as_str_or_null()?);
                Ok(())
            },
        )
    }

    fn hash_run(
        &self,
        hash: &mut CanonicalHasher,
        run: &RunRow,
        contests: &[ContestRow],
    ) -> Result<()> {
        for text in [&run.system, &run.parameters, &run.selection, &run.engine] {
            hash.write_text(text);
        }
        for contest in contests {
            let rows = self.named_ratings(run, contest.contest_id)?;
            if rows.is_empty() {
                continue;
            }
            hash.write_text(&contest.source);
            hash.write_text(&contest.external_id);
            hash.write_count(rows.len());
            for ((source, kind, external_id), numbers) in &rows {
                for text in [source, kind, external_id] {
                    hash.write_text(text);
                }
                let (mu, sigma, performance, volatility, mu_before) = *numbers;
                for number in [mu, sigma, performance, volatility, mu_before] {
                    hash.write_number(number);
                }
            }
        }
        hash.write_text("end");
        Ok(())
    }
}
