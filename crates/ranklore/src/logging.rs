//! Logs on standard error: the options, the filter and the format of lines.

use std::ffi::OsString;
use std::io::{self, Write};

use clap::{ArgAction, Args, ValueEnum};
use tracing::level_filters::LevelFilter;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::{Layer, fmt, registry};

use crate::GLOBAL;
use crate::exit::WrongUsage;
use crate::output::{self, ERROR_TARGET, NOTE_TARGET, StandardError};

/// Events of other crates are never logged: those of HTTP and TLS quote headers.
const TARGET_PREFIX: &str = "ranklore";

#[derive(Clone, Debug, Args)]
pub(crate) struct LogArgs {
    /// Log requests and rating runs; -vv also logs every contest and wait
    #[arg(short, long, global = true, action = ArgAction::Count, help_heading = GLOBAL)]
    verbose: u8,
    /// Print errors only, and what was asked for: lists, views and --format
    #[arg(short, long, global = true, help_heading = GLOBAL)]
    pub(crate) quiet: bool,
    /// Log format: text, or json for one JSON object per line on standard error [default: text]
    #[arg(
        long,
        global = true,
        value_name = "FORMAT",
        hide_possible_values = true,
        help_heading = GLOBAL
    )]
    log_format: Option<LogFormat>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum LogFormat {
    Text,
    Json,
}

impl LogArgs {
    /// Starts logging, by these options and `RUST_LOG`.
    ///
    /// # Errors
    /// If flags contradict each other, or `RUST_LOG` is invalid. The error can be printed.
    pub(crate) fn start(&self) -> Result<(), WrongUsage> {
        let json = self.log_format == Some(LogFormat::Json);
        output::set_standard_error(match (json, self.quiet) {
            (true, quiet) => StandardError::Json { quiet },
            (false, true) => StandardError::Quiet,
            (false, false) => StandardError::Text,
        });
        let filter = self.filter(std::env::var_os("RUST_LOG"));
        let targets = filter.as_ref().ok().cloned().unwrap_or_default();
        // Notes and errors for people do not depend on the level.
        let targets = targets
            .with_target(NOTE_TARGET, LevelFilter::INFO)
            .with_target(ERROR_TARGET, LevelFilter::ERROR);
        let layer = fmt::layer().with_ansi(false).with_writer(move || LogWriter { json });
        let layer = if json {
            let layer = layer.json().flatten_event(true);
            layer.with_current_span(false).with_span_list(false).boxed()
        } else {
            // `LogWriter` escapes more.
            layer.with_ansi_sanitization(false).boxed()
        };
        let subscriber = registry().with(targets).with(layer);
        // Fails only if there is a subscriber already.
        let _ = tracing::subscriber::set_global_default(subscriber);
        filter.map(drop)
    }

    /// Combines flags and `RUST_LOG`: flags override a bare level, but not the level of a target.
    fn filter(&self, rust_log: Option<OsString>) -> Result<Targets, WrongUsage> {
        // clap does not see that a flag before the command conflicts with one after it.
        if self.quiet && self.verbose > 0 {
            let advice = "--quiet and --verbose contradict each other; use one of them";
            return Err(WrongUsage(advice.to_owned()));
        }
        let flag = match (self.quiet, self.verbose) {
            (true, _) => Some(LevelFilter::ERROR),
            (false, 0) => None,
            (false, 1) => Some(LevelFilter::INFO),
            (false, _) => Some(LevelFilter::DEBUG),
        };
        let variable = rust_log.unwrap_or_default();
        let result = match variable.to_str() {
            Some(directives) => parse_targets(directives),
            None => Err("it is not UTF-8".to_owned()),
        };
        let filter = result.map_err(|reason| {
            WrongUsage(format!(
                "cannot read RUST_LOG={}: {reason}; use levels and targets such as \
                 ranklore=info,ranklore::contest=debug",
                output::quote(&variable.to_string_lossy())
            ))
        })?;
        let level = flag.or(filter.default_level()).unwrap_or(LevelFilter::WARN);
        let targets = filter.iter();
        let our_targets = targets.filter(|(target, _)| target.starts_with(TARGET_PREFIX));
        Ok(Targets::new().with_target(TARGET_PREFIX, level).with_targets(our_targets))
    }
}

