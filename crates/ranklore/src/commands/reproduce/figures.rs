//! Our figures beside the published ones.

use serde::Serialize;
use serde_json::Value;

use super::catalogue::{PublishedTable, Reproduction};

/// A published figure beside ours.
#[derive(Debug, Serialize)]
pub(super) struct Figure {
    /// The system or set.
    pub(super) row: String,
    /// The column of the table.
    pub(super) column: String,
    /// The measure, in words.
    pub(super) measure: String,
    /// Section, table or figure of the publication.
    pub(super) section: String,
    pub(super) published: f64,
    pub(super) ours: f64,
    /// Ours minus the published one.
    pub(super) difference: f64,
    /// The largest difference that agrees; `None` for information.
    pub(super) tolerance: Option<f64>,
    pub(super) verdict: FigureVerdict,
}

/// The comparison of a figure with ours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum FigureVerdict {
    Agrees,
    Differs,
    Information,
}

impl FigureVerdict {
    pub(super) const fn as_str(self) -> &'static str {
        match self {
            Self::Agrees => "agrees",
            Self::Differs => "differs",
            Self::Information => "information",
        }
    }
}

/// Compares the published figures with those that the commands printed: with the mean over the files
/// if they ran for several. `outputs` has the output of each command for each file.
///
/// # Errors
/// Errors if an output lacks a figure.
pub(super) fn compare(
    reproduction: &Reproduction,
    outputs: &[Vec<Value>],
) -> anyhow::Result<Vec<Figure>> {
    let mut figures = Vec::new();
    for table in &reproduction.tables {
        for (row, published) in &table.rows {
            for (column, &published) in table.columns.iter().zip(published) {
                let system = reproduction.systems.get(row).unwrap_or(row);
                let path = table.path.replace("{row}", system).replace("{column}", column);
                let index = table.command - 1;
                let file_figures =
                    outputs.iter().map(|outputs| compute_figure(&outputs[index], &path));
                let Some(sum) = file_figures.sum::<Option<f64>>() else {
                    let command = &reproduction.commands[index];
                    anyhow::bail!("`ranklore {command}` prints no figure at {path}");
                };
                let ours = sum / outputs.len() as f64;
                let difference = ours - published;
                figures.push(Figure {
                    row: row.clone(),
                    column: column.clone(),
                    measure: table.measure.clone(),
                    section: table.section.clone(),
                    published,
                    ours,
                    difference,
                    tolerance: table.tolerance,
                    verdict: judge(difference, table),
                });
            }
        }
    }
    Ok(figures)
}

fn judge(difference: f64, table: &PublishedTable) -> FigureVerdict {
    let Some(tolerance) = table.tolerance else {
        return FigureVerdict::Information;
    };
    let is_high_enough = difference >= -tolerance;
    if is_high_enough && (table.at_least || difference <= tolerance) {
        FigureVerdict::Agrees
    } else {
        // Also a difference that is no number.
        FigureVerdict::Differs
    }
}

/// Returns the number at a path, or the difference or the ratio of the numbers at two paths.
fn compute_figure(value: &Value, path: &str) -> Option<f64> {
    if let Some((first, second)) = path.split_once(" - ") {
        return Some(find_figure(value, first)? - find_figure(value, second)?);
    }
    if let Some((first, second)) = path.split_once(" / ") {
        return Some(find_figure(value, first)? / find_figure(value, second)?);
    }
    find_figure(value, path)
}

/// Returns the number at a path of keys, separated by `/`. In an array, `key=text` is the element
/// with this text or number, and `key~name` the only one with this name and any settings, as in `glicko:beta=9`.
pub(super) fn find_figure(value: &Value, path: &str) -> Option<f64> {
    let figure = path.split('/').try_fold(value, |value, step| match value {
        Value::Array(elements) => {
            let (key, text, is_named) = match step.split_once('~') {
                Some((key, name)) => (key, name, true),
                None => step.split_once('=').map(|(key, text)| (key, text, false))?,
            };
            let mut matching = elements.iter().filter(|element| {
                let own = match element.get(key) {
                    Some(Value::String(own)) => own.clone(),
                    Some(own) => own.to_string(),
                    None => return false,
                };
                let name = own.split(':').next().unwrap_or_default();
                text == if is_named { name } else { &own }
            });
            matching.next().filter(|_| matching.next().is_none())
        }
        object => object.get(step),
    });
    figure.and_then(Value::as_f64)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn figures_are_found_by_key_and_by_text() {
        let output = json!({"thrown": 17, "systems": [
            {"system": "glicko:beta=125", "slices": [{"slice": "all", "brier": 0.25}]},
            {"system": "elo-mmr:rho=1", "mu": -40.5},
            {"system": "elo-mmr:rho=2", "mu": 3, "size": 50},
        ]});
        for (path, expected) in [
            ("thrown", Some(17.0)),
            ("systems/system~glicko/slices/slice=all/brier", Some(0.25)),
            ("systems/system=elo-mmr:rho=1/mu", Some(-40.5)),
            ("systems/size=50/mu", Some(3.0)),
            ("systems/size=5/mu", None),
            // Two have this name.
            ("systems/system~elo-mmr/mu", None),
            ("systems/system=glicko/mu", None),
            ("systems/mu", None),
            ("systems", None),
        ] {
            assert_eq!(find_figure(&output, path), expected, "{path}");
        }
        assert_eq!(compute_figure(&output, "thrown"), Some(17.0));
        let path = "thrown - systems/system=elo-mmr:rho=2/mu";
        assert_eq!(compute_figure(&output, path), Some(14.0));
        let path = "thrown / systems/system=elo-mmr:rho=2/mu";
        assert_eq!(compute_figure(&output, path), Some(17.0 / 3.0));
        assert_eq!(compute_figure(&output, "thrown - systems/mu"), None);
    }

    #[test]
    fn only_figures_with_a_tolerance_are_judged() {
        let table = |tolerance, at_least| PublishedTable {
            command: 1,
            section: String::new(),
            measure: String::new(),
            path: String::new(),
            tolerance,
            at_least,
            columns: Vec::new(),
            rows: Vec::new(),
        };
        assert_eq!(judge(9.0, &table(None, false)), FigureVerdict::Information);
        let near = table(Some(0.5), false);
        assert_eq!(judge(-0.5, &near), FigureVerdict::Agrees);
        assert_eq!(judge(0.51, &near), FigureVerdict::Differs);
        assert_eq!(judge(f64::NAN, &near), FigureVerdict::Differs);
        let law = table(Some(0.0), true);
        assert_eq!(judge(9.0, &law), FigureVerdict::Agrees);
        assert_eq!(judge(0.0, &law), FigureVerdict::Agrees);
        assert_eq!(judge(-1e-9, &law), FigureVerdict::Differs);
        assert_eq!(judge(f64::NAN, &law), FigureVerdict::Differs);
    }
}
