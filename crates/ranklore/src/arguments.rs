//! The commands and their help.

mod examples;

use std::fmt::Write as _;

use clap::error::{ContextKind, ErrorKind};
use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};

use self::examples::with_examples;
use crate::GlobalArgs;
use crate::commands::{
    completions, datasets, demo, file, lists, man, new_source, people, ratings, reproduce, results,
    synth,
};
#[cfg(feature = "web")]
use crate::commands::{serve, site};

use crate::exit::Exit;
use crate::output;

/// Collect contest results, compute ratings, publish both
#[derive(Debug, Parser)]
#[command(
    name = "ranklore",
    version = env!("RANKLORE_VERSION"),
    propagate_version = true,
    arg_required_else_help = true
)]
pub(crate) struct Arguments {
    #[command(flatten)]
    pub(crate) global: GlobalArgs,
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Run a complete example offline: collect, rate, evaluate
    ///
    /// Serves the results of an invented puzzle league on 127.0.0.1, syncs its 24 contests as from
    /// Codeforces, rates them with Elo-MMR, and prints the leaderboard and the accuracy of the
    /// predictions. Creates the folder ranklore-demo with the database
    /// ranklore-demo/ranklore.sqlite, or uses the database that --db names. Uses no other network.
    /// A second run adds nothing.
    Demo,
    Import(results::import::ImportArgs),
    Mine(results::mine::MineArgs),
    Sources(file::sources::SourcesArgs),
    Documents(file::documents::DocumentsArgs),
    Synth(synth::SynthArgs),
    Rate(ratings::rate::RateArgs),
    Runs(file::runs::RunsArgs),
    Systems(ratings::systems::SystemsArgs),
    Evaluate(ratings::evaluate::EvaluateArgs),
    Tune(ratings::tune::TuneArgs),
    Experiment(ratings::experiment::ExperimentArgs),
    Reproduce(reproduce::ReproduceArgs),
    Predict(ratings::predict::PredictArgs),
    Leaderboard(ratings::leaderboard::LeaderboardArgs),
    Player(ratings::player::PlayerArgs),
    Versus(ratings::versus::VersusArgs),
    Contest(ratings::contest::ContestArgs),
    Contests(lists::contests::ContestsArgs),
    Players(lists::players::PlayersArgs),
    Movers(lists::movers::MoversArgs),
    #[cfg(feature = "web")]
    Serve(serve::ServeArgs),
    Export(datasets::export::ExportArgs),
    #[cfg(feature = "web")]
    Site(site::SiteArgs),
    #[command(alias = "check-dataset")]
    Verify(datasets::verify::VerifyArgs),
    /// Show the state of the database and what to do next
    ///
    /// Prints the size, the current writer, the last sync of each source, stale runs, and a
    /// command for everything that needs one. Reads only, and does not block a writer.
    Status,
    Check(file::check::CheckArgs),
    Competitor(people::competitor::CompetitorArgs),
    Withdraw(people::withdraw::WithdrawArgs),
    Forget(people::forget::ForgetArgs),
    Source(file::source::SourceArgs),
    Rebuild(file::rebuild::RebuildArgs),
    Prune(file::prune::PruneArgs),
    Backup(file::backup::BackupArgs),
    NewSource(new_source::NewSourceArgs),
    Completions(completions::CompletionsArgs),
    Man(man::ManArgs),
}

impl Command {
    /// True if `--format` is the format of files that the command reads or writes, not of its result.
    pub(crate) const fn reads_format(&self) -> bool {
        matches!(self, Self::Import(_) | Self::Export(_))
    }

    /// True if the result has rows, or is a report that is one row.
    pub(crate) const fn has_rows(&self) -> bool {
        !matches!(self, Self::Demo | Self::Completions(_))
    }

    /// True if the command changes something: its text only reports that.
    pub(crate) const fn prints_report(&self) -> bool {
        matches!(
            self,
            Self::Import(_)
                | Self::Mine(_)
                | Self::Rate(_)
                | Self::Export(_)
                | Self::Rebuild(_)
                | Self::Prune(_)
                | Self::Backup(_)
                | Self::Withdraw(_)
                | Self::Forget(_)
        )
    }

    pub(crate) fn run(self, global: &GlobalArgs) -> anyhow::Result<Exit> {
        match self {
            Self::Demo => demo::run(global),
            Self::Import(import) => import.run(global),
            Self::Mine(mine) => mine.run(global),
            Self::Sources(sources) => sources.run(global),
            Self::Documents(documents) => documents.run(global),
            Self::Synth(synth) => synth.run(),
            Self::Rate(rate) => rate.run(global),
            Self::Runs(runs) => runs.run(global),
            Self::Systems(systems) => systems.run(global),
            Self::Evaluate(evaluate) => evaluate.run(global),
            Self::Tune(tune) => tune.run(global),
            Self::Experiment(experiment) => experiment.run(global),
            Self::Reproduce(reproduce) => reproduce.run(global),
            Self::Predict(predict) => predict.run(global),
            Self::Leaderboard(leaderboard) => leaderboard.run(global),
            Self::Player(player) => player.run(global),
            Self::Versus(versus) => versus.run(global),
            Self::Contest(contest) => contest.run(global),
            Self::Contests(contests) => contests.run(global),
            Self::Players(players) => players.run(global),
            Self::Movers(movers) => movers.run(global),
            #[cfg(feature = "web")]
            Self::Serve(serve) => serve.run(global),
            Self::Export(export) => export.run(global),
            #[cfg(feature = "web")]
            Self::Site(site) => site.run(global),
            Self::Verify(verify) => verify.run(global),
            Self::Status => file::status::run(global),
            Self::Check(check) => check.run(global),
            Self::Competitor(competitor) => competitor.run(global),
            Self::Withdraw(withdraw) => withdraw.run(global),
            Self::Forget(forget) => forget.run(global),
            Self::Source(source) => source.run(global),
            Self::Rebuild(rebuild) => rebuild.run(global),
            Self::Prune(prune) => prune.run(global),
            Self::Backup(backup) => backup.run(global),
            Self::NewSource(new_source) => new_source.run(global),
            Self::Completions(completions) => completions.run(),
            Self::Man(man) => man.run(global),
        }
    }
}

