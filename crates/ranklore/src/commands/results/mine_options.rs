//! `ranklore mine`: the options of sources.

use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches};
use ranklore_contest::{SourceName, UnixSeconds};
use ranklore_ingest::{
    OptionKind, OptionValues, Profile, SITES, SourceOption, has_listed_contests,
};

use crate::GlobalArgs;
use crate::exit::WrongUsage;
use crate::output::join_words;

/// The options of sources on the command line, for any source.
#[derive(Debug, Default)]
pub(crate) struct SourceOptionArgs {
    /// The options of the command line with their values.
    named_values: Vec<(String, Option<String>)>,
}

/// The flag that takes the options of a source by name.
const WITH: &str = "with";

impl SourceOptionArgs {
    /// Returns the options for a source; errors if it does not have all of them.
    pub(crate) fn parse_values(
        &self,
        profile: &Profile,
        since: Option<UnixSeconds>,
    ) -> Result<OptionValues, WrongUsage> {
        let mut values = OptionValues::new(since);
        for (name, value) in &self.named_values {
            values.set(profile, name, value.as_deref())?;
        }
        Ok(values)
    }
}

/// Errors if the source needs an option for its lists, and no list was ever requested.
pub(crate) fn check_list_option(
    profile: &Profile,
    values: &OptionValues,
    source: &SourceName,
    global: &GlobalArgs,
) -> anyhow::Result<()> {
    let Some(option) = profile.listing_option().filter(|option| !values.is_set(option.name)) else {
        return Ok(());
    };
    if let Some(store) = global.open_reader_if_any()?
        && has_listed_contests(&store, profile.name, source)?
    {
        return Ok(());
    }
    let usage = option.usage();
    Err(WrongUsage(format!("{usage} is missing")).into())
}

/// Returns the names of the matching sites, separated by commas.
pub(crate) fn site_names(is_meant: impl Fn(&Profile) -> bool) -> String {
    let profiles = SITES.iter().map(|site| site.profile);
    join_words(profiles.filter(|p| is_meant(p)).map(|p| p.name))
}

/// Returns the options of all sources, each once.
fn all_options() -> Vec<&'static SourceOption> {
    let mut options: Vec<&SourceOption> = Vec::new();
    for option in SITES.iter().flat_map(|site| site.profile.options) {
        if options.iter().all(|other| other.name != option.name) {
            options.push(option);
        }
    }
    options
}

/// Returns the names of the sites that have an option.
fn sites_with_option(name: &str) -> String {
    site_names(|profile| profile.options.iter().any(|option| option.name == name))
}

/// Returns the values of an option on the command line.
fn option_values<'a>(matches: &'a ArgMatches, name: &str) -> impl Iterator<Item = &'a String> {
    matches.get_many(name).into_iter().flatten()
}

impl Args for SourceOptionArgs {
    fn augment_args(command: Command) -> Command {
        let options = all_options();
        let forms = options.iter().map(|option| {
            let value = option.value_name().map(|value| format!("={value}"));
            // Options that are flags have a help of their own.
            let help = (!option.flag).then(|| format!(": {}", option.help));
            format!(
                "{}{} ({}){}",
                option.name,
                value.unwrap_or_default(),
                sites_with_option(option.name),
                help.unwrap_or_default()
            )
        });
        let forms = join_words(forms);
        let with_argument = Arg::new(WITH)
            .long(WITH)
            .value_name("OPTION")
            .action(ArgAction::Append)
            .value_delimiter(',')
            .conflicts_with("from_files")
            .help(format!("Options of the source, comma-separated: {forms}"));
        let flags = options.into_iter().filter(|option| option.flag);
        flags.fold(command.arg(with_argument), |command, option| {
            let help = format!("{} ({})", option.help, sites_with_option(option.name));
            let flag =
                Arg::new(option.name).long(option.name).conflicts_with("from_files").help(help);
            command.arg(match option.kind {
                OptionKind::Switch => flag.action(ArgAction::SetTrue),
                OptionKind::Words(value) => flag.action(ArgAction::Append).value_name(value),
                OptionKind::Number(value) => flag.action(ArgAction::Set).value_name(value),
            })
        })
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for SourceOptionArgs {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let mut options = Self::default();
        options.update_from_arg_matches(matches)?;
        Ok(options)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        for word in option_values(matches, WITH) {
            self.named_values.push(match word.split_once('=') {
                Some((name, value)) => (name.trim().to_owned(), Some(value.trim().to_owned())),
                None => (word.trim().to_owned(), None),
            });
        }
        for option in all_options().into_iter().filter(|option| option.flag) {
            let name = option.name.to_owned();
            match option.kind {
                OptionKind::Switch if matches.get_flag(option.name) => {
                    self.named_values.push((name, None));
                }
                OptionKind::Switch => {}
                OptionKind::Words(_) | OptionKind::Number(_) => {
                    let values = option_values(matches, option.name).cloned().map(Some);
                    self.named_values.extend(values.map(|value| (name.clone(), value)));
                }
            }
        }
        Ok(())
    }
}
