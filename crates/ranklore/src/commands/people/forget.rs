//! `ranklore forget`

use clap::Args;
use ranklore_contest::SourceName;
use ranklore_ingest::{ForgetReport, finish_forgetting, forget, unfinished, would_forget};
use ranklore_store::Store;
use serde_json::json;

use crate::exit::Exit;
use crate::output::{complain, counted, say, say_json, visible_line};
use crate::progress::Progress;
use crate::{Global, words};

/// Forget a person: a blank in place of the name, everywhere.
///
/// Standings, decisions and archived documents get the blank, results and ratings stay. The
/// name is kept nowhere, but known again by a keyed hash: who comes with it in a later import
/// or sync gets the same blank. The file is then written anew, so that none of its pages has the name.
/// If that did not end, the same without a name ends it.
/// This cannot be undone. Backups made before still have the name.
#[derive(Debug, Args)]
pub(crate) struct Forget {
    /// Of which source
    #[arg(value_name = "SOURCE", value_parser = words::source)]
    source: SourceName,
    /// Whom, exactly as written; without one, what was begun before is ended
    #[arg(value_name = "NAME")]
    name: Option<String>,
    /// Say what would be changed and write nothing
    #[arg(long)]
    dry_run: bool,
}

impl Forget {
    pub(crate) fn run(self, global: &Global) -> anyhow::Result<Exit> {
        // The file must be there: a person is forgotten where they are.
        let reader = Store::open_reader(global.db())?;
        let Some(name) = &self.name else {
            return self.finish(reader, global);
        };
        let progress = Progress::new();
        let source = &self.source;
        let report = if self.dry_run {
            let _snapshot = reader.snapshot()?;
            would_forget(&reader, source, name, &progress)?
        } else {
            drop(reader);
            let mut store = Store::open_writer(global.db(), "ranklore forget")?;
            forget(&mut store, source, name, words::now(), &progress)?
        };
        progress.end();
        if global.json {
            let unsearched: Vec<_> = (report.unsearched.iter())
                .map(|(document, why)| json!({"document": document, "why": why}))
                .collect();
            say_json(&json!({
                "source": source.as_str(),
                "dry_run": self.dry_run,
                "blank": report.blank,
                "contests": report.contests,
                "documents": report.documents,
                "decisions": report.decisions,
                "unsearched": unsearched,
                "named_after": report.named_after,
                "other_accounts": report.other_accounts,
            }))?;
        } else {
            self.say_report(&report)?;
        }
        Ok(
            if report.unsearched.is_empty() && report.named_after.is_empty() {
                Exit::Done
            } else {
                Exit::InPart
            },
        )
    }

    fn finish(&self, reader: Store, global: &Global) -> anyhow::Result<Exit> {
        let mut persons = unfinished(&reader, &self.source)?;
        drop(reader);
        if persons > 0 && !self.dry_run {
            let mut store = Store::open_writer(global.db(), "ranklore forget")?;
            persons = finish_forgetting(&mut store, &self.source, words::now())?;
        }
        if global.json {
            say_json(&json!({
                "source": self.source.as_str(),
                "dry_run": self.dry_run,
                "swept": persons,
            }))?;
            return Ok(Exit::Done);
        }
        say(&match (persons, self.dry_run) {
            (0, _) => "nothing to finish: nobody who is forgotten is left in the file".to_owned(),
            (_, true) => format!(
                "dry run, nothing written: {} to be swept out of the file",
                counted(persons, "forgotten person")
            ),
            (_, false) => format!(
                "{} swept out of the file",
                counted(persons, "forgotten person")
            ),
        })?;
        Ok(Exit::Done)
    }

    fn say_report(&self, report: &ForgetReport) -> std::io::Result<()> {
        let begin = if self.dry_run {
            "dry run, nothing written: would be"
        } else {
            "forgotten:"
        };
        say(&format!(
            "{}: {begin} {} from now on, in {}, {} and {}",
            self.source,
            report.blank,
            counted(report.contests, "contest"),
            counted(report.documents, "document"),
            counted(report.decisions, "decision"),
        ))?;
        for (document, why) in &report.unsearched {
            complain(&visible_line(&format!(
                "{document}: nobody can tell whether it has the name: {why}"
            )));
        }
        for document in &report.named_after {
            complain(&format!(
                "document {document} has the name in its own name or address, which stays as it is"
            ));
        }
        if !report.other_accounts.is_empty() {
            let names = report.other_accounts.join(", ");
            complain(&visible_line(&format!(
                "other accounts of the same person are not forgotten: {names}"
            )));
        }
        if !self.dry_run {
            complain("backups and copies made before still have the name");
        }
        Ok(())
    }
}
