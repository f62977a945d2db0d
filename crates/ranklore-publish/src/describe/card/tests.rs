//! Tests of card contents and escaping.

use super::*;
use crate::describe::{DatasetFormat, fixtures};

/// Splits the front matter from the rest.
fn split_front_matter(card: &str) -> (&str, &str) {
    let rest = card.strip_prefix("---\n").unwrap();
    rest.split_once("\n---\n").unwrap()
}

#[test]
fn header_configures_each_table() {
    let card = render_card(&fixtures::description());
    let (header, _) = split_front_matter(&card);
    assert!(header.contains("pretty_name: \"Lanterns & gulls\"\n"));
    assert!(header.contains("license: other\nlicense_name: \"terms-of-the-sources\"\n"));
    assert!(header.contains("size_categories:\n- 1K<n<10K\n"));
    assert!(header.contains(
        "- config_name: \"standing\"\n  data_files: \"parquet/standing.parquet\"\n  default: true\n"
    ));
    assert_eq!(header.matches("config_name").count(), 6);
    assert!(!header.contains("features"));
}

#[test]
fn header_names_known_licences() {
    let mut dataset = fixtures::description();
    for source in &mut dataset.sources {
        "ODbL-1.0".clone_into(&mut source.licence);
    }
    assert!(render_card(&dataset).contains("\nlicense:\n- \"odbl\"\ntags:"));
}

#[test]
fn partitioned_tables_load_by_pattern_or_folder() {
    let card = render_card(&fixtures::partitioned_description());
    let (header, rest) = split_front_matter(&card);
    assert!(header.contains("data_files: \"parquet/standing/**/*.parquet\"\n"));
    assert!(rest.contains(
        "SELECT * FROM read_parquet('parquet/standing/**/*.parquet', hive_partitioning = false)"
    ));
    assert!(rest.contains("pd.read_parquet('parquet/standing', partitioning=None)"));
    assert!(!rest.contains("sqlite3"));
    assert!(rest.contains("| Parquet | <code>parquet</code> | 15 | 255 |\n"), "{rest}");
}

#[test]
fn loading_examples_match_exported_formats() {
    let mut dataset = fixtures::description();
    dataset.manifest.files.retain(|file| file.format == DatasetFormat::Csv);
    let csv = render_card(&dataset);
    assert!(csv.contains("pd.read_csv('csv/standing.csv', dtype={'source': str, 'contest': str,"));
    let (header, _) = split_front_matter(&csv);
    assert!(header.contains("keep_default_na: false\n"));
    assert!(header.contains("  - name: \"contest\"\n    dtype: \"string\"\n"));
    assert!(!csv.contains("parquet") && !csv.contains("datasette"));
    dataset.manifest.files.clear();
    assert!(!render_card(&dataset).contains("## Loading"));
    let all = render_card(&fixtures::description());
    assert!(all.contains("pl.read_parquet('parquet/standing.parquet')"));
    assert!(all.contains("`datasette ranklore.sqlite`"));
}

#[test]
fn sources_show_counts_dates_terms_and_naming() {
    let card = render_card(&fixtures::description());
    for line in [
        "| lantern | 2 | 1,234 | 700 | 2022-10-20 to 2024-02-29 | 2024-03-01 to 2024-03-02 |\n",
        "| gulls | 1 | 3 | 3 | 2023-11-14 | unknown |\n",
        "| lantern | <https://lantern.example> | Lantern (https\\://lantern.example) | The site \
         names no licence. |\n",
        "| gulls |  | not stated | not stated |\n",
        "- In lantern: pseudonyms, ",
        "- In gulls: as in the source.",
    ] {
        assert!(card.contains(line), "{line}\n{card}");
    }
}

#[test]
fn card_states_publication_by_permission() {
    let mut dataset = fixtures::description();
    let permission = "**The terms of lantern do not allow publishing its results.";
    assert!(render_card(&dataset).contains(permission));
    dataset.manifest.sources[0].by_permission = false;
    assert!(!render_card(&dataset).contains("do not allow"));
}

#[test]
fn dictionary_lists_every_column() {
    let dataset = fixtures::description();
    let card = render_card(&dataset);
    for table in dataset.manifest.tables.iter().map(|t| t.table.spec()) {
        assert!(card.contains(&format!("\n### {}\n", table.name)));
        for column in table.columns {
            let row = format!("\n| `{}` | {} | ", column.name, column.kind.as_str());
            assert!(card.contains(&row), "{row}");
        }
    }
    assert!(card.contains("`source`, `kind`, `merged_into` refer to `source`, `kind`, "));
}

