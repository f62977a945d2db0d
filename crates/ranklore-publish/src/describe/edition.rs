//! Name, version, date and citation of a dataset.

use crate::describe::DatasetDescription;
use crate::describe::escape::{escape_bibtex, escape_markdown};
use crate::digest::FORMAT_VERSION;
use crate::text::format_time;

/// The repository of the program.
pub(super) const REPOSITORY: &str = env!("CARGO_PKG_REPOSITORY");

impl DatasetDescription {
    /// Returns the first 12 digits of the snapshot, enough to tell datasets apart.
    pub(super) fn short_snapshot(&self) -> String {
        let mut digits = self.manifest.snapshot.to_string();
        digits.truncate(12);
        digits
    }

    /// Returns a machine-readable name.
    pub(super) fn slug(&self) -> String {
        format!("ranklore-{}", self.short_snapshot())
    }

    /// Returns a semantic version of format version and snapshot.
    pub(super) fn edition(&self) -> String {
        format!("{FORMAT_VERSION}.0.0+{}", self.short_snapshot())
    }

    /// Returns the collection time of the newest document with results. Not the current time, so
    /// that equal results have equal descriptions.
    pub(super) fn last_collected_at(&self) -> Option<String> {
        let collected = self.sources.iter().filter_map(|source| source.collected_at);
        collected.map(|(_, last)| last).max().map(format_time)
    }

    /// Returns the time of the newest result.
    pub(super) fn last_result_at(&self) -> Option<String> {
        let ended = self.sources.iter().filter_map(|source| source.ends_at);
        ended.map(|(_, last)| last).max().map(format_time)
    }

    fn year(&self) -> Option<String> {
        Some(self.last_collected_at()?.get(..4)?.to_owned())
    }

    /// Returns the credits: the attribution of each source, or its name.
    pub(super) fn credits(&self) -> impl Iterator<Item = &str> {
        self.sources.iter().map(|source| match &*source.attribution {
            "" => &*source.name,
            attribution => attribution,
        })
    }

    /// Returns the citation as a line of Markdown.
    pub(super) fn citation(&self) -> String {
        let credits = self.credits().collect::<Vec<_>>().join("; ");
        let year = self.year().map_or_else(String::new, |y| format!(" ({y})"));
        format!(
            "Results of {}{year}: {}. Dataset, snapshot {}, made with Ranklore {}.",
            escape_markdown(&credits),
            escape_markdown(&self.title),
            self.short_snapshot(),
            escape_markdown(&self.manifest.program),
        )
    }

    /// Returns the citation as `BibTeX`.
    pub(super) fn bibtex(&self) -> String {
        let credits = self
            .credits()
            .map(|credit| format!("{{{}}}", escape_bibtex(credit)))
            .collect::<Vec<_>>()
            .join(" and ");
        let year = self.year().map(|year| format!("  year = {{{year}}},\n"));
        format!(
            "@misc{{{},\n  title = {{{{{}}}}},\n  author = {{{credits}}},\n{}  \
             version = {{{}}},\n  note = {{Snapshot {}, made with Ranklore {}}},\n}}\n",
            self.slug(),
            escape_bibtex(&self.title),
            year.unwrap_or_default(),
            self.edition(),
            self.manifest.snapshot,
            escape_bibtex(&self.manifest.program),
        )
    }
}

#[cfg(test)]
mod tests {
    use crate::describe::fixtures;

    #[test]
    fn edition_depends_on_newest_document_only() {
        let mut dataset = fixtures::description();
        assert_eq!(dataset.edition(), "2.0.0+abababababab");
        assert_eq!(dataset.last_collected_at().as_deref(), Some("2024-03-02T00:00:00Z"));
        dataset.sources.iter_mut().for_each(|source| source.collected_at = None);
        assert_eq!(dataset.last_collected_at(), None);
        assert!(!dataset.bibtex().contains("year"));
    }

    #[test]
    fn citation_has_title_credits_and_snapshot() {
        let dataset = fixtures::description();
        assert_eq!(
            dataset.bibtex(),
            format!(
                "@misc{{ranklore-abababababab,\n  title = {{{{Lanterns \\& gulls}}}},\n  \
                 author = {{{{Lantern (https://lantern.example)}} and {{gulls}}}},\n  \
                 year = {{2024}},\n  version = {{2.0.0+abababababab}},\n  \
                 note = {{Snapshot {}, made with Ranklore 0.1.0}},\n}}\n",
                "ab".repeat(32)
            )
        );
        assert_eq!(
            dataset.citation(),
            "Results of Lantern (https\\://lantern.example); gulls (2024): Lanterns &amp; gulls. \
             Dataset, snapshot abababababab, made with Ranklore 0.1.0."
        );
    }

    #[test]
    fn title_cannot_close_bibtex_entry() {
        let mut dataset = fixtures::description();
        dataset.title = "x}}\n}\n@misc{y".to_owned();
        assert!(dataset.bibtex().contains("title = {{x\\}\\} \\} @misc\\{y}},\n"));
    }
}
