//! `ranklore forget`

use clap::Args;
use ranklore_contest::SourceName;
use ranklore_pipeline::{ForgetReport, forget, would_forget};
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
/// gets the same blank. The file is then written anew, so that none of its pages has the name.
/// This cannot be undone. Backups made before still have the name.
#[derive(Debug, Args)]
pub(crate) struct Forget {
    /// Of which source
    #[arg(value_name = "SOURCE", value_parser = words::source)]
    source: SourceName,
    /// Whom, exactly as written
    #[arg(value_name = "NAME")]
    name: String,
    /// Say what would be changed and write nothing
    #[arg(long)]
    dry_run: bool,
}

impl Forget {
    pub(crate) fn run(self, global: &Global) -> anyhow::Result<Exit> {
        // The file must be there: a person is forgotten where they are.
        drop(Store::open_reader(global.db())?);
        let progress = Progress::new();
        let mut store = Store::open_writer(global.db(), "ranklore forget")?;
        let (source, name) = (&self.source, &*self.name);
        let report = if self.dry_run {
            would_forget(&mut store, source, name, words::now(), &progress)?
        } else {
            forget(&mut store, source, name, words::now(), &progress)?
        };
        drop(store);
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
                "other_accounts": report.other_accounts,
            }))?;
        } else {
            self.say_report(&report)?;
        }
        Ok(if report.unsearched.is_empty() {
            Exit::Done
        } else {
            Exit::InPart
        })
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
