//! `README.md`: the dataset card, with the header that Hugging Face reads.

mod dictionary;
mod header;
mod loading;
mod sources;

use std::fmt::Write;

use crate::describe::edition::REPOSITORY;
use crate::describe::escape::{escape_markdown, markdown_code};
use crate::describe::resource::list_resources;
use crate::describe::{DatasetDescription, RunMetadata};
use crate::digest::FORMAT_VERSION;
use crate::text::format_time;

/// Renders the card.
pub(crate) fn render_card(of: &DatasetDescription) -> String {
    let mut out = header::render_header(of);
    // Writing to a string cannot fail.
    let _ = write!(
        out,
        "\n# {}\n\nStandings of contests{}.{}\n\n",
        escape_markdown(&of.title),
        match of.runs.len() {
            0 => "",
            _ => ", with ratings",
        },
        of.since.map_or_else(String::new, |since| format!(
            " Contests before {} are omitted.",
            format_time(since.get())
        )),
    );
    out.push_str(&render_contents(of));
    out.push_str(&sources::render_sources(of));
    out.push_str(&loading::render_loading(of));
    out.push_str(&dictionary::render_dictionary(of));
    out.push_str(&render_runs(&of.runs));
    out.push_str(&render_issues(of));
    out.push_str(&render_provenance(of));
    out.push_str(&render_citation(of));
    out
}

fn render_contents(of: &DatasetDescription) -> String {
    let mut out = "| table | rows | what a row is |\n| --- | ---: | --- |\n".to_owned();
    for table in &of.tables {
        let name = table.table.name();
        let meaning = escape_markdown(table.table.spec().meaning);
        let _ = writeln!(
            out,
            "| [`{name}`](#{name}) | {} | {meaning} |",
            format_count(table.rows)
        );
    }
    out.push_str("\n| form | where | files | bytes |\n| --- | --- | ---: | ---: |\n");
    let all = list_resources(of);
    for same in all.chunk_by(|a, b| a.format == b.format) {
        let files = || same.iter().flat_map(|of| &of.files);
        let first = same.first().map_or("", |of| match of.path() {
            Some(path) if of.table.is_none() => path,
            Some(path) => path.split_once('/').map_or(path, |(folder, _)| folder),
            None => of.common_folder().split('/').next().unwrap_or_default(),
        });
        let _ = writeln!(
            out,
            "| {} | {} | {} | {} |",
            same.first().map_or("", |of| of.format.title()),
            markdown_code(first),
            format_count(files().count() as u64),
            format_count(files().map(|file| file.bytes).sum()),
        );
    }
    if of.formulas_escaped {
        out.push_str(
            "\nIn CSV, texts that spreadsheets take for formulas have an apostrophe in front.\n",
        );
    }
    out
}

fn render_runs(runs: &[RunMetadata]) -> String {
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
            escape_markdown(&run.system),
            markdown_code(&run.parameters),
            markdown_code(&run.selection),
            escape_markdown(&run.engine),
            run.stale.map_or("", |_| "stale"),
        );
    }
    out
}

/// Renders missing contests and stale runs.
fn render_issues(of: &DatasetDescription) -> String {
    let mut out = String::new();
    for (index, run) in of.runs.iter().enumerate() {
        let Some(reason) = run.stale else { continue };
        let (number, system) = (index + 1, escape_markdown(&run.system));
        let _ = writeln!(out, "- Run {number} ({system}) is stale: {reason}.");
    }
    for source in &of.sources {
        let name = escape_markdown(&source.name);
        let refused = (source.refused.iter()).map(|(contest, reason)| {
            let unsaid = "withheld, as it may contain a name";
            (&**contest, reason.as_deref().unwrap_or(unsaid))
        });
        let title = format!("Contests of {name} that could not be read and are missing");
        push_contest_table(&mut out, &title, "reason", refused, source.total_refused);
        let incomplete = source.incomplete.iter().map(|(id, what)| (&**id, &**what));
        let title = format!("Contests of {name} with less data than the site announced");
        push_contest_table(
            &mut out,
            &title,
            "arrived",
            incomplete,
            source.total_incomplete,
        );
    }
    if out.is_empty() {
        out.push_str("None.\n");
    }
    format!("\n## Known issues\n\n{out}")
}

/// Appends a titled table of contests; nothing if the total is 0.
fn push_contest_table<'a>(
    out: &mut String,
    title: &str,
    column: &str,
    contests: impl ExactSizeIterator<Item = (&'a str, &'a str)>,
    in_all: u64,
) {
    if in_all == 0 {
        return;
    }
    let _ = write!(out, "- {title}: {}.", format_count(in_all));
    let shown = contests.len() as u64;
    if shown < in_all {
        let _ = write!(out, " The first {}:", format_count(shown));
    }
    let _ = write!(out, "\n\n  | contest | {column} |\n  | --- | --- |\n");
    for (contest, what) in contests {
        let _ = writeln!(
            out,
            "  | {} | {} |",
            escape_markdown(contest),
            escape_markdown(what)
        );
    }
    out.push('\n');
}

fn render_provenance(of: &DatasetDescription) -> String {
    let commit = (of.commit.as_ref()).map_or_else(String::new, |commit| {
        format!(", commit {}", markdown_code(commit))
    });
    format!(
        "\n## Provenance\n\n\
         Exported by [Ranklore]({REPOSITORY}) {}{commit}; format version {FORMAT_VERSION}. The \
         snapshot is {}: it is the same for datasets with the same results, in any format.\n\n\
         `ranklore import FOLDER` imports this dataset and verifies that nothing was changed. \
         [`SHA256SUMS`](SHA256SUMS) has the checksums of all files: `sha256sum -c SHA256SUMS` in \
         the folder verifies them. [`datapackage.json`](datapackage.json) (Data Package) and \
         [`croissant.json`](croissant.json) (Croissant) describe the dataset for programs.\n",
        escape_markdown(&of.version),
        markdown_code(&of.snapshot.to_string()),
    )
}

fn render_citation(of: &DatasetDescription) -> String {
    format!(
        "\n## Citation\n\n> {}\n\n```bibtex\n{}```\n",
        of.citation(),
        of.bibtex()
    )
}

/// Formats a count with separators: 1,371,813.
fn format_count(count: u64) -> String {
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
