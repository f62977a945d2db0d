//! `ranklore man`

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::Args;
use clap_mangen::Man;
use serde::Serialize;

use crate::GlobalArgs;
use crate::arguments::command;
use crate::exit::Exit;
use crate::output::{escape_line, format_plural, print_line};

/// Print the man page, or write one page per command to a folder
///
/// The page of a command is called ranklore-COMMAND.1.
#[derive(Debug, Args)]
pub(crate) struct ManArgs {
    /// Write all pages to this folder, which is created if it does not exist
    #[arg(long, value_name = "FOLDER")]
    to: Option<PathBuf>,
}

impl ManArgs {
    pub(crate) fn run(self, global: &GlobalArgs) -> anyhow::Result<Exit> {
        let Some(folder) = &self.to else {
            let mut page = Vec::new();
            Man::new(command()).render(&mut page)?;
            std::io::stdout().write_all(&page)?;
            return Ok(Exit::Done);
        };
        let pages = write_pages(folder)
            .with_context(|| format!("cannot write man pages to {}", folder.display()))?;
        let folder = folder.display().to_string();
        let text = format!("{folder}: {}", format_plural(pages, "man page"));
        let result = ManPages {
            folder: &folder,
            pages,
        };
        global.print_result(&result, || print_line(&escape_line(&text)))
    }
}

/// The pages written.
#[derive(Serialize)]
struct ManPages<'a> {
    /// The folder, as given.
    folder: &'a str,
    /// The number of pages.
    pages: u64,
}

/// Writes one page per command and returns their number.
fn write_pages(folder: &Path) -> std::io::Result<u64> {
    std::fs::create_dir_all(folder)?;
    // `ranklore help` has no page.
    let mut command = command().disable_help_subcommand(true);
    command.build();
    let mut pages = 0;
    let mut queue = vec![command];
    while let Some(command) = queue.pop() {
        queue.extend(command.get_subcommands().cloned());
        Man::new(command).generate_to(folder)?;
        pages += 1;
    }
    Ok(pages)
}
