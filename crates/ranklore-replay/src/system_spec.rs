//! Rating systems with settings as users write them: `NAME[:key=value]…`.

use std::fmt;

use ranklore_store::OFFICIAL;
use serde_json::{Map, Value};

use crate::error::Error;
use crate::runs::systems::{SYSTEMS, System, SystemName, non_default_parameters};

/// A rating system with settings. Its text is `NAME[:key=value]…`, such as `elo-mmr:rho=2`.
#[derive(Clone, Debug, PartialEq)]
pub struct SystemSpec {
    /// The system.
    pub system: SystemName,
    /// The parameters that were set; the others have their defaults.
    pub settings: Map<String, Value>,
}

impl SystemSpec {
    /// Returns the system with its default parameters.
    #[must_use]
    pub fn new(system: SystemName) -> Self {
        Self {
            system,
            settings: Map::new(),
        }
    }

    /// Returns all systems with their default parameters.
    #[must_use]
    pub fn all() -> Vec<Self> {
        SYSTEMS.iter().copied().map(Self::new).collect()
    }

    /// Parses `NAME[:key=value]…`. Colons inside brackets or double quotes belong to the value. A
    /// value is JSON, else a bare word.
    ///
    /// # Errors
    /// [`Error::NoSystem`], [`Error::InvalidSystemSpec`], and the errors of
    /// [`SystemSpec::with_settings`].
    pub fn parse(text: &str) -> Result<Self, Error> {
        match split(text, ',')?.as_slice() {
            [one] => Self::parse_one(one),
            _ => Err(invalid(text, "names several systems; name one")),
        }
    }

    /// Parses a list of systems, separated by commas. Commas inside brackets or double quotes belong
    /// to the value.
    ///
    /// # Errors
    /// The errors of [`SystemSpec::parse`], and for a system with the same settings listed twice.
    pub fn parse_list(text: &str) -> Result<Vec<Self>, Error> {
        let mut specs: Vec<Self> = Vec::new();
        let mut identities = Vec::new();
        for part in split(text, ',')? {
            if part == OFFICIAL {
                return Err(invalid(part, "has the ratings of the site, which no system computes"));
            }
            let names_setting = part.split(':').next().is_some_and(|name| name.contains('='));
            if let Some(spec) = specs.last().filter(|_| names_setting) {
                return Err(Error::SettingBehindComma {
                    setting: part.to_owned(),
                    system: format!("{spec}:{part}"),
                });
            }
            let spec = Self::parse_one(part)?;
            let identity = (spec.system.as_str(), spec.build()?.parameters);
            if identities.contains(&identity) {
                return Err(invalid(part, "is listed twice"));
            }
            identities.push(identity);
            specs.push(spec);
        }
        Ok(specs)
    }

    fn parse_one(text: &str) -> Result<Self, Error> {
        let mut parts = split(text, ':')?.into_iter();
        let spec = Self::new(SystemName::find(parts.next().unwrap_or_default())?);
        let settings: Result<Vec<Setting>, Error> = parts.map(Setting::parse).collect();
        spec.with_settings(&settings?)
    }

    /// Returns the system with further settings.
    ///
    /// # Errors
    /// [`Error::ConflictingSettings`] if a parameter is set already, [`Error::InvalidParameters`] if
    /// one is unknown or out of range.
    pub fn with_settings(mut self, settings: &[Setting]) -> Result<Self, Error> {
        for (index, setting) in settings.iter().enumerate() {
            let Setting {
                name,
                value,
                origin,
            } = setting;
            if let Some(former) = self.settings.insert(name.clone(), value.clone()) {
                let earlier = settings[..index].iter().find(|other| other.name == *name);
                let own = || format!("{}:{}", self.system.as_str(), format_setting(name, &former));
                return Err(Error::ConflictingSettings {
                    name: name.clone(),
                    first: earlier.map_or_else(own, |other| other.origin.clone()),
                    second: origin.clone(),
                });
            }
        }
        self.build()?;
        Ok(self)
    }

    /// Returns the system, ready to rate.
    ///
    /// # Errors
    /// [`Error::InvalidParameters`].
    pub fn build(&self) -> Result<System, Error> {
        self.system.with_parameters(&self.settings)
    }
}

impl fmt::Display for SystemSpec {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.system.as_str())?;
        let mut settings = self.settings.iter();
        settings.try_for_each(|(name, value)| write!(formatter, ":{}", format_setting(name, value)))
    }
}

