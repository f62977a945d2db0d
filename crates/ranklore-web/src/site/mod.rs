//! The pages of a source as a static site: the same pages as those of the server, as files.

mod choice;
mod folder;
mod pages;
mod render;
mod search;

use std::io;
use std::num::NonZeroUsize;
use std::path::PathBuf;

use ranklore_contest::{ContestTime, SourceName};
use ranklore_replay::Progress;
use ranklore_store::Store;

use crate::assets::{ASSETS, SITE_SEARCH};
use crate::failure::Failure;
use crate::site::choice::SiteChoice;
use crate::site::folder::SiteFolder;
use crate::site::pages::SitePage;
use crate::site::render::Rendering;
use crate::site::search::{SiteFile, index_files};

/// A static site to make.
#[derive(Clone, Debug)]
pub struct SiteOptions {
    /// The database file.
    pub database: PathBuf,
    /// The source whose pages the site has.
    pub source: SourceName,
    /// The folder of the site.
    pub folder: PathBuf,
    /// The most competitors with a page of their own, the first of the leaderboard; by default all.
    pub players: Option<usize>,
    /// The fewest rated contests of a competitor with a page of its own.
    pub min_contests: u32,
    /// The time since which a contest, or the last contest of a competitor, has a page of its own; by
    /// default always.
    pub since: Option<ContestTime>,
    /// The number of threads that make pages.
    pub threads: NonZeroUsize,
}

/// The size of a site.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SiteSize {
    /// True if the source has ratings. Without them, there are only lists and contests.
    pub is_rated: bool,
    /// Competitors with a page of their own.
    pub players: usize,
    /// Contests with a page of their own.
    pub contests: usize,
    /// Files of the site.
    pub files: usize,
    /// Bytes of all files.
    pub bytes: u64,
}

/// A site that was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SiteReport {
    /// The size of the site.
    pub size: SiteSize,
    /// Files that are new or have changed.
    pub written: usize,
    /// Files that were there already, with the same bytes. They were not touched.
    pub unchanged: usize,
    /// Files of an earlier site that are not part of this one.
    pub removed: usize,
}

/// An error of a static site.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SiteError {
    /// The database cannot be read.
    #[error(transparent)]
    Store(#[from] ranklore_store::Error),
    /// A view cannot be loaded.
    #[error(transparent)]
    View(#[from] ranklore_replay::Error),
    /// The folder has files that are not of a site of this source.
    #[error("{} {reason}; choose an empty folder", .folder.display())]
    Folder {
        /// The folder.
        folder: PathBuf,
        /// The reason, such as a file that the folder has.
        reason: String,
    },
    /// A page cannot be made.
    #[error("cannot make {page}: {message}")]
    Page {
        /// The file of the page.
        page: String,
        /// The reason.
        message: String,
    },
    /// A file cannot be read or written.
    #[error("cannot write {}", .path.display())]
    Write {
        /// The file or folder.
        path: PathBuf,
        /// The cause.
        source: io::Error,
    },
    /// Another program wrote to the database while its pages were made.
    #[error("the database changed while the site was made; run the command again")]
    Changed,
}

impl SiteError {
    fn of_page(page: &str, failure: &Failure) -> Self {
        Self::Page {
            page: page.to_owned(),
            message: failure.message.clone(),
        }
    }
}

/// Makes a static site. `announce` gets the estimated size before a file is written; if it returns
/// false, none is written.
///
/// Files with the same content are not touched, changed ones are replaced in one step each, and
/// pages of an earlier site that are not part of this one are removed.
///
/// # Errors
/// [`SiteError`]. The folder then has old and new pages, each of them whole.
pub fn make_site(
    options: &SiteOptions,
    announce: impl FnOnce(&SiteSize) -> bool,
    progress: &dyn Progress,
) -> Result<Option<SiteReport>, SiteError> {
    let store = Store::open_reader(&options.database)?;
    let snapshot = store.snapshot()?;
    let folder = SiteFolder::check(&options.folder, &options.source)?;
    let choice = SiteChoice::load(&store, options)?;
    let pages = SitePage::all(&choice);
    let fixed_files = fixed_files(&choice);
    let rendering = Rendering {
        store: &store,
        source: &options.source,
        pages: &choice.pages,
        state: store.state_hash()?,
        threads: options.threads,
        progress,
    };
    let estimate = rendering.estimate(&pages)?;
    let fixed_bytes: u64 = fixed_files.iter().map(|(_, body)| body.len() as u64).sum();
    let size = SiteSize {
        is_rated: choice.is_rated,
        players: choice.players.len(),
        contests: choice.contests.len(),
        // One more marks the folder.
        files: estimate.files + fixed_files.len() + 1,
        bytes: estimate.bytes + fixed_bytes,
    };
    if !announce(&size) {
        return Ok(None);
    }
    let folder = folder.begin()?;
    rendering.write(&pages, &folder)?;
    // The search index leads to the pages.
    for (path, body) in &fixed_files {
        folder.write(path, body)?;
    }
    drop(snapshot);
    let mut report = folder.finish()?;
    report.size = SiteSize {
        files: report.size.files,
        bytes: report.size.bytes,
        ..size
    };
    Ok(Some(report))
}

/// Returns the files that are no pages: style, scripts, the search index.
fn fixed_files(choice: &SiteChoice) -> Vec<SiteFile> {
    let assets = ASSETS.iter().chain([&SITE_SEARCH]);
    let mut files: Vec<SiteFile> = assets
        .map(|asset| (asset.path[1..].to_owned(), asset.body.as_bytes().to_vec()))
        .collect();
    // GitHub takes the files as they are.
    files.push((".nojekyll".to_owned(), Vec::new()));
    files.extend(index_files(&choice.players, &choice.pages));
    files
}
