//! The options of a source beyond those that all have.

use std::collections::BTreeMap;

use ranklore_contest::UnixSeconds;

use crate::Profile;

/// An option of a source: `--with standings`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SourceOption {
    /// Its name: small letters, digits, `-`.
    pub name: &'static str,
    /// The help, in one line.
    pub help: &'static str,
    /// The values that it takes.
    pub kind: OptionKind,
    /// True if `--NAME` is an option of the command line that says the same.
    pub flag: bool,
    /// True if lists are asked for by this option alone. Without it a sync asks about the contests
    /// that are known.
    pub lists: bool,
}

/// The values that an option takes, with the word that stands for one in help texts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OptionKind {
    /// None: it is given or not.
    Switch,
    /// Any number of words.
    Words(&'static str),
    /// One whole number of 1 or more.
    Number(&'static str),
}

impl SourceOption {
    /// An option that is given or not.
    #[must_use]
    pub const fn switch(name: &'static str, help: &'static str) -> Self {
        Self {
            name,
            help,
            kind: OptionKind::Switch,
            flag: false,
            lists: false,
        }
    }

    /// The word that stands for a value in help texts; `None` for a switch.
    #[must_use]
    pub const fn value_name(&self) -> Option<&'static str> {
        match self.kind {
            OptionKind::Switch => None,
            OptionKind::Words(value) | OptionKind::Number(value) => Some(value),
        }
    }

    /// The option as it is typed: `--subreddit NAME`, or `--with subreddit=NAME`.
    #[must_use]
    pub fn usage(&self) -> String {
        let name = self.name;
        match (self.flag, self.value_name()) {
            (true, None) => format!("--{name}"),
            (true, Some(value)) => format!("--{name} {value}"),
            (false, None) => format!("--with {name}"),
            (false, Some(value)) => format!("--with {name}={value}"),
        }
    }
}

/// The options that a source is opened with.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OptionValues {
    /// Only contests that ended at this time or later are wanted, so lists may end there.
    pub since: Option<UnixSeconds>,
    values: BTreeMap<&'static str, Vec<String>>,
}

impl OptionValues {
    /// No option, for contests that ended at this time or later.
    #[must_use]
    pub fn new(since: Option<UnixSeconds>) -> Self {
        let values = BTreeMap::new();
        Self { since, values }
    }

    /// Sets an option of a source, or adds a word to it.
    ///
    /// # Errors
    /// [`InvalidOption`] if the source has no such option, or the value does not fit it.
    pub fn set(
        &mut self,
        profile: &Profile,
        name: &str,
        value: Option<&str>,
    ) -> Result<(), InvalidOption> {
        let invalid = |why: &str| Err(InvalidOption(format!("{name}: {why}")));
        let Some(option) = profile.options.iter().find(|option| option.name == name) else {
            return Err(InvalidOption::unknown(profile, name));
        };
        let values = self.values.entry(option.name).or_default();
        match (option.kind, value) {
            (OptionKind::Switch, None) => {}
            (OptionKind::Switch, Some(_)) => return invalid("takes no value"),
            (_, None | Some("")) => return invalid("takes a value"),
            (OptionKind::Words(_), Some(word)) => values.push(word.to_owned()),
            (OptionKind::Number(_), Some(_)) if !values.is_empty() => {
                return invalid("given twice");
            }
            (OptionKind::Number(_), Some(number)) => match number.parse::<u32>() {
                Ok(1..) => values.push(number.to_owned()),
                _ => return invalid("takes a whole number from 1 to 4294967295"),
            },
        }
        Ok(())
    }

    /// True if the option was set.
    #[must_use]
    pub fn is_set(&self, name: &str) -> bool {
        self.values.contains_key(name)
    }

    /// The words of an option, in the order in which they were given.
    #[must_use]
    pub fn words(&self, name: &str) -> &[String] {
        self.values.get(name).map_or(&[], Vec::as_slice)
    }

    /// The number of an option.
    #[must_use]
    pub fn number(&self, name: &str) -> Option<u32> {
        self.words(name).first()?.parse().ok()
    }
}

/// An option that a source does not have, or a value that it cannot take. The text says what it
/// can.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct InvalidOption(pub String);

impl InvalidOption {
    fn unknown(profile: &Profile, name: &str) -> Self {
        let site = profile.name;
        let names: Vec<&str> = profile.options.iter().map(|of| of.name).collect();
        Self(match names[..] {
            [] => format!("{site} has no option {name:?}, and no other of its own: leave it out"),
            _ => format!("{site} has no option {name:?}; it has {}", names.join(", ")),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Terms;

    static HARBOUR: Profile = Profile {
        options: &[
            SourceOption::switch("marks", "Ask for marks too"),
            SourceOption {
                kind: OptionKind::Words("NAME"),
                ..SourceOption::switch("quay", "Boats of this quay")
            },
            SourceOption {
                kind: OptionKind::Number("N"),
                ..SourceOption::switch("top", "So many boats")
            },
        ],
        ..Profile::new("harbour", Terms::new("https://harbour.example"))
    };

    #[test]
    fn values_of_each_kind_are_read_back() {
        let mut values = OptionValues::default();
        for (name, value) in [
            ("marks", None),
            ("quay", Some("Old")),
            ("quay", Some("New")),
            ("top", Some("12")),
        ] {
            values.set(&HARBOUR, name, value).unwrap();
        }
        assert!(values.is_set("marks"));
        assert_eq!(values.words("quay"), ["Old", "New"]);
        assert_eq!(values.number("top"), Some(12));
        let none = OptionValues::default();
        assert!(!none.is_set("marks") && none.words("quay").is_empty());
        assert_eq!(none.number("top"), None);
    }

    #[test]
    fn unknown_options_and_values_that_do_not_fit_are_refused() {
        for (name, value, says) in [
            (
                "boats",
                None,
                "harbour has no option \"boats\"; it has marks, quay, top",
            ),
            ("marks", Some("1"), "marks: takes no value"),
            ("quay", None, "quay: takes a value"),
            ("quay", Some(""), "quay: takes a value"),
            (
                "top",
                Some("0"),
                "top: takes a whole number from 1 to 4294967295",
            ),
            (
                "top",
                Some("-1"),
                "top: takes a whole number from 1 to 4294967295",
            ),
        ] {
            let error = OptionValues::default()
                .set(&HARBOUR, name, value)
                .unwrap_err();
            assert_eq!(error.to_string(), says);
        }
        let mut values = OptionValues::default();
        values.set(&HARBOUR, "top", Some("1")).unwrap();
        values.set(&HARBOUR, "top", Some("2")).unwrap_err();
        let bare = Profile::new("bare", Terms::new("https://bare.example"));
        let error = values.set(&bare, "marks", None).unwrap_err().to_string();
        assert!(error.starts_with("bare has no option \"marks\""), "{error}");
    }
}