/// A parameter of a system, as the user sets it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setting {
    /// The name of the parameter.
    pub name: String,
    /// The value.
    pub value: Value,
    /// The text or the option that sets it, for errors.
    pub origin: String,
}

impl Setting {
    /// Parses `key=value`. A value that is not JSON is a bare word.
    ///
    /// # Errors
    /// [`Error::InvalidSystemSpec`].
    pub fn parse(text: &str) -> Result<Self, Error> {
        match text.split_once('=') {
            Some((name, value)) if !name.is_empty() && !value.is_empty() => Ok(Self {
                name: name.to_owned(),
                value: serde_json::from_str(value).unwrap_or_else(|_| value.into()),
                origin: text.to_owned(),
            }),
            _ => Err(invalid(text, "is no setting: expected key=value, such as rho=0.04")),
        }
    }

    /// Parses the value of the option `--set`, which errors name.
    ///
    /// # Errors
    /// The errors of [`Setting::parse`].
    pub fn parse_option(text: &str) -> Result<Self, Error> {
        let setting = Self::parse(text)?;
        Ok(Self {
            origin: format!("--set {text}"),
            ..setting
        })
    }
}

/// Formats a setting so that [`Setting::parse`] and [`SystemSpec::parse`] read it back.
#[must_use]
pub fn format_setting(name: &str, value: &Value) -> String {
    format!("{name}={}", format_value(value))
}

/// Formats the value of a setting.
pub(crate) fn format_value(value: &Value) -> String {
    match value.as_str() {
        Some(word) if is_plain(word) => word.to_owned(),
        // Parameters are stored as 3.0.
        _ => value.as_f64().map_or_else(|| value.to_string(), |number| number.to_string()),
    }
}

/// True if a word needs no quotes: it is neither JSON nor contains separators.
fn is_plain(word: &str) -> bool {
    let is_special = word.contains(|c: char| c.is_whitespace() || ",:[]{}\"".contains(c));
    !word.is_empty() && !is_special && serde_json::from_str::<Value>(word).is_err()
}

/// Formats the system of a run with the parameters (canonical JSON) that differ from its defaults,
/// as `NAME[:key=value]…`.
#[must_use]
pub fn format_system(system: &str, parameters: &str) -> String {
    let settings = non_default_parameters(system, parameters);
    settings.iter().fold(system.to_owned(), |text, (name, value)| {
        text + ":" + &format_setting(name, value)
    })
}

/// Splits a text at a separator outside of brackets and double quotes.
fn split(text: &str, separator: char) -> Result<Vec<&str>, Error> {
    let mut parts = Vec::new();
    let mut start = 0;
    let mut depth = 0_usize;
    let mut is_quoted = false;
    let mut is_escaped = false;
    for (at, c) in text.char_indices() {
        match c {
            _ if is_escaped => is_escaped = false,
            '\\' if is_quoted => is_escaped = true,
            '"' => is_quoted = !is_quoted,
            _ if is_quoted => {}
            '[' | '{' => depth += 1,
            ']' | '}' => {
                depth = depth
                    .checked_sub(1)
                    .ok_or_else(|| invalid(&text[start..], "closes a bracket that is not open"))?;
            }
            _ if c == separator && depth == 0 => {
                parts.push(&text[start..at]);
                start = at + c.len_utf8();
            }
            _ => {}
        }
    }
    let last = &text[start..];
    if is_quoted {
        return Err(invalid(last, "lacks a closing quote"));
    }
    if depth > 0 {
        return Err(invalid(last, "lacks a closing bracket"));
    }
    parts.push(last);
    Ok(parts)
}

