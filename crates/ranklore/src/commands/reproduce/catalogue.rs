//! The reproductions: what was published, and the commands that compute it again.

use std::collections::BTreeMap;

use anyhow::Context;
use serde::Deserialize;

/// The files of the reproductions, by name.
const FILES: [(&str, &str); 11] = [
    ("codeforces-768", include_str!("published/codeforces-768.toml")),
    ("elo-mmr-figure3", include_str!("published/elo-mmr-figure3.toml")),
    ("elo-mmr-table1", include_str!("published/elo-mmr-table1.toml")),
    ("elo-mmr-table2", include_str!("published/elo-mmr-table2.toml")),
    ("elo-mmr-table3", include_str!("published/elo-mmr-table3.toml")),
    ("elo-srm", include_str!("published/elo-srm.toml")),
    ("esportsbench", include_str!("published/esportsbench.toml")),
    ("glicko-examples", include_str!("published/glicko-examples.toml")),
    ("multielo", include_str!("published/multielo.toml")),
    ("synthetic", include_str!("published/synthetic.toml")),
    ("volatility-farming", include_str!("published/volatility-farming.toml")),
];

/// Published figures, and the commands that compute them again.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Reproduction {
    /// The name for the command line.
    #[serde(skip)]
    pub(super) name: &'static str,
    pub(super) title: String,
    /// The publication.
    pub(super) source: String,
    /// The data that `--data` names, and where to get it; `None` if it needs none.
    pub(super) data: Option<String>,
    /// The ending of the files of the folder that `--data` names, if the commands run for each of them
    /// and the figures are means over them.
    pub(super) each: Option<String>,
    /// The words of the commands after `ranklore`, and the file of the output after ` > ` if it is not
    /// JSON. `{data}` stands for the path of the data, `{source}` for its name without ending, `{label}`
    /// for a system.
    pub(super) commands: Vec<String>,
    /// Systems with their settings, in the order in which Ranklore prints these, by a label that also names
    /// their rows.
    #[serde(default)]
    pub(super) systems: BTreeMap<String, String>,
    /// The contents of the files that the commands read, by name.
    #[serde(default)]
    pub(super) files: BTreeMap<String, String>,
    pub(super) tables: Vec<PublishedTable>,
}

/// A table of published figures, each in a row and a column.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PublishedTable {
    /// The number of the command with the figures, from 1.
    pub(super) command: usize,
    /// Section, table or figure of the publication.
    pub(super) section: String,
    /// The measure, in words.
    pub(super) measure: String,
    /// The figure in the JSON of the command, with `{column}` and `{row}`, of a label the system; see
    /// [`find_figure`]. The difference and the ratio of two figures have ` - ` and ` / ` between their
    /// paths.
    ///
    /// [`find_figure`]: super::figures::find_figure
    pub(super) path: String,
    /// The largest difference that agrees; without one, the table is for information.
    pub(super) tolerance: Option<f64>,
    /// True if figures agree that are at least the published ones: a law, not a value.
    #[serde(default)]
    pub(super) at_least: bool,
    pub(super) columns: Vec<String>,
    /// The figures by row, one for each column.
    pub(super) rows: Vec<(String, Vec<f64>)>,
}

/// Returns all reproductions, in the order of the list.
///
/// # Errors
/// Errors if a file is damaged, which the tests exclude.
pub(super) fn reproductions() -> anyhow::Result<Vec<Reproduction>> {
    let files = FILES.into_iter().map(|(name, text)| {
        let mut parsed: Reproduction =
            toml::from_str(text).with_context(|| format!("in {name}"))?;
        for command in &mut parsed.commands {
            for (label, system) in &parsed.systems {
                *command = command.replace(&format!("{{{label}}}"), system);
            }
        }
        Ok(Reproduction { name, ..parsed })
    });
    files.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_figure_has_a_column_and_a_command() {
        for reproduction in reproductions().unwrap() {
            let name = reproduction.name;
            let needs_data = reproduction.commands.iter().any(|command| command.contains("{data}"));
            assert_eq!(reproduction.data.is_some(), needs_data, "{name}");
            for command in &reproduction.commands {
                let command = command.replace("{data}", "").replace("{source}", "");
                assert!(!command.contains(['{', '}']), "{command}");
            }
            for table in &reproduction.tables {
                assert!((1..=reproduction.commands.len()).contains(&table.command), "{name}");
                for (row, figures) in &table.rows {
                    assert_eq!(figures.len(), table.columns.len(), "{name}, {row}");
                }
            }
        }
    }
}