#[test]
fn known_issues_list_stale_runs_and_missing_contests() {
    let mut dataset = fixtures::description();
    let with = render_card(&dataset);
    assert!(with.contains("- Run 1 (elo-mmr) is stale: results have changed since the run.\n"));
    assert!(with.contains("that could not be read and are missing: 5. The first 2:\n"));
    assert!(with.contains("  | 18 | withheld, as it may contain a name |\n"));
    let incomplete = "- Contests of lantern with less data than the site announced: 1.\n\n\
         \x20 | contest | arrived |\n  | --- | --- |\n\
         \x20 | 21 | 476 of 543 comments arrived; left out |\n";
    assert!(with.contains(incomplete), "{with}");
    dataset.runs[0].stale = None;
    dataset.sources[0].total_incomplete = 0;
    dataset.sources[0].total_refused = 0;
    dataset.sources[0].refused.clear();
    assert!(render_card(&dataset).contains("\n## Known issues\n\nNone.\n"));
    dataset.runs.clear();
    assert!(!render_card(&dataset).contains("Runs of rating systems"));
}

#[test]
fn card_states_omitted_contests() {
    let mut dataset = fixtures::description();
    dataset.manifest.since = Some("2020-09-13T12:26:40Z".to_owned());
    assert!(render_card(&dataset).contains("Contests before 2020-09-13T12:26:40Z are omitted"));
}

#[test]
fn card_is_deterministic() {
    let dataset = fixtures::description();
    assert_eq!(render_card(&dataset), render_card(&dataset.clone()));
}

/// Renders the card of a dataset in which every foreign text is `text`.
fn card_with_text(text: &str) -> String {
    let mut dataset = fixtures::description();
    dataset.title = text.to_owned();
    dataset.manifest.program = text.to_owned();
    dataset.manifest.commit = Some(text.to_owned());
    for source in &mut dataset.sources {
        for into in [
            &mut source.name,
            &mut source.attribution,
            &mut source.licence,
        ] {
            text.clone_into(into);
        }
        source.homepage = Some(text.to_owned());
        source.refused = vec![(text.to_owned(), Some(text.to_owned()))];
    }
    let run = &mut dataset.runs[0];
    for into in [
        &mut run.system,
        &mut run.parameters,
        &mut run.selection,
        &mut run.engine,
    ] {
        text.clone_into(into);
    }
    render_card(&dataset)
}

/// Foreign text begins no line, is never HTML, and adds no table cells.
#[test]
fn card_escapes_all_foreign_text() {
    let nasty = "x\n---\n: # | `a` <script>alert(1)</script> \"q\" 'r' ![i](j) \u{202e}\0\u{1b}[0m";
    let good = card_with_text("calm");
    for bad in [
        nasty,
        "---",
        "- x",
        "1. x",
        "> x",
        "# x",
        "```",
        "\n\n    x",
        "| --- |",
        "<b>",
        "\\",
    ] {
        let bad = card_with_text(bad);
        assert_eq!(bad.lines().count(), good.lines().count(), "{bad}");
        let cells = |line: &str| line.replace("\\\\", "").replace("\\|", "").matches('|').count();
        for (bad, good) in bad.lines().zip(good.lines()) {
            // Text within a list or quotation could begin another one.
            let block = usize::from(good.starts_with(['-', '>']));
            let begins = |line: &str| line.chars().take(2 + block).collect::<String>();
            assert_eq!(begins(bad), begins(good), "{bad}");
            if good.trim_start().starts_with('|') {
                assert_eq!(cells(bad), cells(good), "{bad}");
            }
            assert!(!bad.contains(|c: char| c.is_control() || c == '\u{202e}'), "{bad}");
        }
        // Code fences render no markup.
        let (open, fenced) = bad.split_once("```bibtex").unwrap();
        assert!(!open.contains("<script") && !split_front_matter(open).1.contains("![i]"));
        assert_eq!(fenced.matches("\n```").count(), 1);
    }
    let bad = card_with_text(nasty);
    let name = split_front_matter(&bad).0.lines().next().unwrap();
    let name = name.strip_prefix("pretty_name: ").unwrap();
    let name: String = serde_json::from_str(name).unwrap();
    assert!(name.starts_with("x --- : # | `a` <script>"), "{name}");
}
