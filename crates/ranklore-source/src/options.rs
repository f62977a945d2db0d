//! The options of a source, in addition to those that all sources have.

use std::collections::BTreeMap;

use ranklore_contest::UnixSeconds;

use crate::Profile;

/// An option of a source, such as `--with standings`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SourceOption {
    /// The name: small letters, digits, `-`.
    pub name: &'static str,
    /// The help text, one line.
    pub help: &'static str,
    /// The kind of value.
    pub kind: OptionKind,
    /// True if the command line also has an option `--NAME` for it.
    pub flag: bool,
    /// True if only this option requests lists. Without it, a sync requests only known contests.
    pub enables_lists: bool,
}

/// The kind of value of an option, with the placeholder for help texts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OptionKind {
    /// No value: the option is given or not.
    Switch,
    /// Any number of words.
    Words(&'static str),
    /// An integer, at least 1.
    Number(&'static str),
}

impl SourceOption {
    /// Returns an option without a value.
    #[must_use]
    pub const fn switch(name: &'static str, help: &'static str) -> Self {
        Self {
            name,
            help,
            kind: OptionKind::Switch,
            flag: false,
            enables_lists: false,
        }
    }

    /// Returns the placeholder for a value in help texts; `None` for a switch.
    #[must_use]
    pub const fn value_name(&self) -> Option<&'static str> {
        match self.kind {
            OptionKind::Switch => None,
            OptionKind::Words(value) | OptionKind::Number(value) => Some(value),
        }
    }

    /// Returns the option as typed: `--subreddit NAME`, or `--with subreddit=NAME`.
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

/// The option values that a source is opened with.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OptionValues {
    /// The earliest end of wanted contests, so that lists may stop there.
    pub since: Option<UnixSeconds>,
    values: BTreeMap<&'static str, Vec<String>>,
}

impl OptionValues {
    /// Returns no options, for contests that ended at `since` or later.
    #[must_use]
    pub fn new(since: Option<UnixSeconds>) -> Self {
        let values = BTreeMap::new();
        Self { since, values }
    }

    /// Sets an option of a source, or adds a word to it.
    ///
    /// # Errors
    /// [`InvalidOption`] if the source does not have the option, or the value is invalid.
    pub fn set(
        &mut self,
        profile: &Profile,
        name: &str,
        value: Option<&str>,
    ) -> Result<(), InvalidOption> {
        let invalid = |reason: &str| Err(InvalidOption(format!("{name}: {reason}")));
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

    /// Returns the words of an option, in the order given.
    #[must_use]
    pub fn words(&self, name: &str) -> &[String] {
        self.values.get(name).map_or(&[], Vec::as_slice)
    }

    /// Returns the number of an option.
    #[must_use]
    pub fn number(&self, name: &str) -> Option<u32> {
        self.words(name).first()?.parse().ok()
    }
}

/// An unknown option or an invalid value. The message names the valid ones.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct InvalidOption(pub String);

impl InvalidOption {
    fn unknown(profile: &Profile, name: &str) -> Self {
        let site = profile.name;
        let names: Vec<&str> = profile.options.iter().map(|o| o.name).collect();
        Self(match names[..] {
            [] => format!("{site} has no option {name:?}, and no options of its own; leave it out"),
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
                ..SourceOption::switch("top", "Number of boats")
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
    fn unknown_options_and_invalid_values_are_refused() {
        for (name, value, says) in [
            ("boats", None, "harbour has no option \"boats\"; it has marks, quay, top"),
            ("marks", Some("1"), "marks: takes no value"),
            ("quay", None, "quay: takes a value"),
            ("quay", Some(""), "quay: takes a value"),
            ("top", Some("0"), "top: takes a whole number from 1 to 4294967295"),
            ("top", Some("-1"), "top: takes a whole number from 1 to 4294967295"),
        ] {
            let error = OptionValues::default().set(&HARBOUR, name, value).unwrap_err();
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
