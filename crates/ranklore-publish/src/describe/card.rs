//! `README.md`: the dataset card, with the header that Hugging Face reads.

mod dictionary;
mod header;
mod loading;
mod sources;

use std::fmt::Write;

use ranklore_contest::format_count;

use crate::describe::edition::REPOSITORY;
use crate::describe::escape::{escape_markdown, markdown_code};
use crate::describe::resource::list_resources;
use crate::describe::{DatasetDescription, RunMetadata};
use crate::digest::FORMAT_VERSION;

/// Renders the card.
pub(crate) fn render_card(dataset: &DatasetDescription) -> String {
    let mut out = header::render_header(dataset);
    // Writing to a string cannot fail.
    let _ = write!(
        out,
        "\n# {}\n\nStandings of contests{}.{}\n\n",
        escape_markdown(&dataset.title),
        match dataset.runs.len() {
            0 => "",
            _ => ", with ratings",
        },
        match &dataset.manifest.since {
            Some(since) => format!(" Contests before {since} are omitted."),
            None => String::new(),
        },
    );
    out.push_str(&render_contents(dataset));
    out.push_str(&sources::render_sources(dataset));
    out.push_str(&loading::render_loading(dataset));
    out.push_str(&dictionary::render_dictionary(dataset));
    out.push_str(&render_runs(&dataset.runs));
    out.push_str(&render_issues(dataset));
    out.push_str(&render_provenance(dataset));
    out.push_str(&render_citation(dataset));
    out
}

fn render_contents(dataset: &DatasetDescription) -> String {
    let mut out = "| table | rows | what a row is |\n| --- | ---: | --- |\n".to_owned();
    for table in &dataset.manifest.tables {
        let name = table.table.name();
        let meaning = escape_markdown(table.table.spec().meaning);
        let _ = writeln!(out, "| [`{name}`](#{name}) | {} | {meaning} |", format_count(table.rows));
    }
    out.push_str("\n| form | where | files | bytes |\n| --- | --- | ---: | ---: |\n");
    for resources in list_resources(dataset).chunk_by(|a, b| a.format == b.format) {
        let first = &resources[0];
        let place = match first.path() {
            Some(path) if first.table.is_none() => path,
            Some(path) => path.split_once('/').map_or(path, |(folder, _)| folder),
            None => first.common_folder().split('/').next().unwrap_or_default(),
        };
        let files = resources.iter().flat_map(|resource| &resource.files);
        let _ = writeln!(
            out,
            "| {} | {} | {} | {} |",
            first.format.title(),
            markdown_code(place),
            format_count(files.clone().count() as u64),
            format_count(files.map(|file| file.bytes).sum()),
        );
    }
    if dataset.manifest.formulas_escaped {
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
fn render_issues(dataset: &DatasetDescription) -> String {
    let mut out = String::new();
    for (index, run) in dataset.runs.iter().enumerate() {
        let Some(reason) = run.stale else { continue };
        let number = index + 1;
        let system = escape_markdown(&run.system);
        let _ = writeln!(out, "- Run {number} ({system}) is stale: {reason}.");
    }
    for source in &dataset.sources {
        let name = escape_markdown(&source.name);
        let refused = source.refused.iter().map(|(contest, reason)| {
            let withheld = "withheld, as it may contain a name";
            (&**contest, reason.as_deref().unwrap_or(withheld))
        });
        let refused_title = format!("Contests of {name} that could not be read and are missing");
        let total = source.total_refused;
        push_contest_table(&mut out, &refused_title, "reason", refused, total);
        let incomplete = source.incomplete.iter().map(|(id, amount)| (&**id, &**amount));
        let incomplete_title = format!("Contests of {name} with less data than the site announced");
        let total = source.total_incomplete;
        push_contest_table(&mut out, &incomplete_title, "arrived", incomplete, total);
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
    total: u64,
) {
    if total == 0 {
        return;
    }
    let _ = write!(out, "- {title}: {}.", format_count(total));
    let listed = contests.len() as u64;
    if listed < total {
        let _ = write!(out, " The first {}:", format_count(listed));
    }
    let _ = write!(out, "\n\n  | contest | {column} |\n  | --- | --- |\n");
    for (contest, note) in contests {
        let _ = writeln!(out, "  | {} | {} |", escape_markdown(contest), escape_markdown(note));
    }
    out.push('\n');
}

fn render_provenance(dataset: &DatasetDescription) -> String {
    let commit = match &dataset.manifest.commit {
        Some(commit) => format!(", commit {}", markdown_code(commit)),
        None => String::new(),
    };
    format!(
        "\n## Provenance\n\n\
         Exported by [Ranklore]({REPOSITORY}) {}{commit}; format version {FORMAT_VERSION}. The \
         snapshot is {}: it is the same for datasets with the same results, in any format.\n\n\
         `ranklore import FOLDER` imports this dataset and verifies that nothing was changed. \
         [`SHA256SUMS`](SHA256SUMS) has the checksums of all files: `sha256sum -c SHA256SUMS` in \
         the folder verifies them. [`datapackage.json`](datapackage.json) (Data Package) and \
         [`croissant.json`](croissant.json) (Croissant) describe the dataset for programs.\n",
        escape_markdown(&dataset.manifest.program),
        markdown_code(&dataset.manifest.snapshot.to_string()),
    )
}

fn render_citation(dataset: &DatasetDescription) -> String {
    format!(
        "\n## Citation\n\n> {}\n\n```bibtex\n{}```\n",
        dataset.citation(),
        dataset.bibtex()
    )
}

#[cfg(test)]
mod tests;
