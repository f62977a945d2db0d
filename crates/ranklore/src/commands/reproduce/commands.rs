//! The commands of a reproduction.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus};
use std::thread;
use std::time::Duration;

use anyhow::{Context, bail};
use ranklore_contest::quote_for_shell;
use ranklore_replay::Error as ReplayError;
use serde_json::Value;

use super::catalogue::Reproduction;
use crate::GlobalArgs;
use crate::interruption::{announce_safe_points, is_interrupted};
use crate::output::{print_line, print_note};

/// The file of an output that is JSON.
const OUTPUT_FILE: &str = "output.json";

/// The time between two looks at a running command.
const POLL_INTERVAL: Duration = Duration::from_millis(20);

/// Returns the files for each of which the commands run: those of the folder, in the order of their
/// names, if the reproduction is of [each] file, else the data itself.
///
/// [each]: Reproduction::each
///
/// # Errors
/// Errors if the data is no folder with such a file.
pub(super) fn find_data_files(
    reproduction: &Reproduction,
    data: &Path,
) -> anyhow::Result<Vec<PathBuf>> {
    let Some(ending) = &reproduction.each else {
        return Ok(vec![data.to_owned()]);
    };
    let entries =
        fs::read_dir(data).with_context(|| format!("cannot read the folder {}", data.display()))?;
    let paths: Result<Vec<_>, _> = entries.map(|entry| entry.map(|entry| entry.path())).collect();
    let mut files = paths.with_context(|| format!("cannot list {}", data.display()))?;
    files.retain(|path| path.extension() == Some(OsStr::new(ending)));
    files.sort();
    if files.is_empty() {
        bail!("{} has no file *.{ending}: {} needs them", data.display(), reproduction.name);
    }
    Ok(files)
}

/// Prints the commands for a shell. Without data, `DATA` stands for its path.
pub(super) fn print_commands(
    reproduction: &Reproduction,
    data: Option<&Path>,
) -> anyhow::Result<()> {
    for (name, contents) in &reproduction.files {
        print_line(&format!("cat > {name} << END\n{}END", contents.trim_start()))?;
    }
    let files = match (data, &reproduction.each) {
        (Some(data), _) => find_data_files(reproduction, data)?,
        (None, None) => vec![PathBuf::from("DATA")],
        (None, Some(ending)) => {
            print_line(&format!("# for each file DATA/SOURCE.{ending}, in a database of its own"))?;
            vec![PathBuf::from(format!("DATA/SOURCE.{ending}"))]
        }
    };
    for file in files {
        let path = quote_for_shell(&file.to_string_lossy());
        let source = source_name(reproduction, &file)?;
        for command in &reproduction.commands {
            let words = command.split(' ').map(|word| match word {
                "{data}" => path.clone(),
                ">" => word.to_owned(),
                word => quote_for_shell(&word.replace("{source}", &source)),
            });
            let mut words: Vec<String> = words.collect();
            if reproduction.each.is_some() {
                words.extend([
                    "--db".to_owned(),
                    quote_for_shell(&format!("{source}.sqlite")),
                ]);
            }
            print_line(&format!("ranklore {}", words.join(" ")))?;
        }
    }
    Ok(())
}

/// Runs the commands one after the other in a folder of their own, and returns the JSON that each
/// prints; null for one whose output is a file.
pub(super) fn run_commands(
    global: &GlobalArgs,
    reproduction: &Reproduction,
    data: &Path,
) -> anyhow::Result<Vec<Value>> {
    announce_safe_points();
    let program = std::env::current_exe().context("cannot find the program itself")?;
    let source = source_name(reproduction, data)?;
    let folder = tempfile::tempdir().context("cannot create a temporary folder")?;
    for (name, contents) in &reproduction.files {
        fs::write(folder.path().join(name), contents.trim_start())
            .with_context(|| format!("cannot write {name}"))?;
    }
    let outputs = reproduction.commands.iter().map(|command| {
        let command = command.replace("{source}", &source);
        print_note(&format!("ranklore {}", command.replace("{data}", &data.to_string_lossy())));
        let (words, file) = match command.split_once(" > ") {
            Some((words, file)) => (words, Some(file)),
            None => (command.as_str(), None),
        };
        let mut process = Command::new(&program);
        process
            .current_dir(folder.path())
            .args(words.split(' ').map(|word| match word {
                "{data}" => data.as_os_str(),
                word => OsStr::new(word),
            }))
            .args(["--db", "reproduce.sqlite"])
            .args(file.is_none().then_some("--json"))
            .args(global.log.quiet.then_some("--quiet"));
        let output = folder.path().join(file.unwrap_or(OUTPUT_FILE));
        process.stdout(File::create(&output).context("cannot create a file")?);
        if !run_to_end(&mut process)?.success() {
            bail!("`ranklore {}` failed", command.replace("{data}", &data.to_string_lossy()));
        }
        if file.is_some() {
            return Ok(Value::Null);
        }
        let json = fs::read(&output).context("cannot read the output")?;
        serde_json::from_slice(&json)
            .with_context(|| format!("`ranklore {command}` printed no JSON"))
    });
    outputs.collect()
}

/// Returns the name of a data file without its ending, if the commands run for each; else an empty one.
///
/// # Errors
/// Errors if the name has a blank, which separates the words of a command.
fn source_name(reproduction: &Reproduction, data: &Path) -> anyhow::Result<String> {
    if reproduction.each.is_none() {
        return Ok(String::new());
    }
    let name = data.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    if name.contains(' ') {
        bail!("the name of {} has a blank: rename the file", data.display());
    }
    Ok(name)
}

/// Runs a program until it ends, or until the user interrupts.
fn run_to_end(process: &mut Command) -> anyhow::Result<ExitStatus> {
    let mut child = process.spawn().context("cannot run the program itself")?;
    loop {
        if is_interrupted() {
            child.kill().context("cannot end the program")?;
            child.wait().context("cannot wait for the program")?;
            return Err(ReplayError::Interrupted.into());
        }
        if let Some(status) = child.try_wait().context("cannot wait for the program")? {
            return Ok(status);
        }
        thread::sleep(POLL_INTERVAL);
    }
}