fn parse_targets(directives: &str) -> Result<Targets, String> {
    if directives.contains('[') {
        return Err("filters by span or field are not supported".to_owned());
    }
    let parts = directives.split(',').map(str::trim);
    let parts: Vec<&str> = parts.filter(|part| !part.is_empty()).collect();
    if parts.is_empty() {
        return Ok(Targets::new());
    }
    let targets = parts.join(",").parse::<Targets>();
    targets.map_err(|error| error.to_string())
}

/// Writes each log line at once, bounded and with control characters escaped.
struct LogWriter {
    json: bool,
}

impl Write for LogWriter {
    fn write(&mut self, event: &[u8]) -> io::Result<usize> {
        let text = String::from_utf8_lossy(event);
        let line = text.strip_suffix('\n').unwrap_or(&text);
        output::write_line(&if self.json {
            output::bound_json(line)
        } else {
            output::bound_message(output::escape_line(line))
        });
        Ok(event.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use tracing::Level;

    use super::*;

    fn filter(verbose: u8, quiet: bool, rust_log: &str) -> Targets {
        let options = LogArgs {
            verbose,
            quiet,
            log_format: None,
        };
        options.filter(Some(rust_log.into())).unwrap()
    }

    #[test]
    fn flags_override_levels_but_not_targets() {
        for (verbose, quiet, rust_log, request, contest) in [
            (0, false, "", "WARN", "WARN"),
            (1, false, "", "INFO", "INFO"),
            (2, false, " ", "DEBUG", "DEBUG"),
            (9, false, "", "DEBUG", "DEBUG"),
            (0, true, "", "ERROR", "ERROR"),
            (0, false, "info", "INFO", "INFO"),
            (0, false, "off", "OFF", "OFF"),
            (0, false, "trace, ranklore::contest=off", "TRACE", "OFF"),
            (1, false, "trace", "INFO", "INFO"),
            (0, true, "trace", "ERROR", "ERROR"),
            (1, false, "ranklore::contest=debug", "INFO", "DEBUG"),
            (0, true, "ranklore::contest=debug,", "ERROR", "DEBUG"),
            (0, false, "ranklore", "TRACE", "TRACE"),
            (1, false, "hyper=trace,reqwest", "INFO", "INFO"),
        ] {
            let targets = filter(verbose, quiet, rust_log);
            let most = |target: &str| {
                let levels = [
                    (Level::TRACE, "TRACE"),
                    (Level::DEBUG, "DEBUG"),
                    (Level::INFO, "INFO"),
                    (Level::WARN, "WARN"),
                    (Level::ERROR, "ERROR"),
                ];
                let mut on = levels.into_iter();
                let on = on.find(|(level, _)| targets.would_enable(target, level));
                on.map_or("OFF", |(_, name)| name)
            };
            let asked = format!("-v {verbose}, -q {quiet}, RUST_LOG={rust_log}");
            assert_eq!(most("ranklore::request"), request, "{asked}");
            assert_eq!(most("ranklore::contest"), contest, "{asked}");
        }
    }

    #[test]
    fn events_of_other_crates_are_never_logged() {
        for rust_log in ["trace", "hyper=trace", "reqwest,h2,rustls=error", "r=trace"] {
            let targets = filter(2, false, rust_log);
            for target in ["hyper::proto", "reqwest::connect", "h2", "rustls", "r"] {
                assert!(!targets.would_enable(target, &Level::ERROR), "{rust_log}");
            }
        }
    }

    #[test]
    fn invalid_filters_are_refused() {
        let mut options = LogArgs {
            verbose: 0,
            quiet: false,
            log_format: None,
        };
        for rust_log in [
            "ranklore=loud",
            "ranklore=info=debug",
            "ranklore[run]=info",
            "[{url}]=info",
        ] {
            let error = options.filter(Some(rust_log.into())).unwrap_err();
            assert!(error.to_string().contains(rust_log), "{error}");
        }
        (options.verbose, options.quiet) = (1, true);
        assert!(options.filter(None).is_err());
    }
}