fn invalid(part: &str, reason: &'static str) -> Error {
    Error::InvalidSystemSpec {
        part: part.to_owned(),
        reason,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn systems_parse_with_settings() {
        let specs = SystemSpec::parse_list(
            r#"elo-mmr:rho=inf:newcomer_weights=[0.6,0.8]:split_ties=true,trueskill,elo-mmr:weight="site/25""#,
        );
        let specs = specs.unwrap();
        let names: Vec<&str> = specs.iter().map(|spec| spec.system.as_str()).collect();
        assert_eq!(names, ["elo-mmr", "trueskill", "elo-mmr"]);
        let settings: Vec<Value> =
            specs.iter().map(|spec| Value::Object(spec.settings.clone())).collect();
        let first = json!({"rho": "inf", "newcomer_weights": [0.6, 0.8], "split_ties": true});
        assert_eq!(settings, [first, json!({}), json!({"weight": "site/25"})]);
        let one = SystemSpec::parse("elo-mmr:rho=2").unwrap();
        assert_eq!(one.settings["rho"], json!(2));
    }

    #[test]
    fn separators_in_brackets_and_quotes_belong_to_value() {
        let parts = |text| split(text, ':').unwrap();
        assert_eq!(parts("a:b=[1:2]:c={\"k:\":1}"), ["a", "b=[1:2]", "c={\"k:\":1}"]);
        assert_eq!(parts(r#"a:b="x:\":y":c"#), ["a", r#"b="x:\":y""#, "c"]);
        assert_eq!(parts(r#"a:b="]""#), ["a", r#"b="]""#]);
        assert_eq!(parts("a"), ["a"]);
        assert_eq!(parts("a::b:"), ["a", "", "b", ""]);
        assert_eq!(split("x=[1,2],y", ',').unwrap(), ["x=[1,2]", "y"]);
    }

    #[test]
    fn error_names_the_part() {
        for (text, expected) in [
            ("", "there is no rating system \"\""),
            ("elo-9:rho=2", "\"elo-9\""),
            ("elo-mmr:", "\"\" is no setting"),
            ("elo-mmr:rho", "\"rho\" is no setting"),
            ("elo-mmr:rho=", "\"rho=\" is no setting"),
            ("elo-mmr:=2", "\"=2\" is no setting"),
            ("elo-mmr:rhoo=2", "rhoo"),
            ("elo-mmr:rho=-1", "rho"),
            ("elo-mmr:rho=1:rho=2", "\"rho\" is set twice, by rho=1 and rho=2"),
            ("elo-mmr:newcomer_weights=[0.6,0.8", "lacks a closing bracket"),
            ("elo-mmr:newcomer_weights=0.6]", "closes a bracket"),
            ("elo-mmr:weight=\"site", "lacks a closing quote"),
            ("elo-mmr,glicko", "names several systems"),
        ] {
            let error = SystemSpec::parse(text).err().unwrap().to_string();
            assert!(error.contains(expected), "{text}: {error}");
        }
        for (text, expected) in [
            ("elo-mmr,", "there is no rating system \"\""),
            ("elo-mmr,glicko,elo-mmr:rho=1", "\"elo-mmr:rho=1\" is listed twice"),
        ] {
            let error = SystemSpec::parse_list(text).err().unwrap().to_string();
            assert!(error.contains(expected), "{text}: {error}");
        }
    }

    #[test]
    fn conflict_names_both_settings() {
        let spec = SystemSpec::parse("elo-mmr:rho=2").unwrap();
        let options = ["rho=3", "dnf=tied", "dnf=drop"].map(|text| Setting::parse(text).unwrap());
        for (settings, expected) in [
            (&options[..1], "\"rho\" is set twice, by elo-mmr:rho=2 and rho=3; set it once"),
            (&options[1..], "\"dnf\" is set twice, by dnf=tied and dnf=drop; set it once"),
        ] {
            let error = spec.clone().with_settings(settings).unwrap_err();
            assert_eq!(error.to_string(), expected);
        }
        let both = spec.with_settings(&options[1..2]).unwrap();
        assert_eq!(both.to_string(), "elo-mmr:dnf=tied:rho=2");
    }

    #[test]
    fn formatted_settings_parse_back() {
        for value in [
            json!("inf"),
            json!("site/25"),
            json!("1"),
            json!("true"),
            json!("a,b:c"),
            json!("a]b"),
            json!("a\"b"),
            json!(" x "),
            json!(""),
            json!(0.25),
            json!(null),
            json!([0.6, 0.8]),
        ] {
            let text = format_setting("key", &value);
            let setting = Setting::parse(&text).unwrap();
            assert_eq!((&*setting.name, setting.value), ("key", value));
            let listed = format!("name:{text}:other");
            assert_eq!(split(&listed, ':').unwrap().len(), 3, "{listed}");
            assert_eq!(split(&listed, ',').unwrap().len(), 1, "{listed}");
        }
        assert_eq!(format_setting("key", &json!(3.0)), "key=3");
        let spec = SystemSpec::parse("elo-mmr:rho=inf:newcomer_weights=[0.6,0.8]").unwrap();
        let text = spec.to_string();
        assert_eq!(SystemSpec::parse(&text).unwrap().to_string(), text);
        let system = spec.build().unwrap();
        let formatted = format_system(system.name, &system.parameters);
        assert_eq!(
            SystemSpec::parse(&formatted).unwrap().build().unwrap().parameters,
            system.parameters
        );
        assert_eq!(format_system("official", "{}"), "official");
    }
}
