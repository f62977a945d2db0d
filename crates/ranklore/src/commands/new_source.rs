//! `ranklore new-source`

mod skeleton;

use std::path::PathBuf;

use clap::Args;
use serde::Serialize;

use self::skeleton::{Skeleton, file_paths, find_checkout};
use crate::GlobalArgs;
use crate::exit::Exit;
use crate::output::{escape_line, print_line, print_note};

/// Generate the crate of a new source, for developers
///
/// Creates crates/ranklore-NAME in a checkout of Ranklore: an empty source, fixtures to fill in, and
/// tests that fail and name what is missing, one after another. docs/new-source.md explains the
/// steps. Changes no existing file and opens no database.
#[derive(Debug, Args)]
pub(crate) struct NewSourceArgs {
    /// Name of the source: lower-case letters, digits, '-', '_'
    #[arg(value_name = "NAME")]
    name: String,
    /// Folder of the checkout, or a folder in it [default: the current folder]
    #[arg(
        long,
        value_name = "FOLDER",
        default_value = ".",
        hide_default_value = true
    )]
    folder: PathBuf,
}

impl NewSourceArgs {
    pub(crate) fn run(self, global: &GlobalArgs) -> anyhow::Result<Exit> {
        let skeleton = Skeleton::from_name(&self.name)?;
        let folder = skeleton.write(&find_checkout(&self.folder)?)?;
        let folder = folder.display().to_string();
        let result = Written {
            source: &skeleton.site,
            crate_name: &skeleton.crate_name,
            type_name: &skeleton.type_name,
            folder: &folder,
            files: file_paths().collect(),
        };
        global.print_result(&result, || {
            file_paths()
                .try_for_each(|file| print_line(&escape_line(&format!("{folder}/{file}"))))?;
            print_note(&next_steps(&skeleton));
            Ok(())
        })
    }
}

/// The skeleton that was written.
#[derive(Serialize)]
struct Written<'a> {
    /// The name of the source.
    source: &'a str,
    /// The name of the crate.
    #[serde(rename = "crate")]
    crate_name: &'a str,
    /// The type that implements the source.
    #[serde(rename = "type")]
    type_name: &'a str,
    /// The folder of the crate.
    folder: &'a str,
    /// The paths of the files within the folder.
    files: Vec<&'static str>,
}

fn next_steps(skeleton: &Skeleton) -> String {
    let Skeleton {
        site,
        crate_name,
        module,
        ..
    } = skeleton;
    format!(
        "next: cargo test -p {crate_name} says what to fill in; docs/new-source.md goes through it
then, for `ranklore mine {site}`:
  Cargo.toml, [workspace.dependencies]:
    {crate_name} = {{ path = \"crates/{crate_name}\", version = \"{version}\" }}
  crates/ranklore-ingest/Cargo.toml, [dependencies]:
    {crate_name}.workspace = true
  crates/ranklore-ingest/src/registry.rs, in SITES, in the order of names:
    &{module}::REGISTRATION,",
        version = env!("CARGO_PKG_VERSION")
    )
}
