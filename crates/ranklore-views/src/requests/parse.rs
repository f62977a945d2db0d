//! Requests from pairs of names and values, as in the query of a URL, and from JSON: the options of
//! the command line without its dashes.

use std::collections::HashSet;
use std::fmt;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, ArgAction, Args, Command};
use serde_json::Value;

/// A parameter that is not valid.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct ParameterError(String);

/// Returns the names of the parameters of a request.
#[must_use]
pub fn parameter_names<R: Args>() -> Vec<String> {
    command::<R>().get_arguments().map(|arg| name(arg).to_owned()).collect()
}

/// Parses a request from pairs of names and values. A flag is `true` or `false`.
///
/// # Errors
/// Errors if a parameter is unknown, given twice, or has a value that is not valid.
pub fn parse_request<'p, R: Args>(
    pairs: impl IntoIterator<Item = (&'p str, &'p str)>,
) -> Result<R, ParameterError> {
    let command = command::<R>();
    let mut options = Vec::new();
    let mut positionals = vec!["--".to_owned()];
    let mut names = HashSet::new();
    for (name, value) in pairs {
        let arg = find(&command, name)?;
        let can_repeat = arg.get_num_args().is_some_and(|range| range.max_values() > 1);
        if !names.insert(name) && !can_repeat {
            let text = format!("parameter \"{name}\" is given twice; give it once");
            return Err(ParameterError(text));
        }
        match (arg.get_action(), value) {
            (ArgAction::SetTrue, "true") => options.push(format!("--{name}")),
            (ArgAction::SetTrue, "false") => {}
            (ArgAction::SetTrue, _) => return Err(invalid(name, value, "expected true or false")),
            _ if arg.is_positional() => positionals.push(value.to_owned()),
            _ => options.push(format!("--{name}={value}")),
        }
    }
    options.extend(positionals);
    let matches = command.clone().try_get_matches_from(options);
    let request = matches.and_then(|matches| R::from_arg_matches(&matches));
    request.map_err(|error| describe(&command, &error))
}

/// Parses a request from a JSON object. A parameter that can be repeated is an array; null stands for
/// the default.
///
/// # Errors
/// The errors of [`parse_request`], and if the JSON has another form.
pub fn parse_json_request<R: Args>(json: &Value) -> Result<R, ParameterError> {
    let Value::Object(members) = json else {
        return Err(ParameterError(format!("expected an object of parameters, not {json}")));
    };
    let mut pairs = Vec::new();
    for (name, value) in members {
        let values = match value {
            Value::Array(values) => values,
            value => std::slice::from_ref(value),
        };
        for value in values {
            match value {
                Value::Null => {}
                Value::String(text) => pairs.push((&**name, text.clone())),
                Value::Bool(_) | Value::Number(_) => pairs.push((name, value.to_string())),
                Value::Array(_) | Value::Object(_) => {
                    return Err(invalid(name, &value.to_string(), "expected a text or a number"));
                }
            }
        }
    }
    parse_request(pairs.iter().map(|(name, value)| (*name, &**value)))
}

fn command<R: Args>() -> Command {
    let command = Command::new("request").no_binary_name(true).disable_help_flag(true);
    let mut command = R::augment_args(command);
    // The usage of an argument in an error is known once the command is built.
    command.build();
    command
}

/// Returns the name of a parameter: the option without its dashes.
fn name(arg: &Arg) -> &str {
    arg.get_long().unwrap_or(arg.get_id().as_str())
}

fn find<'c>(command: &'c Command, parameter: &str) -> Result<&'c Arg, ParameterError> {
    let mut args = command.get_arguments();
    args.find(|arg| name(arg) == parameter).ok_or_else(|| {
        let names: Vec<&str> = command.get_arguments().map(name).collect();
        let names = names.join(", ");
        ParameterError(format!("there is no parameter \"{parameter}\"; use {names}"))
    })
}

fn invalid(name: &str, value: &str, reason: impl fmt::Display) -> ParameterError {
    ParameterError(format!("parameter \"{name}\" is \"{value}\": {reason}"))
}

/// Describes an error of the parser with the name of the parameter.
fn describe(command: &Command, error: &clap::Error) -> ParameterError {
    let text = |kind| match error.get(kind) {
        Some(ContextValue::String(text)) => text,
        _ => "",
    };
    let parameter = |usage: &str| {
        let arg = command.get_arguments().find(|arg| arg.to_string() == usage);
        arg.map_or(usage, name).to_owned()
    };
    let parameter_name = parameter(text(ContextKind::InvalidArg));
    let value = text(ContextKind::InvalidValue);
    match (error.kind(), error.get(ContextKind::ValidValue)) {
        (ErrorKind::InvalidValue, Some(ContextValue::Strings(words))) => {
            let (last, first) = words.split_last().map_or(("", &[][..]), |(l, f)| (l, f));
            let expected = format!("expected {} or {last}", first.join(", "));
            invalid(&parameter_name, value, expected)
        }
        (ErrorKind::ValueValidation, _) => {
            let reason = std::error::Error::source(error);
            let reason = reason.map(ToString::to_string).unwrap_or_default();
            if reason.starts_with("expected") {
                invalid(&parameter_name, value, reason)
            } else {
                ParameterError(reason)
            }
        }
        (ErrorKind::ArgumentConflict, _) => {
            let other = parameter(text(ContextKind::PriorArg));
            ParameterError(format!(
                "parameters \"{parameter_name}\" and \"{other}\" exclude each other; leave out one \
                 of them"
            ))
        }
        _ => ParameterError(error.to_string()),
    }
}

