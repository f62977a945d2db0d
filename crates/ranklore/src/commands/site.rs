//! `ranklore site`

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::thread;

use anyhow::bail;
use clap::Args;
use ranklore_contest::{ContestTime, SourceName};
use ranklore_ingest::PublicationInfo;
use ranklore_store::Store;
use ranklore_web::{SiteOptions, SiteSize, make_site};
use serde::Serialize;

use crate::GlobalArgs;
use crate::commands::datasets::export::{check_publication, requires_pseudonyms};
use crate::commands::source_argument::resolve_source;
use crate::exit::Exit;
use crate::output::{format_plural, format_size, print_line, print_note};
use crate::progress::TerminalProgress;
use crate::values::{parse_source, parse_time};

/// The size that GitHub Pages allows.
const HOST_BYTES: u64 = 1_000_000_000;

/// Write leaderboards, competitors and contests as a static site
///
/// The same pages as those of ranklore serve, as files for any web host, in any folder of it. The
/// estimated size is printed first. A second run only writes pages that have changed, and removes
/// those that are no longer part of the site, for example of a person that was forgotten. Shows the
/// ratings of the source's default system.
#[derive(Debug, Args)]
pub(crate) struct SiteArgs {
    /// Source to show [default: the only one of the database]
    #[arg(value_name = "SOURCE", value_parser = parse_source)]
    source: Option<SourceName>,
    /// Folder of the site: new, or with an earlier site of the source; other files in it are kept
    #[arg(long, value_name = "FOLDER")]
    to: PathBuf,
    /// Pages for the first N competitors of the leaderboard only
    #[arg(long, value_name = "N")]
    players: Option<usize>,
    /// Pages only for competitors with at least this many rated contests
    #[arg(long, value_name = "N", default_value_t = 1)]
    min_contests: u32,
    /// Pages only for contests since DATE, and for competitors with a contest since then
    #[arg(long, value_name = "DATE", value_parser = parse_time)]
    since: Option<ContestTime>,
    /// Print the size of the site, and write nothing
    #[arg(long)]
    dry_run: bool,
    /// Confirm that you have permission where the terms of a site restrict publishing
    #[arg(long)]
    i_have_permission: bool,
}

/// The site that was written, or its estimated size.
#[derive(Serialize)]
struct Site {
    folder: String,
    /// Competitors with a page.
    players: usize,
    /// Contests with a page.
    contests: usize,
    files: usize,
    bytes: u64,
    /// Null if nothing was written.
    written: Option<usize>,
    unchanged: Option<usize>,
    removed: Option<usize>,
}

impl SiteArgs {
    pub(crate) fn run(self, global: &GlobalArgs) -> anyhow::Result<Exit> {
        let store = Store::open_reader(global.db())?;
        let source = resolve_source(&store, self.source.clone(), None)?;
        self.check_terms(&store, &source)?;
        drop(store);
        let options = SiteOptions {
            database: global.db(),
            source: source.clone(),
            folder: self.to.clone(),
            players: self.players,
            min_contests: self.min_contests,
            since: self.since,
            threads: thread::available_parallelism().unwrap_or(NonZeroUsize::MIN),
        };
        let progress = TerminalProgress::new();
        let mut size = SiteSize::default();
        let report = make_site(
            &options,
            |estimate| {
                size = *estimate;
                self.note_estimate(estimate, &source);
                !self.dry_run
            },
            &progress,
        )?;
        progress.finish();
        // A dry run has no report, and its result is the estimate.
        let size = report.map_or(size, |report| report.size);
        let site = Site {
            folder: self.to.display().to_string(),
            players: size.players,
            contests: size.contests,
            files: size.files,
            bytes: size.bytes,
            written: report.map(|files| files.written),
            unchanged: report.map(|files| files.unchanged),
            removed: report.map(|files| files.removed),
        };
        global.print_result(&site, || match report {
            None => print_line(&format!("{}: about {}", site.folder, describe(&size))),
            Some(report) => {
                print_line(&format!("{}: {}", site.folder, describe(&size)))?;
                print_line(&format!(
                    "{} written, {} unchanged, {} removed",
                    format_plural(report.written as u64, "file"),
                    report.unchanged,
                    report.removed
                ))
            }
        })
    }

    /// Prints the estimated size, and warnings about it.
    fn note_estimate(&self, size: &SiteSize, source: &SourceName) {
        // A dry run prints the size as its result.
        if !self.dry_run {
            print_note(&format!("{}: about {}", self.to.display(), describe(size)));
        }
        if !size.is_rated {
            print_note(&format!(
                "warning: {source} is not rated, so the site has lists and contests only; rate \
                 it first: ranklore rate {source}"
            ));
        }
        if size.bytes > HOST_BYTES {
            print_note(
                "warning: GitHub Pages allows 1 GB; choose fewer pages with --players, \
                 --min-contests or --since",
            );
        }
    }

    /// Errors if the source must not be published.
    fn check_terms(&self, store: &Store, source: &SourceName) -> anyhow::Result<()> {
        let publishing = PublicationInfo::load(store, source)?;
        check_publication(&publishing, self.i_have_permission)?;
        let shows_names = !publishing.pseudonyms && !self.i_have_permission;
        if shows_names && requires_pseudonyms(&publishing) {
            bail!(
                "the terms of {source} require pseudonyms, and the database shows its names; import \
                 or sync the source again, or pass --i-have-permission if you may publish names"
            );
        }
        Ok(())
    }
}

/// Describes the size of a site.
fn describe(size: &SiteSize) -> String {
    format!(
        "{} and {} with pages, {}, {}",
        format_plural(size.players as u64, "competitor"),
        format_plural(size.contests as u64, "contest"),
        format_plural(size.files as u64, "file"),
        format_size(size.bytes)
    )
}
