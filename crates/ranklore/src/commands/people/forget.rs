//! `ranklore forget`

use clap::Args;
use ranklore_contest::SourceName;
use ranklore_ingest::{
    ForgetReport, count_unfinished_forgets, finish_forgetting, forget, preview_forget,
};
use ranklore_store::Store;
use serde::Serialize;

use crate::commands::confirm::confirm;
use crate::exit::Exit;
use crate::json::{DryRun, OfSource};
use crate::output::{escape_line, format_plural, print_line, print_note, print_notes};
use crate::progress::TerminalProgress;
use crate::{GlobalArgs, values};

/// Anonymise a person everywhere, permanently
///
/// Replaces the name with a placeholder such as forgotten-1 in standings, decisions, names of
/// contests and teams, names of files, and the archive. Results and ratings stay. The name is found
/// in any case, Unicode form and encoding, also within longer texts. The database keeps a keyed hash
/// of the name, so that later imports and syncs get the same placeholder.
///
/// An archived document with the name is replaced by the results read from it. A document that
/// cannot be read loses its text and is listed. The database file is then rewritten, so that no
/// page of it has the name. After an interruption, run the command without a NAME to finish it.
///
/// This cannot be undone. Backups and exports made before still have the name.
#[derive(Debug, Args)]
pub(crate) struct ForgetArgs {
    /// Source of the person
    #[arg(value_name = "SOURCE", value_parser = values::parse_source)]
    source: SourceName,
    /// Name of the person, as the database has it; without one, finishes an interrupted run
    #[arg(value_name = "NAME")]
    name: Option<String>,
    /// Print the changes without making them
    #[arg(long)]
    dry_run: bool,
    /// Anonymise without asking
    #[arg(long)]
    yes: bool,
}

/// The result without a name.
#[derive(Serialize)]
struct Finished {
    /// The number of forgotten persons whose names were erased from the file, or would be.
    swept: u64,
}

impl ForgetArgs {
    pub(crate) fn run(self, global: &GlobalArgs) -> anyhow::Result<Exit> {
        // Opening to write would create a missing file.
        let reader = Store::open_reader(global.db())?;
        let Some(name) = &self.name else {
            return self.finish_interrupted(reader, global);
        };
        let is_confirmed = self.dry_run
            || self.yes
            || confirm(&format!("anonymises {name:?} in {} permanently", self.source))?;
        if !is_confirmed {
            print_note("nothing was changed");
            return Ok(Exit::Failed);
        }
        let progress = TerminalProgress::new();
        let source = &self.source;
        let report = if self.dry_run {
            let _snapshot = reader.snapshot()?;
            preview_forget(&reader, source, name, &progress)?
        } else {
            drop(reader);
            let mut store = Store::open_writer(global.db(), "ranklore forget")?;
            forget(&mut store, source, name, values::now(), &progress)?
        };
        progress.finish();
        let result = OfSource::new(source, DryRun::new(self.dry_run, &report));
        global.print_result(&result, || self.print_report(&report))
    }

    fn finish_interrupted(&self, reader: Store, global: &GlobalArgs) -> anyhow::Result<Exit> {
        let mut persons = count_unfinished_forgets(&reader, &self.source)?;
        drop(reader);
        if persons > 0 && !self.dry_run {
            let mut store = Store::open_writer(global.db(), "ranklore forget")?;
            persons = finish_forgetting(&mut store, &self.source, values::now())?;
        }
        let names = format_plural(persons, "forgotten person");
        let text = match (persons, self.dry_run) {
            (0, _) => "nothing to finish: the file has no name of a forgotten person".to_owned(),
            (_, true) => {
                format!("dry run, nothing written: the names of {names} to erase from the file")
            }
            (_, false) => format!("the names of {names} erased from the file"),
        };
        let result = DryRun::new(self.dry_run, Finished { swept: persons });
        let result = OfSource::new(&self.source, result);
        global.print_result(&result, || print_line(&text))
    }

    fn print_report(&self, report: &ForgetReport) -> std::io::Result<()> {
        let action = if self.dry_run {
            "dry run, nothing written: would anonymise as"
        } else {
            "anonymised as"
        };
        print_line(&format!(
            "{}: {action} {} in {}, {} and {}",
            self.source,
            report.blank,
            format_plural(report.contests, "contest"),
            format_plural(report.documents, "document"),
            format_plural(report.decisions, "decision"),
        ))?;
        if report.renamed_contests > 0 {
            let verb = if self.dry_run { "would get" } else { "got" };
            print_note(&format!(
                "{} {verb} the blank in the name of the contest, the event or a team",
                format_plural(report.renamed_contests, "contest")
            ));
        }
        let loss = if self.dry_run { "would lose" } else { "lost" };
        print_notes(report.unreadable.iter().map(|unreadable| {
            format!(
                "{}: {loss} its text, since it may have the name and cannot be read: {}",
                unreadable.document, unreadable.why
            )
        }));
        for (names, remark) in [
            (&report.spellings, "also forgotten, as the same name in another spelling"),
            (&report.longer_names, "other people keep a longer name with this one in it"),
            (&report.other_accounts, "other accounts of the same person are not forgotten"),
        ] {
            if !names.is_empty() {
                print_note(&escape_line(&format!("{remark}: {}", names.join(", "))));
            }
        }
        if !self.dry_run {
            print_note("backups and copies made before still have the name");
        }
        Ok(())
    }
}
