//! `README.md`: the dataset card, with the header that Hugging Face reads.

mod dictionary;
mod header;
mod loading;
mod sources;

use std::fmt::Write;

use crate::describe::edition::REPOSITORY;
use crate::describe::escape::{code, markdown};
use crate::describe::resource::resources;
use crate::describe::{DescribedRun, Description};
use crate::digest::FORMAT_VERSION;
use crate::text::time;

/// Renders the card.
pub(crate) fn card(of: &Description) -> String {
    let mut out = header::header(of);
    // Writing to a string cannot fail.
    let _ = write!(
        out,
        "\n# {}\n\nStandings of contests{}.{}\n\n",
        markdown(&of.title),
        match of.runs.len() {
            0 => "",
            _ => ", with ratings",
        },
        of.since.map_or_else(String::new, |since| format!(
            " Contests before {} are omitted.",
            time(since.get())
        )),
    );
    out.push_str(&contents(of));
    out.push_str(&sources::sources(of));
    out.push_str(&loading::loading(of));
    out.push_str(&dictionary::dictionary(of));
    out.push_str(&runs(&of.runs));
    out.push_str(&issues(of));
    out.push_str(&making(of));
    out.push_str(&citing(of));
    out
}

fn contents(of: &Description) -> String {
    let mut out = "| table | rows | what a row is |\n| --- | ---: | --- |\n".to_owned();
    for table in &of.tables {
        let name = table.table.name();
        let meaning = markdown(table.table.table().meaning);
        let _ = writeln!(
            out,
            "| [`{name}`](#{name}) | {} | {meaning} |",
            count(table.rows)
        );
    }
    out.push_str("\n| form | where | files | bytes |\n| --- | --- | ---: | ---: |\n");
    let all = resources(of);
    for same in all.chunk_by(|a, b| a.format == b.format) {
        let files = || same.iter().flat_map(|of| &of.files);
        let first = same.first().map_or("", |of| match of.path() {
            Some(path) if of.table.is_none() => path,
            Some(path) => path.split_once('/').map_or(path, |(folder, _)| folder),
            None => of.folder().split('/').next().unwrap_or_default(),
        });
        let _ = writeln!(
            out,
            "| {} | {} | {} | {} |",
            same.first().map_or("", |of| of.format.title()),
            code(first),
            count(files().count() as u64),
            count(files().map(|file| file.bytes).sum()),
        );
    }
    if of.defused {
        out.push_str(
            "\nIn CSV, texts that spreadsheets take for formulas have an apostrophe in front.\n",
        );
    }
    out
}

fn runs(runs: &[DescribedRun]) -> String {
    if runs.is_empty() {
        return String::new();
    }
    let mut out = "\n## Runs of rating systems\n\n\
        | run | system | parameters | selection | engine | |\n\
        | ---: | --- | --- | --- | --- | --- |\n"
        .to_owned();
    for (index, run) in runs.iter().enumerate() {
        let _ = writeln!(
            out,
            "| {} | {} | {} | {} | {} | {} |",
            index + 1,
            markdown(&run.system),
            code(&run.parameters),
            code(&run.selection),
            markdown(&run.engine),
            if run.stale { "stale" } else { "" },
        );
    }
    out
}

/// Renders missing contests and stale runs.
fn issues(of: &Description) -> String {
    let mut out = String::new();
    for (index, run) in of.runs.iter().enumerate().filter(|(_, run)| run.stale) {
        let _ = writeln!(
            out,
            "- Run {} ({}) is stale: results have changed since it was made.",
            index + 1,
            markdown(&run.system)
        );
    }
    for source in &of.sources {
        let name = markdown(&source.name);
        let refused = (source.refused.iter()).map(|(contest, reason)| {
            let unsaid = "withheld, as it may contain a name";
            (&**contest, reason.as_deref().unwrap_or(unsaid))
        });
        let title = format!("Contests of {name} that could not be read and are missing");
        put_contests(&mut out, &title, "reason", refused, source.refused_in_all);
        let incomplete = source.incomplete.iter().map(|(id, what)| (&**id, &**what));
        let title = format!("Contests of {name} with less data than the site announced");
        put_contests(
            &mut out,
            &title,
            "arrived",
            incomplete,
            source.incomplete_in_all,
        );
    }
    if out.is_empty() {
        out.push_str("None.\n");
    }
    format!("\n## Known issues\n\n{out}")
}

/// Appends a titled table of contests; nothing if the total is 0.
fn put_contests<'a>(
    out: &mut String,
    title: &str,
    column: &str,
    contests: impl ExactSizeIterator<Item = (&'a str, &'a str)>,
    in_all: u64,
) {
    if in_all == 0 {
        return;
    }
    let _ = write!(out, "- {title}: {}.", count(in_all));
    let shown = contests.len() as u64;
    if shown < in_all {
        let _ = write!(out, " The first {}:", count(shown));
    }
    let _ = write!(out, "\n\n  | contest | {column} |\n  | --- | --- |\n");
    for (contest, what) in contests {
        let _ = writeln!(out, "  | {} | {} |", markdown(contest), markdown(what));
    }
    out.push('\n');
}

fn making(of: &Description) -> String {
    let commit = (of.commit.as_ref())
        .map_or_else(String::new, |commit| format!(", commit {}", code(commit)));
    format!(
        "\n## Provenance\n\n\
         Exported by [Ranklore]({REPOSITORY}) {}{commit}; format version {FORMAT_VERSION}. The \
         snapshot is {}: it is the same for datasets with the same results, in any format.\n\n\
         `ranklore import FOLDER` imports this dataset and verifies that nothing was changed. \
         [`SHA256SUMS`](SHA256SUMS) has the checksums of all files: `sha256sum -c SHA256SUMS` in \
         the folder verifies them. [`datapackage.json`](datapackage.json) (Data Package) and \
         [`croissant.json`](croissant.json) (Croissant) describe the dataset for programs.\n",
        markdown(&of.version),
        code(&of.snapshot.to_string()),
    )
}

fn citing(of: &Description) -> String {
    format!(
        "\n## Citation\n\n> {}\n\n```bibtex\n{}```\n",
        of.citation(),
        of.bibtex()
    )
}

/// Formats a count with separators: 1,371,813.
fn count(count: u64) -> String {
    let digits = count.to_string();
    let mut out = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

#[cfg(test)]
mod tests;
