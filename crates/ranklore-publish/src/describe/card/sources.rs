//! What a card says of the sources of a dataset.

use std::fmt::Write;

use super::count;
use crate::describe::escape::{address, markdown};
use crate::describe::{DescribedSource, Description};
use crate::text::time;

/// How much is of each, from when, under what terms, and what people are called.
pub(super) fn sources(of: &Description) -> String {
    let mut out = "\n## Sources\n\n\
        | source | contests | standings | competitors | results of | collected |\n\
        | --- | ---: | ---: | ---: | --- | --- |\n"
        .to_owned();
    for source in &of.sources {
        // Writing to a string cannot fail.
        let _ = writeln!(
            out,
            "| {} | {} | {} | {} | {} | {} |",
            markdown(&source.name),
            count(source.contests),
            count(source.standings),
            count(source.competitors),
            period(source.ends_at),
            period(source.collected_at),
        );
    }
    out.push_str(
        "\n## Terms\n\n| source | site | name wherever shown | what is said about use |\n",
    );
    out.push_str("| --- | --- | --- | --- |\n");
    for source in &of.sources {
        let homepage = source.homepage.as_deref();
        let _ = writeln!(
            out,
            "| {} | {} | {} | {} |",
            markdown(&source.name),
            homepage.map_or_else(String::new, |url| match address(url) {
                Some(url) => format!("<{url}>"),
                None => markdown(url),
            }),
            said(&source.attribution),
            said(&source.licence),
        );
    }
    let permitted = of.sources.iter().filter(|source| source.by_permission);
    for source in permitted {
        let _ = write!(
            out,
            "\n**The terms of {} do not allow to publish its results. Whoever made this dataset \
             said that they have permission to.** That is no permission for anybody else: ask \
             before you pass it on.\n",
            markdown(&source.name)
        );
    }
    out.push_str("\n## What people are called\n\n");
    for source in &of.sources {
        let _ = writeln!(out, "- In {}: {}", markdown(&source.name), naming(source));
    }
    out
}

fn naming(of: &DescribedSource) -> &'static str {
    match &*of.names {
        "real" => {
            "as the source calls them. Handles and names are of real people: what the law says of \
             data about people goes for them."
        }
        "pseudonym" => {
            "by pseudonyms. They are the same in every dataset from the same file, and nobody \
             finds out who is who without it from the pseudonym alone; results that are public \
             elsewhere may still tell."
        }
        _ => {
            "by numbers, without names. Datasets of different states of a file have no numbers in \
             common; results that are public elsewhere may still tell who is who."
        }
    }
}

fn said(text: &str) -> String {
    match text.trim() {
        "" => "not said".to_owned(),
        text => markdown(text),
    }
}

/// From one day to another, in UTC.
fn period(of: Option<(i64, i64)>) -> String {
    let Some((first, last)) = of else {
        return "unknown".to_owned();
    };
    let day = |at| time(at).get(..10).unwrap_or_default().to_owned();
    match (day(first), day(last)) {
        (first, last) if first == last => first,
        (first, last) => format!("{first} to {last}"),
    }
}