/// The groups of `ranklore --help`, each with its first command; the others follow it in the order of
/// [`Command`]. clap has no groups of subcommands.
const GROUPS: [(&str, &str); 4] = [
    ("Collect", "demo"),
    ("Rate and view", "rate"),
    ("Publish", "export"),
    ("Maintain", "status"),
];

/// The terms at the end of `ranklore --help`.
const TERMS: [(&str, &str); 3] = [
    ("SOURCE", "a site such as codeforces, or your name for imported contests"),
    ("DATE", "a day, 2024-01-31, or a time, 2024-01-31T18:00:00Z"),
    (
        "RUN",
        "the ratings of the contests of a source by one rating system, stored under a number",
    ),
];

/// Longest error of clap that is printed as it is, in bytes.
const MAX_USAGE_BYTES: usize = 4_000;

impl Arguments {
    /// Parses the arguments of the process; exits on a wrong one, and after `--help`.
    pub(crate) fn parse_process() -> Self {
        command()
            .try_get_matches()
            .and_then(|matches| Self::from_arg_matches(&matches))
            .unwrap_or_else(|mut error| {
                // clap proposes to pass an unknown option as a value, which no option is.
                if error.kind() == ErrorKind::UnknownArgument {
                    error.remove(ContextKind::Suggested);
                }
                exit_with(&error)
            })
    }
}

/// Prints help or the error of a wrong argument, which may be long, and exits.
fn exit_with(error: &clap::Error) -> ! {
    let text = error.render();
    // With its styles, and the control sequences of the arguments.
    if error.use_stderr() && text.ansi().to_string().len() > MAX_USAGE_BYTES {
        output::print_failure(text.to_string().trim_end());
        std::process::exit(Exit::Usage as i32);
    }
    error.exit()
}

/// Returns the command line with its help in groups.
pub(crate) fn command() -> clap::Command {
    let command = with_examples(Arguments::command());
    let help = help_template(&command);
    command.help_template(help)
}

/// Returns the template of `ranklore --help`: the commands by group, each with its own summary.
fn help_template(command: &clap::Command) -> String {
    let heading = *command.get_styles().get_header();
    let literal = *command.get_styles().get_literal();
    let names = command.get_subcommands().map(clap::Command::get_name);
    let width = names.map(str::len).max().unwrap_or(0);
    let mut template = "{about-with-newline}\n{usage-heading} {usage}\n".to_owned();
    for subcommand in command.get_subcommands() {
        let name = subcommand.get_name();
        // Writing to a string does not fail.
        if let Some((group, _)) = GROUPS.iter().find(|(_, first)| *first == name) {
            let _ = writeln!(template, "\n{heading}{group}:{heading:#}");
        }
        let about = subcommand.get_about().map(ToString::to_string).unwrap_or_default();
        let summary = output::wrap_after_label(&about, width + 4);
        let _ = writeln!(template, "  {literal}{name:<width$}{literal:#}  {summary}");
    }
    let _ = writeln!(
        template,
        "\n{heading}Options:{heading:#}\n{{options}}\n\n{heading}Terms:{heading:#}"
    );
    for (term, meaning) in TERMS {
        let meaning = output::wrap_after_label(meaning, 10);
        let _ = writeln!(template, "  {term:<6}  {meaning}");
    }
    template + "\nranklore help COMMAND explains a command, with examples.\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_group_begins_with_a_command() {
        let command = Arguments::command();
        let names: Vec<&str> = command.get_subcommands().map(clap::Command::get_name).collect();
        let positions = GROUPS.map(|(_, first)| names.iter().position(|name| *name == first));
        assert_eq!(positions[0], Some(0));
        assert!(positions.is_sorted() && positions.iter().all(Option::is_some), "{positions:?}");
        assert!(command.get_subcommands().all(|subcommand| !subcommand.is_hide_set()));
    }

    #[test]
    fn old_names_still_parse() {
        for line in [
            "ranklore check-dataset out",
            "ranklore mine codeforces --handles",
            "ranklore import a.json --source a --format json",
            "ranklore export a --to out --split year --defuse-formulas",
            "ranklore leaderboard a --names",
        ] {
            let arguments = Arguments::try_parse_from(line.split(' '));
            assert!(arguments.is_ok(), "{line}: {arguments:?}");
        }
    }
}
