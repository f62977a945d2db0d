//! Reasons of refusals, with the options of the command line that settle them.

use std::fmt::{self, Display, Write as _};

use ranklore_contest::quote_for_shell;

/// Options of `ranklore import` that settle a doubt together.
///
/// Displayed as a shell takes them: `--column 'Total points=score' --lower-is-better`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CommandOptions(Vec<String>);

impl CommandOptions {
    /// Returns an option with its value.
    pub fn new(option: &str, value: impl Into<String>) -> Self {
        Self(vec![option.to_owned(), value.into()])
    }

    /// Returns an option without a value.
    #[must_use]
    pub fn flag(option: &str) -> Self {
        Self(vec![option.to_owned()])
    }

    /// Returns `--lower-is-better`.
    #[must_use]
    pub fn lower_is_better() -> Self {
        Self::flag("--lower-is-better")
    }

    /// Adds options that are needed too.
    #[must_use]
    pub fn and(mut self, others: Self) -> Self {
        self.0.extend(others.0);
        self
    }

    /// Returns the words of the command line, not quoted.
    #[must_use]
    pub fn words(&self) -> &[String] {
        &self.0
    }
}

impl Display for CommandOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, word) in self.0.iter().enumerate() {
            let separator = if index == 0 { "" } else { " " };
            write!(f, "{separator}{}", quote_for_shell(word))?;
        }
        Ok(())
    }
}

/// The reason of a refusal: a lower-case fragment that says what is wrong and what to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reason {
    /// The reason and the fix.
    pub text: String,
    /// The options that may settle it, one of them at a time.
    pub options: Vec<CommandOptions>,
}

impl Reason {
    /// Returns an observation that each of these options settles, in the case beside it:
    /// `observation: pass --a if x, or --b if y`.
    pub fn with_options<C: Display>(
        observation: impl Display,
        cases: impl IntoIterator<Item = (CommandOptions, C)>,
    ) -> Self {
        let cases: Vec<(CommandOptions, C)> = cases.into_iter().collect();
        let mut text = format!("{observation}: pass ");
        for (index, (options, case)) in cases.iter().enumerate() {
            let separator = match index {
                0 => "",
                _ if index + 1 == cases.len() => ", or ",
                _ => ", ",
            };
            // Writing to a string does not fail.
            let _ = write!(text, "{separator}{options} {case}");
        }
        let options = cases.into_iter().map(|(options, _)| options).collect();
        Self { text, options }
    }

    /// Changes the text.
    #[must_use]
    pub fn map_text(self, change: impl FnOnce(String) -> String) -> Self {
        Self {
            text: change(self.text),
            ..self
        }
    }

    /// Adds another reason.
    pub fn append(&mut self, other: Self) {
        self.text = [&*self.text, &*other.text].join("; ");
        self.options.extend(other.options);
    }

    /// Adds options that the text names.
    #[must_use]
    pub fn naming(mut self, options: impl IntoIterator<Item = CommandOptions>) -> Self {
        self.options.extend(options);
        self
    }
}

impl<T: Into<String>> From<T> for Reason {
    fn from(text: T) -> Self {
        Self {
            text: text.into(),
            options: Vec::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_quoted_and_joined() {
        let total = CommandOptions::new("--column", "Total points=score");
        let lowest = CommandOptions::flag("--lower-is-better");
        let reason = Reason::with_options(
            "two readings",
            [
                (total.clone().and(lowest.clone()), "if few are good"),
                (total.clone(), "if many are"),
                (lowest.clone(), "else"),
            ],
        );
        assert_eq!(
            reason.text,
            "two readings: pass --column 'Total points=score' --lower-is-better if few are good, --column 'Total points=score' if many are, or --lower-is-better else"
        );
        assert_eq!(reason.options[1], total);
        assert_eq!(reason.options[2].words(), ["--lower-is-better"]);
        assert_eq!(Reason::from("no rows").naming([lowest.clone()]).options, [lowest]);
    }
}