/// Parameters that contradict each other. The text has the parameters in braces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Contradiction(pub(crate) &'static str);

impl Contradiction {
    /// Describes the contradiction with options of the command line.
    #[must_use]
    pub fn with_options(self) -> String {
        self.describe(|parameter| format!("--{parameter}"))
    }

    /// Describes the contradiction with parameters of a query.
    #[must_use]
    pub fn with_parameters(self) -> String {
        self.describe(|parameter| format!("\"{}\"", parameter.replace(' ', "=")))
    }

    fn describe(self, parameter: impl Fn(&str) -> String) -> String {
        let parts = self.0.split(['{', '}']).enumerate();
        // Every second part is a parameter.
        parts
            .map(|(index, part)| match index % 2 {
                0 => part.to_owned(),
                _ => parameter(part),
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use ranklore_replay::RunChoice;
    use serde_json::json;

    use super::*;
    use crate::leaderboard::LeaderboardRequest;
    use crate::lists::players::PlayerListRequest;
    use crate::page::Page;
    use crate::ranking::order::LeaderboardOrder;

    #[test]
    fn query_and_json_give_the_same_request() {
        let pairs = [
            ("source", "a"),
            ("source", "b"),
            ("sort", "mu"),
            ("reverse", "true"),
        ];
        let from_pairs: LeaderboardRequest = parse_request(pairs).unwrap();
        let json = json!({"source": ["a", "b"], "sort": "mu", "reverse": true, "k": null});
        let from_json: LeaderboardRequest = parse_json_request(&json).unwrap();
        assert_eq!(from_pairs.sources.len(), 2);
        assert_eq!(from_pairs.order, Some(LeaderboardOrder::Mu));
        assert!(from_pairs.reverse && !from_pairs.inactive);
        assert_eq!(format!("{from_pairs:?}"), format!("{from_json:?}"));
    }

    #[test]
    fn request_without_parameters_has_the_defaults() {
        let board: LeaderboardRequest = parse_request([]).unwrap();
        let default_board = LeaderboardRequest::new(Vec::new(), RunChoice::default());
        assert_eq!(format!("{board:?}"), format!("{default_board:?}"));
        let players: PlayerListRequest = parse_request([]).unwrap();
        assert_eq!(format!("{players:?}"), format!("{:?}", PlayerListRequest::default()));
        assert_eq!(players.page, Page::ALL);
    }

    #[test]
    fn invalid_parameters_are_refused() {
        let error = |pairs: &[(&str, &str)]| {
            let pairs = pairs.iter().copied();
            parse_request::<PlayerListRequest>(pairs).unwrap_err().to_string()
        };
        for (pairs, message) in [
            (&[("luck", "1")][..], "there is no parameter \"luck\"; use text, kind, sort"),
            (&[("real-names", "true")], "there is no parameter \"real-names\""),
            (&[("sort", "x")], "\"sort\" is \"x\": expected rating, name, contests or last"),
            (&[("kind", "x")], "\"kind\" is \"x\": expected person, team or couple"),
            (&[("reverse", "1")], "\"reverse\" is \"1\": expected true or false"),
            (&[("text", "a"), ("text", "b")], "\"text\" is given twice; give it once"),
            (&[("run", "1"), ("system", "elo-mmr")], "exclude each other"),
        ] {
            assert!(error(pairs).contains(message), "{}", error(pairs));
        }
        // Values are no options.
        let text = "--reverse";
        let request: PlayerListRequest = parse_request([("text", text)]).unwrap();
        assert_eq!((request.text.as_deref(), request.reverse), (Some(text), false));
        for json in [
            json!(1),
            json!({"text": {"a": 1}}),
            json!({"text": 1, "luck": 2}),
        ] {
            assert!(parse_json_request::<PlayerListRequest>(&json).is_err(), "{json}");
        }
    }

    #[test]
    fn contradictions_name_options_or_parameters() {
        let contradiction = Contradiction("{sort since} needs {since DATE}; {k} does not");
        let options = "--sort since needs --since DATE; --k does not";
        assert_eq!(contradiction.with_options(), options);
        let parameters = "\"sort=since\" needs \"since=DATE\"; \"k\" does not";
        assert_eq!(contradiction.with_parameters(), parameters);
    }
}
