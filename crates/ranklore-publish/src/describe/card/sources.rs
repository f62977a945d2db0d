//! The sources section of a card.

use std::fmt::Write;

use ranklore_contest::format_count;

use crate::describe::DatasetDescription;
use crate::describe::escape::{escape_markdown, safe_url};
use crate::text::format_day;

/// Renders counts, dates, terms and naming of each source.
pub(super) fn render_sources(dataset: &DatasetDescription) -> String {
    let mut out = "\n## Sources\n\n\
        | source | contests | standings | competitors | results from | collected |\n\
        | --- | ---: | ---: | ---: | --- | --- |\n"
        .to_owned();
    let sources = || dataset.manifest.sources.iter().zip(&dataset.sources);
    for (counts, source) in sources() {
        // Writing to a string cannot fail.
        let _ = writeln!(
            out,
            "| {} | {} | {} | {} | {} | {} |",
            escape_markdown(&source.name),
            format_count(counts.contests),
            format_count(counts.standings),
            format_count(counts.competitors),
            format_period(source.ends_at),
            format_period(source.collected_at),
        );
    }
    out.push_str("\n## Terms\n\n| source | site | attribution | terms of use |\n");
    out.push_str("| --- | --- | --- | --- |\n");
    for source in &dataset.sources {
        let homepage = source.homepage.as_deref();
        let _ = writeln!(
            out,
            "| {} | {} | {} | {} |",
            escape_markdown(&source.name),
            homepage.map_or_else(String::new, |url| match safe_url(url) {
                Some(url) => format!("<{url}>"),
                None => escape_markdown(url),
            }),
            text_or_unknown(&source.attribution),
            text_or_unknown(&source.licence),
        );
    }
    for (_, source) in sources().filter(|(entry, _)| entry.by_permission) {
        let _ = write!(
            out,
            "\n**The terms of {} do not allow publishing its results. The publisher of this dataset \
             stated that they have permission.** This permission covers nobody else: ask the \
             site before you redistribute the dataset.\n",
            escape_markdown(&source.name)
        );
    }
    out.push_str("\n## Names\n\n");
    for (entry, source) in sources() {
        let name = escape_markdown(&source.name);
        let _ = writeln!(out, "- In {name}: {}", describe_naming(&entry.name_policy));
    }
    out
}

fn describe_naming(name_policy: &str) -> &'static str {
    match name_policy {
        "real" => {
            "as in the source. Handles and names belong to real people: data protection law \
             applies."
        }
        "pseudonym" => {
            "pseudonyms, equal in every dataset from the same database. They cannot be reversed \
             without that database, but results that are public elsewhere may reveal identities."
        }
        _ => {
            "numbers, without names. Numbers of different snapshots are unrelated, but results that \
             are public elsewhere may reveal identities."
        }
    }
}

fn text_or_unknown(text: &str) -> String {
    match text.trim() {
        "" => "not stated".to_owned(),
        text => escape_markdown(text),
    }
}

/// Formats a range of days in UTC.
fn format_period(period: Option<(i64, i64)>) -> String {
    let Some((first, last)) = period else {
        return "unknown".to_owned();
    };
    match [first, last].map(format_day) {
        [first, last] if first == last => first,
        [first, last] => format!("{first} to {last}"),
    }
}
